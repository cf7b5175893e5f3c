//! What stands in the source beside tests: switches, marks for tools, probes for the test run, public names.

use super::Span;

/// Everything that the rules about production code read off one side of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Every comment, in the order of the file.
    pub remarks: Vec<Remark>,
    pub directives: Vec<Directive>,
    pub todos: Vec<Todo>,
    pub switches: Vec<Switch>,
    pub dead: Vec<DeadCondition>,
    pub probes: Vec<Probe>,
    pub cases: Vec<SpecialCase>,
    pub exports: Vec<Export>,
    pub imports: Vec<Import>,
    /// Code that is built for tests only, such as a module under `#[cfg(test)]`.
    pub test_code: Vec<Span>,
}

/// The bytes of one comment, or of a string that serves as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    pub start: u32,
    pub end: u32,
    /// Written for a documentation tool: its code is an example.
    pub documents: bool,
}

/// A mark that tells a tool to look away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    pub kind: DirectiveKind,
    /// The mark as it is known: `eslint-disable-next-line`, `# type: ignore`.
    pub mark: String,
    pub line: u32,
    /// Where it stands in the file, so that what it stands on can be told apart.
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DirectiveKind {
    /// A linter or type checker is told to keep quiet.
    Suppression,
    /// The coverage tool is told not to count.
    Coverage,
}

/// A comment that says something is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo {
    pub line: u32,
    /// White space collapsed, cut to a readable length.
    pub text: String,
}

/// A named place that is set to true or false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub name: String,
    /// Functions, types and keys around it, outermost first, joined by dots.
    pub scope: String,
    pub on: bool,
    pub line: u32,
    pub place: Place,
}

/// What kind of thing a switch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A key of an object, a field of a literal, a named argument, a key of a configuration file.
    Option,
    /// The default of a parameter.
    Default,
    /// A constant or a field with its first value.
    Constant,
    /// The only argument of a call.
    Call,
    /// A variable of a function: state, no setting.
    Variable,
}

/// A condition that holds never, or always, by a literal in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadCondition {
    pub scope: String,
    pub line: u32,
    pub text: String,
}

/// Code that finds out whether a test, or a build server, runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub kind: ProbeKind,
    pub scope: String,
    pub line: u32,
    /// What is asked for: `NODE_ENV`, `cfg!(test)`, `test@example.com`.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProbeKind {
    /// The test run itself.
    TestRun,
    /// A value that only tests use.
    TestValue,
    BuildServer,
}

/// An input compared with a literal, and a literal given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialCase {
    pub scope: String,
    pub line: u32,
    pub input: String,
    pub result: String,
}

/// A name that other files can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    pub name: String,
    /// The types around it, outermost first.
    pub owner: String,
    pub line: u32,
}

/// A name taken from another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub name: String,
    /// Where it is taken from, as written.
    pub module: String,
    pub line: u32,
}
