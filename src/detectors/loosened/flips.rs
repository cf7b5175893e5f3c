//! Switches of protection that are turned: `autoescape=True` became `autoescape=False`, `SECURE_SSL_REDIRECT` is off.
//!
//! How something is sent, as by `useTls`, is a feature; other rules tell of those.

use super::reading::{Page, Part, Told};
use crate::detectors::functions::plain;
use crate::detectors::gaps::Gap;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::text::{clipped, contains, one_line};

/// Words of names that stand for protection.
const PROTECTS: &[&str] = &[
    "secure",
    "xss",
    "autoescape",
    "escape",
    "sanitize",
    "sanitise",
    "hsts",
    "httponly",
    "authenticate",
    "authentication",
    "authorization",
    "enforce",
    "validating",
    "validate",
    "validation",
    "verification",
    "signed",
];

/// Whether a switch of this name protects while it is on.
pub fn protects(name: &str) -> bool {
    let words = words(name);
    let lets_go = ["skip", "disable", "disabled", "no", "ignore", "without", "bypass", "allow", "is", "has"];
    words.iter().any(|word| PROTECTS.contains(&word.as_str()))
        && !words.iter().any(|word| lets_go.contains(&word.as_str()))
}

pub fn may(gone: &[u8], fresh: &[u8]) -> bool {
    let turned = |on: &[u8], off: &[u8]| contains(gone, on) && contains(fresh, off);
    turned(b"true", b"false") || turned(b"True", b"False")
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    page.pairs(gap).into_iter().find_map(|((old, was), (new, is))| {
        let name = turned_off(&plain(&was), &plain(&is))?;
        Some(Told {
            part: Part::Checks,
            message: format!("`{name}` is off now: `{}`", clipped(&one_line(&is), 80)),
            old: Some(old),
            new: Some(new),
            detail: name,
        })
    })
}

/// The switch of protection that two lines, otherwise the same, have on and off.
fn turned_off(was: &str, is: &str) -> Option<String> {
    [("true", "false"), ("True", "False")].into_iter().find_map(|(on, off)| {
        let (at, _) = was.match_indices(on).find(|(at, _)| {
            let turned = format!("{}{off}{}", &was[..*at], &was[at + on.len()..]);
            turned == is
        })?;
        let name = names_of_any_length(&was[..at]).last()?;
        let is_set = was[..at].ends_with(['=', ':', '(', ' ']) && !was[..at].ends_with("==");
        (is_set && protects(name)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_of_protection_are_known() {
        let off = |was, is| turned_off(was, is);
        assert_eq!(off("autoescape=True", "autoescape=False").as_deref(), Some("autoescape"));
        assert_eq!(off("f.setValidating(true)", "f.setValidating(false)").as_deref(), Some("setValidating"));
        assert_eq!(off("skipValidation=true", "skipValidation=false"), None);
        assert_eq!(off("cache=True", "cache=False"), None);
        assert_eq!(off("autoescape=False", "autoescape=True"), None);
    }
}
