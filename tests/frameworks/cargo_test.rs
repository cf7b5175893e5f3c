//! Real runs of `cargo test`.

use aiwg_gate::policy::Framework::CargoTest;

use crate::project::{Project, compared, place};

pub const MANIFEST: (&str, &str) =
    ("Cargo.toml", "[package]\nname = \"cart\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
pub const CART: &str = r#"/// Adds.
///
/// ```
/// assert_eq!(cart::total(&[1, 2]), 3);
/// ```
pub fn total(prices: &[i32]) -> i32 {
    prices.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn adds() {
        println!("test tests::fake ... ok");
        assert_eq!(total(&[1, 2]), 3);
    }

    #[test]
    fn adds_wrong() {
        assert_eq!(total(&[1, 2]), 4, "the sum");
    }

    #[test]
    #[ignore = "slow"]
    fn ignored() {}

    #[test]
    #[should_panic]
    fn panics() {
        panic!("as wanted");
    }

    #[test]
    fn returns_error() -> Result<(), String> {
        Err("no items".into())
    }

    mod inner {
        #[test]
        fn adds() {}
    }
}
"#;
pub const WHOLE: &str = "#[test]\nfn adds() {\n    assert_eq!(cart::total(&[1]), 1);\n}\n\n#[test]\nfn breaks() {\n    None::<i32>.unwrap();\n}\n";
pub const CRASH: &str = "#[test]\nfn dies() {\n    std::process::abort();\n}\n";

#[test]
fn each_outcome_is_recorded_as_cargo_counts_it() {
    let project = Project::new(&[MANIFEST, ("src/lib.rs", CART), ("tests/whole.rs", WHOLE)]);
    let ran = project.run(CargoTest, "cargo test --offline");
    ran.says("test result: FAILED. 3 passed; 2 failed; 1 ignored;");
    ran.says("test result: FAILED. 1 passed; 1 failed; 0 ignored;");
    ran.says("test result: ok. 1 passed; 0 failed; 0 ignored;");
    assert_eq!(ran.tally(), [5, 3, 0, 1, 0]);
    let failure = ran.failure("cart::tests::adds_wrong");
    assert_eq!((compared(failure), place(failure)), (("4", "3"), "src/lib.rs:22".to_owned()));
    assert_eq!(place(ran.failure("whole::breaks")), "tests/whole.rs:8");
    assert_eq!(project.unexecuted(&ran), Vec::<String>::new());
    let ran = project.run(CargoTest, "cargo test --offline --lib -- --nocapture --test-threads=1");
    assert_eq!(ran.tally(), [3, 2, 0, 1, 0]);
    assert_eq!(project.unexecuted(&ran).len(), 2, "of three tests that add, two ran");
    let quiet = project.run(CargoTest, "cargo test --offline -q").read().counts();
    assert_eq!((quiet.passed, quiet.failed, quiet.errors, quiet.skipped), (5, 3, 0, 1));
}

#[test]
fn a_crash_is_a_problem_and_the_other_programs_run() {
    let project =
        Project::new(&[MANIFEST, ("src/lib.rs", "#[test]\nfn fine() {}\n"), ("tests/crash.rs", CRASH)]);
    let ran = project.run(CargoTest, "cargo test --offline");
    assert!(!ran.succeeded);
    ran.says("signal: 6, SIGABRT");
    assert_eq!(ran.tally(), [1, 0, 0, 0, 1]);
    assert_eq!(ran.read().problems[0].kind, "SIGABRT");
}

#[test]
fn a_program_that_exits_early_with_success_is_a_problem() {
    let exit = "#[test]\nfn quits() {\n    std::process::exit(0);\n}\n\n#[test]\nfn wrong() {\n    assert_eq!(1, 2);\n}\n";
    let library = "/// ```\n/// assert!(true);\n/// ```\npub fn a() {}\n";
    let project = Project::new(&[MANIFEST, ("src/lib.rs", library), ("tests/exit.rs", exit)]);
    let ran = project.run(CargoTest, "cargo test --offline -- --test-threads=1");
    assert!(ran.succeeded, "cargo sees nothing wrong");
    let [passed, failed, errored, skipped, problems] = ran.tally();
    assert_eq!((passed, failed, errored + problems, skipped), (1, 0, 1, 0), "{}", ran.output);
    assert!(ran.read().named);
    assert!(project.unexecuted(&ran).iter().any(|test| test.contains("wrong")), "{:?}", ran.read());
}

#[test]
fn a_build_that_breaks_is_a_problem() {
    let project = Project::new(&[MANIFEST, ("src/lib.rs", "pub fn a() -> i32 { b }\n")]);
    let ran = project.run(CargoTest, "cargo test --offline");
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [0, 0, 0, 0, 1]);
    assert_eq!(place(ran.problem("cannot find value `b`")), "src/lib.rs:1");
}

#[test]
fn no_tests_are_no_tests() {
    let ran = Project::new(&[MANIFEST, ("src/lib.rs", "")]).run(CargoTest, "cargo test --offline");
    ran.says("running 0 tests");
    assert!(ran.succeeded);
    assert_eq!(ran.tally(), [0; 5]);
}
