//! Which deleted file lives on as which added one, and which added file is a copy.
//!
//! Done here rather than by git or libgit2, so that the index, commits and ranges get the same answer by either way.

use crate::collections::HashMap;

/// The share of common lines from which two files count as the same file.
const THRESHOLD: f64 = 0.5;

/// More pairs than this are not compared by content; equal blobs are still found.
const MAX_PAIRS: usize = 250_000;

/// A file that may be one end of a rename.
pub struct Candidate<'a> {
    /// Equal keys mean equal content; links and submodules have none.
    pub key: Option<&'a str>,
    pub path: &'a [u8],
    pub text: &'a [u8],
}

/// For each added file the deleted file it continues, if any. Each deleted file is used once.
pub fn find(deleted: &[Candidate<'_>], added: &[Candidate<'_>]) -> Vec<Option<usize>> {
    let mut source = vec![None; added.len()];
    let mut used = vec![false; deleted.len()];
    pair_equal(deleted, added, &mut source, &mut used);
    if deleted.len().saturating_mul(added.len()) > MAX_PAIRS {
        return source;
    }
    let mut scores = Vec::new();
    let lines_of =
        |files: &[Candidate<'_>]| -> Vec<Vec<u64>> { files.iter().map(|file| lines(file.text)).collect() };
    let (old, new) = (lines_of(deleted), lines_of(added));
    for a in (0..added.len()).filter(|&a| source[a].is_none()) {
        for d in (0..deleted.len()).filter(|&d| !used[d]) {
            let score = similarity(&old[d], &new[a]);
            if score >= THRESHOLD {
                scores.push((score, base_name(deleted[d].path) == base_name(added[a].path), d, a));
            }
        }
    }
    // Best first; equal scores prefer an equal file name, then the order of paths.
    scores.sort_by(|x, y| y.0.total_cmp(&x.0).then(y.1.cmp(&x.1)).then((x.2, x.3).cmp(&(y.2, y.3))));
    for (_, _, d, a) in scores {
        if !used[d] && source[a].is_none() {
            (used[d], source[a]) = (true, Some(d));
        }
    }
    source
}

fn pair_equal(
    deleted: &[Candidate<'_>],
    added: &[Candidate<'_>],
    source: &mut [Option<usize>],
    used: &mut [bool],
) {
    let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
    for (d, file) in deleted.iter().enumerate().rev() {
        if let Some(key) = file.key {
            by_key.entry(key).or_default().push(d);
        }
    }
    for (a, file) in added.iter().enumerate() {
        let Some(equal) = file.key.and_then(|key| by_key.get_mut(key)) else { continue };
        let same_name = equal.iter().rposition(|&d| base_name(deleted[d].path) == base_name(file.path));
        let chosen = same_name.map(|at| equal.remove(at)).or_else(|| equal.pop());
        if let Some(d) = chosen {
            (used[d], source[a]) = (true, Some(d));
        }
    }
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// Sorted hashes of the lines that are not blank.
fn lines(text: &[u8]) -> Vec<u64> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let mut hashes: Vec<u64> = lines.map(crate::similarity::hash).collect();
    hashes.sort_unstable();
    hashes
}

fn similarity(a: &[u64], b: &[u64]) -> f64 {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if longer == 0 || (shorter as f64) < THRESHOLD * 0.5 * longer as f64 {
        return 0.0;
    }
    crate::similarity::count_common(a, b) as f64 / longer as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file<'a>(path: &'a str, text: &'a str) -> Candidate<'a> {
        Candidate { key: Some(text), path: path.as_bytes(), text: text.as_bytes() }
    }

    #[test]
    fn equal_content_is_a_rename() {
        let found = find(&[file("a/x.py", "1\n2\n")], &[file("b/y.py", "1\n2\n")]);
        assert_eq!(found, [Some(0)]);
    }

    #[test]
    fn an_edited_file_is_still_the_same_file() {
        let found = find(&[file("a.py", "1\n2\n3\n4\n")], &[file("b.py", "1\n2\n3\n5\n")]);
        assert_eq!(found, [Some(0)]);
    }

    #[test]
    fn unlike_files_are_not_paired() {
        assert_eq!(find(&[file("a.py", "1\n2\n3\n")], &[file("a2.py", "7\n8\n9\n")]), [None]);
    }

    #[test]
    fn each_source_is_used_once_and_equal_names_win() {
        let deleted = [file("old/a.py", "1\n2\n"), file("old/b.py", "1\n2\n")];
        let added = [file("new/b.py", "1\n2\n"), file("new/a.py", "1\n2\n")];
        assert_eq!(find(&deleted, &added), [Some(1), Some(0)]);
    }
}
