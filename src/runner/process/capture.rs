//! All that a child printed, in bounded memory: the beginning, the end, and a digest of everything.

use std::collections::VecDeque;

use crate::digest::Hasher;

/// How much of the beginning and of the end is kept. What failed mostly stands at the end.
const HEAD: usize = 1024 * 1024;
const TAIL: usize = 3 * 1024 * 1024;

pub struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    digest: Hasher,
}

/// What is left of the output when the child has ended.
pub struct Captured {
    pub bytes: Vec<u8>,
    /// SHA-256 over everything, also over what was cut.
    pub digest: String,
    pub truncated: bool,
}

impl Capture {
    pub fn new() -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), total: 0, digest: Hasher::default() }
    }

    pub fn add(&mut self, bytes: &[u8]) {
        self.digest.add(bytes);
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(TAIL)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(TAIL);
        self.tail.drain(..over);
        self.tail.extend(rest);
    }

    pub fn finish(self) -> Captured {
        let digest = self.digest.hex();
        let kept = (self.head.len() + self.tail.len()) as u64;
        let truncated = kept < self.total;
        let mut bytes = self.head;
        let tail = Vec::from(self.tail);
        if truncated {
            join_cut(&mut bytes, &tail, self.total);
        } else {
            bytes.extend(tail);
        }
        Captured { bytes, digest, truncated }
    }
}

/// Joins both ends at whole lines where there are some, so that no half line is taken for a result.
fn join_cut(head: &mut Vec<u8>, tail: &[u8], total: u64) {
    if let Some(end) = head.iter().rposition(|&byte| byte == b'\n') {
        head.truncate(end);
    }
    let start = tail.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let tail = &tail[start..];
    let cut = total - (head.len() + tail.len()) as u64;
    head.extend_from_slice(format!("\n[aiwg-gate: {cut} bytes of output were left out here]\n").as_bytes());
    head.extend_from_slice(tail);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(chunks: impl IntoIterator<Item = Vec<u8>>) -> Captured {
        let mut capture = Capture::new();
        chunks.into_iter().for_each(|chunk| capture.add(&chunk));
        capture.finish()
    }

    #[test]
    fn what_fits_is_kept_as_it_is() {
        let long: Vec<u8> = (0..HEAD + TAIL).map(|i| (i % 251) as u8).collect();
        let kept = captured(long.chunks(70_001).map(<[u8]>::to_vec));
        assert!(!kept.truncated);
        assert_eq!(kept.bytes, long);
        let short = captured([b"one\n".to_vec()]);
        assert_eq!(short.bytes, b"one\n");
        assert_eq!(short.digest, "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806");
    }

    #[test]
    fn what_does_not_fit_is_cut_in_the_middle_at_whole_lines() {
        let lines = (0..400_000).map(|number| format!("line {number} of output\n").into_bytes());
        let kept = captured(lines);
        assert!(kept.truncated);
        assert!(kept.bytes.len() <= HEAD + TAIL + 100);
        let text = String::from_utf8(kept.bytes).unwrap();
        assert!(text.starts_with("line 0 of output\n"));
        assert!(text.ends_with("line 399999 of output\n"));
        let odd: Vec<&str> = text.lines().filter(|line| !line.ends_with(" of output")).collect();
        assert!(
            matches!(odd[..], [line] if line.ends_with("bytes of output were left out here]")),
            "{odd:?}"
        );
    }

    #[test]
    fn the_digest_covers_what_was_cut() {
        let with = |middle: u8| {
            let mut bytes = vec![b'x'; 3 * (HEAD + TAIL)];
            bytes[HEAD + 5] = middle;
            captured([bytes])
        };
        let (one, two) = (with(b'a'), with(b'b'));
        assert_eq!(one.bytes, two.bytes);
        assert_ne!(one.digest, two.digest);
    }
}
