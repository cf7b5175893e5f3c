//! What to type instead, where clap alone could only say that it does not know a word.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Adds a tip to the error of a command line, if there is one. `words` are those of the command line.
pub fn add(error: &mut Error, words: &[String]) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::UnknownArgument if words.iter().any(|word| word == "check") => {
            text(ContextKind::InvalidArg).filter(|word| !word.starts_with('-')).map(|word| of_check(&word))
        }
        ErrorKind::InvalidSubcommand => {
            text(ContextKind::InvalidSubcommand).and_then(|word| of_command(&word))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

fn of_check(word: &str) -> String {
    if word.contains("..") && !word.contains("../") {
        return format!("for a range, write `check --range {word}`");
    }
    if std::path::Path::new(word).exists() {
        return "`check` takes no paths: it judges all that is staged, or `--worktree` all that is on disk"
            .to_owned();
    }
    format!("for a commit, write `check --commit {word}`; paths are not taken, all of a change is judged")
}

fn of_command(word: &str) -> Option<String> {
    matches!(word, "rules" | "rule").then(|| "`aiwg-gate explain` lists the rules".to_owned())
}
