//! One table of units and physical limits per key. The schema, the parser, the reading of rasters and attributes, and
//! the warnings of `check` all take them from here.

/// What a number may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    pub min: Option<f64>,
    /// `min` itself is not allowed.
    pub above_min: bool,
    pub max: Option<f64>,
    /// Outside of this `check` warns.
    pub usual: Option<(f64, f64)>,
}

const ANY: Limits = Limits { min: None, above_min: false, max: None, usual: None };
const NOT_NEGATIVE: Limits = Limits { min: Some(0.0), ..ANY };
const POSITIVE: Limits = Limits { min: Some(0.0), above_min: true, ..ANY };

impl Limits {
    const fn between(min: f64, max: f64) -> Self {
        Self { min: Some(min), max: Some(max), ..ANY }
    }

    const fn at_most(self, max: f64) -> Self {
        Self { max: Some(max), ..self }
    }

    const fn usually(self, low: f64, high: f64) -> Self {
        Self { usual: Some((low, high)), ..self }
    }

    pub(crate) fn allow(&self, value: f64) -> bool {
        value.is_finite()
            && self.min.is_none_or(|min| if self.above_min { value > min } else { value >= min })
            && self.max.is_none_or(|max| value <= max)
    }

    /// "a number > 0", "a number from 0 to 1", …
    pub(crate) fn expectation(&self) -> String {
        let sign = if self.above_min { ">" } else { "≥" };
        match (self.min, self.max) {
            (Some(min), Some(max)) if self.above_min => format!("a number > {min} and ≤ {max}"),
            (Some(min), Some(max)) => format!("a number from {min} to {max}"),
            (Some(min), None) => format!("a number {sign} {min}"),
            (None, Some(max)) => format!("a number ≤ {max}"),
            (None, None) => "a number".to_string(),
        }
    }
}

/// Positions of a project, all releases together: each is kept in memory while a run lasts. More rocks come from
/// `rocks_per_position`, which takes none.
pub(crate) const MOST_POSITIONS: u64 = 10_000_000;

