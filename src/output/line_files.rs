//! What recording lines and barriers leave in the run folder: every crossing (CSV and GeoPackage), a summary per line and
//! segment, histograms as SVG, and the dimensioning sheets as JSON.

use std::fmt::Write;
use std::path::Path;

use ::geo::Geometry;
use serde_json::json;

use crate::draw::svg::figure;
use crate::files::atomic;
use crate::files::names::file_name;
use crate::geo::Crs;
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter, described};
use crate::hazard::crossings::Crossing;
use crate::hazard::lines::{LineSet, Role};
use crate::hazard::sample::{SUMMARY_QUANTILES, smallest_sample};
use crate::output::line_results::LineResult;
use crate::output::styles::{self, Histogram};
use crate::terrain::Lattice;
use crate::{Error, Result};

/// Writes all files of the lines into a folder (made if missing); returns the names of the files.
pub(crate) fn write(
    folder: &Path,
    lines: &LineSet,
    crossings: &[Crossing],
    results: &[LineResult],
    scenarios: &[String],
    lattice: &Lattice,
    crs: &Crs,
) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Error::failed(format!("The folder {} cannot be made: {error}.", folder.display())).caused_by(error)
    })?;
    let mut files = vec!["crossings.csv".to_string(), "crossings.gpkg".into(), "summary.csv".into()];
    atomic::write_bytes(
        &folder.join("crossings.csv"),
        described(crossings_csv(lines, crossings, scenarios, lattice)).as_bytes(),
    )?;
    write_gpkg(&folder.join("crossings.gpkg"), lines, crossings, scenarios, (lattice, crs))?;
    atomic::write_bytes(&folder.join("summary.csv"), described(summary_csv(results)).as_bytes())?;
    let sheets: Vec<_> = results.iter().map(sheet_json).collect();
    let text = serde_json::to_string_pretty(&sheets)
        .map_err(|e| Error::failed(format!("dimensioning.json: {e}.")).caused_by(e))?;
    atomic::write_bytes(&folder.join("dimensioning.json"), (text + "\n").as_bytes())?;
    files.push("dimensioning.json".into());
    let mut pictures = Vec::new();
    for (index, result) in results.iter().enumerate() {
        if !result.histograms.is_empty() {
            let svg = figure(&result.histograms, 2);
            let stem = match scenarios.len() {
                1 => file_name(&result.name),
                _ => file_name(&format!("{} {}", result.name, result.scenario)),
            };
            let name = format!("{:02}_{stem}.svg", index + 1);
            atomic::write_bytes(&folder.join(&name), svg.as_bytes())?;
            let scenario = (scenarios.len() > 1).then(|| result.scenario.to_string());
            pictures.push(Histogram { line: result.name.clone(), scenario, file: name.clone() });
            files.push(name);
        }
    }
    styles::write_crossings(folder, &pictures)?;
    write_lines(&folder.join("lines.gpkg"), lines, results, &pictures, crs)?;
    styles::write_lines(folder)?;
    files.extend(["crossings.qml", "lines.gpkg", "lines.qml"].map(String::from));
    Ok(files)
}

const FIELDS: [(&str, FieldType); 23] = [
    ("trajectory", FieldType::Integer),
    ("scenario", FieldType::Text),
    ("line", FieldType::Text),
    ("segment", FieldType::Integer),
    ("crossing", FieldType::Integer),
    ("time_s", FieldType::Real),
    ("x_m", FieldType::Real),
    ("y_m", FieldType::Real),
    ("z_m", FieldType::Real),
    ("distance_m", FieldType::Real),
    ("kinetic_energy_kj", FieldType::Real),
    ("rotational_energy_kj", FieldType::Real),
    ("velocity_ms", FieldType::Real),
    ("rotation_rps", FieldType::Real),
    ("height_lowest_m", FieldType::Real),
    ("height_centre_m", FieldType::Real),
    ("height_top_m", FieldType::Real),
    ("incidence_deg", FieldType::Real),
    ("inclination_deg", FieldType::Real),
    ("direction", FieldType::Text),
    ("mass_kg", FieldType::Real),
    ("shape", FieldType::Text),
    ("fate", FieldType::Text),
];

