use super::*;
use crate::geo::Crs;
use crate::geo::vector::{Feature, Value};
use crate::terrain::{Field, Lattice};
use geo::{Geometry, line_string, point, polygon};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

fn surface() -> Surface {
    let lattice = Lattice { nx: 60, ny: 60, x0: 2_600_000.0, y0: 1_200_000.0, dx: 2.0, dy: 2.0 };
    let values = (0..3600).map(|i| 500.0 + (i / 60) as f64 * 2.0 + 0.3 * ((i % 60) as f64).sin()).collect();
    Surface::new(Field { lattice, values }).unwrap()
}

fn layer(geometries: Vec<Geometry<f64>>) -> VectorLayer {
    let feature = |(i, geometry): (usize, Geometry<f64>)| Feature {
        id: i as i64 + 1,
        geometry,
        z: None,
        attributes: [("mass".to_string(), Value::Real(100.0 * (i + 1) as f64))].into(),
    };
    let crs = Crs::from_epsg(2056).unwrap();
    VectorLayer {
        name: "cliff".into(),
        features: geometries.into_iter().enumerate().map(feature).collect(),
        source_crs: crs.clone(),
        crs,
        fields: Vec::new(),
        warnings: Vec::new(),
    }
}

fn spec(yaml: &str) -> ReleaseSpec {
    let json: serde_json::Value = serde_yaml::from_str(&format!("source: {{file: x.shp}}\n{yaml}")).unwrap();
    serde_json::from_value(json).unwrap()
}

fn rocks(yaml: &str) -> Vec<(RockSpec, Shape)> {
    let specs: Vec<RockSpec> = serde_yaml::from_str(yaml).unwrap();
    let shape = |spec: &RockSpec| match &spec.shape {
        crate::project::file::ShapeSpec::Preset(name) => Shape::from_preset(name).unwrap(),
        _ => unreachable!(),
    };
    specs.into_iter().map(|spec| (spec.clone(), shape(&spec))).collect()
}

fn square(x: f64, y: f64, size: f64) -> Geometry<f64> {
    let (x, y) = (2_600_000.0 + x, 1_200_000.0 + y);
    polygon![(x: x, y: y), (x: x + size, y: y), (x: x + size, y: y + size), (x: x, y: y + size)].into()
}

const SCATTER: &str = "rocks_per_position: 3\nspeed_m_s: {distribution: uniform, min: 0, max: 2}\nspin_rps: 0.5\n";

fn sources<'a>(
    surface: &'a Surface,
    layers: Vec<(&'a ReleaseSpec, &'a VectorLayer)>,
    rocks: &'a [(RockSpec, Shape)],
    ground: &'a GroundSpec,
) -> Sources<'a> {
    Sources { surface, layers, keys: Vec::new(), rocks, listed: rocks.len(), ground, seed: 1 }
}

/// Release k is the same asked alone, in any order, or of a plan with more rocks after it.
#[test]
fn release_k_depends_only_on_seed_and_k() {
    let (surface, polygons) = (surface(), layer(vec![square(21.0, 21.0, 10.0), square(51.0, 31.0, 6.0)]));
    let rocks = rocks("[{shape: eota_111, mass_kg: {distribution: power_law, exponent: 1.5, min: 10, max: 1000}}]");
    let ground = GroundSpec { scatter_mu: 0.1, ..Default::default() };
    let spec = spec(&format!("{SCATTER}placement: {{count: 20}}"));
    let sources = |seed| Sources {
        surface: &surface,
        layers: vec![(&spec, &polygons)],
        keys: Vec::new(),
        rocks: &rocks,
        listed: rocks.len(),
        ground: &ground,
        seed,
    };
    let one = plan(sources(7)).unwrap();
    assert_eq!((one.len(), one.position_count()), (120, 40));
    let again = plan(sources(7)).unwrap();
    let other = plan(sources(8)).unwrap();
    for k in [119, 0, 60, 3] {
        let (a, b, c) = (one.get(k).unwrap(), again.get(k).unwrap(), other.get(k).unwrap());
        assert_eq!(a.start, b.start);
        assert_eq!((&a.rock, a.scale, a.position), (&b.rock, b.scale, b.position));
        assert_ne!(a.start, c.start);
        assert_ne!(a.position, c.position);
        assert_ne!(a.rock.mass_kg, c.rock.mass_kg);
        assert!(a.scale.mu != 1.0 && (a.scale.mu - 1.0).abs() <= 0.1 && a.scale.beta == 1.0);
        assert!((a.start.omega.norm() - std::f64::consts::PI).abs() < 1e-9);
    }
    assert!(one.get(120).is_err());
}

