//! Conditions as formulas: what they are put together of, and whether one holds wherever another one does.
//!
//! Knows what versions and lists of values have to do with each other, and nothing of what a condition is about. What it
//! cannot read is a fact of its own that holds or does not.

use std::collections::BTreeSet;

use crate::languages::expression::{Operator, bare, comparison, enclosed, is_literal, negation, split};

/// Parts of which one is enough, each as the facts that have to hold together.
pub type Formula = Vec<Vec<Fact>>;

/// Nobody writes longer conditions by hand.
const MOST_PARTS: usize = 48;

/// Deeper conditions are read as a whole.
const MAX_DEPTH: usize = 10;

/// Systems of one family.
const UNIX: &[&str] =
    &["linux", "macos", "darwin", "freebsd", "netbsd", "openbsd", "android", "ios", "illumos", "solaris"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    subject: String,
    says: Says,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Says {
    Holds(bool),
    /// It is one of these, or none of them.
    OneOf(BTreeSet<String>, bool),
    /// Lower than a version, or that one as well.
    Below(Vec<u32>, bool),
    Above(Vec<u32>, bool),
}

/// Gives names their meaning: a constant, a function without arguments.
pub type Lookup<'l> = &'l dyn Fn(&str) -> Option<Formula>;

/// A fact that nothing more is known of.
pub fn opaque(text: &str) -> Formula {
    vec![vec![Fact::flag(text, true)]]
}

/// What has to be so for a condition to hold, or not to hold.
pub fn read(text: &str, holds: bool, lookup: Lookup<'_>) -> Option<Formula> {
    read_to(text, holds, lookup, MAX_DEPTH)
}

fn read_to(text: &str, holds: bool, lookup: Lookup<'_>, depth: usize) -> Option<Formula> {
    let text = bare(text);
    let depth = depth.checked_sub(1)?;
    if text.contains(" ? ") || text.contains(" if ") || text.contains(" => ") {
        return Some(vec![vec![Fact::flag(text, holds)]]);
    }
    let inner = |part: &str| read_to(part, holds, lookup, depth);
    let compared = comparison(text);
    match compared {
        Some((left, Operator::And, right)) => return joined([inner(left)?, inner(right)?], holds),
        Some((left, Operator::Or, right)) => return joined([inner(left)?, inner(right)?], !holds),
        _ => {}
    }
    if let Some(inside) = negation(text).filter(|_| compared.is_none() || text.starts_with("not ")) {
        return read_to(inside, !holds, lookup, depth);
    }
    if let Some((name, parts)) = predicate(text) {
        let parts: Option<Vec<Formula>> =
            parts.iter().map(|part| read_to(part, holds != (name == "not"), lookup, depth)).collect();
        return joined(parts?, holds == (name == "all"));
    }
    match compared {
        Some((left, operator, right)) => ordered(left, operator, right, holds),
        None => single(text, holds, lookup),
    }
}

/// `all(a, b)`, `any(a, b)` and `not(a)` of attributes.
fn predicate(text: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = text.split_at(text.find('(')?);
    let parts = split(enclosed(rest)?);
    (matches!(name, "all" | "any") || name == "not" && parts.len() == 1).then_some((name, parts))
}

fn joined(parts: impl IntoIterator<Item = Formula>, together: bool) -> Option<Formula> {
    let mut parts = parts.into_iter();
    let first = parts.next()?;
    parts
        .try_fold(first, |whole, part| if together { both(&whole, &part) } else { Some(either(whole, part)) })
}

pub fn either(mut one: Formula, other: Formula) -> Formula {
    one.extend(other);
    one
}

pub fn both(one: &Formula, other: &Formula) -> Option<Formula> {
    if one.len().saturating_mul(other.len()) > MOST_PARTS {
        return None;
    }
    let with =
        |a: &Vec<Fact>| other.iter().map(move |b| a.iter().chain(b).cloned().collect()).collect::<Formula>();
    Some(one.iter().flat_map(with).collect())
}

fn single(text: &str, holds: bool, lookup: Lookup<'_>) -> Option<Formula> {
    if matches!(text, "true" | "True" | "false" | "False") {
        let is_true = text.eq_ignore_ascii_case("true");
        return Some(if is_true == holds { vec![Vec::new()] } else { Vec::new() });
    }
    if let Some((list, rest)) = text.split_once(".includes(").filter(|(list, _)| list.starts_with('[')) {
        let subject = rest.strip_suffix(')')?;
        return Some(vec![vec![Fact::one_of(subject, values(list)?, holds)]]);
    }
    if holds && let Some(known) = lookup(text) {
        return Some(known);
    }
    Some(vec![vec![Fact::flag(text, holds)]])
}

fn ordered(left: &str, operator: Operator, right: &str, holds: bool) -> Option<Formula> {
    // `(3, 8) <= version < (3, 10)` says two things.
    if let Some((middle, next, end)) = comparison(right).filter(|_| is_order(operator)) {
        let parts = [ordered(left, operator, middle, holds)?, ordered(middle, next, end, holds)?];
        return joined(parts, holds);
    }
    let fact = Fact::compared(left, operator, right);
    let whole = || Fact::flag(&format!("{left}{operator:?}{right}"), true);
    let fact = fact.unwrap_or_else(whole);
    Some(vec![vec![if holds { fact } else { fact.negated() }]])
}

fn is_order(operator: Operator) -> bool {
    turned(operator).is_some_and(|other| other != operator)
}

/// The same seen from the other side.
fn turned(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        Operator::Equal | Operator::NotEqual => operator,
        _ => return None,
    })
}

