//! Log-binned histograms that merge to the same bits in any order, and cost little where little was counted.
//!
//! **Bins.** A value's bin is its binary exponent and the first six bits of its mantissa: 64 bins an octave, each at most
//! 1/64 wide relative to its lower edge. A bin stands for its middle, so no value is misjudged by more than
//! [`RELATIVE_ERROR`] = 1/128 (0.8 %). Values below [`SMALLEST`] count as zero. Bit operations only: the same on every
//! machine.
//!
//! **Storage.** [`SparseCounts`] keeps (cell, key) → count of one tile as a sorted, delta-coded byte string: about two
//! bytes for a pair that occurred once. The bytes depend on the counts alone, never on the order of adding.

use crate::{Error, Result};

/// Largest relative error of a value read back from its bin.
pub const RELATIVE_ERROR: f64 = 1.0 / 128.0;
/// Smaller values count as zero (1/1024 kJ, m/s, m or rev/s).
pub const SMALLEST: f32 = 1.0 / 1024.0;

const MANTISSA_BITS: u32 = 23;
const BIN_BITS: u32 = 6;
const SHIFT: u32 = MANTISSA_BITS - BIN_BITS;
/// Bits of [`SMALLEST`], shifted: the bin below the first one.
const BASE: u32 = (SMALLEST.to_bits() >> SHIFT) - 1;
/// Values above 2^31 share the last bin.
const LAST: u32 = ((2147483648.0f32).to_bits() >> SHIFT) - BASE;

/// Number of bins.
pub const BINS: usize = LAST as usize + 1;

/// The bin of a value; 0 for zero, tiny, negative and non-finite values.
pub fn bin(value: f32) -> u32 {
    if value >= SMALLEST && value.is_finite() { ((value.to_bits() >> SHIFT) - BASE).min(LAST) } else { 0 }
}

/// What a bin stands for.
pub fn value(bin: u32) -> f64 {
    if bin == 0 {
        return 0.0;
    }
    let low = f32::from_bits((bin + BASE) << SHIFT);
    let high = f32::from_bits((bin + BASE + 1) << SHIFT);
    0.5 * (f64::from(low) + f64::from(high))
}

/// Counts of (cell of a tile, key) pairs. Keys are bins or source numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SparseCounts {
    bytes: Vec<u8>,
    pairs: usize,
}

/// One (cell, key) pair with its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Number within its tile.
    pub cell: u32,
    /// The bin.
    pub key: u32,
    /// How often.
    pub count: u32,
}

impl Entry {
    fn order(&self) -> u64 {
        u64::from(self.cell) << 32 | u64::from(self.key)
    }
}

impl SparseCounts {
    /// Number of distinct pairs.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// As they are stored.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds entries, which need not be sorted or distinct.
    pub fn add(&mut self, entries: &mut [Entry]) {
        entries.sort_unstable_by_key(Entry::order);
        let old = std::mem::take(self);
        let mut writer = Writer::with_capacity(old.bytes.len() + 3 * entries.len());
        writer.merge(old.iter(), entries.iter().copied());
        *self = writer.finish();
    }

    /// Adds all counts of another.
    pub fn merge(&mut self, other: &Self) {
        if other.pairs == 0 {
            return;
        }
        let old = std::mem::take(self);
        let mut writer = Writer::with_capacity(old.bytes.len() + other.bytes.len());
        writer.merge(old.iter(), other.iter());
        *self = writer.finish();
    }

    /// A set has no counts: every pair counts once.
    pub fn add_to_set(&mut self, entries: &mut [Entry]) {
        self.add(entries);
        self.flatten();
    }

    /// Joins the keys of another; counts stay 1.
    pub fn merge_set(&mut self, other: &Self) {
        self.merge(other);
        self.flatten();
    }

    fn flatten(&mut self) {
        if self.iter().all(|entry| entry.count == 1) {
            return;
        }
        let mut writer = Writer::with_capacity(self.bytes.len());
        self.iter().for_each(|entry| writer.push(Entry { count: 1, ..entry }));
        *self = writer.finish();
    }

