//! What exists against what ran: the statically known tests that a run did not execute.
//!
//! Runners name tests in their own ways, and a false "did not run" would block an honest commit. So whatever could be a
//! test's execution counts as one: a title that is computed matches what it could become, a table any of its rows. Only
//! what no result is left for did not run. A test that is reported as skipped is accounted for where that was its own
//! decision, which some runners do not tell from one of the command.

mod assign;
mod title;
mod units;

use crate::facts::{Level, Span, Test};

use super::Results;
use assign::assign;
use title::Title;
use units::{Unit, units};

/// A test that a run of its suite should execute.
#[derive(Clone, Debug)]
pub struct KnownTest<'t> {
    pub path: &'t str,
    pub suite: &'t [String],
    pub name: &'t str,
    pub line: u32,
    pub span: Span,
    /// Whether it is one test, not a table of rows whose names differ.
    is_single: bool,
    /// Whether something stands in front of its definition that may decide whether it runs.
    is_marked: bool,
}

impl<'t> KnownTest<'t> {
    /// `None` for what no runner lists there: parts of tests, tests that run where they are called, and tests that are
    /// skipped for certain or, depending on the machine, perhaps not even built.
    pub fn of(path: &'t str, test: &'t Test) -> Option<Self> {
        let is_listed = matches!(test.level, Level::Definition | Level::Shared);
        let may_be_absent = test.is_skipped()
            || !test.conditions.is_empty()
            || is_conditional(test)
            || is_for_one_system(path)
            || is_benchmark(path);
        (is_listed && !may_be_absent).then(|| Self {
            path,
            suite: &test.suite,
            name: &test.name,
            line: test.line,
            span: test.span,
            is_single: test.cases == Some(1),
            is_marked: test.span.start < test.line,
        })
    }
}

fn is_conditional(test: &Test) -> bool {
    test.skip.as_ref().is_some_and(|skip| skip.kind == crate::facts::SkipKind::Conditional)
}

/// Cargo runs these only when it is asked for benchmarks.
fn is_benchmark(path: &str) -> bool {
    path.ends_with(".rs") && path.split('/').any(|part| part == "benches")
}

/// Go builds `path_windows_test.go` on Windows alone.
fn is_for_one_system(path: &str) -> bool {
    const SYSTEMS: [&str; 26] = [
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "illumos",
        "ios",
        "js",
        "linux",
        "netbsd",
        "openbsd",
        "plan9",
        "solaris",
        "wasip1",
        "windows",
        "386",
        "amd64",
        "arm",
        "arm64",
        "loong64",
        "mips64",
        "ppc64le",
        "riscv64",
        "s390x",
        "wasm",
        "unix",
    ];
    let stem = path.strip_suffix("_test.go").map(|stem| stem.rsplit('/').next().unwrap_or(stem));
    stem.is_some_and(|stem| stem.split('_').skip(1).any(|part| SYSTEMS.contains(&part)))
}

/// Which of the known tests did not run, by their place in the list. Nothing is said where results carry no names.
pub fn unexecuted(known: &[KnownTest<'_>], results: &Results) -> Vec<usize> {
    if !results.named {
        return Vec::new();
    }
    let mut units = units(results);
    let mut open: Vec<usize> = (0..known.len()).collect();
    open.retain(|&test| !in_its_file(&known[test], &mut units));
    open = inherited(known, open, &mut units);
    open = assign(known, open, &mut units);
    open.retain(|&test| !by_title(&known[test], &mut units));
    open
}

/// The result names the file, and there the line, or suite and name. Equal names in a file are one: of two definitions
/// only the last may be there.
fn in_its_file(test: &KnownTest<'_>, units: &mut [Unit<'_>]) -> bool {
    let mut found = false;
    for unit in units.iter_mut().filter(|unit| unit.file == Some(test.path)) {
        let at_line = unit.line.is_some_and(|line| line == test.line || line == test.span.start);
        let by_name = unit.name == test.name && tails_agree(test.suite, unit.suite);
        if (by_name || (at_line && unit.name_is_free(test))) && unit.accounts_for(test) {
            unit.claimed = true;
            found = true;
        }
    }
    found
}

/// Whether the shorter list is the end of the longer one.
fn tails_agree(a: &[String], b: &[String]) -> bool {
    a.iter().rev().zip(b.iter().rev()).all(|(a, b)| a == b) && (a.is_empty() == b.is_empty())
}

/// A method that a class inherits runs under the name of that class.
fn inherited(known: &[KnownTest<'_>], open: Vec<usize>, units: &mut [Unit<'_>]) -> Vec<usize> {
    open.into_iter()
        .filter(|&test| {
            let test = &known[test];
            let mut same = units
                .iter_mut()
                .filter(|unit| unit.file == Some(test.path) && unit.name == test.name && !unit.claimed)
                .filter(|unit| unit.accounts_for(test));
            same.next().map(|unit| unit.used = true).is_none()
        })
        .collect()
}

/// A computed title, or a table whose rows have names of their own: any result there that nothing else explains.
fn by_title(test: &KnownTest<'_>, units: &mut [Unit<'_>]) -> bool {
    let title = Title::new(test.name, test.path);
    let suites: Vec<Title> = test.suite.iter().map(|suite| Title::new(suite, test.path)).collect();
    let fits = |unit: &Unit<'_>| {
        let there = unit.file.is_none_or(|file| file == test.path);
        let suites_fit =
            suites.iter().rev().zip(unit.suite.iter().rev()).all(|(title, suite)| title.fits(suite));
        let row_fits = !test.is_single && (unit.name.contains(test.name) || suites_fit && title.is_open());
        there && suites_fit && (title.fits(unit.name) || row_fits)
    };
    let is_computed = title.is_computed() || suites.iter().any(Title::is_computed) || !test.is_single;
    let found =
        units.iter_mut().find(|unit| !unit.claimed && is_computed && unit.accounts_for(test) && fits(unit));
    found.map(|unit| unit.used = true).is_some()
}

#[cfg(test)]
mod tests;
