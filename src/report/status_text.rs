//! The state of the gate for people.

use crate::hooks::{HookReport, State};
use crate::ledger::{Entry, Judged};
use crate::policy::Required;
use crate::status::Status;
use crate::text::{one_line, plural, printable};

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
    out.push_str(&suites(status));
    out.push_str(&proofs(status));
    out.push_str(&memory(status));
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

fn suites(status: &Status) -> String {
    if status.suites.is_empty() {
        return "suites     none found: name one under `suites` in aiwg-gate.yaml\n".to_owned();
    }
    let mut out = "suites     run them with `aiwg-gate run`\n".to_owned();
    for suite in &status.suites {
        let later = match suite.required {
            Required::Commit => "",
            Required::Push => " (needed for a push)",
            Required::Ci => " (needed in CI)",
        };
        let command = one_line(&suite.command.to_string());
        out.push_str(&format!("  {:16} {command}{later}\n", one_line(&suite.name)));
    }
    out
}

fn proofs(status: &Status) -> String {
    let proofs = match &status.proofs {
        Ok(proofs) if proofs.is_empty() => return "proof      nothing is staged that needs one\n".to_owned(),
        Ok(proofs) => proofs,
        Err(reason) => return format!("proof      could not be told: {}\n", one_line(reason)),
    };
    let mut out = "proof      of what is staged\n".to_owned();
    for proof in proofs {
        let explanation = one_line(&proof.explanation);
        out.push_str(&format!("  {:16} {}: {explanation}\n", one_line(&proof.suite), proof.status.name()));
        out.extend(proof.details.iter().map(|line| format!("  {:16} {}\n", "", one_line(line))));
    }
    out
}

fn memory(status: &Status) -> String {
    let memory = &status.memory;
    let mut out = format!("memory     {}\n", plural(memory.sessions, "session"));
    out.extend(memory.unreadable.iter().map(|file| format!("  cannot be read: {}\n", one_line(file))));
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
    let Some(entry) = entry else { return "never judged".to_owned() };
    let after = (entry.judged == Judged::AfterCommit).then(|| "judged after".to_owned());
    let waived = (entry.findings.waived > 0).then(|| format!("{} waived", entry.findings.waived));
    let notes: Vec<String> = after.into_iter().chain(waived).collect();
    match notes.is_empty() {
        true => one_line(&entry.verdict),
        false => format!("{} ({})", one_line(&entry.verdict), notes.join(", ")),
    }
}
