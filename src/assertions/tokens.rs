//! Expectations as the words, numbers, texts and signs they are made of.

/// The parts of an expression in order; texts are kept whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tokens(Vec<String>);

impl Tokens {
    pub fn of(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut rest = text.trim();
        while let Some(first) = rest.chars().next() {
            let (token, length) = match first {
                '"' | '\'' | '`' => quoted(rest, first),
                _ if is_word(first) => word(rest),
                _ => (first.to_string(), first.len_utf8()),
            };
            if !first.is_whitespace() {
                tokens.push(token);
            }
            rest = &rest[length..];
        }
        Self(tokens)
    }

    /// A single text.
    pub fn text(text: &str) -> Self {
        Self(vec![format!("\"{text}\"")])
    }

    /// How often others stand in it, side by side.
    pub fn count(&self, others: &Self) -> usize {
        if others.0.is_empty() {
            return 0;
        }
        self.0.windows(others.0.len()).filter(|window| *window == others.0).count()
    }

    /// Whether its parts have names: `name: 1`, `name=1`, `"name": 1`.
    pub fn has_names(&self) -> bool {
        self.named().next().is_some()
    }

    /// Whether a member of it bears a name, as a field or as what gives it: `getName` and `name`.
    pub fn names(&self, member: &str) -> bool {
        let plain = |name: &str| {
            let name = name.trim_matches('"');
            let name = ["get", "is"].iter().find_map(|prefix| accessor(name, prefix)).unwrap_or(name);
            name.replace('_', "").to_lowercase()
        };
        let member = plain(member);
        self.named().any(|name| plain(name) == member)
    }

    fn named(&self) -> impl Iterator<Item = &str> {
        let names = |window: &&[String]| {
            let [name, sign, next] = window else { return false };
            let named = name.starts_with(|c: char| c == '"' || is_word(c));
            named && (sign == ":" && next != ":" || sign == "=" && next != "=" && next != ">")
        };
        self.0.windows(3).filter(names).map(|window| window[0].as_str())
    }
}

/// The rest of a name that begins with a word: `Name` of `getName`.
fn accessor<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    name.strip_prefix(prefix).filter(|rest| rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// A text with its quotes made alike, and how long it is as written.
fn quoted(text: &str, mark: char) -> (String, usize) {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == mark && !escaped {
            return (format!("\"{}\"", &text[1..at]), at + 1);
        }
        escaped = c == '\\' && !escaped;
    }
    (text.to_owned(), text.len())
}

/// A name, or a number with its point.
fn word(text: &str) -> (String, usize) {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| !(is_word(c) || is_number && c == '.')).unwrap_or(text.len());
    (text[..end].to_owned(), end)
}

/// How many elements a written list has; nothing where none is written.
pub fn count_items(text: &str) -> Option<usize> {
    let text = text.trim();
    let listed = items(text);
    if listed.len() > 1 {
        return Some(listed.len());
    }
    let mut rest = text;
    loop {
        let open = rest.find(['(', '[', '{'])?;
        let inside = &rest[open + 1..];
        let close = inside.find([')', ']', '}'])?;
        // `[]string{"a"}`: the first bracket only says what kind of list it is.
        if !inside[..close].trim().is_empty() || inside[close + 1..].trim().is_empty() {
            let end = text.len() - usize::from(text.ends_with([')', ']', '}']));
            let start = text.len() - inside.len();
            return Some(items(text.get(start..end)?).len());
        }
        rest = &inside[close + 1..];
    }
}

/// What stands between the commas of a text that are in no brackets and no quotes.
pub fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut escaped, mut start) = (0_usize, None, false, 0);
    let mut items = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open && !escaped => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    items.push(text[start..].trim());
    items.retain(|item| !item.is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_side_by_side() {
        let list = Tokens::of("vec![\"a b\", 'c', Some(1.5), 1]");
        assert_eq!(list.count(&Tokens::of("'a b'")), 1);
        assert_eq!(list.count(&Tokens::of("1")), 1);
        assert_eq!(list.count(&Tokens::of("Some(1.5)")), 1);
        assert_eq!(list.count(&Tokens::of("\"a\"")), 0);
    }

    #[test]
    fn members_may_have_names() {
        let record = Tokens::of("{ name: 'Ann', \"age\": 3 }");
        assert!(record.has_names() && record.names("getName") && record.names("age"));
        assert!(!record.names("size"));
        assert!(!Tokens::of("Color::Red").has_names());
        assert!(Tokens::of("User(first_name=1)").names("firstName"));
    }

    #[test]
    fn elements_are_counted() {
        for (text, count) in [
            ("['a', 'b']", 2),
            ("[]string{\"a, b\"}", 1),
            ("\"a\", \"b\"", 2),
            ("vec![f(1, 2), g()]", 2),
            ("[]", 0),
            ("{'a': [1, 2]}", 1),
        ] {
            assert_eq!(count_items(text), Some(count), "{text}");
        }
        assert_eq!(count_items("expected"), None);
    }
}
