//! Assertions of Rust and what they claim.

use super::super::super::testing::claimed;
use super::claim;

fn check(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(claimed(&claim(text)), *expected, "{text}");
    }
}

#[test]
fn standard_macros() {
    check(&[
        ("assert!(x)", "Truthy x = true"),
        ("assert!(!x, \"why {}\", y)", "not Value x = false"),
        ("assert!(true)", "Tautology true = -"),
        ("assert!(a == 1)", "Value a = 1"),
        ("assert_eq!(a, 1)", "Value a = 1"),
        ("assert_eq!(1, a)", "Value a = 1"),
        ("assert_eq!(\n    total(&[1, 2]),\n    3,\n    \"sum\"\n)", "Value total(&[1, 2]) = 3"),
        ("assert_eq!(1, 1)", "Tautology 1 = -"),
        ("assert_eq!(x, true)", "Truthy x = true"),
        ("assert_ne!(a, b)", "not Bound a = b"),
        ("debug_assert_eq!(a, b)", "Value a = b"),
        ("prop_assert_eq!(a, b)", "Value a = b"),
        ("pretty_assertions::assert_eq!(a, b)", "Value a = b"),
        ("assert!(x.is_some())", "NotNull x = -"),
        ("assert!(!x.is_some())", "Value x = None"),
        ("assert!(x.is_none())", "Value x = None"),
        ("assert!(\n    find(\"a\")?\n        .is_none()\n)", "Value find(\"a\")? = None"),
        ("assert_tree_eq!(a, b)", "Value a = b"),
        ("assert!(r.is_err())", "Shape r = Err"),
        ("assert!(v.is_empty())", "Value v = empty"),
        ("assert!(!v.is_empty())", "NotNull v = -"),
        ("assert!(v.contains(\"a\"))", "Pattern v = \"a\""),
        ("assert!(!v.contains(&1))", "not Pattern v = &1"),
        ("assert!(x.len() > 3)", "Bound x.len() = 3 AtLeast(3.0)"),
        ("assert!((a - b).abs() < 0.01)", "Approximate a = b Tolerance(0.01)"),
        ("assert!(Arc::ptr_eq(&a, &b))", "Structure a = &b"),
        ("assert!(x.iter().all(|y| *y == 1))", "Pattern x.iter() = |y| *y == 1"),
    ]);
}

#[test]
fn patterns() {
    check(&[
        ("assert!(matches!(x, Kind::A))", "Value x = Kind::A"),
        ("assert!(matches!(x, Kind::A | Kind::B))", "Pattern x = Kind::A | Kind::B"),
        ("assert!(matches!(x, Ok(_) | Err(_)))", "Tautology x = Ok(_) | Err(_)"),
        ("assert!(xs.len() >= 0)", "Tautology xs.len() = -"),
        ("assert!(matches!(x, Err(_)))", "Shape x = Err(_)"),
        ("assert!(matches!(x, Some(_)))", "NotNull x = Some(_)"),
        ("assert!(matches!(x, Err(Error::Io(_))))", "Pattern x = Err(Error::Io(_))"),
        ("assert!(matches!(x, Some(3)))", "Value x = Some(3)"),
        ("assert!(matches!(x, Foo { .. }))", "Shape x = Foo {..}"),
        ("assert!(matches!(x, Some(y) if y > 3))", "Pattern x = Some(y) if y > 3"),
        ("assert_matches!(x, Ok(5))", "Value x = Ok(5)"),
    ]);
}

#[test]
fn errors_and_panics() {
    check(&[
        ("#[should_panic]", "Raises Shape  = -"),
        ("#[should_panic(expected = \"empty\")]", "Raises Pattern  = - ~ \"empty\""),
        ("#[should_panic = \"empty\"]", "Raises Pattern  = - ~ \"empty\""),
    ]);
}

#[test]
fn snapshots() {
    check(&[
        ("insta::assert_snapshot!(out, @\"a b\")", "Snapshot Value out = \"a b\""),
        ("assert_debug_snapshot!(out)", "Snapshot Value out = -"),
        ("assert_snapshot!(\"name\", out)", "Snapshot Value out = -"),
        ("assert_snapshot!(out, @r#\"{\"a\"\"#)", "Snapshot Value out = r#\"{\"a\"\"#"),
        ("expect![[\"1\"]].assert_eq(&x)", "Snapshot Value x = \"1\""),
        ("assert_data_eq!(out, str![[\"a\"]])", "Snapshot Value out = str![[\"a\"]]"),
    ]);
}

#[test]
fn other_crates() {
    check(&[
        ("assert_abs_diff_eq!(a, 1.0, epsilon = 1e-3)", "Approximate a = 1.0 Tolerance(0.001)"),
        ("assert_ok!(r)", "Shape r = Ok"),
        ("assert_ready_eq!(r, 1)", "Value r = 1"),
        ("cmd.assert().success().stdout(\"x\")", "Value cmd = \"x\""),
        (
            "cmd.assert().success().stdout(predicate::str::contains(\"x\"))",
            "Pattern cmd = predicate::str::contains(\"x\")",
        ),
        ("cmd.assert().success()", "Shape cmd = success"),
        ("assert_that!(x, eq(3))", "Value x = 3"),
        ("assert_that!(x, not(eq(3)))", "not Bound x = 3"),
        ("assert_that(&x).is_equal_to(3)", "Value x = 3"),
        ("check!(a == 1)", "Value a = 1"),
    ]);
}

#[test]
fn the_unknown_is_a_helper() {
    check(&[("assert_same_shape(a, b)", "Helper Value assert_same_shape(a, b) = -")]);
}
