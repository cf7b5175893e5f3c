//! Attributes as text: path, arguments, value. The same reading serves attributes of the tree and of macro tokens.

/// One attribute without its `#[` and `]`, or one piece of a `cfg_attr`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta<'a> {
    pub path: &'a str,
    /// What stands between the parentheses.
    pub arguments: &'a str,
    /// What stands after `=`.
    pub value: Option<&'a str>,
}

impl<'a> Meta<'a> {
    pub fn parse(text: &'a str) -> Self {
        let text = text.trim();
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let (path, rest) = text.split_at(text.find(|c| !is_path(c)).unwrap_or(text.len()));
        let rest = rest.trim();
        let arguments = rest
            .strip_prefix(['(', '[', '{'])
            .map_or("", |rest| rest.strip_suffix([')', ']', '}']).unwrap_or(rest));
        let value = rest.strip_prefix('=').filter(|rest| !rest.starts_with('>')).map(str::trim);
        Self { path, arguments, value }
    }

    /// The text of an attribute with `#[` and `]`, or only the brackets.
    pub fn of_item(text: &'a str) -> Self {
        let text = text.trim_start_matches(['#', '!', ' ']);
        let text = text.strip_prefix('[').unwrap_or(text);
        Self::parse(text.strip_suffix(']').unwrap_or(text))
    }

    pub fn first_name(&self) -> &'a str {
        self.path.split("::").find(|part| !part.is_empty()).unwrap_or("")
    }

    pub fn last_name(&self) -> &'a str {
        self.path.rsplit("::").next().unwrap_or("")
    }
}

/// The text of a string literal, if `text` is one.
pub fn string_value(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(raw) = text.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let plain = text.strip_prefix('"')?.strip_suffix('"')?;
    Some(plain.replace("\\\"", "\""))
}

/// The pieces between commas outside brackets, strings and comments; a trailing comma adds none.
pub fn pieces(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut pieces, mut from, mut depth, mut at) = (Vec::new(), 0, 0usize, 0);
    while at < bytes.len() {
        at = match bytes[at] {
            b'(' | b'[' | b'{' => {
                depth += 1;
                at + 1
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            b',' if depth == 0 => {
                pieces.push(&text[from..at]);
                from = at + 1;
                from
            }
            _ => after_token(bytes, at),
        };
    }
    pieces.push(text.get(from..).unwrap_or(""));
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

/// Where the string, character, comment or single byte that starts at `at` ends.
fn after_token(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let until = |from: usize, end: &[u8]| {
        let tail = rest.get(from..).unwrap_or_default();
        let found = tail.windows(end.len().max(1)).position(|window| window == end);
        found.map_or(bytes.len(), |found| at + from + found + end.len())
    };
    match rest {
        [b'"', ..] => after_string(bytes, at),
        [b'/', b'/', ..] => until(2, b"\n"),
        [b'/', b'*', ..] => until(2, b"*/"),
        [b'r', b'"', ..] => until(2, b"\""),
        [b'r', b'#', ..] => {
            let hashes = rest[1..].iter().take_while(|&&byte| byte == b'#').count();
            if rest.get(1 + hashes) != Some(&b'"') {
                return at + 1;
            }
            let mut end = vec![b'#'; hashes + 1];
            end[0] = b'"';
            until(hashes + 2, &end)
        }
        [b'\'', b'\\', ..] => until(3, b"'"),
        [b'\'', _, b'\'', ..] => at + 3,
        _ => at + 1,
    }
}

fn after_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}
