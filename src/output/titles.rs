//! What maps, layers and variants are called, and that parts of a run are missing.

use crate::geo::write_vector;
use crate::output::report;
use crate::store::Setup;
use crate::texts::say;

/// What descriptions of layers begin with if parts were missing.
pub(super) fn partial(setup: &Setup) -> String {
    partial_of(&setup.missing, setup.identity.total)
}

/// Of a run of so many rocks that lacks these.
pub(super) fn partial_of(missing: &[(u64, u64)], all: u64) -> String {
    let missing: u64 = missing.iter().map(|(from, to)| to - from).sum();
    if missing == 0 {
        return String::new();
    }
    say!("partial-title", there = all - missing, all = all, title = "")
}

/// Says in every GeoPackage that is written from now on that parts are missing, if any are.
pub(super) fn mark(missing: &[(u64, u64)], all: u64) {
    write_vector::describe(&partial_of(missing, all));
}

/// What descriptions of layers begin with: that parts are missing, and whose rocks these are, of a scenario or of several pooled.
pub(super) fn whose(setup: &Setup, scenario: Option<&str>, pooled: bool) -> String {
    let rocks = match scenario {
        Some(name) => say!("list-scenario", name = name) + ": ",
        None if pooled => say!("layer-pooled") + ": ",
        None => String::new(),
    };
    partial(setup) + &rocks
}

/// What a variant is called; nothing if it is the only one.
pub(super) fn label(variant: Option<&str>) -> String {
    variant.unwrap_or_default().replace('_', " ")
}

/// The title of a variant's maps.
pub(super) fn subtitle(title: &str, variant: Option<&str>) -> String {
    let words = |variant: &str| report::variant_words(&variant.replace('_', " "));
    variant.map_or(title.to_string(), |variant| format!("{title} ({})", words(variant)))
}
