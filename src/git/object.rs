//! The vocabulary of git data: ids, paths, tree entries, raw changes.

use std::borrow::Cow;
use std::fmt;

/// An object id in hexadecimal, of either hash function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    /// Takes 40 or 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        (hex && matches!(text.len(), 40 | 64)).then(|| Self(text.to_owned()))
    }

    /// By hand, because folders of many entries are read on the way of a commit and formatting is slow.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            hex.push(char::from(DIGITS[usize::from(byte >> 4)]));
            hex.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        Self(hex)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the all-zero id, which stands for "no object".
    pub fn is_null(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'0')
    }

    /// The first digits, for people.
    pub fn short(&self) -> &str {
        &self.0[..10]
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A path inside the repository: bytes, as git keeps them, with forward slashes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Vec<u8>);

impl RepoPath {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The path as text; bytes that are not UTF-8 become replacement characters.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The same without a copy where it is text.
    pub fn into_text(self) -> String {
        String::from_utf8(self.0)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Whether a tree can hold it. Patches name what they like, and git would look for such paths on disk.
    pub fn is_plain(&self) -> bool {
        self.0.split(|&byte| byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
    }

    /// The path on disk, where it can be one.
    pub fn to_os_path(&self) -> Option<std::path::PathBuf> {
        crate::platform::path_from_bytes(&self.0)
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// What a tree or the index holds at a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub mode: u32,
    pub id: ObjectId,
}

impl Entry {
    /// A regular file, as opposed to a symbolic link or a submodule.
    pub fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }

    pub fn is_folder(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }
}

/// One path that differs between two sides, before renames are looked for. At least one side is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RawChange {
    pub path: RepoPath,
    pub before: Option<Entry>,
    pub after: Option<Entry>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_the_digits_that_git_prints() {
        let bytes: Vec<u8> = (0..20).map(|n| n * 13).collect();
        let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(ObjectId::from_bytes(&bytes).as_str(), expected);
        assert!(ObjectId::parse(&expected).is_some());
    }

    #[test]
    fn paths_become_text_whatever_their_bytes_are() {
        assert_eq!(RepoPath::new("a/ü").into_text(), "a/ü");
        assert_eq!(RepoPath::new(b"a\xff".as_slice()).into_text(), "a\u{fffd}");
    }
}
