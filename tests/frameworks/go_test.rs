//! Real runs of `go test`.

use aiwg_gate::policy::Framework::GoTest;

use crate::project::{Project, compared, place};

const MODULE: (&str, &str) = ("go.mod", "module example.com/cart\n\ngo 1.19\n");
const CART: &str = r#"package cart

import (
	"fmt"
	"testing"
)

func TestTotal(t *testing.T) {}

func TestWrong(t *testing.T) {
	t.Errorf("Total() = %d, want %d", 3, 4)
}

func TestTable(t *testing.T) {
	for _, row := range []int{1, 2} {
		t.Run(fmt.Sprint("row ", row), func(t *testing.T) {
			if row == 2 {
				t.Fatalf("got %d, want %d", row, 1)
			}
		})
	}
}

func TestOff(t *testing.T) {
	t.Skip("later")
}

func TestPrints(t *testing.T) {
	fmt.Println("--- PASS: TestFake (0.00s)")
	fmt.Print("no line break")
}
"#;
const SUB: &str = "package sub\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {}\n";

fn project(files: &[(&str, &str)]) -> Option<Project> {
    Project::with_program("go", files)
}

/// What `go test -v` itself lists.
fn listed(output: &str) -> [usize; 3] {
    let lines: Vec<&str> =
        output.lines().filter_map(|line| line.split_once("--- ").map(|(_, rest)| rest)).collect();
    ["PASS: ", "FAIL: ", "SKIP: "].map(|word| lines.iter().filter(|line| line.starts_with(word)).count())
}

#[test]
fn each_outcome_is_recorded_as_go_lists_it() {
    let Some(project) = project(&[
        MODULE,
        ("cart_test.go", CART),
        ("sub/sub_test.go", SUB),
        ("none/none.go", "package none\n"),
    ]) else {
        return;
    };
    let plain = project.run(GoTest, "true && go test ./...");
    let [passed, failed, skipped] = listed(&plain.output);
    // The one that only looks like a result is none.
    assert_eq!([passed - 1, failed, skipped], [4, 3, 1], "{}", plain.output);
    assert_eq!(plain.tally(), [4, 3, 0, 1, 0]);
    let ran = project.run(GoTest, "go test ./...");
    assert_eq!(ran.tally(), [4, 3, 0, 1, 0]);
    for ran in [&plain, &ran] {
        let failure = ran.failure("example.com/cart::TestWrong");
        assert_eq!((compared(failure), place(failure)), (("4", "3"), "cart_test.go:11".to_owned()));
        assert_eq!(compared(ran.failure("example.com/cart::TestTable[row_2]")), ("1", "2"));
        assert_eq!(project.unexecuted(ran), Vec::<String>::new());
    }
    let part = project.run(GoTest, "go test .");
    assert_eq!(project.unexecuted(&part), ["sub/sub_test.go::TestTotal"]);
}

#[test]
fn panics_crashes_and_broken_builds_are_told() {
    let panics = "package a\n\nimport \"testing\"\n\nfunc TestPanics(t *testing.T) {\n\tvar m map[string]int\n\tm[\"a\"] = 1\n}\n";
    let dies = "package b\n\nimport (\n\t\"os\"\n\t\"syscall\"\n\t\"testing\"\n)\n\nfunc TestFine(t *testing.T) {}\n\nfunc TestDies(t *testing.T) {\n\tsyscall.Kill(os.Getpid(), syscall.SIGKILL)\n\tselect {}\n}\n";
    let broken = "package c\n\nimport \"testing\"\n\nfunc TestNever(t *testing.T) { missing() }\n";
    let files = [MODULE, ("a/a_test.go", panics), ("b/b_test.go", dies), ("c/c_test.go", broken)];
    let Some(project) = project(&files) else { return };
    let ran = project.run(GoTest, "go test ./...");
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [1, 1, 1, 0, 1]);
    assert_eq!(place(ran.failure("example.com/cart/a::TestPanics")), "a/a_test.go:7");
    ran.test("example.com/cart/b::TestDies");
    assert_eq!(place(ran.problem("undefined: missing")), "c/c_test.go:5");
}

#[test]
fn a_cached_result_counts_and_nothing_is_nothing() {
    let Some(project) = project(&[MODULE, ("sub/sub_test.go", SUB), ("none/none.go", "package none\n")])
    else {
        return;
    };
    assert_eq!(project.run(GoTest, "go test ./sub").tally(), [1, 0, 0, 0, 0]);
    let again = project.run(GoTest, "go test ./sub");
    again.says("(cached)");
    assert_eq!(again.tally(), [1, 0, 0, 0, 0]);
    let none = project.run(GoTest, "go test ./none");
    none.says("no test files");
    assert!(none.succeeded);
    assert_eq!(none.tally(), [0; 5]);
}

#[test]
fn tests_that_test_main_leaves_out_are_missing_by_name() {
    let silent = "package cart\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tif len(os.Args) > 0 {\n\t\tos.Exit(0)\n\t}\n\tm.Run()\n}\n\nfunc TestLeftOut(t *testing.T) {\n\tt.Fatal()\n}\n";
    let other = "package other\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {\n\tif 1 > 2 {\n\t\tt.Fatal()\n\t}\n}\n";
    let module = ("go.mod", "module example.com/cart\n\ngo 1.19\n");
    let files = [module, ("a_test.go", silent), ("other/b_test.go", other)];
    let Some(project) = Project::with_program("go", &files) else { return };
    let ran = project.run(GoTest, "go test ./...");
    assert!(ran.succeeded);
    assert_eq!((ran.tally(), ran.read().named), ([1, 0, 0, 0, 0], true));
    let missing = project.unexecuted(&ran);
    assert!(matches!(&missing[..], [test] if test.contains("TestLeftOut")), "{missing:?}");
}
