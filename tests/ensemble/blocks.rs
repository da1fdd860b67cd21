//! A terrain read block by block gives the bytes of one that is in memory as a whole.

use std::path::Path;

use couloir::geo::Crs;
use couloir::geo::write_raster::{self, Band, BandData, WriteRaster};
use couloir::terrain::Lattice;
use gdal::Metadata;

use crate::{couloir, files, finished, refused};

const CELL: f64 = 2.0;
const LATTICE: Lattice = Lattice { nx: 700, ny: 620, x0: 2_600_001.0, y0: 1_200_001.0, dx: CELL, dy: CELL };

/// A slope above a valley floor, with a hole in it, a missing corner, and bumps; NaN without height.
fn height(k: usize) -> f64 {
    let (column, row) = (k % LATTICE.nx, k / LATTICE.nx);
    let (x, y) = (column as f64 * CELL, row as f64 * CELL);
    if (300..304).contains(&column) && (470..473).contains(&row) || column + 620 < row + 130 {
        return f64::NAN;
    }
    let slope = 0.9 * (y - 860.0).max(0.0) + 0.2 * (700.0 - y).max(0.0);
    700.0 + slope + 0.4 * (0.7 * x).sin() * (0.5 * y).cos()
}

fn write(path: &Path, lattice: &Lattice, data: BandData, nodata: f64) {
    let crs = Crs::from_epsg(2056).unwrap();
    let band = Band { description: "", unit: "", data, nodata };
    write_raster::write(path, lattice, &crs, &[band], &WriteRaster::default()).unwrap();
}

fn polygon([west, south, east, north]: [f64; 4]) -> String {
    let at = |x: f64, y: f64| format!("[{}, {}]", LATTICE.x0 + x * CELL, LATTICE.y0 + y * CELL);
    let ring = [at(west, south), at(east, south), at(east, north), at(west, north), at(west, south)].join(", ");
    format!("{{geojson: {{type: Polygon, coordinates: [[{ring}]]}}}}")
}

/// Every kind of source on it: classes by polygons and by a raster of other cells, a parameter by a raster and one by polygons.
fn make(folder: &Path, wide: bool) {
    let heights: Vec<f64> = (0..LATTICE.len()).map(height).collect();
    let narrow: Vec<f32> = heights.iter().map(|height| *height as f32).collect();
    let data = if wide { BandData::F64(&heights) } else { BandData::F32(&narrow) };
    write(&folder.join("dem.tif"), &LATTICE, data, -9999.0);
    let coarse = Lattice { nx: 150, ny: 130, x0: 2_599_999.3, y0: 1_200_000.7, dx: 9.7, dy: 9.7 };
    let codes: Vec<u8> = (0..coarse.len()).map(|k| if (k / 7 + k / 150).is_multiple_of(3) { 5 } else { 1 }).collect();
    write(&folder.join("codes.tif"), &coarse, BandData::U8(&codes), 255.0);
    let friction: Vec<f32> = (0..coarse.len()).map(|k| 0.35 + 0.001 * ((k * 7919) % 101) as f32).collect();
    write(&folder.join("friction.tif"), &coarse, BandData::F32(&friction), -1.0);
    let line = format!(
        "{{geojson: {{type: LineString, coordinates: [[{}, {}], [{}, {}]]}}}}",
        LATTICE.x0 + 300.0,
        LATTICE.y0 + 900.0,
        LATTICE.x0 + 900.0,
        LATTICE.y0 + 905.0
    );
    let text = format!(
        "terrain: {{dem: dem.tif}}\n\
         rocks:\n- {{shape: eota_111, mass_kg: {{distribution: uniform, min: 300, max: 2000}}}}\n- {{shape: sphere, mass_kg: 400, weight: 0.2}}\n\
         release:\n- {{source: {}, placement: {{grid_m: 15}}, rocks_per_position: 1}}\n\
         - {{source: {}, placement: {{count: 6}}, rocks_per_position: 1}}\n\
         ground: {{scatter_mu: 0.1, default: scree, mu_min: {{raster: friction.tif}}, layers: [\
         {{raster: codes.tif, codes: {{1: scree, 5: loose}}}}, {{polygons: {}, class: loose}}], classes: {{\
         scree: {{mu_min: 0.4, mu_max: 2, beta_per_s: 175, kappa_per_m: 2.5, roughness: {{height_m: 0.05, spacing_m: 1}}}}, \
         loose: {{mu_min: 0.5, mu_max: 2, beta_per_s: 100, kappa_per_m: 2.5}}}}}}\n\
         forest: {{layers: [{{polygons: {}, class: open}}], classes: {{open: {{drag_kg_s: 50, height_m: 20}}}}}}\n\
         lines:\n- {{name: road, source: {line}}}\n\
         stop: {{max_time_s: 20}}\n\
         outputs: {{trajectories: [geopackage], report: true}}\n",
        polygon([245.0, 505.0, 268.0, 522.0]),
        polygon([295.0, 500.0, 320.0, 520.0]),
        polygon([200.0, 440.0, 262.0, 470.0]),
        polygon([250.0, 400.0, 330.0, 450.0]),
    );
    std::fs::write(folder.join("project.yaml"), text).unwrap();
}

