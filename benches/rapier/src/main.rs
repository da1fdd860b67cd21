//! `ramp1000` with rapier3d in 32 and 64 bits, one thread, CPU time: 200 rocks a world that do not see each other, with
//! rapier's own defaults but for the time step. Usage: `cargo run --release [-- ROCKS]`
//!
//! Lines that begin with `=` are for `scripts/bench.sh`.

#[path = "../../common/cpu.rs"]
mod cpu;
#[path = "../../../src/validate/ramp1000/numbers.rs"]
mod numbers;
#[path = "../../common/yardstick.rs"]
mod yardstick;

/// What one rock did.
#[derive(Clone, Copy, Default)]
struct Fall {
    steps: u64,
    still_steps: u64,
    ended: bool,
    run_out_m: f64,
    max_translational_j: f64,
    max_energy_j: f64,
}

const ROCKS_OF_A_WORLD: u64 = 200;

/// The same text for both precisions: the two crates have types of the same names.
macro_rules! engine {
    ($module:ident, $rapier:ident) => {
        mod $module {
            use $rapier::math::{Pose, Real, Rotation, Vector};
            use $rapier::parry::utils::Array2;
            use $rapier::prelude::*;

            use super::{Fall, numbers};

            fn vector(v: [f64; 3]) -> Vector {
                Vector::new(v[0] as Real, v[1] as Real, v[2] as Real)
            }

            fn world() -> PhysicsWorld {
                let mut world =
                    PhysicsWorld { gravity: Vector::Z * -(numbers::GRAVITY_M_S2 as Real), ..Default::default() };
                world.integration_parameters.dt = numbers::TIME_STEP_S as Real;
                let (nx, ny) = numbers::NODES;
                let heights =
                    Array2::from_fn(ny, nx, |_, column| numbers::height(numbers::CELL_M * column as f64) as Real);
                let (length, width) = (numbers::CELL_M * (nx - 1) as f64, numbers::CELL_M * (ny - 1) as f64);
                // Height fields are centred and have y up: turned about x, y becomes z. The ramp looks the same mirrored.
                let upright = Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2 as Real);
                let collider = ColliderBuilder::heightfield(heights, vector([length, 1.0, width]))
                    .position(Pose::from_parts(vector([0.5 * length, 0.5 * width, 0.0]), upright));
                world.insert_collider(material(collider, Group::GROUP_1, Group::GROUP_2), None);
                world
            }

            fn material(collider: ColliderBuilder, own: Group, others: Group) -> ColliderBuilder {
                collider.friction(numbers::FRICTION as Real).restitution(0.0).collision_groups(InteractionGroups::new(
                    own,
                    others,
                    InteractionTestMode::And,
                ))
            }

            fn insert(world: &mut PhysicsWorld, k: u64) -> RigidBodyHandle {
                let corners: Vec<Vector> = numbers::corners().into_iter().map(vector).collect();
                let collider = ColliderBuilder::convex_hull(&corners).expect("a hull").mass(numbers::MASS_KG as Real);
                let [x, y, z, w] = numbers::orientation(k).map(|c| c as Real);
                let pose = Pose::from_parts(vector(numbers::start()), Rotation::from_xyzw(x, y, z, w));
                let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
                world.insert(body, material(collider, Group::GROUP_2, Group::GROUP_1)).0
            }

            /// Notes one step of a rock; true when it has come to its end.
            fn note(fall: &mut Fall, body: &RigidBody) -> bool {
                let (v, p) = (body.linvel(), body.translation());
                let energy = body.kinetic_energy() as f64;
                fall.steps += 1;
                fall.run_out_m = p.x as f64 - numbers::start()[0];
                fall.max_translational_j =
                    fall.max_translational_j.max(0.5 * numbers::MASS_KG * v.length_squared() as f64);
                fall.max_energy_j = fall.max_energy_j.max(energy);
                let still = energy <= 0.5 * numbers::MASS_KG * numbers::REST_SPEED_M_S * numbers::REST_SPEED_M_S;
                fall.still_steps = if still { fall.still_steps + 1 } else { 0 };
                let at_rest = fall.still_steps as f64 * numbers::TIME_STEP_S > numbers::REST_TIME_S;
                let (east, north) = ((numbers::NODES.0 - 1) as f64, (numbers::NODES.1 - 1) as f64);
                let outside = !(0.0..=east).contains(&(p.x as f64)) || !(0.0..=north).contains(&(p.y as f64));
                at_rest || outside || fall.steps as f64 * numbers::TIME_STEP_S >= numbers::MAX_TIME_S
            }

            /// The rocks of one world from start to end.
            pub fn run(rocks: std::ops::Range<u64>) -> Vec<Fall> {
                let mut world = world();
                let handles: Vec<_> = rocks.map(|k| insert(&mut world, k)).collect();
                let mut falls = vec![Fall::default(); handles.len()];
                while falls.iter().any(|fall| !fall.ended) {
                    world.step();
                    for (fall, &handle) in falls.iter_mut().zip(&handles).filter(|(fall, _)| !fall.ended) {
                        fall.ended = note(fall, &world.bodies[handle]);
                        if fall.ended {
                            world.remove_body(handle);
                        }
                    }
                }
                falls
            }
        }
    };
}

