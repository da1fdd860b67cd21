//! Zone polygons must be valid, must not overlap, and must leave no gap: judged by GEOS, not by our own code.

use couloir::geo::polygonize::{ZonePolygon, polygonize};
use couloir::hazard::zones;
use couloir::terrain::{Field, Lattice};
use gdal::vector::{Geometry, ToGdal};
use gdal_sys::OGRwkbGeometryType::{wkbGeometryCollection, wkbMultiPolygon, wkbPolygon};

fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

/// Five classes in blobs, with speckles, holes and zones that meet at points.
fn speckled(seed: u64, nx: usize, ny: usize) -> Field<u8> {
    let mut state = seed;
    let blobs: Vec<[f64; 4]> = (0..14)
        .map(|_| {
            [
                random(&mut state) * nx as f64,
                random(&mut state) * ny as f64,
                2.0 + 9.0 * random(&mut state),
                random(&mut state),
            ]
        })
        .collect();
    let lattice = Lattice { nx, ny, x0: 2_600_000.5, y0: 1_200_000.5, dx: 2.0, dy: 2.0 };
    let mut values = vec![0u8; lattice.len()];
    for (cell, value) in values.iter_mut().enumerate() {
        let (x, y) = ((cell % nx) as f64, (cell / nx) as f64);
        for blob in &blobs {
            let ragged = blob[2] + 1.5 * random(&mut state);
            if (x - blob[0]).hypot(y - blob[1]) < ragged {
                *value = (blob[3] * 5.0) as u8;
            }
        }
        if random(&mut state) < 0.05 {
            *value = (random(&mut state) * 5.0) as u8;
        }
    }
    Field { lattice, values }
}

fn ogr(zone: &ZonePolygon) -> Geometry {
    zone.polygon.to_gdal().expect("a polygon of GDAL")
}

/// Zones may share lines and points, which have no area.
fn area_of(shape: &Geometry) -> f64 {
    let surfaces = [wkbPolygon, wkbMultiPolygon, wkbGeometryCollection];
    if surfaces.contains(&shape.geometry_type()) { shape.area() } else { 0.0 }
}

fn cells(raster: &Field<u8>, class: u8) -> f64 {
    raster.values.iter().filter(|&&v| v == class).count() as f64 * raster.lattice.dx * raster.lattice.dy
}

#[test]
fn zones_are_valid_and_neighbours_neither_overlap_nor_leave_gaps() {
    for seed in 1..=12 {
        let (raster, _) = zones::clean(&speckled(seed, 60, 45), 24.0);
        let polygons = polygonize(&raster);
        assert!(polygons.len() > 3, "seed {seed}: the test must see several zones");
        let shapes: Vec<Geometry> = polygons.iter().map(ogr).collect();
        for (zone, shape) in polygons.iter().zip(&shapes) {
            assert!(
                shape.is_valid(),
                "seed {seed}: class {} is not valid: {}",
                zone.class,
                shape.wkt().unwrap_or_default()
            );
        }
        let sum: f64 = shapes.iter().map(Geometry::area).sum();
        let mut all = shapes[0].clone();
        for shape in &shapes[1..] {
            all = all.union(shape).expect("GEOS can join them");
        }
        // Measured: 2e-9 of the area and less, the rounding of coordinates with seven digits before the point.
        assert!((sum - all.area()).abs() < 1e-6 * sum, "seed {seed}: overlap of {} m²", sum - all.area());
        for (i, a) in shapes.iter().enumerate() {
            for b in &shapes[..i] {
                let common = a.intersection(b).map_or(0.0, |shared| area_of(&shared));
                assert!(common < 1e-6, "seed {seed}: two zones share {common} m²");
            }
        }
        // Gaps would be holes of the union that are no patches of class 0.
        let zoned: f64 = (1..=5).map(|class| cells(&raster, class)).sum();
        assert!((sum - zoned).abs() < 0.1 * zoned, "seed {seed}: {sum} m² of polygons for {zoned} m² of cells");
    }
}

#[test]
fn a_zone_that_fills_the_raster_is_a_rectangle_with_rounded_corners() {
    let lattice = Lattice { nx: 20, ny: 10, x0: 5.0, y0: 5.0, dx: 10.0, dy: 10.0 };
    let polygons = polygonize(&Field { lattice, values: vec![1; 200] });
    assert_eq!(polygons.len(), 1);
    let shape = ogr(&polygons[0]);
    assert!(shape.is_valid());
    assert!((shape.area() / 20_000.0 - 1.0).abs() < 0.02, "{}", shape.area());
}

/// A staircase of cells along a slanted line becomes nearly straight: the boundary is at most 5 % longer than the line.
#[test]
fn staircases_become_smooth() {
    let lattice = Lattice { nx: 90, ny: 40, x0: 0.5, y0: 0.5, dx: 1.0, dy: 1.0 };
    let values =
        (0..lattice.len()).map(|cell| u8::from((cell / 90) as f64 <= 2.0 + 0.37 * (cell % 90) as f64)).collect();
    let polygons = polygonize(&Field { lattice, values });
    let exterior = polygons[0].polygon.exterior();
    let slanted =
        exterior.lines().filter(|l| l.start.x.min(l.end.x) > 5.0 && l.start.x.max(l.end.x) < 85.0 && l.start.y > 3.5);
    let (mut length, mut west, mut east) = (0.0, f64::MAX, f64::MIN);
    for line in slanted {
        length += (line.end.x - line.start.x).hypot(line.end.y - line.start.y);
        west = west.min(line.start.x.min(line.end.x));
        east = east.max(line.start.x.max(line.end.x));
    }
    let straight = (east - west) * 1f64.hypot(0.37);
    assert!(length / straight < 1.05, "{length} m along {straight} m");
}

/// No polygon and no hole is smaller than the limit (rounding of corners takes up to a fifth).
#[test]
fn the_smallest_area_is_kept() {
    for seed in 20..26 {
        let (raster, _) = zones::clean(&speckled(seed, 60, 45), 80.0);
        for zone in polygonize(&raster) {
            let area = ogr(&zone).area();
            assert!(area > 0.8 * 80.0, "seed {seed}: class {} with {area} m²", zone.class);
        }
    }
}
