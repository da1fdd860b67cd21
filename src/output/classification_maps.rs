//! The maps of a scheme: raster, polygons and picture of each.

use std::path::Path;

use ::geo::{Area, Geometry};
use rayon::prelude::*;

use crate::draw::preview::{self, Preview, Values};
use crate::draw::ramp::Legend;
use crate::files::names::file_name;
use crate::geo::polygonize::{ZonePolygon, polygonize};
use crate::geo::sparse_raster::About;
use crate::geo::write_raster::{self as raster_file, Band, BandData, WriteRaster};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::hazard::classify::{self, Scenario};
use crate::hazard::confidence;
use crate::hazard::generalise::{Generalisation, Generalised, generalise, generalise_parts};
use crate::hazard::scheme::Scheme;
use crate::hazard::squares;
use crate::hazard::statistics::{Need, Statistics};
use crate::output::classification::{Background, Classified, Uncertain};
use crate::output::classification_report;
use crate::output::classified_files::{write_parts, write_polygons, write_raster};
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
        let mut parts = Vec::new();
        sheets.for_each(scenarios, |sheet| {
            parts.push(self.classified(sheet)?);
            Ok(())
        })?;
        // One after the other where each takes much memory.
        let at_once = self.on.dem.lattice().len() <= SMALL_LATTICE;
        let write_intensity = |(index, scenario): (usize, &Scenario)| {
            let maps: Vec<&Field<u8>> = parts.iter().map(|part| &part.intensities[index]).collect();
            self.write_intensity(scenario, &maps)
        };
        let write_intensities = || match at_once {
            true => scenarios.par_iter().enumerate().map(write_intensity).collect::<Result<Vec<_>>>(),
            false => scenarios.iter().enumerate().map(write_intensity).collect(),
        };
        let (area_m2, outermost) = self.write_outermost(scenarios, &parts)?;
        result.outermost_m2 = area_m2;
        let write_hazard = || self.write_hazard(&parts, outermost);
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

    /// All that is needed of the counts of a part of the map.
    fn classified(&self, sheet: &[Scenario]) -> Result<Part> {
        let whole = squares::Part::Whole;
        let intensity = |scenario: &Scenario| classify::intensity_map(scenario, self.scheme, whole);
        let intensities = sheet.par_iter().map(intensity).collect::<Result<Vec<_>>>()?;
        let hazard = classify::hazard_map(sheet, &intensities, self.scheme, whole)?;
        let used: Vec<&Scenario> = sheet.iter().filter(|s| classify::has_frequency(s, self.scheme)).collect();
        let lattice = self.on.dem.lattice();
        let confidence = hazard.as_ref().map(|map| confidence::confidence_map(&used, map, lattice, self.scheme));
        let each = (0..sheet.len()).filter(|_| sheet.len() > 1).map(|k| outlines(&sheet[k..=k], self.scheme));
        let outlines = each.chain([outlines(sheet, self.scheme)]).collect();
        Ok(Part { intensities, hazard, confidence: confidence.transpose()?.flatten(), outlines })
    }

    fn write_intensity(&self, scenario: &Scenario, maps: &[&Field<u8>]) -> Result<Picture> {
        let stem = format!("intensity_{}", file_name(&scenario.name));
        let classes = MapClass::intensities(self.scheme);
        let description = self.begin.to_string() + &say!("layer-intensity", classes = list(&classes));
        let (clean, _) = generalise_parts(maps, &self.scheme.generalisation());
        self.write_files(&stem, &description, &classes, maps, &clean)?;
        let title = msg!("map-intensity", scenario = &scenario.name);
        let labels: Vec<String> = (0..self.scheme.intensities.len())
            .map(|i| classification_report::intensity_label(self.scheme, i))
            .collect();
        let legend = Legend::intensities(self.scheme, &labels);
        self.draw(title, &clean, &legend, self.on.overlays, &format!("{stem}.png"))
    }

    fn write_hazard(&self, parts: &[Part], outermost: Overlay) -> Result<Option<Hazard>> {
        if parts.iter().all(|part| part.hazard.is_none()) {
            return Ok(None);
        }
        let maps: Vec<&Field<u8>> = parts.iter().filter_map(|part| part.hazard.as_ref()).collect();
        let classes = MapClass::zones(self.scheme);
        let description = self.begin.to_string() + &say!("layer-hazard", classes = list(&classes));
        let (clean, generalised) = generalise_parts(&maps, &self.scheme.generalisation());
        let zone_areas_m2 = self.write_files("hazard", &description, &classes, &maps, &clean)?;
        let raw_areas_m2 = areas(&maps, classes.len());
        let known = parts.iter().filter(|part| part.hazard.is_some());
        let sure: Option<Vec<&Field<u8>>> = known.map(|part| part.confidence.as_ref()).collect();
        let (uncertain, unsure) = sure.map(|sure| self.write_confidence(&sure, &maps, &clean)).transpose()?.unzip();
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
        write_polygons(self.folder, stem, self.on.dem.lattice(), clean, self.on.crs, classes)
    }

    /// The layer of confidence, and the area to be hatched where it is low.
    fn write_confidence(
        &self,
        maps: &[&Field<u8>],
        hazard: &[&Field<u8>],
        drawn: &[Field<u8>],
    ) -> Result<(Uncertain, Vec<Field<u8>>)> {
        let whole = self.on.dem.lattice();
        let unsure = |halves: u8| f64::from(confidence::share(halves)) < confidence::UNCERTAIN;
        let pairs = || hazard.iter().zip(maps).flat_map(|(hazard, map)| hazard.values.iter().zip(&map.values));
        let zoned = || pairs().filter(|(zone, halves)| **zone > 0 && !confidence::share(**halves).is_nan());
        let add = |(n, sum): (usize, f64), (_, halves): (_, &u8)| (n + 1, sum + f64::from(confidence::share(*halves)));
        let (cells, sum) = zoned().fold((0, 0.0), add);
        let few = zoned().filter(|(_, halves)| unsure(**halves)).count();
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
        let hatched = |(map, drawn): (&&Field<u8>, &Field<u8>)| {
            let hatched = |(halves, zone): (&u8, &u8)| u8::from(unsure(*halves) && *zone > 0);
            let values = map.values.iter().zip(&drawn.values).map(hatched).collect();
            generalise(&Field { lattice: map.lattice, values }, &crumbs).0
        };
        let hatching: Vec<Field<u8>> = maps.iter().zip(drawn).map(hatched).collect();
        let description = self.begin.to_string() + &say!("layer-confidence", halves = u32::from(confidence::HALVES));
        let path = self.folder.join("hazard_confidence.tif");
        let value = |halves: u8| Some(confidence::share(halves)).filter(|share| !share.is_nan()).unwrap_or(NODATA_F32);
        if whole.len() > LARGE_MAP {
            let about = About { description: &description, unit: "", nodata: NODATA_F32, colours: None };
            write_parts(&path, whole, self.on.crs, &about, maps, value)?;
        } else if let [map] = maps {
            let values: Vec<f32> = map.values.iter().map(|&halves| value(halves)).collect();
            let data = BandData::F32(&values);
            let band = Band { description: &description, unit: "", data, nodata: NODATA_F32.into() };
            raster_file::write(&path, &map.lattice, self.on.crs, &[band], &WriteRaster::of_results(&map.lattice))?;
        }
        styles::write_confidence(self.folder)?;
        let class = MapClass::uncertain();
        styles::write_classes(self.folder, "hazard_uncertain", std::slice::from_ref(&class))?;
        write_polygons(self.folder, "hazard_uncertain", whole, &hatching, self.on.crs, &[class])?;
        Ok((uncertain, hatching))
    }

    /// The line around all cells that any rock passes, by scenario and of all, as its own layer: what the least reach leaves out is
    /// seen. Returns the area within, m².
    fn write_outermost(&self, scenarios: &[Scenario], parts: &[Part]) -> Result<(f64, Overlay)> {
        let mut overlay =
            Overlay { label: msg!("list-outermost"), colour: OUTERMOST, thickness: 1.0, lines: Vec::new() };
        if scenarios.is_empty() {
            return Ok((0.0, overlay));
        }
        let fields = [("scenario", FieldType::Text), ("rocks", FieldType::Integer), ("area_m2", FieldType::Real)];
        let path = self.folder.join("outermost_line.gpkg");
        let (format, kind) = (Format::GeoPackage, GeometryKind::LineString);
        let mut writer = VectorWriter::create(&path, format, "outermost_line", self.on.crs, kind, &fields)?;
        // The k-th outlines of each part.
        let mut line = |name: &str, rocks: u64, k: usize| -> Result<f64> {
            overlay.lines.clear();
            let mut sum = 0.0;
            let mut all: Vec<_> =
                parts.iter().flat_map(|part| part.outlines[k].iter().map(move |one| (part, one))).collect();
            let place = |part: &Part, first: (usize, usize)| part.first_in(self.on.dem.lattice(), first);
            all.sort_by_key(|(part, (first, _))| place(part, *first));
            for (_, (_, outline)) in all {
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
            Ok(sum)
        };
        if scenarios.len() > 1 {
            for (k, scenario) in scenarios.iter().enumerate() {
                line(&scenario.name, scenario.counts.released(), k)?;
            }
        }
        let name = if scenarios.len() > 1 { say!("all-scenarios") } else { scenarios[0].name.clone() };
        let last = if scenarios.len() > 1 { scenarios.len() } else { 0 };
        let area = line(&name, scenarios.iter().map(|s| s.counts.released()).sum(), last)?;
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

/// What is known of a part of the map when its counts are no longer at hand: a byte a cell and map.
struct Part {
    /// By scenario.
    intensities: Vec<Field<u8>>,
    hazard: Option<Field<u8>>,
    /// See [`confidence::share`].
    confidence: Option<Field<u8>>,
    /// Around the cells that rocks pass, by scenario if there are several, then of all: the first cell, and the line.
    outlines: Vec<Vec<Outline>>,
}

type Outline = ((usize, usize), ::geo::Polygon<f64>);

impl Part {
    /// Row and column in the whole map of a cell of the part.
    fn first_in(&self, whole: &Lattice, first: (usize, usize)) -> (usize, usize) {
        let (column, row) = self.intensities.first().map_or((0, 0), |map| whole.first_of(&map.lattice));
        (row + first.0, column + first.1)
    }
}

/// Around the cells that any rock of these scenarios passes; gaps are closed as in zones.
fn outlines(scenarios: &[Scenario], scheme: &Scheme) -> Vec<Outline> {
    let Some(lattice) = scenarios.first().map(|scenario| scenario.counts.lattice) else { return Vec::new() };
    let closing = Generalisation { min_width_m: 0.0, min_area_m2: 0.0, ..scheme.generalisation() };
    let mut values = vec![0u8; lattice.len()];
    let passed = Statistics::new(scenarios.iter().map(|scenario| scenario.counts));
    passed.for_each_cell(Need::default(), |cell| values[cell.index as usize] = 1);
    let (closed, _) = generalise(&Field { lattice, values }, &closing);
    let outline = |zone: ZonePolygon| (zone.first, ::geo::Polygon::new(zone.polygon.exterior().clone(), Vec::new()));
    polygonize(&closed).into_iter().map(outline).collect()
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
    let (column, row) = whole.first_of(&part.lattice);
    for (k, line) in part.values.chunks_exact(part.lattice.nx).enumerate() {
        let first = (row + k) * whole.nx + column;
        line.iter().enumerate().for_each(|(i, &value)| each(first + i, value));
    }
}

/// Area of each class of rasters, m².
fn areas(maps: &[&Field<u8>], classes: usize) -> Vec<f64> {
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
