//! Where a run goes: a folder of this machine, or one in an object store with a folder of this machine to compute it in.

use std::path::{Path, PathBuf};

use crate::geo::remote::{self, RemoteFolder};
use crate::output::upload;
use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::{Error, Result};

/// `--out` and `--scratch`.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Places {
    /// Folder for the results. One in an object store (/vsis3/bucket/folder and the like, with --allow-network) gets them when the run is finished, the manifest
    /// last; it is computed in --scratch.
    #[arg(long, value_name = "DIR", value_parser = super::output_name)]
    out: Option<PathBuf>,
    /// Folder of this machine in which a run for an object store is computed; it holds the whole run and stays.
    #[arg(long, value_name = "DIR", requires = "out", value_parser = super::run_folder_name)]
    scratch: Option<PathBuf>,
}

/// The places, checked against each other.
pub(super) struct Place {
    /// Where the run is computed, if it was named.
    pub local: Option<PathBuf>,
    remote: Option<RemoteFolder>,
}

impl Places {
    pub(super) fn chosen(&self) -> Result<Place> {
        let Self { out, scratch } = self.clone();
        let Some(name) = out.as_deref().filter(|out| remote::is_virtual(out)) else {
            return match scratch {
                None => Ok(Place { local: out, remote: None }),
                Some(_) => {
                    Err(Error::usage("--scratch: --out is a folder of this machine, where the run is computed itself"))
                }
            };
        };
        let remote = RemoteFolder::named(name)?;
        if scratch.is_none() {
            return Err(Error::usage(format!(
                "--out '{}': an object store can neither be locked nor go on after a kill; name a folder of this machine with --scratch, \
                 where the run is computed before it is copied",
                name.display()
            )));
        }
        Ok(Place { local: scratch, remote: Some(remote) })
    }
}

impl Place {
    /// Before anything is computed: whether the run may go there.
    pub(super) fn look(&self, local: &Path, overwrite: bool) -> Result<()> {
        self.remote.as_ref().map_or(Ok(()), |remote| upload::refuse_unless_free(remote, local, overwrite))
    }

    /// Copies the finished run to where it was wanted; returns where it is.
    pub(super) fn deliver(&self, local: &Path, overwrite: bool, progress: &Progress) -> Result<String> {
        let Some(remote) = &self.remote else { return Ok(local.display().to_string()) };
        let _on_interrupt = interrupt::end_at_once_with(format!(
            "stopped while copying to '{}'; the run is finished in '{}': go on with the same command and `--resume`",
            remote.shown(),
            local.display()
        ));
        upload::upload(local, remote, overwrite, progress)?;
        Ok(remote.shown().to_string())
    }

    pub(super) fn is_remote(&self) -> bool {
        self.remote.is_some()
    }
}
