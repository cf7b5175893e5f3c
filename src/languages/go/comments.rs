//! Comments that are code: C before `import "C"`, and what examples are expected to print.

use crate::languages::Source;
use crate::text::contains;

pub fn comments_are_code(source: &Source<'_>) -> bool {
    let has_examples = source.path.ends_with("_test.go") && contains(source.text, b"func Example");
    has_examples || contains(source.text, b"import \"C\"")
}
