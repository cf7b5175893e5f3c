//! Repositories whose hooks husky manages: the gate is a marked block in the files that people edit.
//!
//! husky writes the files that git runs anew with each `npm install`, so nothing is put there. The files it
//! calls are tracked, so the block names no path of this machine.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::block::{self, Rest};
use super::location::shown;
use super::plan::{Mode, Plan, Step, content};
use super::table::{HOOKS, Hook};

const TEMPLATE: &str = include_str!("../../hooks/husky.sh");
const PREAMBLE: &str = "#!/bin/sh\n";
/// The version of the template, which is repeated in its first line.
pub const VERSION: u32 = 1;

/// How the files of a version of husky lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Version 9: git runs `.husky/_/<hook>`, which runs `.husky/<hook>` with `sh -e`.
    Underscore,
    /// Versions 5 to 8: git runs `.husky/<hook>` itself.
    Direct,
}

impl Layout {
    /// The layout behind a `core.hooksPath`, and the directory that people edit.
    pub fn of(hooks_path: &Path) -> Option<(Self, PathBuf)> {
        let is_named = |path: &Path, name: &str| path.file_name().is_some_and(|found| found == name);
        let parent = hooks_path.parent()?;
        if is_named(hooks_path, "_") {
            let generated = ["h", "husky.sh"].iter().any(|file| hooks_path.join(file).is_file());
            return (is_named(parent, ".husky") || generated).then(|| (Self::Underscore, parent.to_owned()));
        }
        let direct = is_named(hooks_path, ".husky") || hooks_path.join("_/husky.sh").is_file();
        direct.then(|| (Self::Direct, hooks_path.to_owned()))
    }

    /// Where git looks, given the directory that people edit.
    pub fn called(self, edited: &Path) -> PathBuf {
        match self {
            Self::Underscore => edited.join("_"),
            Self::Direct => edited.to_owned(),
        }
    }
}

/// The hooks that need a block. One that only passes on has nothing to do: the lines above it run anyway.
pub fn hooks() -> impl Iterator<Item = &'static Hook> {
    HOOKS.iter().filter(|hook| hook.runs_gate())
}

/// The lines between the marks.
pub fn body(hook: &Hook) -> String {
    TEMPLATE.replace("@HOOK@", hook.name).replace("@ROLE@", hook.role_word())
}

/// The version of a block that this or another version wrote.
pub fn version(body: &[u8]) -> Option<u32> {
    let line = String::from_utf8_lossy(body.split(|byte| *byte == b'\n').next()?).into_owned();
    let (number, _) = line.strip_prefix("# aiwg-gate block, version ")?.split_once('.')?;
    number.parse().ok()
}

pub fn has_block(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|text| matches!(block::body(&text), Ok(Some(_))))
}

pub fn add(plan: &mut Plan, layout: Layout, directory: &Path) -> Result<()> {
    if !directory.exists() {
        plan.step(Step::MakeDirectory(directory.to_owned()));
    }
    for hook in hooks() {
        add_to(plan, layout, directory.join(hook.name), hook)?;
    }
    Ok(())
}

fn add_to(plan: &mut Plan, layout: Layout, path: PathBuf, hook: &Hook) -> Result<()> {
    let text = content(&path)?;
    if let Some(text) = &text {
        refuse(layout, &path, text)?;
    }
    let Ok(wanted) = block::put(text.as_deref(), PREAMBLE, &body(hook)) else {
        return Err(unfinished(&path));
    };
    if text.as_ref() == Some(&wanted) {
        plan.line(hook.name, format!("up to date in {}", shown(&path)));
        return Ok(());
    }
    let (mode, done) = match text {
        Some(_) => (Mode::Unchanged, "added to"),
        None => (Mode::Executable, "installed as"),
    };
    if let Some(line) = text.as_deref().and_then(ends_early) {
        plan.note(format!("{} may end at `{line}`, before it reaches the gate", shown(&path)));
    }
    plan.line(hook.name, format!("{done} {}", shown(&path)));
    plan.step(Step::Write { path, content: wanted, mode });
    Ok(())
}

fn refuse(layout: Layout, path: &Path, text: &[u8]) -> Result<()> {
    if path.is_symlink() {
        bail!("nothing was changed: {} is a link; replace it by a file and try again", shown(path));
    }
    if layout == Layout::Direct && !is_shell(text) {
        bail!(
            "nothing was changed: {} is not a shell script, so the gate cannot be added to it; \
             call it from a shell script of that name and try again",
            shown(path)
        );
    }
    Ok(())
}

/// By the first line, as the kernel reads it; without one git uses the shell.
fn is_shell(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(command) = line.strip_prefix(b"#!") else { return true };
    let command = String::from_utf8_lossy(command);
    let mut names = command.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let name = names.find(|name| *name != "env" && !name.starts_with('-'));
    matches!(name, Some("sh" | "bash" | "dash" | "ksh" | "zsh" | "ash"))
}

/// A line above the block after which nothing may run.
pub fn ends_early(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(block::before(text));
    let ends = |line: &&str| matches!(line.split_whitespace().next(), Some("exit" | "exec"));
    let top_level = |line: &&str| !line.starts_with(char::is_whitespace);
    text.lines().filter(top_level).find(ends).map(|line| crate::text::one_line(line.trim()))
}

pub fn remove(plan: &mut Plan, directory: &Path) -> Result<()> {
    for hook in hooks() {
        let path = directory.join(hook.name);
        if !path.is_file() || path.is_symlink() {
            continue;
        }
        let Some(text) = content(&path)? else { continue };
        match block::take(&text, PREAMBLE) {
            Ok(Rest::Untouched) => continue,
            Ok(Rest::Text(content)) => {
                plan.line(hook.name, format!("removed from {}", shown(&path)));
                plan.step(Step::Write { path, content, mode: Mode::Unchanged });
            }
            Ok(Rest::Nothing) => {
                plan.line(hook.name, format!("removed with {}", shown(&path)));
                plan.step(Step::Remove(path));
            }
            Err(block::Unfinished) => plan.note(unfinished(&path).to_string()),
        }
    }
    Ok(())
}

fn unfinished(path: &Path) -> anyhow::Error {
    anyhow::anyhow!(
        "{} is left alone: of the two aiwg-gate marks in it one is missing; \
         take the lines of the gate out by hand and try again",
        shown(path)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_the_version_it_claims() {
        assert_eq!(version(TEMPLATE.as_bytes()), Some(VERSION));
    }

    #[test]
    fn only_shell_scripts_can_take_shell_lines() {
        for text in ["", "npm test\n", "#!/bin/sh\n", "#!/usr/bin/env sh\n", "#! /usr/bin/env -S bash -e\n"] {
            assert!(is_shell(text.as_bytes()), "{text}");
        }
        for text in ["#!/usr/bin/env node\n", "#!/usr/bin/python3\n"] {
            assert!(!is_shell(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_line_that_ends_the_script_is_found_only_at_top_level() {
        assert_eq!(ends_early(b"npm test\nexit 0\n").as_deref(), Some("exit 0"));
        assert_eq!(ends_early(b"if x; then\n  exit 1\nfi\n"), None);
    }
}
