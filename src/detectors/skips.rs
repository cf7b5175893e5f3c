//! Skips that are new to a kept test: what the rules on skipping have in common.

use super::comment_reasons::told_beside;
use super::conditions::holds_for_less;
use super::off_when::{Compared, Here, Off};
use crate::assertions::split;
use crate::comparison::{At, Comparison, FileSide};
use crate::facts::{Scope, Skip, SkipKind, Span, Test};
use crate::finding::{Finding, Severity};
use crate::pairing::Fate;

/// A skip on a test that had none as strong before.
pub struct NewSkip<'a> {
    pub before: At,
    pub after: At,
    pub skip: &'a Skip,
}

/// Skips of the after side that make a kept test run less than before.
pub fn new_skips(comparison: &Comparison) -> impl Iterator<Item = NewSkip<'_>> {
    let mut known = Compared::default();
    comparison.pairing.fates.iter().filter_map(move |(before, fate)| {
        let Fate::Same { after, .. } = fate else { return None };
        let (old, new) = (comparison.before(*before), comparison.after(*after));
        let skip = new.1.skip.as_ref().filter(|skip| rank(Some(skip)) > rank(old.1.skip.as_ref()));
        let skip = skip.or_else(|| off_more_often(old, new, &mut known))?;
        Some(NewSkip { before: *before, after: *after, skip })
    })
}

/// The condition by which a test that was not off in any case is off more often.
fn off_more_often<'a>(old: Here<'a>, new: Here<'a>, known: &mut Compared<'a>) -> Option<&'a Skip> {
    let (was, is) = (&old.1.conditions, &new.1.conditions);
    if rank(old.1.skip.as_ref()) > 1 || is.is_empty() {
        return None;
    }
    match if was.is_empty() { Off::Unknown } else { known.compare(old, new) } {
        Off::More if is.len() <= was.len() => {
            let is_new =
                |skip: &&Skip| !was.iter().any(|old| old.mark == skip.mark && old.under == skip.under);
            is.iter().find(is_new).or(is.first())
        }
        Off::NoMore => None,
        Off::More | Off::Unknown => new_condition(old.1, new.1).or_else(|| wider_condition(old.1, new.1)),
    }
}

/// A condition in addition to those that a test had.
fn new_condition<'a>(old: &Test, new: &'a Test) -> Option<&'a Skip> {
    let known = |skip: &Skip| {
        old.conditions.iter().any(|old| old.mark == skip.mark) || came_from_around(old, new, skip)
    };
    let more = new.conditions.len() > old.conditions.len();
    new.conditions.iter().filter(|_| more).find(|skip| !known(skip))
}

/// Whether a condition of a test was one of its suite or its file, which is gone: other tests run more often now, and this
/// one as often as before.
fn came_from_around(old: &Test, new: &Test, skip: &Skip) -> bool {
    const SPELLING: &[&str] =
        &["cfg", "cfg_attr", "all", "any", "not", "ignore", "attr", "go", "build", "reason"];
    let words = |mark: &str| -> Vec<String> {
        split(mark).filter(|word| !SPELLING.contains(word)).map(str::to_owned).collect()
    };
    let asked = words(&skip.mark);
    let gone = old.conditions.iter().filter(|was| !new.conditions.iter().any(|is| is.mark == was.mark));
    // Of several alternatives each one that goes makes a test run less.
    let is_choice = |mark: &str| ["any(", "||", " or "].iter().any(|sign| mark.contains(sign));
    let mut around = gone.filter(|was| was.scope != Scope::Test && !is_choice(&was.mark));
    !asked.is_empty() && around.any(|was| asked.iter().all(|word| words(&was.mark).contains(word)))
}

/// A condition that holds more often than the one it replaces: another alternative came to it.
fn wider_condition<'a>(old: &Test, new: &'a Test) -> Option<&'a Skip> {
    if old.conditions.len() != new.conditions.len() {
        return None;
    }
    let changed = old.conditions.iter().zip(&new.conditions).find(|(old, new)| old.mark != new.mark);
    changed.filter(|(old, new)| holds_more_often(&old.mark, &new.mark)).map(|(_, new)| new)
}

