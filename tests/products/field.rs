//! A made-up field experiment through the command line: tests from a table, impacts, plausibility, score, roughness.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use assert_cmd::Command;
use couloir::rock::Shape;
use serde_json::Value;
use tempfile::TempDir;

use crate::run::write_dem;

const TESTS: &str = "test,x,y,block,n,mass,vx,vy,vz,spin,ax,ay,az\n\
    t1,2600010,1200030,cube,12,80,2,0,0,1,0,1,0\n\
    t2,2600010,1200050,plate,15,40,2,0.5,0,0.5,0,1,0\n\
    t3,2600012,1200070,cube,13,80,1,0,-0.5,0,0,0,0\n";

const PROJECT: &str = "title: Tests\nterrain: {dem: dem.tif}\nrocks:\n  - {name: cube, shape: eota_111}\n  - {name: plate, shape: \
    eota_221, density_kg_m3: 2600}\nrelease:\n  - name: tests\n    source: {file: tests.csv, crs: 'EPSG:2056'}\n    \
    rocks_per_position: {attribute: n}\n    rock: {attribute: block}\n    mass_kg: {attribute: mass}\n    \
    centre_height_m: 1\n    velocity_m_s: {attributes: [vx, vy, vz]}\n    spin_rps: {attribute: spin}\n    \
    spin_axis: {attributes: [ax, ay, az]}\n    keep_attributes: [test, block]\nlines:\n  - name: road\n    source: {geojson: \
    {type: MultiLineString, coordinates: [[[2600060, 1200000], [2600060, 1200100]], [[2600064, 1200000], [2600064, \
    1200100]]]}}\n  - name: above\n    source: {geojson: {type: LineString, coordinates: [[2600004, 1200000], [2600004, 1200100]]}}\nground: {default: medium}\nsimulation: \
    {seed: 3, time_step_s: 0.005}\noutputs: {impacts: [csv, geopackage], report: true}\n";

struct Site {
    folder: TempDir,
}

impl Site {
    fn new(project: &str, tests: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_dem(folder.path());
        std::fs::write(folder.path().join("project.yaml"), project).unwrap();
        std::fs::write(folder.path().join("tests.csv"), tests).unwrap();
        Self { folder }
    }

    fn couloir(&self, line: &str) -> assert_cmd::assert::Assert {
        let mut command = Command::new(env!("CARGO_BIN_EXE_couloir"));
        command.args(line.split(' ')).current_dir(self.folder.path()).assert()
    }

    fn refused(&self, line: &str) -> String {
        String::from_utf8(self.couloir(line).failure().get_output().stderr.clone()).unwrap()
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }

    fn csv(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let text = self.text(name);
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        lines.map(|line| head.iter().map(ToString::to_string).zip(line.split(',').map(Into::into)).collect()).collect()
    }
}

static RUN: LazyLock<Site> = LazyLock::new(|| {
    let site = Site::new(PROJECT, TESTS);
    site.couloir("run project.yaml --out out --progress none --threads 2").success();
    site
});

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is {:?}", row[column]))
}

/// How far apart the normals of the terrain model and of a contact may be, as unit vectors: heights of the class's roughness are no
/// further than √6 of their standard deviation from the terrain model, so slopes along x and y no further than twice that over the spacing;
/// and contacts between the corners are taken as such within 0.05 rad.
fn normals_differ() -> f64 {
    let (height, spacing) = (0.06, 1.0);
    let slope = 2f64.sqrt() * 2.0 * 6f64.sqrt() * height / spacing;
    2.0 * (0.5 * (slope.atan() + 0.05)).sin()
}

