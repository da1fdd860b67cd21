//! Four numbers side by side, so that four contacts cost little more than one. Plain arrays: the compiler turns them into
//! the vector instructions of the machine, and the results are the same on all of them.

use std::ops::{Add, Div, Mul, Sub};

use nalgebra::{Matrix3, Vector3};

pub(super) const WIDTH: usize = 4;

/// Runs `work` with the widest vectors that this machine has. They change no result: no operation is fused or reordered.
#[inline(always)]
pub(super) fn widest<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<T>(work: impl FnOnce() -> T) -> T {
            work()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has AVX2, as was just asked.
            return unsafe { avx2(work) };
        }
    }
    work()
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(align(32))]
pub struct Lanes(pub [f64; WIDTH]);

/// Four vectors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lanes3 {
    pub x: Lanes,
    pub y: Lanes,
    pub z: Lanes,
}

impl Lanes {
    #[inline(always)]
    pub fn all(value: f64) -> Self {
        Self([value; WIDTH])
    }

    #[inline(always)]
    pub fn sum(self) -> f64 {
        (self.0[0] + self.0[1]) + (self.0[2] + self.0[3])
    }

    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        let smaller = |i: usize| if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] };
        Self([smaller(0), smaller(1), smaller(2), smaller(3)])
    }

    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        let larger = |i: usize| if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] };
        Self([larger(0), larger(1), larger(2), larger(3)])
    }

    #[inline(always)]
    pub fn smallest(self) -> f64 {
        let smaller = |a: f64, b: f64| if a < b { a } else { b };
        smaller(smaller(self.0[0], self.0[1]), smaller(self.0[2], self.0[3]))
    }

    #[inline(always)]
    pub fn largest(self) -> f64 {
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        larger(larger(self.0[0], self.0[1]), larger(self.0[2], self.0[3]))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    #[inline(always)]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let a = self.0;
        Self([f(a[0]), f(a[1]), f(a[2]), f(a[3])])
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]])
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]])
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]])
    }
}

impl Div for Lanes {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] / b[0], a[1] / b[1], a[2] / b[2], a[3] / b[3]])
    }
}

impl Add for Lanes3 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Lanes3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Lanes> for Lanes3 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: Lanes) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

impl Lanes3 {
    #[inline(always)]
    pub fn all(v: &Vector3<f64>) -> Self {
        Self { x: Lanes::all(v.x), y: Lanes::all(v.y), z: Lanes::all(v.z) }
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, v: &Vector3<f64>) {
        (self.x.0[lane], self.y.0[lane], self.z.0[lane]) = (v.x, v.y, v.z);
    }

    #[inline(always)]
    pub fn get(&self, lane: usize) -> Vector3<f64> {
        Vector3::new(self.x.0[lane], self.y.0[lane], self.z.0[lane])
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Lanes {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// The matrix times each vector.
    #[inline(always)]
    pub fn turned_by(self, m: &Matrix3<f64>) -> Self {
        let row = |i: usize| {
            let [a, b, c] = [m[(i, 0)], m[(i, 1)], m[(i, 2)]].map(Lanes::all);
            a * self.x + b * self.y + c * self.z
        };
        Self { x: row(0), y: row(1), z: row(2) }
    }

    /// Sum of the four vectors.
    #[inline(always)]
    pub fn sum(self) -> Vector3<f64> {
        Vector3::new(self.x.sum(), self.y.sum(), self.z.sum())
    }
}
