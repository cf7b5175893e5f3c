//! What a failed Go test, package or build printed.

use super::words::place;
use super::{Failure, Location, Outcome};

/// The output of one test; `None` if it says nothing.
pub fn read(output: &str, package: &str, outcome: Outcome) -> Option<Failure> {
    let own: Vec<&str> = output.lines().filter(|line| !is_frame(line)).collect();
    let text = own.join("\n");
    let mut failure = match panic(&own, package) {
        Some(failure) => failure,
        None => logged(&own),
    };
    if outcome == Outcome::Errored && failure.message.is_empty() {
        failure.message = "the test did not end".to_owned();
    }
    if outcome == Outcome::Errored && failure.kind.is_empty() {
        failure.kind = if text.contains("signal: ") { "signal" } else { "unfinished" }.to_owned();
    }
    let (expected, actual) = sides(&own);
    (failure.expected, failure.actual) = (expected, actual);
    failure.stack = (!text.trim().is_empty()).then(|| text.trim_end().to_owned());
    (failure != Failure::default()).then_some(failure)
}

/// A package that could not be built.
pub fn build(package: &str, said: &str) -> Failure {
    let line = said.lines().find(|line| line.split(": ").next().and_then(place).is_some());
    let location = line.and_then(|line| place(line.split(": ").next()?)).map(|(file, line)| at(file, line));
    let message = line.and_then(|line| line.split_once(": ")).map_or(said.trim(), |(_, message)| message);
    let message = if message.is_empty() { "the build failed" } else { message };
    let message = if package.is_empty() { message.to_owned() } else { format!("{package}: {message}") };
    let stack = (!said.trim().is_empty()).then(|| said.trim_end().to_owned());
    Failure { kind: "build failed".into(), message, location, stack, ..Failure::default() }
}

/// Why go began nothing: `a/a.go:3:8: no required module provides package x` or `go: cannot find main module`.
pub fn refused(output: &str) -> Option<Failure> {
    let at_go = |line: &&str| {
        let place = line.split(": ").next().and_then(place);
        place.is_some_and(|(file, _)| file.ends_with(".go"))
    };
    let is_work =
        |line: &str| ["downloading ", "finding ", "extracting "].iter().any(|start| line.starts_with(start));
    if output.lines().any(|line| at_go(&line)) {
        return Some(Failure { kind: "setup failed".into(), ..build("", output) });
    }
    let said = output.lines().filter_map(|line| line.strip_prefix("go: ")).find(|line| !is_work(line))?;
    Some(Failure { kind: "setup failed".into(), message: said.trim().to_owned(), ..Failure::default() })
}

/// A package that failed although none of its tests did.
pub fn package(name: &str, said: &str) -> Failure {
    let lines: Vec<&str> = said.lines().collect();
    let mut failure = panic(&lines, name).unwrap_or_else(|| {
        let telling = |line: &&&str| !line.trim().is_empty() && !line.starts_with("FAIL") && **line != "PASS";
        let message = lines.iter().rev().find(telling).map_or("the package failed", |line| line.trim());
        Failure { kind: "package failed".into(), message: message.to_owned(), ..Failure::default() }
    });
    failure.message = format!("{name}: {}", failure.message);
    failure.stack = (!said.trim().is_empty()).then(|| said.trim_end().to_owned());
    failure
}

fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    ["=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "--- FAIL: ", "--- PASS: ", "--- SKIP: "]
        .iter()
        .any(|start| line.starts_with(start))
}

fn at(file: &str, line: u32) -> Location {
    Location { file: file.trim_start_matches("./").to_owned(), line: Some(line), function: None }
}

/// `panic: message`, then goroutines with a function and below it its place.
fn panic(lines: &[&str], package: &str) -> Option<Failure> {
    let start =
        lines.iter().position(|line| line.starts_with("panic: ") || line.starts_with("fatal error: "))?;
    let (kind, message) = lines[start].split_once(": ")?;
    let message = message.split(" [recovered").next().unwrap_or(message);
    let kind = if message.starts_with("test timed out") { "timeout" } else { kind };
    let location = lines[start..].windows(2).find_map(|pair| {
        let (file, line) = place(pair[1].strip_prefix('\t')?.split(' ').next()?)?;
        let function = pair[0].split('(').next().filter(|name| is_of(name, package))?;
        let function = function.rsplit('/').next().map(str::to_owned);
        Some(Location { function, ..at(file, line) })
    });
    Some(Failure { kind: kind.to_owned(), message: message.to_owned(), location, ..Failure::default() })
}

/// Whether a function is of a package, or of its external tests.
fn is_of(function: &str, package: &str) -> bool {
    let rest = function.strip_prefix(package).map(|rest| rest.strip_prefix("_test").unwrap_or(rest));
    !package.is_empty() && rest.is_some_and(|rest| rest.starts_with('.'))
}

