//! Stack traces: the innermost frame in the project's own files.
//!
//! Frames of runtimes, runners and installed packages say where a check is implemented, not what failed.

use super::model::Location;

/// The place that a trace of any of the languages names. The innermost frame stands first in JavaScript and Java, and
/// last in Python.
pub fn innermost(trace: &str) -> Option<Location> {
    let lines = || trace.lines().map(str::trim);
    lines()
        .find_map(javascript)
        .or_else(|| lines().find_map(java))
        .or_else(|| lines().rev().find_map(python))
        .or_else(|| lines().find_map(panic))
}

/// The first JavaScript frame of the project.
pub fn innermost_javascript(trace: &str) -> Option<Location> {
    trace.lines().map(str::trim).find_map(javascript)
}

/// `at Cart.total (/project/src/cart.js:12:5)`, `at file:///project/cart.mjs:3:1`, `❯ src/cart.test.ts:3:1`
fn javascript(line: &str) -> Option<Location> {
    let frame = line.strip_prefix("at ").or_else(|| line.strip_prefix("❯ "))?;
    let (function, place) = match frame.rsplit_once('(') {
        Some((function, place)) => (Some(function.trim()), place.strip_suffix(')')?),
        None => match frame.rsplit_once(' ').filter(|_| line.starts_with('❯') || frame.starts_with("async "))
        {
            Some((function, place)) => (Some(function), place),
            None => (None, frame),
        },
    };
    let (file, line) = file_line_column(place)?;
    let foreign =
        file.starts_with("node:") || file.contains("node_modules/") || file.starts_with("internal/");
    if foreign || file.contains('<') || file.contains("/.yarn/") {
        return None;
    }
    let function = function.map(|name| name.strip_prefix("async ").unwrap_or(name));
    let function =
        function.filter(|name| !matches!(*name, "" | "async" | "<anonymous>" | "Object.<anonymous>"));
    let file = file.strip_prefix("file://").unwrap_or(file);
    Some(Location { file: file.to_owned(), line: Some(line), function: function.map(str::to_owned) })
}

/// `path:12:5`
fn file_line_column(place: &str) -> Option<(&str, u32)> {
    let (place, column) = place.rsplit_once(':')?;
    column.parse::<u32>().ok()?;
    let (file, line) = place.rsplit_once(':')?;
    (!file.is_empty()).then_some((file, line.parse().ok()?))
}

const JAVA_FOREIGN: &[&str] = &[
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "org.junit.",
    "junit.",
    "org.testng.",
    "org.opentest4j.",
    "org.apache.maven.",
    "org.gradle.",
    "worker.org.gradle.",
    "org.hamcrest.",
    "org.assertj.",
    "org.mockito.",
    "kotlin.",
    "groovy.",
    "org.codehaus.groovy.",
    "org.spockframework.",
];

/// `at com.acme.CartTest.adds(CartTest.java:12)`, perhaps with `module@version/` or a loader before the class.
fn java(line: &str) -> Option<Location> {
    let (method, place) = line.strip_prefix("at ")?.strip_suffix(')')?.split_once('(')?;
    let (file, number) = place.rsplit_once(':')?;
    let number = number.parse().ok()?;
    let method = method.rsplit_once('/').map_or(method, |(_, method)| method);
    if JAVA_FOREIGN.iter().any(|package| method.starts_with(package)) || file.contains('/') {
        return None;
    }
    let (class, function) = method.rsplit_once('.')?;
    let folder = class.rsplit_once('.').map_or(String::new(), |(package, _)| package.replace('.', "/") + "/");
    Some(Location { file: folder + file, line: Some(number), function: Some(function.to_owned()) })
}

/// `File "/project/tests/test_cart.py", line 12, in test_total`, and pytest's `tests/test_cart.py:12: ValueError`.
fn python(line: &str) -> Option<Location> {
    let (file, number, function) = if let Some(rest) = line.strip_prefix("File \"") {
        let (file, rest) = rest.split_once("\", line ")?;
        let (number, function) = match rest.split_once(", in ") {
            Some((number, function)) => (number, Some(function)),
            None => (rest, None),
        };
        (file, number, function)
    } else {
        let (file, rest) = line.split_once(".py:").map(|(file, rest)| (&line[..file.len() + 3], rest))?;
        (file, rest.split_once(':')?.0, None)
    };
    let foreign = ["site-packages/", "dist-packages/", "/lib/python", "<"];
    if file.contains(' ') || foreign.iter().any(|part| file.contains(part)) {
        return None;
    }
    let function = function.map(str::to_owned);
    Some(Location { file: file.to_owned(), line: Some(number.trim().parse().ok()?), function })
}

/// `thread 'tests::adds' panicked at src/lib.rs:12:5:`
fn panic(line: &str) -> Option<Location> {
    let (_, place) = line.split_once(" panicked at ")?;
    let place = place.rsplit_once(", ").map_or(place, |(_, place)| place);
    let (file, line) = file_line_column(place.trim_end_matches(':'))?;
    let foreign = file.starts_with("/rustc/") || file.contains("/registry/src/");
    (!foreign).then(|| Location { file: file.to_owned(), line: Some(line), function: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(trace: &str) -> Option<String> {
        innermost(trace).map(|at| {
            format!("{}:{} {}", at.file, at.line.unwrap_or(0), at.function.unwrap_or_default())
                .trim_end()
                .to_owned()
        })
    }

    #[test]
    fn frames_of_node_and_of_packages_are_passed_over() {
        let trace = "Error: no\n    at node:internal/x:1:1\n    at check (/project/node_modules/chai/i.js:1:2)\n    \
                     at async Cart.total (file:///project/src/cart.js:12:5)\n    at /project/other.js:1:1";
        assert_eq!(place(trace).as_deref(), Some("/project/src/cart.js:12 Cart.total"));
        assert_eq!(
            place("at Object.<anonymous> (/project/a.test.js:3:9)").as_deref(),
            Some("/project/a.test.js:3")
        );
        assert_eq!(place(" ❯ src/cart.test.ts:3:17").as_deref(), Some("src/cart.test.ts:3"));
    }

    #[test]
    fn java_frames_name_the_file_below_its_package() {
        let trace = "org.opentest4j.AssertionFailedError: x\n\tat org.junit.jupiter.api.A.fail(A.java:1)\n\t\
                     at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)\n\t\
                     at app//com.acme.CartTest.adds(CartTest.java:12)\n\tat com.acme.Other.x(Other.java:1)";
        assert_eq!(place(trace).as_deref(), Some("com/acme/CartTest.java:12 adds"));
        assert_eq!(place("at jdk.internal.X.y(Native Method)"), None);
    }

    #[test]
    fn the_last_python_frame_is_the_innermost() {
        let trace = "tests/test_cart.py:9: \n_ _ _\nsrc/cart.py:3: ValueError";
        assert_eq!(place(trace).as_deref(), Some("src/cart.py:3"));
        let trace = "Traceback\n  File \"/project/test_a.py\", line 4, in test_a\n  \
                     File \"/usr/lib/python3.11/json.py\", line 1, in load";
        assert_eq!(place(trace).as_deref(), Some("/project/test_a.py:4 test_a"));
    }

    #[test]
    fn panics_name_their_place() {
        let trace = "thread 'tests::adds' panicked at src/lib.rs:12:5:\nassertion failed";
        assert_eq!(place(trace).as_deref(), Some("src/lib.rs:12"));
    }
}
