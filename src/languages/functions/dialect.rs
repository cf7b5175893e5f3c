//! What a language tells about itself, so that one walk can read all of them.

use tree_sitter::Node;

use crate::facts::{ExitKind, Stub};
use crate::languages::Source;

/// What a node is to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Other,
    Comment,
    /// A class, an `impl`, a module: its name leads the names inside.
    Scope,
    Function,
    /// A function without a name of its own.
    Closure,
    /// Gives a name to a function in it: `const f = ...`, `f: ...`.
    Naming,
    If,
    /// One case of a `switch` or `match`.
    Case,
    /// What cases are chosen by.
    Match,
    Try,
    Catch,
    /// A block that may swallow errors by what it is entered with: `with suppress(...)`.
    With,
    Throw,
    Return,
    /// Goes on with the next round.
    Continue,
    /// Says that nothing is done.
    Pass,
    Call,
    Macro,
    /// An expression that is a whole statement.
    Statement,
    /// A decorator, an annotation or an attribute.
    Annotation,
    /// `assert x`
    Assert,
    Assign,
    /// `call()?`
    Question,
    Block,
}

pub struct Dialect {
    /// The role of each kind of node that has one.
    pub roles: fn(&str) -> Option<Role>,
    /// The name of a function, scope or naming node.
    pub name: fn(&Source<'_>, Node<'_>) -> String,
    /// The types that a clause catches; none where it takes all.
    pub caught: fn(&Source<'_>, Node<'_>) -> Vec<String>,
    /// Types that stand for every error.
    pub broad: &'static [&'static str],
    /// Calls that do not come back, or hand an error on.
    pub failing: &'static [&'static str],
    /// What it means to return this; `None` for an ordinary value.
    pub returned: fn(&str) -> Option<ExitKind>,
    /// What a condition asks for, if it asks whether something failed.
    pub asks_for_error: fn(&str) -> Option<Asked>,
    /// What a body of one statement amounts to.
    pub stub: fn(&str) -> Option<Stub>,
    /// Whether `_ = call()` drops an error.
    pub discards: bool,
    /// Whether a block's last expression is what it gives back.
    pub blocks_have_values: bool,
}

/// A condition that holds when something failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The variable that holds the error, where there is one.
    pub variable: String,
    /// Whether it holds for every error.
    pub all: bool,
}
