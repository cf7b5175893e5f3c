//! A configuration file as a list of entries, whatever its format: the way to a value, the value, its line.

/// How many entries and how deep a way are read; what people write has less.
pub const MAX_ENTRIES: usize = 20_000;
pub const MAX_DEPTH: usize = 48;

/// One value and the keys that lead to it. Places in a list are keys that begin with `#`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub path: Vec<String>,
    pub value: String,
    pub line: u32,
}

/// A comment, without its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub text: String,
    pub line: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub entries: Vec<Entry>,
    pub remarks: Vec<Remark>,
}

impl Document {
    /// Adds a value; `false` once there are too many.
    pub fn push(&mut self, path: Vec<String>, value: impl Into<String>, line: u32) -> bool {
        self.entries.push(Entry { path, value: value.into(), line });
        self.entries.len() < MAX_ENTRIES
    }

    pub fn remark(&mut self, text: &str, line: u32) {
        self.remarks.push(Remark { text: text.trim().to_owned(), line });
    }
}

impl Entry {
    /// The keys on the way, places in lists left out.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.path.iter().map(String::as_str).filter(|key| !key.starts_with('#'))
    }

    pub fn name(&self) -> &str {
        self.keys().next_back().unwrap_or_default()
    }

    /// Whether the keys are those of a dotted pattern, in which `*` stands for one key and a leading `**` for any.
    pub fn is(&self, pattern: &str) -> bool {
        let (anywhere, pattern) = match pattern.strip_prefix("**.") {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        let mut keys = self.keys().rev();
        for wanted in pattern.rsplit('.') {
            match keys.next() {
                Some(key) if wanted == "*" || wanted == key => {}
                _ => return false,
            }
        }
        anywhere || keys.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_keys_from_the_end() {
        let path = ["test", "coverage", "exclude", "#3"].map(str::to_owned).to_vec();
        let entry = Entry { path, value: String::new(), line: 1 };
        for (pattern, expected) in [
            ("test.coverage.exclude", true),
            ("**.coverage.exclude", true),
            ("**.exclude", true),
            ("test.*.exclude", true),
            ("coverage.exclude", false),
            ("**.test.exclude", false),
        ] {
            assert_eq!(entry.is(pattern), expected, "{pattern}");
        }
    }
}
