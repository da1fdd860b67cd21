//! How layers look: a QML file beside each, which QGIS takes up by itself, and colours for classified rasters.

mod classes;

use std::path::Path;

use crate::Result;
use crate::geo::qml::{
    Category, Colours, InSpace, PaletteEntry, RampItem, Range, Raster, Renderer, Rule, SizeLegend, Style, Symbol,
    Vector,
};
use crate::hazard::scheme::{Colour, Scheme};
use crate::output::classification_report::{intensity_label, zone_word};
use crate::store::layers::Layer;
use crate::texts::say;
use classes::{Classes, ENERGY, Kind, VELOCITY};
pub(crate) use classes::{REACH, RETURN_PERIOD};

/// The map below shows through.
const RASTER_OPACITY: f64 = 0.8;
const ZONE_OPACITY: f64 = 0.75;
/// Above every value that can be.
const HIGHEST: f64 = 1e12;

/// Of a map of a run.
pub(crate) fn write_layer(folder: &Path, layer: &Layer) -> Result<()> {
    let colours = match Classes::of(layer) {
        Some(classes) => ramp(&classes),
        None => Colours::Palette(vec![PaletteEntry {
            value: 1,
            colour: "#3c3c3c".into(),
            alpha: 140,
            label: say!("few-rocks"),
        }]),
    };
    let raster = Some(Raster { opacity: RASTER_OPACITY, colours });
    Style { raster, vector: None }.write(folder, &layer.to_string())
}

/// Classes of a layer, for those who draw it themselves.
pub(crate) struct LayerLegend {
    pub unit: String,
    /// On values, to be shown in the unit.
    pub factor: f64,
    pub limits: &'static [f64],
    pub colours: &'static [&'static str],
    pub labels: Vec<String>,
}

/// `None` for a flag.
pub(crate) fn legend(layer: &Layer) -> Option<LayerLegend> {
    let classes = Classes::of(layer)?;
    Some(LayerLegend {
        unit: classes.unit_words(),
        factor: classes.factor(),
        limits: classes.limits,
        colours: classes.colours,
        labels: classes.labels(),
    })
}

fn ramp(classes: &Classes) -> Colours {
    let upper = classes.limits.iter().copied().chain([f64::INFINITY]);
    let items = upper.zip(classes.colours).zip(classes.labels()).map(|((upper, colour), label)| RampItem {
        upper,
        colour: colour.to_string(),
        alpha: 255,
        label,
    });
    let highest = classes.limits.last().copied().unwrap_or(1.0);
    Colours::Ramp { items: items.collect(), lowest: 0.0, highest, zero_is_nothing: classes.kind == Kind::Counted }
}

/// Purple: less, orange to brown: more; told apart with every colour vision deficiency (PuOr of ColorBrewer).
const LESS_TO_MORE: [&str; 9] =
    ["#2d004b", "#542788", "#8073ac", "#b2abd2", "#f7f7f7", "#fdb863", "#e08214", "#b35806", "#7f3b08"];

/// Of a map `NAME.tif` of how much one layer is above another, which must be of the same kind.
pub(crate) fn write_difference(folder: &Path, name: &str, layer: &Layer) -> Result<()> {
    let Some(classes) = Classes::of(layer) else { return Ok(()) };
    let [a, b, c, d] = classes.differences;
    let upper = [-d, -c, -b, -a, a, b, c, d, f64::INFINITY];
    let (factor, unit) = (classes.factor(), classes.unit_words());
    let signed = |value: f64| {
        let sign = if value < 0.0 { '−' } else { '+' };
        format!("{sign}{}", crate::draw::ramp::number((value * factor).abs()))
    };
    let label = |i: usize| match i {
        0 => format!("< {} {unit}", signed(upper[0])),
        4 => say!("about-the-same", amount = format!("{} {unit}", crate::draw::ramp::number(a * factor))),
        8 => format!("> {} {unit}", signed(upper[7])),
        _ => format!("{} – {} {unit}", signed(upper[i - 1]), signed(upper[i])),
    };
    let items = (0..9).map(|i| RampItem {
        upper: upper[i],
        colour: LESS_TO_MORE[i].into(),
        // Ground where nothing changed stays readable below.
        alpha: if i == 4 { 110 } else { 230 },
        label: label(i),
    });
    let colours = Colours::Ramp { items: items.collect(), lowest: -d, highest: d, zero_is_nothing: false };
    Style { raster: Some(Raster { opacity: 1.0, colours }), vector: None }.write(folder, name)
}

