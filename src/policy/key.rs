//! The names of single settings, as `config` takes them: `profile`, `rules.<rule>`, `paths.<list>`.

use std::fmt;

use super::{PolicyFile, Profile, RuleAction, glob, suggest};

/// The lists of globs in a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathList {
    Tests,
    Documentation,
    Ignored,
    Vendored,
}

impl PathList {
    pub const ALL: [Self; 4] = [Self::Tests, Self::Documentation, Self::Ignored, Self::Vendored];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Documentation => "documentation",
            Self::Ignored => "ignored",
            Self::Vendored => "vendored",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Profile,
    Paths(PathList),
    Rule(String),
}

/// The value of one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    Profile(Profile),
    Action(RuleAction),
    Globs(Vec<String>),
}

impl Key {
    /// Every key there is, in the order in which people read them.
    pub fn all(known_rules: &[&str]) -> Vec<Self> {
        let paths = PathList::ALL.map(Self::Paths);
        let rules = known_rules.iter().map(|rule| Self::Rule((*rule).to_owned()));
        std::iter::once(Self::Profile).chain(paths).chain(rules).collect()
    }

    /// Reads a key as it is typed.
    pub fn parse(text: &str, known_rules: &[&str]) -> Result<Self, String> {
        let keys = Self::all(known_rules);
        let names: Vec<String> = keys.iter().map(Self::to_string).collect();
        if let Some(at) = names.iter().position(|name| name == text) {
            return Ok(keys[at].clone());
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(match suggest::nearest(text, &names) {
            Some(meant) => format!("unknown key `{text}`: did you mean `{meant}`?"),
            None => format!("unknown key `{text}`: `aiwg-gate config list` shows all keys"),
        })
    }

    /// The names on the way from the root of the file to the value.
    pub fn path(&self) -> Vec<&str> {
        match self {
            Self::Profile => vec!["profile"],
            Self::Paths(list) => vec!["paths", list.name()],
            Self::Rule(rule) => vec!["rules", rule],
        }
    }

    pub fn is_list(&self) -> bool {
        matches!(self, Self::Paths(_))
    }

    /// Reads a value for this key as it is typed: globs come with commas between them, or as `["a", "b"]`.
    pub fn read(&self, text: &str) -> Result<Setting, String> {
        match self {
            Self::Profile => text.parse().map(Setting::Profile),
            Self::Rule(_) => text.parse().map(Setting::Action),
            Self::Paths(_) => read_globs(text).map(Setting::Globs),
        }
    }

    /// What a file says for this key.
    pub fn get(&self, file: &PolicyFile) -> Option<Setting> {
        match self {
            Self::Profile => file.profile.map(Setting::Profile),
            Self::Rule(rule) => file.rules.get(rule).copied().map(Setting::Action),
            Self::Paths(list) => file.paths.get(list).cloned().map(Setting::Globs),
        }
    }

    /// The same file with this key set, or left out. A value of another kind changes nothing.
    pub fn put(&self, file: &mut PolicyFile, value: Option<Setting>) {
        match (self, value) {
            (Self::Profile, None) => file.profile = None,
            (Self::Profile, Some(Setting::Profile(profile))) => file.profile = Some(profile),
            (Self::Rule(rule), None) => drop(file.rules.remove(rule)),
            (Self::Rule(rule), Some(Setting::Action(action))) => {
                file.rules.insert(rule.clone(), action);
            }
            (Self::Paths(list), None) => drop(file.paths.remove(list)),
            (Self::Paths(list), Some(Setting::Globs(globs))) => {
                file.paths.insert(*list, globs);
            }
            _ => {}
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path().join("."))
    }
}

impl Setting {
    /// The value as lines for people: one line, or one for each glob.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Profile(profile) => vec![profile.name().to_owned()],
            Self::Action(action) => vec![action.name().to_owned()],
            Self::Globs(globs) => globs.clone(),
        }
    }
}

fn read_globs(text: &str) -> Result<Vec<String>, String> {
    let trimmed = text.trim();
    let globs = if trimmed.starts_with('[') && trimmed.ends_with(']') {
        flow_list(trimmed)?
    } else {
        split_at_commas(trimmed)
    };
    for pattern in &globs {
        glob::compile(pattern)?;
    }
    Ok(globs)
}

/// A list as it stands in the file, read by the reader of the file.
fn flow_list(list: &str) -> Result<Vec<String>, String> {
    let file = format!("version: 1\npaths:\n  tests: {list}\n");
    let parsed = PolicyFile::parse(&file, &[]);
    let mut parsed = parsed.map_err(|error| format!("`{list}` is not a list of globs: {}", error.message))?;
    parsed.paths.remove(&PathList::Tests).ok_or_else(|| format!("`{list}` is not a list of globs"))
}

/// Commas between braces belong to the glob.
fn split_at_commas(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[&str] = &["test-removed", "test-skipped"];

    #[test]
    fn keys_read_back() {
        for key in Key::all(RULES) {
            assert_eq!(Key::parse(&key.to_string(), RULES), Ok(key));
        }
    }

    #[test]
    fn unknown_keys_are_explained() {
        assert!(Key::parse("rules.test-skiped", RULES).unwrap_err().contains("`rules.test-skipped`"));
        assert!(Key::parse("suites", RULES).unwrap_err().contains("config list"));
    }

    #[test]
    fn globs_come_in_two_notations() {
        let globs = |text: &str| Key::Paths(PathList::Tests).read(text);
        let two = Ok(Setting::Globs(vec!["a/**".into(), "*.{js,ts}".into()]));
        assert_eq!(globs("a/**, *.{js,ts}"), two);
        assert_eq!(globs(r#"["a/**", '*.{js,ts}']"#), two);
        assert_eq!(globs("[]"), Ok(Setting::Globs(vec![])));
        assert_eq!(globs("[a-z].py"), Ok(Setting::Globs(vec!["[a-z].py".into()])));
        assert!(globs("[*.py]").unwrap_err().contains("quotes"));
        assert!(globs("!a").unwrap_err().contains("negated"));
    }
}
