//! What was insisted on and is no longer, and switches that are loose again because nobody sets them.

use super::{GroundPair, Loosened, Pool, as_switch, name_of};
use crate::collections::{HashMap, HashSet};
use crate::facts::{About, Setting, SettingValue};
use crate::project::AS_ERROR;

/// Switches that are loose where nobody sets them.
const LOOSE_BY_DEFAULT: &[&str] = &[
    "strict",
    "noImplicitAny",
    "strictNullChecks",
    "strictFunctionTypes",
    "noImplicitReturns",
    "noUncheckedIndexedAccess",
    "disallow_untyped_defs",
    "disallow_incomplete_defs",
    "disallow_untyped_calls",
    "disallow_any_generics",
    "check_untyped_defs",
    "xfail_strict",
    "branch",
    "check-coverage",
    "checkCoverage",
    "fail_ci_if_error",
    "failOnWarning",
    "forbidOnly",
    "forbid-only",
    "forbid-pending",
    "forbidPending",
];

/// What was insisted on, and what is loose again because nobody sets it any more.
pub fn given_up<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let set: HashSet<&str> = after.iter().map(|setting| setting.key.as_str()).collect();
    let is_gone = |setting: &&Setting| match &setting.value {
        SettingValue::Insists(what) => {
            let is_mode = || what.starts_with("--strict-") && pool.insists(setting.about, "strict");
            !pool.insists(setting.about, what)
                && !is_mode()
                && !is_built_otherwise(before, after, pool, setting)
        }
        SettingValue::Loose(false) => {
            if let Some(rule) = setting.key.strip_suffix(AS_ERROR) {
                return !set.contains(rule) && !pool.insists(setting.about, name_of(rule));
            }
            let name = name_of(&setting.key);
            LOOSE_BY_DEFAULT.contains(&name)
                && !set.contains(setting.key.as_str())
                && !pool.insists(setting.about, name)
                // The strict mode has them all.
                && !pool.insists(setting.about, "strict")
        }
        _ => false,
    };
    let mut seen = HashSet::new();
    let gone = before.iter().filter(is_gone);
    gone.filter(|setting| seen.insert((setting.about, setting.key.as_str()))).map(Loosened::GivenUp).collect()
}

/// Whether something is about what a command builds and runs, and not about what it finds.
pub fn is_of_build(what: &str) -> bool {
    let kind = what.split(' ').next().unwrap_or_default();
    what == "--workspace" || what != kind && matches!(kind, "feature" | "tag" | "profile" | "task")
}

/// Whether a feature, a tag or a profile that a command was told to build with has another name now, is among all of
/// them, or is gone with the feature itself.
fn is_built_otherwise(before: &[Setting], after: &[Setting], pool: &Pool<'_>, setting: &Setting) -> bool {
    let SettingValue::Insists(what) = &setting.value else { return false };
    if what == "--workspace" {
        // To name packages is told by what they leave out.
        let names = |other: &Setting| other.key.ends_with(" packages");
        return pool.manifests.have_default_members() || after.iter().any(names);
    }
    let Some((kind, name)) = what.split_once(' ').filter(|_| is_of_build(what)) else { return false };
    let count = |settings: &[Setting]| {
        let of_kind = |other: &&Setting| {
            let start = |what: &str| what.strip_prefix(kind).is_some_and(|rest| rest.starts_with(' '));
            matches!(&other.value, SettingValue::Insists(what) if start(what))
        };
        settings.iter().filter(of_kind).count()
    };
    count(after) >= count(before)
        || pool.insists(setting.about, "--all-features")
        || pool.manifests.lose(name)
}

/// How many commands insist on something on each side.
pub fn insisting(pairs: &[GroundPair<'_>]) -> HashMap<(About, String), (usize, usize)> {
    let mut found: HashMap<(About, String), (usize, usize)> = HashMap::new();
    for (side, is_after) in pairs.iter().flat_map(|pair| [(pair.before, false), (pair.after, true)]) {
        let settings = side.into_iter().flat_map(|side| &side.facts.checks).flat_map(|check| &check.settings);
        for setting in settings {
            let what = match &setting.value {
                SettingValue::Insists(what) => what.as_str(),
                SettingValue::Loose(false) => name_of(&setting.key),
                _ => continue,
            };
            let counts = found.entry((setting.about, as_switch(what))).or_default();
            *(if is_after { &mut counts.1 } else { &mut counts.0 }) += 1;
        }
    }
    found
}
