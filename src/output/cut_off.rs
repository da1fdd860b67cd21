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
/// the edge nearest to where it was seen last; where the terrain ends inside its raster (a collar without heights, a missing tile),
/// the very places are marked.
pub(crate) fn marks(variant: &VariantResult, lattice: &Lattice) -> Result<Vec<Mark>> {
    let mut ends = Vec::new();
    variant.for_each_record(|record| {
        let [x, y, _] = record.end;
        ends.extend((record.stop == StopReason::LeftTerrain).then_some([x, y]));
        Ok(())
    })?;
    Ok(marks_at(&ends, lattice))
}

/// Of rocks that were seen last at these places.
fn marks_at(ends: &[[f64; 2]], lattice: &Lattice) -> Vec<Mark> {
    let (west, south, east, north) = lattice.extent();
    let mut left: [Vec<f64>; 4] = Default::default();
    let mut inside: Vec<[f64; 2]> = Vec::new();
    let at_edge = 3.0 * lattice.dx.max(lattice.dy);
    for &[x, y] in ends {
        let apart = [x - west, east - x, y - south, north - y];
        let edge = (0..4).min_by(|&a, &b| apart[a].total_cmp(&apart[b])).unwrap_or(0);
        if apart[edge] > at_edge {
            inside.push([x, y]);
        } else {
            left[edge].push(if edge < 2 { y.clamp(south, north) } else { x.clamp(west, east) });
        }
    }
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
    let marks = left.into_iter().enumerate().filter_map(mark);
    marks.chain(missing_heights(inside, lattice)).collect()
}

/// Crosses where rocks met the end of the terrain inside its raster.
fn missing_heights(mut places: Vec<[f64; 2]>, lattice: &Lattice) -> Option<Mark> {
    let count = places.len();
    places.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let at = *places.get(count / 2)?;
    // One a cell is enough.
    let cell = |[x, y]: [f64; 2]| ((x / lattice.dx) as i64, (y / lattice.dy) as i64);
    places.dedup_by_key(|place| cell(*place));
    let (dx, dy) = (1.5 * lattice.dx, 1.5 * lattice.dy);
    let cross = |[x, y]: [f64; 2]| [vec![[x - dx, y], [x + dx, y]], vec![[x, y - dy], [x, y + dy]]];
    Some(Mark { lines: places.into_iter().flat_map(cross).collect(), at, text: msg!("cut-off-inside", count = count) })
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

    /// Two rocks leave to the west, one to the north, and one ends where heights are missing: every mark lies there and says so.
    #[test]
    fn every_edge_is_called_by_its_name_and_marked_in_its_place() {
        let lattice = Lattice { nx: 100, ny: 80, x0: 1.0, y0: 1.0, dx: 2.0, dy: 2.0 };
        let found = marks_at(&[[0.5, 40.0], [60.0, 159.0], [100.0, 80.0], [1.0, 44.0]], &lattice);
        let texts: Vec<String> = found.iter().map(|mark| mark.text.to_string()).collect();
        let words = [("2", "west"), ("1", "north"), ("1", "")];
        assert_eq!(texts.len(), 3, "{texts:?}");
        assert!(texts.iter().zip(words).all(|(text, (count, edge))| text.contains(count) && text.contains(edge)));
        assert_eq!([found[0].at, found[1].at, found[2].at], [[0.0, 42.0], [60.0, 160.0], [100.0, 80.0]]);
        assert_eq!(found[0].lines, [[[0.0, 38.0], [0.0, 46.0]]]);
        for (end, edge) in [([199.0, 80.0], "east"), ([90.0, 1.0], "south")] {
            assert!(marks_at(&[end], &lattice)[0].text.to_string().contains(edge), "{edge}");
        }
    }
}
