//! Commented projects for `couloir init`.

/// A project file to begin with.
pub struct Template {
    /// By which it is asked for.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All there are.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "minimal",
        about: "terrain, one rock, one release layer; everything else by default",
        text: include_str!("templates/minimal.yaml"),
    },
    Template {
        name: "forest",
        about: "ground classes and forest from polygon layers, rasters and numbers",
        text: include_str!("templates/forest.yaml"),
    },
    Template {
        name: "barriers",
        about: "crossings of a road, dimensioning of a planned barrier, an existing barrier that stops rocks",
        text: include_str!("templates/barriers.yaml"),
    },
    Template {
        name: "hazard-zones",
        about: "release frequencies, scenarios and hazard classification",
        text: include_str!("templates/hazard-zones.yaml"),
    },
];

pub(crate) fn find(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.name == name)
}
