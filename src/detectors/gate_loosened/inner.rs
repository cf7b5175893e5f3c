//! Settings in the code itself that hold for a whole file or crate: lints that are no longer denied, and type checks that
//! are switched off.

use super::ID;
use super::checks::line_of;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::ground::{GroundPair, Loosened, Pool, compare};
use crate::detectors::report::Draft;
use crate::facts::{Setting, SettingValue};
use crate::finding::{Finding, Severity, Side};
use crate::project::{INNER_HINTS, inner_settings};
use crate::text::contains;

pub fn detect(comparison: &Comparison, pairs: &[GroundPair<'_>]) -> Vec<Finding> {
    let mut changed = comparison.files.iter().filter(|file| differs(file)).peekable();
    if changed.peek().is_none() {
        return Vec::new();
    }
    let pool = Pool::new(comparison, pairs);
    changed.filter_map(|file| loosened(comparison, pairs, &pool, file)).collect()
}

/// Whether one of the lines that differ may hold such a setting.
fn differs(file: &FileComparison) -> bool {
    let (Some(before), Some(after)) = (file.before.as_ref(), file.after.as_ref()) else { return false };
    let hints = |text: &[u8]| INNER_HINTS.iter().any(|hint| contains(text, hint));
    let is_code = [".rs", ".py", ".pyi"].iter().any(|end| after.path.ends_with(end));
    // A list of lints may go on over lines that say nothing by themselves.
    is_code
        && (hints(before.lines_unlike(after))
            || hints(after.lines_unlike(before))
            || after.path.ends_with(".rs") && lists(after))
}

fn lists(side: &FileSide) -> bool {
    [&b"#![deny(\n"[..], b"#![forbid(\n"].iter().any(|open| contains(&side.text, open))
}

fn settings(side: &FileSide) -> Vec<Setting> {
    inner_settings(&side.path, &String::from_utf8_lossy(&side.text))
}

fn loosened(
    comparison: &Comparison,
    pairs: &[GroundPair<'_>],
    pool: &Pool<'_>,
    file: &FileComparison,
) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let (old, new) = (settings(before), settings(after));
    let still =
        |what: &str| new.iter().any(|one| matches!(&one.value, SettingValue::Insists(it) if it == what));
    // What the manifest speaks of has moved there, and so has what another file denies now.
    let elsewhere = |what: &str| {
        let lint = what.trim_start_matches("deny ").as_bytes();
        let in_ground =
            pairs.iter().filter_map(|pair| pair.after).any(|side| contains(&side.file.text, lint));
        let mut others = comparison.files.iter().filter_map(|other| other.after.as_ref());
        in_ground
            || others.any(|other| {
                other.path != after.path
                    && contains(&other.text, lint)
                    && settings(other).iter().any(|one| one.key == what)
            })
    };
    let lost = compare(&old, &new, pool).into_iter().find(|loosened| match loosened {
        Loosened::GivenUp(setting) => !still(&setting.key) && !elsewhere(&setting.key),
        Loosened::Switched(_) => true,
        _ => false,
    })?;
    let setting = lost.setting();
    let (which, side, message) = match lost.is_gone() {
        true => {
            let lint = setting.key.trim_start_matches("deny ");
            (Side::Before, before, format!("{lint} is no longer denied in {}", before.path))
        }
        false => (Side::After, after, format!("{} now holds for the whole of {}", setting.key, after.path)),
    };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message,
        help: format!("undo the change and mend what is found ({}:{})", side.path, setting.line),
    };
    let mut finding = draft.on(which, side, setting.line, format!("{}::{}", side.path, setting.key));
    let shown = line_of(side, setting.line, "here");
    if lost.is_gone() {
        finding.before = shown
    } else {
        finding.after = shown
    }
    finding.lower(Severity::Medium, "the rest is still looked for");
    Some(finding)
}
