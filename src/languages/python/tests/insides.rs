//! What stands inside a test: whether its checks can fail it, what it names, replaces and is fed with.

use super::facts;
use crate::facts::{Reach, Test};

/// The first test of a file of these lines.
fn test(text: &str) -> Test {
    let facts = facts("tests/test_cart.py", text);
    facts.tests.into_iter().next().unwrap_or_else(|| panic!("no test in {text}"))
}

/// How the checks in the body of a test can be reached.
fn reach(body: &str) -> Vec<Reach> {
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    test(&format!("def test_x():\n{body}")).assertions.iter().map(|check| check.reach).collect()
}

#[test]
fn handlers_that_forget_swallow_checks() {
    for handler in [
        "except Exception: pass",
        "except: pass",
        "except AssertionError as e: print(e)",
        "except (ValueError, AssertionError): ...",
        "except Exception as e: logger.info(e)",
        "except BaseException: return",
    ] {
        assert_eq!(reach(&format!("try:\n    assert x\n{handler}")), [Reach::Swallowed], "{handler}");
    }
    for handler in [
        "except ValueError: pass",
        "except Exception: raise",
        "except Exception as e: errors.append(e)",
        "except AssertionError: time.sleep(1)",
    ] {
        assert_eq!(reach(&format!("try:\n    assert x\n{handler}")), [Reach::Branch], "{handler}");
    }
    assert_eq!(
        reach("try:\n    assert x\nexcept Exception as e:\n    assert e.code == 1"),
        [Reach::Branch, Reach::Branch]
    );
    assert_eq!(reach("try:\n    assert x\nfinally:\n    close()"), [Reach::Always]);
    // What pytest fails with is no `Exception`.
    assert_eq!(reach("try:\n    pytest.fail('no')\nexcept Exception:\n    pass"), [Reach::Always]);
    assert_eq!(reach("with contextlib.suppress(Exception):\n    assert x"), [Reach::Swallowed]);
    assert_eq!(reach("with suppress(KeyError):\n    assert x"), [Reach::Always]);
}

#[test]
fn what_never_runs_is_dead() {
    assert_eq!(reach("assert a\nreturn\nassert b"), [Reach::Always, Reach::Dead]);
    assert_eq!(reach("raise ValueError\nassert b"), [Reach::Dead]);
    assert_eq!(reach("if x:\n    return\nassert b"), [Reach::Always]);
    assert_eq!(reach("if False:\n    assert a\nelse:\n    assert b"), [Reach::Dead, Reach::Always]);
    assert_eq!(reach("if True:\n    assert a\nelse:\n    assert b"), [Reach::Always, Reach::Dead]);
    assert_eq!(reach("for x in []:\n    assert x\nwhile False:\n    assert y"), [Reach::Dead, Reach::Dead]);
}

#[test]
fn branches_and_loops_may_not_run() {
    assert_eq!(reach("if x:\n    assert a\nfor y in load():\n    assert y"), [Reach::Branch, Reach::Branch]);
    assert_eq!(reach("for y in [1, 2]:\n    assert y"), [Reach::Always]);
    assert_eq!(reach("found = []\nfor y in found:\n    assert y"), [Reach::Branch]);
    assert_eq!(reach("with open(a) as b:\n    assert b"), [Reach::Always]);
}

#[test]
fn functions_that_nobody_calls_check_nothing() {
    assert_eq!(reach("def check(x):\n    assert x\nrun()"), [Reach::NeverCalled]);
    assert_eq!(reach("def check(x):\n    assert x\nrun(check)"), [Reach::Always]);
    assert_eq!(reach("@app.route('/')\ndef view():\n    assert x\nrun()"), [Reach::Always]);
    assert_eq!(reach("class View:\n    def get(self):\n        assert x\nrun(View)"), [Reach::Always]);
    assert_eq!(reach("def check(x):\n    assert x\nrun(locals())"), [Reach::Always]);
}

#[test]
fn names_rows_and_stand_ins_are_kept() {
    let test = test(
        "ROWS = [(5, 6)]
@pytest.mark.parametrize('a, b', [(1, 2), pytest.param(3,4, id='x')])
@pytest.mark.parametrize('c', ROWS)
@mock.patch('app.mail.send')
def test_x(a, monkeypatch):
    total = add( a, 1 )
    total += 1
    x, y = pair()
    monkeypatch.setattr(cart, 'load', lambda: 1)
    with patch.object(Mailer, 'send') as m: pass
    m = MagicMock(spec=Mailer)
    n = Mock()
",
    );
    let bindings: Vec<String> =
        test.bindings.iter().map(|one| format!("{} {} = {}", one.line, one.name, one.value)).collect();
    assert_eq!(
        bindings,
        [
            "6 total = add(a, 1)",
            "8 x = pair()[0]",
            "8 y = pair()[1]",
            "8 x,y, = pair()",
            "11 m = MagicMock(spec=Mailer)",
            "12 n = Mock()"
        ]
    );
    assert_eq!(test.rows, ["(1, 2)", "pytest.param(3, 4, id=\"x\")", "(5, 6)"]);
    let doubles: Vec<&str> = test.doubles.iter().map(|one| one.target.as_str()).collect();
    assert_eq!(doubles, ["app.mail.send", "cart.load", "Mailer.send", "Mailer", ""]);
}

#[test]
fn constants_keep_their_value() {
    let facts = facts("tests/test_cart.py", "LIMIT = 10  # why\nNAMES = ['a',\n  'b',\n]\n");
    let values: Vec<_> = facts.definitions.iter().map(|one| one.value.as_deref()).collect();
    assert_eq!(values, [Some("10"), Some("[\"a\", \"b\"]")]);
}

#[test]
fn checks_inside_checks_and_branches_stay_linear() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
    for code in
        [deep("self.assertTrue(", ")"), deep("(a or ", ")"), deep("(a or self.assertTrue(b) or ", ")")]
    {
        facts("tests/test_cart.py", &format!("def test_x(self):\n    x = {code}\n"));
    }
}
