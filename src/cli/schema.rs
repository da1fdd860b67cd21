//! `couloir schema`: the JSON Schema of the project file, and the built-in names, for editors and other programs.

use serde_json::{Value, json};

use crate::hazard::scheme::Scheme;
use crate::project::{classes, reference, schema, schemes};
use crate::rock::presets;
use crate::{Error, Note, Result};

/// Print the JSON Schema of the project file, for editors that complete and check YAML
#[derive(clap::Args)]
pub(super) struct Args {
    /// Print the reference of all keys as Markdown instead
    #[arg(long)]
    markdown: bool,
    /// Print the built-in ground and forest classes, rock shapes and classification schemes as JSON instead
    #[arg(long, conflicts_with = "markdown")]
    presets: bool,
    /// Print the built-in classification schemes, whole, as JSON instead
    #[arg(long, conflicts_with_all = ["markdown", "presets"])]
    schemes: bool,
    /// Print code and English text of every note and warning as JSON instead, for translations
    #[arg(long, conflicts_with_all = ["markdown", "presets", "schemes"])]
    notes: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    if args.markdown {
        super::print(&reference::markdown(schema::project()))
    } else if args.presets {
        super::print(&format!("{:#}\n", built_in()?))
    } else if args.schemes {
        let all = built_in_schemes()?.into_iter().map(|(id, scheme)| (id.to_string(), json!(scheme)));
        super::print(&format!("{:#}\n", Value::Object(all.collect())))
    } else if args.notes {
        let all = Note::catalogue().map(|(code, text)| (code, json!(text)));
        super::print(&format!("{:#}\n", Value::Object(all.collect())))
    } else {
        super::print(&format!("{:#}\n", schema::project()))
    }
}

fn built_in() -> Result<Value> {
    let classes::Tables { ground, soil, forest } = classes::tables();
    let shapes = presets::NAMES.map(|(name, description)| json!({ "name": name, "description": description }));
    let schemes = built_in_schemes()?;
    let schemes = schemes.iter().map(|(id, scheme)| json!({ "name": id, "title": scheme.name }));
    let schemes: Vec<Value> = schemes.collect();
    let formats = &schema::project()["$defs"]["Outputs"]["properties"]["trajectories"]["items"]["enum"];
    Ok(json!({
        "ground": ground,
        "soil": soil,
        "forest": forest,
        "shapes": shapes,
        "schemes": schemes,
        "trajectory_formats": formats,
    }))
}

fn built_in_schemes() -> Result<Vec<(&'static str, Scheme)>> {
    let missing = |id: &str| Err(Error::failed(format!("scheme {id} is missing")));
    schemes::BUILT_IN.iter().map(|(id, _)| Ok((*id, schemes::built_in(id).unwrap_or_else(|| missing(id))?))).collect()
}
