//! Wrappers that protected by their name and are gone, while what they wrapped stays: `requireAuth(handler)` became
//! `handler`, `escape(text)` became `text`.

use super::reading::{Page, Part, Told, count_in};
use crate::detectors::functions::plain;
use crate::detectors::gaps::Gap;
use crate::detectors::guard_removed::protections::protects;
use crate::detectors::switch_names::words;
use crate::text::{clipped, contains, one_line};

/// Words of functions that make a value harmless.
const HARMLESS: &[&str] =
    &["sanitize", "sanitise", "sanitized", "purify", "escape", "escaped", "clean", "verified", "untaint"];

/// Beginnings of words that such names have, as bytes.
const HINTS: &[&[u8]] = &[
    b"uth",
    b"ogin",
    b"ermission",
    b"ole",
    b"csrf",
    b"uard",
    b"rotect",
    b"jwt",
    b"alid",
    b"anit",
    b"urify",
    b"scape",
    b"lean",
    b"erif",
    b"equire",
    b"dmin",
    b"taff",
];

pub fn may(gone: &[u8], _: &[u8]) -> bool {
    HINTS.iter().any(|hint| contains(gone, hint))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    page.pairs(gap).into_iter().find_map(|((old, was), (new, is))| {
        let name = unwrapped(&was, &is)?;
        // A new line that names it may put it in front of all.
        let known = |code: &str| page.before.code().iter().any(|line| line.code == code);
        let named = page.after.code().iter().any(|line| line.code.contains(&name) && !known(&line.code));
        let moved = named || count_in(page.after, &name) >= count_in(page.before, &name);
        let gone = page.comparison.production.removed_definitions.contains(&name);
        (!moved && !gone && !page.refuses_more(old, new)).then(|| Told {
            part: Part::Checks,
            message: format!("`{name}` no longer stands around `{}`", clipped(&one_line(&is), 80)),
            old: Some(old),
            new: Some(new),
            detail: name,
        })
    })
}

/// The name of a call that one line has around something that the other has without, all else being the same.
fn unwrapped(was: &str, is: &str) -> Option<String> {
    // `return` would be taken for a part of the name behind it.
    let bare = |text: &str| plain(text.trim().trim_start_matches("return "));
    let (was, is) = (bare(was), bare(is));
    let protects =
        |name: &str| protects(name) || words(name).iter().any(|word| HARMLESS.contains(&word.as_str()));
    was.match_indices('(').find_map(|(at, _)| {
        let path = was[..at]
            .rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$')))
            .next()?;
        let name = path.rsplit(['.', ':']).next().filter(|name| !name.is_empty() && protects(name))?;
        let inside = &was[at + 1..];
        let end = closing(inside)?;
        // A second argument says how it is wrapped.
        let wrapped = &inside[..first_argument(&inside[..end])];
        let rest = &inside[end + 1..];
        let rebuilt = format!("{}{wrapped}{rest}", &was[..at - path.len()]);
        (!wrapped.is_empty() && rebuilt == is && !is.contains(name)).then(|| name.to_owned())
    })
}

/// Where the bracket closes that was opened before a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0i64;
    text.bytes().position(|byte| {
        depth += i64::from(byte == b'(') - i64::from(byte == b')');
        depth < 0
    })
}

/// Where the first argument of a call ends.
fn first_argument(text: &str) -> usize {
    let mut depth = 0i64;
    let ends = |byte: u8| {
        depth +=
            i64::from(matches!(byte, b'(' | b'[' | b'{')) - i64::from(matches!(byte, b')' | b']' | b'}'));
        depth == 0 && byte == b','
    };
    text.bytes().position(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_that_protects_is_missed() {
        for (was, is, name) in [
            (
                "m.Handle(\"/admin\", requireAuth(adminHandler))",
                "m.Handle(\"/admin\", adminHandler)",
                "requireAuth",
            ),
            ("el.innerHTML = purify(text)", "el.innerHTML = text", "purify"),
            ("return html.escape(name, quote=True)", "return name", "escape"),
        ] {
            assert_eq!(unwrapped(was, is).as_deref(), Some(name), "{was}");
        }
        assert_eq!(unwrapped("x = load(text)", "x = text"), None);
        assert_eq!(unwrapped("x = escape(text)", "x = quote(text)"), None);
    }
}
