//! The maps of a scheme: raster, polygons and picture of each.

use std::path::Path;

use ::geo::{Area, Geometry};
use rayon::prelude::*;

use crate::draw::preview::{self, Preview, Values};
use crate::draw::ramp::Legend;
use crate::files::names::file_name;
use crate::geo::Crs;
use crate::geo::polygonize::polygonize;
use crate::geo::sparse_raster::{self, About};
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::hazard::classify::{self, Scenario};
use crate::hazard::confidence;
use crate::hazard::generalise::{Generalisation, Generalised, generalise};
use crate::hazard::scheme::Scheme;
use crate::hazard::sparse::SparseField;
use crate::hazard::squares::Part;
use crate::hazard::statistics::{Need, Statistics};
use crate::output::classification::{Background, Classified, Uncertain};
use crate::output::classification_report;
use crate::output::report_model::Picture;
use crate::output::sheets::Sheets;
use crate::output::styles::{self, MapClass};
use crate::store::layers::{LARGE_MAP, NODATA_F32, SMALL_LATTICE};
use crate::store::overlays::Overlay;
use crate::terrain::{Field, Lattice};
use crate::texts::{Text, msg, say};
use crate::{Note, Result};

/// Colour of the outermost line.
const OUTERMOST: [u8; 3] = [110, 110, 110];

/// Writes the maps of one variant: raster, polygons and picture of each.
pub(super) struct Maps<'a> {
    pub(super) scheme: &'a Scheme,
    pub(super) folder: &'a Path,
    /// That of the folder in the run folder.
    pub(super) place: &'a str,
    pub(super) legend: &'a [String],
    /// What descriptions begin with.
    pub(super) begin: &'a str,
    pub(super) on: &'a Background<'a>,
}

