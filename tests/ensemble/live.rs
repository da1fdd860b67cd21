//! The map that fills while rocks fall.

use super::site::Site;
use super::{assert_same, couloir, finished, refused};

#[test]
fn a_live_map_changes_nothing_and_overwrites_nothing() {
    let site = Site::new("", 60);
    let project = site.project();
    finished(couloir(&["run", &project, "--out", &site.path("plain")]));
    let live = site.path("live.tif");
    let args = ["run", &project, "--checkpoint-every", "0.01", "--live", &live];
    finished(couloir(&[&args[..], &["--out", &site.path("watched")]].concat()));
    assert_same(&site.folder("plain"), &site.folder("watched"));

    let band = |path: &std::path::Path| {
        let raster = gdal::Dataset::open(path).unwrap();
        let band = raster.rasterband(1).unwrap();
        let none = band.no_data_value();
        let values = band.read_as::<f64>((0, 0), raster.raster_size(), raster.raster_size(), None).unwrap();
        values.data().iter().map(|&value| if Some(value) == none { 0.0 } else { value }).collect::<Vec<_>>()
    };
    let (so_far, all) = (band(live.as_ref()), band(&site.folder("plain").join("layers/passages.tif")));
    assert!(so_far.iter().sum::<f64>() > 0.0);
    assert!(so_far.iter().zip(&all).all(|(some, all)| some <= all), "never more than pass in the end");
    assert!(site.folder("live.qml").is_file(), "with its style");

    let before = std::fs::read(&live).unwrap();
    let text = refused(couloir(&[&args[..], &["--out", &site.path("again")]].concat()), 2);
    assert!(text.contains("live.tif: already exists and is not overwritten"), "{text}");
    assert_eq!(std::fs::read(&live).unwrap(), before);
    assert!(!site.folder("again").exists(), "nothing half-made");
    let text = refused(couloir(&["run", &project, "--live", &site.path("live.png"), "--out", &site.path("again")]), 2);
    assert!(text.contains("expected a name that ends with .tif"), "{text}");
}