#[test]
fn each_test_has_its_rocks_and_its_name_in_every_table() {
    let rocks = RUN.csv("out/trajectories/rocks.csv");
    assert_eq!(rocks.len(), 40);
    let of = |test: &str| rocks.iter().filter(|row| row["test"] == test).count();
    assert_eq!((of("t1"), of("t2"), of("t3")), (12, 15, 13));
    for row in &rocks {
        assert_eq!(row["shape"], row["block"]);
        assert_eq!(number(row, "mass_kg").round(), if row["block"] == "cube" { 80.0 } else { 40.0 });
        let [x, y] =
            ["x", "y"].map(|axis| number(row, &format!("end_{axis}_m")) - number(row, &format!("start_{axis}_m")));
        assert!((x.hypot(y) - number(row, "runout_m")).abs() < 1e-6);
    }
    let blocks = [("eota_111", 80.0), ("eota_221", 40.0)]
        .map(|(preset, mass)| Shape::from_preset(preset).unwrap().with_mass(mass, 2600.0).unwrap());
    let impacts = RUN.csv("out/trajectories/impacts.csv");
    assert!(impacts.len() > 80, "{}", impacts.len());
    let order: Vec<(u64, u64)> =
        impacts.iter().map(|row| (number(row, "id") as u64, number(row, "impact") as u64)).collect();
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
    for row in &impacts {
        assert_eq!(row["block"], row["shape"]);
        assert!(number(row, "flight_s") >= 0.05 && number(row, "duration_s") > 0.0, "{row:?}");
        assert!((0.0..0.5).contains(&number(row, "scar_depth_m")), "{row:?}");
        let (energy, speed) = (number(row, "energy_before_kj"), number(row, "speed_before_m_s"));
        let translation = 0.5e-3 * number(row, "mass_kg") * speed * speed;
        assert!((energy - translation - number(row, "rotational_before_kj")).abs() < 1e-6 * energy.max(1.0));
        // What touches comes towards the ground it touches, n·(v + ω × r) ≤ gΔt; the terrain model's normal is another one.
        let rock = &blocks[usize::from(row["block"] == "plate")];
        let corner = std::f64::consts::TAU * number(row, "spin_before_rps") * rock.bounding_radius;
        let least = -(normals_differ() * speed + corner + 9.81 * 0.005);
        assert!(number(row, "normal_before_m_s") > least, "{least}: {row:?}");
    }
    // A flight of T that ends as high above the slope as it began ends with ½ g cos α T towards it; the shortest that counts is 0.05 s.
    let mut normals: Vec<f64> = impacts.iter().map(|row| number(row, "normal_before_m_s")).collect();
    normals.sort_by(f64::total_cmp);
    assert!(normals[normals.len() / 2] > 0.5 * 9.81 * 0.05 / 1.0_f64.hypot(0.7), "{normals:?}");
    // The ground is soil, which holds a rock before anything presses it: its fastest contact is no slower than it comes.
    let rocks: BTreeMap<&str, f64> =
        rocks.iter().map(|row| (row["id"].as_str(), number(row, "contact_speed_max_m_s"))).collect();
    for row in &impacts {
        let (fastest, came) = (rocks[row["id"].as_str()], number(row, "speed_before_m_s"));
        assert!(fastest > came - 1e-3, "{fastest}: {row:?}");
    }
    assert!(impacts.iter().filter(|row| number(row, "scar_depth_m") > 0.01).count() > impacts.len() / 2);
    let geopackage = gdal::Dataset::open(RUN.folder.path().join("out/trajectories/impacts.gpkg")).unwrap();
    use gdal::vector::LayerAccess;
    assert_eq!(geopackage.layer(0).unwrap().feature_count() as usize, impacts.len());
    assert!(RUN.text("out/lines/crossings.csv").lines().count() > 10);
}

