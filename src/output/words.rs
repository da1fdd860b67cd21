//! Names of the manifest in the language spoken now.

use std::collections::BTreeMap;

use crate::store::manifest::Manifest;
use crate::texts::say;

/// Those a reader is shown, by what they are: why rocks stopped, and what inputs are for.
pub(super) fn of(manifest: &Manifest) -> BTreeMap<String, String> {
    let stops = manifest.stop_reasons.keys().map(|stop| (format!("stop-{stop}"), stop_words(stop)));
    let roles = manifest.inputs.iter().map(|input| (format!("role-{}", input.role), role_words(&input.role)));
    stops.chain(roles).collect()
}

/// Why a trajectory ended.
pub(crate) fn stop_words(reason: &str) -> String {
    words_of("stop", reason)
}

/// What the solver counted.
pub(super) fn solver_words(count: &str) -> String {
    words_of("solver", count)
}

/// What an input is for: its kind, and the name or number behind it.
pub(super) fn role_words(role: &str) -> String {
    match role.split_once(' ') {
        Some((kind, rest)) => format!("{} {rest}", words_of("role", kind)),
        None => words_of("role", role),
    }
}

/// A name of the manifest in words; names the catalogue does not know stay as they are.
fn words_of(kind: &str, name: &str) -> String {
    let key = format!("{kind}-{}", name.replace('_', "-"));
    let words = say!(&key);
    if words == key { name.replace('_', " ") } else { words }
}
