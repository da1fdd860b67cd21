//! Classified maps on disk: intensity per scenario and hazard zones, as rasters, cleaned polygons, preview and legend.

use std::path::{Path, PathBuf};

use ::geo::{Area, Geometry};
use rayon::prelude::*;

use crate::files::atomic;
use crate::files::names::{self, file_name};
use crate::geo::Crs;
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::hazard::classify::{self, Scenario};
use crate::hazard::scheme::{Colour, Combine, ReturnPeriod, Scheme};
use crate::hazard::zones::{self, Cleaned};
use crate::output::html::{self, Embedded};
use crate::output::polygons::polygonize;
use crate::output::preview::{self, Preview, Relief, Values};
use crate::output::ramp::{Legend, number};
use crate::project::schemes;
use crate::store::layers::SMALL_LATTICE;
use crate::store::manifest::ClassificationRecord;
use crate::store::overlays::Overlay;
use crate::terrain::Field;
use crate::{Error, Result};

/// What the previews are drawn on.
pub struct Background<'a> {
    pub dem: &'a Relief<'a>,
    pub crs: &'a Crs,
    pub subtitle: &'a str,
    pub overlays: &'a [Overlay],
}

/// What came of a classification.
#[derive(Debug, Clone)]
pub struct Classified {
    pub scheme: Scheme,
    /// See [`schemes::source`].
    pub source: String,
    /// Name and return period in years of each scenario.
    pub scenarios: Vec<(String, Option<f64>)>,
    /// Folder the files are in.
    pub folder: PathBuf,
    /// Title and image of each map: intensities, then hazard.
    pub maps: Vec<(String, Embedded)>,
    /// Area per zone of the polygons, least severe first, m²; `None` without a hazard map.
    pub zone_areas_m2: Option<Vec<f64>>,
    pub cleaned: Cleaned,
    /// What the reader must know.
    pub notes: Vec<String>,
}

