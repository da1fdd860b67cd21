//! Reading and writing rasters.

use couloir::geo::write_raster::{self, Band, BandData, WriteRaster};
use couloir::geo::{Crs, raster};
use couloir::terrain::Lattice;

/// A plane whose height at any point is known.
fn plane(x: f64, y: f64) -> f64 {
    500.0 + 0.25 * (x - 2_600_000.0) - 0.5 * (y - 1_200_000.0)
}

fn lattice() -> Lattice {
    Lattice { nx: 30, ny: 20, x0: 2_600_001.0, y0: 1_200_001.5, dx: 2.0, dy: 3.0 }
}

fn plane_on(lattice: &Lattice) -> Vec<f64> {
    (0..lattice.len())
        .map(|k| {
            let (x, y) = lattice.centre(k % lattice.nx, k / lattice.nx);
            plane(x, y)
        })
        .collect()
}

#[test]
fn a_written_raster_is_read_back_cell_by_cell() {
    let folder = tempfile::tempdir().unwrap();
    for (name, cog) in [("plain.tif", false), ("cog.tif", true)] {
        let path = folder.path().join(name);
        let lattice = lattice();
        let mut values = plane_on(&lattice);
        values[7] = f64::NAN;
        let band = Band { description: "height", unit: "m", data: BandData::F64(&values), nodata: -9999.0 };
        let crs = Crs::from_user("EPSG:2056").unwrap();
        write_raster::write(&path, &lattice, &crs, &[band], &WriteRaster { cog, overviews: false }).unwrap();
        let raster = raster::read_dem(&path, &Default::default()).unwrap();
        assert_eq!(raster.field.lattice, lattice);
        assert_eq!(raster.nodata_cells, 1);
        assert!(raster.field.values[7].is_nan());
        assert!(raster.crs.same_as(&crs));
        for (k, (a, b)) in raster.field.values.iter().zip(&values).enumerate() {
            assert!(k == 7 || a == b, "cell {k}: {a} instead of {b}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "leftovers");
}
