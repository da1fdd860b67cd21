//! The hash of what was read, whichever file it came from: two runs on the same numbers are the same run, and two on
//! different ones are not, however the numbers hide behind VRT files, companions, archives or databases.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files::hash::hexadecimal;
use crate::geo::raster::Raster;
use crate::geo::vector::{Feature, Value, VectorLayer};
use crate::terrain::Lattice;
use geo::{CoordsIter, Geometry};

/// What was read for one key of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsRead {
    /// What it is for, e.g. `terrain` or `release[0]`.
    pub role: String,
    /// The file as the project names it.
    pub source: String,
    /// Of heights, values or features as they are used.
    pub sha256: String,
}

impl AsRead {
    pub(crate) fn new(role: &str, source: &str, sha256: String) -> Self {
        Self { role: role.into(), source: source.into(), sha256 }
    }

    /// For people: `terrain 'dem.vrt'`.
    pub(crate) fn label(&self) -> String {
        format!("{} '{}'", self.role, self.source)
    }
}

/// Heights, their places and their CRS.
pub(crate) fn dem(raster: &Raster) -> String {
    let mut hash = Sha256::new();
    hash.update(raster.crs.definition());
    lattice(&mut hash, &raster.field.lattice);
    hash.update(numbers(&raster.field.values, |value| value.to_bits().to_le_bytes()));
    hexadecimal(&hash.finalize())
}

/// A parameter's values at the nodes of the DEM.
pub(crate) fn values(values: &[f32]) -> String {
    let mut hash = Sha256::new();
    hash.update(numbers(values, |value| value.to_bits().to_le_bytes()));
    hexadecimal(&hash.finalize())
}

/// Every feature of a layer in the project CRS: number, vertices, heights, attributes.
pub(crate) fn layer(layer: &VectorLayer) -> String {
    let mut hash = Sha256::new();
    for feature in &layer.features {
        self::feature(&mut hash, feature);
    }
    hexadecimal(&hash.finalize())
}

/// Pieces of a fixed size are hashed side by side: large DEMs take no noticeable time.
fn numbers<T: Copy + Sync, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N] + Sync) -> Vec<u8> {
    const PIECE: usize = 1 << 16;
    let piece = |values: &[T]| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| bytes(*value)).collect();
        Sha256::digest(bytes).to_vec()
    };
    values.par_chunks(PIECE).map(piece).collect::<Vec<_>>().concat()
}

fn lattice(hash: &mut Sha256, lattice: &Lattice) {
    let Lattice { nx, ny, x0, y0, dx, dy } = *lattice;
    for count in [nx, ny] {
        hash.update((count as u64).to_le_bytes());
    }
    for place in [x0, y0, dx, dy] {
        hash.update(place.to_bits().to_le_bytes());
    }
}

fn feature(hash: &mut Sha256, feature: &Feature) {
    hash.update(feature.id.to_le_bytes());
    geometry(hash, &feature.geometry);
    let heights = feature.z.as_deref().unwrap_or_default();
    hash.update((heights.len() as u64).to_le_bytes());
    heights.iter().for_each(|z| hash.update(z.to_bits().to_le_bytes()));
    for (name, value) in &feature.attributes {
        text(hash, name);
        match value {
            Value::Null => hash.update([0]),
            Value::Integer(number) => hash.update([[1].as_slice(), &number.to_le_bytes()].concat()),
            Value::Real(number) => hash.update([[2].as_slice(), &number.to_bits().to_le_bytes()].concat()),
            Value::Text(words) => {
                hash.update([3]);
                text(hash, words);
            }
        }
    }
}

/// The vertices, and how they are divided into parts and rings.
fn geometry(hash: &mut Sha256, shape: &Geometry<f64>) {
    let ring = |hash: &mut Sha256, line: &geo::LineString<f64>| hash.update((line.0.len() as u64).to_le_bytes());
    let polygon = |hash: &mut Sha256, polygon: &geo::Polygon<f64>| {
        hash.update([b'p']);
        ring(hash, polygon.exterior());
        polygon.interiors().iter().for_each(|hole| ring(hash, hole));
    };
    match shape {
        Geometry::LineString(line) => ring(hash, line),
        Geometry::MultiLineString(lines) => lines.iter().for_each(|line| ring(hash, line)),
        Geometry::Polygon(one) => polygon(hash, one),
        Geometry::MultiPolygon(all) => all.iter().for_each(|one| polygon(hash, one)),
        Geometry::GeometryCollection(all) => all.iter().for_each(|one| geometry(hash, one)),
        _ => {}
    }
    for place in shape.coords_iter() {
        hash.update(place.x.to_bits().to_le_bytes());
        hash.update(place.y.to_bits().to_le_bytes());
    }
}

fn text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a table or a rock takes from a feature counts: its number, too, which stands in every row.
    #[test]
    fn a_layer_is_known_by_all_that_is_used_of_its_features() {
        let crs = crate::geo::Crs::from_epsg(2056).unwrap();
        let one = |id: i64, x: f64, z: f64, mass: f64| {
            let attributes = [("mass".to_string(), Value::Real(mass))].into();
            let feature = Feature { id, geometry: geo::Point::new(x, 2.0).into(), z: Some(vec![z]), attributes };
            let (features, fields, warnings) = (vec![feature], Vec::new(), Vec::new());
            layer(&VectorLayer {
                name: "x".into(),
                features,
                source_crs: crs.clone(),
                crs: crs.clone(),
                fields,
                warnings,
            })
        };
        let first = one(1, 5.0, 3.0, 700.0);
        assert_eq!(first, one(1, 5.0, 3.0, 700.0));
        let others =
            [one(2, 5.0, 3.0, 700.0), one(1, 5.1, 3.0, 700.0), one(1, 5.0, 3.1, 700.0), one(1, 5.0, 3.0, 701.0)];
        assert!(others.iter().all(|other| *other != first), "{others:?}");
    }
}
