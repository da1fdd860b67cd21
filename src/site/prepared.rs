//! A folder made by `couloir prepare` holds a list of what was written there: an input that is something else by now is named,
//! be it edited or damaged.

use serde::Deserialize;

use super::InputFile;
use crate::Note;
use crate::files::known::{self, Listed};
use crate::files::{inputs, seal};
use crate::project::Project;

/// The list, in the folder it is of.
pub(crate) const LIST: &str = "prepare.json";

#[derive(Deserialize)]
struct Prepared {
    files: Vec<Listed>,
}

/// What to say of inputs that are no longer what `prepare` wrote. A list that cannot be believed says nothing.
pub(super) fn changed(project: &Project, read: &[InputFile]) -> Option<Note> {
    let list = project.resolve(LIST);
    let prepared: Prepared = known::is_plain_file(&list).then(|| seal::read(&list).ok()).flatten()?;
    let is_other = |listed: &&Listed| {
        let path = project.resolve(&listed.path);
        read.iter().any(|input| input.sha256 != listed.sha256 && inputs::same_file(&input.path, &path))
    };
    let files: Vec<String> = prepared.files.iter().filter(is_other).map(|listed| listed.path.clone()).collect();
    (!files.is_empty()).then(|| Note::ChangedSincePrepared { files: known::some(&files), list: LIST.into() })
}
