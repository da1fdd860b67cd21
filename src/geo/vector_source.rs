//! Where a vector layer comes from: a file with an optional layer name and filter, or GeoJSON written inline.

use std::path::{Path, PathBuf};

use super::Crs;
use crate::project::file::VectorSource;
use crate::{Error, Result};

/// A vector source with its path resolved and its CRS understood.
#[derive(Debug, Clone)]
pub struct VectorSourceResolved {
    /// Where it is.
    pub location: Location,
    /// CRS of a layer that does not say; for inline GeoJSON, the CRS of its coordinates unless it has a `crs` member.
    pub crs: Option<Crs>,
    /// OGR SQL where clause.
    pub filter: Option<String>,
    /// For messages: the file's name, or the key under which inline GeoJSON was found.
    pub name: String,
}

/// Where features come from.
#[derive(Debug, Clone)]
pub enum Location {
    /// A file, and which of its layers.
    File {
        /// Where it is.
        path: PathBuf,
        /// Which of its layers.
        layer: LayerChoice,
    },
    /// GeoJSON in the project file.
    Inline(serde_json::Value),
}

/// Which layer of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LayerChoice {
    /// The only layer there is.
    #[default]
    Only,
    /// The one of this name.
    Name(String),
    /// By its place, from 0.
    Number(usize),
}

impl VectorSourceResolved {
    /// A file, with QGIS' notation for layers and filters: `site.gpkg|layername=release|subset=volume > 2`.
    pub fn file(source: &str) -> Result<Self> {
        let mut parts = source.split('|');
        let path = parts.next().unwrap_or_default().trim();
        if path.is_empty() {
            return Err(Error::input("a vector layer's file name is empty"));
        }
        let (mut layer, mut filter) = (LayerChoice::Only, None);
        let mut rest = source[source.find('|').map_or(source.len(), |k| k + 1)..].trim();
        while !rest.is_empty() {
            // A subset is SQL and may itself hold bars; it comes last.
            let subset = rest.get(..7).is_some_and(|key| key.eq_ignore_ascii_case("subset="));
            let (part, tail) = if subset { (rest, "") } else { rest.split_once('|').unwrap_or((rest, "")) };
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key.trim().to_lowercase().as_str() {
                "layername" => layer = LayerChoice::Name(value.to_string()),
                "layerid" => {
                    let number = value.trim().parse().map_err(|_| {
                        Error::input(format!("'{source}': layerid must be a whole number from 0, found '{value}'"))
                    })?;
                    layer = LayerChoice::Number(number);
                }
                "subset" => filter = Some(value.to_string()),
                // QGIS' hints about the geometry: we look for ourselves.
                "geometrytype" | "uniquegeometrytype" | "option:encoding" => {}
                other => {
                    return Err(Error::input(format!(
                        "'{source}': '{other}' is not understood after '|': expected layername=NAME"
                    )));
                }
            }
            rest = tail.trim();
        }
        let location = Location::File { path: PathBuf::from(path), layer };
        Ok(Self { location, crs: None, filter, name: path.to_string() })
    }

    /// GeoJSON written in the project file; `crs` is that of its coordinates (usually the project's).
    pub fn inline(name: &str, geojson: serde_json::Value, crs: Option<Crs>) -> Self {
        Self { location: Location::Inline(geojson), crs, filter: None, name: name.to_string() }
    }

    /// What a project file says, with paths relative to `folder`; `key` names the place in the project file for messages.
    pub fn resolve(spec: &VectorSource, folder: &Path, project_crs: Option<&Crs>, key: &str) -> Result<Self> {
        let stated = match &spec.crs {
            Some(text) => Some(Crs::from_user(text).map_err(|e| Error { message: format!("{key}.crs: {e}"), ..e })?),
            None => None,
        };
        let mut source = match (&spec.file, &spec.geojson) {
            (Some(file), None) => {
                let mut source = Self::file(file).map_err(|e| Error { message: format!("{key}.file: {e}"), ..e })?;
                if let Location::File { path, .. } = &mut source.location
                    && !path.starts_with("/vsi")
                {
                    *path = folder.join(&*path);
                }
                Self { crs: stated, ..source }
            }
            (None, Some(value)) => {
                Self::inline(&format!("{key}.geojson"), value.clone(), stated.or_else(|| project_crs.cloned()))
            }
            (Some(_), Some(_)) => {
                return Err(Error::input(format!("{key}: both `file` and `geojson` are given: keep one of them")));
            }
            (None, None) => {
                return Err(Error::input(format!("{key}: neither `file` nor `geojson` is given: add one of them")));
            }
        };
        source.filter = match (source.filter.take(), spec.filter.clone()) {
            (Some(a), Some(b)) => Some(format!("({a}) AND ({b})")),
            (a, b) => a.or(b),
        };
        Ok(source)
    }

    /// The file, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.location {
            Location::File { path, .. } => Some(path),
            Location::Inline(_) => None,
        }
    }
}