impl Classified {
    /// Name of its folder.
    pub fn name(&self) -> String {
        self.folder.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// The notes as warnings of the run.
    pub fn warnings(&self) -> Vec<String> {
        let prefix = warning_prefix(&self.name());
        self.notes.iter().map(|note| format!("{prefix}{note}")).collect()
    }

    /// What the manifest says of it.
    pub fn record(&self) -> ClassificationRecord {
        let scheme = &self.scheme;
        ClassificationRecord {
            name: self.name(),
            scheme: scheme.name.clone(),
            source: self.source.clone(),
            quantile: scheme.quantile,
            return_period: scheme.return_period,
            rule: rule(scheme, &self.scenarios),
            scenario_return_periods_years: self.scenarios.iter().cloned().collect(),
            least_reach_probability: scheme.least_reach_probability,
            min_area_m2: scheme.min_area_m2,
        }
    }
}

/// How a warning of a classification begins.
pub fn warning_prefix(name: &str) -> String {
    format!("classification {name}: ")
}

/// The folder's name for a scheme: its own or its file's, unless a scheme from elsewhere has it already.
pub fn scheme_folder(name: &str, source: &str, others: &[ClassificationRecord]) -> String {
    if source.is_empty() {
        return file_name(name);
    }
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let plain = file_name(&stem);
    let is_taken = schemes::BUILT_IN.iter().any(|(built_in, _)| *built_in == plain)
        || others.iter().any(|other| other.name == plain && other.source != source);
    if is_taken { names::with_hash(&stem, source) } else { plain }
}

/// Writes all maps of a scheme into `folder`.
pub fn write(
    folder: &Path,
    scenarios: &[Scenario],
    scheme: &Scheme,
    source: &str,
    on: &Background,
) -> Result<Classified> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::failed(format!("the folder {} cannot be made: {error}", folder.display())))?;
    let mut result = Classified {
        scheme: scheme.clone(),
        source: source.into(),
        scenarios: scenarios.iter().map(|s| (s.name.clone(), s.return_period_years)).collect(),
        folder: folder.to_path_buf(),
        maps: Vec::new(),
        zone_areas_m2: None,
        cleaned: Cleaned::default(),
        notes: notes(scenarios, scheme),
    };
    let legend = legend_lines(scheme, &result.scenarios);
    let intensities =
        scenarios.par_iter().map(|scenario| classify::intensity_map(scenario, scheme)).collect::<Result<Vec<_>>>()?;
    let draw = |title: &str, map: &Field<u8>, legend_of: &Legend, file: &str| -> Result<Embedded> {
        let (subtitle, crs, overlays) = (on.subtitle, on.crs.label(), on.overlays);
        let canvas = preview::draw(&Preview {
            title,
            subtitle,
            crs,
            dem: on.dem,
            values: Values::Classes(&map.values),
            legend: legend_of,
            overlays,
            notes: &legend,
        });
        canvas.save(&folder.join(file)).map(|png| Embedded::new(&png))
    };
    let write_intensity = |(scenario, map): (&Scenario, &Field<u8>)| -> Result<(String, Embedded)> {
        let stem = format!("intensity_{}", file_name(&scenario.name));
        let names: Vec<(String, Colour)> =
            scheme.intensities.iter().map(|class| (class.name.clone(), class.colour)).collect();
        let description = format!("Intensity class (0 none, then {})", list(&names));
        write_raster(&folder.join(format!("{stem}.tif")), map, on.crs, &description)?;
        let (clean, _) = zones::clean(map, scheme.min_area_m2);
        write_polygons(folder, &stem, &clean, on.crs, &names)?;
        let title = format!("Intensity, scenario {}", scenario.name);
        let image = draw(&title, map, &Legend::intensities(scheme), &format!("{stem}.png"))?;
        Ok((title, image))
    };
    let write_hazard = || -> Result<Option<Hazard>> {
        let Some(map) = classify::hazard_map(scenarios, &intensities, scheme)? else { return Ok(None) };
        let names: Vec<(String, Colour)> =
            scheme.zones.iter().map(|zone| (format!("{} ({})", zone.id, zone.name), zone.colour)).collect();
        let description = format!("Hazard zone (0 none, then {})", list(&names));
        write_raster(&folder.join("hazard.tif"), &map, on.crs, &description)?;
        let (clean, cleaned) = zones::clean(&map, scheme.min_area_m2);
        let zone_areas_m2 = write_polygons(folder, "hazard", &clean, on.crs, &names)?;
        let image = draw("Hazard zones", &clean, &Legend::zones(scheme), "hazard.png")?;
        Ok(Some(Hazard { image, zone_areas_m2, cleaned }))
    };
    // One after the other where each takes much memory.
    let at_once = on.dem.lattice().len() <= SMALL_LATTICE;
    let write_intensities = || match at_once {
        true => scenarios.par_iter().zip(&intensities).map(write_intensity).collect::<Result<Vec<_>>>(),
        false => scenarios.iter().zip(&intensities).map(write_intensity).collect(),
    };
    let (hazard, maps) = super::both(at_once, write_hazard, write_intensities);
    result.maps = maps?;
    if let Some(hazard) = hazard? {
        result.zone_areas_m2 = Some(hazard.zone_areas_m2);
        result.cleaned = hazard.cleaned;
        result.maps.push(("Hazard zones".into(), hazard.image));
    }
    let page = html::page(&scheme.name, &format!("<h1>{}</h1>\n{}", html::escape(&scheme.name), section(&result)));
    atomic::write_bytes(&folder.join("legend.html"), page.as_bytes())?;
    let text = serde_yaml::to_string(scheme).map_err(|error| Error::failed(format!("scheme.yaml: {error}")))?;
    atomic::write_bytes(&folder.join("scheme.yaml"), text.as_bytes())?;
    Ok(result)
}

/// What the hazard map leaves for the legend and the report.
struct Hazard {
    image: Embedded,
    zone_areas_m2: Vec<f64>,
    cleaned: Cleaned,
}

fn list(names: &[(String, Colour)]) -> String {
    names.iter().enumerate().map(|(i, (name, _))| format!("{} {name}", i + 1)).collect::<Vec<_>>().join(", ")
}