engine!(single, rapier3d);
engine!(double, rapier3d_f64);

/// What one precision has come to.
struct Column {
    name: &'static str,
    run: fn(std::ops::Range<u64>) -> Vec<Fall>,
    falls: Vec<Fall>,
    cpu_s: f64,
    /// Per world.
    ns_per_step: Vec<f64>,
    to_yardstick: Vec<f64>,
}

fn main() {
    let rocks: u64 = std::env::args().find_map(|a| a.parse().ok()).unwrap_or(1000);
    let column = |name, run| {
        let (falls, ns_per_step, to_yardstick) = (Vec::new(), Vec::new(), Vec::new());
        Column { name, run, falls, cpu_s: 0.0, ns_per_step, to_yardstick }
    };
    let mut columns = [column("f32", single::run), column("f64", double::run)];
    let yardstick = yardstick::Yardstick::new();
    for first in (0..rocks).step_by(ROCKS_OF_A_WORLD as usize) {
        let world = first..(first + ROCKS_OF_A_WORLD).min(rocks);
        for column in &mut columns {
            let (cpu_s, falls) = cpu::of_thread(|| (column.run)(world.clone()));
            let ns = 1e9 * cpu_s / falls.iter().map(|fall| fall.steps as f64).sum::<f64>();
            let (cpu_yard, _) = cpu::of_thread(|| yardstick.run(first, 1_000_000));
            column.cpu_s += cpu_s;
            column.ns_per_step.push(ns);
            column.to_yardstick.push(ns / (1e3 * cpu_yard));
            column.falls.extend(falls);
        }
    }
    println!("ramp1000 with rapier3d, {rocks} rocks, {ROCKS_OF_A_WORLD} a world, one thread, CPU time");
    columns.into_iter().for_each(print);
}

fn print(column: Column) {
    let Column { name, falls, cpu_s, .. } = column;
    let count = falls.len() as f64;
    let mean = |value: fn(&Fall) -> f64| falls.iter().map(value).sum::<f64>() / count;
    let steps = count * mean(|f| f.steps as f64);
    let (ns, ratio) = (cpu::median(column.ns_per_step), cpu::median(column.to_yardstick));
    let per_1000 = 1000.0 * cpu_s / count;
    let [run_out, energy, translational] =
        [mean(|f| f.run_out_m), mean(|f| 1e-3 * f.max_energy_j), mean(|f| 1e-3 * f.max_translational_j)];
    println!(
        "{name}   {ns:8.1} ns a step, {ratio:.1} × yardstick, {per_1000:.2} CPU s for 1000 rocks, {steps:.0} steps of 2 ms; \
         mean run-out {run_out:.2} m, largest energy {energy:.2} kJ ({translational:.2} kJ without rotation)"
    );
    let figures = [
        ("ns_per_step", ns),
        ("to_yardstick", ratio),
        ("cpu_s_per_1000", per_1000),
        ("steps", steps),
        ("run_out_m", run_out),
        ("max_energy_kj", energy),
        ("max_translational_kj", translational),
    ];
    for (key, value) in figures {
        println!("= rapier_{name}_{key} {value:.4}");
    }
}
