//! Lines that a change takes and gives, where facts are too coarse.

use super::exits::Lost;
use super::functions::{Changed, names, overlap};
use super::subject::names_of_any_length;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide};
use crate::facts::{Exit, HandlerKind, Span};
use crate::paths::PathClass;

/// The lines of code that production files gain, and how many they lose.
pub fn fresh_lines(comparison: &Comparison) -> (Vec<String>, usize) {
    let (mut fresh, mut lost) = (Vec::new(), 0);
    for file in comparison.files.iter().filter(|file| file.class == PathClass::Production) {
        let lines = |side: Option<&FileSide>| -> Vec<String> {
            let whole = Span { start: 1, end: u32::MAX };
            let all = side.into_iter().flat_map(|side| side.lines(whole)).map(|line| line.trim().to_owned());
            // An attribute begins like a comment of other languages.
            all.filter(|line| line.len() > 1 && (!is_comment(line) || line.starts_with("#["))).collect()
        };
        let (before, after) = (lines(file.before.as_ref()), lines(file.after.as_ref()));
        let (old, new): (HashSet<&String>, HashSet<&String>) =
            (before.iter().collect(), after.iter().collect());
        lost += before.iter().filter(|line| !new.contains(line)).count();
        fresh.extend(after.iter().filter(|line| !old.contains(line)).cloned());
    }
    (fresh, lost)
}

/// So many other lines around a check that go with it are a feature that goes.
const AROUND: usize = 2;

/// A branch of more lines does more than to refuse.
const CHECK_LINES: u32 = 8;

/// So many of the names of a line stand in the line that took its place.
const REWORDED: f64 = 0.6;

/// What goes together with a check.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum With {
    /// Code that did something of its own.
    Code,
    /// Only what the check was made of: values that nothing else uses, the conditions around it, errors on the way.
    Feeders,
}

/// What goes with a check that stood in the middle of other code that goes too, condition and all.
///
/// Checks that go beside it are losses of their own, and no code that they all belonged to.
pub fn goes_with(change: &Changed<'_>, lost: &Exit, all: &[Lost<'_>]) -> Option<With> {
    let text =
        |side: &FileSide, span: Span| side.lines(span).map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let old = text(change.old_side, change.old.span);
    let kept = kept_lines(&old, &text(change.side, change.new.span));
    let lines: Vec<(u32, String)> = (change.old.span.start..).zip(old).collect();
    let is_code = |line: &str| {
        let mut names = names_of_any_length(line);
        !is_comment(line)
            && names.any(|name| name.len() > 1 && !["else", "try", "finally", "return"].contains(&name))
    };
    let is_gone =
        |(number, line): &&(u32, String)| !is_code(line) || !kept[(*number - change.old.span.start) as usize];
    let at = lines.iter().position(|(number, _)| *number == lost.span.start)?;
    let is_small = |span: Span| span.end - span.start < CHECK_LINES && !span.contains(lost.span);
    let beside: Vec<Span> = all.iter().map(|other| other.exit.span).filter(|span| is_small(*span)).collect();
    let is_check = |number: u32| {
        let line = Span { start: number, end: number };
        lost.span.contains(line) || beside.iter().any(|span| span.contains(line))
    };
    let outside = |(number, line): &&(u32, String)| is_code(line) && !is_check(*number);
    let around = || {
        let above = lines[..at].iter().rev().take_while(is_gone).filter(outside);
        above.chain(lines[at..].iter().take_while(is_gone).filter(outside))
    };
    if !is_gone(&&lines[at]) || around().count() < AROUND {
        return None;
    }
    let after = change.new_text();
    let left: HashSet<&str> = names_of_any_length(&after).collect();
    let before = change.old_text();
    let known: HashSet<&str> = before.lines().map(str::trim).collect();
    let fresh: Vec<HashSet<String>> =
        after.lines().map(str::trim).filter(|line| !known.contains(line)).map(names).collect();
    let reworded = |line: &str| {
        let said = names(line);
        said.len() > 1 && line.contains('(') && fresh.iter().any(|new| overlap(&said, new) >= REWORDED)
    };
    let feeds = |(number, line): &(u32, String)| {
        let line_of = Span { start: *number, end: *number };
        let mut handlers = change.old.handlers.iter().filter(|handler| handler.kind == HandlerKind::Check);
        is_head(line)
            || only_feeds(line, &left)
            || reworded(line)
            || handlers.any(|handler| handler.span.contains(line_of))
    };
    Some(if around().all(feeds) { With::Feeders } else { With::Code })
}

/// Whether a line only asks something, or goes over what is asked about.
fn is_head(line: &str) -> bool {
    let words = ["if ", "if(", "} else if", "else if", "elif ", "for ", "for(", "while ", "while("];
    let asks = words.iter().any(|word| line.starts_with(word));
    asks && line.ends_with(['{', ':', ')'])
}

/// Whether a line sets variables of which the function knows nothing any more, those for errors aside.
fn only_feeds(line: &str, left: &HashSet<&str>) -> bool {
    let Some((target, value)) = line.split_once('=') else { return false };
    let target = target.trim_end_matches(':');
    let words = ["const", "let", "var", "final", "mut", "err", "_"];
    let mut names = names_of_any_length(target).filter(|name| !words.contains(name)).peekable();
    let compares = value.starts_with('=') || target.ends_with(['!', '<', '>']);
    !compares
        && !target.contains(['(', '.', '['])
        && names.peek().is_some()
        && names.all(|name| !left.contains(name))
}

fn is_comment(line: &str) -> bool {
    ["//", "#", "*", "/*"].iter().any(|mark| line.starts_with(mark))
}

/// Longer stretches are not aligned.
const ALIGNED: usize = 600;

/// Which lines of the old side are still there, in order.
fn kept_lines(old: &[String], new: &[String]) -> Vec<bool> {
    let Some(pairs) = aligned(old, new) else { return vec![true; old.len()] };
    let mut kept = vec![false; old.len()];
    for (at, _) in pairs {
        kept[at] = true;
    }
    kept
}

/// The lines that both sides have, as pairs of places, in order, unless too much changed.
pub fn aligned(old: &[String], new: &[String]) -> Option<Vec<(usize, usize)>> {
    let lead = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - lead;
    let trail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (middle, other) = (&old[lead..old.len() - trail], &new[lead..new.len() - trail]);
    let mut pairs: Vec<(usize, usize)> = (0..lead).map(|at| (at, at)).collect();
    if middle.len() > ALIGNED || other.len() > ALIGNED {
        return None;
    }
    // The longest common sequence, from the end.
    let mut best = vec![vec![0u16; other.len() + 1]; middle.len() + 1];
    for i in (0..middle.len()).rev() {
        for j in (0..other.len()).rev() {
            let skip = best[i + 1][j].max(best[i][j + 1]);
            best[i][j] = if middle[i] == other[j] { best[i + 1][j + 1] + 1 } else { skip };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < middle.len() {
        if j < other.len() && middle[i] == other[j] {
            pairs.push((lead + i, lead + j));
            (i, j) = (i + 1, j + 1);
        } else if j < other.len() && best[i][j + 1] > best[i + 1][j] {
            j += 1;
        } else {
            i += 1;
        }
    }
    pairs.extend((0..trail).rev().map(|back| (old.len() - 1 - back, new.len() - 1 - back)));
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_in_order() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(kept_lines(&lines("a b c a d"), &lines("a b d")), [true, true, false, false, true]);
        assert_eq!(kept_lines(&lines("a"), &lines("a a")), [true]);
    }
}
