//! Each module may use what stands above it in the list of `src/lib.rs`, never what stands below.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Names at the crate's root that are no modules: `src/lib.rs` may re-export nothing else.
const ROOT: [&str; 4] = ["Error", "Note", "Result", "nalgebra"];

/// Modules that are part of the kernel without being simulation.
const BASE: [&str; 3] = ["error", "note", "math"];

/// Name and description of every module, from the list in `src/lib.rs`.
pub fn listed() -> Vec<(String, String)> {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let lines = text.lines().skip_while(|line| *line != "//! ```text").skip(1).take_while(|line| *line != "//! ```");
    let entry = |line: &str| {
        let (name, what) = line.trim_start_matches("//! ").split_once(' ').unwrap();
        (name.to_string(), what.trim().to_string())
    };
    lines.map(entry).collect()
}

pub fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The code without its comments (what it says of others in words is no use of them) and without space around `::`, `{`.
pub fn bare(text: &str) -> String {
    let lines = text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
    let mut code = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    for mark in ["::", "{"] {
        for spaced in [format!(" {mark}"), format!("{mark} ")] {
            code = code.replace(&spaced, mark);
        }
    }
    code
}

/// The first names of a path or of a tree of paths (`a::b`, `{a::b, c, {d::{e, f}}}`).
fn first_names(text: &str) -> Vec<String> {
    let text = text.trim_start();
    let Some(inside) = text.strip_prefix('{') else {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        return vec![if text.starts_with('*') { "*".into() } else { text[..end].into() }];
    };
    let (mut names, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            ',' if depth == 0 => {
                names.extend(first_names(&inside[from..at]));
                from = at + 1;
            }
            '}' if depth == 0 => {
                names.extend(first_names(&inside[from..at]));
                break;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Whether code goes on in a module within the file: there `super::*` is the file itself.
fn within_module(before: &str) -> bool {
    before.match_indices("mod ").any(|(at, _)| {
        let rest = before[at + "mod ".len()..].trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        rest.starts_with('{')
    })
}

/// What of the crate's root a file names: `crate::…`, and `super::` as often as it takes to get there. What hides a use from
/// this reader (another name for the root, everything of it, a file read as a module of another) counts as a name itself.
fn used(text: &str, depth: usize) -> BTreeSet<String> {
    let code = bare(text);
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        names.extend(first_names(&code[at + "crate::".len()..]));
    }
    let root = "super::".repeat(depth);
    for (at, _) in code.match_indices(&root) {
        let longer = code[..at].ends_with("super::");
        let found = first_names(code[at + root.len()..].trim_start_matches("super::"));
        // `super::` in a module within a file may name something of its own.
        let modules: Vec<String> = listed().into_iter().map(|(name, _)| name).collect();
        let own = within_module(&code[..at]);
        names.extend(found.into_iter().filter(|name| !longer && (modules.contains(name) || name == "*" && !own)));
    }
    for hidden in ["use crate as", "extern crate self", "#[path"] {
        names.extend(code.contains(hidden).then(|| hidden.to_string()));
    }
    names
}

/// Module → what it uses → one file that does.
fn edges() -> BTreeSet<(String, String, String)> {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut edges = BTreeSet::new();
    for path in files {
        let parts: Vec<String> =
            path.strip_prefix("src").unwrap().iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let module = parts[0].trim_end_matches(".rs").to_string();
        if ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let depth = parts.iter().filter(|part| *part != "mod.rs").count();
        for name in used(&fs::read_to_string(&path).unwrap(), depth) {
            if name != module && !ROOT.contains(&name.as_str()) {
                edges.insert((module.clone(), name, path.display().to_string()));
            }
        }
    }
    edges
}

/// There is no exception. Take the forbidden line away, or move what it uses up to where both may know it.
#[test]
fn no_module_uses_one_that_stands_below_it() {
    let order: Vec<String> = listed().into_iter().map(|(name, _)| name).collect();
    let rank = |name: &str| order.iter().position(|known| known == name);
    let mut wrong = Vec::new();
    for (module, other, file) in edges() {
        match (rank(&module), rank(&other)) {
            (None, _) => wrong.push(format!("{file}: the module `{module}` is not in the list of src/lib.rs")),
            (Some(mine), Some(theirs)) if theirs > mine => {
                wrong.push(format!("{file}: `{module}` uses `{other}`, which stands below it"));
            }
            (Some(_), None) => wrong.push(format!("{file}: `{other}` is no module of the list in src/lib.rs")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What must build without GDAL is what stands in the list as kernel.
#[test]
fn the_modules_without_the_feature_gis_are_the_kernel() {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let declared = |line: &&str| {
        let rest = line.strip_prefix("pub mod ").or(line.strip_prefix("pub(crate) mod "))?;
        Some(rest.trim_end_matches(';').to_string())
    };
    let (mut gated, mut free) = (BTreeSet::new(), BTreeSet::new());
    for (i, line) in lines.iter().enumerate() {
        if let Some(name) = declared(line) {
            let is_gated = lines[i - 1] == "#[cfg(feature = \"gis\")]";
            if is_gated {
                gated.insert(name)
            } else {
                free.insert(name)
            };
        }
    }
    let kernel: BTreeSet<String> = listed()
        .into_iter()
        .filter(|(name, what)| what.starts_with("kernel:") || BASE.contains(&name.as_str()))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(free, kernel);
    let all: BTreeSet<String> = listed().into_iter().map(|(name, _)| name).collect();
    assert_eq!(gated.union(&free).cloned().collect::<BTreeSet<_>>(), all);
}

/// A name at the root would let everybody use what it stands for.
#[test]
fn the_root_re_exports_only_what_all_may_use() {
    let code = bare(&fs::read_to_string("src/lib.rs").unwrap());
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("use ") {
        let path = &code[at + "use ".len()..code[at..].find(';').unwrap() + at];
        let (owner, last) = path.rsplit_once("::").unwrap_or((path, path));
        assert!(BASE.contains(&owner) || owner == "nalgebra", "src/lib.rs: use {path}");
        names.extend(last.trim_matches(['{', '}']).split(',').map(|name| name.trim().to_string()));
    }
    assert_eq!(names, ROOT.iter().map(ToString::to_string).collect::<BTreeSet<_>>());
}

/// The reader of `use` lines sees what it must: a test of the test.
#[test]
fn uses_are_found_in_every_form() {
    let found = |text: &str| used(text, 2).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(found("use crate::geo::Crs;"), "geo");
    assert_eq!(found("use crate::{Error, geo::{Crs, crs}, output};"), "Error geo output");
    assert_eq!(
        found("use crate::{\n    cli,\n    site::{self, Site},\n};\nlet x = crate::store::open();"),
        "cli site store"
    );
    assert_eq!(found("    fn f(a: &crate::site::Site) {}\nuse super::super::output::svg;"), "output site");
    assert_eq!(found("use super::svg;\n// crate::cli\n//! [`crate::cli`]"), "");
    // Paths in code, in types, in macros, broken over lines, in nested groups; re-exports; modules within the file.
    assert_eq!(found("let x = f::<crate::cli::Args>(&$crate::draw::CANVAS);"), "cli draw");
    assert_eq!(found("let x = crate\n    ::output\n    ::deliver();\nuse crate :: {\n cli };"), "cli output");
    assert_eq!(found("use crate::{hazard::{self, lines::{Line}}, {store::Store, output}};"), "hazard output store");
    assert_eq!(found("pub use crate::output::deliver as hand_over;"), "output");
    assert_eq!(found("mod tests { use super::super::super::cli; use super::super::draw; }"), "cli draw");
    // What would hide a use.
    assert_eq!(found("use crate as root; use crate::*; use super::super::*;"), "* use crate as");
    assert_eq!(found("use crate::{self, geo};\n#[path = \"../cli.rs\"]\nmod x;"), "#[path geo self");
    assert_eq!(found("pub(crate) fn f() {}"), "");
}
