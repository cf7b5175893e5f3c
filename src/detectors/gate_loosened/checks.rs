//! Commands that check something: gone, commented out, or without force.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::ID;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::ground::{GroundPair, GroundSide, Pool};
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::facts::{Check, CheckClass, Force, Ground, Mark, Span};
use crate::finding::{Finding, Severity, Side};

pub fn detect(comparison: &Comparison, pairs: &[GroundPair<'_>], pool: &Pool<'_>) -> Vec<Finding> {
    let matched: Vec<Matched<'_>> = pairs.iter().map(Matched::of).collect();
    let whole = Whole::of(pairs, &matched);
    let mut findings = Vec::new();
    for (pair, matched) in pairs.iter().zip(&matched) {
        findings.extend(weakened(pair, matched));
        findings.extend(bypassed(pair, matched, &whole));
        findings.extend(gone(comparison, pair, matched, &whole, pool));
        findings.extend(ungated(pair));
        findings.extend(untriggered(pair));
        findings.extend(masked_parts(pair, matched));
    }
    findings
}

/// The checks of one file, those of both sides that are the same put together.
pub struct Matched<'c> {
    pub kept: Vec<(&'c Check, &'c Check)>,
    gone: Vec<&'c Check>,
    added: Vec<&'c Check>,
}

impl<'c> Matched<'c> {
    /// Together are first those that are equal in everything, last those that only run the same tool.
    pub fn of(pair: &GroundPair<'c>) -> Self {
        let checks = |side: Option<GroundSide<'c>>| side.map_or(&[][..], |side| &side.facts.checks[..]);
        let (before, after) = (checks(pair.before), checks(pair.after));
        let mut partner: Vec<Option<usize>> = vec![None; before.len()];
        let mut taken = vec![false; after.len()];
        let keys: [fn(&Check) -> (&str, &str, &str); 4] = [
            |check| (&check.signature, &check.place, &check.text),
            |check| (&check.signature, &check.place, ""),
            |check| (&check.signature, "", &check.text),
            |check| (&check.signature, "", ""),
        ];
        for key in keys {
            let mut free: HashMap<(&str, &str, &str), Vec<usize>> = HashMap::new();
            for (index, check) in after.iter().enumerate().rev().filter(|(index, _)| !taken[*index]) {
                free.entry(key(check)).or_default().push(index);
            }
            for (index, check) in before.iter().enumerate() {
                if partner[index].is_none()
                    && let Some(found) = free.get_mut(&key(check)).and_then(Vec::pop)
                {
                    partner[index] = Some(found);
                    taken[found] = true;
                }
            }
        }
        let kept =
            before.iter().zip(&partner).filter_map(|(old, new)| Some((old, &after[(*new)?]))).collect();
        let gone = before.iter().zip(&partner).filter(|(_, new)| new.is_none()).map(|(old, _)| old).collect();
        let added = after.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(new, _)| new).collect();
        Self { kept, gone, added }
    }
}

/// Whether a check can stop anything.
fn counts(check: &Check) -> bool {
    !matches!(check.force, Force::Ignored(_) | Force::Off(_)) && check.bypasses.is_empty()
}

/// What the whole change still checks.
struct Whole<'c> {
    /// Signatures of what counts after, in all files of the change.
    after: HashSet<&'c str>,
    /// Classes of what counts and is new, or has more of it.
    added: HashSet<CheckClass>,
    /// By signature: how many count on each side.
    counts: HashMap<&'c str, (usize, usize)>,
}

impl<'c> Whole<'c> {
    fn of(pairs: &[GroundPair<'c>], matched: &[Matched<'c>]) -> Self {
        let mut whole = Self { after: HashSet::new(), added: HashSet::new(), counts: HashMap::new() };
        for pair in pairs {
            for check in pair.before.iter().flat_map(|side| &side.facts.checks).filter(|check| counts(check))
            {
                whole.counts.entry(&check.signature).or_default().0 += 1;
            }
            for check in pair.after.iter().flat_map(|side| &side.facts.checks).filter(|check| counts(check)) {
                whole.counts.entry(&check.signature).or_default().1 += 1;
                whole.after.insert(&check.signature);
            }
        }
        let added = matched.iter().flat_map(|matched| &matched.added).filter(|check| counts(check));
        whole.added = added.map(|check| check.class).collect();
        whole
    }

