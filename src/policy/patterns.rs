//! Rules that a policy adds without code: what to look for, where, and how bad it is. Plain data.

use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

use super::{choice, glob};
use crate::finding::{FindingType, RuleId, Severity};

/// Longer names are a mistake.
const MAX_NAME: usize = 60;
const MAX_MESSAGE: usize = 300;
const MAX_GLOB: usize = 200;

/// One rule of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub name: String,
    pub kind: FindingType,
    pub severity: Severity,
    /// What to tell people, in one sentence.
    pub message: String,
    /// Globs from the root of the repository; empty for every file.
    pub paths: Vec<String>,
    pub when: When,
    pub what: What,
}

/// Which side of the change it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    #[default]
    Added,
    Removed,
}

impl When {
    pub const ALL: [Self; 2] = [Self::Added, Self::Removed];

    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "time to look", &Self::ALL, Self::name)
    }
}

/// What is added or removed; the texts are globs over names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A call of such a function.
    Call(String),
    /// A function, type, constant or test of such a name.
    Symbol(String),
    /// A file at one of the paths.
    File,
}

impl Pattern {
    pub fn id(&self) -> RuleId {
        RuleId {
            name: self.name.clone().into(),
            pattern_id: format!("PX-{}", self.name).into(),
            kind: self.kind,
        }
    }

    /// The paths it is about. A glob that does not compile was refused when the policy was read.
    pub fn path_set(&self) -> GlobSet {
        let mut set = GlobSetBuilder::new();
        for glob in self.paths.iter().filter_map(|text| glob::compile(text).ok()) {
            set.add(glob);
        }
        set.build().unwrap_or_default()
    }

    /// The names it is about; `None` where it is about files.
    pub fn names(&self) -> Option<GlobMatcher> {
        match &self.what {
            What::Call(text) | What::Symbol(text) => compile(text).ok(),
            What::File => None,
        }
    }

    /// What it looks for, on one line: `call of execute_raw, added`.
    pub fn summary(&self) -> String {
        let what = match &self.what {
            What::Call(name) => format!("call of {name}"),
            What::Symbol(name) => format!("definition of {name}"),
            What::File => format!("file at {}", self.paths.join(", ")),
        };
        format!("{what}, {}", self.when.name())
    }

    /// The user documentation, for `explain`.
    pub fn documentation(&self) -> String {
        let paths = match self.what {
            What::File => String::new(),
            _ if self.paths.is_empty() => "In every file.\n\n".to_owned(),
            _ => format!("In: {}\n\n", self.paths.join(", ")),
        };
        format!(
            "# {} (PX-{})\n\n{}\n\nLooks for: {}.\n\n{paths}Severity: {}. Type: {}.\n\nA rule of this repository: it \
             stands under `patterns` in {}. `rules.{}` in the same file decides what is done about it.\n",
            self.name,
            self.name,
            self.message,
            self.summary(),
            self.severity.name(),
            self.kind.name(),
            super::FILE_NAME,
            self.name
        )
    }
}

/// A glob over names, ready to match; `*` stands for anything.
fn compile(text: &str) -> Result<GlobMatcher, String> {
    if text.len() > MAX_GLOB || text.chars().any(char::is_control) {
        return Err(format!("a pattern of names is one line of at most {MAX_GLOB} bytes"));
    }
    let built = GlobBuilder::new(text).literal_separator(false).backslash_escape(true).build();
    let built = built
        .map_err(|error| format!("`{text}` is not a glob: {}; write one such as \"*_raw\"", error.kind()));
    built.map(|glob| glob.compile_matcher())
}

pub fn read_names(text: &str) -> Result<String, String> {
    compile(text).map(|_| text.to_owned())
}

pub fn read_kind(text: &str) -> Result<FindingType, String> {
    choice::read(text, "type of finding", &FindingType::ALL, FindingType::name)
}

pub fn read_severity(text: &str) -> Result<Severity, String> {
    choice::read(text, "severity", &Severity::ALL, Severity::name)
}

pub fn read_message(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || text.chars().any(char::is_control) || text.chars().count() > MAX_MESSAGE {
        return Err(format!("a message is one line of at most {MAX_MESSAGE} characters"));
    }
    Ok(text.trim().to_owned())
}

pub fn read_name(text: &str) -> Result<String, String> {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    if text.len() > MAX_NAME
        || !text.split('-').all(is_part)
        || text.starts_with(|c: char| c.is_ascii_digit())
    {
        let shown: String = text.chars().take(MAX_NAME).collect();
        return Err(format!(
            "`{shown}` is no name for a rule: write small letters, digits and single dashes, as in `no-raw-sql`"
        ));
    }
    Ok(text.to_owned())
}
