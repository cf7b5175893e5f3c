//! "Did you mean": the known name nearest to a mistyped one.

/// Names longer than this are no typing mistakes, and comparing them would only cost time.
const LONGEST: usize = 64;

/// The candidate that differs least from `name`, if it differs little.
pub fn nearest<'c>(name: &str, candidates: &[&'c str]) -> Option<&'c str> {
    if name.len() > LONGEST {
        return None;
    }
    let fold = |name: &str| name.to_lowercase().replace('_', "-");
    let name = fold(name);
    let scored = candidates.iter().map(|candidate| (distance(&name, &fold(candidate)), *candidate));
    let (distance, candidate) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= candidate.len().div_ceil(4)).then_some(candidate)
}

/// How many characters must be put in, taken out or replaced to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (taken, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = taken + 1;
        for (at, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["test-removed", "test-skipped", "profile"];
        assert_eq!(nearest("test-skiped", &names), Some("test-skipped"));
        assert_eq!(nearest("test_removed", &names), Some("test-removed"));
        assert_eq!(nearest("Profile", &names), Some("profile"));
        assert_eq!(nearest("go-test", &["go_test", "junit"]), Some("go_test"));
    }

    #[test]
    fn quiet_where_nothing_is_near() {
        assert_eq!(nearest("suites", &["version", "profile"]), None);
        assert_eq!(nearest("", &["version"]), None);
        assert_eq!(nearest(&"x".repeat(10_000), &["version"]), None);
        assert_eq!(nearest("version", &[]), None);
    }
}
