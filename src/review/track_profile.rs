//! Trajectories from the side: energy, velocity and jump height along their way, from the point records of a run.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ::geo::Geometry;
use serde_json::json;

use super::profile::{FORMAT, PAGE, WRITTEN_BY, refuse_existing, rounded, write_json};
use super::refuse_changed_of_run;
use crate::draw::svg::{Plot, figure};
use crate::files::atomic;
use crate::files::marked::Marked;
use crate::geo::vector::VectorSourceResolved;
use crate::geo::vector::{self, Feature};
use crate::math;
use crate::output::page::{self, Block};
use crate::texts::{msg, say};
use crate::{Error, Result};

/// Attributes of the point records that are shown, and what they are.
const QUANTITIES: [(&str, &str, &str, &str); 3] = [
    ("energy_kj", "panel-energy", "axis-energy", "#d7301f"),
    ("velo_ms", "panel-velocity", "axis-velocity", "#35456c"),
    ("jump_m", "panel-jump", "axis-jump", "#8856a7"),
];

/// One trajectory: time, horizontal distance, height, and the quantities.
struct Track {
    id: i64,
    points: Vec<[f64; 6]>,
}

/// Writes profile.csv, .json, .svg and .html of at most so many trajectories; returns how many there are.
///
/// # Errors
/// No point records; a folder that holds something else.
pub(crate) fn tracks(records: &str, most: usize, out: &Path, overwrite: bool) -> Result<usize> {
    let source = VectorSourceResolved::file(records)?;
    refuse_existing(out, overwrite, &[source.path().map_or(PathBuf::new(), Path::to_path_buf)])?;
    source.path().map_or(Ok(()), |path| refuse_changed_of_run(path, out))?;
    let layer = vector::read(&source, None)?;
    let wanted = ["id", "time_s"].into_iter().chain(QUANTITIES.map(|quantity| quantity.0));
    let missing: Vec<&str> = wanted.filter(|name| !layer.has_field(name)).collect();
    if !missing.is_empty() {
        return Err(Error::input(format!(
            "'{records}' holds no point records of a run (no attribute {}); expected RUN/trajectories/trajectory_points, \
             which a run writes with `outputs.points_every_s`",
            missing.join(", ")
        )));
    }
    let tracks = grouped(&layer.features, most);
    if tracks.is_empty() {
        return Err(Error::input(format!("'{records}' holds no points; choose a layer that has some")));
    }
    let marked = Marked::open(out, WRITTEN_BY)?;
    let plots = plots(&tracks);
    let title = &say!("track-profile-title");
    let count = say!("trajectories", count = tracks.len());
    let caption = say!("track-profile-caption");
    let blocks = [
        Block::Title(title.clone()),
        Block::Subtitle(format!("{count}, {records}")),
        Block::drawing(&plots, 1, caption),
    ];
    atomic::write_bytes(&marked.path("profile.csv"), csv(&tracks).as_bytes())?;
    let track = |track: &Track| {
        let column = |i: usize| track.points.iter().map(|point| point[i]).collect::<Vec<f64>>();
        json!({"id": track.id, "time_s": column(0), "distance_m": column(1), "z_m": column(2),
               "energy_kj": column(3), "velo_ms": column(4), "jump_m": column(5)})
    };
    write_json(&marked, &json!({"format": FORMAT, "tracks": tracks.iter().map(track).collect::<Vec<_>>()}))?;
    atomic::write_bytes(&marked.path("profile.svg"), figure(&plots, 1).as_bytes())?;
    atomic::write_bytes(&marked.path(PAGE), page::render(title, &blocks)?.as_bytes())?;
    marked.commit(true)?;
    Ok(tracks.len())
}

/// The first trajectories of a layer, their points in the order of time.
fn grouped(features: &[Feature], most: usize) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    let mut places: std::collections::BTreeMap<i64, usize> = Default::default();
    // Time, x, y, z and the quantities, until the distance is known.
    let mut raw: Vec<Vec<[f64; 7]>> = Vec::new();
    for feature in features {
        let number = |name: &str| feature.attributes.get(name).and_then(vector::Value::as_f64).unwrap_or(f64::NAN);
        let Geometry::Point(place) = feature.geometry else { continue };
        let id = number("id") as i64;
        let index = match places.get(&id) {
            Some(&index) => index,
            None if tracks.len() >= most => continue,
            None => {
                places.insert(id, tracks.len());
                tracks.push(Track { id, points: Vec::new() });
                raw.push(Vec::new());
                tracks.len() - 1
            }
        };
        let z = feature.z.as_ref().and_then(|z| z.first().copied()).unwrap_or(f64::NAN);
        let [energy, velocity, jump] = QUANTITIES.map(|quantity| number(quantity.0));
        raw[index].push([number("time_s"), place.x(), place.y(), z, energy, velocity, jump]);
    }
    for (track, mut points) in tracks.iter_mut().zip(raw) {
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut distance = 0.0;
        for (i, &[time, x, y, z, energy, velocity, jump]) in points.iter().enumerate() {
            let before = points[i.saturating_sub(1)];
            distance += math::hypot(x - before[1], y - before[2]);
            track.points.push([time, rounded(distance), rounded(z), energy, velocity, jump]);
        }
    }
    tracks
}

fn csv(tracks: &[Track]) -> String {
    let mut out = String::from("id,time_s,distance_m,z_m,energy_kj,velo_ms,jump_m\n");
    for track in tracks {
        for point in &track.points {
            let _ = write!(out, "{}", track.id);
            for value in point {
                let _ = if value.is_nan() { write!(out, ",") } else { write!(out, ",{value}") };
            }
            out.push('\n');
        }
    }
    out
}

fn plots(tracks: &[Track]) -> Vec<Plot> {
    let panel = |title: &str, label: &str, column: usize, colour: &str| {
        let plot = Plot::new(msg!(title), msg!("axis-horizontal-distance"), msg!(label));
        tracks.iter().fold(plot, |plot, track| {
            plot.line("", track.points.iter().map(|point| [point[1], point[column]])).color(colour)
        })
    };
    let mut plots = vec![panel("panel-height", "axis-height", 2, "#555555")];
    plots.extend(QUANTITIES.iter().zip(3..).map(|((_, title, label, colour), i)| panel(title, label, i, colour)));
    plots
}
