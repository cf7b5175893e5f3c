//! Tests that replace the very thing they check, and so check the stand-in.

use super::ID;
use crate::assertions::{Place, View, same_claim};
use crate::collections::{HashMap, HashSet};
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::evidence;
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Assertion, ClaimKind, DefinitionKind, Double, Span};
use crate::finding::{Finding, Severity, Side};

/// What stands in the place of something that a test checks.
struct StandIn {
    /// What is checked: `total`, `cart.total`.
    name: String,
    line: u32,
    /// Where the check stands on each side.
    checks: [u32; 2],
}

/// Looks at one test after the other; most files replace nothing.
pub struct Replacing<'c> {
    comparison: &'c Comparison,
    /// Whether the after side of a file has stand-ins for all its tests, or functions that are new to it.
    files: HashMap<(usize, usize), bool>,
}

impl<'c> Replacing<'c> {
    pub fn new(comparison: &'c Comparison) -> Self {
        Self { comparison, files: HashMap::new() }
    }

    pub fn finding(&mut self, before: At, after: At) -> Option<Finding> {
        let (side, test) = self.comparison.after(after);
        let before_side = self.comparison.before(before).0;
        let replaces = !test.doubles.is_empty()
            || *self.files.entry((before.file, after.file)).or_insert_with(|| may_replace(before_side, side));
        (replaces && !test.is_skipped()).then(|| finding(self.comparison, before, after)).flatten()
    }
}

fn may_replace(before: &FileSide, after: &FileSide) -> bool {
    let names = |side: &FileSide| -> HashSet<String> {
        let given = side.facts.definitions.iter().filter(|it| it.kind != DefinitionKind::Type);
        given.map(|definition| definition.name.clone()).collect()
    };
    !after.facts.doubles.is_empty() || !names(after).is_subset(&names(before))
}

fn finding(comparison: &Comparison, before: At, after: At) -> Option<Finding> {
    let old = View::before(comparison, Place::Test(before))?;
    let new = View::after(comparison, Place::Test(after))?;
    let stand_in = stand_in(comparison, &old, &new)?;
    let StandIn { name, line, checks } = stand_in;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!("the test {} replaces `{name}`, which it checks, by a stand-in", new.name),
        help: format!("take the stand-in at line {line} out, so that the real `{name}` is checked"),
    };
    let mut finding = draft.on(Side::After, new.file, line, new.symbol());
    let at = |line: u32| Span { start: line, end: line };
    finding.before = excerpt(old.file, at(checks[0]), checks[0], "this checked the real code");
    finding.after = excerpt(new.file, at(line), line, "this is what is checked now");
    if let Some(reason) = old.test.and_then(evidence::checked_nothing) {
        finding.lower(Severity::Low, reason);
    } else if comparison.production.changed {
        finding.lower(Severity::Medium, "production code changes with it, so what is checked may have moved");
    } else {
        finding.evidence.push("no production code changes with it".to_owned());
    }
    Some(finding)
}

/// Something whose result a test asks for as it did before, and that is not the real thing any more.
fn stand_in(comparison: &Comparison, old: &View<'_>, new: &View<'_>) -> Option<StandIn> {
    let (before, after) = (old.resolved(&old.spelled()), new.resolved(&new.spelled()));
    let asked = after.iter().filter(|one| one.reach.counts() && one.claim.kind != ClaimKind::Called);
    asked.into_iter().take(LOOKED_AT).find_map(|check| {
        let name = callee(&check.claim.subject)?;
        let mut known = before.iter().filter(|one| one.reach.counts()).take(LOOKED_AT);
        let Some(was) = known.clone().find(|one| same_claim(one, check)) else {
            let (target, line) = called_itself(old, new, name)?;
            let asks_the_same = |one: &&Assertion| {
                one.claim.expected == check.claim.expected
                    && callee(&one.claim.subject).is_some_and(|was| last_name(was) == target)
            };
            let was = known.find(asks_the_same)?.line;
            return Some(StandIn { name: target.to_owned(), line, checks: [was, check.line] });
        };
        let line = replaced(old, new, name)
            .or_else(|| redefined(comparison, old.file, new.file, name))
            .or_else(|| renamed(old, new, name))?;
        Some(StandIn { name: name.to_owned(), line, checks: [was.line, check.line] })
    })
}

/// Nobody writes more checks, or more stand-ins, into one test.
const LOOKED_AT: usize = 400;

fn last_name(path: &str) -> &str {
    path.rsplit(['.', ':', '/']).next().unwrap_or(path)
}

/// What a stand-in is for whose name is called in place of the real thing, and its line:
/// `with patch("shop.cart.total") as fake: assert fake(10) == 12`.
fn called_itself<'v>(old: &View<'_>, new: &View<'v>, name: &str) -> Option<(&'v str, u32)> {
    let fresh = |double: &&Double| {
        let known = old.test.into_iter().flat_map(|test| &test.doubles);
        !double.passes_through && !known.into_iter().any(|other| other.target == double.target)
    };
    let names = |double: &&Double| {
        let at = Span { start: double.line, end: double.line };
        new.file.lines(at).any(|line| {
            let parts: Vec<&str> = line.split([' ', ':', ',']).filter(|part| !part.is_empty()).collect();
            parts.windows(2).any(|pair| pair == ["as", name] || pair == [name, "="])
        })
    };
    let double = new.test?.doubles.iter().take(LOOKED_AT).filter(fresh).find(names)?;
    Some((last_name(&double.target), double.line)).filter(|(target, _)| !target.is_empty())
}

