//! Objects at risk, squares of their width and the lines around everything, recomputed from the tables of a run by rounds.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gdal::vector::LayerAccess;

use crate::run::{LATTICE, Run, number, values};

/// Around the foot of the slope: a house, and a road that follows its walls.
const RING: &str = "[2600095, 1200020], [2600115, 1200020], [2600115, 1200085], [2600095, 1200085], [2600095, 1200020]";
/// Walls of this height are passed over by rocks that are higher everywhere.
const WALL_M: f64 = 0.3;
/// 2400 vehicles a day of 6 m at 60 km/h.
const TRAFFIC: f64 = 100.0 * 6.0 / 60_000.0;
/// Releases a year of each feature.
const YEARLY: [(&str, f64); 2] = [("often", 0.5), ("seldom", 0.02)];

type Row = BTreeMap<String, String>;

/// Two features with unlike numbers of rocks a metre in one scenario, one in the other: rounds of 3 + 8 + 6 rocks, six of them.
static RUN: LazyLock<Run> = LazyLock::new(|| {
    let line = |from: u32, to: u32| {
        let at = |y: u32| format!("[2600006, {}]", 1_200_000 + y);
        format!("{{type: LineString, coordinates: [{}, {}]}}", at(from), at(to))
    };
    let feature = |line: String, n: u32| format!("{{type: Feature, properties: {{n: {n}}}, geometry: {line}}}");
    let project = format!(
        "couloir: 1\nterrain: {{dem: dem.tif}}\nrocks: [{{shape: eota_111}}]\nrelease:\n  - scenario: often\n    source: {{geojson: \
         {{type: FeatureCollection, features: [{}, {}]}}}}\n    placement: {{grid_m: 6}}\n    rocks_per_position: {{attribute: n}}\n    \
         mass_kg: 200\n    frequency_per_year: 0.5\n  - scenario: seldom\n    source: {{geojson: {}}}\n    placement: {{grid_m: \
         6}}\n    rocks_per_position: 4\n    mass_kg: 3000\n    frequency_per_year: 0.02\nground: {{default: \
         medium_hard}}\nlines:\n  - name: outline\n    source: {{geojson: {{type: LineString, coordinates: [{RING}]}}}}\nobjects:\n  \
         - {{name: house, height_m: {WALL_M}, source: {{geojson: {{type: Polygon, coordinates: [[{RING}]]}}}}}}\n  - {{name: road, kind: \
         road, vehicles_per_day: 2400, vehicle_length_m: 6, vehicle_speed_km_h: 60, source: {{geojson: {{type: LineString, \
         coordinates: [{RING}]}}}}}}\nclassification: {{scheme: swiss}}\nsimulation: {{seed: 5, time_step_s: 0.005}}\n",
        feature(line(10, 28), 2),
        feature(line(64, 88), 4),
        line(40, 58),
    );
    Run::of(&project, &["--rocks", "102"])
});

/// What a rock stands for: the releases of its feature a year over its rocks, by number.
fn yearly(rocks: &[Row]) -> BTreeMap<&str, f64> {
    let of = |row: &Row| (row["scenario"].clone(), row["feature"].clone());
    let share = |row: &Row| {
        let alike = rocks.iter().filter(|other| of(other) == of(row)).count();
        YEARLY.iter().find(|(name, _)| *name == row["scenario"]).expect("known").1 / alike as f64
    };
    rocks.iter().map(|row| (row["id"].as_str(), share(row))).collect()
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 + 1e-6 * expected.abs(), "{what}: {found} instead of {expected}");
}

