//! The one error of reading a policy: where it is, what is wrong, what to write instead.

use std::fmt;

use super::FILE_NAME;

/// Lines and columns count from 1; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl PolicyError {
    pub fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into() }
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FILE_NAME}:{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for PolicyError {}
