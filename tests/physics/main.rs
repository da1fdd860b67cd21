//! Physical laws the engine must obey, tested through the public library.

mod analytical;
mod contact_problems;
mod energy;
mod fast;
mod flights;
mod forest;
mod hold;
mod invariance;
mod limits;
mod properties;
mod restitution;
mod ridges;
mod rim;
mod rough;
mod soil;
mod support;
