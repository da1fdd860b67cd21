//! Why a path leads nowhere although something of that name is there.

use std::path::Path;

/// A sentence about the first link on the way to `path` whose target is missing; `None` if there is none.
pub(crate) fn broken_link(path: &Path) -> Option<String> {
    let mut way: Vec<&Path> = path.ancestors().filter(|part| !part.as_os_str().is_empty()).collect();
    way.reverse();
    let (link, target, error) = way.into_iter().find_map(|part| {
        let target = std::fs::read_link(part).ok()?;
        Some((part, target, std::fs::metadata(part).err()?))
    })?;
    let (shown, target) = (link.display(), target.display());
    Some(match error.kind() {
        std::io::ErrorKind::NotFound => format!(
            "'{shown}' is a link to '{target}', which is not there: mend the link, or put the file itself in its place"
        ),
        _ => format!(
            "'{shown}' is a link to '{target}', which cannot be followed ({error}): put the file itself in its place"
        ),
    })
}
