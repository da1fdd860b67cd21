//! Rolling and rolling–sliding on one contact point (RocFall3 legacy manual, §3).
//!
//! With r = centre of mass − contact point, contact force f = F + N n, and the rolling resistance of (3.10b):
//!
//! ```text
//! m g + f − μ_r N d = m a             d: unit direction of rolling in the contact plane     (3.10, rows 1–3)
//! f × r − ω × (I ω) = I α             row 5 mended: r2 for r1                               (rows 4–6)
//! rolling:  a = α × r + ω × (ω × r)   the contact point has no acceleration                 (rows 7–9)
//! sliding:  F = −μ N γ_t/|γ_t|, a·n as above                                                (3.10c)
//! ```
//!
//! Deviations from the manual, each vanishing for a sphere where its equations are exact: the full inertia tensor instead
//! of its diagonal, the gyroscopic term, and the centripetal term ω × (ω × r) of a contact point that is fixed to the body
//! (`Pivot::Material`). The manual treats rolling friction as a force on the centre of mass in (3.10b) and as part of the
//! contact force, with a torque, in (3.10c); here it is the force of (3.10b) in both phases. Its factors p1, p2 are 0/0 in
//! pure rolling; the direction of rolling itself, ω × r in the contact plane, takes their place.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

/// How the contact point sits on the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pivot {
    /// The lowest point of a sphere: it wanders over the body.
    Sphere,
    /// A vertex of the body.
    Material,
}

/// A body touching the ground with one point; all vectors in the inertial frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touching {
    /// Of the rock.
    pub mass_kg: f64,
    /// Inertia tensor about the centre of mass, kg m².
    pub inertia: Matrix3<f64>,
    /// Of the centre of mass, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub omega: Vector3<f64>,
    /// Contact point − centre of mass, m.
    pub arm: Vector3<f64>,
    /// Unit normal of the ground.
    pub normal: Vector3<f64>,
    /// m/s².
    pub gravity: Vector3<f64>,
    /// What it turns about.
    pub pivot: Pivot,
}

/// Between rock and ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Sliding friction μ.
    pub mu: f64,
    /// Rolling friction μ_r.
    pub rolling: f64,
}

/// Which of the manual's phases a contact is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The touching point stands still.
    Rolling,
    /// It slides.
    Sliding,
    /// The ground would have to pull: the body leaves it.
    Leaving,
}

/// Of a body that touches with one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accelerations {
    /// Whether it rolls or slides.
    pub phase: Phase,
    /// Of the centre of mass, m/s².
    pub linear: Vector3<f64>,
    /// rad/s², inertial frame.
    pub angular: Vector3<f64>,
    /// Normal force N, N.
    pub normal_force: f64,
    /// Friction force F in the contact plane, N.
    pub friction_force: Vector3<f64>,
}

/// Contact velocities below this count as rolling, m/s.
pub const STICK_SPEED: f64 = 1e-3;

impl Touching {
    /// Velocity of the contact point in the contact plane.
    pub fn slip(&self) -> Vector3<f64> {
        let gamma = self.velocity + self.omega.cross(&self.arm);
        gamma - self.normal * gamma.dot(&self.normal)
    }

    /// Accelerations in the phase the body is in: rolling while the contact sticks and friction can hold it (3.9),
    /// else sliding.
    pub fn accelerations(&self, friction: &Friction) -> Accelerations {
        let slip = self.slip();
        if slip.norm() <= STICK_SPEED {
            let rolling = self.rolling(friction);
            if rolling.phase != Phase::Sliding {
                return rolling;
            }
            // Friction cannot hold: the point starts to slide against the force that was asked of it.
            return self.sliding(friction, &-rolling.friction_force);
        }
        self.sliding(friction, &slip)
    }

    fn centripetal(&self) -> Vector3<f64> {
        match self.pivot {
            Pivot::Sphere => Vector3::zeros(),
            Pivot::Material => self.omega.cross(&self.omega.cross(&-self.arm)),
        }
    }

