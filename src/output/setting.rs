//! What was run, in the words of the report.

use crate::project::file::{ProjectFile, ShapeSpec};
use crate::site::Site;

/// Name and value of everything a reader must know of the set-up.
pub fn of(site: &Site) -> Vec<(String, String)> {
    let file = &site.project.file;
    let simulation = &file.simulation;
    let rows = [
        ("Terrain", terrain(site)),
        ("Coordinate system", site.crs.label().to_string()),
        ("Contact model", typed(serde_json::to_value(simulation.contact))),
        ("Rotation integrator", typed(serde_json::to_value(simulation.integrator))),
        ("Time step", format!("{} s", simulation.time_step_s)),
        ("Gravity", format!("{} m/s²", simulation.gravity_m_s2)),
        ("Seed", simulation.seed.to_string()),
        ("Rocks", rocks(file)),
        ("Releases", releases(site)),
        ("Ground", format!("default class {}, {} layers on top", file.ground.default, file.ground.layers.len())),
        ("Forest", forest(file)),
    ];
    rows.map(|(name, value)| (name.to_string(), value)).to_vec()
}

/// A choice as the user types it in the project file.
pub fn typed(value: serde_json::Result<serde_json::Value>) -> String {
    value.ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
}

fn terrain(site: &Site) -> String {
    let lattice = site.scene.surface.lattice();
    let (west, south, east, north) = lattice.extent();
    format!(
        "{}: {} × {} cells of {} × {} m; E {west:.1} to {east:.1}, N {south:.1} to {north:.1}",
        site.project.file.terrain.dem, lattice.nx, lattice.ny, lattice.dx, lattice.dy
    )
}

fn rocks(file: &ProjectFile) -> String {
    let rocks = file.rocks.iter().map(|rock| {
        let shape = match &rock.shape {
            ShapeSpec::Preset(name) => name.clone(),
            ShapeSpec::File(shape) => shape.file.clone(),
            ShapeSpec::Points(shape) => format!("hull of {} points", shape.points_m.len()),
        };
        rock.name.as_ref().map_or(shape.clone(), |name| format!("{name} ({shape})"))
    });
    rocks.collect::<Vec<_>>().join(", ")
}

fn releases(site: &Site) -> String {
    let releases = site.releases.iter().map(|layer| {
        let name = layer.spec.name.as_deref().unwrap_or(&layer.features.name);
        let (features, rocks) = (layer.features.features.len(), layer.spec.rocks_per_position);
        format!("{name}: {features} features, {rocks} rocks per position")
    });
    releases.collect::<Vec<_>>().join("; ")
}

fn forest(file: &ProjectFile) -> String {
    let forest = &file.forest;
    match (&forest.default, forest.layers.len()) {
        (None, 0) if forest.drag_kg_s.is_none() => "none".into(),
        (default, layers) => format!("default {}, {layers} layers", default.as_deref().unwrap_or("none")),
    }
}
