//! Which part of a run to compute.

use std::str::FromStr;

use crate::{Error, Result};

/// Part i of n, or trajectories from … to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shard {
    /// From 1.
    Part(u64, u64),
    /// The first one, and the first one no longer in it; counted from 0.
    Range(u64, u64),
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let wrong = || format!("found {text:?}, expected i/n (part i of n, from 1) or from..to, e.g. 2/7 or 0..500");
        let number = |part: &str| part.trim().parse::<u64>().map_err(|_| wrong());
        if let Some((i, n)) = text.split_once('/') {
            let (i, n) = (number(i)?, number(n)?);
            return if i >= 1 && i <= n { Ok(Self::Part(i, n)) } else { Err(wrong()) };
        }
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let (from, to) = (number(from)?, number(to)?);
        if from < to { Ok(Self::Range(from, to)) } else { Err(wrong()) }
    }
}

impl Shard {
    /// The trajectories of this part of `total`.
    pub(crate) fn range(self, total: u64) -> Result<(u64, u64)> {
        match self {
            Self::Part(i, n) => {
                let cut = |i: u64| (u128::from(i) * u128::from(total) / u128::from(n)) as u64;
                Ok((cut(i - 1), cut(i)))
            }
            Self::Range(from, to) if to <= total => Ok((from, to)),
            Self::Range(_, to) => Err(Error::usage(format!(
                "--shard: it ends at trajectory {to}, but the run has {total}; the last part ends at {total}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of any n cover every trajectory once, and cuts of different n meet where they are equal.
    #[test]
    fn parts_cover_everything_once() {
        for (total, n) in [(10, 3), (7, 7), (3, 7), (1000, 1)] {
            let ranges: Vec<_> = (1..=n).map(|i| Shard::Part(i, n).range(total).unwrap()).collect();
            assert_eq!((ranges[0].0, ranges[n as usize - 1].1), (0, total));
            assert!(ranges.windows(2).all(|w| w[0].1 == w[1].0));
        }
        assert_eq!(Shard::Part(3, 4).range(1001).unwrap().1, Shard::Part(6, 8).range(1001).unwrap().1);
    }

    #[test]
    fn what_cannot_be_a_part_is_refused() {
        assert_eq!("2/7".parse(), Ok(Shard::Part(2, 7)));
        assert_eq!("10..20".parse(), Ok(Shard::Range(10, 20)));
        for wrong in ["0/3", "4/3", "x/3", "5..5", "7", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        assert!(Shard::Range(0, 11).range(10).is_err());
    }
}