    /// −d, the direction the rolling resistance acts in. At rest it opposes the motion gravity would start.
    fn resistance(&self) -> Vector3<f64> {
        let tangent = |v: Vector3<f64>| v - self.normal * v.dot(&self.normal);
        let rolling = tangent(self.omega.cross(&-self.arm));
        let towards = if rolling.norm() > STICK_SPEED { rolling } else { tangent(self.gravity) };
        towards.try_normalize(1e-12).map_or_else(Vector3::zeros, |direction| -direction)
    }

    /// The nine equations (3.10) with (3.10b).
    fn rolling(&self, friction: &Friction) -> Accelerations {
        let resistance = self.resistance();
        let mut solved = self.solve(friction.rolling, &resistance, None);
        let at_rest = self.velocity.norm() <= STICK_SPEED;
        let pushed = solved.linear - self.normal * solved.linear.dot(&self.normal);
        if at_rest && friction.rolling > 0.0 && pushed.dot(&resistance) > 0.0 {
            // Rolling resistance holds the body but never drives it uphill.
            let balance = -self.mass_kg * self.gravity;
            solved.linear = Vector3::zeros();
            solved.angular = Vector3::zeros();
            solved.normal_force = balance.dot(&self.normal);
            solved.friction_force = balance - self.normal * solved.normal_force;
        }
        solved.phase = match () {
            () if solved.normal_force <= 0.0 => Phase::Leaving,
            () if solved.friction_force.norm() > friction.mu * solved.normal_force => Phase::Sliding,
            () => Phase::Rolling,
        };
        solved
    }

    /// Rows 7 and 8 replaced by the sliding friction force (3.10c).
    fn sliding(&self, friction: &Friction, slip: &Vector3<f64>) -> Accelerations {
        let against = slip.try_normalize(0.0).map_or_else(Vector3::zeros, |direction| -direction);
        let mut solved = self.solve(friction.rolling, &self.resistance(), Some(against * friction.mu));
        solved.phase = if solved.normal_force <= 0.0 { Phase::Leaving } else { Phase::Sliding };
        solved
    }

    /// Solves for (a, α, f). `sliding`: friction force per normal force; `None`: the contact point does not accelerate.
    fn solve(&self, mu_r: f64, resistance: &Vector3<f64>, sliding: Option<Vector3<f64>>) -> Accelerations {
        let r = -self.arm;
        let n = self.normal;
        // Unknowns: a (0..3), α (3..6), f (6..9).
        let mut lhs = SMatrix::<f64, 9, 9>::zeros();
        let mut rhs = SVector::<f64, 9>::zeros();
        // m a − f − μ_r N resistance = m g, with N = n·f
        lhs.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * self.mass_kg));
        lhs.fixed_view_mut::<3, 3>(0, 6).copy_from(&(-Matrix3::identity() - resistance * n.transpose() * mu_r));
        rhs.fixed_rows_mut::<3>(0).copy_from(&(self.gravity * self.mass_kg));
        // I α + r × f = −ω × (I ω)
        lhs.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.inertia);
        lhs.fixed_view_mut::<3, 3>(3, 6).copy_from(&r.cross_matrix());
        rhs.fixed_rows_mut::<3>(3).copy_from(&-self.omega.cross(&(self.inertia * self.omega)));
        let kinematic = {
            // a + r × α = ω × (ω × r)
            let mut rows = SMatrix::<f64, 3, 9>::zeros();
            rows.fixed_view_mut::<3, 3>(0, 0).copy_from(&Matrix3::identity());
            rows.fixed_view_mut::<3, 3>(0, 3).copy_from(&r.cross_matrix());
            rows
        };
        let centripetal = self.centripetal();
        match sliding {
            None => {
                lhs.fixed_view_mut::<3, 9>(6, 0).copy_from(&kinematic);
                rhs.fixed_rows_mut::<3>(6).copy_from(&centripetal);
            }
            Some(per_normal) => {
                lhs.fixed_view_mut::<1, 9>(6, 0).copy_from(&(n.transpose() * kinematic));
                rhs[6] = n.dot(&centripetal);
                // t·f = t·(friction per N) n·f for two tangents
                let (t1, t2) = tangents(&n);
                for (row, t) in [(7, t1), (8, t2)] {
                    let coefficients = t - n * t.dot(&per_normal);
                    lhs.fixed_view_mut::<1, 3>(row, 6).copy_from(&coefficients.transpose());
                }
            }
        }
        let solution = lhs.lu().solve(&rhs).unwrap_or_else(SVector::zeros);
        let force: Vector3<f64> = solution.fixed_rows::<3>(6).into();
        let normal_force = force.dot(&n);
        Accelerations {
            phase: Phase::Rolling,
            linear: solution.fixed_rows::<3>(0).into(),
            angular: solution.fixed_rows::<3>(3).into(),
            normal_force,
            friction_force: force - n * normal_force,
        }
    }
}