/// One class of a classified map; the first has the value 1 in its files.
#[derive(Debug, Clone)]
pub(crate) struct MapClass {
    /// In attribute tables and descriptions.
    pub name: String,
    /// In the legend.
    pub label: String,
    pub colour: Colour,
    pub hatched: bool,
}

impl MapClass {
    /// Intensities of a scheme, the weakest first.
    pub(crate) fn intensities(scheme: &Scheme) -> Vec<Self> {
        let class = |(i, class): (usize, &crate::hazard::scheme::Intensity)| {
            let limits = intensity_label(scheme, i);
            let label =
                if scheme.intensities.len() > 1 { format!("{} ({limits})", class.name) } else { class.name.clone() };
            Self { name: class.name.clone(), label, colour: class.colour, hatched: false }
        };
        scheme.intensities.iter().enumerate().map(class).collect()
    }

    /// Zones of a scheme, the least severe first.
    pub(crate) fn zones(scheme: &Scheme) -> Vec<Self> {
        let class = |zone: &crate::hazard::scheme::Zone| Self {
            name: format!("{} ({})", zone_word(&zone.id), zone.name),
            label: if zone.meaning.is_empty() {
                zone.name.clone()
            } else {
                format!("{} ({})", zone.name, zone.meaning)
            },
            colour: zone.colour,
            hatched: zone.hatched,
        };
        scheme.zones.iter().map(class).collect()
    }

    /// Where other rocks might give another zone.
    pub(crate) fn uncertain() -> Self {
        Self { name: "uncertain".into(), label: say!("label-uncertain"), colour: Colour([70, 70, 70]), hatched: true }
    }

    /// In a raster, which cannot be hatched: what stripes on white look like from afar.
    pub(crate) fn raster_colour(&self) -> Colour {
        let Colour(rgb) = self.colour;
        Colour(if self.hatched { rgb.map(|c| c / 2 + 128) } else { rgb })
    }
}

/// Of polygons and raster of a classified map, the most severe class first; every class of the scheme is in the legend, as on
/// an official map.
pub(crate) fn write_classes(folder: &Path, name: &str, classes: &[MapClass]) -> Result<()> {
    let numbered = || classes.iter().enumerate().rev();
    let category = |(symbol, (i, class)): (usize, (usize, &MapClass))| Category {
        value: i + 1,
        label: class.label.clone(),
        symbol: zone_symbol(symbol, class),
    };
    let categories = numbered().enumerate().map(category).collect();
    let entry = |(i, class): (usize, &MapClass)| PaletteEntry {
        value: i + 1,
        colour: class.raster_colour().into(),
        alpha: 255,
        label: class.label.clone(),
    };
    Style {
        vector: Some(Vector {
            geometry_type: 2,
            renderer: Renderer::Categories { field: "class", categories },
            in_space: InSpace::No,
            moving: false,
            opacity: ZONE_OPACITY,
            map_tip: r#"<b>[% "name" %]</b><br>[% format_number("area_m2", 0) %] m²"#.into(),
            action: None,
        }),
        raster: Some(Raster { opacity: RASTER_OPACITY, colours: Colours::Palette(numbered().map(entry).collect()) }),
    }
    .write(folder, name)
}

/// Of objects at risk: by the largest energy that hits them, of one scenario where there are several.
pub(crate) fn write_objects(folder: &Path, name: &str, lines: bool, scenario: Option<&str>) -> Result<()> {
    let symbol = |i: usize, colour: &str| match lines {
        true => Symbol::line(i, colour, 1.0),
        false => Symbol::fill(i, colour, "#1a1a1a"),
    };
    let mut rules = vec![Rule {
        filter: "\"energy_kj_max\" IS NULL".into(),
        label: say!("object-not-hit"),
        symbol: symbol(0, "#c8c8c8"),
    }];
    let bounds: Vec<f64> = [0.0].iter().chain(ENERGY.limits).copied().chain([HIGHEST]).collect();
    rules.extend(ENERGY.labels().into_iter().enumerate().map(|(i, label)| Rule {
        filter: format!("\"energy_kj_max\" >= {} AND \"energy_kj_max\" < {}", bounds[i], bounds[i + 1]),
        label,
        symbol: symbol(i + 1, ENERGY.colours[i]),
    }));
    let filter = scenario.map_or("TRUE".into(), |scenario| format!("\"scenario\" = '{scenario}'"));
    let label = say!("list-objects");
    let map_tip =
        r#"<b>[% "object_id" %]</b><br>[% "rocks_hit" %] / [% "rocks" %], [% round("energy_kj_max", 1) %] kJ"#;
    Style {
        vector: Some(Vector {
            geometry_type: if lines { 1 } else { 2 },
            renderer: Renderer::Rules { filter, label, rules },
            in_space: InSpace::No,
            moving: false,
            opacity: 1.0,
            map_tip: map_tip.into(),
            action: None,
        }),
        raster: None,
    }
    .write(folder, name)
}

