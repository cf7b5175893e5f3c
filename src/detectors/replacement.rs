//! What else in a change does the work of a check that is gone.

use std::cell::OnceCell;

use super::exits::{Lost, is_alive};
use super::functions::{Changed, added, agreement, changed, code, names, overlap, plain, said, words};
use super::guard_removed::still_refused::still_refused;
use super::lines::fresh_lines;
use super::subject::{
    is_field_of, names_of_any_length, only_checked, parameter_changed, roots, source_changed, subject_gone,
};
use crate::collections::HashSet;
use crate::comparison::Comparison;
use crate::facts::{Context, ErrorUse, Exit, Fortune, Function, Span};
use crate::pairing::Place;

/// Parts of names of functions that check what they are given.
const CHECKING: &[&str] = &[
    "check",
    "valid",
    "verify",
    "ensure",
    "require",
    "assert",
    "guard",
    "sanit",
    "must",
    "precond",
    "expect",
    "parse",
    "schema",
    "invariant",
    "raise",
    "throw",
    "reject",
    "fail",
    "error",
    "bail",
    "enforce",
    "authoriz",
    "authenticat",
];

/// What the change as a whole brings that could stand in for a lost check. Made once for all functions.
pub struct Replacements<'c> {
    /// What each way of refusing says that the after side has and the before side has not.
    fresh: Vec<HashSet<String>>,
    /// Under which conditions the after side newly refuses.
    conditions: HashSet<String>,
    /// Lines of production code that only the after side has.
    lines: Vec<String>,
    removed: usize,
    /// Those of the lines that declare something a library checks, each with its names in lower case; made when first
    /// asked for.
    declarations: OnceCell<Vec<(String, HashSet<String>)>>,
    /// The short names of functions that refuse after the change, and come or change with it.
    refusing: OnceCell<HashSet<&'c str>>,
    comparison: &'c Comparison,
}

impl<'c> Replacements<'c> {
    pub fn of(comparison: &'c Comparison) -> Self {
        let (mut fresh, mut conditions) = (Vec::new(), HashSet::new());
        for change in changed(comparison) {
            let known: HashSet<(String, String)> = change.old.exits.iter().map(key).collect();
            let refusing = change.new.exits.iter().filter(|exit| exit.kind.refuses());
            for exit in refusing.filter(|exit| !known.contains(&key(exit)) && is_alive(exit)) {
                fresh.push(said(exit));
                conditions.insert(plain(&exit.condition));
            }
        }
        for (_, function) in added(comparison) {
            for exit in function.exits.iter().filter(|exit| exit.kind.refuses()) {
                fresh.push(said(exit));
                conditions.insert(plain(&exit.condition));
            }
        }
        let (lines, removed) = fresh_lines(comparison);
        let (declarations, refusing) = (OnceCell::new(), OnceCell::new());
        Self { fresh, conditions, lines, removed, declarations, refusing, comparison }
    }

    /// Whether the change is about new code, rather than about what it takes away.
    pub fn grows(&self) -> bool {
        self.lines.len() > 2 * self.removed + GROWTH
    }

    /// Whether so much changes that a check may have gone anywhere.
    pub fn is_rework(&self) -> bool {
        let functions = self.comparison.functions();
        functions.changed.len() + functions.added.len() + functions.removed.len() > REWORK
    }

    /// A value that was refused is spelled out in new code.
    fn accepted(&self, lost: &Exit) -> Option<String> {
        let value = literals(&lost.condition).find(|value| value.len() > 2)?;
        let (double, single) = (format!("\"{value}\""), format!("'{value}'"));
        let quoted = |text: &str| text.contains(&double) || text.contains(&single);
        // The line may have moved as it was.
        let newly = |other: Changed<'_>| quoted(&other.new_text()) && !quoted(&other.old_text());
        let accepts = self.lines.iter().any(|line| quoted(line)) || changed(self.comparison).any(newly);
        accepts.then(|| format!("the change adds code for `{value}`, which it refused"))
    }

