//! A shape without a size: scaled to a mass, a volume or axes it becomes a [`Rock`].

use std::borrow::Cow;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::inertia::{eigenframe, moments};
use super::natural::Natural;
use super::{Appearance, Rock, hull, presets};
use crate::math;
use crate::{Error, Result};

/// The form of a rock, without its size.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// As a project names it.
    pub name: String,
    body: Solid,
    /// Whether `axes_m` means the axes the shape was given in (presets) or its principal axes (clouds and files).
    axes_as_given: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Solid {
    /// Corners and faces as given, m.
    Polyhedron(hull::Hull),
    /// A true sphere of diameter 1 m.
    Sphere,
}

impl Shape {
    /// A preset by name (see [`presets::NAMES`]).
    pub fn from_preset(name: &str) -> Result<Self> {
        let body = match presets::points(name) {
            Some(points) => Solid::Polyhedron(hull::hull(&points)?),
            None if name == "sphere" => Solid::Sphere,
            None => {
                let known: Vec<_> = presets::NAMES.iter().map(|(name, _)| *name).collect();
                return Err(Error::input(format!(
                    "there is no rock shape '{name}'; the presets are {}",
                    known.join(", ")
                )));
            }
        };
        Ok(Self { name: name.into(), body, axes_as_given: true })
    }

    /// Whether [`of_one`](Self::of_one) gives another shape each time.
    pub fn differs_from_rock_to_rock(&self) -> bool {
        self.axes_as_given && Natural::named(&self.name).is_some()
    }

    /// What a rock of this shape looks like, stretched to axes if they are given; one of many for a natural one.
    pub fn appearance(&self, axes_m: Option<[f64; 3]>) -> Result<Appearance> {
        let rock = match axes_m {
            Some(axes) => self.with_axes(axes, 1.0)?,
            None => self.with_volume(1.0, 1.0)?,
        };
        Ok(rock.appearance())
    }

