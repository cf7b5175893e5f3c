//! Checks that nothing runs any more: commented out, or removed.

use std::collections::BTreeMap;

use super::ID;
use super::checks::{line_of, names, severity_of, symbol};
use super::matching::{Matched, Whole, counts, covers, variant};
use crate::comparison::Comparison;
use crate::detectors::ground::{GroundPair, GroundSide, Pool};
use crate::detectors::report::{Draft, show_before};
use crate::facts::{Check, CheckClass, Ground, Span};
use crate::finding::{Finding, RuleId, Severity, Side};
use crate::project::{class_of_name, is_idle_script};
use crate::text::contains;

/// Findings on several checks under one mark are one.
struct Group<'c> {
    checks: Vec<&'c Check>,
}

/// Which checks a rule answers for.
pub struct Asked {
    pub rule: RuleId,
    pub is_ours: fn(&Check) -> bool,
}

/// Checks that nothing runs any more.
pub fn detect(
    comparison: &Comparison,
    pair: &GroundPair<'_>,
    matched: &Matched<'_>,
    whole: &Whole<'_>,
    pool: &Pool<'_>,
    asked: &Asked,
) -> Vec<Finding> {
    let Some(before) = pair.before.filter(|side| side.facts.ground != Ground::Policy) else {
        return Vec::new();
    };
    let (mut disabled, mut removed): (BTreeMap<&str, Group<'_>>, BTreeMap<&str, Group<'_>>) =
        Default::default();
    for &check in matched.gone.iter().filter(|check| counts(check) && (asked.is_ours)(check)) {
        if is_idle_now(pair, check) {
            continue;
        }
        let groups = if is_commented_out(pair, matched, check) {
            &mut disabled
        } else if is_missed(pair, &before, check, whole) {
            &mut removed
        } else {
            continue;
        };
        groups.entry(&check.place).or_insert(Group { checks: Vec::new() }).checks.push(check);
    }
    let commented = disabled.values().filter_map(|group| commented_out(comparison, pair, group));
    let removed = removed.values().map(|group| {
        let mut finding = removed_finding(comparison, pair, &before, group, pool);
        if group.checks.iter().all(|check| whole.has(&check.signature)) {
            finding.lower(Severity::Medium, "the same tool still runs other parts");
        }
        finding
    });
    commented.chain(removed).map(|finding| Finding { rule: asked.rule.clone(), ..finding }).collect()
}

/// Whether the script it was in does nothing any more, which is told by itself.
fn is_idle_now(pair: &GroundPair<'_>, check: &Check) -> bool {
    let is_idle = |other: &Check| other.place == check.place && is_idle_script(other);
    pair.after.is_some_and(|side| side.facts.checks.iter().any(is_idle))
}

/// Whether it stands in a comment now, and nothing of its kind came in its place.
fn is_commented_out(pair: &GroundPair<'_>, matched: &Matched<'_>, check: &Check) -> bool {
    let Some(after) = pair.after else { return false };
    let commented = |side: Option<GroundSide<'_>>| {
        let same = |other: &&Check| other.signature == check.signature;
        side.map_or(0, |side| side.facts.commented.iter().filter(same).count())
    };
    let of_class =
        |checks: &[&Check]| checks.iter().filter(|other| other.class == check.class && counts(other)).count();
    let replaced = of_class(&matched.added) >= of_class(&matched.gone);
    commented(Some(after)) > commented(pair.before) && !replaced
}

