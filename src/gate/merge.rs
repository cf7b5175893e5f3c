//! What a merge should be compared with: everything its parents have, less what one of them took away on purpose.
//!
//! Each parent's own work was judged when it was committed. A merge is to blame only for what it loses beyond that.

use crate::facts::{FileFacts, Test};

/// One file as another parent has it, and as it was where that parent parted from the first.
pub struct OtherSide {
    pub theirs: Option<FileFacts>,
    pub fork: Option<FileFacts>,
}

/// The before side of one file of a merge, given the first parent's facts.
pub fn expected(ours: FileFacts, others: &[OtherSide]) -> FileFacts {
    let mut expected = ours;
    for other in others {
        let fork_tests = tests(other.fork.as_ref());
        let their_tests = tests(other.theirs.as_ref());
        // Gone from theirs though the fork had it: their removal, judged in their commit.
        expected.tests.retain(|test| find(their_tests, test).is_some() || find(fork_tests, test).is_none());
        for test in &mut expected.tests {
            let (theirs, fork) = (find(their_tests, test), find(fork_tests, test));
            if let (Some(theirs), Some(fork)) = (theirs, fork)
                && theirs.skip.is_some()
                && fork.skip.is_none()
            {
                test.skip = theirs.skip.clone();
            }
        }
        // Only in theirs: their addition, unless the first parent took it away since the fork.
        let new = their_tests
            .iter()
            .filter(|test| find(&expected.tests, test).is_none() && find(fork_tests, test).is_none());
        let new: Vec<Test> = new.cloned().collect();
        expected.tests.extend(new);
    }
    expected
}

fn tests(facts: Option<&FileFacts>) -> &[Test] {
    facts.map_or(&[], |facts| &facts.tests)
}

fn find<'a>(tests: &'a [Test], wanted: &Test) -> Option<&'a Test> {
    tests.iter().find(|test| test.name == wanted.name && test.suite == wanted.suite)
}

#[cfg(test)]
mod tests_of_expected {
    use super::*;
    use crate::languages::{Source, analyze};

    fn facts(names: &[&str]) -> FileFacts {
        let text: String = names.iter().map(|name| format!("def {name}():\n    assert {name}\n\n")).collect();
        analyze(Source { path: "test_x.py", text: text.as_bytes() })
    }

    fn names(facts: &FileFacts) -> Vec<&str> {
        facts.tests.iter().map(|test| test.name.as_str()).collect()
    }

    fn expected_names(ours: &[&str], theirs: &[&str], fork: &[&str]) -> Vec<String> {
        let other = OtherSide { theirs: Some(facts(theirs)), fork: Some(facts(fork)) };
        names(&expected(facts(ours), &[other])).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn both_additions_are_expected() {
        assert_eq!(
            expected_names(&["test_a", "test_b"], &["test_a", "test_c"], &["test_a"]),
            ["test_a", "test_b", "test_c"]
        );
    }

    #[test]
    fn a_removal_on_either_side_is_not_expected_back() {
        assert_eq!(expected_names(&["test_a", "test_b"], &["test_a"], &["test_a", "test_b"]), ["test_a"]);
        assert_eq!(expected_names(&["test_a"], &["test_a", "test_b"], &["test_a", "test_b"]), ["test_a"]);
    }
}
