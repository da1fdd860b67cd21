use super::*;
use crate::hazard::accumulator::{Passage, Wanted};
use crate::hazard::squares::Squares;
use crate::hazard::traverse::Visit;

const LATTICE: Lattice = Lattice { nx: 4, ny: 2, x0: 0.0, y0: 0.0, dx: 10.0, dy: 10.0 };

const SWISS: &str = include_str!("../../project/schemes/swiss.yaml");

fn parse(text: &str) -> Scheme {
    serde_yaml::from_str(text).expect("valid")
}

/// "≥ 30 kJ" is meant: a limit belongs to the class above it.
#[test]
fn an_energy_at_a_limit_is_in_the_class_above() {
    let scheme = parse(SWISS);
    let classes = [0.0, 29.999, 30.0, 299.999, 300.0].map(|energy_kj| scheme.intensity_class(energy_kj));
    assert_eq!(classes, [0, 0, 1, 1, 2]);
}

fn scheme(name: &str) -> Scheme {
    match name {
        "austria" => parse(include_str!("../../project/schemes/austria.yaml")),
        // Every rock counts in these hand-made maps.
        _ => Scheme { least_reach_probability: 0.0, ..parse(SWISS) },
    }
}

/// Rocks that each pass one cell: cell, energy in kJ, what the rock stands for per year.
fn counted(rocks: &[(u64, f32, f64)]) -> Accumulator {
    let one = PerQuantity::from_fn(|quantity| quantity == Quantity::KineticEnergy);
    let energies_kj = vec![0.0, 30.0, 300.0];
    let squares = Squares { widths_m: vec![10.0], energies_kj: vec![30.0, 300.0], frequency: true };
    let wanted = Wanted { max: one, histogram: one, energies_kj, squares, ..Default::default() };
    let mut counts = Accumulator::new(LATTICE, wanted);
    for &(cell, energy, frequency_per_year) in rocks {
        let visits = [Visit { cell, values: PerQuantity::new([energy, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 }];
        counts.add(&Passage {
            visits: &visits,
            source_cell: 0,
            deposit: None,
            frequency_per_year,
            half: 0,
            weight: 1.0,
        });
    }
    counts
}

fn scenario(counts: &Accumulator, return_period_years: Option<f64>) -> Scenario<'_> {
    Scenario { name: "some".into(), counts, return_period_years }
}

fn zones(scenarios: &[Scenario], scheme: &Scheme) -> Option<Vec<String>> {
    let maps: Vec<_> = scenarios.iter().map(|s| intensity_map(s, scheme, Part::Whole).expect("counted")).collect();
    let map = hazard_map(scenarios, &maps, scheme, Part::Whole).expect("counted")?;
    let id = |&class: &u8| match class {
        0 => "none".to_string(),
        class => scheme.zones[class as usize - 1].id.clone(),
    };
    Some(map.values.iter().map(id).collect())
}

#[test]
fn intensity_follows_the_limits() {
    let counts = counted(&[(1, 10.0, 0.0), (2, 30.0, 0.0), (6, 900.0, 0.0)]);
    let map = intensity_map(&scenario(&counts, None), &scheme("swiss"), Part::Whole).expect("counted");
    assert_eq!(map.values, [0, 1, 2, 0, 0, 0, 3, 0]);
}

/// However many rocks pass, without a frequency there is no hazard map.
#[test]
fn reach_alone_is_no_return_period() {
    let counts = counted(&[(1, 10.0, 0.0); 50]);
    assert_eq!(zones(&[scenario(&counts, None)], &scheme("swiss")), None);
    let passages = Scheme { return_period: ReturnPeriod::Passages, ..scheme("swiss") };
    assert_eq!(zones(&[scenario(&counts, Some(30.0))], &passages), None);
}

/// The Swiss way: one return period per scenario, whatever share of its rocks reaches the cell; where two scenarios
/// reach a cell the most severe zone counts and frequencies are not added.
#[test]
fn the_return_period_of_a_scenario_holds_wherever_it_reaches() {
    let scheme = scheme("swiss");
    let often = counted(&[(1, 10.0, 1e-9), (2, 100.0, 0.0), (2, 100.0, 0.0)]);
    let seldom = counted(&[(2, 100.0, 0.0), (3, 900.0, 0.0), (5, 5.0, 0.0)]);
    let both = [scenario(&often, Some(30.0)), scenario(&seldom, Some(250.0))];
    let expected = ["none", "blue", "red", "red", "none", "yellow", "none", "none"];
    assert_eq!(zones(&both, &scheme).expect("has periods"), expected);
    // Up to 1 % above a limit still belongs to it.
    let close = [scenario(&often, Some(30.3)), scenario(&seldom, Some(302.9))];
    assert_eq!(zones(&close, &scheme).expect("has periods")[1..4], ["blue", "red", "red"]);
    let rare = [scenario(&often, Some(30.4)), scenario(&seldom, Some(304.0))];
    let expected = ["none", "yellow", "blue", "residual", "none", "residual", "none", "none"];
    assert_eq!(zones(&rare, &scheme).expect("has periods"), expected);
    // The second is left out without a period.
    let one = [scenario(&often, Some(30.0)), scenario(&seldom, None)];
    assert_eq!(zones(&one, &scheme).expect("has a period")[3], "none");
}

/// Three of four rocks pass cell 1, one passes cell 2: with a least reach of 0.5 cell 2 is empty.
#[test]
fn cells_below_the_least_reach_probability_are_left_out() {
    let counts = counted(&[(1, 10.0, 0.1), (1, 10.0, 0.1), (1, 10.0, 0.1), (2, 900.0, 0.1)]);
    for return_period in [ReturnPeriod::Scenario, ReturnPeriod::Passages] {
        let with = |least_reach_probability| Scheme { least_reach_probability, return_period, ..scheme("swiss") };
        let at = |least: f64| zones(&[scenario(&counts, Some(10.0))], &with(least)).expect("has a period");
        assert_eq!(at(0.0)[..3], ["none", "blue", "red"]);
        assert_eq!(at(0.25)[..3], ["none", "blue", "red"]);
        assert_eq!(at(0.26)[..3], ["none", "blue", "none"]);
    }
}

/// Cell 1: weak every 20 years → blue. Cell 2: anything every 50 years, medium every 200 → blue from the medium class.
/// Cell 6: strong every 1000 years only → hatched, but any rock every 250 years → yellow wins.
#[test]
fn the_most_severe_of_the_exceedances_counts() {
    let scheme = Scheme { return_period: ReturnPeriod::Passages, ..scheme("swiss") };
    let rocks = [(1, 10.0, 0.05), (2, 10.0, 0.015), (2, 40.0, 0.005), (6, 10.0, 0.003), (6, 400.0, 0.001)];
    let counts = counted(&rocks);
    let found = zones(&[scenario(&counts, None)], &scheme).expect("has frequencies");
    assert_eq!([&found[0], &found[1], &found[2], &found[6]], ["none", "blue", "blue", "yellow"]);
}

/// Two scenarios of 1/200 a year together make 1/100.
#[test]
fn frequencies_of_passages_add_up_over_scenarios() {
    let counts = counted(&[(2, 900.0, 0.005)]);
    let text = SWISS.replace("[red, red, red, residual]", "[red, red, yellow, residual]");
    let scheme = Scheme { return_period: ReturnPeriod::Passages, ..parse(&text) };
    let one = zones(&[scenario(&counts, None)], &scheme).expect("has frequencies");
    let two = zones(&[scenario(&counts, None), scenario(&counts, None)], &scheme).expect("has frequencies");
    assert_eq!(one[2], "blue", "medium at 200 years");
    assert_eq!(two[2], "red", "strong at 100 years");
}

/// The scenario's quantile sets the intensity; its passages, not its exceedances, set the frequency.
#[test]
fn design_values_take_the_quantile_of_the_scenario() {
    let scheme = scheme("austria");
    let counts = counted(&[(1, 10.0, 0.01), (2, 30.0, 0.01), (6, 900.0, 0.001)]);
    let found = zones(&[scenario(&counts, None)], &scheme).expect("has frequencies");
    assert_eq!([&found[1], &found[2], &found[6]], ["yellow", "red", "residual"]);
}

/// A rock that winds through the square around a cell counts once in it, whichever way it goes.
#[test]
fn a_rock_through_the_reference_square_counts_once() {
    let lattice = Lattice { nx: 9, ny: 9, ..LATTICE };
    let squares = Squares { widths_m: vec![30.0], energies_kj: vec![30.0, 300.0], frequency: true };
    let mut counts = Accumulator::new(lattice, Wanted { squares, ..Default::default() });
    let visit = |cell| Visit { cell, values: PerQuantity::new([900.0, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 };
    let diagonal: Vec<Visit> = (0..9).flat_map(|i| [i * 9 + i, i * 9 + (i + 1).min(8)]).map(visit).collect();
    let passage =
        Passage { visits: &diagonal, source_cell: 0, deposit: None, frequency_per_year: 0.01, half: 0, weight: 1.0 };
    counts.add(&passage);
    let mut found = vec![0.0; 81];
    let scheme = Scheme { reference_width_m: Some(30.0), combine: Combine::Exceedance, ..scheme("swiss") };
    add_squares(&counts, &scheme, (30.0, 2), Part::Whole, &mut |cell, f| found[cell as usize] = f).expect("counted");
    assert!((found[4 * 9 + 4] - 0.01).abs() < 1e-12 && (found[5 * 9 + 4] - 0.01).abs() < 1e-12);
    assert_eq!(found[6], 0.0);
    // A quarter of the rocks stands for all of them.
    counts.frequency_scale = 4.0;
    add_squares(&counts, &scheme, (30.0, 2), Part::Whole, &mut |cell, f| found[cell as usize] = f).expect("counted");
    assert!((found[4 * 9 + 4] - 0.04).abs() < 1e-12);
}

/// As the nearest of NumPy's quantiles: of 20 values p95 is the second largest, of 10 the largest.
#[test]
fn so_many_rocks_must_reach_a_limit() {
    assert_eq!([1, 2, 10, 20, 21, 100, 1000].map(|n| rocks_needed(n, 0.95)), [1, 1, 1, 2, 2, 6, 51]);
    assert_eq!([1, 7].map(|n| rocks_needed(n, 1.0)), [1, 1]);
}

/// Without a reference width a cell counts by itself: its rocks must be as many, and all that pass it count where the scenario's quantile does.
#[test]
fn without_a_reference_width_a_cell_counts_by_itself() {
    let counts = counted(&[(1, 10.0, 0.1), (1, 10.0, 0.1), (1, 10.0, 0.1), (2, 900.0, 0.1)]);
    let at = |least_reach_probability| {
        let scheme = Scheme { least_reach_probability, reference_width_m: None, ..scheme("swiss") };
        intensity_map(&scenario(&counts, None), &scheme, Part::Whole).expect("counted").values
    };
    assert_eq!(at(0.25)[..3], [0, 1, 3]);
    assert_eq!(at(0.26)[..3], [0, 1, 0]);
    let counts = self::counted(&[(1, 10.0, 0.01), (2, 30.0, 0.01), (6, 900.0, 0.001)]);
    let scheme = Scheme { reference_width_m: None, ..scheme("austria") };
    let found = zones(&[scenario(&counts, None)], &scheme).expect("has frequencies");
    assert_eq!([&found[1], &found[2], &found[6]], ["yellow", "red", "residual"]);
}

/// Exceedances of a class are counted by its own lower limit, not by that of the weakest.
#[test]
fn passages_of_a_class_are_those_that_reach_its_limit() {
    let energies = [0.0, 30.0, 300.0];
    let columns = |combine: Combine| {
        let scheme = Scheme { combine, ..scheme("swiss") };
        [0, 1, 2].map(|class| frequency_column(&energies, &scheme, class).expect("counted"))
    };
    assert_eq!(columns(Combine::Exceedance), [0, 1, 2]);
    assert_eq!(columns(Combine::ScenarioQuantile), [0, 0, 0]);
    assert!(frequency_column(&energies[..2], &Scheme { combine: Combine::Exceedance, ..scheme("swiss") }, 2).is_err());
}
