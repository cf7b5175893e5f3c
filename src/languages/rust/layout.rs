//! Rust files that can see their own layout.

use crate::languages::Source;
use crate::text::contains;

/// What tells a program where in its source it is, or how that is written.
const MIRRORS: [&str; 4] = ["line!", "column!", "stringify!", "Location::caller"];

pub fn layout_is_code(source: &Source<'_>) -> bool {
    MIRRORS.iter().any(|mirror| contains(source.text, mirror.as_bytes()))
}
