//! What is measured, each in a function of its own that callgrind finds by its name. Each returns how many calls of the
//! kernel it has made.

use std::hint::black_box;

use couloir::dynamics::solver::{self, Contact, Response, Velocity};
use couloir::dynamics::{Body, Fall, Integrator, Scene, step};
use couloir::hazard::accumulator::{Accumulator, Passage};
use couloir::hazard::traverse::{CellRecorder, Visit};
use couloir::project::file;
use couloir::rock::Rock;
use couloir::store::layers;
use couloir::terrain::GroundScale;
use couloir::trajectory::{Sample, trace};
use couloir::validate::ramp1000;
use nalgebra::{Matrix3, Vector3};

use crate::yardstick::Yardstick;

type Kernel = fn(&mut Stage) -> u64;

pub const ALL: [(&str, Kernel); 9] = [
    ("yardstick_step", kernel_yardstick_step),
    ("flight_step", kernel_flight_step),
    ("contact_step", kernel_contact_step),
    ("solver", kernel_solver),
    ("terrain_look_up", kernel_terrain_look_up),
    ("fall_implicit", kernel_fall_implicit),
    ("fall_explicit", kernel_fall_explicit),
    ("recorder", kernel_recorder),
    ("accumulator_visit", kernel_accumulator_visit),
];

/// Rocks whose whole fall is measured.
const FALLS: u64 = 4;

/// States and problems as they occur on the ramp.
pub struct Stage {
    rock: Rock,
    implicit: Scene,
    explicit: Scene,
    yardstick: Yardstick,
    /// High above the ground, turning.
    flying: Body,
    /// Before steps with contact.
    touching: Vec<Body>,
    problems: Vec<(Vec<Contact>, Velocity)>,
    response: Response,
    samples: Vec<Sample>,
    visits: Vec<Visit>,
}

impl Stage {
    pub fn new() -> Self {
        let rock = ramp1000::rock().expect("the plate");
        let scene = |integrator| ramp1000::scene(integrator).expect("the ramp");
        let implicit = scene(Integrator::Implicit);
        let start = ramp1000::start(&rock, 0);
        let gravity = Vector3::z() * (implicit.gravity_m_s2 * implicit.time_step_s);
        let (mut samples, mut touching, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = None;
        trace(&implicit, &rock, &start, &GroundScale::default(), |traced| {
            samples.push(*traced.sample);
            if let (Some(before), Some(info)) = (&before, traced.step)
                && info.closed > 0
                && touching.len() < 500
            {
                let body: &Body = before;
                touching.push(body.clone());
                let cold = |(_, contact): (u64, &Contact)| Contact { percussion: Vector3::zeros(), ..*contact };
                let free = Velocity { v: body.velocity - gravity, omega: body.omega };
                problems.push((traced.fall.work.contacts().map(cold).collect(), free));
            }
            before = Some(traced.fall.body.clone());
        });
        let mut flying = touching[touching.len() / 2].clone();
        flying.position.z += 100.0;
        let mut recorder = CellRecorder::new(&implicit, &rock);
        recorder.start(&samples[0]);
        samples.windows(2).for_each(|pair| recorder.step(&pair[0], &pair[1]));
        let (_, visits) = recorder.finish(|_| 0.0);
        let response = Response {
            per_mass: 1.0 / rock.mass_kg,
            per_inertia: Matrix3::from_diagonal(&rock.inertia.map(|moment| 1.0 / moment)),
        };
        let (explicit, yardstick) = (scene(Integrator::Explicit), Yardstick::new());
        Self { rock, implicit, explicit, yardstick, flying, touching, problems, response, samples, visits }
    }

    fn fall<'a>(&'a self, scale: &'a GroundScale) -> Fall<'a> {
        Fall::new(&self.implicit, &self.rock, scale, &ramp1000::start(&self.rock, 0))
    }
}

#[inline(never)]
fn kernel_yardstick_step(stage: &mut Stage) -> u64 {
    black_box(stage.yardstick.run(0, 1000));
    1000
}

#[inline(never)]
fn kernel_flight_step(stage: &mut Stage) -> u64 {
    let scale = GroundScale::default();
    let mut fall = stage.fall(&scale);
    fall.body = stage.flying.clone();
    for _ in 0..500 {
        black_box(step(&mut fall));
    }
    500
}

#[inline(never)]
fn kernel_contact_step(stage: &mut Stage) -> u64 {
    let scale = GroundScale::default();
    let mut fall = stage.fall(&scale);
    for body in &stage.touching {
        fall.body = body.clone();
        black_box(step(&mut fall));
    }
    stage.touching.len() as u64
}

/// From no percussion at all, as at an impact.
#[inline(never)]
fn kernel_solver(stage: &mut Stage) -> u64 {
    let mut scratch = solver::Scratch::default();
    let mut contacts = Vec::new();
    for (problem, free) in &stage.problems {
        contacts.clone_from(problem);
        black_box(solver::solve(&mut contacts, &stage.response, free, &mut scratch));
    }
    stage.problems.len() as u64
}

#[inline(never)]
fn kernel_terrain_look_up(stage: &mut Stage) -> u64 {
    let mut calls = 0;
    for sample in stage.samples.iter().step_by(8) {
        for vertex in &stage.rock.vertices {
            let (x, y) = (sample.position.x + vertex.x, sample.position.y + vertex.y);
            black_box(stage.implicit.surface.spot(x, y));
            calls += 1;
        }
    }
    calls
}

/// Per simulated 2 ms.
#[inline(never)]
fn kernel_fall_implicit(stage: &mut Stage) -> u64 {
    falls(&stage.implicit, &stage.rock)
}

#[inline(never)]
fn kernel_fall_explicit(stage: &mut Stage) -> u64 {
    falls(&stage.explicit, &stage.rock)
}

fn falls(scene: &Scene, rock: &Rock) -> u64 {
    (0..FALLS).map(|k| black_box(ramp1000::fall(scene, rock, k)).steps()).sum::<f64>() as u64
}

#[inline(never)]
fn kernel_recorder(stage: &mut Stage) -> u64 {
    let mut recorder = CellRecorder::new(&stage.implicit, &stage.rock);
    recorder.start(&stage.samples[0]);
    stage.samples.windows(2).for_each(|pair| recorder.step(&pair[0], &pair[1]));
    black_box(recorder.finish(|_| 0.0));
    // Per simulated time step, like the falls: samples may be several steps apart.
    (stage.samples.last().map_or(0.0, |last| last.time_s) / ramp1000::numbers::TIME_STEP_S) as u64
}

#[inline(never)]
fn kernel_accumulator_visit(stage: &mut Stage) -> u64 {
    let chosen = layers::chosen(&file::Statistics::default(), false).expect("the default layers");
    let mut counts = Accumulator::new(*stage.implicit.surface.lattice(), layers::wanted(&chosen, false, &[]));
    for _ in 0..20 {
        let deposit = stage.visits.last().map(|visit| visit.cell);
        counts.add(&Passage {
            visits: &stage.visits,
            source_cell: 0,
            deposit,
            frequency_per_year: 0.0,
            half: 0,
            weight: 1.0,
        });
    }
    black_box(counts.memory_bytes());
    20 * stage.visits.len() as u64
}
