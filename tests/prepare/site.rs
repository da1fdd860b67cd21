//! Whole sites: what comes out must be what the terrain is.

use std::fs;
use std::path::Path;

use couloir::project;
use geo::{Coord, Geometry, LineString};
use serde_json::Value as Json;

use crate::support::*;

fn record(site: &Path) -> Json {
    serde_json::from_str(&fs::read_to_string(site.join("prepare.json")).unwrap()).unwrap()
}

/// One reprojection of a plane: 2 m cells in LV95, Austria Lambert, UTM and degrees, all to 2 m LV95. 32-bit heights of
/// 1500 m are good to 0.06 mm, the bilinear surface between reprojected cells to the curvature of the projection.
#[test]
fn a_plane_stays_the_plane_from_any_crs() {
    for (code, cell) in [(2056, 2.0), (31287, 2.0), (25832, 2.5), (2154, 1.5), (4326, 2e-5)] {
        let folder = tempfile::tempdir().unwrap();
        let n = 220;
        let corner = -0.5 * n as f64 * cell;
        Tile::of_plane(code, n, n, (cell, cell), (corner + 0.3 * cell, corner)).write(&folder.path().join("dem.tif"));
        run_well(folder.path(), &["prepare", "--dem", "dem.tif", "--crs", "EPSG:2056", "--cell", "2", "--out", "site"]);
        let dem = read(&folder.path().join("site/dem.tif"));
        let (worst, valid) = deviation_from_plane(&dem);
        assert!(worst < 0.002, "EPSG:{code}: {worst} m off");
        let lattice = dem.field.lattice;
        assert!(valid as f64 > 0.8 * lattice.len() as f64, "EPSG:{code}: {valid} of {} cells valid", lattice.len());
        let (west, south, ..) = lattice.extent();
        assert!((west / 2.0).fract() == 0.0 && (south / 2.0).fract() == 0.0, "{west} {south}");
        assert_eq!(dem.crs.epsg(), Some(2056));
    }
}

/// A coarser grid takes averages, a much finer one cubic convolution; on a plane both are exact.
#[test]
fn resampling_follows_the_cell_ratio_and_keeps_the_plane() {
    for (cell, method) in [("5", "average"), ("0.5", "cubic"), ("2.5", "bilinear")] {
        let folder = tempfile::tempdir().unwrap();
        Tile::of_plane(31287, 120, 120, (2.0, 2.0), (-120.0, -120.0)).write(&folder.path().join("dem.tif"));
        let ran = run_well(
            folder.path(),
            &["prepare", "--dem", "dem.tif", "--crs", "EPSG:2056", "--cell", cell, "--out", "site"],
        );
        assert!(ran.stdout.contains(&format!("{method} resampling")), "{}", ran.stdout);
        let (worst, _) = deviation_from_plane(&read(&folder.path().join("site/dem.tif")));
        // GDAL averages over the rectangle around a turned cell: 0.05 source cells off, 2 m on a slope of 0.72.
        let tolerance = if method == "average" { 0.15 } else { 0.002 };
        assert!(worst < tolerance, "{cell} m: {worst} m off");
    }
}

#[test]
fn a_grid_that_needs_no_resampling_keeps_every_height_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let tile = Tile::of_plane(2056, 60, 50, (2.0, 2.0), (-60.5, -49.5)).with_hole((20, 20, 4, 3));
    tile.write(&folder.path().join("dem.tif"));
    let ran = run_well(folder.path(), &["prepare", "--dem", "dem.tif", "--fill-holes", "0", "--out", "site"]);
    assert!(ran.stdout.contains("unchanged"), "{}", ran.stdout);
    let dem = read(&folder.path().join("site/dem.tif"));
    assert_eq!(dem.field.lattice, tile.lattice);
    for (k, (out, source)) in dem.field.values.iter().zip(&tile.values).enumerate() {
        assert!(if *source == NODATA { out.is_nan() } else { *out as f32 == *source }, "cell {k}: {out} {source}");
    }
}