/// Whether nothing in the change or outside of it does the same.
fn is_missed(pair: &GroundPair<'_>, before: &GroundSide<'_>, check: &Check, whole: &Whole<'_>) -> bool {
    // A script as a whole counts where something in it checks.
    let is_whole = check.signature.starts_with("script:");
    let inside = |other: &Check| other.place == check.place && other.signature != check.signature;
    if is_whole && !before.facts.checks.iter().any(inside) {
        return false;
    }
    // A script that is gone as well runs nowhere, whoever still calls it.
    let is_gone_script = check.signature.strip_prefix("run ").is_some_and(|name| {
        let script = format!("script:{name}");
        let has = |side: &GroundSide<'_>| side.facts.checks.iter().any(|other| other.signature == script);
        has(before) && !pair.after.is_some_and(|after| has(&after))
    });
    let elsewhere = if is_gone_script { &[][..] } else { &before.facts.elsewhere[..] };
    let same = |other: &&Check| {
        let as_far = other.signature == check.signature && covers(other, check);
        counts(other)
            && as_far
            && (check.around.system.is_none() || other.around.system == check.around.system)
    };
    // A server that is given up is no loss where another one runs tests; measuring is another thing.
    let measures = check.class == CheckClass::Coverage;
    let alike = |other: &&Check| {
        let is_like = match measures {
            true => other.class == check.class && !other.signature.starts_with("script "),
            false => other.class == check.class || other.class == CheckClass::Test,
        };
        counts(other) && is_like
    };
    let file_is_gone = pair.after.is_none();
    let moved = file_is_gone && !measures && whole.added.contains(&CheckClass::Test);
    let is_written_out = is_own_script(check) && whole.added.contains(&CheckClass::Audit);
    // A flag may stand in a row of the matrix now.
    let says = |flag: &str| pair.after.is_some_and(|side| contains(&side.file.text, flag.as_bytes()));
    let is_row = whole.has(&check.signature) && variant(check).is_some_and(says);
    !whole.runs(check)
        && !is_row
        && !is_written_out
        && !whole.added.contains(&check.class)
        && !moved
        && !whole.grows(&check.signature)
        && (is_prerequisite(check) || !whole.covers(&check.signature))
        && !elsewhere.iter().any(|other| same(&other))
        && !((file_is_gone || measures) && elsewhere.iter().any(|other| alike(&other)))
        && (check.class != CheckClass::Build || is_own_build(check, whole))
        && match before.facts.ground {
            Ground::Pipeline => true,
            Ground::Hooks => is_hook(pair, before, check),
            _ => is_entry(before, check),
        }
}

/// A check of code that hooks which stay ran; where they go as a whole, that is told by itself.
fn is_hook(pair: &GroundPair<'_>, before: &GroundSide<'_>, check: &Check) -> bool {
    let tool = check.signature.trim_start_matches("hook ");
    let is_same = |other: &Check| other.signature.split(' ').next() == Some(tool);
    let stays = |side: GroundSide<'_>| {
        side.facts.checks.iter().any(counts) || contains(&side.file.text, b"lint-staged")
    };
    pair.after.is_some_and(stays)
        && matches!(check.class, CheckClass::Gate | CheckClass::Test | CheckClass::Lint | CheckClass::Types)
        && !before.facts.elsewhere.iter().any(is_same)
}

/// In scripts, only what people and pipelines call by its common name.
fn is_entry(before: &GroundSide<'_>, check: &Check) -> bool {
    const ENTRIES: &[&str] = &[
        "scripts.test",
        "scripts.check",
        "scripts.ci",
        "scripts.lint",
        "scripts.verify",
        "test",
        "check",
        "ci",
        "lint",
        "vet",
        "verify",
        "testenv",
        "tox",
        "scripts.prepublishOnly",
        "scripts.prepublish",
        "scripts.preversion",
        "scripts.precommit",
        "scripts.prepush",
        "scripts.pretest",
        "scripts.posttest",
        "scripts.validate",
    ];
    let name = before.file.path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    match before.facts.ground {
        // A script of shell text is called by the name of its file, a session of nox by its own.
        Ground::Scripts if check.place.is_empty() => {
            before.file.path.split('/').chain([stem]).any(|part| class_of_name(part).is_some())
        }
        // What git runs before a commit may be set up in the package.
        Ground::Scripts
            if ["lint-staged", "simple-git-hooks", "husky"].iter().any(|it| check.place.starts_with(it)) =>
        {
            check.class != CheckClass::Format
        }
        Ground::Scripts if stem == "noxfile" => class_of_name(&check.place).is_some(),
        Ground::Runner if check.place.starts_with("testenv:") => class_of_name(&check.place[8..]).is_some(),
        Ground::Scripts | Ground::Runner => ENTRIES.contains(&check.place.as_str()),
        _ => false,
    }
}

