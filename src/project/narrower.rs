//! Whether a condition holds less often than another one, as far as their words tell.

use super::expression::{Token, tokens};

/// Whether a step that had the one condition, or none, is left out more often by the other.
pub fn is_narrower(old: Option<&str>, new: &str) -> bool {
    let new = read(new);
    let Some(old) = old.map(read) else { return asks_for(&new, false) };
    let has_turned = asks_for(&old, true) && !asks_for(&old, false) && asks_for(&new, false);
    has_turned || has_fewer_ways(&old, &new) || asks_more(&old, &new)
}

fn read(text: &str) -> Vec<Token> {
    let text = text.trim().trim_start_matches("${{").trim_end_matches("}}").trim();
    tokens(text.trim_matches(['"', '\'']))
}

fn is_row(word: &str) -> bool {
    ["matrix.", "inputs."].iter().any(|start| word.starts_with(start))
}

/// Whether a condition asks for a switch of the row by itself: `matrix.coverage`, or `!matrix.skip_coverage`.
fn asks_for(tokens: &[Token], negated: bool) -> bool {
    (0..tokens.len()).any(|at| {
        let Token::Word(word) = &tokens[at] else { return false };
        let is_compared = matches!(tokens.get(at + 1), Some(Token::Mark("==" | "!=" | "(")));
        let in_call = at > 1
            && matches!(&tokens[at - 1], Token::Mark("("))
            && matches!(&tokens[at - 2], Token::Word(_));
        let is_negated = at > 0 && tokens[at - 1] == Token::Mark("!");
        is_row(word) && !is_compared && !in_call && is_negated == negated
    })
}

fn ways(tokens: &[Token]) -> usize {
    tokens.iter().filter(|token| **token == Token::Mark("||")).count()
}

fn is_name(token: &&Token) -> bool {
    !matches!(token, Token::Mark(_))
}

/// Whether some of the ways to hold are gone, and nothing else is asked.
fn has_fewer_ways(old: &[Token], new: &[Token]) -> bool {
    let known = |token: &Token| old.contains(token);
    let is_gone = |token: &Token| !new.contains(token);
    ways(new) < ways(old)
        && new.iter().filter(is_name).all(known)
        && old.iter().any(|token| matches!(token, Token::Text(_)) && is_gone(token))
}

/// Whether the whole of the old condition stands in the new one, beside more that has to hold.
fn asks_more(old: &[Token], new: &[Token]) -> bool {
    let Some(at) = new.windows(old.len().max(1)).position(|part| part == old) else { return false };
    let rest: Vec<&Token> = new[..at].iter().chain(&new[at + old.len()..]).collect();
    let speaks = rest.iter().any(|token| matches!(token, Token::Word(word) if is_row(word)));
    speaks && !rest.iter().any(|token| **token == Token::Mark("||"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_hold_less_often_are_told() {
        for (old, new, expected) in [
            (None, "matrix.coverage", true),
            (None, "${{ !cancelled() && matrix.coverage }}", true),
            (None, "matrix.python == '3.9'", false),
            (None, "always()", false),
            (Some("! matrix.skip_coverage"), "matrix.use_coverage", true),
            (Some("(!matrix.skip_coverage)"), "(matrix.use_coverage)", true),
            (Some("!contains(matrix.env, 'docs')"), "matrix.coverage", false),
            (Some("(a == '24' || a == '25') && b == 'x'"), "a == '24' && b == 'x'", true),
            (Some("a == '24'"), "a == '25'", false),
            (Some("success()"), "success() && matrix.os == 'linux'", true),
            (Some("success()"), "success() || matrix.os == 'linux'", false),
            (Some("matrix.coverage"), "matrix.coverage", false),
        ] {
            assert_eq!(is_narrower(old, new), expected, "{old:?} {new}");
        }
    }
}