/// Every row of the objects from the crossings of a line that runs where their outlines do: a rock counts once, with its largest
/// energy, in the scenario its own row names; it passes over a house whose walls it is above wherever it crosses them.
#[test]
fn objects_can_be_recomputed_from_the_crossings_of_their_outlines() {
    let (rocks, crossings) = (RUN.csv("trajectories/rocks.csv"), RUN.csv("lines/crossings.csv"));
    let yearly = yearly(&rocks);
    let scenario = |id: &str| rocks.iter().find(|row| row["id"] == id).expect("a rock")["scenario"].as_str();
    let rows = RUN.csv("objects/objects.csv");
    assert_eq!(rows.len(), 6, "two objects, two scenarios and all");
    let (mut over, mut again) = (0, 0);
    for row in &rows {
        let what = format!("{} {}", row["layer"], row["scenario"]);
        let all = row["scenario"] == "all scenarios";
        let mine = |id: &str| all || scenario(id) == row["scenario"];
        // By rock: whether every crossing was above the walls, and what the others had at most.
        let mut hits: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for crossing in crossings.iter().filter(|crossing| mine(&crossing["trajectory"])) {
            let low = row["layer"] == "road" || number(crossing, "height_lowest_m") <= WALL_M;
            let hit = hits.entry(&crossing["trajectory"]).or_default();
            hit.extend(low.then_some(crossing));
            *seen.entry(&crossing["trajectory"]).or_default() += 1;
        }
        let hit: Vec<(&str, f64)> = hits
            .iter()
            .filter_map(|(id, low)| Some((*id, low.iter().map(|c| number(c, "kinetic_energy_kj")).reduce(f64::max)?)))
            .collect();
        assert_eq!(row["rocks"], rocks.iter().filter(|rock| mine(&rock["id"])).count().to_string(), "{what}");
        assert_eq!(row["rocks_hit"], hit.len().to_string(), "{what}");
        assert_eq!(row["rocks_over"], (hits.len() - hit.len()).to_string(), "{what}");
        over += hits.len() - hit.len();
        again += seen.values().filter(|times| **times > 1).count();
        let sum = |from: f64, to: f64| {
            hit.iter().filter(|(_, kj)| (from..to).contains(kj)).map(|(id, _)| yearly[id]).sum::<f64>()
        };
        close(number(row, "hits_per_year"), sum(0.0, f64::INFINITY), &what);
        close(number(row, "hits_per_year_below_30_kj"), sum(0.0, 30.0), &what);
        close(number(row, "hits_per_year_30_to_300_kj"), sum(30.0, 300.0), &what);
        close(number(row, "hits_per_year_from_300_kj"), sum(300.0, f64::INFINITY), &what);
        let most = hit.iter().map(|(_, kj)| *kj).reduce(f64::max).expect("some hit");
        assert!((number(row, "energy_kj_max") - most).abs() < 2e-4, "{what}: {most}");
        if row["layer"] == "road" {
            close(number(row, "vehicle_hits_per_year"), TRAFFIC * number(row, "hits_per_year"), &what);
        } else {
            assert_eq!(row["vehicle_hits_per_year"], "");
        }
    }
    assert!(over > 0 && again > 10, "some pass over ({over}), many cross twice ({again})");
    for (name, geometry) in [("objects", 3), ("object_lines", 3)] {
        let layer = gdal::Dataset::open(RUN.path(&format!("objects/{name}.gpkg"))).expect("opens");
        assert_eq!(layer.layer(0).expect("has a layer").feature_count(), geometry, "{name}");
    }
}

/// In squares of 10 m a rock counts as one, whatever it weighs; the rocks of a scenario with one feature have one frequency, so that
/// return periods follow from reach.
#[test]
fn reach_and_return_period_of_squares_agree() {
    let rocks = RUN.csv("trajectories/rocks.csv");
    let count = |scenario: &str| rocks.iter().filter(|row| row["scenario"] == scenario).count() as f64;
    let layer = |scenario: &str, name: &str| values(&RUN.path(&format!("layers/{scenario}/{name}.tif")));
    for (scenario, _) in YEARLY {
        let reach = layer(scenario, "reach_probability_10m");
        assert!(reach.iter().any(|share| *share > 0.0));
        for entered in reach.iter().filter(|share| !share.is_nan()).map(|share| share * count(scenario)) {
            assert!((entered - entered.round()).abs() < 1e-4 && entered > 0.5, "{scenario}: {entered} rocks");
        }
    }
    let (reach, years) =
        (layer("seldom", "reach_probability_10m"), layer("seldom", "return_period_years_above_0_kj_10m"));
    for (reach, years) in reach.iter().zip(&years) {
        assert_eq!(reach.is_nan(), years.is_nan());
        assert!(reach.is_nan() || (years * reach * 0.02 - 1.0).abs() < 1e-5, "{reach} every {years} years");
    }
    assert_eq!(reach.len(), LATTICE.len());
}

/// The outermost line of all scenarios goes around that of each; and what is hatched as uncertain is where the confidence is low.
#[test]
fn the_outermost_line_holds_every_scenario_and_hatching_what_is_unsure() {
    let area = |file: &str, scenario: Option<&str>| {
        let dataset = gdal::Dataset::open(RUN.path(&format!("classification/swiss/{file}.gpkg"))).expect("opens");
        let mut layer = dataset.layer(0).expect("has a layer");
        let place = |name: &str| layer.defn().field_index(name).ok();
        let (of, area) = (place("scenario"), place("area_m2").expect("there"));
        let mine = |feature: &gdal::vector::Feature| {
            scenario.is_none_or(|s| of.and_then(|of| feature.field_as_string(of).ok().flatten()).as_deref() == Some(s))
        };
        let features = layer.features().filter(mine).map(|feature| feature.field_as_double(area).ok().flatten());
        features.map(|area| area.expect("a number")).sum::<f64>()
    };
    let of = |scenario: &str| area("outermost_line", Some(scenario));
    let (often, seldom, all) = (of("often"), of("seldom"), of("all scenarios"));
    assert!(often > 1000.0 && seldom > 1000.0 && all > 1.05 * often.max(seldom), "{often} {seldom} {all}");
    assert!(all <= 1.05 * (often + seldom), "{often} {seldom} {all}");
    let read = |name: &str| values(&RUN.path(&format!("classification/swiss/{name}.tif")));
    let cells = |low: bool| {
        let zoned = read("hazard").into_iter().zip(read("hazard_confidence")).filter(|(zone, _)| *zone > 0.0);
        4.0 * zoned.filter(|(_, share)| (*share < 0.8) == low).count() as f64
    };
    let (unsure, sure, hatched) = (cells(true), cells(false), area("hazard_uncertain", None));
    // Crumbs are merged, and only what is drawn is hatched.
    assert!(
        (hatched - unsure).abs() < 0.25 * (sure - unsure).abs(),
        "{hatched} m² of {unsure} unsure and {sure} sure ones"
    );
}