    /// The shape of one rock: another one each time if it is a natural one, else this; `seed` is asked for only then.
    pub fn of_one(&self, seed: impl FnOnce() -> u64) -> Result<Cow<'_, Self>> {
        let Some(natural) = Natural::named(&self.name).filter(|_| self.axes_as_given) else {
            return Ok(Cow::Borrowed(self));
        };
        let body = Solid::Polyhedron(hull::hull(&natural.points(seed()))?);
        Ok(Cow::Owned(Self { name: self.name.clone(), body, axes_as_given: true }))
    }

    /// The convex hull of a point cloud, m.
    pub fn from_points(points: &[Vector3<f64>]) -> Result<Self> {
        Ok(Self { name: "points".into(), body: Solid::Polyhedron(hull::hull(points)?), axes_as_given: false })
    }

    /// Scaled to a mass, kg, at a density, kg/m³, keeping the proportions.
    pub fn with_mass(&self, mass_kg: f64, density_kg_m3: f64) -> Result<Rock> {
        positive("mass_kg", mass_kg)?;
        positive("density_kg_m3", density_kg_m3)?;
        self.with_volume(mass_kg / density_kg_m3, density_kg_m3)
    }

    /// Scaled to a volume, m³, keeping the proportions.
    pub fn with_volume(&self, volume_m3: f64, density_kg_m3: f64) -> Result<Rock> {
        positive("volume_m3", volume_m3)?;
        let factor = math::cbrt(volume_m3 / self.volume());
        self.stretched(&Matrix3::from_diagonal_element(factor), density_kg_m3)
    }

    /// In the size its points were given in (a true sphere: diameter 1 m).
    pub fn as_given(&self, density_kg_m3: f64) -> Result<Rock> {
        self.stretched(&Matrix3::identity(), density_kg_m3)
    }

    /// Stretched to full lengths, m, along three axes: a preset's own x, y, z; for point clouds and files the principal
    /// axes, from the smallest moment of inertia (usually the longest) to the largest (usually the shortest).
    pub fn with_axes(&self, axes_m: [f64; 3], density_kg_m3: f64) -> Result<Rock> {
        for length in axes_m {
            positive("axes_m", length)?;
        }
        match &self.body {
            Solid::Sphere if axes_m[1] != axes_m[0] || axes_m[2] != axes_m[0] => Err(Error::input(format!(
                "axes_m is {axes_m:?}, but a true sphere has three equal axes; use the shape 'ellipsoid'"
            ))),
            Solid::Sphere => self.stretched(&Matrix3::from_diagonal_element(axes_m[0]), density_kg_m3),
            Solid::Polyhedron(hull) => {
                let frame = if self.axes_as_given {
                    Matrix3::identity()
                } else {
                    eigenframe(&moments(&hull.vertices, &hull.faces).inertia()).1
                };
                let extent = extent(hull.vertices.iter().map(|v| frame.transpose() * v));
                let stretch = Matrix3::from_diagonal(&Vector3::from(axes_m).component_div(&extent));
                self.stretched(&(frame * stretch * frame.transpose()), density_kg_m3)
            }
        }
    }

    /// Stretched to axes and given the density that makes it this heavy.
    pub fn with_axes_and_mass(&self, axes_m: [f64; 3], mass_kg: f64) -> Result<Rock> {
        positive("mass_kg", mass_kg)?;
        let volume = self.with_axes(axes_m, 1.0)?.volume_m3;
        self.with_axes(axes_m, mass_kg / volume)
    }

    fn volume(&self) -> f64 {
        match &self.body {
            Solid::Sphere => std::f64::consts::PI / 6.0,
            Solid::Polyhedron(hull) => moments(&hull.vertices, &hull.faces).volume,
        }
    }

    fn stretched(&self, stretch: &Matrix3<f64>, density_kg_m3: f64) -> Result<Rock> {
        positive("density_kg_m3", density_kg_m3)?;
        match &self.body {
            Solid::Sphere => Ok(sphere(&self.name, 0.5 * stretch[(0, 0)], density_kg_m3)),
            Solid::Polyhedron(hull) => {
                let vertices: Vec<_> = hull.vertices.iter().map(|v| stretch * v).collect();
                polyhedron(&self.name, &vertices, &hull.faces, density_kg_m3)
            }
        }
    }
}

fn sphere(name: &str, radius: f64, density: f64) -> Rock {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let mass = density * volume;
    Rock {
        name: name.into(),
        vertices: Vec::new(),
        faces: Vec::new(),
        sphere_radius: Some(radius),
        mass_kg: mass,
        volume_m3: volume,
        inertia: Vector3::repeat(0.4 * mass * radius * radius),
        bounding_radius: radius,
        axes_in_body: UnitQuaternion::identity(),
        lengths: Vector3::repeat(2.0 * radius),
    }
}

fn polyhedron(name: &str, vertices: &[Vector3<f64>], faces: &[[u32; 3]], density: f64) -> Result<Rock> {
    let body = moments(vertices, faces);
    let (inertia, frame) = eigenframe(&(body.inertia() * density));
    let vertices: Vec<_> = vertices.iter().map(|v| frame.transpose() * (v - body.centre)).collect();
    let mass = density * body.volume;
    if !(mass.is_normal() && inertia.iter().all(|x| x.is_normal() && *x > 0.0)) {
        return Err(Error::input(format!(
            "the rock '{name}' comes out with a mass of {mass} kg; give a sensible size"
        )));
    }
    Ok(Rock {
        name: name.into(),
        faces: faces.to_vec(),
        sphere_radius: None,
        mass_kg: mass,
        volume_m3: body.volume,
        // Equal moments may be out of order by rounding; A ≤ B ≤ C holds exactly.
        inertia: Vector3::new(inertia.x, inertia.y.max(inertia.x), inertia.z.max(inertia.y).max(inertia.x)),
        bounding_radius: vertices.iter().map(Vector3::norm).fold(0.0, f64::max),
        axes_in_body: UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(frame)),
        lengths: extent(vertices.iter().copied()),
        vertices,
    })
}

