//! Physical laws the engine must obey, tested through the public library.

mod analytical;
mod limits;
mod support;
