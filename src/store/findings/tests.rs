use super::*;
use crate::geo::gaps::Gaps;
use crate::store::record::tests::record;
use crate::terrain::{Field, Lattice};
use crate::trajectory::{Sample, SolverCounts};
use nalgebra::{UnitQuaternion, Vector3};

fn exit(no_height: impl Fn(usize, usize) -> bool, stop: StopReason, at: [f64; 2]) -> Exit {
    let lattice = Lattice { nx: 40, ny: 20, x0: 0.0, y0: 0.0, dx: 2.0, dy: 2.0 };
    let height = |k: usize| if no_height(k % 40, k / 40) { f64::NAN } else { 1.0 };
    let field = Field { lattice, values: (0..800).map(height).collect() };
    let gaps = LocalGaps::Known(Gaps::of(&field).into());
    let zero = Vector3::zeros();
    let end = Sample {
        time_s: 0.0,
        position: zero,
        orientation: UnitQuaternion::identity(),
        velocity: zero,
        omega: zero,
        kinetic_energy_j: 0.0,
        jump_height_m: 0.0,
        airborne: false,
    };
    let left_at = Some(Vector3::new(at[0], at[1], 0.0));
    let solver = SolverCounts::default();
    let outcome = Outcome { stop, end, steps: 0, distance_m: 0.0, lifted_m: 0.0, solver, left_at };
    Exit::of(&outcome, &Surface::new(field).unwrap(), &gaps)
}

/// The raster is 78 × 38 m between its outermost centres.
#[test]
fn edges_collars_missing_parts_and_holes_are_told_apart() {
    let whole = |_: usize, _: usize| false;
    let edges =
        [([40.0, 38.2], Side::North), ([78.1, 1.0], Side::East), ([3.0, -0.2], Side::South), ([-0.1, 9.0], Side::West)];
    for (at, side) in edges {
        assert_eq!(exit(whole, StopReason::LeftTerrain, at), Exit::Edge(side));
    }
    // Corners cut off: what is left is convex.
    let collar = |c: usize, r: usize| c + r < 12 || c + r > 46;
    assert_eq!(exit(collar, StopReason::Nodata, [2.0, 19.0]), Exit::Collar(Side::West));
    let missing = |c: usize, r: usize| c > 15 && c < 25 && r > 8;
    assert_eq!(exit(missing, StopReason::Nodata, [40.0, 30.0]), Exit::Missing(Side::North));
    let hole = |c: usize, r: usize| c > 15 && c < 25 && r > 8 && r < 12;
    assert_eq!(exit(hole, StopReason::Nodata, [40.0, 17.0]), Exit::Hole);
    let both = |c: usize, r: usize| collar(c, r) || hole(c, r);
    assert_eq!(exit(both, StopReason::Nodata, [40.0, 17.0]), Exit::Hole);
    for code in 0..16 {
        assert!(Exit::from_code(code).is_none_or(|exit| exit.code() == code));
    }
}

/// Numbers, worst case and place of each kind; diverged rocks count nowhere.
#[test]
fn findings_name_number_worst_and_place() {
    let mut finder = Finder::default();
    for number in 0..100 {
        let mut rock = record(number);
        (rock.exit, rock.exit_at) = (Exit::None, [0.0; 2]);
        match number {
            3 => (rock.signs.contact_m_s, rock.signs.contact_at) = (50.0, [7.0, 8.0]),
            4 => (rock.signs.contact_m_s, rock.signs.contact_at) = (61.25, [2_600_010.0, 1_200_020.0]),
            5 => (rock.max[Quantity::JumpHeight], rock.jump_at) = (31.0, [1.5, 2.5]),
            6 => rock.end = [2_600_130.1, 1_200_000.2, 880.0],
            7 => (rock.signs.slow_s, rock.signs.slow_at) = (75.0, [3.0, 4.0]),
            8 | 9 => (rock.exit, rock.exit_at) = (Exit::Edge(Side::West), [1.0, number as f64]),
            10 => (rock.exit, rock.exit_at) = (Exit::Edge(Side::North), [5.0, 6.0]),
            11 => (rock.exit, rock.exit_at) = (Exit::Hole, [5.0, 7.0]),
            12 => (rock.stop, rock.signs.contact_m_s) = (StopReason::Diverged, 1e9),
            _ => {}
        }
        finder.add(&rock);
    }
    let found = finder.found();
    assert_eq!(found.rocks, 99);
    let said: Vec<String> = found.notes().iter().map(Note::to_string).collect();
    let expected: [&[&str]; 7] = [
        &["2 of 99 rocks (2 %)", "45 m/s", "61.2 m/s", "trajectory 4", "(2600010.0, 1200020.0)"],
        &["1 of 99", "30 m", "31.0 m", "(1.5, 2.5)"],
        &["1 of 99", "22°", "9.0°", "(2600130.1, 1200000.2)"],
        &["60 s", "75 s", "(3.0, 4.0)"],
        &["1 of 99 rocks", "northern edge", "(5.0, 6.0)", "farther north"],
        &["2 of 99 rocks", "western edge", "the first at (1.0, 8.0)", "farther west"],
        &["1 of 99", "hole", "(5.0, 7.0)", "fill"],
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (sentence, parts) in said.iter().zip(expected) {
        parts.iter().for_each(|part| assert!(sentence.contains(part), "{part}: {sentence}"));
    }
    let west = found.cut_off.iter().find(|cut| cut.exit == Exit::Edge(Side::West)).unwrap();
    assert_eq!((west.rocks, west.from_m, west.to_m), (2, [1.0, 8.0], [1.0, 9.0]));
    // A rock that hardly moved has no energy line.
    let mut short = record(1);
    short.end = [2_600_010.1, 1_200_000.2, 900.0];
    let mut finder = Finder::default();
    finder.add(&short);
    assert!(finder.found().oddities.is_empty());
}
