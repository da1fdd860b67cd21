//! What the ground is made of: parameters on the DEM's lattice, by the same interpolation (Leine 2014, §3.2).

use std::sync::Arc;

use super::blocks::{Blocks, View};
use super::frame::Frame;
use super::grid::{Field, Lattice};
use super::relief::Roughness;

/// A parameter that is the same everywhere, or one value per DEM node.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterField {
    /// The same everywhere.
    Constant(f64),
    /// On the DEM's lattice; every value must be finite.
    Field(OnNodes),
}

/// A value for each node of the DEM, in the coordinates of its lattice or of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct OnNodes {
    /// The DEM's own.
    pub lattice: Lattice,
    values: NodeValues,
    /// Number of its first column and row in the coordinates it is asked in.
    shift: [i64; 2],
}

/// Row by row from the south.
#[derive(Debug, Clone, PartialEq)]
enum NodeValues {
    /// Each node has its own.
    Each(Arc<Vec<f32>>),
    /// Each node has a class, which all parameters share, and each class a value.
    Classes(Arc<Vec<u8>>, ClassTable),
    /// In blocks, each node has its own; with the smallest and the largest where these are known.
    Blocks(View, Option<(f32, f32)>),
    /// In blocks, each node has a class.
    ClassBlocks(View, ClassTable),
}

/// A value for each class, and which classes layers may paint.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassTable {
    /// By class.
    pub values: Arc<[f32]>,
    /// Those that the project's layers name, whatever part of the terrain is looked at.
    pub named: Arc<[bool]>,
}

impl ClassTable {
    /// Of a class in a block; a block that cannot be read has none, and the run ends then.
    fn of(&self, class: f64) -> f32 {
        self.values.get(class as usize).copied().unwrap_or(0.0)
    }

    fn range(&self) -> (f32, f32) {
        let named = self.values.iter().zip(self.named.iter()).filter(|(_, named)| **named);
        named.map(|(value, _)| value).fold(NOTHING, joined)
    }
}

const NOTHING: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);

fn joined((low, high): (f32, f32), value: &f32) -> (f32, f32) {
    (low.min(*value), high.max(*value))
}

impl OnNodes {
    /// By class: a byte a node for all parameters together.
    pub fn by_class(lattice: Lattice, classes: Arc<Vec<u8>>, table: ClassTable) -> Self {
        Self { lattice, values: NodeValues::Classes(classes, table), shift: [0, 0] }
    }

    /// By class, these in blocks.
    pub fn by_class_in_blocks(classes: Arc<Blocks>, table: ClassTable) -> Self {
        let lattice = *classes.lattice();
        Self { lattice, values: NodeValues::ClassBlocks(View::new(classes), table), shift: [0, 0] }
    }

    /// In blocks, with the smallest and the largest where these are known.
    pub fn in_blocks(values: Arc<Blocks>, range: Option<(f32, f32)>) -> Self {
        let lattice = *values.lattice();
        Self { lattice, values: NodeValues::Blocks(View::new(values), range), shift: [0, 0] }
    }

    /// The value of a node, row · nx + column.
    #[inline(always)]
    pub fn value(&self, node: usize) -> f32 {
        match &self.values {
            NodeValues::Each(values) => values[node],
            NodeValues::Classes(classes, table) => table.values[usize::from(classes[node])],
            NodeValues::Blocks(view, _) => view.at(node % self.lattice.nx, node / self.lattice.nx) as f32,
            NodeValues::ClassBlocks(view, table) => table.of(view.at(node % self.lattice.nx, node / self.lattice.nx)),
        }
    }

    /// Values of a node and its neighbours to the east, the north and the north-east.
    #[inline(always)]
    fn corners(&self, column: usize, row: usize) -> [f32; 4] {
        match &self.values {
            NodeValues::Blocks(view, _) => view.corners(column, row).map(|value| value as f32),
            NodeValues::ClassBlocks(view, table) => view.corners(column, row).map(|class| table.of(class)),
            NodeValues::Each(_) | NodeValues::Classes(..) => {
                let (nx, south) = (self.lattice.nx, row * self.lattice.nx + column);
                [south, south + 1, south + nx, south + nx + 1].map(|node| self.value(node))
            }
        }
    }