impl Maps<'_> {
    pub(super) fn write(&self, scenarios: &[Scenario], result: &mut Classified) -> Result<()> {
        let sheets = Sheets::of(scenarios, self.scheme);
        if let Sheets::TooLarge { cells } = sheets {
            result.notes.push(Note::MapTooLarge { cells });
            return Ok(());
        }
        let sheets = sheets.scenarios(scenarios);
        let intensity = |scenario: &Scenario| classify::intensity_map(scenario, self.scheme, Part::Whole);
        let of_sheet = |sheet: &Vec<Scenario>| sheet.par_iter().map(intensity).collect::<Result<Vec<_>>>();
        let intensities = sheets.iter().map(of_sheet).collect::<Result<Vec<_>>>()?;
        // One after the other where each takes much memory.
        let at_once = self.on.dem.lattice().len() <= SMALL_LATTICE;
        let write_intensity = |(index, scenario): (usize, &Scenario)| {
            let maps: Vec<&Field<u8>> = intensities.iter().map(|sheet| &sheet[index]).collect();
            self.write_intensity(scenario, &maps)
        };
        let write_intensities = || match at_once {
            true => scenarios.par_iter().enumerate().map(write_intensity).collect::<Result<Vec<_>>>(),
            false => scenarios.iter().enumerate().map(write_intensity).collect(),
        };
        let (area_m2, outermost) = self.write_outermost(scenarios, &sheets)?;
        result.outermost_m2 = area_m2;
        let write_hazard = || self.write_hazard(&sheets, &intensities, outermost);
        let (hazard, pictures) = super::both(at_once, write_hazard, write_intensities);
        result.maps = pictures?;
        if let Some(hazard) = hazard? {
            result.zone_areas_m2 = Some(hazard.zone_areas_m2);
            result.raw_areas_m2 = Some(hazard.raw_areas_m2);
            result.generalised = hazard.generalised;
            result.uncertain = hazard.uncertain;
            result.maps.push(hazard.picture);
        }
        Ok(())
    }

    fn write_intensity(&self, scenario: &Scenario, maps: &[&Field<u8>]) -> Result<Picture> {
        let stem = format!("intensity_{}", file_name(&scenario.name));
        let classes = MapClass::intensities(self.scheme);
        let description = self.begin.to_string() + &say!("layer-intensity", classes = list(&classes));
        let clean: Vec<_> = maps.iter().map(|map| generalise(map, &self.scheme.generalisation()).0).collect();
        self.write_files(&stem, &description, &classes, maps, &clean)?;
        let title = msg!("map-intensity", scenario = &scenario.name);
        let labels: Vec<String> = (0..self.scheme.intensities.len())
            .map(|i| classification_report::intensity_label(self.scheme, i))
            .collect();
        let legend = Legend::intensities(self.scheme, &labels);
        self.draw(title, &clean, &legend, self.on.overlays, &format!("{stem}.png"))
    }

    fn write_hazard(
        &self,
        sheets: &[Vec<Scenario>],
        intensities: &[Vec<Field<u8>>],
        outermost: Overlay,
    ) -> Result<Option<Hazard>> {
        let hazard = |(sheet, maps): (&Vec<Scenario>, &Vec<Field<u8>>)| {
            let empty = |map: &Field<u8>| Field { lattice: map.lattice, values: vec![0; map.values.len()] };
            let map = classify::hazard_map(sheet, maps, self.scheme, Part::Whole)?;
            Ok((map.is_some(), map.or_else(|| maps.first().map(empty))))
        };
        let (known, maps): (Vec<bool>, Vec<Option<Field<u8>>>) =
            sheets.iter().zip(intensities).map(hazard).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        if !known.contains(&true) {
            return Ok(None);
        }
        let maps: Vec<Field<u8>> = maps.into_iter().flatten().collect();
        let classes = MapClass::zones(self.scheme);
        let description = self.begin.to_string() + &say!("layer-hazard", classes = list(&classes));
        let (clean, changes): (Vec<_>, Vec<_>) =
            maps.iter().map(|map| generalise(map, &self.scheme.generalisation())).unzip();
        let generalised = changes.into_iter().reduce(Generalised::and).unwrap_or_default();
        let zone_areas_m2 =
            self.write_files("hazard", &description, &classes, &maps.iter().collect::<Vec<_>>(), &clean)?;
        let raw_areas_m2 = areas(&maps, classes.len());
        let (uncertain, unsure) = self.write_confidence(sheets, &maps, &clean)?.unzip();
        let shown = |(k, clean): (usize, &Field<u8>)| {
            let is_unsure = |cell: usize| unsure.as_ref().is_some_and(|unsure| unsure[k].values[cell] > 0);
            let class = |(cell, &zone): (usize, &u8)| if zone == 0 { 0 } else { 2 * zone - u8::from(!is_unsure(cell)) };
            Field { lattice: clean.lattice, values: clean.values.iter().enumerate().map(class).collect() }
        };
        let shown: Vec<Field<u8>> = clean.iter().enumerate().map(shown).collect();
        let overlays: Vec<Overlay> = std::iter::once(outermost).chain(self.on.overlays.iter().cloned()).collect();
        let picture = self.draw(msg!("map-hazard"), &shown, &Legend::zones(self.scheme), &overlays, "hazard.png")?;
        Ok(Some(Hazard { picture, zone_areas_m2, raw_areas_m2, generalised, uncertain }))
    }

    /// The map as it is, as cleaned polygons, and the style of both; returns the area per class, m².
    fn write_files(
        &self,
        stem: &str,
        description: &str,
        classes: &[MapClass],
        maps: &[&Field<u8>],
        clean: &[Field<u8>],
    ) -> Result<Vec<f64>> {
        let path = self.folder.join(format!("{stem}.tif"));
        write_raster(&path, self.on.dem.lattice(), maps, self.on.crs, description, classes)?;
        styles::write_classes(self.folder, stem, classes)?;
        write_polygons(self.folder, stem, clean, self.on.crs, classes)
    }

    /// The layer of confidence, and the area to be hatched where it is low.
    fn write_confidence(
        &self,
        sheets: &[Vec<Scenario>],
        hazard: &[Field<u8>],
        drawn: &[Field<u8>],
    ) -> Result<Option<(Uncertain, Vec<Field<u8>>)>> {
        let mut maps = Vec::new();
        for (sheet, hazard) in sheets.iter().zip(hazard) {
            let used: Vec<&Scenario> = sheet.iter().filter(|s| classify::has_frequency(s, self.scheme)).collect();
            let Some(map) = confidence::confidence_map(&used, hazard, self.scheme)? else { return Ok(None) };
            maps.push(map);
        }
        let unsure = |share: f32| f64::from(share) < confidence::UNCERTAIN;
        let pairs = || hazard.iter().zip(&maps).flat_map(|(hazard, map)| hazard.values.iter().zip(&map.values));
        let zoned = || pairs().filter(|(zone, share)| **zone > 0 && !share.is_nan());
        let (cells, sum) = zoned().fold((0usize, 0.0), |(n, sum), (_, share)| (n + 1, sum + f64::from(*share)));
        let few = zoned().filter(|(_, share)| unsure(**share)).count();
        let whole = self.on.dem.lattice();
        let cell_m2 = whole.dx * whole.dy;
        let uncertain = Uncertain {
            mean_confidence: if cells > 0 { sum / cells as f64 } else { 1.0 },
            below: confidence::UNCERTAIN,
            zoned_m2: few as f64 * cell_m2,
        };
        // Borders are narrow: only crumbs are merged.
        let crumbs = Generalisation {
            close_gaps_m: 0.0,
            min_width_m: 0.0,
            min_area_m2: 4.0 * cell_m2,
            max_less_severe_share: 1.0,
        };
        let hatched = |(map, drawn): (&Field<f32>, &Field<u8>)| {
            let hatched = |(share, zone): (&f32, &u8)| u8::from(unsure(*share) && *zone > 0);
            let values = map.values.iter().zip(&drawn.values).map(hatched).collect();
            generalise(&Field { lattice: map.lattice, values }, &crumbs).0
        };
        let hatching: Vec<Field<u8>> = maps.iter().zip(drawn).map(hatched).collect();
        for map in &mut maps {
            map.values.iter_mut().filter(|share| share.is_nan()).for_each(|share| *share = NODATA_F32);
        }
        let description = self.begin.to_string() + &say!("layer-confidence", halves = confidence::HALVES);
        let path = self.folder.join("hazard_confidence.tif");
        if whole.len() > LARGE_MAP {
            let about = About { description: &description, unit: "", nodata: NODATA_F32, colours: None };
            let values = joined(whole, maps.iter(), NODATA_F32);
            sparse_raster::write(&path, self.on.crs, &about, &values)?;
        } else if let Some(map) = maps.first() {
            let data = BandData::F32(&map.values);
            let band = Band { description: &description, unit: "", data, nodata: NODATA_F32.into() };
            write_raster::write(&path, &map.lattice, self.on.crs, &[band], &WriteRaster::of_results(&map.lattice))?;
        }
        styles::write_confidence(self.folder)?;
        let class = MapClass::uncertain();
        styles::write_classes(self.folder, "hazard_uncertain", std::slice::from_ref(&class))?;
        write_polygons(self.folder, "hazard_uncertain", &hatching, self.on.crs, &[class])?;
        Ok(Some((uncertain, hatching)))
    }

    /// The line around all cells that any rock passes, by scenario and of all, as its own layer: what the least reach leaves out is
    /// seen. Returns the area within, m².
    fn write_outermost(&self, scenarios: &[Scenario], sheets: &[Vec<Scenario>]) -> Result<(f64, Overlay)> {
        let mut overlay =
            Overlay { label: msg!("list-outermost"), colour: OUTERMOST, thickness: 1.0, lines: Vec::new() };
        if scenarios.is_empty() {
            return Ok((0.0, overlay));
        }
        let fields = [("scenario", FieldType::Text), ("rocks", FieldType::Integer), ("area_m2", FieldType::Real)];
        let path = self.folder.join("outermost_line.gpkg");
        let (format, kind) = (Format::GeoPackage, GeometryKind::LineString);
        let mut writer = VectorWriter::create(&path, format, "outermost_line", self.on.crs, kind, &fields)?;
        let closing = Generalisation { min_width_m: 0.0, min_area_m2: 0.0, ..self.scheme.generalisation() };
        // Around the cells that rocks of some scenarios of each sheet pass.
        let mut line = |name: &str, rocks: u64, of: std::ops::Range<usize>| -> Result<f64> {
            overlay.lines.clear();
            let mut sum = 0.0;
            for sheet in sheets {
                let lattice = sheet[0].counts.lattice;
                let mut values = vec![0u8; lattice.len()];
                let passed = Statistics::new(sheet[of.clone()].iter().map(|scenario| scenario.counts));
                passed.for_each_cell(Need::default(), |cell| values[cell.index as usize] = 1);
                let (closed, _) = generalise(&Field { lattice, values }, &closing);
                for zone in polygonize(&closed) {
                    let outline = ::geo::Polygon::new(zone.polygon.exterior().clone(), Vec::new());
                    let area = outline.unsigned_area();
                    sum += area;
                    overlay.lines.push(outline.exterior().coords().map(|c| [c.x, c.y]).collect());
                    let values = [
                        Value::Text(name.into()),
                        Value::Integer(rocks as i64),
                        Value::Real((area * 100.0).round() / 100.0),
                    ];
                    writer.write(&Geometry::LineString(outline.exterior().clone()), &values)?;
                }
            }
            Ok(sum)
        };
        if scenarios.len() > 1 {
            for (k, scenario) in scenarios.iter().enumerate() {
                line(&scenario.name, scenario.counts.released(), k..k + 1)?;
            }
        }
        let name = if scenarios.len() > 1 { say!("all-scenarios") } else { scenarios[0].name.clone() };
        let area = line(&name, scenarios.iter().map(|s| s.counts.released()).sum(), 0..scenarios.len())?;
        writer.finish()?;
        styles::write_outermost(self.folder)?;
        Ok((area, overlay))
    }

    fn draw(
        &self,
        title: Text,
        maps: &[Field<u8>],
        legend: &Legend,
        overlays: &[Overlay],
        file: &str,
    ) -> Result<Picture> {
        let whole = self.on.dem.lattice();
        let cells = |visit: &mut dyn FnMut(usize, f64)| {
            let mut some = |cell: usize, class: u8| {
                if class > 0 {
                    visit(cell, f64::from(class))
                }
            };
            maps.iter().for_each(|map| on_whole(whole, map, &mut some));
        };
        let values = match maps {
            [map] if map.lattice == *whole => Values::Classes(&map.values),
            _ => Values::Cells(&cells),
        };
        let canvas = preview::draw(&Preview {
            title: &title.to_string(),
            subtitle: self.on.subtitle,
            crs: self.on.crs.label(),
            dem: self.on.dem,
            values,
            legend,
            overlays,
            notes: self.legend,
            marks: self.on.marks,
        });
        canvas.save(&self.folder.join(file))?;
        Ok(Picture { caption: title, file: format!("{}/{file}", self.place) })
    }
}

