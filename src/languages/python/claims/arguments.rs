//! The arguments of a call, by place and by name.

use super::super::super::expression::number;

pub struct Arguments<'a> {
    pub positional: Vec<&'a str>,
    keywords: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    pub fn of(arguments: &[&'a str]) -> Self {
        let mut read = Self { positional: Vec::new(), keywords: Vec::new() };
        for argument in arguments {
            match keyword(argument) {
                Some(pair) => read.keywords.push(pair),
                None => read.positional.push(argument),
            }
        }
        read
    }

    pub fn at(&self, place: usize) -> Option<&'a str> {
        self.positional.get(place).copied()
    }

    pub fn named(&self, name: &str) -> Option<&'a str> {
        self.keywords.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    pub fn get(&self, place: usize, name: &str) -> Option<&'a str> {
        self.at(place).or_else(|| self.named(name))
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        self.named(name).and_then(number)
    }

    /// Whether an option of any name is switched off.
    pub fn any_off(&self) -> bool {
        self.keywords.iter().any(|(key, value)| key.starts_with("check_") && *value == "False")
    }

    /// Everything from a place on, as written.
    pub fn rest(&self, place: usize) -> String {
        let positional = self.positional.iter().skip(place).map(|one| (*one).to_owned());
        let keywords = self.keywords.iter().map(|(key, value)| format!("{key}={value}"));
        positional.chain(keywords).collect::<Vec<_>>().join(", ")
    }
}

/// `name=value`, but neither `a == b` nor `f(a=b)`.
fn keyword(argument: &str) -> Option<(&str, &str)> {
    let (name, value) = argument.split_once('=')?;
    let is_name = name.trim_end().chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    (is_name && !value.starts_with('=')).then(|| (name.trim_end(), value.trim_start()))
}
