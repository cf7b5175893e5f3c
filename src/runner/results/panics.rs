//! What a failed Rust test printed: where it panicked and what it said.

use super::words::{is_own, place};
use super::{Failure, Location};

/// Reads the output of one failed test, whose own panic counts more than that of another thread.
pub fn read(block: &str, test: &str) -> Failure {
    let lines: Vec<&str> = block.lines().collect();
    let heads: Vec<(usize, Panic<'_>)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, head(line)?))).collect();
    let own = heads.iter().rev().find(|(_, panic)| panic.thread == test).or(heads.last());
    let mut failure = match own {
        Some((at, panic)) => panicked(&lines[*at..], panic),
        None => unpanicked(&lines),
    };
    expectations(&lines, &mut failure);
    failure.stack = (!block.trim().is_empty()).then(|| block.trim().to_owned());
    failure
}

struct Panic<'l> {
    thread: &'l str,
    /// `src/lib.rs:5:9:`, or in older versions the message in quotes and the place behind it.
    rest: &'l str,
}

/// `thread 'a::b' (123) panicked at src/lib.rs:5:9:`
fn head(line: &str) -> Option<Panic<'_>> {
    let (thread, rest) = line.trim_start().strip_prefix("thread '")?.split_once('\'')?;
    let (_, rest) = rest.split_once("panicked at ")?;
    Some(Panic { thread, rest })
}

fn panicked(lines: &[&str], panic: &Panic<'_>) -> Failure {
    let (message, found) = match panic.rest.strip_prefix('\'') {
        Some(rest) => quoted(rest, &lines[1..]),
        None => (following(&lines[1..]), place(panic.rest)),
    };
    let location = backtrace(lines).or_else(|| found.map(|(file, line)| at(file, line)));
    let is_assertion = message.starts_with("assertion");
    let kind = if is_assertion { "assertion" } else { "panic" };
    Failure { kind: kind.to_owned(), message, location, ..Failure::default() }
}

fn at(file: &str, line: u32) -> Location {
    Location { file: file.trim_start_matches("./").to_owned(), line: Some(line), function: None }
}

/// The message of newer versions: up to the backtrace or the hint about it.
fn following(lines: &[&str]) -> String {
    let ends = |line: &str| line.starts_with("note: ") || line == "stack backtrace:" || head(line).is_some();
    let message: Vec<&str> = lines.iter().copied().take_while(|line| !ends(line.trim_start())).collect();
    message.join("\n").trim().to_owned()
}

/// The message of older versions: in quotes, over several lines, with the place behind it.
fn quoted<'l>(first: &'l str, rest: &[&'l str]) -> (String, Option<(&'l str, u32)>) {
    let mut message = String::new();
    for line in [first].iter().chain(rest) {
        if let Some((text, behind)) = line.rsplit_once("', ")
            && let Some(found) = place(behind)
        {
            message.push_str(text);
            return (message, Some(found));
        }
        message.push_str(line);
        message.push('\n');
    }
    (message.trim().to_owned(), None)
}

/// The innermost frame in the project's own files: `3: cart::tests::adds` and `at ./src/lib.rs:37:9` below it.
fn backtrace(lines: &[&str]) -> Option<Location> {
    let start = lines.iter().position(|line| line.trim() == "stack backtrace:")?;
    lines[start..].windows(2).find_map(|pair| {
        let (file, line) = place(pair[1].trim_start().strip_prefix("at ")?)?;
        let function = pair[0].trim_start().split_once(": ")?.1;
        let function = Some(function.trim_end_matches("::{{closure}}").to_owned());
        is_own(file).then(|| Location { function, ..at(file, line) })
    })
}

/// A test that returned an error, or should have panicked.
fn unpanicked(lines: &[&str]) -> Failure {
    for line in lines {
        if let Some(message) = line.trim_start().strip_prefix("Error: ") {
            return Failure { kind: "Error".into(), message: message.to_owned(), ..Failure::default() };
        }
        if let Some(note) = line.trim_start().strip_prefix("note: test did not panic as expected") {
            let location = note.strip_prefix(" at ").and_then(place).map(|(file, line)| at(file, line));
            let message = "test did not panic as expected".to_owned();
            return Failure { kind: "should panic".into(), message, location, ..Failure::default() };
        }
    }
    let message = lines.iter().find(|line| !line.trim().is_empty()).map_or("", |line| line.trim());
    Failure { message: message.to_owned(), ..Failure::default() }
}

