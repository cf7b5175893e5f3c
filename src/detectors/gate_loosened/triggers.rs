//! Workflows with checks that fewer changes start than before.

use globset::{GlobBuilder, GlobMatcher};

use super::ID;
use super::checks::{label, line_of, symbol};
use super::judging::hides_code;
use super::matching::counts;
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::detectors::report::Draft;
use crate::facts::{Check, CheckClass, Trigger};
use crate::finding::{Finding, Severity, Side};
use crate::paths::{PathClass, class_by_name};
use crate::project::{MAIN_BRANCHES, class_of_name};

pub fn detect(pairs: &[GroundPair<'_>]) -> Vec<Finding> {
    pairs.iter().enumerate().filter_map(|(index, pair)| untriggered(pairs, index, pair)).collect()
}

fn untriggered(pairs: &[GroundPair<'_>], index: usize, pair: &GroundPair<'_>) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    // What comes with the change was never started otherwise.
    let was_there = |check: &Check| before.facts.checks.iter().any(|old| old.signature == check.signature);
    let Some(first) = after.facts.checks.iter().find(|check| is_telling(check) && was_there(check)) else {
        return by_name(&before, &after);
    };
    let lost = lost(&before, &after)?;
    let others =
        pairs.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, pair)| pair.after);
    let same = |other: &GroundSide<'_>| {
        other.facts.triggers.iter().any(Trigger::is_of_pulls)
            && other.facts.checks.iter().any(|check| is_telling(check) && check.signature == first.signature)
    };
    if others.into_iter().any(|other| same(&other))
        || before.facts.on_pulls_elsewhere.contains(&first.signature)
    {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.85,
        message: format!(
            "{} no longer {}, so `{}` does not judge those changes",
            after.file.path,
            lost.what,
            label(first)
        ),
        help: format!("{} in {}:{}", lost.help, after.file.path, lost.shown()),
    };
    let mut finding = draft.on(Side::After, after.file, lost.shown(), symbol(after.file, "on"));
    finding.after =
        lost.line.and_then(|line| line_of(after.file, line, "this no longer starts it on every change"));
    if lost.mild {
        finding.lower(Severity::Low, "pull requests still start it");
    }
    Some(finding)
}

/// A workflow whose commands say nothing, or count for nothing, but which is called after what it checks.
fn by_name(before: &GroundSide<'_>, after: &GroundSide<'_>) -> Option<Finding> {
    let name = after.file.path.rsplit('/').next()?.split('.').next()?;
    let checks = matches!(class_of_name(name)?, CheckClass::Test | CheckClass::Types | CheckClass::Audit);
    let judged = |trigger: &Trigger| matches!(trigger.event.as_str(), "push" | "pull_request");
    let judged = before.facts.triggers.iter().any(judged) || before.facts.on_schedule;
    let lost = lost(before, after).filter(|lost| checks && judged && !lost.mild)?;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!("{} no longer {}", after.file.path, lost.what),
        help: format!("{} in {}:{}", lost.help, after.file.path, lost.shown()),
    };
    let mut finding = draft.on(Side::After, after.file, lost.shown(), symbol(after.file, "on"));
    finding.after =
        lost.line.and_then(|line| line_of(after.file, line, "this no longer starts it on every change"));
    finding.lower(Severity::Medium, "only its name says that it checks something");
    Some(finding)
}

fn is_telling(check: &Check) -> bool {
    use CheckClass::{Audit, Gate, Lint, Test, Types};
    counts(check) && matches!(check.class, Gate | Test | Types | Lint | Audit)
}

struct Lost {
    /// What the file no longer does.
    what: String,
    help: &'static str,
    /// Where the event stands, if anywhere.
    line: Option<u32>,
    mild: bool,
}

impl Lost {
    fn shown(&self) -> u32 {
        self.line.unwrap_or(1)
    }
}

/// Which changes no longer start a workflow, if any.
fn lost(before: &GroundSide<'_>, after: &GroundSide<'_>) -> Option<Lost> {
    let help = "list push or pull_request under `on` again";
    if before.facts.on_changes == Some(true) && after.facts.on_changes == Some(false) {
        return Some(Lost { what: "runs on changes".to_owned(), help, line: None, mild: false });
    }
    let starts = |side: &GroundSide<'_>| side.facts.on_schedule || side.facts.on_changes == Some(true);
    if before.facts.on_schedule && !starts(after) && after.facts.on_changes.is_some() {
        let what = "runs by itself, neither by the clock nor on changes".to_owned();
        return Some(Lost { what, help: "list schedule under `on` again", line: None, mild: false });
    }
    let (old, new) = (&before.facts.triggers, &after.facts.triggers);
    if before.facts.on_changes == Some(true) && !old.is_empty() && after.facts.on_changes.is_none() {
        return Some(Lost { what: "starts on anything".to_owned(), help, line: None, mild: false });
    }
    let line = new.first()?.line;
    let pulls = |triggers: &[Trigger]| triggers.iter().any(Trigger::is_of_pulls);
    let push = |triggers: &[Trigger]| {
        triggers.iter().any(|trigger| trigger.event == "push" && trigger.is_of_changes())
    };
    // A push to any branch is what a pull request is made of.
    let every_push = new.iter().any(|trigger| {
        trigger.event == "push"
            && trigger.is_of_changes()
            && (trigger.branches.is_empty()
                || trigger.branches.iter().any(|(name, _)| matches!(name.as_str(), "**" | "*")))
    });
    if pulls(old) && !pulls(new) && !every_push {
        return Some(Lost { what: "runs on pull requests".to_owned(), help, line: Some(line), mild: false });
    }
    let both = old.iter().filter_map(|old| Some((old, new.iter().find(|new| new.event == old.event)?)));
    if let Some(found) = both.clone().filter(|_| !every_push).find_map(|(old, new)| fewer_branches(old, new))
    {
        return Some(found);
    }
    if let Some(found) = both.clone().find_map(|(old, new)| fewer_paths(old, new)) {
        return Some(found);
    }
    if push(old) && !push(new) {
        return Some(Lost { what: "runs on pushes".to_owned(), help, line: Some(line), mild: true });
    }
    None
}

