//! Which class a code or an attribute value means: the user's table first, then the class names themselves.

use std::collections::BTreeMap;

use super::request::PrepareFile;
use crate::project::classes;
use crate::project::file::{ForestSpec, GroundClasses, GroundSpec};
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Ground,
    Forest,
}

impl Family {
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Forest => "forest",
        }
    }
}

/// The classes a layer may name, and the user's table of codes.
pub(crate) struct ClassTable<'a> {
    family: Family,
    known: Vec<String>,
    codes: &'a BTreeMap<String, String>,
}

impl<'a> ClassTable<'a> {
    pub(crate) fn new(request: &PrepareFile, family: Family, codes: &'a BTreeMap<String, String>) -> Result<Self> {
        let known: Vec<String> = match family {
            Family::Ground => {
                let own = GroundClasses::Own(request.ground_classes.clone());
                let spec = GroundSpec { classes: own, ..Default::default() };
                classes::ground(&spec).into_keys().collect()
            }
            Family::Forest => {
                let spec = ForestSpec { classes: request.forest_classes.clone(), ..Default::default() };
                classes::forest(&spec).into_keys().collect()
            }
        };
        let table = Self { family, known, codes };
        for class in codes.values() {
            table.class_named(class)?;
        }
        Ok(table)
    }

    /// A class by its name; capitals, spaces and hyphens do not count.
    pub(crate) fn class_named(&self, name: &str) -> Result<String> {
        let key = normalised(name);
        let found = self.known.iter().find(|known| normalised(known) == key);
        found.cloned().ok_or_else(|| {
            let key = self.family.key();
            Error::input(format!("'{name}' is no {key} class: known are {}", self.known.join(", ")))
        })
    }

    /// The class an attribute value or raster code stands for.
    pub(crate) fn class_of(&self, value: &str, origin: &str) -> Result<String> {
        if let Some(class) = self.code(value) {
            return self.class_named(class);
        }
        self.class_named(value).map_err(|_| {
            let (key, known) = (self.family.key(), self.known.join(", "));
            Error::input(format!(
                "{origin} has '{value}', which is no {key} class: known are {known}; say what it means with --codes {key}:{}=CLASS",
                if value.contains([' ', ',']) { format!("'{value}'") } else { value.to_owned() }
            ))
        })
    }

    fn code(&self, value: &str) -> Option<&'a str> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let exact = self.codes.get(value).or_else(|| self.codes.get(value.trim()));
        let same = || {
            let mut entries = self.codes.iter();
            entries.find(|(code, _)| {
                code.trim().eq_ignore_ascii_case(value.trim()) || number(code).is_some_and(|n| Some(n) == number(value))
            })
        };
        exact.or_else(|| same().map(|(_, class)| class)).map(String::as_str)
    }
}

fn normalised(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// Codes 1, 2, … for the classes that occur, in the order of their names.
#[derive(Debug, Default)]
pub(crate) struct Codes(BTreeMap<String, u8>);

impl Codes {
    pub(crate) fn new(classes: impl IntoIterator<Item = String>) -> Result<Self> {
        let sorted: std::collections::BTreeSet<String> = classes.into_iter().collect();
        let mut codes = BTreeMap::new();
        for (k, class) in sorted.into_iter().enumerate() {
            let code = u8::try_from(k + 1).map_err(|_| Error::input("a class layer may have at most 255 classes"))?;
            codes.insert(class, code);
        }
        Ok(Self(codes))
    }

    pub(crate) fn code(&self, class: &str) -> u8 {
        self.0.get(class).copied().unwrap_or(0)
    }

    /// For the project file: code → class.
    pub(crate) fn mapping(&self) -> BTreeMap<u8, String> {
        self.0.iter().map(|(class, code)| (*code, class.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_before_names_and_unknown_ones_say_what_is_known() {
        let request = PrepareFile::default();
        let codes =
            BTreeMap::from([("7".to_string(), "hard".to_string()), ("Fels".to_string(), "extra_hard".to_string())]);
        let table = ClassTable::new(&request, Family::Ground, &codes).unwrap();
        assert_eq!(table.class_of("7", "x").unwrap(), "hard");
        assert_eq!(table.class_of("7.0", "x").unwrap(), "hard");
        assert_eq!(table.class_of("fels", "x").unwrap(), "extra_hard");
        assert_eq!(table.class_of("Medium Soft", "x").unwrap(), "medium_soft");
        let error = table.class_of("Moor", "feature 3 of 'soil.shp'").unwrap_err().message;
        assert!(
            error.contains("feature 3") && error.contains("extra_soft") && error.contains("--codes ground:Moor="),
            "{error}"
        );
        let wrong = BTreeMap::from([("1".to_string(), "stone".to_string())]);
        assert!(ClassTable::new(&request, Family::Ground, &wrong).is_err());
    }
}
