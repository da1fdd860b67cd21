//! Checks across keys that a schema cannot say. Each mistake points at the key that is easiest to mend.

use std::collections::BTreeSet;

use super::conform::{did_you_mean, one_of};
use super::file::*;
use super::yaml::{At, Mistake};
use super::{UNNAMED_SCENARIO, classes};
use crate::rock::presets;

type Check = Result<(), Mistake>;

/// Fields of trajectories, deposits, rocks and impacts: no attribute that is carried along may have such a name.
#[rustfmt::skip]
pub(crate) const TAKEN_FIELDS: [&str; 54] = [
    "id", "release", "feature", "shape", "mass_kg", "volume_m3", "scenario", "stop", "time_s", "runout_m", "path_m",
    "e_max_kj", "v_max_ms", "jump_max_m", "rot_max", "eline_deg", "energy_line_deg", "energy_max_kj", "velocity_max_m_s",
    "rotation_max_rps", "contact_speed_max_m_s", "slow_s", "start_x_m", "start_y_m", "start_z_m", "end_x_m", "end_y_m",
    "end_z_m", "impact", "duration_s", "flight_s", "speed_before_m_s", "speed_after_m_s", "normal_before_m_s",
    "normal_after_m_s", "spin_before_rps", "spin_after_rps", "energy_before_kj", "energy_after_kj",
    "rotational_before_kj", "rotational_after_kj", "scar_depth_m", "scar_length_m", "fid", "ogc_fid", "geom", "geometry",
    "wkt", "x", "y", "z", "rock", "censored", "line",
];

/// Checks the whole file.
pub(crate) fn check(file: &ProjectFile) -> Check {
    let rules = Rules;
    rules.rocks(file)?;
    rules.releases(file)?;
    rules.ground(&file.ground)?;
    rules.forest(&file.forest)?;
    rules.restitution(&file.restitution)?;
    rules.names("lines", file.lines.iter().map(|line| &line.name))?;
    rules.names("barriers", file.barriers.iter().map(|barrier| &barrier.name))?;
    for (i, line) in file.lines.iter().enumerate() {
        rules.source(&line.source, &format!("lines[{i}].source"))?;
    }
    for (i, barrier) in file.barriers.iter().enumerate() {
        rules.source(&barrier.source, &format!("barriers[{i}].source"))?;
    }
    Ok(())
}

struct Rules;

impl Rules {
    fn mistake(&self, path: &str, sentence: impl Into<String>) -> Check {
        Err(Mistake::new(At::Value, path, sentence))
    }

    /// Names stand in tables, file names and on terminals.
    fn one_line(&self, name: &str, path: &str) -> Check {
        if name.contains(['\n', '\t']) {
            let sentence = format!("found {name:?}, expected a name on one line without tabs; write it on one line");
            return self.mistake(path, sentence);
        }
        Ok(())
    }

