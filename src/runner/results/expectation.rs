//! What was expected and what was there instead, as the messages of checks state it.

/// Expected and actual, where the message has a form that is known.
pub fn expectation(message: &str) -> Option<(String, String)> {
    java(message).or_else(|| lines(message)).or_else(|| python(message))
}

/// `expected: <3> but was: <4>` (JUnit 5), `expected:<3> but was:<4>` (JUnit 4), `expected [3] but found [4]` (TestNG)
fn java(message: &str) -> Option<(String, String)> {
    let at = message.find("expected")?;
    let rest = message[at + "expected".len()..].trim_start_matches([':', ' ']);
    let split = rest.split_once(" but was: ").or_else(|| rest.split_once(" but was:"));
    let (expected, actual) = split.or_else(|| rest.split_once(" but found "))?;
    if expected.contains('\n') && !expected.starts_with('<') {
        return None;
    }
    Some((unwrapped(expected), unwrapped(actual)))
}

fn unwrapped(value: &str) -> String {
    let value = value.trim();
    let pairs = [('<', '>'), ('[', ']')];
    let inner = pairs.iter().find_map(|&(open, close)| value.strip_prefix(open)?.strip_suffix(close));
    inner.unwrap_or(value).to_owned()
}

/// A line `expected: 3` and a line `but was: 4` (AssertJ), `actual: 4` or `received: 4`.
fn lines(message: &str) -> Option<(String, String)> {
    let value = |labels: &[&str]| {
        message.lines().map(str::trim).find_map(|line| {
            let label = labels.iter().find(|label| {
                line.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label))
            })?;
            Some(line[label.len()..].trim().to_owned())
        })
    };
    Some((value(&["expected:"])?, value(&["but was:", "actual:", "received:"])?))
}

/// `assert 3 == 4` of pytest, with what was there on the left; `3 != 4` of unittest.
fn python(message: &str) -> Option<(String, String)> {
    // Behind a message of the test's own, pytest repeats the check.
    let check = message.lines().find(|line| line.starts_with("assert "));
    let line = check.or_else(|| message.lines().next())?;
    let line = line.split_once("Error: ").filter(|_| check.is_none()).map_or(line, |(_, rest)| rest);
    // `Lists differ: [0] != [2]`
    let line =
        line.split_once(" differ: ").filter(|(sort, _)| !sort.contains(' ')).map_or(line, |(_, rest)| rest);
    match line.strip_prefix("assert ") {
        Some(compared) => {
            let (actual, expected) = compared.split_once(" == ")?;
            Some((expected.to_owned(), actual.to_owned()))
        }
        None => {
            let (actual, expected) = line.split_once(" != ")?;
            let expected = expected.split_once(" : ").map_or(expected, |(value, _)| value);
            Some((expected.to_owned(), actual.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_java() {
        let pair = |expected: &str, actual: &str| Some((expected.to_owned(), actual.to_owned()));
        assert_eq!(expectation("sum ==> expected: <3> but was: <4>"), pair("3", "4"));
        assert_eq!(expectation("expected:<[a]b> but was:<[c]b>"), pair("[a]b", "[c]b"));
        assert_eq!(expectation("expected [3] but found [4]"), pair("3", "4"));
        assert_eq!(expectation("\nexpected: 3\n but was: 4"), pair("3", "4"));
    }

    #[test]
    fn the_forms_of_python() {
        let pair = |expected: &str, actual: &str| Some((expected.to_owned(), actual.to_owned()));
        assert_eq!(expectation("assert 3 == 4\n +  where 3 = f()"), pair("4", "3"));
        assert_eq!(expectation("AssertionError: 3 != 4 : the total"), pair("4", "3"));
        assert_eq!(expectation("AssertionError: the total\nassert 1 == 2"), pair("2", "1"));
        assert_eq!(expectation("AssertionError: Lists differ: [0] != [2]\n\nFirst"), pair("[2]", "[0]"));
        assert_eq!(expectation("nothing was expected here"), None);
    }
}
