//! Annotations on the dots of a parameter that takes many: `Object @Nullable ... values`.

use crate::languages::respelled::{Respelled, is_word};
use crate::text::occurrences;

pub fn respell(text: &[u8]) -> Option<Vec<u8>> {
    let mut respelled = Respelled::new(text);
    for dots in occurrences(text, b"...") {
        let head = text[..dots].trim_ascii_end();
        let length = head.iter().rev().take(MAX_NAME).take_while(|byte| is_word(**byte)).count();
        let name = head.len() - length;
        if length > 0 && name > 0 && text[name - 1] == b'@' {
            respelled.blank(name - 1, head.len());
        }
    }
    respelled.finish()
}

const MAX_NAME: usize = 100;