/// Without --crs, degrees and a mix of CRSs go to the local UTM zone; one metric CRS is kept. Either way it is said.
#[test]
fn the_crs_is_chosen_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(4326, 100, 100, (3e-5, 3e-5), (0.0, 0.0)).write(&here.join("deg.tif"));
    Tile::of_plane(31287, 100, 100, (3.0, 3.0), (-200.0, 0.0)).write(&here.join("at.tif"));
    Tile::of_plane(2056, 100, 100, (3.0, 3.0), (0.0, 0.0)).write(&here.join("ch.tif"));
    let out = run_well(here, &["prepare", "--dem", "deg.tif", "--out", "a"]).stdout;
    assert!(out.contains("EPSG:32632") && out.contains("local UTM zone"), "{out}");
    let out = run_well(here, &["prepare", "--dem", "ch.tif", "at.tif", "--out", "b"]).stdout;
    assert!(out.contains("EPSG:32632"), "{out}");
    let out = run_well(here, &["prepare", "--dem", "ch.tif", "--out", "c"]).stdout;
    assert!(out.contains("EPSG:2056") && out.contains("that of the DEM"), "{out}");
    let (worst, _) = deviation_from_plane(&read(&here.join("b/dem.tif")));
    assert!(worst < 0.002, "{worst}");
}

/// Tiles of one survey that only touch: interpolation runs across the seam, no step, no gap.
#[test]
fn touching_tiles_join_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(31287, 80, 120, (2.0, 2.0), (-160.0, -120.0)).write(&here.join("west.tif"));
    Tile::of_plane(31287, 80, 120, (2.0, 2.0), (0.0, -120.0)).write(&here.join("east.tif"));
    let arguments =
        ["prepare", "--dem", "*.tif", "--crs", "EPSG:2056", "--cell", "2", "--fill-holes", "0", "--out", "site"];
    run_well(here, &arguments);
    let record = record(&here.join("site"));
    assert_eq!(record["dem"]["holes"]["remaining_holes"], 0);
    let (worst, _) = deviation_from_plane(&read(&here.join("site/dem.tif")));
    assert!(worst < 0.002, "{worst}");
}

/// Overlapping tiles that disagree by 3 m: the first wins, and the numbers and names are in the warning.
#[test]
fn the_first_tile_wins_and_a_bad_seam_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 80, 80, (2.0, 2.0), (-120.0, -80.0)).write(&here.join("a.tif"));
    Tile::of_plane(2056, 80, 80, (2.0, 2.0), (-20.0, -80.0)).raised(3.0).write(&here.join("b.tif"));
    let ran = run_well(here, &["prepare", "--dem", "a.tif", "b.tif", "--out", "ab"]);
    assert!(ran.stderr.contains("'a.tif' and 'b.tif'") && ran.stderr.contains("3.00 m on average"), "{}", ran.stderr);
    let difference = record(&here.join("ab"))["dem"]["seams"][0]["mean_difference_m"].as_f64().unwrap();
    assert!((difference - 3.0).abs() < 1e-3, "{difference}");
    let at = |site: &str, east: f64| read(&here.join(site).join("dem.tif")).field.at(east, 1_190_000.0).unwrap();
    let inside = 2_760_010.0;
    assert!((at("ab", inside) - plane_m(inside, 1_190_000.0)).abs() < 1e-3);
    run_well(here, &["prepare", "--dem", "b.tif", "a.tif", "--out", "ba"]);
    assert!((at("ba", inside) - plane_m(inside, 1_190_000.0) - 3.0).abs() < 1e-3);
}

/// Small holes are filled (a plane stays a plane), large ones stay and are reported, edge nodata is no hole.
#[test]
fn holes_are_filled_up_to_the_stated_size() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let tile = Tile::of_plane(2056, 120, 100, (2.0, 2.0), (-120.0, -100.0));
    tile.with_hole((20, 20, 6, 4)).with_hole((60, 40, 15, 9)).with_hole((0, 50, 5, 5)).write(&here.join("dem.tif"));
    let ran = run_well(here, &["prepare", "--dem", "dem.tif", "--out", "site"]);
    let record = record(&here.join("site"));
    let holes = &record["dem"]["holes"];
    assert_eq!(holes["filled_cells"], 24);
    assert_eq!(holes["filled_holes"], 1);
    assert_eq!(holes["largest_remaining"]["cells"], 135);
    assert_eq!(holes["largest_remaining"]["across_cells"], 15);
    assert_eq!(holes["edge_nodata_cells"], 25);
    assert!(ran.stderr.contains("135 cells"), "{}", ran.stderr);
    let (worst, valid) = deviation_from_plane(&read(&here.join("site/dem.tif")));
    assert!(worst < 0.001 && valid == 120 * 100 - 135 - 25, "{worst} {valid}");
    run_well(here, &["prepare", "--dem", "dem.tif", "--fill-holes", "30m", "--out", "site30"]);
    let (worst, valid) = deviation_from_plane(&read(&here.join("site30/dem.tif")));
    assert!(worst < 0.001 && valid == 120 * 100 - 25, "{worst} {valid}");
}

