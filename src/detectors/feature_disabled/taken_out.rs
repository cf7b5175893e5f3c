//! Code that was taken out of functions which are otherwise as they were, so that something they offer no longer happens:
//! a comment that says so stands in its place, a parameter is no longer looked at, what it called is called by nobody.
//!
//! Part of the rule about disabled features. Of checks and errors that go, other rules tell.

use super::{draft, lower_by_intent};
use crate::collections::HashSet;
use crate::comparison::{CodeLine, Comparison, FileSide};
use crate::detectors::exits::lost;
use crate::detectors::functions::{Changed, changed};
use crate::detectors::lines::aligned;
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Span, Stub};
use crate::finding::{Finding, Side};
use crate::paths::PathClass;
use crate::text::contains;

/// Longer functions are not taken apart.
const MAX_LINES: usize = 600;

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let mut found = Vec::new();
    for change in changed(comparison).filter(|change| change.pair.old.len() > change.pair.new.len()) {
        let Some(cuts) = Cuts::of(&change) else { continue };
        let told = cuts.told_off();
        found.extend(told.map(|cut| of_comment(comparison, &change, cut)));
        if !cuts.only_takes || change.new.stub.is_some_and(|stub| stub != Stub::Constant) {
            continue;
        }
        if let Some((name, cut)) = cuts.ignored(&change) {
            found.push(of_parameter(comparison, &change, &name, cut));
        } else if let Some((name, cut)) =
            cuts.unread(comparison, &change).filter(|(_, cut)| !cut.only_leaves())
        {
            found.push(of_parameter(comparison, &change, &name, cut));
        } else if let Some((name, cut)) = cuts.orphaned(&change) {
            found.push(of_call(comparison, &change, &name, cut));
        }
    }
    found
}

/// Lines of the old side that went together, with nothing but a comment in their place.
struct Cut<'c> {
    lines: Vec<&'c CodeLine>,
    /// New comments that stand there now.
    remarks: Vec<&'c CodeLine>,
    /// The line of the new side that follows.
    next: u32,
}

impl Cut<'_> {
    fn span(&self) -> Span {
        let first = self.lines.first().map_or(1, |line| line.number);
        Span { start: first, end: self.lines.last().map_or(first, |line| line.number) }
    }

    /// Whether all that was done there was to give up: without it more happens, not less.
    fn only_leaves(&self) -> bool {
        const LEAVES: &[&str] = &[
            "return",
            "returnnull",
            "returnNone",
            "returnundefined",
            "returnnil",
            "returnfalse",
            "returnFalse",
            "continue",
            "break",
        ];
        let acts = |line: &&&CodeLine| !is_closing(line) && !line.code.starts_with("if");
        self.lines.iter().filter(acts).all(|line| LEAVES.contains(&line.code.trim_end_matches(';')))
    }

    /// Whether something was done there, rather than said or got ready.
    fn does(&self) -> bool {
        let idle =
            ["import", "from", "use", "//", "#", "return", "print", "log", "console", "debug", "assert"];
        self.lines.iter().any(|line| {
            let code =
                line.code.trim_start_matches("await").trim_start_matches("self.").trim_start_matches("this.");
            code.contains('(') && !idle.iter().any(|word| code.to_lowercase().starts_with(word))
        })
    }
}

/// What a function lost, piece by piece.
struct Cuts<'c> {
    cuts: Vec<Cut<'c>>,
    /// Whether no line of code is new.
    only_takes: bool,
}

impl<'c> Cuts<'c> {
    fn of(change: &Changed<'c>) -> Option<Self> {
        let old = within(change.old_side, change.old.span);
        let new = within(change.side, change.new.span);
        let (was, is) = (coded(old), coded(new));
        if was.len() > MAX_LINES || is.len() > MAX_LINES {
            return None;
        }
        let codes = |lines: &[&CodeLine]| lines.iter().map(|line| line.code.clone()).collect::<Vec<_>>();
        let pairs = aligned(&codes(&was), &codes(&is))?;
        let head = change.side.line_at(change.new.body.start);
        let taken: HashSet<usize> = pairs.iter().map(|(_, new)| *new).collect();
        let only_takes =
            (0..is.len()).all(|at| taken.contains(&at) || is[at].number <= head || is_closing(is[at]));
        let checks: Vec<Span> = lost(change).iter().map(|lost| lost.exit.span).collect();
        let known: HashSet<&str> = old.iter().map(|line| line.bared.as_str()).collect();
        let mut cuts = Vec::new();
        let ends = pairs.iter().copied().chain([(was.len(), is.len())]);
        let mut last: Option<(usize, usize)> = None;
        for (to, next) in ends {
            let (from, after) = last.map_or((0, 0), |(old, new)| (old + 1, new + 1));
            last = Some((to, next));
            // New code in its place may do the same.
            if from >= to || after < next {
                continue;
            }
            let lines = was[from..to].to_vec();
            let is_check = |line: &&CodeLine| {
                let here = Span { start: line.number, end: line.number };
                checks.iter().any(|span| span.contains(here))
            };
            if lines.iter().any(is_check) {
                continue;
            }
            let below = after.checked_sub(1).map_or(change.new.span.start, |at| is[at].number);
            let above = is.get(next).map_or(change.new.span.end, |line| line.number);
            let is_here = |line: &&CodeLine| {
                line.number > below && line.number < above && !known.contains(line.bared.as_str())
            };
            let remarks = new.iter().filter(|line| line.code.is_empty()).filter(is_here).collect();
            cuts.push(Cut { lines, remarks, next: above });
        }
        (!cuts.is_empty()).then_some(Self { cuts, only_takes })
    }

