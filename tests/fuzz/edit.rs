//! Edits of a file: what people mistype, what disks and transfers do, what attackers try.

use proptest::prelude::*;
use proptest::sample::{Index, select};

#[derive(Debug, Clone)]
pub enum Edit {
    /// A number of the file becomes this.
    Number(Index, &'static str),
    /// A word of the file becomes this.
    Word(Index, &'static str),
    /// A word becomes another word of the file.
    Swap(Index, Index),
    DeleteLine(Index),
    RepeatLine(Index, u8),
    MoveLine(Index, Index),
    Indent(Index, u8),
    Insert(Index, &'static str),
    /// A word becomes this many letters.
    Long(Index, u32),
    FlipBit(Index, u8),
    Byte(Index, u8),
    Cut(Index),
    Remove(Index, u8),
    Repeat(Index, u8),
}

const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "1e308",
    "-1e308",
    "1e-320",
    "1e-9",
    "1e9",
    "1e12",
    "4096",
    "65536",
    "4294967296",
    "1e999",
    "18446744073709551616",
    "-9223372036854775809",
    "nan",
    ".nan",
    "inf",
    ".inf",
    "-.inf",
    "1,5",
    "1.2.3",
    "--5",
    ".",
    "0x10",
    "1e",
    "0.1",
    "90",
    "360.5",
    "1000000",
    "2147483648",
    "null",
    "~",
    "",
    "true",
];
const WORDS: &[&str] = &[
    "",
    "null",
    "[]",
    "{}",
    "[[]]",
    "{a: b}",
    "- x",
    "true",
    "\"",
    "'",
    "x",
    "../../etc/passwd",
    "/dev/null",
    "|",
    ">",
    "&a x",
    "*a",
    "!!str x",
    "%",
    "@",
    "\\0",
    "\u{0}",
    "ü",
    "\u{202e}",
    "all",
    "swiss",
    "auto",
    "none",
    "EPSG:4326",
    "EPSG:999999",
    "dem.asc",
    "scheme.yaml",
    "|layername=x",
    "1 OR 1=1",
    "NaN",
    "NODATA_value",
    "Polygon",
    "Point",
    "GeometryCollection",
];
const INSERTS: &[&str] = &[
    "\n",
    "\t",
    "  ",
    ":",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "#",
    "---\n",
    "...\n",
    "<<: *a\n",
    "&a [*a]\n",
    "\u{feff}",
    "\u{0}",
    "? ",
    "!!binary ",
    "\r",
    "\n\n\n",
    "couloir: 2\n",
    "nan ",
    "1e400 ",
    "-",
    "\u{1f4a5}",
];

pub fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(edit(), 1..6)
}

/// Edits that take no notice of text.
pub fn byte_edits() -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<Index>;
    let edit = prop_oneof![
        4 => (index(), 0u8..8).prop_map(|(i, bit)| Edit::FlipBit(i, bit)),
        2 => (index(), any::<u8>()).prop_map(|(i, byte)| Edit::Byte(i, byte)),
        1 => index().prop_map(Edit::Cut),
        1 => (index(), any::<u8>()).prop_map(|(i, n)| Edit::Remove(i, n)),
        1 => (index(), any::<u8>()).prop_map(|(i, n)| Edit::Repeat(i, n)),
    ];
    prop::collection::vec(edit, 1..5)
}

fn edit() -> impl Strategy<Value = Edit> {
    let index = any::<Index>;
    prop_oneof![
        8 => (index(), select(NUMBERS)).prop_map(|(i, text)| Edit::Number(i, text)),
        4 => (index(), select(WORDS)).prop_map(|(i, text)| Edit::Word(i, text)),
        3 => (index(), index()).prop_map(|(i, j)| Edit::Swap(i, j)),
        2 => index().prop_map(Edit::DeleteLine),
        1 => (index(), 1u8..20).prop_map(|(i, n)| Edit::RepeatLine(i, n)),
        1 => (index(), index()).prop_map(|(i, j)| Edit::MoveLine(i, j)),
        1 => (index(), 0u8..9).prop_map(|(i, n)| Edit::Indent(i, n)),
        2 => (index(), select(INSERTS)).prop_map(|(i, text)| Edit::Insert(i, text)),
        1 => (index(), 1u32..20_000).prop_map(|(i, n)| Edit::Long(i, n)),
        1 => (index(), 0u8..8).prop_map(|(i, bit)| Edit::FlipBit(i, bit)),
        1 => (index(), any::<u8>()).prop_map(|(i, byte)| Edit::Byte(i, byte)),
        1 => index().prop_map(Edit::Cut),
        1 => (index(), any::<u8>()).prop_map(|(i, n)| Edit::Remove(i, n)),
        1 => (index(), any::<u8>()).prop_map(|(i, n)| Edit::Repeat(i, n)),
    ]
}

