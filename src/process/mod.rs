//! The program on its machine: what it says and how far it is, how it is interrupted, what memory and threads there are.

pub mod console;
pub mod interrupt;
pub mod memory;
pub(crate) mod parent;
pub(crate) mod progress;
pub mod threads;
