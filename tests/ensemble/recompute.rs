//! Every layer recomputed from the run's own full-rate point records, with other methods than the engine's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use couloir::geo::Crs;
use couloir::geo::raster::{self, ReadRaster};
use couloir::geo::vector::{self, VectorSourceResolved};

use crate::site::{CELL_M, CELLS, SOUTH, Site, WEST};
use crate::{couloir, finished};

const ROCKS: usize = 20;

/// Values by (column, row), row 0 in the south; nodata left out.
pub type Raster = BTreeMap<(i64, i64), f64>;

pub fn raster(path: &Path) -> Raster {
    // The DEM is a plain ASCII grid, which does not know its CRS.
    let crs = path.extension().is_some_and(|e| e == "asc").then(|| Crs::from_epsg(2056).unwrap());
    let field = raster::read(path, &ReadRaster { band: Some(1), crs, ..Default::default() }).unwrap().field;
    let nx = field.lattice.nx;
    let cell = |i: usize| ((i % nx) as i64, (i / nx) as i64);
    field.values.iter().enumerate().filter(|(_, value)| !value.is_nan()).map(|(i, &value)| (cell(i), value)).collect()
}

struct Point {
    x: f64,
    y: f64,
    z: f64,
    values: [f64; 4],
}

fn cell(x: f64, y: f64) -> (i64, i64) {
    (((x - WEST) / CELL_M).floor() as i64, ((y - SOUTH) / CELL_M).floor() as i64)
}

/// Cells between two points: the line is cut at every grid line, and the middle of each piece says which cell it is in.
fn crossed(a: &Point, b: &Point) -> Vec<(i64, i64)> {
    let mut cuts = vec![0.0, 1.0];
    for (from, to, edge) in [(a.x, b.x, WEST), (a.y, b.y, SOUTH)] {
        let (low, high) = (from.min(to), from.max(to));
        let first = ((low - edge) / CELL_M).ceil() as i64;
        let last = ((high - edge) / CELL_M).floor() as i64;
        cuts.extend((first..=last).map(|k| (edge + k as f64 * CELL_M - from) / (to - from)).filter(|t| t.is_finite()));
    }
    cuts.sort_by(f64::total_cmp);
    let middle = |w: &[f64]| 0.5 * (w[0] + w[1]);
    cuts.windows(2).map(middle).map(|t| cell(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))).collect()
}

/// Bounds of the largest values of one rock in a cell.
type Bounds = [[f64; 4]; 2];

/// What the states alone say of the largest values per cell: at least those of the states within, at most those of all states
/// before and after as well. What a flight has at a cell's edge lies between its two states, since speed is convex in time.
fn maxima(points: &[Point]) -> BTreeMap<(i64, i64), Bounds> {
    let mut found: BTreeMap<(i64, i64), Bounds> = BTreeMap::new();
    let mut note = |cell: (i64, i64), bound: usize, values: [f64; 4]| {
        let here = &mut found.entry(cell).or_insert([[0.0; 4]; 2])[bound];
        (0..4).for_each(|i| here[i] = here[i].max(values[i]));
    };
    points.iter().for_each(|p| (0..2).for_each(|bound| note(cell(p.x, p.y), bound, p.values)));
    for pair in points.windows(2) {
        for touched in crossed(&pair[0], &pair[1]) {
            let of =
                |choose: fn(f64, f64) -> f64| std::array::from_fn(|i| choose(pair[0].values[i], pair[1].values[i]));
            note(touched, 0, of(f64::min));
            let mut most = of(f64::max);
            // Where another corner becomes the lowest, a clearance peaks between two states.
            most[2] += if most[2] > 0.0 { 0.02 } else { 0.0 };
            note(touched, 1, most);
        }
    }
    found
}

/// Linear between order statistics, as spreadsheets and numpy do by default.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let position = (sorted.len() - 1) as f64 * p;
    let low = position.floor() as usize;
    sorted[low] + (position - low as f64) * (sorted[position.ceil() as usize] - sorted[low])
}

