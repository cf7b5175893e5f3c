//! The files of the demo's shop, whole and in the parts that scenes exchange. The tests need Python alone.

pub const IGNORED: &str = "__pycache__/\n";

pub const CART: &str = "\
def total(prices, tax=0.0):
    return round(sum(prices) * (1 + tax), 2)


def shipping(weight):
    if weight < 0:
        raise ValueError('weight must not be negative')
    return 5 if weight < 10 else 12


def gift_wrap(prices):
    return total(prices) + 3
";

pub const GIFT_WRAP: &str = "


def gift_wrap(prices):
    return total(prices) + 3
";

pub const TOTAL: &str = "\
def total(prices, tax=0.0):
    return round(sum(prices) * (1 + tax), 2)
";

pub const TOTAL_IN_CENTS: &str = "\
def total(prices, tax=0.0):
    cents = sum(round(100 * price) for price in prices)
    return round(cents * (1 + tax)) / 100
";

pub const TOTAL_IN_CENTS_FORMATTED: &str = "\
def total(prices, tax=0.0):
    # Whole cents add up without an error.
    cents = sum(
        round(100 * price) for price in prices
    )
    return round(cents * (1 + tax)) / 100
";

pub const CART_TESTS: &str = "\
import unittest

from cart import shipping, total


class CartTest(unittest.TestCase):
    def test_total_adds_prices(self):
        self.assertEqual(total([1, 2]), 3)

    def test_total_includes_tax(self):
        self.assertEqual(total([10], tax=0.2), 12)

    def test_shipping_of_a_light_parcel(self):
        self.assertEqual(shipping(3), 5)

    def test_shipping_of_a_heavy_parcel(self):
        self.assertEqual(shipping(30), 12)

    def test_shipping_refuses_negative_weight(self):
        with self.assertRaises(ValueError):
            shipping(-1)
";

pub const TAX_TEST: &str = "
    def test_total_includes_tax(self):
        self.assertEqual(total([10], tax=0.2), 12)
";

pub const TAX_TEST_AS_COMMENT: &str = "
    # def test_total_includes_tax(self):
    #     self.assertEqual(total([10], tax=0.2), 12)
";

pub const TAX_TEST_SKIPPED: &str = "
    @unittest.skip('later')
    def test_total_includes_tax(self):
        self.assertEqual(total([10], tax=0.2), 12)
";

pub const TAX_TEST_FOR_SOME: &str = "
    @unittest.skipIf(sys.platform == 'win32', 'rounding differs there')
    def test_total_includes_tax(self):
        self.assertEqual(total([10], tax=0.2), 12)
";

pub const LIGHT_PARCEL_TEST: &str = "
    def test_shipping_of_a_light_parcel(self):
";

pub const LIGHT_PARCEL_TEST_SKIPPED: &str = "
    @unittest.skip('later')
    def test_shipping_of_a_light_parcel(self):
";

pub const SHIPPING_TESTS: &str = "
    def test_shipping_of_a_light_parcel(self):
        self.assertEqual(shipping(3), 5)

    def test_shipping_of_a_heavy_parcel(self):
        self.assertEqual(shipping(30), 12)

    def test_shipping_refuses_negative_weight(self):
        with self.assertRaises(ValueError):
            shipping(-1)
";

pub const SHIPPING_TESTS_AS_A_TABLE: &str = "\
import unittest

from cart import shipping


class ShippingTest(unittest.TestCase):
    def test_shipping(self):
        for weight, price in [(3, 5), (30, 12)]:
            with self.subTest(weight=weight):
                self.assertEqual(shipping(weight), price)

    def test_shipping_refuses_negative_weight(self):
        with self.assertRaises(ValueError):
            shipping(-1)
";

pub const GIFT_WRAP_TESTS: &str = "\
import unittest

from cart import gift_wrap


class GiftWrapTest(unittest.TestCase):
    def test_gift_wrap_costs_three(self):
        self.assertEqual(gift_wrap([10]), 13)
";

pub const WEB_TESTS: &str = "\
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
