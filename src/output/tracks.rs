//! Trajectories on disk: 3D lines with attributes, deposits as points, and on request points along the way. The files are
//! written from the logs, in their order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::geo::Crs;
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Shape, Value, VectorWriter};
use crate::hazard::impacts::Impact;
use crate::hazard::quantity::Quantity;
use crate::store::Setup;
use crate::store::log::LogFile;
use crate::store::record::{TrajectoryRecord, stop_name};
use crate::store::run_folder::ROCKS;
use crate::store::track::{Track, TrackPoint};
use crate::{Error, Note, Result};

const RECORD_FIELDS: [(&str, FieldType); 15] = [
    ("id", FieldType::Integer),
    ("release", FieldType::Text),
    ("feature", FieldType::Integer),
    ("shape", FieldType::Text),
    ("mass_kg", FieldType::Real),
    ("e_max_kj", FieldType::Real),
    ("v_max_ms", FieldType::Real),
    ("jump_max_m", FieldType::Real),
    ("rot_max", FieldType::Real),
    ("runout_m", FieldType::Real),
    ("path_m", FieldType::Real),
    ("eline_deg", FieldType::Real),
    ("time_s", FieldType::Real),
    ("stop", FieldType::Text),
    ("scenario", FieldType::Text),
];

/// What stands behind the numbers of records, by which the files of a run tell them.
pub(crate) struct Names {
    layers: Vec<String>,
    scenarios: Vec<Option<String>>,
    /// Attributes of release features that are carried along, in the project's order.
    kept: Vec<(String, FieldType)>,
    /// Their values, by layer and feature.
    values: BTreeMap<(u32, i64), Vec<Value>>,
}

impl Names {
    pub(crate) fn of(setup: &Setup) -> Self {
        let (site, plan) = (setup.site, &setup.plan);
        let mut names = Self {
            layers: (0..site.releases.len()).map(|layer| plan.layer_name(layer).to_string()).collect(),
            scenarios: plan.scenarios.clone(),
            kept: Vec::new(),
            values: BTreeMap::new(),
        };
        for (attribute, layer) in site.releases.iter().flat_map(|r| r.spec.keep_attributes.iter().map(move |a| (a, r)))
        {
            let kind = layer.features.fields.iter().find(|field| field.name == *attribute).map(|field| field.kind);
            let kind = kind.unwrap_or(FieldType::Text);
            match names.kept.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(attribute)) {
                Some((_, known)) if *known != kind => *known = FieldType::Text,
                Some(_) => {}
                None => names.kept.push((attribute.clone(), kind)),
            }
        }
        if names.kept.is_empty() {
            return names;
        }
        for (index, layer) in site.releases.iter().enumerate() {
            for feature in &layer.features.features {
                let value = |(name, kind): &(String, FieldType)| {
                    let wanted = layer.spec.keep_attributes.iter().find(|kept| kept.eq_ignore_ascii_case(name));
                    let value = wanted.and_then(|name| feature.attributes.get(name)).cloned().unwrap_or(Value::Null);
                    match kind {
                        FieldType::Text => value.as_text().map_or(Value::Null, Value::Text),
                        _ => value,
                    }
                };
                names.values.insert((index as u32, feature.id), names.kept.iter().map(value).collect());
            }
        }
        names
    }

    /// Fields of a file that has these of its own; those carried along come last.
    fn fields<'a>(&'a self, own: &[(&'a str, FieldType)]) -> Vec<(&'a str, FieldType)> {
        own.iter().copied().chain(self.kept.iter().map(|(name, kind)| (name.as_str(), *kind))).collect()
    }

    /// What the feature of a record has in the attributes that are carried along.
    fn kept(&self, layer: u32, feature: i64) -> impl Iterator<Item = Value> + '_ {
        let none = || vec![Value::Null; self.kept.len()];
        self.values.get(&(layer, feature)).cloned().unwrap_or_else(none).into_iter()
    }

    fn layer(&self, record: &TrajectoryRecord) -> Value {
        Value::Text(self.layers.get(record.layer as usize).cloned().unwrap_or_default())
    }

    fn scenario(&self, record: &TrajectoryRecord) -> Value {
        self.scenarios.get(record.scenario as usize).cloned().flatten().map_or(Value::Null, Value::Text)
    }
}

fn values(record: &TrajectoryRecord, names: &Names) -> Vec<Value> {
    let max = |q: Quantity| Value::Real(f64::from(record.max[q]));
    let own = [
        Value::Integer(record.number as i64),
        names.layer(record),
        Value::Integer(record.feature),
        Value::Text(record.shape.clone()),
        Value::Real(record.mass_kg),
        max(Quantity::KineticEnergy),
        max(Quantity::Velocity),
        max(Quantity::JumpHeight),
        max(Quantity::Rotation),
        Value::Real(record.runout_m()),
        Value::Real(record.path_m),
        Value::Real(record.energy_line_deg()),
        Value::Real(record.time_s),
        Value::Text(stop_name(record.stop).into()),
        names.scenario(record),
    ];
    own.into_iter().chain(names.kept(record.layer, record.feature)).collect()
}