/// Large sites release rocks along a curve through squares of 1,024 m, not in order of their numbers: whichever way round the tests stand in
/// their table, every impact is that of its rock. (A border of the squares, y = 1,200,128 m, runs through this terrain.)
#[test]
fn impacts_find_their_rock_whatever_the_order_of_release() {
    const NORTH: f64 = 78.0;
    let (head, rows) = TESTS.split_once('\n').unwrap();
    let rows: Vec<String> = ["30", "50", "70"]
        .iter()
        .zip(rows.lines())
        .map(|(y, row)| {
            row.replace(&format!("12000{y}"), &format!("{}", 1_200_000.0 + NORTH + y.parse::<f64>().unwrap()))
        })
        .collect();
    let mut by_number = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0]] {
        let table = order.map(|row| rows[row].as_str()).join("\n");
        let site = Site::new(&PROJECT.replace("1200100", "1200178"), &format!("{head}\n{table}\n"));
        let mut dem = gdal::Dataset::open_ex(
            site.folder.path().join("dem.tif"),
            gdal::DatasetOptions { open_flags: gdal::GdalOpenFlags::GDAL_OF_UPDATE, ..Default::default() },
        )
        .unwrap();
        let mut place = dem.geo_transform().unwrap();
        place[3] += NORTH;
        dem.set_geo_transform(&place).unwrap();
        drop(dem);
        site.couloir("run project.yaml --out out --progress none --threads 2").success();
        let rocks = site.csv("out/trajectories/rocks.csv");
        let of: BTreeMap<&str, &str> = rocks.iter().map(|row| (row["id"].as_str(), row["test"].as_str())).collect();
        assert_eq!(of.len(), 40);
        let impacts = site.csv("out/trajectories/impacts.csv");
        assert!(impacts.len() > 80, "{}", impacts.len());
        assert!(impacts.iter().all(|row| of[row["id"].as_str()] == row["test"]));
        by_number.push(impacts.windows(2).all(|pair| number(&pair[0], "id") <= number(&pair[1], "id")));
    }
    by_number.sort_unstable();
    assert_eq!(by_number, [false, true], "the border of the squares is not where this test supposes it");
}

/// Threads and shards leave no trace, in the new tables as elsewhere.
#[test]
fn tables_and_findings_do_not_depend_on_threads_or_shards() {
    RUN.couloir("run project.yaml --out one --progress none --threads 1").success();
    RUN.couloir("run project.yaml --out part1 --shard 1/2 --progress none").success();
    RUN.couloir("run project.yaml --out part2 --shard 2/2 --progress none").success();
    RUN.couloir("merge part1 part2 --out merged --progress none").success();
    let bytes = |name: &str| std::fs::read(RUN.folder.path().join(name)).unwrap();
    for file in ["trajectories/rocks.csv", "trajectories/impacts.csv", "trajectories/impacts.gpkg", "report.json"] {
        for run in ["one", "merged"] {
            assert!(bytes(&format!("out/{file}")) == bytes(&format!("{run}/{file}")), "{run}/{file}");
        }
    }
    let plausibility = |run: &str| RUN.json(&format!("{run}/manifest.json"))["plausibility"].clone();
    assert_eq!(plausibility("out"), plausibility("merged"));
    assert_eq!(plausibility("out")["rocks"], 40);
}

/// A slope that ends where it is steepest: every rock leaves to the east, and check, run, manifest and report say so.
#[test]
fn rocks_that_leave_the_terrain_are_named_by_edge_and_place() {
    let project = PROJECT.replace("[csv, geopackage], report: true", "false");
    let tests = TESTS.replace("2600010,", "2600150,").replace("2600012,", "2600150,");
    let site =
        Site::new(&project.replace("velocity_m_s: {attributes: [vx, vy, vz]}", "velocity_m_s: [30, 0, 5]"), &tests);
    let checked = site.couloir("check project.yaml").success();
    let said = String::from_utf8_lossy(&checked.get_output().stdout).into_owned()
        + &String::from_utf8_lossy(&checked.get_output().stderr);
    assert!(said.contains("pilot: ") && said.contains("over its eastern edge"), "{said}");
    let ran = site.couloir("run project.yaml --out out --progress json").success();
    let events = String::from_utf8_lossy(&ran.get_output().stdout).into_owned();
    assert!(events.contains("over its eastern edge, the first at (26001"), "{events}");
    let found = &site.json("out/manifest.json")["plausibility"]["cut_off"][0];
    assert_eq!(found["exit"]["edge"], "east");
    assert!(found["rocks"].as_u64().unwrap() > 20 && found["from_m"][0].as_f64().unwrap() > 2_600_179.0, "{found}");
    assert!(site.text("out/report.html").contains("over its eastern edge"));
    // Their run-outs are cut off, and they lie nowhere.
    let rocks = site.csv("out/trajectories/rocks.csv");
    let left = rocks.iter().filter(|row| row["stop"] == "left_terrain").count() as u64;
    site.write(
        "seen.csv",
        "start_x_m,start_y_m,x_m,y_m\n2600150,1200050,2600170,1200050\n2600150,1200050,2600175,1200052\n",
    );
    site.couloir("score out --observed seen.csv --out score").success();
    let part = &site.json("score/score.json")["parts"][0];
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    assert_eq!((number(&part["simulated_rocks"]), number(&part["simulated_censored"])), (40, left));
    assert_eq!(number(&part["quantities"][0]["simulated"]["censored"]), left);
    assert_eq!(number(&part["deposits"]["simulated"]), 40 - left, "no deposits at all if none came to rest");
    assert!(left > 20, "{left} of 40");

    site.write("project.yaml", &site.text("project.yaml").replace("impacts: false", "impacts: false, rocks: false"));
    site.couloir("run project.yaml --out out --overwrite --limit 4 --progress none").success();
    assert!(!site.folder.path().join("out/trajectories/rocks.csv").exists());
    let why = site.refused("score out --observed tests.csv");
    assert!(why.contains("rocks.csv") && why.contains("outputs"), "{why}");
}

