//! Answers of a server that say no, by the status that they carry: `res.status(403)`, `jsonify(..), 422`.
//!
//! A number between 400 and 499 is many things; it is a status only where a call that answers takes it, or a name that says
//! so stands before it.

use super::shape::{last_name, path_of};

/// Statuses by which a server says no, as names spell them. Those of Go say by themselves what they are.
const NAMES: &[&str] = &[
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "NOT_FOUND",
    "CONFLICT",
    "UNPROCESSABLE_ENTITY",
    "TOO_MANY_REQUESTS",
];
const GO_NAMES: &[&str] = &[
    "StatusBadRequest",
    "StatusUnauthorized",
    "StatusForbidden",
    "StatusNotFound",
    "StatusConflict",
    "StatusUnprocessableEntity",
    "StatusTooManyRequests",
];

/// Those that are in use.
const CODES: &[u32] = &[
    400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 415, 416, 417, 421, 422, 423, 424, 425,
    426, 428, 429, 431, 451,
];

/// Calls that take the status first, and calls that take it last.
const TAKE_IT_FIRST: &[&str] = &[
    "status",
    "sendstatus",
    "senderror",
    "abort",
    "abortwithstatus",
    "abortwithstatusjson",
    "abortwitherror",
    "json",
];
const TAKE_IT_LAST: &[&str] = &[
    "json",
    "jsonify",
    "response",
    "jsonresponse",
    "httpresponse",
    "htmlresponse",
    "plaintextresponse",
    "newresponse",
    "make_response",
    "render",
    "render_template",
];

/// Words that mean an answer only where one is asked for them: `c.text("no", 401)`.
const TAKE_IT_LAST_OF: &[&str] = &["text", "html", "body", "send"];
const ANSWERING: &[&str] = &["c", "ctx", "context", "res", "response", "reply"];

/// Longer ones are no answers.
const LONGEST: usize = 2000;

/// Whether an expression is an answer with a status that refuses: `res.status(403).json(..)`, `(jsonify(..), 400)`,
/// `new Response(text, { status: 401 })`, `http.Error(w, text, http.StatusForbidden)`.
pub fn answers_no(expression: &str) -> bool {
    expression.len() <= LONGEST
        && words(expression).any(|(at, word)| {
            let (before, after) = (expression[..at].trim_end(), expression[at + word.len()..].trim_start());
            is_named_status(before, word) || is_code(word) && carries(before, after)
        })
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

/// The names and numbers of an expression, with where they begin.
fn words(expression: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    expression.split(move |c: char| !is_part(c)).filter_map(move |word| {
        let start = at;
        at += word.len() + expression[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

/// `HttpStatus.FORBIDDEN`, `StatusCode::CONFLICT`, `status(NOT_FOUND)`, `http.StatusForbidden`, `HTTP_403_FORBIDDEN`.
fn is_named_status(before: &str, word: &str) -> bool {
    let owner = || before.strip_suffix(['.', ':', '(']).map(|owner| last_name(owner).to_lowercase());
    GO_NAMES.contains(&word)
        || word.starts_with("HTTP_4")
        || NAMES.contains(&word) && owner().is_some_and(|owner| owner.contains("status"))
}

fn is_code(word: &str) -> bool {
    word.len() == 3 && word.parse().is_ok_and(|code: u32| CODES.contains(&code))
}

/// Whether what stands around a code makes a status of it.
fn carries(before: &str, after: &str) -> bool {
    if let Some(called) = before.strip_suffix('(') {
        let name = last_name(called).to_lowercase();
        return TAKE_IT_FIRST.contains(&name.as_str()) && after.starts_with([',', ')']);
    }
    if let Some(key) = before.strip_suffix([':', '=']) {
        let name = last_name(key).to_lowercase().replace('_', "");
        return matches!(name.as_str(), "status" | "statuscode") && !key.ends_with(['=', '!', '<', '>']);
    }
    let Some(listed) = before.strip_suffix(',') else { return false };
    let opened = opened(listed);
    let (callee, first) = opened.map_or(("", listed), |at| (listed[..at].trim_end(), &listed[at + 1..]));
    if callee.is_empty() {
        // The second of a pair that is given back.
        let ends = after.is_empty() || after.starts_with([')', ';']);
        let first = first.trim_start_matches(['(', ' ']);
        let called = first.split('(').next().unwrap_or_default();
        return ends && (first.starts_with('{') || first.contains('(') && takes_it_last(called));
    }
    after.starts_with(')') && takes_it_last(callee)
}

fn takes_it_last(callee: &str) -> bool {
    let path = path_of(callee);
    let name = last_name(path).to_lowercase();
    let owner = path.rsplit_once('.').map_or("", |(owner, _)| last_name(owner));
    path.ends_with("http.Error")
        || TAKE_IT_LAST.contains(&name.as_str())
        || TAKE_IT_LAST_OF.contains(&name.as_str()) && ANSWERING.contains(&owner)
}

/// Where the bracket stands that is still open at the end of a text.
fn opened(text: &str) -> Option<usize> {
    let mut closed = 0;
    text.bytes().enumerate().rev().find_map(|(at, byte)| {
        match byte {
            b')' | b']' | b'}' => closed += 1,
            b'(' | b'[' | b'{' if closed > 0 => closed -= 1,
            b'(' => return Some(at),
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_refuse_are_known_by_their_status() {
        for answer in [
            "res.status(403).json({ error })",
            "res.sendStatus(401)",
            "context.json({ error: 'no' }, 403)",
            "c.text('no', 401)",
            "jsonify(error=str(e)), 422",
            "(jsonify(error=str(e)), 422)",
            "{\"error\": \"no\"}, 400",
            "new Response('no', { status: 401 })",
            "ResponseEntity.status(HttpStatus.UNAUTHORIZED).build()",
            "ResponseEntity.status(NOT_FOUND).build()",
            "(StatusCode::CONFLICT, \"no\").into_response()",
            "http.Error(w, \"no\", http.StatusForbidden)",
            "http.Error(w, \"no\", 403)",
            "c.AbortWithStatusJSON(401, gin.H{})",
            "c.AbortWithError(400, err)",
            "JSONResponse(body, status_code=400)",
            "JsonResponse(body, status = 403)",
            "Response(status=status.HTTP_403_FORBIDDEN)",
        ] {
            assert!(answers_no(answer), "{answer}");
        }
    }

    #[test]
    fn other_numbers_and_names_are_no_status() {
        for other in [
            "res.status(204).end()",
            "res.json({ port: 4000 })",
            "total(400)",
            "load(x, 1400)",
            "x4001",
            "40",
            "range(0, 400)",
            "resize(image, 400)",
            "schedule(cb, 450)",
            "setTimeout(cb, 400)",
            "clamp(want, 400)",
            "scale(w), 480",
            "label(w), 400",
            "ctx.fillText(word, 10, 400)",
            "Result.with(State.CONFLICT, base)",
            "NOT_FOUND",
            "status == 404",
            "größe(🎈, 404)",
        ] {
            assert!(!answers_no(other), "{other}");
        }
    }
}
