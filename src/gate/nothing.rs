//! Patterns of what is left out that name nothing in the repository: who ignores a folder that only stands on disk takes
//! no test away.

use std::sync::Arc;

use anyhow::Result;

use super::facts::Analyzed;
use crate::facts::{About, ProjectFacts, SettingValue};
use crate::git::Change;

/// Completes the after sides that leave out more tests than before; `files`, in the order of the changes, the before side
/// first. `paths` gives all paths of the repository on both sides, and is only asked where needed.
pub fn complete(
    changes: &[&Change],
    files: &mut [Analyzed],
    paths: impl FnOnce() -> Result<Vec<String>>,
) -> Result<()> {
    let mut places = 0..files.len();
    let mut more: Vec<(usize, Vec<String>)> = Vec::new();
    for change in changes {
        let old = change.before().and_then(|_| places.next());
        let Some(new) = change.after().and_then(|_| places.next()) else { continue };
        let facts = |at: usize| files[at].facts.project.as_deref();
        let known = old.and_then(facts).map(left_out).unwrap_or_default();
        let fresh = facts(new).map(left_out).unwrap_or_default().into_iter();
        let fresh: Vec<String> = fresh.filter(|one| !known.contains(one)).map(str::to_owned).collect();
        if !fresh.is_empty() {
            more.push((new, fresh));
        }
    }
    if more.is_empty() {
        return Ok(());
    }
    let paths: Vec<String> = paths()?.iter().map(|path| path.to_lowercase()).collect();
    for (at, patterns) in more {
        let of_nothing = patterns.into_iter().filter(|pattern| names_nothing(pattern, &paths)).collect();
        if let Some(facts) = &mut Arc::make_mut(&mut files[at].facts).project {
            facts.of_nothing = of_nothing;
        }
    }
    Ok(())
}

fn left_out(facts: &ProjectFacts) -> Vec<&str> {
    // Other lists may have names of tests, or expressions.
    let of_paths = |key: &str| ["exclude", "ignore"].iter().any(|word| key.to_lowercase().contains(word));
    let of_tests =
        facts.settings.iter().filter(|setting| setting.about == About::Tests && of_paths(&setting.key));
    let patterns = of_tests.filter_map(|setting| match &setting.value {
        SettingValue::LeavesOut(pattern) => Some(pattern.as_str()),
        _ => None,
    });
    patterns.collect()
}

/// Whether a pattern has a part that stands in no path. A pattern of a name, a mark or an expression tells nothing.
fn names_nothing(pattern: &str, paths: &[String]) -> bool {
    let pattern = pattern.trim_start_matches("<rootDir>");
    // What has a meaning in expressions, or names several things, may stand for something else.
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_path =
        pattern.contains('/') && pattern.chars().all(|c| is_word(c) || matches!(c, '*' | '/' | '.'));
    let is_plain = |part: &&str| !part.is_empty() && part.chars().all(is_word);
    let mut parts = pattern.split('/').filter(is_plain).map(str::to_lowercase);
    is_path && parts.any(|part| !paths.iter().any(|path| path.contains(&part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_that_is_nowhere_names_nothing() {
        let paths = ["src/a.ts".to_owned(), "tests/legacy/a.test.ts".to_owned()];
        for (pattern, expected) in [
            ("**/sandbox/**", true),
            ("e2e/**", true),
            ("<rootDir>/sandbox/", true),
            ("**/legacy/**", false),
            ("tests/legacy/a.test.ts", false),
            ("/(legacy|sandbox)/", false),
            ("**/sandbox/**,**/legacy/**", false),
            ("**/LegacyTest.class", false),
            ("/tests/legac./", false),
            ("slow", false),
            ("not network", false),
            ("**/*.spec.ts", false),
        ] {
            assert_eq!(names_nothing(pattern, &paths), expected, "{pattern}");
        }
    }
}