    /// What stands in a comment now that says that it is off.
    fn told_off(&self) -> impl Iterator<Item = &Cut<'c>> {
        self.cuts.iter().filter(|cut| {
            let gone: HashSet<&str> = cut.lines.iter().map(|line| line.code.as_str()).collect();
            let is_code = cut.remarks.iter().any(|line| gone.contains(line.bared.as_str()));
            cut.does() && !is_code && cut.remarks.iter().any(|line| says_off(&line.bared))
        })
    }

    /// A parameter that the function looked at and does not any more, though it still takes it.
    fn ignored(&self, change: &Changed<'_>) -> Option<(String, &Cut<'c>)> {
        let body = |side: &FileSide, bytes: std::ops::Range<usize>| {
            let mut text = side.text.get(bytes.clone()).unwrap_or_default().to_vec();
            // What a comment still tells of is not looked at.
            for remark in &side.facts.signals.remarks {
                let from = (remark.start as usize).max(bytes.start).saturating_sub(bytes.start);
                let to = (remark.end as usize).min(bytes.end).saturating_sub(bytes.start);
                if let Some(said) = text.get_mut(from..to) {
                    said.fill(b' ');
                }
            }
            String::from_utf8_lossy(&text).into_owned()
        };
        let (before, after) =
            (body(change.old_side, change.old.body.clone()), body(change.side, change.new.body.clone()));
        let after: HashSet<&str> = names_of_any_length(&after).collect();
        let taken: HashSet<&str> = names_of_any_length(&change.new.parameters).collect();
        let is_ignored = |name: &&str| {
            let hidden = format!("_{name}");
            name.len() > 2
                && (taken.contains(name) || taken.contains(hidden.as_str()))
                && !after.contains(name)
                && !after.contains(hidden.as_str())
        };
        let used: HashSet<&str> = names_of_any_length(&before).collect();
        let mut ignored = names_of_any_length(&change.old.parameters).filter(|name| used.contains(name));
        let name = ignored.find(is_ignored)?;
        let decides = |line: &&CodeLine| {
            ["if", "elif", "else if", "while", "switch", "match"]
                .iter()
                .any(|word| line.code.starts_with(word))
                && names_of_any_length(&line.code.replacen("if", " ", 1)).any(|word| word == name)
        };
        let cut = self.cuts.iter().find(|cut| cut.does() && cut.lines.iter().any(&decides))?;
        Some((name.to_owned(), cut))
    }

    /// A member of a parameter that decided about something, and that nothing of the change asks for any more:
    /// `options.watch`.
    fn unread(&self, comparison: &Comparison, change: &Changed<'_>) -> Option<(String, &Cut<'c>)> {
        let taken: HashSet<&str> = names_of_any_length(&change.new.parameters).collect();
        let mentions = |side: &FileSide, name: &str| contains(&side.text, name.as_bytes());
        self.cuts.iter().filter(|cut| cut.does()).find_map(|cut| {
            let asked = cut.lines.first()?.code.strip_prefix("if")?;
            let asked = asked.trim_end_matches(['{', ':']).trim_matches(['(', ')']);
            let (root, name) = asked.split_once('.')?;
            let is_name = name.len() > 3 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let files = || comparison.files.iter().filter(|file| file.class == PathClass::Production);
            let unread = files().filter_map(|file| file.after.as_ref()).all(|side| !mentions(side, name));
            // Where more files forget it, it goes as a whole.
            let asking =
                files().filter_map(|file| file.before.as_ref()).filter(|side| mentions(side, name)).count();
            (is_name && taken.contains(root) && unread && asking == 1).then(|| (asked.to_owned(), cut))
        })
    }

    /// A private function of the file that only this one called.
    fn orphaned(&self, change: &Changed<'_>) -> Option<(String, &Cut<'c>)> {
        for cut in &self.cuts {
            for line in &cut.lines {
                let called = line.code.match_indices('(').filter_map(|(at, _)| {
                    let head = &line.code[..at];
                    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
                    let name = &head[head.trim_end_matches(is_part).len()..];
                    (name.len() > 3).then_some(name)
                });
                for name in called {
                    let name = name
                        .strip_prefix("await")
                        .filter(|rest| rest.starts_with(['_', '#']))
                        .unwrap_or(name);
                    if is_statement(&line.code, name) && is_left_alone(change, name) {
                        return Some((name.to_owned(), cut));
                    }
                }
            }
        }
        None
    }
}

