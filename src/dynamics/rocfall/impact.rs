//! Impact of one contact point with restitution (RocFall3 legacy manual, §2).
//!
//! The manual's scheme, with r = centre of mass − contact point and w = [1, r̃]:
//!
//! ```text
//! γ  = V + r̃ ω                       contact-point velocity          (2.8)
//! γ' = diag(R_T, R_T, −R_N) γ        Newton's law, in (t1, t2, n)    (2.11, sign of the normal part mended)
//! dγ = G dP,  G = w M⁻¹ wᵀ           impulse from velocity change    (2.10)
//! dV = M⁻¹ dP,  dω = I⁻¹ r̃ᵀ dP       new velocities                  (2.3b, 2.7)
//! |dP_t| ≤ μ dP_n                    the optional cap                (2.13, an inequality)
//! ```
//!
//! Where the cap bites, the tangential impulse points against the incoming tangential velocity and dP_n is solved anew,
//! so that the normal restitution stays R_N (for a sphere this is the plain scaling of dP_t).
//!
//! With R_T > 0 a body that is not a sphere can leave an impact with more energy than it had. The guard then scales the
//! whole percussion until the kinetic energy stays equal; if that leaves the point approaching the ground, the
//! frictionless impulse, which never gains energy, takes its place.

use nalgebra::{Matrix3, Vector3};

/// A rigid body's inertia at an instant, in the inertial frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertia {
    /// Of the rock.
    pub mass_kg: f64,
    /// Inverse inertia tensor about the centre of mass, 1/(kg m²).
    pub inverse: Matrix3<f64>,
}

impl Inertia {
    /// From the principal moments and the rotation that turns the principal axes to the inertial frame.
    pub fn new(mass_kg: f64, principal: Vector3<f64>, rotation: &Matrix3<f64>) -> Self {
        let inverse = rotation * Matrix3::from_diagonal(&principal.map(|moment| 1.0 / moment)) * rotation.transpose();
        Self { mass_kg, inverse }
    }

    /// G = w M⁻¹ wᵀ for a point at `arm` from the centre of mass (2.10): velocity change of the point per impulse.
    pub fn compliance(&self, arm: &Vector3<f64>) -> Matrix3<f64> {
        let skew = arm.cross_matrix();
        Matrix3::identity() / self.mass_kg - skew * self.inverse * skew
    }
}

/// The law's numbers at one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restitution {
    /// R_N, already scaled for the velocity where wanted ([`scaled_normal`]).
    pub normal: f64,
    /// R_T: share of the tangential contact velocity that is kept.
    pub tangential: f64,
    /// μ of the Coulomb cap on the tangential impulse; `None` leaves it uncapped.
    pub cap: Option<f64>,
    /// Never let an impact add kinetic energy.
    pub energy_guard: bool,
}

/// What became of the percussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Applied as the law gives it.
    NotNeeded,
    /// The law gains energy here and the guard is off.
    GainLeft,
    /// Scaled so that the kinetic energy stays equal.
    Scaled,
    /// Replaced by the frictionless impulse.
    Frictionless,
}

/// What an impact did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// dP on the body, inertial frame, N s.
    pub percussion: Vector3<f64>,
    /// Velocity of the centre of mass afterwards, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity afterwards, inertial frame, rad/s.
    pub omega: Vector3<f64>,
    /// Friction was limited to μ times the normal impulse.
    pub capped: bool,
    /// Whether energy had to be kept from growing.
    pub guard: Guard,
}

/// R_N / (1 + (V/K)²), the normal restitution of a fast rock.
pub fn scaled_normal(normal: f64, speed_m_s: f64, k_m_s: f64) -> f64 {
    normal / (1.0 + (speed_m_s / k_m_s).powi(2))
}

/// Velocity of the body's point at `arm` from its centre of mass (2.8).
pub fn point_velocity(velocity: &Vector3<f64>, omega: &Vector3<f64>, arm: &Vector3<f64>) -> Vector3<f64> {
    velocity + omega.cross(arm)
}

