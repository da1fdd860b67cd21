//! Inputs that ask for more than there is: memory, threads, time, an end. Each is refused by a sentence or served with
//! less, and nothing waits for ever: a command that takes minutes here counts as hanging.

use std::ffi::CString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output};

use crate::fixture::{Case, LATTICE, PROJECT, collection, one_sentence, slope};

const COULOIR: &str = env!("CARGO_BIN_EXE_couloir");

/// A shell line in the case's folder; `couloir` is the program. What hangs ends with exit code 124.
fn shell(case: &Case, line: &str) -> Output {
    let line = format!("couloir() {{ timeout 120 '{COULOIR}' \"$@\"; }}; {line}");
    Command::new("bash").args(["-c", &line]).current_dir(case.path("")).output().unwrap()
}

/// `check` and `run` both refuse the project with the same one sentence; `run` leaves nothing behind.
#[track_caller]
fn both_refuse(case: &Case, parts: &[&str]) {
    let checked = shell(case, "couloir check project.yaml");
    one_sentence(&checked, 3, parts);
    let run = shell(case, "couloir run project.yaml --out out");
    one_sentence(&run, 3, parts);
    assert_eq!(String::from_utf8_lossy(&checked.stderr), String::from_utf8_lossy(&run.stderr));
    assert!(!case.path("out").exists());
}

fn make_fifo(path: &Path) {
    let name = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: the name lives until the call returns.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
}

const LINE: &str = "lines:\n  - name: road\n    source: {file: road.geojson}\n";

fn with_line(end: &str) -> Case {
    let case = Case::new();
    let line = format!("{{\"type\": \"LineString\", \"coordinates\": [[2600010, 1200030], {end}]}}");
    case.text("road.geojson", &collection(&line, "")).add(LINE);
    case
}

#[test]
fn a_writer_that_is_full_or_gone_does_not_end_a_run() {
    let case = Case::new();
    let warned = "ground:\n  mu_min: 0.01\n";
    case.add(warned);
    assert_eq!(shell(&case, "couloir run project.yaml --out full 2> /dev/full").status.code(), Some(0));
    // The reader is gone before the run ends.
    let gone = "{ couloir run project.yaml --out gone > /dev/null; echo $? > code; } 2> >(exec true); cat code";
    assert_eq!(String::from_utf8_lossy(&shell(&case, gone).stdout).trim(), "0");
    for name in ["full", "gone"] {
        assert!(case.path(name).join("report.html").is_file(), "{name}");
    }
    assert_eq!(shell(&case, "couloir check none.yaml 2> /dev/full").status.code(), Some(3));
    assert_eq!(shell(&case, "couloir check none.yaml 2>&-").status.code(), Some(3));
    one_sentence(&shell(&case, "couloir check project.yaml > /dev/full"), 1, &["the output cannot be written"]);
    one_sentence(&shell(&case, "couloir validate --list > /dev/full"), 1, &["the output cannot be written"]);
    assert_eq!(shell(&case, "couloir check project.yaml >&-").status.code(), Some(0));
}

