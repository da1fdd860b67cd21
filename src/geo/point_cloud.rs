//! Point clouds: LAS 1.0 to 1.4 (not compressed) and text with x, y and z. Points are streamed; none is kept.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{Bounds, Crs, gdal_glue};
use crate::{Error, Result};

/// A cloud that was looked at once.
#[derive(Debug, Clone)]
pub(crate) struct PointCloud {
    path: PathBuf,
    kind: Kind,
    /// What the file says.
    pub crs: Option<Crs>,
    /// Around the points that count.
    pub bounds: Bounds,
    /// Points that count: those classified as ground if there are any, else all.
    pub points: u64,
    /// Of all those in the file.
    pub all: u64,
    /// Whether only points classified as ground count.
    pub ground_only: bool,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Las(Las),
}

/// Where the numbers of a LAS file stand.
#[derive(Debug, Clone, Copy)]
struct Las {
    first: u64,
    record: usize,
    count: u64,
    scale: [f64; 3],
    offset: [f64; 3],
    /// Byte of the classification, and what of it counts.
    class: (usize, u8),
}

/// The code of ground points in LAS.
const GROUND: u8 = 2;

impl PointCloud {
    /// Whether a file is one, by its ending.
    pub(crate) fn is_one(path: &Path) -> bool {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        ["las", "laz", "xyz", "txt", "csv"].contains(&ending.as_str())
    }

    /// Looks at all points once.
    ///
    /// # Errors
    /// A damaged or compressed file, a line without three numbers, a cloud without points.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        gdal_glue::check_readable(path, "point cloud")?;
        let mut begin = [0; 4];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut begin));
        let is_las = read.is_ok() && begin == *b"LASF";
        let named_las =
            path.extension().is_some_and(|e| e.eq_ignore_ascii_case("las") || e.eq_ignore_ascii_case("laz"));
        if named_las && !is_las {
            return Err(refused(path, "is no LAS file: it does not begin with LASF; look whether it was copied whole"));
        }
        let (kind, crs) = if is_las { las(path)? } else { (Kind::Text, None) };
        let nothing = Bounds::new(f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut cloud =
            Self { path: path.to_path_buf(), kind, crs, bounds: nothing, points: 0, all: 0, ground_only: false };
        let mut seen = [(nothing, 0_u64); 2];
        cloud.each(&mut |[x, y, _], is_ground| {
            let grow = |(b, n): &mut (Bounds, u64)| {
                *b = Bounds::new(b.west.min(x), b.south.min(y), b.east.max(x), b.north.max(y));
                *n += 1;
            };
            grow(&mut seen[1]);
            if is_ground {
                grow(&mut seen[0]);
            }
        })?;
        cloud.ground_only = seen[0].1 > 0;
        cloud.all = seen[1].1;
        (cloud.bounds, cloud.points) = if cloud.ground_only { seen[0] } else { seen[1] };
        if cloud.points == 0 {
            return Err(refused(path, "holds no points"));
        }
        Ok(cloud)
    }

    /// Hands out every point that counts.
    pub(crate) fn for_each(&self, mut take: impl FnMut([f64; 3])) -> Result<()> {
        self.each(&mut |point, is_ground| {
            if is_ground || !self.ground_only {
                take(point);
            }
        })
    }

    fn each(&self, take: &mut dyn FnMut([f64; 3], bool)) -> Result<()> {
        let failed = |error: std::io::Error| refused(&self.path, &format!("cannot be read ({error})"));
        let mut input = BufReader::with_capacity(1 << 20, File::open(&self.path).map_err(failed)?);
        match self.kind {
            Kind::Text => self.lines(input, take),
            Kind::Las(las) => {
                input.seek(SeekFrom::Start(las.first)).map_err(failed)?;
                let mut record = vec![0; las.record];
                for _ in 0..las.count {
                    input.read_exact(&mut record).map_err(failed)?;
                    let number = |k: usize| {
                        let bytes = [record[4 * k], record[4 * k + 1], record[4 * k + 2], record[4 * k + 3]];
                        f64::from(i32::from_le_bytes(bytes)) * las.scale[k] + las.offset[k]
                    };
                    take([number(0), number(1), number(2)], record[las.class.0] & las.class.1 == GROUND);
                }
                Ok(())
            }
        }
    }

    fn lines(&self, input: impl BufRead, take: &mut dyn FnMut([f64; 3], bool)) -> Result<()> {
        for (k, line) in input.split(b'\n').enumerate() {
            let line = line.map_err(|error| refused(&self.path, &format!("cannot be read ({error})")))?;
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() || text.starts_with(['#', '/']) {
                continue;
            }
            let cells = text.split([' ', '\t', ',', ';']).filter(|cell| !cell.is_empty()).take(3);
            let numbers: Vec<f64> =
                cells.filter_map(|cell| cell.parse().ok()).filter(|n: &f64| n.is_finite()).collect();
            match numbers[..] {
                [x, y, z] => take([x, y, z], false),
                // Names of columns.
                _ if k == 0 => {}
                _ => {
                    let shown: String = text.chars().take(40).collect();
                    let what = format!("line {}: found {shown:?}, expected three numbers: x, y and z", k + 1);
                    return Err(Error::input(format!("'{}', {what}; mend the line", self.path.display())));
                }
            }
        }
        Ok(())
    }
}

