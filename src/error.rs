//! The one error type. Every message is a sentence a hazard mapper can act on: the file, key or feature at fault,
//! what was found, what was expected, and what to do.

use std::fmt;

/// Why a command ended; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something failed that is not the input's fault (disk full, interrupted, a validation case). Exit code 1.
    Failed,
    /// The command line itself is wrong. Exit code 2.
    Usage,
    /// A file, key or feature of the user's is wrong. Exit code 3.
    Input,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub kind: Kind,
    pub message: String,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn failed(message: impl Into<String>) -> Self {
        Self { kind: Kind::Failed, message: message.into() }
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, message: message.into() }
    }

    pub fn input(message: impl Into<String>) -> Self {
        Self { kind: Kind::Input, message: message.into() }
    }

    /// The process exit code, as documented in the README.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Failed => 1,
            Kind::Usage => 2,
            Kind::Input => 3,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
