//! What keeps a test from running, and how surely.

use super::super::super::testing::inventory;
use super::found;

#[test]
fn a_skip_among_the_first_statements_is_unconditional() {
    let text = "
func TestA(t *testing.T) { t.Skip(\"flaky\") }
func TestB(tt *testing.T) { setup(); tt.Skipf(\"see %d\", 7) }
func TestC(t *testing.T) { t.SkipNow() }
func TestD(t *testing.T) {
	t.Run(\"one\", func(t *testing.T) { t.Skip() })
	t.Run(\"two\", func(t *testing.T) {})
}
func TestE(t *testing.T) {
	for _, tc := range []int{1, 2} {
		t.Run(name(tc), func(t *testing.T) { t.Skip(\"all rows\") })
	}
}
func TestF(t *testing.T) { parser.Skip(); t.Log(scanner.SkipNow) }
";
    assert_eq!(
        found(text),
        "TestA, Unconditional/Test \"flaky\"
TestB, Unconditional/Test \"see %d\"
TestC, Unconditional/Test
TestD, 2 cases
  TestD::one, Unconditional/Test
  TestD::two
TestE, 2 cases, Unconditional/Test \"all rows\"
TestF
"
    );
}

#[test]
fn a_skip_under_a_condition_is_conditional() {
    let text = "
func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip(\"slow\")
	}
}
func TestSwitch(t *testing.T) {
	switch runtime.GOOS {
	case \"windows\":
		t.Skip()
	}
}
func TestLoop(t *testing.T) {
	for _, env := range envs {
		t.Skip(env)
	}
}
func TestElse(t *testing.T) {
	if _, err := exec.LookPath(\"git\"); err == nil {
		run(t)
	} else {
		t.Skip(\"no git\")
	}
}
func TestClosure(t *testing.T) { t.Cleanup(func() { t.Skip() }) }
";
    assert_eq!(
        found(text),
        "TestShort, Conditional/Test \"slow\"
TestSwitch, Conditional/Test
TestLoop, Conditional/Test
TestElse, Conditional/Test \"no git\"
TestClosure, Conditional/Test
"
    );
}

#[test]
fn constant_conditions_decide_themselves() {
    let text = "
func TestTrue(t *testing.T) {
	if true {
		t.Skip()
	}
}
func TestOr(t *testing.T) {
	if (testing.Short() || !false) {
		t.Skip()
	}
}
func TestFalse(t *testing.T) {
	if false {
		t.Skip()
		t.Error(1)
	} else {
		t.Error(2)
	}
}
func TestElse(t *testing.T) {
	if true {
		t.Error(1)
	} else {
		t.Skip()
	}
}
";
    assert_eq!(
        found(text),
        "TestTrue, Unconditional/Test\nTestOr, Unconditional/Test\nTestFalse, 2 asserts\nTestElse, 1 asserts\n"
    );
}

#[test]
fn helpers_that_skip_speak_for_the_tests_that_call_them() {
    let text = "
func TestA(t *testing.T) { skipIfNoDocker(t) }
func TestB(t *testing.T) { testutil.SkipOnWindows(t) }
func TestC(t *testing.T) { testenv.NeedsTool(t, \"git\") }
func TestD(t *testing.T) { skip.If(t, true, \"broken\") }
func TestE(t *testing.T) { skipIf(t, false) }
func TestF(t *testing.T) { db := open(t); _ = db }
func TestG(t *testing.T) { quarantine(t) }
func TestH(t *testing.T) { skipSpaces(t, in); skipper(t); skipAll() }
func open(t testing.TB) *DB {
	db, err := connect()
	if err != nil {
		t.Skip(\"no database\")
	}
	return db
}
func quarantine(t *testing.T) {
	t.Helper()
	t.Skip(\"quarantined\")
}
func skipSpaces(t *testing.T, in string) { t.Log(in) }
";
    assert_eq!(
        found(text),
        "TestA, Conditional/Test
TestB, Conditional/Test
TestC, Conditional/Test \"git\"
TestD, Unconditional/Test \"broken\"
TestE
TestF, Conditional/Test \"no database\"
TestG, Unconditional/Test \"quarantined\"
TestH
"
    );
}

#[test]
fn a_return_before_everything_else_is_a_skip() {
    let text = "
func TestCut(t *testing.T) {
	// for now
	return
	t.Error(1)
}
func TestEmpty(t *testing.T) { return }
func TestGuard(t *testing.T) {
	if ok() {
		return
	}
	t.Error(1)
}
func TestPart(t *testing.T) {
	t.Run(\"part\", func(t *testing.T) {
		return
		t.Error(1)
	})
}
";
    assert_eq!(
        found(text),
        "TestCut, 1 asserts, Unconditional/Test
TestEmpty
TestGuard, 1 asserts, Conditional/Test
TestPart, 1 asserts
  TestPart::part, 1 asserts, Unconditional/Test
"
    );
}

#[test]
fn build_constraints_are_skips_of_the_file() {
    let with = |line: &str| {
        inventory(
            "a_test.go",
            &format!("{line}\n\npackage a\n\n//go:build ignore\nfunc TestA(t *testing.T) {{}}\n"),
        )
    };
    assert_eq!(with("//go:build ignore"), "TestA, Unconditional/File\n");
    assert_eq!(with("// +build ignore"), "TestA, Unconditional/File\n");
    assert_eq!(with("//go:build linux && ignore"), "TestA, Unconditional/File\n");
    assert_eq!(with("//go:build !ignore"), "TestA, Conditional/File\n");
    assert_eq!(with("//go:build ignore || linux"), "TestA, Conditional/File\n");
    assert_eq!(with("//go:build integration"), "TestA, Conditional/File\n");
    assert_eq!(with("// +build !windows,go1.8"), "TestA, Conditional/File\n");
    assert_eq!(with("// go:build ignore"), "TestA\n");
    assert_eq!(with("// Copyright"), "TestA\n");
}

#[test]
fn a_main_that_never_runs_the_tests_skips_the_file() {
    let idle = "func TestMain(m *testing.M) { os.Exit(0) }\nfunc TestA(t *testing.T) {}\n";
    assert_eq!(found(idle), "TestA, Unconditional/File\n");
    let busy = "func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }\nfunc TestA(t *testing.T) {}\n";
    assert_eq!(found(busy), "TestA\n");
}
