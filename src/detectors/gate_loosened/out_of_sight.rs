//! Files that a server, a hook or a runner read by their name, and that are called otherwise now: nothing reads them.

use super::ID;
use super::checks::symbol;
use super::matching::counts;
use crate::comparison::{Comparison, FileComparison};
use crate::detectors::report::{Draft, rename};
use crate::facts::{CheckClass, Ground};
use crate::finding::{Finding, Severity, Side};

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    comparison.files.iter().filter_map(renamed).collect()
}

fn renamed(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let facts = before.facts.project.as_deref()?;
    let is_read = after.facts.project.is_some();
    let matters = match facts.ground {
        Ground::Pipeline | Ground::Hooks => true,
        Ground::Scripts | Ground::Runner => {
            facts.checks.iter().any(|check| counts(check) && check.class != CheckClass::Build)
        }
        Ground::Attributes | Ground::Policy => false,
    };
    if before.path == after.path || is_read || !matters || !is_set_aside(&before.path, &after.path) {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!("{} became {}, which nothing reads", before.path, after.path),
        help: format!("give it back its name: {}", rename(&after.path, &before.path)),
    };
    let mut finding = draft.on(Side::After, after, 1, symbol(before, ""));
    finding.lower(Severity::Medium, "its checks may run elsewhere");
    Some(finding)
}

/// Whether a name was only put out of the way: it has all it had, and a word or an ending more, or another folder.
fn is_set_aside(old: &str, new: &str) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let (was, is) = (name(old), name(new));
    let stem = was.trim_start_matches('.').split('.').next().unwrap_or_default();
    is.contains(&was) || !stem.is_empty() && is.contains(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_put_out_of_the_way() {
        for (old, new) in [
            ("Jenkinsfile", "disabled-Jenkinsfile"),
            (".github/workflows/ci.yml", ".github/workflows/ci.yml.disabled"),
            (".github/workflows/ci.yml", ".github/unused/ci.yml"),
            (".travis.yml", "travis.yml.bak"),
        ] {
            assert!(is_set_aside(old, new), "{old} -> {new}");
        }
        assert!(!is_set_aside(".travis.yml", "docs/guide.yml"));
    }
}
