//! Numbers for the interactive page: small integers, coded by differences, deflated, as text.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::output::page::base64;
use crate::{Error, Result};

/// Steps a unit of the logarithm of values has: 0.03 % apart.
pub(crate) const STEPS: f64 = 3000.0;
/// Values far below this are all nearly zero.
pub(crate) const SMALL: f64 = 0.01;

/// A measured value in 16 bits: logarithmic, zero is zero.
pub(crate) fn code(value: f64) -> u16 {
    let code = STEPS * (1.0 + value.max(0.0) / SMALL).ln();
    if code.is_finite() { code.round().min(65_534.0) as u16 } else { 0 }
}

/// Numbers of 16 bits as the page reads them: differences, low bytes first and then high bytes, deflated.
pub(crate) fn pack16(values: &[u16]) -> Result<String> {
    let mut before = 0u16;
    let differences: Vec<u16> = values.iter().map(|&v| v.wrapping_sub(std::mem::replace(&mut before, v))).collect();
    let low = differences.iter().map(|d| *d as u8);
    let high = differences.iter().map(|d| (d >> 8) as u8);
    deflated(&low.chain(high).collect::<Vec<u8>>())
}

/// The same for 32 bits.
pub(crate) fn pack32(values: &[u32]) -> Result<String> {
    let mut before = 0u32;
    let differences: Vec<u32> = values.iter().map(|&v| v.wrapping_sub(std::mem::replace(&mut before, v))).collect();
    let bytes = (0..4).flat_map(|k| differences.iter().map(move |d| (d >> (8 * k)) as u8));
    deflated(&bytes.collect::<Vec<u8>>())
}

fn deflated(bytes: &[u8]) -> Result<String> {
    let failed = |error: std::io::Error| Error::failed(format!("the interactive page cannot be packed: {error}"));
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(bytes).map_err(failed)?;
    Ok(base64(&encoder.finish().map_err(failed)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_within_a_thousandth_of_its_value() {
        for value in [0.1, 1.0, 37.5, 300.0, 12_345.0, 1e7] {
            let back = SMALL * ((f64::from(code(value)) / STEPS).exp() - 1.0);
            assert!((back - value).abs() < 1e-3 * value, "{value}: {back}");
        }
        assert_eq!((code(0.0), code(-1.0), code(f64::NAN)), (0, 0, 0));
        assert!(code(1e300) <= 65_534);
    }
}
