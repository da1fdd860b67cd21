//! Of single rocks: trajectories, deposits, point records, impacts.

use std::path::Path;

use super::classes::{Classes, ENERGY, VELOCITY};
use super::ranges;
use crate::Result;
use crate::geo::qml::{InSpace, Kind, Renderer, Rule, SizeLegend, Style, Symbol, Vector};
use crate::texts::say;

/// Of trajectories: lines coloured by their largest energy, and a second style by velocity to switch to.
pub(crate) fn write_trajectories(folder: &Path) -> Result<()> {
    let coloured = |field: &'static str, classes: &Classes| {
        Style::of_vector(Vector {
            in_space: InSpace::Lines,
            map_tip: tip_of_rock(),
            ..Vector::new(Kind::Lines, ranges(field, classes, |i, colour| Symbol::line(i, colour, 0.3)))
        })
    };
    coloured("e_max_kj", &ENERGY).write(folder, "trajectories")?;
    coloured("v_max_ms", &VELOCITY).write(folder, "trajectories_velocity")
}

/// Diameter (mm) of the symbol of a rock of 1 kg; it grows with the cube root of the mass, as the rock does.
const SYMBOL_MM: f64 = 0.12;

const SMALLEST_MM: f64 = 0.8;

const LARGEST_MM: f64 = 4.0;

/// Of deposits: points as large as the rock is, in proportion; the legend shows three masses.
pub(crate) fn write_deposits(folder: &Path) -> Result<()> {
    let symbol = Symbol::marker(0, "hexagon", "#7f5539", ("#2b1a0f", 0.1), 1.2)
        .sized(format!("clamp({SMALLEST_MM}, {SYMBOL_MM} * (\"mass_kg\" ^ (1.0/3.0)), {LARGEST_MM})"));
    let diameter = |mass_kg: f64| (SYMBOL_MM * mass_kg.cbrt()).clamp(SMALLEST_MM, LARGEST_MM);
    let masses = [(300.0, "300 kg"), (3000.0, "3 t"), (30000.0, "30 t")];
    let classes = masses.map(|(mass, label)| (diameter(mass), label)).to_vec();
    Style::of_vector(Vector {
        in_space: InSpace::Spheres,
        map_tip: tip_of_rock(),
        ..Vector::new(
            Kind::Points,
            Renderer::One { symbol: symbol.clone(), sizes: SizeLegend { title: say!("mass"), symbol, classes } },
        )
    })
    .write(folder, "deposits")
}

/// Of the point records: coloured by velocity, and of these only what the time slider asks for (all while it is off).
///
/// A filter on `time_s` rather than temporal settings by expression: QGIS would compute the latter for every point, once to
/// learn the time span and again for every frame. Rocks start at midnight and run for less than a quarter of an hour; the
/// remainder within the quarter is the same in every time zone.
pub(crate) fn write_points(folder: &Path) -> Result<()> {
    let clock = |moment: &str, off: &str| format!("coalesce(epoch({moment}) % 900000, {off}) / 1000");
    let (begin, end) = (clock("@map_start_time", "0"), clock("@map_end_time", "1000000000"));
    let lower = [0.0].iter().chain(VELOCITY.limits).enumerate();
    let rules = lower.zip(VELOCITY.labels()).map(|((i, low), label)| {
        let above = format!("\"velo_ms\" {} {low}", if i == 0 { ">=" } else { ">" });
        let below = VELOCITY.limits.get(i).map_or(String::new(), |high| format!(" AND \"velo_ms\" <= {high}"));
        Rule {
            filter: above + &below,
            label,
            symbol: Symbol::marker(i, "circle", VELOCITY.colours[i], ("#1a1a1a", 0.15), 2.2),
        }
    });
    Style::of_vector(Vector {
        in_space: InSpace::Spheres,
        moving: true,
        ..Vector::new(
            Kind::Points,
            Renderer::Rules {
                filter: format!("\"time_s\" >= {begin} AND \"time_s\" < {end}"),
                label: say!("velocity"),
                rules: rules.collect(),
            },
        )
    })
    .write(folder, "trajectory_points")
}

/// Of impacts: coloured by the speed before them.
pub(crate) fn write_impacts(folder: &Path) -> Result<()> {
    let symbol = |i: usize, colour: &str| Symbol::marker(i, "triangle", colour, ("#1a1a1a", 0.15), 2.0);
    Style::of_vector(Vector {
        in_space: InSpace::Spheres,
        ..Vector::new(Kind::Points, ranges("speed_before_m_s", &VELOCITY, symbol))
    })
    .write(folder, "impacts")
}

fn tip_of_rock() -> String {
    let (jump, runout) = (escaped(&say!("jump-height")), escaped(&say!("run-out")));
    format!(
        r#"<b>[% format_number("mass_kg", 0) %] kg</b><br>[% round("e_max_kj", 1) %] kJ, [% round("v_max_ms", 1) %] m/s, {jump} [% round("jump_max_m", 1) %] m<br>{runout} [% round("runout_m") %] m"#
    )
}

/// Words within HTML.
fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace("[%", "[ %")
}
