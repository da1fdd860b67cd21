//! Where rocks left the terrain model: there the map ends before the rocks do, and says so.

use crate::Result;
use crate::draw::preview::Mark;
use crate::store::VariantResult;
use crate::terrain::Lattice;
use crate::texts::msg;
use crate::trajectory::StopReason;

/// The edges of the terrain model, and the key of each in the catalogue.
const EDGES: [&str; 4] = ["cut-off-west", "cut-off-east", "cut-off-south", "cut-off-north"];

/// The parts of the edges where rocks left, and how many; an edge that none left over has no mark. A rock that left counts at
/// the edge nearest to where it was seen last.
pub fn marks(variant: &VariantResult, lattice: &Lattice) -> Result<Vec<Mark>> {
    let (west, south, east, north) = lattice.extent();
    let mut left: [Vec<f64>; 4] = Default::default();
    variant.for_each_record(|record| {
        if record.stop == StopReason::LeftTerrain {
            let [x, y, _] = record.end;
            let apart = [x - west, east - x, y - south, north - y];
            let edge = (0..4).min_by(|&a, &b| apart[a].total_cmp(&apart[b])).unwrap_or(0);
            left[edge].push(if edge < 2 { y.clamp(south, north) } else { x.clamp(west, east) });
        }
        Ok(())
    })?;
    let mark = |(edge, places): (usize, Vec<f64>)| {
        let (from, to) = spans_end(&places)?;
        let point = |along: f64| match edge {
            0 => [west, along],
            1 => [east, along],
            2 => [along, south],
            _ => [along, north],
        };
        let reach = if edge < 2 { lattice.dy } else { lattice.dx };
        let lines = spans(places.clone(), 5.0 * reach)
            .into_iter()
            .map(|(from, to)| vec![point(from - reach), point(to + reach)])
            .collect();
        Some(Mark { lines, at: point(0.5 * (from + to)), text: msg!(EDGES[edge], count = places.len()) })
    };
    Ok(left.into_iter().enumerate().filter_map(mark).collect())
}

fn spans_end(places: &[f64]) -> Option<(f64, f64)> {
    let low = places.iter().copied().min_by(f64::total_cmp)?;
    Some((low, places.iter().copied().max_by(f64::total_cmp)?))
}

/// Places no farther apart than this belong together.
fn spans(mut places: Vec<f64>, apart: f64) -> Vec<(f64, f64)> {
    places.sort_by(f64::total_cmp);
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for place in places {
        match spans.last_mut().filter(|span| place - span.1 <= apart) {
            Some(span) => span.1 = place,
            None => spans.push((place, place)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_close_together_are_one_stretch_of_the_edge() {
        assert_eq!(spans(vec![9.0, 1.0, 2.0, 8.5], 1.5), [(1.0, 2.0), (8.5, 9.0)]);
        assert_eq!(spans_end(&[3.0, 1.0]), Some((1.0, 3.0)));
        assert!(spans(Vec::new(), 1.0).is_empty() && spans_end(&[]).is_none());
    }
}
