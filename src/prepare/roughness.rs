//! Roughness below a terrain model, measured on a finer surface: a point cloud or a finer DEM.
//!
//! **What is measured.** The roughness of [`crate::terrain`] has independent heights of standard deviation h at the nodes of a
//! lattice of spacing s, bilinear between them. Averaged over where one stands, such a surface has the covariance
//! C(Δx, Δy) = h² B(Δx/s) B(Δy/s) with the cubic B-spline B (B(0) = 2/3, B(1) = 1/6, B(2) = 0): its variance is (2/3)² h².
//! From the finer surface the terrain model's part is taken away: the means of its cells, bilinear between their centres. What is
//! left has a covariance along x and y, to which C is fitted by least squares, lag 0 apart: noise of the measurement, which
//! neighbours do not share, adds to that one only. Ours; the spline is that of linear interpolation (de Boor 1978).
//!
//! The spacing is one for the whole site; heights are those of each cell with its neighbours.

use std::path::{Path, PathBuf};

use crate::geo::point_cloud::PointCloud;
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::geo::{Bounds, Crs, raster};
use crate::math;
use crate::terrain::Lattice;
use crate::{Error, Note, Result};

/// A finer surface with fewer parts of a cell tells nothing of what lies below it.
const LEAST_PARTS: usize = 4;
const MOST_PARTS: usize = 64;
/// Parts in all: their heights are in memory.
const MOST_CELLS: f64 = 6e7;
/// Pairs of heights a cell with its neighbours needs for a number of its own.
const LEAST_PAIRS: f64 = 40.0;
/// Points a part should have on average, so that few are empty.
const POINTS_A_PART: f64 = 1.5;
const NODATA: f64 = -9999.0;

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    /// LAS, text or raster.
    pub source: PathBuf,
    /// Cell size of the terrain model, m.
    pub cell_m: f64,
    /// CRS of a source that does not say.
    pub crs: Option<Crs>,
    pub out: PathBuf,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub points: u64,
    /// Side of a part that points were averaged in, m.
    pub part_m: f64,
    pub cells: usize,
    /// Cells that had too few points and got the median.
    pub filled: usize,
    pub spacing_m: f64,
    /// Smallest, median and largest height of a cell, m.
    pub height_m: [f64; 3],
    /// Standard deviation of what neighbours do not share: noise of the measurement, m.
    pub noise_m: f64,
    pub notes: Vec<Note>,
}

/// Measures and writes the raster: height (band 1), spacing (band 2), points (band 3).
///
/// # Errors
/// A source that cannot be read, is not finer than the cells, or does not say its CRS.
pub(crate) fn measure(wish: &Wish) -> Result<Found> {
    let mut source = Source::open(wish)?;
    let grid = Grid::around(&source, wish)?;
    let parts = grid.parts(&source)?;
    let rough = grid.rough(&parts);
    let lags = grid.lags();
    let whole = Covariances::of(&rough, grid.fine, 0..grid.fine.nx, 0..grid.fine.ny, lags);
    let Some((spacing_m, variance)) = whole.fit(grid.part_m, wish.cell_m) else {
        return Err(Error::input(format!(
            "'{}' has too few points beside one another for cells of {} m; choose larger cells (`--cell`), or a denser source",
            wish.source.display(),
            wish.cell_m
        )));
    };
    let (heights, filled) = grid.heights(&rough, lags, spacing_m)?;
    let counts: Vec<f32> = grid.counts(&parts);
    let spacings = vec![spacing_m as f32; heights.len()];
    let band = |description, unit, data| Band { description, unit, data: BandData::F32(data), nodata: NODATA };
    let bands = [
        band("height_m: standard deviation of the nodes' heights", "m", &heights[..]),
        band("spacing_m: distance between nodes", "m", &spacings[..]),
        band("points: parts of the cell with a height", "", &counts[..]),
    ];
    let crs = source.crs.clone();
    write_raster::write(&wish.out, &grid.coarse, &crs, &bands, &WriteRaster::default())?;
    let mut sorted = heights.clone();
    sorted.sort_by(f32::total_cmp);
    let at = |share: f64| f64::from(sorted[((sorted.len() - 1) as f64 * share) as usize]);
    let noise = whole.at(0).map_or(0.0, |all| (all - variance).max(0.0).sqrt());
    let mut notes = std::mem::take(&mut source.notes);
    if spacing_m < 2.5 * grid.part_m {
        notes.push(Note::RoughnessNearFinest { part_m: grid.part_m });
    }
    if filled > 0 {
        notes.push(Note::RoughnessFilled { cells: filled, of: heights.len() });
    }
    Ok(Found {
        points: source.points,
        part_m: grid.part_m,
        cells: heights.len(),
        filled,
        spacing_m,
        height_m: [at(0.0), at(0.5), at(1.0)],
        noise_m: noise,
        notes,
    })
}

