//! The names that runners and assertion libraries give their functions, as data.

use crate::facts::SkipKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Test,
    Suite,
}

/// What a name says by itself: `xit` is a skipped test, `fdescribe` a focused suite.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Plain,
    Skipped,
    Focused,
}

/// Names every test file may call without importing them.
pub fn root(name: &str) -> Option<(Role, Mark)> {
    Some(match name {
        "it" | "test" | "specify" => (Role::Test, Mark::Plain),
        "xit" | "xtest" | "xspecify" => (Role::Test, Mark::Skipped),
        "fit" | "ftest" | "fspecify" => (Role::Test, Mark::Focused),
        "describe" | "context" | "suite" => (Role::Suite, Mark::Plain),
        "xdescribe" | "xcontext" | "xsuite" => (Role::Suite, Mark::Skipped),
        "fdescribe" | "fcontext" => (Role::Suite, Mark::Focused),
        // Objects that carry the functions of a runner.
        "QUnit" | "Deno" | "mocha" | "tap" => (Role::Test, Mark::Plain),
        _ => return None,
    })
}

/// What a member does to the runner it is read from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Modifier {
    /// Nothing that matters here: `concurrent`, `serial`.
    Neutral,
    Skip(SkipKind),
    Focus,
    /// Must be called before a test can be defined with it.
    Curry(Curry),
    /// Another function of the same runner: `test.describe`.
    Become(Role, Mark),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curry {
    /// `it.each(rows)`.
    Rows,
    /// `it.skipIf(condition)`.
    SkipIf,
    /// `it.runIf(condition)`.
    RunIf,
    /// Anything that gives a runner of the same kind: `test.extend({...})`, `test.prop([...])`.
    Same,
}

pub fn modifier(name: &str) -> Option<Modifier> {
    Some(match name {
        "concurrent" | "sequential" | "serial" | "parallel" | "shuffle" | "cb" | "default" | "effect"
        | "live" | "scoped" | "scopedLive" => Modifier::Neutral,
        "skip" | "todo" | "fixme" | "ignore" => Modifier::Skip(SkipKind::Unconditional),
        "fails" | "failing" | "fail" => Modifier::Skip(SkipKind::ExpectedFailure),
        "only" => Modifier::Focus,
        "each" | "for" => Modifier::Curry(Curry::Rows),
        "skipIf" => Modifier::Curry(Curry::SkipIf),
        "runIf" => Modifier::Curry(Curry::RunIf),
        "if" => Modifier::Curry(Curry::RunIf),
        "extend" | "prop" | "override" | "scope" => Modifier::Curry(Curry::Same),
        "module" => Modifier::Become(Role::Suite, Mark::Plain),
        _ => {
            let (role, mark) = root(name)?;
            Modifier::Become(role, mark)
        }
    })
}

/// Functions that run before tests; a skip inside speaks for the suite.
pub fn is_hook(name: &str) -> bool {
    matches!(name, "before" | "beforeAll" | "beforeEach" | "setup" | "suiteSetup")
}

/// Functions that run after tests.
pub fn is_teardown(name: &str) -> bool {
    matches!(name, "after" | "afterAll" | "afterEach" | "teardown" | "suiteTeardown")
}

/// Modules whose import makes a file a test file.
pub fn is_runner_module(module: &str) -> bool {
    matches!(
        module,
        "vitest"
            | "@effect/vitest"
            | "node:test"
            | "bun:test"
            | "@jest/globals"
            | "mocha"
            | "jasmine"
            | "ava"
            | "tap"
            | "tape"
            | "uvu"
            | "qunit"
            | "zora"
            | "@japa/runner"
            | "@playwright/test"
            | "playwright/test"
            | "@std/testing/bdd"
            | "jsr:@std/testing/bdd"
    )
}

/// Modules that export checks under names of their own (`strictEqual`).
pub fn is_assert_module(module: &str) -> bool {
    let module = module.strip_prefix("node:").unwrap_or(module);
    let module = module.strip_prefix("jsr:").unwrap_or(module);
    matches!(module, "assert" | "assert/strict" | "chai" | "power-assert" | "uvu/assert" | "should")
        || module.starts_with("@std/assert")
        || module.starts_with("https://deno.land/std") && module.contains("assert")
}

