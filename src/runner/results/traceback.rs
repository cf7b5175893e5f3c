//! The end of a Python traceback: what was raised, where, and what was compared.

use super::expectation::expectation;
use super::frames::innermost;
use super::{Failure, Location};

/// A traceback, as unittest prints it below the name of a test.
pub fn read(text: &str) -> Failure {
    let lines: Vec<&str> = text.lines().collect();
    let (kind, message) = match raised(&lines) {
        Some(at) => {
            let (kind, first) = exception(lines[at]).unwrap_or_default();
            let rest = lines[at + 1..].iter().copied();
            let message: Vec<&str> = std::iter::once(first).chain(rest).collect();
            (kind, message.join("\n").trim().to_owned())
        }
        None => {
            ("", lines.iter().rev().find(|line| !line.trim().is_empty()).unwrap_or(&"").trim().to_owned())
        }
    };
    failure(kind, &message, text)
}

/// A failure with what its text tells beside kind and message.
pub fn failure(kind: &str, message: &str, text: &str) -> Failure {
    let (expected, actual) = expectation(message).unzip();
    let location: Option<Location> = innermost(text);
    let stack = (!text.trim().is_empty()).then(|| text.trim_end().to_owned());
    Failure { kind: kind.to_owned(), message: message.to_owned(), expected, actual, stack, location }
}

/// A traceback of pytest, which marks what was raised: `E   ModuleNotFoundError: No module named 'x'`.
pub fn marked(text: &str) -> Option<Failure> {
    let raised = text.lines().rev().filter_map(|line| line.strip_prefix("E   "));
    let raised = raised.map(str::trim_end).find(|line| !line.starts_with(' ') && !line.is_empty())?;
    let kind = exception(raised).map_or("", |(kind, _)| kind);
    // A syntax error names its place among the marked lines.
    let plain: Vec<&str> = text.lines().map(|line| line.strip_prefix("E  ").unwrap_or(line)).collect();
    Some(Failure { location: innermost(&plain.join("\n")), ..failure(kind, raised, text) })
}

/// `ValueError: no cart`, `json.decoder.JSONDecodeError: x`, `KeyboardInterrupt`
pub fn exception(line: &str) -> Option<(&str, &str)> {
    let (kind, message) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
    let last = kind.rsplit('.').next().unwrap_or("");
    let is_name = kind.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let is_class = last.starts_with(char::is_uppercase);
    (is_name && is_class && last.len() > 1).then_some((kind, message))
}

/// Where the last exception stands: behind the frames of a traceback, and not indented.
fn raised(lines: &[&str]) -> Option<usize> {
    let mut found = None;
    let mut in_frames = true;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Traceback (most recent call last)") || line.starts_with("  File \"") {
            in_frames = true;
        } else if in_frames && exception(line).is_some() {
            found = Some(at);
            in_frames = false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pytest_marks_is_told_with_its_place() {
        let text = "ImportError while importing test module '/p/tests/test_imp.py'.\nTraceback:\n\
                    /usr/lib/python3.11/importlib/__init__.py:126: in import_module\n    return x\n\
                    tests/test_imp.py:1: in <module>\n    import nosuch\n\
                    E   ModuleNotFoundError: No module named 'nosuch'";
        let failure = marked(text).unwrap();
        assert_eq!(failure.message, "ModuleNotFoundError: No module named 'nosuch'");
        assert_eq!(failure.kind, "ModuleNotFoundError");
        let place = failure.location.unwrap();
        assert_eq!((place.file.as_str(), place.line), ("tests/test_imp.py", Some(1)));
        let text = "/usr/lib/python3.11/ast.py:50: in parse\n    return compile(x)\n\
                    E     File \"/p/tests/test_syn.py\", line 3\nE       def test_a(:\nE                  ^\n\
                    E   SyntaxError: invalid syntax";
        let failure = marked(text).unwrap();
        assert_eq!(failure.message, "SyntaxError: invalid syntax");
        assert_eq!(failure.location.unwrap().line, Some(3));
        assert_eq!(marked("nothing is marked"), None);
    }

    #[test]
    fn the_last_exception_counts_with_its_whole_message() {
        let text = "Traceback (most recent call last):\n  File \"/project/a.py\", line 1, in f\n    g()\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"/project/tests/test_a.py\", line 3, in test_a\n    raise ValueError\nValueError: no cart\nNote: more\n";
        let failure = read(text);
        assert_eq!((failure.kind.as_str(), failure.message.as_str()), ("ValueError", "no cart\nNote: more"));
        let place = failure.location.unwrap();
        assert_eq!((place.file.as_str(), place.line), ("/project/tests/test_a.py", Some(3)));
    }

    #[test]
    fn both_sides_of_a_comparison_are_told() {
        let failure = read(
            "Traceback (most recent call last):\n  File \"/p/a.py\", line 1, in t\n    x\nAssertionError: 3 != 4 : the sum is off\n",
        );
        assert_eq!((failure.actual.as_deref(), failure.expected.as_deref()), (Some("3"), Some("4")));
    }

    #[test]
    fn words_are_no_exceptions() {
        assert_eq!(exception("AssertionError"), Some(("AssertionError", "")));
        assert_eq!(exception("a.b.Oops: x: y"), Some(("a.b.Oops", "x: y")));
        assert_eq!(exception("some output"), None);
        assert_eq!(exception("- 1"), None);
    }
}
