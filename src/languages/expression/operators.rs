//! What stands between two sides, and the brackets around them.

use super::chains::{bracketed, split};
use super::pieces::Level0;

/// How two sides are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
    Is,
    IsNot,
    InstanceOf,
    And,
    Or,
}

/// Operators by their spelling, longer ones first.
const OPERATORS: &[(&str, Operator)] = &[
    ("===", Operator::Equal),
    ("!==", Operator::NotEqual),
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("&&", Operator::And),
    ("||", Operator::Or),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

/// Operators that are words.
const WORDS: &[(&str, Operator)] = &[
    ("not in ", Operator::NotIn),
    ("is not ", Operator::IsNot),
    ("instanceof ", Operator::InstanceOf),
    ("in ", Operator::In),
    ("is ", Operator::Is),
    ("and ", Operator::And),
    ("or ", Operator::Or),
];

/// The outermost comparison of an expression: the loosest binding operator, `or` before `and` before all others.
pub fn comparison(text: &str) -> Option<(&str, Operator, &str)> {
    let text = bare(text);
    let mut found: Option<(usize, usize, Operator)> = None;
    let mut skip_to = 0;
    for (at, _) in Level0::of(text) {
        if at < skip_to {
            continue;
        }
        let Some((length, operator)) = operator_at(text, at) else { continue };
        skip_to = at + length;
        let binds_looser = match operator {
            Operator::Or => true,
            Operator::And => !matches!(found, Some((_, _, Operator::And))),
            _ => found.is_none(),
        };
        if binds_looser {
            found = Some((at, length, operator));
        }
        if operator == Operator::Or {
            break;
        }
    }
    let (at, length, operator) = found?;
    let (left, right) = (text[..at].trim(), text[at + length..].trim());
    (!left.is_empty() && !right.is_empty()).then_some((left, operator, right))
}

fn operator_at(text: &str, at: usize) -> Option<(usize, Operator)> {
    let rest = text.get(at..)?;
    let before = text[..at].chars().next_back();
    // `->`, `=>`, `<<`, `>>` and `<T>` are no comparisons.
    if rest.starts_with("=>") || rest.starts_with("->") || rest.starts_with("<<") || rest.starts_with(">>") {
        return None;
    }
    if let Some((spelling, operator)) = OPERATORS.iter().find(|(spelling, _)| rest.starts_with(spelling)) {
        let is_arrow = matches!(before, Some('-' | '=' | '<' | '>')) && spelling.len() == 1;
        let is_generic = spelling.len() == 1 && !before.is_some_and(char::is_whitespace);
        return (!is_arrow && !is_generic).then_some((spelling.len(), *operator));
    }
    let is_start = before.is_none_or(|c| c.is_whitespace() || c == ')' || c == ']');
    let word = WORDS.iter().find(|(word, _)| is_start && rest.starts_with(word));
    word.map(|(word, operator)| (word.len(), *operator))
}

/// The two sides of a difference: `a - b`.
pub fn minus(text: &str) -> Option<(&str, &str)> {
    let at = Level0::of(text).filter(|&(at, byte)| byte == b'-' && text[at..].starts_with("- ")).last()?.0;
    let (left, right) = (text[..at].trim(), text[at + 1..].trim());
    (!left.is_empty() && !right.is_empty()).then_some((left, right))
}

/// What is inside the brackets that enclose all of the text.
pub fn enclosed(text: &str) -> Option<&str> {
    let (inside, rest) = text.starts_with(['(', '[', '{']).then(|| bracketed(text))?;
    (rest.is_empty() && text.ends_with([')', ']', '}'])).then_some(inside)
}

/// The expression inside parentheses that enclose all of it.
pub fn bare(text: &str) -> &str {
    let mut text = text.trim();
    while text.starts_with('(') {
        let (inside, rest) = bracketed(text);
        if !rest.trim().is_empty() || split(inside).len() != 1 || !text.ends_with(')') {
            return text;
        }
        text = inside.trim();
    }
    text
}

/// The operand of a leading `!` or `not`.
pub fn negation(text: &str) -> Option<&str> {
    let text = bare(text);
    let rest =
        text.strip_prefix("not ").or_else(|| text.strip_prefix('!').filter(|rest| !rest.starts_with('=')))?;
    Some(rest.trim())
}
