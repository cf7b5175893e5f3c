//! The commits of the demo: data only.

/// How a commit is meant to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Passes,
    Warned,
    Blocked,
}

/// What a scene does to one file.
pub enum Edit {
    Write(&'static str),
    /// Puts one text in place of another, which must be there.
    Replace(&'static str, &'static str),
    Delete,
}

pub struct Scene {
    pub title: &'static str,
    pub message: &'static str,
    pub edits: &'static [(&'static str, Edit)],
    pub expected: Expected,
}

const CART: &str = "\
def total(prices, tax=0.0):
    return round(sum(prices) * (1 + tax), 2)


def shipping(weight):
    if weight < 0:
        raise ValueError('weight must not be negative')
    return 5 if weight < 10 else 12


def gift_wrap(prices):
    return total(prices) + 3
";

const GIFT_WRAP: &str = "


def gift_wrap(prices):
    return total(prices) + 3
";

const CART_TESTS: &str = "\
import pytest

from cart import gift_wrap, shipping, total


def test_total_adds_prices():
    assert total([1, 2]) == 3


def test_total_includes_tax():
    assert total([10], tax=0.2) == 12


def test_shipping_of_a_light_parcel():
    assert shipping(3) == 5


def test_shipping_of_a_heavy_parcel():
    assert shipping(30) == 12


def test_shipping_refuses_negative_weight():
    with pytest.raises(ValueError):
        shipping(-1)


def test_gift_wrap_costs_three():
    assert gift_wrap([10]) == 13
";

const TAX_TEST: &str = "\
def test_total_includes_tax():
    assert total([10], tax=0.2) == 12


";

const TAX_TEST_AS_COMMENT: &str = "\
# def test_total_includes_tax():
#     assert total([10], tax=0.2) == 12


";

const TAX_MARK: &str = "\
@pytest.mark.skipif(sys.platform == 'win32', reason='rounding differs there')
def test_total_includes_tax";

const SHIPPING_TESTS: &str = "\
def test_shipping_of_a_light_parcel():
    assert shipping(3) == 5


def test_shipping_of_a_heavy_parcel():
    assert shipping(30) == 12


def test_shipping_refuses_negative_weight():
    with pytest.raises(ValueError):
        shipping(-1)


";

const SHIPPING_TESTS_AS_A_TABLE: &str = "\
import pytest

from cart import shipping


@pytest.mark.parametrize('weight, price', [(3, 5), (30, 12)])
def test_shipping(weight, price):
    assert shipping(weight) == price


def test_shipping_refuses_negative_weight():
    with pytest.raises(ValueError):
        shipping(-1)
";

const GIFT_WRAP_TEST: &str = "


def test_gift_wrap_costs_three():
    assert gift_wrap([10]) == 13
";

const WEB_TESTS: &str = "\
import { price } from '../src/price'

describe('price', () => {
  it('shows two digits', () => {
    expect(price(3)).toBe('3.00')
  })
  it('groups thousands', () => {
    expect(price(1234.5)).toBe('1,234.50')
  })
})
";

pub static SCENES: &[Scene] = &[
    Scene {
        title: "A small shop with its tests",
        message: "Add cart and price",
        edits: &[
            ("cart.py", Edit::Write(CART)),
            ("tests/test_cart.py", Edit::Write(CART_TESTS)),
            ("web/test/price.test.js", Edit::Write(WEB_TESTS)),
        ],
        expected: Expected::Passes,
    },
    Scene {
        title: "Tampering: the failing test goes",
        message: "Fix tax",
        edits: &[("tests/test_cart.py", Edit::Replace(TAX_TEST, ""))],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: two failing tests are skipped",
        message: "Make the build green",
        edits: &[
            ("tests/test_cart.py", Edit::Replace("def test_total_i", "@pytest.mark.skip\ndef test_total_i")),
            (
                "tests/test_cart.py",
                Edit::Replace("def test_shipping_r", "@pytest.mark.skip\ndef test_shipping_r"),
            ),
        ],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: the failing test becomes a comment",
        message: "Tidy up",
        edits: &[("tests/test_cart.py", Edit::Replace(TAX_TEST, TAX_TEST_AS_COMMENT))],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: one focused test hides the other",
        message: "Speed up the web tests",
        edits: &[("web/test/price.test.js", Edit::Replace("it('shows", "it.only('shows"))],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: the whole test file goes",
        message: "Remove flaky tests",
        edits: &[("tests/test_cart.py", Edit::Delete)],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Honest: tests move to a file of their own, two of them become a table",
        message: "Give shipping its own tests",
        edits: &[
            ("tests/test_cart.py", Edit::Replace(SHIPPING_TESTS, "")),
            ("tests/test_shipping.py", Edit::Write(SHIPPING_TESTS_AS_A_TABLE)),
        ],
        expected: Expected::Passes,
    },
    Scene {
        title: "Honest: a feature goes together with its test",
        message: "Drop gift wrapping",
        edits: &[
            ("cart.py", Edit::Replace(GIFT_WRAP, "\n")),
            ("tests/test_cart.py", Edit::Replace(GIFT_WRAP_TEST, "\n")),
            ("tests/test_cart.py", Edit::Replace("gift_wrap, shipping, ", "")),
        ],
        expected: Expected::Passes,
    },
    Scene {
        title: "Worth a look: a test is skipped on one platform",
        message: "Skip the tax test on Windows",
        edits: &[
            ("tests/test_cart.py", Edit::Replace("import pytest", "import sys\n\nimport pytest")),
            ("tests/test_cart.py", Edit::Replace("def test_total_includes_tax", TAX_MARK)),
        ],
        expected: Expected::Warned,
    },
];
