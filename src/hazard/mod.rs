//! Per-cell statistics of an ensemble: mergeable accumulators, quantiles, classified maps, barriers. No I/O.

pub mod accumulator;
pub mod airborne;
pub mod barrier;
pub mod classify;
pub mod codec;
pub mod confidence;
pub mod crossings;
pub mod dimensioning;
pub mod generalise;
pub mod histogram;
pub mod impacts;
pub mod lines;
pub mod plausibility;
pub mod quantity;
pub mod ranks;
pub mod sample;
pub mod scheme;
pub mod source_cells;
pub mod sparse;
pub mod squares;
pub mod standard;
pub mod statistics;
pub mod stored;
pub mod tile;
pub mod traverse;
pub mod zones;
