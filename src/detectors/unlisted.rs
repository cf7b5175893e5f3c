//! Entries that left a list or a chain of registrations, while what they stood for is still there: a middleware that is no
//! longer used, a validator that is asked no more, a route, a plugin or an export that nothing leads to.
//!
//! Part of the rules about guards, for entries that protect by their name, and about disabled features, for those whose
//! code stays behind without anybody who uses it.

use super::code_lines::{TestCode, is_rework};
use super::feature_disabled::{draft as feature, lower_by_intent};
use super::gaps::{edited, gaps};
use super::guard_removed::ID;
use super::guard_removed::protections::{protects, without_remarks};
use super::report::{Draft, excerpt, show_before};
use super::subject::names_of_any_length;
use crate::collections::HashSet;
use crate::comparison::{CodeLine, Comparison, FileComparison, FileSide};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;

/// More lines that go together are a part of the program.
const MAX_GONE: usize = 3;

/// Calls that put something into a chain or a list.
const REGISTERS: &[&str] = &[
    "use",
    "layer",
    "addInterceptor",
    "addFilter",
    "addFilterBefore",
    "addFilterAfter",
    "add_middleware",
    "middleware",
    "Use",
    "With",
    "wrap",
    "addPlugin",
    "add_plugin",
    "plugin",
    "addValidator",
    "add_validator",
    "addHandler",
    "HandleFunc",
    "Handle",
    "include_router",
    "register_blueprint",
    "add_url_rule",
    "add_command",
    "addCommand",
    "AddCommand",
    "register",
    "Register",
    "route",
    "mount",
    "before_request",
    "add_resource",
    "register_module",
    "subcommand",
    "addRoute",
    "add_route",
    "add_api_route",
    "addSubcommand",
    "addEventListener",
];

/// Calls that lead a path to what answers it; what else they are called for has no path in front.
const ANSWERS: &[&str] = &[
    "get",
    "post",
    "put",
    "delete",
    "patch",
    "head",
    "options",
    "all",
    "ws",
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "Get",
    "Post",
    "Put",
    "Delete",
    "Patch",
    "HandleFunc",
];

/// An entry of the old side that is gone.
struct Entry {
    line: u32,
    /// The line of the new side that stands there now.
    next: u32,
    names: Vec<String>,
}

/// Entries that protect by their name.
pub fn unprotected(comparison: &Comparison) -> Vec<Finding> {
    let found = |before: &FileSide, after: &FileSide, entry: &Entry| {
        let name = entry.names.iter().find(|name| protects(name))?;
        let more = |name: &str| count_all(comparison, name, true) < count_all(comparison, name, false);
        let gained = fresh_names(before, after).iter().any(|name| protects(name));
        // Where the way itself is gone, nobody comes by what kept it safe.
        let is_gone = is_way(raw(before, entry.line).trim());
        if !more(name) || gained || is_gone || is_declaration_of(before, entry.line, name) {
            return None;
        }
        let span = Span { start: entry.line, end: entry.line };
        let draft = Draft {
            rule: ID,
            severity: Severity::Critical,
            confidence: 0.78,
            message: format!("{} no longer puts `{name}` to use", before.path),
            help: format!("put it back; this prints it: {}", show_before(comparison, before, span)),
        };
        let mut finding = draft.on(Side::After, after, entry.next, format!("{}::{name}", after.path));
        finding.before = excerpt(before, span, entry.line, "this stood in the list");
        finding.after =
            excerpt(after, Span { start: entry.next, end: entry.next }, entry.next, "now it does not");
        finding.lower(Severity::Medium, "what it does is known from its name alone");
        Some(finding)
    };
    each(comparison, found)
}