fn tangents(n: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let axis = if n.x.abs() < 0.6 { Vector3::x() } else { Vector3::y() };
    let t1 = axis.cross(n).normalize();
    (t1, n.cross(&t1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const G: f64 = 9.81;

    /// A sphere on a plane inclined by `slope`, moving down it at `speed` without slipping.
    fn sphere(slope: f64, speed: f64) -> Touching {
        let (mass_kg, radius) = (500.0, 0.4);
        let (normal, down) =
            (Vector3::new(slope.sin(), 0.0, slope.cos()), Vector3::new(slope.cos(), 0.0, -slope.sin()));
        Touching {
            mass_kg,
            inertia: Matrix3::identity() * (0.4 * mass_kg * radius * radius),
            velocity: down * speed,
            omega: normal.cross(&down) * (speed / radius),
            arm: -normal * radius,
            normal,
            gravity: Vector3::new(0.0, 0.0, -G),
            pivot: Pivot::Sphere,
        }
    }

    #[test]
    fn sphere_rolls_with_five_sevenths_g_sin_slope() {
        for (slope, mu_r) in [(0.3f64, 0.0), (0.5, 0.0), (0.5, 0.1)] {
            let rolled = sphere(slope, 2.0).accelerations(&Friction { mu: 0.6, rolling: mu_r });
            let expected = 5.0 / 7.0 * G * (slope.sin() - mu_r * slope.cos());
            assert_eq!(rolled.phase, Phase::Rolling);
            assert!((rolled.linear.norm() - expected).abs() < 1e-12, "{} m/s²", rolled.linear.norm());
        }
    }

    /// tan α = 7/2 μ (+ μ_r with rolling friction as a force on the centre).
    #[test]
    fn sphere_slips_above_three_and_a_half_mu() {
        for mu_r in [0.0f64, 0.05] {
            let limit = (3.5 * 0.2 + mu_r).atan();
            let friction = Friction { mu: 0.2, rolling: mu_r };
            assert_eq!(sphere(limit - 1e-6, 1.0).accelerations(&friction).phase, Phase::Rolling);
            let slipping = sphere(limit + 1e-6, 1.0).accelerations(&friction);
            assert_eq!(slipping.phase, Phase::Sliding);
            assert!((slipping.friction_force.norm() - 0.2 * slipping.normal_force).abs() < 1e-9);
        }
    }

    #[test]
    fn rolling_resistance_holds_a_resting_sphere_on_a_gentle_slope() {
        let held = sphere(0.05, 0.0).accelerations(&Friction { mu: 0.5, rolling: 0.1 });
        assert_eq!((held.phase, held.linear.norm()), (Phase::Rolling, 0.0));
    }

    /// A thin rod pivoting about its end: α = 3g/(2L) cos θ at release.
    #[test]
    fn rod_falls_about_its_end() {
        let (mass, length, theta) = (2.0, 1.5, 0.7f64);
        let along = Vector3::new(theta.cos(), 0.0, theta.sin());
        let across = Matrix3::identity() - along * along.transpose();
        let rod = Touching {
            mass_kg: mass,
            inertia: across * (mass * length * length / 12.0) + along * along.transpose() * 1e-9,
            velocity: Vector3::zeros(),
            omega: Vector3::zeros(),
            arm: -along * (length / 2.0),
            normal: Vector3::z(),
            gravity: Vector3::new(0.0, 0.0, -G),
            pivot: Pivot::Material,
        };
        let fall = rod.accelerations(&Friction { mu: 10.0, rolling: 0.0 });
        assert!((fall.angular.norm() - 1.5 * G / length * theta.cos()).abs() < 1e-9);
    }
}
