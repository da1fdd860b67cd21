use super::*;
use crate::terrain::ContactFrame;
use crate::terrain::blocks::{BlockCache, Blocks, Values};
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

/// In blocks, with a window at hand or without, and from whichever frame: the heights are those of the whole, inside the window, on its border,
/// beyond it, beside holes and beyond the terrain.
#[test]
fn a_window_shows_the_same_heights_as_the_whole() {
    let (nx, ny) = (900, 700);
    let lattice = Lattice { nx, ny, x0: 2_600_001.0, y0: 1_200_001.0, dx: 2.0, dy: 2.0 };
    let height = move |k: usize| {
        let (column, row) = (k % nx, k / nx);
        if (column / 9 + row / 7) % 23 == 0 { f64::NAN } else { (column * 31 + row * 17) as f64 * 0.125 }
    };
    let values: Vec<f64> = (0..nx * ny).map(height).collect();
    let whole = Surface::new(Field { lattice, values }).unwrap();
    let load = move |columns: Range<usize>, rows: Range<usize>| {
        let row = |row: usize| columns.clone().map(move |column| height(row * nx + column)).collect::<Vec<_>>();
        Ok(Values::packed(rows.flat_map(row).collect()))
    };
    let blocks = Arc::new(Blocks::new(lattice, &Arc::new(BlockCache::new(1 << 30)), load));
    let on_demand = Surface::in_blocks(blocks).unwrap();
    // One missing corner is as good as four.
    let bits = |heights: [f64; 4]| {
        heights.map(|height| if heights.iter().any(|h| h.is_nan()) { u64::MAX } else { height.to_bits() })
    };
    for (x, y) in [(2_600_700.0, 1_200_900.0), (2_600_002.0, 1_200_003.0), (2_601_797.0, 1_201_390.0)] {
        let frame = lattice.frame(x, y);
        let (seen, plain) = (whole.seen_from(&frame), on_demand.seen_from(&frame));
        let (local_x, local_y) = frame.local(x, y);
        let windowed = plain.clone().with_window(local_x, local_y);
        assert!(!windowed.values.is_empty() && plain.values.is_empty());
        let (column, row) = ((local_x / 2.0) as i64, (local_y / 2.0) as i64);
        for by_x in (-420..420).step_by(3) {
            for by_y in (-420..420).step_by(7) {
                let (k, l) = ((column + by_x) as usize, (row + by_y) as usize);
                let expected = bits(seen.corners(k, l));
                assert_eq!(bits(windowed.corners(k, l)), expected, "{by_x} {by_y} of ({x}, {y})");
                assert_eq!(bits(plain.corners(k, l)), expected, "{by_x} {by_y} of ({x}, {y}), without a window");
                let one = |surface: &Surface| bits([surface.node_height(k, l); 4])[0];
                assert_eq!([one(&windowed), one(&plain)], [one(&seen); 2], "{by_x} {by_y} of ({x}, {y}), one");
                let known = |surface: &Surface| bits([surface.known_height(column + by_x, row + by_y); 4])[0];
                assert_eq!([known(&windowed), known(&plain)], [known(&seen); 2], "{by_x} {by_y} of ({x}, {y}), known");
            }
        }
    }
}