/// Of a map of the rocks that have passed so far.
pub(crate) fn write_live(raster: &Path) -> Result<()> {
    let folder = raster.parent().unwrap_or(Path::new(""));
    let stem = raster.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Classes::of(&Layer::Passages).map_or(Ok(()), |classes| write_ramp(folder, &stem, &classes))
}

/// Of the confidence of zones: pale where they are sure.
pub(crate) fn write_confidence(folder: &Path) -> Result<()> {
    write_ramp(folder, "hazard_confidence", &classes::CONFIDENCE)
}

/// Of a raster `NAME.tif` with these classes.
pub(crate) fn write_ramp(folder: &Path, name: &str, classes: &Classes) -> Result<()> {
    let raster = Some(Raster { opacity: RASTER_OPACITY, colours: ramp(classes) });
    Style { raster, vector: None }.write(folder, name)
}

/// Of the line around all rocks.
pub(crate) fn write_outermost(folder: &Path) -> Result<()> {
    let rules =
        vec![Rule { filter: "TRUE".into(), label: say!("list-outermost"), symbol: Symbol::line(0, "#303030", 0.5) }];
    Style {
        vector: Some(Vector {
            geometry_type: 1,
            renderer: Renderer::Rules { filter: "TRUE".into(), label: say!("list-outermost"), rules },
            in_space: InSpace::No,
            moving: false,
            opacity: 1.0,
            map_tip: format!(r#"<b>[% "scenario" %]</b><br>[% "rocks" %] {}"#, say!("rocks-word")),
            action: None,
        }),
        raster: None,
    }
    .write(folder, "outermost_line")
}

/// Hatched on white where the map shall show through.
fn zone_symbol(name: usize, class: &MapClass) -> Symbol {
    let edge = String::from(Colour(class.colour.0.map(|c| (f64::from(c) / 1.7).round() as u8)));
    let colour = String::from(class.colour);
    if class.hatched {
        Symbol::fill(name, "255,255,255,120", &edge).hatched(&colour)
    } else {
        Symbol::fill(name, &colour, &edge)
    }
}

fn tip_of_rock() -> String {
    let (jump, runout) = (escaped(&say!("jump-height")), escaped(&say!("run-out")));
    format!(
        r#"<b>[% format_number("mass_kg", 0) %] kg</b><br>[% round("e_max_kj", 1) %] kJ, [% round("v_max_ms", 1) %] m/s, {jump} [% round("jump_max_m", 1) %] m<br>{runout} [% round("runout_m") %] m"#
    )
}

/// Words within HTML.
fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace("[%", "[ %")
}

/// Of trajectories: lines coloured by their largest energy, and a second style by velocity to switch to.
pub(crate) fn write_trajectories(folder: &Path) -> Result<()> {
    let coloured = |field: &'static str, classes: &Classes| Style {
        vector: Some(Vector {
            geometry_type: 1,
            renderer: ranges(field, classes, |i, colour| Symbol::line(i, colour, 0.3)),
            in_space: InSpace::Lines,
            moving: false,
            opacity: 1.0,
            map_tip: tip_of_rock(),
            action: None,
        }),
        raster: None,
    };
    coloured("e_max_kj", &ENERGY).write(folder, "trajectories")?;
    coloured("v_max_ms", &VELOCITY).write(folder, "trajectories_velocity")
}

