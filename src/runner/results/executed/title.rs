//! Titles of tests that are computed when they run, as patterns of what they can become.

/// What stands for a test in its source: a name, or words with gaps that are filled later.
pub struct Title {
    /// Literal pieces; between two there is a gap.
    pieces: Vec<String>,
    starts_open: bool,
    ends_open: bool,
}

impl Title {
    pub fn new(text: &str, path: &str) -> Self {
        match expression(text).filter(|_| is_javascript(path)) {
            Some(title) => title,
            None => template(text),
        }
    }

    pub fn is_computed(&self) -> bool {
        self.starts_open || self.ends_open || self.pieces.len() > 1
    }

    /// Whether it could become anything.
    pub fn is_open(&self) -> bool {
        self.pieces.iter().all(|piece| piece.trim().is_empty()) && self.is_computed()
    }

    pub fn fits(&self, name: &str) -> bool {
        let mut rest = name;
        for (at, piece) in self.pieces.iter().enumerate() {
            if at == 0 && !self.starts_open {
                let Some(behind) = rest.strip_prefix(piece.as_str()) else { return false };
                rest = behind;
            } else if at + 1 == self.pieces.len() && !self.ends_open {
                return rest.ends_with(piece.as_str());
            } else {
                let Some(found) = rest.find(piece.as_str()) else { return false };
                rest = &rest[found + piece.len()..];
            }
        }
        self.ends_open || rest.is_empty() || (self.pieces.is_empty() && self.starts_open)
    }
}

fn is_javascript(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    matches!(extension, "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" | "svelte")
}

/// `adds ${x} items`, `adds %i`, `table $a.b`, `{0} of {1}`
fn template(text: &str) -> Title {
    let mut pieces = Pieces::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match gap(rest) {
            Some(length) => {
                pieces.gap();
                rest = &rest[length..];
            }
            None => {
                pieces.current.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    pieces.finish()
}

/// How long the gap is that a text begins with.
fn gap(text: &str) -> Option<usize> {
    let word =
        |text: &str| text.find(|c: char| !c.is_alphanumeric() && !"_.#$".contains(c)).unwrap_or(text.len());
    if text.starts_with("${") || text.starts_with("#{") || text.starts_with('{') {
        return text.find('}').map(|end| end + 1);
    }
    if let Some(rest) = text.strip_prefix('%') {
        let kind = rest.chars().next().filter(|c| c.is_ascii_alphabetic() || matches!(c, '#' | '$' | '%'))?;
        return Some(1 + kind.len_utf8());
    }
    let rest = text
        .strip_prefix('$')
        .filter(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '#'))?;
    Some(1 + word(rest))
}

/// The source of an expression, such as `'loop ' + c`, `name()` or `Foo.name`: its strings are pieces.
fn expression(text: &str) -> Option<Title> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_$.".contains(c));
    let is_call =
        text.ends_with([')', ']']) && text.starts_with(|c: char| c.is_alphabetic() || "_$(['\"`".contains(c));
    let is_sum = text.contains(" + ") && text.contains(['\'', '"', '`']);
    let is_choice = text.contains(" ? ") && text.contains(" : ");
    if is_choice || (is_call && !is_sum) || is_word {
        return Some(Title { pieces: Vec::new(), starts_open: true, ends_open: true });
    }
    if !is_sum {
        return None;
    }
    let mut pieces = Pieces::default();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => pieces.current.push(c),
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            None => pieces.gap(),
        }
    }
    Some(pieces.finish())
}

#[derive(Default)]
struct Pieces {
    done: Vec<String>,
    current: String,
    starts_open: bool,
    in_gap: bool,
}

impl Pieces {
    fn gap(&mut self) {
        if self.current.is_empty() {
            self.starts_open |= self.done.is_empty();
        } else {
            self.done.push(std::mem::take(&mut self.current));
        }
        self.in_gap = true;
    }

    fn finish(mut self) -> Title {
        let ends_open = self.in_gap && self.current.is_empty();
        if !self.current.is_empty() {
            self.done.push(self.current);
        }
        Title { pieces: self.done, starts_open: self.starts_open, ends_open }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fits(title: &str, name: &str) -> bool {
        Title::new(title, "a.test.js").fits(name)
    }

    #[test]
    fn gaps_are_filled_by_anything() {
        assert!(fits("adds ${x} items", "adds 3 items"));
        assert!(fits("adds %i to %s", "adds 1 to b"));
        assert!(fits("table $a.b and $c", "table 1 and 2"));
        assert!(fits("'loop ' + c", "loop x"));
        assert!(fits("name()", "whatever"));
        assert!(fits("Foo.name", "Foo"));
        assert!(fits("${x}", ""));
        assert!(!fits("adds ${x} items", "removes 3 items"));
        assert!(!fits("adds ${x} items", "adds 3 item"));
        assert!(!fits("'loop ' + c", "other x"));
    }

    #[test]
    fn a_plain_title_fits_itself_alone() {
        assert!(fits("adds two items", "adds two items"));
        assert!(!fits("adds two items", "adds two items, too"));
        assert!(!Title::new("adds 100 % of it", "a.test.js").is_computed());
        assert!(!Title::new("test_total", "a.py").is_computed());
        assert!(!Title::new("costs $5", "a.test.js").is_computed());
    }

    proptest! {
        #[test]
        fn a_title_without_gaps_fits_itself(text in "[a-zé ,!-]{1,20} [a-z]{1,3}", path in "(a.js|a.py)") {
            prop_assert!(Title::new(&text, &path).fits(&text));
        }

        #[test]
        fn nothing_makes_it_panic(text in r#"[a'"`+${}%() é?:]{0,20}"#, name in ".{0,10}") {
            Title::new(&text, "a.js").fits(&name);
            Title::new(&text, "a.py").fits(&name);
        }
    }
}
