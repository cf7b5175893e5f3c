//! Mistakes of this program itself: a panic becomes an error like any other, so that a hook can say whose fault it is and
//! an audit goes on with the next commit.
//!
//! Refuses to hide them: the error names the place and asks for a report.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow};

/// Where the last panic was, on whatever thread.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// From here on the runtime says nothing about a panic by itself: it is told once, as an error. For the program, not for
/// its tests.
pub fn told_as_errors() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
}

/// Calls `work`; where it panics, on this thread or on one that works for it, that is an error.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    // What is half done is dropped with the work: nothing outside of it is changed before it ends.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it gave up");
        let said = &said[..said.floor_char_boundary(said.len().min(LONGEST))];
        let place = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        let place = place.map_or_else(String::new, |place| format!(" at {place}"));
        Err(anyhow!("a mistake in aiwg-gate{place}: {said}; please report it with the change that shows it"))
    })
}

/// A message may quote what was looked at.
const LONGEST: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_that_says_what_went_wrong() {
        let text = "a→b".to_owned();
        let error = caught(|| Ok(text[..2].len())).expect_err("no such place in the text");
        let told = error.to_string();
        assert!(told.starts_with("a mistake in aiwg-gate"), "{told}");
        assert!(told.contains("char boundary"), "{told}");
    }

    #[test]
    fn what_does_not_panic_is_handed_on() {
        assert_eq!(caught(|| Ok(3)).expect("a number"), 3);
        assert_eq!(caught(|| Err::<(), _>(anyhow!("no"))).expect_err("an error").to_string(), "no");
    }
}