/// Points, whatever they come from.
struct Source {
    kind: SourceKind,
    crs: Crs,
    bounds: Bounds,
    points: u64,
    /// Distance of points, m.
    apart_m: f64,
    notes: Vec<Note>,
}

enum SourceKind {
    Cloud(Box<PointCloud>),
    Raster(Box<crate::terrain::Field<f64>>),
}

impl Source {
    fn open(wish: &Wish) -> Result<Self> {
        let path: &Path = &wish.source;
        let no_crs = || {
            Error::input(format!("'{}' does not say which CRS it is in: state it with `--crs EPSG:…`", path.display()))
        };
        if !PointCloud::is_one(path) {
            let options = raster::ReadRaster { crs: wish.crs.clone(), ..raster::ReadRaster::default() };
            let dem = raster::read_dem(path, &options)?;
            let lattice = dem.field.lattice;
            let points = dem.field.values.iter().filter(|height| height.is_finite()).count() as u64;
            return Ok(Self {
                crs: dem.crs,
                bounds: Bounds::from(lattice.extent()),
                points,
                apart_m: lattice.dx.max(lattice.dy),
                notes: dem.warnings,
                kind: SourceKind::Raster(Box::new(dem.field)),
            });
        }
        let cloud = PointCloud::open(path)?;
        let crs = match (&cloud.crs, &wish.crs) {
            (Some(own), Some(stated)) if !own.same_as(stated) => {
                return Err(Error::input(format!(
                    "'{}' says its CRS is {own}, but {stated} is stated for it: leave out `--crs`, or mend the file",
                    path.display()
                )));
            }
            (Some(own), _) => own.clone(),
            (None, Some(stated)) => stated.clone(),
            (None, None) => return Err(no_crs()),
        };
        if crs.is_geographic() {
            return Err(Error::input(format!(
                "'{}' is in {crs}, whose unit is the degree; roughness needs metres: reproject the cloud",
                path.display()
            )));
        }
        let mut notes = Vec::new();
        if cloud.ground_only && cloud.points < cloud.all {
            notes.push(Note::CloudGroundOnly { ground: cloud.points, all: cloud.all });
        }
        if !cloud.ground_only {
            notes.push(Note::CloudUnclassified);
        }
        let area = cloud.bounds.width() * cloud.bounds.height();
        let apart_m = (POINTS_A_PART * area / cloud.points as f64).sqrt();
        let (bounds, points) = (cloud.bounds, cloud.points);
        Ok(Self { kind: SourceKind::Cloud(Box::new(cloud)), crs, bounds, points, apart_m, notes })
    }

    fn for_each(&self, mut take: impl FnMut([f64; 3])) -> Result<()> {
        match &self.kind {
            SourceKind::Cloud(cloud) => cloud.for_each(take),
            SourceKind::Raster(field) => {
                let Lattice { nx, x0, y0, dx, dy, .. } = field.lattice;
                for (k, &z) in field.values.iter().enumerate().filter(|(_, z)| z.is_finite()) {
                    take([x0 + (k % nx) as f64 * dx, y0 + (k / nx) as f64 * dy, z]);
                }
                Ok(())
            }
        }
    }
}

/// Cells of the terrain model, each divided into parts.
struct Grid {
    coarse: Lattice,
    fine: Lattice,
    parts_a_cell: usize,
    part_m: f64,
}

