//! A unified diff as a change set: only what the hunks show is known.
//!
//! Hunk counts are not trusted, since people and agents write them by hand: a hunk lasts as long as its lines
//! look like hunk lines. Lines stand at their real numbers; what lies between hunks is blank.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::change_set::{Change, ChangeKind, ChangeSet, Content, File};
use super::object::RepoPath;
use super::quotes;
use super::repository::Repository;

/// A line number beyond this is taken for a mistake: blank lines up to it would only cost memory.
const MAX_LINE: usize = 1_000_000;

/// How many blank lines all files of a patch get together; from then on line numbers are too small.
const MAX_BLANK: usize = 16_000_000;

pub fn gather(repository: &Repository, diff: &[u8]) -> Result<ChangeSet> {
    let changes = parse(diff)?;
    let base = repository.head()?;
    let (head, raw, merge) = (None, Vec::new(), None);
    Ok(ChangeSet { kind: ChangeKind::Patch, base, head, changes, raw, merge, message: None })
}

/// The changes that a unified diff shows.
fn parse(diff: &[u8]) -> Result<Vec<Change>> {
    // What `git diff` prints where nothing differs.
    if diff.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let lines: Vec<&[u8]> =
        diff.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    let mut patches: Vec<Draft> = Vec::new();
    let mut part = Part::Text;
    let mut blank = MAX_BLANK;
    let mut rest = lines.as_slice();
    while let Some((&line, after)) = rest.split_first() {
        rest = after;
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            patches.push(Draft::from_git_header(names));
            part = Part::Header;
        } else if let Some((old, new)) = file_lines(line, after, part) {
            if patches.last().is_none_or(|patch| patch.named) {
                patches.push(Draft::default());
            }
            if let Some(patch) = patches.last_mut() {
                patch.set_names(old, new);
            }
            (rest, part) = (&after[1..], Part::Text);
        } else if let Some(patch) = patches.last_mut() {
            part = patch.line(line, after, part, &mut blank);
        }
    }
    if lines.iter().any(|line| line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ")) {
        bail!("a combined diff of a merge cannot be judged: use `check --commit` on the merge");
    }
    if patches.is_empty() {
        bail!("this is not a unified diff: no `--- a/file` and `+++ b/file` lines were found");
    }
    Ok(patches.into_iter().filter_map(Draft::finish).collect())
}

/// What the lines at hand belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What git says about a file before its hunks.
    Header,
    Hunk,
    /// Anything else, between hunks.
    Text,
    /// After a signature: nothing belongs to the file before it.
    Mail,
}

/// The names in a `---` and a `+++` line. Inside a hunk they could also be changed lines: only a new hunk tells.
fn file_lines<'d>(line: &'d [u8], after: &[&'d [u8]], part: Part) -> Option<(&'d [u8], &'d [u8])> {
    let (old, new) = (line.strip_prefix(b"--- ")?, after.first()?.strip_prefix(b"+++ ")?);
    let hunk_follows = after.get(1).is_some_and(|next| next.starts_with(b"@@"));
    (part != Part::Hunk || hunk_follows).then_some((old, new))
}

/// Whether a line is the end of a mail's patch: `-- `, and no line of a hunk after it.
fn is_signature(line: &[u8], after: &[&[u8]]) -> bool {
    let hunk_goes_on = |next: &&[u8]| matches!(next.first(), Some(b' ' | b'+' | b'-' | b'@' | b'\\'));
    line == b"-- " && !after.first().is_some_and(hunk_goes_on)
}

/// One file of the patch while it is being read.
#[derive(Default)]
struct Draft {
    old: Option<RepoPath>,
    new: Option<RepoPath>,
    named: bool,
    before: Side,
    after: Side,
}

/// The lines of one side, at their numbers.
#[derive(Default)]
struct Side {
    text: Vec<u8>,
    lines: usize,
}

impl Side {
    /// Adds blank lines up to the one before `line`, as long as there are any left.
    fn go_to(&mut self, line: usize, blank: &mut usize) {
        while self.lines + 1 < line.min(MAX_LINE) && *blank > 0 {
            self.push(b"");
            *blank -= 1;
        }
    }

    fn push(&mut self, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.lines += 1;
    }
}

