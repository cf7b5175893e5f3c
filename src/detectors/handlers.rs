//! Which handler of the new side continues which of the old one.

use super::exits::take_equal;
use super::functions::{Changed, plain};
use crate::comparison::FileSide;
use crate::facts::{Function, Handler};
use crate::similarity::Body;

/// How alike what two handlers protect is.
const SAME_CODE: f64 = 0.5;

/// Handlers of a changed function: those on both sides, those that are new, those that are gone.
#[derive(Default)]
pub struct Handlers<'c> {
    pub kept: Vec<(&'c Handler, &'c Handler)>,
    pub fresh: Vec<&'c Handler>,
    pub gone: Vec<&'c Handler>,
}

pub fn handlers<'c>(change: &Changed<'c>) -> Handlers<'c> {
    let mut old: Vec<&Handler> = change.old.handlers.iter().collect();
    let mut new: Vec<&Handler> = change.new.handlers.iter().collect();
    // Most handlers of a changed function are not what changed.
    take_equal(&mut old, &mut new, |a, b| {
        a.text == b.text && a.action == b.action && text(change.old_side, a) == text(change.side, b)
    });
    let mut kept = Vec::new();
    // Then those that read the same, whatever became of what they protect.
    old.retain(|before| {
        match new.iter().position(|after| before.text == after.text && before.kind == after.kind) {
            Some(at) => {
                kept.push((*before, new.remove(at)));
                false
            }
            None => true,
        }
    });
    let new_bodies: Vec<Body> =
        new.iter().map(|handler| protected(change.side, change.new, handler)).collect();
    let mut taken = vec![false; new.len()];
    old.retain(|before| {
        let body = protected(change.old_side, change.old, before);
        let alike = |at: usize| {
            let same_types = before.caught == new[at].caught;
            let code = body.similarity(&new_bodies[at]);
            if body.is_empty() && new_bodies[at].is_empty() {
                0.6
            } else {
                code + if same_types { 0.05 } else { 0.0 }
            }
        };
        let open = (0..new.len()).filter(|&at| !taken[at] && new[at].kind == before.kind);
        let best = open.map(|at| (at, alike(at))).max_by(|a, b| a.1.total_cmp(&b.1));
        match best.filter(|&(_, alike)| alike >= SAME_CODE) {
            Some((at, _)) => {
                taken[at] = true;
                kept.push((*before, new[at]));
                false
            }
            None => true,
        }
    });
    // Last those that do the very same, if that says anything, after other code.
    old.retain(|before| {
        let done = does(change.old_side, before);
        let same = |at: &usize| {
            !taken[*at]
                && new[*at].kind == before.kind
                && !done.is_empty()
                && done == does(change.side, new[*at])
        };
        match (0..new.len()).find(same) {
            Some(at) => {
                taken[at] = true;
                kept.push((*before, new[at]));
                false
            }
            None => true,
        }
    });
    let fresh = new.iter().zip(taken).filter(|(_, taken)| !taken).map(|(handler, _)| *handler).collect();
    Handlers { kept, fresh, gone: old }
}

/// What a handler sets or calls, as compared; nothing where that could stand in any handler.
fn does(side: &FileSide, handler: &Handler) -> String {
    let lines: Vec<String> = side.lines(handler.span).skip(1).map(|line| plain(&line)).collect();
    let done = lines.concat();
    let says = done.contains(['=', '(']) && lines.len() < SHORT;
    if says { done } else { String::new() }
}

/// Longer handlers are told apart by what they protect.
const SHORT: usize = 5;

fn text<'c>(side: &'c FileSide, handler: &Handler) -> &'c [u8] {
    side.text.get(handler.protected.clone()).unwrap_or_default()
}

pub fn protected(side: &FileSide, function: &Function, handler: &Handler) -> Body {
    Body::of(&side.text, handler.protected.clone(), &function.comments)
}
