//! A small project with a road, a barrier, two scenarios and a classification, run through the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use couloir::geo::Crs;
use couloir::geo::raster::{self, Purpose, ReadRaster};
use couloir::geo::write_raster::{self, Band, BandData, WriteRaster};
use couloir::terrain::Lattice;
use gdal::Metadata;
use gdal::vector::LayerAccess;
use serde_json::Value;
use tempfile::TempDir;

/// A slope of 35° that falls to the east and runs out on a flat.
pub const LATTICE: Lattice = Lattice { nx: 90, ny: 50, x0: 2_600_001.0, y0: 1_200_001.0, dx: 2.0, dy: 2.0 };

pub fn write_dem(folder: &Path) {
    write_dem_on(folder, &LATTICE, 2056);
}

/// The same slope in other cells, or said to be in another CRS.
pub fn write_dem_on(folder: &Path, lattice: &Lattice, epsg: u32) {
    let height = |cell: usize| {
        let (x, y) = lattice.centre(cell % lattice.nx, cell / lattice.nx);
        let (x, y) = (x - LATTICE.x0, y - LATTICE.y0);
        (1000.0 - 0.7 * x.min(110.0) + 0.4 * (0.3 * y).sin()) as f32
    };
    let values: Vec<f32> = (0..lattice.len()).map(height).collect();
    let band = Band { description: "height", unit: "m", data: BandData::F32(&values), nodata: -9999.0 };
    let crs = Crs::from_epsg(epsg).expect("known");
    write_raster::write(&folder.join("dem.tif"), lattice, &crs, &[band], &WriteRaster::default()).expect("written");
}

pub fn project(frequencies: bool, barrier: bool) -> String {
    let release = |name: &str, north: u32, mass: u32, frequency: f64| {
        let frequency = if frequencies { format!("    frequency_per_year: {frequency}\n") } else { String::new() };
        format!(
            "  - name: {name}\n    scenario: {name}\n    source:\n      geojson: {{type: LineString, coordinates: [[2600006, {n0}], \
             [2600006, {n1}]]}}\n    placement: {{grid_m: 4}}\n    rocks_per_position: 5\n    mass_kg: {mass}\n{frequency}",
            n0 = 1_200_000 + north,
            n1 = 1_200_040 + north,
        )
    };
    let line = |x: u32| {
        format!("geojson: {{type: LineString, coordinates: [[{x}, 1200000], [{x}, 1200100]]}}", x = 2_600_000 + x)
    };
    let barriers = if barrier {
        format!("barriers:\n  - name: net\n    source:\n      {}\n    height_m: 3\n    capacity_kj: 100\n", line(60))
    } else {
        String::new()
    };
    format!(
        "couloir: 1\ntitle: Test slope <A & B>\nterrain: {{dem: dem.tif}}\nrocks:\n  - {{name: block, shape: eota_111, \
         density_kg_m3: 2700}}\nrelease:\n{}{}ground: {{default: medium_hard}}\nlines:\n  - name: road, lower\n    source:\n      \
         {}\n    segment_m: 20\n    dimensioning: {{standard: onr_24810}}\n{barriers}statistics: {{pooled: true}}\nclassification: {{scheme: swiss, reference_width_m: 0, least_reach_probability: 0, \
         min_area_m2: 20}}\nsimulation: {{seed: 5, time_step_s: 0.005}}\n",
        release("often", 20, 200, 0.5),
        release("seldom", 30, 3000, 0.02),
        line(100),
    )
}

pub struct Run {
    folder: TempDir,
}

impl Run {
    pub fn new(frequencies: bool, barrier: bool, threads: u32) -> Self {
        Self::of(&project(frequencies, barrier), &["--threads", &threads.to_string()])
    }

    /// Of any project on the slope.
    pub fn of(project: &str, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        write_dem(folder.path());
        std::fs::write(folder.path().join("project.yaml"), project).expect("written");
        let run = Self { folder };
        run.couloir(&[["run", "project.yaml", "--out", "out", "--progress", "none"].as_slice(), more].concat())
            .success();
        run
    }

    pub fn couloir(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        Command::new(env!("CARGO_BIN_EXE_couloir")).args(arguments).current_dir(self.folder.path()).assert()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).expect("is JSON")
    }

    /// Rows of a CSV without quoted line breaks, by column name.
    pub fn csv(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let text = self.text(name).replace("\"road, lower\"", "road");
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
        lines.map(|line| head.iter().map(ToString::to_string).zip(line.split(',').map(Into::into)).collect()).collect()
    }
}