fn ranges(field: &'static str, classes: &Classes, symbol: impl Fn(usize, &str) -> Symbol) -> Renderer {
    let bounds: Vec<f64> = [0.0].iter().chain(classes.limits).copied().chain([HIGHEST]).collect();
    let range = |(i, label): (usize, String)| Range {
        lower: bounds[i],
        upper: bounds[i + 1],
        label,
        symbol: symbol(i, classes.colours[i]),
    };
    Renderer::Ranges { field, ranges: classes.labels().into_iter().enumerate().map(range).collect() }
}

/// Diameter (mm) of the symbol of a rock of 1 kg; it grows with the cube root of the mass, as the rock does.
const SYMBOL_MM: f64 = 0.12;
const SMALLEST_MM: f64 = 0.8;
const LARGEST_MM: f64 = 4.0;

/// Of deposits: points as large as the rock is, in proportion; the legend shows three masses.
pub(crate) fn write_deposits(folder: &Path) -> Result<()> {
    let symbol = Symbol::marker(0, "hexagon", "#7f5539", ("#2b1a0f", 0.1), 1.2)
        .sized(format!("clamp({SMALLEST_MM}, {SYMBOL_MM} * (\"mass_kg\" ^ (1.0/3.0)), {LARGEST_MM})"));
    let diameter = |mass_kg: f64| (SYMBOL_MM * mass_kg.cbrt()).clamp(SMALLEST_MM, LARGEST_MM);
    let masses = [(300.0, "300 kg"), (3000.0, "3 t"), (30000.0, "30 t")];
    let classes = masses.map(|(mass, label)| (diameter(mass), label)).to_vec();
    Style {
        vector: Some(Vector {
            geometry_type: 0,
            renderer: Renderer::One {
                symbol: symbol.clone(),
                sizes: SizeLegend { title: say!("mass"), symbol, classes },
            },
            in_space: InSpace::Spheres,
            moving: false,
            opacity: 1.0,
            map_tip: tip_of_rock(),
            action: None,
        }),
        raster: None,
    }
    .write(folder, "deposits")
}

/// Of the point records: coloured by velocity, and of these only what the time slider asks for (all while it is off).
///
/// A filter on `time_s` rather than temporal settings by expression: QGIS would compute the latter for every point, once to
/// learn the time span and again for every frame. Rocks start at midnight and run for less than a quarter of an hour; the
/// remainder within the quarter is the same in every time zone.
pub(crate) fn write_points(folder: &Path) -> Result<()> {
    let clock = |moment: &str, off: &str| format!("coalesce(epoch({moment}) % 900000, {off}) / 1000");
    let (begin, end) = (clock("@map_start_time", "0"), clock("@map_end_time", "1000000000"));
    let lower = [0.0].iter().chain(VELOCITY.limits).enumerate();
    let rules = lower.zip(VELOCITY.labels()).map(|((i, low), label)| {
        let above = format!("\"velo_ms\" {} {low}", if i == 0 { ">=" } else { ">" });
        let below = VELOCITY.limits.get(i).map_or(String::new(), |high| format!(" AND \"velo_ms\" <= {high}"));
        Rule {
            filter: above + &below,
            label,
            symbol: Symbol::marker(i, "circle", VELOCITY.colours[i], ("#1a1a1a", 0.15), 2.2),
        }
    });
    Style {
        vector: Some(Vector {
            geometry_type: 0,
            renderer: Renderer::Rules {
                filter: format!("\"time_s\" >= {begin} AND \"time_s\" < {end}"),
                label: say!("velocity"),
                rules: rules.collect(),
            },
            in_space: InSpace::Spheres,
            moving: true,
            opacity: 1.0,
            map_tip: String::new(),
            action: None,
        }),
        raster: None,
    }
    .write(folder, "trajectory_points")
}

/// Of impacts: coloured by the speed before them.
pub(crate) fn write_impacts(folder: &Path) -> Result<()> {
    let symbol = |i: usize, colour: &str| Symbol::marker(i, "triangle", colour, ("#1a1a1a", 0.15), 2.0);
    Style {
        vector: Some(Vector {
            geometry_type: 0,
            renderer: ranges("speed_before_m_s", &VELOCITY, symbol),
            in_space: InSpace::Spheres,
            moving: false,
            opacity: 1.0,
            map_tip: String::new(),
            action: None,
        }),
        raster: None,
    }
    .write(folder, "impacts")
}

/// A picture of what crosses a line.
pub(crate) struct Histogram {
    pub line: String,
    /// `None` where there is but one.
    pub scenario: Option<String>,
    /// Beside the crossings.
    pub file: String,
}