    /// Why a lost check is no loss, in words.
    ///
    /// `all` are the checks that the function lost: none of them explains another.
    pub fn of_check(&self, change: &Changed<'c>, lost: &Exit, all: &[Lost<'_>]) -> Option<String> {
        let checked = only_checked(change, lost, all);
        self.elsewhere(lost)
            .or_else(|| self.called(change, lost))
            .or_else(|| subject_gone(change, lost).filter(|_| !is_field_of(change, lost, &checked)))
            .or_else(|| parameter_changed(change, lost, &checked))
            .or_else(|| source_changed(change, lost))
            .or_else(|| fails_anyway(change, lost))
            .or_else(|| self.helper_gone(lost))
            .or_else(|| still_refused(change, lost))
            .or_else(|| self.declared(lost))
            .or_else(|| self.given_to_a_refusing_call(change, lost))
            .or_else(|| self.accepted(lost))
    }

    /// What was checked by hand is declared now, where a library checks it: `conflicts_with = "path"`.
    fn declared(&self, lost: &Exit) -> Option<String> {
        let about: Vec<String> = said(lost).into_iter().filter(|word| word.len() > 3).collect();
        let options = lost.text.replace('-', "_");
        let in_message =
            |name: &String| name.len() > 3 && name.contains('_') && options.contains(name.as_str());
        let declares = |(_, names): &&(String, HashSet<String>)| {
            about.iter().any(|word| names.contains(word)) || names.iter().any(in_message)
        };
        let (line, _) = self.declarations().iter().find(declares)?;
        Some(format!("the change declares it instead: `{}`", crate::text::clipped(line, 60)))
    }

    fn declarations(&self) -> &[(String, HashSet<String>)] {
        let names = |line: &String| {
            let lower = line.to_lowercase();
            names_of_any_length(&lower).map(str::to_owned).collect()
        };
        let found = || self.lines.iter().filter(|line| is_declaration(line));
        self.declarations.get_or_init(|| found().map(|line| (line.clone(), names(line))).collect())
    }

    /// A new call takes what was checked, its error counts, and the change shows that it refuses.
    fn given_to_a_refusing_call(&self, change: &Changed<'_>, lost: &Exit) -> Option<String> {
        let callee = given_to_a_call(change, lost)?;
        let refuses = |function: &&Function| function.exits.iter().any(|exit| exit.kind.refuses());
        let names = || {
            let kept = changed(self.comparison).map(|other| other.new);
            let new = added(self.comparison).map(|(_, function)| function);
            kept.chain(new).filter(refuses).map(Function::short_name).collect()
        };
        let shown = self.refusing.get_or_init(names).contains(callee.as_str());
        shown.then(|| format!("`{callee}`, which is given it now, refuses"))
    }

    /// The same is refused at another place of the change.
    pub fn elsewhere(&self, lost: &Exit) -> Option<String> {
        let (about, condition) = (said(lost), names(&lost.condition));
        let alike = |fresh: &HashSet<String>| {
            agreement(&about, fresh) >= 0.4
                || (about.len() > 2 && fresh.len() > 2 && overlap(&about, fresh) >= 0.75)
                || (condition.len() > 1 && condition.is_subset(fresh))
        };
        let same = !lost.condition.is_empty() && self.conditions.contains(&plain(&lost.condition));
        (same || self.fresh.iter().any(alike))
            .then(|| "the change refuses the same at another place".to_owned())
    }

    /// Whether the change newly refuses something about any of these names, wherever that is.
    pub fn speaks_of(&self, subject: &[String]) -> bool {
        let names: Vec<String> = subject.iter().map(|name| name.to_lowercase()).collect();
        self.fresh.iter().any(|said| names.iter().any(|name| said.contains(name)))
    }

    /// Whether a call that checked goes together with the function that it called, which refused by itself: who checks
    /// is part of the check, not what it was about.
    pub fn checker_went(&self, lost: &Exit) -> bool {
        let callee = lost.text.split('(').next().unwrap_or("");
        let name = callee.rsplit(['.', ':', ' ']).next().unwrap_or("");
        let refused = |place: &Place| {
            let side = self.comparison.files[place.file].before.as_ref();
            let function = side.and_then(|side| side.facts.functions.get(place.function));
            function.is_some_and(|function| {
                function.short_name() == name && function.exits.iter().any(|exit| exit.kind.refuses())
            })
        };
        lost.context == Context::Check && self.comparison.functions().removed.iter().any(refused)
    }

    /// The checking function itself leaves the code, with what it was for.
    fn helper_gone(&self, lost: &Exit) -> Option<String> {
        let callee = lost.text.split('(').next().unwrap_or("");
        let name = callee.rsplit(['.', ':', ' ']).next().filter(|_| lost.context == Context::Check)?;
        let gone = self.comparison.production.removed_definitions.contains(name);
        let gone = gone && !self.checker_went(lost) && !self.is_import(name);
        gone.then(|| format!("`{name}` is removed from the production code in the same change"))
    }

    /// Whether a name only stood for a module that was loaded: what it leads to is where it was.
    fn is_import(&self, name: &str) -> bool {
        let sides = self.comparison.files.iter().filter_map(|file| file.before.as_ref());
        let loads = |value: &String| value.starts_with("require(") || value.starts_with("import(");
        sides
            .flat_map(|side| &side.facts.definitions)
            .any(|definition| definition.name == name && definition.value.as_ref().is_some_and(loads))
    }

    /// The function now calls something that checks: by its name, or because the change shows that it refuses.
    fn called(&self, change: &Changed<'c>, lost: &Exit) -> Option<String> {
        // What a message says checks nothing.
        let (before, after) = (without_strings(&change.old_text()), without_strings(&change.new_text()));
        let old: HashSet<&str> = written(&before).collect();
        let fresh: Vec<&str> = written(&after).filter(|name| !old.contains(name)).collect();
        let checks = |name: &&&str| {
            let lower = name.to_lowercase();
            // What an annotation says of nothing, it says to the reader.
            let is_allowed = after.contains(&format!("@{name}")) && lower.contains("null");
            // The name of an error is no check of anything, as long as nobody calls it.
            let is_called = || {
                let calls = ["(", "!(", "::<"].iter().any(|call| after.contains(&format!("{name}{call}")));
                calls && !is_only_told(&after, name)
            };
            let names_error = ["error", "fail", "expect"].iter().any(|part| lower.contains(part));
            CHECKING.iter().any(|part| lower.contains(part)) && !is_allowed && (!names_error || is_called())
        };
        if let Some(name) = fresh.iter().find(checks) {
            return Some(format!("`{name}`, which checks by its name, is new in the function"));
        }
        let refusing = |function: &&Function| {
            fresh.contains(&function.short_name()) && function.exits.iter().any(|exit| exit.kind.refuses())
        };
        let about = words(&lost.condition);
        let helper = added(self.comparison).map(|(_, function)| function).find(refusing);
        let helper = helper.or_else(|| {
            // A helper that answers the question of the lost check.
            let answers = |(side, function): &(&_, &Function)| {
                fresh.contains(&function.short_name())
                    && overlap(&about, &words(&code(side, function))) >= 0.5
            };
            added(self.comparison).find(answers).map(|(_, function)| function)
        });
        helper.map(|function| format!("`{}`, which is new and called here, refuses", function.short_name()))
    }
}

