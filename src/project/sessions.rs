//! Environments of tox and sessions of nox: which of them are run, by the parts of their names.

use super::document::Document;
use super::selection::Found;
use super::words::class_of_name;
use crate::facts::{About, CheckClass, Setting, SettingValue};

/// Longer lists are data.
const MAX_PARTS: usize = 400;

/// What `tox` runs where it is told nothing.
pub fn environments(document: &Document) -> Vec<Setting> {
    let listed = document.entries.iter().filter(|entry| entry.is("tox.envlist") || entry.is("tox.env_list"));
    let parts = listed.flat_map(|entry| parts(&entry.value).into_iter().map(|part| (part, entry.line)));
    // Those that check something else than tests are checks of their own.
    let parts = parts.filter(|(part, _)| class_of_name(part).is_none_or(|class| class == CheckClass::Test));
    let setting = |(part, line)| Setting {
        about: About::Rows,
        key: "tox/envlist".to_owned(),
        line,
        value: SettingValue::Selects(part),
    };
    parts.map(setting).collect()
}

/// `tox -e py38,lint`, `nox -s tests lint`
pub fn listed(words: &[String]) -> Found<'_> {
    let is_option = |word: &str| matches!(word, "-e" | "-s" | "--session" | "--sessions" | "--env");
    let mut found = Vec::new();
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        if !is_option(word) {
            continue;
        }
        while let Some(list) = rest.next_if(|next| !next.starts_with('-')) {
            found.extend(parts(list).into_iter().map(|part| ("-e", part)));
            if word == "-e" {
                break;
            }
        }
    }
    found.truncate(MAX_PARTS);
    found
}

/// `py{38,39}-lowest, docs` has the parts `py38`, `py39`, `lowest` and `docs`.
fn parts(list: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut start, mut inside) = (String::new(), String::new());
    let mut depth = 0_usize;
    for c in list.chars().chain([',']) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' | '-' | ' ' | '\n' | '\t' if depth == 0 => {
                let alternatives = std::mem::take(&mut inside);
                let start = std::mem::take(&mut start);
                match alternatives.is_empty() {
                    true => found.push(start),
                    false => found.extend(alternatives.split(',').map(|it| format!("{start}{}", it.trim()))),
                }
            }
            _ if depth > 0 => inside.push(c),
            _ => start.push(c),
        }
        if found.len() > MAX_PARTS {
            break;
        }
    }
    // One letter says nothing.
    found.retain(|part| {
        part.len() > 1 && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        for (list, expected) in [
            ("py38, py39,lint", "py38 py39 lint"),
            ("py{38,39}-lowest,docs-html", "py38 py39 lowest docs html"),
            ("{py27,pypy}-x\n  typing", "py27 pypy typing"),
            ("$ENVS", ""),
        ] {
            assert_eq!(parts(list).join(" "), expected, "{list}");
        }
    }
}