/// Whether a mark keeps a test from running in more places than another one.
fn holds_more_often(old: &str, new: &str) -> bool {
    // What is required says where a test is on: a further alternative makes it run more.
    if requirements(old).is_some() && requirements(new).is_some() {
        return requires_more(old, new);
    }
    has_more_alternatives(old, new) || names_more(old, new) || lists_more(old, new) || runs_less(old, new)
}

/// Whether a suite or a test is only run where more holds: `describe.runIf(a)` became `describe.runIf(a && !b)`.
fn runs_less(old: &str, new: &str) -> bool {
    let given = |text: &str, call: &str| -> Option<String> {
        let inside = &text[text.find(call)? + call.len()..];
        Some(inside[..inside.rfind(')')?].to_owned())
    };
    let both = |call: &str| given(old, call).zip(given(new, call));
    let on = both(".runIf(").is_some_and(|(was, is)| holds_for_less(&was, &is).is_some());
    on || both(".skipIf(").is_some_and(|(was, is)| holds_for_less(&is, &was).is_some())
}

/// Whether a mark names more places where a test is off, or fewer where it is on: `@DisabledOnOs({WINDOWS, MAC})`.
fn names_more(old: &str, new: &str) -> bool {
    let (was, is) = (unquoted_words(old), unquoted_words(new));
    let Some(head) = was.first().filter(|head| is.first() == Some(head)).map(|head| head.to_lowercase())
    else {
        return false;
    };
    let constants = |few: &[&str], many: &[&str]| {
        let is_constant = |word: &str| {
            let name = word.rsplit('.').next().unwrap_or(word);
            !name.chars().any(char::is_lowercase) && name.chars().any(char::is_alphabetic)
        };
        let mut more = many.iter().filter(|word| !few.contains(word)).peekable();
        more.peek().is_some()
            && more.all(|word| is_constant(word))
            && few.iter().all(|word| many.contains(word))
    };
    match () {
        () if ["disabled", "skip", "ignore"].iter().any(|word| head.contains(word)) => constants(&was, &is),
        () if head.contains("enabled") => constants(&is, &was),
        () => false,
    }
}

/// The names of a mark, without what stands in quotes.
fn unquoted_words(text: &str) -> Vec<&str> {
    let code = text.split(['"', '\'']).step_by(2);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let words = code.flat_map(|part| part.split(move |c: char| !is_part(c)));
    words.filter(|word| !word.is_empty() && *word != "value").collect()
}

/// Whether the list that a condition looks into has all it had, and more: `sys.platform in ("win32", "darwin")`.
fn lists_more(old: &str, new: &str) -> bool {
    let list = |text: &str| -> Option<(String, Vec<String>)> {
        let (head, rest) = text.split_once(" in ")?;
        let open = rest.trim_start().strip_prefix(['(', '[', '{'])?;
        let inside = &open[..open.find([')', ']', '}'])?];
        let items = inside.split(',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty());
        (!head.ends_with(" not")).then(|| (head.to_owned(), items.collect()))
    };
    let (Some((head, was)), Some((same, is))) = (list(old), list(new)) else { return false };
    head == same && is.len() > was.len() && was.iter().all(|item| is.contains(item))
}

/// Whether a test is built in fewer places: what it requires has all it had, and more of the platform.
fn requires_more(old: &str, new: &str) -> bool {
    let (Some(was), Some(is)) = (requirements(old), requirements(new)) else { return false };
    let more: Vec<&String> = is.iter().filter(|item| !was.contains(item)).collect();
    let gone: Vec<&String> = was.iter().filter(|item| !is.contains(item)).collect();
    let is_wider = |(was, is): (&String, &String)| {
        let excepted = |text: &str| {
            let inside = text.strip_prefix("not(").and_then(|rest| rest.strip_suffix(')'))?;
            Some(arguments(inside, "any").unwrap_or_else(|| vec![inside.to_owned()]))
        };
        let (Some(was), Some(is)) = (excepted(was), excepted(is)) else { return false };
        is.len() > was.len() && was.iter().all(|item| is.contains(item))
    };
    match (gone.as_slice(), more.as_slice()) {
        ([], more) => more.iter().any(|item| speaks_of_platform(item)),
        ([was], [is]) => speaks_of_platform(is) && is_wider((was, is)),
        _ => false,
    }
}

/// Whether a requirement is about where a test runs, and not about what is switched on.
fn speaks_of_platform(item: &str) -> bool {
    item.starts_with('!') || !item.contains("feature")
}

/// All that a mark on a build asks for: the parts of `#[cfg(all(..))]`, of `//go:build a && b`.
fn requirements(mark: &str) -> Option<Vec<String>> {
    let plain: String = mark.chars().filter(|c| !c.is_whitespace()).collect();
    if let Some(tags) = plain.strip_prefix("//go:build") {
        let is_choice = tags.contains("||") || tags.contains('(');
        return (!is_choice).then(|| tags.split("&&").map(str::to_owned).collect());
    }
    let attribute = plain.strip_prefix("#[").or_else(|| plain.strip_prefix("#!["))?.strip_suffix(']')?;
    let predicate = attribute.strip_prefix("cfg(")?.strip_suffix(')')?;
    Some(arguments(predicate, "all").unwrap_or_else(|| vec![predicate.to_owned()]))
}

/// What a predicate such as `all(a, b)` is given, where it is one of that name.
fn arguments(predicate: &str, name: &str) -> Option<Vec<String>> {
    let inside = predicate.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
    let (mut parts, mut depth) = (vec![String::new()], 0_i32);
    for c in inside.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect())
}

