//! Rows of a matrix that went: versions at their end, rows that never counted, combinations that are left out.

use crate::detectors::ground::{GroundSide, settings_of};
use crate::facts::{About, Setting, SettingValue};
use crate::finding::Severity;
use crate::project::version_in;

/// How bad it is that a row left a list: the oldest versions come to their end by themselves.
pub fn left(before: &GroundSide<'_>, after: &GroundSide<'_>, setting: &Setting) -> (Severity, &'static str) {
    const REST: (Severity, &str) = (Severity::Medium, "the rest is still checked");
    let SettingValue::Selects(gone) = &setting.value else { return REST };
    if has_fewer_exclusions(before, after) {
        return (Severity::Low, "combinations that were left out are checked now");
    }
    // What became one with another, or is no more than a closer version of one that stays.
    let is_wider = |what: &str| gone.strip_prefix(what).is_some_and(|rest| rest.starts_with('.'));
    let mut others =
        settings_of(*after).filter(|other| (other.about, &other.key) == (setting.about, &setting.key));
    let is_covered =
        others.any(|other| matches!(&other.value, SettingValue::Selects(what) if is_wider(what)));
    if gone == "iojs" || is_covered {
        return (Severity::Low, "the same is still checked under another name");
    }
    let Some(version) = version_in(gone) else { return REST };
    let same = |other: &&Setting| (other.about, &other.key) == (setting.about, &setting.key);
    let kept: Vec<(&str, f64)> = settings_of(*after)
        .filter(same)
        .filter_map(|other| match &other.value {
            SettingValue::Selects(what) => Some((start_of(what), version_in(what)?)),
            _ => None,
        })
        .collect();
    let is_of_kind = |start: &str| start == start_of(gone);
    let has_kind = kept.iter().any(|(start, _)| is_of_kind(start));
    let others = kept.iter().filter(|(start, _)| !has_kind || is_of_kind(start)).map(|(_, version)| *version);
    match others.reduce(f64::min) {
        Some(oldest) if version < oldest => (Severity::Low, "the oldest versions come to their end"),
        _ if kept.iter().any(|(_, other)| *other == version) => {
            (Severity::Low, "the same version is still checked")
        }
        Some(oldest)
            if kept.iter().any(|(_, other)| *other > version) && has_older(before, setting, oldest) =>
        {
            (Severity::Low, "versions on both sides of it stay, and the oldest ones come to their end")
        }
        _ => REST,
    }
}

/// Whether a list had a version before that is older than all that it still has.
fn has_older(before: &GroundSide<'_>, setting: &Setting, oldest: f64) -> bool {
    let mut same =
        settings_of(*before).filter(|other| (other.about, &other.key) == (setting.about, &setting.key));
    same.any(|other| match &other.value {
        SettingValue::Selects(what) => version_in(what).is_some_and(|version| version < oldest),
        _ => false,
    })
}

/// What stands before the version: `py` of `py310`.
fn start_of(value: &str) -> &str {
    value
        .split(|c: char| c.is_ascii_digit())
        .next()
        .unwrap_or_default()
        .trim_matches(|c: char| !c.is_alphabetic())
}

fn has_fewer_exclusions(before: &GroundSide<'_>, after: &GroundSide<'_>) -> bool {
    let is_excluded = |setting: &&Setting| {
        setting.about == About::Rows
            && setting.key.ends_with("exclude")
            && matches!(setting.value, SettingValue::LeavesOut(_))
    };
    let count = |side: &GroundSide<'_>| side.facts.settings.iter().filter(is_excluded).count();
    count(after) < count(before)
}

/// Whether a failure in a row did not count before.
pub fn was_lenient(before: &GroundSide<'_>, setting: &Setting) -> bool {
    let SettingValue::Selects(gone) = &setting.value else { return false };
    let axis = setting.key.rsplit('/').next().unwrap_or_default();
    let row = format!("{axis} {gone}");
    before.facts.settings.iter().any(|other| {
        other.about == About::Rows
            && other.key == "allow_failures"
            && matches!(&other.value, SettingValue::LeavesOut(lenient) if lenient.split(", ").any(|cell| cell.eq_ignore_ascii_case(&row)))
    })
}

/// How bad it is that a failure in a row is let pass; a row that is new may be tried out, unless it takes the place of
/// one whose failure counted.
pub fn allowed(
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    row: &str,
) -> Option<(Severity, &'static str)> {
    let cells: Vec<(&str, &str)> = row.split(", ").filter_map(|cell| cell.split_once(' ')).collect();
    let is_cell = |cell: &str| row.split(", ").any(|own| own == cell);
    let was_let_pass = before.facts.settings.iter().any(|other| match &other.value {
        SettingValue::LeavesOut(old) if other.key == "allow_failures" => {
            old.split(", ").all(is_cell)
                || cells.iter().all(|(axis, value)| old.contains(&format!("{axis} {value}")))
        }
        _ => false,
    });
    let old = String::from_utf8_lossy(&before.file.text);
    let is_known = || cells.iter().all(|(_, value)| value.len() > 1 && old.contains(value));
    let (axis, value) = *cells.first()?;
    (!was_let_pass && (is_known() || takes_place(before, after, axis, value)))
        .then_some((Severity::Medium, "other versions and systems still count"))
}

/// Whether a row of the same kind as this one is gone: `pypy` where `pypy3` came.
fn takes_place(before: &GroundSide<'_>, after: &GroundSide<'_>, axis: &str, value: &str) -> bool {
    let rows = |side: &GroundSide<'_>| -> Vec<String> {
        let own = side.facts.settings.iter().filter(|it| it.about == About::Rows && it.key.ends_with(axis));
        let own = own.filter_map(|it| match &it.value {
            SettingValue::Selects(what) => Some(what.clone()),
            _ => None,
        });
        own.collect()
    };
    let kind = start_of(value);
    let left = rows(after);
    kind.len() > 2 && rows(before).iter().any(|old| start_of(old) == kind && !left.contains(old))
}

/// How bad it is that a matrix leaves out a combination; one that it did not have before is none.
pub fn excluded(
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    setting: &Setting,
    row: &str,
) -> Option<(Severity, &'static str)> {
    let job = setting.key.rsplit_once('/').map_or("", |(job, _)| job);
    let of_job = |other: &&Setting| {
        other.about == About::Rows
            && matches!(other.value, SettingValue::Selects(_))
            && other.key.rsplit_once('/').map_or("", |(job, _)| job) == job
    };
    let rows = |side: &GroundSide<'_>| -> Vec<(String, SettingValue)> {
        side.facts.settings.iter().filter(of_job).map(|it| (it.key.clone(), it.value.clone())).collect()
    };
    let (old, new) = (rows(before), rows(after));
    let has_grown = old.is_empty() || new.iter().any(|row| !old.contains(row));
    let text = String::from_utf8_lossy(&before.file.text);
    let is_known =
        row.split(", ").filter_map(|cell| cell.split_once(' ')).all(|(_, value)| text.contains(value));
    (!has_grown && is_known).then_some((Severity::Medium, "the rest of the matrix is still checked"))
}
