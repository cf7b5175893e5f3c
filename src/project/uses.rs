//! Steps that run no shell text of their own: actions, tasks, and workflows of the repository that are told what to run.

use super::command;
use super::document::Entry;
use super::marks::force_of;
use super::pipeline::{Tree, place_of, with_force};
use super::tools;
use super::words::words_of;
use crate::facts::{Check, CheckClass, Circumstances, Force, Mark};
use crate::text::one_line;

pub fn action(tree: &Tree<'_>, entry: &Entry) -> Option<Check> {
    let (_, step) = entry.path.split_last()?;
    let with = [step, &["with".to_owned()]].concat();
    let place = place_of(tree, entry);
    let composed = entry.value.contains("actions-rs/").then(|| {
        let words = ["command", "args"].map(|key| tree.value(&with, key).unwrap_or_default());
        format!("cargo {}", words.join(" "))
    });
    if let Some(text) = composed {
        let check = command::read(&text, entry.line, &place).checks.into_iter().next()?;
        return Some(with_force(check, force_of(tree, entry).as_ref()));
    }
    let (class, signature) = tools::of_action(&entry.value)?;
    Some(Check {
        class,
        signature,
        place,
        text: entry.value.clone(),
        line: entry.line,
        force: force_of(tree, entry).unwrap_or(Force::Blocks),
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    })
}

/// A task of Azure's that runs a build tool: what it is told stands in its inputs.
pub fn task(tree: &Tree<'_>, entry: &Entry) -> Vec<Check> {
    let Some((_, step)) = entry.path.split_last() else { return Vec::new() };
    let inputs = [step, &["inputs".to_owned()]].concat();
    let given = |keys: &[&str]| keys.iter().find_map(|key| tree.value(&inputs, key));
    let command = match entry.value.split('@').next().unwrap_or_default() {
        "Gradle" => format!("gradle {}", given(&["tasks"]).unwrap_or("build")),
        "Maven" => format!("mvn {}", given(&["goals"]).unwrap_or("package")),
        "DotNetCoreCLI" => format!("dotnet {}", given(&["command"]).unwrap_or("build")),
        "Npm" => format!("npm {}", given(&["customCommand", "command"]).unwrap_or("install")),
        "VSTest" => "dotnet test".to_owned(),
        _ => return Vec::new(),
    };
    let force = force_of(tree, entry);
    let found = command::read(&command, entry.line, &place_of(tree, entry)).checks;
    found.into_iter().map(|check| with_force(check, force.as_ref())).collect()
}

/// A workflow of the repository that is told which script to run.
pub fn called(tree: &Tree<'_>, entry: &Entry) -> Vec<Check> {
    let Some((_, step)) = entry.path.split_last().filter(|_| entry.value.starts_with("./")) else {
        return Vec::new();
    };
    let with = [step, &["with".to_owned()]].concat();
    let arguments = tree.children(&with);
    let place = place_of(tree, entry);
    let named = arguments.filter(|argument| !argument.value.contains(' '));
    named
        .flat_map(|argument| {
            command::read(&format!("npm run {}", argument.value), argument.line, &place).checks
        })
        .map(|check| with_force(check, force_of(tree, entry).as_ref()))
        .collect()
}

/// A switch for coverage that another workflow or an action is given: `codecov: ${{ matrix.os == 'linux' }}`.
pub fn measuring_input(tree: &Tree<'_>, entry: &Entry) -> Option<Check> {
    let words = words_of(entry.name());
    let speaks =
        words.iter().any(|word| matches!(word.as_str(), "coverage" | "codecov" | "cov" | "coveralls"));
    let others = ["token", "file", "files", "path", "dir", "report", "name", "flags", "threshold", "version"];
    let is_other = words.iter().any(|word| others.contains(&word.as_str()));
    let is_condition =
        entry.value.starts_with("${{") && (entry.value.contains("==") || entry.value.contains("matrix."));
    if entry.keys().rev().nth(1) != Some("with")
        || !speaks
        || is_other
        || !(is_condition || entry.value == "true")
    {
        return None;
    }
    let condition = is_condition.then(|| Mark { text: one_line(&entry.value), line: entry.line });
    Some(Check {
        class: CheckClass::Coverage,
        signature: format!("with {}", entry.name()),
        place: place_of(tree, entry),
        text: entry.name().to_owned(),
        line: entry.line,
        force: Force::Blocks,
        shown: None,
        bypasses: Vec::new(),
        settings: Vec::new(),
        around: Circumstances { condition, ..Circumstances::default() },
    })
}