/// The run with barriers is used by several tests.
pub static WITH: LazyLock<Run> = LazyLock::new(|| Run::new(true, true, 2));

pub fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is {:?}", row[column]))
}

/// In a GIS a raster is known by what its band says: a sentence of its own, and the unit if it has one.
#[test]
fn every_layer_says_what_it_is() {
    let mut said = BTreeMap::new();
    let mut rasters = 0;
    for path in std::fs::read_dir(WITH.path("without_barriers/layers")).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "tif") {
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            let raster = gdal::Dataset::open(&path).unwrap();
            let band = raster.rasterband(1).unwrap();
            let has_unit =
                ["kinetic_energy", "velocity", "jump_height", "rotation"].iter().any(|q| name.starts_with(q));
            assert!(!has_unit || !band.unit().is_empty(), "{name}");
            said.insert(band.description().unwrap(), name);
            rasters += 1;
        }
    }
    assert!(rasters > 8 && said.len() == rasters, "{rasters} rasters, {said:?}");
}

/// The summary follows from the crossings by the spreadsheet's definition of a quantile.
#[test]
fn the_summary_can_be_recomputed_from_the_crossings() {
    let crossings = WITH.csv("without_barriers/lines/crossings.csv");
    assert!(crossings.len() > 50, "{} crossings", crossings.len());
    for row in WITH.csv("without_barriers/lines/summary.csv") {
        let pooled = row["scenario"] == "all scenarios pooled";
        let mine =
            crossings.iter().filter(|c| c["line"] == row["line"] && (pooled || c["scenario"] == row["scenario"]));
        let mut energies: Vec<f64> = mine
            .filter(|c| row["segment"] == "all" || c["segment"] == row["segment"])
            .map(|c| number(c, "kinetic_energy_kj"))
            .collect();
        energies.sort_by(f64::total_cmp);
        assert_eq!(row["crossings"], energies.len().to_string());
        if energies.is_empty() {
            assert_eq!(row["kinetic_energy_kj_p95"], "");
            continue;
        }
        let position = 0.95 * (energies.len() - 1) as f64;
        let (below, above) = (energies[position.floor() as usize], energies[position.ceil() as usize]);
        let p95 = below + position.fract() * (above - below);
        assert!((number(&row, "kinetic_energy_kj_p95") - p95).abs() < 2e-4, "{row:?} against {p95}");
        assert_eq!(row["p95_sample_too_small"], u8::from(energies.len() < 59).to_string());
    }
    let layer = gdal::Dataset::open(WITH.path("without_barriers/lines/crossings.gpkg")).expect("opens");
    assert_eq!(layer.layer(0).expect("has a layer").feature_count() as usize, crossings.len());
}

/// Energy and speed of every crossing agree; heights are in order.
#[test]
fn crossings_are_physical() {
    for row in WITH.csv("without_barriers/lines/crossings.csv") {
        let translational = 0.5 * number(&row, "mass_kg") * number(&row, "velocity_ms").powi(2) / 1000.0;
        let total = number(&row, "kinetic_energy_kj");
        // Values are interpolated within a step and rounded: 1 % (an impact within the step changes more).
        assert!(translational + number(&row, "rotational_energy_kj") <= total * 1.01 + 0.01, "{row:?}");
        let heights = ["height_lowest_m", "height_centre_m", "height_top_m"].map(|name| number(&row, name));
        assert!(heights[0] <= heights[1] && heights[1] < heights[2], "{row:?}");
        assert!((0.0..=90.0).contains(&number(&row, "incidence_deg")));
    }
}

/// Every rock meets the fate its height and energy say, and a held rock is not seen behind the barrier.
#[test]
fn barriers_hold_what_is_low_and_weak_enough() {
    let with = WITH.csv("with_barriers/lines/crossings.csv");
    let mut held = Vec::new();
    let mut seen = BTreeMap::new();
    for row in with.iter().filter(|row| row["line"] == "net") {
        let (energy, centre, top) =
            (number(row, "kinetic_energy_kj"), number(row, "height_centre_m"), number(row, "height_top_m"));
        let expected = match () {
            _ if centre > 3.0 => "passed_over",
            _ if energy > 100.0 => "broke_through",
            _ if top > 3.0 => "stopped_partly_above",
            _ => "stopped",
        };
        assert_eq!(row["fate"], expected, "{row:?}");
        *seen.entry(expected).or_insert(0) += 1;
        if expected.starts_with("stopped") {
            held.push(row["trajectory"].clone());
        }
    }
    assert!(seen.contains_key("stopped") && seen.contains_key("broke_through"), "{seen:?}");
    for row in with.iter().filter(|row| row["line"] == "road") {
        assert!(!held.contains(&row["trajectory"]), "a held rock reached the road: {row:?}");
    }
    let road = |rows: &[BTreeMap<String, String>]| rows.iter().filter(|row| row["line"] == "road").count();
    let without = WITH.csv("without_barriers/lines/crossings.csv");
    assert!(road(&with) < road(&without), "{} against {}", road(&with), road(&without));
    let manifest = WITH.json("manifest.json");
    assert_eq!(manifest["with_barriers"]["stop_reasons"]["barrier"], held.len());
    assert_eq!(manifest["stop_reasons"]["barrier"], 0);
}