/// Cache of three or four blocks of heights, so that most are read many times, on one thread and on two, as a whole and in parts. Heights of
/// 32 and of 64 bits. Everything written is the same.
#[test]
fn blocks_give_the_bytes_of_the_whole() {
    for wide in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), wide);
        let project = folder.path().join("project.yaml");
        let run = |name: &str, memory: &str, threads: &str, more: &[&str]| {
            let out = folder.path().join(name);
            let mut command = couloir(&["--terrain-memory", memory, "run"]);
            command.arg(&project).arg("--out").arg(&out).args(["--threads", threads, "--progress", "none"]).args(more);
            finished(command);
            out
        };
        let whole = files(&run("whole", "1000", "2", &[]));
        assert!(whole.len() > 20 && whole.keys().any(|name| name.ends_with("hazard.tif") || name.ends_with(".tif")));
        for (name, threads) in if wide { vec![("two", "2")] } else { vec![("one", "1"), ("two", "2")] } {
            let blocks = files(&run(name, "1", threads, &[]));
            assert_eq!(whole.keys().collect::<Vec<_>>(), blocks.keys().collect::<Vec<_>>());
            let different: Vec<_> = whole.keys().filter(|name| whole[*name] != blocks[*name]).collect();
            assert!(different.is_empty(), "{wide} {name}: {different:?}");
        }
        if wide {
            continue;
        }
        // Parts of both kinds are parts of one run.
        let parts = [("1/2", "1"), ("2/2", "1000")].map(|(part, memory)| {
            let name = format!("part-{}", &part[..1]);
            run(&name, memory, "1", &["--shard", part])
        });
        let merged = folder.path().join("merged");
        let mut merge = couloir(&["--terrain-memory", "1", "merge"]);
        merge.args(&parts).arg("--out").arg(&merged);
        finished(merge);
        let merged = files(&merged);
        let different: Vec<_> = whole.keys().filter(|name| merged.get(*name) != Some(&whole[*name])).collect();
        assert!(different.is_empty(), "{wide} merged: {different:?}");
    }
}

/// A plain with one hill, left out of the file but for the hill's blocks: 100 million cells in a few kilobytes.
pub fn make_sparse(folder: &Path) -> std::path::PathBuf {
    make_hill(folder, 10_000, false)
}

/// A hill on a terrain of so many columns and rows; where rocks get there may be a hole in it.
pub fn make_hill(folder: &Path, side: usize, with_hole: bool) -> std::path::PathBuf {
    let corner = side * 7 / 10;
    let path = folder.join("dem.tif");
    let options = gdal::raster::RasterCreationOptions::from_iter(["TILED=YES", "COMPRESS=DEFLATE", "SPARSE_OK=TRUE"]);
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dem = driver.create_with_band_type_with_options::<f32, _>(&path, side, side, 1, &options).unwrap();
    dem.set_geo_transform(&[2_600_000.0, 2.0, 0.0, 1_220_000.0, 0.0, -2.0]).unwrap();
    dem.set_spatial_ref(&gdal::spatial_ref::SpatialRef::from_epsg(2056).unwrap()).unwrap();
    // From the corner on, 150 cells.
    let hill = |k: usize| {
        let (x, y) = ((k % 150) as f64 - 75.0, (k / 150) as f64 - 75.0);
        if with_hole && x.abs() < 12.0 && (y + 35.0).abs() < 5.0 {
            return -1.0;
        }
        (110.0 - 2.0 * 0.9 * x.hypot(y)).max(0.0) as f32
    };
    let mut cells = gdal::raster::Buffer::new((150, 150), (0..150 * 150).map(hill).collect());
    let mut band = dem.rasterband(1).unwrap();
    if with_hole {
        band.set_no_data_value(Some(-1.0)).unwrap();
        // Cells that were never written would have none, too.
        band.write((0, 0), (side, side), &mut gdal::raster::Buffer::new((side, side), vec![0.0_f32; side * side]))
            .unwrap();
    }
    band.write((corner as isize, corner as isize), (150, 150), &mut cells).unwrap();
    dem.close().unwrap();
    let middle = 2.0 * (corner + 75) as f64;
    let (x, y) = (2_600_000.0 + middle, 1_220_000.0 - middle);
    let ring = [(-6.0, 8.0), (6.0, 8.0), (6.0, 14.0), (-6.0, 14.0), (-6.0, 8.0)];
    let ring: Vec<String> = ring.iter().map(|(dx, dy)| format!("[{}, {}]", x + dx, y + dy)).collect();
    let project = folder.join("project.yaml");
    let text = format!(
        "terrain: {{dem: dem.tif}}\nrocks: [{{shape: eota_111, mass_kg: 500}}]\n\
         release:\n- source: {{geojson: {{type: Polygon, coordinates: [[{}]]}}}}\n  placement: auto\n  rocks_per_position: 1\n\
         outputs: {{max_trajectories: 5}}\n",
        ring.join(", ")
    );
    std::fs::write(&project, text).unwrap();
    project
}

