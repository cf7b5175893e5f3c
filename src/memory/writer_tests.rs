//! What is written is read back the same.

use std::path::Path;

use super::*;
use crate::memory::samples::{sealed_session, time};
use crate::memory::strategies::arbitrary_session;
use crate::memory::{reader, verify_chain};

proptest::proptest! {
    #[test]
    fn what_is_written_is_read_back_as_it_was(session in arbitrary_session()) {
        let text = to_yaml(&session).unwrap();
        let read = reader::parse(Path::new("session-x.yaml"), text.as_bytes(), time(0));
        let read = read.unwrap_or_else(|error| panic!("{error:#}\n{text:?}")).expect("a session");
        proptest::prop_assert!(read.own, "{}", text);
        proptest::prop_assert_eq!(&read.session, &session, "{}", text);
        proptest::prop_assert_eq!(verify_chain(&read.session), Ok(()));
    }
}

#[track_caller]
fn refused(change: impl Fn(&mut Session), words: &str) {
    let mut session = sealed_session(1, 0);
    change(&mut session);
    let error = format!("{:#}", to_yaml(&session).unwrap_err());
    assert!(error.contains(words), "{error}");
}

#[test]
fn what_does_not_fit_the_schema_is_refused() {
    refused(|session| session.file_path.clear(), "path of the file");
    refused(|session| session.executions[0].attempt = 0, "number them from 1");
    refused(|session| session.executions[0].code_hash.clear(), "attempt 1: there is no code hash");
    refused(|session| session.executions[0].test_results.coverage_percent = Some(f64::NAN), "from 0 to 100");
    let analysis = |cause: &str, confidence| Analysis {
        root_cause: cause.to_owned(),
        fix_strategy: "put a guard at the entry of the function".to_owned(),
        confidence: Some(confidence),
        ..Analysis::default()
    };
    refused(|session| session.executions[0].analysis = Some(analysis("too short", 0.5)), "9 characters");
    let cause = "the total is computed before the tax is known";
    refused(|session| session.executions[0].analysis = Some(analysis(cause, 1.5)), "from 0 to 1");
    let foreign = crate::memory::Foreign { place: "phase".to_owned(), value: "x".to_owned() };
    refused(|session| session.foreign.push(foreign.clone()), "another tool");
}

#[test]
fn long_texts_are_cut_before_they_are_sealed() {
    let mut session = sealed_session(1, 0);
    let mut execution = session.executions.remove(0);
    let failure = |number: usize| crate::memory::Failure {
        test_name: format!("test_{number}"),
        error_message: "m".repeat(20_000),
        stack_trace: Some("s".repeat(20_000)),
        ..Default::default()
    };
    execution.failures = (0..3000).map(failure).collect();
    crate::memory::seal(&mut execution, None);
    session.executions.push(execution);
    let text = to_yaml(&session).unwrap();
    assert!(text.len() < 6 << 20, "{}", text.len());
    let read = reader::parse(Path::new("a.yaml"), text.as_bytes(), time(0)).unwrap().unwrap();
    assert_eq!(read.session, session);
    assert_eq!(verify_chain(&session), Ok(()));
    assert_eq!(read.session.executions[0].failures[2999].test_name, "test_2999", "every name is kept");
    assert!(read.session.executions[0].failures[0].error_message.ends_with(" more bytes]"));
}
