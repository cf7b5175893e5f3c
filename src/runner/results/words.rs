//! The small things that the printed results of many tools are made of: output, counts, times, places.

use crate::text::plain;

/// What a tool printed, as plain lines.
pub fn output(bytes: &[u8]) -> String {
    plain(&String::from_utf8_lossy(bytes))
}

/// A number in front of a text, and what follows it.
pub fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Seconds such as `0.004s` or `(0.00s)` in milliseconds.
pub fn milliseconds(text: &str) -> Option<u64> {
    let number = text.trim().trim_matches(['(', ')', '[', ']', 's', ' ']);
    let seconds: f64 = number.parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then(|| (seconds * 1000.0).round() as u64)
}

/// `file:line` or `file:line:column` as a place; the file has an extension, so that a time is none.
pub fn place(text: &str) -> Option<(&str, u32)> {
    let mut parts = text.trim_end_matches(':').rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    let (file, line) = match (first, middle.parse::<u32>()) {
        (Some(file), Ok(line)) if last.parse::<u32>().is_ok() => (file, line),
        _ => (&text[..text.trim_end_matches(':').len() - last.len() - 1], last.parse().ok()?),
    };
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    (name.contains('.') && !file.contains(char::is_whitespace)).then_some((file, line))
}

/// Whether a place is in the project, not in what a language or a package manager installed.
pub fn is_own(file: &str) -> bool {
    const FOREIGN: [&str; 11] = [
        "/site-packages/",
        "/dist-packages/",
        "/lib/python",
        "<frozen",
        "/rustc/",
        "/.cargo/registry/",
        "/.rustup/",
        "/go/src/",
        "/go/pkg/mod/",
        "/usr/lib/",
        "/node_modules/",
    ];
    !FOREIGN.iter().any(|part| file.contains(part)) && !file.starts_with('<')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_are_told_from_other_numbers() {
        assert_eq!(place("src/lib.rs:5:9:"), Some(("src/lib.rs", 5)));
        assert_eq!(place("cart_test.go:15:"), Some(("cart_test.go", 15)));
        assert_eq!(place("12:30"), None);
        assert_eq!(place("a b.rs:3"), None);
        assert_eq!(place("C:/a.rs:3:1"), Some(("C:/a.rs", 3)));
    }

    #[test]
    fn times_are_read() {
        assert_eq!(milliseconds("(0.25s)"), Some(250));
        assert_eq!(milliseconds("inf"), None);
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60), text in ".{0,20}") {
            output(&bytes);
            place(&text);
            milliseconds(&text);
            leading_number(&text);
        }
    }
}