/// What the hazard map leaves for the legend and the report.
struct Hazard {
    picture: Picture,
    zone_areas_m2: Vec<f64>,
    raw_areas_m2: Vec<f64>,
    generalised: Generalised,
    uncertain: Option<Uncertain>,
}

/// Calls `each` with the cells of a part of the map, by their number in the whole.
fn on_whole<T: Copy>(whole: &Lattice, part: &Field<T>, each: &mut impl FnMut(usize, T)) {
    let nodes = |at: f64, first: f64, step: f64| ((at - first) / step).round() as usize;
    let (column, row) = (nodes(part.lattice.x0, whole.x0, whole.dx), nodes(part.lattice.y0, whole.y0, whole.dy));
    for (k, line) in part.values.chunks_exact(part.lattice.nx).enumerate() {
        let first = (row + k) * whole.nx + column;
        line.iter().enumerate().for_each(|(i, &value)| each(first + i, value));
    }
}

/// Parts of a map on the whole of it.
fn joined<'f, T: Copy + PartialEq + 'f>(
    whole: &Lattice,
    parts: impl Iterator<Item = &'f Field<T>>,
    nothing: T,
) -> SparseField<T> {
    let mut all = SparseField::new(*whole, nothing);
    for part in parts {
        on_whole(whole, part, &mut |cell, value| {
            if value != nothing {
                *all.at_mut(cell) = value;
            }
        });
    }
    all
}

