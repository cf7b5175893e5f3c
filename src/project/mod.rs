//! The ground a gate stands on: workflows, scripts, runner and coverage settings, hooks, read as facts.
//!
//! One file for each kind of configuration, and readers of the formats below them. Knows no rule. What it cannot
//! read gives no facts; nothing here runs or resolves anything.

mod advisories;
mod attributes;
mod braces;
mod branches;
mod callers;
mod cargo;
mod cells;
mod circumstances;
mod code_lines;
mod command;
mod compilers;
mod condition;
mod conftest;
mod coverage;
mod document;
mod expression;
mod files;
mod filters;
mod flow;
mod gates;
mod gradle;
mod hooks;
mod ini;
mod inner;
mod javascript;
mod linted;
mod linters;
mod lists;
mod looking;
mod marks;
mod masking;
mod matrix;
mod maven;
mod named;
mod narrower;
mod options;
mod overrides;
mod pipeline;
mod python;
mod rows;
mod rulesets;
mod scripts;
mod selection;
mod sessions;
mod settings;
mod strictness;
mod table;
mod tasks;
mod test_lists;
mod toml;
mod tools;
mod tree;
mod trigger;
mod uses;
mod variables;
mod vocabulary;
mod words;
mod xml;
mod yaml;

pub use callers::Callees;
pub use code_lines::{ProjectLine, code_lines};
pub use condition::MAIN as MAIN_BRANCHES;
pub use inner::{HINTS as INNER_HINTS, settings as inner_settings};
pub use lists::is_list_of_left_out;
pub use named::{is_named, only_tells, says_first};
pub use narrower::is_narrower;
pub use rows::version_in;
pub use settings::AS_ERROR;
pub use table::{family_of, is_project, is_runner_settings, read};
pub use test_lists::{
    folders_of_mocha, has_other_lists, is_script_test, reaches_only, selects_tests, unreached,
};
pub use words::{class_of_name, says_check, words_of};

use crate::facts::Check;

/// The line at which a file in YAML stops being that, so that no tool can read it.
pub fn broken_at(path: &str, text: &[u8]) -> Option<u32> {
    let is_yaml = path.ends_with(".yml") || path.ends_with(".yaml");
    yaml::broken_at(std::str::from_utf8(text).ok().filter(|_| is_yaml)?)
}

/// Whether a check is a script as a whole that does nothing, and so passes whatever the code is like.
pub fn is_idle_script(check: &Check) -> bool {
    check.signature.starts_with("script:") && javascript::does_nothing(&check.text)
}

/// Whether a command line passes whatever its checks find, or does nothing at all.
pub fn hides_failure(command: &str) -> bool {
    javascript::masked(command, 1).is_some() || javascript::does_nothing(command)
}
