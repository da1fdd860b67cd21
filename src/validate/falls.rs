//! Ensembles on simple slopes: any shape on any ground class, for comparisons of one way to compute with another.

use std::fmt;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::ramp1000::FallFigures;
use super::two_samples::Comparison;
use crate::dynamics::Scene;
use crate::hazard::traverse::CellRecorder;
use crate::project::classes;
use crate::project::file::{ClassTable, ForestSpec};
use crate::rock::{Rock, Shape};
use crate::terrain::{Field, Forest, GroundScale, Lattice, ParameterField, Scarring, Surface};
use crate::trajectory::{Action, Observer, Sample, Start, simulate};
use crate::{Error, Result};

/// Compact, plate, column, sharp and round.
pub(crate) const SHAPES: [&str; 5] = ["cube", "equant", "platy", "long", "sphere"];
pub(crate) const SLOPES_DEG: [f64; 5] = [25.0, 32.0, 35.0, 38.0, 40.0];
pub(crate) const RAMPS_DEG: [f64; 2] = [32.0, 40.0];
pub(crate) const UNEVEN_DEG: f64 = 38.0;

pub(crate) const MASS_KG: f64 = 800.0;
pub(crate) const DENSITY_KG_M3: f64 = 2700.0;
/// Planes are this long in plan, ramps half of it with a flat foot as long again.
const LENGTH_M: f64 = 400.0;
const WIDTH_M: f64 = 400.0;
const CELL_M: f64 = 5.0;
/// Nodes of uneven slopes lie up to this much above or below the ramp, m: no patch is flat, and every grid line is a crest or a valley.
const UNEVEN_M: f64 = 0.4;
const RELEASE_X_M: f64 = 10.0;
/// Rocks that would roll for ever are followed so long.
const MAX_TIME_S: f64 = 60.0;
/// Within this of it they end: no earlier than half a step before, and steps last up to 4 ms.
pub(crate) const LAST_STEPS_S: f64 = 5e-3;

/// The slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Terrain {
    /// Falls by this angle, degrees, to its end.
    Plane(f64),
    /// Falls by this angle and ends in a flat foot.
    Ramp(f64),
    /// A ramp whose nodes lie higher and lower at random.
    Uneven(f64),
}

/// One combination of rock and ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Preset of the rock.
    pub shape: String,
    /// Of the ground.
    pub class: String,
    /// Its form.
    pub terrain: Terrain,
    /// With trees.
    pub forest: bool,
    /// With compactable soil.
    pub scarring: bool,
    /// The class as projects have it, with its own soil and roughness; else its friction of Leine et al. (2014) alone.
    pub complete: bool,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape, class, terrain, forest, scarring, complete } = self;
        match terrain {
            Terrain::Plane(deg) => write!(f, "{shape} {class} plane {deg}°")?,
            Terrain::Ramp(deg) => write!(f, "{shape} {class} ramp {deg}°")?,
            Terrain::Uneven(deg) => write!(f, "{shape} {class} uneven {deg}°")?,
        }
        let words = [(*forest, " forest"), (*scarring, " soil"), (*complete, " complete")];
        words.iter().filter(|(with, _)| *with).try_for_each(|(_, word)| f.write_str(word))
    }
}

impl Setting {
    /// A bare slope: no forest, no soil.
    pub fn bare(shape: &str, class: &str, terrain: Terrain) -> Self {
        Self { shape: shape.into(), class: class.into(), terrain, forest: false, scarring: false, complete: false }
    }

    /// A class as projects have it.
    pub(crate) fn complete(shape: &str, class: &str, terrain: Terrain) -> Self {
        Self { complete: true, ..Self::bare(shape, class, terrain) }
    }