fn extent(points: impl Iterator<Item = Vector3<f64>>) -> Vector3<f64> {
    let start = (Vector3::repeat(f64::MAX), Vector3::repeat(f64::MIN));
    let (low, high) = points.fold(start, |(low, high), p| (low.inf(&p), high.sup(&p)));
    high - low
}

fn positive(key: &str, value: f64) -> Result<()> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Error::input(format!("{key} is {value}; it must be a positive number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The octahedron of Leine 2014, §5.1: square base of 2 m × 2 m with its corners on the axes, 20 m wide in all.
    #[test]
    fn octahedron_of_the_slippage_example() {
        let diagonal = 8.0_f64.sqrt();
        let rock = Shape::from_preset("octahedron").unwrap().with_axes([diagonal, 20.0, diagonal], 3000.0).unwrap();
        assert!((rock.mass_kg - 80_000.0).abs() < 1e-6);
        assert!((rock.inertia - Vector3::new(32_000.0, 816_000.0, 816_000.0)).norm() < 1e-5, "{}", rock.inertia);
        assert!((rock.axes_in_body * Vector3::x() - Vector3::y()).norm() < 1e-15);
    }

    #[test]
    fn sizes_are_met() {
        for (name, _) in presets::NAMES {
            let shape = Shape::from_preset(name).unwrap();
            let rock = shape.with_mass(780.0, 2600.0).unwrap();
            assert!((rock.mass_kg - 780.0).abs() < 1e-9, "{name}");
            assert!((rock.volume_m3 - 0.3).abs() < 1e-12, "{name}");
            assert!(rock.inertia.x > 0.0 && rock.inertia.x <= rock.inertia.y && rock.inertia.y <= rock.inertia.z);
            // The triangle inequality of any real body.
            assert!(rock.inertia.x + rock.inertia.y > rock.inertia.z, "{name}");
            assert!((shape.with_volume(2.0, 2700.0).unwrap().mass_kg - 5400.0).abs() < 1e-8);
        }
        let plate = Shape::from_preset("eota_221").unwrap().with_axes_and_mass([0.93, 0.93, 0.47], 780.0).unwrap();
        assert!((plate.lengths - Vector3::new(0.93, 0.93, 0.47)).norm() < 1e-12 && plate.vertices.len() == 24);
        assert!((plate.mass_kg - 780.0).abs() < 1e-9);
        assert_eq!(plate.axes_in_body, UnitQuaternion::identity());
    }

    /// Stretching a cloud along its principal axes keeps them principal.
    #[test]
    fn clouds_are_stretched_along_their_principal_axes() {
        let turn = UnitQuaternion::from_euler_angles(0.5, 1.0, -2.0);
        let cloud: Vec<_> =
            presets::points("cuboid").unwrap().iter().map(|p| turn * p + Vector3::new(5.0, 6.0, 7.0)).collect();
        let rock = Shape::from_points(&cloud).unwrap().with_axes([4.0, 3.0, 1.0], 2700.0).unwrap();
        assert!((rock.lengths - Vector3::new(4.0, 3.0, 1.0)).norm() < 1e-9, "{:?}", rock.lengths);
        assert!((rock.volume_m3 - 12.0).abs() < 1e-9);
    }

    #[test]
    fn senseless_sizes_are_refused() {
        let shape = Shape::from_preset("cube").unwrap();
        assert!(shape.with_mass(0.0, 2700.0).is_err());
        assert!(shape.with_mass(1.0, f64::NAN).is_err());
        assert!(shape.with_axes([1.0, -1.0, 1.0], 2700.0).is_err());
        assert!(Shape::from_preset("sphere").unwrap().with_axes([1.0, 1.0, 2.0], 2700.0).is_err());
        let error = Shape::from_preset("potato").unwrap_err();
        assert!(error.message.contains("potato") && error.message.contains("eota_221"));
    }
}
