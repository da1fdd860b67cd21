//! Rock shapes that are none.

use crate::fixture::Case;

fn with_file(name: &str, text: &str, parts: &[&str]) {
    let case = Case::new();
    case.text(name, text).change("shape: eota_221", &format!("shape: {{file: {name}}}")).refuse(parts);
}

#[test]
fn too_few_points() {
    Case::new()
        .change("shape: eota_221", "shape: {points_m: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}")
        .refuse(&["rocks[0].shape.points_m: found 3 entries, expected at least 4"]);
    with_file("rock.xyz", "0 0 0\n1 0 0\n0 1 0\n", &["project.yaml:5:19: rocks[0].shape.file", "rock.xyz", "3"]);
}

#[test]
fn flat_point_cloud() {
    let flat = "shape: {points_m: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.5, 0.5, 0]]}";
    Case::new().change("shape: eota_221", flat).refuse(&["project.yaml:5:23: rocks[0].shape.points_m"]);
    with_file("rock.csv", "0,0,0\n1,0,0\n0,1,0\n1,1,0\n", &["rocks[0].shape.file", "rock.csv"]);
}

#[test]
fn garbage_and_missing_shape_files() {
    with_file("rock.stl", "solid nothing here\nfoo bar\n", &["rocks[0].shape.file", "rock.stl"]);
    with_file("rock.obj", "v 1 2\nv a b c\n", &["rocks[0].shape.file", "rock.obj"]);
    with_file("rock.xyz", "one two three\n", &["rocks[0].shape.file", "rock.xyz"]);
    with_file("rock.xyz", "", &["rocks[0].shape.file", "rock.xyz"]);
    Case::new().bytes("rock.stl", &[0xff; 300]).change("eota_221", "{file: rock.stl}").refuse(&["rocks[0].shape.file"]);
    Case::new().change("eota_221", "{file: none.stl}").refuse(&["rocks[0].shape.file", "none.stl"]);
    Case::new().change("eota_221", "{file: rock.docx}").refuse(&["rocks[0].shape.file", "rock.docx"]);
}