pub fn values(path: &Path) -> Vec<f64> {
    let options = ReadRaster { purpose: Purpose::Any, ..ReadRaster::default() };
    raster::read(path, &options).unwrap_or_else(|error| panic!("{error}")).field.values
}

/// A class of a raster; 0 where it has none.
fn class(value: f64) -> usize {
    if value.is_nan() { 0 } else { value as usize }
}

/// Zones follow from the intensity maps and the scenarios' return periods (1/0.5 and 1/0.02 years) by the published matrix,
/// and intensities from the energy layer where only one scenario passes.
#[test]
fn swiss_zones_can_be_recomputed_from_intensities_and_the_scenarios_return_periods() {
    let read = |name: &str| values(&WITH.path(&format!("without_barriers/{name}")));
    let [often, seldom, zones] =
        ["intensity_often", "intensity_seldom", "hazard"].map(|name| read(&format!("classification/swiss/{name}.tif")));
    let energy = read("layers/kinetic_energy_kj_p95.tif");
    // none, weak, medium, strong; 1 hatched, 2 yellow, 3 blue, 4 red.
    let (within_30, within_100) = ([0, 3, 4, 4], [0, 2, 3, 4]);
    let (mut counts, mut alone) = ([0; 5], 0);
    for cell in 0..LATTICE.len() {
        let (a, b) = (class(often[cell]), class(seldom[cell]));
        let zone = class(zones[cell]);
        assert_eq!(zone, within_30[a].max(within_100[b]), "cell {cell}: intensities {a} and {b}");
        counts[zone] += 1;
        if a == 0 && b > 0 {
            let kj = energy[cell];
            assert_eq!(b, 1 + usize::from(kj >= 30.0) + usize::from(kj >= 300.0), "cell {cell}: {kj} kJ");
            alone += 1;
        }
    }
    assert!(alone > 20 && counts[1..].iter().filter(|&&n| n > 0).count() >= 2, "{alone} {counts:?}");
    let manifest = WITH.json("manifest.json");
    let record = &manifest["classifications"][0];
    assert_eq!((&record["name"], &record["return_period"]), (&"swiss".into(), &"scenario".into()));
    assert_eq!(record["scenario_return_periods_years"]["often"], 2.0);
    assert_eq!(record["scenario_return_periods_years"]["seldom"], 50.0);
    let report = WITH.text("report.html");
    assert!(report.contains("that of the scenario wherever it reaches (often: 2 years; seldom: 50 years)"));
}

