//! What the rest of the repository says about tests that a file loses.

/// Found out only where tests go; empty everywhere else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Modules that the file loads and that were not there before the change either, as written.
    pub missing: Vec<String>,
    /// Lost tests whose names the package has a second time.
    pub repeated: Vec<Repeated>,
}

/// A test that another file of the package has too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    pub name: String,
    /// The path of the other file.
    pub path: String,
}
