//! Sources with known answers, and a way to call the program on them.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use couloir::geo::raster::{self, Raster, ReadRaster};
use couloir::geo::write_raster::{self, Band, BandData, WriteRaster};
use couloir::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use couloir::geo::{Crs, Transformer};
use couloir::terrain::Lattice;
use geo::{Coord, Geometry, LineString, Polygon};

/// A plane in LV95: every source is a view of it in its own CRS.
pub fn plane_m(east: f64, north: f64) -> f64 {
    1500.0 + 0.6 * (east - 2_760_000.0) - 0.4 * (north - 1_190_000.0)
}

pub fn crs(code: u32) -> Crs {
    Crs::from_epsg(code).unwrap()
}

/// The middle of all test sites, in any CRS.
pub fn middle_in(target: &Crs) -> (f64, f64) {
    Transformer::new(&crs(2056), target).unwrap().xy(2_760_000.0, 1_190_000.0).unwrap()
}

pub struct Tile {
    pub lattice: Lattice,
    pub crs: Crs,
    pub values: Vec<f32>,
}

pub const NODATA: f32 = -9999.0;

impl Tile {
    /// A tile of the plane: its size in cells, their size, and its south-western corner relative to the middle.
    pub fn of_plane(code: u32, nx: usize, ny: usize, cell: (f64, f64), corner: (f64, f64)) -> Self {
        let crs = crs(code);
        let (x, y) = middle_in(&crs);
        // Real grids lie on round coordinates.
        let snap = |v: f64, d: f64| (v / d).round() * d;
        let (west, south) = (snap(x + corner.0, cell.0), snap(y + corner.1, cell.1));
        let lattice = Lattice { nx, ny, x0: west + 0.5 * cell.0, y0: south + 0.5 * cell.1, dx: cell.0, dy: cell.1 };
        let to_lv95 = Transformer::new(&crs, &self::crs(2056)).unwrap();
        let values = (0..lattice.len())
            .map(|k| {
                let (x, y) = lattice.centre(k % nx, k / nx);
                let (east, north) = to_lv95.xy(x, y).unwrap();
                plane_m(east, north) as f32
            })
            .collect();
        Self { lattice, crs, values }
    }

    /// Makes the cells of a rectangle (first column, first row, columns, rows; from the south-west) nodata.
    pub fn with_hole(mut self, (c0, r0, nx, ny): (usize, usize, usize, usize)) -> Self {
        for row in r0..r0 + ny {
            for column in c0..c0 + nx {
                self.values[row * self.lattice.nx + column] = NODATA;
            }
        }
        self
    }

    pub fn raised(mut self, metres: f32) -> Self {
        self.values.iter_mut().filter(|v| **v != NODATA).for_each(|v| *v += metres);
        self
    }

    pub fn write(&self, path: &Path) -> PathBuf {
        self.write_with_unit(path, "m")
    }

    pub fn write_with_unit(&self, path: &Path, unit: &str) -> PathBuf {
        let band = Band { description: "height", unit, data: BandData::F32(&self.values), nodata: f64::from(NODATA) };
        write_raster::write(path, &self.lattice, &self.crs, &[band], &WriteRaster { cog: false, overviews: false })
            .unwrap();
        path.to_path_buf()
    }
}

/// A square around the middle plus (dx, dy), all in metres of LV95, given in any CRS.
pub fn square(target: &Crs, (dx, dy): (f64, f64), half: f64) -> Geometry<f64> {
    let transformer = Transformer::new(&crs(2056), target).unwrap();
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b)| {
        let (x, y) = transformer.xy(2_760_000.0 + dx + a * half, 1_190_000.0 + dy + b * half).unwrap();
        Coord { x, y }
    });
    Geometry::Polygon(Polygon::new(LineString(corners.to_vec()), vec![]))
}

/// Polygons with a text attribute.
pub fn write_polygons(path: &Path, target: &Crs, attribute: &str, features: &[(Geometry<f64>, &str)]) -> PathBuf {
    let format = Format::from_path(path).unwrap();
    let fields = [(attribute, FieldType::Text)];
    let name = path.file_stem().unwrap().to_str().unwrap();
    let mut writer = VectorWriter::create(path, format, name, target, GeometryKind::Polygon, &fields).unwrap();
    for (geometry, value) in features {
        writer.write(geometry, &[Value::Text((*value).to_string())]).unwrap();
    }
    writer.finish().unwrap();
    path.to_path_buf()
}

pub fn couloir() -> Command {
    Command::cargo_bin("couloir").unwrap()
}

pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn run(folder: &Path, arguments: &[&str]) -> Ran {
    let output = couloir().current_dir(folder).args(arguments).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs and insists on success.
pub fn run_well(folder: &Path, arguments: &[&str]) -> Ran {
    let ran = run(folder, arguments);
    assert_eq!(ran.code, 0, "{arguments:?}\n{}\n{}", ran.stdout, ran.stderr);
    ran
}

pub fn read(path: &Path) -> Raster {
    raster::read(path, &ReadRaster::default()).unwrap()
}

/// The largest deviation of a raster from the plane, m, and the number of valid cells.
pub fn deviation_from_plane(raster: &Raster) -> (f64, usize) {
    let to_lv95 = Transformer::new(&raster.crs, &crs(2056)).unwrap();
    let lattice = raster.field.lattice;
    let (mut worst, mut valid): (f64, usize) = (0.0, 0);
    for (k, height) in raster.field.values.iter().enumerate().filter(|(_, h)| !h.is_nan()) {
        let (x, y) = lattice.centre(k % lattice.nx, k / lattice.nx);
        let (east, north) = to_lv95.xy(x, y).unwrap();
        worst = worst.max((height - plane_m(east, north)).abs());
        valid += 1;
    }
    (worst, valid)
}

/// Names in a folder, sorted, hidden ones included.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