/// A vector file on disk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VectorFile {
    pub path: PathBuf,
    pub features: u64,
    /// What the reader must know: features left out for the format's size limit.
    pub warnings: Vec<Note>,
}

fn finish(writer: VectorWriter, path: PathBuf) -> Result<VectorFile> {
    let written = writer.finish()?;
    Ok(VectorFile { path, features: written.features, warnings: written.warnings })
}

/// Writes the trajectories as lines. A rock that ended where it began becomes a line of two equal vertices.
pub(crate) fn write_lines(
    log: &LogFile,
    folder: &Path,
    format: Format,
    crs: &Crs,
    names: &Names,
) -> Result<VectorFile> {
    let path = folder.join(format!("trajectories.{}", format.extension()));
    let kind = GeometryKind::LineString3D;
    let mut writer = VectorWriter::create(&path, format, "trajectories", crs, kind, &names.fields(&RECORD_FIELDS))?;
    log.read(Track::decode, |mut track| {
        if let [only] = track.vertices[..] {
            track.vertices.push(only);
        }
        if !track.vertices.is_empty() {
            writer.write(&track.vertices[..], &values(&track.record, names))?;
        }
        Ok(())
    })?;
    finish(writer, path)
}

/// Writes where rocks came to rest (or were held by a barrier), every one of them.
pub(crate) fn write_deposits(
    log: &LogFile,
    folder: &Path,
    format: Format,
    crs: &Crs,
    names: &Names,
) -> Result<VectorFile> {
    let path = folder.join(format!("deposits.{}", format.extension()));
    let (kind, fields) = (GeometryKind::Point3D, names.fields(&RECORD_FIELDS));
    let mut writer = VectorWriter::create(&path, format, "deposits", crs, kind, &fields)?;
    log.read(
        |mut input| TrajectoryRecord::decode(&mut input),
        |record| {
            if record.is_deposit() {
                writer.write(Shape::Point3D(record.end), &values(&record, names))?;
            }
            Ok(())
        },
    )?;
    finish(writer, path)
}

/// Writes the point records.
pub(crate) fn write_points(log: &LogFile, folder: &Path, format: Format, crs: &Crs) -> Result<VectorFile> {
    let path = folder.join(format!("trajectory_points.{}", format.extension()));
    let fields = [
        ("id", FieldType::Integer),
        ("time_s", FieldType::Real),
        ("energy_kj", FieldType::Real),
        ("velo_ms", FieldType::Real),
        ("jump_m", FieldType::Real),
        ("rot_rps", FieldType::Real),
    ];
    let mut writer = VectorWriter::create(&path, format, "trajectory_points", crs, GeometryKind::Point3D, &fields)?;
    log.read(TrackPoint::decode, |point| {
        let reals = [point.time_s].into_iter().chain(point.values).map(Value::Real);
        let values: Vec<Value> = std::iter::once(Value::Integer(point.number as i64)).chain(reals).collect();
        writer.write(Shape::Point3D(point.position), &values)?;
        Ok(())
    })?;
    finish(writer, path)
}

const ROCK_FIELDS: [(&str, FieldType); 24] = [
    ("id", FieldType::Integer),
    ("release", FieldType::Text),
    ("feature", FieldType::Integer),
    ("scenario", FieldType::Text),
    ("shape", FieldType::Text),
    ("mass_kg", FieldType::Real),
    ("volume_m3", FieldType::Real),
    ("start_x_m", FieldType::Real),
    ("start_y_m", FieldType::Real),
    ("start_z_m", FieldType::Real),
    ("end_x_m", FieldType::Real),
    ("end_y_m", FieldType::Real),
    ("end_z_m", FieldType::Real),
    ("stop", FieldType::Text),
    ("time_s", FieldType::Real),
    ("runout_m", FieldType::Real),
    ("path_m", FieldType::Real),
    ("energy_line_deg", FieldType::Real),
    ("energy_max_kj", FieldType::Real),
    ("velocity_max_m_s", FieldType::Real),
    ("jump_max_m", FieldType::Real),
    ("rotation_max_rps", FieldType::Real),
    ("contact_speed_max_m_s", FieldType::Real),
    ("slow_s", FieldType::Real),
];

