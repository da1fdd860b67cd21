//! Vector files cut to an area or brought to another CRS. GDAL copies features and attributes; PROJ moves points.

use std::path::{Path, PathBuf};

use gdal::vector::LayerAccess;
use gdal::{Dataset, DatasetOptions, GdalOpenFlags};

use super::area::Area;
use super::datum_shift::DatumShift;
use super::native;
use super::vector::{LayerChoice, Location, VectorSourceResolved};
use super::write_vector::Format;
use super::{
    Bounds, Crs, Transformer, area_of_use, atomic, crs, gdal_glue, lockdown, move_vector, query_limit, translate,
    vector_open, xml_vector,
};
use crate::process::progress::Progress;
use crate::{Error, Note, Result};

/// Cuts every feature of a vector file to an area; attributes stay.
pub(crate) fn clip_vector(
    input: &str,
    out: &Path,
    area: &Area,
    source_crs: Option<&Crs>,
    progress: &Progress,
) -> Result<Vec<Note>> {
    let source = open_vector(input, source_crs)?;
    let mut area = area.to_crs(&source.crs)?;
    if area.rectangular {
        let bounds = area.bounds()?;
        let rectangle = ::geo::Rect::new((bounds.west, bounds.south), (bounds.east, bounds.north));
        area.shape = ::geo::MultiPolygon(vec![rectangle.to_polygon()]);
    }
    let mut words = vec!["-clipsrc".to_owned(), area.wkt()?];
    if matches!(Format::from_path(out)?, Format::GeoPackage | Format::FlatGeobuf) {
        // A cut polygon may fall into several; these formats hold a layer to one kind.
        words.extend(["-nlt", "PROMOTE_TO_MULTI"].map(str::to_owned));
    }
    words.extend(source.choice());
    source.write(&source.dataset, out, words, progress)
}

/// Brings every layer of a vector file to another CRS; attributes and kinds of geometry stay.
pub(crate) fn reproject_vector(
    input: &str,
    out: &Path,
    target: &Crs,
    source_crs: Option<&Crs>,
    progress: &Progress,
) -> Result<Vec<Note>> {
    let source = open_vector(input, source_crs)?;
    let mut first = vec![Note::VectorReprojected { from: source.crs.to_string(), to: target.to_string() }];
    first.extend(DatumShift::at(&source.crs, target, source.bounds.centre()).map(|shift| shift.note()));
    let image = Transformer::new(&source.crs, target)?.bounds(&source.bounds)?;
    first.extend(area_of_use::check(target, &image, &format!("'{input}', brought to {target},"))?);
    let copy = source.in_memory(progress)?;
    let crs_of = |name: &str| {
        let own = source.layer_crs.iter().find(|(layer, _)| layer == name).and_then(|(_, crs)| crs.clone());
        own.unwrap_or_else(|| source.crs.clone())
    };
    move_vector::move_to(&copy, target, crs_of)?;
    let words = ["-a_srs", target.wkt()].map(str::to_owned).to_vec();
    first.extend(source.write(&copy, out, words, progress)?);
    Ok(first)
}

struct VectorFile {
    dataset: Dataset,
    path: PathBuf,
    crs: Crs,
    layer: Option<String>,
    filter: Option<String>,
    /// Of each chosen layer, where it says.
    layer_crs: Vec<(String, Option<Crs>)>,
    features: u64,
    /// Around the chosen layers, in their CRS.
    bounds: Bounds,
    /// What the user should know although the file can be used.
    warning: Option<Note>,
}

fn open_vector(input: &str, stated: Option<&Crs>) -> Result<VectorFile> {
    let source = VectorSourceResolved::file(input)?;
    let Location::File { path, layer } = &source.location else {
        return Err(Error::usage(format!("'{input}' is not a file")));
    };
    gdal_glue::init();
    gdal_glue::check_readable(path, "vector file")?;
    gdal_glue::clear_messages();
    let flags = GdalOpenFlags::GDAL_OF_VECTOR | GdalOpenFlags::GDAL_OF_READONLY;
    let dataset = if let Some(kind) = xml_vector::kind_of(path) {
        xml_vector::open(path, kind, &source.name)?
    } else {
        let open_options = vector_open::options(path);
        let open =
            || Ok(Dataset::open_ex(path, DatasetOptions { open_flags: flags, open_options, ..Default::default() }));
        let dataset = lockdown::without_network(path, open)?;
        let because = gdal_glue::because();
        dataset.map_err(|_| super::unknown_format::vector(path, &because))?
    };
    crs::expect_database()?;
    let mine = query_limit::explain(input, || Ok(chosen_layers(&dataset, layer)))?;
    let chosen = match layer {
        LayerChoice::Only => None,
        LayerChoice::Name(name) => Some(name.clone()),
        LayerChoice::Number(_) => mine.first().map(|layer| layer.0.clone()),
    };
    let Some(first) = mine.first() else {
        let names: Vec<String> = dataset.layers().map(|layer| layer.name()).collect();
        let wanted = chosen.unwrap_or_default();
        return Err(Error::input(format!("'{}' has no layer '{wanted}': it has {}", path.display(), names.join(", "))));
    };
    let features: u64 = mine.iter().map(|l| l.2).sum();
    if features == 0 {
        return Err(Error::input(format!("'{input}' holds no features")));
    }
    let crs = first.1.clone().or_else(|| stated.cloned()).ok_or_else(|| {
        Error::input(format!("'{input}' does not say which CRS it is in: state it with --source-crs"))
    })?;
    let bounds = mine.iter().filter_map(|l| l.3).reduce(|a, b| a.union(&b));
    let bounds = bounds.ok_or_else(|| Error::input(format!("'{input}' holds no geometry")))?;
    let warning = area_of_use::check(&crs, &bounds, &format!("'{input}'"))?;
    let filter = source.filter.clone();
    let layer_crs = mine.iter().map(|layer| (layer.0.clone(), layer.1.clone())).collect();
    Ok(VectorFile { path: path.clone(), crs, layer: chosen, filter, layer_crs, features, dataset, bounds, warning })
}

