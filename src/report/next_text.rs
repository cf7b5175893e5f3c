//! What to do about a block: mend it, or let the decision be seen.

use crate::git::ChangeKind;
use crate::proof::Status;
use crate::verdict::{Action, Proved, Report};

/// When a report is told. It decides what can still be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// `git commit` waits for it.
    Committing,
    /// Somebody asked, about what is no commit yet or about several.
    Asked,
    /// Somebody asked about the commit at HEAD, which can be amended.
    Newest,
    /// About a commit that others stand on.
    Older,
}

/// The lines below a report that blocks.
pub fn render(report: &Report, occasion: Occasion) -> String {
    let mut out = String::from("\n");
    if occasion == Occasion::Committing {
        out.push_str("Nothing was committed; your files and the index are as they were.\n");
    }
    let rules = blocking(report);
    if !rules.is_empty() {
        return out + &about_findings(report, &rules, occasion);
    }
    match report.proofs.iter().find(|proved| proved.action == Action::Block) {
        Some(proved) => out + &about_proof(report, proved, occasion),
        None => {
            out + "The strict profile blocks what could not be read: mend it, or leave it out with `paths.ignored`.\n"
        }
    }
}

/// The rules that block, each once.
fn blocking(report: &Report) -> Vec<&str> {
    let mut rules: Vec<&str> = Vec::new();
    for judged in report.findings.iter().filter(|judged| judged.action == Action::Block) {
        let rule = judged.finding.rule.name.as_ref();
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// Lines below one heading.
fn lines(heading: &str, lines: impl IntoIterator<Item = String>) -> String {
    let headings = std::iter::once(heading).chain(std::iter::repeat(""));
    headings.zip(lines).map(|(heading, line)| format!("  {heading:11}  {line}\n")).collect()
}

fn about_findings(report: &Report, rules: &[&str], occasion: Occasion) -> String {
    let staged = report.change.kind == ChangeKind::Staged;
    let next = match occasion {
        Occasion::Committing => "do what the `do:` lines say, `git add` the result, and commit again",
        Occasion::Asked if staged => "do what the `do:` lines say, `git add` the result, and check again",
        Occasion::Asked => "do what the `do:` lines say, and check again",
        Occasion::Newest => "do what the `do:` lines say, `git add` the result, and `git commit --amend`",
        Occasion::Older => "the commit stays as it is: do what the `do:` lines say in a new one",
    };
    let mut out = lines("next", [next.to_owned()]);
    let unproved = report.proofs.iter().any(|proved| proved.action == Action::Block);
    let topics = rules.iter().copied().chain(unproved.then_some("proof"));
    out.push_str(&lines("learn more", topics.map(|topic| format!("aiwg-gate explain {topic}"))));
    let waive = match occasion {
        Occasion::Older => return out,
        Occasion::Committing => "`git add`s aiwg-gate.waivers.yaml, and commits again",
        Occasion::Newest => "`git add`s aiwg-gate.waivers.yaml, and amends the commit",
        Occasion::Asked if staged => "`git add`s aiwg-gate.waivers.yaml, and commits it with the change",
        Occasion::Asked => "commits aiwg-gate.waivers.yaml",
    };
    let and = if waive.starts_with("commits") { " and" } else { "," };
    let allow = |rule: &&str| {
        format!("for good: `aiwg-gate config set rules.{rule} warn`, committed first and waived by a person")
    };
    let mut intended = vec![format!("a person runs the `waive:` command{and} {waive}")];
    // To ask less of the rule that watches the policy is for no advice.
    intended.extend(rules.iter().filter(|rule| **rule != "gate-loosened").map(allow));
    out + &lines("if intended", intended)
}

/// What to do where only a proof is missing.
fn about_proof(report: &Report, first: &Proved, occasion: Occasion) -> String {
    // One command for all suites, on what is staged if any of them wants that.
    let wanted = report.proofs.iter().filter(|proved| proved.action == Action::Block);
    let next = wanted.filter_map(|proved| proved.proof.next.as_deref()).max_by_key(|next| next.len());
    let next = next.or(first.proof.next.as_deref()).unwrap_or("aiwg-gate run");
    let next = if next.contains('`') { next.to_owned() } else { format!("`{next}`") };
    let staged = report.change.kind == ChangeKind::Staged;
    let mend = if staged && first.proof.status == Status::Failed { "mend what fails, " } else { "" };
    let then = match occasion {
        Occasion::Committing => ", then commit again",
        _ if staged => ", then commit",
        _ => "",
    };
    let mut out = lines("next", [format!("{mend}{next}{then}")]);
    out.push_str(&lines("learn more", ["aiwg-gate explain proof".to_owned()]));
    if staged {
        let once = "once: `git commit --no-verify` (`aiwg-gate status` shows it as never judged)";
        let for_good =
            "for good: `aiwg-gate config set proof.on_missing warn`, committed first and waived by a person";
        out.push_str(&lines("if intended", [once, for_good].map(str::to_owned)));
    }
    out
}