    /// Smallest and largest value, of classes those of the ones that layers name; `None` where all would have to be read to know.
    pub fn range(&self) -> Option<(f32, f32)> {
        match &self.values {
            NodeValues::Each(values) => Some(values.iter().fold(NOTHING, joined)),
            NodeValues::Classes(_, table) | NodeValues::ClassBlocks(_, table) => Some(table.range()),
            NodeValues::Blocks(_, range) => *range,
        }
    }

    /// Bytes of a node, and where they are: parameters that share them have them once. Nothing of what is in blocks.
    pub fn memory(&self) -> (usize, usize) {
        match &self.values {
            NodeValues::Each(values) => (Arc::as_ptr(values) as usize, 4),
            NodeValues::Classes(classes, _) => (Arc::as_ptr(classes) as usize, 1),
            NodeValues::Blocks(view, _) | NodeValues::ClassBlocks(view, _) => (Arc::as_ptr(view.blocks()) as usize, 0),
        }
    }
}

/// Friction and restitution (Leine 2014, §3.6–3.7), and compactable soil if there is any.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// Friction coefficient without slippage.
    pub mu_min: ParameterField,
    /// Friction coefficient after long slippage.
    pub mu_max: ParameterField,
    /// Decay of the slippage in flight, 1/s.
    pub beta_per_s: ParameterField,
    /// Growth of the friction with slippage, 1/m.
    pub kappa_per_m: ParameterField,
    /// Restitution along the normal, 0 … 1.
    pub epsilon_n: ParameterField,
    /// Restitution along the ground, 0 … 1.
    pub epsilon_t: ParameterField,
    /// Soil that is compacted.
    pub scarring: Option<Scarring>,
    /// What the DEM leaves out; contacts see it, layers do not.
    pub roughness: Option<Roughness>,
}

/// Compactable soil above a hard rebound plane (Lu et al. 2019).
#[derive(Debug, Clone, PartialEq)]
pub struct Scarring {
    /// Soil strength Me, kN/m².
    pub me_kn_m2: ParameterField,
    /// Scarring drag coefficient C_s.
    pub drag_coefficient: ParameterField,
    /// Density of the soil, kg/m³.
    pub density_kg_m3: ParameterField,
}

/// Linear drag below a height above the ground (Leine 2014, eq. 10–11; Leine 2021, eq. 78).
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    /// Drag on the velocity, kg/s.
    pub drag_kg_s: ParameterField,
    /// Height of the forest, m.
    pub height_m: ParameterField,
    /// Drag on the spin, kg m²/s.
    pub rotational_drag_kg_m2_s: ParameterField,
}

/// Factors on the ground's parameters for one trajectory: what we do not know about the ground, drawn per rock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundScale {
    /// On both friction coefficients.
    pub mu: f64,
    /// On the decay of slippage.
    pub beta: f64,
    /// On the growth of friction.
    pub kappa: f64,
    /// On both restitution coefficients, which stay within 0 … 1.
    pub epsilon: f64,
    /// Seed for what is drawn on the way (slope scatter of a lumped mass).
    pub seed: u64,
}

impl Forest {
    /// In the coordinates of a frame.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        Self {
            drag_kg_s: self.drag_kg_s.seen_from(frame),
            height_m: self.height_m.seen_from(frame),
            rotational_drag_kg_m2_s: self.rotational_drag_kg_m2_s.seen_from(frame),
        }
    }
}

impl Default for GroundScale {
    fn default() -> Self {
        Self { mu: 1.0, beta: 1.0, kappa: 1.0, epsilon: 1.0, seed: 0 }
    }
}

impl Ground {
    /// The same ground everywhere, without restitution or soil.
    pub fn uniform(mu_min: f64, mu_max: f64, beta_per_s: f64, kappa_per_m: f64) -> Self {
        Self {
            mu_min: ParameterField::Constant(mu_min),
            mu_max: ParameterField::Constant(mu_max),
            beta_per_s: ParameterField::Constant(beta_per_s),
            kappa_per_m: ParameterField::Constant(kappa_per_m),
            epsilon_n: ParameterField::Constant(0.0),
            epsilon_t: ParameterField::Constant(0.0),
            scarring: None,
            roughness: None,
        }
    }

