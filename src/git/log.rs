//! Which commits a walk over history meets, and what each says of itself.

use anyhow::{Context, Result, bail};

use super::library;
use super::object::ObjectId;
use super::repository::Repository;

/// Which part of history to walk over.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// A revision or a range as git reads it; HEAD where there is none.
    pub revisions: Option<String>,
    pub max_count: Option<usize>,
    pub first_parent: bool,
    pub no_merges: bool,
    /// Dates as git reads them.
    pub since: Option<String>,
    pub until: Option<String>,
}

/// A commit that a walk comes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub commit: ObjectId,
    /// Its first parent.
    pub parent: Option<ObjectId>,
}

/// A commit as it introduces itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitHead {
    pub id: ObjectId,
    pub author: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The first line of its message.
    pub subject: String,
}

impl Repository {
    /// The commits of a walk in the order of `git log`, newest first.
    pub fn walk(&self, walk: &Walk) -> Result<Vec<Step>> {
        if walk.revisions.is_none() && self.head()?.is_none() {
            return Ok(Vec::new());
        }
        for (option, date) in [("--since", &walk.since), ("--until", &walk.until)] {
            if let Some(date) = date.as_ref().filter(|date| !self.reads_date(date)) {
                bail!(
                    "{option} {date}: git reads no date there: write one as in 2026-12-31 or \"2 weeks ago\""
                );
            }
        }
        let listed = self.git().output(&arguments(walk)).map_err(|error| explain(walk, error))?;
        let lines = listed.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| step(line).context("git printed a commit that is no id")).collect()
    }

    /// Whether git makes anything of a date: a walk takes whatever it does not understand for now.
    fn reads_date(&self, date: &str) -> bool {
        let setting = format!("aiwg.date={date}");
        self.git().output(&["-c", &setting, "config", "--type=expiry-date", "--get", "aiwg.date"]).is_ok()
    }

    pub fn commit_head(&self, id: &ObjectId) -> Result<CommitHead> {
        if let Some(library) = self.library()
            && let Ok(commit) = library.find_commit(library::oid(id)?)
        {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            return Ok(CommitHead {
                id: id.clone(),
                author: text(commit.author().name_bytes()),
                time: commit.time().seconds(),
                subject: subject(commit.message_raw_bytes()),
            });
        }
        self.commit_head_by_git(id)
    }

    fn commit_head_by_git(&self, id: &ObjectId) -> Result<CommitHead> {
        let args = ["show", "--no-patch", "--no-show-signature", "--format=%ct%x00%an%x00%B", id.as_str()];
        let printed = self.git().output(&args)?;
        let mut fields = printed.splitn(3, |&byte| byte == 0);
        let mut field = || fields.next().map(String::from_utf8_lossy).unwrap_or_default();
        let (time, author, message) = (field(), field(), field());
        let Ok(time) = time.trim().parse() else { bail!("git gave no time for {id}") };
        Ok(CommitHead {
            id: id.clone(),
            author: author.into_owned(),
            time,
            subject: subject(message.as_bytes()),
        })
    }
}

/// A commit and its parents.
fn step(line: &[u8]) -> Option<Step> {
    let mut ids = line.split(|&byte| byte == b' ').map(|id| ObjectId::parse(std::str::from_utf8(id).ok()?));
    Some(Step { commit: ids.next()??, parent: ids.next().flatten() })
}

fn arguments(walk: &Walk) -> Vec<String> {
    let mut args = vec!["rev-list".to_owned(), "--parents".to_owned()];
    args.extend(walk.max_count.map(|count| format!("--max-count={count}")));
    args.extend(walk.since.iter().map(|date| format!("--since={date}")));
    args.extend(walk.until.iter().map(|date| format!("--until={date}")));
    args.extend(walk.first_parent.then(|| "--first-parent".to_owned()));
    args.extend(walk.no_merges.then(|| "--no-merges".to_owned()));
    args.push("--end-of-options".to_owned());
    args.push(walk.revisions.clone().unwrap_or_else(|| "HEAD".to_owned()));
    // Behind it only paths could stand: what comes before cannot be taken for one.
    args.push("--".to_owned());
    args
}

/// git's words for a wrong revision are about arguments; ours are about what was typed.
fn explain(walk: &Walk, error: anyhow::Error) -> anyhow::Error {
    match &walk.revisions {
        Some(revisions) if error.to_string().contains("bad revision") => {
            anyhow::anyhow!("`{revisions}` names no commits here: write a revision or a range A..B")
        }
        _ => error,
    }
}

/// The first line that is not blank.
fn subject(message: &[u8]) -> String {
    let line = message.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
    String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_can_be_no_option() {
        let walk = Walk { revisions: Some("--output=x".to_owned()), ..Walk::default() };
        assert_eq!(arguments(&walk), ["rev-list", "--parents", "--end-of-options", "--output=x", "--"]);
    }

    #[test]
    fn the_subject_is_the_first_line_with_something_on_it() {
        assert_eq!(subject(b"\n  Add a test \n\nbody\n"), "Add a test");
        assert_eq!(subject(b""), "");
    }
}
