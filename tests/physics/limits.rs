//! Where models break: sinking, tunnelling, the edge of the terrain, nonsense.
