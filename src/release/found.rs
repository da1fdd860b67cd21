//! Positions of a release layer as they were found once: parts of a run need not look at the ground below all of them again.

use crate::files::worked_out;

/// Positions of one feature that have ground steep enough.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Found {
    /// How many it has, on this terrain or beyond it, and how many of these have no ground.
    pub all: u64,
    pub without_ground: u64,
    /// Number of a position among all, and its world coordinates.
    pub positions: Vec<(u64, f64, f64)>,
}

/// All features of a layer, if they are known.
pub(super) fn known(key: &str, features: usize) -> Option<Vec<Found>> {
    let bytes = worked_out::take(&full(key))?;
    let mut words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
    let mut one = || {
        let [all, without_ground, count] = [words.next()?, words.next()?, words.next()?];
        let mut position = || Some((words.next()?, f64::from_bits(words.next()?), f64::from_bits(words.next()?)));
        let positions = (0..count).map(|_| position()).collect::<Option<_>>()?;
        Some(Found { all, without_ground, positions })
    };
    let found = (0..features).map(|_| one()).collect::<Option<_>>()?;
    words.next().is_none().then_some(found)
}

/// Keeps what was found, if that is wanted.
pub(super) fn note(key: &str, found: &[Found]) {
    worked_out::note(&full(key), || {
        let words = found.iter().flat_map(|Found { all, without_ground, positions }| {
            let places = positions.iter().flat_map(|(number, x, y)| [*number, x.to_bits(), y.to_bits()]);
            [*all, *without_ground, positions.len() as u64].into_iter().chain(places)
        });
        words.flat_map(u64::to_le_bytes).collect()
    });
}

fn full(key: &str) -> String {
    format!("positions {key}")
}
