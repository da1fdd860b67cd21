//! The main demo: 1.5 km² of an alpine valley side, with a hamlet below a rock step, and a road below a cliff band.

use std::path::Path;

use couloir::Result;
use couloir::geo::Crs;
use couloir::geo::write_vector::{FieldType, Format, GeometryKind, Value};
use couloir::terrain::grid::{Field, Lattice};
use geo::{Geometry, Polygon};

use crate::contour::polygons;
use crate::earthworks::{House, Station, blurred, grade_along, level_under, nearest, trace_road, trace_stream};
use crate::mountain::{Mountain, Plan, build, fill, position};
use crate::noise::{fractal, smoothstep, uniform};
use crate::write::{Layer, dem, layer, line, text};

const SEED: u64 = 2056;
const ROAD_HALF_WIDTH_M: f64 = 3.2;

/// The rock step above the hamlet, down the slope: its edge, its foot, the foot of the scree below it, the end of the bench.
const STEP: [f64; 4] = [268.0, 275.0, 290.0, 438.0];
/// From where to where across the slope.
const STEP_SIDES: (f64, f64) = (-100.0, 10.0);
/// Height of the bench at the foot of the scree, and how it falls from there.
const BENCH: (f64, f64) = (1118.0, 0.08);
/// The scree's own height and slope.
const STEP_SCREE: (f64, f64) = (10.5, 0.7);

fn plan() -> Plan {
    Plan {
        seed: SEED,
        lattice: Lattice { nx: 620, ny: 610, x0: 2_786_001.0, y0: 1_181_001.0, dx: 2.0, dy: 2.0 },
        fall_azimuth_deg: 245.0,
        profile: vec![
            (-1100.0, 1930.0),
            (-520.0, 1640.0),
            (-400.0, 1580.0),
            (-335.0, 1455.0),
            (-110.0, 1322.0),
            (140.0, 1190.0),
            (300.0, 1135.0),
            (470.0, 1094.0),
            (540.0, 1082.0),
            (690.0, 1082.0),
            (1000.0, 1200.0),
        ],
        cliff: (-400.0, -335.0),
        meadow: 160.0,
        floor: 500.0,
        stream: 610.0,
        cliff_reach: (560.0, 420.0),
    }
}

/// Where the houses of the hamlet stand, down and across the slope.
const HOUSES: [(f64, f64); 11] = [
    (322.0, -64.0),
    (348.0, -22.0),
    (362.0, -72.0),
    (372.0, 14.0),
    (414.0, -36.0),
    (420.0, -88.0),
    (423.0, 22.0),
    (362.0, 66.0),
    (416.0, 112.0),
    (290.0, 196.0),
    (424.0, -262.0),
];

