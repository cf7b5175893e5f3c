//! What each function of a file does when something is wrong: one walk for all languages.
//!
//! A language brings a [`Dialect`]: what its grammar calls things and how it spells failure. The walk is a cursor's,
//! so depth of nesting costs no stack; texts are cut, so nesting costs no square either.

mod collector;
mod dialect;
mod names;
mod shape;
mod values;
mod walker;

#[cfg(test)]
mod tests;

pub use dialect::{Asked, Dialect, Role};
pub use names::{is_error as is_error_name, plain_error_check};
pub use shape::{child, first_named, text};
pub use values::{is_default, says_unfinished};

use std::sync::OnceLock;

use tree_sitter::Tree;

use super::{Kinds, LANGUAGES, Language, Source};
use crate::facts::Function;

/// The functions of a parsed file, in the order in which they start.
pub fn functions(language: &Language, source: Source<'_>, tree: &Tree) -> Vec<Function> {
    walker::walk(tree, source, language.dialect, kinds(language))
}

/// The roles of a grammar's kinds, found out once.
fn kinds(language: &Language) -> &'static Kinds<Role> {
    static ALL: OnceLock<Vec<Kinds<Role>>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let roles = |row: &Language| Kinds::new(&(row.grammar)(), Role::Other, row.dialect.roles);
        LANGUAGES.iter().map(roles).collect()
    });
    let row = LANGUAGES.iter().position(|row| std::ptr::eq(row, language)).unwrap_or_default();
    &all[row]
}
