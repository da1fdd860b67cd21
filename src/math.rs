//! Functions of floating-point numbers that give the same bits on every machine.
//!
//! `f64::sin` and its kin are those of the machine's C library, and their last bits differ between versions and systems; rocks are
//! chaotic, so that a last bit becomes another path. These are compiled in (crate `libm`, the sources of musl). `+ − × ÷ √` are
//! exact by IEEE 754 and need no substitute; `to_radians`, `powi` and the like are made of them.

use rand::{Rng, RngExt};

#[cfg(feature = "gis")]
pub(crate) use libm::expm1 as exp_m1;
#[cfg(any(feature = "gis", test))]
pub(crate) use libm::tan;
pub(crate) use libm::{
    acos, asin, atan, atan2, cbrt, cos, exp, exp2, hypot, log as ln, log2, pow, sin, sincos as sin_cos,
};

/// A number drawn from the standard normal distribution (Box and Muller 1958).
pub(crate) fn standard_normal(rng: &mut (impl Rng + ?Sized)) -> f64 {
    // 1 − u is never 0.
    let radius = (-2.0 * ln(1.0 - rng.random::<f64>())).sqrt();
    radius * cos(std::f64::consts::TAU * rng.random::<f64>())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Bits that any other library, compiler or processor must give, too.
    #[test]
    fn bits_are_those_of_every_machine() {
        let values = [
            sin(1e5),
            cos(2.5),
            tan(0.7),
            asin(0.3),
            acos(-0.8),
            atan(17.0),
            atan2(-2.0, 0.1),
            exp(-3.3),
            ln(0.017),
            pow(7.7, -0.4),
            cbrt(2650.0),
            hypot(3.1, -0.002),
            exp2(0.3),
            log2(11.0),
        ];
        let bits: Vec<String> = values.iter().map(|value| format!("{:016x}", value.to_bits())).collect();
        let expected = [
            "3fa24daa9c527e96",
            "bfe9a2f7ef858b7d",
            "3feaf406c2fc78ae",
            "3fd380159e14f6ff",
            "4003fc176b7a8560",
            "3ff831516233f561",
            "bff8555a2787981f",
            "3fa2e259bb85be85",
            "c0104c54b892bfe3",
            "3fdc496b250af261",
            "402bad3262b52a5b",
            "4008cccd23645eef",
            "3ff3b2c47bff8329",
            "400bacea7c065d42",
        ];
        assert_eq!(bits, expected);
    }

    #[test]
    fn normal_draws_are_normal() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let n = 100_000;
        let draws: Vec<f64> = (0..n).map(|_| standard_normal(&mut rng)).collect();
        let moment = |k: i32| draws.iter().map(|z| z.powi(k)).sum::<f64>() / f64::from(n);
        // Standard errors √(1, 2, 15, 96) / √n; four of them.
        for (k, expected, variance) in [(1, 0.0, 1.0f64), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            assert!((moment(k) - expected).abs() < 4.0 * (variance / f64::from(n)).sqrt(), "moment {k}: {}", moment(k));
        }
        let beyond = draws.iter().filter(|z| z.abs() > 1.959_964).count() as f64 / f64::from(n);
        assert!((beyond - 0.05).abs() < 4.0 * (0.05f64 * 0.95 / f64::from(n)).sqrt(), "{beyond}");
    }
}
