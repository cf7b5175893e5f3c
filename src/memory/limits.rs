//! How much of an attempt a record keeps. Names are kept whole; long texts are cut and say so.

use super::format::{Analysis, Execution, Failure, FixApplied};

/// A session file that is larger is not read, and not written.
pub const MAX_FILE: u64 = 16 << 20;

/// Messages, expected and actual values, stack traces.
const TEXT: usize = 8 << 10;
const DIFF: usize = 64 << 10;

/// Failures after this many keep little but their names: nobody reads thousands of stack traces.
const FULL_FAILURES: usize = 200;
const SHORT_TEXT: usize = 300;

/// A name that is longer is no name.
const NAME: usize = 2 << 10;

/// Cuts what the run itself says.
pub fn cut_execution(execution: &mut Execution) {
    for (position, failure) in execution.failures.iter_mut().enumerate() {
        cut_failure(failure, position < FULL_FAILURES);
    }
    if let Some(coverage) = &mut execution.test_results.coverage_percent {
        *coverage = if coverage.is_finite() { coverage.clamp(0.0, 100.0) } else { 0.0 };
    }
    if let Some(proof) = &mut execution.proof {
        cut(&mut proof.command, TEXT);
    }
}

fn cut_failure(failure: &mut Failure, full: bool) {
    cut(&mut failure.test_name, NAME);
    cut(&mut failure.error_message, if full { TEXT } else { SHORT_TEXT });
    if !full {
        failure.stack_trace = None;
        failure.expected = None;
        failure.actual = None;
    }
    for text in [&mut failure.stack_trace, &mut failure.expected, &mut failure.actual].into_iter().flatten() {
        cut(text, TEXT);
    }
}

/// Cuts what was said about a run afterwards.
pub fn cut_analysis(analysis: &mut Analysis) {
    cut(&mut analysis.root_cause, TEXT);
    cut(&mut analysis.fix_strategy, TEXT);
}

pub fn cut_fix(fix: &mut FixApplied) {
    cut(&mut fix.description, TEXT);
    if let Some(diff) = &mut fix.diff {
        cut(diff, DIFF);
    }
}

/// Keeps the start of a text and says how much is gone. A text that was cut is not cut again.
pub fn cut(text: &mut String, limit: usize) {
    const ROOM: usize = 40;
    if text.len() <= limit {
        return;
    }
    let mut end = limit.saturating_sub(ROOM);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let gone = text.len() - end;
    text.truncate(end);
    text.push_str(&format!("\n[... {gone} more bytes]"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_says_so_and_stays_within_its_limit() {
        let mut text = "é".repeat(5000);
        cut(&mut text, 8192);
        assert!(text.len() <= 8192 && text.ends_with(" more bytes]"), "{}", &text[text.len() - 60..]);
        let before = text.clone();
        cut(&mut text, 8192);
        assert_eq!(text, before);
        let mut short = "short".to_owned();
        cut(&mut short, 5);
        assert_eq!(short, "short");
    }
}
