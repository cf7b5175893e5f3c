//! Steps of a kept test whose failure failed it, and is now thrown away: `run().unwrap()` became `let _ = run()`.

use super::ID;
use crate::assertions::expression_key as key;
use crate::collections::HashMap;
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::relation::{self, About};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::Test;
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let kept = comparison.pairing.fates.iter().filter_map(|(at, fate)| match fate {
        Fate::Same { after, .. } => Some((*at, *after)),
        _ => None,
    });
    kept.filter_map(|(before, after)| finding(comparison, before, after)).collect()
}

fn finding(comparison: &Comparison, before: At, after: At) -> Option<Finding> {
    let ((old_side, old), (side, new)) = (comparison.before(before), comparison.after(after));
    if old.body == new.body || new.is_skipped() {
        return None;
    }
    let thrown = steps(side, new, discarded);
    if thrown.is_empty() {
        return None;
    }
    let known = steps(old_side, old, discarded);
    let (mut asked, still) = (steps(old_side, old, checked), steps(side, new, checked));
    asked.extend(steps(old_side, old, insisted));
    let lost = |(step, line): (&String, &u32)| {
        let was = asked.get(step).copied()?;
        (!known.contains_key(step) && !still.contains_key(step)).then_some((was, *line))
    };
    let (was, is) = thrown.iter().filter_map(lost).min()?;
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!(
            "the test {} throws away the failure of a step that it asked for",
            old.qualified_name()
        ),
        help: "let the test fail where the step does".to_owned(),
    };
    let mut finding = draft.on_test(Side::After, side, new);
    finding.line = is;
    finding.before = excerpt(old_side, old.span, was, "this failed the test");
    finding.after = excerpt(side, new.span, is, "this cannot");
    if comparison.production.changed {
        let about = About { side: old_side, test: Some(old), text: "" };
        relation::lower(comparison, &mut finding, Severity::Low, about);
    }
    Some(finding)
}

/// The steps of a test that a reading finds, each with its line.
fn steps(side: &FileSide, test: &Test, read: fn(&str) -> Option<&str>) -> HashMap<String, u32> {
    let lines = (test.span.start..).zip(side.lines(test.span));
    lines
        .filter_map(|(number, line)| Some((key(read(line.trim())?), number)))
        .filter(|(step, _)| step.contains('('))
        .collect()
}

/// The call that a wrapper insists on, or whose value is only there where it did not fail: `Must(parse(x))`,
/// `let a = parse(x).unwrap();`.
fn insisted(line: &str) -> Option<&str> {
    if let Some(at) = line.find("Must(") {
        let inside = &line[at + "Must(".len()..];
        return Some(inside).filter(|rest| rest.contains('(')).and_then(|rest| rest.get(..closing(rest)?));
    }
    let (target, code) = line.split_once(" = ")?;
    let code = code.strip_suffix(".unwrap();").or_else(|| code.strip_suffix("?;"))?;
    target.starts_with("let ").then_some(code)
}

/// Where the bracket closes that stands around a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i64;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth < 0).then_some(at)
    })
}

/// The call whose failure a line throws away.
fn discarded(line: &str) -> Option<&str> {
    let code = line.trim_end_matches(';');
    if let Some((_, call)) = code.split_once(", _ := ").or_else(|| code.split_once(", _ = ")) {
        return Some(call);
    }
    let softened = [".unwrap_or_default()", ".ok()"].iter().find_map(|end| code.strip_suffix(end));
    if let Some((_, call)) = softened.and_then(|code| code.strip_prefix("let ")?.split_once(" = ")) {
        return Some(call);
    }
    let named = ["let _ = ", "_ = ", "_, _ = "].iter().find_map(|head| code.strip_prefix(head));
    let code = named.or_else(|| code.strip_suffix(".ok()").filter(|_| line.ends_with(".ok();")))?;
    Some(code.strip_suffix(".ok()").unwrap_or(code))
}

/// The call whose failure fails the test, where it is all that a line does.
fn checked(line: &str) -> Option<&str> {
    if let Some(code) = line.strip_suffix(".unwrap();").or_else(|| line.strip_suffix("?;")) {
        return is_bare(code).then_some(code);
    }
    if let Some((code, message)) = line.rsplit_once(".expect(\"") {
        return (message.ends_with("\");") && is_bare(code)).then_some(code);
    }
    let asked = ["require.NoError(t, ", "assert.NoError(t, ", "assert.Nil(t, ", "require.Nil(t, "];
    if let Some(code) = asked.iter().find_map(|head| line.strip_prefix(head)) {
        return code.strip_suffix(')');
    }
    let short = line.strip_prefix("if err := ").and_then(|code| code.strip_suffix("; err != nil {"));
    short.or_else(|| line.strip_prefix("err := ")).or_else(|| line.strip_prefix("err = "))
}

/// Whether a call gives nothing to anybody.
fn is_bare(code: &str) -> bool {
    !code.starts_with("let ") && !code.contains(" = ") && !code.starts_with("return ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_by_what_becomes_of_their_failure() {
        for (line, step) in [
            ("let _ = run(4);", "run(4)"),
            ("_ = shop.Run(4)", "shop.Run(4)"),
            ("run(4).await.ok();", "run(4).await"),
        ] {
            assert_eq!(discarded(line), Some(step), "{line}");
            assert_eq!(checked(line), None, "{line}");
        }
        for (line, step) in [
            ("run(4).unwrap();", "run(4)"),
            ("run(4).await.expect(\"runs\");", "run(4).await"),
            ("run(4)?;", "run(4)"),
            ("require.NoError(t, shop.Run(4))", "shop.Run(4)"),
            ("if err := shop.Run(4); err != nil {", "shop.Run(4)"),
        ] {
            assert_eq!(checked(line), Some(step), "{line}");
            assert_eq!(discarded(line), None, "{line}");
        }
        assert_eq!(checked("let a = run(4).unwrap();"), None);
    }
}