/// Area of each class of rasters, m².
fn areas(maps: &[Field<u8>], classes: usize) -> Vec<f64> {
    let mut areas = vec![0.0; classes];
    for map in maps {
        for &class in map.values.iter().filter(|class| **class > 0) {
            areas[class as usize - 1] += map.lattice.dx * map.lattice.dy;
        }
    }
    areas
}

fn list(classes: &[MapClass]) -> String {
    classes.iter().enumerate().map(|(i, class)| format!("{} {}", i + 1, class.name)).collect::<Vec<_>>().join(", ")
}

fn write_raster(
    path: &Path,
    whole: &Lattice,
    maps: &[&Field<u8>],
    crs: &Crs,
    description: &str,
    classes: &[MapClass],
) -> Result<()> {
    let colours: Vec<[u8; 3]> = classes.iter().map(|class| class.raster_colour().0).collect();
    let map = match maps {
        [map] if map.lattice == *whole => map,
        _ => {
            let about = About { description, unit: "", nodata: 0, colours: Some(&colours) };
            return sparse_raster::write(path, crs, &about, &joined(whole, maps.iter().copied(), 0));
        }
    };
    let band = Band { description, unit: "", data: BandData::Classes(&map.values, &colours), nodata: 0.0 };
    write_raster::write(path, &map.lattice, crs, &[band], &WriteRaster::of_results(&map.lattice))
}