/// Release areas: name, extent across the slope, block volumes and yearly frequencies of the 30-, 100- and 300-year scenario.
type ReleaseArea = (&'static str, (f64, f64), [f64; 3], [f64; 3]);
const CLIFF_AREAS: [ReleaseArea; 4] = [
    ("north buttress", (250.0, 400.0), [0.1, 0.25, 0.5], [0.10, 0.02, 0.004]),
    ("main face", (20.0, 190.0), [0.2, 0.4, 1.0], [0.20, 0.03, 0.005]),
    ("gully walls", (-190.0, -60.0), [0.1, 0.2, 0.5], [0.30, 0.05, 0.008]),
    ("south pillar", (-420.0, -280.0), [0.1, 0.3, 0.8], [0.08, 0.02, 0.004]),
];

pub fn make(folder: &Path) -> Result<()> {
    let crs = Crs::from_epsg(2056)?;
    let plan = plan();
    let mut site = build(&plan);
    cut_step(&mut site);
    let forest = forest(&site);
    let (release, cliff) = (step_area(&site), cliff_areas(&site));

    let road = trace_road(&site.dem, &site.frame, 175.0, -0.045, 900.0);
    let lane = trace_road(&site.dem, &site.frame, 314.0, 0.02, 900.0);
    let stream = trace_stream(&site.dem, &site.frame, SEED + 5, plan.stream, 900.0);
    grade_along(&mut site.dem, &stream, 3.0, 0.7, f64::INFINITY);
    grade_along(&mut site.dem, &lane, 1.8, 0.7, 0.6);
    grade_along(&mut site.dem, &road, ROAD_HALF_WIDTH_M, 1.0, 0.65);
    let houses = houses(&site, &lane);
    for house in &houses {
        level_under(&mut site.dem, house);
    }

    let gpkg = |name: &str| folder.join(format!("{name}.gpkg"));
    dem(&folder.join("dem.tif"), &site.dem, &crs, -9999.0)?;
    layer(&gpkg("ground"), Format::GeoPackage, &crs, &ground(&site, &road))?;
    layer(&gpkg("forest"), Format::GeoPackage, &crs, &forest)?;
    layer(&gpkg("release"), Format::GeoPackage, &crs, &release)?;
    layer(&gpkg("cliff"), Format::GeoPackage, &crs, &cliff)?;
    layer(&gpkg("houses"), Format::GeoPackage, &crs, &house_layer(&houses))?;
    layer(&gpkg("lines"), Format::GeoPackage, &crs, &lines(&site, &road, &lane, &stream))
}

/// A bench cut into the slope, a rock step behind it and scree at its foot.
fn cut_step(site: &mut Mountain) {
    let lattice = site.dem.lattice;
    let [edge, foot, scree_end, end] = STEP;
    for cell in 0..lattice.len() {
        let (x, y) = position(&lattice, cell);
        let (s, t) = site.frame.st(x, y);
        let depth = smoothstep(STEP_SIDES.0 - 40.0, STEP_SIDES.0 + 15.0, t)
            * smoothstep(STEP_SIDES.1 + 40.0, STEP_SIDES.1 - 15.0, t)
            * smoothstep(end, end - 20.0, s);
        // No edge runs straight.
        let s = s + 3.0 * fractal(SEED + 71, x / 34.0, y / 34.0, 3, 0.5);
        if depth == 0.0 || s < edge {
            continue;
        }
        let height = site.dem.values[cell];
        let level = BENCH.0 - BENCH.1 * (s - scree_end);
        let scree = (BENCH.0 + STEP_SCREE.0 - STEP_SCREE.1 * (s - foot)).max(level);
        let wall = height + (scree - height) * ((s - edge) / (foot - edge)).min(1.0);
        let cut = wall.min(height) + 0.25 * fractal(SEED + 72, x / 9.0, y / 9.0, 3, 0.5);
        site.dem.values[cell] = height + depth * (cut.min(height) - height);
        let is_wall = smoothstep(edge - 1.0, edge + 1.0, s) * smoothstep(foot + 1.5, foot - 0.5, s);
        let is_scree = smoothstep(foot - 0.5, foot + 1.5, s) * smoothstep(scree_end + 4.0, scree_end, s);
        let sure = smoothstep(0.3, 0.6, depth);
        site.rock.values[cell] = site.rock.values[cell].max(sure * is_wall);
        site.scree.values[cell] = site.scree.values[cell].max(sure * is_scree);
    }
}

fn houses(site: &Mountain, lane: &[Station]) -> Vec<House> {
    let place = |(k, (s, t)): (usize, (f64, f64))| {
        // Nobody builds on the lane: move down the slope until it is clear.
        let clear = |s: &f64| {
            let (x, y) = site.frame.xy(*s, t);
            nearest(lane, x, y, 13.0).is_none()
        };
        let s = (0..10).map(|k| s + 4.0 * f64::from(k)).find(clear).unwrap_or(s);
        let (x, y) = site.frame.xy(s, t);
        let draw = |seed: u64| uniform(SEED + seed, k as i64, 0);
        House { x, y, length: 10.0 + 5.0 * draw(1), depth: 8.0 + 3.0 * draw(2), ridge_rad: 1.9 + 0.4 * draw(3) }
    };
    HOUSES.into_iter().enumerate().map(place).collect()
}

/// Ground classes as a mapper would draw them; the road's surface comes last and wins.
fn ground(site: &Mountain, road: &[Station]) -> Layer<'static> {
    let mut features = Vec::new();
    let mut add = |field: &Field<f64>, class: &str, what: &str, min_area: f64| {
        for polygon in polygons(&blurred(field, 1, 2), min_area) {
            features.push((Geometry::Polygon(polygon), vec![text(class), text(what)]));
        }
    };
    add(&site.floor, "soft", "valley floor", 400.0);
    add(&site.meadow, "medium_soft", "meadow", 400.0);
    add(&site.scree, "medium_hard", "scree", 150.0);
    add(&site.rock, "extra_hard", "rock", 150.0);
    features.push((Geometry::Polygon(strip(road, ROAD_HALF_WIDTH_M)), vec![text("extra_hard"), text("road")]));
    Layer {
        name: "ground",
        kind: GeometryKind::Polygon,
        fields: &[("class", FieldType::Text), ("surface", FieldType::Text)],
        features,
    }
}

