//! Classified maps on disk: intensity per scenario and hazard zones, as rasters, cleaned polygons, preview and legend.

use std::path::Path;

use ::geo::{Area, Geometry};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::draw::preview::{self, Mark, Preview, Values};
use crate::draw::ramp::Legend;
use crate::draw::relief::Relief;
use crate::files::atomic;
use crate::files::names::{self, file_name};
use crate::geo::Crs;
use crate::geo::polygonize::polygonize;
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::hazard::accumulator::Accumulator;
use crate::hazard::classify::{self, Scenario};
use crate::hazard::confidence;
use crate::hazard::generalise::{Generalisation, Generalised, generalise};
use crate::hazard::scheme::{ReturnPeriod, Scheme};
use crate::hazard::squares::Part;
use crate::hazard::statistics::{Need, Statistics};
use crate::output::classification_report::{self, legend_lines, rule};
use crate::output::matrix;
use crate::output::page::{self, Block};
use crate::output::report::Pictures;
use crate::output::report_model::Picture;
use crate::output::styles::{self, MapClass};
use crate::project::schemes;
use crate::store::layers::{NODATA_F32, SMALL_LATTICE};
use crate::store::manifest::ClassificationRecord;
use crate::store::overlays::Overlay;
use crate::store::run_folder::CLASSIFICATION;
use crate::terrain::Field;
use crate::texts::{Text, msg, say};
use crate::{Error, Note, Result};

/// What the previews are drawn on.
pub(crate) struct Background<'a> {
    pub dem: &'a Relief<'a>,
    pub crs: &'a Crs,
    pub subtitle: &'a str,
    pub overlays: &'a [Overlay],
    /// Where rocks left the terrain model.
    pub marks: &'a [Mark],
}

/// What came of a classification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Classified {
    /// Of its folder under `classification`.
    pub name: String,
    pub scheme: Scheme,
    /// See [`schemes::source`].
    pub source: String,
    /// Name and return period in years of each scenario.
    pub scenarios: Vec<(String, Option<f64>)>,
    /// Intensities, then hazard.
    pub maps: Vec<Picture>,
    /// Area per zone of the polygons, least severe first, m²; `None` without a hazard map.
    pub zone_areas_m2: Option<Vec<f64>>,
    /// The same of the cells as computed.
    pub raw_areas_m2: Option<Vec<f64>>,
    /// What drawing has done to the hazard zones.
    pub generalised: Generalised,
    /// Where other rocks might give another zone; `None` for a scheme without a reference width.
    pub uncertain: Option<Uncertain>,
    /// Area within the outermost line of all rocks, m².
    pub outermost_m2: f64,
    /// What the reader must know.
    pub notes: Vec<Note>,
}

impl Classified {
    /// The notes as warnings of the run.
    pub fn warnings(&self) -> Vec<Note> {
        let warning = |note: &Note| Note::OfClassification { name: self.name.clone(), note: Box::new(note.clone()) };
        self.notes.iter().map(warning).collect()
    }

    /// What the manifest says of it.
    pub fn record(&self) -> ClassificationRecord {
        let scheme = &self.scheme;
        ClassificationRecord {
            name: self.name.clone(),
            scheme: scheme.name.clone(),
            source: self.source.clone(),
            quantile: scheme.quantile,
            return_period: scheme.return_period,
            rule: rule(scheme, &self.scenarios),
            scenario_return_periods_years: self.scenarios.iter().cloned().collect(),
            least_reach_probability: scheme.least_reach_probability,
            min_area_m2: scheme.min_area_m2,
            engine: env!("COULOIR_VERSION").into(),
        }
    }
}

/// How sure the zones are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Uncertain {
    /// Mean confidence over the cells with a zone.
    pub mean_confidence: f64,
    /// Below this a cell counts as uncertain.
    pub below: f64,
    /// Cells with a zone that are uncertain, m².
    pub zoned_m2: f64,
}

/// A scheme that is applied to a run.
pub(crate) struct Applied<'a> {
    pub scheme: &'a Scheme,
    /// See [`schemes::source`].
    pub source: &'a str,
    /// Of its folder under `classification`.
    pub name: &'a str,
    /// Of the run's scenarios, in their order.
    pub scenario_names: &'a [String],
    pub return_periods_years: &'a [Option<f64>],
}

