//! The words of a cargo command, for the two frameworks that cargo starts.

use super::command::base_name;

/// Where the subcommand stands, behind a toolchain and cargo's own options.
pub fn subcommand(words: &[&str]) -> Option<usize> {
    if words.first().map(|word| base_name(word)) != Some("cargo") {
        return None;
    }
    let mut at = 1;
    while let Some(&word) = words.get(at) {
        match word {
            "-Z" | "-C" | "--config" | "--color" | "--manifest-path" => at += 2,
            _ if word.starts_with(['-', '+']) => at += 1,
            _ => return Some(at),
        }
    }
    None
}
