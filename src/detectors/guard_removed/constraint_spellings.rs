//! How libraries spell the constraints of a field, a parameter or an option: takes them out of a line of code.
//!
//! Part of the rule about guards. White space is taken out of the lines before. Each look goes over a line once.

use crate::comparison::{CodeLine, FileSide};

/// Options that limit a value wherever they stand.
const LIMITS: &[&str] = &[
    "min_length",
    "max_length",
    "multiple_of",
    "min_items",
    "max_items",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "decimal_places",
    "max_digits",
];

/// Options that limit a value where they are given to one of [`DECLARES`].
const OF_FIELDS: &[&str] =
    &["pattern", "regex", "ge", "gt", "le", "lt", "validators", "choices", "required", "validate"];

/// Calls that declare a field, a parameter or an option.
const DECLARES: &[&str] = &[
    "Field(",
    "field(",
    "Query(",
    "Path(",
    "Body(",
    "Form(",
    "Header(",
    "Param(",
    "add_argument(",
    "option(",
    "Option(",
    "argument(",
    "Argument(",
    "attrib(",
    "ib(",
];

/// Links of a chain that limit what a schema takes.
const LINKS: &[&str] = &[
    "min",
    "max",
    "length",
    "regex",
    "email",
    "url",
    "uuid",
    "int",
    "positive",
    "nonnegative",
    "nonempty",
    "strict",
    "gt",
    "gte",
    "lt",
    "lte",
    "datetime",
    "required",
    "integer",
    "matches",
    "finite",
    "multipleOf",
    "pattern",
];

/// Links that take a limit away.
const OPENS: &[&str] = &["passthrough", "loose", "catchall"];

/// Libraries whose schemas are chains of calls.
const LIBRARIES: &[&[u8]] = &[b"zod", b"yup", b"joi", b"Joi", b"valibot"];

/// Annotations that limit what a field holds.
const ANNOTATIONS: &[&str] = &[
    "NotNull",
    "NotBlank",
    "NotEmpty",
    "Size",
    "Min",
    "Max",
    "Pattern",
    "Valid",
    "Positive",
    "PositiveOrZero",
    "Email",
    "Digits",
    "DecimalMin",
    "DecimalMax",
    "Past",
    "Future",
];

/// Beginnings of other spellings: annotations, tags, attributes, types.
const OTHERS: &[&str] = &[
    "@Not",
    "@Size",
    "@Min",
    "@Max",
    "@Pattern",
    "@Valid",
    "@Pos",
    "@Email",
    "@D",
    "@Past",
    "@Future",
    "validate:",
    "binding:",
    "deny_unknown_fields",
    "Literal[",
    "Enum",
    "enum(",
];

/// A declaration that goes over more lines is not put together.
const MAX_JOINED: usize = 24;

/// Whether a text has a name that is no part of a longer one: `joi`, not `join`.
fn says_word(text: &[u8], name: &[u8]) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    crate::text::occurrences(text, name)
        .any(|at| !is_part(text[..at].last()) && !is_part(text.get(at + name.len())))
}

/// Knows which spellings of constraints a file may have.
pub struct Reader {
    chains: bool,
}

impl Reader {
    pub fn of(side: &FileSide) -> Self {
        // Elsewhere `max` and `length` are of numbers and lists.
        let is_read = matches!(side.facts.language, "javascript" | "typescript" | "python");
        Self { chains: is_read && LIBRARIES.iter().any(|library| says_word(&side.text, library)) }
    }

    /// Whether a file can have lost any constraint: most cannot, and need not be taken apart.
    pub fn may_find(before: &FileSide, after: &FileSide) -> bool {
        let gone = before.lines_unlike(after);
        let says = |text: &[u8], word: &str| crate::text::contains(text, word.as_bytes());
        // An option may go whose declaration began on a line that stays.
        let option = OF_FIELDS.iter().any(|name| says_word(gone, name.as_bytes()));
        Self::of(before).chains
            || [LIMITS, DECLARES, OTHERS].into_iter().flatten().any(|word| says(gone, word))
            || option && DECLARES.iter().any(|call| says(&before.text, call))
    }

