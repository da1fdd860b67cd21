//! What is out of the ordinary in a run: how many rocks, the worst of them, and where. Counts and extremes over the records in
//! order of number, so that threads, shards and interruptions leave no trace.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::record::TrajectoryRecord;
use crate::Note;
use crate::geo::local_gaps::LocalGaps;
use crate::hazard::plausibility::{CREEP_M_S, Oddity, SHORTEST_RUNOUT_M};
use crate::hazard::quantity::Quantity;
use crate::terrain::Surface;
use crate::trajectory::{Outcome, StopReason};

/// A side of the terrain model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Where y is largest.
    North,
    /// Where x is largest.
    East,
    /// Where y is smallest.
    South,
    /// Where x is smallest.
    West,
}

impl Side {
    const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    /// The side with the largest of four numbers, in the order of [`Side::ALL`].
    fn of_largest(numbers: [f64; 4]) -> Self {
        let larger = |best: usize, k: usize| if numbers[k] > numbers[best] { k } else { best };
        Self::ALL[(1..4).fold(0, larger)]
    }
}

/// How the ground ended below a rock that still moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It did not.
    #[default]
    None,
    /// Over the edge of the raster.
    Edge(Side),
    /// Into the cells without height that reprojecting or cutting out leaves around a complete piece of terrain.
    Collar(Side),
    /// Into cells without height that are connected to the raster's edge, where a part of the terrain is missing.
    Missing(Side),
    /// Into a hole inside.
    Hole,
}

impl Exit {
    /// How this rock's ground ended.
    pub(crate) fn of(outcome: &Outcome, surface: &Surface, gaps: &LocalGaps) -> Self {
        let Some(at) = outcome.left_at else { return Self::None };
        let (lattice, rim) = (surface.lattice(), surface.rim());
        let edge = |node: usize, cell: f64| node as f64 * cell;
        let (west, east) = (edge(rim.west, lattice.dx), edge(rim.east, lattice.dx));
        let (south, north) = (edge(rim.south, lattice.dy), edge(rim.north, lattice.dy));
        match outcome.stop {
            StopReason::LeftTerrain => {
                Self::Edge(Side::of_largest([at.y - north, at.x - east, south - at.y, west - at.x]))
            }
            StopReason::Nodata => {
                let first = |x: f64, least: usize, most: usize| (x.max(0.0) as usize).clamp(least, most - 1);
                let (column, row) =
                    (first(at.x / lattice.dx, rim.west, rim.east), first(at.y / lattice.dy, rim.south, rim.north));
                let around = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(c, r)| (column + c, row + r));
                let mut empty = around.into_iter().filter(|&(c, r)| surface.node_height(c, r).is_nan());
                // Numbers in the raster.
                let is_edge = |c: usize, r: usize| {
                    surface.cells().of_node(c as i64, r as i64).is_some_and(|(c, r)| gaps.is_edge(surface, c, r))
                };
                if !empty.any(|(c, r)| is_edge(c, r)) {
                    return Self::Hole;
                }
                // The side of the raster it is nearest to, in parts of the raster.
                let (x, y) = ((at.x - west) / (east - west), (at.y - south) / (north - south));
                let side = Side::of_largest([y, x, 1.0 - y, 1.0 - x]);
                if gaps.is_collar() { Self::Collar(side) } else { Self::Missing(side) }
            }
            _ => Self::None,
        }
    }

    pub(crate) fn code(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Hole => 1,
            Self::Edge(side) => 4 + side as u64,
            Self::Collar(side) => 8 + side as u64,
            Self::Missing(side) => 12 + side as u64,
        }
    }

    pub(crate) fn from_code(code: u64) -> Option<Self> {
        let side = Side::ALL[(code % 4) as usize];
        match code {
            0 => Some(Self::None),
            1 => Some(Self::Hole),
            4..8 => Some(Self::Edge(side)),
            8..12 => Some(Self::Collar(side)),
            12..16 => Some(Self::Missing(side)),
            _ => None,
        }
    }
}

/// Rocks out of the ordinary of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Of which kind.
    pub oddity: Oddity,
    /// The threshold, in the unit of the value.
    pub limit: f64,
    /// Of limit and value.
    pub unit: Unit,
    /// Rocks beyond it.
    pub rocks: u64,
    /// The farthest beyond it …
    pub value: f64,
    /// … the trajectory …
    pub trajectory: u64,
    /// … and where that was, in the CRS of the run.
    pub x_m: f64,
    /// Northing.
    pub y_m: f64,
}

/// Of a finding's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    #[serde(rename = "m/s")]
    /// Of speeds.
    MetrePerSecond,
    #[serde(rename = "m")]
    /// Of heights.
    Metre,
    #[serde(rename = "degree")]
    /// Of angles.
    Degree,
    #[serde(rename = "s")]
    /// Of durations.
    Second,
}

/// Rocks that left the ground at one place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CutOff {
    /// How the ground ended.
    pub exit: Exit,
    /// How many they are.
    pub rocks: u64,
    /// South-western corner of the rectangle around where they left, in the CRS of the run.
    pub from_m: [f64; 2],
    /// Its north-eastern corner.
    pub to_m: [f64; 2],
    /// The first of them …
    pub trajectory: u64,
    /// … and where it left.
    pub first_m: [f64; 2],
}

