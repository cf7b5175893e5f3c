//! The tables of rules in README.md: made from the rules, the fixtures and what was measured.
//!
//! `UPDATE_README=1 cargo test --test detection readme` writes them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use aiwg_gate::detectors::{self, RULES, Rule};
use aiwg_gate::finding::FindingType;
use aiwg_gate::policy::Profile;
use aiwg_gate::verdict::usual_action;
use serde_json::Value;

use super::case::{LANGUAGES, entries, root};

const BEGIN: &str = "<!-- rules:begin -->\n";
const END: &str = "<!-- rules:end -->\n";

/// Fixtures of rules about configuration files stand in a folder of this name.
const CONFIGURATION: &str = "config";

const NOT_MEASURED: &str = "–";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect(name)
}

fn measured() -> Value {
    serde_json::from_str(&read("docs/measured.json")).expect("docs/measured.json is JSON")
}

#[test]
fn the_readme_has_the_tables_as_they_are() {
    let readme = read("README.md");
    let (head, rest) = readme.split_once(BEGIN).expect("the mark where the tables begin");
    let (found, tail) = rest.split_once(END).expect("the mark where they end");
    let wanted = tables(&measured());
    if found == wanted {
        return;
    }
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(path("README.md"), format!("{head}{BEGIN}{wanted}{END}{tail}")).expect("README.md");
        return;
    }
    panic!("README.md is out of date: UPDATE_README=1 cargo test --test detection readme\n{wanted}");
}

#[test]
fn what_was_measured_is_about_rules_and_types_that_exist() {
    let measured = measured();
    let keys = |of: &Value| -> Vec<String> { of.as_object().expect("an object").keys().cloned().collect() };
    let rules = detectors::names();
    for rule in keys(&measured["fire_rate"]["rules"]) {
        assert!(rules.contains(&rule.as_str()), "{rule}");
    }
    for kind in keys(&measured["precision"]["types"]) {
        assert!(FindingType::ALL.iter().any(|known| known.name() == kind), "{kind}");
    }
}

#[test]
fn shares_are_shown_in_percent_and_what_is_missing_as_a_dash() {
    assert_eq!(percent(&Value::from(0.0042)), "0.4 %");
    assert_eq!(percent(&Value::from(1)), "100 %");
    assert_eq!(percent(&Value::from(0)), "0 %");
    assert_eq!(percent(&Value::Null), NOT_MEASURED);
}

fn tables(measured: &Value) -> String {
    let mut out = String::from("\n");
    let columns: Vec<&str> = LANGUAGES.iter().copied().chain([CONFIGURATION]).collect();
    let _ = writeln!(out, "| rule | id | type | default | {} | speaks up | blocks |", columns.join(" | "));
    let _ = writeln!(out, "| --- | --- | --- | --- |{} --- | --- |", " :-: |".repeat(columns.len()));
    for rule in RULES {
        let share = |of: &str| percent(&measured["fire_rate"][of][&*rule.id.name]);
        out.push_str(&row(rule, &columns, &share("rules"), &share("blocks")));
    }
    let any = " ✓ |".repeat(LANGUAGES.len());
    let _ = writeln!(out, "| `proof` | - | - | block |{any} ✓ | {NOT_MEASURED} | {NOT_MEASURED} |\n");
    out.push_str(&told(
        &measured["fire_rate"],
        "`speaks up` is the share of ordinary commits on which the rule blocks or warns, `blocks` that on which it blocks",
    ));
    let _ = writeln!(out, "\n| type | precision | recall |\n| --- | --- | --- |");
    for kind in FindingType::ALL {
        let of = &measured["precision"]["types"][kind.name()];
        let _ =
            writeln!(out, "| {} | {} | {} |", kind.name(), percent(&of["precision"]), percent(&of["recall"]));
    }
    out.push('\n');
    out.push_str(&told(&measured["precision"], "Precision and recall are those of what blocks or warns"));
    out.push('\n');
    out
}

fn row(rule: &Rule, columns: &[&str], speaks_up: &str, blocks: &str) -> String {
    let action = usual_action(&rule.id, rule.severity, Profile::Standard).name();
    let cell = |column: &&str| {
        let has_cases = !entries(&root().join(&*rule.id.name).join(column)).is_empty();
        if has_cases { " ✓ |" } else { "   |" }
    };
    let cells: String = columns.iter().map(cell).collect();
    let (name, id, kind) = (&rule.id.name, &rule.id.pattern_id, rule.id.kind.name());
    format!("| `{name}` | {id} | {kind} | {action} |{cells} {speaks_up} | {blocks} |\n")
}

/// What a table shows, over how many commits, and how to see it again.
fn told(of: &Value, what: &str) -> String {
    let over = match of["commits"].as_u64() {
        Some(commits) => format!(", over {commits} commits"),
        None => ", not measured yet".to_owned(),
    };
    format!("{what}{over}: `{}`.\n", of["command"].as_str().expect("a command"))
}

fn percent(share: &Value) -> String {
    let Some(share) = share.as_f64() else { return NOT_MEASURED.to_owned() };
    let text = format!("{:.1}", share * 100.0);
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}