#[test]
fn releases_that_cannot_be_are_one_sentence_with_feature_field_found_and_expected() {
    let cases: [(&str, &str, &[&str]); 9] = [
        (
            "t2,2600010,1200050,plate,15,",
            "t2,2600010,1200050,plate,1.5,",
            &["feature 2", "\"n\"", "1.5", "whole number"],
        ),
        ("t2,2600010,1200050,plate,15,", "t2,2600010,1200050,plate,,", &["feature 2", "\"n\"", "no value"]),
        (
            "t2,2600010,1200050,plate,",
            "t2,2600010,1200050,plum,",
            &["feature 2", "\"block\"", "\"plum\"", "cube, plate"],
        ),
        ("plate,15,40,", "plate,15,-4,", &["feature 2", "\"mass\"", "-4", "> 0"]),
        ("plate,15,40,2,", "plate,15,40,fast,", &["feature 2", "\"vx\"", "\"fast\"", "number"]),
        ("plate,15,40,2,", "plate,15,40,9000,", &["feature 2", "\"vx\"", "9000", "300"]),
        ("0.5,0,0.5,0,1,0", "0.5,0,0.5,0,0,0", &["feature 2", "zeros", "ax, ay, az"]),
        ("test,x,y,", "test,here,y,", &["tests.csv", "without geometry", "columns x and y"]),
        ("2600010,1200050", "2600010,1200500", &["feature 2", "outside the DEM"]),
    ];
    for (old, new, parts) in cases {
        assert!(TESTS.contains(old), "{old}");
        let why = Site::new(PROJECT, &TESTS.replace(old, new)).refused("check project.yaml");
        parts.iter().for_each(|part| assert!(why.contains(part), "{new}: {part:?} in {why}"));
        assert!(why.lines().count() == 1 && why.contains("project.yaml"), "{why}");
    }
    let keys: [(&str, &str, &[&str]); 7] = [
        ("centre_height_m: 1", "centre_height_m: 1\n    height_m: 2", &["centre_height_m", "both"]),
        ("rock: {attribute: block}", "rock: {attribute: block}\n    rocks: [cube]", &["both"]),
        ("spin_rps: {attribute: spin}", "speed_m_s: 3\n    spin_rps: 1", &["velocity_m_s", "both"]),
        ("spin_rps: {attribute: spin}", "spin_rps: 0", &["spin_axis", "spin is 0"]),
        ("keep_attributes: [test, block]", "keep_attributes: [mass_kg]", &["mass_kg", "field of the tables"]),
        ("keep_attributes: [test, block]", "keep_attributes: [tset]", &["\"tset\"", "test"]),
        ("impacts: [csv, geopackage]", "impacts: [shp]", &["shp", "csv"]),
    ];
    for (old, new, parts) in keys {
        assert!(PROJECT.contains(old), "{old}");
        let why = Site::new(&PROJECT.replace(old, new), TESTS).refused("check project.yaml");
        parts.iter().for_each(|part| assert!(why.contains(part), "{new}: {part:?} in {why}"));
    }
}

