//! The hunks of one file: put onto the text they start from, or shown by themselves where nobody has it.

/// A line number beyond this is taken for a mistake: blank lines up to it would only cost memory.
const MAX_LINE: usize = 1_000_000;

/// So many lines are compared to find hunks with wrong numbers.
const MOST_COMPARED: usize = 20_000_000;

#[derive(Clone, Copy)]
pub enum Line<'d> {
    Kept(&'d [u8]),
    Removed(&'d [u8]),
    Added(&'d [u8]),
    /// An empty line without its mark: one that is kept, or what stands between this and the next file.
    Bare,
}

impl<'d> Line<'d> {
    /// What the line is on either side.
    fn on(self) -> [Option<&'d [u8]>; 2] {
        match self {
            Self::Kept(text) => [Some(text); 2],
            Self::Removed(text) => [Some(text), None],
            Self::Added(text) => [None, Some(text)],
            Self::Bare => [Some(b""); 2],
        }
    }
}

/// `@@ -12,5 +12,7 @@` and its lines: of the numbers only the first of each side is used.
pub struct Hunk<'d> {
    starts: [usize; 2],
    pub lines: Vec<Line<'d>>,
}

impl<'d> Hunk<'d> {
    pub fn with_header(header: &[u8]) -> Self {
        let text = String::from_utf8_lossy(header);
        let start = |sign: char| {
            let word = text.split(' ').find_map(|word| word.strip_prefix(sign))?;
            word.split(',').next()?.parse::<usize>().ok()
        };
        Self { starts: ['-', '+'].map(|sign| start(sign).unwrap_or(0)), lines: Vec::new() }
    }

    /// Whether it tells by lines of the old text where it belongs.
    pub fn names_lines(&self) -> bool {
        self.wanted().iter().any(|line| matches!(line, Line::Kept(_) | Line::Removed(_)))
    }

    /// The lines that a text must have for it, which empty ones at the end do not belong to.
    fn wanted(&self) -> &[Line<'d>] {
        let end = self.lines.iter().rposition(|line| !matches!(line, Line::Bare));
        &self.lines[..end.map_or(0, |end| end + 1)]
    }
}

/// The text after all hunks; `None` where one does not fit.
pub fn applied(text: &[u8], hunks: &[Hunk<'_>]) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let mut after = Vec::with_capacity(text.len());
    let (mut at, mut compared) = (0, 0_usize);
    // New lines end as those around them do.
    let end: &[u8] = if lines.first().is_some_and(|line| line.ends_with(b"\r\n")) { b"\r\n" } else { b"\n" };
    for hunk in hunks {
        let wanted: Vec<&[u8]> = hunk.wanted().iter().filter_map(|line| line.on()[0]).collect();
        let fits = |place: usize| {
            let there = place.checked_add(wanted.len()).and_then(|end| lines.get(place..end));
            there.is_some_and(|there| there.iter().zip(&wanted).all(|(line, wanted)| bare(line) == *wanted))
        };
        // Where nothing is taken away, the number is that of the line before.
        let only_adds = hunk.wanted().iter().all(|line| matches!(line, Line::Added(_)));
        let told = if only_adds { hunk.starts[0] } else { hunk.starts[0].saturating_sub(1) };
        let place = if told >= at && fits(told) {
            told
        } else {
            compared = compared.saturating_add(lines.len().saturating_mul(wanted.len()));
            let mut places = (at..lines.len()).filter(|&place| !wanted.is_empty() && fits(place));
            let only = if compared > MOST_COMPARED { None } else { places.next() }?;
            if places.next().is_some() {
                return None;
            }
            only
        };
        lines[at..place].iter().for_each(|line| push(&mut after, line));
        at = place;
        for line in hunk.wanted() {
            match line {
                Line::Added(text) => {
                    push(&mut after, text);
                    after.extend_from_slice(end);
                }
                Line::Removed(_) => at += 1,
                Line::Kept(_) | Line::Bare => {
                    push(&mut after, lines[at]);
                    at += 1;
                }
            }
        }
    }
    lines[at..].iter().for_each(|line| push(&mut after, line));
    Some(after)
}

/// A last line without its end gets one where more follows.
fn push(text: &mut Vec<u8>, line: &[u8]) {
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(line);
}

fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Both sides as far as the hunks show them, with blank lines between them, as long as there are any left.
pub fn shown(hunks: &[Hunk<'_>], blank: &mut usize) -> [Vec<u8>; 2] {
    let mut sides = [Side::default(), Side::default()];
    for hunk in hunks {
        for (side, start) in sides.iter_mut().zip(hunk.starts) {
            side.go_to(start, blank);
        }
        for line in &hunk.lines {
            for (side, text) in sides.iter_mut().zip(line.on()) {
                text.into_iter().for_each(|text| side.push(text));
            }
        }
    }
    sides.map(|side| side.text)
}

/// The lines of one side, at their numbers.
#[derive(Default)]
struct Side {
    text: Vec<u8>,
    lines: usize,
}

impl Side {
    /// Adds blank lines up to the one before `line`.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk<'d>(header: &str, lines: &[&'d str]) -> Hunk<'d> {
        let mut hunk = Hunk::with_header(header.as_bytes());
        hunk.lines.extend(lines.iter().map(|line| match line.split_at_checked(1) {
            Some(("-", text)) => Line::Removed(text.as_bytes()),
            Some(("+", text)) => Line::Added(text.as_bytes()),
            Some((_, text)) => Line::Kept(text.as_bytes()),
            None => Line::Bare,
        }));
        hunk
    }

    fn after(text: &str, hunks: &[Hunk<'_>]) -> Option<String> {
        applied(text.as_bytes(), hunks).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn hunks_stand_where_their_numbers_say() {
        let hunks = [hunk("@@ -1,2 +1,2 @@", &["-a", "+A", " b"]), hunk("@@ -3,0 +4 @@", &["+c2"])];
        assert_eq!(after("a\nb\nc\nd\n", &hunks).as_deref(), Some("A\nb\nc\nc2\nd\n"));
        assert_eq!(after("a\r\nb\r\nc\r\n", &hunks[..1]).as_deref(), Some("A\r\nb\r\nc\r\n"));
        // What follows the last line of a diff is no line of it.
        let last = [hunk("@@ -3,0 +4 @@", &["+new", ""])];
        assert_eq!(after("a\nb\nc\nd\n", &last).as_deref(), Some("a\nb\nc\nnew\nd\n"));
    }

    #[test]
    fn wrong_numbers_do_not_matter_where_the_lines_stand_once() {
        let hunks = [hunk("@@ -90 +90 @@", &["-c", "+C", "", ""])];
        assert_eq!(after("a\nb\nc\n", &hunks).as_deref(), Some("a\nb\nC\n"));
        assert_eq!(after("c\nb\nc\n", &hunks), None);
    }

    #[test]
    fn another_text_is_no_start() {
        assert_eq!(after("a\nb\n", &[hunk("@@ -1 +1 @@", &["-x", "+y"])]), None);
        assert_eq!(after("a\n", &[hunk("@@ -9,0 +9 @@", &["+y"])]), None);
        let backwards = [hunk("@@ -2 +2 @@", &["-b"]), hunk("@@ -1 +1 @@", &["-a"])];
        assert_eq!(after("a\nb\n", &backwards), None);
    }

    #[test]
    fn a_last_line_without_an_end_gets_one_where_more_follows() {
        let added = [hunk("@@ -1,0 +2 @@", &["+b"])];
        assert_eq!(after("a", &added).as_deref(), Some("a\nb\n"));
        assert_eq!(after("a", &[]).as_deref(), Some("a"));
        assert_eq!(after("a\n\nb", &[hunk("@@ -1 +1 @@", &["-a", "+A"])]).as_deref(), Some("A\n\nb"));
    }
}