/// Entries whose code stays behind.
pub fn orphaned(comparison: &Comparison) -> Vec<Finding> {
    if is_rework(comparison) {
        return Vec::new();
    }
    let found = |before: &FileSide, after: &FileSide, entry: &Entry| {
        let left_behind = |name: &&String| {
            (stays_behind(before, after, name) || stays_elsewhere(comparison, before, entry, name))
                && count_all(comparison, name, true) < count_all(comparison, name, false)
        };
        let name = entry.names.iter().rev().find(left_behind)?;
        let message = format!("`{name}` is still there, but {} no longer lists it", after.path);
        let symbol = format!("{}::{name}", after.path);
        let mut finding = feature(message, 0.75).on(Side::After, after, entry.next, symbol);
        let span = Span { start: entry.line, end: entry.line };
        finding.before = excerpt(before, span, entry.line, "this led to it");
        finding.after =
            excerpt(after, Span { start: entry.next, end: entry.next }, entry.next, "now nothing does");
        lower_by_intent(comparison, &mut finding, name);
        Some(finding)
    };
    each(comparison, found)
}

fn each(
    comparison: &Comparison,
    found: impl Fn(&FileSide, &FileSide, &Entry) -> Option<Finding>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, before, after) in edited(comparison) {
        let gone = entries(file, before);
        findings.extend(gone.iter().filter_map(|entry| found(before, after, entry)).take(3));
    }
    findings
}

/// The entries of one file that are gone.
fn entries(file: &FileComparison, before: &FileSide) -> Vec<Entry> {
    let tests = TestCode::of(before);
    let mut found = Vec::new();
    for gap in gaps(file) {
        match (&gap.gone[..], &gap.fresh[..]) {
            ([], _) => {}
            (gone, []) if gone.len() <= MAX_GONE => {
                let is_one = |line: &&&CodeLine| {
                    let number = line.number;
                    is_entry(&line.code, gap.above)
                        && !tests.contains(number)
                        && !is_parameter(before, number)
                };
                for line in gone.iter().filter(is_one) {
                    let names = names_in(&raw(before, line.number));
                    found.push(Entry { line: line.number, next: gap.next, names });
                }
            }
            ([one], [other]) if !tests.contains(one.number) => {
                let names = left_out(&one.code, &other.code).map(names_in).unwrap_or_default();
                found.push(Entry { line: one.number, next: other.number, names });
            }
            _ => {}
        }
    }
    found.retain(|entry| !entry.names.is_empty());
    found
}

/// Whether a line is one element of a list, or puts one thing into a chain.
fn is_entry(code: &str, above: &str) -> bool {
    let line = code.trim_end_matches([',', ';', ')']);
    let listed = (code.ends_with(',') || above.ends_with([',', '[']))
        && !code.contains('=')
        && !code.starts_with(['@', '.', '*', '&'])
        && above.ends_with([',', '[', '{'])
        && code.matches(',').count() <= 2;
    let call = |code: &str| {
        let (path, _) = code.split_once('(')?;
        let verb = path.rsplit(['.', ':']).next()?;
        let is_path = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$'));
        // A bare word is too common, but for those that say what they do.
        let says = verb.starts_with("register") || verb.starts_with("add_") || verb.starts_with("Register");
        (is_path && (path.len() > verb.len() || says)).then(|| REGISTERS.contains(&verb) || is_way(code))
    };
    let wraps = || {
        let (target, value) = line.split_once('=')?;
        let target = target.trim_end_matches(':');
        Some(value.contains(&format!("({target}")) && target.chars().all(char::is_alphanumeric))
    };
    listed || call(code).unwrap_or(false) || wraps().unwrap_or(false)
}

/// Whether a line leads a path to what answers it: `router.get('/orders', listOrders)`.
fn is_way(code: &str) -> bool {
    let Some((path, rest)) = code.split_once('(') else { return false };
    let verb = path.rsplit(['.', ':']).next().unwrap_or_default();
    ANSWERS.contains(&verb) && ["\"/", "'/", "`/"].iter().any(|way| rest.starts_with(way))
}

