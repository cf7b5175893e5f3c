//! Chains that ask one thing after the other: MockMvc, REST Assured, reactor's StepVerifier, Awaitility.

use super::super::super::expression::{Link, before};
use super::super::super::predicate::with;
use super::predicates::condition;
use super::spelled;
use crate::facts::{Claim, Strength};

pub fn claim(text: &str, links: &[Link<'_>]) -> Option<Claim> {
    if let Some(until) = links.iter().find(|link| link.name.starts_with("until")) {
        return Some(condition(until.argument(0)?));
    }
    let asks = |link: &Link<'_>| {
        link.name.starts_with("andExpect")
            || link.name.starts_with("expect") && link.arguments.is_some()
            || link.name == "then" && link.arguments.as_ref().is_some_and(Vec::is_empty)
            || link.name.starts_with("verify") && links.len() > 2
    };
    let at = links.iter().position(asks)?;
    let said: Vec<String> = links[at..].iter().filter(|link| link.name != "then").map(spelled).collect();
    (!before(text, &links[at]).is_empty())
        .then(|| with(Strength::Value, before(text, &links[at]), &said.join(".")))
}
