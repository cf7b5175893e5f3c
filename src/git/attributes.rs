//! What `.gitattributes` files say about vendored and generated files, as of a commit.
//!
//! Reads the files of the base side only: a change cannot excuse itself. Knows `linguist-vendored` and
//! `linguist-generated` and nothing else; macros are not followed, and neither are the attributes outside the
//! repository's history.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use globset::{GlobBuilder, GlobMatcher};

use super::object::{ObjectId, RepoPath};
use super::quotes;
use super::repository::Repository;

/// Larger files are left alone, as are lines that git finds too long.
const MAX_BYTES: usize = 256 * 1024;
const MAX_LINE: usize = 2048;

/// From so many folders on, the whole commit is listed once: looking each up would read wide folders again and again.
const MANY: usize = 64;

/// How many folders one `ls-tree` is asked about.
const BATCH: usize = 200;

#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// The lines that matter of each file, by the folder it stands in.
    folders: BTreeMap<String, Vec<Rule>>,
}

#[derive(Clone, Debug)]
struct Rule {
    matcher: GlobMatcher,
    /// Matches file names at any depth instead of paths from the folder.
    by_name: bool,
    vendored: Option<State>,
    generated: Option<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Set,
    Unset,
    Unspecified,
}

impl Attributes {
    /// The attributes of a commit for the given paths; none where there is no commit.
    pub fn read(repository: &Repository, base: Option<&ObjectId>, paths: &[RepoPath]) -> Result<Self> {
        let Some(base) = base else { return Ok(Self::default()) };
        let candidates: Vec<RepoPath> = folders_above(paths).iter().map(|folder| in_folder(folder)).collect();
        let mut attributes = Self::default();
        for path in likely(repository, base, candidates)? {
            let content = match repository.entry(base, &path)? {
                Some(entry) if entry.is_file() => repository.blob(&entry.id)?,
                _ => continue,
            };
            let text = path.text();
            attributes.add(text.strip_suffix(".gitattributes").unwrap_or(&text), &content);
        }
        Ok(attributes)
    }

    /// The attributes of files already at hand: folders, empty or ending with a slash, and contents.
    pub fn from_files<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Self {
        let mut attributes = Self::default();
        for (folder, content) in files {
            attributes.add(folder, content.as_bytes());
        }
        attributes
    }

    fn add(&mut self, folder: &str, content: &[u8]) {
        if content.len() > MAX_BYTES {
            return;
        }
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        let lines = content.split(|&byte| byte == b'\n').filter(|line| line.len() < MAX_LINE);
        let rules: Vec<Rule> = lines.filter_map(|line| Rule::parse(&String::from_utf8_lossy(line))).collect();
        if !rules.is_empty() {
            self.folders.insert(folder.to_owned(), rules);
        }
    }

    pub fn is_vendored(&self, path: &str) -> bool {
        self.vendored(path) == Some(true)
    }

    pub fn is_generated(&self, path: &str) -> bool {
        self.generated(path) == Some(true)
    }

    /// What the attributes say, `None` where they say nothing.
    pub fn vendored(&self, path: &str) -> Option<bool> {
        self.state(path, |rule| rule.vendored)
    }

    pub fn generated(&self, path: &str) -> Option<bool> {
        self.state(path, |rule| rule.generated)
    }

    /// Deeper files win over shallower ones, later lines over earlier ones.
    fn state(&self, path: &str, of: impl Fn(&Rule) -> Option<State>) -> Option<bool> {
        if self.folders.is_empty() {
            return None;
        }
        let slashes = path.match_indices('/').map(|(at, _)| at + 1);
        let mut depths: Vec<usize> = std::iter::once(0).chain(slashes).collect();
        depths.reverse();
        let name = &path[depths[0]..];
        let decides = |at: &usize| {
            let rules = self.folders.get(&path[..*at])?;
            rules.iter().rev().find_map(|rule| {
                let subject = if rule.by_name { name } else { &path[*at..] };
                of(rule).filter(|_| rule.matcher.is_match(subject))
            })
        };
        match depths.iter().find_map(decides)? {
            State::Set => Some(true),
            State::Unset => Some(false),
            State::Unspecified => None,
        }
    }
}

/// Every folder above the paths, as bytes that are empty or end with a slash.
fn folders_above(paths: &[RepoPath]) -> BTreeSet<&[u8]> {
    let mut folders = BTreeSet::new();
    for path in paths {
        let mut folder = path.as_bytes();
        while let Some(slash) = folder.iter().rposition(|&byte| byte == b'/') {
            // What is above a known folder is known too.
            if !folders.insert(&folder[..=slash]) {
                break;
            }
            folder = &folder[..slash];
        }
    }
    folders.insert(&b""[..]);
    folders
}

fn in_folder(folder: &[u8]) -> RepoPath {
    RepoPath::new([folder, b".gitattributes"].concat())
}

