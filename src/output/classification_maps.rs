//! The maps of a scheme: raster, polygons and picture of each.

use std::path::Path;

use ::geo::{Area, Geometry};
use rayon::prelude::*;

use crate::Result;
use crate::draw::preview::{self, Preview, Values};
use crate::draw::ramp::Legend;
use crate::files::names::file_name;
use crate::geo::Crs;
use crate::geo::polygonize::polygonize;
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::hazard::classify::{self, Scenario};
use crate::hazard::confidence;
use crate::hazard::generalise::{Generalisation, Generalised, generalise};
use crate::hazard::scheme::Scheme;
use crate::hazard::squares::Part;
use crate::hazard::statistics::{Need, Statistics};
use crate::output::classification::{Background, Classified, Uncertain};
use crate::output::classification_report;
use crate::output::report_model::Picture;
use crate::output::styles::{self, MapClass};
use crate::store::layers::{NODATA_F32, SMALL_LATTICE};
use crate::store::overlays::Overlay;
use crate::terrain::Field;
use crate::texts::{Text, msg, say};

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
        let description = self.begin.to_string() + &say!("layer-intensity", classes = list(&classes));
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
        let description = self.begin.to_string() + &say!("layer-hazard", classes = list(&classes));
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
        let description = self.begin.to_string() + &say!("layer-confidence", halves = confidence::HALVES);
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
