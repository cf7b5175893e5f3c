//! `demo`: the main job end to end, in a repository that goes away afterwards.

use std::io::IsTerminal;

use anyhow::{Result, bail};

use super::{ColorChoice, Context, context};
use crate::demo::{Expected, SCENES, Stage};
use crate::exit_status::ExitStatus;

/// Watch the gate at work: tampering commits are blocked, honest ones pass
///
/// Makes a temporary repository, installs the hooks there, and commits for real. Nothing else is touched.
#[derive(clap::Args)]
pub struct Args {
    /// Leave the temporary repository behind, to play with it
    #[arg(long)]
    keep: bool,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("demo")?;
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
    let (mut blocked, mut passed) = (0, 0);
    for scene in SCENES {
        context::print(&format!(
            "\n\x1b[1m--- {}\x1b[0m\n$ git commit -m '{}'\n",
            scene.title, scene.message
        ))?;
        let played = stage.play(scene)?;
        context::print(&played.output)?;
        if played.outcome != scene.expected {
            bail!("this commit should have ended otherwise ({:?}); please report it", scene.expected);
        }
        if scene.expected == Expected::Blocked { blocked += 1 } else { passed += 1 }
    }
    context::print(&format!("\n{blocked} tampering commits blocked, {passed} honest commits passed.\n"))?;
    if args.keep {
        context::print(&format!("The repository is still there: {}\n", stage.keep().display()))?;
    } else {
        context::print("The repository is gone again. In yours: `aiwg-gate install`.\n")?;
    }
    Ok(ExitStatus::Pass)
}
