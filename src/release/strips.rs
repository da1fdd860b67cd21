//! The release area in strips across its longer side: which part of a long cliff a rock comes from.

use geo::BoundingRect;

use crate::geo::vector::Feature;

/// As many as a 64-bit set holds.
pub(crate) const MOST: usize = 64;
/// No strip is narrower, m.
const NARROWEST_M: f64 = 25.0;

/// Strips of equal width between west and east, or south and north if that is the longer side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Strips {
    from: f64,
    width_m: f64,
    along_y: bool,
}

impl Strips {
    /// Strips over the rectangle around the release features, at most [`MOST`], none narrower than 25 m.
    pub(crate) fn around<'a>(features: impl Iterator<Item = &'a Feature>) -> Self {
        let sides = |feature: &Feature| {
            let rectangle = feature.geometry.bounding_rect()?;
            Some([rectangle.min().x, rectangle.min().y, rectangle.max().x, rectangle.max().y])
        };
        let joined = |a: [f64; 4], b: [f64; 4]| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
        let Some([west, south, east, north]) = features.filter_map(sides).reduce(joined) else {
            return Self::default();
        };
        let along_y = north - south > east - west;
        let (from, to) = if along_y { (south, north) } else { (west, east) };
        Self { from, width_m: ((to - from) / MOST as f64).max(NARROWEST_M), along_y }
    }

    /// The strip of a position, from 0.
    pub(crate) fn of(&self, x: f64, y: f64) -> u8 {
        let at = if self.along_y { y } else { x } - self.from;
        // Casting puts what is not a number, or lies below, into the first.
        if self.width_m > 0.0 { ((at / self.width_m) as usize).min(MOST - 1) as u8 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(corners: [(f64, f64); 2]) -> Feature {
        let geometry = geo::Geometry::Rect(geo::Rect::new(corners[0], corners[1]));
        Feature { id: 1, geometry, z: None, attributes: Default::default() }
    }

    #[test]
    fn strips_lie_across_the_longer_side() {
        let features = [feature([(0.0, 0.0), (100.0, 20.0)]), feature([(900.0, 0.0), (1000.0, 20.0)])];
        let strips = Strips::around(features.iter());
        assert_eq!([0.0, 24.9, 25.1, 990.0, 1000.0, -5.0].map(|x| strips.of(x, 10.0)), [0, 0, 1, 39, 40, 0]);
        let long = Strips::around([feature([(0.0, 0.0), (100.0, 6400.0)])].iter());
        assert_eq!([0.0, 99.0, 101.0, 6399.0, 6400.0].map(|y| long.of(50.0, y)), [0, 0, 1, 63, 63]);
    }
}
