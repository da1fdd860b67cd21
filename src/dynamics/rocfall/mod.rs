//! The rigid-body laws of the RocFall3 legacy manual: impacts with restitution, rolling and rolling–sliding.

pub mod impact;
pub mod rolling;
