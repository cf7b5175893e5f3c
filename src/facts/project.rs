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
    /// Whether the clock starts it.
    pub on_schedule: bool,
    /// The events of changes that start it.
    pub triggers: Vec<Trigger>,
    /// What files outside of the change still check; filled in where something here is gone.
    pub elsewhere: Vec<Check>,
    /// What scripts outside of the change hold, be they called by anything or not; filled in with the above.
    pub scripts_elsewhere: Vec<Check>,
    /// What the scripts and targets outside of the change run that a pipeline called; filled in with the above.
    pub called: Vec<Check>,
    /// Signatures of what workflows outside of the change run on pull requests; filled in with the above.
    pub on_pulls_elsewhere: Vec<String>,
    /// Patterns of what is left out that name nothing in the repository; looked up where such a pattern is new.
    pub of_nothing: Vec<String>,
    /// What lists of tests no longer reach, though it is still there; looked up where such a list is another one.
    pub unreached: Vec<Unreached>,
}

/// Test files that are there on both sides, and that a list of what is run reached only before the change, or that a
/// pattern of attributes hides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The key of the list, or the pattern.
    pub key: String,
    /// How many: none where the other list reaches all that was.
    pub files: usize,
    /// The first of them.
    pub first: Option<String>,
}

/// An event that starts a workflow, with what it is limited to; each pattern with its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trigger {
    pub event: String,
    pub line: u32,
    pub branches: Vec<(String, u32)>,
    pub branches_ignored: Vec<(String, u32)>,
    pub paths: Vec<(String, u32)>,
    pub paths_ignored: Vec<(String, u32)>,
    pub tags: Vec<(String, u32)>,
    pub types: Vec<(String, u32)>,
}

impl Trigger {
    /// Whether new commits are what it waits for: a push of tags alone is no change, nor is a label.
    pub fn is_of_changes(&self) -> bool {
        let only_tags = !self.tags.is_empty() && self.branches.is_empty() && self.branches_ignored.is_empty();
        let opens = |kind: &(String, u32)| matches!(kind.0.as_str(), "opened" | "synchronize" | "reopened");
        match self.event.as_str() {
            "push" => !only_tags,
            "pull_request" | "pull_request_target" => self.types.is_empty() || self.types.iter().any(opens),
            _ => true,
        }
    }

    /// Whether it judges what is asked to be merged.
    pub fn is_of_pulls(&self) -> bool {
        self.event != "push" && self.is_of_changes()
    }
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
    /// This gate itself, without which nobody hears of the rest.
    Gate,
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
    /// As written, on one line; what is no shell, such as an expression of a build server, is one word.
    pub text: String,
    /// The same with what stands there, where that is something else.
    pub shown: Option<String>,
    pub line: u32,
    pub force: Force,
    /// Options that make it pass, such as `--passWithNoTests`.
    pub bypasses: Vec<String>,
    /// What its options leave out, demand, or select.
    pub settings: Vec<Setting>,
    pub around: Circumstances,
}

/// What a pipeline says about where and when one of its checks runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Circumstances {
    /// The system it runs on, where that is told and is not the usual one.
    pub system: Option<&'static str>,
    /// The condition of its step, or else of its job.
    pub condition: Option<Mark>,
    /// What it is given that others may not be: variables, services, an image.
    pub given: Vec<String>,
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
    /// On some systems, versions or settings it does not run at all.
    Somewhere(Mark),
    /// Depends on what only a run can tell.
    Unknown(Mark),
    /// It runs by hand, on a schedule or on tags, but on no change.
    Rarely(Mark),
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
    /// What checkers of any kind are told, by the words of their keys.
    Checkers,
    /// What compilers and type checkers insist on.
    Types,
    /// Known vulnerabilities that are passed over.
    Audit,
    /// Git hooks.
    Hooks,
    /// Whether a script stops at the first command that fails.
    Shell,
    /// Uploads of reports.
    Reports,
    /// Versions and systems on which a failure is let pass, and what a job or a script goes through.
    Rows,
    /// Jobs as a whole.
    Jobs,
    /// What a package offers to those who use it.
    Offers,
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
    /// Something that counts only because it is written there, such as warnings that are errors.
    Insists(String),
}

/// A job that only passes on what others found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    pub name: String,
    pub line: u32,
    pub needs: Vec<String>,
    /// Whether it hands the result to others; then what it waits for through others is listed, too.
    pub ships: bool,
}

impl Check {
    pub fn blocks(&self) -> bool {
        self.force == Force::Blocks
    }
}
