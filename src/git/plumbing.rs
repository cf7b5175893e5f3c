//! Reading through the git program, for repositories that libgit2 cannot open.

use anyhow::{Context, Result, bail};

use super::object::{Entry, ObjectId, RawChange, RepoPath};
use super::program::Git;

pub fn head(git: &Git) -> Result<Option<ObjectId>> {
    let line = git.maybe(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
    Ok(line.as_deref().and_then(ObjectId::parse))
}

pub fn resolve(git: &Git, revision: &str) -> Result<ObjectId> {
    let commit = format!("{revision}^{{commit}}");
    let line = git.output(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
    let text = String::from_utf8_lossy(&line);
    ObjectId::parse(text.trim()).with_context(|| format!("git gave no id for {revision}"))
}

pub fn parents(git: &Git, commit: &ObjectId) -> Result<Vec<ObjectId>> {
    let listed = git.output(&["rev-parse", &format!("{commit}^@")])?;
    Ok(String::from_utf8_lossy(&listed).lines().filter_map(ObjectId::parse).collect())
}

pub fn tree(git: &Git, commit: &ObjectId) -> Result<ObjectId> {
    let line = git.output(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")])?;
    ObjectId::parse(String::from_utf8_lossy(&line).trim()).with_context(|| format!("{commit} has no tree"))
}

pub fn commit_time(git: &Git, commit: &ObjectId) -> Result<i64> {
    let args = ["show", "--no-patch", "--no-show-signature", "--format=%ct", commit.as_str()];
    let line = git.line(&args).with_context(|| format!("cannot read commit {commit}"))?;
    line.parse().with_context(|| format!("{commit} has no time that can be read"))
}

pub fn merge_bases(git: &Git, one: &ObjectId, two: &ObjectId) -> Result<Vec<ObjectId>> {
    let listed = git.maybe(&["merge-base", "--all", one.as_str(), two.as_str()])?.unwrap_or_default();
    Ok(listed.lines().filter_map(ObjectId::parse).collect())
}

/// How many ids one `cat-file` is asked for: few enough that the request never fills a pipe.
const BATCH: usize = 500;

pub fn blobs(git: &Git, blobs: &[&ObjectId]) -> Result<Vec<Vec<u8>>> {
    let mut contents = Vec::with_capacity(blobs.len());
    for batch in blobs.chunks(BATCH) {
        let request: String = batch.iter().map(|blob| format!("{blob}\n")).collect();
        let answer = git.filter(&["cat-file", "--batch"], request.as_bytes())?;
        let mut rest = answer.as_slice();
        for blob in batch {
            let (content, after) = next_blob(rest).with_context(|| format!("cannot read blob {blob}"))?;
            contents.push(content.to_vec());
            rest = after;
        }
    }
    Ok(contents)
}

/// One answer of `cat-file --batch`: `<id> blob <size>\n<content>\n`.
fn next_blob(answer: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = answer.iter().position(|&byte| byte == b'\n')?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let size: usize = head.split(' ').nth(2)?.parse().ok()?;
    let (content, rest) = answer[end + 1..].split_at_checked(size)?;
    Some((content, rest.strip_prefix(b"\n")?))
}

pub fn entry(git: &Git, commit: &ObjectId, path: &RepoPath) -> Result<Option<Entry>> {
    let Some(path) = path.to_os_path().filter(|_| path.is_plain()) else { return Ok(None) };
    // Read literally, and from the root of the tree, wherever git is run.
    let args = ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit.as_str(), "--"];
    let mut command = git.command(&args);
    let output = command.arg(path).output().context("cannot run git")?;
    if !output.status.success() {
        bail!("`git ls-tree {commit}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(tree_entries(&output.stdout).into_iter().next().map(|(_, entry)| entry))
}

pub fn children(git: &Git, of: &ObjectId) -> Result<Vec<(RepoPath, Entry)>> {
    Ok(tree_entries(&git.output(&["ls-tree", "-z", "--full-tree", of.as_str()])?))
}

pub fn blob_size(git: &Git, blob: &ObjectId) -> Result<u64> {
    let size = git.output(&["cat-file", "-s", blob.as_str()])?;
    let size = String::from_utf8_lossy(&size).trim().parse();
    size.with_context(|| format!("git gave no size for blob {blob}"))
}

pub fn list(git: &Git, commit: &ObjectId) -> Result<Vec<(RepoPath, Entry)>> {
    let output = git.output(&["ls-tree", "-r", "-z", "--full-tree", commit.as_str()])?;
    let mut entries = tree_entries(&output);
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

/// Lines of `ls-tree -z`: `<mode> <type> <id>\t<path>`.
fn tree_entries(output: &[u8]) -> Vec<(RepoPath, Entry)> {
    let entry = |line: &[u8]| {
        let tab = line.iter().position(|&byte| byte == b'\t')?;
        let mut fields = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
        let mode = u32::from_str_radix(fields.next()?, 8).ok()?;
        let id = ObjectId::parse(fields.nth(1)?)?;
        Some((RepoPath::new(&line[tab + 1..]), Entry { mode, id }))
    };
    output.split(|&byte| byte == 0).filter_map(entry).collect()
}

pub fn diff(git: &Git, before: Option<&ObjectId>, after: &ObjectId) -> Result<Vec<RawChange>> {
    let Some(before) = before else {
        let added = |(path, entry)| RawChange { path, before: None, after: Some(entry) };
        return Ok(list(git, after)?.into_iter().map(added).collect());
    };
    let args = [
        "diff-tree",
        "-r",
        "--raw",
        "-z",
        "--no-renames",
        "--no-abbrev",
        ALL,
        before.as_str(),
        after.as_str(),
    ];
    raw_changes(&git.output(&args)?)
}

/// Arguments that list the index against `base`, the empty tree if there is no commit yet.
pub fn diff_index_args(base: &str) -> [&str; 9] {
    let hide_intended = "--ita-invisible-in-index";
    ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", ALL, hide_intended, base]
}

/// Submodules count whatever the repository's settings say, as they do for libgit2.
pub const ALL: &str = "--ignore-submodules=none";

/// Records of `--raw -z` without renames: `:<mode> <mode> <id> <id> <status>\0<path>\0`.
pub fn raw_changes(output: &[u8]) -> Result<Vec<RawChange>> {
    let mut changes = Vec::new();
    let mut fields = output.split(|&byte| byte == 0).filter(|field| !field.is_empty());
    while let (Some(head), Some(path)) = (fields.next(), fields.next()) {
        let head = std::str::from_utf8(head).context("git printed a raw diff line that is not text")?;
        let parts: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        let &[mode_before, mode_after, id_before, id_after, status] = parts.as_slice() else {
            bail!("git printed a raw diff line that cannot be read: {head}");
        };
        if status == "U" {
            bail!(
                "{} is not merged yet: resolve the conflict and `git add` it, then try again",
                RepoPath::new(path)
            );
        }
        let entry = |mode: &str, id: &str| -> Result<Option<Entry>> {
            let mode = u32::from_str_radix(mode, 8).with_context(|| format!("bad mode in: {head}"))?;
            let id = ObjectId::parse(id).with_context(|| format!("bad id in: {head}"))?;
            Ok((mode != 0).then_some(Entry { mode, id }))
        };
        let (before, after) = (entry(mode_before, id_before)?, entry(mode_after, id_after)?);
        changes.push(RawChange { path: RepoPath::new(path), before, after });
    }
    changes.sort();
    Ok(changes)
}
