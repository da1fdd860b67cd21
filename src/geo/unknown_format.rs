//! Files that cannot be opened: damaged, or in a format that is not among those we read.

use std::path::Path;

use super::gdal_glue::shell_quoted;
use crate::Error;

/// Formats people have that are not read (see `lockdown`), by how their files end.
const NOT_READ: [(&str, &str); 22] = [
    ("nc", "netCDF"),
    ("nc4", "netCDF"),
    ("hdf", "HDF"),
    ("h5", "HDF5"),
    ("he5", "HDF5"),
    ("grb", "GRIB"),
    ("grb2", "GRIB"),
    ("grib", "GRIB"),
    ("dem", "USGS DEM"),
    ("ddf", "SDTS"),
    ("ecw", "ECW"),
    ("sid", "MrSID"),
    ("img.gz", "a packed image"),
    ("las", "a point cloud (LAS)"),
    ("laz", "a point cloud (LAZ)"),
    ("gml", "GML"),
    ("xtf", "INTERLIS"),
    ("itf", "INTERLIS"),
    ("dwg", "DWG"),
    ("dgn", "DGN"),
    ("parquet", "GeoParquet"),
    ("osm", "OpenStreetMap"),
];

pub(super) fn raster(path: &Path, because: &str) -> Error {
    let into = path.with_extension("tif");
    let command = format!("gdal_translate {} {}", shell_quoted(path), shell_quoted(&into));
    sentence(path, because, "raster", "GeoTIFF, VRT, ASCII grid and some more", &command)
}

pub(super) fn vector(path: &Path, because: &str) -> Error {
    let into = path.with_extension("gpkg");
    let command = format!("ogr2ogr {} {}", shell_quoted(&into), shell_quoted(path));
    sentence(path, because, "vector file", "GeoPackage, shapefile, GeoJSON and some more", &command)
}

fn sentence(path: &Path, because: &str, what: &str, read: &str, command: &str) -> Error {
    let shown = path.display();
    let name = path.to_string_lossy().to_lowercase();
    let known = NOT_READ.iter().find(|(ending, _)| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')));
    Error::input(match known {
        Some((_, format)) => format!(
            "'{shown}' looks like {format}, which is not among the formats that are read ({read}; docs/formats.md lists all): \
             convert it, e.g. with `{command}`"
        ),
        None => format!(
            "'{shown}' is damaged or not a {what} in a format that is read{because}: copy or export it again as one of those \
             ({read}; docs/formats.md lists all)"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_that_is_not_read_is_named_with_what_to_do() {
        let said = raster(Path::new("my data/heights.nc"), " (why)").message;
        assert!(
            said.contains("netCDF") && said.contains("gdal_translate 'my data/heights.nc' 'my data/heights.tif'"),
            "{said}"
        );
        let said = vector(Path::new("cadastre.GML"), "").message;
        assert!(said.contains("GML,") && said.contains("ogr2ogr cadastre.gpkg cadastre.GML"), "{said}");
        let said = raster(Path::new("dem.tif"), " (why)").message;
        assert!(said.contains("damaged") && said.contains("(why)") && said.contains("docs/formats.md"), "{said}");
    }
}