/// Writes GeoPackage and shapefile; returns the area per class, m².
fn write_polygons(folder: &Path, stem: &str, maps: &[Field<u8>], crs: &Crs, classes: &[MapClass]) -> Result<Vec<f64>> {
    let polygons = maps.iter().flat_map(polygonize);
    let fields = [
        ("class", FieldType::Integer),
        ("name", FieldType::Text),
        ("colour", FieldType::Text),
        ("area_m2", FieldType::Real),
    ];
    let mut areas = vec![0.0; classes.len()];
    let mut features = Vec::new();
    for zone in polygons {
        let area = zone.polygon.unsigned_area();
        let Some(class) = classes.get(zone.class as usize - 1) else { continue };
        areas[zone.class as usize - 1] += area;
        let values = [
            Value::Integer(i64::from(zone.class)),
            Value::Text(class.name.clone()),
            Value::Text(String::from(class.colour)),
            Value::Real((area * 100.0).round() / 100.0),
        ];
        features.push((Geometry::Polygon(zone.polygon), values));
    }
    [Format::GeoPackage, Format::Shapefile].par_iter().try_for_each(|&format| {
        let path = folder.join(format!("{stem}.{}", format.extension()));
        let mut writer = VectorWriter::create(&path, format, stem, crs, GeometryKind::Polygon, &fields)?;
        features.iter().try_for_each(|(polygon, values)| writer.write(polygon, values).map(|_| ()))?;
        writer.finish().map(|_| ())
    })?;
    Ok(areas)
}
