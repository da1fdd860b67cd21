//! Sentences that the engine says in English to everybody (terminal, log, manifest), in the language of a page.

use std::sync::LazyLock;

use super::{Arg, Language, Text, catalogue, spoken};
use crate::Note;

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

/// A note in the language spoken now; one the catalogue does not know stays English.
pub fn in_words(note: &Note) -> String {
    let sentence = note.to_string();
    if spoken() == Language::En { sentence } else { read(&sentence).to_string() }
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

    /// What checks and runs warn of reaches maps, sheets and panels, and is translated there, whatever the values are.
    #[test]
    fn warnings_of_checks_and_runs_are_known_in_every_language() {
        let (x, y, side) = (2_600_000.5, 1_200_000.5, |side: &str| side.to_string());
        let few = || Box::new(Note::FewRocks { percent: 95.0, rocks: 3, needed: 59 });
        let mut notes = vec![
            Note::Pilot { note: Box::new(Note::EndedAtMaxTime { rocks: 3 }) },
            Note::OfLine { line: "road, all scenarios pooled".into(), variant: None, note: few() },
            Note::OneAngularShape { shape: "cube".into(), sphericity: 0.8, edge_deg: 90.0 },
            Note::OneRoundShape { shape: "sphere".into(), sphericity: 1.0, edge_deg: 0.0 },
            Note::CoarseCells { cell_m: 10.0, rock_m: 0.5 },
            Note::TooMuchMemory { needed_gb: 9.0, available_gb: 4.0, limited_by: "the machine".into() },
            Note::NoReturnPeriod { release: 2 },
            Note::StretchedCrs { crs: "EPSG:3857".into() },
            Note::OneThread { why: "the system gives no more".into() },
            Note::EndedAtMaxDistance { rocks: 1 },
        ];
        for unit in ["", "kg"] {
            let (key, unit) = ("rocks[0].mass_kg".to_string(), unit.to_string());
            notes.push(Note::UnusualValue { key, min: 1.0, max: 2.0, unit, low: 5.0, high: 9.0 });
        }
        for side in ["north", "east", "south", "west"].map(side) {
            notes.push(Note::LeftTerrain { rocks: 3, of: 9, side: side.clone(), x, y });
            notes.push(Note::LeftIntoCollar { rocks: 3, of: 9, side: side.clone(), x, y });
            notes.push(Note::LeftWhereTerrainIsMissing { rocks: 3, of: 9, side, x, y });
        }
        for note in &notes {
            let english = note.to_string();
            assert_eq!(read(&english).in_language(Language::En), english);
            for language in [Language::De, Language::Fr, Language::It] {
                let said = read(&english).in_language(language);
                let foreign = [" rocks", " the ", " is out of ", "pooled"].iter().all(|words| !said.contains(words));
                assert!(foreign || said.contains("the machine") || said.contains("the system"), "{said}");
            }
        }
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