impl Grid {
    /// Cells whose edges lie at multiples of their size.
    fn around(source: &Source, wish: &Wish) -> Result<Self> {
        let cell = wish.cell_m;
        let refuse = |why: String| Err(Error::input(format!("'{}': {why}", wish.source.display())));
        let most = (cell / source.apart_m * (1.0 + 1e-9)).floor();
        if most < LEAST_PARTS as f64 {
            return refuse(format!(
                "its points are about {:.2} m apart, expected at most {:.2} m for cells of {cell} m; choose larger cells (`--cell`), or \
                 a finer source",
                source.apart_m,
                cell / LEAST_PARTS as f64
            ));
        }
        let parts_a_cell = (most as usize).min(MOST_PARTS);
        let part_m = cell / parts_a_cell as f64;
        let (low, high) = (|x: f64| (x / cell + 1e-9).floor(), |x: f64| (x / cell - 1e-9).ceil());
        let Bounds { west, south, east, north } = source.bounds;
        let (first, last) = ([low(west), low(south)], [high(east), high(north)]);
        let [nx, ny] = [0, 1].map(|k| (last[k] - first[k]).max(1.0));
        if nx < 2.0 || ny < 2.0 {
            return refuse(format!(
                "it covers {nx} × {ny} cells of {cell} m, expected at least 2 × 2; choose smaller cells (`--cell`)"
            ));
        }
        let parts = nx * ny * (parts_a_cell * parts_a_cell) as f64;
        if parts > MOST_CELLS {
            return refuse(format!(
                "it has {parts:.1e} parts of {part_m:.2} m, expected at most {MOST_CELLS:.0e}; measure it in pieces"
            ));
        }
        let [x, y] = first.map(|k| k * cell);
        let (nx, ny) = (nx as usize, ny as usize);
        let coarse = Lattice { nx, ny, x0: x + 0.5 * cell, y0: y + 0.5 * cell, dx: cell, dy: cell };
        let fine = Lattice {
            nx: nx * parts_a_cell,
            ny: ny * parts_a_cell,
            x0: x + 0.5 * part_m,
            y0: y + 0.5 * part_m,
            dx: part_m,
            dy: part_m,
        };
        Ok(Self { coarse, fine, parts_a_cell, part_m })
    }

    /// Mean height of each part; NaN without points.
    fn parts(&self, source: &Source) -> Result<Vec<f64>> {
        let fine = &self.fine;
        let mut sums = vec![(0.0_f64, 0_u32); fine.len()];
        source.for_each(|[x, y, z]| {
            let place = |at: f64, first: f64, n: usize| (((at - first) / fine.dx + 0.5).max(0.0) as usize).min(n - 1);
            let (sum, count) = &mut sums[place(y, fine.y0, fine.ny) * fine.nx + place(x, fine.x0, fine.nx)];
            *sum += z;
            *count += 1;
        })?;
        Ok(sums.into_iter().map(|(sum, count)| if count > 0 { sum / f64::from(count) } else { f64::NAN }).collect())
    }

    /// What the terrain model leaves out: heights of parts above the means of cells, bilinear between their centres.
    fn rough(&self, parts: &[f64]) -> Vec<f32> {
        let (coarse, fine, n) = (&self.coarse, &self.fine, self.parts_a_cell);
        let mut cells = vec![(0.0, 0.0); coarse.len()];
        for (k, height) in parts.iter().enumerate().filter(|(_, height)| height.is_finite()) {
            let (sum, count) = &mut cells[k / fine.nx / n * coarse.nx + k % fine.nx / n];
            (*sum, *count) = (*sum + height, *count + 1.0);
        }
        // A mean of a few parts is not that of the cell on a slope.
        let enough = (0.5 * (n * n) as f64).max(1.0);
        let means: Vec<f64> =
            cells.iter().map(|(sum, count)| if *count >= enough { sum / count } else { f64::NAN }).collect();
        let rough = |(k, height): (usize, &f64)| {
            let at = |part: usize, count: usize| {
                let u = ((part as f64 + 0.5) / n as f64 - 0.5).clamp(0.0, (count - 1) as f64);
                let cell = (u as usize).min(count - 2);
                // Beyond the outermost centres the model's slope goes on.
                (cell, (part as f64 + 0.5) / n as f64 - 0.5 - cell as f64)
            };
            let ((c, eta), (r, xi)) = (at(k % fine.nx, coarse.nx), at(k / fine.nx, coarse.ny));
            let corner = |dc: usize, dr: usize| means[(r + dr) * coarse.nx + c + dc];
            let south = corner(0, 0) + eta * (corner(1, 0) - corner(0, 0));
            let north = corner(0, 1) + eta * (corner(1, 1) - corner(0, 1));
            (height - south - xi * (north - south)) as f32
        };
        parts.iter().enumerate().map(rough).collect()
    }

