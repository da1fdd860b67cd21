//! Sources that would never end: GDAL opens what a path, its companions or a virtual raster name, and waits.

use std::path::{Path, PathBuf};

use super::unwritten;
use crate::{Error, Result, files};

/// A virtual raster is a short text; nothing larger is searched.
const MOST_TEXT_BYTES: u64 = 16 << 20;
/// Virtual files that name virtual files: deeper than this GDAL gives up, too.
const MOST_LEVELS: usize = 16;

/// Refuses pipes, sockets and devices wherever GDAL would open one for `path`.
pub(crate) fn refuse(path: &Path, what: &str) -> Result<()> {
    refuse_below(path, what, 0)
}

fn refuse_below(path: &Path, what: &str, level: usize) -> Result<()> {
    let text = path.to_string_lossy();
    if text.starts_with("/vsi") {
        if text.starts_with("/vsistdin") {
            return Err(Error::input(format!("{what} '{text}' is standard input, expected a file: save it as one")));
        }
        // The archive stands somewhere inside the name.
        let starts = text.match_indices('/').map(|(at, _)| &text[at + 1..]).flat_map(|rest| {
            rest.match_indices('/').map(|(end, _)| &rest[..end]).chain([rest]).map(PathBuf::from).collect::<Vec<_>>()
        });
        let both = starts.flat_map(|part| [Path::new("/").join(&part), part]);
        return both.filter(|part| !part.is_dir()).try_for_each(|part| files::refuse_endless(&part, what));
    }
    files::refuse_endless(path, what)?;
    unwritten::refuse(path, what)?;
    if path.is_dir() {
        return files::refuse_endless_companions(path, "", what);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some(stem) = path.file_stem() {
        files::refuse_endless_companions(folder, &stem.to_string_lossy(), what)?;
    }
    if level < MOST_LEVELS {
        for source in named_sources(path) {
            refuse_below(&folder.join(&source), what, level + 1)?;
            refuse_below(Path::new(&source), what, level + 1)?;
        }
    }
    Ok(())
}

/// Files a virtual raster or layer is made of, as written there.
fn named_sources(path: &Path) -> Vec<String> {
    let begins = |start: &[u8]| {
        let start = String::from_utf8_lossy(start);
        let start = start.trim_start_matches('\u{feff}').trim_start();
        ["<VRTDataset", "<OGRVRT", "<?xml", "<!--"].iter().any(|mark| start.starts_with(mark))
    };
    let head = || -> std::io::Result<Vec<u8>> {
        use std::io::Read;
        let mut head = Vec::new();
        std::fs::File::open(path)?.take(256).read_to_end(&mut head)?;
        Ok(head)
    };
    if !head().is_ok_and(|head| begins(&head)) {
        return Vec::new();
    }
    let Ok(text) = files::read(path, "file", MOST_TEXT_BYTES) else { return Vec::new() };
    let text = String::from_utf8_lossy(&text).into_owned();
    let mut found = Vec::new();
    for tag in ["<SourceFilename", "<SourceDataset", "<SrcDataSource"] {
        for (at, _) in text.match_indices(tag) {
            let content = text[at..].split_once('>').and_then(|(_, rest)| rest.split('<').next());
            let content = content.unwrap_or_default().trim();
            found.push(content.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"));
        }
    }
    found.retain(|name| !name.is_empty());
    found.sort();
    found.dedup();
    found
}