fn refused(path: &Path, what: &str) -> Error {
    Error::input(format!("'{}' {what}", path.display()))
}

/// Reads the head of a LAS file (ASPRS LAS 1.4 R15, table 3; earlier versions are shorter).
fn las(path: &Path) -> Result<(Kind, Option<Crs>)> {
    let failed = |error: std::io::Error| refused(path, &format!("cannot be read ({error})"));
    let mut file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(375).read_to_end(&mut head).map_err(failed)?;
    let damaged = |what: &str| refused(path, &format!("is damaged: {what}; look whether it was copied whole"));
    if head.len() < 227 {
        return Err(damaged("its head is cut off"));
    }
    let u16_at = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    let u32_at = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let f64_at = |at: usize| f64::from_le_bytes(std::array::from_fn(|k| head[at + k]));
    let (major, minor, format) = (head[24], head[25], head[104]);
    if major != 1 || minor > 4 {
        return Err(refused(path, &format!("is LAS {major}.{minor}, expected 1.0 to 1.4; convert it")));
    }
    if format & 0xc0 != 0 {
        return Err(refused(
            path,
            "is compressed (LAZ), which is not read; write it as LAS, e.g. with las2las or pdal translate",
        ));
    }
    let (least, class) = if format >= 6 { (30, (16, 0xff)) } else { (20, (15, 0x1f)) };
    let record = usize::from(u16_at(105));
    if format > 10 || record < least {
        return Err(damaged(&format!("points of format {format} with {record} bytes")));
    }
    let old_count = u64::from(u32_at(107));
    let new_count =
        (minor >= 4 && head.len() >= 255).then(|| u64::from_le_bytes(std::array::from_fn(|k| head[247 + k])));
    let count = new_count.filter(|count| *count > 0).unwrap_or(old_count);
    let first = u64::from(u32_at(96));
    let there = length.saturating_sub(first) / record as u64;
    if there < count {
        return Err(damaged(&format!("it ends after {there} of {count} points")));
    }
    let (scale, offset) = ([131, 139, 147].map(f64_at), [155, 163, 171].map(f64_at));
    if scale.iter().any(|s| !s.is_finite() || *s == 0.0) || offset.iter().any(|o| !o.is_finite()) {
        return Err(damaged("its scales or offsets are no numbers"));
    }
    let crs = records(&mut file, u64::from(u16_at(94)), u32_at(100)).and_then(|found| crs_of(&found));
    Ok((Kind::Las(Las { first, record, count, scale, offset, class }), crs))
}

/// The variable-length records about the CRS: number and content. A damaged one ends the list.
fn records(file: &mut File, start: u64, count: u32) -> Option<Vec<(u16, Vec<u8>)>> {
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut found = Vec::new();
    for _ in 0..count.min(1000) {
        let mut head = [0; 54];
        if file.read_exact(&mut head).is_err() {
            break;
        }
        let number = u16::from_le_bytes([head[18], head[19]]);
        let mut content = vec![0; usize::from(u16::from_le_bytes([head[20], head[21]]))];
        if file.read_exact(&mut content).is_err() {
            break;
        }
        if head[2..18].starts_with(b"LASF_Projection") {
            found.push((number, content));
        }
    }
    Some(found)
}