/// The line where a test came to give a name that its file imports to something of its own:
/// `total = Mock(return_value=12)`.
fn renamed(old: &View<'_>, new: &View<'_>, name: &str) -> Option<u32> {
    let imported = new.file.facts.signals.imports.iter().any(|import| import.name == name);
    let given = |view: &View<'_>| {
        let span = view.test.filter(|_| imported)?.span;
        let is_given = |line: &str| {
            let Some((target, value)) = line.split_once('=') else { return false };
            let target = target.trim().rsplit(' ').next().unwrap_or_default();
            let mut words = value.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            target == name && !value.starts_with('=') && !words.any(|word| word == name)
        };
        (span.start..).zip(view.file.lines(span)).find(|(_, line)| is_given(line)).map(|(line, _)| line)
    };
    given(new).filter(|_| given(old).is_none())
}

/// The line of a stand-in for `name` that the before side did not have.
fn replaced(old: &View<'_>, new: &View<'_>, name: &str) -> Option<u32> {
    let fakes = |view: &View<'_>, of_name: &dyn Fn(&Double) -> bool| {
        let own = view.test.into_iter().flat_map(|test| &test.doubles);
        let all = own.chain(&view.file.facts.doubles);
        all.filter(|double| !double.passes_through).find(|double| of_name(double)).map(|double| double.line)
    };
    let matches = |file: &FileSide, double: &Double| is_for(double, name) || is_module_of(file, double, name);
    // However it was written: `when(mock(Cart.class).total())` is a stand-in for `cart.total`, too.
    let known = fakes(old, &|double| matches(old.file, double) || names_method(double, name));
    fakes(new, &|double| matches(new.file, double)).filter(|_| known.is_none())
}

/// Whether a stand-in names what is called: `cart.total` for `total(...)`, `cart.total(10)` for `cart.total(10)`.
fn is_for(double: &Double, name: &str) -> bool {
    let target = double.target.split('(').next().unwrap_or_default();
    let mut target = target.rsplit(['.', ':', '/']).filter(|part| !part.is_empty());
    let mut name = name.rsplit(['.', ':']).filter(|part| !part.is_empty());
    let (Some(replaced), Some(called)) = (target.next(), name.next()) else { return false };
    match (target.next(), name.next()) {
        // A plain name is the module's own; a method must be that of the same thing.
        (Some(_), None) => replaced == called,
        (Some(owner), Some(receiver)) => replaced == called && owner.eq_ignore_ascii_case(receiver),
        (None, _) => false,
    }
}

/// Whether a stand-in speaks of a method by its last name, whosoever it is.
fn names_method(double: &Double, name: &str) -> bool {
    let method = name.rsplit(['.', ':']).next().unwrap_or(name);
    let mut words = double.target.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    words.any(|word| word == method)
}

/// Whether the whole module is replaced from which a name is taken.
fn is_module_of(file: &FileSide, double: &Double, name: &str) -> bool {
    let root = name.split('.').next().unwrap_or(name);
    let taken = |module: &str| module.trim_matches(['"', '\'']) == double.target;
    double.target.contains('/')
        && file.facts.signals.imports.iter().any(|import| import.name == root && taken(&import.module))
}

/// The line where the test's own file came to define a function that it took from elsewhere.
fn redefined(comparison: &Comparison, before: &FileSide, after: &FileSide, name: &str) -> Option<u32> {
    if !before.facts.signals.imports.iter().any(|import| import.name == name) {
        return None;
    }
    let defines = |file: &FileSide| {
        let given = file.facts.definitions.iter().filter(|it| it.kind != DefinitionKind::Type);
        given.filter(|function| function.name == name && !function.in_suite).map(|it| it.span.start).next()
    };
    let line = defines(after)?;
    // A test may also move to where the code is, and the code to where the test is.
    let moved = comparison.production.removed_definitions.contains(name);
    let known =
        comparison.files.iter().filter_map(|file| file.before.as_ref()).any(|side| defines(side).is_some());
    (!moved && !known).then_some(line)
}

/// What an expression calls first: `cart.total` of `cart.total(10).value`.
fn callee(subject: &str) -> Option<&str> {
    let (name, _) = subject.trim_start_matches("await ").split_once('(')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_told_by_the_end_of_their_names() {
        let double = |target: &str| Double { line: 1, target: target.to_owned(), passes_through: false };
        for (target, name) in [
            ("shop.cart.total", "total"),
            ("cart.total(10)", "cart.total"),
            ("./cart.total", "total"),
            ("Cart.total", "cart.total"),
        ] {
            assert!(is_for(&double(target), name), "{target} {name}");
        }
        for (target, name) in [("app.mail.send", "client.send"), ("total", "total"), ("cart.sum", "total")] {
            assert!(!is_for(&double(target), name), "{target} {name}");
        }
    }

    #[test]
    fn the_first_call_is_what_is_checked() {
        assert_eq!(callee("await cart.total(10).value"), Some("cart.total"));
        assert_eq!(callee("(a + b)(c)"), None);
        assert_eq!(callee("total"), None);
    }
}
