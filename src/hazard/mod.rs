//! Per-cell statistics of an ensemble: mergeable accumulators, quantiles, classified maps, barriers. No I/O.
