//! The ground at a point: its height, its slope, the axes of a contact there.

use nalgebra::{Matrix3, Vector3};

/// Height and slope of the ground below one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Height, m.
    pub height: f64,
    /// ∂z/∂x and ∂z/∂y.
    pub slope_x: f64,
    /// ∂z/∂y.
    pub slope_y: f64,
}

/// The bilinear patch below a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    /// ∂²z/∂x∂y, 1/m.
    pub twist: f64,
    /// To the nearest of its edges along x and along y, m.
    pub to_edge_x: f64,
    /// To the nearest edge along y, m.
    pub to_edge_y: f64,
}

impl Spot {
    /// Upward unit normal (Leine 2014, eq. 7, normalised).
    #[inline]
    pub fn normal(&self) -> Vector3<f64> {
        let (sx, sy) = (self.slope_x, self.slope_y);
        let z = 1.0 / (sx * sx + sy * sy + 1.0).sqrt();
        Vector3::new(-sx * z, -sy * z, z)
    }

    /// Unit vector down the slope, horizontal ground gives `None`.
    pub fn downslope(&self) -> Option<Vector3<f64>> {
        let (sx, sy) = (self.slope_x, self.slope_y);
        let steepness = sx * sx + sy * sy;
        (steepness > 0.0).then(|| Vector3::new(-sx, -sy, -steepness).normalize())
    }
}

/// Orthonormal contact frame: the columns of `axes` are n, t1, t2 in the inertial frame (A_IC).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactFrame {
    /// n, t1 and t2 as columns.
    pub axes: Matrix3<f64>,
}

impl ContactFrame {
    /// Frame of a unit normal (Leine 2014, eq. 8, normalised): t1 = e × n for the axis e least aligned with n.
    pub fn from_normal(n: &Vector3<f64>) -> Self {
        let [ax, ay, az] = [n.x.abs(), n.y.abs(), n.z.abs()];
        let e = if ax <= ay && ax <= az {
            Vector3::x()
        } else if ay <= az {
            Vector3::y()
        } else {
            Vector3::z()
        };
        let t1 = e.cross(n).normalize();
        Self { axes: Matrix3::from_columns(&[*n, t1, n.cross(&t1)]) }
    }

    /// n, the upward normal.
    pub fn normal(&self) -> Vector3<f64> {
        self.axes.column(0).into()
    }
}