    /// The same pairs with other keys: `numbers[key]` for each. No two keys may become the same.
    pub fn renumbered(&self, numbers: &[u32]) -> Self {
        let mut entries: Vec<Entry> =
            self.iter().map(|entry| Entry { key: numbers[entry.key as usize], ..entry }).collect();
        let mut new = Self::default();
        new.add(&mut entries);
        new
    }

    /// Pairs in order of cell, then key.
    pub fn iter(&self) -> Reader<'_> {
        Reader::new(&self.bytes)
    }

    /// Takes bytes written by [`Self::bytes`] back in; refuses anything else, and keys of `keys` and above.
    pub fn from_bytes(bytes: &[u8], cells: u32, keys: u32) -> Result<Self> {
        let damaged = || Error::failed("the stored counts are damaged: recompute this part of the run");
        let mut reader = Reader::new(bytes);
        let mut pairs = 0;
        let mut last = None;
        while !reader.bytes.is_empty() {
            let entry = reader.next().ok_or_else(damaged)?;
            if entry.cell >= cells || entry.key >= keys || last.is_some_and(|last| entry.order() <= last) {
                return Err(damaged());
            }
            last = Some(entry.order());
            pairs += 1;
        }
        Ok(Self { bytes: bytes.to_vec(), pairs })
    }
}

/// Each pair is `varint(step << 2 | new_cell << 1 | many)`: `step` is the cell's distance for a new cell (followed by the
/// first key's difference to that of the cell before, which is often small), else the key's distance; `many` announces
/// `varint(count − 2)`.
struct Writer {
    bytes: Vec<u8>,
    pairs: usize,
    last: Option<Entry>,
    cell: u32,
    key: u32,
    /// The first key of the present cell.
    first: u32,
}

impl Writer {
    fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), pairs: 0, last: None, cell: 0, key: 0, first: 0 }
    }

    fn merge(&mut self, mut a: impl Iterator<Item = Entry>, mut b: impl Iterator<Item = Entry>) {
        let (mut x, mut y) = (a.next(), b.next());
        loop {
            match (x, y) {
                (Some(p), Some(q)) if p.order() <= q.order() => {
                    self.push(p);
                    x = a.next();
                }
                (Some(p), None) => {
                    self.push(p);
                    x = a.next();
                }
                (_, Some(q)) => {
                    self.push(q);
                    y = b.next();
                }
                (None, None) => return,
            }
        }
    }

    fn push(&mut self, entry: Entry) {
        match &mut self.last {
            Some(last) if last.order() == entry.order() => last.count = last.count.saturating_add(entry.count),
            _ => {
                self.flush();
                self.last = Some(entry);
            }
        }
    }

    fn flush(&mut self) {
        let Some(entry) = self.last.take() else { return };
        let many = u64::from(entry.count > 1);
        let first = self.pairs == 0;
        if first || entry.cell != self.cell {
            put_varint(&mut self.bytes, u64::from(entry.cell - self.cell) << 2 | 2 | many);
            put_varint(&mut self.bytes, zigzag(i64::from(entry.key) - i64::from(self.first)));
            self.first = entry.key;
        } else {
            put_varint(&mut self.bytes, u64::from(entry.key - self.key) << 2 | many);
        }
        if entry.count > 1 {
            put_varint(&mut self.bytes, u64::from(entry.count - 2));
        }
        (self.cell, self.key) = (entry.cell, entry.key);
        self.pairs += 1;
    }

    fn finish(mut self) -> SparseCounts {
        self.flush();
        self.bytes.shrink_to_fit();
        SparseCounts { bytes: self.bytes, pairs: self.pairs }
    }
}

/// Goes through the entries in order.
pub struct Reader<'a> {
    bytes: &'a [u8],
    cell: u32,
    key: u32,
    first: u32,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, cell: 0, key: 0, first: 0 }
    }
}

impl Iterator for Reader<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let head = take_varint(&mut self.bytes)?;
        let step = u32::try_from(head >> 2).ok()?;
        if head & 2 != 0 {
            self.cell = self.cell.checked_add(step)?;
            let difference = unzigzag(take_varint(&mut self.bytes)?);
            self.key = u32::try_from(i64::from(self.first) + difference).ok()?;
            self.first = self.key;
        } else {
            self.key = self.key.checked_add(step)?;
        }
        let more = if head & 1 != 0 { take_varint(&mut self.bytes)? + 1 } else { 0 };
        Some(Entry { cell: self.cell, key: self.key, count: u32::try_from(more).ok()?.checked_add(1)? })
    }
}

