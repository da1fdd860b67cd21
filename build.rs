//! Links the system PROJ: the one GDAL already uses, so that one process never holds two.

fn main() {
    if let Err(error) = pkg_config::Config::new().atleast_version("8.2").probe("proj") {
        panic!(
            "PROJ >= 8.2 was not found by pkg-config ({error}). Install it with \
             `apt-get install pkg-config libproj-dev libgdal-dev`, `brew install pkg-config proj gdal`, \
             `dnf install pkgconf proj-devel gdal-devel` or `conda install -c conda-forge pkg-config proj libgdal`."
        );
    }
}
