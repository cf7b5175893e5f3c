//! Lists that decide what is refused: one of what is forbidden lost an entry, one of what is let through unseen gained
//! one.

use std::collections::BTreeSet;

use super::reading::{Page, Part, Told};
use crate::comparison::CodeLine;
use crate::detectors::gaps::Gap;
use crate::detectors::switch_names::words;
use crate::text::contains;

/// Words of lists of what is refused.
const REFUSING: &[&str] = &[
    "reserved",
    "forbidden",
    "banned",
    "blocked",
    "denied",
    "deny",
    "blacklist",
    "blacklisted",
    "blocklist",
    "denylist",
    "disallowed",
    "prohibited",
    "dangerous",
    "illegal",
    "sensitive",
    "redacted",
];

/// Words of lists of what is let through ...
const PASSING: &[&str] = &[
    "exempt",
    "exempted",
    "exemptions",
    "bypass",
    "unauthenticated",
    "anonymous",
    "trusted",
    "whitelist",
    "whitelisted",
    "allowlist",
    "allowed",
    "permitted",
    "public",
    "skip",
    "skipped",
    "ignored",
    "ignore",
];

/// ... and what they are about.
const ABOUT: &[&str] = &[
    "auth",
    "csrf",
    "login",
    "validation",
    "verification",
    "origin",
    "origins",
    "host",
    "hosts",
    "domain",
    "domains",
    "ip",
    "ips",
    "role",
    "roles",
    "permission",
    "permissions",
    "issuer",
    "issuers",
    "algorithms",
];

/// What is let through unheard.
const ERRORS: &[&str] = &["error", "errors", "exception", "exceptions", "failures"];

/// Lists of more lines are data.
const LONG: usize = 80;

pub fn may(gone: &[u8], fresh: &[u8]) -> bool {
    let quoted = |text: &[u8]| contains(text, b"\"") || contains(text, b"'") || contains(text, b"`");
    quoted(gone) || quoted(fresh)
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    let (was, is) = (texts(&gap.gone), texts(&gap.fresh));
    let lost: Vec<&String> = was.iter().filter(|text| !is.contains(*text)).collect();
    let gained: Vec<&String> = is.iter().filter(|text| !was.contains(*text)).collect();
    if lost.len() == gained.len() {
        return None;
    }
    let (name, old, new) = name_of(page, gap)?;
    let words = words(&name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let is_in = |text: &[u8], entry: &&&String| contains(text, entry.as_bytes());
    if has(REFUSING) && !has(PASSING) {
        let entry = lost.iter().find(|entry| gained.is_empty() && !is_in(&page.after.text, entry))?;
        let message = format!("`{name}` no longer has `{entry}`: what it kept out gets in");
        return Some(Told { part: Part::Checks, message, old, new, detail: (*entry).clone() });
    }
    let part = match () {
        () if !has(PASSING) => return None,
        () if has(ERRORS) => Part::Errors,
        () if has(ABOUT) => Part::Checks,
        () => return None,
    };
    let entry = gained.iter().find(|entry| lost.is_empty() && !is_in(&page.before.text, entry))?;
    let message = format!("`{name}` now has `{entry}`, which is let through");
    Some(Told { part, message, old, new, detail: (*entry).clone() })
}

/// The texts that some lines quote.
fn texts(lines: &[&CodeLine]) -> BTreeSet<String> {
    let quoted = |line: &&&CodeLine| line.code.contains(['"', '\'', '`']);
    let parts =
        lines.iter().filter(quoted).flat_map(|line| line.code.split(['"', '\'', '`']).skip(1).step_by(2));
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The name of the list that a place belongs to, and the lines to show.
fn name_of(page: &Page<'_>, gap: &Gap<'_>) -> Option<(String, Option<u32>, Option<u32>)> {
    let (old, new) = (gap.gone.first().map(|line| line.number), gap.fresh.first().map(|line| line.number));
    if let ([one], [other]) = (&gap.gone[..], &gap.fresh[..])
        && let Some(name) = opened(&one.code).filter(|name| opened(&other.code).as_ref() == Some(name))
    {
        return Some((name, old, new));
    }
    let is_item = |line: &&CodeLine| line.code.starts_with(['"', '\'', '`']) && !line.code.contains('(');
    if !gap.gone.iter().chain(&gap.fresh).all(is_item) {
        return None;
    }
    let lines = page.after.code();
    let end = lines.partition_point(|line| line.number < new.unwrap_or(gap.next));
    let above = lines[..end].iter().rev().filter(|line| !line.code.is_empty()).take(LONG);
    for line in above {
        if line.code.ends_with(['[', '{', '(']) {
            return opened(&line.code).map(|name| (name, old, new));
        }
        if !is_item(&line) {
            return None;
        }
    }
    None
}

/// The name of a list that a line opens: `NAME=[`, `constname=newSet([`, `staticNAME:&[&str]=&[`.
fn opened(code: &str) -> Option<String> {
    let at = code.find('=').or_else(|| code.find(":[")).or_else(|| code.find(":{"))?;
    let value = code[at..].trim_start_matches(['=', ':', '&']);
    let makes = [
        "[",
        "{",
        "(",
        "newSet(",
        "set(",
        "frozenset(",
        "Set.of(",
        "List.of(",
        "Arrays.asList(",
        "vec![",
        "[]string{",
        "map[string]bool{",
        "newHashSet<>(",
    ];
    if !makes.iter().any(|make| value.starts_with(make)) {
        return None;
    }
    let head = code[..at].trim_end_matches(':');
    let head = head.split(':').next().unwrap_or(head);
    let name = head
        .rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
        .find(|name| !name.is_empty())?;
    let name = name.rsplit('.').next().unwrap_or(name);
    let keywords = ["const", "let", "var", "static", "export", "publicstatic", "final"];
    Some(keywords.iter().fold(name, |name, word| name.strip_prefix(word).unwrap_or(name)).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_known_by_their_names() {
        for (code, name) in [
            ("RESERVED=['a','b']", "RESERVED"),
            ("constbanned=newSet([", "banned"),
            ("staticDENIED:&[&str]=&[", "DENIED"),
            ("self.blocked={", "blocked"),
        ] {
            assert_eq!(opened(code).as_deref(), Some(name), "{code}");
        }
        assert_eq!(opened("x=compute(['a'])"), None);
    }
}
