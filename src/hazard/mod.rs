//! Per-cell statistics of an ensemble: mergeable accumulators, quantiles, classified maps, barriers. No I/O.

pub mod barrier;
pub mod classify;
pub mod crossings;
pub mod dimensioning;
pub mod lines;
pub mod sample;
pub mod scheme;
