//! Schemes of classification from YAML: the built-in ones and the user's.

use std::path::Path;

use crate::hazard::scheme::Scheme;
use crate::{Error, Result};

/// Built-in schemes: name and YAML text.
pub const BUILT_IN: [(&str, &str); 3] = [
    ("swiss", include_str!("schemes/swiss.yaml")),
    ("austria", include_str!("schemes/austria.yaml")),
    ("norway", include_str!("schemes/norway.yaml")),
];

/// A built-in scheme by name.
pub fn built_in(name: &str) -> Option<Result<Scheme>> {
    let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    Some(parse(text, name))
}

/// Reads and checks a scheme; `origin` is named in errors.
pub fn parse(text: &str, origin: &str) -> Result<Scheme> {
    checked(super::from_yaml(Path::new(origin), "scheme", text)?, origin)
}

/// Reads and checks the file of a scheme.
pub fn load(path: &Path) -> Result<Scheme> {
    checked(super::load_yaml(path, "scheme")?, &path.display().to_string())
}

fn checked(scheme: Scheme, origin: &str) -> Result<Scheme> {
    scheme.check().map_err(|problem| Error::input(format!("{origin}: {problem}")))?;
    Ok(scheme)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::scheme::ReturnPeriod;

    fn swiss() -> Scheme {
        built_in("swiss").expect("exists").expect("is valid")
    }

    #[test]
    fn all_built_in_schemes_are_valid() {
        for (name, text) in BUILT_IN {
            if let Err(error) = parse(text, name) {
                panic!("{error}");
            }
        }
        assert!(built_in("lunar").is_none());
    }

    /// Strong is red up to 300 years; medium red up to 30, else blue; weak blue up to 30, else yellow; rarer: hatched.
    #[test]
    fn the_swiss_matrix_is_the_published_one() {
        let scheme = swiss();
        let zone = |energy_kj: f64, years: f64| {
            let class = scheme.zone(scheme.intensity_class(energy_kj), scheme.period_class(1.0 / years));
            scheme.zones[class as usize - 1].id.clone()
        };
        let table = [
            (10.0, ["blue", "yellow", "yellow", "residual"]),
            (100.0, ["red", "blue", "blue", "residual"]),
            (1000.0, ["red", "red", "red", "residual"]),
        ];
        for (energy, zones) in table {
            assert_eq!([30.0, 100.0, 300.0, 301.0].map(|years| zone(energy, years)), zones, "{energy} kJ");
        }
        assert_eq!(
            (scheme.intensity_class(29.99), scheme.intensity_class(30.0), scheme.intensity_class(300.0)),
            (0, 1, 2)
        );
    }

    /// Switzerland asks for the scenario's return period; Norway and Austria sum up what passes a cell.
    #[test]
    fn each_built_in_scheme_states_its_return_period() {
        let of = |name: &str| built_in(name).expect("exists").expect("is valid").return_period;
        assert_eq!(of("swiss"), ReturnPeriod::Scenario);
        assert_eq!((of("austria"), of("norway")), (ReturnPeriod::Passages, ReturnPeriod::Passages));
        assert!(BUILT_IN.iter().all(|(_, text)| text.contains("return_period: ")));
    }

    #[test]
    fn mistakes_in_a_scheme_are_named() {
        let broken =
            |from: &str, to: &str| parse(&BUILT_IN[0].1.replace(from, to), "mine.yaml").expect_err("broken").message;
        assert!(
            broken("return_periods_years: [30, 100, 300]", "return_periods_years: [100, 30]").contains("ascending")
        );
        assert!(broken("[red, blue, blue, residual]", "[red, violet, blue, residual]").contains("violet"));
        assert!(broken("[red, blue, blue, residual]", "[red, blue]").contains("rows"));
        assert!(broken("quantile: 0.95", "quantil: 0.95").contains("quantil"));
        assert!(broken("least_reach_probability: 0", "least_reach_probability: 2").contains("from 0 to 0.99"));
        assert!(broken("\"#d7191c\"", "red").contains("#rrggbb"));
    }

    #[test]
    fn labels_read_well() {
        let scheme = swiss();
        let intensities: Vec<String> = (0..3).map(|i| scheme.intensity_label(i)).collect();
        assert_eq!(intensities, ["< 30 kJ", "30–300 kJ", "≥ 300 kJ"]);
        let periods: Vec<String> = (0..4).map(|i| scheme.period_label(i)).collect();
        assert_eq!(periods, ["≤ 30 years", "30–100 years", "100–300 years", "> 300 years"]);
    }
}
