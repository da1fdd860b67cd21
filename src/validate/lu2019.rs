//! Lu et al. 2019, "Modelling rockfall impact with scarring in compactable soils": four impacts of a 780 kg plate (EOTA 2:2:1) on the
//! meadow of Chant Sura, with the soil strength Me and the drag C_s that the authors fitted to each.
//!
//! Known are the speed at impact, the scar's depth and length, the share of translational energy kept and the rotational energy afterwards
//! (read from a figure, ± 3 kJ). Slope, direction and attitude at impact are not published in a form we could use: here the rock comes down
//! at 45° on a slope of 35°, spinning like a wheel at 25 rad/s (4 revolutions a second) with its axle tilted by up to some 20°, and figures are those of an
//! ensemble over the tilt and the turn. The authors' own model leaves more spin than was measured; so does this.

use nalgebra::{UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::scenes::plane;
use super::{Report, Settings, Tolerance};
use crate::Result;
use crate::dynamics::Scene;
use crate::rock::{Rock, Shape};
use crate::terrain::{Ground, GroundScale, ParameterField, Scarring};
use crate::trajectory::{Start, trace};

const SLOPE_DEG: f64 = 35.0;
const DESCENT_DEG: f64 = 45.0;
const SPIN_RAD_S: f64 = 25.0;
const TILT_RAD: f64 = 0.4;
/// Above the slope at the start, m.
const HEIGHT_M: f64 = 0.05;

/// As fitted and measured.
struct Impact {
    speed_m_s: f64,
    me_kn_m2: f64,
    c_s: f64,
    depth_m: f64,
    length_m: f64,
    /// Translational energy after over before.
    energy_kept: f64,
    rotational_kj: f64,
}

const IMPACTS: [Impact; 4] = [
    impact(21.2, 25e3, 4.0, [0.13, 1.40, 0.50, 29.0]),
    impact(19.3, 15e3, 1.5, [0.15, 1.80, 0.63, 36.0]),
    impact(18.3, 10e3, 0.1, [0.18, 1.55, 0.73, 35.0]),
    impact(19.3, 10e3, 0.5, [0.21, 1.52, 0.64, 30.0]),
];

const fn impact(speed_m_s: f64, me_kn_m2: f64, c_s: f64, measured: [f64; 4]) -> Impact {
    let [depth_m, length_m, energy_kept, rotational_kj] = measured;
    Impact { speed_m_s, me_kn_m2, c_s, depth_m, length_m, energy_kept, rotational_kj }
}

/// What one rock left and kept.
struct Scar {
    depth_m: f64,
    /// Way of the centre of mass while part of the rock was in the soil, m.
    length_m: f64,
    energy_kept: f64,
    speed_kept: f64,
    rotational_kj: f64,
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    let rock = Shape::from_preset("eota_221")?.with_axes_and_mass([0.93, 0.93, 0.47], 780.0)?;
    let count = settings.rocks.unwrap_or(if settings.quick { 60 } else { 400 });
    for (number, impact) in IMPACTS.iter().enumerate() {
        report.source(&format!("Lu et al. 2019, impact {}", number + 1));
        let scars = scars(&rock, impact, count)?;
        let mean = |value: fn(&Scar) -> f64| scars.iter().map(value).sum::<f64>() / scars.len() as f64;
        // The fourth scar is deeper than the published law, with the published Me, makes it.
        report.row("depth of the scar, m", impact.depth_m, mean(|s| s.depth_m), Tolerance::Absolute(0.03));
        // Translational energy kept: measured values are read from a figure; an ensemble of 400 scatters by 0.004.
        report.row("translational energy kept", impact.energy_kept, mean(|s| s.energy_kept), Tolerance::Absolute(0.06));
        let mut lengths: Vec<f64> = scars.iter().map(|s| s.length_m).collect();
        lengths.sort_by(f64::total_cmp);
        let median = lengths.get(lengths.len() / 2).copied().unwrap_or(f64::NAN);
        report.row("median length of the scar, m", impact.length_m, median, Tolerance::None).note =
            "way of the centre of mass in the soil: a rock that rolls on in its scar makes it longer than what is measured".into();
        report
            .row("rotational energy afterwards, kJ", impact.rotational_kj, mean(|s| s.rotational_kj), Tolerance::None)
            .note = "± 3 kJ; too much spin in the publication's model as well".into();
        report.info("speed kept, out / in", mean(|s| s.speed_kept));
    }
    Ok(())
}

fn scars(rock: &Rock, impact: &Impact, count: u64) -> Result<Vec<Scar>> {
    let constant = ParameterField::Constant;
    let mut ground = Ground::uniform(0.55, 2.0, 185.0, 3.0);
    ground.scarring = Some(Scarring {
        me_kn_m2: constant(impact.me_kn_m2),
        drag_coefficient: constant(impact.c_s),
        density_kg_m3: constant(1700.0),
    });
    let mut scene = Scene::new(plane(SLOPE_DEG, 1000.0)?, ground);
    scene.stop.max_time_s = 1.0;
    Ok((0..count).into_par_iter().filter_map(|k| scar(&scene, rock, impact, k)).collect())
}

/// `None` for a rock that is still in its scar after a second.
fn scar(scene: &Scene, rock: &Rock, impact: &Impact, number: u64) -> Option<Scar> {
    let mut rng = ChaCha8Rng::seed_from_u64(2019);
    rng.set_stream(number);
    let turn = rng.random_range(0.0..std::f64::consts::TAU);
    let [tilt, yaw] = [(); 2].map(|()| rng.random_range(-TILT_RAD..TILT_RAD));
    // The wheel's axle, its body's z, lies across the slope.
    let upright = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -std::f64::consts::FRAC_PI_2);
    let orientation = UnitQuaternion::from_euler_angles(tilt, 0.0, yaw)
        * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), turn)
        * upright
        * rock.axes_in_body;
    let (x, tan) = (100.0, SLOPE_DEG.to_radians().tan());
    let above = |v: &Vector3<f64>| (orientation * v).z + tan * (orientation * v).x;
    let lowest = rock.vertices.iter().map(above).fold(f64::INFINITY, f64::min);
    let (sin, cos) = DESCENT_DEG.to_radians().sin_cos();
    let start = Start {
        position: Vector3::new(x, 500.0, -tan * x - lowest + HEIGHT_M),
        orientation,
        velocity: impact.speed_m_s * Vector3::new(cos, 0.0, -sin),
        omega: orientation.inverse() * Vector3::new(0.0, SPIN_RAD_S, 0.0),
    };
    let translational = |velocity: &Vector3<f64>| 0.5 * rock.mass_kg * velocity.norm_squared();
    let (mut touched, mut depth_m, mut left) = (None, 0.0_f64, None);
    trace(scene, rock, &start, &GroundScale::default(), |traced| {
        let sample = traced.sample;
        match (traced.fall.body.scar_depth, touched, &left) {
            (Some(depth), None, _) => (touched, depth_m) = (Some((sample.position, impact.speed_m_s)), depth),
            (None, Some((place, speed)), None) => {
                let energy = translational(&sample.velocity);
                left = Some(Scar {
                    depth_m,
                    length_m: (sample.position - place).norm(),
                    energy_kept: sample.velocity.norm_squared() / (speed * speed),
                    speed_kept: sample.velocity.norm() / speed,
                    rotational_kj: 1e-3 * (sample.kinetic_energy_j - energy),
                });
            }
            _ => {}
        }
    });
    left
}
