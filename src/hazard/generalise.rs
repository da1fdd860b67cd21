//! Zones as practice draws them: gaps closed, tongues taken off, small patches and holes merged, before the outline is smoothed.
//!
//! Every class is taken together with all more severe ones, from the most severe down, so that zones stay nested and no gap can
//! open between neighbours: first a closing by a disc (gaps narrower than `close_gaps_m`), then an opening (tongues narrower
//! than `min_width_m`; Serra 1982), then [`zones::clean`]. Closing only adds to severe zones; what the rest takes from them is
//! bounded: if more than the allowed share would be drawn less severe than computed, tongues are taken off more sparingly.

use serde::{Deserialize, Serialize};

use crate::hazard::zones::{self, Cleaned};
use crate::terrain::{Field, Lattice};

/// How zones are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generalisation {
    /// Gaps narrower than this are closed, m.
    pub close_gaps_m: f64,
    /// Tongues narrower than this are taken off, m.
    pub min_width_m: f64,
    /// Smaller patches and holes join their neighbours, m².
    pub min_area_m2: f64,
    /// Largest share of the zoned area that may become less severe.
    pub max_less_severe_share: f64,
}

/// What drawing has done to the zones.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Generalised {
    /// Cells with any zone, as computed, m².
    pub zoned_m2: f64,
    /// Drawn less severe than computed, m².
    pub less_severe_m2: f64,
    /// Drawn more severe than computed, m².
    pub more_severe_m2: f64,
    /// The widths and areas that were applied: less than asked for where too much would have become less severe.
    pub min_width_m: f64,
    /// The same of the smallest area.
    pub min_area_m2: f64,
    /// What merging small patches has done.
    pub cleaned: Cleaned,
}

impl Generalised {
    /// Of two maps together; of the widths that were applied the smaller ones.
    pub fn and(self, other: Self) -> Self {
        Self {
            zoned_m2: self.zoned_m2 + other.zoned_m2,
            less_severe_m2: self.less_severe_m2 + other.less_severe_m2,
            more_severe_m2: self.more_severe_m2 + other.more_severe_m2,
            min_width_m: self.min_width_m.min(other.min_width_m),
            min_area_m2: self.min_area_m2.min(other.min_area_m2),
            cleaned: Cleaned {
                dropped_m2: self.cleaned.dropped_m2 + other.cleaned.dropped_m2,
                filled_m2: self.cleaned.filled_m2 + other.cleaned.filled_m2,
            },
        }
    }

    /// Of the zoned area.
    pub fn less_severe_share(&self) -> f64 {
        if self.zoned_m2 > 0.0 { self.less_severe_m2 / self.zoned_m2 } else { 0.0 }
    }
}

/// Parts of the widths asked for that are tried, one after the other, until few enough cells become less severe.
const SHARES: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];

/// The zones as they are drawn. Higher classes are more severe.
pub fn generalise(raw: &Field<u8>, how: &Generalisation) -> (Field<u8>, Generalised) {
    let mut last = attempt(raw, how, 1.0);
    for &share in &SHARES[1..] {
        if last.1.less_severe_share() <= how.max_less_severe_share {
            break;
        }
        last = attempt(raw, how, share);
    }
    last
}

/// The same of parts of one map that are far from each other: how much is taken off is decided for all of them together.
pub fn generalise_parts(parts: &[&Field<u8>], how: &Generalisation) -> (Vec<Field<u8>>, Generalised) {
    let mut last = Default::default();
    for share in SHARES {
        let (drawn, found): (Vec<_>, Vec<_>) = parts.iter().map(|part| attempt(part, how, share)).unzip();
        let found = found.into_iter().reduce(Generalised::and).unwrap_or_default();
        let is_enough = found.less_severe_share() <= how.max_less_severe_share;
        last = (drawn, found);
        if is_enough {
            break;
        }
    }
    last
}

