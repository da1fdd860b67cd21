//! Of classified maps: intensities, hazard zones and the line around all rocks.

use std::path::Path;

use super::{RASTER_OPACITY, ZONE_OPACITY};
use crate::Result;
use crate::geo::qml::{Category, Colours, Kind, PaletteEntry, Raster, Renderer, Rule, Style, Symbol, Vector};
use crate::hazard::scheme::{Colour, Scheme};
use crate::output::classification_report::{intensity_label, zone_word};
use crate::texts::say;

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
    let polygons = Vector {
        opacity: ZONE_OPACITY,
        map_tip: r#"<b>[% "name" %]</b><br>[% format_number("area_m2", 0) %] m²"#.into(),
        ..Vector::new(Kind::Polygons, Renderer::Categories { field: "class", categories })
    };
    let colours = Colours::Palette(numbered().map(entry).collect());
    Style { vector: Some(polygons), raster: Some(Raster { opacity: RASTER_OPACITY, colours }) }.write(folder, name)
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

/// Of the line around all rocks.
pub(crate) fn write_outermost(folder: &Path) -> Result<()> {
    let label = say!("list-outermost");
    let rules = vec![Rule { filter: "TRUE".into(), label: label.clone(), symbol: Symbol::line(0, "#303030", 0.5) }];
    let map_tip = format!(r#"<b>[% "scenario" %]</b><br>[% "rocks" %] {}"#, say!("rocks-word"));
    let renderer = Renderer::Rules { filter: "TRUE".into(), label, rules };
    Style::of_vector(Vector { map_tip, ..Vector::new(Kind::Lines, renderer) }).write(folder, "outermost_line")
}
