//! `couloir check`: reads everything a project names and tells what was found.

use std::fmt::Write;
use std::path::PathBuf;

use crate::ensemble::survey::{self, ParameterRange, Survey};
use crate::project::classes::NO_SOIL_ME_KN_M2;
use crate::{Error, Result, project, site, store};

/// Read everything a project names and print what was found: layers, releases, parameters, cost, warnings
///
/// Exit codes: 0 fine (also with warnings), 1 failed, 2 wrong usage, 3 invalid input.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The project file
    project: PathBuf,
    /// Print one JSON object instead of tables, also for invalid input
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: super::Force,
}

pub(super) fn run(args: Args) -> Result<()> {
    args.force.heed();
    let loaded = project::load(&args.project).and_then(|project| site::load(&project));
    let surveyed = loaded.and_then(|mut site| {
        site.look_at_all()?;
        let survey = survey::survey(&store::set_up(&site, None)?)?;
        Ok((survey, site))
    });
    match surveyed {
        Ok((survey, _)) if args.json => super::print(&json(&survey)?),
        Ok((survey, site)) => super::print(&tables(&survey, &site)),
        Err(error) if args.json => {
            super::print(&json(&Survey::of_error(&error))?)?;
            Err(error)
        }
        Err(error) => Err(error),
    }
}

fn json(survey: &Survey) -> Result<String> {
    let text = serde_json::to_string_pretty(survey)
        .map_err(|e| Error::failed(format!("no JSON can be made: {e}")).caused_by(e))?;
    Ok(text + "\n")
}

fn tables(survey: &Survey, site: &site::Site) -> String {
    let mut out = String::new();
    let title = &site.project.file.title;
    let _ = writeln!(out, "{}{}{title}", site.project.path.display(), if title.is_empty() { "" } else { ": " });
    let _ = writeln!(out, "CRS {}\n", site.crs.label());

    let mut rows =
        vec![["layer", "file", "CRS", "size", "cell", "extent (x, y)", "on DEM", "nodata"].map(String::from)];
    for layer in &survey.layers {
        let size = match (layer.features, layer.cells) {
            (Some(features), _) => format!("{features} features"),
            (None, Some((columns, rows))) => format!("{columns} × {rows}"),
            (None, None) => String::new(),
        };
        let e = &layer.extent;
        rows.push([
            layer.role.clone(),
            layer.source.clone(),
            layer.crs.clone(),
            size,
            layer.cell_m.map(|(x, y)| if x == y { format!("{x}") } else { format!("{x} × {y}") }).unwrap_or_default(),
            format!("{:.0}–{:.0}, {:.0}–{:.0}", e.west, e.east, e.south, e.north),
            format!("{:.0} %", layer.overlap_percent),
            layer.nodata_cells.map(|cells| cells.to_string()).unwrap_or_default(),
        ]);
    }
    table(&mut out, &rows);

    for shift in &site.datum_shifts {
        let _ = writeln!(out, "{}", shift.note());
    }
    let mut rows = vec![["parameter", "smallest", "largest", "unit"].map(String::from)];
    for p in &survey.parameters {
        rows.push([p.key.clone(), value(p, p.min), value(p, p.max), p.unit.to_string()]);
    }
    let _ = writeln!(out);
    table(&mut out, &rows);

    let mut rows = vec![["rock", "shape", "form", "corners", "sphericity", "edges"].map(String::from)];
    for (k, rock) in survey.rocks.iter().enumerate() {
        let name = if rock.name.is_empty() { format!("rocks[{k}]") } else { rock.name.clone() };
        let about = if rock.differs { "about " } else { "" };
        rows.push([
            name,
            rock.shape.clone(),
            if rock.differs { "varies".into() } else { rock.form.into() },
            rock.corners.to_string(),
            format!("{about}{:.2}", rock.sphericity),
            format!("{about}{:.0}°", rock.edge_deg),
        ]);
    }
    let _ = writeln!(out);
    table(&mut out, &rows);

    let _ = writeln!(out, "\n{} release positions, {} trajectories", survey.releases, survey.trajectories);
    if let Some(estimate) = &survey.estimate {
        let megabytes = estimate.memory_bytes as f64 / 1e6;
        let time = match estimate.least_time_s {
            None => duration(estimate.time_s),
            Some(least) => {
                format!(
                    "{} to {}, as many rocks as its map takes to settle",
                    duration(least),
                    duration(estimate.time_s)
                )
            }
        };
        let _ = writeln!(out, "A run needs about {megabytes:.0} MB and {time} ({}).", estimate.basis);
    }
    for sentence in &survey.sentences {
        let _ = writeln!(out, "{}: {}", sentence.level.name(), sentence.text);
    }
    if survey.sentences.is_empty() {
        let _ = writeln!(out, "No objections.");
    }
    out
}

fn table<const N: usize>(out: &mut String, rows: &[[String; N]]) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    for row in rows {
        let cells = row.iter().enumerate().map(|(k, cell)| format!("{cell:<width$}", width = width(k)));
        let _ = writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

/// As a number; where there is no soil it has no strength.
fn value(parameter: &ParameterRange, value: f64) -> String {
    let no_soil = parameter.key.ends_with("me_kn_m2") && value >= NO_SOIL_ME_KN_M2;
    if no_soil { "no soil".into() } else { value.to_string() }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than a second".into(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s => format!("{:.1} hours", s / 3600.0),
    }
}
