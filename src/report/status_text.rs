//! The state of the gate for people.

use crate::hooks::{HookReport, State};
use crate::ledger::{Entry, Judged};
use crate::status::Status;
use crate::text::{one_line, printable};

pub fn render(status: &Status) -> String {
    let mut out = String::new();
    let installation = &status.installation;
    let directory = installation.directory.display().to_string();
    out.push_str(&format!("hooks      {} ({})\n", printable(&directory), installation.choice.reason()));
    for hook in &installation.hooks {
        out.push_str(&format!("  {:16} {}\n", hook.hook.name, hook_state(hook)));
    }
    let source = if status.policy.from_file { "aiwg-gate.yaml in HEAD" } else { "no file: the defaults" };
    out.push_str(&format!("policy     {} ({source})\n", status.policy.policy.profile));
    if status.recent.is_empty() {
        out.push_str("commits    none yet\n");
    } else {
        out.push_str("commits    newest first\n");
    }
    for (commit, entry) in &status.recent {
        out.push_str(&format!(
            "  {} {:22} {}\n",
            commit.id.short(),
            verdict(entry.as_ref()),
            one_line(&commit.subject)
        ));
    }
    if status.problems.is_empty() {
        out.push_str("problems   none: the gate will block\n");
        return out;
    }
    out.push_str("problems   these keep the gate from blocking\n");
    for problem in &status.problems {
        out.push_str(&format!(
            "  - {}\n    repair: {}\n",
            printable(&problem.message),
            printable(&problem.repair)
        ));
    }
    out
}

fn hook_state(hook: &HookReport) -> String {
    let mut text = match &hook.state {
        State::Ours { .. } => "installed".to_owned(),
        State::Outdated { version, .. } => format!("installed by another version (shim {version})"),
        State::NotExecutable => "installed, but not executable".to_owned(),
        State::Edited => "installed, then edited".to_owned(),
        State::Foreign => "someone else's".to_owned(),
        State::Absent => "not installed".to_owned(),
    };
    if hook.state.binary_found() == Some(None) {
        text.push_str(", program not found");
    }
    if hook.keeps_existing {
        text.push_str(", runs the hook from before first");
    }
    text
}

fn verdict(entry: Option<&Entry>) -> String {
    match entry {
        None => "never judged".to_owned(),
        Some(entry) if entry.judged == Judged::AfterCommit => {
            format!("{} (judged after)", one_line(&entry.verdict))
        }
        Some(entry) => one_line(&entry.verdict),
    }
}
