//! Polygons of where a field exceeds one half (marching squares), simplified to the cell size.

use std::collections::BTreeMap;

use couloir::terrain::grid::Field;
use geo::{Area, Contains, Coord, LineString, Point, Polygon, Simplify};

/// The polygons (with holes) where `field` > 0.5 that are larger than `min_area_m2`.
pub fn polygons(field: &Field<f64>, min_area_m2: f64) -> Vec<Polygon<f64>> {
    let rings = rings(field);
    let as_polygon = |ring: &LineString<f64>| Polygon::new(ring.clone(), Vec::new());
    // Inside lies to the left: outlines run anticlockwise, holes clockwise.
    let (outlines, holes): (Vec<_>, Vec<_>) = rings.into_iter().partition(|ring| as_polygon(ring).signed_area() > 0.0);
    let mut outlines: Vec<Polygon<f64>> = outlines.iter().map(as_polygon).collect();
    outlines.sort_by(|a, b| a.unsigned_area().total_cmp(&b.unsigned_area()));
    for hole in holes.into_iter().filter(|hole| as_polygon(hole).unsigned_area() > min_area_m2) {
        let start = Point::from(hole.0[0]);
        if let Some(outline) = outlines.iter_mut().find(|outline| outline.contains(&start)) {
            outline.interiors_push(hole);
        }
    }
    let tolerance = 0.6 * field.lattice.dx;
    let mut polygons: Vec<Polygon<f64>> =
        outlines.iter().filter(|p| p.unsigned_area() > min_area_m2).map(|p| p.simplify(tolerance)).collect();
    polygons.reverse();
    polygons
}

/// Closed level lines, inside to the left. Beyond the rim the field counts as 0, so that every line closes.
fn rings(field: &Field<f64>) -> Vec<LineString<f64>> {
    let lattice = field.lattice;
    let (width, height) = (lattice.nx as i64 + 2, lattice.ny as i64 + 2);
    let value = |i: i64, j: i64| {
        let inside = i > 0 && j > 0 && i < width - 1 && j < height - 1;
        if inside { field.values[(j - 1) as usize * lattice.nx + (i - 1) as usize] } else { 0.0 }
    };
    // Edges of the squares: 2 × node for the one to the east of a node, + 1 for the one to the north.
    let (mut next, mut place) = (BTreeMap::new(), BTreeMap::new());
    for j in 0..height - 1 {
        for i in 0..width - 1 {
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            let edges =
                [2 * (j * width + i), 2 * (j * width + i + 1) + 1, 2 * ((j + 1) * width + i), 2 * (j * width + i) + 1];
            let inside = corners.map(|(i, j)| value(i, j) > 0.5);
            // Going round anticlockwise, a line enters the square where we step out of the inside …
            let mut entries: Vec<usize> = (0..4).filter(|&k| inside[k] && !inside[(k + 1) % 4]).collect();
            let saddle_joined = corners.iter().map(|&(i, j)| value(i, j)).sum::<f64>() > 2.0;
            entries.reverse();
            for &entry in &entries {
                // … and leaves where we step back in: before the entry, or after it if a saddle's middle is inside.
                let step = |k: usize| if saddle_joined { (entry + k) % 4 } else { (entry + 4 - k) % 4 };
                let exit = (1..4).map(step).find(|&k| !inside[k] && inside[(k + 1) % 4]);
                if let Some(exit) = exit {
                    next.insert(edges[entry], edges[exit]);
                    for k in [entry, exit] {
                        let (a, b) = (corners[k], corners[(k + 1) % 4]);
                        place.entry(edges[k]).or_insert_with(|| {
                            let (va, vb) = (value(a.0, a.1), value(b.0, b.1));
                            let w = (0.5 - va) / (vb - va);
                            Coord {
                                x: lattice.x0 + (a.0 as f64 - 1.0 + w * (b.0 - a.0) as f64) * lattice.dx,
                                y: lattice.y0 + (a.1 as f64 - 1.0 + w * (b.1 - a.1) as f64) * lattice.dy,
                            }
                        });
                    }
                }
            }
        }
    }
    let mut rings = Vec::new();
    while let Some((&first, _)) = next.first_key_value() {
        let (mut ring, mut edge) = (Vec::new(), first);
        while let Some(following) = next.remove(&edge) {
            ring.push(place[&edge]);
            edge = following;
        }
        ring.push(ring[0]);
        if ring.len() > 4 {
            rings.push(LineString(ring));
        }
    }
    rings
}
