//! `demo`: the main job end to end, in a repository that goes away afterwards.

use std::io::IsTerminal;

use anyhow::{Result, bail};

use super::{ColorChoice, Context, context};
use crate::demo::{Expected, SCENES, Scene, Stage};
use crate::exit_status::ExitStatus;
use crate::runner::Interrupted;

/// Watch the gate at work: tampering commits and commits that nobody ran are blocked, honest ones pass
///
/// Makes a temporary repository, installs the hooks there, runs tests and commits for real. Nothing else is touched.
#[derive(clap::Args)]
pub struct Args {
    /// Leave the temporary repository behind, to play with it
    #[arg(long)]
    keep: bool,
}

const NO_PYTHON: &str = "\
There is no Python 3 with unittest here, so no tests are run, and the scenes about runs are left out.\n";

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("demo")?;
    match play(args, context) {
        Err(error) if error.is::<Interrupted>() => {
            context::tell("interrupted; the temporary repository is gone again")?;
            Ok(ExitStatus::Interrupted)
        }
        played => played,
    }
}

fn play(args: &Args, context: &Context) -> Result<ExitStatus> {
    let color = match context.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    let stage = Stage::set(color)?;
    context::print(&format!(
        "A temporary repository with the hooks installed: {}\n",
        stage.directory().display()
    ))?;
    if !stage.runs_tests() {
        context::print(NO_PYTHON)?;
    }
    let scenes: Vec<&Scene> =
        SCENES.iter().filter(|scene| stage.runs_tests() || !scene.is_about_runs()).collect();
    for scene in &scenes {
        context::print(&format!("\n\x1b[1m--- {}\x1b[0m\n", scene.title))?;
        if stage.play(scene, &context::print)? != scene.expected {
            bail!("this commit should have ended otherwise ({:?}); please report it", scene.expected);
        }
    }
    context::print(&format!("\n{}\n", count(&scenes)))?;
    if args.keep {
        context::print(&format!("The repository is still there: {}\n", stage.keep().display()))?;
    } else {
        context::print("The repository is gone again. In yours: `aiwg-gate install`.\n")?;
    }
    Ok(ExitStatus::Pass)
}

/// `5 tampering commits blocked, ...`
fn count(scenes: &[&Scene]) -> String {
    let count = |expected| scenes.iter().filter(|scene| scene.expected == expected).count();
    let mut blocked = format!("{} tampering commits", count(Expected::Blocked));
    match count(Expected::Unproved) {
        0 => {}
        unproved => blocked.push_str(&format!(" and {unproved} that nobody ran")),
    }
    let passed = count(Expected::Passes) + count(Expected::Warned);
    format!("{blocked} blocked, {passed} honest commits passed.")
}
