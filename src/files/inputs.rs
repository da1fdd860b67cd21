//! Inputs are never outputs, whatever they are called: links, `..`, other capitals.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Whether two names lead to one file or folder that exists.
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Hard links, too.
        matches!((fs::metadata(a), fs::metadata(b)), (Ok(a), Ok(b)) if (a.dev(), a.ino()) == (b.dev(), b.ino()))
    }
    #[cfg(not(unix))]
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Whether a file or folder, be it yet to be made, lies in a folder or is it, through all links.
pub(crate) fn lies_in(path: &Path, folder: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else { return false };
    // The part that exists; the rest has no links.
    let there = path.ancestors().find_map(|above| fs::canonicalize(above).ok());
    there.is_some_and(|there| there.ancestors().any(|above| same_file(above, folder)))
}

/// Refuses to write a file that is also read.
pub(crate) fn refuse_as_output<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    match inputs.into_iter().find(|input| same_file(input, out)) {
        None => Ok(()),
        Some(input) => Err(Error::usage(format!(
            "'{}' is read as '{}', so it cannot be written: choose another name",
            out.display(),
            input.display()
        ))),
    }
}

/// Refuses to write into the folder of a run that is only looked at.
pub(crate) fn refuse_in_run(out: &Path, run: &Path) -> Result<()> {
    if lies_in(out, run) {
        let (out, run) = (out.display(), run.display());
        return Err(Error::usage(format!("'{out}' lies in the run '{run}': choose another folder")));
    }
    Ok(())
}

/// Refuses to write a folder that something read lies in, or a link in it leads to.
pub(crate) fn refuse_inside<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    // A name in the folder may be a link to elsewhere: then the name is what would be lost.
    let named_there = |input: &Path| {
        input
            .parent()
            .is_some_and(|parent| lies_in(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }, out))
    };
    match inputs.into_iter().find(|input| lies_in(input, out) || named_there(input)) {
        None => Ok(()),
        Some(input) => Err(Error::failed(format!(
            "the folder '{}' is not empty: the input '{}' lies in it, and inputs are never mixed with results or replaced by \
             them; choose another folder with `--out`",
            out.display(),
            input.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn an_input_is_recognised_behind_every_name() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("site/deep")).unwrap();
        fs::write(at("site/dem.tif"), "heights").unwrap();
        std::os::unix::fs::symlink(at("site"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("site/dem.tif"), at("other.tif")).unwrap();
        fs::hard_link(at("site/dem.tif"), at("hard.tif")).unwrap();
        let input = [at("site/dem.tif")];
        for name in
            ["site/dem.tif", "site/../site/./dem.tif", "link/dem.tif", "other.tif", "hard.tif", "link/deep/../dem.tif"]
        {
            assert!(refuse_as_output(&at(name), &input).is_err(), "{name}");
        }
        fs::write(at("site/copy.tif"), "heights").unwrap();
        assert!(refuse_as_output(&at("site/copy.tif"), &input).is_ok());
        assert!(refuse_as_output(&at("site/new.tif"), &input).is_ok());
        for name in ["site", "link", "site/deep/..", "."] {
            assert!(refuse_inside(&at(name), &input).is_err(), "{name}");
            assert!(refuse_inside(&at(name), &[at("link/dem.tif")]).is_err(), "{name}");
        }
        assert!(refuse_inside(&at("site/deep"), &input).is_ok());
        assert!(refuse_inside(&at("site/new"), &input).is_ok());
        assert!(refuse_inside(root.path(), &[at("other.tif")]).is_err());
        // A name in the folder that leads out of it: the name would be lost.
        fs::write(root.path().join("far.tif"), "heights").unwrap();
        std::os::unix::fs::symlink(at("far.tif"), at("site/near.tif")).unwrap();
        assert!(refuse_inside(&at("site"), &[at("site/near.tif")]).is_err());
    }
}
