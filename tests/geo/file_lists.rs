//! Every file a dataset draws on is found, and hashed wherever it lies.

use std::path::Path;

use couloir::geo::file_list::{files_of, hash};
use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};

use crate::support::{ANYWHERE, crs, text_file};

fn listed(path: &Path) -> Vec<String> {
    files_of(path).iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

fn points(path: &Path, format: Format) {
    let mut writer = VectorWriter::create(path, format, "p", &crs(ANYWHERE), GeometryKind::Point3D, &[]).unwrap();
    writer.write([1.0, 2.0, 3.0], &[]).unwrap();
    writer.finish().unwrap();
}

#[test]
fn companions_sources_folders_and_journals_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    points(&at("p.shp"), Format::Shapefile);
    std::fs::write(at("p.qix"), "SQT\u{1}\u{1}\0\0\0").unwrap();
    let files = listed(&at("p.shp"));
    assert_eq!(files[0], "p.shp");
    for ending in ["shx", "dbf", "prj", "cpg", "qix"] {
        assert!(files.contains(&format!("p.{ending}")), "{ending} is not among {files:?}");
    }
    points(&at("p.gpkg"), Format::GeoPackage);
    assert_eq!(listed(&at("p.gpkg")), ["p.gpkg"]);
    for ending in ["-wal", "-journal"] {
        let path = at(&format!("p.gpkg{ending}"));
        std::fs::write(&path, "").unwrap();
        assert!(listed(&at("p.gpkg")).contains(&format!("p.gpkg{ending}")));
        std::fs::remove_file(path).unwrap();
    }
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").unwrap();
    driver.create_with_band_type::<f64, _>(at("dem.tif"), 40, 30, 1).unwrap().close().unwrap();
    text_file(folder.path(), "dem.tfw", "2\n0\n0\n-2\n2600001\n1200059\n");
    text_file(folder.path(), "dem.tif.aux.xml", "<PAMDataset><SRS>EPSG:2056</SRS></PAMDataset>");
    let vrt = |source: &str| {
        format!(
            "<VRTDataset rasterXSize=\"40\" rasterYSize=\"30\"><VRTRasterBand dataType=\"Float64\" band=\"1\"><SimpleSource>\
             <SourceFilename relativeToVRT=\"1\">{source}</SourceFilename><SourceBand>1</SourceBand></SimpleSource>\
             </VRTRasterBand></VRTDataset>"
        )
    };
    text_file(folder.path(), "inner.vrt", &vrt("dem.tif"));
    let outer = text_file(folder.path(), "outer.vrt", &vrt("inner.vrt"));
    let mut files = listed(&outer);
    assert_eq!(files[0], "outer.vrt");
    files.sort();
    assert_eq!(files, ["dem.tfw", "dem.tif", "dem.tif.aux.xml", "inner.vrt", "outer.vrt"]);
    let layer = "<OGRVRTDataSource><OGRVRTLayer name=\"p\"><SrcDataSource relativeToVRT=\"1\">p.shp</SrcDataSource></OGRVRTLayer>\
                 </OGRVRTDataSource>";
    let files = listed(&text_file(folder.path(), "layer.vrt", layer));
    assert!(["layer.vrt", "p.shp", "p.dbf"].iter().all(|name| files.contains(&name.to_string())), "{files:?}");
    let grid = at("grid");
    std::fs::create_dir_all(grid.join("below")).unwrap();
    for name in ["b.adf", "a.adf", "x.lock", "below/c"] {
        std::fs::write(grid.join(name), name).unwrap();
    }
    assert_eq!(listed(&grid), ["a.adf", "b.adf", "c"]);
}

#[test]
fn files_in_archives_are_hashed_as_if_they_lay_there() {
    let folder = tempfile::tempdir().unwrap();
    let plain = text_file(folder.path(), "a.txt", "what is in it");
    let inside = format!("/vsizip/{}/a.txt", folder.path().join("a.zip").display());
    let name = std::ffi::CString::new(inside.clone()).unwrap();
    couloir::geo::gdal_glue::init();
    unsafe {
        let file = gdal_sys::VSIFOpenL(name.as_ptr(), c"wb".as_ptr());
        gdal_sys::VSIFWriteL(c"what is in it".as_ptr().cast(), 1, 13, file);
        gdal_sys::VSIFCloseL(file);
    }
    assert_eq!(hash(Path::new(&inside)).unwrap(), hash(&plain).unwrap());
    assert_eq!(hash(&plain).unwrap().0, 13);
    assert!(hash(Path::new(&inside.replace("a.txt", "b.txt"))).is_err());
}