fn close(what: &str, found: &Raster, expected: &Raster, tolerance: f64) {
    within(what, found, [expected, expected], tolerance);
}

fn within(what: &str, found: &Raster, [low, high]: [&Raster; 2], tolerance: f64) {
    assert_eq!(found.keys().collect::<Vec<_>>(), low.keys().collect::<Vec<_>>(), "{what}: other cells");
    let mut worst: (f64, (i64, i64)) = (0.0, (0, 0));
    for (cell, value) in found {
        let error = (low[cell] - value).max(value - high[cell]) / high[cell].abs().max(1e-2);
        if error > worst.0 {
            worst = (error, *cell);
        }
    }
    let (error, at) = worst;
    assert!(error <= tolerance, "{what}: {error} at {at:?}, {} instead of {} to {}", found[&at], low[&at], high[&at]);
}

/// Tolerances: counts exact; maxima and means between the bounds to what a clearance or a rotation does within 2 ms beside its ends,
/// quantiles to the stated 1 %.
#[test]
fn layers_are_those_recomputed_from_full_rate_records() {
    let more = "statistics: {layers: [all], energies_kj: [0.5, 20]}\n\
                outputs: {trajectories: [geopackage], points_every_s: 0.000001, tolerance_m: 0}\n\
                simulation: {stepping: plain}\n";
    let site = Site::new(more, ROCKS);
    finished(couloir(&["run", &site.project(), "--out", &site.path("run")]));
    let read = |name: &str| {
        let path = site.path(&format!("run/trajectories/{name}.gpkg"));
        vector::read(&VectorSourceResolved::file(&path).unwrap(), None).unwrap().features
    };
    let mut rocks: BTreeMap<i64, Vec<Point>> = BTreeMap::new();
    for feature in read("trajectory_points") {
        let number = |name: &str| feature.attributes[name].as_f64().unwrap();
        let geo::Geometry::Point(at) = feature.geometry else { panic!("points wanted") };
        let values = [number("energy_kj"), number("velo_ms"), number("jump_m"), number("rot_rps")];
        let z = feature.z.as_ref().unwrap()[0];
        rocks.entry(number("id") as i64).or_default().push(Point { x: at.x(), y: at.y(), z, values });
    }
    assert_eq!(rocks.len(), ROCKS);
    let lines = read("trajectories");
    assert_eq!(lines.len(), ROCKS);
    for line in &lines {
        let id = line.attributes["id"].as_f64().unwrap() as i64;
        let geo::Geometry::LineString(path) = &line.geometry else { panic!("lines wanted") };
        assert_eq!(path.0.len(), rocks[&id].len(), "with tolerance 0 every solver state is a vertex");
        let fastest = rocks[&id].iter().map(|p| p.values[1]).fold(0.0, f64::max);
        assert!((line.attributes["v_max_ms"].as_f64().unwrap() - fastest).abs() < 1e-5 * fastest);
    }

    let per_rock: BTreeMap<i64, _> = rocks.iter().map(|(&id, points)| (id, maxima(points))).collect();
    let source = |id: &i64| cell(rocks[id][0].x, rocks[id][0].y);
    let mut cells: BTreeMap<(i64, i64), Vec<i64>> = BTreeMap::new();
    for (id, found) in &per_rock {
        found.keys().for_each(|cell| cells.entry(*cell).or_default().push(*id));
    }
    let layer = |name: &str| raster(&site.folder("run/layers").join(format!("{name}.tif")));
    type CellValue<'a> = &'a dyn Fn(&(i64, i64), &Vec<i64>) -> f64;
    let expect = |value: CellValue| -> Raster { cells.iter().map(|(cell, ids)| (*cell, value(cell, ids))).collect() };
    close("passages", &layer("passages"), &expect(&|_, ids| ids.len() as f64), 0.0);
    close("reach", &layer("reach_probability"), &expect(&|_, ids| ids.len() as f64 / ROCKS as f64), 1e-6);
    let sources = |ids: &Vec<i64>| ids.iter().map(source).collect::<BTreeSet<_>>();
    close("source cells", &layer("source_cells"), &expect(&|_, ids| sources(ids).len() as f64), 0.0);
    let local = |_: &(i64, i64), ids: &Vec<i64>| {
        let feeding = sources(ids);
        ids.len() as f64 / rocks.keys().filter(|id| feeding.contains(&source(id))).count() as f64
    };
    close("local reach", &layer("reach_probability_local"), &expect(&local), 1e-6);
    let mut deposits: BTreeMap<(i64, i64), f64> = cells.keys().map(|cell| (*cell, 0.0)).collect();
    for feature in read("deposits") {
        let geo::Geometry::Point(at) = feature.geometry else { panic!("points wanted") };
        *deposits.get_mut(&cell(at.x(), at.y())).unwrap() += 1.0;
    }
    assert!(deposits.values().sum::<f64>() > 0.5 * ROCKS as f64);
    close("deposits", &layer("deposits"), &deposits, 0.0);
    let few = expect(&|_, ids| f64::from(u8::from(ids.len() < 20)));
    close("sample size", &layer("sample_size_warning"), &few, 0.0);
    for (energy, name) in [(0.5, "frequency_above_0.5_kj"), (20.0, "frequency_above_20_kj")] {
        let bounds = [0, 1].map(|bound| {
            let above = |cell: &(i64, i64), ids: &Vec<i64>| {
                ids.iter().filter(|id| per_rock[id][cell][bound][0] >= energy).count() as f64 * 0.1 / ROCKS as f64
            };
            expect(&above)
        });
        within(name, &layer(name), bounds.each_ref(), 1e-5);
    }
    let dem = raster(&site.folder("dem.asc"));
    let angle = |cell: &(i64, i64), ids: &Vec<i64>| {
        let (x, y) = (WEST + (cell.0 as f64 + 0.5) * CELL_M, SOUTH + (cell.1 as f64 + 0.5) * CELL_M);
        let of = |id: &i64| {
            let start = &rocks[id][0];
            (start.z - dem[cell]).atan2((x - start.x).hypot(y - start.y)).to_degrees()
        };
        ids.iter().map(of).fold(f64::INFINITY, f64::min)
    };
    close("energy line", &layer("energy_line_angle_deg"), &expect(&angle), 1e-5);
    for (i, quantity) in ["kinetic_energy_kj", "velocity_ms", "jump_height_m", "rotation_rps"].iter().enumerate() {
        let sorted = |bound: usize, cell: &(i64, i64), ids: &Vec<i64>| {
            let mut values: Vec<f64> = ids.iter().map(|id| per_rock[id][cell][bound][i]).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let means =
            [0, 1].map(|bound| expect(&|cell, ids| sorted(bound, cell, ids).iter().sum::<f64>() / ids.len() as f64));
        within(quantity, &layer(&format!("{quantity}_mean")), means.each_ref(), 1e-3);
        for (name, p, tolerance) in
            [("p50", 0.5, 0.01), ("p90", 0.9, 0.01), ("p95", 0.95, 0.01), ("p99", 0.99, 0.01), ("max", 1.0, 1e-3)]
        {
            let name = format!("{quantity}_{name}");
            let bounds = [0, 1].map(|bound| expect(&|cell, ids| quantile(&sorted(bound, cell, ids), p)));
            // Values below 1/1024 count as zero in quantiles.
            let loose = if p < 1.0 { tolerance + 0.1 } else { tolerance };
            let found = layer(&name);
            within(&name, &found, bounds.each_ref(), loose);
            let large = |raster: &Raster| {
                bounds[0].iter().filter(|(_, v)| **v > 0.1).map(|(cell, _)| (*cell, raster[cell])).collect::<Raster>()
            };
            within(&name, &large(&found), [&large(&bounds[0]), &large(&bounds[1])], tolerance);
        }
    }
    assert!(cells.len() > 500 && cells.keys().all(|c| c.0 >= 0 && c.0 < CELLS as i64));
}