/// Name, CRS, number of features and extent of each of the chosen layers. The others are not touched: one may be a view
/// that takes for ever.
fn chosen_layers(dataset: &Dataset, choice: &LayerChoice) -> Vec<(String, Option<Crs>, u64, Option<Bounds>)> {
    let describe = |layer: gdal::vector::Layer| {
        let crs = layer.spatial_ref().and_then(|r| Crs::from_spatial_ref(&r).ok());
        let extent = layer.get_extent().ok().map(|e| Bounds::new(e.MinX, e.MinY, e.MaxX, e.MaxY));
        (layer.name(), crs, layer.feature_count(), extent)
    };
    match choice {
        LayerChoice::Only => dataset.layers().map(describe).collect(),
        LayerChoice::Name(name) => dataset.layer_by_name(name).ok().map(describe).into_iter().collect(),
        LayerChoice::Number(number) => dataset.layer(*number).ok().map(describe).into_iter().collect(),
    }
}

impl VectorFile {
    /// ogr2ogr's words for the layer and the features that were chosen.
    fn choice(&self) -> Vec<String> {
        let filter = self.filter.iter().flat_map(|filter| ["-where".to_owned(), filter.clone()]);
        filter.chain(self.layer.clone()).collect()
    }

    /// What was chosen, to be changed.
    fn in_memory(&self, progress: &Progress) -> Result<Dataset> {
        progress.stage_of_fractions("read");
        let mut words = ["-f", "Memory", "-preserve_fid"].map(str::to_owned).to_vec();
        words.extend(self.choice());
        let what = format!("'{}' cannot be read", self.path.display());
        query_limit::explain(&self.path.to_string_lossy(), || {
            translate::vector_copy(&self.dataset, Path::new(""), &words, &what, &mut native::watch(progress))
        })
    }

    fn write(&self, from: &Dataset, out: &Path, mut words: Vec<String>, progress: &Progress) -> Result<Vec<Note>> {
        let (driver, option) = match Format::from_path(out)? {
            Format::Shapefile => ("ESRI Shapefile", Some("ENCODING=UTF-8")),
            Format::GeoPackage => ("GPKG", None),
            Format::FlatGeobuf => ("FlatGeobuf", None),
            Format::GeoJson | Format::GeoJsonInCrs => ("GeoJSON", None),
            Format::Csv => ("CSV", Some("GEOMETRY=AS_WKT")),
        };
        words.extend(["-f".to_owned(), driver.to_owned()]);
        if let Some(option) = option {
            words.extend(["-lco".to_owned(), option.to_owned()]);
        }
        progress.stage_of_fractions("features");
        let what = format!("'{}' cannot be written from '{}'", out.display(), self.path.display());
        let count = atomic::write(out, |temporary| {
            query_limit::explain(&self.path.to_string_lossy(), || {
                translate::vector_translate(from, temporary, &words, &what, &mut native::watch(progress))
            })?;
            let written = Dataset::open_ex(
                temporary,
                DatasetOptions { open_flags: GdalOpenFlags::GDAL_OF_VECTOR, ..Default::default() },
            );
            let count =
                written.map(|d| chosen_layers(&d, &LayerChoice::Only).iter().map(|l| l.2).sum::<u64>()).unwrap_or(0);
            if count == 0 {
                let shown = self.path.display();
                return Err(Error::input(format!("nothing of '{shown}' lies in the area: check the CRS of both")));
            }
            Ok(count)
        })?;
        progress.finish();
        let kept = Note::FeaturesKept { kept: count, of: self.features };
        Ok(self.warning.iter().cloned().chain([kept]).collect())
    }
}

/// The CRS of a vector file's (chosen or first) layer.
pub(crate) fn vector_crs(input: &str, stated: Option<&Crs>) -> Result<Crs> {
    Ok(open_vector(input, stated)?.crs)
}
