//! Whether a text has what was done to another one, as where the same fix is applied to several branches.

use anyhow::Result;
use git2::Patch;

use crate::text::occurrences;

/// Whether each place that changed since the fork is in the text as it became, in their order and with the unchanged
/// lines around it. `false` where nobody can tell.
pub fn has_changes(text: &[u8], fork: &[u8], changed: &[u8]) -> bool {
    has_hunks(text, fork, changed).unwrap_or(false)
}

/// So many bytes are gone through for all hunks of a file.
const MOST_READ: usize = 64 << 20;

fn has_hunks(mut text: &[u8], fork: &[u8], changed: &[u8]) -> Result<bool> {
    let patch = Patch::from_buffers(fork, None, changed, None, None)?;
    if patch.num_hunks().saturating_mul(text.len()) > MOST_READ {
        return Ok(false);
    }
    let [before, lines] =
        [fork, changed].map(|text| text.split_inclusive(|&byte| byte == b'\n').collect::<Vec<&[u8]>>());
    for index in 0..patch.num_hunks() {
        let (hunk, _) = patch.hunk(index)?;
        let start = (hunk.new_start() as usize).saturating_sub(1);
        let became = lines.get(start..start + hunk.new_lines() as usize).unwrap_or_default().concat();
        let Some(rest) = after_lines(text, &became) else { return Ok(false) };
        // What is around lines that went also stands in a text that is as it was; what is around lines that came at an
        // end, in any text.
        let first = (hunk.old_start() as usize).saturating_sub(1);
        let was = before.get(first..first + hunk.old_lines() as usize).unwrap_or_default().concat();
        let is_at_end = became.starts_with(&was) || became.ends_with(&was);
        if !is_at_end && after_lines(text, &was).is_some() {
            return Ok(false);
        }
        text = rest;
    }
    Ok(patch.num_hunks() > 0)
}

/// What follows the first place where the text has just these lines.
fn after_lines<'t>(text: &'t [u8], lines: &[u8]) -> Option<&'t [u8]> {
    let is_whole = |at: &usize| {
        let end = at + lines.len();
        (*at == 0 || text[at - 1] == b'\n') && (lines.ends_with(b"\n") || end == text.len())
    };
    let at = occurrences(text, lines).filter(|_| !lines.is_empty()).find(is_whole)?;
    Some(&text[at + lines.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORK: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

    fn has(text: &str, changed: &str) -> bool {
        has_changes(text.as_bytes(), FORK.as_bytes(), changed.as_bytes())
    }

    #[test]
    fn a_fix_that_both_have_is_there_whatever_else_changed() {
        let fixed = FORK.replace("five\n", "5\n");
        assert!(has(&fixed, &fixed));
        assert!(has(&format!("zero\n{fixed}ten\n"), &fixed));
        assert!(has(&fixed.replace("one\n", ""), &fixed));
    }

    #[test]
    fn one_of_which_a_part_is_missing_is_not() {
        let fixed = FORK.replace("two\n", "2\n").replace("nine\n", "9\n");
        assert!(!has(&FORK.replace("two\n", "2\n"), &fixed));
        assert!(!has(&FORK.replace("nine\n", "9\n"), &fixed));
        assert!(!has(FORK, &fixed));
    }

    #[test]
    fn a_line_elsewhere_is_not_the_line_that_was_added() {
        let added = FORK.replace("five\n", "five\nassert\n");
        assert!(!has(&format!("{FORK}assert\n"), &added));
        assert!(!has(&FORK.replace("five\n", "five\nassert it\n"), &added));
    }

    #[test]
    fn what_was_taken_away_must_be_gone() {
        let without = FORK.replace("five\n", "");
        assert!(has(&without, &without));
        assert!(!has(FORK, &without));
        assert!(!has(FORK, ""));
    }

    #[test]
    fn what_went_at_an_end_must_be_gone() {
        for gone in ["one\n", "nine\n"] {
            let without = FORK.replace(gone, "");
            assert!(!has(FORK, &without), "{gone}");
            assert!(has(&without, &without), "{gone}");
        }
        assert!(!has(&FORK.replace("five\n", "5\n"), &FORK.replace("one\n", "")));
    }

    #[test]
    fn a_text_without_a_last_line_break_ends_where_the_other_does() {
        let cut = FORK.trim_end();
        assert!(has(cut, cut));
        assert!(!has(&format!("{cut}teen\n"), cut));
    }
}
