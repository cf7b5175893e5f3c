//! What a condition claims when it is asserted to hold: comparisons, negations, `and`, `or`.

use super::claiming::{self, Side};
use super::expression::{self, Operator, bare, comparison, is_literal, negation, split};
use super::predicate::parts_of;
use crate::facts::{Claim, ClaimKind, Strength};

/// Deeper conditions are read as a whole.
const MAX_DEPTH: usize = 12;

/// What a language brings to the reading of its conditions.
pub struct Dialect {
    /// How false is spelled.
    pub untrue: &'static str,
    /// Reads a condition that is no comparison: `isinstance(a, B)`, `list.includes(a)`.
    pub call: fn(&str) -> Option<Claim>,
    /// Reads an equality that is more than one: `a == approx(b)`, `typeof a === 'string'`.
    pub equality: fn(&str, &str) -> Option<Claim>,
    /// Whether `a in b` asks for a key alone.
    pub in_is_key: bool,
}

impl Dialect {
    /// What it says that the condition holds; spacing is expected to be settled.
    pub fn holds(&self, text: &str) -> Claim {
        self.read(text, MAX_DEPTH)
    }

    /// What it says that the condition does not hold.
    pub fn fails(&self, text: &str) -> Claim {
        claiming::negate(self.holds(text), self.untrue)
    }

    fn read(&self, text: &str, depth: usize) -> Claim {
        let text = bare(text);
        let Some(depth) = depth.checked_sub(1) else { return claiming::truthy(text) };
        let compared = comparison(text);
        if let Some((left, operator @ (Operator::And | Operator::Or), right)) = compared {
            return self.joined(text, operator, self.read(left, depth), self.read(right, depth));
        }
        let inner = negation(text).filter(|_| compared.is_none() || text.starts_with("not "));
        if let Some(inner) = inner {
            return claiming::negate(self.read(inner, depth), self.untrue);
        }
        match compared {
            Some((left, operator, right)) => self.compared(bare(left), operator, bare(right), text),
            None => self.single(text),
        }
    }

    fn single(&self, text: &str) -> Claim {
        if text.starts_with(['(', '[']) && claiming::is_collection(text) {
            return claiming::claim(Strength::Tautology, text);
        }
        (self.call)(text).unwrap_or_else(|| claiming::truthy(text))
    }

    fn joined(&self, text: &str, operator: Operator, left: Claim, right: Claim) -> Claim {
        let strengths = (left.strength, right.strength);
        if operator == Operator::And {
            return match (left.kind, right.kind) {
                (ClaimKind::Failure, _) | (_, ClaimKind::Failure) => claiming::failure(""),
                _ => {
                    let parts = parts_of(&left).into_iter().chain(parts_of(&right)).collect();
                    Claim { parts, ..claiming::claim(strengths.0.max(strengths.1), text) }
                }
            };
        }
        if left.kind == ClaimKind::Failure || right.kind == ClaimKind::Failure {
            return if left.kind == ClaimKind::Failure { right } else { left };
        }
        let weakest = strengths.0.min(strengths.1);
        let expected = match (left.expected, right.expected) {
            (Some(one), Some(other)) if left.subject == right.subject => Some(format!("{one} or {other}")),
            (one, _) => one,
        };
        let subject = if weakest == Strength::Tautology { text.to_owned() } else { left.subject };
        Claim { expected, subject, ..claiming::claim(claiming::weaker(weakest), "") }
    }

    /// That a place is one at all, or is none: `a.indexOf(b) >= 0` says what `a.indexOf(b) !== -1` says.
    fn place(&self, left: &str, operator: Operator, right: &str) -> Option<Claim> {
        let is_found = match (operator, right) {
            (Operator::GreaterOrEqual, "0") | (Operator::Greater, "-1") => true,
            (Operator::Less, "0") => false,
            _ => return None,
        };
        let missing = (self.equality)(left, "-1")?;
        Some(if is_found { claiming::negate(missing, self.untrue) } else { missing })
    }

    /// `0 <= x <= 10` says two things of what stands in the middle.
    fn chained(&self, left: &str, operator: Operator, right: &str, text: &str) -> Option<Claim> {
        let (middle, next, end) = comparison(right).filter(|(_, next, _)| is_order(*next))?;
        let middle = bare(middle);
        let parts = [
            self.compared(middle, turned(operator)?, left, text),
            self.compared(middle, next, bare(end), text),
        ];
        Some(Claim { parts: parts.to_vec(), ..claiming::holds(Strength::Bound, middle, text) })
    }

    fn compared(&self, left: &str, operator: Operator, right: &str, text: &str) -> Claim {
        if let Some(claim) = self.chained(left, operator, right, text) {
            return claim;
        }
        if let Some(claim) = self.place(left, operator, right) {
            return claim;
        }
        let equal = || self.equal(left, right, Strength::Value);
        match operator {
            Operator::Equal => equal(),
            Operator::NotEqual => claiming::negate(equal(), self.untrue),
            Operator::Is | Operator::IsNot => {
                let strength = if is_literal(right) { Strength::Value } else { Strength::Structure };
                let same = self.equal(left, right, strength);
                if operator == Operator::Is { same } else { claiming::negate(same, self.untrue) }
            }
            Operator::In => self.contained(left, right),
            Operator::NotIn => claiming::negate(self.contained(left, right), self.untrue),
            Operator::InstanceOf => claiming::holds(Strength::Shape, left, right),
            Operator::Less => ordered(left, Side::Below, false, right),
            Operator::LessOrEqual => ordered(left, Side::Below, true, right),
            Operator::Greater => ordered(left, Side::Above, false, right),
            Operator::GreaterOrEqual => ordered(left, Side::Above, true, right),
            Operator::And | Operator::Or => claiming::truthy(text),
        }
    }

