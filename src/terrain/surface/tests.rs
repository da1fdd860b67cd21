use super::*;
use crate::terrain::ContactFrame;
use nalgebra::Matrix3;

fn surface(nx: usize, ny: usize, height: impl Fn(f64, f64) -> f64) -> Surface {
    let lattice = Lattice { nx, ny, x0: 2_600_000.0, y0: 1_200_000.0, dx: 2.0, dy: 0.5 };
    let values = (0..nx * ny).map(|k| height((k % nx) as f64 * 2.0, (k / nx) as f64 * 0.5)).collect();
    Surface::new(Field { lattice, values }).unwrap()
}

/// A bilinear function is reproduced with its gradient, also at the nodes and on the far edges.
#[test]
fn bilinear_heights_and_slopes_are_exact() {
    let s = surface(5, 4, |x, y| 100.0 + 0.5 * x - 0.25 * y + 0.125 * x * y);
    for (x, y) in [(0.0, 0.0), (8.0, 1.5), (3.3, 0.7), (2.0, 0.5), (7.99, 1.49)] {
        let spot = s.spot(x, y).unwrap();
        assert!((spot.height - (100.0 + 0.5 * x - 0.25 * y + 0.125 * x * y)).abs() < 1e-12);
        assert!((spot.slope_x - (0.5 + 0.125 * y)).abs() < 1e-12, "{spot:?}");
        assert!((spot.slope_y - (-0.25 + 0.125 * x)).abs() < 1e-12, "{spot:?}");
        let frame = ContactFrame::from_normal(&spot.normal());
        let unit = frame.axes.transpose() * frame.axes - Matrix3::identity();
        assert!(unit.norm() < 1e-14 && (frame.axes.determinant() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn outside_and_nodata_have_no_ground() {
    let s = surface(5, 4, |x, y| if x == 8.0 && y == 1.5 { f64::NAN } else { 1.0 });
    assert_eq!(s.locate(-1e-9, 0.0), Where::Outside);
    assert_eq!(s.locate(8.0 + 1e-9, 0.0), Where::Outside);
    assert_eq!(s.locate(f64::NAN, 0.0), Where::Outside);
    assert_eq!(s.locate(7.0, 1.2), Where::Nodata);
    assert_eq!(s.locate(6.0, 1.5), Where::Nodata, "on the edge of a cell with a missing corner");
    assert_eq!(s.locate(5.9, 1.2), Where::OnTerrain);
    assert!(s.height(7.0, 1.2).is_none());
}

#[test]
fn an_empty_or_missing_terrain_is_refused() {
    let lattice = Lattice { nx: 2, ny: 2, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
    assert!(Surface::new(Field { lattice, values: vec![f64::NAN; 4] }).is_err());
    assert!(Surface::new(Field { lattice: Lattice { nx: 1, ..lattice }, values: vec![0.0; 2] }).is_err());
    assert!(Surface::new(Field { lattice: Lattice { dx: 0.0, ..lattice }, values: vec![0.0; 4] }).is_err());
}
