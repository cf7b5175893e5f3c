//! The suites that a policy names.

use std::time::Duration;

use globset::{GlobSet, GlobSetBuilder};

use super::ground::Ground;
use super::node;
use crate::policy::{Framework, SuiteSetting, compile_glob};
use crate::runner::frameworks::recognize;
use crate::runner::suite::{CommandLine, Inputs, Origin, Suite};
use crate::shell;

pub fn read(settings: &[SuiteSetting], ground: &Ground<'_>) -> Vec<Suite> {
    settings.iter().map(|setting| suite(setting, ground)).collect()
}

fn suite(setting: &SuiteSetting, ground: &Ground<'_>) -> Suite {
    let directory = setting.working_directory.trim_start_matches("./").trim_matches('/').to_owned();
    let told = || framework(&setting.command, &directory, ground);
    Suite {
        name: setting.name.clone(),
        framework: setting.framework.unwrap_or_else(told),
        command: CommandLine::Shell(setting.command.clone()),
        inputs: Inputs::Globs(globs(&setting.paths)),
        timeout: Duration::from_secs(setting.timeout_seconds),
        required: setting.required,
        environment: setting.environment.clone(),
        fail_fast: setting.fail_fast,
        origin: Origin::Policy,
        directory,
    }
}

/// Reading the policy refuses bad globs, so none is left out here.
fn globs(paths: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in paths.iter().filter_map(|path| compile_glob(path).ok()) {
        set.add(glob);
    }
    set.build().unwrap_or_default()
}

/// What a command runs, by its words; those of the script where it calls one.
fn framework(command: &str, directory: &str, ground: &Ground<'_>) -> Framework {
    let called = || {
        shell::commands(command).iter().find_map(|words| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            node::framework_of_script(&ground.look, directory, called_script(&words)?)
        })
    };
    recognize(&CommandLine::Shell(command.to_owned())).or_else(called).unwrap_or(Framework::Other)
}

/// The script that `npm test`, `pnpm run unit` and the like call.
fn called_script<'w>(words: &[&'w str]) -> Option<&'w str> {
    let mut words = words.iter().filter(|word| !word.starts_with('-') && !word.contains('='));
    words.next().filter(|manager| ["npm", "pnpm", "yarn", "bun"].contains(manager))?;
    words
        .find(|word| !["run", "run-script"].contains(*word))
        .map(|script| if *script == "t" { "test" } else { script })
}
