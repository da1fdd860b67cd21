//! Reading a DEM and writing a layer of 100 million cells beside `gdal_translate` on the same job.

use std::path::{Path, PathBuf};
use std::process::Command;

use couloir::geo::raster::{ReadRaster, read_dem};
use couloir::geo::write_raster::{Band, BandData, WriteRaster, geotiff_options, write};

use crate::took::{Took, median_took, of_command, of_process};

const ROUNDS: usize = 3;

pub fn run() {
    let cells: usize = std::env::var("COULOIR_BENCH_CELLS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let folder = std::env::var("COULOIR_BENCH_FOLDER").map(PathBuf::from).unwrap_or_else(|_| std::env::temp_dir());
    let folder = tempfile::tempdir_in(folder).expect("a folder for the files");
    let at = |name: &str| folder.path().join(name);
    let (strip, tiled) = (at("strip.tif"), at("tiled.tif"));
    make_dem(&at("coarse.asc"), &strip, cells);
    let deflate = ["TILED=YES", "COMPRESS=DEFLATE", "PREDICTOR=3"].map(String::from).to_vec();
    translate(&strip, &tiled, &deflate);
    println!("{cells} × {cells} cells of 32 bits; wall and CPU seconds, medians of {ROUNDS} rounds");

    reading("strip", &strip, &at("out.tif"), &[]);
    reading("tiled_deflate", &tiled, &at("out.tif"), &deflate);
    println!("peak resident memory so far: {}", peak());
    writing(&strip, &at("ours.tif"), &at("out.tif"));
}

fn reading(name: &str, source: &Path, target: &Path, options: &[String]) {
    let (mut ours, mut copy, mut to_memory) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(of_process(|| read_dem(source, &ReadRaster::default()).expect("the DEM").nodata_cells).0);
        copy.push(translate(source, target, options));
        to_memory.push(translate(source, Path::new("/vsimem/out.tif"), &[]));
    }
    let [ours, copy, to_memory] = [ours, copy, to_memory].map(|took| median_took(&took));
    report(&format!("read_{name}"), &ours, &[("gdal_translate", copy), ("gdal_translate_to_memory", to_memory)]);
}

fn writing(source: &Path, target: &Path, other: &Path) {
    let raster = read_dem(source, &ReadRaster::default()).expect("the DEM");
    let values: Vec<f32> = raster.field.values.iter().map(|&v| v as f32).collect();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let band = Band { description: "height", unit: "m", data: BandData::F32(&values), nodata: -9999.0 };
        let job = || write(target, &raster.field.lattice, &raster.crs, &[band], &WriteRaster::default());
        ours.push(of_process(|| job().expect("the layer")).0);
        let mut options = geotiff_options(raster.field.lattice.nx, raster.field.lattice.ny);
        options.push("NUM_THREADS=ALL_CPUS".into());
        theirs.push(translate(source, other, &options));
    }
    report("write_layer", &median_took(&ours), &[("gdal_translate", median_took(&theirs))]);
}

/// Speeds are theirs over ours in seconds: larger is better.
fn report(job: &str, ours: &Took, theirs: &[(&str, Took)]) {
    println!("{job}: couloir {:.2} s wall, {:.2} s CPU", ours.wall_s, ours.cpu_s);
    println!("= {job}_wall_s {:.4}", ours.wall_s);
    println!("= {job}_cpu_s {:.4}", ours.cpu_s);
    for (name, took) in theirs {
        let (wall, cpu) = (took.wall_s / ours.wall_s, took.cpu_s / ours.cpu_s);
        println!(
            "    {name} {:.2} s wall, {:.2} s CPU: couloir has {wall:.2} × its speed by the wall, {cpu:.2} × by CPU",
            took.wall_s, took.cpu_s
        );
        println!("= {job}_speed_to_{name}_wall {wall:.4}");
        println!("= {job}_speed_to_{name}_cpu {cpu:.4}");
    }
}

fn translate(source: &Path, target: &Path, options: &[String]) -> Took {
    let creation = options.iter().flat_map(|option| ["-co", option.as_str()]);
    of_command(Command::new("gdal_translate").arg("-q").args(creation).args([source, target]))
}

/// Hills with detail: a coarse random field, enlarged by cubic splines.
fn make_dem(ascii: &Path, target: &Path, cells: usize) {
    let coarse = 200;
    let size = cells as f64 / coarse as f64;
    let mut text = format!("ncols {coarse}\nnrows {coarse}\nxllcorner 2600000\nyllcorner 1200000\ncellsize {size}\n");
    let mut state = 1u64;
    for row in 0..coarse {
        for column in 0..coarse {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let noise = (state >> 40) as f64 / (1u64 << 24) as f64;
            let hill = 900.0 + 500.0 * (row as f64 / 30.0).sin() * (column as f64 / 25.0).cos() + 0.4 * size * noise;
            text.push_str(&format!("{hill:.3} "));
        }
        text.push('\n');
    }
    std::fs::write(ascii, text).expect("the coarse DEM");
    let n = cells.to_string();
    let options = ["-q", "-a_srs", "EPSG:2056", "-ot", "Float32", "-r", "cubicspline", "-outsize", &n, &n];
    of_command(Command::new("gdal_translate").args(options).args([ascii, target]));
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or(" unknown").trim().to_string()
}
