//! Makes the sample projects: `cargo run --release --example make_samples [FOLDER]` writes the geodata of each into its
//! folder below `sample_projects` (or FOLDER). The same bytes come out every time.

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

use couloir::{Error, Result};

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
        std::fs::create_dir_all(&folder)
            .map_err(|error| Error::failed(format!("the folder '{}' cannot be made: {error}", folder.display())))?;
        match name {
            "ramp" => ramp::make(&folder)?,
            "valley" => valley::make(&folder)?,
            _ => borderland::make(&folder)?,
        }
        println!("{}", folder.display());
    }
    Ok(())
}
