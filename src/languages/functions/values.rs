//! Values that say nothing, and words that say "not yet".

use crate::languages::expression::{bare, is_string, number, split};

/// Spellings of nothing, of an empty value and of a truth value.
const DEFAULTS: &[&str] = &[
    "",
    "null",
    "None",
    "nil",
    "undefined",
    "void 0",
    "false",
    "False",
    "true",
    "True",
    "[]",
    "{}",
    "()",
    "\"\"",
    "''",
    "``",
    "set()",
    "dict()",
    "list()",
    "tuple()",
    "str()",
    "Ok(())",
    "Ok(None)",
    "Ok(false)",
    "Ok(true)",
    "Some(())",
    "vec![]",
    "Vec::new()",
    "String::new()",
    "Default::default()",
    "Ok(vec![])",
    "Ok(Vec::new())",
    "Ok(String::new())",
    "Ok(Default::default())",
    "Ok(0)",
    "HashMap::new()",
    "Optional.empty()",
    "Collections.emptyList()",
    "Collections.emptyMap()",
    "Collections.emptySet()",
    "List.of()",
    "Map.of()",
    "Set.of()",
    "Stream.empty()",
    "Promise.resolve()",
    "Promise.resolve(null)",
    "Promise.resolve(undefined)",
    "Promise.resolve([])",
    "Promise.resolve({})",
    "({})",
    "new ArrayList<>()",
    "new HashMap<>()",
    "new HashSet<>()",
    "NaN",
];

/// Whether an expression gives back nothing, an empty value or a plain constant.
pub fn is_default(text: &str) -> bool {
    let text = text.trim().trim_end_matches(';');
    DEFAULTS.contains(&text) || is_plain(bare(text)) || is_row_of_plain(text) || is_default_of_type(text)
}

/// `Config::default()`, `Ok(Config::default())`.
fn is_default_of_type(text: &str) -> bool {
    let inside = ["Ok(", "Some("].iter().find_map(|wrap| text.strip_prefix(wrap)?.strip_suffix(')'));
    let path = inside.unwrap_or(text).strip_suffix("::default()");
    path.is_some_and(|path| {
        !path.is_empty()
            && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':')
    })
}

fn is_plain(text: &str) -> bool {
    DEFAULTS.contains(&text) || number(text).is_some() || (is_string(text) && text.len() <= 2)
}

/// `None, None` and `nil, nil`.
fn is_row_of_plain(text: &str) -> bool {
    let parts = split(bare(text));
    parts.len() > 1 && parts.iter().all(|part| is_plain(part))
}

/// Whether a text says that something is yet to be written.
pub fn says_unfinished(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = [
        "not implemented",
        "notimplemented",
        "not_implemented",
        "unimplemented",
        "not yet implemented",
        "todo",
    ];
    words.iter().any(|word| lower.contains(word))
}
