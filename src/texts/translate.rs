//! Sentences that the engine says in English to everybody (terminal, log, manifest), in the language of a page.

use std::sync::LazyLock;

use super::{Arg, Language, Text, catalogue, spoken};

/// A message for sentences, as what stands between its places.
struct Known {
    key: &'static str,
    /// Words before the first place, between two, and after the last.
    words: Vec<&'static str>,
    places: Vec<&'static str>,
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let mut all: Vec<Known> =
        catalogue::lines_of(Language::En).filter(|(key, _)| key.starts_with("note-")).map(known).collect();
    // What says most fits best.
    all.sort_by_key(|known| std::cmp::Reverse(known.words.iter().map(|word| word.len()).sum::<usize>()));
    all
});

fn known((key, pattern): (&'static str, &'static str)) -> Known {
    let (mut words, mut places) = (Vec::new(), Vec::new());
    let mut rest = pattern;
    while let Some((before, (place, after))) = rest.split_once("{ $").and_then(|(b, r)| Some((b, r.split_once(" }")?)))
    {
        words.push(before);
        places.push(place);
        rest = after;
    }
    words.push(rest);
    Known { key, words, places }
}

impl Known {
    /// The message, if the sentence has its words.
    fn fits(&self, sentence: &str) -> Option<Text> {
        let (first, others) = self.words.split_first()?;
        let mut rest = sentence.strip_prefix(first)?;
        let mut args = std::collections::BTreeMap::new();
        for (i, (place, word)) in self.places.iter().zip(others).enumerate() {
            let end = if i + 1 == others.len() { rest.strip_suffix(word)?.len() } else { rest.find(word)? };
            // Counts have no spaces: a place in the middle of a sentence never swallows half of another.
            let (value, after) = rest.split_at(end);
            args.insert(place.to_string(), Arg::Words(read(value)));
            rest = &after[word.len()..];
        }
        rest.is_empty().then(|| Text::Message { key: self.key.into(), args })
    }
}

/// The message a sentence is, or the sentence as it stands.
fn read(sentence: &str) -> Text {
    KNOWN.iter().find_map(|known| known.fits(sentence)).unwrap_or_else(|| sentence.into())
}

/// A sentence in the language spoken now; one the catalogue does not know stays English.
pub fn translated(sentence: &str) -> String {
    if spoken() == Language::En { sentence.into() } else { read(sentence).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_known_by_its_words() {
        let german = |sentence: &str| read(sentence).in_language(Language::De);
        let left = "94 rocks left the terrain model while moving: run-out is cut off at its edge; use a larger DEM";
        assert!(german(left).starts_with("94 Steine verliessen das Geländemodell"), "{}", german(left));
        let one = "1 rock left the terrain model while moving: run-out is cut off at its edge; use a larger DEM";
        assert!(german(one).starts_with("1 Stein verliess"), "{}", german(one));
        let nested = "line Strasse: The 95 % quantile rests on 12 rocks only; below 59 not even the largest of them bounds it \
                      with 95 % confidence. Release more rocks before using these values.";
        assert!(german(nested).starts_with("Linie Strasse: Das 95-%-Quantil beruht auf nur 12 Steinen; unter 59"));
        assert_eq!(german("something new"), "something new");
    }

    /// Every message for sentences has one place between two words, so that it can be read back.
    #[test]
    fn sentences_can_be_read_back() {
        for known in KNOWN.iter() {
            assert!(known.words.iter().skip(1).rev().skip(1).all(|word| !word.is_empty()), "{}", known.key);
            let sentence: String = known
                .words
                .iter()
                .zip(known.places.iter().chain([&""]))
                .map(|(word, place)| format!("{word}{place}"))
                .collect();
            let Text::Message { key, .. } = read(&sentence) else { panic!("{sentence}") };
            assert_eq!(key, known.key, "{sentence}");
        }
    }
}
