//! Commands that a script runs only where a test of its surroundings holds: `if [ "$FAST" != 1 ]; then pytest; fi`.

use crate::collections::HashMap;
use crate::facts::Mark;
use crate::shell;
use crate::text::{clipped, one_line};

/// How much of a condition is told.
const SHOWN: usize = 120;

/// Longer lines are data.
const MAX_LINE: usize = 8 * 1024;

/// A command by the index of its line, and its own in the list of that line.
type At = (usize, usize);

/// A block of `if` that is still open.
struct Block {
    /// The condition, where it asks about variables alone.
    mark: Option<Mark>,
    in_condition: bool,
    has_other_way: bool,
    inside: Vec<At>,
}

/// The commands that do not run in every case, each with the condition. Where the other case has commands of its own,
/// a script only tells cases apart.
pub fn conditional(lines: &[(String, u32)]) -> HashMap<At, Mark> {
    let mut found = HashMap::new();
    let mut open: Vec<Block> = Vec::new();
    for (index, (text, line)) in lines.iter().enumerate() {
        let text = text.trim();
        if text.len() > MAX_LINE || text.starts_with('#') || (open.is_empty() && !may_ask(text)) {
            continue;
        }
        let mut asked: Option<Mark> = None;
        for (part, (words, operator)) in shell::list(text).iter().enumerate() {
            let at = (index, part);
            let command = keywords(words, text, *line, &mut open, &mut found);
            if command.is_empty() {
                continue;
            }
            // `[ -n "$CI" ] && pytest`
            if let Some(mark) = asked.take() {
                found.insert(at, mark);
            }
            if let Some(block) = open.last_mut() {
                if !block.in_condition {
                    block.inside.push(at);
                }
            } else if matches!(*operator, "&&" | "||") {
                asked = asks(command).then(|| mark_of(text, *line));
            }
        }
    }
    found
}

/// Whether a line can have a condition in it.
fn may_ask(text: &str) -> bool {
    text.contains("if ") || text.starts_with("[") || text.starts_with("test ")
}

/// Takes the words of the shell itself off a command, and keeps track of the blocks they open and close.
fn keywords<'w>(
    words: &'w [String],
    text: &str,
    line: u32,
    open: &mut Vec<Block>,
    found: &mut HashMap<At, Mark>,
) -> &'w [String] {
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        match first.as_str() {
            "if" => {
                let mark = asks(behind).then(|| mark_of(text, line));
                open.push(Block { mark, in_condition: true, has_other_way: false, inside: Vec::new() });
            }
            "then" => open.iter_mut().last().into_iter().for_each(|block| block.in_condition = false),
            "elif" | "else" => open.iter_mut().last().into_iter().for_each(|block| {
                block.has_other_way = true;
                block.in_condition = first == "elif";
            }),
            "fi" => close(open, found),
            _ => return rest,
        }
        rest = behind;
    }
    rest
}

fn close(open: &mut Vec<Block>, found: &mut HashMap<At, Mark>) {
    let Some(block) = open.pop() else { return };
    match block.mark.filter(|_| !block.has_other_way) {
        Some(mark) => found.extend(block.inside.into_iter().map(|at| (at, mark.clone()))),
        None => open.iter_mut().last().into_iter().for_each(|outer| outer.inside.extend(&block.inside)),
    }
}

/// Whether a command only compares variables. Whether a file is there is no matter of when something is checked.
fn asks(words: &[String]) -> bool {
    let words = words.strip_prefix(&["!".to_owned()][..]).unwrap_or(words);
    let Some((first, rest)) = words.split_first() else { return false };
    matches!(first.as_str(), "[" | "[[" | "test")
        && rest.iter().any(|word| word.contains('$'))
        && !rest.iter().any(|word| matches!(word.as_str(), "-f" | "-d" | "-e" | "-x" | "-s" | "-r"))
        // The outcome of a command that ran before is no matter of surroundings.
        && !rest.iter().any(|word| word.contains("$?"))
}

fn mark_of(text: &str, line: u32) -> Mark {
    let condition = text.split("; then").next().unwrap_or(text);
    Mark { text: clipped(&one_line(condition), SHOWN), line }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands that depend on a condition.
    fn depending(script: &str) -> String {
        let lines: Vec<(String, u32)> =
            script.lines().zip(1..).map(|(line, number)| (line.to_owned(), number)).collect();
        let mut found: Vec<At> = conditional(&lines).into_keys().collect();
        found.sort_unstable();
        let words = |(line, part): At| shell::list(lines[line].0.trim())[part].0.join(" ");
        found.into_iter().map(words).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn commands_behind_a_condition_on_variables_are_found() {
        for (script, expected) in [
            ("if [ \"$A\" != 1 ]; then pytest; fi", "then pytest"),
            ("if [[ $V != 1.9 ]]; then\n  megacheck ./...\nfi\nmake", "megacheck ./..."),
            ("[ -n \"$CI\" ] && pytest", "pytest"),
            ("if [ $A = 1 ]; then\n  if make ready; then\n    pytest\n  fi\nfi", "pytest"),
            ("if [ $A = 1 ]; then pytest a; else pytest b; fi", ""),
            ("if [ -f tests/run ]; then tests/run; fi", ""),
            ("if ! pytest; then exit 1; fi", ""),
            ("if [ $? -ne 0 ]; then exit 1; fi", ""),
            ("pytest && echo done", ""),
            ("if [ $A = 1 ]; then", ""),
            ("fi; fi; then; else; pytest", ""),
        ] {
            assert_eq!(depending(script), expected, "{script}");
        }
    }
}
