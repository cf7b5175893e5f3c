//! Workflows with tests that fewer changes start than before.

use globset::GlobBuilder;

use super::ID;
use super::checks::{counts, label, line_of, symbol};
use super::settings::hides_code;
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::detectors::report::Draft;
use crate::facts::{Check, CheckClass, Trigger};
use crate::finding::{Finding, Severity, Side};
use crate::paths::{PathClass, class_by_name};
use crate::project::MAIN_BRANCHES;

pub fn detect(pairs: &[GroundPair<'_>]) -> Vec<Finding> {
    pairs.iter().enumerate().filter_map(|(index, pair)| untriggered(pairs, index, pair)).collect()
}

fn untriggered(pairs: &[GroundPair<'_>], index: usize, pair: &GroundPair<'_>) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    let first = after.facts.checks.iter().find(|check| is_test(check))?;
    let lost = lost(&before, &after)?;
    let others =
        pairs.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, pair)| pair.after);
    let same = |other: &GroundSide<'_>| {
        other.facts.triggers.iter().any(Trigger::is_of_pulls)
            && other.facts.checks.iter().any(|check| is_test(check) && check.signature == first.signature)
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
        message: format!("{}, so `{}` does not judge them", lost.what, label(first)),
        help: format!("{} in {}:{}", lost.help, after.file.path, lost.line),
    };
    let mut finding = draft.on(Side::After, after.file, lost.line, symbol(after.file, "on"));
    finding.after = line_of(after.file, lost.line, "this no longer starts it on every change");
    if lost.mild {
        finding.lower(Severity::Low, "pull requests still start it");
    }
    Some(finding)
}

fn is_test(check: &Check) -> bool {
    counts(check) && matches!(check.class, CheckClass::Test | CheckClass::Types)
}

struct Lost {
    what: String,
    help: &'static str,
    line: u32,
    mild: bool,
}

/// Which changes no longer start a workflow, if any.
fn lost(before: &GroundSide<'_>, after: &GroundSide<'_>) -> Option<Lost> {
    let path = &after.file.path;
    let help = "list push or pull_request under `on` again";
    if before.facts.on_changes == Some(true) && after.facts.on_changes == Some(false) {
        return Some(Lost { what: format!("{path} no longer runs on changes"), help, line: 1, mild: false });
    }
    let (old, new) = (&before.facts.triggers, &after.facts.triggers);
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
        return Some(Lost {
            what: format!("{path} no longer runs on pull requests"),
            help,
            line,
            mild: false,
        });
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
        return Some(Lost { what: format!("{path} no longer runs on pushes"), help, line, mild: true });
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
        what: format!("{} no longer starts it on the main branches", old.event),
        help: "list the main branch again",
        line,
        mild: false,
    })
}

fn reaches_main(trigger: &Trigger) -> bool {
    let ignored = |name: &str| trigger.branches_ignored.iter().any(|(pattern, _)| matches(pattern, name));
    // The last pattern that matches decides; what names a version may well be the main branch.
    let listed = |name: &str| {
        let last =
            trigger.branches.iter().rfind(|(pattern, _)| matches(pattern.trim_start_matches('!'), name));
        last.is_some_and(|(pattern, _)| !pattern.starts_with('!'))
    };
    let own = |(pattern, _): &(String, u32)| {
        !pattern.starts_with('!') && pattern.contains(|c: char| c.is_ascii_digit() || c == '$')
    };
    if trigger.branches.is_empty() {
        return MAIN_BRANCHES[..2].iter().all(|name| !ignored(name));
    }
    MAIN_BRANCHES.iter().any(|name| listed(name)) || trigger.branches.iter().any(own)
}

fn matches(pattern: &str, name: &str) -> bool {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(name))
}

/// An event that passes code over, or only looks at documents.
fn fewer_paths(old: &Trigger, new: &Trigger) -> Option<Lost> {
    let is_new = |(pattern, _): &&(String, u32)| !old.paths_ignored.iter().any(|(known, _)| known == pattern);
    let all = |pattern: &str| matches!(pattern, "**" | "*" | "**/*" | "**/**");
    let ignored =
        new.paths_ignored.iter().filter(is_new).find(|(pattern, _)| all(pattern) || hides_code(pattern));
    if let Some((pattern, line)) = ignored {
        return Some(Lost {
            what: format!("{} no longer starts it for changes of {pattern}", new.event),
            help: "take the pattern out",
            line: *line,
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
        what: format!("{} no longer starts it for changes of code", new.event),
        help: "take the patterns out",
        line: *line,
        mild: false,
    })
}
