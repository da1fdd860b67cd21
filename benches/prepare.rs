//! A large raster through `couloir reproject` and `couloir prepare`, against gdalwarp on the same job: time, peak
//! memory, and whether the heights agree. Run with `cargo bench --bench prepare`; `COULOIR_BENCH_CELLS=4000` makes it
//! smaller, `COULOIR_BENCH_FOLDER` says where the files (about 6 GB) go.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use couloir::geo::raster::{self, ReadRaster};
use couloir::geo::{Bounds, gdal_glue};

const CELL_M: f64 = 1.0;

fn main() -> ExitCode {
    // `cargo test --benches` passes `--test`: nothing to measure there.
    if std::env::args().any(|a| a == "--test") {
        return ExitCode::SUCCESS;
    }
    gdal_glue::init();
    let cells: usize = std::env::var("COULOIR_BENCH_CELLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let folder = std::env::var("COULOIR_BENCH_FOLDER").map(PathBuf::from).unwrap_or_else(|_| std::env::temp_dir());
    let folder = folder.join(format!("couloir-bench-prepare-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the bench folder");
    let result = bench(&folder, cells);
    let _ = std::fs::remove_dir_all(&folder);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn bench(folder: &Path, cells: usize) -> Result<(), String> {
    let source = folder.join("source.tif");
    make_source(folder, &source, cells)?;
    println!("source: {cells} × {cells} cells of {CELL_M} m, EPSG:25832, 32-bit, to EPSG:2056");
    let couloir = env!("CARGO_BIN_EXE_couloir");

    let (ours, theirs) = (folder.join("ours.tif"), folder.join("theirs.tif"));
    let a = measure(Command::new(couloir).arg("reproject").args([&source, &ours]).args([
        "--crs",
        "EPSG:2056",
        "--cell",
        "1",
    ]))?;
    let tolerance = (0.0005 / CELL_M).to_string();
    let b = measure(
        Command::new("gdalwarp")
            .args(["-q", "-t_srs", "EPSG:2056", "-tr", "1", "1", "-tap", "-r", "bilinear", "-et", &tolerance])
            .args(["-of", "COG", "-ovr", "NONE", "-wm", "192", "-wo", "NUM_THREADS=ALL_CPUS", "-dstnodata", "nan"])
            .args(["-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=YES", "-co", "NUM_THREADS=ALL_CPUS"])
            .args(["-co", "OVERVIEW_RESAMPLING=AVERAGE", "-co", "BIGTIFF=IF_SAFER"])
            .args([&source, &theirs]),
    )?;
    report("reproject", &a, &b);
    compare(&ours, &theirs)?;

    let site = folder.join("site");
    let aoi = format!("500100,5200100,{0},{1},EPSG:25832", 499_900 + cells, 5_199_900 + cells);
    let c = measure(
        Command::new(couloir)
            .args(["prepare", "--crs", "EPSG:2056", "--cell", "1", "--aoi", &aoi, "--dem"])
            .arg(&source)
            .arg("--out")
            .arg(&site),
    )?;
    report("prepare (clip, reproject, mosaic, fill holes, hash)", &c, &b);
    Ok(())
}

/// Hills with detail: a coarse random field, enlarged by cubic splines.
fn make_source(folder: &Path, source: &Path, cells: usize) -> Result<(), String> {
    let coarse = 200;
    let size = cells as f64 * CELL_M / coarse as f64;
    let mut text = format!("ncols {coarse}\nnrows {coarse}\nxllcorner 500000\nyllcorner 5200000\ncellsize {size}\n");
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
    let ascii = folder.join("coarse.asc");
    std::fs::write(&ascii, text).map_err(|e| e.to_string())?;
    let n = cells.to_string();
    let options = ["-q", "-a_srs", "EPSG:25832", "-ot", "Float32", "-r", "cubicspline", "-outsize", &n, &n];
    let creation = ["-co", "TILED=YES", "-co", "BIGTIFF=IF_SAFER"];
    measure(Command::new("gdal_translate").args(options).args(creation).args([&ascii, source])).map(|_| ())
}

struct Measured {
    time: Duration,
    peak_mb: u64,
}

/// Runs to the end; the peak of resident memory is read from /proc while it runs.
fn measure(command: &mut Command) -> Result<Measured, String> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn().map_err(|e| format!("{command:?}: {e}"))?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_kb = 0;
    loop {
        if let Ok(text) = std::fs::read_to_string(&status_file) {
            let line = text.lines().find(|l| l.starts_with("VmHWM:"));
            let kb = line.and_then(|l| l.split_whitespace().nth(1)).and_then(|n| n.parse().ok()).unwrap_or(0);
            peak_kb = u64::max(peak_kb, kb);
        }
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) if status.success() => break,
            Some(status) => return Err(format!("{command:?} ended with {status}")),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    Ok(Measured { time: start.elapsed(), peak_mb: peak_kb / 1024 })
}

fn report(job: &str, ours: &Measured, theirs: &Measured) {
    let (a, b) = (ours.time.as_secs_f64(), theirs.time.as_secs_f64());
    println!(
        "{job}: couloir {a:.1} s, {} MB; gdalwarp {b:.1} s, {} MB; ratio {:.2}",
        ours.peak_mb,
        theirs.peak_mb,
        a / b
    );
}

/// Compares nine windows; both files have the same grid.
fn compare(ours: &Path, theirs: &Path) -> Result<(), String> {
    let extent = raster::info(ours).map_err(|e| e.message)?.extent.ok_or("no extent")?;
    let (mut worst, mut count): (f64, usize) = (0.0, 0);
    for k in 0..9 {
        let (i, j) = (f64::from(k % 3), f64::from(k / 3));
        let (x, y) = (extent.west + (0.2 + 0.3 * i) * extent.width(), extent.south + (0.2 + 0.3 * j) * extent.height());
        let options = ReadRaster { window: Some(Bounds::new(x, y, x + 500.0, y + 500.0)), ..Default::default() };
        let a = raster::read(ours, &options).map_err(|e| e.message)?;
        let b = raster::read(theirs, &options).map_err(|e| e.message)?;
        if a.field.lattice != b.field.lattice {
            return Err("the two grids differ".into());
        }
        for (a, b) in a.field.values.iter().zip(&b.field.values).filter(|(a, b)| a.is_finite() && b.is_finite()) {
            worst = worst.max((a - b).abs());
            count += 1;
        }
    }
    println!("largest difference of {count} heights compared: {worst:e} m");
    Ok(())
}
