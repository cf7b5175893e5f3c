//! What the rest of the repository says about what a file loses.

/// Found out only where tests, public names or checks go; empty everywhere else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Modules that the file loads and that were not there before the change either, as written.
    pub missing: Vec<String>,
    /// Lost tests whose names the package has a second time.
    pub repeated: Vec<Repeated>,
    /// Lost tests that call what their package does not have.
    pub orphans: Vec<Orphan>,
    /// Files outside of the change that import names which it takes away.
    pub importers: Vec<Importer>,
    /// What files beside it refuse.
    pub refusals: Vec<Refusal>,
}

/// A refusal in a file outside of the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub path: String,
    pub line: u32,
    /// As written.
    pub text: String,
}

/// A test that another file of the package has too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    pub name: String,
    /// The path of the other file.
    pub path: String,
}

/// A test that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    pub name: String,
    /// What it calls.
    pub callee: String,
}

/// An import of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Importer {
    /// The path of the file that imports.
    pub path: String,
    pub line: u32,
    pub name: String,
    /// Where it is taken from, as written.
    pub module: String,
}
