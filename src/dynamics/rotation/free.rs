//! One common way to call the integrators that runs offer, and how drag and percussions enter each.
//!
//! | integrator | end velocity | end orientation |
//! |---|---|---|
//! | implicit | ω_free of Newton, then drag and percussions through Θ (Leine 2021, eq. 84–85) | from ω, ω_free (87) |
//! | explicit | all at once through Θ + Δt/2 (G + C) (82) | midpoint plus half a step of the end velocity (83) |
//! | spiral | ω_free of SSPRK3, then drag and percussions through Θ | from ω and ω̇ at the beginning (A.2) |
//! | directors | ω_free from the kept spin, then drag and percussions through Θ | the Cayley step of the scheme |
//!
//! Percussions act at the end of the step except in the explicit scheme; so their turning shows one step later, as in
//! Leine 2021, eq. 87. Drag after a free step takes ½(ω_free + ω'), so it never adds energy.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::{directors, explicit, exponential, half_step, implicit, leap, spiral};
use crate::dynamics::laws::Integrator;

/// A step's rotation before the percussions are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeRotation {
    /// Where contacts are looked for (Leine 2021, eq. 79).
    pub midpoint: UnitQuaternion<f64>,
    /// End velocity without percussions, in K.
    pub omega: Vector3<f64>,
    /// End velocity without percussions and drag; their work is taken from here (the beginning, in the explicit scheme).
    pub torque_free: Vector3<f64>,
    /// An angular percussion L (in K, N m s) adds `response * L` to the end velocity.
    pub response: Matrix3<f64>,
    /// Memory of the director scheme for the next step; zero with the others.
    pub residue: Matrix3<f64>,
    /// Newton iterations; 0 where there is nothing to iterate.
    pub iterations: u32,
    /// False if Newton failed: the step is too large for this spin.
    pub converged: bool,
    /// The end orientation where percussions do not enter it.
    orientation: Option<UnitQuaternion<f64>>,
}

impl FreeRotation {
    /// `drag` is C_drag of Leine 2021, eq. 78, kg m²/s, symmetric and positive semi-definite; `residue` that of the step
    /// before.
    ///
    /// ```
    /// use couloir::dynamics::Integrator;
    /// use couloir::dynamics::rotation::FreeRotation;
    /// use nalgebra::{Matrix3, UnitQuaternion, Vector3};
    ///
    /// let (inertia, dt) = (Vector3::new(0.4, 0.7, 0.9), 0.002);
    /// let (mut p, mut omega, mut residue) = (UnitQuaternion::identity(), Vector3::new(0.0, 0.1, 9.0), Matrix3::zeros());
    /// for _ in 0..500 {
    ///     let free = FreeRotation::new(Integrator::Implicit, &inertia, &p, &omega, &residue, &Matrix3::zeros(), dt);
    ///     let percussion = Vector3::zeros(); // from the contacts found at free.midpoint
    ///     omega = free.omega + free.response * percussion;
    ///     p = free.end_orientation(&omega, dt);
    ///     residue = free.residue;
    /// }
    /// assert!(omega.z > 8.99);
    /// ```
    pub fn new(
        integrator: Integrator,
        inertia: &Vector3<f64>,
        p: &UnitQuaternion<f64>,
        omega: &Vector3<f64>,
        residue: &Matrix3<f64>,
        drag: &Matrix3<f64>,
        dt: f64,
    ) -> Self {
        let mut rotation = Self::unturned(half_step(p, omega, dt), omega);
        match integrator {
            Integrator::Explicit => {
                let free = explicit::free_velocity(inertia, omega, drag, dt);
                rotation.omega = free.omega;
                rotation.response = free.response;
                return rotation;
            }
            Integrator::Implicit => {
                let free = implicit::free_velocity(inertia, omega, dt);
                rotation.omega = free.omega;
                rotation.iterations = free.iterations;
                rotation.converged = free.converged;
                rotation.orientation = Some(implicit::end_orientation(inertia, p, omega, &free.omega, dt));
            }
            Integrator::Spiral => {
                let (orientation, end) = spiral::step(inertia, p, omega, &Vector3::zeros(), dt);
                rotation.omega = end;
                rotation.orientation = Some(UnitQuaternion::new_normalize(orientation.into_inner()));
            }
            Integrator::Directors => {
                let free = directors::free_step(inertia, p, omega, residue, dt);
                rotation.omega = free.omega;
                rotation.residue = free.residue;
                rotation.iterations = free.iterations;
                rotation.converged = free.converged;
                rotation.orientation = Some(free.orientation);
            }
        }
        rotation.add_drag(inertia, drag, dt);
        rotation
    }