    fn names<'n>(&self, list: &str, names: impl Iterator<Item = &'n String>) -> Check {
        let mut seen = BTreeSet::new();
        for (i, name) in names.enumerate() {
            self.one_line(name, &format!("{list}[{i}].name"))?;
            if !seen.insert(name) {
                let sentence = format!("found the name {name:?} a second time, expected different names; rename one");
                return self.mistake(&format!("{list}[{i}].name"), sentence);
            }
        }
        Ok(())
    }

    fn rocks(&self, file: &ProjectFile) -> Check {
        self.names("rocks", file.rocks.iter().filter_map(|rock| rock.name.as_ref()))?;
        for (i, rock) in file.rocks.iter().enumerate() {
            let path = format!("rocks[{i}]");
            if let ShapeSpec::Preset(name) = &rock.shape {
                self.preset(name, &format!("{path}.shape"))?;
            }
            let sizes = [
                ("mass_kg", rock.mass_kg.is_some()),
                ("volume_m3", rock.volume_m3.is_some()),
                ("axes_m", rock.axes_m.is_some()),
            ];
            let given: Vec<&str> = sizes.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
            // Axes give the form, a mass beside them the density.
            if let [first, second, ..] = given[..]
                && given != ["mass_kg", "axes_m"]
            {
                let sentence =
                    format!("found both `{first}` and `{second}`, expected only one of them; remove the other");
                return self.mistake(&format!("{path}.{second}"), sentence);
            }
            self.quantity(rock.mass_kg.as_ref(), &format!("{path}.mass_kg"))?;
            self.quantity(rock.volume_m3.as_ref(), &format!("{path}.volume_m3"))?;
            let draws_it = |release: &&ReleaseSpec| match (&release.rocks, &rock.name) {
                // Which rocks an attribute names is known when the layer is read.
                (None, _) if release.rock.is_some() => false,
                (None, _) => true,
                (Some(names), Some(name)) => names.contains(name),
                (Some(_), None) => false,
            };
            let sized = |release: &ReleaseSpec| release.mass_kg.is_some() || release.volume_m3.is_some();
            if given.is_empty()
                && matches!(rock.shape, ShapeSpec::Preset(_))
                && file.release.iter().filter(draws_it).any(|release| !sized(release))
            {
                return self.mistake(
                    &path,
                    "this rock has no size; give it one of `mass_kg`, `volume_m3` or `axes_m`, or give every release \
                     that uses it `mass_kg` or `volume_m3`",
                );
            }
        }
        Ok(())
    }

    fn preset(&self, name: &str, path: &str) -> Check {
        let names: Vec<&str> = presets::NAMES.iter().map(|(name, _)| *name).collect();
        if names.contains(&name) {
            return Ok(());
        }
        let ending = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let hint = if ["xyz", "csv", "txt", "stl", "obj"].contains(&ending.as_str()) {
            format!("; for a file write `shape: {{file: {name}}}`")
        } else {
            did_you_mean(name, &names)
        };
        self.mistake(path, format!("found the shape {name:?}, expected {}{hint}", one_of(&names)))
    }

    fn releases(&self, file: &ProjectFile) -> Check {
        let names: Vec<&str> = file.rocks.iter().filter_map(|rock| rock.name.as_deref()).collect();
        let all_named = file.release.iter().all(|release| release.scenario.is_some());
        for (i, release) in file.release.iter().enumerate() {
            let path = format!("release[{i}]");
            for (key, name) in [("name", &release.name), ("scenario", &release.scenario)] {
                self.one_line(name.as_deref().unwrap_or_default(), &format!("{path}.{key}"))?;
            }
            if release.scenario.as_deref() == Some(UNNAMED_SCENARIO) && !all_named {
                let sentence = "found \"all\", the name of releases without a scenario, of which there are some; choose another \
                                name, or name the scenario of every release";
                return self.mistake(&format!("{path}.scenario"), sentence);
            }
            self.source(&release.source, &format!("{path}.source"))?;
            if release.mass_kg.is_some() && release.volume_m3.is_some() {
                let sentence = "found both `mass_kg` and `volume_m3`, expected only one of them; remove the other";
                return self.mistake(&format!("{path}.volume_m3"), sentence);
            }
            let quantities = [
                ("height_m", Some(&release.height_m)),
                ("centre_height_m", release.centre_height_m.as_ref()),
                ("speed_m_s", Some(&release.speed_m_s)),
                ("spin_rps", Some(&release.spin_rps)),
                ("density_kg_m3", release.density_kg_m3.as_ref()),
                ("mass_kg", release.mass_kg.as_ref()),
                ("volume_m3", release.volume_m3.as_ref()),
                ("frequency_per_year", release.frequency_per_year.as_ref()),
            ];
            for (key, quantity) in quantities {
                self.quantity(quantity, &format!("{path}.{key}"))?;
            }
            for (k, name) in release.rocks.iter().flatten().enumerate() {
                if !names.contains(&name.as_str()) {
                    let wanted = if names.is_empty() {
                        "a rock's name, but no rock has one; give the rocks a `name`".to_string()
                    } else {
                        format!("a rock's name: {}{}", one_of(&names), did_you_mean(name, &names))
                    };
                    return self.mistake(&format!("{path}.rocks[{k}]"), format!("found {name:?}, expected {wanted}"));
                }
            }
            if release.rocks.as_ref().is_some_and(Vec::is_empty) {
                let sentence = "found an empty list, expected names of rocks; remove the key to use all rocks";
                return self.mistake(&format!("{path}.rocks"), sentence);
            }
            self.release_state(release, &path)?;
        }
        Ok(())
    }

    /// How the rocks move at the start: nothing said twice, no directions without one.
    fn release_state(&self, release: &ReleaseSpec, path: &str) -> Check {
        let zero = |v: &[f64]| v.iter().all(|x| *x == 0.0);
        if matches!(&release.direction, Direction::Vector(v) if zero(v)) {
            return self.mistake(&format!("{path}.direction"), "found a zero vector, expected a direction");
        }
        if matches!(&release.orientation, Orientation::Quaternion(QuaternionQuantity::Constant(q)) if zero(q)) {
            return self.mistake(&format!("{path}.orientation"), "found a zero quaternion, expected [w, x, y, z]");
        }
        if matches!(&release.spin_axis, Some(VectorQuantity::Constant(axis)) if zero(axis)) {
            return self
                .mistake(&format!("{path}.spin_axis"), "found a zero vector, expected an axis (east, north, up)");
        }
        let still = release.speed_m_s == Quantity::Constant(0.0) && release.direction == Direction::default();
        let twice = [
            (
                "centre_height_m",
                release.centre_height_m.is_some(),
                "height_m",
                release.height_m == default_release_height(),
            ),
            ("velocity_m_s", release.velocity_m_s.is_some(), "speed_m_s` or `direction", still),
            ("rock", release.rock.is_some(), "rocks", release.rocks.is_none()),
        ];
        for (key, given, other, unsaid) in twice {
            if given && !unsaid {
                let sentence = format!("found both `{key}` and `{other}`, expected only one of them; remove the other");
                return self.mistake(&format!("{path}.{key}"), sentence);
            }
        }
        if release.spin_axis.is_some() && release.spin_rps == Quantity::Constant(0.0) {
            let sentence = "found an axis, but the spin is 0; set `spin_rps`, or remove the axis";
            return self.mistake(&format!("{path}.spin_axis"), sentence);
        }
        let mut seen = BTreeSet::new();
        for (k, name) in release.keep_attributes.iter().enumerate() {
            let key = format!("{path}.keep_attributes[{k}]");
            self.one_line(name, &key)?;
            if TAKEN_FIELDS.iter().any(|taken| taken.eq_ignore_ascii_case(name)) {
                let sentence = format!(
                    "found {name:?}, which is a field of the tables already; rename the attribute in the layer"
                );
                return self.mistake(&key, sentence);
            }
            if name.trim().is_empty() || !seen.insert(name.to_lowercase()) {
                let sentence =
                    format!("found {name:?}, expected the names of different attributes; remove or rename it");
                return self.mistake(&key, sentence);
            }
        }
        Ok(())
    }

    fn quantity(&self, quantity: Option<&Quantity>, path: &str) -> Check {
        let Some(Quantity::Distribution(distribution)) = quantity else { return Ok(()) };
        let ordered = |min: f64, max: f64| {
            if min < max {
                return Ok(());
            }
            self.mistake(&format!("{path}.min"), format!("found min {min} and max {max}, expected min < max"))
        };
        match distribution {
            Distribution::List { values, weights: Some(weights) } => {
                if weights.len() != values.len() {
                    let sentence =
                        format!("found {} weights for {} values, expected one each", weights.len(), values.len());
                    return self.mistake(&format!("{path}.weights"), sentence);
                }
                if weights.iter().all(|w| *w == 0.0) {
                    return self.mistake(&format!("{path}.weights"), "found only zeros, expected a weight > 0");
                }
                Ok(())
            }
            Distribution::List { .. } => Ok(()),
            Distribution::Uniform { min, max } => ordered(*min, *max),
            Distribution::PowerLaw { min, max, .. } => {
                if *min <= 0.0 {
                    return self.mistake(&format!("{path}.min"), format!("found {min}, expected a number > 0"));
                }
                ordered(*min, *max)
            }
            Distribution::LogNormal { median, min, max, .. } => {
                if *median <= 0.0 {
                    return self.mistake(&format!("{path}.median"), format!("found {median}, expected a number > 0"));
                }
                ordered(min.unwrap_or(0.0), max.unwrap_or(f64::INFINITY))
            }
        }
    }

    fn source(&self, source: &VectorSource, path: &str) -> Check {
        match (&source.file, &source.geojson) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            (Some(_), Some(_)) => self
                .mistake(&format!("{path}.geojson"), "found both `file` and `geojson`, expected one; remove the other"),
            (None, None) => self.mistake(path, "the layer is missing, expected `file` or `geojson`"),
        }
    }

    fn ground(&self, spec: &GroundSpec) -> Check {
        let classes = classes::ground(spec);
        let names: Vec<&str> = classes.keys().map(String::as_str).collect();
        self.class(&spec.default, "ground.default", &names)?;
        let own = match &spec.classes {
            GroundClasses::Own(own) => Some(own),
            GroundClasses::Table(_) => None,
        };
        for (name, class) in own.into_iter().flatten() {
            if class.mu_min > class.mu_max {
                let GroundClass { mu_min, mu_max, .. } = class;
                let sentence = format!("found {mu_min}, expected at most mu_max ({mu_max})");
                return self.mistake(&format!("ground.classes.{name}.mu_min"), sentence);
            }
        }
        self.layers(&spec.layers, "ground", &names)?;
        if let (Some(Parameter::Constant(min)), Some(Parameter::Constant(max))) = (&spec.mu_min, &spec.mu_max)
            && min > max
        {
            return self.mistake("ground.mu_min", format!("found {min}, expected at most mu_max ({max})"));
        }
        let scarring = spec.scarring.as_ref();
        let parameters = [
            ("mu_min", spec.mu_min.as_ref()),
            ("mu_max", spec.mu_max.as_ref()),
            ("beta_per_s", spec.beta_per_s.as_ref()),
            ("kappa_per_m", spec.kappa_per_m.as_ref()),
            ("epsilon_n", spec.epsilon_n.as_ref()),
            ("epsilon_t", spec.epsilon_t.as_ref()),
            ("scarring.me_kn_m2", scarring.map(|s| &s.me_kn_m2)),
            ("scarring.drag_coefficient", scarring.map(|s| &s.drag_coefficient)),
            ("scarring.density_kg_m3", scarring.map(|s| &s.density_kg_m3)),
            ("roughness.height_m", spec.roughness.as_ref().map(|r| &r.height_m)),
            ("roughness.spacing_m", spec.roughness.as_ref().map(|r| &r.spacing_m)),
        ];
        parameters.iter().try_for_each(|(key, parameter)| self.parameter(*parameter, &format!("ground.{key}")))
    }

    fn forest(&self, spec: &ForestSpec) -> Check {
        let classes = classes::forest(spec);
        let names: Vec<&str> = classes.keys().map(String::as_str).collect();
        if let Some(default) = &spec.default {
            self.class(default, "forest.default", &names)?;
        }
        self.layers(&spec.layers, "forest", &names)?;
        self.parameter(spec.drag_kg_s.as_ref(), "forest.drag_kg_s")?;
        self.parameter(spec.height_m.as_ref(), "forest.height_m")?;
        self.parameter(spec.rotational_drag_kg_m2_s.as_ref(), "forest.rotational_drag_kg_m2_s")
    }

    fn restitution(&self, spec: &RestitutionSpec) -> Check {
        self.parameter(Some(&spec.r_n), "restitution.r_n")?;
        self.parameter(Some(&spec.r_t), "restitution.r_t")?;
        self.parameter(Some(&spec.mu), "restitution.mu")?;
        self.parameter(Some(&spec.rolling_friction), "restitution.rolling_friction")
    }

    fn parameter(&self, parameter: Option<&Parameter>, path: &str) -> Check {
        match parameter {
            Some(Parameter::Polygons(p)) => self.source(&p.polygons, &format!("{path}.polygons")),
            _ => Ok(()),
        }
    }

    fn class(&self, name: &str, path: &str, names: &[&str]) -> Check {
        if names.contains(&name) {
            return Ok(());
        }
        let hint = did_you_mean(name, names);
        self.mistake(path, format!("found the class {name:?}, expected {}{hint}", one_of(names)))
    }

    fn layers(&self, layers: &[ClassLayer], section: &str, names: &[&str]) -> Check {
        for (i, layer) in layers.iter().enumerate() {
            let path = format!("{section}.layers[{i}]");
            match (&layer.polygons, &layer.raster) {
                (Some(source), None) => self.source(source, &format!("{path}.polygons"))?,
                (None, Some(_)) => {}
                (Some(_), Some(_)) => {
                    let sentence = "found both `polygons` and `raster`, expected one; make two layers of them";
                    return self.mistake(&format!("{path}.raster"), sentence);
                }
                (None, None) => return self.mistake(&path, "the layer is missing, expected `polygons` or `raster`"),
            }
            if layer.raster.is_some() && layer.codes.is_empty() {
                let sentence = "a raster of classes needs `codes`, e.g. `codes: {1: soft, 2: hard}`";
                return self.mistake(&path, sentence);
            }
            if layer.raster.is_some() && (layer.class.is_some() || layer.attribute.is_some()) {
                let key = if layer.class.is_some() { "class" } else { "attribute" };
                let sentence = "found this key beside `raster`, expected it beside `polygons` only; use `codes`";
                return self.mistake(&format!("{path}.{key}"), sentence);
            }
            if layer.class.is_some() && (layer.attribute.is_some() || !layer.codes.is_empty()) {
                let sentence =
                    "found `class` beside `attribute` or `codes`, expected one class for all or an attribute";
                return self.mistake(&format!("{path}.class"), sentence);
            }
            if let Some(class) = &layer.class {
                self.class(class, &format!("{path}.class"), names)?;
            }
            for (code, class) in &layer.codes {
                self.class(class, &format!("{path}.codes.{code}"), names)?;
                if layer.raster.is_some() && code.parse::<i64>().is_err() {
                    let sentence = format!("found the code {code:?}, expected a whole number");
                    return self.mistake(&format!("{path}.codes.{code}"), sentence);
                }
            }
        }
        Ok(())
    }
}