#[test]
fn numbers_on_the_command_line_that_are_none_are_refused() {
    let case = Case::new();
    for wrong in ["nan", "inf", "-inf", "-1", "1e308", "0", "1e-320", "five"] {
        let output = shell(&case, &format!("couloir run project.yaml --out out --checkpoint-every={wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}: {output:?}");
    }
    let rock = |option: &str| shell(&case, &format!("couloir rocks cube {option}"));
    for option in ["--mass-kg=nan", "--volume-m3=inf", "--axes-m 1,nan,1", "--density-kg-m3=-1", "--mass-kg=1e-320"] {
        one_sentence(&rock(option), 3, &[]);
    }
    for option in ["--cell nan", "--cell=-1", "--cell 1e-9", "--cell 1e308", "--buffer nan", "--buffer inf"] {
        one_sentence(&shell(&case, &format!("couloir prepare --dem dem.tif --out site {option}")), 3, &[]);
    }
    for option in ["--cell nan", "--cell 0", "--cell 1e-12", "--cell 1e308"] {
        one_sentence(&shell(&case, &format!("couloir reproject dem.tif x.tif --crs EPSG:21781 {option}")), 3, &[]);
    }
    assert!(!case.path("out").exists() && !case.path("site").exists() && !case.path("x.tif").exists());
}

#[test]
fn tiny_segments_and_far_vertices_of_a_line() {
    let near = "[2600060, 1200030]";
    for tiny in ["1e-320", "1e-9", "0"] {
        let case = with_line(near);
        case.add(&format!("    segment_m: {tiny}\n"));
        both_refuse(&case, &["lines[0].segment_m", "expected a number ≥ 0.01"]);
    }
    for far in ["[1e308, 1200030]", "[2600060, -1e308]", "[1e12, 1e12]"] {
        both_refuse(&with_line(far), &["lines[0].source", "road.geojson"]);
    }
    let long = with_line("[9e8, 1200030]");
    long.add("    segment_m: 0.01\n");
    let refused = shell(&long, "couloir run project.yaml --out out");
    assert!(refused.status.code() == Some(3) && !case_panicked(&refused), "{refused:?}");
}

fn case_panicked(output: &Output) -> bool {
    let text = String::from_utf8_lossy(&output.stderr);
    text.contains("panicked") || text.contains("couloir made a mistake")
}

#[test]
fn what_a_line_cannot_be_dimensioned_with_is_said_before_simulating() {
    let case = with_line("[2600060, 1200030]");
    case.add("    dimensioning: {factors: {gamma_nothing: 1.2}}\n");
    both_refuse(&case, &["lines[0].dimensioning.factors", "gamma_nothing", "is no factor of UNI 11211-4"]);
}

#[test]
fn more_release_positions_than_memory_holds() {
    for (placement, parts) in [
        ("{count: 1000000000}", ["release[0].placement", "10000000"]),
        ("{grid_m: 0.001}", ["release[0].placement", "expected at most 10000000 in all"]),
        ("{grid_m: 1.0e-9}", ["release[0].placement", "expected a number ≥ 0.001"]),
        ("{per_hectare: 100000000000}", ["release[0].placement", "per_hectare"]),
    ] {
        let case = Case::new();
        case.change("    rocks_per_position: 1", &format!("    placement: {placement}"));
        both_refuse(&case, &parts);
    }
}

/// A container ends what takes more without a word: positions are not even drawn.
#[test]
fn positions_within_the_limit_for_which_there_is_no_memory() {
    let case = Case::new();
    case.change("    rocks_per_position: 1", "    placement: {count: 9000000}");
    let limited = shell(&case, "ulimit -v 700000; couloir check project.yaml");
    one_sentence(&limited, 3, &["release[0].placement", "9000000 release positions", "memory can be had for"]);
}

#[test]
fn aliases_that_unfold_to_gigabytes_of_text() {
    let long = "x".repeat(600_000);
    for anchor in [format!("\"{long}\""), format!("[\"{long}\"]"), format!("{{a: &b \"{long}\", c: [*b]}}")] {
        let aliases = vec!["*a"; 60_000].join(", ");
        let case = Case::new();
        case.text("project.yaml", &format!("title: &a {anchor}\nrocks: [{aliases}]\n{PROJECT}"));
        one_sentence(&shell(&case, "ulimit -v 2000000; couloir check project.yaml"), 3, &["project.yaml:1", "unfolds"]);
        case.text("project.yaml", PROJECT).text("scheme.yaml", &format!("name: &a {anchor}\nmatrix: [[{aliases}]]\n"));
        case.add("classification: {scheme: scheme.yaml}\n");
        one_sentence(&shell(&case, "ulimit -v 2000000; couloir check project.yaml"), 3, &["scheme.yaml:1", "unfolds"]);
    }
}

#[test]
fn more_threads_than_the_machine_can_use() {
    let case = Case::new();
    let most = 4 * std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [most + 1, 65_535] {
        let output = shell(&case, &format!("couloir run project.yaml --out out --threads {threads}"));
        one_sentence(&output, 2, &["--threads", &format!("at most {most}"), "--force"]);
    }
    case.add("threads: 4096\n");
    both_refuse(&case, &["project.yaml:13", "threads", "4096", "--force"]);
    let insisted = shell(&case, &format!("couloir run project.yaml --out out --threads {} --force", most + 1));
    assert!(insisted.status.success(), "{insisted:?}");
}

/// Whoever may start no thread at all still gets the same results.
#[test]
fn no_thread_can_be_started() {
    let case = Case::new();
    assert!(shell(&case, "couloir run project.yaml --out with").status.success());
    // Root may start as many as it likes: so the program runs as somebody else, from where everybody may read it.
    fs::copy(COULOIR, case.path("couloir")).unwrap();
    fs::set_permissions(case.path(""), fs::Permissions::from_mode(0o777)).unwrap();
    let other = |line: &str| {
        // SAFETY: asks for a number.
        let drop =
            if unsafe { libc::geteuid() } == 0 { "setpriv --reuid=61234 --regid=61234 --clear-groups" } else { "env" };
        let line = format!("ulimit -u 1; exec {drop} ./couloir {line}");
        Command::new("bash").args(["-c", &line]).current_dir(case.path("")).output().unwrap()
    };
    let output = other("run project.yaml --out without --threads 2");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for layer in fs::read_dir(case.path("with/layers")).unwrap() {
        let layer = layer.unwrap();
        let same = fs::read(case.path("without/layers").join(layer.file_name())).unwrap();
        assert!(fs::read(layer.path()).unwrap() == same, "{:?}", layer.file_name());
    }
    // GDAL waits for ever for threads it cannot start.
    for line in [
        "reproject dem.tif moved.tif --crs EPSG:21781",
        "clip dem.tif cut.tif --extent 2600010,1200010,2600050,1200050",
        "prepare --dem dem.tif --out site",
    ] {
        let output = other(line);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_time_step_without_end_does_not_hold_up_check() {
    let case = Case::new();
    case.change("  max_time_s: 1\n", "  max_time_s: 100000\n").add("simulation: {time_step_s: 1.0e-12}\n");
    both_refuse(&case, &["simulation.time_step_s", "expected a number from 0.000001 to 0.1"]);
    // A rock thrown straight up at this step takes hours.
    case.change("1.0e-12", "1.0e-6, stepping: plain");
    case.change(
        "    rocks_per_position: 1\n",
        "    rocks_per_position: 1\n    speed_m_s: 300\n    direction: {vector: [0, 0, 1]}\n",
    );
    let output = shell(&case, "couloir check project.yaml");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("at least"), "{output:?}");
}

/// Opening one waits until somebody writes into it, which nobody does.
#[test]
fn a_pipe_a_socket_or_a_device_is_no_input() {
    let case = Case::new();
    make_fifo(&case.path("fifo"));
    symlink("fifo", case.path("link.tif")).unwrap();
    let _socket = UnixListener::bind(case.path("socket")).unwrap();
    let changed = |name: &str, kind: &str, old: &str, new: &str| {
        case.text("project.yaml", PROJECT).change(old, new);
        one_sentence(&shell(&case, "couloir check project.yaml"), 3, &[name, kind]);
    };
    for (name, kind) in
        [("fifo", "a named pipe"), ("link.tif", "a named pipe"), ("socket", "a socket"), ("/dev/zero", "a device")]
    {
        one_sentence(&shell(&case, &format!("couloir check {name}")), 3, &[name, kind]);
        changed(name, kind, "dem.tif", name);
        changed(name, kind, "release.geojson", name);
    }
    let (name, kind) = ("fifo", "a named pipe");
    changed(name, kind, "eota_221", "{file: fifo}");
    changed(name, kind, "stop:", "classification: {scheme: fifo}\nstop:");
    changed(name, kind, "stop:", "ground: {mu_min: {raster: fifo}}\nstop:");
    changed(name, kind, "stop:", "lines: [{name: road, source: {file: fifo}}]\nstop:");
    case.text("project.yaml", PROJECT);
    for line in [
        "prepare --config fifo",
        "prepare --dem fifo --out site",
        "prepare --dem dem.tif --out site --release fifo",
        "prepare --dem dem.tif --out site --aoi fifo",
        "prepare --dem dem.tif --out site --layer ground=dem.tif --class-table fifo",
        "clip fifo x.tif --extent 0,0,1,1",
        "reproject fifo x.tif --crs EPSG:2056",
        "rocks fifo",
    ] {
        one_sentence(&shell(&case, &format!("couloir {line}")), 3, &[name]);
    }
    let piped = shell(&case, "couloir check /dev/stdin < <(exec sleep 5)");
    one_sentence(&piped, 3, &["/dev/stdin", "a named pipe"]);
}

#[test]
fn a_pipe_beside_an_input_is_not_opened() {
    for companion in ["dem.tfw", "dem.tif.aux.xml", "dem.tif.ovr", "dem.prj"] {
        let case = Case::new();
        make_fifo(&case.path(companion));
        both_refuse(&case, &[companion, "a named pipe"]);
    }
    let case = Case::new();
    make_fifo(&case.path("far.tif"));
    let band = "<VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource><SourceFilename relativeToVRT=\"1\">far.tif\
                </SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>";
    case.text("dem.vrt", &format!("<VRTDataset rasterXSize=\"40\" rasterYSize=\"40\">{band}</VRTDataset>"));
    case.change("dem.tif", "dem.vrt");
    both_refuse(&case, &["far.tif", "a named pipe"]);
}

/// The heaps that the C library reserves for threads used it up, and PROJ found no database: "does not say which CRS it is in".
#[test]
fn little_address_space_is_enough_or_called_by_its_name() {
    let case = Case::new();
    for megabytes in [300, 320, 350, 400, 500] {
        let line = format!("ulimit -v {megabytes}000; couloir run project.yaml --threads 2 --out out{megabytes}");
        let run = shell(&case, &line);
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() || said.contains("memory"), "{megabytes} MB: {run:?}");
        assert!(run.status.success() || megabytes < 500, "{run:?}");
    }
}

#[test]
fn a_run_that_cannot_fit_is_refused_before_it_begins() {
    let case = Case::new();
    case.change("rocks_per_position: 1", "rocks_per_position: 1000000000");
    let limited = |line: &str| shell(&case, &format!("ulimit -v 1500000; {line}"));
    one_sentence(&limited("couloir run project.yaml --out out"), 3, &["memory", "ulimit", "--force"]);
    assert!(!case.path("out").exists());
    let checked = limited("couloir check project.yaml");
    assert!(String::from_utf8_lossy(&checked.stdout).contains("GB of memory"), "{checked:?}");
}

#[test]
fn much_nodata_is_spoken_of_and_a_collar_is_no_hole() {
    let case = Case::new();
    let at = |x: f64, y: f64| ((x - 2_600_000.0) / 2.0, (y - 1_200_000.0) / 2.0);
    // A quarter is missing; the release square is at (30, 50) m.
    case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| {
        let (column, row) = at(x, y);
        if column > 20.0 && row < 20.0 { -9999.0 } else { slope(x, y) }
    });
    case.accept(&["warning: terrain.dem:", "of the cells have no height", "missing"]);
    case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| {
        let (column, row) = at(x, y);
        if (column - 20.0).abs() + (row - 20.0).abs() > 21.0 { -9999.0 } else { slope(x, y) }
    });
    case.accept(&["warning: terrain.dem:", "no holes to fill"]);
    case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| {
        let (column, row) = at(x, y);
        if (4.0..9.0).contains(&column) && (4.0..9.0).contains(&row) { -9999.0 } else { slope(x, y) }
    });
    case.accept(&["1 hole inside has no height", "couloir prepare"]);
    case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| {
        let (column, row) = at(x, y);
        if (18.0..20.0).contains(&column) && (28.0..31.0).contains(&row) { -9999.0 } else { slope(x, y) }
    });
    case.accept(&["release features have no height", "fill the holes", "border on cells without height"]);
}

