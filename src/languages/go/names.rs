//! Names that frameworks give meaning to, as data, and the rules for prefixes of names.

/// Types that stand for the running test where a pointer to them is passed; `R` is of consul's `retry`.
pub(super) const POINTED_HANDLES: &[&str] = &["T", "B", "F", "C", "R", "CollectT"];

/// Interfaces that stand for the running test.
pub(super) const HANDLE_TYPES: &[&str] =
    &["TB", "TestingT", "TestingTB", "GinkgoTInterface", "FullGinkgoTInterface"];

/// Types whose methods are checks: testify's, matryer/is's, gomega's.
pub(super) const CHECKER_TYPES: &[&str] = &["Assertions", "I", "Gomega", "WithT", "GomegaWithT"];

/// Packages whose functions, or whose `New` results' methods, are checks.
pub(super) const CHECK_PACKAGES: &[&str] =
    &["assert", "require", "must", "quicktest", "qt", "is", "td", "expect"];

/// Functions of gomega that bind its methods to a test.
pub(super) const GOMEGA_MAKERS: &[&str] = &["NewWithT", "NewGomegaWithT", "NewGomega"];

pub(super) const SKIPS: &[&str] = &["Skip", "Skipf", "SkipNow"];

/// Methods of `testing.T` that make a test fail.
pub(super) const FAILURES: &[&str] = &["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"];

/// Methods of gocheck's and quicktest's `C`.
pub(super) const C_CHECKS: &[&str] = &["Assert", "Check"];

/// Starts and ends of a gomega chain.
pub(super) const GOMEGA_STARTS: &[&str] = &[
    "Expect",
    "Ω",
    "Eventually",
    "Consistently",
    "ExpectWithOffset",
    "EventuallyWithOffset",
    "ConsistentlyWithOffset",
];
pub(super) const GOMEGA_ENDS: &[&str] = &["To", "NotTo", "ToNot", "Should", "ShouldNot"];

/// Fixtures that run before each test of a suite, in testify and gocheck.
pub(super) const FIXTURES: &[&str] = &["SetupSuite", "SetupTest", "BeforeTest", "SetUpSuite", "SetUpTest"];

/// Words of build tags that nobody sets.
pub(super) const NEVER_TAGS: &[&str] = &["ignore", "ignored", "never", "disabled", "skip", "none", "exclude"];

/// Fields of a table row that take the row out; `disabled` is more often an input of the code under test.
pub(super) const ROW_SKIPS: &[&str] = &["skip", "Skip", "skipped", "Skipped"];

/// testify's assertion methods; each has a formatting sister with an `f` at its end.
const TESTIFY: &[&str] = &[
    "Condition",
    "Contains",
    "DirExists",
    "ElementsMatch",
    "Empty",
    "Equal",
    "EqualError",
    "EqualExportedValues",
    "EqualValues",
    "Error",
    "ErrorAs",
    "ErrorContains",
    "ErrorIs",
    "Eventually",
    "EventuallyWithT",
    "Exactly",
    "Fail",
    "FailNow",
    "False",
    "FileExists",
    "Greater",
    "GreaterOrEqual",
    "HTTPBodyContains",
    "HTTPBodyNotContains",
    "HTTPError",
    "HTTPRedirect",
    "HTTPStatusCode",
    "HTTPSuccess",
    "Implements",
    "InDelta",
    "InDeltaMapValues",
    "InDeltaSlice",
    "InEpsilon",
    "InEpsilonSlice",
    "IsDecreasing",
    "IsIncreasing",
    "IsNonDecreasing",
    "IsNonIncreasing",
    "IsNotType",
    "IsType",
    "JSONEq",
    "Len",
    "Less",
    "LessOrEqual",
    "Negative",
    "Never",
    "Nil",
    "NoDirExists",
    "NoError",
    "NoFileExists",
    "NotContains",
    "NotElementsMatch",
    "NotEmpty",
    "NotEqual",
    "NotEqualValues",
    "NotErrorAs",
    "NotErrorIs",
    "NotImplements",
    "NotNil",
    "NotPanics",
    "NotRegexp",
    "NotSame",
    "NotSubset",
    "NotZero",
    "Panics",
    "PanicsWithError",
    "PanicsWithValue",
    "Positive",
    "Regexp",
    "Same",
    "Subset",
    "True",
    "WithinDuration",
    "WithinRange",
    "YAMLEq",
    "Zero",
];

/// The same in home-made helper packages: `testutil.Ok(t, err)`.
const HOME_MADE: &[&str] = &["Ok", "NotOk", "Equals", "NoErr", "ErrorEqual", "DeepEqual"];

const CHECK_WORDS: &[&str] = &["assert", "require", "expect", "check", "verify", "ensure"];

/// Helpers that skip unless the environment has something.
const SKIP_WORDS: &[&str] = &["skip", "skips", "needs", "requires", "mustHave"];

pub(super) fn is_testify_check(name: &str) -> bool {
    let known = |name: &str| TESTIFY.binary_search(&name).is_ok();
    known(name) || name.strip_suffix('f').is_some_and(known)
}

/// `assertEqual`, `CheckGolden`, `testutil.Ok`: a check if it is given the test.
pub(super) fn is_check_helper(name: &str) -> bool {
    starts_with_word(name, CHECK_WORDS) || is_testify_check(name) || HOME_MADE.contains(&name)
}

pub(super) fn is_assert_helper(name: &str) -> bool {
    starts_with_word(name, &["assert"])
}

pub(super) fn is_skip_helper(name: &str) -> bool {
    starts_with_word(name, SKIP_WORDS)
}

/// Functions of assertion packages that check nothing by themselves.
pub(super) fn is_no_check(name: &str) -> bool {
    !name.starts_with(char::is_uppercase)
        || name.starts_with("New")
        || name.starts_with("ObjectsAre")
        || matches!(name, "ObjectsExportedFieldsAreEqual" | "CallerInfo" | "Run" | "Helper" | "Log" | "Logf")
        || GOMEGA_STARTS.contains(&name)
}

/// Whether `go test` takes `name` for a test of this prefix: no lower-case letter may follow.
pub(super) fn is_test_name(name: &str, prefix: &str) -> bool {
    let rest = name.strip_prefix(prefix);
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

/// Whether the name's first word, in camel case and whatever the case of its first letter, is one of `words`.
fn starts_with_word(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        let (Some(head), Some(rest)) = (name.get(..word.len()), name.get(word.len()..)) else { return false };
        let same = head.get(..1).is_some_and(|first| first.eq_ignore_ascii_case(&word[..1]))
            && head.get(1..) == word.get(1..);
        same && !rest.starts_with(char::is_lowercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_testify_is_sorted() {
        assert!(TESTIFY.is_sorted());
    }

    #[test]
    fn words_end_where_camel_case_says() {
        assert!(
            is_skip_helper("skipIfNoDocker") && is_skip_helper("SkipOnWindows") && is_skip_helper("skip")
        );
        assert!(!is_skip_helper("skipper") && !is_skip_helper("needles"));
        assert!(is_check_helper("assertNoErr") && !is_check_helper("checkout"));
    }
}
