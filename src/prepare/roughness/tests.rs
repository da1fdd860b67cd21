use super::covariance::spline;
use super::*;
use crate::geo::raster;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A slope with roughness of this height (twice as much in the east) and spacing, as points every 0.1 m with noise.
fn cloud(height: f64, spacing: f64, noise: f64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let n = (40.0 / spacing) as usize + 2;
    // The sum of two uniform numbers has the variance 1/6.
    let mut draw = |deviation: f64| (rng.random::<f64>() + rng.random::<f64>() - 1.0) * 6f64.sqrt() * deviation;
    let nodes: Vec<f64> = (0..n * n).map(|k| draw(if k % n > n / 2 { 2.0 * height } else { height })).collect();
    let mut text = String::new();
    for k in 0..400 * 400 {
        let (x, y) = ((k % 400) as f64 * 0.1 + 0.05, (k / 400) as f64 * 0.1 + 0.05);
        let (u, v) = (x / spacing, y / spacing);
        let (c, r) = (u as usize, v as usize);
        let (eta, xi) = (u - c as f64, v - r as f64);
        let node = |dc: usize, dr: usize| nodes[(r + dr) * n + c + dc];
        let south = node(0, 0) + eta * (node(1, 0) - node(0, 0));
        let north = node(0, 1) + eta * (node(1, 1) - node(0, 1));
        let z = 500.0 - 0.7 * y + 0.2 * x + 0.002 * x * x + south + xi * (north - south) + draw(noise);
        text += &format!("{:.3} {:.3} {z:.5}\n", 2_600_000.0 + x, 1_200_000.0 + y);
    }
    text
}

fn measured(text: &str, cell_m: f64) -> Result<(Found, raster::Raster)> {
    let folder = tempfile::tempdir().unwrap();
    let [source, out] = ["cloud.xyz", "rough.tif"].map(|name| folder.path().join(name));
    std::fs::write(&source, text).unwrap();
    let found = measure(&Wish { source, cell_m, crs: Some(Crs::from_epsg(2056).unwrap()), out: out.clone() })?;
    Ok((found, raster::read(&out, &raster::ReadRaster { band: Some(1), ..Default::default() }).unwrap()))
}

/// Known roughness comes back: spacing within 15 %, heights within 20 %, noise told from it.
#[test]
fn known_roughness_comes_back() {
    let (found, heights) = measured(&cloud(0.06, 0.5, 0.02), 2.0).unwrap();
    assert!((found.spacing_m / 0.5 - 1.0).abs() < 0.15, "{found:?}");
    assert!((found.noise_m - 0.02).abs() < 0.015, "{found:?}");
    let values = &heights.field.values;
    let mean = |from: usize, to: usize| {
        let cells: Vec<f64> = (0..400).filter(|k| (from..to).contains(&(k % 20))).map(|k| values[k]).collect();
        cells.iter().sum::<f64>() / cells.len() as f64
    };
    let (west, east) = (mean(1, 8), mean(12, 19));
    assert!((west / 0.06 - 1.0).abs() < 0.2 && (east / 0.12 - 1.0).abs() < 0.2, "{west} {east}");
    assert_eq!((found.cells, found.filled), (400, 0));
}

/// Noise shows at no lag but 0: however large it is, height and spacing are those of the surface.
#[test]
fn noise_is_no_roughness() {
    let (part_m, spacing_m, variance) = (0.1, 0.5, 0.04_f64.powi(2));
    let product = |lag: usize| 1.5 * spline(lag as f64 * part_m / spacing_m) * variance;
    let mut pairs: Vec<(f64, f64)> = (0..=20).map(|lag| (1e6 * product(lag), 1e6)).collect();
    pairs[0].0 += 1e6 * 0.1_f64.powi(2);
    let found = Covariances { pairs };
    let at_true = found.variance(part_m, spacing_m).unwrap();
    assert!((at_true / variance - 1.0).abs() < 1e-12, "{at_true}");
    // Spacings are tried in steps of 1.5 %.
    let (spacing, fitted) = found.fit(part_m, 2.0).unwrap();
    assert!((spacing / spacing_m - 1.0).abs() < 0.016 && (fitted / variance - 1.0).abs() < 0.02, "{spacing} {fitted}");
}

#[test]
fn sources_that_are_too_coarse_are_refused() {
    let text = cloud(0.06, 0.5, 0.0);
    let coarse = measured(&text, 0.3).map(|_| ()).unwrap_err().message;
    assert!(coarse.contains("apart") && coarse.contains("0.3 m"), "{coarse}");
    let wide = measured(&text, 100.0).map(|_| ()).unwrap_err().message;
    assert!(wide.contains("at least 2 × 2"), "{wide}");
}