/// A terrain of which hardly anything is read: looked at as a whole by `check`, run in parts and at once to the same bytes. A file that
/// changed is no part of the run, and one that cannot be read ends it with a sentence.
#[test]
fn a_terrain_far_larger_than_what_rocks_touch() {
    let folder = tempfile::tempdir().unwrap();
    let project = make_sparse(folder.path());
    let mut check = couloir(&["check", "--json"]);
    check.arg(&project);
    let said = String::from_utf8(finished(check).stdout).unwrap();
    assert!(said.contains("\"nodata_cells\": 0") && !said.contains("\"error\""), "{said}");
    let run = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut command = couloir(&["run"]);
        command.arg(&project).arg("--out").arg(&out).args(["--progress", "none"]).args(more);
        finished(command);
        out
    };
    let whole = files(&run("whole", &["--threads", "2"]));
    // Written block by block, a raster still says what it holds.
    let passages = gdal::Dataset::open(folder.path().join("whole/layers/passages.tif")).unwrap();
    let statistic = |name: &str| {
        let text = passages.rasterband(1).unwrap().metadata_item(&format!("STATISTICS_{name}"), "");
        text.and_then(|text| text.parse::<f64>().ok()).unwrap_or_else(|| panic!("no {name}"))
    };
    let (least, mean, most) = (statistic("MINIMUM"), statistic("MEAN"), statistic("MAXIMUM"));
    assert!(least == 1.0 && mean > 1.0 && most > mean, "{least} {mean} {most}");
    let parts = ["1/2", "2/2"].map(|part| run(&format!("part{}", &part[..1]), &["--shard", part]));
    let merged = folder.path().join("merged");
    let mut merge = couloir(&["merge"]);
    merge.args(&parts).arg("--out").arg(&merged);
    finished(merge);
    let merged = files(&merged);
    let different: Vec<_> = whole.keys().filter(|name| merged.get(*name) != Some(&whole[*name])).collect();
    assert!(different.is_empty(), "{different:?}");
    // Another pixel far from the rocks is another terrain.
    let path = folder.path().join("dem.tif");
    let flags = gdal::GdalOpenFlags::GDAL_OF_UPDATE | gdal::GdalOpenFlags::GDAL_OF_RASTER;
    let options = gdal::DatasetOptions { open_flags: flags, ..Default::default() };
    let dem = gdal::Dataset::open_ex(&path, options).unwrap();
    let mut cell = gdal::raster::Buffer::new((1, 1), vec![1f32]);
    dem.rasterband(1).unwrap().write((10, 10), (1, 1), &mut cell).unwrap();
    dem.close().unwrap();
    let other = run("other", &["--shard", "2/2"]);
    let mut merge = couloir(&["merge"]);
    merge.arg(&parts[0]).arg(&other).arg("--out").arg(folder.path().join("mixed"));
    let said = refused(merge, 3);
    assert!(said.contains("terrain"), "{said}");
    // Cut short: the hill's blocks, written first, are there; others are not.
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let mut command = couloir(&["run"]);
    command.arg(&project).arg("--out").arg(folder.path().join("cut"));
    let said = refused(command, 3);
    assert!(said.contains("dem.tif"), "{said}");
}

/// The largest memory a process has had, bytes, looked at as long as it lives.
#[cfg(target_os = "linux")]
fn peak_of(mut command: std::process::Command) -> u64 {
    let quiet = std::process::Stdio::null;
    let mut process = command.stdout(quiet()).stderr(quiet()).spawn().unwrap();
    let status = format!("/proc/{}/status", process.id());
    let mut peak = 0;
    let code = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let number = |line: &str| line.trim().strip_suffix(" kB").and_then(|number| number.trim().parse::<u64>().ok());
        let found = text.lines().find_map(|line| number(line.strip_prefix("VmHWM:")?));
        peak = peak.max(1024 * found.unwrap_or(0));
        if let Some(code) = process.try_wait().unwrap() {
            break code;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert!(code.success());
    peak
}

/// Every part read the file of its DEM into memory as a whole, to see whether it was text: a file of a gigabyte (all but a few kilobytes of it empty) takes none.
#[cfg(target_os = "linux")]
#[test]
fn a_part_read_the_whole_file_of_its_dem() {
    let folder = tempfile::tempdir().unwrap();
    let project = make_sparse(folder.path());
    let file = std::fs::File::options().write(true).open(folder.path().join("dem.tif")).unwrap();
    file.set_len(1 << 30).unwrap();
    let mut part = couloir(&["run", "--shard", "1/2", "--progress", "none"]);
    part.arg(&project).arg("--out").arg(folder.path().join("part"));
    let peak = peak_of(part);
    assert!((10_000_000..500_000_000).contains(&peak), "{peak} bytes");
}
