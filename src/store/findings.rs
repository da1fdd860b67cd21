//! What is out of the ordinary in a run: how many rocks, the worst of them, and where. Counts and extremes over the records
//! in the order of release, so that threads, shards and interruptions leave no trace.

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
mod tests;
