//! Slippage-dependent friction (Leine 2014, §3.7).

use std::f64::consts::FRAC_2_PI;

use crate::math;

/// μ(s) = μ_min + 2/π (μ_max − μ_min) arctan(κ s) (Leine 2014, eq. 46).
#[inline]
pub fn coefficient(mu_min: f64, mu_max: f64, kappa_per_m: f64, slippage: f64) -> f64 {
    if slippage == 0.0 || mu_max == mu_min {
        return mu_min;
    }
    mu_min + FRAC_2_PI * (mu_max - mu_min) * math::atan(kappa_per_m * slippage)
}

/// The slippage some time later (Leine 2014, eq. 51): it grows with the path of the centre of mass while a contact
/// transmits a percussion, and decays otherwise. With the old speed until the midpoint of a step and the new one from there on,
/// the friction of the midpoint is right to second order.
#[inline]
pub fn advance(slippage: f64, in_contact: bool, speed: f64, beta_per_s: impl FnOnce() -> f64, dt: f64) -> f64 {
    if in_contact {
        slippage + dt * speed
    } else if slippage == 0.0 {
        slippage
    } else {
        slippage * math::exp(-beta_per_s() * dt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// μ(0) = μ_min, μ(1/κ) is halfway, μ(∞) = μ_max.
    #[test]
    fn friction_grows_from_minimum_to_maximum() {
        assert_eq!(coefficient(0.2, 1.3, 0.7, 0.0), 0.2);
        assert!((coefficient(0.2, 1.3, 0.7, 1.0 / 0.7) - 0.75).abs() < 1e-15);
        assert!((coefficient(0.2, 1.3, 0.7, 1e12) - 1.3).abs() < 1e-9);
    }

    /// In flight s decays with exactly exp(−βt), whatever the step.
    #[test]
    fn slippage_decays_in_flight() {
        let s = (0..500).fold(2.0, |s, _| advance(s, false, 9.0, || 20.0, 0.002));
        assert!((s - 2.0 * (-20.0_f64).exp()).abs() < 1e-20);
        assert_eq!(advance(2.0, true, 10.0, || 20.0, 0.002), 2.02);
    }
}
