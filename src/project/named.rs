//! Steps and jobs of a pipeline that check something by their name alone: nobody knows the program they run.

use super::document::Entry;
use super::marks::force_of;
use super::pipeline::Tree;
use super::words::{class_of_name, words_of};
use crate::facts::{Check, CheckClass, Circumstances, Force, Mark};
use crate::shell;
use crate::text::{clipped, one_line};

/// What the signatures of such checks start with. They say nothing about what runs, only where.
const PREFIX: &str = "named ";

/// First words of names that speak of what comes before or after a check.
const AROUND: &[&str] = &[
    "set",
    "setup",
    "install",
    "prepare",
    "create",
    "start",
    "stop",
    "wait",
    "download",
    "upload",
    "cache",
    "build",
    "collect",
    "show",
    "print",
    "publish",
    "configure",
    "get",
    "determine",
    "generate",
    "pull",
    "push",
    "checkout",
    "archive",
    "save",
    "post",
    "comment",
    "notify",
    "kill",
    "clean",
    "enable",
    "add",
    "list",
    "find",
    "fetch",
    "restore",
    "store",
    "login",
    "log",
    "copy",
    "compute",
    "define",
    "select",
    "report",
    "merge",
    "free",
    "remove",
    "display",
    "dump",
    "tear",
    "pre",
    "resolve",
    "deploy",
    "release",
    "tag",
    "summarize",
    "annotate",
];

/// First words of names that can only be those of checks, whatever comes behind them.
const VERBS: &[&str] = &["check", "verify", "validate", "ensure", "assert", "lint", "audit", "scan"];

/// Words behind them that speak of a question, whose answer others ask for.
const QUESTIONS: &[&str] = &[
    "out",
    "for",
    "if",
    "whether",
    "which",
    "what",
    "changed",
    "changes",
    "diff",
    "cache",
    "disk",
    "status",
    "space",
    "version",
    "versions",
    "changeset",
    "skip",
    "environment",
    "memory",
    "should",
    "user",
    "label",
    "labels",
    "permission",
    "permissions",
    "membership",
    "existing",
    "exists",
    "available",
    "latest",
];

/// What a step that answers a question for others writes to.
const ANSWERS: &[&str] = &[
    "GITHUB_OUTPUT",
    "GITHUB_ENV",
    "GITHUB_STEP_SUMMARY",
    "set-output",
    "setOutput",
    "setvariable",
    "core.notice",
    "--version",
    "paths-filter",
    "changed-files",
];

/// Whether a step only tells something, to people or to later steps.
pub fn only_tells(lines: &[String]) -> bool {
    lines.iter().any(|line| ANSWERS.iter().any(|answer| line.contains(answer)))
}

/// Whether the first word of a name says that something is checked, or that something is run.
pub fn says_first(name: &str) -> bool {
    let words = words_of(name);
    let is_verb =
        |word: &String| VERBS.contains(&word.as_str()) || matches!(word.as_str(), "run" | "execute");
    // `cargo check all crates`: the tool comes first.
    let tools = ["cargo", "go", "npm", "yarn", "pnpm", "mvn", "gradle", "make", "python", "uv", "deno"];
    let is_tool = |word: &&String| tools.contains(&word.as_str());
    let first = words.iter().find(|word| !is_tool(word));
    first.is_some_and(|first| is_verb(first) || class_of_name(first).is_some())
}

/// Whether only the name of a check tells that it is one.
pub fn is_named(check: &Check) -> bool {
    check.signature.starts_with(PREFIX)
}

/// A step whose commands are all unknown, but whose name says that it checks.
pub fn of_step(tree: &Tree<'_>, entry: &Entry, place: &str) -> Option<Check> {
    let (_, step) = entry.path.split_last()?;
    let name = ["name", "displayName"].iter().find_map(|key| tree.value(step, key))?;
    let class = class_of(name)?;
    let idle = || idle(entry).filter(|_| entry.name() != "uses");
    let force = idle().or_else(|| force_of(tree, entry)).unwrap_or(Force::Blocks);
    Some(check(class, place, name, entry.line, force))
}

/// Jobs of which no step is known to check, but whose name says that they do.
pub fn of_jobs(tree: &Tree<'_>, known: &[Check]) -> Vec<Check> {
    let jobs = ["jobs".to_owned()];
    let named = tree.children(&jobs).filter_map(|job| {
        let is_known = |check: &Check| check.place.split('/').next() == Some(job.name());
        if known.iter().any(is_known) {
            return None;
        }
        let title = tree.value(&job.path, "name").unwrap_or_default();
        let class = class_of(job.name()).or_else(|| class_of(title))?;
        let force = tree.mark_at(&job.path).unwrap_or(Force::Blocks);
        Some(check(class, job.name(), job.name(), job.line, force))
    });
    named.collect()
}

fn check(class: CheckClass, place: &str, name: &str, line: u32, force: Force) -> Check {
    Check {
        class,
        signature: format!("{PREFIX}{place}"),
        place: place.to_owned(),
        text: one_line(name),
        line,
        force,
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    }
}

fn class_of(name: &str) -> Option<CheckClass> {
    let words = words_of(name);
    let first = words.iter().find(|word| !word.is_empty())?;
    if AROUND.contains(&first.as_str()) || name.contains("${{") && words.len() < 2 {
        return None;
    }
    let asks = words.iter().any(|word| QUESTIONS.contains(&word.as_str()));
    let by_verb =
        || (VERBS.contains(&first.as_str()) && words.len() > 1 && !asks).then_some(CheckClass::Lint);
    let by_name = class_of_name(name).filter(|class| {
        matches!(class, CheckClass::Test | CheckClass::Lint | CheckClass::Types | CheckClass::Audit)
    });
    by_name.or_else(by_verb)
}

/// A step that does nothing but speak.
fn idle(entry: &Entry) -> Option<Force> {
    let commands: Vec<Vec<String>> = entry.value.lines().flat_map(shell::commands).collect();
    let mut said = commands.iter().filter(|words| !words.is_empty()).peekable();
    let first = said.peek()?.join(" ");
    let speaks = |words: &Vec<String>| matches!(words[0].as_str(), "echo" | "true" | ":" | "printf");
    let mark = Mark { text: clipped(&one_line(&first), 120), line: entry.line };
    said.all(speaks).then_some(Force::Off(mark))
}
