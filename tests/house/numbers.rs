//! What decides where rocks go is computed with functions that give the same bits on every machine.

use std::fs;
use std::path::Path;

use crate::order::{bare, sources};

/// Methods of `f64` that are the C library's.
const OF_THE_MACHINE: [&str; 21] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "exp_m1",
    "ln", "ln_1p", "log2", "log10", "powf", "cbrt", "hypot",
];

/// Modules on the way from a project to its layers; pictures, pages and judgements may differ in a last bit.
const ON_THE_WAY: [&str; 9] =
    ["terrain", "rock", "dynamics", "trajectory", "hazard", "release", "site", "store", "ensemble"];

fn found(code: &str) -> Vec<&'static str> {
    let called = |name: &&&str| code.contains(&format!(".{name}(")) || code.contains(&format!("f64::{name}"));
    OF_THE_MACHINE.iter().filter(called).copied().collect()
}

#[test]
fn functions_of_the_machine_are_not_on_the_way_of_a_rock() {
    let mut wrong = Vec::new();
    for module in ON_THE_WAY {
        let mut files = Vec::new();
        sources(&Path::new("src").join(module), &mut files);
        files.extend(Some(Path::new("src").join(format!("{module}.rs"))).filter(|file| file.exists()));
        assert!(!files.is_empty(), "{module}");
        for file in files.iter().filter(|file| !file.to_string_lossy().contains("tests.rs")) {
            let text = fs::read_to_string(file).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
            wrong.extend(found(&bare(code)).iter().map(|name| format!("{}: use math::{name}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn they_are_found_in_every_form() {
    assert_eq!(found("let x = (a + b).sin();"), ["sin"]);
    assert_eq!(found("xs.iter().map(|x| x.powf(2.0)).map(f64::exp)"), ["exp", "powf"]);
    assert!(found("math::sin(x) + x.sqrt() + x.powi(3) + y.sinc() + f64::from(n)").is_empty());
}
