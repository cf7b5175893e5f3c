//! What a query finds, and in which order.

use super::*;
use crate::memory::samples::{failing, failure, minute, solved};
use crate::memory::{LearnedPattern, LearnedPatterns, Learnings, Pattern};

fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-00000000000{number}")
}

/// A solved session of a file whose only failure has this message.
fn past(number: u32, file: &str, message: &str) -> Session {
    let mut session = solved(&id(number));
    session.file_path = file.into();
    session.updated_at = Some(minute(100 + number));
    let first = &mut session.executions[0];
    first.failures = vec![failure(&format!("tests/test_{number}.py::test_{number}"), message)];
    first.failures[0].test_file = Some(format!("tests/test_{number}.py"));
    first.fix_applied.as_mut().unwrap().files_changed = vec![file.into()];
    session
}

fn everything() -> Query {
    Query { text: String::new(), file: None, module: None, error: None, test: None, limit: LOOK_BACK }
}

fn ask(sessions: &[Session], asked: &Query) -> Answer {
    ask_with(sessions, &LearnedPatterns::default(), asked)
}

fn ask_with(sessions: &[Session], learned: &LearnedPatterns, asked: &Query) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path(), &folder.path().join("state"));
    let locked = store.lock().unwrap();
    sessions.iter().for_each(|session| locked.write(session).unwrap());
    locked.write_patterns(learned).unwrap();
    drop(locked);
    query(&store, asked).unwrap()
}

fn numbers(answer: &Answer) -> Vec<u32> {
    let number = |hit: &Hit| hit.session_id.chars().last().and_then(|digit| digit.to_digit(10)).unwrap();
    answer.hits.iter().map(number).collect()
}

fn memory() -> Vec<Session> {
    vec![
        past(1, "src/auth/token.py", "token expired before the refresh"),
        past(2, "src/auth/login.py", "Cannot read property 'name' of null"),
        past(3, "src/cart.py", "the refresh of the cart lost an item"),
        past(4, "web/form.ts", "timeout"),
    ]
}

#[test]
fn without_a_question_the_newest_come_first() {
    assert_eq!(numbers(&ask(&memory(), &everything())), [4, 3, 2, 1]);
    let few = ask(&memory(), &Query { limit: 2, ..everything() });
    assert_eq!((numbers(&few), few.matched), (vec![4, 3], 4));
}

#[test]
fn rare_words_count_more() {
    let found = ask(&memory(), &Query { text: "refresh token".into(), ..everything() });
    assert_eq!(numbers(&found), [1, 3]);
    assert!(found.hits[0].score > found.hits[1].score);
    assert_eq!(numbers(&ask(&memory(), &Query { text: "nowhere".into(), ..everything() })), [0; 0]);
}

#[test]
fn the_file_itself_comes_before_its_folder() {
    let asked = |file: &str| ask(&memory(), &Query { file: Some(file.into()), ..everything() });
    assert_eq!(numbers(&asked("src/auth/token.py")), [1, 2, 3]);
    assert_eq!(numbers(&asked("web/form.ts")), [4]);
    assert_eq!(numbers(&asked("docs/x.py")), [0; 0]);
}

#[test]
fn filters_hold_together() {
    let module = crate::policy::compile_glob("src/auth/*").unwrap().compile_matcher();
    let asked = Query { module: Some(module), ..everything() };
    assert_eq!(numbers(&ask(&memory(), &asked)), [2, 1]);
    assert_eq!(numbers(&ask(&memory(), &Query { test: Some("TEST_1".into()), ..asked.clone() })), [1]);
    let none = Query { error: Some(ErrorType::TypeError), ..asked };
    assert_eq!(numbers(&ask(&memory(), &none)), [0; 0]);
}

#[test]
fn a_hit_tells_cause_and_fix() {
    let hit = &ask(&memory(), &Query { text: "timeout".into(), ..everything() }).hits[0];
    assert_eq!(hit.fix.as_deref(), Some("Added the tax of the last item"));
    assert_eq!(hit.verification, Some(Verification::Passed));
    assert!(hit.root_cause.as_ref().unwrap().contains("forgets the tax"));
}

#[test]
fn advice_names_what_goes_wrong_and_only_fixes_that_work() {
    let mut sessions =
        vec![past(1, "src/auth/a.py", "'name' is null here"), past(2, "src/auth/b.py", "'id' is null here")];
    sessions[1].executions[0].failures.push(failure("x", "never fixed well"));
    sessions[0].learnings = Some(Learnings {
        patterns_identified: vec![Pattern {
            pattern: "Null check missing at module boundary".into(),
            frequency: Some(1),
            fix_template: Some("Add a guard at function entry".into()),
            effectiveness: None,
            category: None,
        }],
        ..Learnings::default()
    });
    let pattern = |error: &str, template: &str, success_rate| LearnedPattern {
        pattern_id: crate::memory::patterns::id_of(ErrorType::AssertionError, error),
        error_type: ErrorType::AssertionError,
        error_pattern: error.into(),
        fix_template: template.into(),
        occurrences: 3,
        success_rate,
        last_seen: minute(1),
    };
    let learned = LearnedPatterns {
        patterns: vec![
            pattern("<value> is null here", "Guard against null first", 0.9),
            pattern("never fixed well", "Try again", 0.7),
        ],
    };
    let asked = Query { file: Some("src/auth/a.py".into()), ..everything() };
    let advice = ask_with(&sessions, &learned, &asked).advice.unwrap();
    assert_eq!((advice.sessions_of_file, advice.sessions_of_module), (1, 2));
    assert_eq!(advice.module, "src/auth/*");
    assert_eq!(advice.common_patterns[0].pattern, "AssertionError: <value> is null here");
    assert_eq!(advice.common_patterns[0].frequency, 3, "as `memory patterns` counts");
    let told = |text: &str| advice.common_patterns.iter().any(|common| common.pattern.contains(text));
    assert!(told("never fixed well") && told("Null check missing"));
    assert_eq!(advice.actions, ["Guard against null first"]);
}

#[test]
fn a_file_without_a_past_has_no_advice_to_give() {
    let asked = Query { file: Some("src/auth/a.py".into()), ..everything() };
    let advice = ask(&[], &asked).advice.unwrap();
    assert_eq!((advice.sessions_of_module, advice.common_patterns.len(), advice.actions.len()), (0, 0, 0));
}

#[test]
fn sessions_that_never_failed_are_found_too() {
    let mut session = solved(&id(1));
    session.executions.remove(0);
    assert_eq!(ask(&[session], &everything()).hits[0].message, None);
    let open = Session { executions: vec![failing(1, "a")], status: Status::InProgress, ..solved(&id(2)) };
    assert_eq!(ask(&[open], &everything()).hits[0].fix, None);
}
