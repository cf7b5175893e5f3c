//! Switches that were turned to the loose side.

use super::ground::{Loosened, Pool, name_of};
use crate::collections::HashSet;
use crate::facts::{About, Setting, SettingValue};
use crate::project::AS_ERROR;

/// What a strict mode insists on by itself.
const OF_MODE: &[&str] = &[
    "noImplicitAny",
    "strictNullChecks",
    "strictFunctionTypes",
    "strictBindCallApply",
    "strictPropertyInitialization",
    "noImplicitThis",
    "useUnknownInCatchVariables",
    "disallow_untyped_defs",
    "disallow_incomplete_defs",
    "disallow_untyped_calls",
    "disallow_any_generics",
    "check_untyped_defs",
];

/// Whether a switch was on because the mode that has it was.
fn is_of_mode(setting: &Setting, before: &[Setting]) -> bool {
    let Some((owner, _)) = setting.key.rsplit_once('.').filter(|(_, name)| OF_MODE.contains(name)) else {
        return false;
    };
    let mode = format!("{owner}.strict");
    let is_mode = |other: &Setting| other.key == mode && other.value == SettingValue::Loose(false);
    before.iter().all(|other| other.key != setting.key) && before.iter().any(is_mode)
}

/// Switches that are loose and were not, or that stand there more often.
pub fn switched<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let loose = |setting: &&Setting| setting.value == SettingValue::Loose(true);
    let count = |settings: &[Setting], key: &str| {
        settings.iter().filter(loose).filter(|setting| setting.key == key).count()
    };
    // What was never demanded may do as it likes; what counted may not stop counting.
    let counted = |setting: &Setting| {
        let tight = |other: &Setting| other.key == setting.key && other.value == SettingValue::Loose(false);
        let may_be_loose = matches!(setting.about, About::Reports | About::Shell | About::Types | About::Checkers)
                || setting.key.starts_with("profile ")
                || setting.key.ends_with(AS_ERROR)
                // Nothing fails on coverage where nobody asks for it.
                || matches!(name_of(&setting.key), "check-coverage" | "checkCoverage");
        !may_be_loose || before.iter().any(tight) || is_of_mode(setting, before)
    };
    // An option that was given to the commands may be given to all of them at once.
    let moved = |setting: &Setting| {
        let name = name_of(&setting.key);
        name.starts_with('-') && pool.passes.contains(name)
    };
    let newly = |setting: &&Setting| {
        loose(setting)
            && count(after, &setting.key) > count(before, &setting.key)
            && counted(setting)
            && !moved(setting)
    };
    let mut seen = HashSet::new();
    after
        .iter()
        .filter(newly)
        .filter(|setting| seen.insert(setting.key.as_str()))
        .map(Loosened::Switched)
        .collect()
}