fn values(crossing: &Crossing, lines: &LineSet, scenarios: &[String], lattice: &Lattice) -> Vec<Value> {
    // Coordinates to the millimetre, the rest to what a reader can use; the same digits in both files.
    let rounded = |value: f64, digits: i32| Value::Real((value * 10f64.powi(digits)).round() / 10f64.powi(digits));
    let c = crossing;
    vec![
        Value::Integer(c.trajectory as i64),
        Value::Text(scenarios.get(c.scenario as usize).cloned().unwrap_or_default()),
        Value::Text(lines.lines()[c.line as usize].name.clone()),
        Value::Integer(i64::from(c.segment) + 1),
        Value::Integer(i64::from(c.count)),
        rounded(c.time_s, 4),
        rounded(lattice.x0 + c.position.x, 3),
        rounded(lattice.y0 + c.position.y, 3),
        rounded(c.position.z, 3),
        rounded(c.chainage_m, 3),
        rounded(c.kinetic_energy_j / 1000.0, 4),
        rounded(c.rotational_energy_j / 1000.0, 4),
        rounded(c.velocity_m_s, 4),
        rounded(c.rotation_rps, 4),
        rounded(c.lowest_height_m, 4),
        rounded(c.centre_height_m, 4),
        rounded(c.top_height_m, 4),
        rounded(c.incidence_deg, 2),
        rounded(c.inclination_deg, 2),
        Value::Text(if c.left_to_right { "left_to_right" } else { "right_to_left" }.into()),
        rounded(c.mass_kg, 3),
        Value::Text(c.shape.clone()),
        c.fate.map_or(Value::Null, |fate| Value::Text(fate.label().into())),
    ]
}

fn crossings_csv(lines: &LineSet, crossings: &[Crossing], scenarios: &[String], lattice: &Lattice) -> String {
    let mut out = FIELDS.map(|(name, _)| name).join(",") + "\n";
    for crossing in crossings {
        let cells: Vec<String> = values(crossing, lines, scenarios, lattice)
            .into_iter()
            .map(|value| match value {
                Value::Integer(n) => n.to_string(),
                Value::Real(x) => x.to_string(),
                Value::Text(text) => csv_text(&text),
                Value::Null => String::new(),
            })
            .collect();
        out += &cells.join(",");
        out.push('\n');
    }
    out
}

