//! Text of the repository as text of a page, whatever it holds.

use crate::text::printable;

/// Fit for an element and for an attribute in quotes.
pub fn text(raw: &str) -> String {
    let safe = printable(raw);
    let mut out = String::with_capacity(safe.len());
    for c in safe.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // A name may hold a line that a build server reads as a command.
            '\n' | '\r' => out.push_str("&#10;"),
            c => out.push(c),
        }
    }
    out
}