/// Whether a line belongs to the head of a function: what it takes there is no list of what is used.
fn is_parameter(side: &FileSide, line: u32) -> bool {
    let mut around = side.facts.functions.iter().filter(|one| one.span.start < line && line <= one.span.end);
    around.any(|one| line < side.line_at(one.body.start))
}

/// What one line has more than another that is otherwise the same, where that is an element of a list.
fn left_out<'c>(old: &'c str, new: &str) -> Option<&'c str> {
    if new.len() >= old.len() {
        return None;
    }
    let head = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    let tail = old.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other).count();
    let tail = tail.min(new.len() - head.min(new.len()));
    if head + tail < new.len() || !old.is_char_boundary(head) || !old.is_char_boundary(old.len() - tail) {
        return None;
    }
    let gone = &old[head..old.len() - tail];
    let in_list = old[..head].rfind(['[', '{']).is_some_and(|at| !old[at..head].contains([']', '}']));
    let begins = old[..head].ends_with(['[', '{', ',']) || gone.starts_with(',');
    let lists =
        old.contains("__all__") || old.starts_with("export{") || old.contains("=[") || old.contains(":[");
    let plain = !gone.contains('=') && gone.matches('(').count() == gone.matches(')').count();
    (in_list && begins && lists && gone.contains(',') && plain).then_some(gone)
}

/// Words that name nothing.
const WORDS: &[&str] =
    &["new", "await", "true", "false", "True", "False", "nil", "null", "None", "undefined"];

/// The names of an entry, those inside of texts only by their last part: `CsrfViewMiddleware` of a path.
fn names_in(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, part) in code.split(['"', '\'', '`']).enumerate() {
        match at % 2 {
            0 => found.extend(names_of_any_length(part).filter(|name| !WORDS.contains(name))),
            _ => found.extend(names_of_any_length(part.rsplit(['.', '/']).next().unwrap_or(part)).next()),
        }
    }
    found.into_iter().map(str::to_owned).collect()
}

/// A line as it is written.
fn raw(side: &FileSide, number: u32) -> String {
    side.lines(Span { start: number, end: number }).next().unwrap_or_default().into_owned()
}

/// Whether a name is defined in, or taken into, both sides of a file, and nothing else there speaks of it now.
fn stays_behind(before: &FileSide, after: &FileSide, name: &str) -> bool {
    name.len() > 2 && uses(before, name).is_some_and(|uses| uses > 0) && uses(after, name) == Some(0)
}

/// Whether the one thing that a file did with a name was to list it, what it stands for is in a file of the project that
/// the change leaves alone, and nothing of the change speaks of it any more.
fn stays_elsewhere(comparison: &Comparison, before: &FileSide, entry: &Entry, name: &str) -> bool {
    // Of what protects another rule tells.
    if name.len() <= 2 || protects(name) || count_all(comparison, name, true) > 0 {
        return false;
    }
    let import = before.facts.signals.imports.iter().find(|import| import.name == name);
    let (homes, is_own) = match import {
        Some(import) => (1, is_local(&import.module, &before.path)),
        // In some languages what stands in the same folder needs no import; what has a dot before it is a member.
        None => {
            let needs_none = matches!(before.facts.language, "go" | "java");
            (0, needs_none && is_code(&raw(before, entry.line), name) && uses_alone(before, name))
        }
    };
    let file_of =
        |path: &str| path.rsplit('/').next().and_then(|file| file.split('.').next()).map(str::to_owned);
    let is_about = |side: &FileSide| {
        let file = file_of(&side.path).unwrap_or_default();
        let leads = import.is_some_and(|import| !file.is_empty() && import.module.ends_with(&file));
        // Who else names it takes part in the change.
        side.path != before.path
            && (crate::text::contains(&side.text, name.as_bytes()) || file == name || leads)
    };
    let mut sides = comparison.files.iter().flat_map(|file| file.before.iter().chain(&file.after));
    is_own
        && mentions(before, name).get(homes..) == Some(&[entry.line])
        && !comparison.production.removed_definitions.contains(name)
        && !sides.any(is_about)
}

