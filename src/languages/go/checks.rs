//! Which calls are checks.

use tree_sitter::Node;

use super::super::Source;
use super::claims::failing;
use super::index::Index;
use super::kinds::{Kind, kind_of};
use super::names::{
    C_CHECKS, FAILURES, GOMEGA_ENDS, GOMEGA_STARTS, is_assert_helper, is_check_helper, is_no_check,
    is_testify_check,
};
use super::scope::Scope;
use super::syntax::{Call, statement_call, statements};
use crate::text::contains;

/// Links of a gomega chain between its start and its end: `Eventually(f).WithTimeout(s).Should(...)`.
const MAX_CHAIN: u32 = 8;

pub(super) fn is_check(call: &Call<'_, '_>, scope: &Scope, index: &Index, source: Source<'_>) -> bool {
    let Some(receiver) = call.receiver else {
        return is_bare_check(call, scope, index, source);
    };
    if scope.is_on_handle(call, source) {
        return FAILURES.contains(&call.name) || C_CHECKS.contains(&call.name);
    }
    if scope.is_on_checker(call, source) || is_check_field(receiver, source) {
        return !is_no_check(call.name);
    }
    if scope.is_on_suite(call, source) && is_testify_check(call.name) {
        return true;
    }
    if GOMEGA_ENDS.contains(&call.name) && starts_gomega(receiver, source) {
        return true;
    }
    let package = call.receiver_name(source);
    if package.is_some_and(|package| index.is_check_package(package)) {
        return !is_no_check(call.name);
    }
    if index.is_ginkgo(package) && call.name == "Fail" {
        return true;
    }
    let helper = is_check_helper(call.name) || call.name.starts_with("Cmp");
    helper && scope.takes_test(call, source) || is_spoken_check(call)
}

/// `assertSame(t, ...)`, GoConvey's `So(...)`, ginkgo's `Fail(...)`.
fn is_bare_check(call: &Call<'_, '_>, scope: &Scope, index: &Index, source: Source<'_>) -> bool {
    match call.name {
        "So" => call.arguments().count() >= 2,
        "Fail" => index.is_ginkgo(None),
        name => {
            let helper = is_check_helper(name) || index.is_checker(name);
            helper && scope.takes_test(call, source) || is_spoken_check(call)
        }
    }
}

/// Blocks nested deeper are not looked through for what a helper compares.
const MAX_DEPTH: u32 = 6;

/// Whether a function that is given the test, and gives nothing back, fails it where something is not as expected. One that
/// only fails on an error on the way prepares something.
pub(super) fn compares(function: Node<'_>, body: Node<'_>, source: Source<'_>) -> bool {
    let text = source.text.get(body.byte_range()).unwrap_or_default();
    if function.child_by_field_name("result").is_some()
        || ![&b".Error"[..], b".Fatal", b".Fail"].iter().any(|call| contains(text, call))
    {
        return false;
    }
    let mut scope = Scope::default();
    scope.learn_parameters(function, source);
    !scope.is_empty() && has_comparison(body, &scope, source, MAX_DEPTH)
}

fn has_comparison(block: Node<'_>, scope: &Scope, source: Source<'_>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let inside = |node: Node<'_>| has_comparison(node, scope, source, depth);
    statements(block).any(|statement| match kind_of(statement) {
        Kind::If => {
            let field = |name| statement.child_by_field_name(name);
            let tells =
                field("condition").is_some_and(|condition| failing(source.text_of(condition)).is_major());
            let fails = |arm: Node<'_>| {
                statements(arm)
                    .filter_map(|one| statement_call(one, source))
                    .any(|call| scope.is_on_handle(&call, source) && FAILURES.contains(&call.name))
            };
            field("consequence").is_some_and(|arm| tells && fails(arm) || inside(arm))
                || field("alternative").is_some_and(inside)
        }
        Kind::Loop => statement.child_by_field_name("body").is_some_and(inside),
        Kind::Block => inside(statement),
        _ => false,
    })
}

/// A name that says "assert" needs no test among its arguments: `site.AssertFileContent(...)`.
fn is_spoken_check(call: &Call<'_, '_>) -> bool {
    is_assert_helper(call.name) && call.arguments().next().is_some()
}

/// `s.Require().Equal(...)`, `s.assert.Equal(...)`.
fn is_check_field(receiver: Node<'_>, source: Source<'_>) -> bool {
    match kind_of(receiver) {
        Kind::Call => Call::read(receiver, source).is_some_and(|call| {
            let named = matches!(call.name, "Require" | "Assert");
            let made = call.name == "New" && call.receiver_name(source).is_some_and(is_testify_package);
            made || named && call.receiver.is_some() && call.arguments().next().is_none()
        }),
        Kind::Selector => {
            let field = receiver.child_by_field_name("field").map(|field| source.text_of(field));
            matches!(field, Some("assert" | "require" | "Assert" | "Require" | "is"))
        }
        _ => false,
    }
}

fn is_testify_package(name: &str) -> bool {
    matches!(name, "assert" | "require")
}

/// Whether a chain of calls goes back to `Expect(...)` or a sister of it.
fn starts_gomega(node: Node<'_>, source: Source<'_>) -> bool {
    let mut node = node;
    for _ in 0..MAX_CHAIN {
        let Some(call) = Call::read(node, source) else { return false };
        if GOMEGA_STARTS.contains(&call.name) {
            return true;
        }
        match call.receiver {
            Some(receiver) => node = receiver,
            None => return false,
        }
    }
    false
}