/// A `cargo check` of features, targets or crates that no other command of cargo's looks at.
fn is_own_build(check: &Check, whole: &Whole<'_>) -> bool {
    let tells = |word: &&str| {
        [
            "--features",
            "--no-default-features",
            "--all-features",
            "--target",
            "--profile",
            "hack",
            "-p",
            "--package",
        ]
        .contains(&word.split('=').next().unwrap_or_default())
    };
    let is_special = check.text.split(' ').any(|word| tells(&word));
    check.signature == "cargo check" && is_special && !whole.has(&check.signature)
}

/// A script or action of the repository: only its name says what it checks, and that may well be written out now.
fn is_own_script(check: &Check) -> bool {
    check.class == CheckClass::Lint
        && (check.signature.starts_with("uses ") && !check.signature.contains('/')
            || check.signature.starts_with("script "))
}

/// Something that a target waits for, by its name alone.
fn is_prerequisite(check: &Check) -> bool {
    check.text.strip_prefix(check.place.as_str()).is_some_and(|rest| rest.starts_with(": "))
}

fn commented_out(comparison: &Comparison, pair: &GroundPair<'_>, group: &Group<'_>) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    let check = *group.checks.first()?;
    let place = after.facts.commented.iter().find(|other| other.signature == check.signature)?;
    let draft = Draft {
        rule: ID,
        severity: severity_of(&group.checks).max(Severity::Medium),
        confidence: 0.9,
        message: format!("{} is commented out, so nothing runs it", names(&group.checks)),
        help: format!(
            "put it back; this prints it: {}",
            show_before(comparison, before.file, Span { start: check.line, end: check.line })
        ),
    };
    let mut finding = draft.on(Side::Before, before.file, check.line, symbol(before.file, &check.place));
    finding.before = line_of(before.file, check.line, "this ran");
    finding.after = line_of(after.file, place.line, "now it is a comment");
    Some(finding)
}

fn removed_finding(
    comparison: &Comparison,
    pair: &GroundPair<'_>,
    before: &GroundSide<'_>,
    group: &Group<'_>,
    pool: &Pool<'_>,
) -> Finding {
    let check = group.checks[0];
    let draft = Draft {
        rule: ID,
        severity: severity_of(&group.checks).max(Severity::High),
        confidence: 0.85,
        message: format!("{} was removed and nothing else runs it", names(&group.checks)),
        help: format!(
            "put it back; this prints it: {}",
            show_before(comparison, before.file, Span { start: check.line, end: check.line })
        ),
    };
    let mut finding = draft.on(Side::Before, before.file, check.line, symbol(before.file, &check.place));
    finding.before = line_of(before.file, check.line, "this ran");
    if group.checks.iter().any(|check| check.class == CheckClass::Gate) {
        return finding;
    }
    let is_test = group.checks.iter().any(|check| check.class == CheckClass::Test);
    if group.checks.iter().any(|check| check.signature.contains("aiwg-gate")) {
        finding.severity = Severity::Critical;
    } else if group.checks.iter().all(|check| is_of_deleted(pool, check)) {
        finding.lower(Severity::Low, "what it was about is deleted in the same change");
    } else if before.facts.ground == Ground::Hooks
        && before.facts.elsewhere.iter().any(|other| other.class == check.class)
    {
        finding.lower(Severity::Low, "checks of the same kind still run in CI");
    } else if check.around.system.is_some()
        && before.facts.elsewhere.iter().any(|other| other.signature == check.signature)
    {
        finding.lower(Severity::Medium, "it still runs on other systems");
    } else if severity_of(&group.checks) == Severity::Low
        && (before.facts.ground != Ground::Pipeline || pair.after.is_none())
    {
        finding.lower(Severity::Low, "it only checks the layout of text");
    } else if !is_test || pair.after.is_none() || before.facts.ground != Ground::Pipeline {
        finding.lower(Severity::Medium, "it may have moved to where this change does not show");
    }
    finding
}

/// Whether a path in the command leads to what the change deletes.
fn is_of_deleted(pool: &Pool<'_>, check: &Check) -> bool {
    let text = format!("{} {}", check.text, check.place);
    let words = text.split([' ', '=', ',', '"', '\'', ':']).map(|word| word.trim_matches(['.', '/', '*']));
    words.filter(|word| word.len() >= 4 && !word.starts_with('-')).any(|word| {
        !["test", "tests", "cargo", "pytest", "scripts"].contains(&word) && pool.is_of_deleted_files(word)
    })
}
