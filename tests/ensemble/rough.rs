//! Roughness as users give it.

use super::site::Site;
use super::{assert_same, couloir, finished, refused};

/// The site with another `ground` section.
fn with_ground(ground: &str) -> Site {
    let site = Site::new("", 20);
    let text = std::fs::read_to_string(site.project()).unwrap();
    let changed = text.replace("ground: {scatter_mu: 0.1}", &format!("ground: {ground}"));
    assert_ne!(text, changed);
    std::fs::write(site.project(), changed).unwrap();
    site
}

const POLYGON: &str = "{geojson: {type: Feature, properties: {h: 0.15}, geometry: {type: Polygon, coordinates: \
    [[[2600050, 1200050], [2600200, 1200050], [2600200, 1200180], [2600050, 1200180], [2600050, 1200050]]]}}}";

/// Each rock's ground is its own and no file's: the same bytes on any number of threads and in shards, for roughness by class and polygons.
#[test]
fn rough_ground_does_not_depend_on_threads_and_shards() {
    let site = with_ground(&format!(
        "{{default: scree, classes: {{scree: {{mu_min: 0.4, mu_max: 2, beta_per_s: 175, kappa_per_m: 2.5, \
         roughness: {{height_m: 0.1}}, scarring: {{me_kn_m2: 20000, drag_coefficient: 1}}}}}}, \
         roughness: {{height_m: {{polygons: {POLYGON}, attribute: h}}, spacing_m: 1}}}}"
    ));
    let run = |name: &str, more: &[&str]| {
        let mut command = couloir(&["run", &site.project(), "--out", &site.path(name)]);
        command.args(more);
        finished(command)
    };
    run("one", &["--threads", "1"]);
    run("two", &["--threads", "2"]);
    assert_same(&site.folder("one"), &site.folder("two"));
    run("a", &["--shard", "0..7"]);
    run("b", &["--shard", "7..20"]);
    finished(couloir(&["merge", &site.path("b"), &site.path("a"), "--out", &site.path("merged")]));
    assert_same(&site.folder("one"), &site.folder("merged"));
}

/// A raster says it cell by cell; where it has no value the error says where.
#[test]
fn rough_ground_from_a_raster() {
    let raster = |value: &str| {
        format!("ncols 1\nnrows 1\nxllcorner 2599900\nyllcorner 1199900\ncellsize 500\nNODATA_value -9\n{value}\n")
    };
    let site = with_ground("{roughness: {height_m: {raster: rough.asc, crs: 'EPSG:2056'}}}");
    std::fs::write(site.folder("rough.asc"), raster("0.125")).unwrap();
    finished(couloir(&["run", &site.project(), "--out", &site.path("raster")]));
    let constant = with_ground("{roughness: {height_m: 0.125}}");
    finished(couloir(&["run", &constant.project(), "--out", &constant.path("constant")]));
    let layer = "layers/deposits.tif";
    let read = |path: std::path::PathBuf| std::fs::read(path).unwrap();
    assert_eq!(read(site.folder("raster").join(layer)), read(constant.folder("constant").join(layer)));

    std::fs::write(site.folder("rough.asc"), raster("-9")).unwrap();
    let error = refused(couloir(&["check", &site.project()]), 3);
    assert!(error.contains("ground.roughness.height_m") && error.contains("no value"), "{error}");
    for value in ["-0.1", ".nan", "1000"] {
        let site = with_ground(&format!("{{roughness: {{height_m: {value}}}}}"));
        let error = refused(couloir(&["check", &site.project()]), 3);
        assert!(error.contains("height_m") && error.contains("0 to 5 (m)"), "{error}");
    }
}
