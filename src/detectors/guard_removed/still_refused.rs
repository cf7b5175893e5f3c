//! What in a function still refuses what a lost check refused, though in other words or at another place of it.
//!
//! Part of the rule about guards.

use crate::assertions::assignment;
use crate::collections::HashSet;
use crate::detectors::exits::{is_alive, values};
use crate::detectors::functions::{Changed, agreement, plain, words};
use crate::detectors::subject::{binding, names_of_any_length, roots};
use crate::facts::{Context, Exit, ExitKind, Function, Span};

/// Why a lost check is no loss, by what is left of the function.
pub fn still_refused(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    property_refuses(change, lost)
        .or_else(|| source_refuses(change, lost))
        .or_else(|| is_refused_at_large(change, lost))
        .or_else(|| by_kind(change, lost))
        .or_else(|| under_another_name(change, lost))
        .or_else(|| in_the_same_words(change, lost))
        .or_else(|| hands_on_at_last(change, lost))
        .or_else(|| done_without(change, lost))
        .or_else(|| gives_other_things(change, lost))
}

/// In the same case the function gives back more or fewer values than it did: it is another function now.
fn gives_other_things(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let returns = |exit: &Exit| exit.text.starts_with("return ");
    let other = |exit: &Exit| {
        returns(exit)
            && plain(&exit.condition) == plain(&lost.condition)
            && values(&exit.text) != values(&lost.text)
    };
    let found = !lost.condition.is_empty() && returns(lost) && change.new.exits.iter().any(other);
    found.then(|| "the function gives back other things now".to_owned())
}

/// The check was for nothing, and what is no thing of some kind is refused: `!(x instanceof Order)`.
fn by_kind(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let asked: Vec<&str> = names_of_any_length(&lost.condition).filter(|name| *name != "is").collect();
    let name = match asked[..] {
        [name, "null" | "None" | "undefined" | "nil"] | ["null" | "None" | "undefined" | "nil", name] => name,
        [name] if lost.condition.contains('!') => name,
        ["not", name] => name,
        _ => return None,
    };
    let spelled = [
        format!("!({name}instanceof"),
        format!("notisinstance({name},"),
        format!("!isinstance({name},"),
        format!("typeof{name}!="),
        format!("!Array.isArray({name})"),
    ];
    let asks = |exit: &&Exit| {
        let condition: String = exit.condition.chars().filter(|c| !c.is_whitespace()).collect();
        exit.kind.refuses() && spelled.iter().any(|kind| condition.contains(kind.as_str()))
    };
    let left = change.new.exits.iter().find(asks)?;
    Some(format!("`{}`, which is still refused, holds for it too", left.condition))
}

/// The same is asked of a variable that holds what was checked.
fn under_another_name(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    if lost.context == Context::Check || lost.condition.is_empty() {
        return None;
    }
    let after = change.new_text();
    for name in roots(&lost.condition) {
        let holds = |line: &str| {
            let (target, value) = assignment(line)?;
            let alias = names_of_any_length(target).last()?;
            let value = value.trim().trim_end_matches(';');
            (value == name && alias != name).then(|| alias.to_owned())
        };
        for alias in after.lines().filter_map(holds) {
            let asked = plain(&renamed(&lost.condition, &name, &alias));
            let same =
                |exit: &&Exit| exit.kind.refuses() && is_alive(exit) && plain(&exit.condition) == asked;
            if change.new.exits.iter().any(|exit| same(&exit)) {
                return Some(format!("`{alias}`, which holds it, is checked for the same"));
            }
        }
    }
    None
}

/// An expression with one name put in place of another.
fn renamed(expression: &str, name: &str, alias: &str) -> String {
    let mut text = String::with_capacity(expression.len());
    let mut rest = expression;
    while let Some(at) = rest.find(name) {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let (head, tail) = rest.split_at(at);
        let tail = &tail[name.len()..];
        let whole = !is_part(head.chars().next_back()) && !is_part(tail.chars().next());
        text.push_str(head);
        text.push_str(if whole { alias } else { name });
        rest = tail;
    }
    text + rest
}

/// Words around a message that say that it is one of a failure.
const FAILS: &[&str] =
    &["err", "Err", "throw", "Throw", "raise", "bail!", "ensure!", "panic", "expect(", "fail", "context("];

/// So much of a message must be there still.
const SAME: f64 = 0.6;

/// The message is still there, in a spelling that is no exit: `.ok_or_else(|| invalid("no parent"))?`.
fn in_the_same_words(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let said = quoted(&lost.text);
    if said.len() < 3 {
        return None;
    }
    let before = change.old_text();
    let lines: Vec<_> = change.side.lines(change.new.span).zip(change.new.span.start..).collect();
    let logs = |number: u32| {
        let line = Span { start: number, end: number };
        change.new.logs.iter().any(|span| span.contains(line))
    };
    let tells = |at: &usize| {
        let (line, number) = &lines[*at];
        let code = line.trim();
        let is_code = !["//", "#", "*", "/*"].iter().any(|mark| code.starts_with(mark));
        let near = &lines[at.saturating_sub(2)..(*at + 2).min(lines.len())];
        let fails = near.iter().any(|(line, _)| FAILS.iter().any(|word| line.contains(word)));
        is_code
            && !before.contains(code)
            && !logs(*number)
            && fails
            && !code.to_lowercase().contains("warn")
            && agreement(&said, &quoted(line)) >= SAME
    };
    (0..lines.len()).any(|at| tells(&at)).then(|| "the function still fails with these words".to_owned())
}

