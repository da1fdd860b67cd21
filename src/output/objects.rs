//! Objects at risk: how often rocks hit each building, road or power line, how hard and how high, as a table and a GeoPackage for
//! programs that compute risks.
//!
//! A rock hits an object where its centre of mass crosses the outline of the footprint, or the line; it counts once, with its largest
//! energy there. One whose lowest point is above the object's height passes over it and does not hit.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use ::geo::Geometry;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::files::atomic;
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter, described};
use crate::hazard::lines::Role;
use crate::hazard::sample::Sample;
use crate::output::line_files::csv_text;
use crate::output::styles;
use crate::project::file::ObjectSpec;
use crate::project::{self, schemes};
use crate::store::{Setup, VariantResult};

/// What happens to one object, by the rocks of one scenario or of all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ObjectRow {
    /// Name of the layer of objects.
    pub layer: String,
    /// `building`, `road`, …
    pub kind: String,
    /// The feature, or what its attribute calls it.
    pub id: String,
    /// Name, or [`ALL`].
    pub scenario: String,
    pub scenario_return_period_years: Option<f64>,
    /// Rocks of the scenario, those that hit, and those that pass over.
    pub rocks: u64,
    pub rocks_hit: u64,
    pub rocks_over: u64,
    /// Hits per year, whatever their energy; `None` without release frequencies.
    pub hits_per_year: Option<f64>,
    /// The same by class of energy, weakest first.
    pub hits_per_year_by_energy: Vec<Option<f64>>,
    /// Of the rocks that hit; `None` without any, and for scenarios taken together.
    pub energy_kj_p95: Option<f64>,
    pub energy_kj_max: Option<f64>,
    pub velocity_ms_max: Option<f64>,
    /// Lowest point of a rock above the ground, and its highest, at most.
    pub height_lowest_m_max: Option<f64>,
    pub height_top_m_max: Option<f64>,
    /// Rocks a year that hit a vehicle, for objects with traffic.
    pub vehicle_hits_per_year: Option<f64>,
}

/// The objects of a variant.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Objects {
    /// Lower limits of the energy classes, kJ.
    pub energies_kj: Vec<f64>,
    pub rows: Vec<ObjectRow>,
}

/// All scenarios: frequencies add up, the largest values are those of any.
pub(crate) const ALL: &str = "all scenarios";

/// One rock at one object.
#[derive(Debug, Clone, Copy, Default)]
struct Hit {
    energy_kj: f64,
    velocity_m_s: f64,
    lowest_m: f64,
    top_m: f64,
    over: bool,
}

/// Writes `objects.csv`, `objects.gpkg` (areas) and `object_lines.gpkg` with their styles into a folder; nothing for a project without objects.
pub(crate) fn write(folder: &Path, setup: &Setup, variant: &VariantResult) -> Result<Option<Objects>> {
    let site = setup.site;
    if site.objects.is_empty() {
        return Ok(None);
    }
    let objects = evaluate(setup, variant)?;
    std::fs::create_dir_all(folder).map_err(|error| atomic::io_error(folder, &error))?;
    let fields = fields(&objects.energies_kj);
    let named: Vec<(&str, FieldType)> = fields.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    let mut csv = named.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",") + "\n";
    for row in &objects.rows {
        let cells = values(row).into_iter().map(|value| match value {
            Value::Integer(n) => n.to_string(),
            Value::Real(x) => x.to_string(),
            Value::Text(text) => csv_text(&text),
            Value::Null => String::new(),
        });
        csv += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    atomic::write_bytes(&folder.join("objects.csv"), described(csv).as_bytes())?;
    let features: Vec<&Geometry> =
        site.objects.iter().flat_map(|layer| &layer.features.features).map(|feature| &feature.geometry).collect();
    let per_object = (objects.rows.len() / features.len().max(1)).max(1);
    // Areas and lines apart: a program shows one kind of geometry in a layer.
    for (stem, kind, lines) in
        [("objects", GeometryKind::MultiPolygon, false), ("object_lines", GeometryKind::MultiLineString, true)]
    {
        let mine =
            features.iter().zip(objects.rows.chunks(per_object)).filter(|(geometry, _)| is_line(geometry) == lines);
        let mut mine = mine.peekable();
        if mine.peek().is_none() {
            continue;
        }
        let path = folder.join(format!("{stem}.gpkg"));
        let mut writer = VectorWriter::create(&path, Format::GeoPackage, stem, &site.crs, kind, &named)?;
        for (geometry, rows) in mine {
            let geometry = as_parts(geometry);
            for row in rows {
                writer.write(&geometry, &values(row))?;
            }
        }
        writer.finish()?;
        styles::write_objects(folder, stem, lines, (setup.plan.scenarios.len() > 1).then_some(ALL))?;
    }
    Ok(Some(objects))
}