    /// Lags up to the size of a cell, in parts.
    fn lags(&self) -> usize {
        self.parts_a_cell.clamp(2, 40)
    }

    /// Height of each cell with its neighbours; where there are too few points the median, and how many cells those are.
    fn heights(&self, rough: &[f32], lags: usize, spacing_m: f64) -> Result<(Vec<f32>, usize)> {
        let (coarse, n) = (&self.coarse, self.parts_a_cell);
        let near = |k: usize, count: usize| k.saturating_sub(1) * n..((k + 2).min(count)) * n;
        let mut heights = Vec::with_capacity(coarse.len());
        for row in 0..coarse.ny {
            for column in 0..coarse.nx {
                let (columns, rows) = (near(column, coarse.nx), near(row, coarse.ny));
                let here = Covariances::of(rough, self.fine, columns, rows, lags);
                let variance = here.variance(self.part_m, spacing_m);
                heights.push(variance.map(|variance| (1.5 * variance.max(0.0).sqrt()) as f32));
            }
        }
        let mut known: Vec<f32> = heights.iter().flatten().copied().collect();
        known.sort_by(f32::total_cmp);
        let filled = heights.len() - known.len();
        let Some(&median) = known.get(known.len() / 2) else {
            return Err(Error::input("no cell has enough points of its own; choose larger cells (`--cell`)"));
        };
        Ok((heights.into_iter().map(|height| height.unwrap_or(median)).collect(), filled))
    }

    /// Parts with a height, by cell.
    fn counts(&self, parts: &[f64]) -> Vec<f32> {
        let mut counts = vec![0.0; self.coarse.len()];
        for k in (0..parts.len()).filter(|&k| parts[k].is_finite()) {
            counts[k / self.fine.nx / self.parts_a_cell * self.coarse.nx + k % self.fine.nx / self.parts_a_cell] += 1.0;
        }
        counts
    }
}

/// Mean products of heights so many parts apart, along x and y.
struct Covariances {
    /// Sum and number of pairs, by lag.
    pairs: Vec<(f64, f64)>,
}

