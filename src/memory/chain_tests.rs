//! A changed attempt does not fit its chain.

use super::*;
use crate::memory::samples::{add_sealed, sealed_session};

#[test]
fn an_edited_attempt_or_a_missing_one_is_found() {
    let mut session = sealed_session(1, 0);
    add_sealed(&mut session, "unit", 10);
    add_sealed(&mut session, "unit", 20);
    assert_eq!(verify_chain(&session), Ok(()));

    let mut edited = session.clone();
    edited.executions[1].test_results.failed = 1;
    assert_eq!(verify_chain(&edited), Err(BrokenChain { attempt: 2 }));

    let mut shortened = session.clone();
    shortened.executions.remove(0);
    assert_eq!(verify_chain(&shortened), Err(BrokenChain { attempt: 2 }));

    let mut commented = session.clone();
    commented.executions[0].fix_applied =
        Some(crate::memory::FixApplied { description: "later".to_owned(), ..Default::default() });
    assert_eq!(verify_chain(&commented), Ok(()), "what is said afterwards is outside");
}