fn is_line(geometry: &Geometry) -> bool {
    matches!(geometry, Geometry::LineString(_) | Geometry::MultiLineString(_) | Geometry::Line(_))
}

/// One kind of geometry for the whole layer, whatever the source had.
fn as_parts(geometry: &Geometry) -> Geometry {
    match geometry.clone() {
        Geometry::Polygon(polygon) => Geometry::MultiPolygon(polygon.into()),
        Geometry::LineString(line) => Geometry::MultiLineString(line.into()),
        other => other,
    }
}

fn evaluate(setup: &Setup, variant: &VariantResult) -> Result<Objects> {
    let site = setup.site;
    let first = setup.lines.lines().iter().position(|line| line.role == Role::Object).unwrap_or(usize::MAX);
    let specs: Vec<&ObjectSpec> =
        site.objects.iter().flat_map(|layer| layer.features.features.iter().map(|_| &layer.spec)).collect();
    // By object and scenario: each rock once.
    let mut hits: BTreeMap<(usize, u32), BTreeMap<u64, Hit>> = BTreeMap::new();
    variant.for_each_crossing(|crossing| {
        let Some(object) = (crossing.line as usize).checked_sub(first) else { return Ok(()) };
        let over = specs[object].height_m.is_some_and(|height| crossing.lowest_height_m > height);
        let hit = hits.entry((object, crossing.scenario)).or_default();
        let hit = hit.entry(crossing.trajectory).or_insert(Hit { over: true, ..Hit::default() });
        if over {
            return Ok(());
        }
        *hit = Hit {
            energy_kj: hit.energy_kj.max(crossing.kinetic_energy_j / 1000.0),
            velocity_m_s: hit.velocity_m_s.max(crossing.velocity_m_s),
            lowest_m: hit.lowest_m.max(crossing.lowest_height_m),
            top_m: hit.top_m.max(crossing.top_height_m),
            over: false,
        };
        Ok(())
    })?;
    let mut yearly: HashMap<u64, f64> = hits.values().flat_map(|rocks| rocks.keys().map(|&rock| (rock, 0.0))).collect();
    let scale = variant.accumulators.first().map_or(1.0, |counts| counts.frequency_scale);
    variant.for_each_record(|record| {
        if let Some(frequency) = yearly.get_mut(&record.number) {
            *frequency = record.frequency_per_year * scale;
        }
        Ok(())
    })?;
    let names = project::scenario_names(&setup.plan.scenarios);
    let frequencies = setup.plan.scenario_frequencies();
    let wish = site.project.file.classification.as_ref();
    let stated = wish.map(|wish| wish.scenario_return_periods_years.clone()).unwrap_or_default();
    let years = schemes::return_periods(&names, &frequencies, &stated)?;
    let limits = energy_limits(setup);
    let mut rows = Vec::new();
    let features = site.objects.iter().flat_map(|layer| layer.features.features.iter().map(move |f| (layer, f)));
    for (object, (layer, feature)) in features.enumerate() {
        let spec = &layer.spec;
        let called = spec.id_attribute.as_ref().and_then(|name| feature.attributes.get(name));
        let id = called.and_then(|value| value.as_text()).unwrap_or(feature.id.to_string());
        let begin = rows.len();
        for (index, name) in names.iter().enumerate() {
            let found = hits.get(&(object, index as u32));
            let known = frequencies[index].is_some();
            let rocks = variant.accumulators.get(index).map_or(0, |counts| counts.released());
            let of_layer = (spec, id.clone(), name.clone(), years[index], rocks);
            rows.push(row(of_layer, found, |rock| known.then(|| yearly.get(&rock).copied().unwrap_or(0.0)), &limits));
        }
        if names.len() > 1 {
            let all = joined(&rows[begin..]);
            rows.push(all);
        }
    }
    Ok(Objects { energies_kj: limits, rows })
}