fn attempt(raw: &Field<u8>, how: &Generalisation, share: f64) -> (Field<u8>, Generalised) {
    let (min_width_m, min_area_m2) = (share * how.min_width_m, share * how.min_area_m2);
    let mut shaped = zones::cropped_by(raw, margin_cells(&raw.lattice, how));
    reshape(&mut shaped, how.close_gaps_m, min_width_m);
    let (drawn, cleaned) = zones::clean(&zones::put_back(raw, &shaped), min_area_m2);
    let mut found = Generalised { min_width_m, min_area_m2, cleaned, ..Default::default() };
    let cell_m2 = raw.lattice.dx * raw.lattice.dy;
    for (&before, &after) in raw.values.iter().zip(&drawn.values) {
        found.zoned_m2 += if before > 0 { cell_m2 } else { 0.0 };
        found.less_severe_m2 += if after < before { cell_m2 } else { 0.0 };
        found.more_severe_m2 += if after > before { cell_m2 } else { 0.0 };
    }
    (drawn, found)
}

fn margin_cells(lattice: &Lattice, how: &Generalisation) -> usize {
    (how.close_gaps_m.max(how.min_width_m) / lattice.dx.min(lattice.dy)).ceil() as usize + 2
}

/// Closes gaps and takes off tongues, class by class from the most severe down.
fn reshape(zones: &mut Field<u8>, close_gaps_m: f64, min_width_m: f64) {
    let lattice = zones.lattice;
    let (smaller, larger) = (lattice.dx.min(lattice.dy), lattice.dx.max(lattice.dy));
    // Between the centres of the cells beside a gap lies the gap and a cell.
    let gap_radius = if close_gaps_m > smaller { 0.5 * (close_gaps_m + larger) } else { 0.0 };
    let tongue_radius = if min_width_m > smaller { 0.5 * min_width_m } else { 0.0 };
    if gap_radius == 0.0 && tongue_radius == 0.0 {
        return;
    }
    let most = zones.values.iter().copied().max().unwrap_or(0);
    let mut drawn = vec![0u8; zones.values.len()];
    for class in (1..=most).rev() {
        // What is drawn more severe belongs to it, too.
        let mut mask: Vec<bool> =
            zones.values.iter().zip(&drawn).map(|(&value, &drawn)| value >= class || drawn > 0).collect();
        if gap_radius > 0.0 {
            let wide = near(&mask, &lattice, gap_radius);
            mask = inverted(near(&inverted(wide), &lattice, gap_radius));
        }
        if tongue_radius > 0.0 {
            let core = inverted(near(&inverted(mask.clone()), &lattice, tongue_radius));
            // A little further than the disc reaches: corners stay.
            let around = near(&core, &lattice, 1.42 * tongue_radius);
            mask.iter_mut().zip(around).for_each(|(is, near)| *is &= near);
        }
        for (drawn, is) in drawn.iter_mut().zip(mask) {
            if is && *drawn == 0 {
                *drawn = class;
            }
        }
    }
    zones.values = drawn;
}

fn inverted(mut mask: Vec<bool>) -> Vec<bool> {
    mask.iter_mut().for_each(|is| *is = !*is);
    mask
}