/// The velocities after an impact of the point at `arm` (contact point − centre of mass) on a plane with unit `normal`.
///
/// All vectors are in the inertial frame. A point that does not approach the plane is left alone.
///
/// # Example
/// A ball dropped on a floor without spin leaves with R_N times its speed:
/// ```
/// use couloir::dynamics::rocfall::impact::{impact, Inertia, Restitution};
/// use nalgebra::{Matrix3, Vector3};
///
/// let ball = Inertia::new(10.0, Vector3::repeat(0.4 * 10.0 * 0.25), &Matrix3::identity());
/// let law = Restitution { normal: 0.35, tangential: 0.85, cap: None, energy_guard: true };
/// let after = impact(&ball, &Vector3::new(0.0, 0.0, -4.0), &Vector3::zeros(), &Vector3::new(0.0, 0.0, -0.5), &Vector3::z(), &law);
/// assert!((after.velocity.z - 1.4).abs() < 1e-12);
/// ```
pub fn impact(
    inertia: &Inertia,
    velocity: &Vector3<f64>,
    omega: &Vector3<f64>,
    arm: &Vector3<f64>,
    normal: &Vector3<f64>,
    law: &Restitution,
) -> Impact {
    let gamma = point_velocity(velocity, omega, arm);
    let approach = gamma.dot(normal);
    let unchanged = Impact {
        percussion: Vector3::zeros(),
        velocity: *velocity,
        omega: *omega,
        capped: false,
        guard: Guard::NotNeeded,
    };
    if approach >= 0.0 {
        return unchanged;
    }
    let compliance = inertia.compliance(arm);
    let (mut percussion, capped) = percussion(&compliance, &gamma, normal, law);

    let mut guard = Guard::NotNeeded;
    let gain = energy_change(&compliance, &gamma, &percussion);
    let rounding = 1e-12 * 0.5 * inertia.mass_kg * gamma.norm_squared();
    if gain > rounding {
        guard = Guard::GainLeft;
        if law.energy_guard {
            (percussion, guard) = without_gain(&compliance, &gamma, normal, &percussion, law.normal);
        }
    }
    Impact {
        percussion,
        velocity: velocity + percussion / inertia.mass_kg,
        omega: omega + inertia.inverse * arm.cross(&percussion),
        capped,
        guard,
    }
}

/// dP of the law, and whether the cap bites.
fn percussion(
    g: &Matrix3<f64>,
    gamma: &Vector3<f64>,
    normal: &Vector3<f64>,
    law: &Restitution,
) -> (Vector3<f64>, bool) {
    let approach = gamma.dot(normal);
    let gamma_t = gamma - normal * approach;
    let change = normal * (-(1.0 + law.normal) * approach) + gamma_t * (law.tangential - 1.0);
    // G is symmetric and positive definite (1/m + a positive semi-definite part): the inverse exists.
    let free = g.try_inverse().unwrap_or_else(Matrix3::zeros) * change;

    let Some(mu) = law.cap else { return (free, false) };
    let free_n = free.dot(normal);
    let free_t = (free - normal * free_n).norm();
    if free_t <= mu * free_n {
        return (free, false);
    }
    let against = gamma_t.try_normalize(0.0).map_or_else(Vector3::zeros, |direction| -direction);
    let direction = normal + against * mu;
    let response = normal.dot(&(g * direction));
    if response > 0.0 {
        (direction * (-(1.0 + law.normal) * approach / response), true)
    } else {
        // Friction alone would jam the point into the ground: no sliding solution, so only the normal impulse acts.
        (frictionless(g, gamma, normal, law.normal), true)
    }
}

/// The impulse along the normal that gives restitution R_N; its energy change ½ dP_n (1 − R_N) γ_n is never positive.
fn frictionless(g: &Matrix3<f64>, gamma: &Vector3<f64>, normal: &Vector3<f64>, r_n: f64) -> Vector3<f64> {
    normal * (-(1.0 + r_n) * gamma.dot(normal) / normal.dot(&(g * normal)))
}

/// ΔT = γ·dP + ½ dP·G dP.
fn energy_change(g: &Matrix3<f64>, gamma: &Vector3<f64>, percussion: &Vector3<f64>) -> f64 {
    gamma.dot(percussion) + 0.5 * percussion.dot(&(g * percussion))
}