impl Fact {
    fn flag(text: &str, holds: bool) -> Self {
        Self { subject: plain(text), says: Says::Holds(holds) }
    }

    fn one_of(subject: &str, values: BTreeSet<String>, is_one: bool) -> Self {
        Self { subject: plain(subject), says: Says::OneOf(values, is_one) }
    }

    fn compared(left: &str, operator: Operator, right: &str) -> Option<Self> {
        if is_value(left) && !is_value(right) {
            return Self::compared(right, turned(operator)?, left);
        }
        let says = match operator {
            Operator::Less => Says::Below(version(right)?, false),
            Operator::LessOrEqual => Says::Below(version(right)?, true),
            Operator::Greater => Says::Above(version(right)?, false),
            Operator::GreaterOrEqual => Says::Above(version(right)?, true),
            Operator::In => Says::OneOf(values(right)?, true),
            Operator::NotIn => Says::OneOf(values(right)?, false),
            Operator::Equal | Operator::NotEqual if is_value(right) => {
                Says::OneOf(BTreeSet::from([plain(right)]), operator == Operator::Equal)
            }
            _ => return None,
        };
        Some(Self { subject: plain(left), says })
    }

    fn negated(self) -> Self {
        let says = match self.says {
            Says::Holds(holds) => Says::Holds(!holds),
            Says::OneOf(values, is_one) => Says::OneOf(values, !is_one),
            Says::Below(bound, or_equal) => Says::Above(bound, !or_equal),
            Says::Above(bound, or_equal) => Says::Below(bound, !or_equal),
        };
        Self { says, ..self }
    }

    /// Whether the other one holds wherever this one does.
    fn implies(&self, other: &Self) -> bool {
        let as_family = |one: &Self, other: &Self| {
            other.subject == "unix" && other.says == Says::Holds(true) && one.is_unix()
        };
        self.subject == other.subject && implies(&self.says, &other.says)
            || as_family(self, other)
            || as_family(&other.clone().negated(), &self.clone().negated())
    }

    /// Whether it names systems of the family, as an attribute or as a tag of a build.
    fn is_unix(&self) -> bool {
        let is_one = |name: &str| UNIX.contains(&name.trim_matches('\''));
        match &self.says {
            Says::OneOf(values, true) => {
                self.subject == "target_os" && values.iter().all(|value| is_one(value))
            }
            Says::Holds(true) => is_one(&self.subject),
            _ => false,
        }
    }
}

fn implies(one: &Says, other: &Says) -> bool {
    match (one, other) {
        (Says::Holds(one), Says::Holds(other)) => one == other,
        (Says::OneOf(few, true), Says::OneOf(many, true)) => few.is_subset(many),
        (Says::OneOf(some, true), Says::OneOf(others, false)) => some.is_disjoint(others),
        (Says::OneOf(many, false), Says::OneOf(few, false)) => few.is_subset(many),
        (Says::OneOf(some, true), Says::Below(..) | Says::Above(..)) => {
            some.iter().all(|value| version(value).is_some_and(|value| admits(other, &value)))
        }
        (Says::Below(low, with_low), Says::Below(high, with_high))
        | (Says::Above(high, with_low), Says::Above(low, with_high)) => {
            low < high || low == high && (*with_high || !*with_low)
        }
        _ => false,
    }
}