/// `    cart_test.go:15: message`, with lines below that are indented deeper.
fn logged(lines: &[&str]) -> Failure {
    let mut failure = Failure::default();
    let mut messages = Vec::new();
    for line in lines {
        let text = line.trim();
        match text.split_once(": ").and_then(|(start, rest)| Some((place(start)?, rest))) {
            Some(((file, number), rest)) if file.ends_with(".go") => {
                failure.location.get_or_insert_with(|| at(file, number));
                messages.push(rest.trim());
            }
            _ => messages.push(text),
        }
    }
    let trace = messages.iter().find_map(|line| place(line.strip_prefix("Error Trace:")?.trim()));
    failure.location = trace.map(|(file, line)| at(file, line)).or(failure.location);
    failure.message = messages.join("\n").trim().to_owned();
    failure
}

/// Expected and actual, where the words are clear.
fn sides(lines: &[&str]) -> (Option<String>, Option<String>) {
    let labelled = |labels: &[&str]| {
        let found = lines.iter().enumerate().find_map(|(at, line)| {
            let text = behind_place(line.trim());
            let label = labels.iter().find(|label| text.starts_with(**label))?;
            let value = text[label.len()..].trim();
            // Examples print the values on lines of their own.
            Some(if value.is_empty() { lines.get(at + 1)?.trim() } else { value })
        });
        found.filter(|value| !value.is_empty()).map(str::to_owned)
    };
    let expected = labelled(&["expected: ", "want: ", "want:", "Expected: "]);
    let actual = labelled(&["actual  : ", "actual: ", "got: ", "got:", "Got: ", "Actual: "]);
    if expected.is_some() && actual.is_some() {
        return (expected, actual);
    }
    lines
        .iter()
        .find_map(|line| one_line_sides(behind_place(line.trim())))
        .map_or((None, None), |(expected, actual)| (Some(expected), Some(actual)))
}

fn behind_place(text: &str) -> &str {
    match text.split_once(": ") {
        Some((start, rest)) if place(start).is_some() => rest.trim_start(),
        _ => text,
    }
}

/// `Total() = 3, want 4`, `got 3, want 4`, `want 4, got 3`, `expected 4, got 3`
fn one_line_sides(text: &str) -> Option<(String, String)> {
    let tidy = |value: &str| value.trim().trim_end_matches('.').to_owned();
    for (first, second, swapped) in [
        (" = ", "want ", false),
        ("got ", "want ", false),
        ("got ", "expected ", false),
        ("want ", "got ", true),
        ("expected ", "got ", true),
    ] {
        let Some((_, rest)) = text.split_once(first) else { continue };
        for joint in [", ", "; ", " "] {
            let Some((a, b)) = rest.split_once(&format!("{joint}{second}")) else { continue };
            let (a, b) = (tidy(a), tidy(b));
            if a.is_empty() || b.is_empty() {
                continue;
            }
            return Some(if swapped { (a, b) } else { (b, a) });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(output: &str) -> (Option<String>, Option<String>) {
        let failure = read(output, "p", Outcome::Failed).unwrap_or_default();
        (failure.expected, failure.actual)
    }

    fn some(expected: &str, actual: &str) -> (Option<String>, Option<String>) {
        (Some(expected.to_owned()), Some(actual.to_owned()))
    }

    #[test]
    fn the_two_sides_are_told_where_they_are_clear() {
        assert_eq!(both("    a_test.go:1: Total() = 3, want 4\n"), some("4", "3"));
        assert_eq!(both("    a_test.go:1: got 3; want 4.\n"), some("4", "3"));
        assert_eq!(both("    a_test.go:1: expected \"a, b\", got \"c\"\n"), some("\"a, b\"", "\"c\""));
        assert_eq!(both("got:\n1\nwant:\n2\n"), some("2", "1"));
        assert_eq!(both("    a_test.go:1: something broke\n"), (None, None));
    }

    #[test]
    fn testify_names_the_real_place() {
        let output = "    helper_test.go:9: \n        \tError Trace:\t/project/a_test.go:12\n        \tError:      \tNot equal: \n        \t            \texpected: 1\n        \t            \tactual  : 2\n        \tTest:       \tTestX\n";
        let failure = read(output, "p", Outcome::Failed).unwrap();
        assert_eq!((failure.expected.as_deref(), failure.actual.as_deref()), (Some("1"), Some("2")));
        assert_eq!(failure.location.unwrap().file, "/project/a_test.go");
    }

    #[test]
    fn a_panic_is_placed_in_the_package_itself() {
        let output = "panic: boom [recovered]\n\tpanic: boom\n\ngoroutine 7 [running]:\ntesting.tRunner.func1()\n\t/usr/lib/go/testing.go:1 +0x1\nexample.com/cart/sub.TestPanics(0x1?)\n\t/project/sub/sub_test.go:9 +0x28\n";
        let failure = read(output, "example.com/cart/sub", Outcome::Failed).unwrap();
        assert_eq!((failure.kind.as_str(), failure.message.as_str()), ("panic", "boom"));
        let place = failure.location.unwrap();
        assert_eq!(
            (place.file.as_str(), place.line, place.function.as_deref()),
            ("/project/sub/sub_test.go", Some(9), Some("sub.TestPanics"))
        );
    }
}
