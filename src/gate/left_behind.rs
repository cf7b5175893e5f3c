//! Tests that were left behind: what they bear in their names had left the code before the change.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;

use super::facts::Analyzed;
use super::surroundings::{Base, has_word, lost, pairs};
use crate::collections::HashSet;
use crate::facts::{Orphan, Test};
use crate::git::Change;
use crate::languages::{Language, language_of};
use crate::text::name_words;

/// So many lost tests of a file are looked at, and so many names looked for.
const MAX_TESTS: usize = 50;
const MAX_NAMES: usize = 12;

/// Shorter names stand for many things.
const MIN_NAME: usize = 5;

/// Members that the compiler or a generator brings along: no source says them.
const GENERATED: [&str; 6] =
    ["valueOf", "values", "builder", "newBuilder", "parseFrom", "getDefaultInstance"];

/// What a test is about, by its own name.
struct Subject {
    test: String,
    name: String,
    /// The class it is called on where that is a part of the language: it has to be there to be built. Other
    /// subjects must be named nowhere at all.
    class: Option<String>,
}

/// Completes the before sides that lose tests; `files` in the order of the changes, the before side first.
pub fn complete(
    changes: &[&Change],
    files: &mut [Analyzed],
    is_production: impl Fn(&str) -> bool,
    base: &dyn Base,
) -> Result<()> {
    let touched: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
    let sides = pairs(changes, files.len());
    let after_sides: HashSet<usize> = sides.iter().filter_map(|&(_, after)| after).collect();
    for &(before, after) in &sides {
        let Some(before) = before else { continue };
        let lost = lost(&files[before], after.map(|after| &files[after]));
        let Some(language) = language_of(&files[before].path).filter(|_| !lost.is_empty()) else { continue };
        let mut subjects = subjects(language, &files[before], &lost);
        subjects.retain(|subject| {
            let knows = |(at, file): (usize, &Analyzed)| {
                let counts =
                    is_production(&file.path) || subject.class.is_none() && after_sides.contains(&at);
                counts && has_word(&file.text, subject.name.as_bytes())
            };
            !files.iter().enumerate().any(knows)
        });
        let names: BTreeSet<String> = subjects.iter().map(|subject| subject.name.clone()).collect();
        if names.is_empty() || names.len() > MAX_NAMES {
            continue;
        }
        let of_code = |path: &str| is_production(path) && !touched.contains(path);
        let of_tests = |path: &str| !is_production(path) && !touched.contains(path);
        let Some((gone, paths)) = base.lacking(language.name, &names, &of_code)? else { continue };
        subjects.retain(|subject| gone.contains(&subject.name));
        let everywhere: BTreeSet<String> =
            subjects.iter().filter(|one| one.class.is_none()).map(|one| one.name.clone()).collect();
        let unsaid = match everywhere.is_empty() {
            true => BTreeSet::new(),
            false => base
                .lacking(language.name, &everywhere, &of_tests)?
                .map(|(names, _)| names)
                .unwrap_or_default(),
        };
        let own = files.iter().map(|file| &file.path).filter(|path| is_production(path));
        let classes: HashSet<&str> = paths.iter().chain(own).map(|path| stem(path)).collect();
        subjects.retain(|subject| match &subject.class {
            Some(class) => classes.contains(class.as_str()),
            None => unsaid.contains(&subject.name),
        });
        drop(classes);
        if !subjects.is_empty() {
            let orphans = subjects.into_iter().map(|one| Orphan { name: one.test, callee: one.name });
            let facts = Arc::make_mut(&mut files[before].facts);
            facts.surroundings.get_or_insert_default().orphans.extend(orphans);
        }
    }
    Ok(())
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// What the lost tests of a file bear in their names and use.
fn subjects(language: &Language, file: &Analyzed, lost: &[String]) -> Vec<Subject> {
    let lost: HashSet<&str> = lost.iter().map(String::as_str).collect();
    let tests = || file.facts.tests.iter().filter(|test| lost.contains(test.name.as_str())).take(MAX_TESTS);
    if language.name != "java" && !tests().any(is_of_deprecated) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&file.text);
    let lines: Vec<&str> = text.lines().collect();
    let of_test = |test: &Test| {
        let span = test.span.start.max(1) as usize - 1..(test.span.end as usize).min(lines.len());
        let own = lines.get(span).unwrap_or_default().join("\n");
        let words = name_words(&test.name);
        let mut found: Vec<Subject> = Vec::new();
        for (name, class) in members(&own) {
            let parts = name_words(name);
            let says_much = parts.iter().any(|part| !part.starts_with("deprecat"));
            let class = class.filter(|_| language.name == "java");
            let is_sure = (class.is_some() || is_of_deprecated(test))
                && name.len() >= MIN_NAME
                && !GENERATED.contains(&name);
            if is_sure && says_much && parts.is_subset(&words) && found.iter().all(|other| other.name != name)
            {
                let class = class.map(str::to_owned);
                found.push(Subject { test: test.name.clone(), name: name.to_owned(), class });
            }
        }
        found
    };
    tests().flat_map(of_test).collect()
}

fn is_of_deprecated(test: &Test) -> bool {
    test.qualified_name().to_lowercase().contains("deprecat")
}

/// The members that a text uses, with the class that each is called on, and names that only a program gives a meaning:
/// `__multicall__`. What the text defines itself is none of them.
fn members(text: &str) -> Vec<(&str, Option<&str>)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_part).map(|start| at + start) {
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
        let (head, word, tail) = (&text[..start], &text[start..end], &text[end..]);
        at = end;
        let is_magic = word.starts_with("__") && word.ends_with("__") && word.len() > MIN_NAME;
        let is_given = tail.trim_start().starts_with('=') && !tail.trim_start().starts_with("==");
        let is_defined =
            ["def ", "class ", "function "].iter().any(|keyword| head.ends_with(keyword)) || is_given;
        if let Some(owner) = head.strip_suffix('.') {
            let begins = owner.trim_end_matches(is_part).len();
            let class = owner.get(begins..).filter(|_| !owner[..begins].ends_with('.'));
            let is_class = |class: &&str| class.starts_with(char::is_uppercase) && tail.starts_with('(');
            if !is_defined {
                found.push((word, class.filter(is_class)));
            }
        } else if is_magic && !is_defined {
            found.push((word, None));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_magic_names_are_found_with_their_classes() {
        let text =
            "def m(self, __multicall__, x):\n    Cart.clean(a.b)\n    self.c = 1\n    def __init__(self)";
        let expected = [("__multicall__", None), ("clean", Some("Cart")), ("b", None)];
        assert_eq!(members(text), expected);
    }
}