/// Around a hole an interpolating warp has only part of its cells: those heights must not reach the DEM.
#[test]
fn holes_in_a_reprojected_tile_are_filled_with_the_plane() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let tile = Tile::of_plane(31287, 120, 100, (2.0, 2.0), (-120.0, -100.0));
    tile.with_hole((50, 40, 7, 8)).write(&here.join("dem.tif"));
    run_well(here, &["prepare", "--dem", "dem.tif", "--crs", "EPSG:2056", "--cell", "2", "--out", "site"]);
    assert_eq!(record(&here.join("site"))["dem"]["holes"]["remaining_holes"], 0);
    let (worst, _) = deviation_from_plane(&read(&here.join("site/dem.tif")));
    assert!(worst < 0.002, "{worst}");
}

#[test]
fn feet_become_metres() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut tile = Tile::of_plane(2056, 60, 60, (2.0, 2.0), (-60.0, -60.0));
    tile.values.iter_mut().for_each(|v| *v /= 0.3048);
    tile.write_with_unit(&here.join("declared.tif"), "ft");
    tile.write_with_unit(&here.join("silent.tif"), "");
    run_well(here, &["prepare", "--dem", "declared.tif", "--out", "a"]);
    run_well(here, &["prepare", "--dem", "silent.tif", "--vertical-unit", "foot", "--out", "b"]);
    for site in ["a", "b"] {
        let (worst, _) = deviation_from_plane(&read(&here.join(site).join("dem.tif")));
        assert!(worst < 0.001, "{site}: {worst}");
    }
}

/// Everything at once, from a recipe in a folder with spaces and umlauts; the project loads and the site is whole.
#[test]
fn a_full_recipe_gives_a_project_that_loads() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("Höhen & Täler");
    fs::create_dir(&here).unwrap();
    Tile::of_plane(31287, 300, 300, (2.0, 2.0), (-300.0, -300.0)).write(&here.join("dem süd.tif"));
    let (degrees, utm) = (crs(4326), crs(25832));
    write_polygons(&here.join("gebiet.geojson"), &degrees, "name", &[(square(&degrees, (0.0, 0.0), 80.0), "aoi")]);
    let classes = [(square(&utm, (-40.0, 0.0), 35.0), "Fels"), (square(&utm, (40.0, 0.0), 35.0), "medium soft")];
    write_polygons(&here.join("böden.shp"), &utm, "typ", &classes);
    write_polygons(&here.join("wald.gpkg"), &degrees, "class", &[(square(&degrees, (0.0, 40.0), 30.0), "dense")]);
    let release = [(square(&degrees, (0.0, 60.0), 10.0), "oben"), (square(&degrees, (9000.0, 0.0), 10.0), "weit weg")];
    write_polygons(&here.join("anriss.geojson"), &degrees, "name", &release);
    let mut mu = Tile::of_plane(25832, 60, 60, (10.0, 10.0), (-300.0, -300.0));
    mu.values.fill(0.42);
    mu.write_with_unit(&here.join("mu.tif"), "");
    let recipe = "\
dem: dem süd.tif
aoi: gebiet.geojson
buffer_m: 50
crs: EPSG:2056
cell_m: 2
layers:
  - { name: ground, source: böden.shp, attribute: typ, codes: { Fels: extra_hard } }
  - { name: forest, source: wald.gpkg|layername=wald }
  - { name: mu_min, source: mu.tif }
release:
  - source: anriss.geojson
