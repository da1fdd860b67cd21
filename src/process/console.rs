//! What the program says: results on standard output, everything else on standard error.
//!
//! Nobody may be there to read it (a closed pipe, a full disk): `println!` and `eprintln!` would panic then, so nothing
//! else in the program uses them.

use std::borrow::Cow;
use std::io::{ErrorKind, Write};

use crate::{Error, Result};

/// A line on standard error; lost if nobody can take it.
pub(crate) fn say(line: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(format!("{}\n", visible(line)).as_bytes()).and_then(|()| err.flush());
}

/// Text in which nothing steers a terminal or turns its order: control and direction characters stand as `\u001b`, which
/// JSON reads as the character it was. Line breaks and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_hidden(c) && !"\n\t".contains(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_hidden(c) && !"\n\t".contains(c) => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Characters that do something instead of being seen: control characters, line separators, directions of writing.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A message on one line. Names in it come from files and may hold anything: line breaks, terminal codes, a megabyte.
pub fn one_line(message: &str) -> String {
    const LONGEST: usize = 2000;
    let clean = |c: char| if "\n\r\t".contains(c) { ' ' } else { c };
    let short: String = message.chars().take(LONGEST).map(clean).collect();
    if message.chars().nth(LONGEST).is_some() { short + " …" } else { short }
}

/// A result on standard output. A reader that has seen enough (`couloir schema | head`) is no failure.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(visible(text).as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Error::failed(format!("the output cannot be written ({e}); send it to a place with room")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_reaches_the_terminal_but_what_can_be_seen() {
        let name = "a\u{1b}[31m\u{0}\u{7f}\u{9b}\u{202e}\u{2066}\u{2028}\rb";
        assert_eq!(visible(name), "a\\u001b[31m\\u0000\\u007f\\u009b\\u202e\\u2066\\u2028\\u000db");
        assert_eq!(visible("Rüfi\t> 1 m³ 落石\n"), "Rüfi\t> 1 m³ 落石\n");
        assert_eq!(one_line("two\nlines"), "two lines");
        // JSON stays JSON, and means the same.
        let text = serde_json::json!({ "name": "x\u{202e}\u{9b}" }).to_string();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&visible(&text)).unwrap()["name"], "x\u{202e}\u{9b}");
    }
}
