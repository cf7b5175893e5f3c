//! Cuts a stream of bytes into lines for display: any bytes, any length, bounded memory.

/// More of one line is not shown; it is captured all the same.
const LONGEST: usize = 64 * 1024;

#[derive(Default)]
pub struct Lines {
    started: Vec<u8>,
}

impl Lines {
    /// Gives each line that `bytes` complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut give: impl FnMut(&str)) {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.extend(&bytes[..end]);
            self.flush(&mut give);
            bytes = &bytes[end + 1..];
        }
        self.extend(bytes);
    }

    /// Gives the last line where it has no line break.
    pub fn finish(&mut self, give: impl FnMut(&str)) {
        if !self.started.is_empty() {
            self.flush(give);
        }
    }

    fn extend(&mut self, bytes: &[u8]) {
        let room = LONGEST - self.started.len();
        self.started.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn flush(&mut self, mut give: impl FnMut(&str)) {
        let line = self.started.strip_suffix(b"\r").unwrap_or(&self.started);
        give(&String::from_utf8_lossy(line));
        self.started.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut seen) = (Lines::default(), Vec::new());
        for chunk in chunks {
            lines.feed(chunk, |line| seen.push(line.to_owned()));
        }
        lines.finish(|line| seen.push(line.to_owned()));
        seen
    }

    #[test]
    fn chunks_do_not_matter() {
        assert_eq!(lines(&[b"on", b"e\r", b"\n\ntw", b"o"]), ["one", "", "two"]);
        assert_eq!(lines(&[b"one\n"]), ["one"]);
        assert!(lines(&[b""]).is_empty());
    }

    #[test]
    fn a_character_may_be_split_and_bytes_may_be_broken() {
        assert_eq!(lines(&[b"\xc3", b"\xa4\n\xff\n"]), ["\u{e4}", "\u{fffd}"]);
    }

    #[test]
    fn a_huge_line_is_cut_and_the_next_one_is_whole() {
        let huge = vec![b'x'; 3 * LONGEST];
        let seen = lines(&[&huge, &huge, b"\nnext\n"]);
        assert_eq!(seen[0].len(), LONGEST);
        assert_eq!(seen[1], "next");
    }
}
