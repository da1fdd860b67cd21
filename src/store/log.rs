//! The logs of a run: one record after the other, in the order in which rocks are released (`release/order.rs`).

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::ops::Index;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files::atomic::io_error;
use crate::files::hash::{self, hexadecimal};
use crate::{Error, Result, files};

/// What is streamed to a log of its own, for each variant of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogKind {
    /// Every trajectory in numbers.
    Records,
    /// Its line, if it is to be written.
    Tracks,
    /// Its points at intervals.
    Points,
    /// Where it crossed a line.
    Crossings,
    /// Where it met the ground after a flight.
    Impacts,
}

impl LogKind {
    /// Every kind, in order.
    pub const ALL: [Self; 5] = [Self::Records, Self::Tracks, Self::Points, Self::Crossings, Self::Impacts];

    /// Name of its file in the run folder.
    pub(crate) fn file_name(self, variant: Option<&str>) -> String {
        let name = match self {
            Self::Records => "records",
            Self::Tracks => "tracks",
            Self::Points => "points",
            Self::Crossings => "crossings",
            Self::Impacts => "impacts",
        };
        variant.map_or(format!("{name}.log"), |variant| format!("{variant}.{name}.log"))
    }
}

/// One for each [`LogKind`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerLog<T>([T; 5]);

impl<T> PerLog<T> {
    /// Each made from its kind; the first failure ends it.
    pub(crate) fn try_from_fn(mut make: impl FnMut(LogKind) -> Result<T>) -> Result<Self> {
        let [records, tracks, points, crossings, impacts] = LogKind::ALL;
        Ok(Self([make(records)?, make(tracks)?, make(points)?, make(crossings)?, make(impacts)?]))
    }

    /// Each with its kind.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (LogKind, &T)> {
        LogKind::ALL.into_iter().zip(&self.0)
    }

    pub(crate) fn get_mut(&mut self, log: LogKind) -> &mut T {
        &mut self.0[log as usize]
    }
}

impl<T> Index<LogKind> for PerLog<T> {
    type Output = T;

    fn index(&self, log: LogKind) -> &T {
        &self.0[log as usize]
    }
}

/// Length and hash of a log as far as it has been counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogSum {
    /// Its length.
    pub bytes: u64,
    /// Of these bytes.
    pub sha256: String,
}

/// A file that only grows, and can be cut back to where a checkpoint was taken.
pub(crate) struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
    hash: Sha256,
}

impl Log {
    /// Opens a log and cuts it to what a checkpoint has seen of it; nothing seen begins anew.
    ///
    /// # Errors
    /// It no longer holds what the checkpoint has seen.
    pub(crate) fn open(path: &Path, seen: &LogSum) -> Result<Self> {
        let fail = |error: io::Error| io_error(path, &error);
        let mut file =
            OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path).map_err(fail)?;
        let hash = if seen.bytes == 0 { Sha256::new() } else { checked(path, &mut file, seen)? };
        file.set_len(seen.bytes).map_err(fail)?;
        file.seek(io::SeekFrom::End(0)).map_err(fail)?;
        Ok(Self { path: path.to_path_buf(), file: BufWriter::with_capacity(1 << 18, file), length: seen.bytes, hash })
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|error| io_error(&self.path, &error))?;
        self.length += bytes.len() as u64;
        self.hash.update(bytes);
        Ok(())
    }

    /// Lets readers of the file see everything; returns length and hash.
    pub(crate) fn flush(&mut self) -> Result<LogSum> {
        self.file.flush().map_err(|error| io_error(&self.path, &error))?;
        Ok(LogSum { bytes: self.length, sha256: hexadecimal(&self.hash.clone().finalize()) })
    }

    /// Brings everything flushed to the disk.
    pub(crate) fn sync(&self) -> Result<()> {
        self.file.get_ref().sync_data().map_err(|error| io_error(&self.path, &error))
    }
}

/// Reads the beginning of a log that has been counted; its hash, if it is what was counted.
fn checked(path: &Path, file: &mut File, seen: &LogSum) -> Result<Sha256> {
    let length = file.metadata().map_err(|error| unreadable(path, &error))?.len();
    let hash = hash::of_stream(file.take(seen.bytes)).map_err(|error| unreadable(path, &error))?;
    if length >= seen.bytes && hexadecimal(&hash.clone().finalize()) == seen.sha256 {
        return Ok(hash);
    }
    Err(Error::input(format!(
        "'{}' is damaged or of another run: its first {} bytes are not those counted with it; compute this part of the run \
         again",
        path.display(),
        seen.bytes
    )))
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::input(format!("'{}' cannot be read ({error}); compute this part of the run again", path.display()))
}