/// Two areas alike, even one upon the other, have places of their own: else half of the rocks would tell nothing new.
#[test]
fn features_of_a_layer_do_not_share_their_places() {
    let (surface, squares) = (surface(), layer(vec![square(21.0, 21.0, 10.0), square(21.0, 21.0, 10.0)]));
    let (rocks, ground) = (rocks("[{shape: eota_111, mass_kg: 100}]"), GroundSpec::default());
    let spec = spec("placement: {count: 20}");
    let layers = vec![(&spec, &squares), (&spec, &squares)];
    let plan = plan(sources(&surface, layers, &rocks, &ground)).unwrap();
    let mut places: Vec<[u64; 2]> = plan.positions.iter().map(|at| [at.x.to_bits(), at.y.to_bits()]).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 80);
}

/// Natural rocks have another hull each, of the mass that was asked for, and the same one when asked again.
#[test]
fn each_natural_rock_is_another() {
    let (surface, points) = (surface(), layer(vec![point!(x: 2_600_050.3, y: 1_200_061.7).into()]));
    let rocks = rocks("[{shape: natural, mass_kg: 800}]");
    let (ground, spec) = (GroundSpec::default(), spec("rocks_per_position: 20"));
    let plan = plan(sources(&surface, vec![(&spec, &points)], &rocks, &ground)).unwrap();
    let rock = |k: u64| plan.get(k).unwrap().rock;
    for k in 0..19 {
        let (this, next) = (rock(k), rock(k + 1));
        assert_eq!(this, rock(k));
        assert!((this.mass_kg - 800.0).abs() < 1e-9 && (20..=30).contains(&this.vertices.len()));
        assert_ne!(this.vertices, next.vertices);
    }
}

/// The lowest corner starts exactly at the release height above the ground, whatever the orientation.
#[test]
fn the_lowest_point_starts_at_the_release_height() {
    let (surface, points) = (surface(), layer(vec![point!(x: 2_600_050.3, y: 1_200_061.7).into()]));
    let rocks = rocks("[{shape: eota_111, mass_kg: 800}, {shape: sphere, mass_kg: 500}]");
    let ground = GroundSpec::default();
    let spec = spec("rocks_per_position: 60\nheight_m: 1.25\nspeed_m_s: 2");
    let plan = plan(sources(&surface, vec![(&spec, &points)], &rocks, &ground)).unwrap();
    let mut spheres = 0;
    for k in 0..plan.len() {
        let Release { rock, start, frame, .. } = plan.get(k).unwrap();
        let surface = surface.seen_from(&frame);
        assert!((start.velocity.norm() - 2.0).abs() < 1e-12 && start.velocity.y < 0.0 && start.velocity.z < 0.0);
        let gap = |vertex: &Vector3<f64>| surface.gap(&(start.position + start.orientation * vertex)).unwrap();
        match rock.sphere_radius {
            Some(_) => spheres += 1,
            None => assert!((rock.vertices.iter().map(gap).fold(f64::INFINITY, f64::min) - 1.25).abs() < 1e-9),
        }
    }
    assert!(spheres > 15 && spheres < 45, "{spheres} of 60 with equal weights");
}

/// The release's own size comes before the rock's, mass before volume, and a sphere touches the slope it starts on.
#[test]
fn sizes_orientation_and_the_start_of_spheres() {
    let (surface, points) = (surface(), layer(vec![point!(x: 2_600_050.3, y: 1_200_061.7).into()]));
    let ground = GroundSpec::default();
    let first = |release: &str, rock: &str| {
        let (spec, rocks) = (spec(release), rocks(rock));
        plan(sources(&surface, vec![(&spec, &points)], &rocks, &ground)).unwrap().get(0).unwrap()
    };
    let both = "[{shape: eota_111, mass_kg: 300, volume_m3: 2, density_kg_m3: 2500}]";
    assert!((first("", both).rock.mass_kg - 300.0).abs() < 1e-6);
    assert!((first("mass_kg: 400\nvolume_m3: 3", both).rock.mass_kg - 400.0).abs() < 1e-6);
    assert!((first("volume_m3: 3", both).rock.mass_kg - 7500.0).abs() < 1e-6);
    let volume = "[{shape: eota_111, volume_m3: 2, density_kg_m3: 2500}]";
    assert!((first("", volume).rock.mass_kg - 5000.0).abs() < 1e-6);
    let turned = first("orientation: {quaternion: [0.5, 0.1, 0.7, 0.5]}", both).start.orientation;
    let expected = UnitQuaternion::new_normalize(Quaternion::new(0.5, 0.1, 0.7, 0.5));
    assert!(turned.angle_to(&expected) < 1e-9, "{turned}");
    let Release { rock, start, frame, .. } = first("height_m: 0", "[{shape: sphere, mass_kg: 500}]");
    let spot = surface.seen_from(&frame).spot(start.position.x, start.position.y).unwrap();
    let distance = (start.position.z - spot.height) * spot.normal().z;
    assert!((distance / rock.sphere_radius.unwrap() - 1.0).abs() < 1e-9, "{distance}");
}