impl Applied<'_> {
    /// Where its files lie in a run folder: of the only variant, or of this one.
    pub(crate) fn place(&self, variant: Option<&str>) -> String {
        let base = variant.map_or(String::new(), |variant| format!("{variant}/"));
        format!("{base}{CLASSIFICATION}/{}", self.name)
    }

    /// Classifies the counts of a variant and writes all maps, in the place they have in a run folder, below `root`.
    pub(crate) fn write(
        &self,
        root: &Path,
        variant: Option<&str>,
        counts: &[Accumulator],
        on: &Background,
    ) -> Result<Classified> {
        let all = self.scenario_names.iter().zip(counts).zip(self.return_periods_years);
        let scenario = |((name, counts), &return_period_years): ((&String, _), &Option<f64>)| Scenario {
            name: name.clone(),
            counts,
            return_period_years,
        };
        let scenarios: Vec<Scenario> = all.map(scenario).collect();
        let place = self.place(variant);
        let folder = root.join(&place);
        std::fs::create_dir_all(&folder).map_err(|error| {
            Error::failed(format!("the folder {} cannot be made: {error}", folder.display())).caused_by(error)
        })?;
        let mut result = Classified {
            name: self.name.into(),
            scheme: self.scheme.clone(),
            source: self.source.into(),
            scenarios: scenarios.iter().map(|s| (s.name.clone(), s.return_period_years)).collect(),
            maps: Vec::new(),
            zone_areas_m2: None,
            raw_areas_m2: None,
            generalised: Generalised::default(),
            uncertain: None,
            outermost_m2: 0.0,
            notes: notes(&scenarios, self.scheme),
        };
        let legend = legend_lines(self.scheme, &result.scenarios);
        Maps { scheme: self.scheme, folder: &folder, place: &place, legend: &legend, on }
            .write(&scenarios, &mut result)?;
        self.write_legend(root, &folder, &result)?;
        Ok(result)
    }

    fn write_legend(&self, root: &Path, folder: &Path, result: &Classified) -> Result<()> {
        let mut blocks = vec![Block::Title(self.scheme.name.clone())];
        blocks.extend(classification_report::section(result, &Pictures { known: &[], folders: &[root] })?);
        let page = page::render(&self.scheme.name, &blocks)?;
        atomic::write_bytes(&folder.join("legend.html"), page.as_bytes())?;
        if let Some(picture) = matrix::svg(self.scheme) {
            atomic::write_bytes(&folder.join(matrix::FILE_NAME), picture.as_bytes())?;
        }
        let text = serde_yaml::to_string(self.scheme)
            .map_err(|error| Error::failed(format!("scheme.yaml: {error}")).caused_by(error))?;
        atomic::write_bytes(&folder.join("scheme.yaml"), text.as_bytes())?;
        let text = serde_json::to_string_pretty(self.scheme)
            .map_err(|error| Error::failed(format!("scheme.json: {error}")).caused_by(error))?;
        atomic::write_bytes(&folder.join("scheme.json"), (text + "\n").as_bytes())
    }
}

/// The folder's name for a scheme: its own or its file's, unless a scheme from elsewhere has it already.
pub(crate) fn scheme_folder(name: &str, source: &str, others: &[ClassificationRecord]) -> String {
    if source.is_empty() {
        return file_name(name);
    }
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let plain = file_name(&stem);
    let is_taken = schemes::BUILT_IN.iter().any(|(built_in, _)| *built_in == plain)
        || others.iter().any(|other| other.name == plain && other.source != source);
    if is_taken { names::with_hash(&stem, source) } else { plain }
}

/// Colour of the outermost line.
const OUTERMOST: [u8; 3] = [110, 110, 110];

/// Writes the maps of one variant: raster, polygons and picture of each.
struct Maps<'a> {
    scheme: &'a Scheme,
    folder: &'a Path,
    /// That of the folder in the run folder.
    place: &'a str,
    legend: &'a [String],
    on: &'a Background<'a>,
}

