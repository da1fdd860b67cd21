//! KML and GPX, read without GDAL (whose drivers need a library of their own, and differ with it) into layers in memory that
//! are read as any other.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use gdal::Dataset;
use gdal::spatial_ref::{AxisMappingStrategy, SpatialRef};
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

use super::file_list::VirtualFile;
use super::geojson_layer::{self, Row};
use super::vector::{MOST_BYTES, too_large};
use super::{gdal_glue, gpx, kml};
use crate::{Error, Result};

/// Most of a text of a quarter of the memory a layer may take is numbers, which take less as such.
const MOST_TEXT: usize = MOST_BYTES / 4;
/// Elements and texts, each some 60 bytes in memory.
const MOST_NODES: u32 = 16_000_000;
/// KML files of an archive.
const MOST_FILES: usize = 1000;
/// Far more than people nest folders; the parser and its tree are walked by recursion.
const DEEPEST: usize = 200;

/// What a file's first element says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Kml,
    /// A zip archive with a KML file.
    Kmz,
    Gpx,
}

/// A layer as read.
pub(super) struct XmlLayer {
    pub name: String,
    pub rows: Vec<Row>,
}

/// Is it KML, KMZ or GPX? By what it holds; an archive by its name.
pub(super) fn kind_of(path: &Path) -> Option<Kind> {
    let is_kmz = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kmz"));
    if path.is_dir() || is_kmz {
        return (is_kmz && path.is_file()).then_some(Kind::Kmz);
    }
    gdal_glue::init();
    let mut start = Vec::new();
    let read = reader(path).and_then(|reader| reader.take(4096).read_to_end(&mut start));
    gdal_glue::clear_messages();
    read.ok()?;
    let text = decode(&start).ok()?;
    let text = text.trim_start();
    // The first element behind the declaration, comments and instructions.
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start();
        let end = match rest {
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!--") => "-->",
            _ => break,
        };
        rest = &rest[rest.find(end)? + end.len()..];
    }
    let name = rest.strip_prefix('<')?.split([' ', '>', '\t', '\n', '\r', '/']).next()?;
    match name.rsplit(':').next()? {
        "kml" | "Document" | "Placemark" | "Folder" => Some(Kind::Kml),
        "gpx" => Some(Kind::Gpx),
        _ => None,
    }
}

/// Reads the file; `shown` names it in messages.
pub(super) fn open(path: &Path, kind: Kind, shown: &str) -> Result<Dataset> {
    let files = if kind == Kind::Kmz { inside_kmz(path, shown)? } else { vec![path.to_path_buf()] };
    let mut crs = SpatialRef::from_epsg(4326).map_err(|error| Error::failed(format!("EPSG:4326: {error}")))?;
    crs.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    let mut dataset = geojson_layer::in_memory()?;
    let (mut room, mut taken) = (MOST_TEXT, HashMap::new());
    for (number, file) in files.iter().enumerate() {
        // The first file of an archive is the archive, as it were.
        let named = if number == 0 { path } else { file };
        for layer in layers(file, named, kind, shown, &mut room)? {
            let same = taken.entry(layer.name.clone()).and_modify(|count| *count += 1).or_insert(1);
            let name = if *same > 1 { format!("{} (#{same})", layer.name) } else { layer.name };
            geojson_layer::add_layer(&mut dataset, &name, Some(&crs), &layer.rows, Some(1))?;
        }
    }
    Ok(dataset)
}

/// The layers of one file, of which at most `room` bytes are read.
fn layers(file: &Path, named: &Path, kind: Kind, shown: &str, room: &mut usize) -> Result<Vec<XmlLayer>> {
    let format = if kind == Kind::Gpx { "GPX" } else { "KML" };
    let unreadable = |error: std::io::Error| Error::input(format!("'{shown}' cannot be read: {error}"));
    let mut bytes = Vec::new();
    reader(file).map_err(unreadable)?.take(*room as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    *room = room.checked_sub(bytes.len()).ok_or_else(|| too_large(shown))?;
    let damaged = |what: &str| {
        Error::input(format!("'{shown}' is damaged or not valid {format} ({what}): mend it or export it again"))
    };
    let text = decode(&bytes).map_err(|what| damaged(&what))?;
    drop(bytes);
    expect_shallow(&text).map_err(|what| damaged(&what))?;
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..Default::default() };
    let document = Document::parse_with_options(&text, options).map_err(|error| damaged(&error.to_string()))?;
    let stem = named.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let layers = match kind {
        Kind::Gpx => gpx::layers(document.root_element()),
        Kind::Kml | Kind::Kmz => kml::layers(document.root_element(), &stem),
    };
    layers.map_err(|what| Error::input(format!("'{shown}': {what}: mend it or export it again")))
}