/// Small numbers of either sign as small ones without.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..42).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// No value is misjudged by more than the stated 1/128, over the whole range; bins grow with the value.
    #[test]
    fn a_value_read_back_from_its_bin_is_within_the_stated_error() {
        let mut worst: f64 = 0.0;
        let mut last = 0;
        let mut x = SMALLEST;
        while x < 1e9 {
            let error = (value(bin(x)) / f64::from(x) - 1.0).abs();
            worst = worst.max(error);
            assert!(bin(x) >= last);
            last = bin(x);
            x *= 1.000_7;
        }
        // Measured 0.00781.
        assert!(worst <= RELATIVE_ERROR && worst > 0.9 * RELATIVE_ERROR, "{worst}");
    }

    #[test]
    fn nothing_non_finite_or_tiny_gets_a_bin_of_its_own() {
        for x in [0.0, -3.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, SMALLEST * 0.999] {
            assert_eq!(bin(x), 0);
        }
        assert_eq!(value(0), 0.0);
        assert_eq!(bin(SMALLEST), 1);
        assert_eq!(bin(f32::MAX), LAST);
    }

    fn entries() -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec((0u32..40, prop_oneof![0u32..50, 0..u32::MAX]), 0..300)
    }

    proptest! {
        /// Counts equal those of a plain map, and the bytes do not depend on how the entries were split and ordered.
        #[test]
        fn counts_are_those_of_a_map_and_bytes_do_not_depend_on_the_order(all in entries(), cut in 0usize..300) {
            let entry = |&(cell, key): &(u32, u32)| Entry { cell, key, count: 1 };
            let mut expected = BTreeMap::new();
            all.iter().for_each(|pair| *expected.entry(*pair).or_insert(0u32) += 1);
            let mut once = SparseCounts::default();
            once.add(&mut all.iter().map(entry).collect::<Vec<_>>());
            let found: BTreeMap<_, _> = once.iter().map(|e| ((e.cell, e.key), e.count)).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(once.pairs(), expected.len());
            let (head, tail) = all.split_at(cut.min(all.len()));
            let (mut a, mut b) = (SparseCounts::default(), SparseCounts::default());
            a.add(&mut head.iter().rev().map(entry).collect::<Vec<_>>());
            b.add(&mut tail.iter().map(entry).collect::<Vec<_>>());
            b.merge(&a);
            prop_assert_eq!(b.bytes(), once.bytes());
            prop_assert_eq!(&SparseCounts::from_bytes(once.bytes(), 40, u32::MAX).unwrap(), &once);
            let mut set = SparseCounts::default();
            set.add_to_set(&mut all.iter().map(entry).collect::<Vec<_>>());
            prop_assert!(set.iter().all(|e| e.count == 1));
            prop_assert_eq!(set.pairs(), expected.len());
            let keys: Vec<u32> = (0..50).collect();
            let turned: Vec<u32> = keys.iter().rev().copied().collect();
            let mut small = SparseCounts::default();
            small.add(&mut all.iter().filter(|pair| pair.1 < 50).map(entry).collect::<Vec<_>>());
            prop_assert_eq!(small.renumbered(&turned).renumbered(&turned), small);
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let mut counts = SparseCounts::default();
        counts.add(&mut [Entry { cell: 3, key: 700, count: 2 }, Entry { cell: 9, key: 1, count: 1 }]);
        let bytes = counts.bytes().to_vec();
        assert!(SparseCounts::from_bytes(&bytes[..bytes.len() - 1], 16, 1000).is_err());
        assert!(SparseCounts::from_bytes(&bytes, 5, 1000).is_err());
        assert!(
            SparseCounts::from_bytes(&bytes, 16, 700).is_err() && SparseCounts::from_bytes(&bytes, 16, 701).is_ok()
        );
        assert!(SparseCounts::from_bytes(&[0xff; 20], 16, 1000).is_err());
    }
}
