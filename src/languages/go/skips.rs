//! Skip statements, helpers that skip, and early returns.

use tree_sitter::Node;

use super::super::{Builder, Source};
use super::index::Index;
use super::kinds::{Kind, kind_of};
use super::names::{SKIPS, is_skip_helper};
use super::scope::Scope;
use super::syntax::{Call, constant, named_children, statements};
use crate::facts::{Skip, SkipKind};
use crate::languages::fields::Fields;

/// What a helper does to the tests that call it.
#[derive(Clone, Debug)]
pub(super) struct Found<'t> {
    pub node: Node<'t>,
    pub kind: SkipKind,
    pub reason: Option<String>,
}

/// The same without the tree, to be kept until the helper is called.
#[derive(Clone, Debug)]
pub(super) struct HelperSkip {
    pub kind: SkipKind,
    pub reason: Option<String>,
}

/// The skip that a call means for the test around it.
pub(super) fn skip_of(
    call: &Call<'_, '_>,
    scope: &Scope,
    index: &Index,
    facts: &Builder<'_>,
) -> Option<Skip> {
    let source = facts.source();
    let (kind, reason) = match direct(call, scope, source) {
        Some(kind) => (kind, call.text_argument(source)),
        None => helped(call, scope, index, source)?,
    };
    Some(facts.mark(call.node, kind, reason))
}

/// `t.Skip()` and its sisters, and gocheck's `c.ExpectFailure()`.
fn direct(call: &Call<'_, '_>, scope: &Scope, source: Source<'_>) -> Option<SkipKind> {
    let kind = if SKIPS.contains(&call.name) {
        SkipKind::Unconditional
    } else if call.name == "ExpectFailure" {
        SkipKind::ExpectedFailure
    } else {
        return None;
    };
    scope.is_on_handle(call, source).then_some(kind)
}

/// A helper that is given the test: one of this file that skips, or one whose name says so.
fn helped(
    call: &Call<'_, '_>,
    scope: &Scope,
    index: &Index,
    source: Source<'_>,
) -> Option<(SkipKind, Option<String>)> {
    let known = index.helper(call.name);
    if known.is_none() && !looks_like_skip(call, source) {
        return None;
    }
    if !scope.is_given_test(call, source) && !scope.is_on_suite(call, source) {
        return None;
    }
    let said = call.text_argument(source);
    match known {
        Some(helper) => {
            let helper = helper.as_ref()?;
            Some((helper.kind, said.or_else(|| helper.reason.clone())))
        }
        None => match call.argument(1).and_then(|condition| constant(condition, source)) {
            Some(true) => Some((SkipKind::Unconditional, said)),
            Some(false) => None,
            None => Some((SkipKind::Conditional, said)),
        },
    }
}

/// `skipIfNoDocker(t)`, `testenv.NeedsTool(t, "git")`, `skip.If(t, ...)`.
fn looks_like_skip(call: &Call<'_, '_>, source: Source<'_>) -> bool {
    is_skip_helper(call.name) || call.receiver_name(source) == Some("skip")
}

/// The strongest skip anywhere in a helper's body.
pub(super) fn search<'t>(body: Node<'t>, scope: &Scope, source: Source<'_>) -> Option<Found<'t>> {
    let mut best: Option<Found<'t>> = None;
    let mut pending = vec![(body, false)];
    while let Some((node, conditional)) = pending.pop() {
        if let Some(found) = skip_at(node, conditional, scope, source) {
            if found.kind == SkipKind::Unconditional {
                return Some(found);
            }
            best.get_or_insert(found);
        }
        let branch = match kind_of(node) {
            Kind::If => {
                let condition = node.field("condition");
                match condition.and_then(|condition| constant(condition, source)) {
                    Some(false) => continue,
                    Some(true) => false,
                    None => true,
                }
            }
            Kind::Loop | Kind::Switch | Kind::FuncLiteral => true,
            Kind::String => continue,
            _ => false,
        };
        let first = pending.len();
        pending.extend(named_children(node).map(|child| (child, conditional || branch)));
        pending[first..].reverse();
    }
    best
}

fn skip_at<'t>(node: Node<'t>, conditional: bool, scope: &Scope, source: Source<'_>) -> Option<Found<'t>> {
    let call = Call::read(node, source)?;
    let kind = match direct(&call, scope, source) {
        Some(kind) if !conditional => kind,
        Some(_) => SkipKind::Conditional,
        None if looks_like_skip(&call, source) && scope.is_given_test(&call, source) => SkipKind::Conditional,
        None => return None,
    };
    Some(Found { node, kind, reason: call.text_argument(source) })
}

/// A `return` that stands before everything else, with something left to cut off.
pub(super) fn early_return(body: Node<'_>, facts: &Builder<'_>) -> Option<Skip> {
    let mut statements = statements(body);
    let first = statements.next().filter(|first| kind_of(*first) == Kind::Return)?;
    statements.next()?;
    Some(facts.mark(first, SkipKind::Unconditional, None))
}
