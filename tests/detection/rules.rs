//! One test for each rule and language, and one for each rule about configuration.

use super::case::{CONFIG, of_cell};

#[track_caller]
fn judge_cell(rule: &str, language: &str) {
    let complaints: Vec<String> = of_cell(rule, language).iter().map(|case| case.complaints()).collect();
    let wrong: Vec<&String> = complaints.iter().filter(|complaint| !complaint.is_empty()).collect();
    let texts: String = wrong.iter().map(|complaint| complaint.as_str()).collect();
    assert!(wrong.is_empty(), "{} of {} cases are judged wrongly:\n{texts}", wrong.len(), complaints.len());
}

macro_rules! cells {
    ($($module:ident $rule:literal;)*) => {
        $(mod $module {
            cells!(@languages $rule);
        })*
    };
    (@languages $rule:literal) => {
        cells!(@tests $rule python javascript typescript go rust java);
    };
    (@tests $rule:literal $($language:ident)*) => {
        $(#[test]
        fn $language() {
            super::judge_cell($rule, stringify!($language));
        })*
    };
}

cells! {
    test_removed "test-removed";
    suite_disabled "suite-disabled";
    test_skipped "test-skipped";
    test_commented_out "test-commented-out";
    test_unreadable "test-unreadable";
    code_commented_out "code-commented-out";
    feature_disabled "feature-disabled";
    test_recognised "test-recognised";
    special_cases "special-cases";
    todo_accumulation "todo-accumulation";
    symbol_removed "symbol-removed";
    suppression_added "suppression-added";
    assertion_unreachable "assertion-unreachable";
    tolerance_widened "tolerance-widened";
    expectation_rewritten "expectation-rewritten";
    circular_test "circular-test";
    mocked_away "mocked-away";
    assertion_weakened "assertion-weakened";
    assertion_trivial "assertion-trivial";
}

#[test]
fn features_disabled_in_configuration_files() {
    judge_cell("feature-disabled", CONFIG);
}

#[test]
fn gate_loosened_in_configuration() {
    judge_cell("gate-loosened", CONFIG);
}

#[test]
fn coverage_loosened_in_configuration() {
    judge_cell("coverage-loosened", CONFIG);
}
