//! Words for what was found and what was expected.

/// What was found, short enough for one line.
pub(super) fn quote(text: &str) -> String {
    let looks_numeric = text.len() < 60 && text.parse::<f64>().is_ok();
    if looks_numeric { text.to_string() } else { quoted(text) }
}

pub(super) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{short:?}{dots}")
}

/// "`a`", "`a` or `b`", "one of `a`, `b`, `c`".
pub fn one_of(words: &[&str]) -> String {
    let mut quoted: Vec<String> = Vec::new();
    for word in words {
        let word = format!("`{word}`");
        if !quoted.contains(&word) {
            quoted.push(word);
        }
    }
    match quoted.len() {
        0 => "nothing".into(),
        1 | 2 => quoted.join(" or "),
        _ => format!("one of {}", quoted.join(", ")),
    }
}

/// `; did you mean "mass_kg"?` if one of the words is near, else nothing.
pub fn did_you_mean(text: &str, words: &[&str]) -> String {
    suggestion(text, words).map(|word| format!("; did you mean {word:?}?")).unwrap_or_default()
}

/// Comparing takes the product of both lengths: nobody mistypes a word this long.
const LONGEST_TYPO: usize = 100;

pub(super) fn suggestion<'w>(text: &str, words: &[&'w str]) -> Option<&'w str> {
    if text.len() > LONGEST_TYPO {
        return None;
    }
    let plain = |word: &str| word.to_lowercase().replace(['-', ' '], "_");
    let typed = plain(text);
    let score = |word: &str| {
        let word = plain(word);
        // `mass` for `mass_kg`: the unit is what people leave out or mistake.
        let stem = |w: &str| w.split('_').next().unwrap_or_default().to_string();
        let begins = |a: &str, b: &str| b.len() >= 3 && a.starts_with(b);
        let same_stem = begins(&word, &typed) || begins(&typed, &word) || begins(&stem(&word), &stem(&typed));
        strsim::normalized_damerau_levenshtein(&typed, &word) + if same_stem { 0.3 } else { 0.0 }
    };
    let best = words.iter().map(|word| (score(word), *word)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= 0.6).then_some(best.1)
}