/// A view may be a query that never gives a row, or gives rows for ever; SQLite is made to give up, whoever asked.
#[test]
fn a_geopackage_view_without_end_is_given_up_by_every_verb() {
    use gdal::vector::{LayerAccess, sql::Dialect};
    let case = Case::new();
    assert!(shell(&case, "couloir reproject release.geojson base.gpkg --crs EPSG:2056").status.success());
    let options = gdal::DatasetOptions { open_flags: gdal::GdalOpenFlags::GDAL_OF_UPDATE, ..Default::default() };
    let base = gdal::Dataset::open_ex(case.path("base.gpkg"), options).unwrap();
    let table = base.layer(0).unwrap().name();
    let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)";
    for (name, geometry, rows) in [
        ("silent", format!("(SELECT geom FROM \"{table}\")"), "WHERE x < 0"),
        ("chatty", format!("(SELECT geom FROM \"{table}\")"), ""),
        ("hollow", "NULL".into(), ""),
    ] {
        for sql in [
            format!("CREATE VIEW {name} AS {endless} SELECT x AS fid, {geometry} AS geom FROM c {rows}"),
            format!(
                "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) SELECT '{name}', 'features', '{name}', \
                 srs_id FROM gpkg_contents LIMIT 1"
            ),
            format!(
                "INSERT INTO gpkg_geometry_columns SELECT '{name}', 'geom', geometry_type_name, srs_id, z, m FROM \
                 gpkg_geometry_columns LIMIT 1"
            ),
        ] {
            base.execute_sql(sql, None, Dialect::DEFAULT).unwrap();
        }
    }
    base.close().unwrap();
    for (name, dialect) in [("own.vrt", ""), ("sqlite.vrt", " dialect=\"SQLITE\"")] {
        case.text(
            name,
            &format!(
                "<OGRVRTDataSource><OGRVRTLayer name=\"s\"><SrcDataSource relativeToVRT=\"1\">base.gpkg</SrcDataSource>\
                 <SrcSQL{dialect}>{endless} SELECT x FROM c WHERE x &lt; 0</SrcSQL><LayerSRS>EPSG:2056</LayerSRS>\
                 </OGRVRTLayer></OGRVRTDataSource>"
            ),
        );
    }
    for (name, layer) in [("silent.yaml", "silent"), ("hollow.yaml", "hollow")] {
        let layer = format!("file: base.gpkg|layername={layer}\n      crs: EPSG:2056");
        case.text(name, &PROJECT.replace("file: release.geojson", &layer));
    }
    let before = case.files();
    let refused = [
        "check silent.yaml",
        "run silent.yaml --out run",
        "trace silent.yaml --release 0 --out trace.csv",
        "clip 'base.gpkg|layername=silent' silent.gpkg --extent 2600000,1200000,2600100,1200100",
        "clip dem.tif cut.tif --aoi 'base.gpkg|layername=silent'",
        "reproject 'base.gpkg|layername=chatty' chatty.gpkg --crs EPSG:21781",
        "reproject own.vrt own.gpkg --crs EPSG:21781",
        "reproject sqlite.vrt sqlite.gpkg --crs EPSG:21781",
        "prepare --dem dem.tif --release 'base.gpkg|layername=silent' --out site",
    ];
    // All wait for the same time: at once.
    let outputs: Vec<Output> = std::thread::scope(|scope| {
        let calls: Vec<_> = refused
            .map(|line| {
                let case = &case;
                scope.spawn(move || shell(case, &format!("couloir {line}")))
            })
            .into();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    for (line, output) in refused.iter().zip(&outputs) {
        println!("{line}");
        one_sentence(output, 3, &["query without end"]);
    }
    // Rows without end, but quick: as many as a layer may have.
    one_sentence(&shell(&case, "couloir check hollow.yaml"), 3, &["more than 2000000 features"]);
    assert!(before == case.files(), "files were left behind or changed");
    // What nobody asks for holds nobody up.
    let other = shell(&case, &format!("couloir reproject 'base.gpkg|layername={table}' other.gpkg --crs EPSG:21781"));
    assert!(other.status.success(), "{other:?}");
}