out: fertig
";
    fs::write(here.join("prepare.yaml"), recipe).unwrap();
    let ran = run_well(folder.path(), &["prepare", "--config", "Höhen & Täler/prepare.yaml"]);
    assert!(ran.stderr.contains("1 of 2 features"), "{}", ran.stderr);
    let site = here.join("fertig");
    let dem = read(&site.join("dem.tif"));
    // 80 m and 50 m on either side, in cells of 2 m (the square is turned by less than a cell in LV95).
    assert!((130..=132).contains(&dem.field.lattice.nx), "{}", dem.field.lattice.nx);
    let ground = read(&site.join("ground.tif"));
    assert_eq!(ground.field.lattice, dem.field.lattice);
    let at = |raster: &couloir::geo::raster::Raster, dx: f64, dy: f64| {
        let (column, row) = raster.field.lattice.cell_at(2_760_000.0 + dx, 1_190_000.0 + dy).unwrap();
        raster.field.values[row * raster.field.lattice.nx + column]
    };
    // Codes follow the names: extra_hard 1, medium_soft 2.
    assert_eq!((at(&ground, -40.0, 0.0), at(&ground, 40.0, 0.0)), (1.0, 2.0));
    assert!(at(&ground, 0.0, 100.0).is_nan());
    assert!((at(&read(&site.join("mu_min.tif")), 3.0, 7.0) - 0.42).abs() < 1e-6);
    // Every layer has its style, with what it shows in words.
    let style =
        |name: &str| fs::read_to_string(site.join(format!("{name}.qml"))).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(style("dem").contains(" m\"") && style("mu_min").contains("singlebandpseudocolor"));
    assert!(style("ground").contains("label=\"extra_hard\"") && style("forest").contains("label=\"dense\""));
    let release = fs::read_dir(&site)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "gpkg"));
    assert!(style(release.unwrap().file_stem().unwrap().to_str().unwrap()).contains("singleSymbol"));
    let loaded = project::load(&site.join("project.yaml")).unwrap();
    assert_eq!(loaded.file.ground.layers[0].codes["1"], "extra_hard");
    let site = couloir::site::load(&loaded).unwrap();
    assert_eq!(site.releases[0].features.features.len(), 1);
    assert_eq!(site.crs.epsg(), Some(2056));
}

#[test]
fn numbers_lines_and_barriers_reach_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 100, 100, (2.0, 2.0), (-100.0, -100.0)).write(&here.join("dem.tif"));
    let lv95 = crs(2056);
    write_polygons(&here.join("trees.gpkg"), &lv95, "h", &[(square(&lv95, (0.0, 0.0), 40.0), "17.5")]);
    let line = Geometry::LineString(LineString(vec![
        Coord { x: 2_759_950.0, y: 1_189_980.0 },
        Coord { x: 2_760_500.0, y: 1_189_980.0 },
    ]));
    write_lines(&here.join("road.gpkg"), &line);
    let arguments = [
        "prepare",
        "--dem",
        "dem.tif",
        "--layer",
        "height_m=trees.gpkg:h",
        "--line",
        "road=road.gpkg",
        "--barrier",
        "net=road.gpkg:5,3000",
        "--out",
        "site",
    ];
    let ran = run_well(here, &arguments);
    assert!(ran.stderr.contains("no release is named"), "{}", ran.stderr);
    let heights = read(&here.join("site/height_m.tif"));
    let inside = heights.field.values.iter().filter(|v| **v == 17.5).count();
    assert_eq!(inside, 40 * 40, "cells whose centres lie in an 80 m square");
    let project = project::load(&here.join("site/project.yaml")).unwrap().file;
    assert_eq!((project.barriers[0].height_m, project.barriers[0].capacity_kj), (5.0, 3000.0));
    assert_eq!(project.lines[0].name, "road");
}

fn write_lines(path: &Path, line: &Geometry<f64>) {
    use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};
    let mut writer =
        VectorWriter::create(path, Format::GeoPackage, "road", &crs(2056), GeometryKind::LineString, &[]).unwrap();
    writer.write(line, &[]).unwrap();
    writer.finish().unwrap();
}

#[test]
fn a_class_raster_needs_its_codes_and_keeps_its_edges() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 100, 100, (2.0, 2.0), (-100.0, -100.0)).write(&here.join("dem.tif"));
    let mut soil = Tile::of_plane(2056, 20, 20, (10.0, 10.0), (-100.0, -100.0));
    let nx = soil.lattice.nx;
    soil.values.iter_mut().enumerate().for_each(|(k, v)| *v = if k % nx < 10 { 3.0 } else { 8.0 });
    soil.write_with_unit(&here.join("soil.tif"), "");
    let base = ["prepare", "--dem", "dem.tif", "--layer", "ground=soil.tif", "--out", "site"];
    let ran = run(here, &base);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("'3'") && ran.stderr.contains("--codes ground:3="), "{}", ran.stderr);
    fs::write(here.join("table.csv"), "code;class\n3;hard\n8;soft\n").unwrap();
    run_well(here, &[&base[..], &["--class-table", "table.csv"]].concat());
    let ground = read(&here.join("site/ground.tif"));
    let count = |code: f64| ground.field.values.iter().filter(|v| **v == code).count();
    assert_eq!((count(1.0), count(2.0)), (5000, 5000));
}

