//! What a file about the project itself says: which checks run, what they leave out, what they demand.
//!
//! Workflows, scripts, runner and coverage settings all come down to these few shapes, so that rules need to know
//! no format.

/// Everything that is known about one configuration file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectFacts {
    pub ground: Ground,
    /// Commands that fail when something is wrong with the code.
    pub checks: Vec<Check>,
    /// The same in comments, where nothing runs them.
    pub commented: Vec<Check>,
    pub settings: Vec<Setting>,
    /// Jobs that stand for others: they pass only when those do.
    pub gates: Vec<Gate>,
    /// All jobs, so that one that left can be told from one that is no longer needed.
    pub jobs: Vec<String>,
    /// Whether pushes and pull requests start it, where the file says what does.
    pub on_changes: Option<bool>,
    /// What files outside of the change still check; filled in where something here is gone.
    pub elsewhere: Vec<Check>,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ground {
    /// A workflow or pipeline of a build server.
    Pipeline,
    /// Scripts that people and pipelines call: package scripts, make targets, shell files.
    #[default]
    Scripts,
    /// How tests are found and run, and what is measured.
    Runner,
    /// What git runs before a commit or push.
    Hooks,
    Attributes,
    /// The policy of this gate, which is compared as a policy.
    Policy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckClass {
    Test,
    Lint,
    Types,
    /// Compatibility, licences, known vulnerabilities.
    Audit,
    Coverage,
    /// Layout, spelling, text.
    Format,
    Build,
}

/// One command that checks something.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    pub class: CheckClass,
    /// The tool and what it is told to do, without the options: `cargo test`, `run lint`.
    pub signature: String,
    /// The job, target or script, and the step where it has a name.
    pub place: String,
    /// As written, on one line.
    pub text: String,
    pub line: u32,
    pub force: Force,
    /// Options that make it pass, such as `--passWithNoTests`.
    pub bypasses: Vec<String>,
    /// What its options leave out, demand, or select.
    pub settings: Vec<Setting>,
}

/// Whether a failure of a check stops anything.
#[derive(Clone, Debug, PartialEq)]
pub enum Force {
    Blocks,
    /// In some rows of its matrix it does, in others not.
    Partly {
        blocking: Vec<String>,
        lenient: Vec<String>,
        mark: Mark,
    },
    /// Depends on what only a run can tell.
    Unknown(Mark),
    /// It runs, and nobody minds how it ends.
    Ignored(Mark),
    /// It does not run.
    Off(Mark),
}

/// What makes a check lose its force, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub text: String,
    pub line: u32,
}

/// What a setting is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// Which tests run, and whether they can fail.
    Tests,
    Coverage,
    /// Lines that the measuring leaves out by their text.
    CoverageLines,
    /// What linters look at.
    Lint,
    /// Git hooks.
    Hooks,
    /// Uploads of reports.
    Reports,
    /// Versions and systems on which a failure is let pass.
    Rows,
    /// What tools that compare changes show.
    Attributes,
}

/// One setting that decides what is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub about: About,
    /// The name of the setting, the same on both sides: `tool.coverage.report.fail_under`.
    pub key: String,
    pub line: u32,
    pub value: SettingValue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// One pattern of what is left out.
    LeavesOut(String),
    /// One pattern of what is looked at.
    Selects(String),
    /// The least that is enough.
    Demands(f64),
    /// A switch, and whether it stands on the loose side.
    Loose(bool),
}

/// A job that only passes on what others found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    pub name: String,
    pub line: u32,
    pub needs: Vec<String>,
}

impl Check {
    pub fn blocks(&self) -> bool {
        self.force == Force::Blocks
    }
}
