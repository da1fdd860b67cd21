//! Each sample through the real binary: checked, prepared, and run with a few rocks.
