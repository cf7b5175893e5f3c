//! The arguments of a call that may define a test: title, options, callback.

use tree_sitter::Node;

use super::grammar::{Kind, Reader};

/// How sure a call's arguments look like those of a test.
pub struct Shape<'t> {
    pub title: Option<Node<'t>>,
    pub options: Option<Node<'t>>,
    pub callback: Option<Node<'t>>,
    pub arguments: usize,
}

impl<'t> Shape<'t> {
    pub fn of(read: &Reader<'_>, call: Node<'t>) -> Self {
        let arguments = read.arguments(call);
        let mut shape = Self { title: None, options: None, callback: None, arguments: arguments.len() };
        for (at, &argument) in arguments.iter().enumerate() {
            match read.kind(argument) {
                Kind::Function if shape.callback.is_none() => shape.callback = Some(argument),
                Kind::Object if shape.options.is_none() => shape.options = Some(argument),
                _ if at == 0 => shape.title = Some(argument),
                _ => {}
            }
        }
        if shape.callback.is_none() {
            shape.callback = arguments.iter().skip(1).copied().find(|&node| can_be_function(read, node));
        }
        if shape.title.is_none() {
            shape.read_options(read);
        }
        shape
    }

    /// `{ name: 'adds', fn() {...} }` in place of title and callback.
    fn read_options(&mut self, read: &Reader<'_>) {
        let Some(options) = self.options else { return };
        for entry in read.children(options) {
            match entry_name(read, entry) {
                Some("name") => self.title = entry.child_by_field_id(read.fields().value),
                Some("fn") if self.callback.is_none() => {
                    self.callback = match read.kind(entry) {
                        Kind::Method => Some(entry),
                        _ => entry.child_by_field_id(read.fields().value),
                    };
                }
                _ => {}
            }
        }
    }

    pub fn title_is_text(&self, read: &Reader<'_>) -> bool {
        self.title.is_some_and(|title| match read.kind(title) {
            Kind::String | Kind::Template => true,
            Kind::Binary => {
                let side = |field| title.child_by_field_id(field).map(|node| read.kind(node));
                let is_text = |kind| matches!(kind, Some(Kind::String | Kind::Template | Kind::Binary));
                // `browser === 'webkit'` is a condition.
                !compares(read.text(title))
                    && (is_text(side(read.fields().left)) || is_text(side(read.fields().right)))
            }
            _ => false,
        })
    }

    /// The name of the test: the title as written, without quotes.
    pub fn name(&self, read: &Reader<'_>) -> String {
        let named = |function: Node<'t>| function.child_by_field_id(read.fields().name);
        match self.title {
            Some(title) => title_text(read, title),
            None => self.callback.and_then(named).map_or("(anonymous)", |name| read.text(name)).to_owned(),
        }
    }

    /// The function that runs, be it the callback itself or wrapped: `inject(function () {...})`.
    pub fn function(&self, read: &Reader<'_>) -> Option<Node<'t>> {
        let callback = self.callback?;
        match read.kind(callback) {
            Kind::Function | Kind::Method => Some(callback),
            Kind::Call => {
                read.arguments(callback).into_iter().find(|&node| read.kind(node) == Kind::Function)
            }
            _ => None,
        }
    }
}

/// Whether an expression of two sides compares them, rather than to join them.
fn compares(text: &str) -> bool {
    let code: String = text.split(['"', '\'', '`']).step_by(2).collect();
    ["==", "!=", "&&", "||", "<", ">"].iter().any(|sign| code.contains(sign)) && !code.contains('+')
}

fn can_be_function(read: &Reader<'_>, node: Node<'_>) -> bool {
    matches!(read.kind(node), Kind::Identifier | Kind::Member | Kind::Call | Kind::Parenthesized | Kind::Cast)
}

fn title_text(read: &Reader<'_>, title: Node<'_>) -> String {
    let text = read.literal(title).unwrap_or_else(|| read.text(title));
    let mut name = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut blank = false;
    while let Some(letter) = letters.next() {
        // How a quote is escaped depends on the quotes around it, which formatters change.
        if letter == '\\' && letters.peek().is_some_and(|next| matches!(next, '\'' | '"' | '`')) {
            continue;
        }
        if matches!(letter, '\n' | '\r') {
            blank = true;
        } else if !(blank && letter.is_whitespace()) {
            if blank && !name.is_empty() {
                name.push(' ');
            }
            blank = false;
            name.push(letter);
        }
    }
    name
}

/// The key of a pair or method of an object.
pub fn entry_name<'s>(read: &Reader<'s>, entry: Node<'_>) -> Option<&'s str> {
    let fields = read.fields();
    let key = entry.child_by_field_id(fields.key).or_else(|| entry.child_by_field_id(fields.name))?;
    Some(read.literal(key).unwrap_or_else(|| read.text(key)))
}