/// Whether a line does nothing but to call the name: what gives a value has another in its place.
fn is_statement(code: &str, name: &str) -> bool {
    let code = code.trim_start_matches("await").trim_start_matches("yieldfrom");
    let path = code.split('(').next().unwrap_or("");
    let rest = path.strip_suffix(name).unwrap_or("=");
    rest.is_empty() || matches!(rest, "self." | "this." | "cls." | "void")
}

/// Whether the file still has a private function of this name, and names it nowhere else.
fn is_left_alone(change: &Changed<'_>, name: &str) -> bool {
    let side = change.side;
    let bare = name.trim_start_matches('#');
    let is_it = |function: &&crate::facts::Function| {
        function.short_name().trim_start_matches('#') == bare && function.name != change.new.name
    };
    let Some(function) = side.facts.functions.iter().find(is_it) else { return false };
    let line = side.lines(Span { start: function.line, end: function.line }).next().unwrap_or_default();
    let exported = side.facts.signals.exports.iter().any(|export| export.name == bare);
    let is_private = match side.facts.language {
        "python" => bare.starts_with('_') && !bare.ends_with("__"),
        "javascript" | "typescript" => {
            let own = name.starts_with(['_', '#']) || line.contains("private ");
            own || (line.trim_start_matches("async ").starts_with("function ") && !exported)
        }
        "java" => line.contains("private "),
        _ => false,
    };
    let mentions = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        names_of_any_length(&text).filter(|word| *word == bare).count()
    };
    is_private && function.stub.is_none() && mentions(&side.text) == 1 && mentions(&change.old_side.text) == 2
}

/// The lines of a side inside of a span.
fn within(side: &FileSide, span: Span) -> &[CodeLine] {
    let lines = side.code();
    let from = lines.partition_point(|line| line.number < span.start);
    let to = lines.partition_point(|line| line.number <= span.end);
    &lines[from..to]
}

fn coded(lines: &[CodeLine]) -> Vec<&CodeLine> {
    lines.iter().filter(|line| !line.code.is_empty()).collect()
}

/// Whether a line only closes what other lines opened.
fn is_closing(line: &CodeLine) -> bool {
    !line.code.contains(char::is_alphanumeric)
}

/// What comments say where something is off, white space taken out.
const OFF: &[&str] = &[
    "disabled",
    "disable",
    "disabling",
    "fornow",
    "temporar",
    "turnedoff",
    "switchedoff",
    "turnoff",
    "re-enable",
    "reenable",
    "enableagain",
    "enablethis",
    "enableonce",
    "enablewhen",
    "bringback",
];

fn says_off(comment: &str) -> bool {
    let lower = comment.to_lowercase();
    OFF.iter().any(|word| lower.contains(word)) && !lower.contains("eslint") && !lower.contains("pylint")
}

fn of_comment(comparison: &Comparison, change: &Changed<'_>, cut: &Cut<'_>) -> Finding {
    let message = format!("code of {} gave way to a comment that says it is off", change.title());
    let line = cut.remarks.first().map_or(cut.next, |line| line.number);
    finding(comparison, change, cut, line, (message, "now it does not happen"), &change.title())
}

fn of_parameter(comparison: &Comparison, change: &Changed<'_>, name: &str, cut: &Cut<'_>) -> Finding {
    let message = format!("{} still takes `{name}` and does nothing with it", change.title());
    finding(comparison, change, cut, change.new.line, (message, "it is no longer looked at"), name)
}

fn of_call(comparison: &Comparison, change: &Changed<'_>, name: &str, cut: &Cut<'_>) -> Finding {
    let message = format!("{} no longer calls `{name}`, and nothing else does", change.title());
    finding(comparison, change, cut, cut.next, (message, "now it does not happen"), name)
}

fn finding(
    comparison: &Comparison,
    change: &Changed<'_>,
    cut: &Cut<'_>,
    line: u32,
    (message, note): (String, &str),
    name: &str,
) -> Finding {
    let mut finding = change.finding(draft(message, 0.75), Side::After, line);
    finding.before = excerpt(change.old_side, cut.span(), cut.span().start, "this ran");
    finding.after = excerpt(change.side, Span { start: line, end: line }, line, note);
    finding.detail = name.to_owned();
    lower_by_intent(comparison, &mut finding, name);
    finding
}