    /// In the coordinates of a frame.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        let at = |field: &ParameterField| field.seen_from(frame);
        Self {
            mu_min: at(&self.mu_min),
            mu_max: at(&self.mu_max),
            beta_per_s: at(&self.beta_per_s),
            kappa_per_m: at(&self.kappa_per_m),
            epsilon_n: at(&self.epsilon_n),
            epsilon_t: at(&self.epsilon_t),
            scarring: self.scarring.as_ref().map(|soil| Scarring {
                me_kn_m2: at(&soil.me_kn_m2),
                drag_coefficient: at(&soil.drag_coefficient),
                density_kg_m3: at(&soil.density_kg_m3),
            }),
            roughness: self.roughness.as_ref().map(|roughness| roughness.seen_from(frame)),
        }
    }

    /// With these restitution coefficients everywhere.
    pub fn with_restitution(mut self, epsilon_n: f64, epsilon_t: f64) -> Self {
        self.epsilon_n = ParameterField::Constant(epsilon_n);
        self.epsilon_t = ParameterField::Constant(epsilon_t);
        self
    }
}

impl From<Field<f32>> for ParameterField {
    /// In the coordinates of the field's own lattice.
    fn from(field: Field<f32>) -> Self {
        let values = NodeValues::Each(Arc::new(field.values));
        Self::Field(OnNodes { lattice: field.lattice, values, shift: [0, 0] })
    }
}

impl ParameterField {
    /// In the coordinates of a frame; the values are shared.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::Field(nodes) => {
                let shift = [nodes.shift[0] + frame.shift[0], nodes.shift[1] + frame.shift[1]];
                Self::Field(OnNodes { shift, ..nodes.clone() })
            }
        }
    }

    /// The smallest value there is.
    pub fn smallest(&self) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Field(nodes) => nodes.range().map_or(0.0, |(low, _)| f64::from(low)),
        }
    }

    /// The bilinear value at a local point; beyond the outermost nodes the value on the edge.
    #[inline]
    pub fn at(&self, x: f64, y: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Field(field) => interpolate(field, x, y),
        }
    }
}

/// The DEM has at least two nodes each way, and so has every field on its lattice.
fn interpolate(nodes: &OnNodes, x: f64, y: f64) -> f64 {
    let (lattice, [first_column, first_row]) = (&nodes.lattice, nodes.shift);
    let (nx, ny) = (lattice.nx as i64, lattice.ny as i64);
    let u = (x / lattice.dx).clamp(first_column as f64, (first_column + nx - 1) as f64);
    let v = (y / lattice.dy).clamp(first_row as f64, (first_row + ny - 1) as f64);
    let (k, l) = ((u as i64).min(first_column + nx - 2), (v as i64).min(first_row + ny - 2));
    let (eta, xi) = (u - k as f64, v - l as f64);
    let [south_west, south_east, north_west, north_east] =
        nodes.corners((k - first_column) as usize, (l - first_row) as usize).map(f64::from);
    let (south, north) = (south_west + eta * (south_east - south_west), north_west + eta * (north_east - north_west));
    south + xi * (north - south)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters interpolate like heights and continue as constants beyond the edge.
    #[test]
    fn parameters_are_bilinear_and_clamped() {
        let lattice = Lattice { nx: 3, ny: 2, x0: 1e6, y0: 2e6, dx: 2.0, dy: 4.0 };
        let field = ParameterField::from(Field { lattice, values: vec![0.0, 1.0, 2.0, 4.0, 5.0, 6.0] });
        assert_eq!(field.at(1.0, 2.0), 0.5 + 2.0);
        assert_eq!(field.at(4.0, 4.0), 6.0);
        assert_eq!(field.at(-5.0, 2.0), 2.0);
        assert_eq!(field.at(100.0, 100.0), 6.0);
        assert_eq!(ParameterField::Constant(0.3).at(f64::MAX, 0.0), 0.3);
        // By class the same, to the bit.
        let classes = Arc::new(vec![2, 0, 1, 4, 3, 5]);
        let values = vec![1.0, 2.0, 0.0, 5.0, 4.0, 6.0, 9.0].into();
        let named = vec![true, true, true, true, true, true, false].into();
        let by_class = OnNodes::by_class(lattice, classes, ClassTable { values, named });
        assert_eq!(by_class.range(), Some((0.0, 6.0)));
        let by_class = ParameterField::Field(by_class);
        for k in 0..50 {
            let (x, y) = (0.11 * f64::from(k) - 0.5, 0.09 * f64::from(k));
            assert_eq!(by_class.at(x, y), field.at(x, y));
        }
    }
}
