//! Spellings of JavaScript and TypeScript that the grammars do not know, or only in some places.

use crate::languages::respelled::Respelled;

/// An import's attributes as they were written before `with`; attributes of tags that are words of the language.
pub fn respell(text: &[u8]) -> Option<Vec<u8>> {
    let mut respelled = Respelled::new(text);
    for at in respelled.words("assert") {
        let rest = text[at + "assert".len()..].trim_ascii_start();
        let behind_a_module = matches!(text[..at].trim_ascii_end().last(), Some(b'\'' | b'"'));
        if behind_a_module && rest.first() == Some(&b'{') {
            respelled.put(at, b"with  ");
        }
    }
    name_attributes(&mut respelled);
    respelled.finish()
}

/// `<div class="a">`: nowhere else does `class` stand before `=`.
fn name_attributes(respelled: &mut Respelled<'_>) {
    let text = respelled.text();
    for at in respelled.words("class=") {
        let value = text.get(at + "class=".len());
        if matches!(value, Some(b'"' | b'\'' | b'{'))
            && text[..at].last().is_some_and(u8::is_ascii_whitespace)
        {
            respelled.put(at, b"klass");
        }
    }
}

pub fn respell_typescript(text: &[u8]) -> Option<Vec<u8>> {
    let mut respelled = Respelled::new(text);
    for type_of in respelled.words("typeof import(") {
        name_module(&mut respelled, type_of);
    }
    for cast in respelled.words("as import(") {
        name_module(&mut respelled, cast + "as ".len());
    }
    for each in respelled.words("each<") {
        let rows = text[each..].iter().take(MAX_TYPE).position(|byte| *byte == b'`').map(|at| each + at);
        if let Some(rows) = rows.filter(|&rows| text[..rows].trim_ascii_end().ends_with(b">")) {
            respelled.blank(each + "each".len(), rows);
        }
    }
    for all in respelled.words("type *") {
        if text[..all].trim_ascii_end().ends_with(b"export") {
            respelled.blank(all, all + "type".len());
        }
    }
    name_attributes(&mut respelled);
    respelled.finish()
}

/// What a type takes at the most.
const MAX_TYPE: usize = 2000;

/// Puts a name in the place of a type that is spelled as the module it comes from.
fn name_module(respelled: &mut Respelled<'_>, at: usize) {
    let text = respelled.text();
    if let Some(length) = text[at..].iter().take(MAX_TYPE).position(|byte| *byte == b')') {
        respelled.blank(at, at + length + 1);
        respelled.put(at, b"T");
    }
}