/// Observations drawn from the run itself agree with it within chance; shifted ones do not.
#[test]
fn a_score_finds_agreement_and_its_lack_by_group() {
    let rocks = RUN.csv("out/trajectories/rocks.csv");
    let row = |shift: f64| {
        move |rock: &BTreeMap<String, String>| {
            let [sx, sy, ex, ey] = ["start_x_m", "start_y_m", "end_x_m", "end_y_m"].map(|name| number(rock, name));
            format!("{},{sx},{sy},{},{ey},{},\n", rock["block"], ex + shift, rock["jump_max_m"])
        }
    };
    let head = "block,start_x_m,start_y_m,x_m,y_m,jump_max_m,line\n";
    let half = || rocks.iter().step_by(2);
    let table = |shift: f64| head.to_string() + &half().map(row(shift)).collect::<String>() + "cube,,,,,,road\n";
    RUN.write("same.csv", &table(0.0));
    RUN.write("far.csv", &table(60.0).replace(",road", ",no such line"));
    let said = RUN.couloir("score out --observed same.csv --group block --out same").success();
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(said.contains("cube: runout_m observed") && said.contains("same/score.html"), "{said}");
    let score = RUN.json("same/score.json");
    let groups: Vec<&Value> = score["parts"].as_array().unwrap().iter().map(|part| &part["group"]).collect();
    assert_eq!(groups, [&Value::Null, &Value::from("cube"), &Value::from("plate")]);
    let runout = &score["parts"][0]["quantities"][0];
    assert_eq!((runout["name"].as_str(), runout["observed"]["n"].as_u64()), (Some("runout_m"), Some(20)));
    assert!(runout["ks"].as_f64() < runout["ks_chance"].as_f64(), "{runout}");
    // A rock that crosses the road twice has passed it once.
    let passages = &score["parts"][0]["passages"][0];
    let crossings = RUN.csv("out/lines/crossings.csv");
    let passed: std::collections::BTreeSet<&str> = crossings.iter().map(|row| row["trajectory"].as_str()).collect();
    assert_eq!((&passages["line"], passages["simulated"].as_u64()), (&Value::from("road"), Some(passed.len() as u64)));
    assert!(passed.len() < crossings.len());
    // A line that rocks were seen to pass and none passes in the run is compared, too: with none.
    RUN.write("above.csv", "line;runout_m\nabove;\n;50,5\n");
    RUN.couloir("score out --observed above.csv --out above").success();
    let above = RUN.json("above/score.json");
    let passages = &above["parts"][0]["passages"][0];
    let counts = ["observed", "simulated"].map(|side| passages[side].as_u64());
    assert_eq!((&passages["line"], counts), (&Value::from("above"), [Some(1), Some(0)]), "{above}");
    assert!(!above["notes"].to_string().contains("above"), "{}", above["notes"]);
    let page = RUN.text("same/score.html");
    assert!(page.contains("<svg") && page.contains("Kaplan") && RUN.text("same/runout_m.svg").starts_with("<svg"));
    RUN.couloir("score out --observed far.csv --azimuth 90 --out far").success();
    let far = RUN.json("far/score.json");
    let runout = &far["parts"][0]["quantities"][0];
    assert!(
        runout["ks"].as_f64() > runout["ks_chance"].as_f64() && runout["mean_difference"].as_f64().unwrap() < -40.0
    );
    assert!(far["notes"].to_string().contains("no such line"));
    let deposits = &far["parts"][0]["deposits"];
    assert!(deposits["energy_distance_m"].as_f64() > deposits["energy_chance_m"].as_f64());
    // The same question gives the same bytes; what is there is replaced on demand only.
    let before = RUN.text("same/score.json");
    assert!(RUN.refused("score out --observed same.csv --group block --out same").contains("--overwrite"));
    RUN.couloir("score out --observed same.csv --group block --out same --overwrite").success();
    assert_eq!(before, RUN.text("same/score.json"));
}

