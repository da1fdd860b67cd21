//! Results do not depend on how much of the terrain was read.

use std::collections::BTreeMap;
use std::ops::Range;

use couloir::ensemble::fall::{Keep, fall};
use couloir::store::{Amount, Fallen, set_up};
use couloir::{project, site};

/// Nodes between a path and the rim of the terrain from which on the rim does not matter: what a rock looks at around itself.
const MARGIN: f64 = 8.0;
const CELLS: usize = 110;

struct Terrain {
    cell: f64,
    corner: [f64; 2],
    folder: tempfile::TempDir,
}

impl Terrain {
    /// Some columns and rows (from the south) of a slope above a valley floor.
    fn write(&self, columns: &Range<usize>, rows: &Range<usize>) {
        let [west, south] =
            [self.corner[0] + columns.start as f64 * self.cell, self.corner[1] + rows.start as f64 * self.cell];
        let (nx, ny, cell) = (columns.len(), rows.len(), self.cell);
        let mut dem = format!("ncols {nx}\nnrows {ny}\nxllcorner {west}\nyllcorner {south}\ncellsize {cell}\n");
        for row in rows.clone().rev() {
            let height = |column: usize| {
                let (x, y) = (column as f64 * cell, row as f64 * cell);
                let slope = 0.9 * (y - 40.0 * cell).max(0.0) + 0.5 * (25.0 * cell - y).max(0.0);
                format!("{:.3}", 1000.0 + slope + 0.2 * cell * (1.4 * x / cell).sin() * (y / cell).cos())
            };
            dem += &columns.clone().map(height).collect::<Vec<_>>().join(" ");
            dem.push('\n');
        }
        std::fs::write(self.folder.path().join("dem.asc"), dem).unwrap();
    }

    /// A polygon of the project between columns and rows.
    fn polygon(&self, [west, south, east, north]: [f64; 4], properties: &str) -> String {
        let at = |x: f64, y: f64| format!("[{}, {}]", self.corner[0] + x * self.cell, self.corner[1] + y * self.cell);
        let ring = [at(west, south), at(east, south), at(east, north), at(west, north), at(west, south)].join(", ");
        format!(
            "{{geojson: {{type: Feature, properties: {{{properties}}}, geometry: {{type: Polygon, coordinates: [[{ring}]]}}}}}}"
        )
    }

    /// Every kind of thing a rock can meet: classes, rough ground, forest, a barrier; positions on the terrain's nodes, on a grid, at random.
    fn project(&self, simulation: &str) {
        let (step, size) = (self.cell, self.cell.powi(3));
        let line = |y: f64| {
            let at = |x: f64| format!("[{}, {}]", self.corner[0] + x * step, self.corner[1] + y * step);
            format!("{{geojson: {{type: LineString, coordinates: [{}, {}, {}]}}}}", at(2.0), at(50.0), at(108.0))
        };
        let text = format!(
            "terrain: {{dem: dem.asc, crs: 'EPSG:2056'}}\n\
             rocks:\n- {{shape: eota_111, mass_kg: {{distribution: uniform, min: {}, max: {}}}}}\n\
             - {{shape: sphere, mass_kg: {}, weight: 0.3}}\n\
             release:\n\
             - {{source: {}, placement: auto, rocks_per_position: 2}}\n\
             - {{source: {}, placement: {{grid_m: {}}}, rocks_per_position: 4}}\n\
             - {{source: {}, placement: {{count: 6}}, rocks_per_position: 2}}\n\
             ground: {{scatter_mu: 0.1, default: scree, layers: [{{polygons: {}, class: loose}}], classes: {{\
             scree: {{mu_min: 0.4, mu_max: 2, beta_per_s: 175, kappa_per_m: 2.5, roughness: {{height_m: {}, spacing_m: {}}}}}, \
             loose: {{mu_min: 0.5, mu_max: 2, beta_per_s: 175, kappa_per_m: 2.5}}}}}}\n\
             forest: {{layers: [{{polygons: {}, class: open}}], classes: {{open: {{drag_kg_s: 50, height_m: 20}}}}}}\n\
             lines:\n- {{name: road, source: {}}}\n\
             barriers:\n- {{name: net, source: {}, height_m: 2, capacity_kj: {}}}\n\
             simulation: {{{simulation}}}\n",
            50.0 * size,
            300.0 * size,
            100.0 * size,
            self.polygon([44.3, 82.2, 50.1, 85.4], ""),
            self.polygon([60.0, 80.0, 66.0, 83.0], ""),
            2.3 * step,
            self.polygon([52.0, 88.0, 62.0, 91.0], ""),
            self.polygon([30.0, 55.0, 56.0, 66.0], ""),
            0.04 * step,
            0.5 * step,
            self.polygon([50.0, 48.0, 70.0, 60.0], ""),
            line(30.0),
            line(44.0),
            0.6 * size,
        );
        std::fs::write(self.folder.path().join("project.yaml"), text).unwrap();
    }

