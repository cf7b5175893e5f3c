//! The line or two at the end of a run in which a tool counts its tests; what is left where there is no report.

use super::model::{Counts, Results};
use crate::text::plain;

/// Numbers with the words behind them: `4 failed, 1 skipped`, `4 failed | 6 passed (10)`.
fn numbers(text: &str) -> impl Iterator<Item = (u64, &str)> {
    text.split([',', '|', '(', ')']).filter_map(|part| {
        let (number, word) = part.trim().split_once(' ')?;
        Some((number.parse().ok()?, word.trim()))
    })
}

/// Only the numbers are known.
fn counted(passed: u64, failed: u64, errors: u64, skipped: u64) -> Results {
    let total = [passed, failed, errors, skipped].into_iter().fold(0, u64::saturating_add);
    Results { counted: Some(Counts { total, passed, failed, errors, skipped }), ..Results::default() }
}

fn sum(text: &str, words: &[&str]) -> u64 {
    let told = numbers(text).filter(|(_, word)| words.contains(word)).map(|(number, _)| number);
    told.fold(0, u64::saturating_add)
}

/// `Tests:       4 failed, 1 skipped, 1 todo, 4 passed, 10 total`
pub fn jest(output: &str) -> Option<Results> {
    let output = plain(output);
    if output.contains("No tests found, exiting with code") {
        return Some(Results { named: true, ..Results::default() });
    }
    let line = output.lines().rev().find_map(|line| line.trim().strip_prefix("Tests:"))?;
    let broken = output.matches("● Test suite failed to run").count() as u64;
    Some(counted(sum(line, &["passed"]), sum(line, &["failed"]), broken, sum(line, &["skipped", "todo"])))
}

/// `      Tests  4 failed | 6 passed | 1 skipped | 1 todo (12)`, and `     Errors  1 error`
pub fn vitest(output: &str) -> Option<Results> {
    let output = plain(output);
    if output.contains("No test files found, exiting with code") {
        return Some(Results { named: true, ..Results::default() });
    }
    let last =
        |label: &str| output.lines().rev().find_map(|line| line.trim().strip_prefix(label)).map(str::trim);
    let line = last("Tests ")?;
    let errors = last("Errors ").map_or(0, |line| sum(line, &["error", "errors"]));
    Some(counted(sum(line, &["passed"]), sum(line, &["failed"]), errors, sum(line, &["skipped", "todo"])))
}

/// `4 passing (9ms)`, `3 pending`, `4 failing`, each on a line of its own
pub fn mocha(output: &str) -> Option<Results> {
    let output = plain(output);
    let last = |word: &str| {
        output
            .lines()
            .rev()
            .find_map(|line| numbers(line).find(|(_, told)| *told == word))
            .map(|(number, _)| number)
    };
    if last("passing").is_none() && output.contains("Error: No test files found") {
        return Some(Results { named: true, ..Results::default() });
    }
    let passed = last("passing")?;
    Some(counted(passed, last("failing").unwrap_or(0), 0, last("pending").unwrap_or(0)))
}

/// `# pass 5` of TAP or `ℹ pass 5`, with `fail`, `cancelled`, `skipped` and `todo`
pub fn node_test(output: &str) -> Option<Results> {
    let output = plain(output);
    let last = |label: &str| {
        output.lines().rev().find_map(|line| {
            let line = line.trim().strip_prefix(['#', 'ℹ'])?.trim_start();
            line.strip_prefix(label)?.strip_prefix(' ')?.trim().parse::<u64>().ok()
        })
    };
    let skipped = last("skipped").unwrap_or(0).saturating_add(last("todo").unwrap_or(0));
    Some(counted(last("pass")?, last("fail")?, last("cancelled").unwrap_or(0), skipped))
}

/// `Tests run: 5, Failures: 1, Errors: 0, Skipped: 1` of surefire, once per module, and those of the console launcher.
pub fn junit(output: &str) -> Option<Results> {
    let output = plain(output);
    let mut totals = output.lines().filter_map(surefire_total).peekable();
    if totals.peek().is_some() {
        let [run, failed, errors, skipped] =
            totals.fold([0_u64; 4], |sums, line| std::array::from_fn(|at| sums[at].saturating_add(line[at])));
        let rest = failed.saturating_add(errors).saturating_add(skipped);
        return Some(counted(run.saturating_sub(rest), failed, errors, skipped));
    }
    let last = |word: &str| output.lines().rev().find_map(|line| launcher_count(line, word));
    let skipped = last("tests skipped")?.saturating_add(last("tests aborted").unwrap_or(0));
    Some(counted(
        last("tests successful")?,
        last("tests failed")?,
        last("containers failed").unwrap_or(0),
        skipped,
    ))
}

/// Lines of single classes tell the time that they took; those of a module do not.
fn surefire_total(line: &str) -> Option<[u64; 4]> {
    let (_, rest) = line.split_once("Tests run: ")?;
    if rest.contains("Time elapsed") {
        return None;
    }
    let mut parts = rest.split(", ");
    let run = parts.next()?.parse().ok()?;
    let mut labelled = |label: &str| parts.next()?.strip_prefix(label)?.trim().parse().ok();
    Some([run, labelled("Failures: ")?, labelled("Errors: ")?, labelled("Skipped: ")?])
}

/// `[         4 tests successful      ]`
fn launcher_count(line: &str, word: &str) -> Option<u64> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    inner.strip_suffix(word)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(results: Option<Results>) -> [u64; 5] {
        let counts = results.unwrap().counts();
        [counts.total, counts.passed, counts.failed, counts.errors, counts.skipped]
    }

    #[test]
    fn each_tool_counts_in_its_own_words() {
        let text = "  ● Test suite failed to run\nTest Suites: 2 failed, 2 total\n\
                    \u{1b}[1mTests:       \u{1b}[22m4 failed, 1 skipped, 1 todo, 4 passed, 10 total\n";
        assert_eq!(told(jest(text)), [11, 4, 4, 1, 2]);
        let text = " Test Files  3 failed | 2 passed (5)\n      Tests  4 failed | 6 passed | 1 skipped | 1 todo (12)\n     Errors  1 error";
        assert_eq!(told(vitest(text)), [13, 6, 4, 1, 2]);
        assert_eq!(told(mocha("\n  1,\n  4 passing (9ms)\n  3 pending\n  4 failing\n")), [11, 4, 4, 0, 3]);
        let text = "# tests 16\n# suites 4\n# pass 5\n# fail 7\n# cancelled 1\n# skipped 2\n# todo 2\n";
        assert_eq!(told(node_test(text)), [17, 5, 7, 1, 4]);
    }

    #[test]
    fn modules_of_maven_are_added_up_and_classes_are_not() {
        let text = "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in a.BTest\n\
                    [INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n\
                    [ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n";
        assert_eq!(told(junit(text)), [7, 4, 1, 1, 1]);
    }

    #[test]
    fn the_console_launcher_counts_in_brackets() {
        let text = "[         0 containers failed     ]\n[         1 tests skipped         ]\n[         4 tests successful      ]\n\
                    [         2 tests failed          ]\n";
        assert_eq!(told(junit(text)), [7, 4, 2, 0, 1]);
    }

    #[test]
    fn output_without_a_summary_tells_nothing() {
        for read in [jest, vitest, mocha, node_test, junit] {
            assert_eq!(read("Segmentation fault\n"), None);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_them_panic(text in r"(Tests:|Tests |# pass|Tests run: |[0-9]{1,22}| passing|, |\||\[|\]|\n|é| tests failed){0,20}") {
            for read in [jest, vitest, mocha, node_test, junit] {
                read(&text);
            }
        }
    }
}
