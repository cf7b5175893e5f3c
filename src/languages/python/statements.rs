//! Statements that end a test early: skips, expected failures, a bare return.

use tree_sitter::Node;

use super::aliases::Aliases;
use super::marks::{Reading, reason};
use super::names;
use super::syntax::{Arguments, Kind, field, is_string_statement, items, kind, last_name};
use crate::facts::SkipKind;
use crate::languages::Source;

/// What a call does to the test it stands in; `name` is the last name of what is called.
pub fn of_call(call: Node<'_>, name: &str, aliases: &Aliases, source: Source<'_>) -> Option<Reading> {
    let kind = match name {
        "skipTest" => SkipKind::Unconditional,
        "skip" | "xfail" | "importorskip" => {
            let path = aliases.path(field(call, "function")?, source)?;
            match path.strip_prefix("py.test.").or_else(|| path.strip_prefix("pytest."))? {
                "skip" => SkipKind::Unconditional,
                "xfail" => SkipKind::ExpectedFailure,
                "importorskip" => SkipKind::Conditional,
                _ => return None,
            }
        }
        _ => return None,
    };
    let place = (name != "importorskip").then_some(0);
    Some(Reading { kind, reason: reason(&Arguments::of(call, source), place, source) })
}

/// A helper such as `skip_if_no_network()`, called inside a test.
pub fn of_helper(name: &str) -> Option<Reading> {
    names::is_skip_helper(name).then_some(Reading { kind: SkipKind::Conditional, reason: None })
}

/// `raise SkipTest(...)` and its relatives.
pub fn of_raise(raise: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<Reading> {
    let raised = items(raise).first().copied()?;
    let class = if kind(raised) == Kind::Call { field(raised, "function")? } else { raised };
    if !matches!(last_name(class, source)?, "SkipTest" | "Exception" | "Skipped") {
        return None;
    }
    let path = aliases.path(class, source)?;
    let kind = match path.as_str() {
        "pytest.xfail.Exception" => SkipKind::ExpectedFailure,
        "pytest.skip.Exception" => SkipKind::Unconditional,
        _ if path.ends_with("SkipTest") || path.ends_with("Skipped") => SkipKind::Unconditional,
        _ => return None,
    };
    Some(Reading { kind, reason: reason(&Arguments::of(raised, source), Some(0), source) })
}

/// The `return` of a `load_tests` that gives no tests whatever it is asked.
pub fn loads_nothing<'t>(body: Node<'t>, source: Source<'_>) -> Option<Node<'t>> {
    const NOTHING: &[&str] =
        &["unittest.TestSuite()", "TestSuite()", "unittest.TestSuite([])", "TestSuite([])"];
    let mut cursor = body.walk();
    let statements: Vec<Node<'t>> = body.named_children(&mut cursor).collect();
    let only_returns = |statement: &Node<'_>| matches!(kind(*statement), Kind::Comment | Kind::Return);
    let rest = statements.iter().filter(|statement| !is_string_statement(**statement));
    if !rest.clone().all(only_returns) {
        return None;
    }
    let returned = |statement: &Node<'_>| statement.named_child(0).map(|value| source.text_of(value));
    statements.iter().copied().find(|statement| {
        kind(*statement) == Kind::Return && returned(statement).is_some_and(|value| NOTHING.contains(&value))
    })
}

/// A `return` before anything is done, with more behind it.
pub fn early_return(body: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = body.walk();
    let mut statements = body.named_children(&mut cursor).filter(|statement| {
        !matches!(kind(*statement), Kind::Comment | Kind::Pass) && !is_string_statement(*statement)
    });
    let first = statements.next().filter(|first| kind(*first) == Kind::Return)?;
    statements.next().map(|_| first)
}
