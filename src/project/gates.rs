//! Jobs of a workflow that wait for others: those that stand for all of them, and those that hand the result on.

use super::document::Entry;
use super::pipeline::Tree;
use super::words::words_of;
use crate::collections::HashMap;
use crate::facts::Gate;

/// Words in the names of jobs that only pass on what others found out.
const GATE_WORDS: &[&str] = &[
    "pass",
    "passed",
    "passes",
    "required",
    "gate",
    "all",
    "success",
    "successful",
    "conclusion",
    "done",
    "complete",
    "completed",
    "status",
    "green",
    "final",
    "finished",
    "ok",
    "ci",
    "alls",
    "gatekeeper",
    "mergeable",
];

/// Words in the names of jobs that hand the result to others.
const SHIPS: &[&str] = &["deploy", "publish", "release", "docker", "upload", "pypi", "npm"];

/// All jobs that a job comes after.
fn waits_for(job: &str, needs: &HashMap<&str, (Vec<String>, u32)>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![job.to_owned()];
    while let Some(next) = open.pop() {
        for needed in needs.get(next.as_str()).into_iter().flat_map(|(own, _)| own) {
            if !found.contains(needed) {
                found.push(needed.clone());
                open.push(needed.clone());
            }
        }
    }
    found
}

/// What each job waits for. GitHub has jobs below a key, GitLab at the top, CircleCI in the list of a workflow.
fn needs_of<'d>(tree: &Tree<'d>) -> HashMap<&'d str, (Vec<String>, u32)> {
    let mut needs: HashMap<&str, (Vec<String>, u32)> = HashMap::new();
    for entry in tree.document.entries.iter().filter(|entry| !entry.value.is_empty()) {
        let job = match &entry.path[..] {
            [jobs, job, key, ..] if jobs == "jobs" && key == "needs" => job,
            [job, key, ..] if key == "needs" && job != "jobs" => job,
            [.., jobs, _, job, key, place]
                if jobs == "jobs" && key == "requires" && place.starts_with('#') =>
            {
                job
            }
            _ => continue,
        };
        needs.entry(job).or_insert_with(|| (Vec::new(), entry.line)).0.push(entry.value.clone());
    }
    needs
}

pub fn gates(tree: &Tree<'_>) -> Vec<Gate> {
    let needs = needs_of(tree);
    let gate = |name: &str, line: u32, title: &str, asks: bool| {
        let words = words_of(&format!("{name} {title}"));
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let (stands_for_others, ships) = (has(GATE_WORDS) || asks, has(SHIPS));
        let needs = match needs.get(name) {
            Some((own, _)) if stands_for_others => own.clone(),
            _ if ships && !stands_for_others => waits_for(name, &needs),
            _ => return None,
        };
        Some(Gate { name: name.to_owned(), line, needs, ships: ships && !stands_for_others })
    };
    let of_github = |job: &Entry| {
        let title = tree.value(&job.path, "name").unwrap_or_default();
        let asks = tree.value(&job.path, "if").is_some_and(|value| value.contains("always()"));
        gate(job.name(), job.line, title, asks)
    };
    let jobs: Vec<&Entry> = tree.children(&["jobs".to_owned()]).collect();
    let is_known = |name: &str| jobs.iter().any(|job| job.name() == name);
    // Elsewhere only those that hand on are told: what stands for others is a matter of GitHub's.
    let others = needs.iter().filter(|(name, _)| !is_known(name));
    let others =
        others.filter_map(|(name, (_, line))| gate(name, *line, "", false)).filter(|gate| gate.ships);
    let mut found: Vec<Gate> = jobs.iter().filter_map(|job| of_github(job)).chain(others).collect();
    found.sort_by_key(|gate| gate.line);
    found
}
