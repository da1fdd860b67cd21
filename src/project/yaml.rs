//! YAML as a tree that knows where everything stands in the file, so that every later complaint can point at it.
//!
//! Scalars stay text here; what a plain `007` means is decided where its expected type is known ([`super::conform`]).

use std::collections::HashMap;

use crate::console::is_hidden;
use saphyr_parser::{Event, Parser, ScalarStyle, Span};

/// Deeper nesting, more values and more text than any real project needs, aliases written out: a guard against anchor
/// bombs and runaway files.
const MAX_DEPTH: usize = 64;
const MAX_VALUES: usize = 500_000;
const MAX_TEXT_BYTES: usize = 64 << 20;

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub place: Place,
    pub content: Content,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// `plain` scalars may be numbers, booleans or null; quoted ones are always text.
    Scalar {
        text: String,
        plain: bool,
    },
    Sequence(Vec<Node>),
    Mapping(Vec<(Key, Node)>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub text: String,
    pub place: Place,
}

/// Line and column, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// Something wrong at a place of the file: the key path it concerns (may be empty) and a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    pub place: Place,
    pub path: String,
    pub sentence: String,
}

impl Mistake {
    pub fn new(place: Place, path: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { place, path: path.into(), sentence: sentence.into() }
    }

    /// `project.yaml:3:5: rocks[0].mass_kg: found …` on one line.
    pub fn describe(&self, file: &str) -> String {
        let Place { line, column } = self.place;
        let path = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        format!("{file}:{line}:{column}: {path}{}", self.sentence)
    }
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.content {
            Content::Mapping(entries) => entries.iter().find(|(k, _)| k.text == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The node at a path such as `rocks[0].mass_kg`; where the path ends in nothing, its last existing ancestor.
    pub fn nearest(&self, path: &str) -> &Node {
        let mut node = self;
        for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
            let next = match (&node.content, step.strip_suffix(']')) {
                (Content::Sequence(items), Some(index)) => index.parse::<usize>().ok().and_then(|i| items.get(i)),
                _ => node.get(step),
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }
}

/// The path of a key (`mass_kg`) or an index (`[0]`) below `path`.
pub fn join(path: &str, step: &str) -> String {
    let dot = if path.is_empty() || step.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{step}")
}

/// Parses one YAML document.
pub fn parse(text: &str) -> Result<Node, Mistake> {
    let parser = Parser::new_from_str(text);
    let mut builder = Builder { parser, text, anchors: HashMap::new(), held: Size::default(), path: Vec::new() };
    builder.document()
}

struct Builder<'input> {
    parser: Parser<'input, saphyr_parser::StrInput<'input>>,
    text: &'input str,
    anchors: HashMap<usize, (Node, Size)>,
    /// What the tree and the copies behind anchors hold so far.
    held: Size,
    /// Keys and indices down to where the parser is.
    path: Vec<String>,
}

/// What a part of the tree takes.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    values: usize,
    text_bytes: usize,
}

impl Size {
    fn since(self, before: Self) -> Self {
        Self { values: self.values - before.values, text_bytes: self.text_bytes - before.text_bytes }
    }
}

impl<'input> Builder<'input> {
    fn document(&mut self) -> Result<Node, Mistake> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => break,
                Event::StreamStart | Event::Nothing | Event::DocumentEnd => {}
                Event::DocumentStart(_) if root.is_some() => {
                    return Err(Mistake::new(
                        place(&span),
                        "",
                        "found a second YAML document, expected one; remove the line `---` and what follows",
                    ));
                }
                Event::DocumentStart(_) => {
                    let (event, span) = self.next()?;
                    root = Some(self.node(event, span, 0)?);
                }
                _ => {}
            }
        }
        root.ok_or_else(|| Mistake::new(Place { line: 1, column: 1 }, "", "the file is empty"))
    }

    fn next(&mut self) -> Result<(Event<'input>, Span), Mistake> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                let marker = error.marker();
                let place = Place { line: marker.line().max(1), column: marker.col() + 1 };
                Err(Mistake::new(place, "", self.syntax_sentence(place, error.info())))
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// What a parser's complaint most likely means, in the user's words.
    fn syntax_sentence(&self, place: Place, info: &str) -> String {
        let line = |number: usize| self.text.lines().nth(number.wrapping_sub(1)).unwrap_or("");
        let tabbed = |l: &str| l.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\t');
        if let Some(number) = [place.line, place.line.saturating_sub(1)].into_iter().find(|n| tabbed(line(*n))) {
            return format!(
                "found a tab in the indentation of line {number}, expected spaces; replace the tab by spaces"
            );
        }
        format!(
            "this is not valid YAML ({info}); look for wrong indentation, a missing space after `:` or an unclosed quote or bracket"
        )
    }

    fn node(&mut self, event: Event<'input>, span: Span, depth: usize) -> Result<Node, Mistake> {
        let place = place(&span);
        if depth > MAX_DEPTH {
            return Err(Mistake::new(place, "", format!("nested deeper than {MAX_DEPTH} levels; flatten the file")));
        }
        let before = self.held;
        let text_bytes = if let Event::Scalar(text, ..) = &event { text.len() } else { 0 };
        self.hold(Size { values: 1, text_bytes }, place)?;
        if let Event::Scalar(text, ..) = &event
            && let Some(hidden) = text.chars().find(|&c| is_hidden(c) && !"\n\t".contains(c))
        {
            return Err(Mistake::new(
                place,
                "",
                format!(
                    "found the character U+{:04X}, which steers a screen instead of being seen; expected text; remove it",
                    u32::from(hidden)
                ),
            ));
        }
        let (content, anchor, tag) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                (Content::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain }, anchor, tag)
            }
            Event::SequenceStart(anchor, tag) => (self.sequence(depth)?, anchor, tag),
            Event::MappingStart(anchor, tag) => (self.mapping(depth)?, anchor, tag),
            Event::Alias(anchor) => {
                let Some((_, size)) = self.anchors.get(&anchor) else {
                    return Err(Mistake::new(place, "", "this alias (`*name`) refers to itself; write the value out"));
                };
                self.hold(*size, place)?;
                let content = self.anchors[&anchor].0.content.clone();
                return Ok(Node { place, content });
            }
            _ => (Content::Scalar { text: String::new(), plain: true }, 0, None),
        };
        if let Some(tag) = tag {
            let tag = format!("{}{}", tag.handle, tag.suffix);
            return Err(Mistake::new(
                place,
                "",
                format!("found the YAML tag `{tag}`, which has no meaning here; remove it"),
            ));
        }
        let node = Node { place, content };
        if anchor > 0 {
            // The copy takes room as well.
            let size = self.held.since(before);
            self.hold(size, place)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Ok(node)
    }

    fn sequence(&mut self, depth: usize) -> Result<Content, Mistake> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Content::Sequence(items)),
                (event, span) => {
                    self.path.push(format!("[{}]", items.len()));
                    items.push(self.node(event, span, depth + 1)?);
                    self.path.pop();
                }
            }
        }
    }

    fn mapping(&mut self, depth: usize) -> Result<Content, Mistake> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                return Ok(Content::Mapping(entries));
            }
            let key = match self.node(event, span, depth + 1)? {
                Node { place, content: Content::Scalar { text, .. } } => Key { text, place },
                node => {
                    return Err(Mistake::new(node.place, "", "found a list or mapping as a key, expected a word"));
                }
            };
            self.path.push(key.text.clone());
            if let Some(line) = seen.insert(key.text.clone(), key.place.line) {
                let sentence = format!(
                    "found this key a second time (first on line {line}), expected it once; remove one of the two"
                );
                let path = self.path.iter().fold(String::new(), |path, step| join(&path, step));
                return Err(Mistake::new(key.place, path, sentence));
            }
            let (event, span) = self.next()?;
            let value = self.node(event, span, depth + 1)?;
            self.path.pop();
            entries.push((key, value));
        }
    }

    fn hold(&mut self, more: Size, place: Place) -> Result<(), Mistake> {
        self.held.values = self.held.values.saturating_add(more.values);
        self.held.text_bytes = self.held.text_bytes.saturating_add(more.text_bytes);
        let limit = match self.held {
            Size { values, .. } if values > MAX_VALUES => format!("{MAX_VALUES} values"),
            Size { text_bytes, .. } if text_bytes > MAX_TEXT_BYTES => format!("{} MB of text", MAX_TEXT_BYTES >> 20),
            _ => return Ok(()),
        };
        let sentence = format!("the file unfolds to more than {limit}; put large data into a layer file");
        Err(Mistake::new(place, "", sentence))
    }
}

fn place(span: &Span) -> Place {
    Place { line: span.start.line().max(1), column: span.start.col() + 1 }
}
