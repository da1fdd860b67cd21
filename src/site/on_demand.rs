//! Parameters of terrains too large for memory: computed block by block where rocks get, from the same sources by the same rules.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::look::FieldLook;
use super::paint::{NodeRaster, Painted};
use super::parameter::{at_node, collapsed};
use super::{InputFile, Reading};
use crate::files::hash::hexadecimal;
use crate::geo::file_list;
use crate::project::limits::Limits;
use crate::terrain::blocks::{Blocks, Values};
use crate::terrain::{Lattice, OnNodes, ParameterField, Surface};
use crate::{Error, Result};

/// DEMs of up to so many cells (268 MB as 64-bit numbers) are looked at as a whole when they are read: gaps, steps and odd heights are
/// spoken of, and they are known by their pixels. Larger ones are known by the files they come from.
pub(crate) const WHOLE_CELLS: usize = 1 << 25;

/// What the values of a raster must be.
pub(crate) struct Checked {
    /// With a NUL where the sentence goes.
    place: Error,
    raster: String,
    limits: Option<&'static Limits>,
    /// No value at a node with a height is an error.
    strict: Option<Surface>,
}

impl Checked {
    pub(crate) fn new(
        reading: &Reading,
        key: &str,
        raster: &str,
        limits: Option<&'static Limits>,
        strict: bool,
    ) -> Self {
        let place = reading.project.error_at(&format!("{key}.raster"), "\0");
        Self { place, raster: raster.into(), limits, strict: strict.then(|| reading.surface.clone()) }
    }

    fn at(&self, sentence: &str) -> Error {
        Error { message: self.place.message.replace('\0', sentence), ..self.place.clone() }
    }

    /// The first value beyond its limits.
    pub(crate) fn wrong(&self, values: &[f32]) -> Option<usize> {
        values.iter().position(|v| !v.is_nan() && self.limits.is_some_and(|l| !l.allow(f64::from(*v))))
    }

    /// What is said of one.
    pub(crate) fn error(&self, lattice: &Lattice, node: usize, value: f32) -> Error {
        let (x, y) = lattice.centre(node % lattice.nx, node / lattice.nx);
        let wanted = self.limits.map_or("a number".to_string(), Limits::expectation);
        self.at(&format!("raster {:?} holds {value} at ({x}, {y}), expected {wanted}", self.raster))
    }

    pub(crate) fn gap(&self, lattice: &Lattice, node: usize) -> Option<Error> {
        let (column, row) = (node % lattice.nx, node / lattice.nx);
        self.strict.as_ref().filter(|surface| surface.node_height(column, row).is_finite())?;
        let (x, y) = lattice.centre(column, row);
        let raster = &self.raster;
        Some(self.at(&format!("raster {raster:?} has no value at ({x}, {y}), where rocks get: fill the raster there")))
    }
}

/// What a file beside a raster says but for statistics and histograms; nothing if that is all.
fn without_statistics(text: &str) -> String {
    let mut rest = text.to_string();
    for (begin, end) in [("<MDI key=\"STATISTICS_", "</MDI>"), ("<Histograms>", "</Histograms>")] {
        while let Some(from) = rest.find(begin) {
            let Some(length) = rest[from..].find(end) else { break };
            rest.replace_range(from..from + length + end.len(), "");
        }
    }
    let words: String = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = ["<PAMDataset>", "</PAMDataset>", "</PAMRasterBand>", "<Metadata>", "</Metadata>"];
    let content = bare.iter().fold(words.clone(), |text, tag| text.replace(tag, ""));
    let says = content.split('<').map(str::trim).any(|tag| !tag.is_empty() && !tag.starts_with("PAMRasterBand band="));
    if says { words } else { String::new() }
}

/// Smallest and largest value; anything where that is not known.
pub(crate) fn range_of(field: &ParameterField) -> (f32, f32) {
    match field {
        ParameterField::Constant(value) => (*value as f32, *value as f32),
        ParameterField::Field(nodes) => nodes.range().unwrap_or((0.0, f32::INFINITY)),
    }
}

