use super::*;
use crate::terrain::Lattice;

/// Classes drawn as text, cells of 2 m.
pub(in crate::hazard) fn field(rows_from_north: &[&str]) -> Field<u8> {
    let (nx, ny) = (rows_from_north[0].len(), rows_from_north.len());
    let values = rows_from_north.iter().rev().flat_map(|row| row.bytes().map(|b| b - b'0')).collect();
    Field { lattice: Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: 2.0, dy: 2.0 }, values }
}

fn text(field: &Field<u8>) -> Vec<String> {
    let rows = field.values.chunks(field.lattice.nx.max(1));
    rows.rev().map(|row| row.iter().map(|v| (b'0' + v) as char).collect()).collect()
}

#[test]
fn a_small_patch_joins_the_neighbour_with_the_longest_border_and_an_isolated_one_goes() {
    let raw = field(&["0000000000", "0111100000", "0121100000", "0111100020", "0111100000", "0000000000"]);
    let (clean, report) = clean(&raw, 12.0);
    assert_eq!(text(&clean)[2], "0111100000");
    assert_eq!(text(&clean)[3], "0111100000");
    assert_eq!(report.dropped_m2, 4.0);
}

#[test]
fn a_small_patch_between_two_equal_neighbours_joins_the_more_severe() {
    let raw = field(&["22222222", "22222222", "22231111", "11111111", "11111111"]);
    assert_eq!(text(&clean(&raw, 8.0).0)[2], "22221111");
    let raw = field(&["11111111", "11111111", "11132222", "22222222", "22222222"]);
    assert_eq!(text(&clean(&raw, 8.0).0)[2], "11122222");
}

/// Five of eight neighbours fill a notch; beside a bump there are four, and the outline would creep outwards.
#[test]
fn a_notch_has_five_neighbours() {
    let bump = ["00000000", "00010000", "11111111", "11111111"];
    assert_eq!(text(&clean(&field(&bump), 0.0).0), bump);
    let notch = field(&["00000000", "11101111", "11111111", "11111111"]);
    assert_eq!(text(&clean(&notch, 0.0).0), ["00000000", "11111111", "11111111", "11111111"]);
}

#[test]
fn holes_below_the_limit_are_filled() {
    let raw = field(&["1111111", "1111111", "1100111", "1111111", "1111111"]);
    let (cleaned, report) = clean(&raw, 12.0);
    assert!(cleaned.values.iter().all(|&v| v == 1));
    assert_eq!(report.filled_m2, 8.0);
}

#[test]
fn no_two_equal_cells_touch_at_a_corner_only() {
    let mut state = 12345u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    for _ in 0..50 {
        let lattice = Lattice { nx: 17, ny: 13, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let values = (0..lattice.len()).map(|_| (random() % 5) as u8).collect();
        let (clean, _) = clean(&Field { lattice, values }, 3.0);
        for row in 0..12 {
            for column in 0..16 {
                let v = |c: usize, r: usize| clean.values[(row + r) * 17 + column + c];
                let (sw, se, nw, ne) = (v(0, 0), v(1, 0), v(0, 1), v(1, 1));
                let touching = (sw == ne && se != sw && nw != sw) || (se == nw && sw != se && ne != se);
                assert!(!touching);
            }
        }
    }
}

/// What is cut out for speed must not show: a raster with a wide empty margin is cleaned as one without.
#[test]
fn an_empty_margin_changes_nothing() {
    let zones = ["0011000", "0222011", "0021110", "0002000", "0333330"];
    let wide = |margin: usize| -> Vec<String> {
        let empty = "0".repeat(zones[0].len() + 2 * margin);
        let side = "0".repeat(margin);
        let rows = zones.iter().map(|row| format!("{side}{row}{side}"));
        let around = || std::iter::repeat_n(empty.clone(), margin);
        around().chain(rows).chain(around()).collect()
    };
    for min_area_m2 in [0.0, 8.0, 30.0, 60.0] {
        let cleaned = |margin: usize| {
            let rows = wide(margin);
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let (field, report) = clean(&field(&rows), min_area_m2);
            (text(&cropped(&field)), report)
        };
        assert_eq!(cleaned(12), cleaned(40), "{min_area_m2} m²");
    }
    assert_eq!(cropped(&field(&["000", "000"])).values.len(), 0);
}

/// Against a flood fill.
#[test]
fn connected_cells_are_those_of_a_flood_fill() {
    let mut state = 99u64;
    for _ in 0..40 {
        let values: Vec<u8> = (0..15 * 11)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 33) % 3) as u8
            })
            .collect();
        let grid = Grid { nx: 15, ny: 11, values: values.clone() };
        let found = Connected::new(15, &values);
        let label: Vec<u32> = found.runs.iter().flat_map(|run| (run.first..run.end).map(|_| run.label)).collect();
        for start in 0..values.len() {
            let mut cells = vec![start];
            let mut next = 0;
            while next < cells.len() {
                for other in grid.neighbours(cells[next]).into_iter().flatten() {
                    if values[other] == values[start] && !cells.contains(&other) {
                        cells.push(other);
                    }
                }
                next += 1;
            }
            assert!((0..values.len()).all(|c| cells.contains(&c) == (label[c] == label[start])));
            assert_eq!(found.sizes[label[start] as usize] as usize, cells.len());
        }
    }
}

#[test]
fn patches_are_four_connected() {
    let found = patches(&field(&["1100", "0010", "0211"]));
    assert_eq!(found.classes, [0, 2, 1, 1]);
    assert_eq!(found.labels.iter().filter(|&&label| label == 0).count(), 6 + 2 * 6 + 2 * 3);
    assert_eq!(found.labels[6..12], [0, 0, 1, 2, 2, 0], "from the south-west");
}

/// A margin on all four sides, where there is room for it.
#[test]
fn a_cut_out_has_its_margin_on_every_side() {
    let raw = field(&["00000000", "00000000", "00010000", "00000000", "00000000", "00000000", "00000000"]);
    let part = cropped_by(&raw, 2);
    assert_eq!(text(&part), ["00000", "00000", "00100", "00000", "00000"]);
    assert_eq!((part.lattice.x0, part.lattice.y0), (2.0, 4.0));
    assert_eq!(text(&cropped_by(&raw, 4)).concat().len(), 8 * 7);
}
