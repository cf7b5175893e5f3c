//! Patterns that leave a choice where another one left none: an optional piece, a further alternative.

/// So many choices of a pattern are followed.
const MAX_TRIES: usize = 64;

/// Whether a pattern takes what another one takes, and more: with one of its choices made, it is the other one.
pub fn offers(pattern: &str, made: &str) -> bool {
    let mut tries = MAX_TRIES;
    pattern != made && pattern.len() > made.len() && is_choice_of(pattern, made, &mut tries)
}

fn is_choice_of(pattern: &str, made: &str, tries: &mut usize) -> bool {
    if pattern == made {
        return true;
    }
    if pattern.len() < made.len() || *tries == 0 {
        return false;
    }
    *tries -= 1;
    choices(pattern).iter().any(|chosen| is_choice_of(chosen, made, tries))
}

/// The pattern with the first place at which it leaves a choice decided in each way.
fn choices(pattern: &str) -> Vec<String> {
    let whole = alternatives(pattern);
    if whole.len() > 1 {
        return whole.into_iter().map(str::to_owned).collect();
    }
    let mut found = Vec::new();
    for piece in pieces(pattern) {
        let (head, tail) = (&pattern[..piece.start], &pattern[piece.end..]);
        let Some(inside) = group(&pattern[piece.start..piece.end]) else {
            if let Some(rest) = tail.strip_prefix('?') {
                found.push(format!("{head}{rest}"));
                found.push(format!("{head}{}{rest}", &pattern[piece.start..piece.end]));
            }
            continue;
        };
        let optional = tail.strip_prefix('?');
        let rest = optional.unwrap_or(tail);
        if optional.is_some() {
            found.push(format!("{head}{rest}"));
        }
        let repeats = rest.starts_with(['*', '+', '{']);
        let options = alternatives(inside);
        if !repeats && (options.len() > 1 || optional.is_some()) {
            found.extend(options.iter().map(|option| format!("{head}{option}{rest}")));
            // The group itself may have been there.
            let opening = &pattern[piece.start..piece.end - inside.len() - 1];
            found.extend(options.iter().map(|option| format!("{head}{opening}{option}){rest}")));
            found.extend(
                (2..options.len())
                    .map(|count| format!("{head}{opening}{}){rest}", options[..count].join("|"))),
            );
        }
    }
    found
}

/// What stands in a group, without the marks at its start; nothing for what looks ahead or behind.
fn group(piece: &str) -> Option<&str> {
    let inside = piece.strip_prefix('(')?.strip_suffix(')')?;
    match inside.strip_prefix('?') {
        Some(marked) => marked.strip_prefix(':'),
        None => Some(inside),
    }
}

/// A pattern cut at the bars outside of its groups.
fn alternatives(pattern: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    for piece in pieces(pattern) {
        if &pattern[piece.clone()] == "|" {
            found.push(&pattern[start..piece.start]);
            start = piece.end;
        }
    }
    found.push(&pattern[start..]);
    found
}

/// The pieces of a pattern: characters, escapes, classes, groups with all they hold.
fn pieces(pattern: &str) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut start, mut depth, mut class, mut escaped) = (Vec::new(), 0, 0_usize, false, false);
    for (at, c) in pattern.char_indices() {
        let end = at + c.len_utf8();
        if depth == 0 && !class && !escaped {
            start = at;
        }
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if !class => class = true,
            ']' if class => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !class && !escaped {
            found.push(start..end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_with_a_choice_offers_what_was_there() {
        for (was, is) in [
            ("Error: gone", "Error(WithStack)?: gone"),
            ("Error: gone", "Error(?:WithStack)?: gone"),
            ("^[A-Z]+$", "^([A-Z]+|[0-9a-f]+)$"),
            ("not found", "not found|missing"),
            ("file (a|b) is", "file (a|b|c) is"),
            ("color", "colou?r"),
            ("is \\(x\\) there", "(is|was) \\(x\\) there"),
        ] {
            assert!(offers(is, was), "{was} -> {is}");
            assert!(!offers(was, is), "{is} -> {was}");
        }
    }

    #[test]
    fn another_pattern_is_no_choice() {
        for (was, is) in [
            ("Error: gone", "Error(WithStack): gone"),
            ("not found", "is missing|is gone"),
            ("a[|]b", "a[|]bc"),
            ("ab", "(?=a)ab"),
            ("ab", "(ab)+c"),
        ] {
            assert!(!offers(is, was), "{was} -> {is}");
        }
    }
}
