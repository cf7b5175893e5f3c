//! Checks of an error that became part of the assertion that expects it: its type, its message, that it came at all.

use super::alike::{key, texts_in};
use super::whole::bare_text;
use crate::facts::{Assertion, Claim, ClaimKind, Reach, Strength};

/// The new assertions of a unit that expect an error.
pub struct Raised<'a>(Vec<&'a Assertion>);

impl<'a> Raised<'a> {
    pub fn of(new: impl Iterator<Item = &'a Assertion>) -> Self {
        let raises = |new: &&Assertion| new.claim.kind == ClaimKind::Raises && !new.claim.negated;
        Self(new.filter(raises).collect())
    }

    pub fn covers(&self, lost: &Assertion) -> bool {
        let claim = &lost.claim;
        // That the call must not come back is what expecting its error says.
        let is_failure = claim.kind == ClaimKind::Failure && claim.subject.is_empty();
        let says = |new: &&Assertion| is_failure || has_message(new, lost) || has_type(&new.claim, claim);
        self.0.iter().any(says)
    }
}

/// Whether the error must be of the type that a lost assertion asked for: `isinstance(error, E)`.
fn has_type(new: &Claim, lost: &Claim) -> bool {
    let name = |claim: &Claim| claim.expected.as_deref().map(|types| key(types).replace(".class", ""));
    lost.kind == ClaimKind::Value
        && lost.strength == Strength::Shape
        && !lost.negated
        && lost.expected.is_some()
        && name(new) == name(lost)
}

/// Whether the message must be, or contain, what a lost assertion asked of it.
fn has_message(new: &Assertion, lost: &Assertion) -> bool {
    let claim = &lost.claim;
    let (Some(pattern), Some(expected)) = (new.claim.pattern.as_deref(), claim.expected.as_deref()) else {
        return false;
    };
    let mut texts = texts_in(expected);
    let (Some(text), None) = (texts.next(), texts.next()) else { return false };
    if claim.kind != ClaimKind::Value || claim.negated || text.is_empty() {
        return false;
    }
    let said = bare_text(pattern).or_else(|| texts_in(pattern).next()).unwrap_or(pattern.trim_matches('/'));
    let said = said.replace('\\', "");
    let text = text.replace('\\', "");
    if claim.strength >= Strength::Value {
        // What only ran where the error was caught now always runs: the same text as a part of the message says more.
        said == text && (is_exact(new) || lost.reach == Reach::Branch)
    } else {
        claim.strength == Strength::Pattern && said.contains(&text)
    }
}

/// Whether the message must be the one that is written, and not only contain it.
fn is_exact(new: &Assertion) -> bool {
    let claim = &new.claim;
    let (pattern, types) = (claim.pattern.as_deref().unwrap_or(""), claim.expected.as_deref().unwrap_or(""));
    let is_object = !types.is_empty() && key(&new.text).contains(&format!("new{}(", key(types)));
    claim.strength >= Strength::Value || is_object || bare_text(pattern).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assertion(claim: Claim) -> Assertion {
        Assertion { line: 1, text: String::new(), claim, reach: Reach::Always, under: None }
    }

    fn raises(pattern: &str, strength: Strength) -> Assertion {
        let claim = Claim { kind: ClaimKind::Raises, strength, ..Claim::helper("f()") };
        assertion(Claim { expected: Some("E".into()), pattern: Some(pattern.into()), ..claim })
    }

    fn message(strength: Strength, expected: &str) -> Assertion {
        let claim = Claim { kind: ClaimKind::Value, strength, ..Claim::helper("str(e.value)") };
        assertion(Claim { expected: Some(expected.into()), ..claim })
    }

    fn covers(new: &Assertion, lost: &Assertion) -> bool {
        Raised::of(std::iter::once(new)).covers(lost)
    }

    #[test]
    fn a_message_may_be_expected_with_its_error() {
        let part = message(Strength::Pattern, "\"empty\"");
        assert!(covers(&raises("'empty'", Strength::Pattern), &part));
        assert!(!covers(&raises("'full'", Strength::Pattern), &part));
    }

    #[test]
    fn an_exact_message_stays_exact() {
        let whole = message(Strength::Value, "\"empty text\"");
        assert!(covers(&raises("'^empty text$'", Strength::Pattern), &whole));
        assert!(covers(&raises("\"empty text\"", Strength::Value), &whole));
        assert!(!covers(&raises("'empty text'", Strength::Pattern), &whole));
        assert!(!covers(&raises("'^empty .*$'", Strength::Pattern), &whole));
        let caught = Assertion { reach: Reach::Branch, ..whole };
        assert!(covers(&raises("'empty text'", Strength::Pattern), &caught));
    }
}