/// Leaves out what the commit does not hold, where asking for each would cost more: of many folders, and a process
/// each without libgit2.
fn likely(repository: &Repository, commit: &ObjectId, candidates: Vec<RepoPath>) -> Result<Vec<RepoPath>> {
    if repository.library().is_some() {
        if candidates.len() < MANY {
            return Ok(candidates);
        }
        let held: BTreeSet<RepoPath> = repository.list(commit)?.into_iter().map(|(path, _)| path).collect();
        return Ok(candidates.into_iter().filter(|path| held.contains(path)).collect());
    }
    let candidates: Vec<RepoPath> = candidates.into_iter().filter(RepoPath::is_plain).collect();
    let mut found = Vec::new();
    for batch in candidates.chunks(BATCH) {
        let args =
            ["--literal-pathspecs", "ls-tree", "-z", "--name-only", "--full-tree", commit.as_str(), "--"];
        let mut command = repository.git().command(&args);
        let output =
            command.args(batch.iter().filter_map(RepoPath::to_os_path)).output().context("cannot run git")?;
        if !output.status.success() {
            bail!("`git ls-tree {commit}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let names = output.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        found.extend(names.map(RepoPath::new));
    }
    Ok(found)
}

impl Rule {
    /// One line, `None` where it says nothing about the two attributes or matches nothing.
    fn parse(line: &str) -> Option<Self> {
        let line = line.trim_matches([' ', '\t', '\r']);
        if line.starts_with('#') {
            return None;
        }
        let (pattern, words) = split_pattern(line)?;
        let (mut vendored, mut generated) = (None, None);
        for word in words.split([' ', '\t', '\r']) {
            match state_of(word) {
                ("linguist-vendored", state) => vendored = Some(state),
                ("linguist-generated", state) => generated = Some(state),
                _ => {}
            }
        }
        vendored.or(generated)?;
        // Negated patterns are forbidden in attributes, and a folder as such has none of these.
        if pattern.starts_with('!') || pattern.starts_with("[attr]") || pattern.ends_with('/') {
            return None;
        }
        let by_name = !pattern.contains('/');
        let glob = translate(pattern.strip_prefix('/').unwrap_or(&pattern))?;
        let built = GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build().ok()?;
        Some(Self { matcher: built.compile_matcher(), by_name, vendored, generated })
    }
}

/// The name in an attribute word and what the word does to it. As for linguist, any value but `false` sets.
fn state_of(word: &str) -> (&str, State) {
    if let Some(name) = word.strip_prefix('-') {
        return (name, State::Unset);
    }
    if let Some(name) = word.strip_prefix('!') {
        return (name, State::Unspecified);
    }
    match word.split_once('=') {
        Some((name, "false")) => (name, State::Unset),
        Some((name, _)) => (name, State::Set),
        None => (word, State::Set),
    }
}

/// The pattern, without its quotes if it has any, and the rest of the line.
fn split_pattern(line: &str) -> Option<(String, &str)> {
    if let Some(quoted) = line.strip_prefix('"')
        && let Some((pattern, end)) = quotes::unquote(quoted.as_bytes())
    {
        return Some((String::from_utf8_lossy(&pattern).into_owned(), &quoted[end..]));
    }
    let (pattern, rest) = line.split_once([' ', '\t', '\r'])?;
    Some((pattern.to_owned(), rest))
}

/// A pattern of git in the words of globset: no alternatives in braces, but named classes and escapes in brackets.
fn translate(pattern: &str) -> Option<String> {
    let mut glob = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '{' | '}' => glob.extend(['\\', c]),
            '[' => rest = class(rest, &mut glob)?,
            '\\' => {
                let escaped = rest.chars().next()?;
                rest = &rest[escaped.len_utf8()..];
                glob.extend(['\\', escaped]);
            }
            _ => glob.push(c),
        }
    }
    Some(glob)
}

/// Rewrites what follows a `[` up to its `]`; gives the rest. Without a `]` the pattern matches nothing.
fn class<'p>(mut rest: &'p str, glob: &mut String) -> Option<&'p str> {
    glob.push('[');
    if let Some(negated) = rest.strip_prefix(['!', '^']) {
        glob.push('!');
        rest = negated;
    }
    let mut members = String::new();
    // A bracket that comes first, and a hyphen at either end, are members like any other.
    let (mut bracket, mut hyphen) = (false, false);
    let mut first = true;
    loop {
        let c = rest.chars().next()?;
        rest = &rest[c.len_utf8()..];
        match c {
            ']' if !first => break,
            ']' => bracket = true,
            '[' if rest.starts_with(':') => {
                let (name, after) = rest[1..].split_once(":]")?;
                members.push_str(named_class(name)?);
                rest = after;
            }
            '-' if first || rest.starts_with(']') => hyphen = true,
            '\\' => {
                let escaped = rest.chars().next()?;
                rest = &rest[escaped.len_utf8()..];
                match escaped {
                    ']' => bracket = true,
                    '-' => hyphen = true,
                    _ => members.push(escaped),
                }
            }
            _ => members.push(c),
        }
        first = false;
    }
    if bracket {
        glob.push(']');
    }
    glob.push_str(&members);
    if hyphen {
        glob.push('-');
    }
    glob.push(']');
    Some(rest)
}

fn named_class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alpha" => "a-zA-Z",
        "digit" => "0-9",
        "alnum" => "a-zA-Z0-9",
        "lower" => "a-z",
        "upper" => "A-Z",
        "xdigit" => "0-9a-fA-F",
        "space" => " \t\n\r\u{b}\u{c}",
        "blank" => " \t",
        _ => return None,
    })
}

#[cfg(test)]
#[path = "attributes_tests.rs"]
mod tests;