/// Lower limits of the classes: those of the scheme, else of the project's energies.
fn energy_limits(setup: &Setup) -> Vec<f64> {
    let mut limits: Vec<f64> = match &setup.scheme {
        Some(scheme) if scheme.intensities.len() > 1 => scheme.intensities.iter().map(|class| class.from_kj).collect(),
        _ => [0.0].into_iter().chain(setup.site.project.file.statistics.energies_kj.iter().copied()).collect(),
    };
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    limits
}

type OfScenario<'a> = (&'a ObjectSpec, String, String, Option<f64>, u64);

fn row(
    (spec, id, scenario, scenario_return_period_years, rocks): OfScenario,
    found: Option<&BTreeMap<u64, Hit>>,
    frequency: impl Fn(u64) -> Option<f64>,
    limits: &[f64],
) -> ObjectRow {
    let all = || found.into_iter().flatten();
    let hit = || all().filter(|(_, hit)| !hit.over);
    let largest = |value: fn(&Hit) -> f64| hit().map(|(_, hit)| value(hit)).reduce(f64::max);
    let class = |hit: &Hit| limits.partition_point(|&limit| limit <= hit.energy_kj).saturating_sub(1);
    // Without a frequency of the scenario nothing is known, with one nothing means 0.
    let per_year = |wanted: Option<usize>| {
        frequency(u64::MAX)?;
        let mine = hit().filter(|(_, hit)| wanted.is_none_or(|wanted| class(hit) == wanted));
        // From 0: an empty sum of floating-point numbers is −0.
        Some(mine.filter_map(|(&rock, _)| frequency(rock)).fold(0.0, |sum: f64, yearly| sum + yearly))
    };
    let hits_per_year = per_year(None);
    ObjectRow {
        layer: spec.name.clone(),
        kind: spec.kind.label().into(),
        id,
        scenario,
        scenario_return_period_years,
        rocks,
        rocks_hit: hit().count() as u64,
        rocks_over: all().filter(|(_, hit)| hit.over).count() as u64,
        hits_per_year,
        hits_per_year_by_energy: (0..limits.len()).map(|i| per_year(Some(i))).collect(),
        energy_kj_p95: Sample::new(hit().map(|(_, hit)| hit.energy_kj)).quantile(0.95),
        energy_kj_max: largest(|hit| hit.energy_kj),
        velocity_ms_max: largest(|hit| hit.velocity_m_s),
        height_lowest_m_max: largest(|hit| hit.lowest_m),
        height_top_m_max: largest(|hit| hit.top_m),
        vehicle_hits_per_year: hits_per_year.and_then(|hits| Some(hits * spec.share_of_time_under_a_vehicle()?)),
    }
}

/// Scenarios of one object together.
fn joined(rows: &[ObjectRow]) -> ObjectRow {
    let sum = |value: &dyn Fn(&ObjectRow) -> Option<f64>| rows.iter().filter_map(value).reduce(|a, b| a + b);
    let largest = |value: fn(&ObjectRow) -> Option<f64>| rows.iter().filter_map(value).reduce(f64::max);
    let classes = rows[0].hits_per_year_by_energy.len();
    ObjectRow {
        scenario: ALL.into(),
        scenario_return_period_years: None,
        rocks: rows.iter().map(|row| row.rocks).sum(),
        rocks_hit: rows.iter().map(|row| row.rocks_hit).sum(),
        rocks_over: rows.iter().map(|row| row.rocks_over).sum(),
        hits_per_year: sum(&|row| row.hits_per_year),
        hits_per_year_by_energy: (0..classes).map(|i| sum(&|row| row.hits_per_year_by_energy[i])).collect(),
        energy_kj_p95: None,
        energy_kj_max: largest(|row| row.energy_kj_max),
        velocity_ms_max: largest(|row| row.velocity_ms_max),
        height_lowest_m_max: largest(|row| row.height_lowest_m_max),
        height_top_m_max: largest(|row| row.height_top_m_max),
        vehicle_hits_per_year: sum(&|row| row.vehicle_hits_per_year),
        ..rows[0].clone()
    }
}