/// Whether a condition has all words of another one, and offers further ones to choose from.
fn has_more_alternatives(old: &str, new: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '&' | '|' | '!');
        text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (old, new) = (words(old), words(new));
    let count =
        |words: &[String], of: &[&str]| words.iter().filter(|word| of.contains(&word.as_str())).count();
    let more = |of: &[&str]| count(&new, of) > count(&old, of);
    let kept = old.iter().all(|word| count(&new, &[word]) >= count(&old, &[word]));
    kept && (more(&["or", "||", "any"]) || more(&["in"])) && !more(&["and", "&&", "all", "not", "!"])
}

fn rank(skip: Option<&Skip>) -> u8 {
    match skip.map(|skip| skip.kind) {
        None => 0,
        Some(SkipKind::Conditional) => 1,
        Some(SkipKind::ExpectedFailure) => 2,
        Some(SkipKind::Focus | SkipKind::NotCollected | SkipKind::Unconditional) => 3,
    }
}

/// What to do about a skip; `then` is what follows once the mark is off.
pub fn remedy(skip: &Skip, path: &str, then: &str) -> String {
    let place = format!("`{}` ({path}:{})", skip.mark, skip.line);
    match skip.kind {
        SkipKind::Conditional => {
            format!("make sure that {place} holds only where the test really cannot run")
        }
        _ => format!("take {place} off and {then}"),
    }
}

/// Whether the condition of a skip only moved: the file skipped under it before, and does so no more often now.
fn was_asked(sides: [&FileSide; 2], skip: &Skip) -> bool {
    let plain = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let Some(condition) = skip.under.as_deref().map(plain).filter(|condition| condition.len() >= ASKED)
    else {
        return false;
    };
    let condition = condition.trim_matches(['(', ')']);
    let [before, after] = sides.map(|side| {
        let code = side.code();
        let skips = |at: usize| code.iter().skip(at).take(NEAR).any(|line| says_skip(&line.code));
        let lines = code.iter().enumerate();
        lines.filter(|(at, line)| plain(&line.code).contains(condition) && skips(*at)).count()
    });
    before > 0 && after <= before
}

/// Whether the file skipped for the very reason before, spelled in another way.
fn was_given(sides: [&FileSide; 2], skip: &Skip) -> bool {
    let Some(reason) = skip.reason.as_deref().map(str::trim).filter(|reason| reason.len() >= ASKED) else {
        return false;
    };
    let head = skip.mark.split('(').next().unwrap_or_default();
    let [before, after] = sides.map(|side| -> Vec<bool> {
        let lines = side.lines(Span { start: 1, end: u32::MAX });
        lines
            .filter(|line| line.contains(reason) && says_skip(line))
            .map(|line| line.contains(head))
            .collect()
    });
    // The same mark with another condition is no other spelling.
    before.contains(&false) && after.len() <= before.len()
}