/// Of the crossings of lines: coloured by energy, with the histograms of each line (its name and the picture beside the
/// layer) as map tip.
pub(crate) fn write_crossings(folder: &Path, pictures: &[Histogram]) -> Result<()> {
    let mut tip = String::from(
        r#"<b>[% "line" %]</b>: [% round("kinetic_energy_kj") %] kJ, [% round("velocity_ms", 1) %] m/s<br>"#,
    );
    if !pictures.is_empty() {
        let case = |Histogram { line, scenario, file }: &Histogram| {
            let of = scenario.as_ref().map_or(String::new(), |name| format!(" AND \"scenario\" = {}", quoted(name)));
            format!(" WHEN \"line\" = {}{of} THEN {}", quoted(line), quoted(file))
        };
        let cases: String = pictures.iter().map(case).collect();
        tip += &format!("<img src=\"{}\" width=\"320\">", beside(&format!("CASE{cases} END")));
    }
    Style {
        vector: Some(Vector {
            geometry_type: 0,
            renderer: ranges("kinetic_energy_kj", &ENERGY, |i, colour| {
                Symbol::marker(i, "circle", colour, ("#333333", 0.1), 1.8)
            }),
            in_space: InSpace::No,
            moving: false,
            opacity: 1.0,
            map_tip: tip,
            action: None,
        }),
        raster: None,
    }
    .write(folder, "crossings")
}

/// Of recorded lines and barriers (`lines.gpkg`): bold with a pale border, so that they stand out on any map; their histograms
/// show as map tip and on a click.
pub(crate) fn write_lines(folder: &Path) -> Result<()> {
    let picture = beside("\"histograms\"");
    Style {
        vector: Some(Vector {
            geometry_type: 1,
            renderer: Renderer::Single { symbol: Symbol::line(0, "#1f3a93", 0.6).cased("#ffffff", 1.1) },
            in_space: InSpace::No,
            moving: false,
            opacity: 1.0,
            map_tip: format!("<b>[% \"name\" %]</b><br><img src=\"{picture}\" width=\"320\">"),
            action: Some((say!("list-show-histograms"), picture)),
        }),
        raster: None,
    }
    .write(folder, "lines")
}

/// The address of a file beside the layer, whose name an expression says. The folder may have any name; an address may not.
fn beside(expression: &str) -> String {
    let folder =
        "replace(replace(replace(file_path(layer_property(@layer, 'path')), '%', '%25'), '#', '%23'), '?', '%3F')";
    format!("file:///[% {folder} || '/' || {expression} %]")
}

/// A text in an expression of QGIS within `[% … %]`, whatever it holds.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''").replace("%]", "%' || ']"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines may have any name; the style stays XML, and the map tip an expression.
    #[test]
    fn names_of_lines_broke_neither_style_nor_map_tip() {
        let folder = tempfile::tempdir().unwrap();
        let name = "it's 100 %] <\\b> \"&\" \u{1}";
        let picture = Histogram { line: name.into(), scenario: None, file: "01_line.svg".into() };
        write_crossings(folder.path(), &[picture]).unwrap();
        let style = std::fs::read_to_string(folder.path().join("crossings.qml")).unwrap();
        let tip = style.split("<mapTip>").nth(1).unwrap().split("</mapTip>").next().unwrap();
        assert!(!tip.contains(['<', '>', '\u{1}']), "{tip}");
        let plain = tip.replace("&#60;", "<").replace("&#62;", ">").replace("&#34;", "\"").replace("&#39;", "'");
        let plain = plain.replace("&#38;", "&");
        assert!(plain.contains(r#"= 'it''s 100 %' || '] <\\b> "&" '"#), "{plain}");
        assert_eq!((plain.matches("[%").count(), plain.matches("%]").count()), (4, 4), "{plain}");
    }

    #[test]
    fn differences_are_classed_around_zero() {
        let folder = tempfile::tempdir().unwrap();
        write_difference(folder.path(), "d", &Layer::ReachProbability).unwrap();
        let style = std::fs::read_to_string(folder.path().join("d.qml")).unwrap();
        assert!(style.contains("&#60; −10 %") || style.contains("< −10 %"), "{style}");
        assert!(style.contains("about the same (± 0.1 %)") && style.matches("<item ").count() == 9);
    }
}
