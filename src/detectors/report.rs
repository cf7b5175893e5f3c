//! How rules put a finding together, so that all of them read alike.

use crate::comparison::{Comparison, FileSide};
use crate::facts::{Health, Span, Test};
use crate::finding::{Excerpt, Finding, RuleId, Severity, Side};
use crate::text::{from_root, shell_quote};

/// The parts of a finding that every rule decides by itself.
pub struct Draft {
    pub rule: RuleId,
    pub severity: Severity,
    pub confidence: f64,
    pub message: String,
    pub help: String,
}

impl Draft {
    /// A finding about a test of one side.
    pub fn on_test(self, side: Side, file: &FileSide, test: &Test) -> Finding {
        self.on(side, file, test.line, symbol(file, test))
    }

    pub fn on(self, side: Side, file: &FileSide, line: u32, symbol: String) -> Finding {
        // Configuration and data have no language; what is known of them was read as a whole.
        let partial = file.facts.health != Health::Clean
            && file.facts.project.is_none()
            && !file.facts.language.is_empty();
        let mut evidence = Vec::new();
        if partial {
            evidence.push("the file could only be read in part".to_owned());
        }
        Finding {
            rule: self.rule,
            severity: self.severity,
            // What was read around syntax errors may be wrong: warn, do not block.
            confidence: if partial { self.confidence.min(0.75) } else { self.confidence },
            lowered: false,
            admitted: false,
            side,
            path: file.path.clone(),
            line,
            symbol,
            detail: String::new(),
            message: self.message,
            help: self.help,
            before: None,
            after: None,
            evidence,
        }
    }
}

/// `path::Suite::name`
pub fn symbol(file: &FileSide, test: &Test) -> String {
    format!("{}::{}", file.path, test.qualified_name())
}

/// How many lines an excerpt shows, and how many of them before the one that matters.
const EXCERPT_LINES: u32 = 8;
const EXCERPT_LEAD: u32 = 2;

/// So much of a line is shown.
const LONGEST: usize = 1000;

/// The start of a span, or the part of it around the line that matters.
pub fn excerpt(file: &FileSide, span: Span, line: u32, label: impl Into<String>) -> Option<Excerpt> {
    let start = if line < span.start + EXCERPT_LINES { span.start.min(line) } else { line - EXCERPT_LEAD };
    let end = span.end.max(line).min(start + EXCERPT_LINES - 1);
    // A line that a program wrote is not shown again and again as a whole.
    let shown = |line: std::borrow::Cow<'_, str>| {
        let near = &line[..line.floor_char_boundary(LONGEST.min(line.len()))];
        crate::text::printable(near).into_owned()
    };
    let lines = file.lines(Span { start, end }).map(shown).collect();
    Some(Excerpt { path: file.path.clone(), start, lines, line, label: label.into() })
}

/// The command that prints lines as they were before the change.
pub fn show_before(comparison: &Comparison, file: &FileSide, span: Span) -> String {
    let object = shell_quote(&format!("{}:{}", comparison.base_name, file.path));
    format!("git show {object} | sed -n '{},{}p'", span.start, span.end)
}

/// The command that renames a file, from wherever in the repository it is given.
pub fn rename(from: &str, to: &str) -> String {
    let (from, to) = (shell_quote(from), shell_quote(to));
    format!("git -C \"$(git rev-parse --show-toplevel)\" mv -- {from} {to}")
}

/// The command that brings a deleted file back.
pub fn restore(comparison: &Comparison, file: &FileSide) -> String {
    // As a pattern it could match other files too, and overwrite what is not committed in them.
    let path = shell_quote(&from_root(&file.path));
    format!("git restore --source={} --staged --worktree -- {path}", comparison.base_name)
}
