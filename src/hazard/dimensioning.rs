//! From the crossings of a line to the barrier that would hold there: characteristic values at a quantile, partial
//! factors, freeboard, and the smallest class of EAD 340059 (formerly ETAG 027).
//!
//! Each rock counts once, with its largest energy and its largest height at the line, so that a rock that rolls back and
//! forth does not thin out the tail.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::hazard::barrier::{self, Fate};
use crate::hazard::crossings::Crossing;
use crate::hazard::lines::Barrier;
use crate::hazard::sample::{Sample, smallest_sample};
use crate::hazard::standard::{Dimensioning, Standard};
use crate::{Error, Note, Result};

/// Maximum energy levels of EAD 340059 classes 0 to 7, kJ; class 8 is everything above.
pub const EAD_CLASSES_KJ: [u32; 8] = [100, 250, 500, 1000, 1500, 2000, 3000, 4500];

/// Net fences are built up to about this height, m (the highest kits of the makers' lists; an assumption, not of the EAD).
pub const HIGHEST_KIT_M: f64 = 10.0;

/// Where a partial factor acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Acts {
    /// On the energy.
    Energy,
    /// On the velocity: once on the height of the trajectory, squared on the energy.
    Velocity,
    /// On the height.
    Height,
    /// On the barrier's energy class.
    Resistance,
}

/// A named partial factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// As in the standard.
    pub name: String,
    /// As used.
    pub value: f64,
    /// On what it acts.
    pub acts: Acts,
    /// In words.
    pub meaning: Cow<'static, str>,
    /// Given by the project instead of the default below.
    pub from_project: bool,
    /// Whether our sources confirm the range of the value; if not it is an assumption to be checked against the standard.
    pub confirmed: bool,
}

/// What a barrier on this line has to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// Which one.
    pub standard: Cow<'static, str>,
    /// Of energies and heights.
    pub quantile: f64,
    /// That crossed the line.
    pub rocks: usize,
    /// Of all of them.
    pub crossings: usize,
    /// Quantile of each rock's largest energy, kJ; with the 95 % upper confidence bound where the sample allows one.
    pub characteristic_energy_kj: f64,
    /// Upper 95 % confidence bound; `None` with too few rocks.
    pub energy_upper_bound_kj: Option<f64>,
    /// Quantile of each rock's largest height of the centre of mass, m.
    pub characteristic_height_m: f64,
    /// Upper 95 % confidence bound; `None` with too few rocks.
    pub height_upper_bound_m: Option<f64>,
    /// Of the standard.
    pub factors: Vec<Factor>,
    /// Characteristic energy times the factors on the action, kJ.
    pub design_energy_kj: f64,
    /// Design energy times the factor on the resistance: the class must be at least this, kJ.
    pub required_energy_kj: f64,
    /// Characteristic height times the factors.
    pub design_height_m: f64,
    /// The larger of the project's freeboard and half the rock's height, m.
    pub freeboard_m: f64,
    /// With the freeboard.
    pub required_height_m: f64,
    /// Smallest maximum energy level that holds, kJ; `None`: beyond 4500 kJ, needs a special proof.
    pub class_kj: Option<u32>,
    /// Share of rocks that a barrier of that class and the required height would hold; `None` if there is no such barrier.
    pub retained_share: Option<f64>,
    /// What the engineer must know before signing.
    pub notes: Vec<Note>,
}

