//! The committed data are what the generator makes.

use std::path::Path;

use couloir::geo::raster::{self, ReadRaster};
use couloir::geo::vector::{self, VectorLayer, VectorSourceResolved};
use couloir::terrain::grid::Field;

use crate::{borderland, ramp, sample, valley};

fn dem(path: &Path) -> Field<f64> {
    raster::read(path, &ReadRaster::default()).unwrap().field
}

fn features(path: &Path) -> VectorLayer {
    let source = VectorSourceResolved::file(path.to_str().unwrap()).unwrap();
    vector::read(&source, None).unwrap()
}

/// Heights agree to the centimetre they are rounded to. Another machine's sine may differ in the last bit and water may then
/// take another way around a cell: one cell in a thousand may differ.
fn same_heights(made: &Path, committed: &Path) {
    let (made, committed) = (dem(made), dem(committed));
    assert_eq!(made.lattice, committed.lattice);
    let differs = |(a, b): &(&f64, &f64)| !((**a - **b).abs() < 0.011 || (a.is_nan() && b.is_nan()));
    let count = made.values.iter().zip(&committed.values).filter(differs).count();
    assert!(count * 1000 <= made.values.len(), "{count} of {} heights differ", made.values.len());
}

fn same_features(made: &Path, committed: &Path) {
    let attributes = |layer: &VectorLayer| layer.features.iter().map(|f| f.attributes.clone()).collect::<Vec<_>>();
    let layers = [made, committed].map(features);
    assert_eq!(attributes(&layers[0]), attributes(&layers[1]), "{}", committed.display());
}

/// The generator knows the committed data as its own, so that it may replace them, and nothing else in their folders.
#[test]
fn the_lists_of_generated_files_are_those_of_the_committed_data() {
    for (name, files) in [("ramp", 1), ("valley", 7), ("borderland", 9)] {
        let mark: serde_json::Value = couloir::files::seal::read(&sample(name).join(".couloir.json")).unwrap();
        let listed = mark["files"].as_array().unwrap();
        assert_eq!(listed.len(), files, "{name}");
        for file in listed {
            let path = sample(name).join(file["path"].as_str().unwrap());
            assert_eq!(couloir::files::hash::sha256_file(&path).unwrap(), file["sha256"], "{}", path.display());
        }
    }
}

#[test]
fn the_ramp_is_regenerated() {
    let folder = tempfile::tempdir().unwrap();
    ramp::make(folder.path()).unwrap();
    same_heights(&folder.path().join("dem.tif"), &sample("ramp/dem.tif"));
}

#[test]
fn the_valley_is_regenerated() {
    let folder = tempfile::tempdir().unwrap();
    valley::make(folder.path()).unwrap();
    same_heights(&folder.path().join("dem.tif"), &sample("valley/dem.tif"));
    for name in ["ground.gpkg", "forest.gpkg", "release.gpkg", "cliff.gpkg", "lines.gpkg", "houses.gpkg"] {
        same_features(&folder.path().join(name), &sample("valley").join(name));
    }
}

#[test]
fn borderland_is_regenerated() {
    let folder = tempfile::tempdir().unwrap();
    borderland::make(folder.path()).unwrap();
    for name in ["dem_ch.tif", "dem_at.tif"] {
        same_heights(&folder.path().join(name), &sample("borderland").join(name));
    }
    for name in ["release.geojson", "forest.shp"] {
        same_features(&folder.path().join(name), &sample("borderland").join(name));
    }
}

/// A road is cut level across the slope: along its line the DEM climbs no more steeply than the road does.
#[test]
fn the_valley_road_is_drivable() {
    let dem = dem(&sample("valley/dem.tif"));
    let lines = features(&sample("valley/lines.gpkg"));
    let road = lines.features.iter().find(|f| f.attributes["kind"].as_text().as_deref() == Some("road")).unwrap();
    let geo::Geometry::LineString(line) = &road.geometry else { panic!("the road is no line") };
    let heights: Vec<f64> = line.coords().filter_map(|c| dem.at(c.x, c.y)).collect();
    assert!(heights.len() > 250);
    let steepest = heights.windows(11).map(|w| (w[10] - w[0]).abs() / 40.0).fold(0.0, f64::max);
    assert!(steepest < 0.15, "{steepest}");
}