    /// Every rock by its number, and the cells it passes counted from the whole terrain's corner.
    fn fall(&self, columns: &Range<usize>, rows: &Range<usize>) -> BTreeMap<u64, Vec<Fallen>> {
        self.write(columns, rows);
        let project = project::load(&self.folder.path().join("project.yaml")).unwrap();
        let site = site::load(&project).unwrap();
        let setup = set_up(&site, Amount::Planned).unwrap();
        let keep = Keep { track: true, tolerance_m: 0.0, points_every_s: Some(0.05), impacts: true, until: None };
        let on_whole = |cell: u64| {
            let (column, row) = (cell as usize % columns.len(), cell as usize / columns.len());
            ((row + rows.start) * CELLS + column + columns.start) as u64
        };
        let shift = [columns.start as f64 * self.cell, rows.start as f64 * self.cell];
        let one = |index: u64| {
            let release = setup.plan.get(index).unwrap();
            assert_eq!(setup.plan.index_of(release.number), Some(index));
            let mut variants = fall(&site, &setup.lines, &release, keep).unwrap();
            for fallen in &mut variants {
                fallen.visits.iter_mut().for_each(|visit| visit.cell = on_whole(visit.cell));
                fallen.deposit = fallen.deposit.map(on_whole);
                // Kept relative to the raster, whose corner is known to the rounding of world coordinates.
                for crossing in &mut fallen.crossings {
                    crossing.position.x = (1e6 * (crossing.position.x + shift[0])).round();
                    crossing.position.y = (1e6 * (crossing.position.y + shift[1])).round();
                }
                fallen.record.frequency_per_year = 0.0;
                // The centre of a cell, likewise.
                fallen.record.jump_at = fallen.record.jump_at.map(|at| (1e6 * at).round());
            }
            (release.number, variants)
        };
        (0..setup.plan.len()).map(one).collect()
    }

    /// Whether a path stays so far from the rim that it does not matter.
    fn holds(&self, path: &[Fallen], columns: &Range<usize>, rows: &Range<usize>) -> bool {
        let inside = |at: f64, corner: f64, nodes: &Range<usize>| {
            let cells = (at - corner) / self.cell;
            cells >= nodes.start as f64 + MARGIN && cells <= nodes.end as f64 - MARGIN
        };
        path.iter().flat_map(|fallen| &fallen.points).all(|point| {
            inside(point.position[0], self.corner[0], columns) && inside(point.position[1], self.corner[1], rows)
        })
    }
}

/// Four cut-outs of a terrain: every rock whose path is in a cut-out has the same number, path, impacts, crossings and cells there, bit by
/// bit. On a raster whose cells and corner are binary fractions, and on one where a cut-out's corner is known up to rounding only.
#[test]
fn a_cut_out_of_the_terrain_gives_the_same_bits() {
    for (cell, corner) in [(2.0, [2_600_000.0, 1_200_000.0]), (0.7, [2_600_000.3, 1_200_000.1])] {
        cut_outs_are_the_same(
            cell,
            corner,
            "",
            &[(7..103, 5..108), (0..96, 11..CELLS), (33..91, 3..97), (21..CELLS, 0..CELLS)],
        );
    }
}

/// The same with every other way to take a step.
#[test]
fn so_do_the_other_models() {
    for simulation in
        ["contact: rocfall3", "contact: lumped", "integrator: spiral", "integrator: directors", "stepping: plain"]
    {
        cut_outs_are_the_same(0.7, [2_600_000.3, 1_200_000.1], simulation, &[(7..103, 5..108)]);
    }
}

fn cut_outs_are_the_same(cell: f64, corner: [f64; 2], simulation: &str, cut_outs: &[(Range<usize>, Range<usize>)]) {
    let terrain = Terrain { cell, corner, folder: tempfile::tempdir().unwrap() };
    terrain.project(simulation);
    let whole = terrain.fall(&(0..CELLS), &(0..CELLS));
    assert!(whole.values().flatten().any(|fallen| fallen.crossings.iter().any(|c| c.fate.is_some())), "{simulation}");
    for (columns, rows) in cut_outs {
        let cut = terrain.fall(columns, rows);
        let within = |(number, _): &(&u64, &Vec<Fallen>)| terrain.holds(&whole[number], columns, rows);
        let mut compared = 0;
        for (number, fallen) in cut.iter().filter(within) {
            let (found, wanted) = (format!("{fallen:?}"), format!("{:?}", whole[number]));
            assert_eq!(found, wanted, "rock {number} in {columns:?} × {rows:?}, {simulation}");
            compared += 1;
        }
        println!("cell {cell} m, {columns:?} × {rows:?} {simulation}: {compared} of {} rocks the same", cut.len());
        assert!(compared >= 5, "{compared} of {} {simulation}", cut.len());
    }
}
