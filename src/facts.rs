//! What one side of one file says: its tests, its definitions, its commented-out code.
//!
//! Facts stand in the middle. Language packs produce them and know no rule; detectors compare
//! them and know no language. Nothing here reads files, git or the clock.

mod claim;
mod collection;
mod function;
mod project;
mod source;
mod surroundings;

use crate::similarity::{Body, Words};

pub use claim::{Binding, Claim, ClaimKind, Double, Limit, Reach, Room, Strength};
pub use collection::{Astray, Collection, Named, RunEnd, Takeover};
pub use function::{
    Action, Breadth, Context, Decider, ErrorUse, Exit, ExitKind, Fortune, Function, Handler, HandlerKind,
    Route, Shift, Stub,
};
pub use project::{
    About, Check, CheckClass, Circumstances, Force, Gate, Ground, Mark, ProjectFacts, Setting, SettingValue,
    Trigger, Unreached,
};
pub use source::{
    DeadCondition, Directive, DirectiveKind, Export, Import, Place, Probe, ProbeKind, Remark, Signals,
    SpecialCase, Switch, Todo,
};
pub use surroundings::{Importer, Orphan, Refusal, Repeated, Surroundings};

/// Lines of a file, counted from 1, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// How far a file could be understood. Anything but `Clean` reaches the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Health {
    #[default]
    Clean,
    /// Parsed with errors; facts outside the broken parts still hold.
    Partial,
    /// No language pack knows this file.
    Unsupported,
    TooLarge,
    /// Nested deeper than anybody writes; nothing of it was read.
    TooDeep,
}

/// Everything that is known about one side of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileFacts {
    pub language: &'static str,
    pub health: Health,
    /// A hash of each place that could not be understood, whatever its line, sorted; empty in a clean file.
    pub broken: Vec<u64>,
    pub tests: Vec<Test>,
    pub definitions: Vec<Definition>,
    pub comments: Vec<Comment>,
    /// Names of macros defined here whose expansion holds a test attribute.
    pub test_macros: Vec<String>,
    /// Invocations that are tests if their macro turns out to be a test macro defined elsewhere.
    pub macro_tests: Vec<MacroTest>,
    /// Functions defined here that define tests when another file calls them.
    pub shared_functions: Vec<SharedFunction>,
    /// Calls that define tests here if what they call turns out to be a shared function.
    pub shared_uses: Vec<SharedUse>,
    /// What the code outside tests names: identifiers and strings that are one word.
    pub names: Words,
    /// Every function, tests and their helpers too, in the order in which they start; none where it is packed.
    pub functions: Vec<Function>,
    /// Whether its code is packed more densely than anybody writes, as in a bundle: what its functions do is not told.
    pub packed: bool,
    /// What the rules about production code look at.
    pub signals: Signals,
    /// What it says about the project, where it is a configuration file.
    pub project: Option<Box<ProjectFacts>>,
    /// Calls that the policy asks about; empty where it asks about none.
    pub calls: Vec<Call>,
    /// What the file replaces by stand-ins for all its tests.
    pub doubles: Vec<Double>,
    /// Whether the runner gets to see what is written down.
    pub collection: Collection,
    /// What the repository says about tests and names that this side had and the other has not.
    pub surroundings: Option<Box<Surroundings>>,
}

/// A call of something by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// As written, without white space: `db.execute`.
    pub name: String,
    pub line: u32,
}

/// One test definition: a function, a method, an `it` or `test` call, or a named subtest.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    pub name: String,
    /// Enclosing suites, outermost first: classes, modules, `describe` titles.
    pub suite: Vec<String>,
    pub level: Level,
    /// From the first decorator or attribute to the end of the body.
    pub span: Span,
    /// Where the name stands.
    pub line: u32,
    /// The strongest skip that applies, be it the test's own or a suite's.
    pub skip: Option<Skip>,
    /// Every conditional skip: those in the test itself in the order of lines, then those of suites and file.
    pub conditions: Vec<Skip>,
    /// Parameter rows, where they can be read without running anything.
    pub cases: Option<u32>,
    /// Whether it takes the place of a test that a base class defines, and so is no test in addition.
    pub overrides: bool,
    pub assertions: Vec<Assertion>,
    /// Parameter rows as written, one line each, as many as are kept.
    pub rows: Vec<String>,
    /// What the test gives names to, in the order of lines.
    pub bindings: Vec<Binding>,
    /// What the test replaces by stand-ins.
    pub doubles: Vec<Double>,
    /// The body, without name and decorators.
    pub body: Body,
    /// Every word of the whole test, its name and parameter rows included.
    pub words: Words,
}

impl Test {
    /// Whether the runner surely does not run it.
    pub fn is_skipped(&self) -> bool {
        self.skip.as_ref().is_some_and(|skip| skip.kind.is_certain())
    }