fn expectations(lines: &[&str], failure: &mut Failure) {
    let behind = |label: &str| lines.iter().find_map(|line| line.trim_start().strip_prefix(label)).map(value);
    if lines.iter().any(|line| line.starts_with("note: panic did not contain expected string")) {
        failure.kind = "should panic".into();
        failure.expected = behind("expected substring: ");
        failure.actual = behind("panic message: ");
    } else if failure.kind == "assertion" && failure.message.contains("left == right") {
        failure.actual = side(&failure.message, "left: ");
        failure.expected = side(&failure.message, "right: ");
    }
}

/// A side of `assert_eq!` in its message.
fn side(message: &str, label: &str) -> Option<String> {
    message.lines().find_map(|line| line.trim_start().strip_prefix(label)).map(value)
}

/// Older versions put values in backticks, with a comma or a message behind them.
fn value(text: &str) -> String {
    let inner = text.strip_prefix('`').and_then(|rest| rest.rsplit_once('`'));
    inner.map_or(text, |(value, _)| value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Parts<'f> = (&'f str, &'f str, Option<&'f str>, Option<&'f str>, Option<(&'f str, u32)>);

    fn parts(failure: &Failure) -> Parts<'_> {
        let place = failure.location.as_ref().map(|place| (place.file.as_str(), place.line.unwrap()));
        let (expected, actual) = (failure.expected.as_deref(), failure.actual.as_deref());
        (&failure.kind, &failure.message, expected, actual, place)
    }

    #[test]
    fn both_sides_of_an_assertion_are_told() {
        let new = "x\n\nthread 'a::b' (7) panicked at src/lib.rs:37:9:\nassertion `left == right` failed: off\n  left: 3\n right: 4\nnote: run with `RUST_BACKTRACE=1`\n";
        let message = "assertion `left == right` failed: off\n  left: 3\n right: 4";
        let expected = ("assertion", message, Some("4"), Some("3"), Some(("src/lib.rs", 37)));
        assert_eq!(parts(&read(new, "a::b")), expected);
        let old = "thread 'a::b' panicked at 'assertion failed: `(left == right)`\n  left: `3`,\n right: `4`: off', src/lib.rs:37:9\nnote: run with";
        let old = read(old, "a::b");
        assert_eq!((old.actual.as_deref(), old.expected.as_deref()), (Some("3"), Some("4")));
        assert_eq!(old.location.unwrap().line, Some(37));
    }

    #[test]
    fn the_own_panic_of_a_test_counts_more_than_that_of_a_thread() {
        let block = "thread 't' (2) panicked at tests/a.rs:7:57:\nouter\n\nthread '<unnamed>' (3) panicked at tests/a.rs:7:27:\ninner\n";
        assert_eq!(parts(&read(block, "t")), ("panic", "outer", None, None, Some(("tests/a.rs", 7))));
        assert_eq!(read(block, "other").message, "inner");
    }

    #[test]
    fn tests_that_fail_without_a_panic_are_told() {
        let missing = read("note: test did not panic as expected at src/lib.rs:50:8\n", "t");
        assert_eq!(
            parts(&missing),
            ("should panic", "test did not panic as expected", None, None, Some(("src/lib.rs", 50)))
        );
        assert_eq!(parts(&read("Error: \"no cart\"\n", "t")), ("Error", "\"no cart\"", None, None, None));
        assert_eq!(parts(&read("", "t")), ("", "", None, None, None));
    }

    #[test]
    fn another_panic_than_the_expected_one_is_told() {
        let block = "thread 't' panicked at src/lib.rs:5:9:\nsomething else\nnote: panic did not contain expected string\n      panic message: \"something else\"\n expected substring: \"sum\"\n";
        let failure = read(block, "t");
        assert_eq!(
            (failure.kind.as_str(), failure.expected.as_deref(), failure.actual.as_deref()),
            ("should panic", Some("\"sum\""), Some("\"something else\""))
        );
    }

    #[test]
    fn the_innermost_own_frame_is_the_place() {
        let block = "thread 't' panicked at /rustc/1/library/core/src/option.rs:1:5:\nno\nstack backtrace:\n   0: core::option::unwrap\n             at /rustc/1/library/core/src/option.rs:1:5\n   1: cart::tests::t::{{closure}}\n             at ./src/lib.rs:71:21\n";
        let place = read(block, "t").location.unwrap();
        assert_eq!(
            (place.file.as_str(), place.line, place.function.as_deref()),
            ("src/lib.rs", Some(71), Some("cart::tests::t"))
        );
    }
}