/// Everything found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Rocks looked at; diverged ones are not.
    pub rocks: u64,
    /// In the order of the table of thresholds; kinds without a rock are left out.
    pub oddities: Vec<Finding>,
    /// By how the ground ended; north, east, south, west within each.
    pub cut_off: Vec<CutOff>,
}

/// Counts records.
#[derive(Debug, Clone, Default)]
pub(crate) struct Finder {
    rocks: u64,
    oddities: BTreeMap<Oddity, Finding>,
    cut_off: BTreeMap<Exit, CutOff>,
}

impl Finder {
    pub(crate) fn add(&mut self, record: &TrajectoryRecord) {
        if record.stop == StopReason::Diverged {
            return;
        }
        self.rocks += 1;
        let signs = &record.signs;
        let end = [record.end[0], record.end[1]];
        self.beyond(record, Oddity::FastContact, signs.contact_m_s, signs.contact_at);
        self.beyond(record, Oddity::HighJump, f64::from(record.max[Quantity::JumpHeight]), record.jump_at);
        if record.runout_m() >= SHORTEST_RUNOUT_M {
            self.beyond(record, Oddity::FlatEnergyLine, record.energy_line_deg(), end);
        }
        self.beyond(record, Oddity::Creep, signs.slow_s, signs.slow_at);
        if record.exit != Exit::None {
            let at = record.exit_at;
            let (number, new) = (record.number, (at, at));
            let cut = self.cut_off.entry(record.exit).or_insert(CutOff {
                exit: record.exit,
                rocks: 0,
                from_m: new.0,
                to_m: new.1,
                trajectory: number,
                first_m: at,
            });
            cut.rocks += 1;
            for (axis, at) in at.into_iter().enumerate() {
                cut.from_m[axis] = cut.from_m[axis].min(at);
                cut.to_m[axis] = cut.to_m[axis].max(at);
            }
        }
    }

    fn beyond(&mut self, record: &TrajectoryRecord, oddity: Oddity, value: f64, [x_m, y_m]: [f64; 2]) {
        let limit = oddity.threshold().limit;
        let below = oddity == Oddity::FlatEnergyLine;
        let worse = |value: f64, than: f64| if below { value < than } else { value > than };
        if !worse(value, limit) {
            return;
        }
        let new = Finding { oddity, limit, unit: unit(oddity), rocks: 0, value, trajectory: record.number, x_m, y_m };
        let known = self.oddities.entry(oddity).or_insert(new);
        let rocks = known.rocks + 1;
        if worse(value, known.value) {
            *known = new;
        }
        known.rocks = rocks;
    }

    pub(crate) fn found(self) -> Findings {
        let (oddities, cut_off) = (self.oddities.into_values().collect(), self.cut_off.into_values().collect());
        Findings { rocks: self.rocks, oddities, cut_off }
    }
}

fn unit(oddity: Oddity) -> Unit {
    match oddity {
        Oddity::FastContact => Unit::MetrePerSecond,
        Oddity::HighJump => Unit::Metre,
        Oddity::FlatEnergyLine => Unit::Degree,
        Oddity::Creep => Unit::Second,
    }
}

impl Findings {
    /// A note each: how many, how far beyond, where, and what to do.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let oddities = self.oddities.iter().map(|finding| self.oddity(finding));
        oddities.chain(self.cut_off.iter().filter_map(|cut| self.cut(cut))).collect()
    }

    fn oddity(&self, finding: &Finding) -> Note {
        let Finding { oddity, limit, rocks, value, trajectory, x_m: x, y_m: y, .. } = *finding;
        let of = self.rocks;
        match oddity {
            Oddity::FastContact => {
                Note::FastContacts { rocks, of, limit_m_s: limit, fastest_m_s: value, trajectory, x, y }
            }
            Oddity::HighJump => Note::HighJumps { rocks, of, limit_m: limit, highest_m: value, trajectory, x, y },
            Oddity::FlatEnergyLine => {
                Note::FlatEnergyLines { rocks, of, limit_deg: limit, flattest_deg: value, trajectory, x, y }
            }
            Oddity::Creep => {
                let slower_than_m_s = CREEP_M_S;
                Note::CreepingRocks { rocks, of, slower_than_m_s, limit_s: limit, longest_s: value, trajectory, x, y }
            }
        }
    }

    fn cut(&self, cut: &CutOff) -> Option<Note> {
        let CutOff { exit, rocks, first_m: [x, y], .. } = *cut;
        let (of, named) = (self.rocks, |side: Side| side.name().to_string());
        match exit {
            Exit::None => None,
            Exit::Edge(side) => Some(Note::LeftTerrain { rocks, of, side: named(side), x, y }),
            Exit::Collar(side) => Some(Note::LeftIntoCollar { rocks, of, side: named(side), x, y }),
            Exit::Missing(side) => Some(Note::LeftWhereTerrainIsMissing { rocks, of, side: named(side), x, y }),
            Exit::Hole => Some(Note::EndedInHole { rocks, of, x, y }),
        }
    }
}

#[cfg(test)]
mod tests {
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
        let edges = [
            ([40.0, 38.2], Side::North),
            ([78.1, 1.0], Side::East),
            ([3.0, -0.2], Side::South),
            ([-0.1, 9.0], Side::West),
        ];
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
}
