//! Values of settings: typed, put into files, and by default.

use super::*;
use crate::policy::PathList;

const RULES: &[&str] = &["test-skipped"];

fn list(items: &[&str]) -> Setting {
    Setting::List(items.iter().map(|item| (*item).to_owned()).collect())
}

fn usual(_: &str, profile: Profile) -> RuleAction {
    if profile == Profile::Advisory { RuleAction::Warn } else { RuleAction::Block }
}

fn key(name: &str) -> Key {
    Key::parse(name, RULES).unwrap()
}

#[test]
fn globs_come_in_two_notations() {
    let globs = |text: &str| Key::Paths(PathList::Tests).read(text);
    let two = Ok(list(&["a/**", "*.{js,ts}"]));
    assert_eq!(globs("a/**, *.{js,ts}"), two);
    assert_eq!(globs(r#"["a/**", '*.{js,ts}']"#), two);
    assert_eq!(globs("[]"), Ok(list(&[])));
    assert_eq!(globs("[a-z].py"), Ok(list(&["[a-z].py"])));
    assert!(globs("[*.py]").unwrap_err().contains("quotes"));
    assert!(globs("!a").unwrap_err().contains("negated"));
}

#[test]
fn folders_come_in_the_same_notations() {
    let link = key("proof.link");
    assert_eq!(link.read("node_modules, a/.venv/"), Ok(list(&["node_modules", "a/.venv"])));
    assert_eq!(link.read("[node_modules, 'a b']"), Ok(list(&["node_modules", "a b"])));
    assert!(link.read("../x").unwrap_err().contains("leads upwards"));
    assert!(link.read("[/x]").unwrap_err().contains("not below the repository"));
}

#[test]
fn every_value_reads_back_from_a_file_that_holds_it() {
    for (name, text) in [
        ("profile", "strict"),
        ("paths.tests", "a,b"),
        ("rules.test-skipped", "off"),
        ("proof.on_missing", "run"),
        ("proof.equivalence", "exact"),
        ("proof.link", "a,b"),
        ("feedback.max_attempts", "5"),
        ("feedback.require_analysis", "block"),
        ("feedback.abort_on_regression", "false"),
    ] {
        let (key, mut file) = (key(name), PolicyFile::default());
        let value = key.read(text).unwrap();
        key.put(&mut file, Some(value.clone()));
        assert_eq!(key.get(&file), Some(value), "{name}");
        key.put(&mut file, None);
        assert_eq!(file, PolicyFile::default(), "{name}");
    }
}

#[test]
fn wrong_values_are_explained() {
    for (name, text, words) in [
        ("feedback.max_attempts", "0", "from 1 to 10"),
        ("feedback.max_attempts", "eleven", "from 1 to 10"),
        ("feedback.abort_on_regression", "yes", "true or false"),
        ("feedback.require_analysis", "maybe", "off, warn or block"),
        ("proof.on_missing", "Run", "did you mean `run`?"),
        ("proof.equivalence", "loose", "tokens or exact"),
    ] {
        let error = key(name).read(text).unwrap_err();
        assert!(error.contains(words), "{name}: {error}");
    }
}

#[test]
fn defaults_follow_the_profile_where_it_decides() {
    let default = |name: &str, profile| key(name).default_value(profile, usual).text();
    assert_eq!(default("proof.equivalence", Profile::Standard), "tokens");
    assert_eq!(default("proof.equivalence", Profile::Strict), "exact");
    assert_eq!(default("rules.test-skipped", Profile::Standard), "block");
    assert_eq!(default("rules.test-skipped", Profile::Advisory), "warn");
    assert_eq!(default("proof.link", Profile::Strict), r#"["node_modules",".venv","venv","target"]"#);
    assert_eq!(default("feedback.max_attempts", Profile::Standard), "3");
    assert_eq!(default("feedback.abort_on_regression", Profile::Standard), "true");
}
