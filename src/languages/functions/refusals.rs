//! Refusals that are neither thrown nor returned as an error type: answers and calls that say no, by their names.

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

/// Words of a status by which a server says no, as constants spell them.
const STATUSES: &[&str] = &[
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "NOT_FOUND",
    "CONFLICT",
    "UNPROCESSABLE_ENTITY",
    "TOO_MANY_REQUESTS",
    "StatusBadRequest",
    "StatusUnauthorized",
    "StatusForbidden",
    "StatusNotFound",
    "StatusConflict",
    "StatusUnprocessableEntity",
    "StatusTooManyRequests",
];

/// Longer answers are looked at only at their ends.
const ANSWER: usize = 2000;

/// Whether an expression is an answer with a status that refuses: `res.status(403).json(..)`, `(body, 400)`,
/// `new Response(text, { status: 401 })`, `http.Error(w, text, http.StatusForbidden)`.
pub fn answers_no(expression: &str) -> bool {
    if expression.len() > ANSWER {
        return false;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    if STATUSES.iter().any(|status| expression.split(|c: char| !is_part(c)).any(|word| word == *status)) {
        return true;
    }
    let mut rest = expression;
    while let Some(at) = rest.find('4') {
        let (before, number) = rest.split_at(at);
        rest = &number[1..];
        let is_code = number.len() >= 3
            && number.as_bytes()[..3].iter().all(u8::is_ascii_digit)
            && !number[3..].starts_with(|c: char| is_part(c) || c == '.')
            && !before.ends_with(|c: char| is_part(c) || c == '.');
        let before = before.trim_end();
        let named = [
            "status(",
            "Status(",
            "sendError(",
            "abort(",
            "status:",
            "status=",
            "status_code=",
            "statusCode:",
        ];
        let ends = number.get(3..).map_or("", str::trim_start);
        // `json(body, 403)`, and the second of a pair that is returned.
        let is_last =
            before.ends_with(',') && (ends.is_empty() || ends.starts_with(')') || ends.starts_with(';'));
        if is_code && (named.iter().any(|name| before.ends_with(name)) || is_last && expression.contains('('))
        {
            return true;
        }
    }
    false
}

/// Whether a call by itself is such an answer, after which a function ends: `http.Error`, `sendError`, `AbortWithStatus`.
pub fn is_answer(path: &str) -> bool {
    let name = last_name(path);
    path == "http.Error"
        || matches!(
            name,
            "sendError"
                | "sendStatus"
                | "AbortWithStatus"
                | "AbortWithStatusJSON"
                | "AbortWithError"
                | "abort"
        )
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
    fn answers_that_refuse_are_known_by_their_status() {
        for answer in [
            "res.status(403).json({ error })",
            "res.sendStatus(401)",
            "context.json({ error: 'no' }, 403)",
            "jsonify(error=str(e)), 422",
            "new Response('no', { status: 401 })",
            "ResponseEntity.status(HttpStatus.UNAUTHORIZED).build()",
            "http.Error(w, \"no\", http.StatusForbidden)",
            "JSONResponse(body, status_code=400)",
        ] {
            assert!(answers_no(answer), "{answer}");
        }
        for other in [
            "res.status(204).end()",
            "res.json({ port: 4000 })",
            "total(400)",
            "load(x, 1400)",
            "x4001",
            "40",
        ] {
            assert!(!answers_no(other), "{other}");
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