/// `Type.key` before `key`: the first match counts. Upper limits catch slipped units, not unusual sites.
const TABLE: &[(&str, Limits)] = &[
    ("ProjectFile.couloir", Limits::between(1.0, 1.0)),
    ("ProjectFile.threads", Limits::between(1.0, 4096.0)),
    ("BarrierSpec.height_m", POSITIVE.at_most(100.0)),
    ("BarrierSpec.capacity_kj", Limits::between(1e-3, 1e9)),
    ("ObjectSpec.height_m", POSITIVE.at_most(1000.0)),
    ("vehicles_per_day", NOT_NEGATIVE.at_most(1e7)),
    ("vehicle_length_m", POSITIVE.at_most(5000.0)),
    ("vehicle_speed_km_h", POSITIVE.at_most(1000.0)),
    ("ForestSpec.height_m", NOT_NEGATIVE.at_most(150.0).usually(2.0, 50.0)),
    ("ForestClass.height_m", NOT_NEGATIVE.at_most(150.0).usually(2.0, 50.0)),
    ("ReleaseSpec.height_m", NOT_NEGATIVE.at_most(1000.0).usually(0.0, 50.0)),
    ("centre_height_m", NOT_NEGATIVE.at_most(1000.0).usually(0.0, 50.0)),
    ("velocity_m_s", Limits::between(-300.0, 300.0)),
    ("spin_axis", Limits::between(-1e6, 1e6)),
    ("ClassSoil.density_kg_m3", POSITIVE.at_most(10_000.0).usually(1000.0, 2300.0)),
    ("ClassSoil.drag_coefficient", NOT_NEGATIVE.at_most(100.0).usually(0.0, 5.0)),
    ("ClassRoughness.height_m", NOT_NEGATIVE.at_most(5.0).usually(0.0, 0.5)),
    ("ClassRoughness.spacing_m", Limits::between(0.1, 100.0).usually(0.2, 5.0)),
    ("RoughnessSpec.height_m", NOT_NEGATIVE.at_most(5.0).usually(0.0, 0.5)),
    ("RoughnessSpec.spacing_m", Limits::between(0.1, 100.0).usually(0.2, 5.0)),
    ("ScarringSpec.density_kg_m3", POSITIVE.at_most(10_000.0).usually(1000.0, 2300.0)),
    ("ScarringSpec.drag_coefficient", NOT_NEGATIVE.at_most(100.0).usually(0.0, 5.0)),
    ("r_n", Limits::between(0.0, 1.0).usually(0.1, 0.6)),
    ("r_t", Limits::between(0.0, 1.0).usually(0.5, 1.0)),
    ("mu", NOT_NEGATIVE.at_most(10.0).usually(0.2, 1.2)),
    ("rolling_friction", NOT_NEGATIVE.at_most(10.0).usually(0.0, 1.0)),
    ("r_n_scaling_m_s", Limits::between(1e-3, 1e6)),
    ("slope_scatter_deg", Limits::between(0.0, 45.0).usually(0.0, 15.0)),
    ("Distribution.weights", NOT_NEGATIVE.at_most(1e9)),
    ("Distribution.sigma", POSITIVE.at_most(10.0)),
    ("Distribution.exponent", POSITIVE.at_most(20.0)),
    ("band", Limits::between(1.0, 65_535.0)),
    ("density_kg_m3", POSITIVE.at_most(25_000.0).usually(1800.0, 3500.0)),
    ("mass_kg", POSITIVE.at_most(1e12)),
    ("volume_m3", POSITIVE.at_most(1e8)),
    ("axes_m", POSITIVE.at_most(1000.0)),
    ("weight", POSITIVE.at_most(1e9)),
    ("points_m", Limits::between(-1e7, 1e7)),
    ("rocks_per_position", Limits::between(1.0, 1e9)),
    ("speed_m_s", NOT_NEGATIVE.at_most(300.0).usually(0.0, 20.0)),
    ("spin_rps", NOT_NEGATIVE.at_most(100.0).usually(0.0, 10.0)),
    ("frequency_per_year", NOT_NEGATIVE.at_most(1e6)),
    ("grid_m", Limits::between(0.001, 1e6)),
    ("count", Limits::between(1.0, MOST_POSITIONS as f64)),
    ("per_hectare", Limits::between(1e-6, 1e8)),
    ("min_slope_deg", Limits::between(0.0, 90.0)),
    ("azimuth_deg", Limits::between(-360.0, 360.0)),
    ("mu_min", NOT_NEGATIVE.at_most(10.0).usually(0.05, 1.0)),
    ("mu_max", NOT_NEGATIVE.at_most(10.0).usually(0.2, 2.5)),
    ("beta_per_s", NOT_NEGATIVE.at_most(1e5).usually(10.0, 500.0)),
    ("kappa_per_m", NOT_NEGATIVE.at_most(1e4).usually(0.5, 10.0)),
    ("epsilon_n", Limits::between(0.0, 1.0).usually(0.0, 0.5)),
    ("epsilon_t", Limits::between(0.0, 1.0).usually(0.0, 0.9)),
    ("me_kn_m2", POSITIVE.at_most(1e9).usually(500.0, 100_000.0)),
    ("scatter_mu", Limits::between(0.0, 0.99)),
    ("scatter_beta", Limits::between(0.0, 0.99)),
    ("scatter_kappa", Limits::between(0.0, 0.99)),
    ("scatter_epsilon", Limits::between(0.0, 0.99)),
    ("drag_kg_s", NOT_NEGATIVE.at_most(1e6).usually(0.0, 2000.0)),
    ("rotational_drag_kg_m2_s", NOT_NEGATIVE.at_most(1e6)),
    ("time_step_s", Limits::between(1e-6, 0.1).usually(1e-4, 0.01)),
    ("gravity_m_s2", POSITIVE.at_most(100.0).usually(9.7, 9.9)),
    ("max_time_s", Limits::between(1e-3, 1e6)),
    ("max_distance_m", Limits::between(1e-3, 1e9)),
    ("rest_speed_m_s", Limits::between(1e-6, 10.0)),
    ("rest_time_s", NOT_NEGATIVE.at_most(1000.0)),
    ("energies_kj", NOT_NEGATIVE.at_most(1e12)),
    ("reference_widths_m", POSITIVE.at_most(1000.0)),
    ("zone_change_share", Limits::between(0.001, 1.0)),
    ("p95_half_width_share", Limits::between(0.001, 10.0)),
    ("line_change_share", Limits::between(0.001, 10.0)),
    ("batch_rocks", Limits::between(1.0, 1e9)),
    ("max_rocks", Limits::between(1.0, 1e12)),
    ("max_hours", POSITIVE.at_most(1e6)),
    ("min_sample", Limits::between(1.0, 1e9)),
    ("segment_m", Limits::between(0.01, 1e6)),
    ("quantile", POSITIVE.at_most(1.0)),
    ("factors", POSITIVE.at_most(100.0)),
    ("freeboard_m", NOT_NEGATIVE.at_most(100.0)),
    ("close_gaps_m", NOT_NEGATIVE.at_most(1000.0)),
    ("min_width_m", NOT_NEGATIVE.at_most(1000.0)),
    ("max_less_severe_share", Limits::between(0.0, 1.0)),
    ("min_area_m2", NOT_NEGATIVE.at_most(1e12)),
    ("from_kj", NOT_NEGATIVE.at_most(1e12)),
    ("return_periods_years", POSITIVE.at_most(1e9)),
    ("Classification.reference_width_m", NOT_NEGATIVE.at_most(1e5)),
    ("reference_width_m", POSITIVE.at_most(1e5)),
    ("scenario_return_periods_years", POSITIVE.at_most(1e7)),
    ("least_reach_probability", Limits::between(0.0, 0.99)),
    ("tolerance_m", NOT_NEGATIVE.at_most(1000.0)),
    ("points_every_s", Limits::between(1e-6, 1e6)),
];

/// The limits of a key; `owner` is the type it stands in.
pub(crate) fn of(owner: &str, key: &str) -> Option<&'static Limits> {
    let find = |name: &str| TABLE.iter().find(|(entry, _)| *entry == name).map(|(_, limits)| limits);
    find(&format!("{owner}.{key}")).or_else(|| find(key))
}

/// The unit a key's suffix stands for, longest suffix first.
pub(crate) fn unit(key: &str) -> Option<&'static str> {
    const SUFFIXES: &[(&str, &str)] = &[
        ("_kg_m2_s", "kg m²/s"),
        ("_kg_m3", "kg/m³"),
        ("_kn_m2", "kN/m²"),
        ("_m_s2", "m/s²"),
        ("_m_s", "m/s"),
        ("_kg_s", "kg/s"),
        ("_years", "years"),
        ("_per_year", "1/year"),
        ("_per_s", "1/s"),
        ("_per_m", "1/m"),
        ("_rps", "rev/s"),
        ("_deg", "°"),
        ("_every_s", "s"),
        ("_kj", "kJ"),
        ("_kg", "kg"),
        ("_m2", "m²"),
        ("_m3", "m³"),
        ("_m", "m"),
        ("_s", "s"),
    ];
    SUFFIXES.iter().find(|(suffix, _)| key.ends_with(suffix)).map(|(_, unit)| *unit)
}
