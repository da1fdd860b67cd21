//! What was run, in the words of the report.

use crate::project::file::{ProjectFile, RockCount, ShapeSpec};
use crate::site::Site;
use crate::texts::{Text, msg};

/// Name and value of everything a reader must know of the set-up.
pub(super) fn of(site: &Site) -> Vec<(Text, Text)> {
    let file = &site.project.file;
    let simulation = &file.simulation;
    let rows = [
        ("setting-terrain", terrain(site)),
        ("setting-crs", site.crs.label().into()),
        ("setting-contact", typed(serde_json::to_value(simulation.contact)).into()),
        ("setting-integrator", typed(serde_json::to_value(simulation.integrator)).into()),
        ("setting-time-step", format!("{} s", simulation.time_step_s).into()),
        ("setting-gravity", format!("{} m/s²", simulation.gravity_m_s2).into()),
        ("setting-seed", simulation.seed.to_string().into()),
        ("setting-rocks", rocks(site)),
        ("setting-releases", releases(site)),
        ("setting-ground", msg!("ground-of", class = &file.ground.default, layers = file.ground.layers.len())),
        ("setting-forest", forest(file)),
    ];
    rows.map(|(name, value): (&str, Text)| (msg!(name), value)).to_vec()
}

/// A choice as the user types it in the project file.
pub(super) fn typed(value: serde_json::Result<serde_json::Value>) -> String {
    value.ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
}

fn terrain(site: &Site) -> Text {
    let lattice = site.scene.surface.lattice();
    let (west, south, east, north) = lattice.extent();
    msg!(
        "terrain-of",
        file = &site.project.file.terrain.dem,
        cells = format!("{} × {}", lattice.nx, lattice.ny),
        size = format!("{} × {}", lattice.dx, lattice.dy),
        west = format!("{west:.1}"),
        east = format!("{east:.1}"),
        south = format!("{south:.1}"),
        north = format!("{north:.1}"),
    )
}

/// Shape, form, corners, sphericity and edges of each; the classes of Sneed & Folk are the same in every language.
fn rocks(site: &Site) -> Text {
    let rocks = site.rocks.iter().map(|(rock, solid)| {
        let shape = match &rock.shape {
            ShapeSpec::Preset(name) => name.clone(),
            ShapeSpec::File(shape) => shape.file.clone(),
            ShapeSpec::Points(shape) => format!("hull of {} points", shape.points_m.len()),
        };
        let name = rock.name.as_ref().map_or(shape.clone(), |name| format!("{name}: {shape}"));
        let Ok(look) = solid.appearance(rock.axes_m) else { return Text::from(name.as_str()) };
        let differs = solid.differs_from_rock_to_rock();
        let (name, about) = if differs { (name, "≈ ") } else { (format!("{name}, {}", look.form), "") };
        let (sphericity, edge) = (format!("{about}{:.2}", look.sphericity), format!("{about}{:.0}", look.edge_deg));
        msg!("rock-look", shape = name, corners = look.corners, sphericity = sphericity, edge = edge)
    });
    Text::joined(rocks)
}

fn releases(site: &Site) -> Text {
    let releases = site.releases.iter().map(|layer| {
        let name = layer.spec.name.as_deref().unwrap_or(&layer.features.name);
        let features = layer.features.features.len();
        let rocks = match &layer.spec.rocks_per_position {
            RockCount::Constant(count) => count.to_string(),
            RockCount::Attribute(spec) => format!("{{{}}}", spec.attribute),
        };
        msg!("release-of", name = name, features = features, rocks = rocks)
    });
    Text::joined(releases)
}

fn forest(file: &ProjectFile) -> Text {
    let forest = &file.forest;
    match (&forest.default, forest.layers.len()) {
        (None, 0) if forest.drag_kg_s.is_none() => msg!("forest-none"),
        (default, layers) => {
            let class = default.as_deref().map_or(msg!("forest-none"), Text::from);
            msg!("forest-of", class = class, layers = layers)
        }
    }
}