    /// Suites and name joined as in `Suite::name`.
    pub fn qualified_name(&self) -> String {
        let mut parts: Vec<&str> = self.suite.iter().map(String::as_str).collect();
        parts.push(&self.name);
        parts.join("::")
    }
}

/// Whether the runner lists the test by itself, as part of another one, or somewhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Definition,
    /// A named part of a test, such as Go's `t.Run("name", ...)`.
    Subtest,
    /// Written in a shared function that this file does not call: judged here, where a change to it shows, but run
    /// and counted by the runner in the files that call it.
    Template,
    /// What a call of a shared function defines: run and counted here, written elsewhere.
    Shared,
}

impl Level {
    /// Whether one test is but the other, seen from where it is written or called: the two are the same code, so
    /// neither can stand in for the other.
    pub fn is_copy_of(self, other: Self) -> bool {
        matches!((self, other), (Self::Template, Self::Shared) | (Self::Shared, Self::Template))
    }
}

/// A mark or statement that keeps a test from running, or from failing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    pub kind: SkipKind,
    pub scope: Scope,
    pub line: u32,
    /// The mark as written, on one line.
    pub mark: String,
    pub reason: Option<String>,
    /// The condition around it, as written on one line.
    pub under: Option<String>,
}

impl Skip {
    /// The stronger of two skips, the first one on a tie.
    pub fn stronger(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(if one.kind < other.kind { other } else { one }),
            (one, other) => one.or(other),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipKind {
    /// Depends on the platform, a version, a tool, a variable.
    Conditional,
    /// Runs, but is expected to fail.
    ExpectedFailure,
    /// Another test or suite of the file is focused.
    Focus,
    /// The runner does not find it.
    NotCollected,
    Unconditional,
}

impl SkipKind {
    pub fn is_certain(self) -> bool {
        matches!(self, Self::Unconditional | Self::Focus | Self::NotCollected)
    }
}

/// What a skip mark stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    Test,
    Suite,
    File,
}

/// One check inside a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    pub line: u32,
    /// The source, white space collapsed, cut to a readable length.
    pub text: String,
    pub claim: Claim,
    pub reach: Reach,
    /// The condition without which it does not run, as written on one line, where there is no other way around it.
    pub under: Option<String>,
}

/// A named thing that other code, or a test, can refer to.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub name: String,
    pub kind: DefinitionKind,
    pub span: Span,
    /// Whether it stands in a suite, and so serves tests.
    pub in_suite: bool,
    pub assertions: Vec<Assertion>,
    /// What a function of a test file that asserts gives names to, in the order of lines.
    pub bindings: Vec<Binding>,
    /// What a constant is set to, as written on one line.
    pub value: Option<String>,
    pub body: Body,
    /// Every word of it, so that calls can be followed.
    pub words: Words,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    Function,
    Type,
    Constant,
}

/// A run of adjacent comments, at most a blank line between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    pub span: Span,
    pub body: Body,
}

/// A macro invocation that looks like a test; see [`FileFacts::macro_tests`].
#[derive(Clone, Debug, PartialEq)]
pub struct MacroTest {
    pub macro_name: String,
    pub test: Test,
}

/// A function of the module with tests inside, in a file that exports some function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedFunction {
    /// What this file calls it.
    pub name: String,
    /// What other files import it as; empty for one that only others of this file call.
    pub exports: Vec<String>,
    /// The tests and uses it defines are those inside.
    pub span: Span,
    /// Whether this file calls it too, so that its tests run here as well.
    pub runs_here: bool,
}

/// A call, outside of any test, of a function that may define tests; see [`FileFacts::shared_uses`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedUse {
    /// The file that has the function, as the import names it; `None` for the file itself.
    pub module: Option<String>,
    /// What the function is called there, `default` for what a file exports without a name.
    pub function: String,
    pub span: Span,
    /// Suites around the call, outermost first.
    pub suite: Vec<String>,
    /// The strongest skip that the suites and the file put on the call.
    pub skip: Option<Skip>,
}

impl FileFacts {
    /// Facts of a file that no pack looked into.
    pub fn opaque(health: Health) -> Self {
        Self { health, ..Self::default() }
    }

    /// The tests that a runner lists by themselves, here or where they are called.
    pub fn listed_tests(&self) -> impl Iterator<Item = &Test> {
        self.tests.iter().filter(|test| test.level != Level::Subtest)
    }

    /// Turns pending invocations into tests, now that the names of all test macros are known.
    pub fn resolve_macro_tests(&mut self, is_test_macro: impl Fn(&str) -> bool) {
        for pending in std::mem::take(&mut self.macro_tests) {
            if is_test_macro(&pending.macro_name) {
                self.tests.push(pending.test);
            }
        }
        self.tests.sort_by_key(|test| test.span);
    }
}