fn notes(scenarios: &[Scenario], scheme: &Scheme) -> Vec<String> {
    let mut notes = Vec::new();
    let without: Vec<&str> =
        scenarios.iter().filter(|s| !classify::has_frequency(s, scheme)).map(|s| s.name.as_str()).collect();
    let own = scheme.return_period == ReturnPeriod::Scenario;
    if without.len() == scenarios.len() {
        notes.push(format!(
            "No hazard map: the project gives no release frequency, and reach alone is not a return period. Set \
             frequency_per_year under each release (rocks per year from each feature){} and run again; the intensity maps \
             below need none.",
            if own { ", or classification.scenario_return_periods_years," } else { "" }
        ));
    } else if !without.is_empty() {
        notes.push(format!(
            "The hazard map leaves out what has no frequency_per_year{}: {}. It understates the hazard there.",
            if own { " and no return period" } else { "" },
            without.join(", ")
        ));
    }
    if !own && scheme.reference_width_m.is_none() && without.len() < scenarios.len() {
        notes.push(
            "Frequencies are those of rocks whose centre passes a cell of the DEM; a larger object is hit more often. Set \
             reference_width_m in a scheme of your own to refer them to an object's width."
                .into(),
        );
    }
    notes
}

fn write_raster(path: &Path, map: &Field<u8>, crs: &Crs, description: &str) -> Result<()> {
    let band = Band { description, unit: "", data: BandData::U8(&map.values), nodata: 0.0 };
    write_raster::write(path, &map.lattice, crs, &[band], &WriteRaster::default())
}

