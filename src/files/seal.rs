//! JSON files that notice when a single bit of them has changed: the key `seal` holds the hash of the whole text.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::files::atomic;
use crate::files::hash::sha256;
use crate::{Error, Result, files};

/// What stands in place of the hash while it is computed.
pub(crate) const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";
const KEY: &str = "\"seal\": \"";

/// Writes a value that has a field `seal` which is [`BLANK`].
pub(crate) fn write(path: &Path, value: &impl Serialize) -> Result<()> {
    let unwritable = |why: String| Error::failed(format!("'{}' cannot be written: {why}", path.display()));
    let text = serde_json::to_string_pretty(value).map_err(|error| unwritable(error.to_string()))? + "\n";
    let Some(at) = places(&text).find(|&at| text[at..].starts_with(BLANK)) else {
        return Err(unwritable("it has no seal".into()));
    };
    let sealed = format!("{}{}{}", &text[..at], sha256(text.as_bytes()), &text[at + BLANK.len()..]);
    atomic::write_bytes(path, sealed.as_bytes())
}

/// Reads what [`write`] wrote; the value's seal comes back blank.
///
/// # Errors
/// The file cannot be read, is not what it should be, or is not what was written. The sentence begins with its name.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let shown = path.display();
    let text = files::open(path)
        .and_then(std::io::read_to_string)
        .map_err(|error| Error::input(format!("'{shown}' cannot be read ({error}); make it again")).caused_by(error))?;
    let damaged = || {
        Error::input(format!(
            "'{shown}' is damaged or was changed: it does not match the checksum written with it; make it again"
        ))
    };
    let unsealed = |at: usize| {
        let blank = format!("{}{BLANK}{}", &text[..at], &text[at + BLANK.len()..]);
        (sha256(blank.as_bytes()) == text[at..at + BLANK.len()]).then_some(blank)
    };
    let blank = places(&text).find_map(unsealed).ok_or_else(damaged)?;
    serde_json::from_str(&blank).map_err(|error| {
        Error::input(format!("'{shown}' is not of this version of couloir ({error})")).caused_by(error)
    })
}

/// Where the hash may begin: a key of the same name may stand elsewhere.
fn places(text: &str) -> impl Iterator<Item = usize> {
    let begins = text.match_indices(KEY).map(|(at, _)| at + KEY.len());
    begins.filter(|&at| text.get(at..at + BLANK.len()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Small {
        other: std::collections::BTreeMap<String, String>,
        text: String,
        number: f64,
        seal: String,
    }

    /// Every bit of the file counts, those of the seal and of white space too.
    #[test]
    fn a_flipped_bit_breaks_the_seal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.json");
        let other = std::collections::BTreeMap::from([("seal".to_string(), "x".repeat(70))]);
        let small = Small { other, text: "says \"seal\": \"x\"".into(), number: 0.1, seal: BLANK.into() };
        write(&path, &small).unwrap();
        assert_eq!(read::<Small>(&path).unwrap(), small);
        let bytes = std::fs::read(&path).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &flipped).unwrap();
            let refused = read::<Small>(&path).unwrap_err();
            assert!(refused.message.contains("small.json"), "{refused}");
        }
        for other in [&bytes[..bytes.len() - 1], &bytes[..10], b"", b"{}"] {
            std::fs::write(&path, other).unwrap();
            assert!(read::<Small>(&path).is_err());
        }
    }
}
