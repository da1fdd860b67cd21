//! In which order the features of a layer release their rocks: along a Hilbert curve through squares of the map, so that rocks that follow each other fall near each
//! other, and a part of a run touches a compact piece of a large region. Within a square the layer's order stays, so small sites keep it.
//!
//! Squares count from the origin of the coordinates: the order does not depend on how much of the terrain was read.

use ::geo::{BoundingRect, Geometry};

/// Side of a square: some rocks run farther, most do not.
const SQUARE_M: f64 = 1024.0;
/// Squares along each side of all the curve passes through: from −10⁹ m to 10⁹ m.
const SIDE: u64 = 1 << 21;

/// Numbers of the features in the order they release.
pub(super) fn along_curve<'a>(features: impl Iterator<Item = &'a Geometry<f64>>) -> Vec<u32> {
    let mut placed: Vec<(u64, u32)> = features.map(place).zip(0..).collect();
    placed.sort_unstable();
    placed.into_iter().map(|(_, feature)| feature).collect()
}

fn place(geometry: &Geometry<f64>) -> u64 {
    let Some(extent) = geometry.bounding_rect() else { return 0 };
    let middle = extent.center();
    let square = |at: f64| ((at / SQUARE_M).floor() + (SIDE / 2) as f64).clamp(0.0, (SIDE - 1) as f64) as u64;
    along(square(middle.x), square(middle.y))
}

/// How far along the curve a square lies (Hilbert 1891; the usual recursion from the largest quarter to the smallest).
fn along(mut x: u64, mut y: u64) -> u64 {
    let mut distance = 0;
    let mut half = SIDE / 2;
    while half > 0 {
        let (right, up) = (u64::from(x & half > 0), u64::from(y & half > 0));
        distance += half * half * ((3 * right) ^ up);
        if up == 0 {
            if right == 1 {
                (x, y) = (SIDE - 1 - x, SIDE - 1 - y);
            }
            (x, y) = (y, x);
        }
        half /= 2;
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every square once, and from each to the next it is one step.
    #[test]
    fn the_curve_passes_through_neighbours() {
        let corner = SIDE / 2;
        let mut squares: Vec<(u64, u64, u64)> =
            (0..32 * 32).map(|k| (corner + k % 32, corner + k / 32)).map(|(x, y)| (along(x, y), x, y)).collect();
        squares.sort_unstable();
        assert!(squares.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1));
        assert!(squares.windows(2).all(|pair| pair[0].1.abs_diff(pair[1].1) + pair[0].2.abs_diff(pair[1].2) == 1));
    }

    /// Features of one square keep their order; others follow each other in space, wherever they stand in the layer.
    #[test]
    fn neighbours_follow_each_other() {
        let point = |x: f64, y: f64| Geometry::Point(::geo::Point::new(2_600_000.0 + x, 1_200_000.0 + y));
        let near = [point(90.0, 5.0), point(10.0, 80.0), point(55.0, 55.0)];
        assert_eq!(along_curve(near.iter()), [0, 1, 2]);
        // A layer that jumps to and fro between two valleys 20 km apart.
        let far: Vec<Geometry<f64>> = (0..10).map(|k| point(f64::from(k % 2) * 20_000.0, 0.0)).collect();
        let order = along_curve(far.iter());
        assert_eq!(
            order.iter().map(|k| k % 2).collect::<Vec<_>>().windows(2).filter(|pair| pair[0] != pair[1]).count(),
            1
        );
    }
}
