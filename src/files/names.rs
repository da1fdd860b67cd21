//! Names of files from names of things.

use crate::files::hash::sha256;

/// Longest readable part; with prefix, hash and ending it fits every file system.
const LONGEST: usize = 40;
/// Digits of the hash that keeps names apart.
const DIGITS: usize = 8;
/// Names Windows keeps for itself, with any ending.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A file name (without ending) for a name the user gave: the same for the same name always, another for every other name,
/// also where capitals do not count.
///
/// Plain names (lower-case ASCII letters, digits, `_` and `-`) stay as they are. All others become plain and get a few
/// digits of their hash: `block > 1 m3` and `block < 1 m3` are not the same file.
pub(crate) fn file_name(name: &str) -> String {
    if is_plain(name) { name.to_string() } else { with_hash(name, name) }
}

/// A readable name for something that is told apart by `identity`.
pub(crate) fn with_hash(name: &str, identity: &str) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        match c.to_lowercase().next().unwrap_or(c) {
            'ä' => plain.push_str("ae"),
            'ö' => plain.push_str("oe"),
            'ü' => plain.push_str("ue"),
            'ß' => plain.push_str("ss"),
            'à' | 'á' | 'â' => plain.push('a'),
            'è' | 'é' | 'ê' | 'ë' => plain.push('e'),
            'ç' => plain.push('c'),
            c if c.is_ascii_alphanumeric() || c == '-' => plain.push(c),
            _ if !plain.ends_with('_') => plain.push('_'),
            _ => {}
        }
    }
    let plain: String = plain.chars().take(LONGEST).collect();
    let plain = plain.trim_matches(['_', '-']);
    let digits = &sha256(identity.as_bytes())[..DIGITS];
    if plain.is_empty() { format!("x-{digits}") } else { format!("{plain}-{digits}") }
}

fn is_plain(name: &str) -> bool {
    let characters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c));
    // `com1` to `lpt9`, too.
    let port = name.len() == 4 && (name.starts_with("com") || name.starts_with("lpt"));
    // What looks like the name of something else with its hash gets a hash of its own.
    let hashed =
        name.rsplit_once('-').is_some_and(|(_, end)| end.len() == DIGITS && end.chars().all(|c| c.is_ascii_hexdigit()));
    characters && !name.is_empty() && name.len() <= LONGEST && !RESERVED.contains(&name) && !port && !hashed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn different_names_never_share_a_file() {
        let long = "x".repeat(400);
        let names = [
            "block > 1 m3",
            "block < 1 m3",
            "block_1_m3",
            "block   1 m3",
            "Block > 1 m3",
            "often",
            "Often",
            "OFTEN",
            "often ",
            " often",
            "con",
            "nul",
            "CON",
            "com1",
            "aux",
            ".",
            "..",
            "...",
            ".often",
            "-",
            "_",
            "",
            "ü",
            "u\u{308}",
            "ue",
            "ß",
            "ss",
            "Rüfi",
            "Ruefi",
            "ruefi",
            "a/b",
            "a\\b",
            "a:b",
            "a|b",
            "a?b",
            "a*b",
            "a\nb",
            "a\0b",
            "落石",
            "落石2",
            "hazard",
            "🪨",
            &long,
            &long[1..],
            "often-12345678",
        ];
        let files: BTreeSet<String> = names.iter().map(|name| file_name(name).to_lowercase()).collect();
        assert_eq!(files.len(), names.len(), "{files:?}");
        // Not even the file's own name, given as a name.
        let again: BTreeSet<String> = names.iter().map(|name| file_name(&file_name(name))).collect();
        assert!(again.iter().filter(|name| files.contains(*name)).all(|name| names.contains(&name.as_str())));
        for file in &files {
            assert!(
                !file.is_empty() && !["con", "nul", "aux", "com1"].contains(&file.as_str()),
                "Windows keeps {file}"
            );
            assert!(file.len() <= 60 && file.is_ascii() && !file.starts_with('.') && !file.contains(['/', '\\', ':']));
        }
    }

    #[test]
    fn plain_names_stay_and_all_are_stable() {
        for plain in ["often", "all", "30_years", "net-2"] {
            assert_eq!(file_name(plain), plain);
        }
        assert_eq!(file_name("block > 1 m3"), "block_1_m3-952f9d4e");
        assert_eq!(file_name("Rüfi Süd"), format!("ruefi_sued-{}", &sha256("Rüfi Süd".as_bytes())[..8]));
    }
}
