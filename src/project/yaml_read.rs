//! YAML text → [`Node`]s, by `serde_yaml`, which gives scalars as the numbers and booleans they look like. Their text is
//! wanted here, so the file is read twice: for its shape, then scalar by scalar as text.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, Visitor};
use serde_yaml::{Deserializer, Error};

use super::yaml::{At, Mistake, Node, Place, join, refused_tag};
use super::yaml_place;
use crate::process::console::is_hidden;

/// Deeper nesting, more values and more text than any real project needs, aliases written out: a guard against anchor
/// bombs and runaway files.
const MAX_DEPTH: usize = 64;
const MAX_VALUES: usize = 500_000;
const MAX_TEXT_BYTES: usize = 64 << 20;

const SECOND_DOCUMENT: &str = "found a second YAML document, expected one; remove the line `---` and what follows";

/// Parses one YAML document.
pub(crate) fn parse(text: &str) -> Result<Node, Mistake> {
    if let Some((at, character)) = text.char_indices().find(|(_, c)| !printable(*c)) {
        return Err(Mistake::new(At::Place(Place::of_byte(text, at)), "", hidden(character)));
    }
    let survey = Survey::default();
    let shape = survey.document(text).map_err(|error| survey.explain(text, &error))?;
    Fill { text, shape }.deserialize(Deserializer::from_str(text)).map_err(|error| survey.explain(text, &error))
}

/// What YAML allows in a file.
fn printable(c: char) -> bool {
    let plain = matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..);
    plain && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn hidden(character: char) -> String {
    let code = u32::from(character);
    format!("found the character U+{code:04X}, which steers a screen instead of being seen; expected text; remove it")
}

fn too_much(values: bool) -> String {
    let limit = if values { format!("{MAX_VALUES} values") } else { format!("{} MB of text", MAX_TEXT_BYTES >> 20) };
    format!("the file unfolds to more than {limit}; put large data into a layer file")
}

/// What a parser's complaint most likely means, in the user's words.
fn syntax_sentence(text: &str, place: Place, complaint: &str) -> String {
    let line = |number: usize| text.lines().nth(number.wrapping_sub(1)).unwrap_or("");
    let tabbed = |l: &str| l.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\t');
    if let Some(number) = [place.line, place.line.saturating_sub(1)].into_iter().find(|n| tabbed(line(*n))) {
        return format!("found a tab in the indentation of line {number}, expected spaces; replace the tab by spaces");
    }
    // The place stands before the sentence already.
    let complaint = complaint.split(" at line ").next().unwrap_or(complaint);
    format!(
        "this is not valid YAML ({complaint}); look for wrong indentation, a missing space after `:` or an unclosed quote or bracket"
    )
}

/// What a node is, without its text.
enum Shape {
    Scalar,
    Sequence(Vec<Shape>),
    Mapping(Vec<Shape>),
}

/// The first reading: the shape, and everything that is wrong with the file as YAML.
#[derive(Default)]
struct Survey {
    values: Cell<usize>,
    text_bytes: Cell<usize>,
    /// Keys and indices down to where the reader is.
    path: RefCell<Vec<String>>,
    /// What is wrong where the reading ended: path and sentence.
    fault: RefCell<Option<(String, String)>>,
}

impl Survey {
    fn document(&self, text: &str) -> Result<Shape, Error> {
        let mut documents = Deserializer::from_str(text);
        let Some(first) = documents.next() else { return Err(self.fail("the file is empty")) };
        let shape = Look { survey: self, depth: 0 }.deserialize(first)?;
        if documents.next().is_some() { Err(self.fail(SECOND_DOCUMENT)) } else { Ok(shape) }
    }

    /// Ends the reading; the place is that of the value the reader is at.
    fn fail<E: serde::de::Error>(&self, sentence: impl Into<String>) -> E {
        self.fail_at(String::new(), sentence)
    }

    fn fail_at<E: serde::de::Error>(&self, path: String, sentence: impl Into<String>) -> E {
        self.fault.replace(Some((path, sentence.into())));
        E::custom("wrong")
    }

    fn hold<E: serde::de::Error>(&self, text_bytes: usize) -> Result<(), E> {
        self.values.set(self.values.get() + 1);
        self.text_bytes.set(self.text_bytes.get() + text_bytes);
        if self.values.get() > MAX_VALUES || self.text_bytes.get() > MAX_TEXT_BYTES {
            return Err(self.fail(too_much(self.values.get() > MAX_VALUES)));
        }
        Ok(())
    }

    /// The mistake behind an error of serde or libyaml.
    fn explain(&self, text: &str, error: &Error) -> Mistake {
        let found = error.location().map(|at| Place { line: at.line(), column: at.column() });
        let place = found.unwrap_or(Place { line: 1, column: 1 });
        let at = At::Place(place);
        match self.fault.take() {
            Some((_, sentence)) if sentence == SECOND_DOCUMENT => {
                let starts = text.lines().enumerate().skip(1).filter(|(_, line)| line.starts_with("---"));
                let line = starts.last().map_or(1, |(number, _)| number + 1);
                Mistake::new(At::Place(Place { line, column: 1 }), "", sentence)
            }
            Some((path, sentence)) if sentence == SECOND_TIME => {
                let (first, _) = yaml_place::find(text, &path, true);
                let sentence = format!(
                    "found this key a second time (first on line {}), expected it once; remove one of the two",
                    first.line
                );
                Mistake::new(at, path, sentence)
            }
            Some((path, sentence)) => Mistake::new(at, path, sentence),
            None if error.to_string().contains("repetition limit") => Mistake::new(at, "", too_much(true)),
            None => Mistake::new(at, "", syntax_sentence(text, place, &error.to_string())),
        }
    }
}

