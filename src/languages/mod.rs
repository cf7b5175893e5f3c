//! Language packs: source text in, facts out. The only users of tree-sitter.
//!
//! A language is one folder with a grammar, tables of node kinds and names, and one [`Pack`]; and one row in
//! [`LANGUAGES`]. Packs know runners and frameworks; they know nothing of rules, sides or changes.

mod bare;
mod builder;
mod calls;
mod claiming;
mod condition;
mod doc_examples;
mod edits;
pub(crate) mod expression;
mod fields;
mod functions;
mod go;
mod guards;
mod imports;
mod java;
mod javascript;
mod kept;
mod mutes;
mod parse;
mod predicate;
mod python;
mod respelled;
mod run_lists;
mod rust;
mod shared;
mod signals;
mod source;
mod spelled;
mod stretches;
mod table;
mod tokens;
mod walk;

pub use bare::bare_lines;
pub(crate) use builder::strengthen;
pub use builder::{Builder, TestHead, line_of, span_of};
pub use calls::{calls, matches as is_called};
pub use doc_examples::{Examples, doc_examples};
pub use imports::is_imported;
pub use signals::is_settings_file;
pub use source::{Parsed, Source, analyze, analyze_near, analyze_pair, language_of, test_macros};
pub use spelled::{may_spell_skip, skips_spelled};
pub use table::{LANGUAGES, Language, MacroHome};
pub use tokens::same_tokens;
pub use walk::{Descend, Kinds, Pack};

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod testing;
