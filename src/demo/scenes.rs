//! The commits of the demo: data only.

/// How a commit is meant to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Passes,
    Warned,
    Blocked,
}

pub struct Scene {
    pub title: &'static str,
    pub message: &'static str,
    /// Paths with their new text; without a text the file is deleted.
    pub files: &'static [(&'static str, Option<&'static str>)],
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

const CART_WITHOUT_GIFT_WRAP: &str = "\
def total(prices, tax=0.0):
    return round(sum(prices) * (1 + tax), 2)


def shipping(weight):
    if weight < 0:
        raise ValueError('weight must not be negative')
    return 5 if weight < 10 else 12
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

const WITHOUT_THE_TAX_TEST: &str = "\
import pytest

from cart import gift_wrap, shipping, total


def test_total_adds_prices():
    assert total([1, 2]) == 3


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

const WITH_SKIPS: &str = "\
import pytest

from cart import gift_wrap, shipping, total


def test_total_adds_prices():
    assert total([1, 2]) == 3


@pytest.mark.skip
def test_total_includes_tax():
    assert total([10], tax=0.2) == 12


def test_shipping_of_a_light_parcel():
    assert shipping(3) == 5


@pytest.mark.skip
def test_shipping_of_a_heavy_parcel():
    assert shipping(30) == 12


def test_shipping_refuses_negative_weight():
    with pytest.raises(ValueError):
        shipping(-1)


def test_gift_wrap_costs_three():
    assert gift_wrap([10]) == 13
";

const WITH_A_COMMENTED_TEST: &str = "\
import pytest

from cart import gift_wrap, shipping, total


def test_total_adds_prices():
    assert total([1, 2]) == 3


# def test_total_includes_tax():
#     assert total([10], tax=0.2) == 12


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

/// The shipping tests moved out and became a table.
const TOTAL_TESTS: &str = "\
from cart import gift_wrap, total


def test_total_adds_prices():
    assert total([1, 2]) == 3


def test_total_includes_tax():
    assert total([10], tax=0.2) == 12


def test_gift_wrap_costs_three():
    assert gift_wrap([10]) == 13
";

const SHIPPING_TESTS: &str = "\
import pytest

from cart import shipping


@pytest.mark.parametrize('weight, price', [(3, 5), (30, 12)])
def test_shipping(weight, price):
    assert shipping(weight) == price


def test_shipping_refuses_negative_weight():
    with pytest.raises(ValueError):
        shipping(-1)
";

const TOTAL_TESTS_WITHOUT_GIFT_WRAP: &str = "\
from cart import total


def test_total_adds_prices():
    assert total([1, 2]) == 3


def test_total_includes_tax():
    assert total([10], tax=0.2) == 12
";

const TOTAL_TESTS_ON_ONE_PLATFORM: &str = "\
import sys

import pytest

from cart import total


def test_total_adds_prices():
    assert total([1, 2]) == 3


@pytest.mark.skipif(sys.platform == 'win32', reason='rounding differs there')
def test_total_includes_tax():
    assert total([10], tax=0.2) == 12
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

const WEB_TESTS_FOCUSED: &str = "\
import { price } from '../src/price'

describe('price', () => {
  it.only('shows two digits', () => {
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
        files: &[
            ("cart.py", Some(CART)),
            ("tests/test_cart.py", Some(CART_TESTS)),
            ("web/test/price.test.js", Some(WEB_TESTS)),
        ],
        expected: Expected::Passes,
    },
    Scene {
        title: "Tampering: the failing test goes",
        message: "Fix tax",
        files: &[("tests/test_cart.py", Some(WITHOUT_THE_TAX_TEST))],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: two failing tests are skipped",
        message: "Make the build green",
        files: &[("tests/test_cart.py", Some(WITH_SKIPS))],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: the failing test becomes a comment",
        message: "Tidy up",
        files: &[("tests/test_cart.py", Some(WITH_A_COMMENTED_TEST))],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: one focused test hides the other",
        message: "Speed up the web tests",
        files: &[("web/test/price.test.js", Some(WEB_TESTS_FOCUSED))],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: the whole test file goes",
        message: "Remove flaky tests",
        files: &[("tests/test_cart.py", None)],
        expected: Expected::Blocked,
    },
    Scene {
        title: "Honest: tests move to a file of their own, two of them become a table",
        message: "Give shipping its own tests",
        files: &[("tests/test_cart.py", Some(TOTAL_TESTS)), ("tests/test_shipping.py", Some(SHIPPING_TESTS))],
        expected: Expected::Passes,
    },
    Scene {
        title: "Honest: a feature goes together with its test",
        message: "Drop gift wrapping",
        files: &[
            ("cart.py", Some(CART_WITHOUT_GIFT_WRAP)),
            ("tests/test_cart.py", Some(TOTAL_TESTS_WITHOUT_GIFT_WRAP)),
        ],
        expected: Expected::Passes,
    },
    Scene {
        title: "Worth a look: a test is skipped on one platform",
        message: "Skip the tax test on Windows",
        files: &[("tests/test_cart.py", Some(TOTAL_TESTS_ON_ONE_PLATFORM))],
        expected: Expected::Warned,
    },
];
