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
    "Err(None)",
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
    "Promise.resolve(false)",
    "Promise.resolve(true)",
    "Mono.empty()",
    "Flux.empty()",
    "Observable.empty()",
    "Completable.complete()",
    "EMPTY",
    "of(null)",
    "of(undefined)",
    "of([])",
    "of({})",
    "of(false)",
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

/// Whether an expression makes a new thing and gives it nothing: `new Config()`, `Config()`. What tells of an error by its
/// name is no such thing.
pub fn is_made_of_nothing(text: &str) -> bool {
    let text = text.trim().trim_end_matches(';');
    let Some(path) = text.strip_suffix("()").map(|path| path.trim_end_matches("<>")) else { return false };
    let name = path.strip_prefix("new ").unwrap_or(path);
    let last = name.rsplit('.').next().unwrap_or(name);
    let lower = last.to_lowercase();
    let tells = ["err", "fail", "exception", "problem", "invalid", "bad", "not", "unknown", "abort"];
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    is_name && last.starts_with(|c: char| c.is_uppercase()) && !tells.iter().any(|word| lower.contains(word))
}

/// Whether an expression is a text that is always the same.
pub fn is_fixed_text(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['"', '\'', '`']) && is_string(text) && !text.contains("${")
}

/// Whether an expression is a number of its own, or one that is only wrapped: `42.5`, `Decimal("3.60")`, `Some(0.8)`.
pub fn is_number(text: &str) -> bool {
    let text = text.trim().trim_end_matches(';');
    let inside = text.split_once('(').and_then(|(name, rest)| {
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':');
        rest.strip_suffix(')').filter(|_| is_name && !name.is_empty())
    });
    let digits = inside.unwrap_or(text).trim_matches(['"', '\'']).replace('_', "");
    digits.bytes().any(|byte| byte.is_ascii_digit()) && digits.parse::<f64>().is_ok()
}

/// `Config::default()`, `Ok(Config::default())`.
fn is_default_of_type(text: &str) -> bool {
    let inside = ["Ok(", "Some("].iter().find_map(|wrap| text.strip_prefix(wrap)?.strip_suffix(')'));
    let value = inside.unwrap_or(text);
    // A type that has an empty value of its own; to ask a thing whether it is empty is a question.
    let of_type =
        |path: &&str| path.rsplit(['.', ':']).next().is_some_and(|it| it.starts_with(char::is_uppercase));
    let empty =
        ["::empty()", ".empty()", "::none()", ".none()"].iter().find_map(|end| value.strip_suffix(end));
    let path = value.strip_suffix("::default()").or(empty.filter(of_type));
    path.is_some_and(|path| {
        !path.is_empty()
            && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.'))
    })
}

fn is_plain(text: &str) -> bool {
    let empty = text.strip_suffix("{}").is_some_and(|kind| {
        !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"[]*._&".contains(&byte))
    });
    DEFAULTS.contains(&text) || number(text).is_some() || (is_string(text) && text.len() <= 2) || empty
}

/// `None, None` and `nil, nil`.
fn is_row_of_plain(text: &str) -> bool {
    // Most values are one, and to take one apart costs more than all other questions.
    text.contains(',') && {
        let parts = split(bare(text));
        parts.len() > 1 && parts.iter().all(|part| is_plain(part))
    }
}

/// Calls that make an empty or constant value, or pass one on.
const MAKES: &[&str] = &[
    "Some",
    "Ok",
    "Box",
    "Arc",
    "Rc",
    "new",
    "empty",
    "none",
    "default",
    "from",
    "to_string",
    "to_owned",
    "into",
    "clone",
    "with_capacity",
    "to_path_buf",
    "to_vec",
];

/// Whether an expression stands in for a value without looking at the error that kept it away: nothing, a constant,
/// or values that were there before.
pub fn is_fallback(text: &str, error: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = text.split(|c: char| !is_part(c));
    let uses_error = !error.is_empty() && error != "_" && words.any(|word| word == error);
    let calls = text.match_indices('(').filter_map(|(at, _)| {
        let before = text[..at].trim_end_matches('!');
        before.rsplit(|c: char| !is_part(c)).next().filter(|name| !name.is_empty())
    });
    !text.is_empty()
        && !uses_error
        && !text.contains(['?', '|', ';'])
        && calls.into_iter().all(|name| MAKES.contains(&name))
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
