//! Schemes of classification from YAML: the built-in ones and the user's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Project;
use super::file::Classification;
use crate::hazard::scheme::Scheme;
use crate::texts::say;
use crate::{Error, Result};

/// Built-in schemes: name and YAML text.
pub(crate) const BUILT_IN: [(&str, &str); 3] = [
    ("swiss", include_str!("schemes/swiss.yaml")),
    ("austria", include_str!("schemes/austria.yaml")),
    ("norway", include_str!("schemes/norway.yaml")),
];

/// A built-in scheme by name.
pub(crate) fn built_in(name: &str) -> Option<Result<Scheme>> {
    let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    Some(parse(text, name))
}

/// Reads and checks a scheme; `origin` is named in errors.
pub fn parse(text: &str, origin: &str) -> Result<Scheme> {
    checked(super::from_yaml(Path::new(origin), "scheme", text)?, origin)
}

/// Reads and checks the file of a scheme.
pub(crate) fn load(path: &Path) -> Result<Scheme> {
    checked(super::load_yaml(path, "scheme")?, &path.display().to_string())
}

fn checked(scheme: Scheme, origin: &str) -> Result<Scheme> {
    let names = [&scheme.name].into_iter().chain(scheme.intensities.iter().map(|class| &class.name));
    if let Some(name) = names.chain(scheme.zones.iter().map(|zone| &zone.name)).find(|name| name.contains(['\n', '\t']))
    {
        return Err(Error::input(format!("{origin}: found the name {name:?}, expected one on one line without tabs")));
    }
    scheme.check().map_err(|problem| Error::input(format!("{origin}: {problem}")))?;
    Ok(scheme)
}

/// The names of a built-in scheme in the language spoken now. What the catalogue does not know stays as it is written.
pub(crate) fn in_words(scheme: &Scheme, name: &str) -> Scheme {
    let mut scheme = scheme.clone();
    let Some(plain) = built_in(name).and_then(Result::ok) else { return scheme };
    let put = |text: &mut String, written: &str, key: String| {
        let key = format!("scheme-{name}-{key}");
        let words = say!(&key);
        // Another run may have stored them in another language.
        *text = if words == key { written.to_string() } else { words };
    };
    put(&mut scheme.name, &plain.name, "name".into());
    put(&mut scheme.source, &plain.source, "source".into());
    for (class, plain) in scheme.intensities.iter_mut().zip(&plain.intensities) {
        put(&mut class.name, &plain.name, format!("intensity-{}", plain.name.replace(' ', "-")));
    }
    for (zone, plain) in scheme.zones.iter_mut().zip(&plain.zones) {
        put(&mut zone.name, &plain.name, format!("zone-{}", plain.id));
        put(&mut zone.meaning, &plain.meaning, format!("meaning-{}", plain.id));
    }
    scheme
}

/// A built-in scheme by name, or a YAML file (relative to `folder`).
pub(crate) fn named(name: &str, folder: &Path) -> Result<Scheme> {
    if let Some(scheme) = built_in(name) {
        return scheme;
    }
    let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    let path = folder.join(name);
    if !path.exists() {
        return Err(Error::input(format!(
            "the scheme {name:?} is neither built in ({}) nor a file ({} does not exist); check the name",
            names.join(", "),
            path.display()
        )));
    }
    load(&path)
}

/// The scheme of its own a project names, and its file; `None` for a built-in one or none.
pub(crate) fn file(project: &Project) -> Option<(&str, PathBuf)> {
    let name = project.file.classification.as_ref()?.scheme.as_str();
    built_in(name).is_none().then(|| (name, project.folder.join(name)))
}

/// Where a scheme comes from: nothing for a built-in one, else its file, seen from the project's folder where it lies below.
pub(crate) fn source(name: &str, folder: &Path, project: &Path) -> String {
    if built_in(name).is_some() {
        return String::new();
    }
    let whole = |path: &Path| std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let path = folder.join(name);
    let path = whole(&path).unwrap_or(path);
    let project = whole(if project.as_os_str().is_empty() { Path::new(".") } else { project }).unwrap_or_default();
    path.strip_prefix(&project).unwrap_or(&path).to_string_lossy().replace('\\', "/")
}

/// The scheme a project asks for, with the project's own quantile and smallest area.
pub(crate) fn wished(wish: &Classification, folder: &Path) -> Result<Scheme> {
    let mut scheme = named(&wish.scheme, folder)?;
    scheme.quantile = wish.quantile.unwrap_or(scheme.quantile);
    scheme.min_area_m2 = wish.min_area_m2.unwrap_or(scheme.min_area_m2);
    if let Some(width) = wish.reference_width_m {
        scheme.reference_width_m = (width > 0.0).then_some(width);
    }
    scheme.return_period = wish.return_period.unwrap_or(scheme.return_period);
    scheme.least_reach_probability = wish.least_reach_probability.unwrap_or(scheme.least_reach_probability);
    Ok(scheme)
}

/// The return period of each scenario, years: the one stated for it, else one over its releases per year.
///
/// # Errors
/// A period is stated for a scenario that is not there.
pub(crate) fn return_periods(
    names: &[String],
    per_year: &[Option<f64>],
    stated: &BTreeMap<String, f64>,
) -> Result<Vec<Option<f64>>> {
    if let Some(unknown) = stated.keys().find(|name| !names.contains(name)) {
        return Err(Error::input(format!(
            "classification.scenario_return_periods_years names the scenario {unknown:?}; the scenarios of this project are \
             {names:?}"
        )));
    }
    let of = |(name, frequency): (&String, &Option<f64>)| {
        stated.get(name).copied().or(frequency.filter(|&f| f > 0.0).map(|f| 1.0 / f))
    };
    Ok(names.iter().zip(per_year).map(of).collect())
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
            assert_eq!([30.0, 100.0, 300.0, 304.0].map(|years| zone(energy, years)), zones, "{energy} kJ");
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
        assert!(broken("least_reach_probability: 0.01", "least_reach_probability: 2").contains("from 0 to 0.99"));
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
