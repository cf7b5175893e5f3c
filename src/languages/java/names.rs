//! Names that frameworks gave a meaning: annotations, calls, exceptions.

/// What a test annotation says about the rows of its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    Plain,
    /// Rows come from source annotations.
    Parameterized,
    /// As often as the annotation says.
    Repeated,
    /// Known at run time only.
    Dynamic,
}

/// Annotations that make a method a test wherever it stands.
pub fn test_kind(name: &str) -> Option<TestKind> {
    Some(match name {
        "Test" | "ArchTest" => TestKind::Plain,
        "ParameterizedTest" => TestKind::Parameterized,
        "RepeatedTest" => TestKind::Repeated,
        "TestFactory" | "TestTemplate" | "Theory" | "CartesianTest" => TestKind::Dynamic,
        _ => return None,
    })
}

/// Annotations of property based frameworks, which share their names with much else.
pub fn property_kind(name: &str) -> Option<TestKind> {
    match name {
        "Property" => Some(TestKind::Dynamic),
        "Example" => Some(TestKind::Plain),
        _ => None,
    }
}

/// Annotations that look composed of `@Test`, such as `@IntegrationTest`.
pub fn composed_kind(name: &str) -> Option<TestKind> {
    /// Set-up, size and thread marks that stand beside a test annotation.
    const NOT_TESTS: &[&str] =
        &["BeforeTest", "AfterTest", "SmallTest", "MediumTest", "LargeTest", "FlakyTest", "UiThreadTest"];
    if !name.ends_with("Test") || name.ends_with("ForTest") || NOT_TESTS.contains(&name) {
        return None;
    }
    let many = ["Param", "Repeat", "Cartesian", "Fuzz", "Property"];
    let dynamic = many.iter().any(|word| name.contains(word));
    Some(if dynamic { TestKind::Parameterized } else { TestKind::Plain })
}

/// Annotations whose methods must be void, not static and not private to be run.
pub fn is_strict(name: &str) -> bool {
    matches!(name, "Test" | "ParameterizedTest" | "RepeatedTest")
}

/// Run before the tests of a class: what is skipped there is skipped for all of them.
pub fn is_set_up(name: &str) -> bool {
    matches!(
        name,
        "Before" | "BeforeEach" | "BeforeAll" | "BeforeClass" | "BeforeMethod" | "BeforeTest" | "BeforeSuite"
    )
}

/// TestNG's public methods of a `@Test` class that are no tests after all.
pub fn is_configuration(name: &str) -> bool {
    const OTHER: &[&str] = &["DataProvider", "Factory", "ObjectFactory", "Parameters", "Override"];
    is_set_up(name) || name.starts_with("After") || OTHER.contains(&name)
}

/// Annotations that switch a test off, whatever the environment.
pub fn is_disabling(name: &str) -> bool {
    matches!(name, "Disabled" | "Ignore" | "Suppress")
}

pub fn is_expected_failure(name: &str) -> bool {
    matches!(name, "ExpectedToFail" | "ExpectedFailure" | "NotWorking")
}

/// Annotations that switch a test off in some environments.
pub fn is_conditional(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "Enabled",
        "Disabled",
        "EnableIf",
        "DisableIf",
        "Skip",
        "Skipped",
        "Requires",
        "Require",
        "Needs",
        "IgnoreIf",
        "IgnoreOn",
        "IgnoreUnless",
        "IgnoreUntil",
        "ConditionalIgnore",
        "RunIf",
        "RunOnlyIf",
    ];
    /// Notes for static analysis, not for the runner.
    const NOT_SKIPS: &[&str] = &["RequiresApi", "RequiresPermission", "RequiresNonNull", "SkipProguard"];
    PREFIXES.iter().any(|prefix| has_prefix(name, prefix)) && !NOT_SKIPS.contains(&name) || sets_apart(name)
}

/// Whether a mark or a tag sets tests apart that are then left out of some runs: `@AndroidIncompatible`, `@Flaky`.
pub fn sets_apart(name: &str) -> bool {
    const ENDS: &[&str] =
        &["incompatible", "flaky", "flakytest", "quarantine", "quarantined", "broken", "unstable"];
    let name = name.to_ascii_lowercase();
    ENDS.iter().any(|end| name.ends_with(end))
}

/// Exceptions that end a test as skipped.
pub fn is_skip_exception(name: &str) -> bool {
    matches!(name, "SkipException" | "TestAbortedException" | "AssumptionViolatedException")
}

/// Whether `name` is `prefix`, or goes on with a new word after it.
pub fn has_prefix(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(|next: char| next.is_lowercase()))
}

/// Whether a class of this name is one that build tools run by default.
pub fn is_test_class(name: &str) -> bool {
    has_prefix(name, "Test") || ["Test", "Tests", "TestCase", "IT"].iter().any(|end| name.ends_with(end))
}

/// `TestCase`, `GWTTestCase`, `ActivityInstrumentationTestCase2`.
pub fn is_test_case(base: &str) -> bool {
    base.trim_end_matches(|last: char| last.is_ascii_digit()).ends_with("TestCase")
}

/// A source folder for tests by the conventions of Maven, Gradle, Android and Ant.
pub fn is_test_folder(name: &str) -> bool {
    matches!(name, "test" | "tests" | "it" | "testing") || name.ends_with("Test") || name.ends_with("Tests")
}
