//! What calls and variables are for, by what people call them.

use super::dialect::Asked;
use super::shape::last_name;
use crate::text::lowered;

/// Parts of a path that stand for a log.
const LOGS: &[&str] = &[
    "console",
    "log",
    "logger",
    "logging",
    "_log",
    "_logger",
    "slog",
    "klog",
    "glog",
    "logrus",
    "tracing",
    "warnings",
    "traceback",
    "sentry_sdk",
    "sentry",
];

/// Calls that only tell somebody.
const TELLS: &[&str] = &[
    "print",
    "println",
    "printf",
    "eprintln",
    "eprint",
    "fprintf",
    "fprintln",
    "fprint",
    "print_exc",
    "printstacktrace",
    "debug",
    "info",
    "warn",
    "warning",
    "trace",
    "log",
    "debugf",
    "infof",
    "warnf",
    "errorf",
    "logf",
    "warnonce",
];

pub fn is_log(path: &str) -> bool {
    let lower = lowered(path);
    let mut parts = lower.split(['.', ':']).filter(|part| !part.is_empty());
    let name = last_name(&lower);
    TELLS.contains(&name) || parts.any(|part| LOGS.contains(&part)) || tells_by_name(name)
}

/// Whether a call only lets time pass: `time.sleep(1)`, `Thread.sleep(100)`, `tokio::time::sleep(pause)`.
pub fn is_pause(path: &str) -> bool {
    matches!(last_name(&path.to_lowercase()), "sleep" | "usleep" | "nanosleep" | "sleep_ms")
}

/// `log_error`, `warn_about`, `logException`.
fn tells_by_name(name: &str) -> bool {
    let about = ["err", "warn", "exception", "fail"];
    let logs = name.strip_prefix("log").is_some_and(|rest| about.iter().any(|word| rest.contains(word)));
    logs || name.starts_with("warn_")
}

/// Whether a variable holds a log.
pub fn is_log_itself(name: &str) -> bool {
    LOGS.contains(&&*lowered(last_name(name)))
}

/// How names of calls begin that check something and fail by themselves.
const CHECKS: &[&str] = &[
    "validate",
    "verify",
    "require",
    "check",
    "assert",
    "authorize",
    "authenticate",
    "enforce",
    "invariant",
    "ensure",
];

/// Whether a call checks its arguments, as far as its name tells.
pub fn is_check(path: &str) -> bool {
    let name = last_name(path);
    let lower = lowered(name);
    let lower = lower.trim_start_matches('_');
    let opening = CHECKS.iter().find_map(|check| lower.strip_prefix(check));
    let ends_word = |rest: &str| {
        rest.is_empty()
            || rest.starts_with('_')
            || name[name.len() - rest.len()..].starts_with(char::is_uppercase)
    };
    // Other languages load modules by that name, and what is ensured is more often made than checked.
    let other = name == "require" || lower.starts_with("ensure") && lower != "ensure";
    !other && opening.is_some_and(ends_word)
}

/// How names begin of functions that answer whether something may be.
const DECIDES: &[&str] = &[
    "valid",
    "validate",
    "check",
    "verify",
    "allow",
    "allows",
    "can",
    "may",
    "authorize",
    "authenticate",
    "accept",
    "accepts",
    "permit",
    "permits",
];

/// What comes after `is` and `has` in them.
const STATES: &[&str] =
    &["valid", "allowed", "authorized", "permitted", "acceptable", "safe", "permission", "access"];