/// From well-known text (record 2112), or the code of a projected CRS among GeoTIFF's keys (record 34735, key 3072).
fn crs_of(records: &[(u16, Vec<u8>)]) -> Option<Crs> {
    for (number, content) in records {
        if *number == 2112 {
            let text = String::from_utf8_lossy(content);
            if let Ok(crs) = Crs::from_user(text.trim_end_matches('\0').trim()) {
                return Some(crs);
            }
        }
        if *number == 34735 {
            let keys: Vec<u16> = content.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            let code = keys.chunks_exact(4).skip(1).find(|key| key[0] == 3072 && key[1] == 0).map(|key| key[3]);
            let known = code.filter(|code| (1024..32767).contains(code)).map(|code| Crs::from_epsg(u32::from(code)));
            if let Some(Ok(crs)) = known {
                return Some(crs);
            }
        }
    }
    None
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A LAS file of this version; the second number of a point is its class.
    pub(crate) fn las_bytes(minor: u8, format: u8, points: &[([f64; 3], u8)]) -> Vec<u8> {
        let (head, record) = (if minor >= 4 { 375 } else { 227 }, if format >= 6 { 30 } else { 20 });
        let keys: Vec<u16> = vec![1, 1, 0, 1, 3072, 0, 1, 2056];
        let first = head + 54 + 2 * keys.len();
        let mut bytes = vec![0; first];
        bytes[..4].copy_from_slice(b"LASF");
        (bytes[24], bytes[25], bytes[104]) = (1, minor, format);
        let mut put = |at: usize, new: &[u8]| bytes[at..at + new.len()].copy_from_slice(new);
        put(94, &(head as u16).to_le_bytes());
        put(96, &(first as u32).to_le_bytes());
        put(100, &1_u32.to_le_bytes());
        put(105, &(record as u16).to_le_bytes());
        if minor >= 4 {
            put(247, &(points.len() as u64).to_le_bytes());
        } else {
            put(107, &(points.len() as u32).to_le_bytes());
        }
        (0..3).for_each(|k| put(131 + 8 * k, &0.001_f64.to_le_bytes()));
        put(155, &2_600_000.0_f64.to_le_bytes());
        put(163, &1_200_000.0_f64.to_le_bytes());
        put(head + 2, b"LASF_Projection");
        put(head + 18, &34735_u16.to_le_bytes());
        put(head + 20, &((2 * keys.len()) as u16).to_le_bytes());
        keys.iter().enumerate().for_each(|(k, key)| put(head + 54 + 2 * k, &key.to_le_bytes()));
        for ([x, y, z], class) in points {
            let mut point = vec![0; record];
            for (k, value) in [x - 2_600_000.0, y - 1_200_000.0, *z].iter().enumerate() {
                point[4 * k..4 * k + 4].copy_from_slice(&((value / 0.001).round() as i32).to_le_bytes());
            }
            point[if format >= 6 { 16 } else { 15 }] = *class;
            bytes.extend(point);
        }
        bytes
    }

    fn opened(name: &str, bytes: &[u8]) -> Result<(PointCloud, Vec<[f64; 3]>)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let cloud = PointCloud::open(&path)?;
        let mut points = Vec::new();
        cloud.for_each(|point| points.push(point))?;
        Ok((cloud, points))
    }

    #[test]
    fn las_of_all_versions_and_text_are_read() {
        let points = [([2_600_001.5, 1_200_002.25, 900.125], 2), ([2_600_003.0, 1_200_001.0, 905.0], 5)];
        for (minor, format) in [(0, 0), (2, 1), (3, 3), (4, 6), (4, 0)] {
            let bytes = las_bytes(minor, format, &points);
            let (cloud, found) = opened("a.las", &bytes).unwrap();
            assert_eq!((cloud.points, cloud.all, cloud.ground_only), (1, 2, true), "1.{minor}, {format}");
            let error: f64 = (0..3).map(|k| (found[0][k] - points[0].0[k]).abs()).sum();
            assert!(error < 1e-6 && cloud.crs.unwrap().epsg() == Some(2056), "{found:?}");
        }
        let unclassified = points.map(|(point, _)| (point, 0));
        assert_eq!(opened("a.las", &las_bytes(2, 0, &unclassified)).unwrap().1.len(), 2);
        let (cloud, found) = opened("a.xyz", b"x y z\n1 2 3\n\n# more\n4;5;6.5 77\r\n").unwrap();
        assert_eq!((found.as_slice(), cloud.points), (&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]][..], 2));
        assert_eq!((cloud.bounds.west, cloud.bounds.north), (1.0, 5.0));
    }

    #[test]
    fn damaged_clouds_are_one_sentence() {
        let points = [([2_600_001.5, 1_200_002.25, 900.125], 2); 10];
        let whole = las_bytes(2, 0, &points);
        let message = |bytes: &[u8]| opened("a.las", bytes).map(|_| ()).unwrap_err().message;
        for cut in [0, 3, 100, 226, 250, whole.len() - 1] {
            assert!(message(&whole[..cut]).contains("a.las"), "{cut}");
        }
        assert!(message(&whole[..whole.len() - 1]).contains("9 of 10 points"));
        let changed = |at: usize, to: u8| {
            let mut bytes = whole.clone();
            bytes[at] = to;
            message(&bytes)
        };
        assert!(changed(104, 0x80).contains("LAZ"));
        assert!(changed(25, 7).contains("1.7"));
        assert!(changed(105, 3).contains("3 bytes"));
        assert!(message(b"not a cloud at all").contains("LASF"));
        let text = |bytes: &[u8]| opened("a.xyz", bytes).map(|_| ()).unwrap_err().message;
        assert!(text(b"1 2 3\n1 2\n").contains("line 2") && text(b"").contains("is empty"));
        assert!(text(b"\n# nothing\n").contains("no points"));
        assert!(text(b"1 2 3\n1 2 nan\n").contains("three numbers"));
    }
}