const SECOND_TIME: &str = "found this key a second time";

/// Reads one node's shape.
#[derive(Clone, Copy)]
struct Look<'a> {
    survey: &'a Survey,
    depth: usize,
}

impl Look<'_> {
    fn below(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn scalar<E: serde::de::Error>(self, text: &str) -> Result<Shape, E> {
        self.survey.hold(text.len())?;
        match text.chars().find(|&c| is_hidden(c) && !"\n\t".contains(c)) {
            Some(character) => Err(self.survey.fail(hidden(character))),
            None => Ok(Shape::Scalar),
        }
    }

    fn container<E: serde::de::Error>(self) -> Result<(), E> {
        self.survey.hold(0)?;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        let or = "or an alias `*name` refers to itself";
        Err(self.survey.fail(format!("nested deeper than {MAX_DEPTH} levels, {or}; flatten the file")))
    }
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = Shape;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("YAML")
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Shape, E> {
        self.scalar("")
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Shape, E> {
        self.scalar("")
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Shape, E> {
        self.scalar("")
    }

    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<Shape, E> {
        self.scalar("")
    }

    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<Shape, E> {
        self.scalar("")
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Shape, E> {
        self.scalar("")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Shape, E> {
        self.scalar("")
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Shape, E> {
        Err(self.survey.fail("the file is empty"))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Shape, E> {
        self.scalar(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Shape, A::Error> {
        self.container()?;
        let mut shapes = Vec::new();
        loop {
            self.survey.path.borrow_mut().push(format!("[{}]", shapes.len()));
            let shape = items.next_element_seed(self.below())?;
            self.survey.path.borrow_mut().pop();
            match shape {
                Some(shape) => shapes.push(shape),
                None => return Ok(Shape::Sequence(shapes)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Shape, A::Error> {
        self.container()?;
        let (mut shapes, seen) = (Vec::new(), RefCell::new(HashSet::new()));
        while let Some(key) = entries.next_key_seed(LookAtKey { look: self, seen: &seen })? {
            self.survey.path.borrow_mut().push(key);
            shapes.push(entries.next_value_seed(self.below())?);
            self.survey.path.borrow_mut().pop();
        }
        Ok(Shape::Mapping(shapes))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Shape, A::Error> {
        let (tag, _) = tagged.variant::<String>()?;
        Err(self.survey.fail(refused_tag(&format!("!{tag}"))))
    }
}

/// A key must be a word, and a new one.
struct LookAtKey<'a> {
    look: Look<'a>,
    seen: &'a RefCell<HashSet<String>>,
}

impl<'de> DeserializeSeed<'de> for LookAtKey<'_> {
    type Value = String;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        let survey = self.look.survey;
        deserializer.deserialize_str(self).inspect_err(|_| {
            let other = || (String::new(), "found a list or mapping as a key, expected a word".into());
            survey.fault.borrow_mut().get_or_insert_with(other);
        })
    }
}

impl<'de> Visitor<'de> for LookAtKey<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        let survey = self.look.survey;
        self.look.scalar::<E>(text)?;
        if !self.seen.borrow_mut().insert(text.to_string()) {
            let above = survey.path.borrow().iter().fold(String::new(), |path, step| join(&path, step));
            return Err(survey.fail_at(join(&above, text), SECOND_TIME));
        }
        Ok(text.to_string())
    }
}

/// The second reading: the texts of a shape that is known.
struct Fill<'t> {
    text: &'t str,
    shape: Shape,
}

impl<'de> DeserializeSeed<'de> for Fill<'_> {
    type Value = Node;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        match self.shape {
            Shape::Scalar => deserializer.deserialize_str(self),
            Shape::Sequence(_) => deserializer.deserialize_seq(self),
            Shape::Mapping(_) => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Fill<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the shape of the first reading")
    }

    /// A text that stands in the file as it is: quotes stand right before it.
    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Node, E> {
        let at = (text.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let before = at.checked_sub(1).and_then(|before| self.text.as_bytes().get(before));
        let plain = !matches!(before, Some(b'"' | b'\'' | b'\\'));
        Ok(Node::Scalar { text: text.into(), plain })
    }

    /// Anything else was quoted, or has several lines: no number or word of YAML.
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Scalar { text: text.into(), plain: false })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let Shape::Sequence(shapes) = self.shape else { return Err(A::Error::custom("a list")) };
        let mut nodes = Vec::with_capacity(shapes.len());
        for shape in shapes {
            nodes.extend(items.next_element_seed(Fill { text: self.text, shape })?);
        }
        Ok(Node::Sequence(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let Shape::Mapping(shapes) = self.shape else { return Err(A::Error::custom("a mapping")) };
        let mut nodes = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let Some(key) = entries.next_key::<String>()? else { break };
            nodes.push((key, entries.next_value_seed(Fill { text: self.text, shape })?));
        }
        Ok(Node::Mapping(nodes))
    }
}
