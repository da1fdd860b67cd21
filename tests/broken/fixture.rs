//! A small site that is in order, to be broken in one place.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use couloir::geo::{Crs, write_raster};
use couloir::terrain::Lattice;
use tempfile::TempDir;

pub const PROJECT: &str = "\
title: Broken on purpose
terrain:
  dem: dem.tif
rocks:
  - shape: eota_221
    mass_kg: 780
release:
  - source:
      file: release.geojson
    rocks_per_position: 1
stop:
  max_time_s: 1
";

/// 40 × 40 cells of 2 m on a 40° slope, EPSG:2056.
pub const LATTICE: Lattice = Lattice { nx: 40, ny: 40, x0: 2_600_001.0, y0: 1_200_001.0, dx: 2.0, dy: 2.0 };

pub struct Case {
    folder: TempDir,
}

impl Case {
    pub fn new() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap())
    }

    pub fn in_folder(folder: TempDir) -> Self {
        let case = Self { folder };
        case.text("project.yaml", PROJECT);
        case.raster("dem.tif", LATTICE, "EPSG:2056", slope);
        case.text("release.geojson", &square(2_600_030.0, 1_200_050.0, "\"mass\": 500, \"name\": \"a\""));
        case
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn bytes(&self, name: &str, bytes: &[u8]) -> &Self {
        fs::write(self.path(name), bytes).unwrap();
        self
    }

    pub fn text(&self, name: &str, text: &str) -> &Self {
        self.bytes(name, text.as_bytes())
    }

    /// The project with a piece replaced.
    pub fn change(&self, old: &str, new: &str) -> &Self {
        let text = fs::read_to_string(self.path("project.yaml")).unwrap();
        assert!(text.contains(old), "{old}");
        self.text("project.yaml", &text.replace(old, new))
    }

    /// The project with lines added at its end.
    pub fn add(&self, lines: &str) -> &Self {
        let text = fs::read_to_string(self.path("project.yaml")).unwrap();
        self.text("project.yaml", &(text + lines))
    }

    pub fn raster(&self, name: &str, lattice: Lattice, crs: &str, value: impl Fn(f64, f64) -> f64) -> &Self {
        let at = |k: usize| lattice.centre(k % lattice.nx, k / lattice.nx);
        let values: Vec<f32> = (0..lattice.len()).map(|k| value(at(k).0, at(k).1) as f32).collect();
        let data = write_raster::BandData::F32(&values);
        let band = write_raster::Band { description: "", unit: "", data, nodata: -9999.0 };
        let crs = Crs::from_user(crs).unwrap();
        write_raster::write(&self.path(name), &lattice, &crs, &[band], &Default::default()).unwrap();
        self
    }

    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.folder.path(), &mut files);
        files
    }

    pub fn couloir(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_couloir"));
        command.args(arguments).current_dir(&self.folder).output().unwrap()
    }

    /// The same with more in its environment.
    pub fn couloir_in(&self, arguments: &[&str], environment: &[(&str, String)]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_couloir"));
        let variables = environment.iter().map(|(name, value)| (name, value));
        command.args(arguments).envs(variables).current_dir(&self.folder).output().unwrap()
    }

    /// `couloir check` refuses the project with exit code 3 and one sentence that holds all these parts.
    #[track_caller]
    pub fn refuse(&self, parts: &[&str]) {
        let before = self.files();
        let output = self.couloir(&["check", "project.yaml"]);
        one_sentence(&output, 3, parts);
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        let json = self.couloir(&["check", "--json", "project.yaml"]);
        one_sentence(&json, 3, parts);
        let object: serde_json::Value = serde_json::from_slice(&json.stdout).expect("one JSON object");
        assert_eq!(object["status"], "error");
        let sentence = object["sentences"][0]["text"].as_str().unwrap();
        assert_eq!(format!("error: {sentence}\n"), String::from_utf8_lossy(&json.stderr));
        assert!(before == self.files(), "files were left behind or changed");
    }

    /// `couloir check` accepts the project; its table and warnings hold all these parts.
    #[track_caller]
    pub fn accept(&self, parts: &[&str]) {
        let before = self.files();
        let output = self.couloir(&["check", "project.yaml"]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        for part in parts {
            assert!(text.contains(part), "expected {part:?} in:\n{text}");
        }
        assert!(before == self.files(), "files were left behind or changed");
    }
}

/// Exactly one line on stderr, with all the parts.
#[track_caller]
pub fn one_sentence(output: &Output, code: i32, parts: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(text.starts_with("error: ") && text.trim_end().lines().count() == 1, "expected one line:\n{text}");
    assert!(!text.contains("panicked"), "{text}");
    for part in parts {
        assert!(text.contains(part), "expected {part:?} in: {text}");
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path.clone(), fs::read(&path).unwrap_or_default());
        }
    }
}

pub fn slope(_x: f64, y: f64) -> f64 {
    500.0 + 0.84 * (y - 1_200_000.0)
}

/// A square of 20 m in EPSG:2056 with properties, as a feature collection that names its CRS.
pub fn square(x: f64, y: f64, properties: &str) -> String {
    let ring =
        format!("[[[{x}, {y}], [{}, {y}], [{}, {}], [{x}, {}], [{x}, {y}]]]", x + 20.0, x + 20.0, y + 20.0, y + 20.0);
    collection(&format!("{{\"type\": \"Polygon\", \"coordinates\": {ring}}}"), properties)
}

pub fn collection(geometry: &str, properties: &str) -> String {
    format!(
        "{{\"type\": \"FeatureCollection\", \
         \"crs\": {{\"type\": \"name\", \"properties\": {{\"name\": \"urn:ogc:def:crs:EPSG::2056\"}}}}, \
         \"features\": [{{\"type\": \"Feature\", \"properties\": {{{properties}}}, \"geometry\": {geometry}}}]}}"
    )
}