/// The sheet of one line; `None` if nothing crossed it.
///
/// # Errors
/// A factor named in the project that the standard does not have.
pub fn sheet(crossings: &[&Crossing], settings: &Dimensioning) -> Result<Option<Sheet>> {
    let factors = factors(settings)?;
    let quantile = settings.quantile.unwrap_or(0.95);
    let per_rock = largest_per_rock(crossings);
    if per_rock.is_empty() {
        return Ok(None);
    }
    let energy = Sample::new(per_rock.iter().map(|rock| rock.energy_kj));
    let height = Sample::new(per_rock.iter().map(|rock| rock.centre_height_m));
    let half_rock = Sample::new(per_rock.iter().map(|rock| rock.half_height_m));
    let (Some(energy_kj), Some(height_m), Some(half_rock_m)) =
        (energy.quantile(quantile), height.quantile(quantile), half_rock.quantile(quantile))
    else {
        return Ok(None);
    };
    let product = |on: &[(Acts, i32)]| {
        let power = |acts: Acts| on.iter().find(|(a, _)| *a == acts).map_or(0, |(_, power)| *power);
        factors.iter().map(|factor| factor.value.powi(power(factor.acts))).product::<f64>()
    };
    let design_energy_kj = energy_kj * product(&[(Acts::Energy, 1), (Acts::Velocity, 2)]);
    let required_energy_kj = design_energy_kj * product(&[(Acts::Resistance, 1)]);
    let design_height_m = height_m * product(&[(Acts::Height, 1), (Acts::Velocity, 1)]);
    let freeboard_m = settings.freeboard_m.max(half_rock_m);
    let required_height_m = design_height_m + freeboard_m;
    let class_kj = EAD_CLASSES_KJ.into_iter().find(|&class| f64::from(class) >= required_energy_kj);
    let mut sheet = Sheet {
        standard: label(settings.standard).into(),
        quantile,
        rocks: per_rock.len(),
        crossings: crossings.len(),
        characteristic_energy_kj: energy_kj,
        energy_upper_bound_kj: energy.quantile_upper_bound(quantile),
        characteristic_height_m: height_m,
        height_upper_bound_m: height.quantile_upper_bound(quantile),
        factors,
        design_energy_kj,
        required_energy_kj,
        design_height_m,
        freeboard_m,
        required_height_m,
        class_kj,
        retained_share: class_kj
            .filter(|_| required_height_m <= HIGHEST_KIT_M)
            .map(|class| retained_share(crossings, required_height_m, f64::from(class))),
        notes: Vec::new(),
    };
    sheet.notes = notes(&sheet, half_rock_m > settings.freeboard_m);
    Ok(Some(sheet))
}

struct RockAtLine {
    energy_kj: f64,
    centre_height_m: f64,
    half_height_m: f64,
}

fn largest_per_rock(crossings: &[&Crossing]) -> Vec<RockAtLine> {
    let mut rocks: BTreeMap<u64, RockAtLine> = BTreeMap::new();
    for crossing in crossings {
        let rock = rocks.entry(crossing.trajectory).or_insert(RockAtLine {
            energy_kj: 0.0,
            centre_height_m: 0.0,
            half_height_m: 0.0,
        });
        rock.energy_kj = rock.energy_kj.max(crossing.kinetic_energy_j / 1000.0);
        rock.centre_height_m = rock.centre_height_m.max(crossing.centre_height_m);
        rock.half_height_m = rock.half_height_m.max(crossing.top_height_m - crossing.centre_height_m);
    }
    rocks.into_values().collect()
}

/// Share of rocks held at their first crossing by a barrier of this height and capacity.
pub fn retained_share(crossings: &[&Crossing], height_m: f64, capacity_kj: f64) -> f64 {
    let barrier = Barrier { height_m, capacity_j: capacity_kj * 1000.0, takes_capacity: true };
    let first = || crossings.iter().filter(|crossing| crossing.count == 1);
    let held = first()
        .filter(|crossing| matches!(barrier::fate(&barrier, crossing), Fate::Stopped | Fate::StoppedPartlyAbove))
        .count();
    held as f64 / first().count().max(1) as f64
}

fn notes(sheet: &Sheet, rock_sets_freeboard: bool) -> Vec<Note> {
    let mut notes = Vec::new();
    let needed = smallest_sample(sheet.quantile);
    if sheet.rocks < needed {
        notes.push(Note::FewRocks { percent: sheet.quantile * 100.0, rocks: sheet.rocks, needed });
    }
    if sheet.class_kj.is_none() {
        notes.push(Note::BeyondBarrierClasses { required_kj: sheet.required_energy_kj });
    }
    if sheet.required_height_m > HIGHEST_KIT_M {
        notes.push(Note::HigherThanBarriers { required_m: sheet.required_height_m, highest_m: HIGHEST_KIT_M });
    }
    if rock_sets_freeboard {
        notes.push(Note::FreeboardRaised);
    }
    let assumed = sheet.factors.iter().filter(|f| !f.confirmed && !f.from_project);
    let factors: Vec<String> = assumed.map(|f| f.name.clone()).collect();
    if !factors.is_empty() {
        notes.push(Note::FactorsAssumed { factors });
    }
    notes.push(Note::SheetScope);
    notes
}

/// Its name for people.
pub fn label(standard: Standard) -> &'static str {
    match standard {
        Standard::Uni11211 => "UNI 11211-4",
        Standard::Onr24810 => "ONR 24810",
    }
}

