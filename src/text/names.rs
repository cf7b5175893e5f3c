//! Names taken apart.

use crate::collections::HashSet;

/// The words of a name in lower case: `TestLeaseRequiresLeader` has three that count.
pub fn name_words(name: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut word = String::new();
    let mut last = ' ';
    for c in name.chars().chain([' ']) {
        let begins = c.is_uppercase() && !last.is_uppercase();
        if (begins || !c.is_alphanumeric()) && !word.is_empty() {
            words.insert(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    words.retain(|word| !matches!(word.as_str(), "test" | "tests" | "should" | "it" | "the" | "a" | "an"));
    words
}