#[test]
fn scores_that_cannot_be_are_one_sentence() {
    let cases: [(&str, &str, &[&str]); 9] = [
        ("a.csv", "x_m,y_m\n1,two\n", &["a.csv", "line 2", "\"two\"", "y_m"]),
        ("b.csv", "height,colour\n1,red\n", &["nothing to compare", "height, colour", "--column"]),
        ("c.csv", "runout_m\n", &["no rows"]),
        ("i.csv", "runout_m;censored\n-5,5;0\n", &["line 2", "-5.5 m", "0 or more"]),
        ("d.csv", "", &["empty"]),
        ("e.csv", "runout_m,censored\n5,maybe\n", &["line 2", "maybe", "censored"]),
        ("f.csv", "runout_m\n5,6\n", &["line 2", "2 cells"]),
        ("g.geojson", "{\"type\":\"LineString\",\"coordinates\":[[7,46],[8,46]]}", &["no point"]),
        ("h.csv", "line,velocity_m_s\nriver,5\n", &["can be compared"]),
    ];
    for (name, text, parts) in cases {
        RUN.write(name, text);
        let why = RUN.refused(&format!("score out --observed {name} --out refused_{name}"));
        parts.iter().for_each(|part| assert!(why.contains(part), "{name}: {part:?} in {why}"));
        assert!(!RUN.folder.path().join(format!("refused_{name}/score.html")).exists());
    }
    RUN.write("fine.csv", "runout_m\n50\n");
    let why = RUN.refused("score out --observed fine.csv --group block");
    assert!(why.contains("no column \"block\""), "{why}");
    assert!(RUN.refused("score out --observed fine.csv --azimuth 90").contains("starts and ends"));
    assert!(RUN.refused("score out --observed fine.csv --with-barriers").contains("no barriers"));
    assert!(RUN.refused("score out --observed fine.csv --out out/score").contains("lies in the run"));
    assert!(RUN.refused("score nowhere --observed fine.csv").contains("nowhere"));
}

/// A cloud of a rough plane, as text; the raster is read by a project.
#[test]
fn measured_roughness_is_read_by_a_project() {
    let mut text = String::new();
    for k in 0..200 * 200_u32 {
        let (x, y) = (f64::from(k % 200) * 0.1, f64::from(k / 200) * 0.1);
        let bump = 0.1 * (x * 4.0).sin() * (y * 4.5).cos();
        text += &format!("{} {} {:.4}\n", 2_600_040.0 + x, 1_200_040.0 + y, 900.0 - 0.5 * x + bump);
    }
    let project = PROJECT.replace("impacts: [csv, geopackage], report: true", "report: false").replace(
        "{default: medium}",
        "{default: medium, roughness: {height_m: {raster: rough.tif, band: 1}, spacing_m: {raster: rough.tif, band: 2}}}",
    );
    let site = Site::new(&project, TESTS);
    site.write("cloud.xyz", &text);
    let why = site.refused("roughness cloud.xyz rough.tif --cell 2");
    assert!(why.contains("cloud.xyz") && why.contains("--crs"), "{why}");
    let said = site.couloir("roughness cloud.xyz rough.tif --cell 2 --crs EPSG:2056").success();
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(said.contains("spacing_m 0.") && said.contains("height_m 0."), "{said}");
    assert!(site.refused("roughness cloud.xyz rough.tif --cell 2 --crs EPSG:2056").contains("--overwrite"));
    assert!(site.refused("roughness cloud.xyz other.tif --cell 0.2 --crs EPSG:2056").contains("finer"));
    assert!(site.refused("roughness tests.csv other.tif --cell 2 --crs EPSG:2056").contains("line 2"));
    assert!(Path::new(&site.folder.path().join("rough.tif")).is_file());
    // It covers a part of the DEM only; the sentence says where there is no value.
    let why = site.refused("check project.yaml");
    assert!(why.contains("roughness") && why.contains("rough.tif"), "{why}");
}
