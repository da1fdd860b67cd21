//! One rock down a 30° slope: `cargo run --no-default-features --example one_rock`.

use couloir::dynamics::{Scene, Start};
use couloir::nalgebra::{UnitQuaternion, Vector3};
use couloir::rock::Shape;
use couloir::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use couloir::trajectory::{StopReason, Unobserved, simulate};

fn main() -> couloir::Result<()> {
    // 120 × 20 cells of 5 m: falling towards the east, flat from 100 m on.
    let lattice = Lattice { nx: 120, ny: 20, x0: 0.0, y0: 0.0, dx: 5.0, dy: 5.0 };
    let values = (0..lattice.len()).map(|k| (100.0 - 5.0 * (k % 120) as f64).max(0.0) * 0.577).collect();
    let ground = Ground::uniform(0.35, 2.0, 150.0, 2.0); // mu_min, mu_max, beta 1/s, kappa 1/m
    let scene = Scene::new(Surface::new(Field { lattice, values })?, ground);
    let rock = Shape::from_preset("equant")?.with_mass(800.0, 2700.0)?;
    let (position, still) = (Vector3::new(20.0, 50.0, 48.0), Vector3::zeros());
    let start = Start { position, orientation: UnitQuaternion::identity(), velocity: still, omega: still };
    let outcome = simulate(&scene, &rock, &start, &GroundScale::default(), &mut Unobserved);
    println!("{:?} after {:.1} s and {:.0} m", outcome.stop, outcome.end.time_s, outcome.distance_m);
    assert_eq!(outcome.stop, StopReason::AtRest);
    Ok(())
}