pub fn apply(file: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for edit in edits {
        apply_one(&mut bytes, edit);
    }
    bytes
}

fn apply_one(bytes: &mut Vec<u8>, edit: &Edit) {
    if bytes.is_empty() {
        return;
    }
    let replace = |bytes: &mut Vec<u8>, place: Option<(usize, usize)>, new: &[u8]| {
        if let Some((from, to)) = place {
            bytes.splice(from..to, new.iter().copied());
        }
    };
    let length = bytes.len();
    match edit {
        Edit::Number(at, new) => replace(bytes, pick(words(bytes, true), at), new.as_bytes()),
        Edit::Word(at, new) => replace(bytes, pick(words(bytes, false), at), new.as_bytes()),
        Edit::Long(at, letters) => {
            let new = vec![b'w'; *letters as usize];
            replace(bytes, pick(words(bytes, false), at), &new);
        }
        Edit::Swap(at, from) => {
            let all = words(bytes, false);
            if let Some((a, b)) = pick(all.clone(), from) {
                let new = bytes[a..b].to_vec();
                replace(bytes, pick(all, at), &new);
            }
        }
        Edit::DeleteLine(at) => replace(bytes, pick(lines(bytes), at), b""),
        Edit::RepeatLine(at, times) => {
            if let Some((from, to)) = pick(lines(bytes), at) {
                let new = bytes[from..to].repeat(1 + *times as usize);
                replace(bytes, Some((from, to)), &new);
            }
        }
        Edit::MoveLine(at, to_line) => {
            if let Some((from, to)) = pick(lines(bytes), at) {
                let line: Vec<u8> = bytes.drain(from..to).collect();
                let place = pick(lines(bytes), to_line).map_or(0, |(start, _)| start);
                bytes.splice(place..place, line);
            }
        }
        Edit::Indent(at, blanks) => {
            if let Some((from, _)) = pick(lines(bytes), at) {
                let blank = bytes[from..].iter().take_while(|b| **b == b' ').count();
                replace(bytes, Some((from, from + blank)), &vec![b' '; *blanks as usize]);
            }
        }
        Edit::Insert(at, text) => {
            let at = at.index(length + 1);
            replace(bytes, Some((at, at)), text.as_bytes());
        }
        Edit::FlipBit(at, bit) => bytes[at.index(length)] ^= 1 << bit,
        Edit::Byte(at, byte) => bytes[at.index(length)] = *byte,
        Edit::Cut(at) => bytes.truncate(at.index(length)),
        Edit::Remove(at, count) => {
            let at = at.index(length);
            bytes.drain(at..(at + *count as usize).min(length));
        }
        Edit::Repeat(at, count) => {
            let at = at.index(length);
            let piece = bytes[at..(at + *count as usize).min(length)].to_vec();
            bytes.splice(at..at, piece);
        }
    }
}

fn pick(places: Vec<(usize, usize)>, at: &Index) -> Option<(usize, usize)> {
    (!places.is_empty()).then(|| places[at.index(places.len())])
}

fn lines(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut start = 0;
    let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(k, _)| k + 1).chain([bytes.len()]);
    let line = |end: usize| (std::mem::replace(&mut start, end), end);
    ends.map(line).filter(|(a, b)| a < b).collect()
}

fn words(bytes: &[u8], numbers: bool) -> Vec<(usize, usize)> {
    let belongs = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b == b'-' || b == b'+' || b >= 0x80;
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes[at..].iter().position(|b| !belongs(*b)).map_or(bytes.len(), |n| at + n);
        if end > at && (!numbers || bytes[at..end].iter().all(|b| b.is_ascii_digit() || b"+-.eE".contains(b))) {
            found.push((at, end));
        }
        at = end + 1;
    }
    found
}