/// Quoted where it must be.
pub(crate) fn csv_text(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

fn write_gpkg(
    path: &Path,
    lines: &LineSet,
    crossings: &[Crossing],
    scenarios: &[String],
    (lattice, crs): (&Lattice, &Crs),
) -> Result<()> {
    let mut writer = VectorWriter::create(path, Format::GeoPackage, "crossings", crs, GeometryKind::Point3D, &FIELDS)?;
    for crossing in crossings {
        let at = [lattice.x0 + crossing.position.x, lattice.y0 + crossing.position.y, crossing.position.z];
        writer.write(at, &values(crossing, lines, scenarios, lattice))?;
    }
    writer.finish().map(|_| ())
}

const LINE_FIELDS: [(&str, FieldType); 11] = [
    ("name", FieldType::Text),
    ("kind", FieldType::Text),
    ("length_m", FieldType::Real),
    ("height_m", FieldType::Real),
    ("capacity_kj", FieldType::Real),
    ("scenario", FieldType::Text),
    ("rocks", FieldType::Integer),
    ("crossings", FieldType::Integer),
    ("kinetic_energy_kj_p95", FieldType::Real),
    ("height_centre_m_p95", FieldType::Real),
    ("histograms", FieldType::Text),
];

/// The lines and barriers themselves. Their figures and histograms are those of all rocks, or else of the last scenario (usually the
/// rarest) whose rocks cross.
fn write_lines(path: &Path, lines: &LineSet, results: &[LineResult], pictures: &[Histogram], crs: &Crs) -> Result<()> {
    let kind = GeometryKind::MultiLineString;
    let mut writer = VectorWriter::create(path, Format::GeoPackage, "lines", crs, kind, &LINE_FIELDS)?;
    let [x0, y0] = lines.origin();
    for line in lines.lines().iter().filter(|line| line.role != Role::Object) {
        let of_line = |result: &&LineResult| result.name == line.name;
        let crossed = results.iter().rev().filter(of_line).find(|result| result.rows[0].crossings > 0);
        let Some(result) = crossed.or_else(|| results.iter().rev().find(of_line)) else { continue };
        let part = |part: &Vec<[f64; 2]>| part.iter().map(|[x, y]| (x0 + x, y0 + y)).collect::<::geo::LineString>();
        let shape = Geometry::MultiLineString(line.parts.iter().map(part).collect());
        let row = &result.rows[0];
        let picture = pictures.iter().find(|picture| {
            picture.line == line.name && picture.scenario.as_ref().is_none_or(|scenario| *scenario == result.scenario)
        });
        let real = |value: Option<f64>| value.map_or(Value::Null, Value::Real);
        let barrier = match line.role {
            Role::Barrier(barrier) => Some(barrier),
            Role::Record | Role::Object => None,
        };
        writer.write(
            &shape,
            &[
                Value::Text(line.name.clone()),
                Value::Text(if barrier.is_some() { "barrier" } else { "line" }.into()),
                Value::Real(result.length_m),
                real(barrier.map(|barrier| barrier.height_m)),
                real(barrier.map(|barrier| barrier.capacity_j / 1000.0)),
                Value::Text(result.scenario.clone()),
                Value::Integer(row.rocks as i64),
                Value::Integer(row.crossings as i64),
                real(row.energy_kj.quantile(0.95)),
                real(row.centre_height_m.quantile(0.95)),
                picture.map_or(Value::Null, |picture| Value::Text(picture.file.clone())),
            ],
        )?;
    }
    writer.finish().map(|_| ())
}

fn summary_csv(results: &[LineResult]) -> String {
    let mut out = String::from("line,scenario,segment,from_m,to_m,crossings,rocks");
    for quantity in ["kinetic_energy_kj", "velocity_ms", "height_lowest_m", "height_centre_m"] {
        for q in SUMMARY_QUANTILES {
            let _ = write!(out, ",{quantity}_p{:.0}", 100.0 * q);
        }
        let _ = write!(out, ",{quantity}_max");
    }
    out += ",kinetic_energy_kj_p95_upper95,p95_sample_too_small\n";
    for result in results {
        for row in &result.rows {
            let segment = row.segment.map_or("all".into(), |segment| segment.to_string());
            let (name, scenario) = (csv_text(&result.name), csv_text(&result.scenario));
            let _ = write!(out, "{name},{scenario},{segment},{:.3},{:.3}", row.from_m, row.to_m);
            let _ = write!(out, ",{},{}", row.crossings, row.rocks);
            for sample in [&row.energy_kj, &row.velocity_m_s, &row.lowest_height_m, &row.centre_height_m] {
                let quantiles = SUMMARY_QUANTILES.map(|q| sample.quantile(q));
                for value in quantiles.into_iter().chain([sample.max()]) {
                    out.push(',');
                    out += &value.map_or(String::new(), |v| format!("{v:.4}"));
                }
            }
            let bound = row.energy_kj.quantile_upper_bound(0.95).map_or(String::new(), |v| format!("{v:.4}"));
            let _ = writeln!(out, ",{bound},{}", u8::from(row.crossings < smallest_sample(0.95)));
        }
    }
    out
}

fn sheet_json(result: &LineResult) -> serde_json::Value {
    let barrier = match result.role {
        Role::Record | Role::Object => serde_json::Value::Null,
        Role::Barrier(b) => json!({"height_m": b.height_m, "capacity_kj": b.capacity_j / 1000.0}),
    };
    let tally = result.tally.map(|t| {
        json!({"stopped": t.stopped, "stopped_partly_above": t.stopped_partly_above,
               "broke_through": t.broke_through, "passed_over": t.passed_over})
    });
    let sheet = result.sheet.as_ref().map(|s| {
        let factors: Vec<_> = s
            .factors
            .iter()
            .map(|f| {
                json!({"name": f.name, "value": f.value, "acts_on": format!("{:?}", f.acts).to_lowercase(),
                       "meaning": f.meaning, "from_project": f.from_project, "assumption": !f.confirmed && !f.from_project})
            })
            .collect();
        json!({
            "standard": s.standard, "quantile": s.quantile, "rocks": s.rocks, "crossings": s.crossings,
            "characteristic_energy_kj": s.characteristic_energy_kj,
            "characteristic_energy_upper95_kj": s.energy_upper_bound_kj,
            "characteristic_height_m": s.characteristic_height_m,
            "characteristic_height_upper95_m": s.height_upper_bound_m,
            "factors": factors,
            "design_energy_kj": s.design_energy_kj, "required_energy_kj": s.required_energy_kj,
            "design_height_m": s.design_height_m, "freeboard_m": s.freeboard_m,
            "required_height_m": s.required_height_m, "ead_340059_class_kj": s.class_kj,
            "retained_share": s.retained_share, "notes": s.notes,
        })
    });
    json!({"line": result.name, "scenario": result.scenario, "length_m": result.length_m, "barrier": barrier, "tally": tally, "dimensioning": sheet})
}