    /// Every shape on every class on every slope, with and without forest; by its friction alone, with soil, and complete.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        let mut terrains: Vec<Terrain> =
            SLOPES_DEG.map(Terrain::Plane).into_iter().chain(RAMPS_DEG.map(Terrain::Ramp)).collect();
        terrains.push(Terrain::Uneven(UNEVEN_DEG));
        for (scarring, complete) in [(false, false), (true, false), (false, true)] {
            for forest in [false, true] {
                for shape in SHAPES {
                    for class in ground_classes() {
                        let of = |terrain: &Terrain| Self::bare(shape, &class, *terrain);
                        all.extend(terrains.iter().map(|t| Self { forest, scarring, complete, ..of(t) }));
                    }
                }
            }
        }
        all
    }

    /// What it has in common with others.
    pub(crate) fn groups(&self) -> Vec<String> {
        let with = |is: bool, name: &str| if is { name.into() } else { format!("no {name}") };
        let slope = match self.terrain {
            Terrain::Plane(deg) => format!("plane {deg}°"),
            Terrain::Ramp(deg) => format!("ramp {deg}°"),
            Terrain::Uneven(deg) => format!("uneven {deg}°"),
        };
        vec![self.shape.clone(), self.class.clone(), slope, with(self.forest, "forest"), self.ground().into()]
    }

    fn ground(&self) -> &'static str {
        match (self.complete, self.scarring) {
            (true, _) => "complete classes",
            (false, true) => "soil",
            (false, false) => "friction alone",
        }
    }

    /// Whether every word of a filter is a word of the setting's name: `cube medium 35°`.
    pub(crate) fn matches(&self, filter: &str) -> bool {
        let name = self.to_string();
        filter.split_whitespace().all(|word| {
            name.split_whitespace().any(|mine| mine == word || mine.trim_end_matches('°') == word)
                || (word == "bare" && !self.forest && !self.scarring && !self.complete)
        })
    }

    /// With the default step, stepping and integrator.
    pub fn scene(&self) -> Result<Scene> {
        let classes = classes::table(if self.complete { ClassTable::default() } else { ClassTable::Leine2014 });
        let class = classes.get(&self.class).ok_or_else(|| {
            let known: Vec<_> = classes.keys().map(String::as_str).collect();
            Error::usage(format!("there is no ground class `{}`; known are {}", self.class, known.join(", ")))
        })?;
        let mut ground = classes::everywhere(class);
        if self.scarring {
            ground.scarring = Some(lu_soil());
        }
        let mut scene = Scene::new(self.terrain.surface()?, ground);
        if self.forest {
            let medium = classes::forest(&ForestSpec::default()).remove("medium");
            scene.forest = medium.map(|class| Forest {
                drag_kg_s: ParameterField::Constant(class.drag_kg_s),
                height_m: ParameterField::Constant(class.height_m),
                rotational_drag_kg_m2_s: ParameterField::Constant(class.rotational_drag_kg_m2_s),
            });
        }
        scene.stop.max_time_s = MAX_TIME_S;
        Ok(scene)
    }

    pub(crate) fn rock(&self) -> Result<Rock> {
        Shape::from_preset(&self.shape)?.with_mass(MASS_KG, DENSITY_KG_M3)
    }

    /// The start of rock `k`: any orientation, 0.1 to 1 m above the ground, slowly downslope and a little aside. Other rocks in every
    /// setting: with the same ones settings could not be put together, since what is chance in one would be it in all.
    pub(crate) fn start(&self, rock: &Rock, k: u64) -> Start {
        let seed =
            self.to_string().bytes().fold(1935_u64, |seed, byte| seed.wrapping_mul(257).wrapping_add(byte.into()));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(k);
        let orientation = any_orientation(&mut rng);
        let (sin, cos) = self.terrain.slope_deg().to_radians().sin_cos();
        let height = (rock.bounding_radius + rng.random_range(0.1..1.0)) / cos + self.terrain.uneven_m();
        let (along, across) = (rng.random_range(0.5..2.0), rng.random_range(-0.5..0.5));
        Start {
            position: Vector3::new(RELEASE_X_M, 0.5 * WIDTH_M, self.terrain.height(RELEASE_X_M) + height),
            orientation,
            velocity: Vector3::new(along * cos, across, -along * sin),
            omega: Vector3::zeros(),
        }
    }

    /// The falls of rocks `first` to `first + count`, in their order.
    pub fn falls(&self, scene: &Scene, first: u64, count: u64) -> Result<Vec<FallFigures>> {
        let rock = self.rock()?;
        Ok((first..first + count).into_par_iter().map(|k| follow(scene, &rock, &self.start(&rock, k), k)).collect())
    }
}

/// Any orientation, all being equally likely.
pub(crate) fn any_orientation(rng: &mut ChaCha8Rng) -> UnitQuaternion<f64> {
    loop {
        // Uniform in the four-dimensional ball, then normalised: uniform on the sphere of quaternions.
        let q = Quaternion::from([(); 4].map(|()| rng.random_range(-1.0..1.0)));
        if (0.01..=1.0).contains(&q.norm_squared()) {
            return UnitQuaternion::new_normalize(q);
        }
    }
}

