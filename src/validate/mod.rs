//! What the papers published, what we compute, the tolerance, pass or fail: one file a paper.
