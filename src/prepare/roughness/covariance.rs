//! Covariances of heights, and the spacing and variance that fit them.

use std::ops::Range;

use super::LEAST_PAIRS;
use crate::math;
use crate::terrain::Lattice;

/// Mean products of heights so many parts apart, along x and y.
pub(super) struct Covariances {
    /// Sum and number of pairs, by lag.
    pub(super) pairs: Vec<(f64, f64)>,
}

impl Covariances {
    pub(super) fn of(rough: &[f32], fine: Lattice, columns: Range<usize>, rows: Range<usize>, lags: usize) -> Self {
        let mut pairs = vec![(0.0, 0.0); lags + 1];
        for row in rows.clone() {
            for column in columns.clone() {
                let here = f64::from(rough[row * fine.nx + column]);
                if here.is_nan() {
                    continue;
                }
                for (lag, (sum, count)) in pairs.iter_mut().enumerate() {
                    let east = (column + lag < columns.end).then(|| rough[row * fine.nx + column + lag]);
                    let north = (row + lag < rows.end).then(|| rough[(row + lag) * fine.nx + column]);
                    for other in east.into_iter().chain(north).map(f64::from).filter(|other| !other.is_nan()) {
                        *sum += here * other;
                        *count += 1.0;
                    }
                }
            }
        }
        Self { pairs }
    }

    pub(super) fn at(&self, lag: usize) -> Option<f64> {
        let (sum, count) = self.pairs[lag];
        (count >= LEAST_PAIRS).then(|| sum / count)
    }

    /// The variance of the surface if its spacing is this one: least squares over the lags that share a node.
    pub(super) fn variance(&self, part_m: f64, spacing_m: f64) -> Option<f64> {
        self.least_squares(part_m, spacing_m).map(|(variance, _)| variance)
    }

    fn least_squares(&self, part_m: f64, spacing_m: f64) -> Option<(f64, f64)> {
        let lags = (1..self.pairs.len())
            .filter_map(|lag| Some((spline(lag as f64 * part_m / spacing_m) * 1.5, self.at(lag)?)));
        let (mut products, mut squares, mut own) = (0.0, 0.0, 0.0);
        for (shape, found) in lags {
            products += shape * found;
            squares += shape * shape;
            own += found * found;
        }
        (squares > 1e-6).then(|| (products / squares, own - products * products / squares))
    }

    /// Spacing (m) and variance (m²) that fit best.
    pub(super) fn fit(&self, part_m: f64, cell_m: f64) -> Option<(f64, f64)> {
        let steps = 200;
        let (low, high) = (part_m.max(0.1), cell_m.max(0.1));
        let candidates = (0..=steps).map(|k| low * math::pow(high / low, f64::from(k) / f64::from(steps)));
        let tried =
            candidates.filter_map(|s| self.least_squares(part_m, s).map(|(variance, rest)| (s, variance, rest)));
        let best = tried.filter(|(_, variance, _)| *variance > 0.0).min_by(|a, b| a.2.total_cmp(&b.2));
        best.map(|(spacing, variance, _)| (spacing, variance)).or_else(|| {
            // Neighbours share nothing: noise, or roughness as fine as the parts.
            self.at(0).map(|_| (low, 0.0))
        })
    }
}

/// The cubic B-spline.
pub(super) fn spline(t: f64) -> f64 {
    match t.abs() {
        t if t < 1.0 => 2.0 / 3.0 - t * t + 0.5 * t * t * t,
        t if t < 2.0 => (2.0 - t).powi(3) / 6.0,
        _ => 0.0,
    }
}