fn without_gain(
    g: &Matrix3<f64>,
    gamma: &Vector3<f64>,
    normal: &Vector3<f64>,
    percussion: &Vector3<f64>,
    r_n: f64,
) -> (Vector3<f64>, Guard) {
    // ΔT(s) = s γ·dP + ½ s² dP·G dP vanishes at this s.
    let scale = -2.0 * gamma.dot(percussion) / percussion.dot(&(g * percussion));
    let scaled = percussion * scale;
    let leaves = normal.dot(&(gamma + g * scaled)) >= 0.0;
    if scale > 0.0 && leaves {
        (scaled, Guard::Scaled)
    } else {
        (frictionless(g, gamma, normal, r_n), Guard::Frictionless)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f64 = 0.5;

    fn sphere() -> Inertia {
        Inertia::new(800.0, Vector3::repeat(0.4 * 800.0 * R * R), &Matrix3::identity())
    }

    fn hit(law: Restitution) -> Impact {
        impact(
            &sphere(),
            &Vector3::new(6.0, 0.0, -3.0),
            &Vector3::zeros(),
            &Vector3::new(0.0, 0.0, -R),
            &Vector3::z(),
            &law,
        )
    }

    fn law(tangential: f64, cap: Option<f64>) -> Restitution {
        Restitution { normal: 0.35, tangential, cap, energy_guard: false }
    }

    /// G_tt of a sphere is 7/(2m): v' = v (1 − (1 − R_T) 2/7).
    #[test]
    fn sphere_keeps_five_sevenths_of_its_speed_when_the_contact_sticks() {
        let after = hit(law(0.0, None));
        assert!((after.velocity.x - 6.0 * 5.0 / 7.0).abs() < 1e-12);
        assert!((after.velocity.z - 0.35 * 3.0).abs() < 1e-12);
        assert!((point_velocity(&after.velocity, &after.omega, &Vector3::new(0.0, 0.0, -R)).x).abs() < 1e-12);
        let soft = hit(law(0.85, None));
        assert!((soft.velocity.x - 6.0 * (1.0 - 0.15 * 2.0 / 7.0)).abs() < 1e-12);
    }

    /// Capped, the tangential impulse is μ m (1 + R_N) |γ_n|.
    #[test]
    fn cap_limits_the_tangential_impulse_to_friction() {
        let after = hit(law(0.0, Some(0.2)));
        assert!(after.capped);
        assert!((after.velocity.x - (6.0 - 0.2 * 1.35 * 3.0)).abs() < 1e-12);
    }

    /// Over random impacts of a box, the law alone gains energy now and then; with the guard it never does.
    #[test]
    fn guard_never_lets_a_box_gain_energy() {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let mut gains = 0;
        for _ in 0..2000 {
            let mut unit = || Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
            let turn = nalgebra::Rotation3::new(unit() * 3.0);
            let half = Vector3::new(0.8, 0.5, 0.3);
            let corner = turn * half.component_mul(&unit().map(f64::signum));
            let arm = if corner.z > 0.0 { -corner } else { corner };
            let body = Inertia::new(1.0, Vector3::new(0.34, 0.73, 0.89) / 3.0, turn.matrix());
            let (v, w) = (unit() * 10.0 - Vector3::z() * 5.0, unit() * 5.0);
            let energy = |v: &Vector3<f64>, w: &Vector3<f64>| {
                0.5 * v.norm_squared() + 0.5 * w.dot(&(body.inverse.try_inverse().unwrap() * w))
            };
            let free = Restitution { normal: 0.35, tangential: 0.85, cap: None, energy_guard: false };
            let loose = impact(&body, &v, &w, &arm, &Vector3::z(), &free);
            gains += usize::from(loose.guard == Guard::GainLeft);
            let held = impact(&body, &v, &w, &arm, &Vector3::z(), &Restitution { energy_guard: true, ..free });
            let (before, after) = (energy(&v, &w), energy(&held.velocity, &held.omega));
            assert!(after <= before * (1.0 + 1e-10), "{before} J became {after} J");
            assert!(point_velocity(&held.velocity, &held.omega, &arm).z >= -1e-9);
        }
        assert!(gains > 0, "the law alone was expected to gain energy sometimes");
    }
}