impl Draft {
    /// `a/path b/path`; only trusted where both halves agree, since paths may hold spaces.
    fn from_git_header(names: &[u8]) -> Self {
        let middle = names.len() / 2;
        let halves = names.split_at_checked(middle).filter(|(_, rest)| rest.starts_with(b" "));
        let path = halves.and_then(|(old, rest)| {
            let (old, new) = (file_name(old)?, file_name(&rest[1..])?);
            (old == new).then_some(old)
        });
        Self { old: path.clone(), new: path, ..Self::default() }
    }

    fn set_names(&mut self, old: &[u8], new: &[u8]) {
        (self.old, self.new, self.named) = (file_name(old), file_name(new), true);
    }

    /// Takes one line, and says what the next one belongs to.
    fn line(&mut self, line: &[u8], after: &[&[u8]], part: Part, blank: &mut usize) -> Part {
        if line.starts_with(b"@@") && self.named && part != Part::Mail {
            self.start_hunk(line, blank);
            return Part::Hunk;
        }
        match part {
            Part::Hunk if is_signature(line, after) => Part::Mail,
            Part::Hunk if !self.hunk_line(line) => Part::Text,
            Part::Header => {
                self.header_line(line);
                Part::Header
            }
            _ => part,
        }
    }

    fn header_line(&mut self, line: &[u8]) {
        if line.starts_with(b"deleted file mode") {
            self.new = None;
        } else if line.starts_with(b"new file mode") {
            self.old = None;
        } else if let Some(path) = line.strip_prefix(b"rename from ") {
            self.old = Some(RepoPath::new(unquote(path)));
        } else if let Some(path) = line.strip_prefix(b"rename to ") {
            self.new = Some(RepoPath::new(unquote(path)));
        }
    }

    /// `@@ -12,5 +12,7 @@`: only the starting lines are used.
    fn start_hunk(&mut self, header: &[u8], blank: &mut usize) {
        let text = String::from_utf8_lossy(header);
        let start = |sign: char| {
            let word = text.split(' ').find_map(|word| word.strip_prefix(sign))?;
            word.split(',').next()?.parse::<usize>().ok()
        };
        self.before.go_to(start('-').unwrap_or(0), blank);
        self.after.go_to(start('+').unwrap_or(0), blank);
    }

    /// Takes one line of a hunk; false where the line cannot belong to one.
    fn hunk_line(&mut self, line: &[u8]) -> bool {
        match line.first() {
            Some(b'-') => self.before.push(&line[1..]),
            Some(b'+') => self.after.push(&line[1..]),
            Some(b' ') => {
                self.before.push(&line[1..]);
                self.after.push(&line[1..]);
            }
            // Editors strip the blank of an empty context line.
            None => {
                self.before.push(b"");
                self.after.push(b"");
            }
            Some(b'\\') => {}
            _ => return false,
        }
        true
    }

    fn finish(self) -> Option<Change> {
        let file = |path: RepoPath, side: Side| File { path, content: Content::Bytes(Arc::from(side.text)) };
        let before = self.old.map(|path| file(path, self.before));
        let after = self.new.map(|path| file(path, self.after));
        match (before, after) {
            (Some(before), Some(after)) => Some(Change::Modified { before, after }),
            (Some(before), None) => Some(Change::Deleted(before)),
            (None, Some(after)) => Some(Change::Added(after)),
            (None, None) => None,
        }
    }
}

/// The path of a `---`, `+++` or `diff --git` line: without prefix, time stamp and quotes; `None` for /dev/null.
fn file_name(field: &[u8]) -> Option<RepoPath> {
    let field = unquote(field.split(|&byte| byte == b'\t').next().unwrap_or(field));
    if field == b"/dev/null" {
        return None;
    }
    let prefixed =
        [b"a/", b"b/", b"i/", b"w/", b"c/", b"o/"].iter().find_map(|prefix| field.strip_prefix(*prefix));
    Some(RepoPath::new(prefixed.unwrap_or(&field)))
}

/// Undoes git's quoting of unusual paths.
fn unquote(field: &[u8]) -> Vec<u8> {
    let trimmed = field.trim_ascii_end();
    let quoted = trimmed
        .strip_prefix(b"\"")
        .and_then(|rest| quotes::unquote(rest).filter(|(_, end)| *end == rest.len()));
    quoted.map_or_else(|| trimmed.to_vec(), |(name, _)| name)
}
