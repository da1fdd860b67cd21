//! What is kept of every single trajectory, and the logs it streams to: one record after the other, in order of number.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::files::atomic::io_error;
use crate::files::hash::{self, hexadecimal};
use crate::hazard::codec;
use crate::store::state_file::LogSum;
use crate::trajectory::{SolverCounts, StopReason};
use crate::{Error, Result};

/// One trajectory in numbers. Coordinates are world coordinates, m.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryRecord {
    /// Number k: with the project and the seed it says everything.
    pub number: u64,
    /// Index of the release layer, and the feature's id in it.
    pub layer: u32,
    pub feature: i64,
    /// Index of the scenario.
    pub scenario: u32,
    pub shape: String,
    pub mass_kg: f64,
    pub volume_m3: f64,
    /// Largest kinetic energy (kJ), velocity (m/s), jump height (m), rotation (rev/s) anywhere.
    pub max: [f32; 4],
    pub start: [f64; 3],
    pub end: [f64; 3],
    pub stop: StopReason,
    pub time_s: f64,
    pub steps: u64,
    /// Length of the path's horizontal projection, m.
    pub path_m: f64,
    pub lifted_m: f64,
    pub solver: SolverCounts,
    pub frequency_per_year: f64,
}

impl TrajectoryRecord {
    /// Horizontal distance from start to end, m.
    pub(crate) fn runout_m(&self) -> f64 {
        (self.end[0] - self.start[0]).hypot(self.end[1] - self.start[1])
    }

    /// Angle of the line from start to end below the horizontal, degrees.
    pub(crate) fn energy_line_deg(&self) -> f64 {
        (self.start[2] - self.end[2]).atan2(self.runout_m()).to_degrees()
    }

    /// Whether the rock lies where it ended: at rest, or held by a barrier.
    pub(crate) fn is_deposit(&self) -> bool {
        matches!(self.stop, StopReason::AtRest | StopReason::Barrier)
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let mut integers = vec![self.number, u64::from(self.layer), self.feature as u64, u64::from(self.scenario)];
        integers.extend([stop_code(self.stop), self.steps]);
        let SolverCounts { solves, not_converged, restitution_reduced, pushed_out } = self.solver;
        integers.extend([solves, not_converged, restitution_reduced, pushed_out]);
        integers.iter().for_each(|value| out.extend(value.to_le_bytes()));
        let reals = [self.mass_kg, self.volume_m3, self.time_s, self.path_m, self.lifted_m, self.frequency_per_year];
        reals.iter().chain(&self.start).chain(&self.end).for_each(|value| out.extend(value.to_le_bytes()));
        self.max.iter().for_each(|value| out.extend(value.to_le_bytes()));
        out.extend((self.shape.len() as u64).to_le_bytes());
        out.extend(self.shape.as_bytes());
    }

    pub(crate) fn decode(input: &mut impl Read) -> Result<Self> {
        let mut integers = [0; 10];
        for value in &mut integers {
            *value = codec::take_u64(input)?;
        }
        let mut reals = [0.0; 12];
        for value in &mut reals {
            *value = f64::from_bits(codec::take_u64(input)?);
        }
        let mut max = [0.0; 4];
        for value in &mut max {
            *value = f32::from_bits(codec::take_u32(input)?);
        }
        let shape = String::from_utf8_lossy(&codec::take_bytes(input)?).into_owned();
        let [number, layer, feature, scenario, stop, steps, solves, not_converged, restitution_reduced, pushed_out] =
            integers;
        let [mass_kg, volume_m3, time_s, path_m, lifted_m, frequency_per_year, places @ ..] = reals;
        let stop = STOPS.get(stop as usize).copied();
        Ok(Self {
            number,
            layer: layer as u32,
            feature: feature as i64,
            scenario: scenario as u32,
            shape,
            mass_kg,
            volume_m3,
            max,
            start: [places[0], places[1], places[2]],
            end: [places[3], places[4], places[5]],
            stop: stop
                .ok_or_else(|| Error::failed("a stored trajectory is damaged: recompute this part of the run"))?,
            time_s,
            steps,
            path_m,
            lifted_m,
            solver: SolverCounts { solves, not_converged, restitution_reduced, pushed_out },
            frequency_per_year,
        })
    }
}

const STOPS: [StopReason; 7] = [
    StopReason::AtRest,
    StopReason::LeftTerrain,
    StopReason::Nodata,
    StopReason::MaxTime,
    StopReason::MaxDistance,
    StopReason::Barrier,
    StopReason::Diverged,
];

fn stop_code(stop: StopReason) -> u64 {
    STOPS.iter().position(|known| *known == stop).unwrap_or(STOPS.len()) as u64
}

/// The name of a stop reason in tables.
pub(crate) fn stop_name(stop: StopReason) -> &'static str {
    match stop {
        StopReason::AtRest => "at_rest",
        StopReason::LeftTerrain => "left_terrain",
        StopReason::Nodata => "nodata",
        StopReason::MaxTime => "max_time",
        StopReason::MaxDistance => "max_distance",
        StopReason::Barrier => "barrier",
        StopReason::Diverged => "diverged",
    }
}

/// Every stop reason, in the order of tables.
pub(crate) fn stop_reasons() -> [StopReason; 7] {
    STOPS
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
    pub path: PathBuf,
    pub sum: LogSum,
}

impl LogFile {
    /// Whether it still is what was counted; look before anything is made of it.
    pub fn check(&self) -> Result<()> {
        if self.sum.bytes == 0 {
            return Ok(());
        }
        let mut file = File::open(&self.path).map_err(|error| unreadable(&self.path, &error))?;
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
        let file = File::open(&self.path).map_err(|error| unreadable(&self.path, &error))?;
        let mut input = BufReader::with_capacity(1 << 18, file).take(self.sum.bytes);
        while input.limit() > 0 {
            each(decode(&mut input)?)?;
        }
        Ok(())
    }

    /// Copies the whole log, which was checked, to the end of another.
    pub(crate) fn append_to(&self, log: &mut Log) -> Result<()> {
        if self.sum.bytes == 0 {
            return Ok(());
        }
        let unreadable = |error: io::Error| unreadable(&self.path, &error);
        let mut input = File::open(&self.path).map_err(unreadable)?.take(self.sum.bytes);
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
pub(crate) mod tests {
    use super::*;

    pub(crate) fn record(number: u64) -> TrajectoryRecord {
        TrajectoryRecord {
            number,
            layer: 1,
            feature: -3,
            scenario: 2,
            shape: "block é".into(),
            mass_kg: 812.25,
            volume_m3: 0.3,
            max: [1.5, 20.0, 3.25, 4.0],
            start: [2_600_000.1, 1_200_000.2, 900.5],
            end: [2_600_030.1, 1_200_040.2, 860.5],
            stop: StopReason::MaxDistance,
            time_s: 12.5,
            steps: 6250,
            path_m: 61.0,
            lifted_m: 0.0,
            solver: SolverCounts { solves: 100, not_converged: 1, restitution_reduced: 2, pushed_out: 3 },
            frequency_per_year: 1e-5,
        }
    }

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
        assert!((record(1).runout_m() - 50.0).abs() < 1e-6);
    }
}