/// Whether a name stands in a line outside of texts, and not as the key of a value.
fn is_code(line: &str, name: &str) -> bool {
    if line.trim_start().strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(':')) {
        return false;
    }
    let mut code = line.split(['"', '\'', '`']).step_by(2);
    code.any(|part| names_of_any_length(part).any(|word| word == name))
}

/// The lines of code that name something.
fn mentions(side: &FileSide, name: &str) -> Vec<u32> {
    let said = |line: &&CodeLine| {
        line.code.contains(name) && names_of_any_length(&raw(side, line.number)).any(|word| word == name)
    };
    side.code().iter().filter(said).map(|line| line.number).collect()
}

/// Whether a module is one of the project, as far as its path tells.
fn is_local(module: &str, path: &str) -> bool {
    let module = module.trim_matches(['"', '\'', '`']);
    let first = module.split(['.', '/', ':']).next().unwrap_or_default();
    module.starts_with('.')
        || matches!(first, "crate" | "self" | "super")
        || (!first.is_empty() && path.split('/').rev().skip(1).any(|folder| folder == first))
}

/// Whether a file names something that is no member of another thing.
fn uses_alone(side: &FileSide, name: &str) -> bool {
    let text = String::from_utf8_lossy(&side.text);
    text.match_indices(name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// The head of a definition has hardly more lines.
const HEAD: u32 = 2;

/// How often a file speaks of a name beside the one line that defines it or takes it in, if there is one.
fn uses(side: &FileSide, name: &str) -> Option<usize> {
    let defined = side.facts.definitions.iter().filter(|definition| definition.name == name);
    let imported = side.facts.signals.imports.iter().filter(|import| import.name == name);
    let mut homes: Vec<Span> = defined.map(|definition| definition.span).collect();
    homes.extend(imported.map(|import| Span { start: import.line, end: import.line }));
    homes.dedup();
    let [home] = homes[..] else { return None };
    // The name stands at the head, after decorators at most.
    let end = home.end.min(home.start + HEAD);
    let is_home = move |line: u32| home.start <= line && line <= end;
    let elsewhere = side.code().iter().filter(|line| !line.code.is_empty() && !is_home(line.number));
    let speaks = |line: &CodeLine| {
        let span = Span { start: line.number, end: line.number };
        side.lines(span)
            .map(|line| names_of_any_length(&line).filter(|word| *word == name).count())
            .sum::<usize>()
    };
    let mentions = |line: &&CodeLine| line.code.contains(name);
    Some(elsewhere.filter(mentions).map(speaks).sum())
}

/// Whether a line only defines or imports what it names.
fn is_declaration_of(side: &FileSide, line: u32, name: &str) -> bool {
    let defined = side
        .facts
        .definitions
        .iter()
        .any(|definition| definition.name == name && definition.span.start == line);
    defined || side.facts.signals.imports.iter().any(|import| import.line == line)
}

/// Names that only the new side has.
fn fresh_names<'c>(before: &FileSide, after: &'c FileSide) -> HashSet<&'c str> {
    let known: HashSet<&str> =
        before.code().iter().flat_map(|line| names_of_any_length(&line.code)).collect();
    let now = after.code().iter().flat_map(|line| names_of_any_length(&line.code));
    now.filter(|name| !known.contains(name)).collect()
}

/// How often production code of the change names something, on one side.
fn count_all(comparison: &Comparison, name: &str, after: bool) -> usize {
    let files = comparison.files.iter().filter(|file| file.class == PathClass::Production);
    let sides = files.filter_map(|file| if after { file.after.as_ref() } else { file.before.as_ref() });
    let words = |side: &FileSide| {
        let mentions = || crate::text::contains(&side.text, name.as_bytes());
        if !mentions() {
            return 0;
        }
        names_of_any_length(&without_remarks(side)).filter(|word| *word == name).count()
    };
    sides.map(words).sum()
}
