//! Patterns piece by piece: `\d{4}-\d{2}` takes less than `\d+-\d+`, and `^v\d+\.\d+$` less than `^v\d+`.

/// More pieces are not compared.
const MOST: usize = 60;

/// One piece of a pattern, and how often it may stand there.
#[derive(Clone, Debug, PartialEq)]
struct Atom {
    class: String,
    least: u32,
    most: u32,
}

struct Pattern {
    atoms: Vec<Atom>,
    /// Whether it must start, and end, where the text does.
    starts: bool,
    ends: bool,
}

/// Whether a pattern takes all that another one takes, as far as its pieces tell; the two differ.
pub fn takes_all(wide: &str, narrow: &str) -> bool {
    let (Some(wide), Some(narrow)) = (Pattern::of(wide), Pattern::of(narrow)) else { return false };
    if wide.starts && !narrow.starts || wide.ends && !narrow.ends || wide.atoms.is_empty() {
        return false;
    }
    let mut tries = 4096;
    // What need not start where the text does may start at any piece of the other.
    let last = if wide.starts { 0 } else { narrow.atoms.len() };
    (0..=last).any(|from| holds(&wide, &narrow.atoms[from..], 0, 0, &mut tries))
}

/// Whether the pieces from `at` on take the rest of another pattern, the piece there having taken so many already.
fn holds(wide: &Pattern, rest: &[Atom], at: usize, taken: u32, tries: &mut u32) -> bool {
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    let Some(atom) = wide.atoms.get(at) else { return rest.is_empty() || !wide.ends };
    if taken >= atom.least && holds(wide, rest, at + 1, 0, tries) {
        return true;
    }
    let Some((next, rest)) = rest.split_first() else { return false };
    if !covers(&atom.class, &next.class) || next.most.saturating_add(taken) > atom.most {
        return false;
    }
    holds(wide, rest, at, taken.saturating_add(next.least), tries)
}

/// Whether one class of characters has all of another.
fn covers(wide: &str, narrow: &str) -> bool {
    if wide == narrow || wide == "." {
        return true;
    }
    let inside =
        |class: &str| class.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::to_owned);
    let single = |c: char| match wide {
        "\\d" => c.is_ascii_digit(),
        "\\w" => c.is_alphanumeric() || c == '_',
        "\\S" => !c.is_whitespace(),
        _ => false,
    };
    let members = inside(wide).filter(|members| !members.starts_with('^'));
    match (narrow, members) {
        ("\\d", None) => wide == "\\w" || wide == "\\S",
        ("\\w", None) => wide == "\\S",
        ("[0-9]", None) => matches!(wide, "\\d" | "\\w" | "\\S"),
        ("[a-z]" | "[A-Z]" | "[a-zA-Z]" | "[a-z0-9]" | "[0-9a-f]", None) => matches!(wide, "\\w" | "\\S"),
        (_, None) => {
            let mut letters = narrow.chars();
            matches!((letters.next(), letters.next()), (Some(c), None) if single(c))
        }
        (_, Some(members)) => match inside(narrow) {
            Some(fewer) if !fewer.starts_with('^') => {
                pieces(&fewer).iter().all(|piece| pieces(&members).contains(piece))
            }
            Some(_) => false,
            None => {
                pieces(&members).contains(&narrow.to_owned())
                    || pieces(&members).contains(&narrow.replace('\\', ""))
            }
        },
    }
}

/// The members of a class: characters, ranges, escapes.
fn pieces(members: &str) -> Vec<String> {
    let letters: Vec<char> = members.chars().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        let length = match letters[at] {
            '\\' => 2,
            _ if letters.get(at + 1) == Some(&'-') && at + 2 < letters.len() => 3,
            _ => 1,
        };
        found.push(letters[at..(at + length).min(letters.len())].iter().collect());
        at += length;
    }
    found
}

impl Pattern {
    /// The pieces of a pattern without groups and choices.
    fn of(text: &str) -> Option<Self> {
        let (starts, ends) = (text.starts_with('^'), text.ends_with('$') && !text.ends_with("\\$"));
        let core = text.strip_prefix('^').unwrap_or(text);
        let core = if ends { &core[..core.len() - 1] } else { core };
        let letters: Vec<char> = core.chars().collect();
        let (mut atoms, mut at) = (Vec::new(), 0);
        while at < letters.len() && atoms.len() < MOST {
            let end = match letters[at] {
                '(' | ')' | '|' | '^' | '$' | '*' | '+' | '?' | '{' => return None,
                '\\' => at + 2,
                '[' => at + 1 + letters[at + 1..].iter().skip(1).position(|c| *c == ']')? + 2,
                _ => at + 1,
            };
            let class: String = letters.get(at..end)?.iter().collect();
            let (least, most, length) = times(&letters[end..])?;
            atoms.push(Atom { class, least, most });
            at = end + length;
        }
        (at >= letters.len()).then_some(Self { atoms, starts, ends })
    }
}

/// How often the piece before may stand there, and how long that is written.
fn times(rest: &[char]) -> Option<(u32, u32, usize)> {
    let (least, most, length) = match rest.first() {
        Some('?') => (0, 1, 1),
        Some('*') => (0, u32::MAX, 1),
        Some('+') => (1, u32::MAX, 1),
        Some('{') => {
            let end = rest.iter().position(|c| *c == '}')?;
            let inside: String = rest[1..end].iter().collect();
            let (low, high) = inside.split_once(',').unwrap_or((&inside, &inside));
            let high = if high.is_empty() { u32::MAX } else { high.parse().ok()? };
            (low.parse().ok()?, high, end + 1)
        }
        _ => return Some((1, 1, 0)),
    };
    // A mark behind it says which of several is taken, not whether.
    let lazy = usize::from(matches!(rest.get(length), Some('?' | '+')));
    Some((least, most, length + lazy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_pieces_take_more() {
        for (narrow, wide) in [
            ("^\\d{4}-\\d{2}$", "^\\d+-\\d+$"),
            ("^v\\d+\\.\\d+$", "^v\\d+"),
            ("^v1\\.2$", "^v\\d+\\.\\d+$"),
            ("^[\\d.]+$", "^[\\d.a-z]+$"),
            ("^a b$", "a b"),
            ("id: \\d+", "id: \\w+"),
            ("took 1.2s", "took .*s"),
            ("^abc$", "^ab?c*$"),
        ] {
            assert!(takes_all(wide, narrow), "{narrow} -> {wide}");
            assert!(!takes_all(narrow, wide), "{wide} -> {narrow}");
        }
    }

    #[test]
    fn other_patterns_are_not_wider() {
        for (one, other) in [("^a\\d$", "^b\\d$"), ("^ab$", "^abc$"), ("(a|b)", "(a|b|c)"), ("a{2}", "a{3}")]
        {
            assert!(!takes_all(one, other) && !takes_all(other, one), "{one}, {other}");
        }
    }
}