/// On request zones follow from the frequency layers by the matrix, cell by cell.
#[test]
fn zones_by_passages_can_be_recomputed_from_the_frequency_layers() {
    let run = Run::new(true, false, 2);
    let own =
        run.text("classification/swiss/scheme.yaml").replace("return_period: scenario", "return_period: passages");
    std::fs::write(run.folder.path().join("passages.yaml"), own).expect("written");
    run.couloir(&["classify", "out", "--scheme", "passages.yaml"]).success();
    let read = |name: &str| values(&run.path(name));
    let (above_30, above_300) = (read("layers/frequency_above_30_kj.tif"), read("layers/frequency_above_300_kj.tif"));
    let zones = read("classification/passages/hazard.tif");
    let (passages, reach) = (read("layers/passages.tif"), read("layers/reach_probability.tif"));
    let mut counts = [0; 5];
    for cell in 0..LATTICE.len() {
        let zone = class(zones[cell]);
        counts[zone] += 1;
        assert_eq!(zone > 0, passages[cell] > 0.0 && reach[cell] > 0.0, "a zone is where rocks pass");
        let (medium, strong) = (above_30[cell].max(0.0), above_300[cell].max(0.0));
        // Strong up to 300 years or medium up to 30 is red; medium up to 300 is at least blue. Clear of the limits only:
        // the layers are 32-bit.
        let reaches = |frequency: f64, years: f64| frequency * years > 1.0001;
        if reaches(strong, 300.0) || reaches(medium, 30.0) {
            assert_eq!(zone, 4, "cell {cell}: {medium} and {strong} a year");
        } else if reaches(medium, 300.0) {
            assert!(zone >= 3, "cell {cell}: {medium} a year is zone {zone}");
        }
    }
    assert!(counts[1..].iter().filter(|&&n| n > 0).count() >= 2, "the test must see several zones: {counts:?}");
    // The same from the command line, with the rarest paths cut off.
    run.couloir(&["classify", "out", "--return-period", "passages"]).success();
    assert_eq!(classes(&read("classification/swiss/hazard.tif")), classes(&zones));
    run.couloir(&["classify", "out", "--return-period", "passages", "--least-reach-probability", "0.05"]).success();
    let cut = read("classification/swiss/hazard.tif");
    for cell in 0..LATTICE.len() {
        // Half of the rocks belong to each scenario: below 2.5 % of all, no scenario has 5 % of its own.
        assert!(class(cut[cell]) == 0 || reach[cell] >= 0.025, "cell {cell}");
    }
    assert!(cut.iter().filter(|v| !v.is_nan()).count() < zones.iter().filter(|v| !v.is_nan()).count());
    assert!(run.text("classification/swiss/legend.html").contains("less than 5 % of a scenario&#39;s rocks"));
}

fn classes(values: &[f64]) -> Vec<usize> {
    values.iter().map(|&value| class(value)).collect()
}

#[test]
fn zone_polygons_are_valid_in_both_formats() {
    for name in ["hazard.gpkg", "hazard.shp", "intensity_often.gpkg"] {
        let path = WITH.path("without_barriers/classification/swiss").join(name);
        let dataset = gdal::Dataset::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut layer = dataset.layer(0).expect("has a layer");
        assert!(layer.feature_count() > 0, "{name} is empty");
        for feature in layer.features() {
            assert!(feature.geometry().expect("has a geometry").is_valid(), "{name}");
        }
        assert!(layer.spatial_ref().is_some_and(|crs| crs.auth_code().is_ok_and(|code| code == 2056)), "{name}");
    }
}

/// Same bytes for one thread and two: manifests agree in everything but times and machine.
#[test]
fn threads_leave_no_trace_in_any_output() {
    let one = Run::new(true, true, 1);
    let manifest = |run: &Run| {
        let mut manifest = run.json("manifest.json");
        manifest.as_object_mut().expect("an object").remove("this_run").expect("has times");
        manifest
    };
    assert_eq!(manifest(&one), manifest(&WITH));
    let outputs = one.json("manifest.json")["outputs"].as_array().expect("a list").len();
    assert!(outputs > 40, "{outputs} outputs");
}

#[test]
fn the_report_stands_alone_and_names_what_a_signer_needs() {
    let report = WITH.text("report.html");
    let outside = report.replace("http://www.w3.org/2000/svg", "");
    for link in ["http://", "https://", "<script", "<link", "@import", "url(h"] {
        assert!(!outside.contains(link), "the report must not need {link}");
    }
    for text in [
        "Test slope &#60;A &#38; B&#62;",
        "data:image/png;base64,",
        "3 Hazard classification",
        "4 Lines and barriers",
        "7 Profiles",
        "Dimensioning sheet, ONR 24810",
        "ASSUMPTION, editable",
        "Barrier net",
        "without barriers",
        "--seed 5",
        "Prepared by, date",
        "size: A4",
    ] {
        assert!(report.contains(text), "the report lacks {text}");
    }
    let sheet = WITH.text("barrier_sheet.html");
    for text in ["Barrier net", "Dimensioning sheet, ONR 24810", "<svg", "seed 5"] {
        assert!(sheet.contains(text), "the barrier sheet lacks {text}");
    }
    let hash = WITH.json("manifest.json")["project"]["sha256"].as_str().expect("a hash").to_string();
    assert!(report.contains(&hash), "the report names the project's hash");
}

