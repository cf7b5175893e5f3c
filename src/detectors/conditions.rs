//! Conditions compared by what they are put together of: which of two holds for less.

use super::functions::plain;

/// How a condition came to hold for less than it did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Less {
    /// Reasons that are gone, of which one was enough.
    pub lost: Vec<String>,
    /// What has to hold as well now.
    pub added: Vec<String>,
}

/// What the new condition lacks, if it holds only where the old one did, and not everywhere there.
pub fn holds_for_less(old: &str, new: &str) -> Option<Less> {
    let (old, new) = (reasons(old), reasons(new));
    if old.len().saturating_mul(new.len()) > COMPARED {
        return None;
    }
    let within = |one: &Vec<String>, other: &Vec<String>| other.iter().all(|part| one.contains(part));
    let implied = new.iter().all(|is| old.iter().any(|was| within(is, was)));
    let uncovered: Vec<&Vec<String>> =
        old.iter().filter(|was| !new.iter().any(|is| within(was, is))).collect();
    if !implied || uncovered.is_empty() {
        return None;
    }
    let mut less = Less::default();
    for was in uncovered {
        let narrowed: Vec<&Vec<String>> = new.iter().filter(|is| within(is, was)).collect();
        if narrowed.is_empty() {
            less.lost.push(was.join("&&"));
        }
        less.added.extend(narrowed.into_iter().flatten().filter(|part| !was.contains(part)).cloned());
    }
    Some(less)
}

/// Nobody writes longer conditions by hand.
const COMPARED: usize = 400;

/// The parts of a condition of which one is enough, each as the parts that have to hold together.
fn reasons(condition: &str) -> Vec<Vec<String>> {
    let condition = condition.replace(" or ", " || ").replace(" and ", " && ");
    let whole = bare(&condition);
    let together = |part: &str| split(bare(part), "&&").into_iter().map(|part| plain(bare(part))).collect();
    split(whole, "||").into_iter().map(together).collect()
}

/// The parts of a condition that all have to hold, as compared.
pub fn conjuncts(condition: &str) -> Vec<String> {
    let condition: String = condition.split_whitespace().collect::<Vec<_>>().join(" ");
    let condition = condition.replace(" and ", " && ");
    split(bare(&condition), "&&").into_iter().map(|part| plain(bare(part))).collect()
}

/// Without the brackets around the whole.
pub fn bare(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'))
        && closes_last(inner)
    {
        text = inner.trim();
    }
    text
}

/// Whether no bracket in a text closes one that was opened before it.
fn closes_last(text: &str) -> bool {
    let mut depth = 0i64;
    text.bytes().all(|byte| {
        depth += opening(byte);
        depth >= 0
    })
}

fn opening(byte: u8) -> i64 {
    match byte {
        b'(' | b'[' | b'{' => 1,
        b')' | b']' | b'}' => -1,
        _ => 0,
    }
}

/// The parts of a text between signs that stand in no bracket.
fn split<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i64);
    let (bytes, sign) = (text.as_bytes(), sign.as_bytes());
    let mut at = 0;
    while at < bytes.len() {
        depth += opening(bytes[at]);
        if depth == 0 && bytes[at..].starts_with(sign) {
            parts.push(&text[start..at]);
            at += sign.len();
            start = at;
        } else {
            at += 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(old: &str, new: &str) -> Option<Vec<String>> {
        holds_for_less(old, new).map(|less| less.added)
    }

    #[test]
    fn what_is_joined_by_and_holds_for_less() {
        assert_eq!(added("price < 0", "price < 0 and strict"), Some(vec!["strict".to_owned()]));
        assert_eq!(added("(!job.id)", "(env.STRICT && !job.id)"), Some(vec!["env.STRICT".to_owned()]));
        assert_eq!(added("a || !b(c)", "a || (d && !b(c))"), Some(vec!["d".to_owned()]));
        assert_eq!(added("price < 0", "price < 0 or strict"), None);
        assert_eq!(added("price < 0", "price <= 0 and strict"), None);
        assert_eq!(added("(a) || b", "b || a"), None);
    }

    #[test]
    fn a_reason_less_is_lost() {
        let less = holds_for_less("a < 1 or a > 9", "a > 9").expect("it holds for less");
        assert_eq!((less.lost, less.added), (vec!["a<1".to_owned()], vec![]));
        assert_eq!(holds_for_less("(a < 1)", "a < 1"), None);
        assert_eq!(holds_for_less("a && b || c", "a || c"), None);
    }
}
