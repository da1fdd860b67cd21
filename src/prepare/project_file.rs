//! The project file of a prepared site: complete, commented, with relative paths.

use std::fmt::Write as _;

use super::features::{PreparedFeatures, Role};
use super::layers::PreparedLayer;
use super::plan::Plan;
use super::request::PrepareFile;
use crate::{Error, Result};

/// A cubic metre, the size hazard maps most often ask for; another hull for each rock, because one shape is no slope's.
const DEFAULT_ROCK: &str = "\
# The rock. Replace it by what falls at your site: `couloir rocks` lists the built-in shapes; point clouds, STL and
# OBJ files work too (shape: { file: block.stl }). Give mass_kg, volume_m3 or axes_m; a number may also be a
# distribution or an attribute of the release ({ attribute: volume }).
rocks:
  - name: block
    shape: natural # another hull for each rock: half compact, a quarter each elongated and platy
    density_kg_m3: 2700
    volume_m3: 1.0
";

pub(crate) fn write(
    request: &PrepareFile,
    plan: &Plan,
    layers: &[PreparedLayer],
    features: &[PreparedFeatures],
) -> Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    let mut yaml = format!("# Written by couloir prepare {version}. How it was made: prepare.json.\n");
    yaml.push_str(
        "# Check it with `couloir check project.yaml`, run it with `couloir run project.yaml`.\ncouloir: 1\n",
    );
    let title = request.title.clone().unwrap_or_else(|| folder_name(request));
    line(&mut yaml, &format!("title: {}", quoted(&title)?));
    if let Some(code) = plan.crs.epsg() {
        let name = plan.crs.label().split_once(' ').map_or("", |(_, name)| name);
        line(&mut yaml, &format!("crs: EPSG:{code} # {name}"));
    }
    yaml.push_str("\nterrain:\n  dem: dem.tif # heights in m\n\n");
    yaml.push_str(DEFAULT_ROCK);
    yaml.push_str("\nrelease:\n");
    for release in features.iter().filter(|f| f.role == Role::Release) {
        line(&mut yaml, &format!("  - name: {}", quoted(&release.name)?));
        line(&mut yaml, &format!("    source: {{ file: {} }}", quoted(&release.file)?));
        if let Some(attribute) = release.size_attribute {
            line(
                &mut yaml,
                &format!("    {attribute}: {{ attribute: {attribute} }} # stronger than the rock's own size"),
            );
        }
        if release.steep_cells {
            yaml.push_str(
                "    # Every cell of the area at least this steep; draw release areas for a better answer.\n",
            );
            yaml.push_str("    placement: { min_slope_deg: 45 }\n");
        }
        yaml.push_str("    # rocks_per_position: 10\n    # frequency_per_year: 0.01 # needed for hazard zones\n");
    }
    ground(&mut yaml, request, layers)?;
    forest(&mut yaml, request, layers)?;
    sources(&mut yaml, features)?;
    Ok(yaml)
}

fn folder_name(request: &PrepareFile) -> String {
    let out = request.out_folder().unwrap_or_default();
    out.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

fn ground(yaml: &mut String, request: &PrepareFile, layers: &[PreparedLayer]) -> Result<()> {
    yaml.push_str(
        "\nground:\n  # Where no layer says otherwise: extra_soft, soft, medium_soft, medium, medium_hard, hard, ",
    );
    yaml.push_str("extra_hard or snow.\n  default: medium\n");
    own_classes(yaml, &request.ground_classes)?;
    class_layers(yaml, "ground", layers)?;
    parameters(yaml, "ground", "  ", layers)?;
    if layers.iter().any(|l| l.section == "scarring") {
        yaml.push_str("  scarring:\n");
        parameters(yaml, "scarring", "    ", layers)?;
        // Both are required once there is scarring: those of the class `medium`.
        for (key, value) in [("me_kn_m2", "18000"), ("drag_coefficient", "1.5")] {
            if !layers.iter().any(|l| l.section == "scarring" && l.key == Some(key)) {
                line(yaml, &format!("    {key}: {value} # no layer given: check this value"));
            }
        }
    }
    Ok(())
}

fn forest(yaml: &mut String, request: &PrepareFile, layers: &[PreparedLayer]) -> Result<()> {
    if request.forest_classes.is_empty() && !layers.iter().any(|l| l.section == "forest") {
        return Ok(());
    }
    yaml.push_str("\nforest:\n  # Where no layer says otherwise: none, open, medium or dense.\n  default: none\n");
    own_classes(yaml, &request.forest_classes)?;
    class_layers(yaml, "forest", layers)?;
    parameters(yaml, "forest", "  ", layers)
}

fn own_classes<T: serde::Serialize>(yaml: &mut String, classes: &std::collections::BTreeMap<String, T>) -> Result<()> {
    if classes.is_empty() {
        return Ok(());
    }
    yaml.push_str("  classes:\n");
    for (name, class) in classes {
        let class = serde_json::to_string(class).map_err(|e| Error::failed(e.to_string()))?;
        line(yaml, &format!("    {}: {class}", quoted(name)?));
    }
    Ok(())
}

fn class_layers(yaml: &mut String, section: &str, layers: &[PreparedLayer]) -> Result<()> {
    let mut mine = layers.iter().filter(|l| l.section == section && l.key.is_none()).peekable();
    if mine.peek().is_some() {
        yaml.push_str("  layers:\n");
    }
    for layer in mine {
        line(yaml, &format!("    - raster: {}", quoted(&layer.file)?));
        let mut codes = Vec::new();
        for (code, class) in &layer.codes {
            codes.push(format!("\"{code}\": {}", quoted(class)?));
        }
        line(yaml, &format!("      codes: {{ {} }}", codes.join(", ")));
    }
    Ok(())
}

fn parameters(yaml: &mut String, section: &str, indent: &str, layers: &[PreparedLayer]) -> Result<()> {
    for layer in layers.iter().filter(|l| l.section == section) {
        if let Some(key) = layer.key {
            line(yaml, &format!("{indent}{key}: {{ raster: {} }}", quoted(&layer.file)?));
        }
    }
    Ok(())
}

fn sources(yaml: &mut String, features: &[PreparedFeatures]) -> Result<()> {
    for (role, heading) in [(Role::Line, "lines"), (Role::Barrier, "barriers")] {
        let mut mine = features.iter().filter(|f| f.role == role).peekable();
        if mine.peek().is_some() {
            let _ = write!(yaml, "\n{heading}:\n");
        }
        for feature in mine {
            line(yaml, &format!("  - name: {}", quoted(&feature.name)?));
            line(yaml, &format!("    source: {{ file: {} }}", quoted(&feature.file)?));
            if let Some(barrier) = &feature.barrier {
                line(
                    yaml,
                    &format!("    height_m: {:?}\n    capacity_kj: {:?}", barrier.height_m, barrier.capacity_kj),
                );
            }
        }
    }
    Ok(())
}

fn line(yaml: &mut String, text: &str) {
    yaml.push_str(text);
    yaml.push('\n');
}

/// A JSON string is a YAML string, whatever it holds.
fn quoted(text: &str) -> Result<String> {
    serde_json::to_string(text).map_err(|e| Error::failed(e.to_string()))
}