impl Maps<'_> {
    fn write(&self, scenarios: &[Scenario], result: &mut Classified) -> Result<()> {
        let intensity = |scenario: &Scenario| classify::intensity_map(scenario, self.scheme, Part::Whole);
        let intensities = scenarios.par_iter().map(intensity).collect::<Result<Vec<_>>>()?;
        // One after the other where each takes much memory.
        let at_once = self.on.dem.lattice().len() <= SMALL_LATTICE;
        let write_intensity = |(scenario, map): (&Scenario, &Field<u8>)| self.write_intensity(scenario, map);
        let write_intensities = || match at_once {
            true => scenarios.par_iter().zip(&intensities).map(write_intensity).collect::<Result<Vec<_>>>(),
            false => scenarios.iter().zip(&intensities).map(write_intensity).collect(),
        };
        let (area_m2, outermost) = self.write_outermost(scenarios)?;
        result.outermost_m2 = area_m2;
        let write_hazard = || self.write_hazard(scenarios, &intensities, outermost);
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

    fn write_intensity(&self, scenario: &Scenario, map: &Field<u8>) -> Result<Picture> {
        let stem = format!("intensity_{}", file_name(&scenario.name));
        let classes = MapClass::intensities(self.scheme);
        let description = say!("layer-intensity", classes = list(&classes));
        let (clean, _) = generalise(map, &self.scheme.generalisation());
        self.write_files(&stem, &description, &classes, map, &clean)?;
        let title = msg!("map-intensity", scenario = &scenario.name);
        let labels: Vec<String> = (0..self.scheme.intensities.len())
            .map(|i| classification_report::intensity_label(self.scheme, i))
            .collect();
        let legend = Legend::intensities(self.scheme, &labels);
        self.draw(title, &clean, &legend, self.on.overlays, &format!("{stem}.png"))
    }

    fn write_hazard(
        &self,
        scenarios: &[Scenario],
        intensities: &[Field<u8>],
        outermost: Overlay,
    ) -> Result<Option<Hazard>> {
        let Some(map) = classify::hazard_map(scenarios, intensities, self.scheme, Part::Whole)? else {
            return Ok(None);
        };
        let classes = MapClass::zones(self.scheme);
        let description = say!("layer-hazard", classes = list(&classes));
        let (clean, generalised) = generalise(&map, &self.scheme.generalisation());
        let zone_areas_m2 = self.write_files("hazard", &description, &classes, &map, &clean)?;
        let raw_areas_m2 = areas(&map, classes.len());
        let (uncertain, unsure) = self.write_confidence(scenarios, &map, &clean)?.unzip();
        let is_unsure = |cell: usize| unsure.as_ref().is_some_and(|unsure| unsure.values[cell] > 0);
        let class = |(cell, &zone): (usize, &u8)| if zone == 0 { 0 } else { 2 * zone - u8::from(!is_unsure(cell)) };
        let shown = Field { lattice: clean.lattice, values: clean.values.iter().enumerate().map(class).collect() };
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
        map: &Field<u8>,
        clean: &Field<u8>,
    ) -> Result<Vec<f64>> {
        write_raster(&self.folder.join(format!("{stem}.tif")), map, self.on.crs, description, classes)?;
        styles::write_classes(self.folder, stem, classes)?;
        write_polygons(self.folder, stem, clean, self.on.crs, classes)
    }

    /// The layer of confidence, and the area to be hatched where it is low.
    fn write_confidence(
        &self,
        scenarios: &[Scenario],
        hazard: &Field<u8>,
        drawn: &Field<u8>,
    ) -> Result<Option<(Uncertain, Field<u8>)>> {
        let used: Vec<&Scenario> = scenarios.iter().filter(|s| classify::has_frequency(s, self.scheme)).collect();
        let Some(mut map) = confidence::confidence_map(&used, hazard, self.scheme)? else { return Ok(None) };
        let unsure = |share: f32| f64::from(share) < confidence::UNCERTAIN;
        let zoned = || hazard.values.iter().zip(&map.values).filter(|(zone, share)| **zone > 0 && !share.is_nan());
        let (cells, sum) = zoned().fold((0usize, 0.0), |(n, sum), (_, share)| (n + 1, sum + f64::from(*share)));
        let few = zoned().filter(|(_, share)| unsure(**share)).count();
        let cell_m2 = hazard.lattice.dx * hazard.lattice.dy;
        let uncertain = Uncertain {
            mean_confidence: if cells > 0 { sum / cells as f64 } else { 1.0 },
            below: confidence::UNCERTAIN,
            zoned_m2: few as f64 * cell_m2,
        };
        let hatched = |(share, zone): (&f32, &u8)| u8::from(unsure(*share) && *zone > 0);
        let values = map.values.iter().zip(&drawn.values).map(hatched).collect();
        let hatching = Field { lattice: hazard.lattice, values };
        // Borders are narrow: only crumbs are merged.
        let cells = Generalisation {
            close_gaps_m: 0.0,
            min_width_m: 0.0,
            min_area_m2: 4.0 * cell_m2,
            max_less_severe_share: 1.0,
        };
        let (hatching, _) = generalise(&hatching, &cells);
        map.values.iter_mut().filter(|share| share.is_nan()).for_each(|share| *share = NODATA_F32);
        let description = say!("layer-confidence", halves = confidence::HALVES);
        let band =
            Band { description: &description, unit: "", data: BandData::F32(&map.values), nodata: NODATA_F32.into() };
        let path = self.folder.join("hazard_confidence.tif");
        write_raster::write(&path, &map.lattice, self.on.crs, &[band], &WriteRaster::of_results(&map.lattice))?;
        styles::write_confidence(self.folder)?;
        let class = MapClass::uncertain();
        styles::write_classes(self.folder, "hazard_uncertain", std::slice::from_ref(&class))?;
        write_polygons(self.folder, "hazard_uncertain", &hatching, self.on.crs, &[class])?;
        Ok(Some((uncertain, hatching)))
    }

    /// The line around all cells that any rock passes, by scenario and of all, as its own layer: what the least reach leaves out is
    /// seen. Returns the area within, m².
    fn write_outermost(&self, scenarios: &[Scenario]) -> Result<(f64, Overlay)> {
        let mut overlay =
            Overlay { label: msg!("list-outermost"), colour: OUTERMOST, thickness: 1.0, lines: Vec::new() };
        let Some(lattice) = scenarios.first().map(|scenario| scenario.counts.lattice) else {
            return Ok((0.0, overlay));
        };
        let fields = [("scenario", FieldType::Text), ("rocks", FieldType::Integer), ("area_m2", FieldType::Real)];
        let path = self.folder.join("outermost_line.gpkg");
        let (format, kind) = (Format::GeoPackage, GeometryKind::LineString);
        let mut writer = VectorWriter::create(&path, format, "outermost_line", self.on.crs, kind, &fields)?;
        let closing = Generalisation { min_width_m: 0.0, min_area_m2: 0.0, ..self.scheme.generalisation() };
        let mut all = vec![0u8; lattice.len()];
        let mut line = |name: &str, rocks: u64, values: Vec<u8>| -> Result<f64> {
            overlay.lines.clear();
            let (closed, _) = generalise(&Field { lattice, values }, &closing);
            let mut sum = 0.0;
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
            Ok(sum)
        };
        for scenario in scenarios {
            let mut values = vec![0u8; lattice.len()];
            let passed = Statistics::new([scenario.counts]);
            passed.for_each_cell(Need::default(), |cell| values[cell.index as usize] = 1);
            all.iter_mut().zip(&values).for_each(|(all, one)| *all |= one);
            if scenarios.len() > 1 {
                line(&scenario.name, scenario.counts.released(), values)?;
            }
        }
        let name = if scenarios.len() > 1 { say!("all-scenarios") } else { scenarios[0].name.clone() };
        let area = line(&name, scenarios.iter().map(|s| s.counts.released()).sum(), all)?;
        writer.finish()?;
        styles::write_outermost(self.folder)?;
        Ok((area, overlay))
    }

    fn draw(&self, title: Text, map: &Field<u8>, legend: &Legend, overlays: &[Overlay], file: &str) -> Result<Picture> {
        let canvas = preview::draw(&Preview {
            title: &title.to_string(),
            subtitle: self.on.subtitle,
            crs: self.on.crs.label(),
            dem: self.on.dem,
            values: Values::Classes(&map.values),
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

/// Area of each class of a raster, m².
fn areas(map: &Field<u8>, classes: usize) -> Vec<f64> {
    let mut areas = vec![0.0; classes];
    for &class in map.values.iter().filter(|class| **class > 0) {
        areas[class as usize - 1] += map.lattice.dx * map.lattice.dy;
    }
    areas
}

fn list(classes: &[MapClass]) -> String {
    classes.iter().enumerate().map(|(i, class)| format!("{} {}", i + 1, class.name)).collect::<Vec<_>>().join(", ")
}

fn notes(scenarios: &[Scenario], scheme: &Scheme) -> Vec<Note> {
    let mut notes = Vec::new();
    let without: Vec<String> =
        scenarios.iter().filter(|s| !classify::has_frequency(s, scheme)).map(|s| s.name.clone()).collect();
    let by_scenario = scheme.return_period == ReturnPeriod::Scenario;
    if !by_scenario && scheme.reference_width_m.is_none() && without.len() < scenarios.len() {
        notes.push(Note::NoReferenceWidth);
    }
    if !scheme.fill_in.is_empty() {
        notes.push(Note::SchemeToFillIn { scheme: scheme.name.clone(), what: scheme.fill_in.trim_end().into() });
    }
    if without.len() == scenarios.len() {
        notes.insert(0, Note::NoHazardMap { by_scenario });
    } else if !without.is_empty() {
        notes.insert(0, Note::HazardMapIncomplete { scenarios: without, by_scenario });
    }
    notes
}

fn write_raster(path: &Path, map: &Field<u8>, crs: &Crs, description: &str, classes: &[MapClass]) -> Result<()> {
    let colours: Vec<[u8; 3]> = classes.iter().map(|class| class.raster_colour().0).collect();
    let band = Band { description, unit: "", data: BandData::Classes(&map.values, &colours), nodata: 0.0 };
    write_raster::write(path, &map.lattice, crs, &[band], &WriteRaster::of_results(&map.lattice))
}

/// Writes GeoPackage and shapefile; returns the area per class, m².
fn write_polygons(folder: &Path, stem: &str, map: &Field<u8>, crs: &Crs, classes: &[MapClass]) -> Result<Vec<f64>> {
    let polygons = polygonize(map);
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
