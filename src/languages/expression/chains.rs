//! Chains of calls and members, and the arguments of a call.

use super::pieces::Level0;

/// One link of a chain: `expect(a)`, `.not`, `.toBe(b)`, `assert_eq!(a, b)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    pub name: &'a str,
    /// What is between the brackets, where it is called.
    pub arguments: Option<Vec<&'a str>>,
}

impl<'a> Link<'a> {
    pub fn argument(&self, index: usize) -> Option<&'a str> {
        self.arguments.as_ref().and_then(|arguments| arguments.get(index).copied())
    }
}

/// The parts between commas that are in no bracket or string.
pub fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, byte) in Level0::of(text) {
        if byte == b',' {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

/// The links of a chain of calls and members, the first one first. Awaiting, `new` and a closing `;` or `?` do not
/// count. A head that is no name (`(a + b).should`) is a link of its own.
pub fn chain(text: &str) -> Vec<Link<'_>> {
    links(text).0
}

/// The same, where the expression is nothing but a chain.
pub fn whole_chain(text: &str) -> Option<Vec<Link<'_>>> {
    let (links, rest) = links(text);
    (rest.is_empty() && !links.is_empty()).then_some(links)
}

/// What stands in `text` before one of its links, without the dot between.
pub fn before<'a>(text: &'a str, link: &Link<'_>) -> &'a str {
    let at = (link.name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let head = text.get(..at).unwrap_or(text).trim_end();
    let head = head.strip_suffix("::").or_else(|| head.strip_suffix('.')).unwrap_or(head);
    head.trim()
}

/// The links of a chain, and what follows them.
fn links(text: &str) -> (Vec<Link<'_>>, &str) {
    let mut rest = text.trim().trim_end_matches([';', '?']);
    while let Some(inner) =
        ["await ", "new ", "return ", "yield "].iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = inner.trim_start();
    }
    let mut links: Vec<Link<'_>> = Vec::new();
    while !rest.is_empty() {
        let joins = |c: char| c.is_whitespace() || matches!(c, '.' | '?' | '!' | ':' | '&');
        let after = rest.trim_start_matches(joins);
        let is_path = rest[..rest.len() - after.len()].contains("::");
        rest = after;
        // Java's `Assertions.<Object>assertThat(x)`.
        if !is_path && !links.is_empty() && rest.starts_with('<') {
            rest = closed_generics(rest).unwrap_or(rest).trim_start();
        }
        let name_end =
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '@' || c == '#'));
        let name = &rest[..name_end.unwrap_or(rest.len())];
        rest = rest[name.len()..].trim_start();
        if name.is_empty() && is_path && rest.starts_with('<') && after_generics(rest) != rest {
            // Rust's `collect::<Vec<_>>()`: the brackets belong to the name before.
            let (inside, tail) = bracketed(after_generics(rest));
            if let Some(link) = links.last_mut() {
                link.arguments = Some(split(inside));
            }
            rest = tail.trim_start();
            continue;
        }
        rest = rest.strip_prefix('!').filter(|rest| rest.starts_with(['(', '[', '{'])).unwrap_or(rest);
        if rest.starts_with('<') && !name.is_empty() {
            rest = after_generics(rest);
        }
        let arguments = rest.starts_with(['(', '[', '{']).then(|| bracketed(rest));
        match arguments {
            Some((inside, tail)) => {
                links.push(Link { name, arguments: Some(split(inside)) });
                rest = tail;
            }
            None if name.is_empty() => return (links, rest),
            None => links.push(Link { name, arguments: None }),
        }
        rest = rest.trim_start();
        if !rest.starts_with(['.', '?', '!', ':', '(', '[']) || rest.starts_with("!=") {
            return (links, rest);
        }
    }
    (links, rest)
}

/// The text before a name that was read from it, without the dot between.
pub fn head_of<'a>(text: &'a str, name: &str) -> &'a str {
    let at = (name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text.get(..at).unwrap_or("").trim_end_matches(['.', '?', '!'])
}

/// What follows `<...>`, where that is a list of types before a call; the text itself where it is a comparison.
fn after_generics(text: &str) -> &str {
    closed_generics(text).filter(|rest| rest.starts_with('(')).unwrap_or(text)
}

/// What follows `<...>`.
fn closed_generics(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b'(' | b')' | b'"' | b'\'' | b';' | b'&' | b'|' => return None,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..);
        }
    }
    None
}

/// What is inside the bracket that opens the text, and what follows it.
pub(super) fn bracketed(text: &str) -> (&str, &str) {
    let mut inside = Level0::of(text);
    inside.next();
    // Back at depth 0, the next place outside is the one after the closing bracket.
    let end = inside.next().map_or(text.len(), |(at, _)| at);
    let closed = text[..end].trim_end();
    let inner = closed.get(1..).unwrap_or("");
    let inner = inner.strip_suffix([')', ']', '}']).unwrap_or(inner);
    (inner, &text[end..])
}
