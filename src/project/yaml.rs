//! YAML as a tree whose scalars stay text: what a plain `007` means is decided where its expected type is known
//! ([`super::conform`]). Where something stands in the file is looked up when a mistake is told ([`super::yaml_place`]).

/// A part of a YAML file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// `plain` scalars may be numbers, booleans or null; quoted ones are always text.
    Scalar {
        text: String,
        plain: bool,
    },
    Sequence(Vec<Node>),
    Mapping(Vec<(String, Node)>),
}

/// Line and column, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// Of a byte of the text.
    pub(crate) fn of_byte(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        Self { line: before.matches('\n').count() + 1, column: before[line..].chars().count() + 1 }
    }
}

/// What a mistake points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// The value at the mistake's path, or the nearest one above it.
    Value,
    /// The key at the end of the path.
    Key,
    Place(Place),
}

/// Something wrong in the file: the key path it concerns (may be empty) and a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mistake {
    pub at: At,
    pub path: String,
    pub sentence: String,
}

impl Mistake {
    pub(crate) fn new(at: At, path: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { at, path: path.into(), sentence: sentence.into() }
    }

    /// `project.yaml:3:5: rocks[0].mass_kg: found …` on one line; `text` is that of the file.
    pub(crate) fn describe(&self, file: &str, text: &str) -> String {
        let (Place { line, column }, tag) = match self.at {
            At::Place(place) => (place, None),
            at => super::yaml_place::find(text, &self.path, at == At::Key),
        };
        let path = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        // A tag is what made the value wrong.
        let sentence = tag.map_or(self.sentence.clone(), |tag| refused_tag(&tag));
        format!("{file}:{line}:{column}: {path}{sentence}")
    }
}

pub(super) fn refused_tag(tag: &str) -> String {
    format!("found the YAML tag `{tag}`, which has no meaning here; remove it")
}

impl Node {
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Mapping(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// Whether there is something at a path such as `rocks[0].mass_kg`.
    pub(crate) fn has(&self, path: &str) -> bool {
        let mut node = self;
        for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
            let next = match (node, step.strip_suffix(']')) {
                (Node::Sequence(items), Some(index)) => index.parse::<usize>().ok().and_then(|i| items.get(i)),
                _ => node.get(step),
            };
            let Some(next) = next else { return false };
            node = next;
        }
        true
    }
}

/// The path of a key (`mass_kg`) or an index (`[0]`) below `path`.
pub(crate) fn join(path: &str, step: &str) -> String {
    let dot = if path.is_empty() || step.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{step}")
}
