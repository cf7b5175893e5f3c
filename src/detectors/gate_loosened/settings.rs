//! Settings of runners, hook managers and attributes that became looser. Those about coverage have their own rule.

use super::ID;
use super::checks::{line_of, severity_of, symbol};
use super::judging::{hidden_tests, judged};
use super::matching::{Matched, counts};
use crate::collections::{HashMap, HashSet};
use crate::detectors::ground::{GroundPair, GroundSide, Loosened, Pool, compare};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{About, Check, CheckClass, Ground, ProjectFacts, Setting, SettingValue, Span, Unreached};
use crate::finding::{Finding, Severity, Side};
use crate::project::{AS_ERROR, is_idle_script};
use crate::text::plural;

pub fn detect(pairs: &[GroundPair<'_>], pool: &Pool<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let runs = Runs::of(pairs);
    for pair in pairs {
        let Some(after) = pair.after else { continue };
        let Some(before) = pair.before else {
            findings.extend(of_new_file(&after, pool));
            continue;
        };
        let own = compare(&before.facts.settings, &after.facts.settings, pool);
        let given_up = own.iter().filter(|loosened| gives_up_a_rule(&before, loosened)).count();
        let (mut told, mut listed) = (false, false);
        let mut jobs: HashSet<&str> = HashSet::new();
        for loosened in own {
            let Some(mut finding) = finding(&before, &after, loosened, pool) else { continue };
            // What leaves the matrix of a job at once is told once.
            let job = loosened.setting().key.split('/').next().unwrap_or_default();
            let is_cell = after.facts.ground == Ground::Pipeline
                && loosened.setting().about == About::Rows
                && !loosened.setting().key.contains(' ');
            if is_cell && finding.severity > Severity::Low && !jobs.insert(job) {
                continue;
            }
            let is_warning = loosened.setting().key.ends_with("filterwarnings");
            if is_warning && finding.severity > Severity::Low && !jobs.insert("filterwarnings") {
                continue;
            }
            // Many rules that are given up at once are told once.
            if matches!(loosened, Loosened::LeftOut(_)) && is_of_checkers(loosened.setting()) {
                if finding.severity > Severity::Low && std::mem::replace(&mut listed, true) {
                    continue;
                }
            } else if given_up >= MANY_RULES && gives_up_a_rule(&before, &loosened) {
                if std::mem::replace(&mut told, true) {
                    continue;
                }
                finding = bulk(finding, given_up);
            }
            findings.push(finding);
        }
        let matched = Matched::of(pair);
        findings.extend(idle_scripts(&before, &after, &matched));
        findings.extend(options(&before, &after, &matched, &runs, pool));
    }
    findings
}

/// So many patterns of a list are named.
const SHOWN_PATTERNS: usize = 3;

/// Scripts that checked something and do nothing any more. One that builds checks nothing by itself.
fn idle_scripts(before: &GroundSide<'_>, after: &GroundSide<'_>, matched: &Matched<'_>) -> Vec<Finding> {
    let idle = matched
        .kept
        .iter()
        .filter(|(old, new)| new.class != CheckClass::Build && is_idle_script(new) && !is_idle_script(old));
    let finding = |(old, new): &(&Check, &Check)| {
        let what = match new.class {
            CheckClass::Gate => "the gate",
            CheckClass::Test => "the tests",
            CheckClass::Lint => "the linter",
            CheckClass::Types => "the type checker",
            CheckClass::Audit => "the audit",
            CheckClass::Coverage => "the coverage",
            CheckClass::Format | CheckClass::Build => "the check",
        };
        let draft = Draft {
            rule: ID,
            severity: severity_of(&[new]),
            confidence: 0.85,
            message: format!("{} does nothing any more, and passes whatever {what} would say", new.place),
            help: format!("let {} run {what} again ({}:{})", new.place, after.file.path, new.line),
        };
        let mut finding = draft.on(Side::After, after.file, new.line, symbol(after.file, &new.place));
        finding.before = line_of(before.file, old.line, "this ran");
        finding.after = line_of(after.file, new.line, "here");
        finding
    };
    idle.map(finding).collect()
}

/// So many rules of a linter are not given up by the way.
const MANY_RULES: usize = 3;

/// Whether a setting is about what linters and their like are told.
fn is_of_checkers(setting: &Setting) -> bool {
    matches!(setting.about, About::Lint | About::Checkers)
}

/// Whether a rule that linters looked at is no longer looked at; new rules that are left out were never kept.
fn gives_up_a_rule(before: &GroundSide<'_>, loosened: &Loosened<'_>) -> bool {
    let setting = loosened.setting();
    let tight = |old: &Setting| old.key == setting.key && old.value == SettingValue::Loose(false);
    is_of_checkers(setting)
        && match loosened {
            Loosened::Narrowed(_) => true,
            Loosened::GivenUp(_) => setting.key.starts_with("module ") || setting.key.starts_with("rule "),
            Loosened::Switched(_) => before.facts.settings.iter().any(tight),
            _ => false,
        }
}

/// The finding on the first of many rules, which stands for all of them.
fn bulk(finding: Finding, count: usize) -> Finding {
    let message =
        format!("{count} rules of a linter are given up at once, the first of them: {}", finding.message);
    let mut whole = Finding { severity: Severity::High, evidence: Vec::new(), message, ..finding };
    whole.lower(Severity::Medium, "it is about what linters say");
    whole
}

/// What a new file takes away from tests that were there before it; what it says of its own tests is its own affair.
fn of_new_file(after: &GroundSide<'_>, pool: &Pool<'_>) -> Vec<Finding> {
    if pool.is_new_ground(&after.file.path) && after.facts.unreached.iter().all(|it| it.files == 0) {
        return Vec::new();
    }
    let nothing = ProjectFacts::default();
    let before = GroundSide { file: after.file, facts: &nothing };
    let takes_away = |loosened: &Loosened<'_>| {
        let about = loosened.setting().about;
        matches!(loosened, Loosened::LeftOut(_) | Loosened::Switched(_))
            && matches!(about, About::Tests | About::Attributes)
    };
    let found = compare(&[], &after.facts.settings, pool).into_iter().filter(takes_away);
    let lowered = |loosened: Loosened<'_>| {
        let mut finding = finding(&before, after, loosened, pool)?;
        // To hide tests that are there already is as bad in a new file.
        if hidden_tests(after, loosened.setting()).is_none() {
            finding.lower(Severity::Medium, "the file is new, and may have a reason");
        }
        Some(finding)
    };
    found.filter_map(lowered).collect()
}