    fn equal(&self, left: &str, right: &str, strength: Strength) -> Claim {
        let special = (self.equality)(left, right).or_else(|| (self.equality)(right, left));
        special.unwrap_or_else(|| claiming::equal(left, right, strength))
    }

    fn contained(&self, left: &str, right: &str) -> Claim {
        if claiming::is_collection(right) {
            return claiming::holds(Strength::Pattern, left, right);
        }
        let strength = if self.in_is_key { Strength::Shape } else { Strength::Pattern };
        claiming::holds(strength, right, left)
    }
}

fn is_order(operator: Operator) -> bool {
    turned(operator).is_some()
}

/// The same order, seen from the other end.
fn turned(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        _ => return None,
    })
}

fn ordered(left: &str, side: Side, or_equal: bool, right: &str) -> Claim {
    // Sets are ordered by what they contain.
    if let Some((whole, part)) = superset(left, side, right) {
        return claiming::holds(Strength::Pattern, whole, part);
    }
    let near = |distance: &str, tolerance: &str| {
        let (subject, expected) = difference(distance)?;
        Some(claiming::within(subject, expected, Some(tolerance)))
    };
    let distance = if side == Side::Below { near(left, right) } else { near(right, left) };
    distance.unwrap_or_else(|| claiming::bound(left, side, or_equal, right))
}

/// The larger and the smaller of two sets, where one of them shows that it is one.
fn superset<'a>(left: &'a str, side: Side, right: &'a str) -> Option<(&'a str, &'a str)> {
    let is_set =
        |text: &str| text.ends_with(".items()") || text.ends_with(".keys()") || text.starts_with("set(");
    let pair = if side == Side::Above { (left, right) } else { (right, left) };
    (is_set(left) || is_set(right)).then_some(pair)
}

/// The two sides of `abs(a - b)`.
fn difference(text: &str) -> Option<(&str, &str)> {
    let (callee, inside) = text.strip_suffix(')')?.split_once('(')?;
    let is_absolute = callee.rsplit('.').next() == Some("abs") || callee == "fabs";
    let [inside] = split(inside).as_slice().try_into().ok().filter(|_: &[&str; 1]| is_absolute)?;
    expression::minus(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Limit;

    const PLAIN: Dialect =
        Dialect { untrue: "False", call: |_| None, equality: |_, _| None, in_is_key: false };

    fn read(text: &str) -> String {
        let claim = PLAIN.holds(text);
        let not = if claim.negated { " not" } else { "" };
        format!("{:?} {}{not} {}", claim.strength, claim.subject, claim.expected.unwrap_or_default())
    }

    #[test]
    fn comparisons_are_weighed() {
        for (text, expected) in [
            ("a == 1", "Value a 1"),
            ("1 == a", "Value a 1"),
            ("a != 1", "Bound a not 1"),
            ("not a == 1", "Bound a not 1"),
            ("!(a == 1)", "Bound a not 1"),
            ("a is None", "Value a None"),
            ("a is not None", "NotNull a not None"),
            ("not a is None", "NotNull a not None"),
            ("a is b", "Structure a b"),
            ("'x' in a", "Pattern a 'x'"),
            ("a not in b", "Pattern b not a"),
            ("a in (1, 2)", "Pattern a (1, 2)"),
            ("a", "Truthy a "),
            ("not a", "Value a False"),
            ("a < 3", "Bound a 3"),
            ("0 < a < 3", "Bound a 0 < a < 3"),
            ("abs(a - b) < 0.1", "Approximate a b"),
            ("a == 1 and b", "Value a == 1 and b "),
            ("a == 1 or a == 2", "Approximate a 1 or 2"),
            ("a or b", "Truthy a "),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn what_always_holds_is_a_tautology() {
        for text in ["True", "1", "a == a", "1 == 1", "a or True", "(a, 'why')", "'why'", "len(a) >= 0"] {
            assert_eq!(PLAIN.holds(text).strength, Strength::Tautology, "{text}");
        }
        for text in ["f() == f()", "len(a) >= 1", "len(a) > 0", "(a)", "a or 0"] {
            assert_ne!(PLAIN.holds(text).strength, Strength::Tautology, "{text}");
        }
    }

    #[test]
    fn what_never_holds_is_a_failure() {
        for text in ["False", "0", "not True", "1 == 2", "a and False", "None"] {
            assert_eq!(PLAIN.holds(text).kind, ClaimKind::Failure, "{text}");
        }
    }

    #[test]
    fn bounds_keep_their_number() {
        for (text, limit) in [
            ("a > 3", Limit::AtLeast(3.0)),
            ("3 >= a", Limit::AtMost(3.0)),
            ("not a > 3", Limit::AtMost(3.0)),
            ("abs(a - b) <= 1e-6", Limit::Tolerance(1e-6)),
        ] {
            assert_eq!(PLAIN.holds(text).limit, Some(limit), "{text}");
        }
    }
}
