//! The layers of a run for programs that show them: titles, groups and order, in the run's language (`layers` in the manifest).

use crate::output::{report, styles};
use crate::store::layers::Layer;
use crate::store::manifest::{ClassificationRecord, Manifest, ShownLayer};
use crate::store::run_folder::{CLASSIFICATION, LAYERS, LINES, OBJECTS, TRAJECTORIES};
use crate::texts::say;

/// Shown when a run is opened that has no zones.
const FIRST: &str = "kinetic_energy_kj_p95";
/// Quantities stand together, in this order.
const ORDER: [&str; 13] = [
    "kinetic_energy",
    "velocity",
    "jump_height",
    "rotation",
    "reach_probability_local",
    "reach_probability",
    "frequency_above",
    "return_period",
    "energy_line_angle",
    "passages",
    "deposits",
    "source_cells",
    "sample_size_warning",
];
/// Of several formats of one file the first that is there.
const VECTORS: [&str; 3] = ["gpkg", "fgb", "shp"];

/// All layers among the outputs of a run, from top to bottom.
pub(super) fn of(manifest: &Manifest) -> Vec<ShownLayer> {
    let places = ["with_barriers/", "without_barriers/"].map(|place| (place, place.trim_end_matches('/')));
    let is_there = |place: &str| manifest.outputs.iter().any(|file| file.path.starts_with(place));
    let mut variants: Vec<(&str, &str)> = places.into_iter().filter(|(place, _)| is_there(place)).collect();
    if variants.is_empty() {
        variants.push(("", ""));
    }
    let mut found = Vec::new();
    for (place, name) in variants {
        let groups = if name.is_empty() { Vec::new() } else { vec![report::variant_words(&name.replace('_', " "))] };
        let mut list = List { manifest, place, groups, found: Vec::new() };
        list.lines();
        list.tracks();
        let zoned = list.zones();
        list.scenarios();
        list.maps(zoned);
        found.append(&mut list.found);
    }
    found
}

struct List<'a> {
    manifest: &'a Manifest,
    /// Of the variant in the run folder: empty, or with a slash at its end.
    place: &'a str,
    groups: Vec<String>,
    found: Vec<ShownLayer>,
}

