//! The project file: every mistake is one sentence with line, column, key, what was found and what was expected.

mod form;
mod mistakes;
mod site;
mod templates;
