//! What shell text refuses: branches that end a script badly, and those of them that only speak from now on.
//!
//! `if ! ./verify; then exit 1; fi` is a check whatever the program is. Where the same question is still asked and its
//! answer no longer ends anything, the check is gone, though every word of it may still be there.

use crate::collections::HashMap;
use crate::project::ProjectLine;
use crate::shell;

/// Blocks nested deeper are no longer told apart.
const MAX_DEPTH: usize = 20;

/// One branch of a question: what is asked, and which of the answers it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    asked: String,
    answer: usize,
}

#[derive(Default)]
struct Branch {
    /// Whether it ends the script badly.
    fails: bool,
    /// Whether it does nothing but speak and go on.
    is_idle: bool,
    line: u32,
}

/// The line of a branch that ended the script badly and only speaks now, and what it answers to.
pub fn given_up(old: &[ProjectLine], new: &[ProjectLine]) -> Option<(u32, String)> {
    let (old, new) = (branches(old), branches(new));
    let failing = |all: &[(Question, Branch)]| {
        let mut counts: HashMap<Question, usize> = HashMap::new();
        for (question, _) in all.iter().filter(|(_, branch)| branch.fails) {
            *counts.entry(question.clone()).or_default() += 1;
        }
        counts
    };
    let (was, is) = (failing(&old), failing(&new));
    let hit = new.iter().find(|(question, branch)| {
        let count = |counts: &HashMap<Question, usize>| counts.get(question).copied().unwrap_or(0);
        branch.is_idle && count(&was) > count(&is)
    })?;
    Some((hit.1.line, hit.0.asked.clone()))
}

/// All branches of the text, those of one line among them.
fn branches(lines: &[ProjectLine]) -> Vec<(Question, Branch)> {
    let mut found = Vec::new();
    let mut open: Vec<(Question, Branch)> = Vec::new();
    for line in lines.iter().filter(|line| !line.code.is_empty()) {
        let code = bare(&line.code);
        let begins = |asked: &str, answer| {
            let question = Question { asked: asked.trim_end_matches([';', ' ']).to_owned(), answer };
            (question, Branch { fails: false, is_idle: true, line: line.number })
        };
        match opening(code) {
            Some(asked) if open.len() < MAX_DEPTH => open.push(begins(asked, 0)),
            _ if code == "else" || code.starts_with("elif ") => {
                let Some((question, branch)) = open.pop() else { continue };
                let next = begins(&question.asked, question.answer + 1);
                found.push((question, branch));
                open.push(next);
            }
            _ if closes(code) => found.extend(open.pop()),
            _ => {
                found.extend(in_one_line(code, line.number));
                if let Some((_, branch)) = open.last_mut() {
                    branch.fails |= fails(code);
                    branch.is_idle &= is_idle(code);
                }
            }
        }
    }
    found
}

/// A line without what a list or the key of a step adds to it.
fn bare(code: &str) -> &str {
    let code = code.trim_start_matches("- ").trim_start();
    code.strip_prefix("run:").map_or(code, str::trim_start)
}

/// What the block that begins here answers to.
fn opening(code: &str) -> Option<&str> {
    let is_whole = code.ends_with("fi") || code.ends_with("fi;");
    let asked = code.strip_prefix("if ").filter(|_| !is_whole);
    let asked = asked.map(|asked| asked.trim_end_matches("then").trim_end());
    asked.or_else(|| code.strip_suffix('{')?.trim_end().strip_suffix("||"))
}

fn closes(code: &str) -> bool {
    matches!(code.split([' ', ';']).next(), Some("fi" | "}"))
}

/// `test -f x || exit 1`, `if ! ./lint; then exit 1; fi`
fn in_one_line(code: &str, line: u32) -> Option<(Question, Branch)> {
    let (asked, answer) = match code.strip_prefix("if ") {
        Some(rest) => {
            let (asked, rest) = rest.split_once("then ")?;
            (asked, rest.trim_end_matches([';', ' ']).strip_suffix("fi")?)
        }
        None => code.rsplit_once("||")?,
    };
    let answer = answer.trim().trim_start_matches(['{', '(']).trim_end_matches(['}', ')', ' ', ';']);
    let question = Question { asked: asked.trim_end_matches([' ', ';']).to_owned(), answer: 0 };
    (!answer.contains("else "))
        .then(|| (question, Branch { fails: fails(answer), is_idle: is_idle(answer), line }))
}

/// Whether a command of the line ends the script badly, or hands on that it should.
fn fails(code: &str) -> bool {
    shell::commands(code).iter().any(|words| match words[0].as_str() {
        "exit" | "return" => words.get(1).is_some_and(|status| status != "0"),
        "false" | "die" | "fail" | "throw" => true,
        _ => false,
    })
}

/// Whether the commands of the line do nothing but speak, wait and go on.
fn is_idle(code: &str) -> bool {
    const IDLE: &[&str] = &[
        "echo",
        "printf",
        "true",
        ":",
        "exit",
        "return",
        "continue",
        "break",
        "warn",
        "log",
        "sleep",
        "Write-Host",
        "Write-Warning",
    ];
    // What is written for other steps may still be asked for.
    let is_kept = code.contains("GITHUB_OUTPUT") || code.contains("GITHUB_ENV");
    let commands = shell::commands(code);
    !is_kept && !fails(code) && commands.iter().all(|words| IDLE.contains(&words[0].as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::code_lines;

    fn told(old: &str, new: &str) -> bool {
        let lines = |text: &str| code_lines("check.sh", text);
        given_up(&lines(old), &lines(new)).is_some()
    }

    #[test]
    fn answers_that_no_longer_end_anything_are_told() {
        for (old, new, expected) in [
            ("if ! a; then\n  exit 1\nfi", "if ! a; then\n  echo bad\nfi", true),
            (
                "if a\nthen\n  echo ok\nelse\n  exit 1\nfi",
                "if a\nthen\n  echo ok\nelse\n  echo bad\nfi",
                true,
            ),
            ("a || exit 1", "a || echo bad", true),
            ("a || { echo bad; exit 1; }", "a || { echo bad; }", true),
            ("a || {\n  echo bad\n  exit 1\n}", "a || {\n  echo bad\n}", true),
            ("if a; then exit 1; fi", "if a; then echo bad; fi", true),
            ("- run: if a; then exit 1; fi", "- run: if a; then exit 0; fi", true),
            ("if a; then\n  exit 1\nfi", "if a; then\n  exit 2\nfi", false),
            ("if a; then\n  exit 1\nfi", "if a; then\n  failed=1\nfi\nexit $failed", false),
            ("if a; then\n  exit 1\nfi", "if b; then\n  echo bad\nfi", false),
            ("if a; then\n  exit 1\nfi", "", false),
            ("if a; then\n  echo bad\nfi", "if a; then\n  echo worse\nfi", false),
            ("if a; then\n  exit 1\nfi", "if a; then\n  echo x >> $GITHUB_OUTPUT\nfi", false),
        ] {
            assert_eq!(told(old, new), expected, "{old} -> {new}");
        }
    }
}