    /// The lines of a file, each declaration that goes over several put into its first.
    pub fn joined(lines: &[CodeLine]) -> Vec<CodeLine> {
        let mut joined: Vec<CodeLine> = Vec::with_capacity(lines.len());
        let mut open: Option<(i64, usize)> = None;
        for line in lines {
            let depth = depth_of(&line.code);
            if let Some(((left, count), last)) = open.zip(joined.last_mut()) {
                last.code.push_str(&line.code);
                let left = left + depth;
                open = (left > 0 && count < MAX_JOINED).then_some((left, count + 1));
                if open.is_none() {
                    last.code = last.code.replace(",)", ")");
                }
                continue;
            }
            if depth > 0 && DECLARES.iter().any(|call| line.code.ends_with(call)) {
                open = Some((depth, 1));
            }
            joined.push(line.clone());
        }
        joined
    }

    /// A line without its constraints, and their names.
    pub fn split(&self, code: &str) -> (String, Vec<String>) {
        let mut found = Vec::new();
        let declares = DECLARES.iter().any(|call| code.contains(call));
        let alone = code.ends_with(',') || code.ends_with(')');
        let mut bare = options(code, declares || alone, &mut found);
        if self.chains {
            bare = links(&bare, &mut found);
        }
        bare = annotations(&bare, &mut found);
        let bare = choices(&bare, &mut found);
        (tags(&bare, &mut found), found)
    }

    /// Whether a line stands in a call that declares something, or needs none.
    pub fn is_declared(&self, lines: &[CodeLine], at: usize) -> bool {
        let code = lines[at].code.as_str();
        let near = lines[at.saturating_sub(8)..at].iter().rev();
        let opener = near.map(|line| line.code.as_str()).find(|code| code.ends_with(['(', '{']));
        code.starts_with(['.', '@', '#'])
            || LIMITS.iter().any(|name| code.starts_with(name))
            || opener.is_some_and(|opener| DECLARES.iter().any(|call| opener.ends_with(call)))
    }
}

/// How many more round brackets a line opens than it closes.
fn depth_of(code: &str) -> i64 {
    code.bytes().map(|byte| i64::from(byte == b'(') - i64::from(byte == b')')).sum()
}

/// Takes `name=value` and `name:value` of known names out.
fn options(code: &str, declares: bool, found: &mut Vec<String>) -> String {
    let mut bare = String::with_capacity(code.len());
    let mut rest = code;
    loop {
        let starts = bare.is_empty() || bare.ends_with(['(', ',', '{']);
        if let Some((name, after)) = option(rest).filter(|_| starts)
            && (LIMITS.contains(&name) || (declares && OF_FIELDS.contains(&name)))
        {
            found.push(name.to_owned());
            rest = after;
            continue;
        }
        let next = rest.find([',', '(', '{']).map_or(rest.len(), |at| at + 1);
        bare.push_str(&rest[..next]);
        rest = &rest[next..];
        if rest.is_empty() {
            break;
        }
    }
    // What stood last leaves the comma before it behind.
    bare.replace(",)", ")").replace(",}", "}")
}

/// The name of an option, and what follows its value.
fn option(code: &str) -> Option<(&str, &str)> {
    let code = code.trim_start_matches(['"', '\'']);
    let end = code.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (name, rest) = code.split_at(end);
    let rest = rest.trim_start_matches(['"', '\'']);
    let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix(':'))?;
    if name.is_empty()
        || value.starts_with('=')
        || (name == "required" && !value.to_lowercase().starts_with("true"))
    {
        return None;
    }
    let end = value_end(value);
    Some((name, value[end..].strip_prefix(',').unwrap_or(&value[end..])))
}

/// Where a value ends: before a comma or a bracket that it did not open.
fn value_end(value: &str) -> usize {
    let (mut depth, mut quote) = (0usize, None);
    for (at, letter) in value.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth == 0 => return at,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => return at,
            _ => {}
        }
    }
    value.len()
}

