//! `couloir rocks`: the built-in shapes, or what a shape becomes as a rock.

use std::path::Path;

use crate::rock::{Shape, presets};
use crate::site::rock_file;
use crate::{Error, Result};

/// List the built-in rock shapes, or show what a shape (preset, or file of points, STL or OBJ) becomes as a rock.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Preset or file; without it all presets are listed.
    shape: Option<String>,
    /// Mass, kg; with --axes-m the density follows from both.
    #[arg(long, value_name = "KG", conflicts_with = "volume_m3")]
    mass_kg: Option<f64>,
    /// Volume, m³.
    #[arg(long, value_name = "M3", conflicts_with = "axes_m")]
    volume_m3: Option<f64>,
    /// Full lengths along the three body axes, m, e.g. 0.93,0.93,0.47.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    axes_m: Option<Vec<f64>>,
    /// Density, kg/m³.
    #[arg(long, value_name = "RHO", default_value_t = 2700.0)]
    density_kg_m3: f64,
}

pub(super) fn run(args: Args) -> Result<()> {
    let Some(name) = &args.shape else {
        let lines = presets::NAMES.iter().map(|(name, what)| format!("{name:<20} {what}\n"));
        return super::print(&lines.collect::<String>());
    };
    let is_preset = presets::NAMES.iter().any(|(preset, _)| preset == name);
    let shape = if is_preset || !Path::new(name).exists() {
        Shape::from_preset(name)?
    } else {
        rock_file::shape(Path::new(name))?
    };
    let rock = match (args.mass_kg, args.volume_m3, args.axes_m.as_deref()) {
        (Some(mass), _, Some([a, b, c])) => shape.with_axes_and_mass([*a, *b, *c], mass)?,
        (Some(mass), _, None) => shape.with_mass(mass, args.density_kg_m3)?,
        (_, Some(volume), _) => shape.with_volume(volume, args.density_kg_m3)?,
        (_, _, Some([a, b, c])) => shape.with_axes([*a, *b, *c], args.density_kg_m3)?,
        (_, _, Some(axes)) => {
            return Err(Error::usage(format!("--axes-m has {} lengths; expected three, e.g. 0.9,0.9,0.5", axes.len())));
        }
        _ if is_preset => shape.with_volume(1.0, args.density_kg_m3)?,
        _ => shape.as_given(args.density_kg_m3)?,
    };
    let (inertia, look) = (rock.inertia, rock.appearance());
    super::print(&format!(
        "mass        {:.3} kg\nvolume      {:.6} m³\nvertices    {}\nradius      {:.4} m (farthest point from the centre of mass)\n\
         inertia     {:.4}, {:.4}, {:.4} kg m² (A ≤ B ≤ C)\nform        {} (Sneed & Folk 1958)\nsphericity  {:.3} (1 for a sphere, 0.81 for a cube)\n\
         edges       {:.0}° between faces in the mean (0° for a sphere, 90° for a cube)\n",
        rock.mass_kg,
        rock.volume_m3,
        rock.vertices.len(),
        rock.bounding_radius,
        inertia.x,
        inertia.y,
        inertia.z,
        look.form,
        look.sphericity,
        look.edge_deg
    ))
}