/// The standard's factors with the project's values put in.
pub fn factors(settings: &Dimensioning) -> Result<Vec<Factor>> {
    let mut factors = defaults(settings.standard);
    for (name, value) in &settings.factors {
        let known = factors.iter().map(|f| f.name.clone()).collect::<Vec<_>>().join(", ");
        let Some(factor) = factors.iter_mut().find(|factor| factor.name == *name) else {
            return Err(Error::input(format!("{name} is no factor of {}; it has {known}", label(settings.standard))));
        };
        if !(value.is_finite() && *value > 0.0) {
            return Err(Error::input(format!(
                "{name} is {value}; a partial factor is a positive number, mostly 1.0 to 1.5"
            )));
        }
        factor.value = *value;
        factor.from_project = true;
    }
    Ok(factors)
}

fn defaults(standard: Standard) -> Vec<Factor> {
    let factor = |name: &str, value: f64, acts: Acts, meaning: &'static str, confirmed: bool| Factor {
        name: name.into(),
        value,
        acts,
        meaning: meaning.into(),
        from_project: false,
        confirmed,
    };
    match standard {
        // v_d = v γ_tr γ_dp, m_d = m γ_vol γ_density, E_d = ½ m_d v_d² γ_risk ≤ MEL / γ_barrier, h_d = h γ_tr γ_dp.
        // The cautious end of each published range.
        Standard::Uni11211 => vec![
            factor(
                "gamma_tr",
                1.10,
                Acts::Velocity,
                "trajectory simulation: 1.02 back-analysed, 1.10 from literature",
                true,
            ),
            factor("gamma_dp", 1.10, Acts::Velocity, "topography: 1.02 detailed survey, 1.10 coarse", true),
            factor("gamma_vol", 1.10, Acts::Energy, "block survey: 1.02 detailed, 1.10 coarse", true),
            factor("gamma_density", 1.00, Acts::Energy, "unit weight of the rock", true),
            factor("gamma_risk", 1.00, Acts::Energy, "consequences of failure: 1.00 to 1.20", false),
            factor("gamma_barrier", 1.20, Acts::Resistance, "energy class proved at the maximum energy level", false),
        ],
        Standard::Onr24810 => vec![
            factor("gamma_energy", 1.05, Acts::Energy, "energy; consequence class CC1 1.00, CC2 1.05, CC3 1.15", false),
            factor("gamma_height", 1.10, Acts::Height, "height; consequence class CC1 1.05, CC2 1.10, CC3 1.30", false),
            factor("gamma_resistance", 1.00, Acts::Resistance, "energy class; depends on consequence class", false),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    fn crossing(trajectory: u64, energy_kj: f64, centre_height_m: f64) -> Crossing {
        Crossing {
            trajectory,
            scenario: 0,
            line: 0,
            segment: 0,
            count: 1,
            time_s: 0.0,
            position: Vector3::zeros(),
            chainage_m: 0.0,
            kinetic_energy_j: energy_kj * 1000.0,
            rotational_energy_j: 0.0,
            velocity_m_s: 1.0,
            rotation_rps: 0.0,
            lowest_height_m: centre_height_m - 0.4,
            centre_height_m,
            top_height_m: centre_height_m + 0.4,
            incidence_deg: 0.0,
            inclination_deg: 0.0,
            left_to_right: true,
            mass_kg: 1000.0,
            shape: "cube".into(),
            fate: None,
        }
    }

    fn settings(standard: Standard, factors: &[(&str, f64)]) -> Dimensioning {
        Dimensioning {
            standard,
            factors: factors.iter().map(|(name, value)| (name.to_string(), *value)).collect(),
            ..Dimensioning::default()
        }
    }

    fn must(sheet: Result<Option<Sheet>>) -> Sheet {
        sheet.expect("valid settings").expect("there are crossings")
    }

    /// By hand: p95 of 1..=1001 kJ is 951; times 1.05; the next class is 1000. Height 2 m × 1.1 + 0.5 m.
    #[test]
    fn the_onr_sheet_follows_the_hand_calculation() {
        let crossings: Vec<Crossing> = (1..=1001).map(|i| crossing(i, i as f64, 2.0)).collect();
        let all: Vec<&Crossing> = crossings.iter().collect();
        let sheet = must(sheet(&all, &settings(Standard::Onr24810, &[])));
        assert!((sheet.characteristic_energy_kj - 951.0).abs() < 1e-9);
        assert!((sheet.required_energy_kj - 951.0 * 1.05).abs() < 1e-9);
        assert_eq!(sheet.class_kj, Some(1000));
        assert!((sheet.required_height_m - 2.7).abs() < 1e-12);
        assert!((sheet.retained_share.expect("exists") - 1000.0 / 1001.0).abs() < 1e-12);
        assert!(sheet.energy_upper_bound_kj.is_some_and(|bound| bound > 951.0 && bound < 970.0));
        assert!(
            sheet.notes.iter().any(|note| note.to_string().contains("gamma_energy")),
            "unverified factors are named"
        );
    }

    /// UNI: velocity factors enter the energy squared and the height once; edited factors are used and named.
    #[test]
    fn the_uni_sheet_squares_velocity_factors_in_the_energy() {
        let crossings: Vec<Crossing> = (0..100).map(|i| crossing(i, 1000.0, 3.0)).collect();
        let all: Vec<&Crossing> = crossings.iter().collect();
        let sheet = must(sheet(&all, &settings(Standard::Uni11211, &[("gamma_tr", 1.02), ("gamma_risk", 1.05)])));
        let energy = 1000.0 * (1.02f64 * 1.10).powi(2) * 1.10 * 1.05;
        assert!((sheet.design_energy_kj - energy).abs() < 1e-9);
        assert!((sheet.required_energy_kj - energy * 1.2).abs() < 1e-9);
        assert_eq!(sheet.class_kj, Some(2000));
        assert!((sheet.design_height_m - 3.0 * 1.02 * 1.10).abs() < 1e-12);
        assert!(
            !sheet.notes.iter().any(|note| note.to_string().contains("gamma_risk")),
            "set by the project, so no assumption"
        );
    }

    #[test]
    fn a_rock_that_crosses_twice_counts_once_with_its_maximum() {
        let mut back = crossing(1, 10.0, 0.5);
        back.count = 2;
        let list = [crossing(1, 500.0, 2.0), back, crossing(2, 100.0, 1.0)];
        let all: Vec<&Crossing> = list.iter().collect();
        let sheet = must(sheet(&all, &settings(Standard::Onr24810, &[])));
        assert_eq!((sheet.rocks, sheet.crossings), (2, 3));
        assert!((sheet.characteristic_energy_kj - (100.0 + 0.95 * 400.0)).abs() < 1e-9);
        assert!(sheet.notes[0].to_string().contains("2 rocks only"), "{:?}", sheet.notes);
    }

    /// A rock that comes back is held or not at its first crossing.
    #[test]
    fn only_first_crossings_count_as_held() {
        let mut back = crossing(1, 10.0, 0.5);
        back.count = 2;
        let list = [crossing(1, 500.0, 2.0), back];
        let all: Vec<&Crossing> = list.iter().collect();
        assert_eq!(retained_share(&all, 5.0, 100.0), 0.0);
        assert_eq!(retained_share(&all, 5.0, 1000.0), 1.0);
    }

    /// The freeboard is at least half the rock's height, and an energy that is a class' own is held by it.
    #[test]
    fn large_rocks_raise_the_freeboard_and_a_class_holds_its_own_energy() {
        let mut list: Vec<Crossing> = (0..100).map(|i| crossing(i, 1000.0, 2.0)).collect();
        list.iter_mut().for_each(|crossing| crossing.top_height_m = crossing.centre_height_m + 1.5);
        let all: Vec<&Crossing> = list.iter().collect();
        let ones = [("gamma_energy", 1.0), ("gamma_height", 1.0)];
        let sheet = must(sheet(&all, &settings(Standard::Onr24810, &ones)));
        assert!((sheet.freeboard_m - 1.5).abs() < 1e-12 && (sheet.required_height_m - 3.5).abs() < 1e-12);
        assert!(sheet.notes.iter().any(|note| note.to_string().contains("freeboard was raised")), "{:?}", sheet.notes);
        assert_eq!((sheet.required_energy_kj, sheet.class_kj), (1000.0, Some(1000)));
    }

    #[test]
    fn an_unknown_factor_is_refused_with_the_known_ones() {
        let error = factors(&settings(Standard::Uni11211, &[("gamma_xy", 1.0)])).expect_err("unknown factor");
        assert!(error.message.contains("gamma_xy") && error.message.contains("gamma_tr"), "{error}");
    }

    #[test]
    fn beyond_the_largest_class_there_is_none() {
        let list: Vec<Crossing> = (0..100).map(|i| crossing(i, 9000.0, 1.0)).collect();
        let all: Vec<&Crossing> = list.iter().collect();
        let sheet = must(sheet(&all, &settings(Standard::Onr24810, &[])));
        assert_eq!(sheet.class_kj, None);
        assert!(sheet.notes.iter().any(|note| note.to_string().contains("4500")));
        // Nor is there a share held by a net that nobody makes so high.
        let list: Vec<Crossing> = (0..100).map(|i| crossing(i, 90.0, 12.0)).collect();
        let high = must(super::sheet(&list.iter().collect::<Vec<_>>(), &settings(Standard::Onr24810, &[])));
        assert_eq!((high.class_kj, high.retained_share), (Some(100), None));
    }
}