/// Two layers of one scenario add up, per feature.
#[test]
fn frequencies_of_a_scenario_are_summed_over_features_and_layers() {
    let surface = surface();
    let polygons = layer(vec![square(21.0, 21.0, 4.0), square(51.0, 31.0, 8.0)]);
    let rocks = rocks("[{shape: eota_111, mass_kg: 5}]");
    let ground = GroundSpec::default();
    let (rare, often) =
        (spec("scenario: rare\nfrequency_per_year: 0.1"), spec("scenario: often\nfrequency_per_year: 2"));
    let layers = vec![(&rare, &polygons), (&often, &polygons), (&rare, &polygons)];
    let plan = plan(sources(&surface, layers, &rocks, &ground)).unwrap();
    let per_year: Vec<f64> = plan.scenario_frequencies().into_iter().flatten().collect();
    assert!((per_year[0] - 0.4).abs() < 1e-12 && (per_year[1] - 4.0).abs() < 1e-12, "{per_year:?}");
}

/// An azimuth is a bearing: clockwise from north, not counter-clockwise from east.
#[test]
fn an_azimuth_is_clockwise_from_north() {
    let surface = surface();
    let compass =
        [(0.0, 0.0, 1.0), (90.0, 1.0, 0.0), (180.0, 0.0, -1.0), (-90.0, -1.0, 0.0), (30.0, 0.5, 0.75_f64.sqrt())];
    for (azimuth, east, north) in compass {
        let place = start::Place { surface: &surface, x: 50.0, y: 50.0 };
        let found = place.direction(&crate::project::file::Direction::AzimuthDeg(azimuth));
        assert!((found - Vector3::new(east, north, 0.0)).norm() < 1e-12, "{azimuth}: {found}");
    }
}

/// A feature's frequency is shared by its rocks; sizes may come from attributes; scenarios are numbered as they appear.
#[test]
fn frequencies_attributes_and_scenarios() {
    let surface = surface();
    let polygons = layer(vec![square(21.0, 21.0, 4.0), square(51.0, 31.0, 8.0)]);
    let rocks = rocks("[{shape: eota_111}, {name: other, shape: eota_221, mass_kg: 5}]");
    let ground = GroundSpec::default();
    let rare = spec("scenario: rare\nmass_kg: {attribute: mass}\nfrequency_per_year: 0.1\nrocks_per_position: 5");
    let often = spec("scenario: often\nrocks: [other]");
    let layers = vec![(&rare, &polygons), (&often, &polygons), (&rare, &polygons)];
    let plan = plan(sources(&surface, layers, &rocks, &ground)).unwrap();
    assert_eq!(plan.scenarios, [Some("rare".to_string()), Some("often".to_string())]);
    assert!(plan.has_frequency());
    let per_year = plan.scenario_frequencies();
    assert!(per_year.iter().flatten().count() == 1, "{per_year:?}");
    let all: Vec<_> = (0..plan.len()).map(|k| plan.get(k).unwrap()).collect();
    let first: Vec<_> = all.iter().filter(|r| r.layer == 0 && r.feature == 1).collect();
    assert_eq!(first.len(), 4 * 5);
    assert!((first.iter().map(|r| r.frequency_per_year).sum::<f64>() - 0.1).abs() < 1e-12);
    assert!(all.iter().filter(|r| r.layer != 1).all(|r| (r.rock.mass_kg - 100.0 * r.feature as f64).abs() < 1e-6));
    assert!(all.iter().filter(|r| r.layer == 1).all(|r| r.rock_name == "other" && r.frequency_per_year == 0.0));
    for release in &all {
        let lattice = surface.lattice();
        let (column, row) = lattice.cell_at(release.position[0], release.position[1]).unwrap();
        assert_eq!(release.source_cell as usize, row * lattice.nx + column);
    }
}