/// Whether a mark that kept a test from running, or from failing, was taken off it.
pub fn came_on_again((old_side, old): Here<'_>, (side, new): Here<'_>) -> bool {
    let is_marked = |side: &FileSide, test: &Test| {
        let head = Span { start: test.span.start, end: test.line.saturating_sub(1) };
        side.lines(head).any(|line| {
            let line = line.trim().to_ascii_lowercase();
            let is_mark = line.starts_with(['@', '#']);
            is_mark
                && ["xfail", "skip", "expectedfailure", "disabled", "ignore"]
                    .iter()
                    .any(|word| line.contains(word))
        })
    };
    is_marked(old_side, old) && !is_marked(side, new)
}

/// So many lines from a condition on are looked at for what it decides.
const NEAR: usize = 3;

fn says_skip(line: &str) -> bool {
    if line.trim_end().trim_end_matches(';').ends_with("return") {
        return true;
    }
    let lower = line.to_ascii_lowercase();
    ["skip", "assume", "ignore", "xfail", "disable"].iter().any(|word| lower.contains(word))
}

/// Shorter conditions are found by chance.
const ASKED: usize = 12;

/// A condition on the environment, or the one skip of the change that says why, is not a blocker. The test is given where
/// its skip is the only one.
pub fn lower_by_reason(finding: &mut Finding, sides: [&FileSide; 2], skip: &Skip, alone: Option<&Test>) {
    match (&skip.kind, &skip.reason) {
        (SkipKind::Conditional, _) if was_asked(sides, skip) || was_given(sides, skip) => {
            finding.lower(Severity::Low, "its file asked the same condition before");
        }
        (SkipKind::Conditional, _) => {
            finding.lower(Severity::Medium, "it depends on the environment, so it still runs elsewhere");
        }
        (_, Some(reason)) if alone.is_some() && !reason.trim().is_empty() => {
            finding.lower(
                Severity::Medium,
                format!("it is the only skip of the change and gives a reason: {reason}"),
            );
        }
        _ => {
            if let Some(reason) = alone.and_then(|test| told_beside(sides, test, skip)) {
                finding.lower(
                    Severity::Medium,
                    format!("it is the only skip of the change and a comment gives a reason: {reason}"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_hold_in_more_places() {
        for (was, is) in [
            ("@DisabledOnOs(OS.WINDOWS)", "@DisabledOnOs({OS.WINDOWS, OS.MAC})"),
            ("@EnabledOnOs({LINUX, MAC})", "@EnabledOnOs(LINUX)"),
            ("#[cfg(feature = \"std\")]", "#[cfg(all(feature = \"std\", not(target_os = \"wasi\")))]"),
            ("#[cfg(not(windows))]", "#[cfg(not(any(windows, target_os = \"macos\")))]"),
            ("//go:build !windows", "//go:build !windows && !darwin"),
            ("skipif(sys.platform in ('win32',))", "skipif(sys.platform in ('win32', 'darwin'))"),
            ("skipif(WINDOWS)", "skipif(WINDOWS or MAC)"),
            ("describe.runIf(serve)", "describe.runIf(serve && !old)"),
            ("it.skipIf(a)", "it.skipIf(a || b)"),
        ] {
            assert!(holds_more_often(was, is), "{was} -> {is}");
            assert!(!holds_more_often(is, was), "{is} -> {was}");
        }
    }

    #[test]
    fn marks_that_hold_elsewhere_or_less() {
        for (was, is) in [
            ("@DisabledOnOs(OS.WINDOWS)", "@DisabledOnOs(value = OS.WINDOWS, disabledReason = \"NO FORK\")"),
            ("@DisabledOnOs(OS.MAC)", "@DisabledOnOs(value = OS.MAC, architectures = \"aarch64\")"),
            ("@DisabledForJreRange(min = JAVA_8)", "@DisabledForJreRange(min = JAVA_8, max = JAVA_9)"),
            ("#[cfg(feature = \"a\")]", "#[cfg(all(feature = \"a\", feature = \"b\"))]"),
            ("#[cfg(unix)]", "#[cfg(any(unix, windows))]"),
            ("skipif(sys.platform not in ('a',))", "skipif(sys.platform not in ('a', 'b'))"),
        ] {
            assert!(!holds_more_often(was, is), "{was} -> {is}");
        }
    }
}
