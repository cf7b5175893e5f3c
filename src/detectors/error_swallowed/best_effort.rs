//! Why errors may be ignored at some places: what is tried there need not work out.
//!
//! Part of the rule about swallowed errors.

use crate::detectors::functions::{Changed, words};
use crate::facts::Handler;

/// Why errors may be ignored here.
pub fn excuse(change: &Changed<'_>, handler: &Handler) -> Option<String> {
    let bytes = change.side.text.get(handler.protected.clone()).unwrap_or_default();
    let protected = String::from_utf8_lossy(bytes);
    if protected.contains("import ") || protected.contains("require(") || protected.contains("import(") {
        return Some("it is a fallback for something that may not be installed".to_owned());
    }
    let said = words(&protected);
    // What a text says, or what is only named, cleans nothing.
    let lower = protected.to_lowercase();
    let calls = |word: &str| lower.contains(&format!("{word}(")) || lower.contains(&format!("{word} "));
    let cleans = [
        "close",
        "unlink",
        "unlinksync",
        "remove",
        "cleanup",
        "kill",
        "terminate",
        "dispose",
        "rmtree",
        "rm",
        "shutdown",
        "destroy",
        "delete",
        "release",
        "disconnect",
        "rmsync",
        "flush",
        "abort",
        "cancel",
    ];
    let at_end = is_at_end(change);
    if at_end || (said.len() <= 6 && cleans.iter().any(|word| said.contains(*word) && calls(word))) {
        return Some("it is clean-up, where there is nobody to tell".to_owned());
    }
    if change.new.name.is_empty() {
        return None;
    }
    let whole = words(&change.new_text());
    let retries = ["retry", "retries", "attempt", "attempts", "max_retries", "maxretries"];
    let tries = retries.iter().any(|word| whole.contains(*word)) || counts_rounds(change);
    tries.then(|| "the function tries again".to_owned())
}

/// Whether what may fail is done so many times at most, in rounds that are new.
fn counts_rounds(change: &Changed<'_>) -> bool {
    const ROUNDS: &[&str] =
        &["range(", "for (let i", "for (int i", "for (var i", "for i :=", "in 0..", "in 1..="];
    let (old, new) = (change.old_text(), change.new_text());
    ROUNDS.iter().any(|round| new.matches(round).count() > old.matches(round).count())
}

/// Whether a function is there to end something, by its name.
fn is_at_end(change: &Changed<'_>) -> bool {
    let name = change.new.short_name().to_lowercase();
    let ends = [
        "close",
        "dispose",
        "disconnect",
        "destroy",
        "teardown",
        "tear_down",
        "cleanup",
        "clean_up",
        "shutdown",
        "unmount",
    ];
    ends.iter().any(|word| name.contains(word)) || name == "__del__" || name == "drop"
}

/// Whether what is tried ends something that may be left half done: what is closed may still have to be written, and
/// what is held may have to be let go. To remove a file, or to end another process, is no such thing.
pub fn ends_something(change: &Changed<'_>, handler: &Handler) -> bool {
    let bytes = change.side.text.get(handler.protected.clone()).unwrap_or_default();
    let protected = String::from_utf8_lossy(bytes).to_lowercase();
    let calls = |words: &[&str]| words.iter().any(|word| protected.contains(&format!("{word}(")));
    let removes =
        ["unlink", "unlinksync", "remove", "rmtree", "rm", "rmsync", "kill", "terminate", "delete", "import"];
    let ends = ["close", "cancel", "release", "flush", "disconnect", "shutdown", "commit", "rollback", "end"];
    let fallback = protected.contains("import ") || protected.contains("require(");
    let gone = matches!(change.new.short_name(), "__del__" | "drop");
    let lines = change.side.lines(handler.span);
    // Whoever says why has thought of it.
    let explained = lines.into_iter().any(|line| ["//", "#", "/*"].iter().any(|mark| line.contains(mark)));
    !fallback
        && !gone
        && !explained
        && !calls(&removes)
        && (calls(&ends) || change.new.short_name() == "__exit__")
}