    /// A large step of a flight, by [`leap`]. There is no midpoint to look for contacts at.
    #[inline]
    pub fn leap(
        inertia: &Vector3<f64>,
        p: &UnitQuaternion<f64>,
        omega: &Vector3<f64>,
        drag: &Matrix3<f64>,
        h: f64,
    ) -> Self {
        let mut rotation = Self::unturned(*p, omega);
        let (orientation, end) = leap::advance(inertia, p, omega, h);
        rotation.orientation = Some(orientation);
        rotation.omega = end;
        rotation.add_drag(inertia, drag, h);
        rotation
    }

    #[inline]
    fn unturned(midpoint: UnitQuaternion<f64>, omega: &Vector3<f64>) -> Self {
        Self {
            midpoint,
            omega: *omega,
            torque_free: *omega,
            response: Matrix3::zeros(),
            residue: Matrix3::zeros(),
            iterations: 0,
            converged: true,
            orientation: None,
        }
    }

    /// Drag after a free step, and what percussions do.
    #[inline]
    fn add_drag(&mut self, inertia: &Vector3<f64>, drag: &Matrix3<f64>, dt: f64) {
        self.torque_free = self.omega;
        if *drag == Matrix3::zeros() {
            self.response = Matrix3::from_diagonal(&inertia.map(|moment| 1.0 / moment));
        } else {
            let (theta, half) = (Matrix3::from_diagonal(inertia), drag * (0.5 * dt));
            self.response = (theta + half).try_inverse().unwrap_or_else(|| Matrix3::from_element(f64::NAN));
            self.omega = self.response * ((theta - half) * self.omega);
        }
    }

    /// [`FreeRotation::end_orientation`] turned by the percussions of this step as well: they act at the midpoint, so for half
    /// a step. The explicit scheme does that by itself.
    pub fn turned_orientation(&self, omega_end: &Vector3<f64>, dt: f64) -> UnitQuaternion<f64> {
        match &self.orientation {
            Some(free) => super::normalized((free * exponential(&(omega_end - self.omega), 0.5 * dt)).into_inner()),
            None => explicit::end_orientation(&self.midpoint, omega_end, dt),
        }
    }

    /// The orientation at the end of the step, `omega_end` being the velocity with percussions.
    pub fn end_orientation(&self, omega_end: &Vector3<f64>, dt: f64) -> UnitQuaternion<f64> {
        self.orientation.unwrap_or_else(|| explicit::end_orientation(&self.midpoint, omega_end, dt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::rotation::kinetic_energy;

    /// Drag takes energy from every integrator at every step, however strong it is.
    #[test]
    fn drag_never_adds_energy() {
        let inertia = Vector3::new(0.4, 0.7, 0.9);
        for integrator in [Integrator::Implicit, Integrator::Explicit, Integrator::Directors] {
            for strength in [0.1, 10.0, 1e5] {
                let drag = Matrix3::from_diagonal_element(strength);
                let (mut p, mut omega, mut residue) =
                    (UnitQuaternion::identity(), Vector3::new(3.0, 14.0, -2.0), Matrix3::zeros());
                for _ in 0..100 {
                    let free = FreeRotation::new(integrator, &inertia, &p, &omega, &residue, &drag, 0.002);
                    // The director scheme's ω oscillates by O(Δt²) about its energy.
                    let slack = if integrator == Integrator::Directors { 1e-4 } else { 1e-13 };
                    let (before, after) = (kinetic_energy(&inertia, &omega), kinetic_energy(&inertia, &free.omega));
                    assert!(after <= before * (1.0 + slack), "{integrator:?} {strength}: {before} -> {after}");
                    p = free.end_orientation(&free.omega, 0.002);
                    (omega, residue) = (free.omega, free.residue);
                }
            }
        }
    }
}
