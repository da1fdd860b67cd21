//! Files appear whole or not at all: full disks, missing folders, interrupted writers.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use couloir::Error;
use couloir::files::atomic;
use couloir::geo::vector::{FieldType, Value};
use couloir::geo::write_raster::{Band, BandData, WriteRaster, write};
use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};
use couloir::terrain::Lattice;

use crate::support::{NO_CHILDREN, assert_sentence, crs, layer, names};

/// A file system of a few hundred kilobytes. Mounting needs root, or a name space in which one is.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(folder: &Path) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "couloir-test"])
            .arg(folder)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then(|| Self(folder.to_path_buf()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

/// Runs a test of this binary again through another program; false if that program cannot be used here.
fn again_through(program: &str, arguments: &[&str], test: &str, what: &str) -> bool {
    let usable = Command::new(program).args(arguments).arg("true").output().is_ok_and(|o| o.status.success());
    if usable {
        let mut command = Command::new(program);
        command.args(arguments).arg(std::env::current_exe().unwrap()).args([test, "--exact", "--nocapture"]);
        let output = command.env("COULOIR_TEST_DISK", what).output().unwrap();
        assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
        // A test that ran nothing would pass, too.
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{what}");
    }
    usable
}

/// The words after "cannot be written".
const FULL: &str = "the disk is full";
const LIMIT: &str = "larger than the system allows";

const FORMATS: [Format; 6] =
    [Format::Shapefile, Format::GeoPackage, Format::FlatGeobuf, Format::GeoJson, Format::GeoJsonInCrs, Format::Csv];

/// On a disk of 256 kB: mounted as root, or as anybody in a name space of one's own.
#[test]
fn a_full_disk_gives_the_sentence_and_leaves_nothing_behind() {
    let _alone = NO_CHILDREN.lock();
    let folder = tempfile::tempdir().unwrap();
    if let Some(disk) = SmallDisk::mount(folder.path()) {
        return fill(&disk.0, FULL);
    }
    assert!(std::env::var_os("COULOIR_TEST_DISK").is_none(), "no disk can be mounted in the name space");
    let test = "disk::a_full_disk_gives_the_sentence_and_leaves_nothing_behind";
    if !again_through("unshare", &["--user", "--map-root-user", "--mount"], test, "name space") {
        // Past the harness, which shows words of failed tests only.
        let _ = writeln!(std::io::stderr(), "SKIPPED {test}: neither root nor a user name space, so no small disk");
    }
}

/// The same where no file may be larger than 100 kB, which needs no rights at all.
#[test]
#[cfg(unix)]
fn a_limit_on_file_sizes_gives_a_sentence_and_leaves_nothing_behind() {
    let _alone = NO_CHILDREN.lock();
    if std::env::var_os("COULOIR_TEST_DISK").is_some() {
        couloir::process::interrupt::listen();
        let folder = tempfile::tempdir().unwrap();
        return fill(folder.path(), LIMIT);
    }
    let test = "disk::a_limit_on_file_sizes_gives_a_sentence_and_leaves_nothing_behind";
    // Blocks of 512 bytes for some shells, of 1024 for others.
    assert!(again_through("sh", &["-c", "ulimit -f 100 && exec \"$@\"", "sh"], test, "limit"), "no shell");
}

/// Tries to write too much in every format.
fn fill(disk: &Path, words: &str) {
    let full = |error: Error| assert_sentence(&error, &["cannot be written", words]);

    let lattice = Lattice { nx: 500, ny: 500, x0: 2_600_000.0, y0: 1_200_000.0, dx: 1.0, dy: 1.0 };
    let noise: Vec<f32> = (0..lattice.len() as u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 8) as f32).collect();
    let crs = crs("EPSG:2056");
    for options in [
        WriteRaster { cog: false, overviews: false },
        WriteRaster { cog: false, overviews: true },
        WriteRaster { cog: true, overviews: true },
    ] {
        let band = Band { description: "noise", unit: "", data: BandData::F32(&noise), nodata: -1.0 };
        full(write(&disk.join("noise.tif"), &lattice, &crs, &[band], &options).unwrap_err());
        assert_eq!(names(disk), [""; 0], "{options:?}");
    }
    for format in FORMATS {
        let path = disk.join("tracks").with_extension(format.extension());
        let kind = if format == Format::Csv { GeometryKind::None } else { GeometryKind::LineString3D };
        let result = (|| {
            let fields = [("text", FieldType::Text), ("energy", FieldType::Real)];
            let mut writer = VectorWriter::create(&path, format, "tracks", &crs, kind, &fields)?;
            let values = [Value::Text("a text of some length".into()), Value::Real(1.0 / 3.0)];
            for k in 0..8000 {
                let x = 2_600_000.0 + f64::from(k) / 3.0;
                let line = [[x, 1_200_000.1, 1.0], [x + 0.7, 1_200_001.3, 2.0]];
                match format {
                    Format::Csv => writer.write(couloir::geo::write_vector::Shape::None, &values)?,
                    _ => writer.write(&line[..], &values)?,
                };
            }
            writer.finish()
        })();
        match result {
            Err(error) => full(error),
            Ok(written) => panic!("{format:?}: {written:?}"),
        }
        assert_eq!(names(disk), [""; 0], "{format:?}");
    }
    full(atomic::write_bytes(&disk.join("report.html"), &[b'x'; 400_000]).unwrap_err());
    assert_eq!(names(disk), [""; 0]);
    atomic::write_bytes(&disk.join("small.txt"), b"fits").unwrap();
    assert_eq!(names(disk), ["small.txt"]);
}

#[test]
fn a_failing_writer_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.txt");
    atomic::write_bytes(&path, b"old").unwrap();
    let failure = atomic::write(&path, |temporary| -> couloir::Result<()> {
        std::fs::write(temporary, b"half").unwrap();
        Err(Error::failed(format!("'{}' went wrong", temporary.display())))
    });
    // The sentence speaks of the file the user knows.
    assert_eq!(failure.unwrap_err().message, format!("'{}' went wrong", path.display()));
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["result.txt"]);
    atomic::write_bytes(&path, b"new").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
}