/// Writes one row for every rock, wherever and however it ended.
pub(crate) fn write_rocks(log: &LogFile, folder: &Path, crs: &Crs, names: &Names) -> Result<VectorFile> {
    let path = folder.join(ROCKS);
    let fields = names.fields(&ROCK_FIELDS);
    let mut writer = VectorWriter::create(&path, Format::Csv, "rocks", crs, GeometryKind::None, &fields)?;
    log.read(
        |mut input| TrajectoryRecord::decode(&mut input),
        |record| {
            let [energy, velocity, jump, rotation] = Quantity::ALL.map(|quantity| f64::from(record.max[quantity]));
            let mut values = vec![
                Value::Integer(record.number as i64),
                names.layer(&record),
                Value::Integer(record.feature),
                names.scenario(&record),
                Value::Text(record.shape.clone()),
                Value::Real(record.mass_kg),
                Value::Real(record.volume_m3),
            ];
            values.extend(record.start.iter().chain(&record.end).map(|&value| Value::Real(value)));
            values.push(Value::Text(stop_name(record.stop).into()));
            let lengths = [record.time_s, record.runout_m(), record.path_m, record.energy_line_deg()];
            let largest = [energy, velocity, jump, rotation, record.signs.contact_m_s, record.signs.slow_s];
            values.extend(lengths.into_iter().chain(largest).map(Value::Real));
            values.extend(names.kept(record.layer, record.feature));
            writer.write(Shape::None, &values)?;
            Ok(())
        },
    )?;
    finish(writer, path)
}

const IMPACT_FIELDS: [(&str, FieldType); 21] = [
    ("id", FieldType::Integer),
    ("release", FieldType::Text),
    ("feature", FieldType::Integer),
    ("shape", FieldType::Text),
    ("impact", FieldType::Integer),
    ("time_s", FieldType::Real),
    ("duration_s", FieldType::Real),
    ("flight_s", FieldType::Real),
    ("speed_before_m_s", FieldType::Real),
    ("speed_after_m_s", FieldType::Real),
    ("normal_before_m_s", FieldType::Real),
    ("normal_after_m_s", FieldType::Real),
    ("spin_before_rps", FieldType::Real),
    ("spin_after_rps", FieldType::Real),
    ("energy_before_kj", FieldType::Real),
    ("energy_after_kj", FieldType::Real),
    ("rotational_before_kj", FieldType::Real),
    ("rotational_after_kj", FieldType::Real),
    ("scar_depth_m", FieldType::Real),
    ("scar_length_m", FieldType::Real),
    ("mass_kg", FieldType::Real),
];

/// Writes the impacts, rock by rock and in order of time. Rocks have the same order in both logs, which on large sites is not that of
/// their numbers.
pub(crate) fn write_impacts(
    [impacts, records]: [&LogFile; 2],
    folder: &Path,
    format: Format,
    crs: &Crs,
    names: &Names,
) -> Result<VectorFile> {
    let path = folder.join(format!("impacts.{}", format.extension()));
    let fields = names.fields(&IMPACT_FIELDS);
    let mut writer = VectorWriter::create(&path, format, "impacts", crs, GeometryKind::Point3D, &fields)?;
    let mut rocks = records.records(|mut input| TrajectoryRecord::decode(&mut input))?;
    let mut rock: Option<TrajectoryRecord> = None;
    impacts.read(Impact::decode, |impact| {
        if rock.as_ref().is_none_or(|rock| rock.number != impact.trajectory) {
            let wanted =
                |next: &Result<TrajectoryRecord>| next.as_ref().map_or(true, |next| next.number == impact.trajectory);
            rock = rocks.find(wanted).transpose()?;
        }
        let Some(rock) = &rock else {
            return Err(Error::failed(
                "the log of impacts names a rock that is not in the run: recompute this part of it",
            ));
        };
        let mut values = vec![
            Value::Integer(impact.trajectory as i64),
            names.layer(rock),
            Value::Integer(rock.feature),
            Value::Text(rock.shape.clone()),
            Value::Integer(impact.count as i64),
        ];
        let pairs = [impact.speed_m_s, impact.normal_m_s, impact.spin_rps, impact.energy_kj, impact.rotational_kj];
        let reals = [impact.time_s, impact.duration_s, impact.flight_s].into_iter().chain(pairs.into_iter().flatten());
        let reals = reals.chain([impact.scar_depth_m, impact.scar_length_m, rock.mass_kg]);
        values.extend(reals.map(Value::Real));
        values.extend(names.kept(rock.layer, rock.feature));
        writer.write(Shape::Point3D(impact.position), &values)?;
        Ok(())
    })?;
    finish(writer, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::rules::TAKEN_FIELDS;

    /// Attributes that are carried along are refused these names before anything is computed.
    #[test]
    fn the_project_knows_all_fields_of_the_tables() {
        let own = RECORD_FIELDS.iter().chain(&ROCK_FIELDS).chain(&IMPACT_FIELDS);
        own.for_each(|(name, _)| assert!(TAKEN_FIELDS.contains(name), "{name}"));
    }
}
