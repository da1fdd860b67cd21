//! The catalogue, compiled in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use super::{Arg, Language};

/// By language, in the order of [`Language::ALL`].
const FILES: [&str; 4] = [
    include_str!("../../locales/en.ftl"),
    include_str!("../../locales/de.ftl"),
    include_str!("../../locales/fr.ftl"),
    include_str!("../../locales/it.ftl"),
];

static BUNDLES: LazyLock<Vec<FluentBundle<FluentResource>>> =
    LazyLock::new(|| Language::ALL.into_iter().map(bundle).collect());

fn bundle(language: Language) -> FluentBundle<FluentResource> {
    let identifier = language.code().parse::<LanguageIdentifier>().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
    // Marks around every number are for mixed writing directions, and no font of ours has them.
    bundle.set_use_isolating(false);
    // A file with a mistake gives all its other messages; a test finds mistakes.
    let resource = FluentResource::try_new(FILES[language as usize].into()).unwrap_or_else(|(resource, _)| resource);
    bundle.add_resource_overriding(resource);
    bundle
}

/// A message in words; its key where the catalogue lacks it, which a test finds.
pub(super) fn words(language: Language, key: &str, args: &BTreeMap<String, Arg>) -> String {
    let bundle = &BUNDLES[language as usize];
    let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else { return key.into() };
    let mut places = FluentArgs::new();
    for (name, arg) in args {
        let value = match arg {
            Arg::Count(count) => FluentValue::from(*count),
            Arg::Words(text) => FluentValue::from(text.in_language(language)),
        };
        places.set(name.as_str(), value);
    }
    bundle.format_pattern(pattern, Some(&places), &mut Vec::new()).into_owned()
}

/// Names and patterns of the messages that stand on one line.
pub(super) fn lines_of(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    let begins = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
    FILES[language as usize].lines().filter(begins).filter_map(|line| line.split_once(" = "))
}

/// The names of all messages of a language, as its file has them.
pub fn keys(language: Language) -> BTreeSet<&'static str> {
    let name = |line: &'static str| line.split_once(" =").map(|(name, _)| name);
    let begins = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
    FILES[language as usize].lines().filter(begins).filter_map(name).collect()
}

/// The variables of a message, as `$name`.
pub fn variables(language: Language, key: &str) -> BTreeSet<&'static str> {
    let is_it = |line: &&str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(" ="));
    let mut lines = FILES[language as usize].lines().skip_while(|line| !is_it(line));
    let first = lines.next().into_iter();
    let message = first.chain(lines.take_while(|line| line.starts_with(' ')));
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$');
    message.flat_map(|line| line.split(is_end)).filter(|word| word.starts_with('$')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::{Text, msg};

    #[test]
    fn the_catalogue_has_no_mistake() {
        for (language, file) in Language::ALL.into_iter().zip(FILES) {
            if let Err((_, mistakes)) = FluentResource::try_new(file.into()) {
                let line = |at: usize| file[..at].matches('\n').count() + 1;
                let places = mistakes.iter().map(|mistake| format!("line {}: {mistake}", line(mistake.pos.start)));
                panic!("{language}.ftl: {:?}", places.collect::<Vec<_>>());
            }
        }
    }

    /// A language that lacks a message, or a number in it, would say less than the others.
    #[test]
    fn every_message_is_in_all_languages_with_the_same_variables() {
        let english = keys(Language::En);
        for language in Language::ALL {
            let own = keys(language);
            let (lacks, extra): (Vec<_>, Vec<_>) =
                (english.difference(&own).collect(), own.difference(&english).collect());
            assert!(lacks.is_empty() && extra.is_empty(), "{language}: lacks {lacks:?}, has besides {extra:?}");
            for key in &english {
                assert_eq!(variables(language, key), variables(Language::En, key), "{language}: {key}");
            }
        }
    }

    /// The plugin reads these files with a few lines of Python: messages, variables, and plurals of one or other.
    #[test]
    fn the_files_keep_to_what_the_plugin_reads() {
        for (language, file) in Language::ALL.into_iter().zip(FILES) {
            for (number, line) in file.lines().enumerate() {
                let begins = line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains(" =");
                let fine = line.is_empty() || line.starts_with('#') || line.starts_with("    ") || begins;
                let plain =
                    !["NUMBER(", "DATETIME(", "{ -", "{-", "{ \"", "{\""].iter().any(|part| line.contains(part));
                let selector = line.trim_start().strip_prefix(['[', '*']).is_none_or(|rest| {
                    rest.starts_with("one]") || rest.starts_with("[other]") || rest.starts_with("[one]")
                });
                assert!(fine && plain && selector, "{language}.ftl:{}: {line}", number + 1);
            }
            let messages: Vec<&str> =
                file.lines().filter_map(|line| line.split_once(" =").map(|(key, _)| key)).collect();
            let messages: Vec<&&str> = messages.iter().filter(|key| !key.contains([' ', '{'])).collect();
            let distinct: BTreeSet<&&&str> = messages.iter().collect();
            assert_eq!(messages.len(), distinct.len(), "{language}: a message is there twice");
        }
    }

    #[test]
    fn counts_decide_between_one_and_many_and_names_stay_as_they_are() {
        let rocks = |count: u64| msg!("rocks", count = count);
        assert_eq!(rocks(1).in_language(Language::De), "1 Stein");
        assert_eq!(rocks(1800).in_language(Language::De), "1800 Steine");
        assert_eq!(rocks(0).in_language(Language::Fr), "0 bloc");
        assert_eq!(Text::from("Wänd { $x }").in_language(Language::It), "Wänd { $x }");
        let stored = serde_json::to_string(&rocks(2)).unwrap();
        assert_eq!(stored, r#"{"key":"rocks","args":{"count":2}}"#);
        assert_eq!(serde_json::from_str::<Text>(&stored).unwrap().in_language(Language::It), "2 blocchi");
    }
}