#[test]
fn nothing_to_release_is_an_error_that_says_why() {
    let (surface, polygons) = (surface(), layer(vec![square(21.0, 21.0, 10.0)]));
    let rocks = rocks("[{shape: eota_111, mass_kg: 5}]");
    let ground = GroundSpec::default();
    let spec = spec("placement: {min_slope_deg: 80}");
    let error = plan(sources(&surface, vec![(&spec, &polygons)], &rocks, &ground)).unwrap_err();
    assert!(error.message.contains("no position was found") && error.exit_code() == 3, "{error}");
}

/// A least slope thins what the placement finds and leaves the rest where it was.
#[test]
fn a_least_slope_holds_for_every_placement() {
    let (surface, polygons) = (surface(), layer(vec![square(21.0, 21.0, 60.0)]));
    let (rocks, ground) = (rocks("[{shape: eota_111, mass_kg: 5}]"), GroundSpec::default());
    let places = |yaml: &str| -> Vec<(f64, f64)> {
        let spec = spec(yaml);
        let found = plan(sources(&surface, vec![(&spec, &polygons)], &rocks, &ground)).unwrap();
        found.positions.iter().map(|position| (position.x, position.y)).collect()
    };
    let lattice = *surface.lattice();
    let steep = |&(x, y): &(f64, f64)| {
        let (column, row) = lattice.cell_at(x, y).unwrap();
        placement::slope_deg(&surface, column, row).unwrap() >= 45.2
    };
    for placement in ["auto", "{grid_m: 4}", "{count: 50}"] {
        let all = places(&format!("placement: {placement}"));
        let some = places(&format!("placement: {placement}\nmin_slope_deg: 45.2"));
        assert_eq!(some, all.iter().copied().filter(steep).collect::<Vec<_>>(), "{placement}");
        assert!(!some.is_empty() && some.len() < all.len(), "{placement}: {} of {}", some.len(), all.len());
    }
}

/// Every test of a field experiment is a feature of its own: rock, mass, number, velocity, spin and orientation differ, and
/// neither the spin's axis nor the velocity turns with the rock.
#[test]
fn each_feature_may_say_how_its_rocks_start() {
    let surface = surface();
    let mut tests = layer(vec![
        point!(x: 2_600_050.3, y: 1_200_061.7).into(),
        point!(x: 2_600_060.0, y: 1_200_040.0).into(),
        point!(x: 2_600_070.0, y: 1_200_050.0).into(),
    ]);
    let rows = [("plate", 2, [1.0, 0.0, 0.0]), ("ball", 1, [0.0, 3.0, 4.0]), ("plate", 3, [0.0, 0.0, -2.0])];
    for (feature, (rock, count, v)) in tests.features.iter_mut().zip(rows) {
        let axis = [v[2], v[0], v[1]];
        let mut put = |name: &str, value: Value| feature.attributes.insert(name.into(), value);
        put("rock", Value::Text(rock.into()));
        put("n", Value::Integer(count));
        for k in 0..3 {
            put(&format!("v{k}"), Value::Real(v[k]));
            put(&format!("a{k}"), Value::Real(axis[k]));
        }
        (0..4).for_each(|k| drop(put(&format!("q{k}"), Value::Real([0.5, -0.1, 0.7, 0.2][k]))));
    }
    let rocks = rocks("[{name: ball, shape: sphere}, {name: plate, shape: eota_221}]");
    let ground = GroundSpec::default();
    let spec = spec(
        "rocks_per_position: {attribute: n}\nrock: {attribute: rock}\nmass_kg: {attribute: mass}\ndensity_kg_m3: 2650\n\
         centre_height_m: 1.5\nvelocity_m_s: {attributes: [v0, v1, v2]}\nspin_rps: 0.5\n\
         spin_axis: {attributes: [a0, a1, a2]}\norientation: {quaternion: {attributes: [q0, q1, q2, q3]}}",
    );
    let layers = vec![(&spec, &tests)];
    let plan = plan(sources(&surface, layers, &rocks, &ground)).unwrap();
    let released: Vec<Release> = (0..plan.len()).map(|k| plan.get(k).unwrap()).collect();
    assert_eq!(released.iter().map(|r| r.feature).collect::<Vec<_>>(), [1, 1, 2, 3, 3, 3]);
    assert_eq!(released.iter().map(|r| r.rock_name.as_str()).collect::<Vec<_>>()[1..4], ["plate", "ball", "plate"]);
    for release in released {
        let (_, _, v) = rows[release.feature as usize - 1];
        let Start { position, orientation, velocity, omega } = release.start;
        assert!((velocity - Vector3::from(v)).norm() < 1e-12);
        let spin = Vector3::new(v[2], v[0], v[1]).normalize() * std::f64::consts::PI;
        assert!((orientation * omega - spin).norm() < 1e-9, "{omega}");
        assert!(
            (position.z - surface.seen_from(&release.frame).height(position.x, position.y).unwrap() - 1.5).abs() < 1e-9
        );
        assert!((release.rock.mass_kg - 100.0 * release.feature as f64).abs() < 1e-6);
        assert!((release.rock.mass_kg / release.rock.volume_m3 - 2650.0).abs() < 1e-6);
    }
    tests.features[1].attributes.insert("n".into(), Value::Real(1.5));
    let layers = vec![(&spec, &tests)];
    let refused = super::plan(sources(&surface, layers, &rocks, &ground)).unwrap_err().message;
    assert!(refused.contains("feature 2") && refused.contains("\"1.5\"") && refused.contains("whole"), "{refused}");
}

