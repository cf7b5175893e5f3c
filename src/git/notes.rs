//! Notes on commits under `refs/notes/aiwg-gate`.

use anyhow::{Context, Result};
use git2::ErrorCode;

use super::library;
use super::object::ObjectId;
use super::repository::Repository;

pub const NOTES_REF: &str = "refs/notes/aiwg-gate";

/// Another process may be writing a note at the same moment; each try starts from its result.
const TRIES: u32 = 20;

impl Repository {
    /// The note on a commit.
    pub fn note(&self, commit: &ObjectId) -> Result<Option<String>> {
        let Some(library) = self.library() else {
            return Ok(self.git().line(&["notes", "--ref", NOTES_REF, "show", commit.as_str()]));
        };
        match library.find_note(Some(NOTES_REF), library::oid(commit)?) {
            Ok(note) => Ok(note.message().ok().map(str::to_owned)),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error).context("cannot read the notes of aiwg-gate"),
        }
    }

    /// Puts a note on a commit, in place of an earlier one.
    pub fn set_note(&self, commit: &ObjectId, text: &str) -> Result<()> {
        let mut last = None;
        for try_number in 0..TRIES {
            match self.try_set_note(commit, text) {
                Ok(()) => return Ok(()),
                Err(error) => last = Some(error),
            }
            std::thread::sleep(std::time::Duration::from_millis(u64::from(5 * (try_number + 1))));
        }
        Err(last.unwrap_or_else(|| anyhow::anyhow!("no try was made"))).context("cannot write a note")
    }

    fn try_set_note(&self, commit: &ObjectId, text: &str) -> Result<()> {
        let Some(library) = self.library() else {
            self.git().output(&["notes", "--ref", NOTES_REF, "add", "-f", "-m", text, commit.as_str()])?;
            return Ok(());
        };
        // People without a configured name can commit through variables alone; notes must not fail them.
        let signature =
            library.signature().or_else(|_| git2::Signature::now("aiwg-gate", "aiwg-gate@localhost"))?;
        library.note(&signature, &signature, Some(NOTES_REF), library::oid(commit)?, text, true)?;
        Ok(())
    }
}
