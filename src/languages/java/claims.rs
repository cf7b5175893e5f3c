//! What assertions of Java claim, from their text.

mod chains;
mod fluent;
mod hamcrest;
mod junit;
mod mocks;
mod predicates;
#[cfg(test)]
mod tests;

use super::super::expression::{Link, chain, split, tidy, without_comments};
use super::super::predicate::raises;
use crate::facts::Claim;

pub fn claim(text: &str) -> Claim {
    let text = without_comments(text);
    let text = text.trim();
    if let Some(condition) = text.strip_prefix("assert ").or_else(|| text.strip_prefix("assert(")) {
        let condition = if text.starts_with("assert ") { condition } else { &text[6..] };
        return predicates::statement(condition);
    }
    if let Some(types) = text.strip_prefix("expected") {
        return annotated(types);
    }
    let links = chain(text);
    let known = mocks::claim(text, &links)
        .or_else(|| junit::claim(&links))
        .or_else(|| hamcrest::claim(&links))
        .or_else(|| fluent::claim(&links))
        .or_else(|| chains::claim(text, &links));
    known.unwrap_or_else(|| Claim::helper(tidy(text)))
}

/// `expected = IOException.class` of `@Test`, `expectedExceptions = {A.class, B.class}` of TestNG.
fn annotated(text: &str) -> Claim {
    let types = text.split_once('=').map_or("", |(_, types)| types.trim());
    raises("", Some(&type_names(types)))
}

/// `A.class` or `{A.class, B.class}` as `A, B`.
pub(super) fn type_names(text: &str) -> String {
    let inner = text.trim().trim_start_matches('{').trim_end_matches('}');
    let names: Vec<&str> = split(inner).into_iter().map(|name| name.trim_end_matches(".class")).collect();
    names.join(", ")
}

/// The code of `() -> code` or `() -> { code; }`; other text as it is.
fn body_of(text: &str) -> &str {
    let Some((head, body)) = text.split_once("->") else { return text };
    if head.contains('"') || head.contains('{') {
        return text;
    }
    let body = body.trim();
    let inner = body.strip_prefix('{').and_then(|body| body.strip_suffix('}')).unwrap_or(body);
    inner.trim().trim_end_matches(';').trim()
}

/// What a link says, as it is written: `hasTotal(3)`.
fn spelled(link: &Link<'_>) -> String {
    format!("{}({})", link.name, link.arguments.as_deref().unwrap_or_default().join(", "))
}
