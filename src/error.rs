//! The one error type. Every message is a sentence a hazard mapper can act on: the file, key or feature at fault,
//! what was found, what was expected, and what to do.

use std::fmt;
use std::sync::Arc;

/// Why a command ended; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something failed that is not the input's fault (disk full, a validation case). Exit code 1: it will fail again.
    Failed,
    /// The command line itself is wrong. Exit code 2.
    Usage,
    /// A file, key or feature of the user's is wrong. Exit code 3.
    Input,
    /// It was interrupted, or another process is at it. Exit code 4: the same command will do later.
    Again,
}

/// Why something was not done, as a sentence.
#[derive(Debug, Clone)]
pub struct Error {
    /// Whose fault it is.
    pub kind: Kind,
    /// The sentence.
    pub message: String,
    /// What the operating system or a library said.
    pub cause: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The cause is for programs that look for it; two errors are the same if they tell the user the same.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.message) == (other.kind, &other.message)
    }
}

impl Eq for Error {}

/// Exit code of what can be tried again.
pub const TRY_AGAIN: u8 = 4;

/// What may fail with a sentence.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Not the input's fault.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { kind: Kind::Failed, message: message.into(), cause: None }
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, message: message.into(), cause: None }
    }

    /// A file, key or feature of the user's is wrong.
    pub fn input(message: impl Into<String>) -> Self {
        Self { kind: Kind::Input, message: message.into(), cause: None }
    }

    /// Interrupted, or another process is at it: the same command will do later.
    pub fn again(message: impl Into<String>) -> Self {
        Self { kind: Kind::Again, message: message.into(), cause: None }
    }

    /// With what a library or the operating system said, for [`std::error::Error::source`].
    pub fn caused_by(mut self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Arc::new(cause));
        self
    }

    /// The process exit code, as documented in the README.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Failed => 1,
            Kind::Usage => 2,
            Kind::Input => 3,
            Kind::Again => TRY_AGAIN,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_kept_and_the_sentence_decides_what_is_equal() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let error = Error::failed("the disk is full").caused_by(full);
        assert_eq!(error, Error::failed("the disk is full"));
        let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
        assert_eq!(cause.map(std::io::Error::kind), Some(std::io::ErrorKind::StorageFull));
    }
}