/// Without a frequency there are intensity maps, no hazard map, and a sentence that says what to add.
#[test]
fn without_frequencies_there_is_no_hazard_map() {
    let run = Run::new(false, false, 2);
    assert!(run.path("classification/swiss/intensity_often.tif").exists());
    assert!(!run.path("classification/swiss/hazard.tif").exists());
    let warnings = run.json("manifest.json")["warnings"].to_string();
    assert!(warnings.contains("frequency_per_year"), "{warnings}");
    run.couloir(&["classify", "out", "--scheme", "norway"]).success();
    let legend = run.text("classification/norway/legend.html");
    assert!(legend.contains("reach alone is not a return period"));
    // The user may state return periods alone.
    let years = ["--scenario-years", "often=30", "--scenario-years", "seldom=300"];
    run.couloir(&[["classify", "out"].as_slice(), &years].concat()).success();
    assert!(run.path("classification/swiss/hazard.tif").exists());
    let warnings = run.json("manifest.json")["warnings"].to_string();
    assert!(!warnings.contains("classification swiss") && warnings.contains("classification norway"), "{warnings}");
    let refused = run.couloir(&["classify", "out", "--scenario-years", "never=300"]).code(3);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("never"));
    run.couloir(&["classify", "out", "--scenario-years", "often"]).code(2);
}

/// Classifying again what `run` has classified changes no byte of any result, of the report, or of the manifest; another
/// scheme joins the first.
#[test]
fn classify_gives_what_run_gives_and_keeps_the_report_up_to_date() {
    let run = Run::new(true, true, 2);
    let manifest = || {
        let mut manifest = run.json("manifest.json");
        manifest.as_object_mut().expect("an object").remove("this_run").expect("has times");
        manifest
    };
    let (before, report) = (manifest(), run.text("report.html"));
    run.couloir(&["classify", "out"]).success();
    assert_eq!(manifest(), before);
    assert!(run.text("report.html") == report, "the report has changed");
    for _ in 0..2 {
        run.couloir(&["classify", "out", "--scheme", "norway"]).success();
    }
    let text = run.text("report.html");
    let model = run.json("report.json");
    let schemes: Vec<_> =
        model["classifications"].as_array().expect("a list").iter().map(|c| c["name"].clone()).collect();
    assert_eq!(schemes, ["swiss", "norway"]);
    assert!(text.contains("TEK17") && text.contains("Swiss hazard matrix"));
    let names: Vec<_> =
        manifest()["classifications"].as_array().expect("a list").iter().map(|c| c["name"].clone()).collect();
    assert_eq!(names, ["swiss", "norway"]);
    use sha2::Digest;
    let hash: String = sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(run.json("manifest.json")["this_run"]["report_sha256"], hash);
}

/// The report is made anew from data and pictures: one that was changed since is not passed on as the run's.
#[test]
fn a_changed_picture_does_not_enter_a_new_report() {
    let run = Run::new(false, true, 2);
    let picture = run.path("without_barriers/previews/often/reach_probability.png");
    let (old, report) = (std::fs::read(&picture).unwrap(), run.text("report.html"));
    std::fs::write(&picture, b"another").unwrap();
    let said = run.couloir(&["classify", "out", "--scheme", "norway"]).failure().code(1);
    let said = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
    assert!(said.contains("reach_probability.png") && said.contains("changed since"), "{said}");
    assert!(run.text("report.html") == report && !run.path("without_barriers/classification/norway").exists());
    std::fs::write(&picture, old).unwrap();
    run.couloir(&["classify", "out", "--scheme", "norway"]).success();
    std::fs::remove_file(&picture).unwrap();
    run.couloir(&["classify", "out"]).success();
    assert!(run.text("report.html").contains("reach_probability.png was removed"));
}

#[test]
fn a_finished_run_can_be_classified_again() {
    let run = Run::new(true, false, 2);
    let before = run.text("classification/swiss/scheme.yaml");
    run.couloir(&["classify", "out", "--scheme", "norway"]).success();
    assert!(run.path("classification/norway/hazard.gpkg").exists());
    run.couloir(&["classify", "out"]).success();
    assert_eq!(run.text("classification/swiss/scheme.yaml"), before, "the project's own settings count");
    let own = before.replace("from_kj: 30.0", "from_kj: 77.0").replace("period: scenario", "period: passages");
    std::fs::write(run.folder.path().join("own.yaml"), own).expect("written");
    let refused = run.couloir(&["classify", "out", "--scheme", "own.yaml"]).code(3);
    let sentence = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(sentence.contains("77") && sentence.contains("energies_kj"), "{sentence}");
    run.couloir(&["classify", "out", "--scheme", "lunar"]).code(3);
    run.couloir(&["classify", "."]).code(3);
}