/// Whether a name is called on nothing but logs: `console.error(...)`.
fn is_only_told(text: &str, name: &str) -> bool {
    const LOGS: &[&str] =
        &["console.", "log.", "logger.", "logging.", "slog.", "LOG.", "LOGGER.", "Log.", "_logger."];
    let call = format!("{name}(");
    let mut calls = text.match_indices(&call).map(|(at, _)| &text[..at]);
    calls.all(|before| LOGS.iter().any(|log| before.ends_with(log)))
}

/// What declarations say of values that a library then checks.
const DECLARES: &[&str] = &[
    "conflicts_with",
    "requires",
    "required",
    "value_parser",
    "mutually_exclusive",
    "MutuallyExclusive",
    "MarkFlagRequired",
    "exclusive",
    "choices",
    "min_length",
    "max_length",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "pattern",
    "@NotNull",
    "@NonNull",
    "@NotBlank",
    "@NotEmpty",
    "@Valid",
    "@Min",
    "@Max",
    "@Size",
    "@Positive",
    "validate:",
    "binding:",
];

/// Whether a line says of a value what a library then checks: the word for it stands by itself and is given something.
fn is_declaration(line: &str) -> bool {
    let acts = ["if ", "if(", "elif ", "return", "raise", "throw", "while ", "for ", "assert"];
    let lower = line.to_lowercase();
    let tells = ["log", "warn", "print"].iter().any(|word| lower.contains(word));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let says = |word: &&str| {
        line.match_indices(*word).any(|(at, _)| {
            let rest = line[at + word.len()..].trim_start();
            let is_given = word.starts_with('@') || word.ends_with(':') || rest.starts_with(['=', '(', ':']);
            !line[..at].ends_with(is_part) && is_given && !rest.starts_with("==")
        })
    };
    !tells && !acts.iter().any(|word| line.starts_with(word)) && DECLARES.iter().any(says)
}

/// A new call that is given what a lost check was about, and whose error counts.
pub fn given_to_a_call(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let counts = |error: &&ErrorUse| matches!(error.how, Fortune::Checked | Fortune::Propagated);
    let known = |callee: &str| change.old.errors.iter().any(|old| old.callee == callee);
    let subject = lost.condition.split(['=', '!', '<', '>', '(', ')', '&', '|']).map(str::trim);
    let subject = subject
        .filter(|part| part.starts_with(char::is_alphabetic))
        .find(|part| !part.contains(' ') && roots(part).len() == 1)?;
    let fresh = change.new.errors.iter().filter(counts).filter(|error| !known(&error.callee));
    let takes = |error: &&ErrorUse| {
        let near = Span { start: error.line.saturating_sub(2).max(1), end: error.line };
        change.side.lines(near).any(|line| {
            let given = line.split_once(&format!("{}(", error.callee)).map(|(_, given)| given.to_owned());
            given.is_some_and(|given| {
                given.split([',', ')', '(', ' ', '&']).any(|part| part.trim() == subject)
            })
        })
    };
    fresh.into_iter().find(takes).map(|error| error.callee.clone())
}