/// An event that no longer has to do with the branch that everything goes to.
fn fewer_branches(old: &Trigger, new: &Trigger) -> Option<Lost> {
    if !reaches_main(old) || reaches_main(new) {
        return None;
    }
    let listed = new.branches.iter().chain(&new.branches_ignored);
    let line = listed.map(|(_, line)| *line).next().unwrap_or(new.line);
    Some(Lost {
        what: format!("starts on {} to the main branches", old.event),
        help: "list the main branch again",
        line: Some(line),
        mild: false,
    })
}

fn reaches_main(trigger: &Trigger) -> bool {
    let ignored = Branch::of(&trigger.branches_ignored);
    let ignored = |name: &str| ignored.iter().any(|branch| branch.matches(name));
    // The last pattern that matches decides; what names a version may well be the main branch.
    let branches = Branch::of(&trigger.branches);
    let listed = |name: &str| {
        branches.iter().rfind(|branch| branch.matches(name)).is_some_and(|branch| !branch.is_negated)
    };
    let own = |(pattern, _): &(String, u32)| {
        !pattern.starts_with('!') && pattern.contains(|c: char| c.is_ascii_digit() || c == '$')
    };
    if trigger.branches.is_empty() {
        return MAIN_BRANCHES[..2].iter().all(|name| !ignored(name));
    }
    MAIN_BRANCHES.iter().any(|name| listed(name)) || trigger.branches.iter().any(own)
}

/// So many patterns of a list are looked at, and so much of each.
const MAX_BRANCHES: usize = 200;
const MAX_PATTERN: usize = 256;

/// A pattern of branches.
struct Branch<'t> {
    text: &'t str,
    is_negated: bool,
    /// None where it has no wildcards, and is just a name.
    glob: Option<GlobMatcher>,
}

impl<'t> Branch<'t> {
    fn of(list: &'t [(String, u32)]) -> Vec<Self> {
        let known = list.iter().filter(|(pattern, _)| pattern.len() <= MAX_PATTERN).take(MAX_BRANCHES);
        known.filter_map(|(pattern, _)| Self::read(pattern)).collect()
    }

    fn read(pattern: &'t str) -> Option<Self> {
        let text = pattern.trim_start_matches('!');
        let is_name = !text.contains(['*', '?', '[', ']', '{', '}', '\\']);
        let glob = match is_name {
            true => None,
            false => Some(GlobBuilder::new(text).literal_separator(true).build().ok()?.compile_matcher()),
        };
        Some(Self { text, is_negated: pattern.starts_with('!'), glob })
    }

    fn matches(&self, name: &str) -> bool {
        self.glob.as_ref().map_or(self.text == name, |glob| glob.is_match(name))
    }
}

/// An event that passes code over, or only looks at documents.
fn fewer_paths(old: &Trigger, new: &Trigger) -> Option<Lost> {
    let is_new = |(pattern, _): &&(String, u32)| !old.paths_ignored.iter().any(|(known, _)| known == pattern);
    let all = |pattern: &str| matches!(pattern, "**" | "*" | "**/*" | "**/**");
    let ignored =
        new.paths_ignored.iter().filter(is_new).find(|(pattern, _)| all(pattern) || hides_code(pattern));
    if let Some((pattern, line)) = ignored {
        return Some(Lost {
            what: format!("starts on {} for changes of {pattern}", new.event),
            help: "take the pattern out",
            line: Some(*line),
            mild: false,
        });
    }
    let is_document = |(pattern, _): &(String, u32)| {
        pattern.starts_with('!') || class_by_name(&pattern.replace('*', "x")) == PathClass::Documentation
    };
    let only_documents =
        |trigger: &Trigger| !trigger.paths.is_empty() && trigger.paths.iter().all(is_document);
    let (_, line) = new.paths.first().filter(|_| only_documents(new) && !only_documents(old))?;
    Some(Lost {
        what: format!("starts on {} for changes of code", new.event),
        help: "take the patterns out",
        line: Some(*line),
        mild: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_pattern_that_matches_a_main_branch_decides() {
        for (branches, ignored, expected) in [
            ("", "", true),
            ("main", "", true),
            ("never", "", false),
            ("m*", "", true),
            ("** !main !master !dev* !trunk !default !next !canary !stable", "", false),
            ("!main main", "", true),
            ("release/1.2", "", true),
            ("", "main", false),
            ("", "ma*", false),
            ("", "docs", true),
        ] {
            let list = |text: &str| text.split_whitespace().map(|name| (name.to_owned(), 1)).collect();
            let trigger =
                Trigger { branches: list(branches), branches_ignored: list(ignored), ..Trigger::default() };
            assert_eq!(reaches_main(&trigger), expected, "{branches} {ignored}");
        }
    }
}
