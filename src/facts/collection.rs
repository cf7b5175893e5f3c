//! Whether the runner of a file's tests gets to see them, as far as the file itself tells.

/// What keeps a runner from tests that are written down, or from their outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// Why the runner does not look at a file of this name, or not everywhere: `and pytest does not enter build`.
    pub unseen: Option<String>,
    /// Why the runner passes over a file to which tests moved, told by other files of the repository: `and testpaths of
    /// pyproject.toml does not reach it`.
    pub astray: Option<Astray>,
    /// Other files that this one makes a part of the build, by the names of their modules.
    pub parts: Vec<Named>,
    /// Types with tests that can only run through others.
    pub abstract_types: Vec<Named>,
    /// Calls that end the whole run, in the order of lines.
    pub ends: Vec<RunEnd>,
    /// Types with tests that a list of tests to run names.
    pub registered: Vec<Named>,
    /// The line of the first test or suite that is focused, so that others are left out.
    pub focused: Option<u32>,
    /// Functions that decide how the run ends, whatever the tests find.
    pub takeovers: Vec<Takeover>,
}

/// Tests that a runner found where they came from, and does not find here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Astray {
    /// The path of the file from which they came.
    pub from: String,
    /// As the end of a sentence.
    pub why: String,
}

/// A name, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub line: u32,
}

/// A function that the runner hands the run over to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takeover {
    pub function: String,
    /// What it does with the run, as the end of a sentence.
    pub what: &'static str,
    pub line: u32,
}

/// A call that ends the run then and there: `os.Exit(1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunEnd {
    pub line: u32,
    /// Whether it tells that all is well.
    pub well: bool,
}
