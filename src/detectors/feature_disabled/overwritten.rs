//! What code finds out, and a new line sets to false right after it: `fast = probe()` and then `fast = false`.
//!
//! Part of the rule about disabled features.

use super::{draft, lower_by_intent, one, symbol};
use crate::assertions::assignment;
use crate::comparison::{Comparison, FileSide, vanished};
use crate::detectors::code_lines::{TestCode, existing, is_scratch};
use crate::detectors::report::excerpt;
use crate::detectors::switch_names::{Meaning, meaning};
use crate::facts::{Place, Switch};
use crate::finding::{Finding, Side};

/// So many lines above are looked at.
const ABOVE: u32 = 40;

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(existing);
    let judged = files.filter(|(_, after)| !is_scratch(&after.path) && !after.facts.language.is_empty());
    judged.flat_map(|(before, after)| in_file(comparison, before, after)).collect()
}

fn in_file(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let is_off = |switch: &&Switch| {
        let meaning = meaning(&switch.name);
        matches!(switch.place, Place::Variable | Place::Constant)
            && meaning != Meaning::Neutral
            && switch.on == (meaning == Meaning::Disables)
    };
    let mut off = after.facts.signals.switches.iter().filter(is_off).peekable();
    if off.peek().is_none() || before.text == after.text {
        return Vec::new();
    }
    let fresh = vanished(after.code(), before.code());
    let tests = TestCode::of(after);
    let code = |line: u32| {
        let lines = after.code();
        let at = lines.partition_point(|code| code.number < line);
        lines.get(at).filter(|code| code.number == line).map_or("", |code| code.code.as_str())
    };
    let is_new = |switch: &&Switch| fresh.contains_key(code(switch.line)) && !tests.contains(switch.line);
    let mut found = Vec::new();
    for switch in off.filter(is_new) {
        let Some(line) = found_out(after, switch).filter(|line| !fresh.contains_key(code(*line))) else {
            continue;
        };
        let message = format!("`{}` is found out, and then always set to {}", switch.name, switch.on);
        let name = symbol(after, &switch.scope, &switch.name);
        let mut finding = draft(message, 0.75).on(Side::After, after, switch.line, name);
        finding.before = excerpt(after, one(line), line, "this decided");
        finding.after = excerpt(after, one(switch.line), switch.line, "switched off");
        lower_by_intent(comparison, &mut finding, &switch.name);
        found.push(finding);
    }
    found
}

/// The line above, in the same block, that gives the switch a value which is no literal.
fn found_out(side: &FileSide, switch: &Switch) -> Option<u32> {
    let start = switch.line.saturating_sub(ABOVE).max(1);
    let lines: Vec<_> = side.lines(crate::facts::Span { start, end: switch.line }).zip(start..).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (own, above) = lines.split_last()?;
    let depth = indent(&own.0);
    let target = assignment(&own.0)?.0.trim().trim_end_matches(':').trim().to_owned();
    let in_block = above.iter().rev().take_while(|(line, _)| line.trim().is_empty() || indent(line) >= depth);
    let gives = |(line, _): &&(std::borrow::Cow<'_, str>, u32)| {
        let Some((to, value)) = assignment(line).filter(|_| indent(line) == depth) else { return false };
        let to = to.trim().trim_end_matches(':').trim();
        (to == target || to.ends_with(&format!(" {target}"))) && value.contains('(')
    };
    in_block.into_iter().find(gives).map(|(_, line)| *line)
}