/// So many more new lines than removed ones are a feature.
const GROWTH: usize = 30;

/// More functions than this are a rework.
const REWORK: usize = 120;

/// The strings in a condition.
fn literals(condition: &str) -> impl Iterator<Item = &str> {
    let quotes = condition.split(['"', '\'']).skip(1).step_by(2);
    quotes.filter(|text| !text.is_empty())
}

fn key(exit: &Exit) -> (String, String) {
    (plain(&exit.condition), plain(&exit.text))
}

/// Some code without what stands between quotes on one line.
pub fn without_strings(code: &str) -> String {
    let mut rest = String::with_capacity(code.len());
    for line in code.lines() {
        let mut left = line;
        while let Some(at) = left.find(['"', '\'', '`']) {
            let (head, tail) = left.split_at(at);
            rest.push_str(head);
            let quote = tail.chars().next().unwrap_or('"');
            let Some(end) = tail[1..].find(quote) else {
                left = &tail[1..];
                continue;
            };
            rest.push(' ');
            left = &tail[end + 2..];
        }
        rest.push_str(left);
        rest.push('\n');
    }
    rest
}

/// Identifiers of some length, as written.
fn written(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    parts.filter(|part| part.len() > 2 && !part.starts_with(|c: char| c.is_ascii_digit()))
}

/// What the check let through fails right after it, or at the end in the same way.
fn fails_anyway(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let kind = failure(&lost.text);
    let same_end = |exit: &Exit| {
        let ends = exit.context == Context::Open && kind.is_some() && failure(&exit.text) == kind;
        ends && !answers_between(change, lost.span.end, exit.line)
    };
    let next = |exit: &Exit| {
        let after = exit.line > lost.span.end && exit.line <= lost.span.end + NEXT;
        // Who came to the check does not come to the other branch.
        let instead = exit.context == Context::Otherwise && exit.span.contains(lost.span);
        after && !instead && (exit.context == Context::Open || exit.span.start < lost.span.start)
    };
    let still = |old: &&Exit| change.new.exits.iter().any(|new| plain(&new.text) == plain(&old.text));
    let mut failing = change.old.exits.iter().filter(|exit| exit.kind == lost.kind);
    let found = failing.find(|exit| (same_end(exit) || next(exit)) && still(exit));
    found
        .filter(|_| lost.context != Context::Open)
        .map(|_| "the function still fails further down".to_owned())
}

/// Whether the function gives an answer between two of its lines: then not all that passed a check come to what fails
/// behind it.
fn answers_between(change: &Changed<'_>, from: u32, to: u32) -> bool {
    let between = Span { start: from + 1, end: to.saturating_sub(1) };
    let returns = |line: &str| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == "return");
    change.old_side.lines(between).any(|line| returns(&line))
}

/// Whether a function that gave up in a certain way for want of something still ends in that way, for those who got no
/// answer before.
pub fn fails_in_the_end(change: &Changed<'_>, lost: &Exit) -> bool {
    let kind = failure(&lost.text);
    let ends = |exit: &Exit| {
        exit.context == Context::Open
            && exit.line > lost.line
            && kind.is_some()
            && failure(&exit.text) == kind
    };
    let still = |old: &&Exit| change.new.exits.iter().any(|new| plain(&new.text) == plain(&old.text));
    lost.context != Context::Open
        && change.old.exits.iter().filter(|exit| ends(exit)).any(|exit| still(&exit))
}

/// So many lines after a check is right after it.
const NEXT: u32 = 3;

/// What is thrown: the first name with a capital letter, as in `raise NotFound(...)`.
fn failure(text: &str) -> Option<String> {
    let mut names = names_of_any_length(text);
    names.find(|name| name.starts_with(char::is_uppercase)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_gives_a_word_of_its_own_something() {
        assert!(is_declaration("#[arg(long, conflicts_with = \"path\")]"));
        assert!(is_declaration("parser.add_argument('--size', choices=SIZES)"));
        assert!(is_declaration("@NotNull String name,"));
        assert!(!is_declaration("if argument_is_required(stats.open_spider):"));
        assert!(!is_declaration("spider = argument_is_required(stats)"));
        assert!(!is_declaration("logger.warning(\"required: size\")"));
        assert!(!is_declaration("pattern == size"));
    }
}
