//! Gradient noise from an integer hash: the same everywhere, no tables, no state.

/// A well mixed 64-bit hash of a lattice point (the finaliser of SplitMix64).
fn hash(seed: u64, i: i64, j: i64) -> u64 {
    let mut h = seed ^ (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (j as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    h = (h ^ (h >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    h ^ (h >> 31)
}

/// Uniform in [0, 1) for a lattice point.
pub fn uniform(seed: u64, i: i64, j: i64) -> f64 {
    (hash(seed, i, j) >> 11) as f64 / (1_u64 << 53) as f64
}

/// One of sixteen unit vectors. A table, not cos and sin: every machine gets the same bits.
fn direction(hash: u64) -> (f64, f64) {
    const TABLE: [(f64, f64); 4] = [
        (0.980_785_280_403_230_4, 0.195_090_322_016_128_25),
        (0.831_469_612_302_545_2, 0.555_570_233_019_602_2),
        (0.555_570_233_019_602_2, 0.831_469_612_302_545_2),
        (0.195_090_322_016_128_25, 0.980_785_280_403_230_4),
    ];
    let (x, y) = TABLE[(hash >> 62) as usize];
    (if hash & 1 == 0 { x } else { -x }, if hash & 2 == 0 { y } else { -y })
}

/// Perlin's gradient noise at unit wavelength, about −1 … 1, twice differentiable.
pub fn gradient(seed: u64, x: f64, y: f64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let (u, v) = (x - i, y - j);
    let corner = |di: i64, dj: i64| {
        let (gx, gy) = direction(hash(seed, i as i64 + di, j as i64 + dj));
        gx * (u - di as f64) + gy * (v - dj as f64)
    };
    let fade = |w: f64| w * w * w * (w * (w * 6.0 - 15.0) + 10.0);
    let (fu, fv) = (fade(u), fade(v));
    let south = corner(0, 0) * (1.0 - fu) + corner(1, 0) * fu;
    let north = corner(0, 1) * (1.0 - fu) + corner(1, 1) * fu;
    1.6 * (south * (1.0 - fv) + north * fv)
}

/// Octaves of gradient noise, each rotated against the last so that no direction of the lattice shows.
fn octaves(seed: u64, x: f64, y: f64, count: u32, gain: f64, shape: impl Fn(f64) -> f64) -> f64 {
    let (cos, sin) = (0.8, 0.6);
    let (mut x, mut y, mut amplitude, mut sum) = (x, y, 1.0, 0.0);
    for octave in 0..count {
        sum += amplitude * shape(gradient(seed.wrapping_add(u64::from(octave) * 7919), x, y));
        (x, y) = (2.03 * (cos * x - sin * y) + 17.3, 2.03 * (sin * x + cos * y) - 9.1);
        amplitude *= gain;
    }
    sum
}

/// Fractal noise, about −2 … 2 for a gain of 0.5.
pub fn fractal(seed: u64, x: f64, y: f64, count: u32, gain: f64) -> f64 {
    octaves(seed, x, y, count, gain, |n| n)
}

/// Fractal noise with sharp crests, 0 … 2 for a gain of 0.5.
pub fn ridged(seed: u64, x: f64, y: f64, count: u32, gain: f64) -> f64 {
    octaves(seed, x, y, count, gain, |n| (1.0 - n.abs()).max(0.0).powi(2))
}

/// 0 below `low`, 1 above `high`, smooth between (`low` may be the larger one).
pub fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let u = ((x - low) / (high - low)).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// The larger of two heights with a fillet about `radius` wide.
pub fn smooth_max(a: f64, b: f64, radius: f64) -> f64 {
    let h = (0.5 + 0.5 * (a - b) / radius).clamp(0.0, 1.0);
    b + (a - b) * h + radius * h * (1.0 - h)
}
