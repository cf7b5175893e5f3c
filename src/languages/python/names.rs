//! Names that frameworks and habits give to checks, skips, test cases and fixtures.

/// Calls by a bare name that check something.
const BARE_CHECKS: &[&str] = &[
    "deprecated_call",
    "eq_",
    "expect",
    "in_",
    "is_",
    "is_false",
    "is_not_",
    "is_true",
    "ne_",
    "not_in_",
    "ok_",
    "raises",
    "warns",
    "RaisesGroup",
];

/// Functions of `pytest` that check something.
const PYTEST_CHECKS: &[&str] = &["deprecated_call", "fail", "raises", "warns", "RaisesGroup"];

/// Methods of any object that check something.
const METHOD_CHECKS: &[&str] =
    &["fnmatch_lines", "fnmatch_lines_random", "no_fnmatch_line", "no_re_match_line", "re_match_lines"];

/// Starts of names that check, whoever has them.
const CHECK_STARTS: &[&str] = &[
    "ExpectLog",
    "expect_deprecat",
    "expect_log",
    "expect_raises",
    "expect_warn",
    "failIf",
    "failUnless",
    "failWith",
];

/// Words that open the name of a decorator which runs a test only somewhere.
const CONDITION_WORDS: &[&str] = &[
    "broken",
    "disabled",
    "fails",
    "if",
    "manual",
    "need",
    "needs",
    "only",
    "quarantine",
    "quarantined",
    "require",
    "required",
    "requires",
    "unless",
    "unstable",
    "xfail",
];

/// Ends of the names of classes that have to do with tests but are no test cases.
const NO_CASES: &[&str] = &[
    "Client", "Error", "Helper", "Helpers", "Loader", "Mixin", "Mixins", "Model", "Plugin", "Result",
    "Runner", "Server", "Suite", "Utils", "View",
];

/// Functions that run before each test of a class or module.
const SETUP: &[&str] = &[
    "asyncSetUp",
    "setUp",
    "setUpClass",
    "setUpModule",
    "setUpTestData",
    "setup_class",
    "setup_function",
    "setup_method",
    "setup_module",
];

/// Whether a call of `name` is a check; `owner` is what stands before the dot.
pub fn is_check(name: &str, owner: Option<&str>) -> bool {
    if is_assert_name(name) || CHECK_STARTS.iter().any(|start| name.starts_with(start)) {
        return true;
    }
    match owner {
        None => BARE_CHECKS.contains(&name),
        Some("pytest" | "py.test") => PYTEST_CHECKS.contains(&name),
        Some("check") => true,
        Some("self" | "cls") if name == "fail" => true,
        Some(owner) => METHOD_CHECKS.contains(&name) || (name == "check" && owner.ends_with("regression")),
    }
}

/// `assertEqual`, `assert_called_with`, `_assert_same`, but not `assertion`.
fn is_assert_name(name: &str) -> bool {
    let rest = name.trim_start_matches('_').strip_prefix("assert");
    rest.is_some_and(|rest| {
        rest.starts_with('_') || rest.starts_with(|first: char| first.is_ascii_uppercase())
    })
}

/// Whether a decorator of this name, not known otherwise, makes a test depend on its surroundings.
pub fn is_condition(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    if name.starts_with("skip") || name.ends_with("_only") {
        return true;
    }
    let ends_word = |rest: &str| {
        rest.is_empty() || rest.starts_with('_') || rest.starts_with(|c: char| c.is_ascii_uppercase())
    };
    CONDITION_WORDS.iter().any(|word| name.strip_prefix(word).is_some_and(ends_word))
}

/// Whether a statement that calls this helper skips the test now and then.
pub fn is_skip_helper(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    ["skip_if", "skip_unless", "skipIf", "skipUnless"].iter().any(|start| name.starts_with(start))
}

/// Whether pytest collects from a class of this name: by default, or where `python_classes` says `test_*`, which nobody
/// calls a class otherwise.
pub fn is_test_class(name: &str) -> bool {
    name.starts_with("Test") || name.starts_with("test_")
}

/// Whether a base class from elsewhere is, by its name, a `unittest.TestCase`.
pub fn is_test_case(base: &str) -> bool {
    base.ends_with("TestCase")
}

/// Whether a base class from elsewhere may well be one: `BaseTest`, `fixtures.TestBase`, `CPWebCase`.
pub fn may_be_test_case(base: &str) -> bool {
    let name = base.rsplit('.').next().unwrap_or(base);
    (name.contains("Test") || name.ends_with("Case")) && !NO_CASES.iter().any(|end| name.ends_with(end))
}

pub fn is_setup(name: &str) -> bool {
    SETUP.contains(&name)
}