impl List<'_> {
    fn has(&self, path: &str) -> bool {
        let whole = format!("{}{path}", self.place);
        self.manifest.outputs.binary_search_by(|file| file.path.as_str().cmp(&whole)).is_ok()
    }

    fn vector(&self, stem: &str) -> Option<String> {
        VECTORS.iter().map(|ending| format!("{stem}.{ending}")).find(|path| self.has(path))
    }

    /// Stems of the rasters right below a folder, best known quantities first.
    fn rasters(&self, folder: &str) -> Vec<String> {
        let start = format!("{}{folder}/", self.place);
        let stem = |path: &str| {
            path.strip_prefix(&start)?.strip_suffix(".tif").filter(|stem| !stem.contains('/')).map(String::from)
        };
        let mut stems: Vec<String> = self.manifest.outputs.iter().filter_map(|file| stem(&file.path)).collect();
        let rank = |stem: &String| ORDER.iter().position(|start| stem.starts_with(start)).unwrap_or(ORDER.len());
        stems.sort_by_key(|stem| (rank(stem), stem.clone()));
        stems
    }

    fn put(&mut self, group: Option<String>, file: String, title: String, shown: bool) -> &mut ShownLayer {
        let groups = self.groups.iter().cloned().chain(group).collect();
        let file = format!("{}{file}", self.place);
        self.found.push(ShownLayer { file, title, groups, shown, ..ShownLayer::default() });
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    fn lines(&mut self) {
        if let Some(file) = self.vector(&format!("{LINES}/lines")) {
            self.put(None, file, say!("list-lines"), true);
        }
        if let Some(file) = self.vector(&format!("{LINES}/crossings")) {
            self.put(None, file, say!("list-crossings"), false);
        }
        for (stem, title) in [("objects", say!("list-objects")), ("object_lines", say!("list-object-lines"))] {
            if let Some(file) = self.vector(&format!("{OBJECTS}/{stem}")) {
                self.put(None, file, title, true);
            }
        }
    }

    fn tracks(&mut self) {
        for (stem, title, shown) in [
            ("deposits", say!("list-deposits-by-mass"), true),
            ("impacts", say!("list-impacts"), false),
            ("trajectory_points", say!("list-points"), false),
            ("trajectories", say!("list-trajectories-by-energy"), false),
        ] {
            let Some(file) = self.vector(&format!("{TRAJECTORIES}/{stem}")) else { continue };
            let other = format!("{}{TRAJECTORIES}/trajectories_velocity.qml", self.place);
            let layer = self.put(None, file, title, shown);
            if stem == "trajectories" {
                layer.style = Some(say!("list-by-energy"));
                layer.styles = vec![(say!("list-by-velocity"), other)];
            }
        }
    }

    /// Schemes by folder and name: the project's own first.
    fn schemes(&self) -> Vec<(String, String)> {
        let asked = self.manifest.project.document["classification"]["scheme"].as_str().unwrap_or_default();
        let mut known: Vec<_> =
            self.manifest.classifications.iter().map(|made| (made.name.clone(), scheme_words(made))).collect();
        known.sort_by_key(|(name, _)| name != asked);
        known
    }

    /// Polygons of hazard zones and what belongs to them; says whether there are any.
    fn zones(&mut self) -> bool {
        let schemes = self.schemes();
        for (number, (name, scheme)) in schemes.iter().enumerate() {
            for (stem, title) in [
                ("outermost_line", say!("list-outermost")),
                ("hazard_uncertain", say!("list-uncertain")),
                ("hazard", say!("map-hazard")),
            ] {
                if let Some(file) = self.vector(&format!("{CLASSIFICATION}/{name}/{stem}")) {
                    self.put(None, file, format!("{title} ({scheme})"), number == 0);
                }
            }
        }
        self.found.iter().any(|layer| layer.file.contains("/hazard."))
    }

    /// A group for each scenario: intensities of every scheme, its tracks if there are several scenarios, its maps.
    fn scenarios(&mut self) {
        let several = self.manifest.scenarios.len() > 1;
        for scenario in &self.manifest.scenarios {
            let group = if several { say!("list-scenario", name = &scenario.name) } else { say!("list-all-rocks") };
            let group = Some(group);
            for (name, scheme) in self.schemes() {
                let stem = format!("{CLASSIFICATION}/{name}/intensity_{}", scenario.file_name);
                let title = say!("map-intensity", scenario = &scenario.name);
                if let Some(file) = self.vector(&stem) {
                    self.put(group.clone(), file, format!("{title} ({scheme})"), false);
                }
                if self.has(&format!("{stem}.tif")) {
                    let title = say!("list-as-raster", title = &title);
                    self.put(group.clone(), format!("{stem}.tif"), format!("{title} ({scheme})"), false);
                }
            }
            for (stem, title) in [("deposits", say!("list-deposits")), ("trajectories", say!("list-trajectories"))] {
                let file = self.vector(&format!("{TRAJECTORIES}/{stem}")).filter(|_| several);
                if let Some(file) = file {
                    let title = format!("{title}, {}", scenario.name);
                    self.put(group.clone(), file, title, false).scenario = Some(scenario.name.clone());
                }
            }
            let folder = format!("{LAYERS}/{}", scenario.file_name);
            for stem in self.rasters(&folder) {
                let title = format!("{}, {}", title(&stem), scenario.name);
                self.put(group.clone(), format!("{folder}/{stem}.tif"), title, false);
            }
        }
    }

    fn maps(&mut self, zoned: bool) {
        let group = Some(say!("maps"));
        for (name, scheme) in self.schemes() {
            for (stem, title) in [
                ("hazard_confidence", say!("list-confidence")),
                ("hazard", say!("list-as-raster", title = say!("map-hazard"))),
            ] {
                let file = format!("{CLASSIFICATION}/{name}/{stem}.tif");
                if self.has(&file) {
                    self.put(group.clone(), file, format!("{title} ({scheme})"), false);
                }
            }
        }
        for stem in self.rasters(LAYERS) {
            // Zones and energy over one another would blur both.
            let shown = stem == FIRST && !zoned;
            self.put(group.clone(), format!("{LAYERS}/{stem}.tif"), title(&stem), shown);
        }
    }
}

/// A short name of a scheme.
fn scheme_words(made: &ClassificationRecord) -> String {
    match (made.source.as_str(), made.name.as_str()) {
        ("", "swiss") => say!("list-scheme-swiss"),
        ("", "austria") => say!("list-scheme-austria"),
        ("", "norway") => say!("list-scheme-norway"),
        _ => made.scheme.clone(),
    }
}

/// What a layer of squares or return periods is called.
fn of_squares(stem: &str) -> Option<String> {
    let width = |text: &str| text.strip_suffix('m').filter(|width| width.parse::<f64>().is_ok()).map(String::from);
    if let Some(rest) = stem.strip_prefix("reach_probability_") {
        return Some(say!("layer-name-reach-square", width = width(rest)?));
    }
    let (energy, rest) = stem.strip_prefix("return_period_years_above_")?.split_once("_kj")?;
    match rest.strip_prefix('_') {
        None => Some(say!("layer-name-years-cell", energy = energy)),
        Some(rest) => Some(say!("layer-name-years-square", energy = energy, width = width(rest)?)),
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// What a raster is called, with its unit.
pub(crate) fn title(stem: &str) -> String {
    let Some(layer) = Layer::named(stem) else {
        return capital(&of_squares(stem).unwrap_or_else(|| stem.replace('_', " ")));
    };
    let name = capital(&layer.title().to_string());
    match styles::legend(&layer).map(|legend| legend.unit).filter(|unit| !unit.is_empty() && !layer.is_count()) {
        Some(unit) => format!("{name} ({unit})"),
        None => name,
    }
}