/// Takes `.name(...)` of known names out.
fn links(code: &str, found: &mut Vec<String>) -> String {
    let mut bare = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find('.') {
        let (head, tail) = rest.split_at(at);
        bare.push_str(head);
        let name = tail[1..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let given = tail[1 + name.len()..].strip_prefix('(');
        let (limits, opens) = (LINKS.contains(&name), OPENS.contains(&name));
        match given.filter(|_| limits || opens) {
            // A link, and no method of something else.
            Some(given) if given.contains(')') => {
                let close = closing(given);
                if limits {
                    found.push(name.to_owned());
                }
                rest = given.get(close + 1..).unwrap_or("");
            }
            _ => {
                bare.push('.');
                rest = &tail[1..];
            }
        }
    }
    bare + rest
}

/// Where the bracket closes that was opened before a text.
fn closing(text: &str) -> usize {
    let mut at = value_end(text);
    while text[at..].starts_with(',') {
        at += 1 + value_end(&text[at + 1..]);
    }
    at
}

/// Takes annotations of known names out.
fn annotations(code: &str, found: &mut Vec<String>) -> String {
    let mut bare = code.to_owned();
    let strict = "deny_unknown_fields";
    if let Some(given) = code.strip_prefix("#[serde(").filter(|given| given.contains(strict)) {
        found.push(strict.to_owned());
        let others = given.replace(strict, "").replace("(,", "(");
        return if others.contains(char::is_alphanumeric) { others } else { String::new() };
    }
    while let Some(rest) = bare.strip_prefix('@') {
        // White space is taken out, so that the type of a field follows its annotation at once.
        let Some(name) =
            ANNOTATIONS.iter().filter(|name| rest.starts_with(**name)).max_by_key(|name| name.len())
        else {
            break;
        };
        let tail = &rest[name.len()..];
        let given = tail.strip_prefix('(');
        let next = given.map_or(tail, |given| given.get(closing(given) + 1..).unwrap_or(""));
        found.push((*name).to_owned());
        bare = next.to_owned();
    }
    bare
}

/// Reads a type that lists what it takes as the plain type of these: `Literal["a", "b"]`, `z.enum([...])`.
fn choices(code: &str, found: &mut Vec<String>) -> String {
    for (open, plain, close) in [("Literal[", "str", ']'), ("z.enum(", "z.string()", ')')] {
        if let Some((head, tail)) = code.split_once(open) {
            let end = closing(tail);
            if tail[end..].starts_with(close) {
                found.push(open.trim_end_matches(['[', '(']).to_owned());
                return format!("{head}{plain}{}", &tail[end + 1..]);
            }
        }
    }
    code.to_owned()
}

/// Takes the constraints of a field's tag out: `validate:"required,email"`.
fn tags(code: &str, found: &mut Vec<String>) -> String {
    let mut bare = code.to_owned();
    for key in ["validate:\"", "binding:\""] {
        if let Some((head, tail)) = code.split_once(key).filter(|(head, _)| head.contains('`'))
            && let Some((given, rest)) = tail.split_once('"')
        {
            found.extend(given.split(',').filter(|part| *part != "omitempty").map(str::to_owned));
            bare = format!("{head}{rest}");
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(code: &str) -> (String, Vec<String>) {
        let (bare, found) = Reader { chains: true }.split(code);
        (bare, found)
    }

    #[test]
    fn constraints_are_taken_out_of_a_line() {
        for (with, without, lost) in [
            (r#"name:str=Field(title="a",pattern=r"^[a,b]$")"#, r#"name:str=Field(title="a")"#, "pattern"),
            (r#"age:int=Field(ge=0,le=9)"#, "age:int=Field()", "ge,le"),
            ("name:z.string().min(1).max(9),", "name:z.string(),", "min,max"),
            ("scope:list[Literal['a','b']]", "scope:list[str]", "Literal"),
            ("kind:z.enum(['a','b']),", "kind:z.string(),", "z.enum"),
            ("@Size(max=80)privateStringname;", "privateStringname;", "Size"),
            (
                "Emailstring`json:\"e\"validate:\"required,email\"`",
                "Emailstring`json:\"e\"`",
                "required,email",
            ),
            ("p.add_argument('--mode',choices=['a','b'])", "p.add_argument('--mode')", "choices"),
        ] {
            let ((bare, has), (rest, none)) = (split(with), split(without));
            assert_eq!((bare.as_str(), has.join(",").as_str()), (rest.as_str(), lost), "{with}");
            assert_eq!(none, [""; 0]);
        }
    }
}
