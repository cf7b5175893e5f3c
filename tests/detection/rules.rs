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
    guard_removed "guard-removed";
    error_handling_removed "error-handling-removed";
    error_swallowed "error-swallowed";
    error_to_default "error-to-default";
    stub "stub";
    code_commented_out "code-commented-out";
    feature_disabled "feature-disabled";
    test_recognised "test-recognised";
    special_cases "special-cases";
    todo_accumulation "todo-accumulation";
    symbol_removed "symbol-removed";
    suppression_added "suppression-added";
    assertion_trivial "assertion-trivial";
    assertion_weakened "assertion-weakened";
    mocked_away "mocked-away";
    circular_test "circular-test";
    expectation_rewritten "expectation-rewritten";
    tolerance_widened "tolerance-widened";
    assertion_unreachable "assertion-unreachable";
    coverage_loosened "coverage-loosened";
    weakened_and_uncovered "weakened-and-uncovered";
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
