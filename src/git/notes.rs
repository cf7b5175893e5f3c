//! Notes on commits under `refs/notes/aiwg-gate`.

use anyhow::{Context, Result};
use git2::ErrorCode;

use super::library;
use super::object::ObjectId;
use super::repository::Repository;
use crate::collections::HashMap;
use crate::files;

pub const NOTES_REF: &str = "refs/notes/aiwg-gate";

/// Who writes notes where nobody is configured.
const NAME: &str = "aiwg-gate";
const EMAIL: &str = "aiwg-gate@localhost";

/// `git notes` by hand takes no lock of ours; each try starts from its result.
const TRIES: u32 = 5;

impl Repository {
    /// The notes on commits, in their order.
    pub fn notes(&self, commits: &[&ObjectId]) -> Result<Vec<Option<String>>> {
        match self.library() {
            Some(library) => commits.iter().map(|commit| note(library, commit)).collect(),
            None => self.notes_by_git(commits),
        }
    }

    fn notes_by_git(&self, commits: &[&ObjectId]) -> Result<Vec<Option<String>>> {
        let listed = self.git().maybe(&["notes", "--ref", NOTES_REF, "list"])?.unwrap_or_default();
        let pairs = listed.lines().filter_map(|line| line.split_once(' '));
        let ids: HashMap<&str, ObjectId> =
            pairs.filter_map(|(note, commit)| Some((commit, ObjectId::parse(note)?))).collect();
        let found: Vec<Option<&ObjectId>> = commits.iter().map(|commit| ids.get(commit.as_str())).collect();
        let wanted: Vec<&ObjectId> = found.iter().copied().flatten().collect();
        let mut texts = self.blobs(&wanted)?.into_iter();
        let text = |id: Option<&ObjectId>| id.and_then(|_| String::from_utf8(texts.next()?).ok());
        Ok(found.into_iter().map(text).collect())
    }

    /// Puts a note on a commit, in place of an earlier one.
    pub fn set_note(&self, commit: &ObjectId, text: &str) -> Result<()> {
        let _lock = self.lock_notes()?;
        let mut tries = 1;
        loop {
            match self.try_set_note(commit, text) {
                Err(error) if tries == TRIES => return Err(error).context("cannot write a note"),
                Err(_) => tries += 1,
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Many commit in one repository at once, and git itself lets the last writer of a note win.
    fn lock_notes(&self) -> Result<files::Lock> {
        files::lock(&files::state_folder(self.common_dir()).join("notes.lock"))
    }

    fn try_set_note(&self, commit: &ObjectId, text: &str) -> Result<()> {
        let Some(library) = self.library() else { return self.set_note_by_git(commit, text) };
        // People without a configured name can commit through variables alone; notes must not fail them.
        let signature = library.signature().or_else(|_| git2::Signature::now(NAME, EMAIL))?;
        library.note(&signature, &signature, Some(NOTES_REF), library::oid(commit)?, text, true)?;
        Ok(())
    }

    fn set_note_by_git(&self, commit: &ObjectId, text: &str) -> Result<()> {
        let args = ["notes", "--ref", NOTES_REF, "add", "--force", "--message", text, commit.as_str()];
        let mut command = self.git().command(&args);
        if self.git().line(&["var", "GIT_COMMITTER_IDENT"]).is_none() {
            command.env("GIT_COMMITTER_NAME", NAME).env("GIT_COMMITTER_EMAIL", EMAIL);
            command.env("GIT_AUTHOR_NAME", NAME).env("GIT_AUTHOR_EMAIL", EMAIL);
        }
        let output = command.output().context("cannot run git")?;
        anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(())
    }
}

fn note(library: &git2::Repository, commit: &ObjectId) -> Result<Option<String>> {
    match library.find_note(Some(NOTES_REF), library::oid(commit)?) {
        Ok(note) => Ok(note.message().ok().map(str::to_owned)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error).context("cannot read the notes of aiwg-gate"),
    }
}