/// Lets a rock fall, with the largest values of the continuous path, as layers have them. Each meets a roughness of its own.
pub(crate) fn follow(scene: &Scene, rock: &Rock, start: &Start, seed: u64) -> FallFigures {
    struct Watch<'a>(CellRecorder<'a>);
    impl Observer for Watch<'_> {
        fn start(&mut self, sample: &Sample) {
            self.0.start(sample);
        }
        fn enough_m(&self, position: &Vector3<f64>) -> f64 {
            self.0.enough_m(position)
        }
        fn step(&mut self, before: &Sample, after: &Sample) -> Action {
            self.0.step(before, after);
            Action::Continue
        }
    }
    let mut watch = Watch(CellRecorder::new(scene, rock));
    let outcome = simulate(scene, rock, start, &GroundScale { seed, ..GroundScale::default() }, &mut watch);
    let (largest, _) = watch.0.finish(|_| f64::NAN);
    let [energy_kj, speed, jump_m, _] = *largest.values();
    FallFigures {
        // How far beyond the edge a leaving rock is last seen depends on the step.
        run_out_m: (outcome.end.position.x - start.position.x).min(LENGTH_M - RELEASE_X_M - 2.0),
        max_translational_j: 0.5 * rock.mass_kg * f64::from(speed).powi(2),
        max_energy_j: 1e3 * f64::from(energy_kj),
        max_jump_m: jump_m.into(),
        // Nor is the last step of a rock that is followed to the end as long in both.
        time_s: outcome.end.time_s.min(MAX_TIME_S - LAST_STEPS_S),
        stop: outcome.stop,
    }
}

/// Names of the built-in classes, whose friction alone counts here: soil is a setting of its own.
pub(crate) fn ground_classes() -> Vec<String> {
    classes::table(ClassTable::Leine2014).into_keys().collect()
}

/// The soil of Lu et al. 2019 as used for Chant Sura.
pub(crate) fn lu_soil() -> Scarring {
    Scarring {
        me_kn_m2: ParameterField::Constant(15_000.0),
        drag_coefficient: ParameterField::Constant(1.5),
        density_kg_m3: ParameterField::Constant(1700.0),
    }
}

impl Terrain {
    pub(crate) fn slope_deg(self) -> f64 {
        match self {
            Self::Plane(deg) | Self::Ramp(deg) | Self::Uneven(deg) => deg,
        }
    }

    /// Where in plan the slope ends in a flat foot, m.
    pub(crate) fn foot_m(self) -> Option<f64> {
        if matches!(self, Self::Plane(_)) { None } else { Some(0.5 * LENGTH_M) }
    }

    /// How far its nodes may be from where the slope has them, m.
    pub(crate) fn uneven_m(self) -> f64 {
        if matches!(self, Self::Uneven(_)) { UNEVEN_M } else { 0.0 }
    }

    fn height(self, x: f64) -> f64 {
        let tan = self.slope_deg().to_radians().tan();
        match self {
            Self::Plane(_) => tan * (LENGTH_M - x),
            Self::Ramp(_) | Self::Uneven(_) => tan * (0.5 * LENGTH_M - x).max(0.0),
        }
    }

    fn surface(self) -> Result<Surface> {
        let (nx, ny) = ((LENGTH_M / CELL_M) as usize + 1, (WIDTH_M / CELL_M) as usize + 1);
        let lattice = Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: CELL_M, dy: CELL_M };
        let mut rng = ChaCha8Rng::seed_from_u64(2014);
        let mut off = || self.uneven_m() * rng.random_range(-1.0..1.0);
        let values = (0..nx * ny).map(|k| self.height(CELL_M * (k % nx) as f64) + off()).collect();
        Surface::new(Field { lattice, values })
    }
}

/// A name with its unit, and where to find it.
pub(crate) type Quantity = (&'static str, fn(&FallFigures) -> f64);

/// What is compared.
pub const QUANTITIES: [Quantity; 4] = [
    ("run-out, m", |f| f.run_out_m),
    ("largest energy, kJ", |f| 1e-3 * f.max_energy_j),
    ("largest jump, m", |f| f.max_jump_m),
    ("duration, s", |f| f.time_s),
];

/// The quantities of two ensembles, in the order of [`QUANTITIES`].
pub fn compare(first: &[FallFigures], second: &[FallFigures]) -> [Comparison; 4] {
    QUANTITIES.map(|(_, value)| {
        let values = |falls: &[FallFigures]| falls.iter().map(value).collect::<Vec<_>>();
        Comparison::of(&values(first), &values(second))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 shapes × 8 classes × 8 slopes × forest × three grounds, each named once; filters find by words.
    #[test]
    fn settings_are_complete_and_named() {
        let all = Setting::all();
        assert_eq!(all.len(), 5 * 8 * 8 * 6);
        let names: std::collections::BTreeSet<String> = all.iter().map(Setting::to_string).collect();
        assert_eq!(names.len(), all.len());
        let count = |filter: &str| all.iter().filter(|s| s.matches(filter)).count();
        assert_eq!(count("cube medium plane 35 bare"), 1);
        assert_eq!(count("medium"), 5 * 8 * 6, "medium_soft is another class");
        assert_eq!(count("soil forest"), 5 * 8 * 8);
        assert_eq!(count("complete"), 5 * 8 * 8 * 2);
    }
}
