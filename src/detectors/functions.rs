//! Functions of both sides as the rules about production code look at them.

use std::sync::LazyLock;

use super::code_lines::is_scratch;
use super::report::{Draft, excerpt};
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide};
use crate::facts::{Exit, Function};
use crate::finding::{Excerpt, Finding, Side};
use crate::pairing::{FunctionPair, Place};
use crate::similarity::Body;

/// A function that differs between the sides.
#[derive(Clone, Copy)]
pub struct Changed<'c> {
    pub old_side: &'c FileSide,
    pub old: &'c Function,
    pub side: &'c FileSide,
    pub new: &'c Function,
    pub pair: &'c FunctionPair,
}

/// The functions of production code that the change touches and that stay; what is there to be played with aside.
pub fn changed(comparison: &Comparison) -> impl Iterator<Item = Changed<'_>> {
    comparison.functions().changed.iter().filter_map(|pair| {
        let (old_side, old) = at(comparison.files[pair.before.file].before.as_ref(), pair.before)?;
        let (side, new) = at(comparison.files[pair.after.file].after.as_ref(), pair.after)?;
        if is_scratch(&side.path) {
            return None;
        }
        Some(Changed { old_side, old, side, new, pair })
    })
}

/// The functions that the change adds.
pub fn added(comparison: &Comparison) -> impl Iterator<Item = (&FileSide, &Function)> {
    let places = comparison.functions().added.iter();
    places.filter_map(|&place| at(comparison.files[place.file].after.as_ref(), place))
}

fn at(side: Option<&FileSide>, place: Place) -> Option<(&FileSide, &Function)> {
    let side = side?;
    side.facts.functions.get(place.function).map(|function| (side, function))
}

/// So many sequences of three tokens change with a single name.
const ONE_NAME: f64 = 4.0;

impl<'c> Changed<'c> {
    /// How much of the function is as it was, from 0 to 1.
    pub fn similarity(&self) -> f64 {
        self.pair.old.similarity(&self.pair.new)
    }

    /// The share of the new body that was there before, another name in one place aside.
    pub fn kept(&self) -> f64 {
        let length = self.pair.new.len() as f64;
        if length == 0.0 {
            return 1.0;
        }
        (self.pair.new.containment(&self.pair.old) + ONE_NAME / length).min(1.0)
    }

    pub fn old_text(&self) -> String {
        code(self.old_side, self.old)
    }

    pub fn new_text(&self) -> String {
        code(self.side, self.new)
    }

    /// What stands before the body of the new function, white space taken off its ends.
    pub fn new_side_head(&self) -> String {
        head(self.side, self.new)
    }

    /// The same of the old one.
    pub fn old_side_head(&self) -> String {
        head(self.old_side, self.old)
    }

    /// The share of some bytes of the new side that the old body had too.
    pub fn was_there(&self, bytes: std::ops::Range<usize>) -> (f64, usize) {
        let body = Body::of(&self.side.text, bytes, &self.new.comments);
        (body.containment(&self.pair.old), body.len())
    }

    /// `path::Class.method`
    pub fn finding(&self, draft: Draft, side: Side, line: u32) -> Finding {
        let file = if side == Side::Before { self.old_side } else { self.side };
        draft.on(side, file, line, symbol(file, if side == Side::Before { self.old } else { self.new }))
    }

    /// How the function began, and how it begins; what a file does outside of functions begins nowhere.
    pub fn head_before(&self, label: &str) -> Option<Excerpt> {
        let named = !self.old.name.is_empty();
        if named { excerpt(self.old_side, self.old.span, self.old.line, label) } else { None }
    }

    pub fn head_after(&self, label: &str) -> Option<Excerpt> {
        let named = !self.new.name.is_empty();
        if named { excerpt(self.side, self.new.span, self.new.line, label) } else { None }
    }

    /// How to name it in a sentence.
    pub fn title(&self) -> String {
        if self.new.name.is_empty() { self.side.path.clone() } else { self.new.name.clone() }
    }
}

fn head(side: &FileSide, function: &Function) -> String {
    let bytes = side.text.get(function.whole.start..function.body.start).unwrap_or_default();
    String::from_utf8_lossy(bytes).trim().to_owned()
}

fn symbol(file: &FileSide, function: &Function) -> String {
    if function.name.is_empty() { file.path.clone() } else { format!("{}::{}", file.path, function.name) }
}

/// The source of a function without its comments.
pub fn code(side: &FileSide, function: &Function) -> String {
    let mut text = String::new();
    let mut at = function.whole.start;
    for comment in &function.comments {
        if comment.start >= at && comment.end <= function.whole.end {
            text += &String::from_utf8_lossy(&side.text[at..comment.start]);
            at = comment.end;
        }
    }
    text + &String::from_utf8_lossy(&side.text[at.min(function.whole.end)..function.whole.end])
}

/// Words of the languages, and names of errors.
const KEYWORDS: &str = "\
    if else elif not and or is in none null nil undefined true false self this cls new return raise throw throws err \
    error errors exception len isinstance instanceof typeof let const var mut ref some ok unwrap isempty is_empty length \
    size for with from case default";

/// Words that say little in a message, though a variable may bear them.
const VAGUE: &str = "\
    typeerror valueerror runtimeerror illegalargumentexception nullpointerexception fmt errorf panic type string str int \
    number bool list dict expect format assert the must be message msg name value get has require check cannot should \
    got but was on of to an invalid";

/// The identifiers of some code, in lower case, without words of the languages.
pub fn names(text: &str) -> HashSet<String> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    let said = parts.filter(|part| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit()));
    said.map(str::to_lowercase).filter(|word| !COMMON.contains(word.as_str())).collect()
}

/// Those that say what the code is about.
pub fn words(text: &str) -> HashSet<String> {
    let mut words = names(text);
    words.retain(|word| word.len() > 1 && !SAYS_LITTLE.contains(word.as_str()));
    words
}

/// The words of both lists, to be looked up: each name of each changed line is.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| KEYWORDS.split_whitespace().collect());
static SAYS_LITTLE: LazyLock<HashSet<&str>> = LazyLock::new(|| VAGUE.split_whitespace().collect());

/// The share of the smaller set of words that the other one has too.
pub fn overlap(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let smaller = one.len().min(other.len());
    if smaller == 0 { 0.0 } else { one.intersection(other).count() as f64 / smaller as f64 }
}

/// The share of the words of both that they have in common.
pub fn agreement(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let all = one.union(other).count();
    if all == 0 { 0.0 } else { one.intersection(other).count() as f64 / all as f64 }
}

/// Conditions as compared: without white space and outer brackets.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let visible = text.chars().filter(|c| !c.is_whitespace());
    plain.extend(visible.map(|c| if c == '"' { '\'' } else { c }));
    plain.truncate(plain.trim_end_matches(';').len());
    let inner = plain.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    match inner.filter(|inner| !inner.contains([')', '('])) {
        Some(inner) => inner.to_owned(),
        None => plain,
    }
}

/// Everything an exit says: what decides it and what it tells.
pub fn said(exit: &Exit) -> HashSet<String> {
    let mut said = names(&exit.condition);
    said.extend(words(&exit.text));
    said
}