/// A finished log, read from its beginning as often as wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it must hold.
    pub sum: LogSum,
}

impl LogFile {
    /// Whether it still is what was counted; look before anything is made of it.
    pub fn check(&self) -> Result<()> {
        if self.sum.bytes == 0 {
            return Ok(());
        }
        let mut file = files::open(&self.path).map_err(|error| unreadable(&self.path, &error))?;
        checked(&self.path, &mut file, &self.sum).map(|_| ())
    }

    /// Reads records with `decode` until the log ends.
    pub fn read<T>(
        &self,
        mut decode: impl FnMut(&mut dyn Read) -> Result<T>,
        mut each: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        if self.sum.bytes == 0 {
            return Ok(());
        }
        let file = files::open(&self.path).map_err(|error| unreadable(&self.path, &error))?;
        let mut input = BufReader::with_capacity(1 << 18, file).take(self.sum.bytes);
        while input.limit() > 0 {
            each(decode(&mut input)?)?;
        }
        Ok(())
    }

    /// Its records one by one, for those who read two logs side by side.
    pub fn records<T>(
        &self,
        mut decode: impl FnMut(&mut dyn Read) -> Result<T>,
    ) -> Result<impl Iterator<Item = Result<T>>> {
        let file = (self.sum.bytes > 0).then(|| files::open(&self.path)).transpose();
        let file = file.map_err(|error| unreadable(&self.path, &error))?;
        let mut input = file.map(|file| BufReader::with_capacity(1 << 18, file).take(self.sum.bytes));
        Ok(std::iter::from_fn(move || {
            let input = input.as_mut().filter(|input| input.limit() > 0)?;
            Some(decode(input))
        }))
    }

    /// Copies the whole log, which was checked, to the end of another.
    pub(crate) fn append_to(&self, log: &mut Log) -> Result<()> {
        if self.sum.bytes == 0 {
            return Ok(());
        }
        let unreadable = |error: io::Error| unreadable(&self.path, &error);
        let mut input = files::open(&self.path).map_err(unreadable)?.take(self.sum.bytes);
        let mut buffer = vec![0; 1 << 20];
        let mut copied = 0;
        loop {
            let read = input.read(&mut buffer).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            log.append(&buffer[..read])?;
            copied += read as u64;
        }
        if copied == self.sum.bytes { Ok(()) } else { Err(unreadable(io::ErrorKind::UnexpectedEof.into())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::TrajectoryRecord;
    use crate::store::record::tests::record;

    /// A log cut back to a checkpoint and continued equals one written in one go.
    #[test]
    fn a_log_can_be_cut_back_and_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.log");
        let bytes = |k| {
            let mut bytes = Vec::new();
            record(k).encode(&mut bytes);
            bytes
        };
        let mut log = Log::open(&path, &LogSum::default()).unwrap();
        log.append(&bytes(1)).unwrap();
        let checkpoint = log.flush().unwrap();
        log.append(&bytes(99)[..17]).unwrap();
        drop(log);
        let mut log = Log::open(&path, &checkpoint).unwrap();
        log.append(&bytes(2)).unwrap();
        let sum = log.flush().unwrap();
        let mut numbers = Vec::new();
        let file = LogFile { path: path.clone(), sum: sum.clone() };
        file.check().unwrap();
        let decode = |mut input: &mut dyn Read| TrajectoryRecord::decode(&mut input);
        file.read(decode, |r| {
            assert_eq!(r, record(r.number));
            numbers.push(r.number);
            Ok(())
        })
        .unwrap();
        assert_eq!(numbers, [1, 2]);
        assert!(Log::open(&path, &LogSum { bytes: sum.bytes + 1, ..sum.clone() }).is_err());
        let mut written = std::fs::read(&path).unwrap();
        written[20] ^= 1;
        std::fs::write(&path, &written).unwrap();
        assert!(file.check().is_err() && Log::open(&path, &sum).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), written, "a damaged log is left as it is");
    }
}
