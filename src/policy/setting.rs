//! The value of one setting: how it is typed, where it stands in a file, what holds without it.

use super::{
    AcceptWaivers, Equivalence, FeedbackKey, FeedbackSettings, Key, OnMissing, PolicyFile, Profile, ProofKey,
    ProofSettings, RequireAnalysis, RuleAction, folder, glob,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// One of the words that the key allows.
    Word(&'static str),
    Number(u32),
    Flag(bool),
    /// Globs or folders.
    List(Vec<String>),
}

impl Setting {
    /// The value as lines for people: one line, or one for each item of a list.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Word(word) => vec![(*word).to_owned()],
            Self::Number(number) => vec![number.to_string()],
            Self::Flag(flag) => vec![flag.to_string()],
            Self::List(items) => items.clone(),
        }
    }

    /// The value on one line, lists in brackets.
    pub fn text(&self) -> String {
        match self {
            Self::List(items) => serde_json::Value::from(items.as_slice()).to_string(),
            _ => self.lines().join(" "),
        }
    }
}

impl Key {
    /// Reads a value for this key as it is typed: items of lists come with commas between them, or as `["a", "b"]`.
    pub fn read(&self, text: &str) -> Result<Setting, String> {
        match self {
            Self::Profile => text.parse().map(Profile::name).map(Setting::Word),
            Self::Rule(_) => text.parse().map(RuleAction::name).map(Setting::Word),
            Self::Paths(_) => read_list(self, text, |item| glob::compile(item).map(|_| item.to_owned())),
            Self::Proof(ProofKey::OnMissing) => text.parse().map(OnMissing::name).map(Setting::Word),
            Self::Proof(ProofKey::Equivalence) => text.parse().map(Equivalence::name).map(Setting::Word),
            Self::Proof(ProofKey::Link) => read_list(self, text, folder::read_link),
            Self::Feedback(FeedbackKey::MaxAttempts) => read_attempts(text),
            Self::Feedback(FeedbackKey::RequireAnalysis) => {
                text.parse().map(RequireAnalysis::name).map(Setting::Word)
            }
            Self::Feedback(FeedbackKey::AbortOnRegression) => read_flag(text),
            Self::AcceptWaivers => text.parse().map(AcceptWaivers::name).map(Setting::Word),
        }
    }

    /// What a file says for this key.
    pub fn get(&self, file: &PolicyFile) -> Option<Setting> {
        let (proof, feedback) = (&file.proof, &file.feedback);
        match self {
            Self::Profile => file.profile.map(Profile::name).map(Setting::Word),
            Self::Rule(rule) => file.rules.get(rule).map(|action| Setting::Word(action.name())),
            Self::Paths(list) => file.paths.get(list).cloned().map(Setting::List),
            Self::Proof(ProofKey::OnMissing) => proof.on_missing.map(OnMissing::name).map(Setting::Word),
            Self::Proof(ProofKey::Equivalence) => proof.equivalence.map(Equivalence::name).map(Setting::Word),
            Self::Proof(ProofKey::Link) => proof.link.clone().map(Setting::List),
            Self::Feedback(FeedbackKey::MaxAttempts) => feedback.max_attempts.map(Setting::Number),
            Self::Feedback(FeedbackKey::RequireAnalysis) => {
                feedback.require_analysis.map(RequireAnalysis::name).map(Setting::Word)
            }
            Self::Feedback(FeedbackKey::AbortOnRegression) => feedback.abort_on_regression.map(Setting::Flag),
            Self::AcceptWaivers => file.waivers.accept.map(AcceptWaivers::name).map(Setting::Word),
        }
    }

