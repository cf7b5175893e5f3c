//! A unified diff as a change set. Where the repository has what it starts from, by the id in the diff or at HEAD, both
//! sides are known whole; of other files only what the hunks show.
//!
//! Hunk counts are not trusted, since people and agents write them by hand: a hunk lasts as long as its lines
//! look like hunk lines. Lines stand at their real numbers; what lies between hunks that nobody knows is blank.

mod hunks;

use std::sync::Arc;

use anyhow::{Result, bail};

use self::hunks::{Hunk, Line, applied, shown};
use super::change_set::{Change, ChangeKind, ChangeSet, Content, File};
use super::object::{Entry, ObjectId, RepoPath};
use super::quotes;
use super::repository::Repository;
use crate::collections::HashMap;

/// How many blank lines all files of a patch get together; from then on line numbers are too small.
const MAX_BLANK: usize = 16_000_000;

/// Larger files are not looked up.
const MAX_BYTES: u64 = 8 << 20;

/// Nor is more than this gone through in all: a line of a patch is enough to name a file.
const MAX_LOOKED_UP: usize = 64 << 20;

pub fn gather(repository: &Repository, diff: &[u8]) -> Result<ChangeSet> {
    let base = repository.head()?;
    let mut origins = Origins { repository, base: base.as_ref(), left: MAX_LOOKED_UP };
    let mut blank = MAX_BLANK;
    let mut files: Vec<Judged> = Vec::new();
    // Where each file stands, by its name so far.
    let mut places: HashMap<RepoPath, usize> = HashMap::new();
    for draft in parse(diff)? {
        // A series of mails changes a file more than once.
        let earlier = draft.old.as_ref().and_then(|old| places.get(old).copied());
        let goes_on = earlier.and_then(|place| Some((place, origins.apply(&files[place].after, &draft)?)));
        let place = match goes_on {
            Some((place, after)) => {
                draft.old.iter().for_each(|old| _ = places.remove(old));
                (files[place].new, files[place].after) = (draft.new, after);
                place
            }
            None => {
                let [before, after] =
                    origins.sides(&draft).unwrap_or_else(|| shown(&draft.hunks, &mut blank));
                files.push(Judged { old: draft.old, new: draft.new, before, after });
                files.len() - 1
            }
        };
        places.extend(files[place].new.clone().map(|new| (new, place)));
    }
    let changes = files.into_iter().filter_map(Judged::into_change).collect();
    let (head, raw, merge) = (None, Vec::new(), None);
    Ok(ChangeSet { kind: ChangeKind::Patch, base, head, changes, raw, merge, message: None })
}