impl Reading<'_> {
    /// Whether all cells are looked at now.
    pub(crate) fn is_read_whole(&self) -> bool {
        self.surface.lattice().len() <= WHOLE_CELLS
    }

    /// A parameter from one number a node: at once, or in blocks if the terrain is.
    pub(crate) fn for_each_node(
        &self,
        range: Option<(f32, f32)>,
        value: impl Fn(usize) -> f32 + Send + Sync + 'static,
    ) -> Result<ParameterField> {
        let lattice = *self.surface.lattice();
        let Some(heights) = self.surface.blocks() else {
            return Ok(collapsed(lattice, (0..lattice.len()).map(value).collect()));
        };
        let load = move |columns: Range<usize>, rows: Range<usize>| {
            let nodes = rows.flat_map(|row| columns.clone().map(move |column| row * lattice.nx + column));
            Ok(Values::packed(nodes.map(|node| f64::from(value(node))).collect()))
        };
        let blocks = Arc::new(Blocks::new(lattice, heights.cache(), load));
        Ok(ParameterField::Field(OnNodes::in_blocks(blocks, range)))
    }

    /// A raster's values in blocks, the weaker source where it has none.
    pub(crate) fn checked_blocks(
        &self,
        raster: Arc<NodeRaster>,
        checked: Checked,
        weaker: ParameterField,
        range: Option<(f32, f32)>,
    ) -> ParameterField {
        let lattice = *self.surface.lattice();
        let Some(heights) = self.surface.blocks() else { return weaker };
        let load = move |columns: Range<usize>, rows: Range<usize>| {
            let (mut values, _) = raster.read(&columns, &rows)?;
            let node = |k: usize| (rows.start + k / columns.len()) * lattice.nx + columns.start + k % columns.len();
            if let Some(k) = checked.wrong(&values) {
                return Err(checked.error(&lattice, node(k), values[k]));
            }
            for (k, value) in values.iter_mut().enumerate().filter(|(_, value)| value.is_nan()) {
                if let Some(error) = checked.gap(&lattice, node(k)) {
                    return Err(error);
                }
                *value = at_node(&weaker, node(k)) as f32;
            }
            Ok(Values::packed(values.into_iter().map(f64::from).collect()))
        };
        ParameterField::Field(OnNodes::in_blocks(Arc::new(Blocks::new(lattice, heights.cache(), load)), range))
    }

    /// Numbers painted over the weaker source; of two polygons the later one wins.
    pub(crate) fn painted_blocks(
        &self,
        key: &str,
        shapes: Vec<(Painted, f32)>,
        weaker: ParameterField,
    ) -> Result<ParameterField> {
        let lattice = *self.surface.lattice();
        let numbers = shapes.iter().map(|(_, value)| (*value, *value)).chain([range_of(&weaker)]);
        let possible = numbers.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let paint = move |columns: &Range<usize>, rows: &Range<usize>| {
            let nodes = rows.clone().flat_map(|row| columns.clone().map(move |column| row * lattice.nx + column));
            let mut values: Vec<f32> = nodes.map(|node| at_node(&weaker, node) as f32).collect();
            for (shape, value) in &shapes {
                shape.nodes(&lattice, columns, rows, |node| values[node] = *value);
            }
            values
        };
        let known: Option<FieldLook> = self.found(key, "");
        let look_at_all = || {
            let whole = collapsed(lattice, paint(&(0..lattice.nx), &(0..lattice.ny)));
            self.keep_found(key, "", &FieldLook::at(&whole, None));
            whole
        };
        let whole = match known.as_ref().map(|known| known.constant) {
            None => self.is_read_whole().then(look_at_all),
            Some(constant) => constant.map(ParameterField::Constant),
        };
        let range = match (&whole, known) {
            (_, Some(known)) => known.range,
            (Some(ParameterField::Constant(value)), None) => Some((*value as f32, *value as f32)),
            (Some(ParameterField::Field(nodes)), None) => nodes.range(),
            (None, None) => possible,
        };
        match (whole, self.surface.blocks()) {
            (Some(ParameterField::Field(_)) | None, Some(heights)) => {
                let load = move |columns: Range<usize>, rows: Range<usize>| {
                    Ok(Values::packed(paint(&columns, &rows).into_iter().map(f64::from).collect()))
                };
                let blocks = Arc::new(Blocks::new(lattice, heights.cache(), load));
                Ok(ParameterField::Field(OnNodes::in_blocks(blocks, range)))
            }
            (Some(whole), _) => Ok(whole),
            (None, None) => Err(Error::failed("a terrain that is not read as a whole is in blocks")),
        }
    }
}

/// What is not read pixel by pixel is known by all files it comes from, and by how it is read.
pub(crate) fn hash_of_sources(inputs: &[InputFile], path: &Path, how: &[&str]) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update("sources");
    for word in how {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    for file in file_list::files_of(path) {
        let name = file.to_string_lossy();
        // Smaller copies are not read, and statistics that GIS programs leave beside a raster say nothing of its cells.
        if name.ends_with(".ovr") {
            continue;
        }
        // Nothing else is read as text: a DEM may be larger than the memory.
        let beside = name.ends_with(".aux.xml").then(|| std::fs::read_to_string(&file).ok()).flatten();
        if let Some(text) = beside {
            hash.update(without_statistics(&text));
            continue;
        }
        let known = inputs.iter().find(|input| input.path == file).map(|input| input.sha256.clone());
        hash.update(known.map_or_else(|| file_list::hash(&file).map(|(_, hash)| hash), Ok)?);
    }
    Ok(hexadecimal(&hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::without_statistics;

    #[test]
    fn statistics_beside_a_raster_say_nothing_and_a_nodata_value_does() {
        let beside = |inner: &str| {
            format!("<PAMDataset>\n  <PAMRasterBand band=\"1\">\n    {inner}\n  </PAMRasterBand>\n</PAMDataset>\n")
        };
        let statistics = "<Histograms><HistItem>\n1</HistItem></Histograms><Metadata>\n <MDI key=\"STATISTICS_MAXIMUM\">9</MDI>\n\
                          <MDI key=\"STATISTICS_MEAN\">3</MDI></Metadata>";
        assert_eq!(without_statistics(&beside(statistics)), "");
        let nodata = "<NoDataValue>-1</NoDataValue>";
        let both = without_statistics(&beside(&format!("{nodata}{statistics}")));
        assert!(both.contains(nodata) && !both.contains("STATISTICS"), "{both}");
    }
}
