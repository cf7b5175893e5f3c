//! What it takes to parse a Python file, told without parsing it.

/// About how many bytes the parser looks at: to find the next indentation it reads on over all comments that follow, and
/// does so again for each of them.
pub fn effort(text: &[u8]) -> usize {
    let (mut total, mut lines, mut bytes) = (text.len(), 0_usize, 0_usize);
    for line in text.split(|byte| *byte == b'\n') {
        match line.trim_ascii_start().first() {
            Some(b'#') => (lines, bytes) = (lines + 1, bytes + line.len()),
            Some(_) => {
                total = total.saturating_add(lines.saturating_mul(bytes) / 2);
                (lines, bytes) = (0, 0);
            }
            // A blank line ends no run of comments.
            None => {}
        }
    }
    total.saturating_add(lines.saturating_mul(bytes) / 2)
}

#[cfg(test)]
mod tests {
    use super::effort;

    #[test]
    fn comments_count_once_for_each_that_stands_before_them() {
        let comments = |count: usize| "    # abc\n\n".repeat(count);
        let (one, many) = (effort(comments(500).as_bytes()), effort(comments(1000).as_bytes()));
        assert!(one > 500 * 500 * 4 && many > 3 * one, "{one} {many}");
        let apart = "# abc\nf()\n".repeat(1000);
        assert!(effort(apart.as_bytes()) < 2 * apart.len());
    }
}
