//! Fixtures that skip: what one of them skips before anything else, every test that asks for it skips.
//!
//! Only fixtures of the file itself are known. Those that run for every test are set-up, and no matter of this module.

use tree_sitter::Node;

use super::aliases::Aliases;
use super::marks::Reading;
use super::statements;
use super::syntax::{Kind, field, is_string_statement, items, kind, last_name};
use crate::collections::HashMap;
use crate::facts::SkipKind;
use crate::languages::builder::one_line;
use crate::languages::{Source, line_of};

/// Fixtures ask for fixtures at most so often.
const STEPS: usize = 8;

/// Nobody writes more fixtures into one file.
const MOST: usize = 500;

/// A statement with which a fixture skips.
#[derive(Clone, Debug)]
pub struct FixtureSkip {
    pub line: u32,
    pub mark: String,
    pub reason: Option<String>,
}

#[derive(Default)]
pub struct Fixtures {
    skipping: HashMap<String, FixtureSkip>,
    /// Which others each fixture asks for.
    asked: Vec<(String, Vec<String>)>,
}

impl Fixtures {
    /// Takes note of a fixture that was met.
    pub fn note(&mut self, name: &str, function: Node<'_>, aliases: &Aliases, source: Source<'_>) {
        if self.asked.len() >= MOST {
            return;
        }
        self.asked.push((name.to_owned(), parameters(function, source)));
        match field(function, "body").and_then(|body| first_skip(body, aliases, source)) {
            Some(skip) => drop(self.skipping.insert(name.to_owned(), skip)),
            // A later one of the same name takes its place.
            None => drop(self.skipping.remove(name)),
        }
    }

    /// What asks for a fixture that skips, skips as well.
    pub fn settle(&mut self) {
        for _ in 0..STEPS {
            let known = self.skipping.len();
            for (name, asked) in &self.asked {
                let skip = asked.iter().find_map(|other| self.skipping.get(other)).cloned();
                if let Some(skip) = skip.filter(|_| !self.skipping.contains_key(name)) {
                    self.skipping.insert(name.clone(), skip);
                }
            }
            if self.skipping.len() == known {
                return;
            }
        }
    }

    /// The skip of the first fixture that a test function asks for and that skips.
    pub fn skip_of(&self, function: Node<'_>, source: Source<'_>) -> Option<&FixtureSkip> {
        if self.skipping.is_empty() {
            return None;
        }
        parameters(function, source).iter().find_map(|name| self.skipping.get(name))
    }
}

/// The names of a function's parameters.
fn parameters(function: Node<'_>, source: Source<'_>) -> Vec<String> {
    let parameters = field(function, "parameters").map(items).unwrap_or_default();
    parameters.into_iter().filter_map(name_of).map(|name| source.text_of(name).to_owned()).collect()
}

/// The name of a parameter, be it with a type or a default.
fn name_of(parameter: Node<'_>) -> Option<Node<'_>> {
    match kind(parameter) {
        Kind::Identifier => Some(parameter),
        _ => parameter.named_child(0).filter(|name| kind(*name) == Kind::Identifier),
    }
}

/// The skip that a body starts with.
fn first_skip(body: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<FixtureSkip> {
    let first = items(body).into_iter().find(|statement| !is_string_statement(*statement))?;
    let reading = match kind(first) {
        Kind::Raise => statements::of_raise(first, aliases, source),
        Kind::ExpressionStatement => {
            let call = first.named_child(0).filter(|call| kind(*call) == Kind::Call)?;
            let name = field(call, "function").and_then(|callee| last_name(callee, source))?;
            statements::of_call(call, name, aliases, source)
        }
        _ => None,
    };
    let Reading { kind, reason } = reading?;
    (kind == SkipKind::Unconditional).then(|| FixtureSkip {
        line: line_of(first),
        mark: one_line(source.text_of(first)),
        reason,
    })
}
