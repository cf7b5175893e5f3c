//! Conditions of GitHub's jobs and steps: whether they can hold at all, and on which changes.
//!
//! A condition is tried on a push to each of the usual main branches, on a pull request to each and in the queue of
//! each. What only a run can tell stays open, and an open condition may hold.

use super::expression::{Condition, FORK, Token, tokens};

/// Names that projects give the branch everything goes to.
pub const MAIN: &[&str] = &[
    "main",
    "master",
    "develop",
    "development",
    "dev",
    "devel",
    "trunk",
    "default",
    "next",
    "canary",
    "stable",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    Maybe,
    /// On no push to a main branch, on no pull request and in no queue.
    NeverOnChanges,
    Never,
}

/// Events that stand for a change.
const EVENTS: [&str; 4] = ["push", "pull_request", "pull_request_target", "merge_group"];

pub fn holds(text: &str) -> Holds {
    let condition = Condition::of(text);
    if condition.answer(None) == Some(false) {
        return Holds::Never;
    }
    match EVENTS.iter().all(|event| condition.is_never_on(event)) {
        true => Holds::NeverOnChanges,
        false => Holds::Maybe,
    }
}

/// What a condition leaves out of what is asked to be merged, as far as these events are what starts a workflow.
pub fn leaves_out_changes(text: &str, events: &[&str]) -> Option<LeftOut> {
    let condition = Condition::of(text);
    let never = |event: &&str| condition.is_never_on(event);
    let pulls = events.iter().filter(|event| event.starts_with("pull_request"));
    // What comes from the repository itself may be left out because its push is looked at.
    let (from_here, from_outside) = (pulls.clone().any(never), never(&FORK) && pulls.count() > 0);
    match () {
        () if from_here && from_outside => Some(LeftOut::Pulls),
        () if events.iter().filter(|event| **event == "merge_group").any(never) => Some(LeftOut::Queue),
        () if from_outside => Some(LeftOut::Forks),
        () => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    Pulls,
    /// What waits to be merged, and was looked at before.
    Queue,
    /// What comes from copies of the repository that others own.
    Forks,
}

/// Whether a condition leaves out systems or rows of the matrix by name: `runner.os != 'Windows'`, or keeps to one.
pub fn leaves_out_rows(text: &str) -> bool {
    let is_row = |name: &str| name.starts_with("runner.") || name.starts_with("matrix.");
    let tokens = tokens(text.trim().trim_start_matches("${{").trim_end_matches("}}").trim());
    let negated = |three: &[Token]| match three {
        [Token::Word(name), Token::Mark("!=" | "=="), Token::Text(_)] => is_row(name),
        _ => false,
    };
    let without = |four: &[Token]| match four {
        [Token::Mark("!"), Token::Word(call), Token::Mark("("), Token::Word(name)] => {
            is_row(name) && matches!(call.to_lowercase().as_str(), "contains" | "startswith" | "endswith")
        }
        _ => false,
    };
    let unequal = |five: &[Token]| match five {
        [Token::Word(call), Token::Mark("("), Token::Word(name), Token::Mark(","), Token::Text(_)] => {
            call == "ne" && is_row(name)
        }
        _ => false,
    };
    // With another way to hold, nothing is left out for sure.
    let mut depth = 0_i64;
    let has_other_way = tokens.iter().any(|token| {
        depth += i64::from(*token == Token::Mark("(")) - i64::from(*token == Token::Mark(")"));
        *token == Token::Mark("||") && depth == 0
    });
    let is_left_out =
        || tokens.windows(3).any(negated) || tokens.windows(4).any(without) || tokens.windows(5).any(unequal);
    !has_other_way && is_left_out()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn conditions_that_cannot_hold_are_told() {
        for (text, expected) in [
            ("false", Holds::Never),
            ("${{ false && github.ref == 'x' }}", Holds::Never),
            ("'a' == 'b'", Holds::Never),
            ("1 == 2", Holds::Never),
            ("github.ref == 'refs/heads/never'", Holds::NeverOnChanges),
            ("github.event_name == 'schedule'", Holds::NeverOnChanges),
            ("startsWith(github.ref, 'refs/tags/') && matrix.a", Holds::NeverOnChanges),
            ("failure()", Holds::NeverOnChanges),
            ("!success()", Holds::NeverOnChanges),
            ("success()", Holds::Maybe),
            ("contains('ABC', 'b')", Holds::Maybe),
            ("!contains('ABC', 'b') || !startsWith('Ab', 'aB') || !endsWith('Ab', 'B')", Holds::Never),
            ("github.event_name == 'merge_group'", Holds::Maybe),
            ("github.event_name == 'pull_request_target' && github.base_ref == 'main'", Holds::Maybe),
            ("github.event_name == 'merge_group' && github.base_ref == 'main'", Holds::NeverOnChanges),
            ("github.ref == 'refs/heads/main'", Holds::Maybe),
            ("github.ref == 'refs/heads/master' || vars.ALL", Holds::Maybe),
            ("github.event_name != 'pull_request'", Holds::Maybe),
            ("github.repository == 'a/b'", Holds::Maybe),
            ("!cancelled() && needs.changes.outputs.code == 'true'", Holds::Maybe),
            ("always()", Holds::Maybe),
            ("", Holds::Maybe),
            ("never", Holds::Maybe),
        ] {
            assert_eq!(holds(text), expected, "{text}");
        }
    }

    #[test]
    fn rows_that_a_condition_leaves_out_are_told() {
        for (text, expected) in [
            ("runner.os != 'Windows'", true),
            ("${{ matrix.os != 'windows-latest' && github.ref == 'x' }}", true),
            ("(steps.a.outputs.b == 'true' || steps.c.outputs.d) && runner.os != 'Windows'", true),
            ("!contains(matrix.os, 'windows')", true),
            ("runner.os == 'Linux'", true),
            ("runner.os != 'Windows' || matrix.all", false),
            ("steps.changes.outputs.src != 'false'", false),
            ("", false),
        ] {
            assert_eq!(leaves_out_rows(text), expected, "{text}");
        }
    }

    #[test]
    fn events_that_a_condition_leaves_out_are_told() {
        let events = ["push", "pull_request", "merge_group"];
        for (text, expected) in [
            ("github.event_name != 'pull_request'", Some(LeftOut::Pulls)),
            ("github.event_name == 'push'", Some(LeftOut::Pulls)),
            ("github.ref == 'refs/heads/main' && matrix.a", Some(LeftOut::Pulls)),
            ("github.event_name != 'merge_group'", Some(LeftOut::Queue)),
            ("github.event.pull_request.head.repo.full_name == github.repository", Some(LeftOut::Forks)),
            ("!github.event.pull_request.head.repo.fork", Some(LeftOut::Forks)),
            (
                "github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name != github.repository",
                None,
            ),
            ("github.repository == 'a/b'", None),
            ("startsWith(github.repository, 'a/')", None),
            ("github.event_name != 'pull_request' || matrix.fast", None),
            ("matrix.os == 'x'", None),
            ("", None),
        ] {
            assert_eq!(leaves_out_changes(text, &events), expected, "{text}");
        }
        assert_eq!(leaves_out_changes("github.event_name != 'merge_group'", &["push"]), None);
        assert_eq!(
            leaves_out_changes("ne(variables.Build.Reason, 'PullRequest')", &events),
            Some(LeftOut::Pulls)
        );
        assert_eq!(
            leaves_out_changes("and(succeeded(), eq(variables.Build.Reason, 'PullRequest'))", &events[..2]),
            None
        );
    }

    #[test]
    fn conditions_that_go_too_deep_stay_open() {
        for depth in [38, 39, 40, 60, 150] {
            for end in ["f(x)", "f(x, y) && false", "(f(x)"] {
                let text = format!("${{{{ {}{end} }}}}", "!".repeat(depth));
                let expected = if depth < 39 && end.ends_with("false") { Holds::Never } else { Holds::Maybe };
                assert_eq!(holds(&text), expected, "{text}");
            }
            assert_eq!(holds(&format!("{}f(x){}", "f(".repeat(depth), ")".repeat(depth))), Holds::Maybe);
        }
        assert_eq!(holds(&format!("false{}", " && a".repeat(200))), Holds::Maybe);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r"[a !=&|()',.<>é$-]{0,40}") {
            holds(&text);
        }
    }
}
