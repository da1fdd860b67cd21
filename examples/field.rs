//! An ensemble on a terrain made in code, counted per cell: `cargo run --no-default-features --example field`.

use couloir::dynamics::{Scene, Start};
use couloir::hazard::accumulator::{Accumulator, Passage, Wanted};
use couloir::hazard::quantity::Quantity;
use couloir::hazard::statistics::{Need, Statistics};
use couloir::hazard::traverse::CellRecorder;
use couloir::nalgebra::{UnitQuaternion, Vector3};
use couloir::rock::{Rock, Shape};
use couloir::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use couloir::trajectory::{Action, Observer, Sample, StopReason, simulate};

const ROCKS: u32 = 50;

/// Notes the largest values of a rock in every cell it passes.
struct Cells<'a>(CellRecorder<'a>);

impl Observer for Cells<'_> {
    fn start(&mut self, sample: &Sample) {
        self.0.start(sample);
    }

    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        self.0.step(before, after);
        Action::Continue
    }
}

/// A gully that falls 35° towards the east and runs out onto a flat.
fn scene() -> couloir::Result<Scene> {
    let lattice = Lattice { nx: 100, ny: 40, x0: 0.0, y0: 0.0, dx: 4.0, dy: 4.0 };
    let height = |column: usize, row: usize| {
        let (x, y) = (4.0 * column as f64, 4.0 * row as f64 - 80.0);
        0.7 * (250.0 - x).max(0.0) * (1.0 + 1e-5 * y * y)
    };
    let values = (0..lattice.len()).map(|k| height(k % lattice.nx, k / lattice.nx)).collect();
    Ok(Scene::new(Surface::new(Field { lattice, values })?, Ground::uniform(0.35, 2.0, 150.0, 2.0)))
}

/// The i-th rock a metre above the slope, each turned in its own way.
fn start(scene: &Scene, rock: &Rock, i: u32) -> Start {
    let (x, y) = (30.0, 60.0 + 0.8 * f64::from(i));
    let ground = scene.surface.height(x, y).unwrap_or_default();
    Start {
        position: Vector3::new(x, y, ground + rock.bounding_radius + 1.0),
        orientation: UnitQuaternion::from_euler_angles(0.7 * f64::from(i), 1.3 * f64::from(i), 0.0),
        velocity: Vector3::zeros(),
        omega: Vector3::zeros(),
    }
}

fn main() -> couloir::Result<()> {
    let scene = scene()?;
    let (surface, lattice) = (&scene.surface, *scene.surface.lattice());
    let rock = Shape::from_preset("platy")?.with_mass(1500.0, 2700.0)?;
    let energy = Quantity::KineticEnergy;
    let mut wanted = Wanted::default();
    (wanted.max[energy], wanted.histogram[energy]) = (true, true);
    let mut counts = Accumulator::new(lattice, wanted);
    for i in 0..ROCKS {
        let mut cells = Cells(CellRecorder::new(&scene, &rock));
        let start = start(&scene, &rock, i);
        let outcome = simulate(&scene, &rock, &start, &GroundScale::default(), &mut cells);
        let cell_of =
            |at: &Vector3<f64>| lattice.cell_at(at.x, at.y).map(|(column, row)| (row * lattice.nx + column) as u64);
        let (_, visits) =
            cells.0.finish(|cell| surface.node_height(cell as usize % lattice.nx, cell as usize / lattice.nx));
        counts.add(&Passage {
            visits: &visits,
            source_cell: cell_of(&start.position).unwrap_or_default(),
            deposit: cell_of(&outcome.end.position).filter(|_| outcome.stop == StopReason::AtRest),
            frequency_per_year: 0.0,
            half: 0,
            weight: 1.0,
        });
    }
    counts.settle();
    let mut need = Need::default();
    need.histogram[energy] = true;
    println!("  x m   y m  rocks  energy p95 kJ");
    Statistics::new([&counts]).for_each_cell(need, |cell| {
        let (x, y) = lattice.centre(cell.index as usize % lattice.nx, cell.index as usize / lattice.nx);
        if cell.passages >= ROCKS / 5 {
            println!("{x:5.0} {y:5.0} {:6} {:14.0}", cell.passages, cell.quantile(Quantity::KineticEnergy, 0.95));
        }
    });
    Ok(())
}