/// Writes GeoPackage and shapefile; returns the area per class, m².
fn write_polygons(
    folder: &Path,
    stem: &str,
    map: &Field<u8>,
    crs: &Crs,
    names: &[(String, Colour)],
) -> Result<Vec<f64>> {
    let polygons = polygonize(map);
    let fields = [
        ("class", FieldType::Integer),
        ("name", FieldType::Text),
        ("colour", FieldType::Text),
        ("area_m2", FieldType::Real),
    ];
    let mut areas = vec![0.0; names.len()];
    let mut features = Vec::new();
    for zone in polygons {
        let area = zone.polygon.unsigned_area();
        let Some((name, colour)) = names.get(zone.class as usize - 1) else { continue };
        areas[zone.class as usize - 1] += area;
        let values = [
            Value::Integer(i64::from(zone.class)),
            Value::Text(name.clone()),
            Value::Text(String::from(*colour)),
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

/// The rules of a scheme in a few lines, for the legend of a map. Scenarios with their return periods in years.
pub fn legend_lines(scheme: &Scheme, scenarios: &[(String, Option<f64>)]) -> Vec<String> {
    let intensities: Vec<String> = (0..scheme.intensities.len())
        .map(|i| format!("{} {}", scheme.intensities[i].name, scheme.intensity_label(i)))
        .collect();
    let mut lines = vec![
        scheme.name.clone(),
        format!("Intensity: {} (p{} of the kinetic energy).", intensities.join(", "), percent(scheme.quantile)),
    ];
    for (row, class) in scheme.matrix.iter().zip(&scheme.intensities) {
        let cells: Vec<String> =
            row.iter().enumerate().map(|(i, zone)| format!("{} {zone}", scheme.period_label(i))).collect();
        lines.push(format!("{}: {}.", class.name, cells.join(", ")));
    }
    lines.push(rule(scheme, scenarios));
    lines.push(reach_rule(scheme));
    lines.push(format!("Smallest area {} m².", scheme.min_area_m2));
    lines
}

/// 0.95 as 95, 0.975 as 97.5.
fn percent(share: f64) -> f64 {
    (1e6 * share).round() / 1e4
}

/// Where return periods come from, in one sentence or two.
pub fn rule(scheme: &Scheme, scenarios: &[(String, Option<f64>)]) -> String {
    match (scheme.return_period, scheme.combine) {
        (ReturnPeriod::Scenario, _) => {
            let of = |(name, years): &(String, Option<f64>)| match years {
                Some(years) => format!("{name}: {} years", number(*years)),
                None => format!("{name}: not given"),
            };
            let periods: Vec<String> = scenarios.iter().map(of).collect();
            format!(
                "Return period: that of the scenario wherever it reaches ({}). The most severe zone of all scenarios counts.",
                periods.join("; ")
            )
        }
        (ReturnPeriod::Passages, combine) => {
            let which = match combine {
                Combine::Exceedance => "passages at or above the lower limit of each intensity, all scenarios together",
                Combine::ScenarioQuantile => "passages of the scenarios whose quantile has the intensity",
            };
            let place = match scheme.reference_width_m {
                Some(width) => format!("rocks entering a square of {width} m"),
                None => "rocks passing a cell of the DEM".into(),
            };
            format!("Return period: one over the yearly frequency of {place}: {which}.")
        }
    }
}

fn reach_rule(scheme: &Scheme) -> String {
    if scheme.least_reach_probability > 0.0 {
        let least = percent(scheme.least_reach_probability);
        format!("Cells that less than {least} % of a scenario's rocks pass are left out.")
    } else {
        "Every cell that a rock of a scenario passes counts.".into()
    }
}

/// Notes, matrix, maps and areas, as a section of a page.
pub fn section(result: &Classified) -> String {
    let scheme = &result.scheme;
    let mut out = String::new();
    for note in &result.notes {
        out += &format!("<div class=\"warn\">{}</div>\n", html::escape(note));
    }
    out += &matrix(scheme);
    out += &format!("<p>{} {}</p>\n", html::escape(&rule(scheme, &result.scenarios)), reach_rule(scheme));
    let periods: Vec<Vec<String>> = result
        .scenarios
        .iter()
        .filter(|_| scheme.return_period == ReturnPeriod::Scenario)
        .map(|(name, years)| match years {
            Some(years) => {
                let class = scheme.period_label(scheme.period_class(1.0 / years));
                vec![name.clone(), class, number(*years), number(1.0 / years)]
            }
            None => vec![name.clone(), "not in the hazard map".into(), "–".into(), "–".into()],
        })
        .collect();
    if !periods.is_empty() {
        out += &html::table(&["scenario", "class", "return period (years)", "per year"], &periods, 2);
    }
    if !scheme.source.is_empty() {
        out += &format!("<p class=\"small\">{}</p>\n", html::escape(&scheme.source));
    }
    if let Some(areas) = &result.zone_areas_m2 {
        let rows: Vec<Vec<String>> = scheme
            .zones
            .iter()
            .zip(areas)
            .rev()
            .map(|(zone, area)| {
                vec![
                    zone.id.clone(),
                    zone.name.clone(),
                    zone.meaning.clone(),
                    format!("{area:.0}"),
                    format!("{:.2}", area / 1e4),
                ]
            })
            .collect();
        out += &html::table(&["zone", "name", "meaning", "area (m²)", "area (ha)"], &rows, 3);
        out += &format!(
            "<p class=\"small\">Polygons: patches and holes below {} m² merged with their neighbours, edges smoothed by less \
             than half a cell. Isolated patches left out: {:.0} m²; gaps filled: {:.0} m². The raster hazard.tif is \
             unsmoothed.</p>\n",
            scheme.min_area_m2, result.cleaned.dropped_m2, result.cleaned.filled_m2
        );
    }
    for (title, image) in result.maps.iter().rev() {
        out += &html::large_image(image, title);
    }
    out
}

fn matrix(scheme: &Scheme) -> String {
    let mut out = String::from("<table class=\"matrix\"><tr><th>intensity \\ return period</th>");
    for i in 0..=scheme.return_periods_years.len() {
        out += &format!("<th>{}</th>", html::escape(&scheme.period_label(i)));
    }
    out += "</tr>\n";
    for (i, class) in scheme.intensities.iter().enumerate().rev() {
        let label = format!("{} ({})", class.name, scheme.intensity_label(i));
        out += &format!("<tr><th>{}</th>", html::escape(&label));
        for id in &scheme.matrix[i] {
            out += &match scheme.zones.iter().find(|zone| zone.id == *id) {
                Some(zone) => {
                    let [r, g, b] = zone.colour.0;
                    let dark = 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b) < 140.0;
                    let ink = if dark { "#fff" } else { "#000" };
                    let class = if zone.hatched { " class=\"hatched\"" } else { "" };
                    format!(
                        "<td{class} style=\"background-color:{};color:{ink}\">{}</td>",
                        String::from(zone.colour),
                        html::escape(id)
                    )
                }
                None => "<td>–</td>".into(),
            };
        }
        out += "</tr>\n";
    }
    out + "</table>\n"
}
