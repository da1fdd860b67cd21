//! Documents that repeat what the code says must repeat it rightly.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::order::listed;

#[test]
fn the_table_of_modules_in_contributing_is_the_list_of_the_crate() {
    let text = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let rows = text.lines().skip_while(|line| *line != "| module | what it does |").skip(2);
    let row = |line: &str| {
        let (name, what) = line.trim_matches(['|', ' ']).split_once(" | ").unwrap();
        (name.trim_matches('`').to_string(), what.trim().to_string())
    };
    let table: Vec<_> = rows.take_while(|line| line.starts_with('|')).map(row).collect();
    assert_eq!(table, listed());
}

#[test]
fn the_readme_shows_the_example_that_is_built() {
    let (readme, example) =
        (fs::read_to_string("README.md").unwrap(), fs::read_to_string("examples/one_rock.rs").unwrap());
    assert!(readme.contains(&format!("```rust\n{example}```\n")), "the README's example is not examples/one_rock.rs");
    assert!(example.lines().count() <= 25);
}

#[test]
fn thresholds_of_plausibility_in_the_documentation_are_those_of_the_table() {
    let text = fs::read_to_string("docs/field-experiments.md").unwrap();
    for line in couloir::hazard::plausibility::TABLE {
        let limit =
            if line.unit == "°" { format!("{}°", line.limit) } else { format!("{} {}", line.limit, line.unit) };
        let row = format!("| {limit} | {} |", line.source);
        assert!(text.contains(&row), "docs/field-experiments.md lacks {row:?}");
    }
}

/// The way of one rock from the command line to the GeoTIFF, as CONTRIBUTING tells it: files that are there, twenty of them (of the
/// two loops a rock goes through one).
#[test]
fn the_way_of_one_rock_leads_through_twenty_files() {
    let text = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let way = text.split("## The way of one rock").nth(1).unwrap().split("\n## ").next().unwrap();
    let named: BTreeSet<&str> = way.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs")).collect();
    for file in &named {
        assert!(Path::new("src").join(file).is_file(), "{file}");
    }
    assert!(named.contains("trajectory/plain.rs") && named.contains("trajectory/fast.rs"));
    assert_eq!(named.len() - 1, 20, "{named:?}");
}
