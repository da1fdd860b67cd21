//! How many metres of the release area a rock stands for, so that a long cliff does not thin out its own hazard.
//!
//! What share of the rocks arrives somewhere depends on how long the cliff is that all of them come from: a house below the middle of
//! a kilometre of cliff is reached by few of them, however exposed it is. So the rocks that arrive are weighed, and their weights
//! add up to the rocks that would arrive if all had started within [`STRETCH_M`] of the release area.
//!
//! The area is cut across its longest extent into strips of [`STRIP_M`]. A strip belongs in equal parts to the features that reach into
//! it, so that each feature f has its length ℓ_f, and ℓ = Σ ℓ_f. Of N rocks of the scenario, N_f from the feature, one weighs
//!
//! w_f = (ℓ_f / N_f) · N / min(ℓ, STRETCH_M),
//!
//! 1 for a single feature shorter than the stretch; on average max(1, ℓ / STRETCH_M). Weights depend on the geometry and on the numbers
//! the project states alone: not on the seed, nor on how many rocks have fallen.

use geo::{ConvexHull, CoordsIter};

use crate::geo::vector::Feature;
use crate::math;

/// Of a long release area the rocks of so much count together, m.
const STRETCH_M: f64 = 100.0;
/// Width of the strips, m.
const STRIP_M: f64 = 25.0;

/// The weight of a rock of each feature; `rocks` are the numbers that start from them in a run (or a round), 0 for features without.
pub(super) fn weights(features: &[(&Feature, u64)]) -> Vec<f64> {
    let used = || features.iter().filter(|(_, rocks)| *rocks > 0);
    let axis = longest(used().map(|(feature, _)| *feature));
    let along = |feature: &Feature| {
        let at = feature.geometry.coords_iter().map(|c| c.x * axis.0 + c.y * axis.1);
        at.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| (least.min(v), most.max(v)))
    };
    let extents: Vec<(f64, f64)> = features.iter().map(|(feature, _)| along(feature)).collect();
    let of_used = || extents.iter().zip(features).filter(|(_, (_, rocks))| *rocks > 0).map(|(extent, _)| *extent);
    let from = of_used().map(|extent| extent.0).fold(f64::INFINITY, f64::min);
    let strip = |at: f64| ((at - from) / STRIP_M).floor().max(0.0) as usize;
    let strips = of_used().map(|extent| strip(extent.1) + 1).max().unwrap_or(0);
    let mut shared = vec![0u32; strips];
    of_used().for_each(|(a, b)| shared[strip(a)..=strip(b)].iter_mut().for_each(|sharing| *sharing += 1));
    let length = |(a, b): (f64, f64)| -> f64 {
        shared[strip(a)..=strip(b)].iter().map(|&sharing| STRIP_M / f64::from(sharing)).sum()
    };
    let total = STRIP_M * shared.iter().filter(|&&sharing| sharing > 0).count() as f64;
    let all: f64 = used().map(|(_, rocks)| *rocks as f64).sum();
    let weight = |((_, rocks), &extent): (&(&Feature, u64), &(f64, f64))| match rocks {
        0 => 1.0,
        rocks => length(extent) / *rocks as f64 * all / total.min(STRETCH_M),
    };
    features.iter().zip(&extents).map(weight).collect()
}

/// Direction between the two points farthest apart; east where there is only one.
fn longest<'a>(features: impl Iterator<Item = &'a Feature>) -> (f64, f64) {
    let points: Vec<geo::Point> = features.flat_map(|feature| feature.geometry.coords_iter()).map(geo::Point).collect();
    let hull: Vec<geo::Coord> = geo::MultiPoint(points).convex_hull().exterior().coords().copied().collect();
    let mut best = (0.0, (1.0, 0.0));
    for (i, a) in hull.iter().enumerate() {
        for b in &hull[i + 1..] {
            let apart = math::hypot(b.x - a.x, b.y - a.y);
            if apart > best.0 {
                best = (apart, ((b.x - a.x) / apart, (b.y - a.y) / apart));
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(from: (f64, f64), to: (f64, f64)) -> Feature {
        let geometry = geo::Geometry::Line(geo::Line::new(from, to));
        Feature { id: 1, geometry, z: None, attributes: Default::default() }
    }

    fn of(features: &[(Feature, u64)]) -> Vec<f64> {
        weights(&features.iter().map(|(feature, rocks)| (feature, *rocks)).collect::<Vec<_>>())
    }

    #[test]
    fn a_short_area_stands_for_itself() {
        assert_eq!(of(&[(line((0.0, 0.0), (60.0, 0.0)), 500)]), [1.0]);
        assert_eq!(of(&[(line((5.0, 5.0), (5.0, 5.0)), 3), (line((0.0, 0.0), (0.0, 0.0)), 0)]), [1.0, 1.0]);
    }

    /// 800 m whichever way they run and however they are cut: rocks weigh 8 on average.
    #[test]
    fn a_long_area_weighs_by_its_length() {
        for turn in [0.0, 0.7, 1.571, 3.0] {
            let (sin, cos) = f64::sin_cos(turn);
            let at = |s: f64| (1000.0 + s * cos, 2000.0 + s * sin);
            let whole = of(&[(line(at(0.0), at(799.0)), 900)]);
            assert!((whole[0] - 8.0).abs() < 1e-9, "{turn}: {whole:?}");
            // Two halves with unlike numbers of rocks: each half hits as if it had the same.
            let halves = of(&[(line(at(0.0), at(399.0)), 100), (line(at(401.0), at(799.0)), 300)]);
            assert!((halves[0] - 16.0).abs() < 1e-9 && (halves[1] - 16.0 / 3.0).abs() < 1e-9, "{turn}: {halves:?}");
        }
    }

    /// The same features in two layers of a scenario share their length.
    #[test]
    fn features_above_each_other_share_the_length() {
        let twice = of(&[(line((0.0, 0.0), (199.0, 0.0)), 50), (line((0.0, 0.0), (199.0, 0.0)), 50)]);
        assert_eq!(twice, [2.0, 2.0]);
    }
}
