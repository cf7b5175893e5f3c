//! Macros that are called like a type of the language: `str![]`, which test suites of command lines are full of.

use crate::languages::respelled::{Respelled, is_word};

/// The grammar takes these words for types and for nothing else.
const TYPES: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16", "u32",
    "u64", "u128", "usize",
];

pub fn respell(text: &[u8]) -> Option<Vec<u8>> {
    let mut respelled = Respelled::new(text);
    for mark in memchr::memchr_iter(b'!', text) {
        let next = text[mark + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        let length = text[..mark].iter().rev().take(MAX_NAME).take_while(|byte| is_word(**byte)).count();
        let name = &text[mark - length..mark];
        if matches!(next, Some(b'(' | b'[' | b'{')) && TYPES.iter().any(|known| known.as_bytes() == name) {
            respelled.put(mark - 1, b"_");
        }
    }
    respelled.finish()
}

/// Longer words than this are no types.
const MAX_NAME: usize = 8;
