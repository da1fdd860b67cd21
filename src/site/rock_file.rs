//! Point clouds from files: `.xyz`, `.txt`, `.csv` (three numbers a line), `.obj` (its `v` lines), `.stl` (ASCII or binary).

use std::path::Path;

use nalgebra::Vector3;

use crate::rock::Shape;
use crate::{Error, Result, files};

/// Some ten million points: a hundred times the finest scan of a rock.
const MAX_BYTES: u64 = 256 << 20;

/// The convex hull of the points in a `.xyz`, `.csv` or `.txt` file, or of the vertices of a `.stl` or `.obj` file.
pub fn shape(path: &Path) -> Result<Shape> {
    let points = read_points(path)?;
    let in_file = |error: Error| Error { message: format!("{}: {}", path.display(), error.message), ..error };
    let mut shape = Shape::from_points(&points).map_err(in_file)?;
    shape.name = path.file_stem().map_or_else(|| "rock".into(), |stem| stem.to_string_lossy().into_owned());
    Ok(shape)
}

/// All points of a file, in its own order; coordinates in metres.
fn read_points(path: &Path) -> Result<Vec<Vector3<f64>>> {
    let bytes = files::read(path, "the rock file", MAX_BYTES)?;
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let points = match extension.as_str() {
        "xyz" | "txt" | "csv" | "asc" | "pts" => from_table(&text(&bytes)),
        "obj" => from_obj(&text(&bytes)),
        "stl" => from_stl(&bytes),
        other => Err(format!("has the ending '.{other}'; expected .xyz, .txt, .csv, .stl or .obj")),
    };
    points.map_err(|problem| Error::input(format!("the rock file {} {problem}", path.display())))
}

type Points = std::result::Result<Vec<Vector3<f64>>, String>;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_string()
}

/// Three numbers a line, separated by blanks, commas, semicolons or tabs; further columns are ignored. Comments start
/// with `#`, and one header line is allowed.
fn from_table(text: &str) -> Points {
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let fields = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|field| !field.is_empty());
        let values: Vec<_> = fields.take(3).map(str::parse::<f64>).collect();
        match values.as_slice() {
            [Ok(x), Ok(y), Ok(z)] => points.push(Vector3::new(*x, *y, *z)),
            _ if points.is_empty() && values.iter().all(|v| v.is_err()) => {}
            _ => return Err(format!("has '{line}' in line {}; expected three numbers x, y, z", number + 1)),
        }
    }
    non_empty(points)
}

fn from_obj(text: &str) -> Points {
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(rest) = line.trim_start().strip_prefix("v ") {
            points.push(three_numbers(rest, number)?);
        }
    }
    non_empty(points)
}

fn from_stl(bytes: &[u8]) -> Points {
    // A binary file may begin with "solid" too; its length tells.
    let triangles = bytes.get(80..84).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    if triangles.is_some_and(|n| bytes.len() == 84 + 50 * n) {
        return from_binary_stl(bytes);
    }
    if !text(bytes).trim_start().starts_with("solid") {
        return Err("is neither an ASCII STL (it does not begin with 'solid') nor a complete binary STL".into());
    }
    let mut points = Vec::new();
    for (number, line) in text(bytes).lines().enumerate() {
        if let Some(rest) = line.trim_start().strip_prefix("vertex") {
            points.push(three_numbers(rest, number)?);
        }
    }
    non_empty(points)
}

/// 80 bytes header, a count, then 50 bytes a triangle: normal, three corners (f32), two attribute bytes.
fn from_binary_stl(bytes: &[u8]) -> Points {
    let coordinate = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let corner = |b: &[u8]| Vector3::new(coordinate(&b[..4]), coordinate(&b[4..8]), coordinate(&b[8..12]));
    non_empty(bytes[84..].chunks_exact(50).flat_map(|t| t[12..48].chunks_exact(12).map(corner)).collect())
}

fn three_numbers(fields: &str, line: usize) -> std::result::Result<Vector3<f64>, String> {
    let values: Vec<_> = fields.split_whitespace().take(3).map(str::parse::<f64>).collect();
    match values.as_slice() {
        [Ok(x), Ok(y), Ok(z)] => Ok(Vector3::new(*x, *y, *z)),
        _ => Err(format!("has '{}' in line {}; expected three numbers x, y, z", fields.trim(), line + 1)),
    }
}

fn non_empty(points: Vec<Vector3<f64>>) -> Points {
    if points.is_empty() { Err("holds no points".into()) } else { Ok(points) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> Vec<Vector3<f64>> {
        vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()]
    }

    #[test]
    fn tables_with_header_comments_and_any_separator() {
        let expected = tetrahedron();
        for text in [
            "0 0 0\n1 0 0\n0 1 0\n0 0 1\n",
            "x,y,z,intensity\n0,0,0,9\n1,0,0,9\n0,1,0,9\n0,0,1,9",
            "# scan 7\n\n0;0;0\n1;0;0\r\n0\t1\t0 # tip\n0.0 0.0 1e0",
        ] {
            assert_eq!(from_table(text).unwrap(), expected);
        }
        assert!(from_table("0 0 0\n1 0\n").unwrap_err().contains("line 2"));
        assert!(from_table("# nothing").unwrap_err().contains("no points"));
    }

    #[test]
    fn obj_and_both_kinds_of_stl() {
        let obj = "o rock\nv 0 0 0\nv 1 0 0\nvn 0 0 1\nv 0 1 0\nv 0 0 1 1.0\nf 1 2 3\n";
        assert_eq!(from_obj(obj).unwrap(), tetrahedron());
        let ascii =
            "solid r\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n vertex 0 1 0\nendloop\nendfacet\n";
        assert_eq!(from_stl(ascii.as_bytes()).unwrap(), tetrahedron()[..3]);
        let mut binary = b"solid but binary".to_vec();
        binary.resize(80, 0);
        binary.extend(1_u32.to_le_bytes());
        for value in [0.0_f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
            binary.extend(value.to_le_bytes());
        }
        binary.extend([0, 0]);
        assert_eq!(from_stl(&binary).unwrap(), tetrahedron()[..3]);
        assert!(from_stl(&binary[..100]).is_err());
        assert!(from_stl(b"PK").is_err());
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rock.ply");
        std::fs::write(&path, "ply").unwrap();
        let message = read_points(&path).unwrap_err().message;
        assert!(message.contains("rock.ply") && message.contains(".stl"), "{message}");
        assert!(read_points(&folder.path().join("no.xyz")).unwrap_err().message.contains("no.xyz"));
    }
}
