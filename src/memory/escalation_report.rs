//! Markdown made of text that others wrote: nothing in it can end a code block, start a heading or grow without end.

use crate::text::{clipped, one_line, safe_lines};

const MAX_INLINE: usize = 400;
const MAX_BLOCK_LINES: usize = 120;
const MAX_BLOCK_BYTES: usize = 8 * 1024;
const MAX_BYTES: usize = 128 * 1024;

#[derive(Default)]
pub struct Markdown(String);

impl Markdown {
    pub fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    pub fn blank(&mut self) {
        self.0.push('\n');
    }

    pub fn heading(&mut self, text: &str) {
        self.line(&format!("### {text}"));
        self.blank();
    }

    pub fn item(&mut self, text: &str) {
        self.line(&format!("- {text}"));
    }

    /// `**Name**: value`, with a line break that Markdown keeps.
    pub fn field(&mut self, name: &str, value: &str) {
        let value = self.text(value);
        self.line(&format!("**{name}**: {value}  "));
    }

    /// Foreign text on one line, that formats nothing.
    pub fn text(&self, text: &str) -> String {
        let mut out = String::new();
        for c in clipped(&one_line(text.trim()), MAX_INLINE).chars() {
            if matches!(c, '`' | '*' | '<' | '[' | '|' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
        out
    }

    /// Foreign text on one line as code.
    pub fn code(&self, text: &str) -> String {
        let text = clipped(&one_line(text.trim()), MAX_INLINE);
        let fence = "`".repeat(longest_run(&text) + 1);
        let pad = if text.contains('`') || text.is_empty() { " " } else { "" };
        format!("{fence}{pad}{text}{pad}{fence}")
    }

    pub fn block(&mut self, language: &str, text: &str) {
        let safe = safe_lines(text);
        let mut kept = String::new();
        let mut lines = safe.lines();
        for line in lines.by_ref().take(MAX_BLOCK_LINES) {
            if kept.len() + line.len() > MAX_BLOCK_BYTES {
                kept.push_str("...\n");
                break;
            }
            kept.push_str(line);
            kept.push('\n');
        }
        let left = lines.count();
        if left > 0 {
            kept.push_str(&format!("... ({left} more lines)\n"));
        }
        let fence = "`".repeat(longest_run(&kept).max(2) + 1);
        self.0.push_str(&format!("{fence}{language}\n{kept}{fence}\n\n"));
    }

    pub fn finish(mut self) -> String {
        if self.0.len() > MAX_BYTES {
            let end = (0..=MAX_BYTES).rev().find(|&at| self.0.is_char_boundary(at)).unwrap_or_default();
            self.0.truncate(end);
            self.0.push_str("\n\n... (cut off)\n\n**Human review required**\n");
        }
        self.0
    }
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_formats_nothing() {
        let markdown = Markdown::default();
        assert_eq!(markdown.text("a *b* <c>\n# d"), r"a \*b\* \<c> # d");
        assert_eq!(markdown.code("a`b"), "`` a`b ``");
        assert!(!markdown.text("\x1b[31m").contains('\x1b'));
        assert_eq!(markdown.text(&"x".repeat(1000)).len(), MAX_INLINE);
    }

    #[test]
    fn no_text_ends_its_own_block() {
        let mut markdown = Markdown::default();
        markdown.block("text", "a\n```\n# not a heading\n````");
        assert!(markdown.0.starts_with("`````text\n") && markdown.0.ends_with("\n`````\n\n"));
    }

    #[test]
    fn no_line_is_a_command_to_a_build_server() {
        let mut markdown = Markdown::default();
        markdown.block("text", "a\n::error::b\n##[error]c");
        assert!(markdown.0.contains("\n./::error::b\n# #[error]c\n"), "{}", markdown.0);
    }

    #[test]
    fn blocks_are_bounded() {
        let mut markdown = Markdown::default();
        markdown.block("", &"line\n".repeat(500));
        assert!(markdown.0.contains("... (380 more lines)"));
        markdown.block("", &"x".repeat(1 << 20));
        assert!(markdown.0.len() < 20_000);
    }
}
