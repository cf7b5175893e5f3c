//! The answers that pairing gives.

use crate::comparison::At;
use crate::facts::Span;

/// What became of one test of the before side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is still there.
    Same {
        after: At,
        how: How,
    },
    /// Its content went into another test: a parameter table, a loop, a larger test.
    Merged {
        into: At,
    },
    /// Its content went into several new tests.
    Split {
        into: Vec<At>,
    },
    /// Another test, kept by the change, says the same.
    Duplicate {
        twin: At,
    },
    /// Its code lives on as a function that the runner does not run.
    Uncollected {
        file: usize,
        name: String,
        span: Span,
    },
    CommentedOut {
        file: usize,
        span: Span,
    },
    /// The file can no longer be read where it stood.
    Obscured,
    Removed,
}

/// How a test that is still there was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Kept,
    /// In another file or suite, under the same name.
    Moved,
    Renamed,
}

#[derive(Debug, Default)]
pub struct Pairing {
    /// Each test of the before side, in the order of files and lines.
    pub fates: Vec<(At, Fate)>,
    /// Tests of the after side that continue none of the before side.
    pub added: Vec<At>,
}
