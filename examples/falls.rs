//! Compares ways to compute the same ensemble: `cargo run --release --example falls -- cube medium plane35 fast plain`.
//!
//! A way is `fast` or `plain`, then any of a time step in ms, an integrator and `published` (contacts as the papers have
//! them): `fast`, `plain/0.5`, `plain/1/explicit`. The
//! first is the reference; every way gets its own rocks. Prints means, Kolmogorov–Smirnov distances (with the one that
//! chance exceeds once in a thousand), differences of means in standard errors, and CPU time.

use std::time::Instant;

use clap::Parser;
use couloir::dynamics::{ContactModel, Integrator, Scene, Stepping};
use couloir::validate::falls::{QUANTITIES, Setting, Terrain, compare};

#[derive(Parser)]
struct Args {
    /// A preset: cube, equant, platy, long, sphere, eota_221 …
    shape: String,
    /// A built-in ground class.
    class: String,
    /// planeN or rampN, N the slope in degrees.
    terrain: String,
    ways: Vec<String>,
    #[arg(long, default_value_t = 500)]
    rocks: u64,
    #[arg(long)]
    forest: bool,
    #[arg(long)]
    soil: bool,
}

fn main() -> Result<(), String> {
    let args = Args::parse();
    let slope = |text: &str| text.parse::<f64>().map_err(|e| format!("{}: {e}", args.terrain));
    let terrain = match (args.terrain.strip_prefix("plane"), args.terrain.strip_prefix("ramp")) {
        (Some(deg), _) => Terrain::Plane(slope(deg)?),
        (_, Some(deg)) => Terrain::Ramp(slope(deg)?),
        _ => return Err(format!("{}: planeN or rampN", args.terrain)),
    };
    let setting =
        Setting { forest: args.forest, scarring: args.soil, ..Setting::bare(&args.shape, &args.class, terrain) };
    let scene = setting.scene().map_err(|e| e.to_string())?;
    println!("{setting}, {} rocks each", args.rocks);
    let mut reference = None;
    for (number, way) in args.ways.iter().enumerate() {
        let scene = computed(&scene, way)?;
        let begin = Instant::now();
        let falls = setting.falls(&scene, number as u64 * args.rocks, args.rocks).map_err(|e| e.to_string())?;
        let seconds = begin.elapsed().as_secs_f64();
        let reference = reference.get_or_insert_with(|| falls.clone());
        println!("{way}: {seconds:.1} s");
        for ((name, _), c) in QUANTITIES.iter().zip(compare(&falls, reference)) {
            println!(
                "  {name:20} {:10.3}  distance {:.3} ({:.3})  z {:+.1}",
                c.means[0],
                c.distance,
                c.limit(1e-3),
                c.z
            );
        }
    }
    Ok(())
}

fn computed(scene: &Scene, way: &str) -> Result<Scene, String> {
    let mut scene = scene.clone();
    for word in way.split('/') {
        match word {
            "fast" => scene.stepping = Stepping::Fast,
            "plain" => scene.stepping = Stepping::Plain,
            "implicit" => scene.integrator = Integrator::Implicit,
            "explicit" => scene.integrator = Integrator::Explicit,
            "spiral" => scene.integrator = Integrator::Spiral,
            "directors" => scene.integrator = Integrator::Directors,
            "published" => scene.contact = ContactModel::AsPublished,
            _ => scene.time_step_s = 1e-3 * word.parse::<f64>().map_err(|e| format!("{way}: {word}: {e}"))?,
        }
    }
    Ok(scene)
}
