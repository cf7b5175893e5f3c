//! What assertions of the language claim.

use crate::facts::Claim;

pub fn claim(text: &str) -> Claim {
    Claim::helper(text)
}