fn admits(bound: &Says, value: &Vec<u32>) -> bool {
    match bound {
        Says::Below(bound, or_equal) => value < bound || *or_equal && value == bound,
        Says::Above(bound, or_equal) => value > bound || *or_equal && value == bound,
        _ => false,
    }
}

/// Whether a formula holds wherever another one does, as far as can be shown.
pub fn follows(from: &Formula, what: &Formula) -> bool {
    let covers =
        |facts: &[Fact], part: &[Fact]| part.iter().all(|fact| facts.iter().any(|one| one.implies(fact)));
    from.iter().all(|facts| what.iter().any(|part| covers(facts, part)))
}

/// The same without what asks for a version at least where another one does not ask for any: what is older may not be
/// supported any more.
pub fn without_floors(formula: &Formula, other: &Formula) -> Formula {
    let asks = |subject: &str| other.iter().flatten().any(|fact| fact.subject == subject);
    let stays = |fact: &&Fact| !matches!(fact.says, Says::Above(..)) || asks(&fact.subject);
    let lower = |part: &Vec<Fact>| {
        let left: Vec<Fact> = part.iter().filter(stays).cloned().collect();
        if left.is_empty() { part.clone() } else { left }
    };
    formula.iter().map(lower).collect()
}

/// As compared: without white space, one kind of quotes, the part of a version that is looked at left out.
fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.replace('"', "'").replace("[:2]", "").replace("[0:2]", "")
}

fn is_value(text: &str) -> bool {
    is_literal(text) || version(text).is_some()
}

fn values(list: &str) -> Option<BTreeSet<String>> {
    let items = split(enclosed(list.trim())?);
    items.iter().all(|item| is_literal(item)).then(|| items.iter().map(|item| plain(item)).collect())
}

/// The numbers of a version: `(3, 10)`, `18`, `"1.26"`, `Version("2.0")`, `JRE.JAVA_17`.
fn version(text: &str) -> Option<Vec<u32>> {
    let text = text.trim();
    if let Some((_, number)) = text.rsplit_once("JAVA_") {
        return Some(vec![number.parse().ok()?]);
    }
    let inside = match text.find('(') {
        Some(open) if text[..open].to_lowercase().contains("version") || open == 0 => {
            enclosed(&text[open..])?
        }
        Some(_) => return None,
        None => text,
    };
    let parts = inside.split([',', '.']).map(|part| part.trim().trim_matches(['"', '\'', 'v']));
    parts
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok())
        .collect::<Option<Vec<u32>>>()
        .filter(|all| !all.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(text: &str) -> Formula {
        read(text, true, &|_| None).expect(text)
    }

    #[test]
    fn one_condition_holds_wherever_another_one_does() {
        for (less, more) in [
            ("a && b", "a"),
            ("a and not b", "not b"),
            ("(a || b) && c", "c && a || b && c || d"),
            ("v < (3, 8)", "v < (3, 10)"),
            ("v >= (3, 12)", "v >= (3, 11)"),
            ("v[:2] == (3, 11)", "v >= (3, 11)"),
            ("(3, 10) <= v < (3, 11)", "(3, 10) <= v"),
            ("os == 'win'", "os != 'linux'"),
            ("os == \"win\"", "os in ('win', 'mac')"),
            ("['win'].includes(os)", "['win', 'mac'].includes(os)"),
            ("all(windows, old)", "any(windows, unix)"),
            ("not(any(a, b))", "not(a)"),
            ("Version(v) < Version('1.9')", "Version(v) < Version('1.10')"),
        ] {
            assert!(follows(&reads(less), &reads(more)), "{less} -> {more}");
            assert!(!follows(&reads(more), &reads(less)), "{more} -> {less}");
        }
    }

    #[test]
    fn what_is_said_in_other_words_is_the_same() {
        for (one, other) in [("a && b", "(b) && a"), ("!(a || b)", "!b && !a"), ("not v < 3", "v >= 3")] {
            assert!(follows(&reads(one), &reads(other)), "{one} -> {other}");
            assert!(follows(&reads(other), &reads(one)), "{other} -> {one}");
        }
        assert!(!follows(&reads("a"), &reads("b")));
    }
}