/// Cells whose centres lie closer to that of a cell of the mask than the radius. What lies beyond the raster is no cell.
fn near(mask: &[bool], lattice: &Lattice, radius_m: f64) -> Vec<bool> {
    let Lattice { nx, ny, dx, dy, .. } = *lattice;
    // By rows away: cells to either side within the disc.
    let mut sides = Vec::new();
    for row in 0.. {
        let left = radius_m * radius_m - (row as f64 * dy).powi(2);
        if left <= 0.0 {
            break;
        }
        let side = left.sqrt() / dx;
        // Strictly closer: a cell exactly as far is not.
        sides.push(if side.fract() < 1e-9 { side as i64 - 1 } else { side as i64 });
    }
    let mut runs: Vec<Vec<(i64, i64)>> = Vec::with_capacity(ny);
    for row in mask.chunks_exact(nx.max(1)) {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(begin) = row[at..].iter().position(|&is| is).map(|i| at + i) {
            let end = row[begin..].iter().position(|&is| !is).map_or(nx, |i| begin + i);
            found.push((begin as i64, end as i64));
            at = end;
        }
        runs.push(found);
    }
    let mut out = vec![false; mask.len()];
    let mut changes = vec![0i32; nx + 1];
    for row in 0..ny {
        let reach = sides.len().saturating_sub(1);
        let first = row.saturating_sub(reach);
        for (other, runs) in runs.iter().enumerate().take(row + reach + 1).skip(first) {
            let side = sides.get(row.abs_diff(other)).copied().unwrap_or(-1);
            for &(begin, end) in runs.iter().filter(|_| side >= 0) {
                changes[(begin - side).max(0) as usize] += 1;
                changes[(end + side).min(nx as i64) as usize] -= 1;
            }
        }
        let mut inside = 0;
        for (cell, change) in out[row * nx..(row + 1) * nx].iter_mut().zip(&mut changes) {
            inside += std::mem::take(change);
            *cell = inside > 0;
        }
        changes[nx] = 0;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::zones::tests::field;

    fn how(close_gaps_m: f64, min_width_m: f64) -> Generalisation {
        Generalisation { close_gaps_m, min_width_m, min_area_m2: 0.0, max_less_severe_share: 1.0 }
    }

    /// Against the definition.
    #[test]
    fn near_is_what_lies_within_the_disc() {
        let mut state = 3u64;
        let lattice = Lattice { nx: 23, ny: 17, x0: 0.0, y0: 0.0, dx: 2.0, dy: 3.0 };
        let mask: Vec<bool> = (0..lattice.len())
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33).is_multiple_of(23)
            })
            .collect();
        for radius in [0.5, 2.0, 3.1, 6.0, 7.3, 13.0] {
            let found = near(&mask, &lattice, radius);
            for (cell, &found) in found.iter().enumerate() {
                let at = |i: usize| ((i % 23) as f64 * 2.0, (i / 23) as f64 * 3.0);
                let distance = |i: usize| (at(i).0 - at(cell).0).hypot(at(i).1 - at(cell).1);
                let expected = (0..lattice.len()).any(|i| mask[i] && distance(i) < radius - 1e-9);
                assert_eq!(found, expected, "radius {radius}, cell {cell}");
            }
        }
    }

    #[test]
    fn a_gap_narrower_than_the_limit_is_closed_and_a_wider_one_stays() {
        let raw = field(&["11111001111100001111"; 12]);
        let (drawn, found) = generalise(&raw, &how(5.0, 0.0));
        assert_eq!(drawn.values[100..120], field(&["11111111111100001111"]).values);
        assert_eq!((found.less_severe_m2, found.more_severe_m2), (0.0, 2.0 * 12.0 * 4.0));
    }

    /// Between the centres of the cells on either side of a gap of three cells lie four.
    #[test]
    fn a_gap_is_as_wide_as_its_cells() {
        let raw = field(&["11111000111110000011111"; 12]);
        let (drawn, _) = generalise(&raw, &how(7.0, 0.0));
        assert_eq!(drawn.values[115..138], field(&["11111111111110000011111"]).values, "6 m and 10 m, limit 7 m");
        let (kept, _) = generalise(&raw, &how(5.9, 0.0));
        assert_eq!(kept.values, raw.values);
    }

    /// What closes gaps reaches far beyond a zone and comes back to its outline, also where tongues are let be.
    #[test]
    fn a_zone_without_gaps_stays_as_it_is() {
        let empty = "0".repeat(60);
        let body = format!("{}{}{}", "0".repeat(24), "1".repeat(12), "0".repeat(24));
        let rows: Vec<&str> = (0..60).map(|row| if (24..36).contains(&row) { &body } else { &empty } as &str).collect();
        let raw = field(&rows);
        for (close_gaps_m, min_width_m) in [(30.0, 0.0), (30.0, 8.0), (0.0, 16.0)] {
            let (drawn, _) = generalise(&raw, &how(close_gaps_m, min_width_m));
            let more = drawn.values.iter().zip(&raw.values).filter(|(drawn, raw)| drawn > raw).count();
            assert_eq!(more, 0, "gaps {close_gaps_m} m, widths {min_width_m} m");
        }
    }

    #[test]
    fn a_narrow_tongue_goes_and_the_body_stays() {
        let mut rows = vec!["00000000000000000000"; 4];
        rows.extend(["00222222220000000000"; 8]);
        rows.push("00222222222222222200");
        rows.extend(["00222222220000000000"; 8]);
        rows.extend(["00000000000000000000"; 4]);
        let raw = field(&rows);
        let (drawn, found) = generalise(&raw, &how(0.0, 8.0));
        assert!(drawn.values[12 * 20 + 14] == 0, "the tongue's end");
        assert_eq!(drawn.values.iter().filter(|&&v| v == 2).count(), 17 * 8 + 1, "a root of one cell stays");
        assert_eq!(found.less_severe_m2, 7.0 * 4.0);
    }

    /// Zones stay nested: a red spot in blue that is taken off becomes blue.
    #[test]
    fn what_is_taken_off_falls_to_the_class_around_it() {
        let mut rows = vec!["111111111111"; 5];
        rows.push("112222222211");
        rows.extend(["111111111111"; 5]);
        let (drawn, _) = generalise(&field(&rows), &how(0.0, 6.0));
        assert!(drawn.values.iter().all(|&value| value == 1));
        // Also where the spot is so wide that no notch is filled.
        let mut rows = vec!["11111111111111111111"; 6];
        rows.extend(["11222222222222222211"; 2]);
        rows.extend(["11111111111111111111"; 6]);
        let (drawn, _) = generalise(&field(&rows), &how(0.0, 6.0));
        assert!(drawn.values.iter().all(|&value| value == 1));
    }

    #[test]
    fn no_more_becomes_less_severe_than_allowed() {
        let mut rows = vec!["0000000000000000"; 3];
        rows.extend(["1111111111111111", "0000000000000000", "0000000000000000", "0000000000000000"]);
        let raw = field(&rows);
        let bounded = Generalisation { max_less_severe_share: 0.02, ..how(0.0, 8.0) };
        let (drawn, found) = generalise(&raw, &bounded);
        assert_eq!((drawn.values == raw.values, found.min_width_m), (true, 4.0));
        assert!(found.less_severe_share() <= 0.02);
        let (gone, _) = generalise(&raw, &how(0.0, 8.0));
        assert!(gone.values.iter().all(|&value| value == 0));
    }

    /// Two parts far from each other, one of which alone would be smoothed more sparingly: drawn one by one they are what they are on the whole map.
    #[test]
    fn parts_of_a_map_are_drawn_as_the_whole() {
        let (nx, ny) = (260, 90);
        let lattice = Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: 2.0, dy: 2.0 };
        let mut values = vec![0u8; nx * ny];
        // A broad zone with tongues in the west, tongues alone in the east.
        for (cell, value) in values.iter_mut().enumerate() {
            let (x, y) = (cell % nx, cell / nx);
            if (20..70).contains(&x) && (20..70).contains(&y) {
                *value = 1 + u8::from((35..50).contains(&x) && (30..60).contains(&y));
            }
            if (20..90).contains(&x) && (40..43).contains(&y)
                || (180..240).contains(&x) && y % 9 < 4 && (15..75).contains(&y)
            {
                *value = 2;
            }
        }
        let whole = Field { lattice, values };
        let cut = |from: usize, to: usize| Field {
            lattice: Lattice { nx: to - from, x0: lattice.centre(from, 0).0, ..lattice },
            values: whole.values.chunks_exact(nx).flat_map(|row| row[from..to].to_vec()).collect(),
        };
        let (west, east) = (cut(0, 130), cut(130, 260));
        for (max_less_severe_share, close_gaps_m) in [(0.02, 3.0), (0.1, 12.0), (1.0, 3.0)] {
            let how = Generalisation { close_gaps_m, min_width_m: 12.0, min_area_m2: 300.0, max_less_severe_share };
            let (drawn, found) = generalise(&whole, &how);
            let (parts, together) = generalise_parts(&[&west, &east], &how);
            let joined: Vec<u8> = (0..ny)
                .flat_map(|row| parts.iter().flat_map(move |part| part.values[row * 130..(row + 1) * 130].to_vec()))
                .collect();
            assert!(joined == drawn.values, "{how:?}");
            assert_eq!((found.min_width_m, found.less_severe_m2), (together.min_width_m, together.less_severe_m2));
        }
        // Decided for each alone, the parts would differ.
        let how =
            Generalisation { close_gaps_m: 3.0, min_width_m: 12.0, min_area_m2: 300.0, max_less_severe_share: 0.1 };
        assert_ne!(generalise(&west, &how).1.min_width_m, generalise(&east, &how).1.min_width_m);
    }

    /// What was applied to both is what was applied to the one that got less.
    #[test]
    fn of_two_maps_the_smaller_widths_count() {
        let of =
            |min_width_m, min_area_m2| Generalised { min_width_m, min_area_m2, zoned_m2: 5.0, ..Default::default() };
        let both = of(3.0, 40.0).and(of(6.0, 20.0));
        assert_eq!((both.min_width_m, both.min_area_m2, both.zoned_m2), (3.0, 20.0, 10.0));
    }
}