    /// Whether a target of the same tool that stands for many still runs: `make check` for `make test`.
    fn covers(&self, signature: &str) -> bool {
        let tool = signature.split(' ').next().unwrap_or_default();
        if !["make", "just", "mage", "task", "rake", "invoke"].contains(&tool) {
            return false;
        }
        let many = ["check", "ci", "all", "verify", "validate"];
        many.iter().any(|target| self.after.contains(format!("{tool} {target}").as_str()))
    }

    fn grows(&self, signature: &str) -> bool {
        self.counts.get(signature).is_some_and(|(before, after)| after > before)
    }
}

/// Findings on several checks under one mark are one.
struct Group<'c> {
    checks: Vec<&'c Check>,
}

fn names(checks: &[&Check]) -> String {
    let mut names: Vec<String> = Vec::new();
    for check in checks {
        let name = format!("`{}`", label(check));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(3);
    names.truncate(3);
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// What a person calls the check.
fn label(check: &Check) -> &str {
    check
        .signature
        .strip_prefix("uses ")
        .or_else(|| check.signature.strip_prefix("script:"))
        .unwrap_or(&check.text)
}

fn symbol(file: &FileSide, place: &str) -> String {
    if place.is_empty() { file.path.clone() } else { format!("{}::{place}", file.path) }
}

/// How bad it is when checks of this kind lose their force.
fn severity_of(checks: &[&Check]) -> Severity {
    let worst = checks.iter().map(|check| match check.class {
        // What measures runs the tests once more.
        CheckClass::Test if check.place.to_lowercase().contains("coverage") => Severity::Medium,
        CheckClass::Test | CheckClass::Lint | CheckClass::Types => Severity::High,
        CheckClass::Audit | CheckClass::Coverage | CheckClass::Build => Severity::Medium,
        CheckClass::Format => Severity::Low,
    });
    worst.max().unwrap_or(Severity::Low)
}

/// Checks that could fail the run before and no longer can.
fn weakened(pair: &GroundPair<'_>, matched: &Matched<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let mut groups: BTreeMap<(u32, String), (Vec<&Check>, &Check, &Mark, Weakening)> = BTreeMap::new();
    for &(old, new) in &matched.kept {
        let Some((mark, weakening)) = weakening(old, new) else { continue };
        let group =
            groups.entry((mark.line, mark.text.clone())).or_insert((Vec::new(), old, mark, weakening));
        group.0.push(new);
    }
    let finding = |(checks, old, mark, weakening): (Vec<&Check>, &Check, &Mark, Weakening)| {
        let first = checks.first()?;
        let what = match weakening {
            Weakening::Off => "no longer runs",
            Weakening::Ignored => "no longer fails the run",
            Weakening::Partly => "fails the run in fewer cases than before",
            Weakening::Unknown => "may no longer fail the run",
        };
        let draft = Draft {
            rule: ID,
            severity: severity_of(&checks),
            confidence: 0.9,
            message: format!("{} {what}: {}", names(&checks), mark.text),
            help: format!(
                "take `{}` out at {}:{} and make the check pass",
                mark.text, after.file.path, mark.line
            ),
        };
        let mut finding = draft.on(Side::After, after.file, mark.line, symbol(after.file, &first.place));
        finding.before = line_of(before.file, old.line, "its failure counted here");
        finding.after = line_of(after.file, mark.line, what);
        lower_weakening(&mut finding, weakening, &checks);
        Some(finding)
    };
    groups.into_values().filter_map(finding).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Weakening {
    Off,
    Ignored,
    Partly,
    Unknown,
}

fn weakening<'c>(old: &Check, new: &'c Check) -> Option<(&'c Mark, Weakening)> {
    match (&old.force, &new.force) {
        (Force::Off(_) | Force::Ignored(_), _) | (_, Force::Blocks) => None,
        (_, Force::Off(mark)) => Some((mark, Weakening::Off)),
        (_, Force::Ignored(mark)) => Some((mark, Weakening::Ignored)),
        (Force::Partly { blocking: was, .. }, Force::Partly { blocking, mark }) => {
            (blocking < was).then_some((mark, Weakening::Partly))
        }
        (Force::Blocks, Force::Partly { blocking: 0, mark }) => Some((mark, Weakening::Ignored)),
        (Force::Blocks, Force::Partly { mark, .. } | Force::Unknown(mark)) => {
            Some((mark, Weakening::Unknown))
        }
        (_, Force::Partly { .. } | Force::Unknown(_)) => None,
    }
}

fn lower_weakening(finding: &mut Finding, weakening: Weakening, checks: &[&Check]) {
    match weakening {
        Weakening::Partly => {
            finding.lower(Severity::Medium, "in some rows of the matrix a failure still counts")
        }
        Weakening::Unknown => {
            finding.lower(Severity::Low, "it depends on an expression, and other rows may still count")
        }
        Weakening::Off | Weakening::Ignored if checks.iter().all(|check| check.place.contains("report")) => {}
        Weakening::Off | Weakening::Ignored => {}
    }
}

fn line_of(file: &FileSide, line: u32, label: &str) -> Option<crate::finding::Excerpt> {
    excerpt(file, Span { start: line, end: line }, line, label)
}

/// Options on a kept command that let it pass.
fn bypassed(pair: &GroundPair<'_>, matched: &Matched<'_>, whole: &Whole<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let mut findings = Vec::new();
    for &(old, new) in &matched.kept {
        let Some(option) = new.bypasses.iter().find(|option| !old.bypasses.contains(option)) else {
            continue;
        };
        // A build without its tests is fine where the tests have a step of their own.
        let runs_elsewhere = whole.after.contains(new.signature.as_str()) || whole.added.contains(&new.class);
        if !old.bypasses.is_empty() || (is_split(option) && runs_elsewhere) {
            continue;
        }
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.88,
            message: format!("`{}` is now run with {option}, so it passes where it failed", label(old)),
            help: format!("take {option} out at {}:{} and make the check pass", after.file.path, new.line),
        };
        let mut finding = draft.on(Side::After, after.file, new.line, symbol(after.file, &new.place));
        finding.before = line_of(before.file, old.line, "it could fail here");
        finding.after = line_of(after.file, new.line, "now it passes");
        if ["--passWithNoTests", "--pass-with-no-tests", "--no-run"].contains(&option.as_str()) {
            finding.lower(Severity::Medium, "tests that are there still count");
        }
        if new.class == CheckClass::Build {
            finding.lower(Severity::Low, "the command only builds");
        }
        findings.push(finding);
    }
    findings
}

fn is_split(option: &str) -> bool {
    option.to_lowercase().contains("skip") || option.starts_with("-x ") || option == "--no-run"
}

/// Checks that nothing runs any more.
fn gone(
    comparison: &Comparison,
    pair: &GroundPair<'_>,
    matched: &Matched<'_>,
    whole: &Whole<'_>,
    pool: &Pool<'_>,
) -> Vec<Finding> {
    let Some(before) = pair.before.filter(|side| side.facts.ground != Ground::Policy) else {
        return Vec::new();
    };
    let (mut disabled, mut removed): (BTreeMap<&str, Group<'_>>, BTreeMap<&str, Group<'_>>) =
        Default::default();
    for &check in matched.gone.iter().filter(|check| counts(check)) {
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
    let removed = removed.values().map(|group| removed_finding(comparison, pair, &before, group, pool));
    commented.chain(removed).collect()
}

/// Whether the script it was in does nothing any more, which is told by itself.
fn is_idle_now(pair: &GroundPair<'_>, check: &Check) -> bool {
    let idle = format!("{} does nothing", check.place);
    pair.after.is_some_and(|side| side.facts.settings.iter().any(|setting| setting.key == idle))
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
    let elsewhere = &before.facts.elsewhere;
    let same = |other: &&Check| counts(other) && other.signature == check.signature;
    // A server that is given up is no loss where another one runs tests.
    let alike =
        |other: &&Check| counts(other) && (other.class == check.class || other.class == CheckClass::Test);
    let file_is_gone = pair.after.is_none();
    let moved = file_is_gone && whole.added.contains(&CheckClass::Test);
    !whole.after.contains(check.signature.as_str())
        && !whole.added.contains(&check.class)
        && !moved
        && !whole.grows(&check.signature)
        && !whole.covers(&check.signature)
        && !elsewhere.iter().any(|other| same(&other))
        && !(file_is_gone && elsewhere.iter().any(|other| alike(&other)))
        && check.class != CheckClass::Build
        && (before.facts.ground == Ground::Pipeline || is_entry(before, check))
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
        "verify",
        "testenv",
        "scripts.pretest",
        "scripts.posttest",
        "scripts.validate",
    ];
    match before.facts.ground {
        Ground::Scripts | Ground::Runner => ENTRIES.contains(&check.place.as_str()),
        _ => false,
    }
}

fn commented_out(comparison: &Comparison, pair: &GroundPair<'_>, group: &Group<'_>) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    let check = *group.checks.first()?;
    let place = after.facts.commented.iter().find(|other| other.signature == check.signature)?;
    let draft = Draft {
        rule: ID,
        severity: severity_of(&group.checks),
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
        severity: Severity::High,
        confidence: 0.85,
        message: format!("{} was removed and nothing else runs it", names(&group.checks)),
        help: format!(
            "put it back; this prints it: {}",
            show_before(comparison, before.file, Span { start: check.line, end: check.line })
        ),
    };
    let mut finding = draft.on(Side::Before, before.file, check.line, symbol(before.file, &check.place));
    finding.before = line_of(before.file, check.line, "this ran");
    let is_test = group.checks.iter().any(|check| check.class == CheckClass::Test);
    if group.checks.iter().all(|check| is_of_deleted(pool, check)) {
        finding.lower(Severity::Low, "what it was about is deleted in the same change");
    } else if severity_of(&group.checks) == Severity::Low {
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

/// Jobs that a job which stands for the others no longer waits for.
fn ungated(pair: &GroundPair<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let mut findings = Vec::new();
    // A job that waits for one other only comes behind it.
    for old in before.facts.gates.iter().filter(|gate| gate.needs.len() > 1) {
        let Some(new) = after.facts.gates.iter().find(|gate| gate.name == old.name) else { continue };
        let checks = |job: &str| {
            after.facts.checks.iter().any(|check| counts(check) && check.place.split('/').next() == Some(job))
        };
        let dropped = old.needs.iter().filter(|job| !new.needs.contains(job) && new.jobs.contains(job));
        for job in dropped.filter(|job| checks(job)) {
            let draft = Draft {
                rule: ID,
                severity: Severity::High,
                confidence: 0.85,
                message: format!(
                    "`{}` no longer waits for the job `{job}`, so it passes when that fails",
                    new.name
                ),
                help: format!(
                    "list {job} under `needs` of {} again ({}:{})",
                    new.name, after.file.path, new.line
                ),
            };
            let mut finding = draft.on(
                Side::After,
                after.file,
                new.line,
                symbol(after.file, &format!("{}/{job}", new.name)),
            );
            finding.after = line_of(after.file, new.line, "this stands for all jobs");
            findings.push(finding);
        }
    }
    findings
}

/// A workflow with checks that changes no longer start.
fn untriggered(pair: &GroundPair<'_>) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    let tests = |check: &&Check| counts(check) && matches!(check.class, CheckClass::Test | CheckClass::Types);
    let first = after.facts.checks.iter().find(tests)?;
    if before.facts.on_changes != Some(true) || after.facts.on_changes != Some(false) {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.85,
        message: format!(
            "{} no longer runs on changes, so `{}` does not judge them",
            after.file.path,
            label(first)
        ),
        help: format!("list push or pull_request under `on` again in {}", after.file.path),
    };
    let mut finding = draft.on(Side::After, after.file, 1, symbol(after.file, "on"));
    finding.after = line_of(after.file, first.line, "changes no longer start this");
    Some(finding)
}

/// New parts of a known script that hide their own failure.
fn masked_parts(pair: &GroundPair<'_>, matched: &Matched<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let known =
        |name: &str| before.facts.checks.iter().any(|check| check.signature == format!("script:{name}"));
    let mut findings = Vec::new();
    for check in &matched.added {
        let (Some(name), Force::Ignored(mark)) = (check.signature.strip_prefix("script:"), &check.force)
        else {
            continue;
        };
        let whole = name.split(':').next().unwrap_or_default();
        let whole = whole
            .strip_prefix("pre")
            .or_else(|| whole.strip_prefix("post"))
            .filter(|rest| known(rest))
            .unwrap_or(whole);
        if whole == name || !known(whole) {
            continue;
        }
        let draft = Draft {
            rule: ID,
            severity: Severity::Medium,
            confidence: 0.8,
            message: format!(
                "the new script {name}, a part of {whole}, hides its own failure: {}",
                mark.text
            ),
            help: format!("take `{}` out at {}:{}", mark.text, after.file.path, check.line),
        };
        let mut finding = draft.on(Side::After, after.file, check.line, symbol(after.file, &check.place));
        finding.after = line_of(after.file, check.line, "it ends well whatever happens");
        findings.push(finding);
    }
    findings
}
