//! What a `cfg` predicate comes to in a test build.

use super::attributes::{Meta, pieces};

/// Deeper predicates are taken to depend on the build.
const MAX_DEPTH: u8 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    Always,
    /// On the platform, a feature, a flag.
    Depends,
    Never,
}

impl Truth {
    pub fn of(predicate: &str) -> Self {
        Self::at_depth(predicate, 0)
    }

    fn at_depth(predicate: &str, depth: u8) -> Self {
        if depth > MAX_DEPTH {
            return Self::Depends;
        }
        let meta = Meta::parse(predicate);
        let parts = || pieces(meta.arguments).into_iter().map(move |piece| Self::at_depth(piece, depth + 1));
        match meta.path {
            "all" => parts().fold(Self::Always, Self::and),
            "any" => parts().fold(Self::Never, |any, part| any.negated().and(part.negated()).negated()),
            "not" => parts().next().unwrap_or(Self::Depends).negated(),
            "test" | "true" => Self::Always,
            // Names that no build sets, written to keep code out.
            "FALSE" | "false" | "never" | "NEVER" | "disabled" => Self::Never,
            _ => Self::Depends,
        }
    }

    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Always, Self::Always) => Self::Always,
            _ => Self::Depends,
        }
    }

    fn negated(self) -> Self {
        match self {
            Self::Always => Self::Never,
            Self::Depends => Self::Depends,
            Self::Never => Self::Always,
        }
    }
}
