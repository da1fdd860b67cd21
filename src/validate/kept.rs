//! Falls that were computed are kept, so that a family that takes hours goes on where it was stopped.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ramp1000::FallFigures;
use crate::files::hash::{sha256, sha256_file};
use crate::files::{atomic, seal};
use crate::{Error, Result};

/// A folder of them, each file with the falls of one ensemble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    folder: PathBuf,
    /// Hash of the program: another may compute other falls.
    program: String,
}

#[derive(Serialize, Deserialize)]
struct File {
    /// What computed them.
    program: String,
    /// Of what.
    ensemble: String,
    falls: Vec<FallFigures>,
    seal: String,
}

impl Kept {
    /// In a folder, which is made if it is not there. Nothing in it but the files of this program's ensembles is touched.
    ///
    /// # Errors
    /// It cannot be made, or the program cannot be read.
    pub fn open(folder: PathBuf) -> Result<Self> {
        std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error))?;
        let program = std::env::current_exe().map_err(|error| {
            Error::failed(format!("the program's own file cannot be found ({error})")).caused_by(error)
        })?;
        Ok(Self { folder, program: sha256_file(&program)? })
    }

    /// The falls of an ensemble from its file, or computed now and kept.
    ///
    /// # Errors
    /// Those of computing; a file of that ensemble that is damaged or of another program.
    pub(crate) fn falls(
        &self,
        ensemble: &str,
        compute: impl FnOnce() -> Result<Vec<FallFigures>>,
    ) -> Result<Vec<FallFigures>> {
        let path = self.folder.join(format!("{}.falls.json", &sha256(ensemble.as_bytes())[..16]));
        if !path.exists() {
            let (program, ensemble, seal) = (self.program.clone(), ensemble.to_owned(), seal::BLANK.to_owned());
            let file = File { program, ensemble, falls: compute()?, seal };
            seal::write(&path, &file)?;
            return Ok(file.falls);
        }
        let file: File = seal::read(&path).map_err(|error| {
            let message = format!("{error}: once you have removed it, its falls are computed anew");
            Error { message, ..error }
        })?;
        if file.program == self.program && file.ensemble == ensemble {
            return Ok(file.falls);
        }
        Err(Error::input(format!(
            "'{}' holds falls that another build of couloir has computed, which say nothing of this one: choose another folder for --keep",
            path.display()
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::StopReason;

    #[test]
    fn falls_are_computed_once_and_come_back_to_the_bit() {
        let root = tempfile::tempdir().unwrap();
        let fall = |k: u32| FallFigures {
            run_out_m: 1.0 / f64::from(k + 3),
            max_translational_j: 1e-300,
            max_energy_j: f64::from(k).sqrt(),
            max_jump_m: 0.1 + 0.2,
            time_s: -0.0,
            stop: StopReason::LeftTerrain,
        };
        let falls: Vec<FallFigures> = (0..20).map(fall).collect();
        let kept = Kept::open(root.path().join("new/folder")).unwrap();
        let of = |kept: &Kept, name: &str, falls: &[FallFigures]| kept.falls(name, || Ok(falls.to_vec()));
        assert_eq!(of(&kept, "cube, 1500 from 0", &falls).unwrap(), falls);
        assert_eq!(kept.falls("cube, 1500 from 0", || unreachable!("they are there")).unwrap(), falls);
        assert_eq!(of(&kept, "cube, 1500 from 1500", &falls[1..]).unwrap(), falls[1..]);
        // What failed is not kept.
        let failed = kept.falls("plate", || Err(Error::failed("interrupted")));
        assert_eq!(
            (failed.unwrap_err().message.as_str(), std::fs::read_dir(&kept.folder).unwrap().count()),
            ("interrupted", 2)
        );
        let other = Kept { program: "another".into(), ..kept };
        assert!(of(&other, "cube, 1500 from 0", &falls).unwrap_err().message.contains("another build"));
    }
}
