//! Refusals that are neither thrown nor returned as an error type: what is made to refuse, and calls that do not come
//! back, by their names.

use super::shape::{last_name, path_of};

/// Last words of names of what stands for an error.
const ERRORS: &[&str] =
    &["error", "errors", "err", "errorf", "exception", "failure", "rejection", "forbidden", "unauthorized"];

/// Whether an expression makes an error, or an answer that refuses: `new ShopError(...)`, `fmt.Errorf(...)`,
/// `createCompilerError(...)`, `ResponseEntity.badRequest()`, `HttpResponseForbidden()`.
pub fn makes_error(expression: &str) -> bool {
    let expression = expression.trim();
    let expression = expression.strip_prefix("new ").or(expression.strip_prefix('&')).unwrap_or(expression);
    let Some(at) = expression.find(['(', '{']) else { return false };
    let path = &expression[..at];
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$');
    if path.is_empty() || !path.chars().all(is_path) {
        return false;
    }
    let name = last_name(path_of(path));
    if path == "errors.New" {
        return true;
    }
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    let gets = words.first().is_some_and(|first| {
        matches!(
            first.as_str(),
            "is" | "has" | "get" | "log" | "on" | "handle" | "format" | "print" | "clear"
        )
    });
    !gets && (ERRORS.contains(&last) || refuses(&words))
}

/// `badRequest`, `permission_denied`, `HttpResponseNotAllowed`.
fn refuses(words: &[String]) -> bool {
    let pairs = [("bad", "request"), ("permission", "denied"), ("access", "denied"), ("not", "allowed")];
    words.windows(2).any(|two| pairs.contains(&(two[0].as_str(), two[1].as_str())))
}

/// How names begin of calls that do not come back: `raise_option_error(...)`, `throwIllegalState(...)`,
/// `FatalErrorRespectJSON(...)`.
pub fn fails_by_name(name: &str) -> bool {
    let words = words(name);
    let first = words.first().map_or("", String::as_str);
    let second = words.get(1).map_or("", String::as_str);
    let about = ["error", "errorf", "exception", "if", "for", "on", "from", "status", "exit"];
    match first {
        "throw" => words.len() > 1 && !matches!(second, "if" | "away"),
        "raise" => {
            words.len() > 1 && words.iter().any(|word| about.contains(&word.as_str())) && second != "for"
        }
        "fatal" => matches!(second, "error" | "errorf" | "exit") || name == "fatalf",
        "die" => words.len() == 1,
        _ => false,
    }
}

/// The words of a name in lower case, whichever way they are put together.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_upper = true;
    for letter in name.chars().take(64) {
        let upper = letter.is_uppercase();
        if letter == '_' || (upper && !was_upper) || words.is_empty() {
            words.push(String::new());
        }
        was_upper = upper;
        if let Some(word) = words.last_mut().filter(|_| letter != '_') {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_to_refuse_is_known_by_its_last_word() {
        for made in [
            "new ShopError('no')",
            "fmt.Errorf(\"no %s\", x)",
            "errors.New(\"no\")",
            "createCompilerError(code, loc)",
            "&invalidAddressError{addr}",
            "HttpResponseForbidden()",
            "ResponseEntity.badRequest()",
            "ValidationError(_('no'))",
        ] {
            assert!(makes_error(made), "{made}");
        }
        for other in
            ["load(x)", "getError()", "is_error(x)", "error", "logError(e)", "Err", "a + makeError(x)"]
        {
            assert!(!makes_error(other), "{other}");
        }
    }

    #[test]
    fn calls_that_do_not_come_back_are_known_by_their_first_word() {
        for name in ["raise_option_error", "throwIllegalState", "FatalError", "die"] {
            assert!(fails_by_name(name), "{name}");
        }
        for name in
            ["raise_for_status", "throwIfEmpty", "raise", "fatal_count", "throw_away", "raise_priority"]
        {
            assert!(!fails_by_name(name), "{name}");
        }
    }
}