/// Exports of assertion libraries that check nothing.
pub fn is_assert_plumbing(name: &str) -> bool {
    matches!(name, "use" | "util" | "config" | "should" | "unimplemented" | "unreachable")
        || name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Members of `expect` that check something; the others build matchers or configure.
pub fn is_expect_check(member: &str) -> bool {
    matches!(member, "soft" | "poll" | "element" | "fail" | "unreachable" | "true" | "softly")
}

/// Links behind `expect(x)` that do nothing until they are called, or lead to others: `expect(x).toBe` checks nothing.
pub fn is_only_called(link: &str) -> bool {
    const METHODS: &[&str] = &[
        "not",
        "resolves",
        "rejects",
        "equal",
        "equals",
        "eq",
        "eql",
        "include",
        "includes",
        "contain",
        "contains",
        "throw",
        "throws",
        "match",
        "matches",
        "above",
        "below",
        "least",
        "most",
        "within",
        "property",
        "lengthOf",
        "members",
        "keys",
        "satisfy",
        "string",
        "closeTo",
        "instanceof",
    ];
    let is_matcher =
        link.strip_prefix("to").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    is_matcher || METHODS.contains(&link)
}

/// Members of `assert` that check nothing.
pub fn is_assert_setup(member: &str) -> bool {
    matches!(member, "expect" | "async" | "timeout" | "step" | "plan" | "register" | "AssertionError")
}

/// Checks on the object that a test function is given (ava, tap, tape).
pub fn is_context_check(member: &str) -> bool {
    CONTEXT_CHECKS.contains(&member)
}

/// The names of all of them.
pub fn context_checks() -> impl Iterator<Item = &'static str> {
    CONTEXT_CHECKS.iter().copied()
}

const CONTEXT_CHECKS: &[&str] = &[
    "is",
    "not",
    "ok",
    "notOk",
    "true",
    "false",
    "truthy",
    "falsy",
    "assert",
    "equal",
    "equals",
    "notEqual",
    "same",
    "notSame",
    "strictSame",
    "strictNotSame",
    "strictEqual",
    "notStrictEqual",
    "looseEqual",
    "notLooseEqual",
    "deepEqual",
    "notDeepEqual",
    "deepLooseEqual",
    "deepStrictEqual",
    "like",
    "has",
    "hasProp",
    "hasProps",
    "hasStrict",
    "notHas",
    "match",
    "notMatch",
    "doesNotMatch",
    "regex",
    "notRegex",
    "throws",
    "throwsAsync",
    "notThrows",
    "notThrowsAsync",
    "doesNotThrow",
    "rejects",
    "resolves",
    "resolveMatch",
    "error",
    "ifError",
    "type",
    "emits",
    "snapshot",
    "matchSnapshot",
    "pass",
    "fail",
];

/// Whether a function's name is a word, or the word and more in camel case: `assert`, `assertValid`.
pub fn starts_with_word(name: &str, word: &str) -> bool {
    name.strip_prefix(word)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_'))
}

/// Functions of other files that define tests, judged by name: `itWithServer`, `describeOnLinux`.
pub fn wrapper_role(name: &str) -> Option<Role> {
    let of = |words: &[&str]| words.iter().any(|word| starts_with_word(name, word));
    if of(&["it", "test", "specify", "skip", "requires", "needs"]) {
        Some(Role::Test)
    } else if of(&["describe", "context", "suite"]) {
        Some(Role::Suite)
    } else {
        None
    }
}

/// Whether a function called inside a test skips it under a condition, judged by name: `skipUnlessRoot(this)`.
pub fn may_skip(name: &str) -> bool {
    const CONDITIONS: &[&str] = &["If", "Unless", "On", "When", "Without", "Test", "Suite", "In"];
    name.strip_prefix("skip").is_some_and(|rest| CONDITIONS.iter().any(|word| starts_with_word(rest, word)))
}

/// Whether a wrapper's name says that it may skip.
pub fn says_skip(name: &str) -> bool {
    ["skip", "requires", "needs"].iter().any(|word| starts_with_word(name, word))
        || ["Skip", "If", "Unless", "Requires", "Needs", "OnlyOn", "ExceptOn"]
            .iter()
            .any(|word| name.contains(word))
}