/// The folder is replaced only when asked, only if it is ours, and only after success.
#[test]
fn an_existing_folder_is_safe() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 30, 30, (2.0, 2.0), (-30.0, -30.0)).write(&here.join("dem.tif"));
    fs::create_dir(here.join("mine")).unwrap();
    fs::write(here.join("mine/letter.txt"), "dear").unwrap();
    for arguments in [vec!["--out", "mine"], vec!["--out", "mine", "--overwrite"]] {
        let ran = run(here, &[&["prepare", "--dem", "dem.tif"], &arguments[..]].concat());
        assert_eq!(ran.code, 3, "{}", ran.stderr);
    }
    assert_eq!(names(&here.join("mine")), ["letter.txt"]);
    run_well(here, &["prepare", "--dem", "dem.tif", "--out", "site"]);
    let before = fs::read(here.join("site/project.yaml")).unwrap();
    let failing = ["prepare", "--dem", "dem.tif", "--release", "no.shp", "--out", "site", "--overwrite"];
    assert_eq!(run(here, &failing).code, 3);
    assert_eq!(fs::read(here.join("site/project.yaml")).unwrap(), before);
    run_well(here, &["prepare", "--dem", "dem.tif", "--out", "site", "--overwrite", "--title", "new"]);
    assert_ne!(fs::read(here.join("site/project.yaml")).unwrap(), before);
    assert_eq!(names(here), ["dem.tif", "mine", "site"]);
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(31287, 150, 150, (2.0, 2.0), (-150.0, -150.0))
        .with_hole((70, 70, 4, 4))
        .write(&here.join("dem.tif"));
    for out in ["a", "b"] {
        run_well(
            here,
            &["prepare", "--dem", "dem.tif", "--crs", "EPSG:2056", "--cell", "2", "--title", "t", "--out", out],
        );
    }
    for name in ["dem.tif", "release.gpkg", "project.yaml"] {
        assert!(fs::read(here.join("a").join(name)).unwrap() == fs::read(here.join("b").join(name)).unwrap(), "{name}");
    }
}

#[test]
fn progress_is_json_when_asked_and_silent_when_piped() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 60, 60, (2.0, 2.0), (-60.0, -60.0)).write(&here.join("dem.tif"));
    let ran = run_well(here, &["prepare", "--dem", "dem.tif", "--out", "a", "--progress", "json"]);
    let lines: Vec<Json> = ran.stderr.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    assert!(lines.len() > 5, "{}", ran.stderr);
    assert!(lines.iter().all(|l| l["stage"].is_string() && l["done"].as_u64() <= l["total"].as_u64()));
    let ran = run_well(here, &["prepare", "--dem", "dem.tif", "--out", "b"]);
    assert!(ran.stderr.lines().all(|l| l.starts_with("warning: ")), "{}", ran.stderr);
}

/// `--mask` blanks outside the buffered polygon; without it the rectangle stays.
#[test]
fn the_mask_blanks_outside_the_buffered_polygon() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 200, 200, (2.0, 2.0), (-200.0, -200.0)).write(&here.join("dem.tif"));
    let lv95 = crs(2056);
    write_polygons(&here.join("area.gpkg"), &lv95, "n", &[(square(&lv95, (0.0, 0.0), 50.0), "x")]);
    let base = ["prepare", "--dem", "dem.tif", "--aoi", "area.gpkg", "--buffer", "60"];
    run_well(here, &[&base[..], &["--out", "a"]].concat());
    run_well(here, &[&base[..], &["--mask", "--out", "b"]].concat());
    let (_, all) = deviation_from_plane(&read(&here.join("a/dem.tif")));
    let (_, inside) = deviation_from_plane(&read(&here.join("b/dem.tif")));
    assert_eq!(all, 110 * 110);
    // A square of 100 m with a border of 60 m and round corners: 10000 + 4·100·60 + π·60² m², cells of 4 m².
    let expected = (10_000.0 + 24_000.0 + std::f64::consts::PI * 3600.0) / 4.0;
    assert!((inside as f64 - expected).abs() < 0.005 * expected, "{inside} {expected}");
}
