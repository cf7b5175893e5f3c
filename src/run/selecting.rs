//! Variables by which someone leaves tests out without touching a command.

/// What such a variable holds when it does.
struct Row {
    variable: &'static str,
    /// Words of its value that choose among tests; empty where any value may.
    words: &'static [&'static str],
}

const TABLE: [Row; 3] = [
    Row { variable: "PYTEST_ADDOPTS", words: &[] },
    Row { variable: "MAVEN_ARGS", words: &["-Dtest", "-Dgroups", "-DskipTests", "-Dmaven.test.skip"] },
    Row { variable: "GOFLAGS", words: &["-run", "-skip", "-short", "--run", "--skip", "--short"] },
];

/// The variables of these that choose among tests, by what `value` says they hold.
pub fn selecting(value: impl Fn(&str) -> Option<String>) -> Vec<&'static str> {
    let chooses = |row: &&Row| {
        let held = value(row.variable).unwrap_or_default();
        let mut words = held.split_whitespace();
        if row.words.is_empty() { words.next().is_some() } else { words.any(|word| starts(word, row.words)) }
    };
    TABLE.iter().filter(chooses).map(|row| row.variable).collect()
}

fn starts(word: &str, known: &[&str]) -> bool {
    known
        .iter()
        .any(|start| word.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variable: &str, value: &str) -> bool {
        !selecting(|name| (name == variable).then(|| value.to_owned())).is_empty()
    }

    #[test]
    fn only_what_chooses_among_tests_counts() {
        for (variable, value, expected) in [
            ("PYTEST_ADDOPTS", "-k one", true),
            ("PYTEST_ADDOPTS", " ", false),
            ("GOFLAGS", "-mod=vendor", false),
            ("GOFLAGS", "-mod=vendor -run=TestA", true),
            ("GOFLAGS", "-runtime", false),
            ("MAVEN_ARGS", "-o", false),
            ("MAVEN_ARGS", "-Dtest=ATest", true),
            ("OTHER", "-k one", false),
        ] {
            assert_eq!(found(variable, value), expected, "{variable}={value}");
        }
    }
}
