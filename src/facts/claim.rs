//! What an assertion claims, and how much its passing says.

/// How much a passing assertion says about its subject, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Holds whatever the code does: `assert True`, `x == x`.
    Tautology,
    Truthy,
    NotNull,
    /// Above or below something.
    Bound,
    /// A type, a length, a set of keys; that some error of a type is raised.
    Shape,
    /// Contains, starts with, matches.
    Pattern,
    /// Equal within a tolerance.
    Approximate,
    Value,
    /// The same object, or equal down to the types of its parts.
    Structure,
}

impl Strength {
    pub fn name(self) -> &'static str {
        match self {
            Self::Tautology => "always true",
            Self::Truthy => "truthy",
            Self::NotNull => "not null",
            Self::Bound => "bound",
            Self::Shape => "type or shape",
            Self::Pattern => "pattern or part",
            Self::Approximate => "approximate value",
            Self::Value => "exact value",
            Self::Structure => "exact structure",
        }
    }
}

/// What kind of thing is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    /// A value is as expected.
    Value,
    /// A call fails; `expected` names the types of error, `pattern` what its message must match.
    Raises,
    /// A double was called.
    Called,
    /// The value equals a stored text.
    Snapshot,
    /// Fails when it is reached; `subject` is the condition around it, where it stands directly in one.
    Failure,
    /// A function that asserts, by its name; what it claims is not known from the call.
    Helper,
}

/// A number that decides how much is let through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// How far off a value may be.
    Tolerance(f64),
    /// How many digits must agree.
    Digits(f64),
    AtLeast(f64),
    AtMost(f64),
}

/// How a claim is held against what it expects, where not by equality.
#[derive(Clone, Debug, PartialEq)]
pub enum Room {
    /// The subject is above it; the bound itself may be fine, too.
    Above { or_equal: bool },
    /// The subject is below it.
    Below { or_equal: bool },
    /// Equal but for so much, as written.
    Within(String),
    /// It has all members of what is expected, whatever else it has.
    Members,
}

impl Room {
    /// What is claimed where the opposite is.
    pub fn opposite(self) -> Self {
        match self {
            Self::Above { or_equal } => Self::Below { or_equal: !or_equal },
            Self::Below { or_equal } => Self::Above { or_equal: !or_equal },
            Self::Within(_) | Self::Members => self,
        }
    }

    /// The limit that a number sets.
    pub fn limit(&self, number: f64) -> Option<Limit> {
        match self {
            Self::Above { .. } => Some(Limit::AtLeast(number)),
            Self::Below { .. } => Some(Limit::AtMost(number)),
            Self::Within(_) => Some(Limit::Tolerance(number)),
            Self::Members => None,
        }
    }
}

/// What one assertion claims, as far as its text tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub kind: ClaimKind,
    pub strength: Strength,
    /// What is looked at, as written, white space collapsed; empty where it cannot be told.
    pub subject: String,
    /// What it is held against, as written.
    pub expected: Option<String>,
    /// What the message of an error must match.
    pub pattern: Option<String>,
    /// Whether the opposite is claimed: not equal, does not contain, does not raise.
    pub negated: bool,
    pub limit: Option<Limit>,
    /// Which way a bound holds, or how far off a value may be, where that can be told.
    pub room: Option<Room>,
    /// Where several things must hold at once, each of them; else nothing.
    pub parts: Vec<Claim>,
}

impl Claim {
    /// Whether it only says that a step on the way did not fail: `require.NoError(t, err)`, `if err != nil { fail }`.
    pub fn is_no_error(&self) -> bool {
        let nothing =
            self.expected.as_deref().is_some_and(|expected| matches!(expected, "nil" | "None" | "null"));
        let raises_nothing = self.kind == ClaimKind::Raises && self.negated;
        raises_nothing || nothing && self.strength <= Strength::Shape
    }

    /// Whether it says much by itself, and not only that the rest can be looked at: `x != nil && x.name == "a"`.
    pub fn is_major(&self) -> bool {
        let nothing = matches!(self.expected.as_deref(), Some("nil" | "None" | "null" | "undefined"));
        self.strength >= Strength::Pattern && !nothing && !self.is_no_error()
    }

    /// A claim of which nothing but its place is known.
    pub fn helper(subject: impl Into<String>) -> Self {
        Self {
            kind: ClaimKind::Helper,
            strength: Strength::Value,
            subject: subject.into(),
            expected: None,
            pattern: None,
            negated: false,
            limit: None,
            room: None,
            parts: Vec::new(),
        }
    }
}

/// Whether an assertion can fail the test where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    #[default]
    Always,
    /// Only on some way through the test: a condition, a loop, a handler.
    Branch,
    /// Its failure is caught and forgotten.
    Swallowed,
    /// In a promise that nobody waits for.
    NotAwaited,
    /// In a function that nobody calls.
    NeverCalled,
    /// After a return, or in a branch that never runs.
    Dead,
}

impl Reach {
    /// Whether its failing can be seen at all.
    pub fn counts(self) -> bool {
        matches!(self, Self::Always | Self::Branch)
    }
}

/// A name that a test gives to a value: `result = parse("a")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub line: u32,
    pub name: String,
    /// As written, white space collapsed.
    pub value: String,
}

/// A stand-in that a test puts in place of real code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Double {
    pub line: u32,
    /// What it replaces, as far as its text tells: `app.mail.send`, `./mailer`, `Mailer.class`; else empty.
    pub target: String,
    /// Whether the real code runs behind it.
    pub passes_through: bool,
}
