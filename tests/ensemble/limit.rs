//! `--limit`: fewer rocks stand for all of them.

use crate::site::Site;
use crate::{couloir, finished, recompute};

/// Of 20 rocks that share 0.1 releases a year, 5 carry 0.02 each: the yearly frequencies of a quick look are those of the
/// whole, on average.
#[test]
fn with_a_limit_the_yearly_frequencies_stay() {
    let site = Site::new(
        "stop: {max_time_s: 2}\nstatistics: {layers: [passages, frequency_above_0.5_kj], energies_kj: [0.5]}\n",
        20,
    );
    for (limit, each) in [("5", 0.02), ("20", 0.005)] {
        let out = format!("run{limit}");
        finished(couloir(&["run", &site.project(), "--out", &site.path(&out), "--limit", limit]));
        let layer = |name: &str| recompute::raster(&site.folder(&out).join(format!("layers/{name}.tif")));
        let (passages, frequency) = (layer("passages"), layer("frequency_above_0.5_kj"));
        // Where all that pass are above the energy.
        let most = frequency.iter().map(|(cell, value)| value / passages[cell]).fold(0.0, f64::max);
        assert!((most / each - 1.0).abs() < 1e-5, "{limit}: {most} instead of {each}");
    }
}

/// Four of 20 rocks from four places: one from each, not the first four, which all start at one.
#[test]
fn the_rocks_of_a_limit_are_spread_over_all_places() {
    let site = Site::new("stop: {max_time_s: 2}\noutputs: {trajectories: [geopackage]}\n", 20);
    finished(couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "4"]));
    let table = std::fs::read_to_string(site.folder("run/trajectories/rocks.csv")).unwrap();
    let column = table.lines().next().unwrap().split(',').position(|name| name == "start_x_m").unwrap();
    let starts: Vec<&str> = table.lines().skip(1).map(|line| line.split(',').nth(column).unwrap()).collect();
    let places: std::collections::BTreeSet<&str> = starts.iter().copied().collect();
    assert_eq!((starts.len(), places.len()), (4, 4), "{table}");
}