/// How often each tool is run on both sides of the whole change.
struct Runs<'c> {
    counts: HashMap<&'c str, (usize, usize)>,
    /// How many commands select nothing, and so run everything; those of scripts and targets apart.
    whole: HashMap<(&'c str, bool), (usize, usize)>,
}

impl<'c> Runs<'c> {
    fn of(pairs: &[GroundPair<'c>]) -> Self {
        let mut runs = Self { counts: HashMap::new(), whole: HashMap::new() };
        for (side, is_after) in pairs.iter().flat_map(|pair| [(pair.before, false), (pair.after, true)]) {
            let Some(side) = side else { continue };
            let add = |(before, after): &mut (usize, usize)| *(if is_after { after } else { before }) += 1;
            for check in &side.facts.checks {
                add(runs.counts.entry(&check.signature).or_default());
                if counts(check) && !check.settings.iter().any(selects) {
                    add(runs.whole.entry((&check.signature, is_called(&side))).or_default());
                }
            }
        }
        runs
    }

    /// Whether another command still runs everything. Who calls one target does not call another one as well.
    fn are_whole(&self, signature: &str, side: &GroundSide<'_>) -> bool {
        let of = |called| self.whole.get(&(signature, called)).copied().unwrap_or_default();
        let ((_, elsewhere), (was, is)) = (of(false), of(true));
        match is_called(side) {
            true => elsewhere > 0 || is > 0 && is >= was,
            false => elsewhere + is > 0,
        }
    }

    /// Tests that were split over more commands are left out here to run there.
    fn are_more(&self, signature: &str) -> bool {
        self.counts.get(signature).is_some_and(|(before, after)| after > before)
    }
}

/// Whether the commands of a file run where somebody calls them by the name of their script or target.
fn is_called(side: &GroundSide<'_>) -> bool {
    side.facts.ground == Ground::Scripts
}

fn selects(setting: &Setting) -> bool {
    matches!(setting.value, SettingValue::Selects(_))
}

/// Options of commands that are there on both sides.
fn options(
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    matched: &Matched<'_>,
    runs: &Runs<'_>,
    pool: &Pool<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (old, new) in &matched.kept {
        if old.settings == new.settings || runs.are_more(&new.signature) {
            continue;
        }
        for loosened in compare(&old.settings, &new.settings, pool) {
            // A command that tests nothing at all is told by itself.
            let is_switch = matches!(loosened, Loosened::Switched(_));
            if is_switch && !(old.bypasses.is_empty() && new.bypasses.is_empty()) {
                continue;
            }
            // Another command still runs everything.
            if selects(loosened.setting()) && runs.are_whole(&new.signature, after) {
                continue;
            }
            let Some(mut finding) = finding(before, after, loosened, pool) else { continue };
            finding.symbol = format!("{}::{}", after.file.path, new.place);
            if !matches!(loosened, Loosened::Restricted { .. } | Loosened::GivenUp(_)) {
                finding.lower(Severity::Medium, "the command still runs the rest");
            }
            findings.push(finding);
        }
    }
    findings.extend(replaced(before, after, matched, pool));
    findings
}

/// What a command insisted on that another one of its kind took the place of.
fn replaced(
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    matched: &Matched<'_>,
    pool: &Pool<'_>,
) -> Vec<Finding> {
    let has_heir = |old: &&&Check| {
        let mut heirs = matched.added.iter().filter(|new| new.place == old.place && counts(new));
        heirs.any(|new| new.class == old.class)
    };
    let mut findings = Vec::new();
    for old in matched.gone.iter().filter(|check| counts(check)).filter(has_heir) {
        let insisted: Vec<Setting> = old
            .settings
            .iter()
            .filter(|setting| matches!(setting.value, SettingValue::Insists(_)))
            .cloned()
            .collect();
        let lost = compare(&insisted, &[], pool);
        findings.extend(lost.into_iter().filter_map(|loosened| finding(before, after, loosened, pool)));
    }
    findings
}

fn finding(
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    loosened: Loosened<'_>,
    pool: &Pool<'_>,
) -> Option<Finding> {
    let setting = loosened.setting();
    let side = if loosened.is_gone() { before } else { after };
    let (severity, why) = judged(before, after, loosened, pool)?;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: match hidden_tests(after, setting) {
            Some(hidden) => hiding_tests(setting, hidden),
            None => message(loosened),
        },
        help: format!("undo the change of {} ({}:{})", setting.key, side.file.path, setting.line),
    };
    let which = if loosened.is_gone() { Side::Before } else { Side::After };
    let symbol = format!("{}::{}", side.file.path, setting.key);
    let mut finding = draft.on(which, side.file, setting.line, symbol);
    let shown = excerpt(side.file, Span { start: setting.line, end: setting.line }, setting.line, "here");
    if loosened.is_gone() {
        finding.before = shown;
    } else {
        finding.after = shown;
    }
    if severity < Severity::High {
        finding.lower(severity, why);
    }
    Some(finding)
}