/// Wood below the cliff between meadow and scree, thinner above; gullies and the scree stay bare.
fn forest(site: &Mountain) -> Layer<'static> {
    let lattice = site.dem.lattice;
    let gully = blurred(&site.gully, 4, 2);
    let mut open = fill(&lattice, |_, _| 0.0);
    let (mut medium, mut dense) = (open.clone(), open.clone());
    for cell in 0..lattice.len() {
        let (x, y) = position(&lattice, cell);
        let (s, _) = site.frame.st(x, y);
        let bare = site.scree.values[cell].max(site.rock.values[cell]).max(site.meadow.values[cell]);
        let bare = bare.max(site.floor.values[cell]).max((2.2 * gully.values[cell]).min(1.0));
        let growth = fractal(SEED + 91, x / 210.0, y / 210.0, 3, 0.5) - 0.7 * smoothstep(-300.0, -420.0, s);
        let free = 1.0 - bare;
        dense.values[cell] = free * smoothstep(0.05, 0.2, growth);
        medium.values[cell] = free * smoothstep(-0.5, -0.4, growth) * smoothstep(0.2, 0.05, growth);
        open.values[cell] = free * smoothstep(-0.95, -0.85, growth) * smoothstep(-0.4, -0.5, growth);
    }
    let mut features = Vec::new();
    for (field, class) in [(&open, "open"), (&medium, "medium"), (&dense, "dense")] {
        for polygon in polygons(&blurred(field, 2, 2), 900.0) {
            features.push((Geometry::Polygon(polygon), vec![text(class)]));
        }
    }
    Layer { name: "forest", kind: GeometryKind::Polygon, fields: &[("class", FieldType::Text)], features }
}

/// Block volumes and yearly frequencies of the 30-, 100- and 300-year scenario.
type Blocks = ([f64; 3], [f64; 3]);

fn step_area(site: &Mountain) -> Layer<'static> {
    let area = fill(&site.dem.lattice, |x, y| {
        let (s, t) = site.frame.st(x, y);
        let along = smoothstep(STEP_SIDES.0 - 1.0, STEP_SIDES.0 + 3.0, t)
            * smoothstep(STEP_SIDES.1 + 1.0, STEP_SIDES.1 - 3.0, t);
        along * smoothstep(STEP[0] - 4.0, STEP[0] - 2.0, s) * smoothstep(STEP[1], STEP[1] - 2.0, s)
    });
    let feature = release_feature(&area, "rock step", ([0.2, 1.0, 3.0], [0.1, 0.02, 0.004]));
    release_layer("release", feature.into_iter().collect())
}