impl Covariances {
    fn of(
        rough: &[f32],
        fine: Lattice,
        columns: std::ops::Range<usize>,
        rows: std::ops::Range<usize>,
        lags: usize,
    ) -> Self {
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

    fn at(&self, lag: usize) -> Option<f64> {
        let (sum, count) = self.pairs[lag];
        (count >= LEAST_PAIRS).then(|| sum / count)
    }

    /// The variance of the surface if its spacing is this one: least squares over the lags that share a node.
    fn variance(&self, part_m: f64, spacing_m: f64) -> Option<f64> {
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
    fn fit(&self, part_m: f64, cell_m: f64) -> Option<(f64, f64)> {
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
fn spline(t: f64) -> f64 {
    match t.abs() {
        t if t < 1.0 => 2.0 / 3.0 - t * t + 0.5 * t * t * t,
        t if t < 2.0 => (2.0 - t).powi(3) / 6.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A slope with roughness of this height (twice as much in the east) and spacing, as points every 0.1 m with noise.
    fn cloud(height: f64, spacing: f64, noise: f64) -> String {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let n = (40.0 / spacing) as usize + 2;
        // The sum of two uniform numbers has the variance 1/6.
        let mut draw = |deviation: f64| (rng.random::<f64>() + rng.random::<f64>() - 1.0) * 6f64.sqrt() * deviation;
        let nodes: Vec<f64> = (0..n * n).map(|k| draw(if k % n > n / 2 { 2.0 * height } else { height })).collect();
        let mut text = String::new();
        for k in 0..400 * 400 {
            let (x, y) = ((k % 400) as f64 * 0.1 + 0.05, (k / 400) as f64 * 0.1 + 0.05);
            let (u, v) = (x / spacing, y / spacing);
            let (c, r) = (u as usize, v as usize);
            let (eta, xi) = (u - c as f64, v - r as f64);
            let node = |dc: usize, dr: usize| nodes[(r + dr) * n + c + dc];
            let south = node(0, 0) + eta * (node(1, 0) - node(0, 0));
            let north = node(0, 1) + eta * (node(1, 1) - node(0, 1));
            let z = 500.0 - 0.7 * y + 0.2 * x + 0.002 * x * x + south + xi * (north - south) + draw(noise);
            text += &format!("{:.3} {:.3} {z:.5}\n", 2_600_000.0 + x, 1_200_000.0 + y);
        }
        text
    }

    fn measured(text: &str, cell_m: f64) -> Result<(Found, raster::Raster)> {
        let folder = tempfile::tempdir().unwrap();
        let [source, out] = ["cloud.xyz", "rough.tif"].map(|name| folder.path().join(name));
        std::fs::write(&source, text).unwrap();
        let found = measure(&Wish { source, cell_m, crs: Some(Crs::from_epsg(2056).unwrap()), out: out.clone() })?;
        Ok((found, raster::read(&out, &raster::ReadRaster { band: Some(1), ..Default::default() }).unwrap()))
    }

    /// Known roughness comes back: spacing within 15 %, heights within 20 %, noise told from it.
    #[test]
    fn known_roughness_comes_back() {
        let (found, heights) = measured(&cloud(0.06, 0.5, 0.02), 2.0).unwrap();
        assert!((found.spacing_m / 0.5 - 1.0).abs() < 0.15, "{found:?}");
        assert!((found.noise_m - 0.02).abs() < 0.015, "{found:?}");
        let values = &heights.field.values;
        let mean = |from: usize, to: usize| {
            let cells: Vec<f64> = (0..400).filter(|k| (from..to).contains(&(k % 20))).map(|k| values[k]).collect();
            cells.iter().sum::<f64>() / cells.len() as f64
        };
        let (west, east) = (mean(1, 8), mean(12, 19));
        assert!((west / 0.06 - 1.0).abs() < 0.2 && (east / 0.12 - 1.0).abs() < 0.2, "{west} {east}");
        assert_eq!((found.cells, found.filled), (400, 0));
    }

    /// Noise shows at no lag but 0: however large it is, height and spacing are those of the surface.
    #[test]
    fn noise_is_no_roughness() {
        let (part_m, spacing_m, variance) = (0.1, 0.5, 0.04_f64.powi(2));
        let product = |lag: usize| 1.5 * spline(lag as f64 * part_m / spacing_m) * variance;
        let mut pairs: Vec<(f64, f64)> = (0..=20).map(|lag| (1e6 * product(lag), 1e6)).collect();
        pairs[0].0 += 1e6 * 0.1_f64.powi(2);
        let found = Covariances { pairs };
        let at_true = found.variance(part_m, spacing_m).unwrap();
        assert!((at_true / variance - 1.0).abs() < 1e-12, "{at_true}");
        // Spacings are tried in steps of 1.5 %.
        let (spacing, fitted) = found.fit(part_m, 2.0).unwrap();
        assert!(
            (spacing / spacing_m - 1.0).abs() < 0.016 && (fitted / variance - 1.0).abs() < 0.02,
            "{spacing} {fitted}"
        );
    }

    #[test]
    fn sources_that_are_too_coarse_are_refused() {
        let text = cloud(0.06, 0.5, 0.0);
        let coarse = measured(&text, 0.3).map(|_| ()).unwrap_err().message;
        assert!(coarse.contains("apart") && coarse.contains("0.3 m"), "{coarse}");
        let wide = measured(&text, 100.0).map(|_| ()).unwrap_err().message;
        assert!(wide.contains("at least 2 × 2"), "{wide}");
    }
}