    /// The same file with this key set, or left out. A value of another kind leaves it out too.
    pub fn put(&self, file: &mut PolicyFile, value: Option<Setting>) {
        let word = match &value {
            Some(Setting::Word(word)) => *word,
            _ => "",
        };
        let (proof, feedback) = (&mut file.proof, &mut file.feedback);
        match (self, &value) {
            (Self::Profile, _) => file.profile = word.parse().ok(),
            (Self::Rule(rule), _) => {
                file.rules.remove(rule);
                file.rules.extend(word.parse().ok().map(|action: RuleAction| (rule.clone(), action)));
            }
            (Self::Paths(list), _) => {
                file.paths.remove(list);
                file.paths.extend(items(value).map(|globs| (*list, globs)));
            }
            (Self::Proof(ProofKey::OnMissing), _) => proof.on_missing = word.parse().ok(),
            (Self::Proof(ProofKey::Equivalence), _) => proof.equivalence = word.parse().ok(),
            (Self::Proof(ProofKey::Link), _) => proof.link = items(value),
            (Self::Feedback(FeedbackKey::MaxAttempts), Some(Setting::Number(number))) => {
                feedback.max_attempts = Some(*number);
            }
            (Self::Feedback(FeedbackKey::MaxAttempts), _) => feedback.max_attempts = None,
            (Self::Feedback(FeedbackKey::RequireAnalysis), _) => {
                feedback.require_analysis = word.parse().ok()
            }
            (Self::Feedback(FeedbackKey::AbortOnRegression), Some(Setting::Flag(flag))) => {
                feedback.abort_on_regression = Some(*flag);
            }
            (Self::Feedback(FeedbackKey::AbortOnRegression), _) => feedback.abort_on_regression = None,
            (Self::AcceptWaivers, _) => file.waivers.accept = word.parse().ok(),
        }
    }

    /// What holds where the file does not say it. Rules and some settings follow the profile; `usual` knows the rules.
    pub fn default_value(&self, profile: Profile, usual: impl Fn(&str, Profile) -> RuleAction) -> Setting {
        let (proof, feedback) = (ProofSettings::default(), FeedbackSettings::default());
        match self {
            Self::Profile => Setting::Word(Profile::default().name()),
            Self::Paths(_) => Setting::List(Vec::new()),
            Self::Rule(rule) => Setting::Word(usual(rule, profile).name()),
            Self::Proof(ProofKey::OnMissing) => Setting::Word(proof.on_missing.name()),
            Self::Proof(ProofKey::Equivalence) => Setting::Word(profile.equivalence().name()),
            Self::Proof(ProofKey::Link) => Setting::List(proof.link),
            Self::Feedback(FeedbackKey::MaxAttempts) => Setting::Number(feedback.max_attempts),
            Self::Feedback(FeedbackKey::RequireAnalysis) => Setting::Word(feedback.require_analysis.name()),
            Self::Feedback(FeedbackKey::AbortOnRegression) => Setting::Flag(feedback.abort_on_regression),
            Self::AcceptWaivers => Setting::Word(profile.accept_waivers().name()),
        }
    }
}

fn items(value: Option<Setting>) -> Option<Vec<String>> {
    match value {
        Some(Setting::List(items)) => Some(items),
        _ => None,
    }
}

fn read_attempts(text: &str) -> Result<Setting, String> {
    let (from, to) = FeedbackSettings::ATTEMPTS.into_inner();
    let number = text.parse().ok().filter(|number| FeedbackSettings::ATTEMPTS.contains(number));
    number.map(Setting::Number).ok_or_else(|| format!("`{text}`: write a whole number from {from} to {to}"))
}

fn read_flag(text: &str) -> Result<Setting, String> {
    text.parse().map(Setting::Flag).map_err(|_| format!("`{text}`: write true or false"))
}

fn read_list(key: &Key, text: &str, read: fn(&str) -> Result<String, String>) -> Result<Setting, String> {
    let trimmed = text.trim();
    if trimmed.starts_with('[') && trimmed.ends_with(']') {
        return flow_list(key, trimmed);
    }
    split_at_commas(trimmed).into_iter().map(read).collect::<Result<_, _>>().map(Setting::List)
}

/// A list as it stands in the file, read by the reader of the file.
fn flow_list(key: &Key, list: &str) -> Result<Setting, String> {
    let mut file = String::from("version: 1\n");
    for (depth, name) in key.path().iter().enumerate() {
        file += &format!("{}{name}:{}", "  ".repeat(depth), if depth == 0 { "\n" } else { " " });
    }
    let parsed = PolicyFile::parse(&format!("{file}{list}\n"), &[]);
    let parsed = parsed.map_err(|error| format!("`{list}` is no list for this key: {}", error.message))?;
    key.get(&parsed).ok_or_else(|| format!("`{list}` is no list for this key"))
}

/// Commas between braces belong to a glob.
fn split_at_commas(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
#[path = "setting_tests.rs"]
mod tests;
