//! The commits of the demo: data only.

use super::shop;

/// How a commit is meant to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Passes,
    Warned,
    /// By a finding.
    Blocked,
    /// Because nobody ran it, and for no other reason.
    Unproved,
}

/// What a scene does to one file.
pub enum Edit {
    Write(&'static str),
    /// Puts one text in place of another, which must be there.
    Replace(&'static str, &'static str),
    Delete,
}

pub type Edits = &'static [(&'static str, Edit)];

/// Whether the tests are run before the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    No,
    /// With all that it prints.
    Shown,
    Quietly,
}

impl Run {
    /// What to type.
    pub fn arguments(self) -> Option<&'static [&'static str]> {
        match self {
            Self::No => None,
            Self::Shown => Some(&["run"]),
            Self::Quietly => Some(&["run", "-q"]),
        }
    }
}

pub struct Scene {
    pub title: &'static str,
    pub edits: Edits,
    pub run: Run,
    /// Edits that come after the run, with a word about them.
    pub later: Option<(&'static str, Edits)>,
    pub message: &'static str,
    pub expected: Expected,
}

impl Scene {
    /// Whether the scene is about the run itself, so that nothing is left of it where nothing can be run.
    pub fn is_about_runs(&self) -> bool {
        self.later.is_some() || self.expected == Expected::Unproved
    }
}

const CART: &str = "cart.py";
const CART_TESTS: &str = "tests/test_cart.py";
const GIFT_WRAP_TESTS: &str = "tests/test_gift_wrap.py";
const WEB_TESTS: &str = "web/test/price.test.js";

const SHOP: Edits = &[
    (".gitignore", Edit::Write(shop::IGNORED)),
    (CART, Edit::Write(shop::CART)),
    (CART_TESTS, Edit::Write(shop::CART_TESTS)),
    (GIFT_WRAP_TESTS, Edit::Write(shop::GIFT_WRAP_TESTS)),
    (WEB_TESTS, Edit::Write(shop::WEB_TESTS)),
];

const IN_CENTS: Edits = &[(CART, Edit::Replace(shop::TOTAL, shop::TOTAL_IN_CENTS))];

pub static SCENES: &[Scene] = &[
    Scene {
        title: "Unproved: a small shop whose tests nobody ran",
        edits: SHOP,
        run: Run::No,
        later: None,
        message: "Add cart and price",
        expected: Expected::Unproved,
    },
    Scene {
        title: "Honest: the same after a run",
        edits: SHOP,
        run: Run::Shown,
        later: None,
        message: "Add cart and price",
        expected: Expected::Passes,
    },
    Scene {
        title: "Tampering: the failing test goes",
        edits: &[(CART_TESTS, Edit::Replace(shop::TAX_TEST, ""))],
        run: Run::Quietly,
        later: None,
        message: "Fix tax",
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: two failing tests are skipped",
        edits: &[
            (CART_TESTS, Edit::Replace(shop::TAX_TEST, shop::TAX_TEST_SKIPPED)),
            (CART_TESTS, Edit::Replace(shop::LIGHT_PARCEL_TEST, shop::LIGHT_PARCEL_TEST_SKIPPED)),
        ],
        run: Run::Quietly,
        later: None,
        message: "Make the build green",
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: the failing test becomes a comment",
        edits: &[(CART_TESTS, Edit::Replace(shop::TAX_TEST, shop::TAX_TEST_AS_COMMENT))],
        run: Run::Quietly,
        later: None,
        message: "Tidy up",
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: one focused test hides the other",
        edits: &[(WEB_TESTS, Edit::Replace("it('shows", "it.only('shows"))],
        run: Run::Quietly,
        later: None,
        message: "Speed up the web tests",
        expected: Expected::Blocked,
    },
    Scene {
        title: "Tampering: the whole test file goes",
        edits: &[(CART_TESTS, Edit::Delete)],
        run: Run::Quietly,
        later: None,
        message: "Remove flaky tests",
        expected: Expected::Blocked,
    },
    Scene {
        title: "Unproved: one more edit after the run",
        edits: IN_CENTS,
        run: Run::Quietly,
        later: Some((
            "another edit: the tax is no longer rounded",
            &[(CART, Edit::Replace("round(cents * (1 + tax)) / 100", "cents * (1 + tax) / 100"))],
        )),
        message: "Count in cents",
        expected: Expected::Unproved,
    },
    Scene {
        title: "Honest: the code is only reformatted after the run",
        edits: IN_CENTS,
        run: Run::Quietly,
        later: Some((
            "a formatter at work",
            &[(CART, Edit::Replace(shop::TOTAL_IN_CENTS, shop::TOTAL_IN_CENTS_FORMATTED))],
        )),
        message: "Count in cents",
        expected: Expected::Passes,
    },
    Scene {
        title: "Honest: tests move to a file of their own, two of them become a table",
        edits: &[
            (CART_TESTS, Edit::Replace(shop::SHIPPING_TESTS, "")),
            (CART_TESTS, Edit::Replace("shipping, ", "")),
            ("tests/test_shipping.py", Edit::Write(shop::SHIPPING_TESTS_AS_A_TABLE)),
        ],
        run: Run::Quietly,
        later: None,
        message: "Give shipping its own tests",
        expected: Expected::Passes,
    },
    Scene {
        title: "Honest: a feature goes together with its test",
        edits: &[(CART, Edit::Replace(shop::GIFT_WRAP, "\n")), (GIFT_WRAP_TESTS, Edit::Delete)],
        run: Run::Quietly,
        later: None,
        message: "Drop gift wrapping",
        expected: Expected::Passes,
    },
    Scene {
        title: "Worth a look: a test is skipped on one platform",
        edits: &[
            (CART_TESTS, Edit::Replace("import unittest", "import sys\nimport unittest")),
            (CART_TESTS, Edit::Replace(shop::TAX_TEST, shop::TAX_TEST_FOR_SOME)),
        ],
        run: Run::Quietly,
        later: None,
        message: "Skip the tax test on Windows",
        expected: Expected::Warned,
    },
];
