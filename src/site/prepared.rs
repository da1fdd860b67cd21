//! A folder made by `couloir prepare` holds a list of what was written there: an input that is something else by now is named,
//! be it edited or damaged.

use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use super::InputFile;
use crate::Note;
use crate::files::known::{self, Listed};
use crate::files::{self, inputs, seal};
use crate::project::Project;

/// The list, in the folder it is of.
pub(crate) const LIST: &str = "prepare.json";

#[derive(Deserialize)]
struct Prepared {
    files: Vec<Listed>,
}

/// What to say of inputs that are no longer what `prepare` wrote, or of a list that cannot tell because it is damaged itself.
pub(super) fn changed(project: &Project, read: &[InputFile]) -> Option<Note> {
    let list = project.resolve(LIST);
    if !known::is_plain_file(&list) {
        return None;
    }
    let Ok(prepared) = seal::read::<Prepared>(&list) else {
        return is_ours(&list).then(|| Note::PreparedListDamaged { list: LIST.into() });
    };
    let is_other = |listed: &&Listed| {
        let path = project.resolve(&listed.path);
        read.iter().any(|input| input.sha256 != listed.sha256 && inputs::same_file(&input.path, &path))
    };
    let files: Vec<String> = prepared.files.iter().filter(is_other).map(|listed| listed.path.clone()).collect();
    (!files.is_empty()).then(|| Note::ChangedSincePrepared { files: known::some(&files), list: LIST.into() })
}

/// Whether a file of that name, which cannot be believed, was one of `prepare` or is somebody else's.
fn is_ours(list: &Path) -> bool {
    let Ok(bytes) = files::open(list).and_then(|mut file| {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map(|_| bytes)
    }) else {
        return true; // it cannot even be read
    };
    let text = String::from_utf8_lossy(&bytes);
    ["\"seal\"", "\"couloir", "sha256"].iter().any(|sign| text.contains(sign))
}
