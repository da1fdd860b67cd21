//! Polygons, lines and points plus a seed become numbered releases; release k depends only on (seed, k).
