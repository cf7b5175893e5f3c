//! Functions whose name says that they decide, and that ask for less before they say yes: `a && b && c` became `a`.

use super::reading::{Page, Part, Told};
use crate::detectors::conditions::conjuncts;
use crate::detectors::gaps::Gap;
use crate::detectors::switch_names::words;
use crate::text::{clipped, contains, one_line};

/// Words of functions that let something through, or not.
const DECIDES: &[&str] = &[
    "valid",
    "validate",
    "verify",
    "verified",
    "check",
    "accept",
    "accepts",
    "acceptable",
    "allow",
    "allowed",
    "allows",
    "can",
    "authorized",
    "authorised",
    "authenticated",
    "permitted",
    "permission",
    "safe",
    "trusted",
    "secure",
    "eligible",
    "may",
];

pub fn may(gone: &[u8], _: &[u8]) -> bool {
    contains(gone, b"&&") || contains(gone, b" and ")
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    let first = gap.gone.first()?;
    let function = page.function(page.before, first.number)?;
    let decides = words(function.short_name()).iter().any(|word| DECIDES.contains(&word.as_str()));
    let new = gap.fresh.first().map_or(gap.next, |line| line.number);
    if !decides || page.refuses_more(first.number, new) {
        return None;
    }
    let lost = lost(page, gap)?;
    let file = page.after.code();
    // What is asked for elsewhere now was moved.
    let is_asked = file.iter().any(|line| line.code.contains(&lost));
    (!is_asked).then(|| Told {
        part: Part::Checks,
        message: format!("{} no longer asks for `{}`", function.name, clipped(&one_line(&lost), 80)),
        old: Some(first.number),
        new: Some(new),
        detail: lost,
    })
}

/// What had to hold as well, and is gone while the rest of the answer is as it was.
fn lost(page: &Page<'_>, gap: &Gap<'_>) -> Option<String> {
    if let ([one], []) = (&gap.gone[..], &gap.fresh[..]) {
        let rest = one.code.strip_prefix("&&").or_else(|| one.code.strip_suffix("&&"))?;
        return balanced(rest).then(|| rest.to_owned());
    }
    page.pairs(gap).into_iter().find_map(|((_, was), (_, is))| {
        let answer = |line: &str| {
            let line = line.trim_end_matches(';');
            let text = line.strip_prefix("return ").unwrap_or(line);
            (!text.contains(" = ") && !text.ends_with(['{', ':'])).then(|| conjuncts(text))
        };
        let (had, has) = (answer(&was)?, answer(&is)?);
        let fewer = has.len() < had.len() && has.iter().all(|part| had.contains(part));
        had.into_iter().find(|part| fewer && !has.contains(part))
    })
}

fn balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}