fn reader(path: &Path) -> std::io::Result<Box<dyn Read>> {
    Ok(match path.to_str() {
        Some(name) if name.starts_with("/vsi") => Box::new(VirtualFile::open(path)?),
        _ => Box::new(std::fs::File::open(path)?),
    })
}

/// The KML files of an archive, `doc.kml` first: a program may spread its layers over files that this one links to.
fn inside_kmz(path: &Path, shown: &str) -> Result<Vec<PathBuf>> {
    let archive = match path.to_str() {
        Some(name) if name.starts_with("/vsi") => PathBuf::from(format!("/vsizip/{{{name}}}")),
        _ => PathBuf::from(format!("/vsizip/{}", path.display())),
    };
    gdal_glue::init();
    let mut names = gdal::vsi::read_dir(&archive, true).unwrap_or_default();
    gdal_glue::clear_messages();
    names.retain(|name| name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kml")));
    names.sort_by_key(|name| (name.as_os_str() != "doc.kml", name.clone()));
    match names.len() {
        0 => Err(Error::input(format!("'{shown}' is damaged or holds no KML file: copy it or export it again"))),
        many if many > MOST_FILES => Err(Error::input(format!(
            "'{shown}' holds {many} KML files, more than the {MOST_FILES} that are read: export it as one"
        ))),
        _ => Ok(names.iter().map(|name| archive.join(name)).collect()),
    }
}

/// The text: UTF-8 or UTF-16, or Latin-1 where the declaration says so.
fn decode(bytes: &[u8]) -> Result<String, String> {
    let wide = |little: bool| {
        let units = bytes[2..].chunks_exact(2).map(|pair| {
            let pair = [pair[0], pair[1]];
            if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        });
        char::decode_utf16(units).collect::<Result<String, _>>().map_err(|error| error.to_string())
    };
    match bytes {
        [0xff, 0xfe, ..] => return wide(true),
        [0xfe, 0xff, ..] => return wide(false),
        _ => {}
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let declaration = head.split("?>").next().filter(|start| start.starts_with("<?xml")).unwrap_or_default();
    if declaration.contains("iso-8859-1") {
        return Ok(bytes.iter().map(|byte| char::from(*byte)).collect());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_string()),
        // The beginning of a file may end within a letter.
        Err(error) if error.error_len().is_none() => Ok(String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into()),
        Err(_) => Err("its text is not UTF-8".into()),
    }
}

/// Counts what is open; quotes and texts that look like tags can only make it count too much by what is never closed.
fn expect_shallow(text: &str) -> Result<(), String> {
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let skip = |end: &str| rest.find(end).map_or(rest.len(), |place| place + end.len());
        if rest.starts_with("!--") {
            rest = &rest[skip("-->")..];
        } else if rest.starts_with("![CDATA[") {
            rest = &rest[skip("]]>")..];
        } else if rest.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !rest.starts_with(['?', '!']) {
            let end = skip(">");
            if !rest[..end].ends_with("/>") {
                depth += 1;
            }
            if depth > DEEPEST {
                return Err(format!("its elements are nested more than {DEEPEST} deep"));
            }
        }
    }
    Ok(())
}

/// The child element of this name.
pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The child elements of this name.
pub(super) fn children<'a, 'i>(node: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

/// All text of a node, without the space around it; `None` if there is none.
pub(super) fn text_of(node: Node) -> Option<String> {
    let text: String = node.children().filter_map(|child| if child.is_text() { child.text() } else { None }).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_string())
}

/// Columns that hold nothing but numbers become numbers, as in CSV files; codes such as `007` stay, and what `is_text`.
pub(super) fn find_numbers(rows: &mut [Row], is_text: impl Fn(&str) -> bool) {
    let mut texts = std::collections::BTreeMap::<String, bool>::new();
    for (name, value) in rows.iter().flat_map(|row| &row.properties) {
        if let Value::String(text) = value {
            *texts.entry(name.clone()).or_insert_with(|| !is_text(name)) &= number(text).is_some();
        }
    }
    for (name, value) in rows.iter_mut().flat_map(|row| &mut row.properties) {
        if let (Value::String(text), Some(true)) = (&*value, texts.get(name)) {
            *value = number(text).unwrap_or(Value::Null);
        }
    }
}

/// The number a text is.
fn number(text: &str) -> Option<Value> {
    let digits = text.trim_start_matches(['-', '+']);
    let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    if is_code || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let whole = text.parse::<i64>().ok().map(Value::from);
    whole.or_else(|| text.parse::<f64>().ok().filter(|x| x.is_finite()).map(Value::from))
}
