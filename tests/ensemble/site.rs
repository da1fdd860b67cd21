//! A small synthetic slope with a project file.

use std::path::PathBuf;

pub struct Site {
    folder: tempfile::TempDir,
}

pub const CELLS: usize = 120;
pub const CELL_M: f64 = 2.0;
pub const WEST: f64 = 2_600_000.0;
pub const SOUTH: f64 = 1_200_000.0;

fn height(x: f64, y: f64) -> f64 {
    let slope = 0.9 * (y - 80.0).max(0.0) + 0.6 * (60.0 - y).max(0.0);
    1000.0 + slope + 0.4 * (0.7 * x).sin() * (0.5 * y).cos()
}

impl Site {
    /// A 42° slope above a valley floor that holds most rocks, a release polygon with `rocks` rocks, and whatever else the project is to say.
    pub fn new(more: &str, rocks: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut dem = format!("ncols {CELLS}\nnrows {CELLS}\nxllcorner {WEST}\nyllcorner {SOUTH}\ncellsize {CELL_M}\n");
        for row in (0..CELLS).rev() {
            let line = (0..CELLS).map(|column| format!("{:.3}", height(column as f64 * CELL_M, row as f64 * CELL_M)));
            dem += &line.collect::<Vec<_>>().join(" ");
            dem.push('\n');
        }
        std::fs::write(folder.path().join("dem.asc"), dem).unwrap();
        let positions = rocks / 5;
        let project = format!(
            "terrain: {{dem: dem.asc, crs: 'EPSG:2056'}}\n\
             rocks:\n\
             - {{shape: eota_111, mass_kg: {{distribution: power_law, exponent: 1.2, min: 100, max: 3000}}}}\n\
             - {{name: plate, shape: eota_221, mass_kg: 800, weight: 0.5}}\n\
             release:\n\
             - source: {{geojson: {{type: Polygon, coordinates: [[[2600090, 1200200], [2600150, 1200200], \
               [2600150, 1200230], [2600090, 1200230], [2600090, 1200200]]]}}}}\n\
             \x20 placement: {{count: {positions}}}\n\
             \x20 rocks_per_position: 5\n\
             \x20 frequency_per_year: 0.1\n\
             ground: {{scatter_mu: 0.1}}\n\
             lines:\n\
             - name: road\n\
             \x20 source: {{geojson: {{type: LineString, coordinates: [[2600010, 1200070], \
             [2600090.3646400534, 1200070], [2600230, 1200070]]}}}}\n{more}"
        );
        std::fs::write(folder.path().join("project.yaml"), project).unwrap();
        Self { folder }
    }

    pub fn project(&self) -> String {
        self.path("project.yaml")
    }

    pub fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn path(&self, name: &str) -> String {
        self.folder(name).to_string_lossy().into_owned()
    }
}
