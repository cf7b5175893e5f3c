//! Which tests of a parent a merge answers for. Pure.
//!
//! What another parent did since the two parted was judged when it was committed. A merge is to blame only for what it
//! loses beyond that.

use crate::facts::{Assertion, Skip, Test};

/// The tests of one file as another parent has it, and as it was in every place where the two parted.
#[derive(Default)]
pub struct Other {
    pub tests: Vec<Test>,
    pub forks: Vec<Vec<Test>>,
}

impl Other {
    fn fork(&self, wanted: &Test) -> Option<&Test> {
        self.forks.iter().find_map(|tests| find(tests, wanted))
    }
}

/// Leaves out of both sides what the other parent took away or changed on purpose.
pub fn keep_expected(before: &mut Vec<Test>, after: &mut Vec<Test>, other: &Other) {
    before.retain_mut(|test| {
        let (Some(fork), theirs) = (other.fork(test), find(&other.tests, test)) else { return true };
        // Gone from theirs though the fork had it: their removal.
        let Some(theirs) = theirs else { return false };
        if is_same(fork, theirs) {
            return true;
        }
        // Changed by them alone, or taken over from them: judged from their side.
        if is_same(fork, test) || find(after, test).is_some_and(|result| is_same(result, theirs)) {
            after.retain(|result| !is_called(result, theirs));
            return false;
        }
        if theirs.skip.is_some() && fork.skip.is_none() {
            test.skip.clone_from(&theirs.skip);
        }
        true
    });
}

/// Leaves out of the result what the other parent brought: it cannot stand in for what this one lost.
pub fn leave_out_brought(ours: &[Test], after: &mut Vec<Test>, other: &Other) {
    after.retain(|test| find(ours, test).is_some() || find(&other.tests, test).is_none());
}

fn find<'a>(tests: &'a [Test], wanted: &Test) -> Option<&'a Test> {
    tests.iter().find(|test| is_called(test, wanted))
}

fn is_called(test: &Test, other: &Test) -> bool {
    test.name == other.name && test.suite == other.suite
}

/// Whether two tests say the same, wherever their lines are.
fn is_same(a: &Test, b: &Test) -> bool {
    let mark = |skip: &Skip| (skip.kind, skip.mark.clone());
    let marks = |skips: &[Skip]| skips.iter().map(mark).collect::<Vec<_>>();
    let texts = |checks: &[Assertion]| checks.iter().map(|check| check.text.clone()).collect::<Vec<_>>();
    a.body == b.body
        && a.words == b.words
        && a.cases == b.cases
        && a.skip.as_ref().map(mark) == b.skip.as_ref().map(mark)
        && marks(&a.conditions) == marks(&b.conditions)
        && texts(&a.assertions) == texts(&b.assertions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::{Source, analyze};

    fn tests(names: &[&str]) -> Vec<Test> {
        let text: String = names.iter().map(|name| format!("def {name}():\n    assert {name}\n\n")).collect();
        analyze(Source { path: "test_x.py", text: text.as_bytes() }).tests
    }

    fn expected(ours: &[&str], theirs: &[&str], fork: &[&str]) -> Vec<String> {
        let other = Other { tests: tests(theirs), forks: vec![tests(fork)] };
        let mut before = tests(ours);
        keep_expected(&mut before, &mut Vec::new(), &other);
        before.into_iter().map(|test| test.name).collect()
    }

    #[test]
    fn what_nobody_took_away_is_expected() {
        let kept = expected(&["test_a", "test_b"], &["test_a", "test_c"], &["test_a"]);
        assert_eq!(kept, ["test_a", "test_b"]);
    }

    #[test]
    fn a_removal_by_the_other_parent_is_not_expected_back() {
        assert_eq!(expected(&["test_a", "test_b"], &["test_a"], &["test_a", "test_b"]), ["test_a"]);
    }

    #[test]
    fn in_crossed_histories_one_place_that_had_the_test_is_enough() {
        let forks = vec![tests(&["test_a"]), tests(&["test_a", "test_b"])];
        let mut before = tests(&["test_a", "test_b"]);
        keep_expected(&mut before, &mut Vec::new(), &Other { tests: tests(&["test_a"]), forks });
        assert_eq!(before.len(), 1);
    }

    #[test]
    fn what_the_other_parent_brought_stands_in_for_nothing() {
        let mut after = tests(&["test_a", "test_theirs", "test_new"]);
        let other = Other { tests: tests(&["test_a", "test_theirs"]), forks: Vec::new() };
        leave_out_brought(&tests(&["test_a"]), &mut after, &other);
        assert_eq!(after.iter().map(|test| test.name.as_str()).collect::<Vec<_>>(), ["test_a", "test_new"]);
    }
}
