//! Files that are read with another one because of their names: parts of it, indices, journals, remarks. Beside a new file
//! an old one of them gives the old values, or a mixture, in every program that opens it.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::{Error, Result, files};

/// Read with a shapefile; of these a run itself writes some.
const OF_SHAPEFILES: [&str; 7] = ["shx", "dbf", "prj", "cpg", "qix", "sbn", "sbx"];
/// Indices of a shapefile: they say where its features are, right or wrong.
const INDICES: [&str; 5] = ["qix", "sbn", "sbx", "idm", "ind"];
/// Behind the whole name of a GeoPackage: changes that SQLite takes over when the database is next opened.
const JOURNALS: [&str; 2] = ["-wal", "-journal"];
/// Behind the whole name of a raster.
const REMARKS: [&str; 4] = [".aux.xml", ".ovr", ".msk", ".xml"];
/// What an `.aux.xml` file changes a raster by; statistics and histograms, as QGIS makes them, do not.
const STEERING: [&str; 8] =
    ["<GeoTransform", "<SRS", "<Scale>", "<Offset>", "<NoDataValue", "<UnitType", "<VRTDataset", "<GCP"];

/// A file and those that would count as parts of it, be they there or not.
pub(crate) fn of(path: &Path) -> Vec<PathBuf> {
    let instead: &[&str] = match path.extension().map(|ending| ending.to_ascii_lowercase()) {
        Some(ending) if ending == "shp" => &OF_SHAPEFILES,
        // What kind of values its columns hold.
        Some(ending) if ending == "csv" => &["csvt"],
        _ => &[],
    };
    let journals: &[&str] = if has_ending(path, "gpkg") { &JOURNALS } else { &[] };
    let behind = REMARKS.iter().chain(journals).map(|ending| PathBuf::from(format!("{}{ending}", path.display())));
    let instead = instead.iter().map(|ending| path.with_extension(ending));
    std::iter::once(path.to_path_buf()).chain(instead).chain(behind).collect()
}

/// Refuses a result with files beside it that would change what is read from it: those of `read_with` that are not itself,
/// journals of a GeoPackage.
pub(crate) fn refuse_steered(path: &Path, read_with: &[PathBuf]) -> Result<()> {
    let is_raster = has_ending(path, "tif");
    let steers = |file: &&PathBuf| match is_raster {
        true => *file != path && !is_harmless_to_raster(file),
        false => has_ending(path, "gpkg") && *file != path && is_filled(file),
    };
    match read_with.iter().find(steers) {
        None => Ok(()),
        Some(file) => Err(Error::input(format!(
            "'{}' changes how '{}' is read, and no run wrote it; move it away",
            file.display(),
            path.display()
        ))),
    }
}

/// Whether a file that GDAL reads with a raster leaves its values, place and meaning as they are.
fn is_harmless_to_raster(file: &Path) -> bool {
    has_ending(file, "ovr") || is_remark(file) && !steers(file)
}

/// Refuses to put new files into a folder where one that no verb wrote would be read with one of them: `added` are those
/// nobody wrote, by path in the folder.
pub(crate) fn refuse_beside(folder: &Path, added: &[String]) -> Result<()> {
    let would_be_read = |name: &&String| {
        let file = folder.join(name);
        // With a file of the user's own it is no business of ours.
        main_file(name).is_some_and(|main| !added.contains(&main)) && is_filled(&file) && {
            !is_remark(&file) || steers(&file)
        }
    };
    let Some(name) = added.iter().find(would_be_read) else { return Ok(()) };
    let why = match JOURNALS.iter().any(|ending| name.ends_with(ending)) {
        true => "holds changes another program has not yet written into its GeoPackage; close that program, or",
        false => "would be read with the new file of its name;",
    };
    Err(Error::failed(format!(
        "'{}', which couloir did not write, {why} move it away: nothing was replaced",
        folder.join(name).display()
    )))
}

/// The file that one is read with, by its name alone.
fn main_file(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let behind = |endings: &[&str], kind: &str| {
        let ending = endings.iter().find(|ending| lower.ends_with(&format!("{kind}{ending}")))?;
        Some(name[..name.len() - ending.len()].to_string())
    };
    let index = || {
        let ending = INDICES.iter().find(|ending| lower.ends_with(&format!(".{ending}")))?;
        Some(format!("{}shp", &name[..name.len() - ending.len()]))
    };
    behind(&JOURNALS, ".gpkg").or_else(|| behind(&REMARKS[..3], ".tif")).or_else(index)
}

fn steers(aux: &Path) -> bool {
    let mut bytes = Vec::new();
    // What cannot be read might say anything.
    let Ok(_) = files::open(aux).and_then(|mut file| file.read_to_end(&mut bytes)) else { return true };
    let text = String::from_utf8_lossy(&bytes);
    STEERING.iter().any(|tag| text.contains(tag))
}

fn is_remark(path: &Path) -> bool {
    path.to_string_lossy().to_lowercase().ends_with(".aux.xml")
}

/// An empty journal changes nothing; what cannot be looked at might.
fn is_filled(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(data) => data.len() > 0,
        Err(_) => fs::symlink_metadata(path).is_ok(),
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what changes a new file is refused, and only where that file is not the user's.
    #[test]
    fn what_would_be_read_with_a_new_file_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let look = |name: &str, text: &str, more: &[&str]| {
            fs::write(root.path().join(name), text).unwrap();
            let added: Vec<String> = std::iter::once(&name).chain(more).map(|name| name.to_string()).collect();
            refuse_beside(root.path(), &added).map_err(|error| error.message)
        };
        for name in ["a.gpkg-wal", "a.GPKG-journal", "a.tif.msk", "a.tif.ovr", "a.qix", "a.SBN", "a.idm"] {
            let message = look(name, "old", &["notes.txt"]).unwrap_err();
            assert!(message.contains(name) && message.contains("move it away"), "{message}");
        }
        look("a.tif.aux.xml", "<PAMDataset><Scale>2</Scale></PAMDataset>", &[]).unwrap_err();
        look("a.tif.aux.xml", "<PAMDataset><Histograms/></PAMDataset>", &[]).unwrap();
        for (name, text) in [("a.gpkg-wal", ""), ("a.gpkg-shm", "x"), ("wal", "x"), ("a.qml", "x"), ("ü-wal", "x")] {
            look(name, text, &[]).unwrap();
        }
        look("a.gpkg-wal", "old", &["a.gpkg"]).unwrap();
        look("a.qix", "old", &["a.shp"]).unwrap();
        look("a.qix", "old", &["b.shp"]).unwrap_err();
    }

    #[test]
    fn a_result_is_not_read_with_what_no_run_wrote() {
        let root = tempfile::tempdir().unwrap();
        let look = |name: &str, beside: &str, text: &str| {
            let both = [root.path().join(name), root.path().join(beside)];
            both.iter().zip(["result", text]).for_each(|(path, text)| fs::write(path, text).unwrap());
            refuse_steered(&both[0], &both).is_err()
        };
        assert!(look("a.gpkg", "a.gpkg-wal", "changes") && !look("a.gpkg", "a.gpkg-wal", ""));
        assert!(look("a.tif", "a.tif.msk", "mask") && !look("a.tif", "a.tif.ovr", "overview"));
        assert!(look("a.tif", "a.tif.aux.xml", "<Scale>2</Scale>") && !look("a.tif", "a.tif.aux.xml", "<Histograms/>"));
        assert!(!look("a.shp", "a.shx", "index"), "known by its own hash");
    }
}