fn cliff_areas(site: &Mountain) -> Layer<'static> {
    let lattice = site.dem.lattice;
    let area = |(name, (from, to), volumes, frequencies): ReleaseArea| {
        let mut area = site.rock.clone();
        for (cell, share) in area.values.iter_mut().enumerate() {
            let (x, y) = position(&lattice, cell);
            let (s, t) = site.frame.st(x, y);
            let band = smoothstep(-480.0, -470.0, s) * smoothstep(-270.0, -280.0, s);
            *share *= band * smoothstep(from - 4.0, from + 4.0, t) * smoothstep(to + 4.0, to - 4.0, t);
        }
        release_feature(&area, name, (volumes, frequencies))
    };
    release_layer("cliff", CLIFF_AREAS.into_iter().filter_map(area).collect())
}

/// The largest patch is the release area; crumbs beside it are not worth a polygon.
fn release_feature(area: &Field<f64>, name: &str, (volumes, frequencies): Blocks) -> Option<(Geometry, Vec<Value>)> {
    let polygon = polygons(&blurred(area, 1, 2), 300.0).into_iter().next()?;
    let mut values = vec![text(name)];
    values.extend(volumes.into_iter().chain(frequencies).map(Value::Real));
    Some((Geometry::Polygon(polygon), values))
}

fn release_layer(name: &'static str, features: Vec<(Geometry, Vec<Value>)>) -> Layer<'static> {
    Layer {
        name,
        kind: GeometryKind::Polygon,
        fields: &[
            ("name", FieldType::Text),
            ("volume_30y_m3", FieldType::Real),
            ("volume_100y_m3", FieldType::Real),
            ("volume_300y_m3", FieldType::Real),
            ("frequency_30y", FieldType::Real),
            ("frequency_100y", FieldType::Real),
            ("frequency_300y", FieldType::Real),
        ],
        features,
    }
}

fn house_layer(houses: &[House]) -> Layer<'static> {
    let outline = |house: &House| Geometry::Polygon(Polygon::new(house.corners().into_iter().collect(), Vec::new()));
    Layer {
        name: "houses",
        kind: GeometryKind::Polygon,
        fields: &[("number", FieldType::Integer)],
        features: houses
            .iter()
            .enumerate()
            .map(|(k, house)| (outline(house), vec![Value::Integer(k as i64 + 1)]))
            .collect(),
    }
}

/// Road, lane and stream as built and found; the barrier planned 12 m above the lane below the rock step.
fn lines(site: &Mountain, road: &[Station], lane: &[Station], stream: &[Station]) -> Layer<'static> {
    let barrier: Vec<Station> = lane
        .iter()
        .map(|station| (site.frame.st(station.x, station.y), station))
        .filter(|((_, t), _)| (STEP_SIDES.0 - 10.0..=STEP_SIDES.1 + 10.0).contains(t))
        .map(|((s, t), station)| {
            let (x, y) = site.frame.xy(s - 12.0, t);
            Station { x, y, ..*station }
        })
        .step_by(3)
        .collect();
    let features = [("road", road), ("lane", lane), ("stream", stream), ("barrier", &barrier)]
        .into_iter()
        .map(|(kind, stations)| (Geometry::LineString(line(stations)), vec![text(kind)]))
        .collect();
    Layer { name: "lines", kind: GeometryKind::LineString, fields: &[("kind", FieldType::Text)], features }
}

/// The area within `half_width` of a line.
fn strip(stations: &[Station], half_width: f64) -> Polygon<f64> {
    let offset = |k: usize, side: f64| {
        let (a, b) = (stations[k.saturating_sub(1)], stations[(k + 1).min(stations.len() - 1)]);
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let scale = side * half_width / (dx * dx + dy * dy).sqrt();
        (stations[k].x - dy * scale, stations[k].y + dx * scale)
    };
    let left = (0..stations.len()).map(|k| offset(k, 1.0));
    let right = (0..stations.len()).rev().map(|k| offset(k, -1.0));
    Polygon::new(left.chain(right).collect(), Vec::new())
}