/// What a mark says that takes tests out of sight.
fn hiding_tests(setting: &Setting, hidden: &Unreached) -> String {
    format!(
        "{} is now marked {}, so this gate would not see {} of tests change or go, {} among them",
        hidden.key,
        setting.key,
        plural(hidden.files, "file"),
        hidden.first.as_deref().unwrap_or_default()
    )
}

fn message(loosened: Loosened<'_>) -> String {
    let setting = loosened.setting();
    let key = &setting.key;
    if let Loosened::Restricted { first, all } = loosened {
        return format!("{key} now runs nothing but {}", selected_with(first, all));
    }
    match (&setting.value, setting.about) {
        (SettingValue::LeavesOut(row), About::Rows) if key.ends_with("exclude") => {
            let job = key.rsplit_once('/').map(|(job, _)| format!(" of {job}")).unwrap_or_default();
            format!("the matrix{job} no longer has {row}")
        }
        (SettingValue::LeavesOut(row), About::Rows) => format!("a failure with {row} no longer counts"),
        (SettingValue::LeavesOut(pattern), About::Attributes) => {
            format!("{pattern} is now marked {key}, so reviews and this gate pass it over")
        }
        (SettingValue::LeavesOut(pattern), _) => {
            format!("{key} now leaves out {}", pattern.strip_prefix("not ").unwrap_or(pattern))
        }
        (SettingValue::Selects(module), About::Tests) if key == "module" => {
            format!("the build no longer has the module {module}, whose tests are still there")
        }
        (SettingValue::Selects(pattern), _) => format!("{key} no longer has {pattern}"),
        (SettingValue::Loose(true), About::Jobs) => format!("the job {key} never runs any more"),
        (SettingValue::Demands(_), About::Rows) => format!("the newest version left {key}"),
        (SettingValue::Demands(_), About::Hooks) => format!("fewer commands run on {key}"),
        (SettingValue::Demands(_), _) => format!("{key} demands less"),
        (SettingValue::Insists(what), _) if what.starts_with("plugin ") => {
            format!("the build no longer has the {what}, which checks the code")
        }
        (SettingValue::Insists(_), _) => format!("{key} is no longer insisted on"),
        (SettingValue::Loose(false), _) => {
            format!("{} is no longer set, and so off", key.trim_end_matches(AS_ERROR))
        }
        (SettingValue::Loose(_), About::Hooks) => format!("git hooks are now passed by: {key}"),
        (SettingValue::Loose(_), About::Shell) => {
            "the script no longer stops where a check fails, and nothing asks how that ended".to_owned()
        }
        (SettingValue::Loose(_), About::Reports) => format!("a failed report no longer fails the run: {key}"),
        (SettingValue::Loose(_), About::Lint | About::Checkers) if key.ends_with(AS_ERROR) => {
            format!("{} was an error and is only a warning now", key.trim_end_matches(AS_ERROR))
        }
        (SettingValue::Loose(_), About::Lint) if key.contains(" --") => {
            format!("{key} is new, so it looks at less")
        }
        (SettingValue::Loose(_), About::Tests) if key.contains("-p no:") => {
            format!("{key} is new, so what that plugin finds no longer fails a test")
        }
        (SettingValue::Loose(_), About::Types | About::Lint | About::Checkers) => {
            format!("{key} is now switched off or silent")
        }
        (SettingValue::Loose(_), _) if again(key) => {
            format!("{key}: a test that fails is run again now, and one pass is enough")
        }
        (SettingValue::Loose(_), _) => format!("{key} now lets failures pass or keeps tests from running"),
    }
}

/// Whether an option lets tests run more than once.
pub(super) fn again(key: &str) -> bool {
    let name = key.rsplit(' ').next().unwrap_or_default();
    ["rerun", "--retr"].iter().any(|again| name.contains(again))
}

/// The patterns of one list, as many as one can take in.
fn selected_with(first: &Setting, all: &[Setting]) -> String {
    let listed = all.iter().filter(|other| (other.about, &other.key) == (first.about, &first.key));
    let mut patterns: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    for setting in listed {
        if let SettingValue::Selects(pattern) = &setting.value
            && seen.insert(pattern)
        {
            patterns.push(pattern);
        }
    }
    let more = patterns.len().saturating_sub(SHOWN_PATTERNS);
    patterns.truncate(SHOWN_PATTERNS);
    if more > 0 { format!("{} and {more} more", patterns.join(", ")) } else { patterns.join(", ") }
}