/// A new file takes the name of the old one in an instant: whoever has the old one open, or by another name, keeps it. Writing
/// into the old file, or copying over it, would show half a file in between.
#[test]
#[cfg(unix)]
fn a_new_file_is_renamed_into_place_and_not_copied_over_the_old_one() {
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, kept) = (folder.path().join("result.txt"), folder.path().join("kept.txt"));
    atomic::write_bytes(&path, b"the old bytes").unwrap();
    std::fs::hard_link(&path, &kept).unwrap();
    let mut open = std::fs::File::open(&path).unwrap();
    let mut made = 0;
    atomic::write(&path, |temporary| {
        std::fs::write(temporary, b"new").unwrap();
        made = std::fs::metadata(temporary).unwrap().ino();
        Ok(())
    })
    .unwrap();
    let mut old = String::new();
    open.read_to_string(&mut old).unwrap();
    assert_eq!((old.as_str(), std::fs::read(&kept).unwrap().as_slice()), ("the old bytes", &b"the old bytes"[..]));
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    assert_eq!(std::fs::metadata(&path).unwrap().ino(), made, "the very file that was written");
    // Companions of a shapefile, too.
    let shape = folder.path().join("zones.shp");
    let write = || {
        let kind = GeometryKind::Point3D;
        let mut writer = VectorWriter::create(&shape, Format::Shapefile, "z", &crs("EPSG:2056"), kind, &[]).unwrap();
        writer.write([2_600_000.0, 1_200_000.0, 1.0], &[]).unwrap();
        writer.finish().unwrap();
    };
    write();
    for ending in ["shp", "shx", "dbf"] {
        std::fs::hard_link(shape.with_extension(ending), folder.path().join(ending)).unwrap();
    }
    write();
    for ending in ["shp", "shx", "dbf"] {
        let inode = |path: PathBuf| std::fs::metadata(path).unwrap().ino();
        assert_ne!(inode(shape.with_extension(ending)), inode(folder.path().join(ending)), "{ending}");
    }
}

#[test]
fn a_writer_dropped_half_way_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = folder.path().join("tracks").with_extension(format.extension());
        let mut writer =
            VectorWriter::create(&path, format, "t", &crs("EPSG:2056"), GeometryKind::LineString3D, &[]).unwrap();
        writer.write(&[[2_600_000.0, 1_200_000.0, 1.0], [2_600_001.0, 1_200_000.0, 1.0]][..], &[]).unwrap();
        drop(writer);
        assert_eq!(names(folder.path()), [""; 0], "{format:?}");
    }
}

#[test]
fn missing_and_impossible_places_to_write_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = atomic::write_bytes(&folder.path().join("no/such/file.txt"), b"x").unwrap_err();
    assert_sentence(&error, &["no/such' does not exist"]);
    std::fs::create_dir(folder.path().join("taken.tif")).unwrap();
    let error = atomic::write_bytes(&folder.path().join("taken.tif"), b"x").unwrap_err();
    assert_sentence(&error, &["taken.tif", "is a folder"]);
    std::fs::write(folder.path().join("file"), "x").unwrap();
    let error = atomic::write_bytes(&folder.path().join("file/inner.txt"), b"x").unwrap_err();
    assert_sentence(&error, &["inner.txt", "does not exist"]);
    assert_eq!(names(folder.path()), ["file", "taken.tif"]);
}

#[test]
fn a_new_shapefile_replaces_the_old_one_with_all_its_companions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zones.shp");
    for (features, stale) in [(3, false), (2, true)] {
        if stale {
            std::fs::write(path.with_extension("qix"), "an index of the old file").unwrap();
            std::fs::write(path.with_extension("sbn"), "an index of the old file").unwrap();
        }
        let mut writer =
            VectorWriter::create(&path, Format::Shapefile, "z", &crs("EPSG:2056"), GeometryKind::Point3D, &[]).unwrap();
        for k in 0..features {
            writer.write([2_600_000.0 + f64::from(k), 1_200_000.0, 1.0], &[]).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(names(folder.path()), ["zones.cpg", "zones.dbf", "zones.prj", "zones.shp", "zones.shx"]);
        assert_eq!(layer(path.to_str().unwrap()).unwrap().features.len(), features as usize);
    }
}
