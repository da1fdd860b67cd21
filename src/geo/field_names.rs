//! Field names for shapefiles, which hold at most 10 bytes each.

/// The longest field name a .dbf can hold, in bytes.
const LONGEST: usize = 10;

/// Shortens names that do not fit, keeping them readable and different:
///
/// 1. vowels go, last ones first, but never the first letter of a word nor any letter of the last word (often the unit);
/// 2. then underscores, first ones first;
/// 3. what is still too long is cut at 10 bytes;
/// 4. a name already taken (capitals do not count) gets `_1`, `_2`, … in place of its end.
///
/// The result depends on the names and their order only: `energy_max_kj` becomes `enrg_mx_kj`.
pub(crate) fn short_field_names(names: &[&str]) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    // Names that fit keep their name, wherever they stand.
    let fitting: Vec<String> = names.iter().filter(|n| n.len() <= LONGEST).map(|n| n.to_lowercase()).collect();
    names
        .iter()
        .map(|name| {
            let fits = name.len() <= LONGEST && !taken.contains(&name.to_lowercase());
            let free = |candidate: &str, taken: &[String]| {
                let key = candidate.to_lowercase();
                !taken.contains(&key) && !fitting.contains(&key)
            };
            let mut short = if fits { name.to_string() } else { shorten(name) };
            let mut number = 1;
            while !fits && !free(&short, &taken) {
                let ending = format!("_{number}");
                short = format!("{}{ending}", cut(&shorten(name), LONGEST - ending.len()));
                number += 1;
            }
            taken.push(short.to_lowercase());
            short
        })
        .collect()
}

fn shorten(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let length = |letters: &[char]| letters.iter().map(|c| c.len_utf8()).sum::<usize>();
    let last_word = letters.iter().rposition(|&c| c == '_').map_or(letters.len(), |k| k);
    for k in (1..last_word).rev() {
        let droppable = "aeiouyäöüAEIOUYÄÖÜ".contains(letters[k]) && letters[k - 1] != '_';
        if length(&letters) > LONGEST && droppable {
            letters.remove(k);
        }
    }
    while length(&letters) > LONGEST {
        match letters.iter().position(|&c| c == '_') {
            Some(k) => letters.remove(k),
            None => break,
        };
    }
    cut(&letters.into_iter().collect::<String>(), LONGEST).to_string()
}

/// The longest beginning of a text that fits, without splitting a letter.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&k| text.is_char_boundary(k)).unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_stay_readable_and_different() {
        let names = ["id", "energy_max_kj", "energy_mean_kj", "velocity_max_m_s", "velocity_min_m_s"];
        assert_eq!(short_field_names(&names), ["id", "enrg_mx_kj", "enrg_mn_kj", "vlctmx_m_s", "vlctmn_m_s"]);
    }

    #[test]
    fn names_that_collide_are_numbered_and_names_that_fit_are_kept() {
        let names = ["energy_max_kj", "energy_mix_kj", "HEIGHT", "height", "height_1"];
        let short = short_field_names(&names);
        assert_eq!(short, ["enrg_mx_kj", "enrg_mx__1", "HEIGHT", "height_2", "height_1"]);
        assert!(short.iter().all(|n| n.len() <= LONGEST));
    }

    #[test]
    fn a_letter_of_several_bytes_is_never_split() {
        let short = short_field_names(&["ßßßßßßßß", "größe_grüße_größe"]);
        assert!(short.iter().all(|n| n.len() <= LONGEST), "{short:?}");
    }
}
