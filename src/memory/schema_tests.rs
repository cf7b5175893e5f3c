//! What is written validates, and what is broken does not.

use serde_json::{Value, json};

use super::*;
use crate::memory::samples::{add_sealed, sealed_session, time};
use crate::memory::strategies::arbitrary_session;
use crate::memory::{LearnedPattern, LearnedPatterns, writer};

fn validator(name: &str) -> jsonschema::Validator {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name).unwrap();
    let schema: Value = serde_json::from_str(schema.text).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

fn written(session: &crate::memory::Session) -> Value {
    serde_yaml::from_str(&writer::to_yaml(session).unwrap()).unwrap()
}

#[track_caller]
fn valid(validator: &jsonschema::Validator, value: &Value) {
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{} at {}", error, error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn every_session_that_is_written_is_valid(session in arbitrary_session()) {
        valid(&validator("debug-memory"), &written(&session));
    }
}

#[test]
fn broken_sessions_are_not_valid() {
    let validator = validator("debug-memory");
    let mut session = sealed_session(1, 0);
    add_sealed(&mut session, "unit", 5);
    let good = written(&session);
    valid(&validator, &good);
    let broken: &[(&str, Value)] = &[
        ("/session_id", json!("abc123")),
        ("/file_path", json!("")),
        ("/status", json!("aborted")),
        ("/created_at", json!("yesterday")),
        ("/executions/0/attempt", json!(0)),
        ("/executions/0/timestamp", json!(5)),
        ("/executions/0/code_hash", json!("")),
        ("/executions/0/test_results/total", json!(-1)),
        ("/executions/0/test_results/passed", json!(1.5)),
        ("/executions/0/test_results", json!({"total": 1, "passed": 1})),
        ("/executions/0/proof/mode", json!("other")),
        ("/executions/0/proof/tree", json!("HEAD")),
        ("/executions/0/proof/chain/digest", json!("sha256:12")),
        ("/executions/1/proof/chain", json!({})),
        ("/executions", json!({})),
    ];
    for (place, value) in broken {
        let mut session = good.clone();
        *session.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
        assert!(!validator.is_valid(&session), "{place} as {value}");
    }
    let added: &[(&str, &str, Value)] = &[
        ("", "phase", json!("complete")),
        (
            "/executions/0",
            "failures",
            json!([{"test_name": "t", "error_type": "KeyError", "error_message": "m"}]),
        ),
        ("/executions/0", "failures", json!([{"test_name": "t", "error_type": "Other"}])),
        ("/executions/0", "analysis", json!({"root_cause": "short", "fix_strategy": "x".repeat(20)})),
        ("/executions/0", "fix_applied", json!("a plain text")),
        ("/executions/0/test_results", "coverage_percent", json!(101)),
    ];
    for (place, name, value) in added {
        let mut session = good.clone();
        session.pointer_mut(place).unwrap()[*name] = value.clone();
        assert!(!validator.is_valid(&session), "{place}/{name} as {value}");
    }
    for name in ["session_id", "file_path", "executions", "status"] {
        let mut session = good.clone();
        session.as_object_mut().unwrap().remove(name);
        assert!(!validator.is_valid(&session), "without {name}");
    }
}

#[test]
fn learned_patterns_that_are_written_are_valid() {
    let validator = validator("learned-patterns");
    let pattern = LearnedPattern {
        pattern_id: "p1".to_owned(),
        error_type: crate::memory::ErrorType::TypeError,
        error_pattern: "cannot read * of null".to_owned(),
        fix_template: "put a guard at the entry".to_owned(),
        occurrences: 3,
        success_rate: 0.75,
        last_seen: time(0),
    };
    let text = writer::patterns_to_yaml(&LearnedPatterns { patterns: vec![pattern] }).unwrap();
    let good: Value = serde_yaml::from_str(&text).unwrap();
    valid(&validator, &good);
    for (name, value) in
        [("success_rate", json!(2)), ("error_type", json!("Strange")), ("pattern_id", json!(""))]
    {
        let mut patterns = good.clone();
        patterns["patterns"][0][name] = value;
        assert!(!validator.is_valid(&patterns), "{name}");
    }
}