fn fields(limits: &[f64]) -> Vec<(String, FieldType)> {
    let fixed = |names: &[&str], kind: FieldType| names.iter().map(|n| (n.to_string(), kind)).collect::<Vec<_>>();
    let mut fields = fixed(&["layer", "kind", "object_id", "scenario"], FieldType::Text);
    fields.extend(fixed(&["scenario_return_period_years"], FieldType::Real));
    fields.extend(fixed(&["rocks", "rocks_hit", "rocks_over"], FieldType::Integer));
    fields.extend(fixed(&["reach_probability", "hits_per_year", "return_period_years"], FieldType::Real));
    for (i, limit) in limits.iter().enumerate() {
        let name = match (i, limits.get(i + 1)) {
            (0, Some(next)) => format!("hits_per_year_below_{next}_kj"),
            (_, Some(next)) => format!("hits_per_year_{limit}_to_{next}_kj"),
            (_, None) => format!("hits_per_year_from_{limit}_kj"),
        };
        fields.push((name, FieldType::Real));
    }
    let last = ["energy_kj_p95", "energy_kj_max", "velocity_ms_max", "height_lowest_m_max", "height_top_m_max"];
    fields.extend(fixed(&last, FieldType::Real));
    fields.extend(fixed(&["vehicle_hits_per_year"], FieldType::Real));
    fields
}

fn values(row: &ObjectRow) -> Vec<Value> {
    let real = |value: Option<f64>| value.filter(|v| v.is_finite()).map_or(Value::Null, Value::Real);
    // What is measured to four decimals, as in the tables of lines.
    let rounded = |value: Option<f64>| real(value.map(|v| (v * 1e4).round() / 1e4));
    let text = |text: &String| Value::Text(text.clone());
    let mut values = vec![text(&row.layer), text(&row.kind), text(&row.id), text(&row.scenario)];
    values.push(real(row.scenario_return_period_years));
    values.extend([row.rocks, row.rocks_hit, row.rocks_over].map(|n| Value::Integer(n as i64)));
    values.push(real((row.rocks > 0).then(|| row.rocks_hit as f64 / row.rocks as f64)));
    values.push(real(row.hits_per_year));
    values.push(real(row.hits_per_year.filter(|&f| f > 0.0).map(|f| 1.0 / f)));
    values.extend(row.hits_per_year_by_energy.iter().map(|&f| real(f)));
    let measured =
        [row.energy_kj_p95, row.energy_kj_max, row.velocity_ms_max, row.height_lowest_m_max, row.height_top_m_max];
    values.extend(measured.map(rounded));
    values.push(real(row.vehicle_hits_per_year));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An energy that is a class' lower limit belongs to it, what passes over is in none, and of the traffic it counts how long a
    /// vehicle is below: 2400 a day of 6 m at 60 km/h, 1 % of the time.
    #[test]
    fn hits_fall_into_classes_of_energy_and_meet_vehicles_by_the_time_they_are_there() {
        let spec: ObjectSpec = serde_json::from_value(serde_json::json!({
            "name": "road", "source": {"file": "road.gpkg"},
            "vehicles_per_day": 2400, "vehicle_length_m": 6, "vehicle_speed_km_h": 60
        }))
        .expect("valid");
        let hit = |energy_kj: f64| Hit { energy_kj, velocity_m_s: 1.0, lowest_m: 0.2, top_m: 1.0, over: false };
        let over = Hit { over: true, ..Hit::default() };
        let rocks = [(3, hit(29.9)), (4, hit(30.0)), (8, hit(300.0)), (9, hit(299.0)), (11, over)].into();
        let of = |name: &str| {
            let scenario = (&spec, "1".to_string(), name.to_string(), None, 50);
            row(scenario, Some(&rocks), |_| Some(0.01), &[0.0, 30.0, 300.0])
        };
        let one = of("often");
        assert_eq!((one.rocks, one.rocks_hit, one.rocks_over), (50, 4, 1));
        let close = |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 1e-12);
        assert!(close(one.hits_per_year, 0.04) && close(one.vehicle_hits_per_year, 0.0004), "{one:?}");
        for (found, expected) in one.hits_per_year_by_energy.iter().zip([0.01, 0.02, 0.01]) {
            assert!(close(*found, expected), "{one:?}");
        }
        let all = joined(&[one, of("seldom")]);
        assert!(close(all.hits_per_year, 0.08) && close(all.vehicle_hits_per_year, 0.0008), "{all:?}");
        assert!(close(all.hits_per_year_by_energy[1], 0.04) && all.rocks_hit == 8 && all.rocks_over == 2);
    }
}
