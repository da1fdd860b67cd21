//! The house itself: what may know what, and what the documents say of it.

mod commands;
mod documents;
mod numbers;
mod order;