/// A file beside this one refuses with nearly the same words, and did so before.
pub fn refused_beside(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let said = quoted(&lost.text);
    let around = change.old_side.facts.surroundings.as_deref()?;
    let same = |text: &str| said.len() >= 3 && agreement(&said, &quoted(text)) >= BESIDE;
    let found = around.refusals.iter().find(|refusal| same(&refusal.text))?;
    Some(format!("{}:{} refuses in nearly the same words", found.path, found.line))
}

/// So much of what two refusals say is the same where one of them stands in another file.
const BESIDE: f64 = 0.4;

/// The words between the quotes of some code.
fn quoted(code: &str) -> HashSet<String> {
    let texts: Vec<&str> = code.split(['"', '\'', '`']).skip(1).step_by(2).collect();
    words(&texts.join(" "))
}

/// The function always said that all is well, and now hands on what it was told.
fn hands_on_at_last(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let ends = |exit: &&Exit| exit.context == Context::Open && exit.line > lost.line;
    let was_well = change.old.exits.iter().any(|exit| {
        ends(&exit)
            && exit.kind == ExitKind::Default
            && plain(&exit.text).trim_end_matches(';') == "returnnil"
    });
    let head = change.side.text.get(change.new.whole.start..change.new.body.start).unwrap_or_default();
    let names_error = String::from_utf8_lossy(head).contains("err error)");
    let hands_on = |exit: &&Exit| {
        let text = plain(&exit.text);
        exit.context == Context::Open && ((text == "return" && names_error) || text == "returnerr")
    };
    let was = change.old.exits.iter().any(|exit| hands_on(&exit));
    let lines: Vec<_> = change.side.lines(change.new.span).map(|line| line.trim().to_owned()).collect();
    let bare =
        || names_error && lines.iter().rev().find(|line| line.len() > 1).is_some_and(|line| line == "return");
    let hands = was_well && !was && (bare() || change.new.exits.iter().any(|exit| hands_on(&exit)));
    hands.then(|| "the function now hands on an error that it kept to itself".to_owned())
}

/// What a call by the name of a check stood before is done without it at another place of the function: so what is
/// done there checks by itself, or nobody ever checked.
fn done_without(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    if lost.context != Context::Check {
        return None;
    }
    let lines: Vec<_> = change.old_side.lines(change.old.span).zip(change.old.span.start..).collect();
    let code = |line: &str| plain(line.trim());
    let next = lines.iter().find(|(line, number)| *number > lost.span.end && code(line).len() > 1)?;
    let (does, given) = (code(&next.0), roots(lost.condition.trim_start_matches('(')));
    let uses = names_of_any_length(&next.0).filter(|name| given.iter().any(|word| word == name)).count();
    let is_call = does.contains('(') && !does.ends_with('{') && !does.starts_with("return");
    if uses < given.len().max(2) || !is_call {
        return None;
    }
    let check = code(&lost.text);
    let elsewhere = (1..lines.len()).find(|&at| {
        let (line, number) = &lines[at];
        *number != next.1 && code(line) == does && !code(&lines[at - 1].0).contains(&check)
    })?;
    Some(format!("line {} does the same without it", lines[elsewhere].1))
}

/// What the check asked for is a property that refuses by itself: `self.store is None`, and `store` throws.
fn property_refuses(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let asked = ["self.", "this."].iter().find_map(|own| {
        let at = lost.condition.find(own)? + own.len();
        names_of_any_length(&lost.condition[at..]).next()
    })?;
    let refuses = |function: &&Function| {
        function.short_name() == asked && function.exits.iter().any(|exit| exit.kind.refuses())
    };
    let property = change.side.facts.functions.iter().find(refuses)?;
    Some(format!("`{}`, which it asked for, refuses by itself", property.name))
}

/// Parts of names of calls that refuse to give nothing, in lower case.
const REFUSES_NOTHING: &[&str] =
    &["orelsethrow", "orthrow", "orfail", "or_fail", "or_raise", "or_404", "requirenonnull", "checknotnull"];

/// The check was for nothing, and what it asked for comes from a call that refuses to give nothing:
/// `owner = found.orElseThrow()`, and then `owner == null`.
fn source_refuses(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let asked: Vec<&str> = names_of_any_length(&lost.condition).filter(|name| *name != "is").collect();
    let [name, "null" | "None" | "undefined" | "nil"] = asked[..] else { return None };
    let after = change.new_text();
    let refuses = |source: &String| {
        let lower = source.to_lowercase();
        REFUSES_NOTHING.iter().any(|part| lower.contains(part))
    };
    let source = binding(&after, name).into_iter().next().filter(refuses)?;
    Some(format!("`{source}`, which gives `{name}`, refuses to give nothing"))
}

/// The same is refused, in the same words, wherever a part of the condition holds: more is refused there.
fn is_refused_at_large(change: &Changed<'_>, lost: &Exit) -> Option<String> {
    let parts: Vec<String> =
        lost.condition.split("&&").flat_map(|part| part.split(" and ")).map(plain).collect();
    let at_large = |exit: &&Exit| {
        exit.kind == lost.kind
            && plain(&exit.text) == plain(&lost.text)
            && parts.contains(&plain(&exit.condition))
    };
    let found = change.new.exits.iter().find(at_large).filter(|_| parts.len() > 1)?;
    Some(format!("the function refuses it where `{}`", found.condition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_are_renamed() {
        assert_eq!(renamed("body == \"\" || nobody", "body", "text"), "text == \"\" || nobody");
        assert_eq!(renamed("body.body", "body", "a"), "a.a");
    }

    #[test]
    fn the_words_of_a_message_stand_between_quotes() {
        assert_eq!(quoted("fail(\"no parent\", x)"), ["no", "parent"].map(str::to_owned).into());
    }
}