/// Whether a function decides, as far as its name tells: `isValid`, `validate_key`, `canEdit`.
pub fn decides(name: &str) -> bool {
    let mut words: Vec<String> = Vec::new();
    for letter in name.trim_start_matches('_').chars().take(64) {
        if letter == '_' || letter.is_uppercase() || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter != '_') {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    let first = words.first().map_or("", String::as_str);
    let is_state = || words.iter().skip(1).any(|word| STATES.contains(&word.as_str()));
    DECIDES.contains(&first) || (matches!(first, "is" | "has") && is_state())
}

/// Checks of well-known libraries, which fail whatever their result is used for.
pub fn is_known_check(path: &str) -> bool {
    let name = last_name(path);
    let known = [
        "requireNonNull",
        "checkNotNull",
        "checkArgument",
        "checkState",
        "checkElementIndex",
        "checkPositionIndex",
        "raise_for_status",
    ];
    let home = path.split(['.', ':']).next().unwrap_or("");
    let homes = ["Preconditions", "Validate", "Assert", "assert", "debug_assert"];
    known.contains(&name) || homes.contains(&home)
}

/// Whether a variable holds an error, by its name.
pub fn is_error(name: &str) -> bool {
    let lower = lowered(name.trim_start_matches('_'));
    ["err", "error", "e", "ex", "exc", "exception"].contains(&&*lower)
        || name.ends_with("Err")
        || name.ends_with("Error")
        || lower.ends_with("_err")
        || lower.ends_with("_error")
        || (lower.starts_with("err") && lower[3..].bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether setting this variable to this value notes a failure.
pub fn notes_failure(target: &str, value: &str) -> bool {
    let value = value.trim().trim_end_matches(';');
    // Most values note nothing whatever they are given to.
    if !["true", "false", "1", "append("].iter().any(|note| starts_like(value, note)) {
        return false;
    }
    let name = last_name(target).to_lowercase().replace('_', "");
    let value = value.to_lowercase();
    let bad = [
        "failed",
        "fail",
        "failure",
        "haserror",
        "haserrors",
        "errored",
        "haserrored",
        "invalid",
        "isinvalid",
    ];
    let good = ["valid", "isvalid", "ok", "success", "passed"];
    let code = ["exitcode", "exitstatus", "errorcount", "errors"];
    (bad.contains(&name.as_str()) && value == "true")
        || (good.contains(&name.as_str()) && value == "false")
        || (code.contains(&name.as_str()) && value == "1")
        || (is_list_of_errors(target) && value.starts_with("append("))
}

/// Whether a text starts with a word, in any case.
fn starts_like(text: &str, word: &str) -> bool {
    text.as_bytes().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether setting this, in a handler, leaves an error where others find it: `self.response.error = e`.
pub fn keeps_error(target: &str, value: &str) -> bool {
    let name = last_name(target);
    let is_name = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    target.contains('.') && is_name && name.len() > 1 && is_error(name)
}

/// Calls that report something as wrong: `addError`, `report_violation`.
pub fn reports_error(path: &str) -> bool {
    let name = last_name(path).to_lowercase().replace('_', "");
    let verbs = ["add", "report", "emit", "record", "register", "push"];
    let what = verbs.iter().find_map(|verb| name.strip_prefix(verb)).unwrap_or("");
    ["error", "errors", "violation", "failure", "fielderror", "problem"].contains(&what)
        || name == "rejectvalue"
        || (name == "error" && tells_reader(path))
}

/// `controller.error(e)` of a stream, `observer.error(e)`: whoever reads from it gets the error.
fn tells_reader(path: &str) -> bool {
    let of = path.rsplit('.').nth(1).unwrap_or("").to_lowercase();
    ["controller", "observer", "subscriber", "sink", "emitter", "deferred"].contains(&of.as_str())
}

/// Whether a list collects what is wrong.
pub fn is_list_of_errors(target: &str) -> bool {
    let name = lowered(last_name(target));
    ["errors", "errs", "violations", "failures", "problems", "_errors"].contains(&&*name)
        || name.ends_with("errors")
}

/// A condition that is nothing but the name of an error.
pub fn plain_error_check(condition: &str) -> Option<Asked> {
    let is_name = condition.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    // `e` alone is too often an element or an event.
    let known = is_name && condition.len() > 1 && is_error(condition);
    known.then(|| Asked { variable: condition.to_owned(), all: true })
}
