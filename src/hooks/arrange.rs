//! Gives one hook file its content, or its place back, without losing what anybody else put there.

use anyhow::{Result, bail};

use super::location::{shown, typed};
use super::plan::{Mode, Plan, Step};
use super::slot::{Occupant, Slot};

/// Puts a shim in the place of a hook; what is there is kept beside it.
///
/// `runs_first` says in a few words which hook the shim runs first, if any.
pub fn occupy(plan: &mut Plan, slot: &Slot, shim: Vec<u8>, runs_first: &str) -> Result<()> {
    match slot.occupant {
        Occupant::Edited(_) => return Err(edited(slot)),
        Occupant::Foreign => keep(plan, slot)?,
        Occupant::Absent => {}
        Occupant::Shim(_) => {
            if slot.executable && std::fs::read(&slot.path).is_ok_and(|content| content == shim) {
                plan.line(slot.hook.name, format!("up to date{runs_first}"));
                return Ok(());
            }
        }
    }
    let done = if slot.is_shim() { "rewritten" } else { "installed" };
    plan.step(Step::Write { path: slot.path.clone(), content: shim, mode: Mode::Executable });
    plan.line(slot.hook.name, format!("{done}{runs_first}"));
    Ok(())
}

/// Moves a hook aside that git does not run now and must not begin to run.
pub fn park(plan: &mut Plan, slot: &Slot) -> Result<()> {
    match slot.occupant {
        Occupant::Foreign => {
            keep(plan, slot)?;
            plan.line(slot.hook.name, format!("off as before, kept as {}", slot.kept_name()));
        }
        // Nothing to pass on to any more.
        Occupant::Shim(_) => plan.step(Step::Remove(slot.path.clone())),
        Occupant::Absent | Occupant::Edited(_) => {}
    }
    Ok(())
}

/// Takes the shim away and puts the hook from before back.
pub fn release(plan: &mut Plan, slot: &Slot) {
    match slot.occupant {
        Occupant::Shim(_) => plan.step(Step::Remove(slot.path.clone())),
        Occupant::Absent if slot.has_kept => {}
        Occupant::Absent => return,
        Occupant::Edited(_) | Occupant::Foreign => return leave(plan, slot),
    }
    if !slot.has_kept {
        return plan.line(slot.hook.name, "removed");
    }
    plan.step(Step::Rename { from: slot.kept.clone(), to: slot.path.clone() });
    plan.line(slot.hook.name, "removed; the hook from before is back");
}

/// Says why a file stays: it is not, or no longer, what installing wrote.
fn leave(plan: &mut Plan, slot: &Slot) {
    let path = shown(&slot.path);
    let what = match slot.occupant {
        Occupant::Edited(_) => "was edited since it was installed",
        // Nothing of ours was here.
        _ if !slot.has_kept => return,
        _ => "was replaced since it was installed",
    };
    let mut note = format!("{path} {what} and is left alone: remove it with `rm {}`", typed(&slot.path));
    if slot.has_kept {
        let back = format!("mv -f {} {}", typed(&slot.kept), typed(&slot.path));
        note = format!("{path} {what} and is left alone; `{back}` puts the hook from before in its place");
    }
    plan.note(note);
}

fn keep(plan: &mut Plan, slot: &Slot) -> Result<()> {
    if slot.is_kept_already() {
        plan.step(Step::Remove(slot.path.clone()));
        return Ok(());
    }
    if slot.has_kept {
        bail!(
            "nothing was changed: {} is a hook of your own, and its place is taken by {}, kept by an \
             earlier install; only one can be kept. Merge the two into {}, remove the other, and run \
             `aiwg-gate install` again",
            shown(&slot.path),
            shown(&slot.kept),
            shown(&slot.path),
        );
    }
    plan.step(Step::Rename { from: slot.path.clone(), to: slot.kept.clone() });
    Ok(())
}

fn edited(slot: &Slot) -> anyhow::Error {
    anyhow::anyhow!(
        "nothing was changed: {} was edited since aiwg-gate wrote it, and those lines would be lost. \
         Move them to {}, which runs first, then run `rm {}` and `aiwg-gate install` again",
        shown(&slot.path),
        shown(&slot.kept),
        typed(&slot.path),
    )
}
