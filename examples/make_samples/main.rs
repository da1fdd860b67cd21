//! Makes the sample projects: `cargo run --release --example make_samples [FOLDER]` writes the geodata of each into its
//! folder below `sample_projects` (or FOLDER). The same bytes come out every time. What was changed by hand is left alone.

mod borderland;
mod contour;
mod earthworks;
mod erosion;
mod mountain;
mod noise;
mod ramp;
mod valley;
mod write;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use couloir::Result;
use couloir::files::marked::Marked;

fn main() -> ExitCode {
    let target = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("sample_projects"), PathBuf::from);
    match make_all(&target) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn make_all(target: &Path) -> Result<()> {
    for name in ["ramp", "valley", "borderland"] {
        let folder = target.join(name);
        // Only geodata that this generator made and nobody changed since are replaced.
        let sample = Marked::open(&folder, "make_samples")?;
        let made = sample.path("");
        match name {
            "ramp" => ramp::make(&made)?,
            "valley" => valley::make(&made)?,
            _ => borderland::make(&made)?,
        }
        sample.commit(true)?;
        println!("{}", folder.display());
    }
    Ok(())
}