/// One file with what all diffs together make of it.
struct Judged {
    old: Option<RepoPath>,
    new: Option<RepoPath>,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Judged {
    fn into_change(self) -> Option<Change> {
        let file = |path: RepoPath, text: Vec<u8>| File { path, content: Content::Bytes(Arc::from(text)) };
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

/// Where the texts are that files of a patch start from.
struct Origins<'r> {
    repository: &'r Repository,
    base: Option<&'r ObjectId>,
    /// So many bytes of texts may still be gone through.
    left: usize,
}

impl Origins<'_> {
    /// Both sides of a file, if a text is found on which all hunks fit. A new file is shown whole anyway.
    fn sides(&mut self, draft: &Draft<'_>) -> Option<[Vec<u8>; 2]> {
        let by_id = draft.start.filter(|_| draft.origin().is_some());
        let by_id = by_id.filter(|_| self.left > 0);
        let by_id = by_id.and_then(|id| self.repository.blob_called(id, MAX_BYTES));
        if let Some(sides) = by_id.and_then(|before| self.fit(before, draft)) {
            return Some(sides);
        }
        // Lines that only came fit on any text: without an id nothing tells which.
        if !draft.hunks.iter().all(Hunk::names_lines) {
            return None;
        }
        // `file.orig` is no name in the repository.
        let new = draft.new.as_ref().filter(|new| draft.old.is_some() && draft.origin() != Some(*new));
        [draft.origin(), new].into_iter().flatten().find_map(|path| {
            let entry = self.repository.entry(self.base?, path).ok()?.filter(Entry::is_file)?;
            let before = self.repository.blob_up_to(&entry.id, MAX_BYTES.min(self.left as u64)).ok()??;
            self.fit(before, draft)
        })
    }

    fn fit(&mut self, before: Vec<u8>, draft: &Draft<'_>) -> Option<[Vec<u8>; 2]> {
        let after = self.apply(&before, draft)?;
        let is_copy = draft.old.is_none();
        Some([if is_copy { Vec::new() } else { before }, after])
    }

    /// The text after a diff. Whether it fits or not, the text is gone through.
    fn apply(&mut self, before: &[u8], draft: &Draft<'_>) -> Option<Vec<u8>> {
        let left = self.left.checked_sub(before.len());
        self.left = left.unwrap_or(0);
        left.and_then(|_| applied(before, &draft.hunks))
    }
}

/// The changes that a unified diff shows.
fn parse(diff: &[u8]) -> Result<Vec<Draft<'_>>> {
    // What `git diff` prints where nothing differs.
    if diff.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let lines: Vec<&[u8]> =
        diff.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    let mut patches: Vec<Draft<'_>> = Vec::new();
    let mut part = Part::Text;
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
            part = patch.line(line, after, part);
        }
    }
    if lines.iter().any(|line| line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ")) {
        bail!("a combined diff of a merge cannot be judged: use `check --commit` on the merge");
    }
    if patches.is_empty() {
        bail!("this is not a unified diff: no `--- a/file` and `+++ b/file` lines were found");
    }
    Ok(patches)
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
struct Draft<'d> {
    old: Option<RepoPath>,
    new: Option<RepoPath>,
    /// What it is a copy of.
    source: Option<RepoPath>,
    /// The beginning of the id of what it starts from.
    start: Option<&'d str>,
    named: bool,
    hunks: Vec<Hunk<'d>>,
}

impl<'d> Draft<'d> {
    /// The path of what the hunks are about.
    fn origin(&self) -> Option<&RepoPath> {
        self.source.as_ref().or(self.old.as_ref())
    }

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
        (self.old, self.new, self.named) =
            (file_name(old).filter(|_| self.source.is_none()), file_name(new), true);
    }

    /// Takes one line, and says what the next one belongs to.
    fn line(&mut self, line: &'d [u8], after: &[&[u8]], part: Part) -> Part {
        if line.starts_with(b"@@") && self.named && part != Part::Mail {
            self.hunks.push(Hunk::with_header(line));
            return Part::Hunk;
        }
        match part {
            Part::Hunk if is_signature(line, after) => Part::Mail,
            Part::Hunk if !self.hunk_line(line) => Part::Text,
            Part::Header if is_signature(line, after) => Part::Mail,
            Part::Header => {
                self.header_line(line);
                Part::Header
            }
            _ => part,
        }
    }

    fn header_line(&mut self, line: &'d [u8]) {
        if line.starts_with(b"deleted file mode") {
            self.new = None;
        } else if line.starts_with(b"new file mode") {
            self.old = None;
        } else if let Some(path) = line.strip_prefix(b"rename from ") {
            self.old = Some(RepoPath::new(unquote(path)));
        } else if let Some(path) = line.strip_prefix(b"rename to ") {
            self.new = Some(RepoPath::new(unquote(path)));
        } else if let Some(path) = line.strip_prefix(b"copy from ") {
            (self.source, self.old) = (Some(RepoPath::new(unquote(path))), None);
        } else if let Some(path) = line.strip_prefix(b"copy to ") {
            self.new = Some(RepoPath::new(unquote(path)));
        } else if let Some(ids) = line.strip_prefix(b"index ") {
            self.start = std::str::from_utf8(ids).ok().and_then(|ids| ids.split("..").next());
        }
    }

    /// Takes one line of a hunk; false where the line cannot belong to one.
    fn hunk_line(&mut self, line: &'d [u8]) -> bool {
        let line = match line.split_first() {
            Some((b'-', text)) => Line::Removed(text),
            Some((b'+', text)) => Line::Added(text),
            Some((b' ', text)) => Line::Kept(text),
            // Editors strip the blank of an empty context line.
            None => Line::Bare,
            Some((b'\\', _)) => return true,
            _ => return false,
        };
        if let Some(hunk) = self.hunks.last_mut() {
            hunk.lines.push(line);
        }
        true
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