/// A rock weighs what its feature's stretch of the release area makes it (a fifth of the rocks stand for half of it), and meets a
/// ground of its own.
#[test]
fn a_rock_bears_the_weight_of_its_feature_and_a_ground_of_its_own() {
    let surface = surface();
    let line = |x: f64| line_string![(x: 2_600_000.0 + x, y: 1_200_030.0), (x: 2_600_020.0 + x, y: 1_200_030.0)].into();
    let mut lines = layer(vec![line(1.0), line(77.0)]);
    let (rocks, ground) = (rocks("[{shape: eota_111, mass_kg: 5}]"), GroundSpec::default());
    for (feature, n) in lines.features.iter_mut().zip([2, 8]) {
        feature.attributes.insert("n".into(), Value::Integer(n));
    }
    let spec = spec("placement: {count: 5}\nrocks_per_position: {attribute: n}");
    let layers = vec![(&spec, &lines)];
    let plan = plan(sources(&surface, layers, &rocks, &ground)).unwrap();
    let released: Vec<Release> = (0..plan.len()).map(|k| plan.get(k).unwrap()).collect();
    assert_eq!(released.len(), 50);
    for release in &released {
        let expected = if release.feature == 1 { 2.5 } else { 0.625 };
        assert!((release.reach_weight - expected).abs() < 1e-12, "{}: {}", release.feature, release.reach_weight);
    }
    let grounds: std::collections::BTreeSet<u64> = released.iter().map(|release| release.scale.seed).collect();
    assert_eq!(grounds.len(), 50);
}

/// By rounds random places are drawn anew, and none of them is flatter than the least slope or without ground.
#[test]
fn a_least_slope_holds_in_every_round() {
    let (surface, polygons) = (surface(), layer(vec![square(21.0, 21.0, 60.0)]));
    let (rocks, ground) = (rocks("[{shape: eota_111, mass_kg: 5}]"), GroundSpec::default());
    let spec = spec("placement: {count: 50}\nmin_slope_deg: 45.2\nrocks_per_position: 4\nfrequency_per_year: 3");
    let layers = vec![(&spec, &polygons)];
    let mut plan = plan(sources(&surface, layers, &rocks, &ground)).unwrap();
    let round = plan.position_count() as u64;
    plan.number_by_rounds(4 * round);
    assert_eq!(plan.round(), Some(round));
    let lattice = *surface.lattice();
    let mut places = std::collections::BTreeSet::new();
    for k in 0..plan.len() {
        let release = plan.get(k).unwrap();
        let (column, row) = lattice.cell_at(release.position[0], release.position[1]).unwrap();
        assert!(placement::slope_deg(&surface, column, row).unwrap() >= 45.2, "{:?}", release.position);
        places.insert(release.position.map(f64::to_bits));
        // All rocks of a round stand for all releases of a year.
        assert!((release.frequency_per_year * round as f64 - 3.0).abs() < 1e-12);
        assert_eq!(u64::from(release.half), k / round % 2);
    }
    assert_eq!(places.len() as u64, plan.len(), "every rock has its own place");
}
