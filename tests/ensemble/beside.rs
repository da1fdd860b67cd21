//! Files beside a result that other programs read with it: journals, indices, remarks. What nobody of us wrote is neither lost
//! nor does it change a result.

use std::fs;

use crate::safety::{everything, put};
use crate::site::Site;
use crate::{couloir, finished, refused};

const OUTPUTS: &str =
    "outputs: {trajectories: [geopackage, shapefile], points_every_s: 0.2}\nclassification: {scheme: swiss}\n";
/// Says that all values are three times as large.
const SCALED: &str =
    "<PAMDataset><PAMRasterBand band=\"1\"><Offset>100</Offset><Scale>3</Scale></PAMRasterBand></PAMDataset>";
/// As QGIS leaves it.
const STATISTICS: &str = "<PAMDataset><PAMRasterBand band=\"1\"><Metadata><MDI key=\"STATISTICS_MAXIMUM\">7</MDI></Metadata>\
                          </PAMRasterBand></PAMDataset>";

fn finished_run(name: &str) -> Site {
    let site = Site::new(OUTPUTS, 20);
    finished(couloir(&["run", &site.project(), "--out", &site.path(name), "--limit", "6"]));
    site
}

/// SQLite takes a journal that lies beside a new GeoPackage for its own and gives back the old features.
#[test]
fn an_old_journal_was_read_with_a_new_geopackage() {
    let site = finished_run("run");
    let overwrite = || couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "9", "--overwrite"]);
    let strangers = [
        ("trajectories/deposits.gpkg-wal", "another program"),
        ("trajectories/trajectories.gpkg-journal", "another program"),
        ("classification/swiss/hazard.qix", "would be read"),
        ("layers/passages.tif.ovr", "would be read"),
        ("layers/passages.tif.msk", "would be read"),
    ];
    for (name, why) in strangers {
        put(&site, &format!("run/{name}"), "of yesterday");
        let before = everything(&site.folder("run"));
        let error = refused(overwrite(), 1);
        assert!(error.contains(name) && error.contains(why) && error.contains("move it away"), "{error}");
        assert!(everything(&site.folder("run")) == before, "{name}");
        fs::remove_file(site.folder(&format!("run/{name}"))).unwrap();
    }
    // In the place of a classification a new one has the same names.
    put(&site, "run/classification/swiss/hazard.gpkg-wal", "of yesterday");
    let before = everything(&site.folder("run"));
    let error = refused(couloir(&["classify", &site.path("run"), "--scheme", "swiss", "--quantile", "0.5"]), 1);
    assert!(error.contains("hazard.gpkg-wal"), "{error}");
    assert!(everything(&site.folder("run")) == before);
    fs::remove_file(site.folder("run/classification/swiss/hazard.gpkg-wal")).unwrap();
    // Empty journals and statistics change nothing.
    put(&site, "run/trajectories/deposits.gpkg-wal", "");
    put(&site, "run/layers/passages.tif.aux.xml", STATISTICS);
    finished(overwrite());
    assert_eq!(fs::read_to_string(site.folder("run/layers/passages.tif.aux.xml")).unwrap(), STATISTICS);
}

#[test]
fn a_journal_beside_no_geopackage_is_not_given_one() {
    let site = finished_run("run");
    put(&site, "new.gpkg-wal", "of another file");
    let before = everything(&site.folder(""));
    let deposits = site.path("run/trajectories/deposits.gpkg");
    let clip = ["clip", &deposits, &site.path("new.gpkg"), "--extent", "2600000,1200000,2600240,1200240"];
    for more in [&[][..], &["--overwrite"]] {
        let error = refused(couloir(&[&clip[..], more].concat()), 3);
        assert!(error.contains("new.gpkg-wal") && error.contains("choose another name"), "{error}");
    }
    assert!(everything(&site.folder("")) == before);
}

/// Pictures are drawn from layers: what changes how a layer is read would change them, too.
#[test]
fn a_report_was_drawn_from_layers_that_a_remark_changed() {
    let site = finished_run("run");
    put(&site, "run/layers/passages.tif.aux.xml", SCALED);
    let before = everything(&site.folder("run"));
    let error = refused(couloir(&["report", &site.path("run"), "--language", "de"]), 3);
    assert!(error.contains("passages.tif.aux.xml") && error.contains("changes how"), "{error}");
    assert!(everything(&site.folder("run")) == before);
    put(&site, "run/layers/passages.tif.aux.xml", STATISTICS);
    finished(couloir(&["report", &site.path("run"), "--language", "de"]));
}

#[test]
fn a_profile_of_trajectories_was_drawn_with_a_journal_nobody_vouched_for() {
    let site = finished_run("run");
    let records = site.path("run/trajectories/trajectory_points.gpkg");
    put(&site, "run/trajectories/trajectory_points.gpkg-wal", "changes");
    let profile = |out: &str| couloir(&["profile", "--tracks", &records, "--out", &site.path(out)]);
    let error = refused(profile("side"), 3);
    assert!(error.contains("trajectory_points.gpkg-wal"), "{error}");
    assert!(!site.folder("side").exists());
    fs::remove_file(site.folder("run/trajectories/trajectory_points.gpkg-wal")).unwrap();
    finished(profile("side"));
}

/// A run that is looked at holds what the run wrote, and nothing else of ours.
#[test]
fn profiles_were_written_into_the_run_they_look_at() {
    let site = finished_run("run");
    let before = everything(&site.folder("run"));
    let records = site.path("run/trajectories/trajectory_points.gpkg");
    for out in ["run/lines/section", "run/new"] {
        let (run, out) = (site.path("run"), site.path(out));
        let along = ["profile", &run, "--points", "2600020,1200100", "2600200,1200100", "--out", &out];
        for call in [&along[..], &["profile", "--tracks", &records, "--out", &out]] {
            let error = refused(couloir(call), 2);
            assert!(error.contains("lies in the run"), "{error}");
        }
    }
    assert!(everything(&site.folder("run")) == before);
}

/// Each picture removes the statistics of the one before: they must not be the user's.
#[test]
fn a_live_map_removed_files_of_its_name() {
    let site = Site::new("", 20);
    for name in ["map.tif.aux.xml", "map.tif.ovr", "map.tif.msk", "map.qml", "map.tif"] {
        put(&site, name, "precious");
        let before = everything(&site.folder(""));
        let call =
            ["run", &site.project(), "--out", &site.path("run"), "--limit", "3", "--live", &site.path("map.tif")];
        let error = refused(couloir(&call), 2);
        assert!(error.contains(name) && error.contains("not overwritten"), "{error}");
        assert!(everything(&site.folder("")) == before, "{name}");
        fs::remove_file(site.folder(name)).unwrap();
    }
}
