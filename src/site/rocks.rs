//! The shapes of a project's rocks.

use nalgebra::Vector3;

use super::{located, rock_file};
use crate::project::Project;
use crate::project::file::{RockSpec, ShapeSpec};
use crate::rock::Shape;
use crate::{Note, Result};

/// Where every rock has the same shape, and one that slopes hardly shed.
pub(super) fn one_shape(rocks: &[(RockSpec, Shape)]) -> Result<Option<Note>> {
    let [(first, shape), others @ ..] = rocks else { return Ok(None) };
    let differs = |(spec, other): &(RockSpec, Shape)| other != shape || spec.axes_m != first.axes_m;
    if shape.differs_from_rock_to_rock() || others.iter().any(differs) {
        return Ok(None);
    }
    let look = shape.appearance(first.axes_m)?;
    let (name, sphericity, edge_deg) = (shape.name.clone(), look.sphericity, look.edge_deg);
    Ok(if look.is_very_angular() {
        Some(Note::OneAngularShape { shape: name, sphericity, edge_deg })
    } else if look.is_very_round() {
        Some(Note::OneRoundShape { shape: name, sphericity, edge_deg })
    } else {
        None
    })
}

pub(super) fn read(project: &Project) -> Result<Vec<(RockSpec, Shape)>> {
    let shape = |(i, rock): (usize, &RockSpec)| {
        let key = format!("rocks[{i}].shape");
        let (key, shape) = match &rock.shape {
            ShapeSpec::Preset(name) => (key, Shape::from_preset(name)),
            ShapeSpec::File(shape) => (format!("{key}.file"), rock_file::shape(&project.resolve(&shape.file))),
            ShapeSpec::Points(shape) => {
                let points: Vec<_> = shape.points_m.iter().map(|p| Vector3::from(*p)).collect();
                (format!("{key}.points_m"), Shape::from_points(&points))
            }
        };
        let shape = shape.map_err(|e| located(project, &key, e))?;
        if let Some(axes) = rock.axes_m {
            let sized = shape.with_axes(axes, rock.density_kg_m3);
            sized.map_err(|e| located(project, &format!("rocks[{i}].axes_m"), e))?;
            let key = format!("rocks[{i}].density_kg_m3");
            if rock.mass_kg.is_some() && project.states(&key) {
                let found = rock.density_kg_m3;
                let sentence = format!(
                    "found {found} beside axes_m and mass_kg, from which the density follows: expected two of the three, remove one"
                );
                return Err(project.error_at(&key, sentence));
            }
        }
        Ok((rock.clone(), shape))
    };
    project.file.rocks.iter().enumerate().map(shape).collect()
}
