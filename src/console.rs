//! What the program says: results on standard output, everything else on standard error.
//!
//! Nobody may be there to read it (a closed pipe, a full disk): `println!` and `eprintln!` would panic then, so nothing
//! else in the program uses them.

use std::io::{ErrorKind, Write};

use crate::{Error, Result};

/// A line on standard error; lost if nobody can take it.
pub fn say(line: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(format!("{line}\n").as_bytes()).and_then(|()| err.flush());
}

/// A message on one line. Names in it come from files and may hold anything: line breaks, terminal codes, a megabyte.
pub fn one_line(message: &str) -> String {
    const LONGEST: usize = 2000;
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let short: String = message.chars().take(LONGEST).map(clean).collect();
    if message.chars().nth(LONGEST).is_some() { short + " …" } else { short }
}

/// A result on standard output. A reader that has seen enough (`couloir schema | head`) is no failure.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Error::failed(format!("the output cannot be written ({e}); send it to a place with room")))
        }
        _ => Ok(()),
    }
}
