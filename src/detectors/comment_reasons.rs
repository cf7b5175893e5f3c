//! The reason that a comment gives for a skip, where the mark itself has no room for one: `it.skip`, `xit`, `#[ignore]`.

use crate::comparison::FileSide;
use crate::facts::{Remark, Skip, Span, Test};
use crate::text::{clipped, line_breaks, occurrences};

/// A sentence has more words than a name.
const MIN_WORDS: usize = 3;

/// Longer reasons are cut.
const SHOWN: usize = 100;

/// How comments begin that are written for a tool.
const FOR_TOOLS: &[&str] = &[
    "eslint-",
    "prettier-ignore",
    "istanbul ignore",
    "nolint",
    "noinspection",
    "noqa",
    "pylint:",
    "pragma:",
    "type:",
    "biome-ignore",
    "@ts-",
    "c8 ignore",
    "v8 ignore",
];

/// The name of a region that an editor folds has few words.
const REGION: usize = 4;

/// What a comment that is new in the change says about a skip: on its line, or right above it or its test.
pub fn told_beside([before, after]: [&FileSide; 2], test: &Test, skip: &Skip) -> Option<String> {
    let head = Span { start: test.span.start, end: test.line };
    let is_near = |line: u32| {
        let at_test = head.start.saturating_sub(1) <= line && line <= head.end;
        at_test || line == skip.line || line + 1 == skip.line
    };
    let block = block_above(after, head.start.min(skip.line));
    let (mut seen, mut line) = (0, 1);
    let mut told: Vec<String> = Vec::new();
    for remark in after.facts.signals.remarks.iter().filter(|remark| !remark.documents) {
        let (start, end) = (remark.start as usize, remark.end as usize);
        line += u32::try_from(line_breaks(after.text.get(seen..start)?).count()).ok()?;
        seen = start;
        let last = line + u32::try_from(line_breaks(after.text.get(start..end)?).count()).ok()?;
        if (is_near(line)
            || is_near(last)
            || block.is_some_and(|block| block.start <= line && line <= block.end))
            && is_new(before, after, remark)
        {
            told.extend(reason_of(after, remark));
        }
    }
    let reason = told.join(" ");
    says_why(&reason).then(|| clipped(&reason, SHOWN))
}

/// The lines of comments that end right above a line.
fn block_above(side: &FileSide, line: u32) -> Option<Span> {
    let code = side.code();
    let above = code.partition_point(|known| known.number < line);
    let mut start = line;
    for known in code[..above].iter().rev() {
        if known.number + 1 != start || !known.code.is_empty() {
            break;
        }
        start = known.number;
    }
    (start < line).then_some(Span { start, end: line - 1 })
}

fn is_new(before: &FileSide, after: &FileSide, remark: &Remark) -> bool {
    let text = &after.text[remark.start as usize..remark.end as usize];
    occurrences(&before.text, text).next().is_none()
}

/// The words of a comment, unless a tool or a compiler is to read them.
fn reason_of(side: &FileSide, remark: &Remark) -> Option<String> {
    let text = std::str::from_utf8(&side.text[remark.start as usize..remark.end as usize]).ok()?;
    let lines = text.lines().map(|line| {
        line.trim().trim_start_matches(['/', '#', '*', '!', '-']).trim_end_matches(['/', '*']).trim()
    });
    let said = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let calls =
        || said.split_once('(').is_some_and(|(callee, _)| !callee.contains(' ')) && said.ends_with(')');
    let is_code = said.ends_with([';', '{', '}']) && said.contains(['(', '=', '{', '}']) || calls();
    (!is_code && !is_for_tool(&said)).then_some(said)
}

fn is_for_tool(said: &str) -> bool {
    let mut words = said.split_whitespace();
    let folds = matches!(words.next(), Some("region" | "endregion")) && words.count() <= REGION;
    folds || FOR_TOOLS.iter().any(|start| said.starts_with(start))
}

/// Whether there is more than a note that something is left to do.
fn says_why(reason: &str) -> bool {
    let is_number = |word: &str| {
        word.split_once('#').is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let words = reason.split_whitespace().filter(|word| {
        let name: String = word.chars().take_while(|c| c.is_alphabetic()).collect();
        !["TODO", "FIXME", "XXX", "HACK"].contains(&name.as_str()) && word.chars().any(char::is_alphabetic)
    });
    words.count() >= MIN_WORDS || reason.contains("://") || reason.split_whitespace().any(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_or_an_issue_is_a_reason() {
        for reason in
            ["flaky on the build servers", "TODO: back once #123 is in", "see https://a.example/1", "TODO #7"]
        {
            assert!(says_why(reason), "{reason}");
        }
    }

    #[test]
    fn what_a_tool_reads_is_known_by_its_form() {
        for said in
            ["type: ignore[attr]", "eslint-disable-next-line no-eval", "region Tests of the cart", "noqa"]
        {
            assert!(is_for_tool(said), "{said}");
        }
        for said in [
            "type confusion in the parser makes this flaky",
            "region servers are down until the move is done",
            "pragma tables are not written yet",
            "eslint stumbles over this",
        ] {
            assert!(!is_for_tool(said), "{said}");
        }
    }

    #[test]
    fn a_note_that_something_is_to_do_is_none() {
        for reason in ["", "TODO", "TODO: fix", "FIXME fix later", "skipped"] {
            assert!(!says_why(reason), "{reason}");
        }
    }
}
