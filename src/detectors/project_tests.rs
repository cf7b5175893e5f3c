//! What project rules find, and what they leave alone.

use super::*;
use crate::finding::{FindingType, Severity};
use crate::languages::{Source, analyze, calls as read_calls};
use crate::paths::PathClass;

fn side(path: &str, text: &str) -> FileSide {
    let source = Source { path, text: text.as_bytes() };
    let mut facts = analyze(source);
    facts.calls = read_calls(source, |_| true);
    FileSide::new(path.to_owned(), facts, text.as_bytes().into())
}

fn compared(files: &[(&str, Option<&str>, Option<&str>)]) -> Comparison {
    let file = |(path, before, after): &(&str, Option<&str>, Option<&str>)| {
        let side = |text: &str| side(path, text);
        FileComparison::new(before.map(side), after.map(side), PathClass::Production)
    };
    Comparison::new("HEAD".to_owned(), files.iter().map(file).collect())
}

fn pattern(when: When, what: What, paths: &[&str]) -> Pattern {
    Pattern {
        name: "no-raw-sql".to_owned(),
        kind: FindingType::ValidationBypass,
        severity: Severity::High,
        message: "Raw SQL bypasses the guard".to_owned(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        when,
        what,
    }
}

fn found(files: &[(&str, Option<&str>, Option<&str>)], pattern: &Pattern) -> Vec<String> {
    let findings = detect(&compared(files), std::slice::from_ref(pattern));
    findings.iter().map(|finding| format!("{} {}", finding.symbol, finding.line)).collect()
}

const OLD: &str = "def save(row):\n    db.execute(row)\n";
const RAW: &str = "def save(row):\n    db.execute_raw(row)\n";

#[test]
fn a_call_that_the_change_adds_is_found_and_one_that_was_there_is_not() {
    let call = pattern(When::Added, What::Call("execute_raw".into()), &["src/**"]);
    assert_eq!(found(&[("src/a.py", Some(OLD), Some(RAW))], &call), ["src/a.py::save 2"]);
    assert_eq!(found(&[("src/a.py", None, Some(RAW))], &call), ["src/a.py::save 2"]);
    assert!(found(&[("lib/a.py", Some(OLD), Some(RAW))], &call).is_empty());
    assert!(found(&[("src/a.py", Some(RAW), Some(OLD))], &call).is_empty());
    let shifted = format!("import os\n\n\n{RAW}");
    assert!(found(&[("src/a.py", Some(RAW), Some(&shifted))], &call).is_empty());
    let again = format!("{RAW}    db.execute_raw(row)\n");
    assert_eq!(found(&[("src/a.py", Some(RAW), Some(&again))], &call), ["src/a.py::save 3"]);
}

#[test]
fn quiet_where_a_call_or_a_definition_merely_moves() {
    let moved = [("a.py", Some(RAW), None), ("b.py", None, Some(RAW))];
    for when in When::ALL {
        assert!(found(&moved, &pattern(when, What::Call("*_raw".into()), &[])).is_empty());
        assert!(found(&moved, &pattern(when, What::Symbol("save".into()), &[])).is_empty());
    }
}

#[test]
fn definitions_and_files_are_found_when_they_come_and_when_they_go() {
    let gone = [("src/a.py", Some("def check_owner():\n    pass\n\n\nX = 1\n"), Some("X = 1\n"))];
    let symbol = pattern(When::Removed, What::Symbol("check_*".into()), &[]);
    assert_eq!(found(&gone, &symbol), ["src/a.py::check_owner 1"]);
    let file = |when| pattern(when, What::File, &["migrations/**"]);
    let removed = [("migrations/1.sql", Some("x"), None), ("other.sql", Some("x"), None)];
    assert_eq!(found(&removed, &file(When::Removed)), ["migrations/1.sql 1"]);
    assert!(found(&removed, &file(When::Added)).is_empty());
}

#[test]
fn findings_carry_what_the_pattern_says_and_differ_by_the_call() {
    let both = "def save(row):\n    db.execute_raw(row)\n    conn.execute_raw(row)\n";
    let call = pattern(When::Added, What::Call("execute_raw".into()), &[]);
    let findings = detect(&compared(&[("a.py", Some(OLD), Some(both))]), &[call]);
    let [one, two] = &findings[..] else { panic!("{findings:?}") };
    assert_ne!(one.fingerprint(), two.fingerprint());
    assert_eq!((&*one.rule.name, &*one.rule.pattern_id), ("no-raw-sql", "PX-no-raw-sql"));
    assert_eq!(one.message, "Raw SQL bypasses the guard: `db.execute_raw` is called");
    assert_eq!(one.after.as_ref().map(|shown| shown.main_line()), Some("db.execute_raw(row)"));
}
