//! Flags and helpers that say what the machine can do, and that newly say no on some of them: `hasPty = found` became
//! `hasPty = found && platform != "linux"`. Whatever asks them before it runs a test leaves that test out there.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::assertions::assignment;
use crate::detectors::conditions::holds_for_less;
use crate::detectors::feature_disabled::some_systems::SYSTEMS;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::facts::Function;
use crate::text::{clipped, one_line};

/// Words of names that say that something is there.
const CAPABLE: &[&str] = &[
    "available",
    "has",
    "have",
    "supports",
    "supported",
    "support",
    "can",
    "enabled",
    "installed",
    "works",
    "reachable",
    "present",
    "capable",
    "runnable",
    "usable",
    "running",
];

/// Words of names that say that something is left out.
const LACKING: &[&str] =
    &["skip", "skips", "skipped", "unsupported", "unavailable", "missing", "broken", "without"];

/// Words of what a machine is asked, beside those of systems.
const ASKED: &[&str] =
    &["env", "environ", "getenv", "nt", "posix", "arm64", "aarch64", "arch", "machine", "github", "docker"];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let changed = || pages.pairs(place).into_iter().find_map(|(old, new)| narrowed(pages, old, new));
    changed().or_else(|| refused(pages, place))
}

/// A value that holds on fewer machines.
fn narrowed(pages: &Pages<'_>, old: usize, new: usize) -> Option<Told> {
    let (name, was) = given(pages, old, false)?;
    let (other, is) = given(pages, new, true)?;
    if name != other {
        return None;
    }
    let said = words(&name);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let less = match (has(LACKING), has(CAPABLE)) {
        (true, _) => is_narrower(&is, &was, false),
        (false, true) => is_narrower(&was, &is, true),
        _ => false,
    };
    less.then(|| told(pages, Some(old), new, &name))
}

/// Whether a value holds for less by a part that asks what machine it is, or for nothing at all.
fn is_narrower(wide: &str, narrow: &str, is_flag: bool) -> bool {
    let constant = |text: &str, values: [&str; 2]| values.contains(&text.trim());
    if is_flag && constant(narrow, ["false", "False"]) {
        return asks_machine(wide);
    }
    if constant(wide, ["true", "True"]) {
        return asks_machine(narrow);
    }
    // What is left out for one more reason has that reason; what is there for one reason less is another question.
    let less = holds_for_less(wide, narrow).filter(|less| less.lost.is_empty() || !is_flag);
    less.is_some_and(|less| less.added.iter().chain(&less.lost).any(|part| asks_machine(part)))
}

/// A new way out at the top of a helper: `if on_windows: return False`.
fn refused(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    if !place.old.is_empty() || place.new.len() > SHORT {
        return None;
    }
    place.new.clone().find_map(|at| {
        let text = pages.new_text(at);
        let condition = text.strip_prefix("if").filter(|rest| rest.starts_with([' ', '(']))?;
        let below = pages.new.get(at + 1).filter(|_| place.new.contains(&(at + 1)));
        let code = pages.new[at].code.as_str();
        let says_no = |code: &str| {
            let code = code.trim_end_matches([';', '}']);
            code.ends_with("returnfalse") || code.ends_with("returnFalse")
        };
        let leaves = says_no(code) || below.is_some_and(|line| says_no(&line.code));
        let function = function_at(&pages.after.facts.functions, pages.new[at].number)?;
        let was_there = pages.before.facts.functions.iter().any(|one| one.name == function.name);
        let is_flag = words(function.short_name()).iter().any(|word| CAPABLE.contains(&word.as_str()));
        (leaves && was_there && is_flag && asks_machine(condition))
            .then(|| told(pages, None, at, function.short_name()))
    })
}

/// Longer stretches are helpers written anew.
const SHORT: usize = 4;

/// The name that a line gives a value to, and the value: of a variable, or of the function that it ends.
fn given(pages: &Pages<'_>, at: usize, is_new: bool) -> Option<(String, String)> {
    let (side, line, text) = match is_new {
        true => (pages.after, pages.new[at].number, pages.new_text(at)),
        false => (pages.before, pages.old[at].number, pages.old_text(at)),
    };
    let end = |text: &str| text.trim().trim_end_matches([';', ',']).to_owned();
    let of_function = || function_at(&side.facts.functions, line).map(|one| one.short_name().to_owned());
    if let Some(value) = text.strip_prefix("return ") {
        return Some((of_function()?, end(value)));
    }
    if let Some((target, value)) = assignment(&text).filter(|(target, _)| !target.contains('(')) {
        // A type may follow the name, and words may stand before it.
        let target = target.trim_end_matches(':').split(':').next().unwrap_or(target);
        return Some((names_of_any_length(target).last()?.to_owned(), end(value)));
    }
    // The last line of a function may be what it gives back.
    let is_last = function_at(&side.facts.functions, line).is_some_and(|one| one.span.end == line + 1);
    (is_last && side.facts.language == "rust").then(of_function).flatten().map(|name| (name, end(&text)))
}

fn function_at(functions: &[Function], line: u32) -> Option<&Function> {
    let around = functions.iter().filter(|one| one.span.start <= line && line <= one.span.end);
    around.filter(|one| !one.name.is_empty()).max_by_key(|one| one.span.start)
}

fn asks_machine(text: &str) -> bool {
    let says = |name: &str| {
        words(name).iter().any(|word| SYSTEMS.contains(&word.as_str()) || ASKED.contains(&word.as_str()))
    };
    names_of_any_length(text).any(says)
}

fn told(pages: &Pages<'_>, old: Option<usize>, new: usize, name: &str) -> Told {
    let shown = clipped(&one_line(&pages.new_text(new)), 80);
    Told {
        message: format!(
            "`{name}`, which tests ask before they run, now says no on more machines: `{shown}`"
        ),
        help: "make what it leaves out work there, or skip single tests with a reason".to_owned(),
        old: old.map(|at| pages.old[at].number),
        new: Some(pages.new[new].number),
        name: Some(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_holds_for_less_by_what_the_machine_is_asked() {
        for (was, is) in [
            ("Boolean(pty)", "Boolean(pty) && process.platform !== 'linux'"),
            ("which('git') is not None", "which('git') is not None and sys.platform != 'win32'"),
            ("true", "process.platform !== 'linux'"),
            ("os.Getenv(\"NO_NETWORK\") == \"\"", "false"),
        ] {
            assert!(is_narrower(was, is, true), "{was} -> {is}");
            assert!(!is_narrower(is, was, true), "{is} -> {was}");
        }
        assert!(!is_narrower("found", "found && version.length > 0 || other", true));
        assert!(is_narrower("old || sys.platform == 'win32'", "old", false));
        assert!(!is_narrower("found(path)", "found(path) && is_file(path)", true));
    }
}
