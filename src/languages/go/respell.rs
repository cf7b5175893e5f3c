//! `new` of a value, which the language has had since 1.26: to the grammar it takes nothing but a type.

use crate::languages::respelled::{Respelled, is_word};

pub fn respell(text: &[u8]) -> Option<Vec<u8>> {
    let mut respelled = Respelled::new(text);
    for at in respelled.words("new(") {
        if is_value(&text[at + "new(".len()..]) {
            respelled.put(at, b"ne_");
        }
    }
    respelled.finish()
}

/// Words that a type starts with.
const TYPES: &[&str] = &["func", "struct", "map", "chan", "interface"];

/// Whether what stands between the brackets can only be a value: a literal, a call, a conversion, a sum.
fn is_value(rest: &[u8]) -> bool {
    if rest
        .first()
        .is_some_and(|first| matches!(first, b'0'..=b'9' | b'"' | b'`' | b'\'' | b'-' | b'!' | b'&' | b'^'))
    {
        return true;
    }
    let length = rest.iter().take(MAX_NAME).take_while(|byte| is_word(**byte) || **byte == b'.').count();
    let is_type = TYPES.iter().any(|word| word.as_bytes() == &rest[..length]);
    let next = rest[length..].iter().find(|byte| **byte != b' ');
    length > 0
        && !is_type
        && matches!(next, Some(b'(' | b'{' | b'+' | b'-' | b'*' | b'/' | b'<' | b'>' | b'=' | b'|' | b'&'))
}

/// Longer names are not looked at to their end.
const MAX_NAME: usize = 200;
