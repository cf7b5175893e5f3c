//! The closed lists of the schema, as other tools spell them.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{Deserialize, IntoDeserializer};

use super::fields::spelled;
use crate::memory::format::{ErrorType, RootCauseCategory, Status, Verification};

/// A word of a list that is written in `snake_case`.
fn word<T: for<'de> Deserialize<'de>>(text: &str) -> Option<T> {
    let spelled = spelled(text);
    let words: StrDeserializer<'_, Error> = spelled.as_str().into_deserializer();
    T::deserialize(words).ok()
}

pub fn status(text: &str) -> Option<Status> {
    word(text).or_else(|| match spelled(text).as_str() {
        "pass" | "success" | "succeeded" | "complete" | "completed" | "resolved" | "fixed" => {
            Some(Status::Passed)
        }
        "fail" | "failure" | "error" => Some(Status::Failed),
        "running" | "active" | "open" | "started" | "pending" => Some(Status::InProgress),
        _ => None,
    })
}

pub fn verification(text: &str) -> Option<Verification> {
    word(text).or_else(|| match spelled(text).as_str() {
        "pass" | "success" | "verified" | "all_passing" | "true" => Some(Verification::Passed),
        "fail" | "failure" | "false" => Some(Verification::Failed),
        _ => None,
    })
}

pub fn category(text: &str) -> Option<RootCauseCategory> {
    word(text)
}

const ERROR_TYPES: [(&str, ErrorType); 9] = [
    ("assertionerror", ErrorType::AssertionError),
    ("typeerror", ErrorType::TypeError),
    ("referenceerror", ErrorType::ReferenceError),
    ("syntaxerror", ErrorType::SyntaxError),
    ("runtimeerror", ErrorType::RuntimeError),
    ("timeouterror", ErrorType::TimeoutError),
    ("networkerror", ErrorType::NetworkError),
    ("validationerror", ErrorType::ValidationError),
    ("other", ErrorType::Other),
];

pub fn error_type(text: &str) -> Option<ErrorType> {
    let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
    let letters = letters.to_ascii_lowercase();
    ERROR_TYPES.iter().find(|(name, _)| *name == letters).map(|(_, kind)| *kind)
}

/// The type that a message such as `TypeError: x is null` begins with.
pub fn error_type_of_message(message: &str) -> Option<ErrorType> {
    let (first, _) = message.split_once(':')?;
    let last = first.rsplit('.').next().unwrap_or(first);
    error_type(last).filter(|_| !last.contains(char::is_whitespace))
}

/// A point in time in the usual notations; UTC where none is given.
pub fn time(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.with_timezone(&Utc));
    }
    for format in ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f %#z"] {
        if let Ok(time) = DateTime::parse_from_str(text, format) {
            return Some(time.with_timezone(&Utc));
        }
    }
    for format in ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"] {
        if let Ok(time) = NaiveDateTime::parse_from_str(text.trim_end_matches('Z'), format) {
            return Some(time.and_utc());
        }
    }
    if let Ok(day) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        return Some(day.and_hms_opt(0, 0, 0)?.and_utc());
    }
    seconds(text)
}

/// Seconds or milliseconds since 1970, told apart by size.
fn seconds(text: &str) -> Option<DateTime<Utc>> {
    let number: f64 = text.parse().ok()?;
    match number {
        1e9..1e11 => DateTime::from_timestamp_millis((number * 1e3) as i64),
        1e11..1e14 => DateTime::from_timestamp_millis(number as i64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_case() {
        for text in ["in_progress", "IN_PROGRESS", "in-progress", "In Progress", "inProgress"] {
            assert_eq!(status(text), Some(Status::InProgress), "{text}");
        }
        assert_eq!(status("COMPLETED"), Some(Status::Passed));
        assert_eq!(status("aborted"), None);
        assert_eq!(category("Off-By-One"), Some(RootCauseCategory::OffByOne));
        assert_eq!(error_type("assertion_error"), Some(ErrorType::AssertionError));
        assert_eq!(error_type("KeyError"), None);
        assert_eq!(error_type_of_message("builtins.TypeError: x"), Some(ErrorType::TypeError));
        assert_eq!(error_type_of_message("no type: error"), None);
    }

    #[test]
    fn times_are_read_in_the_usual_notations() {
        let noon = "2026-01-25T12:00:00Z".parse::<DateTime<Utc>>().ok();
        for text in [
            "2026-01-25T12:00:00Z",
            "2026-01-25T14:00:00+02:00",
            "2026-01-25T14:00:00+0200",
            "2026-01-25 12:00:00",
            "2026-01-25T12:00:00.000",
            "2026-01-25T12:00",
            "1769342400",
            "1769342400000",
        ] {
            assert_eq!(time(text), noon, "{text}");
        }
        assert!(time("2026-01-25").is_some());
        assert_eq!([time("ISO-8601"), time(""), time("12"), time("1e400")], [None; 4]);
    }
}
