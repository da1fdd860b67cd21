//! What is counted of a rock in every cell, and values kept one for each of them.

use std::ops::{Index, IndexMut};

/// What is counted per cell, in this order everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Translation and rotation, kJ.
    KineticEnergy,
    /// Of the centre of mass, m/s.
    Velocity,
    /// Smallest vertical distance between rock and ground, m.
    JumpHeight,
    /// Rotational speed, rev/s.
    Rotation,
}

impl Quantity {
    /// Every one, in order.
    pub const ALL: [Self; 4] = [Self::KineticEnergy, Self::Velocity, Self::JumpHeight, Self::Rotation];

    /// The name in layers and tables, unit included.
    pub fn name(self) -> &'static str {
        match self {
            Self::KineticEnergy => "kinetic_energy_kj",
            Self::Velocity => "velocity_ms",
            Self::JumpHeight => "jump_height_m",
            Self::Rotation => "rotation_rps",
        }
    }

    /// What it is, in words.
    pub fn label(self) -> &'static str {
        match self {
            Self::KineticEnergy => "kinetic energy (translation and rotation)",
            Self::Velocity => "velocity of the centre of mass",
            Self::JumpHeight => "jump height (smallest vertical distance between rock and ground)",
            Self::Rotation => "rotational speed",
        }
    }

    /// Of its values in files.
    pub fn unit(self) -> &'static str {
        match self {
            Self::KineticEnergy => "kJ",
            Self::Velocity => "m/s",
            Self::JumpHeight => "m",
            Self::Rotation => "rev/s",
        }
    }
}

/// One value for each [`Quantity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerQuantity<T>([T; 4]);

impl<T> PerQuantity<T> {
    /// From values in the order of [`Quantity::ALL`].
    #[inline(always)]
    pub const fn new(values: [T; 4]) -> Self {
        Self(values)
    }

    /// Each from its quantity.
    #[inline(always)]
    pub fn from_fn(mut value: impl FnMut(Quantity) -> T) -> Self {
        Self(Quantity::ALL.map(&mut value))
    }

    /// Each from the one before.
    #[inline(always)]
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> PerQuantity<U> {
        PerQuantity(self.0.map(change))
    }

    /// The values in order.
    #[inline(always)]
    pub fn values(&self) -> &[T; 4] {
        &self.0
    }

    /// The values in order, to be changed.
    #[inline(always)]
    pub fn values_mut(&mut self) -> &mut [T; 4] {
        &mut self.0
    }
}

impl PerQuantity<bool> {
    /// Whether it is said of any.
    pub fn any(&self) -> bool {
        self.0.contains(&true)
    }

    /// Of how many it is said.
    pub fn count(&self) -> usize {
        self.0.iter().filter(|said| **said).count()
    }
}

impl<T> Index<Quantity> for PerQuantity<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, quantity: Quantity) -> &T {
        &self.0[quantity as usize]
    }
}

impl<T> IndexMut<Quantity> for PerQuantity<T> {
    #[inline(always)]
    fn index_mut(&mut self, quantity: Quantity) -> &mut T {
        &mut self.0[quantity as usize]
    }
}
