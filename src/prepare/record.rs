//! `prepare.json`: where everything came from and what was done to it.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Said;
use super::dem::Dem;
use super::features::PreparedFeatures;
use super::layers::PreparedLayer;
use super::plan::Plan;
use super::request::PrepareFile;
use crate::geo::file_list;
use crate::process::progress::Progress;
use crate::{Error, Note, Result};

#[derive(Serialize)]
pub(crate) struct Record {
    couloir: &'static str,
    command: String,
    crs: String,
    crs_wkt: String,
    grid: Grid,
    dem: Dem,
    tiles: Vec<TileRecord>,
    layers: Vec<PreparedLayer>,
    features: Vec<PreparedFeatures>,
    sources: Vec<Source>,
    request: PrepareFile,
}

#[derive(Serialize)]
struct Grid {
    columns: usize,
    rows: usize,
    cell_m: f64,
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

#[derive(Serialize)]
struct TileRecord {
    path: String,
    crs: String,
    cell_m: f64,
    nodata: Option<String>,
    /// Metres per unit of the file's heights.
    height_unit_m: f64,
}

#[derive(Serialize)]
struct Source {
    path: String,
    bytes: u64,
    sha256: String,
}

pub(crate) fn record(
    request: &PrepareFile,
    plan: &Plan,
    dem: &Dem,
    layers: &[PreparedLayer],
    features: &[PreparedFeatures],
    command: &str,
    progress: &Progress,
) -> Result<Record> {
    let (west, south, east, north) = plan.grid.extent();
    let tiles = plan.tiles.iter().map(|t| TileRecord {
        path: t.path.display().to_string(),
        crs: t.crs.label().to_owned(),
        cell_m: t.cell_m,
        nodata: t.nodata.map(|v| v.to_string()),
        height_unit_m: t.unit_to_m,
    });
    Ok(Record {
        couloir: env!("COULOIR_VERSION"),
        command: command.to_owned(),
        crs: plan.crs.label().to_owned(),
        crs_wkt: plan.crs.wkt().to_owned(),
        grid: Grid { columns: plan.grid.nx, rows: plan.grid.ny, cell_m: plan.grid.dx, west, south, east, north },
        dem: dem.clone(),
        tiles: tiles.collect(),
        layers: layers.to_vec(),
        features: features.to_vec(),
        sources: hashes(request, plan, progress)?,
        request: request.clone(),
    })
}

impl Record {
    pub(crate) fn json(&self, said: &Said) -> Result<serde_json::Value> {
        let mut value = serde_json::to_value(self).map_err(|e| Error::failed(e.to_string()))?;
        let texts = |notes: &[Note]| notes.iter().map(Note::to_string).collect::<Vec<_>>();
        value["notes"] = texts(&said.notes).into();
        value["warnings"] = texts(&said.warnings).into();
        let messages: Vec<&Note> = said.notes.iter().chain(&said.warnings).collect();
        value["messages"] = serde_json::to_value(messages).map_err(|e| Error::failed(e.to_string()))?;
        value["datum_shifts"] = serde_json::to_value(&said.datum_shifts).map_err(|e| Error::failed(e.to_string()))?;
        Ok(value)
    }
}

/// Every file the request names, and those they draw on.
pub(crate) fn source_files(request: &PrepareFile) -> Result<Vec<PathBuf>> {
    let tiles = request.dem_paths()?;
    let named = named_files(request, tiles.iter().map(|tile| tile.as_path()));
    file_list::files_behind(&named.into_iter().map(PathBuf::from).collect::<Vec<_>>())
}

fn named_files<'a>(request: &PrepareFile, tiles: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let mut paths: Vec<String> = tiles.map(|tile| tile.to_string_lossy().into_owned()).collect();
    let vectors = request.release.iter().chain(&request.lines).map(|f| &f.source);
    let named =
        request.layers.iter().map(|l| &l.source).chain(vectors).chain(request.barriers.iter().map(|b| &b.source));
    for source in named.chain(&request.aoi) {
        paths.push(source.split('|').next().unwrap_or(source).to_owned());
    }
    let mut seen = std::collections::BTreeSet::new();
    // An extent as area is no file.
    paths.retain(|p| (Path::new(p).exists() || p.starts_with("/vsi")) && seen.insert(p.clone()));
    paths
}

/// Every file that went in, in the order of the request.
fn hashes(request: &PrepareFile, plan: &Plan, progress: &Progress) -> Result<Vec<Source>> {
    let paths = named_files(request, plan.tiles.iter().map(|t| t.path.as_path()));
    progress.stage("record sources", paths.len() as u64);
    let (mut sources, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
    for path in paths {
        for file in file_list::files_of(Path::new(&path)) {
            if seen.insert(file.clone()) {
                let (bytes, sha256) = file_list::hash(&file)?;
                sources.push(Source { path: file.display().to_string(), bytes, sha256 });
            }
        }
        progress.add(1);
    }
    Ok(sources)
}
