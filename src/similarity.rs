//! Fingerprints of source text: how alike two bodies are, and how much of one is in another.
//!
//! Works on words and punctuation, so it needs no language. Comments and white space do not count.

use std::ops::Range;

/// A sorted set of hashed words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Box<[u64]>);

impl Words {
    /// Every word of `text[range]` outside the comments: identifiers, numbers, words inside strings.
    pub fn of(text: &[u8], range: Range<usize>, comments: &[Range<usize>]) -> Self {
        let mut hashes = Vec::new();
        for_each_token(text, range, comments, |_, token| {
            if is_word(token) {
                hashes.push(hash(token));
            }
        });
        Self::from_hashes(hashes)
    }

    /// Names only: identifiers of some length, and strings that are one word (keys, flags, options), but not
    /// the prose inside longer strings.
    pub fn names(text: &[u8], comments: &[Range<usize>]) -> Self {
        let mut hashes = Vec::new();
        let mut at = 0;
        for comment in comments.iter().cloned().chain(std::iter::once(text.len()..text.len())) {
            if comment.start > at {
                collect_names(&text[at..comment.start], &mut hashes);
            }
            at = at.max(comment.end);
        }
        Self::from_hashes(hashes)
    }

    fn from_hashes(mut hashes: Vec<u64>) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes.into())
    }

    /// Whether a name is of those that are collected, so that one that is not there is not in the text.
    pub fn can_have(name: &str) -> bool {
        name.len() >= MIN_NAME
    }

    pub fn contains(&self, word: &str) -> bool {
        self.0.binary_search(&hash(word.as_bytes())).is_ok()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }

    pub fn has_hash(&self, hash: u64) -> bool {
        self.0.binary_search(&hash).is_ok()
    }
}

/// The fingerprint of one body of code: sorted hashes of each three tokens in a row, with repetitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    shingles: Box<[u64]>,
}

impl Body {
    /// The fingerprint of `text[range]`, leaving out the `comments` (sorted byte ranges).
    pub fn of(text: &[u8], range: Range<usize>, comments: &[Range<usize>]) -> Self {
        let mut shingles = Shingles::default();
        for_each_token(text, range, comments, |_, token| shingles.push(hash(token)));
        shingles.finish()
    }

    /// How many tokens, about.
    pub fn len(&self) -> usize {
        self.shingles.len()
    }

    pub fn is_empty(&self) -> bool {
        self.shingles.is_empty()
    }

    /// From 0 (nothing in common) to 1 (equal but for white space and comments).
    pub fn similarity(&self, other: &Self) -> f64 {
        let total = self.shingles.len() + other.shingles.len();
        if total == 0 {
            return 1.0;
        }
        2.0 * count_common(&self.shingles, &other.shingles) as f64 / total as f64
    }

    /// The share of this body that stands in `other` too.
    pub fn containment(&self, other: &Self) -> f64 {
        if self.shingles.is_empty() {
            return 0.0;
        }
        count_common(&self.shingles, &other.shingles) as f64 / self.shingles.len() as f64
    }

    /// The distinct shingles, for building an index.
    pub fn shingles(&self) -> impl Iterator<Item = u64> + '_ {
        let mut last = None;
        self.shingles.iter().copied().filter(move |&shingle| {
            let fresh = last != Some(shingle);
            last = Some(shingle);
            fresh
        })
    }
}

/// The words of `text[whole]` and the fingerprint of the part of it that is `body`, in one pass.
pub fn words_and_body(
    text: &[u8],
    whole: Range<usize>,
    body: Range<usize>,
    comments: &[Range<usize>],
) -> (Words, Body) {
    if body.start < whole.start || body.end > whole.end {
        return (Words::of(text, whole, comments), Body::of(text, body, comments));
    }
    let (mut words, mut shingles) = (Vec::new(), Shingles::default());
    for_each_token(text, whole, comments, |at, token| {
        let hash = hash(token);
        if is_word(token) {
            words.push(hash);
        }
        if body.contains(&at) {
            shingles.push(hash);
        }
    });
    (Words::from_hashes(words), shingles.finish())
}

/// Collects each three tokens in a row.
#[derive(Default)]
struct Shingles {
    hashes: Vec<u64>,
    window: [u64; 3],
    seen: usize,
}

impl Shingles {
    fn push(&mut self, token: u64) {
        self.window = [self.window[1], self.window[2], token];
        self.seen += 1;
        if self.seen >= 3 {
            self.hashes.push(mix(self.window));
        }
    }

    /// Fewer than three tokens make one sequence.
    fn finish(mut self) -> Body {
        if (1..3).contains(&self.seen) {
            self.hashes.push(mix(self.window));
        }
        self.hashes.sort_unstable();
        Body { shingles: self.hashes.into() }
    }
}

/// Whether two texts differ in white space alone.
pub fn same_code(a: &[u8], b: &[u8]) -> bool {
    let same = crate::text::common_start(a, b);
    let is_visible = |byte: &&u8| !byte.is_ascii_whitespace();
    a[same..].iter().filter(is_visible).eq(b[same..].iter().filter(is_visible))
}

/// Shorter identifiers say too little to name something.
const MIN_NAME: usize = 3;

/// Adds the names of one stretch of code without comments.
fn collect_names(code: &[u8], hashes: &mut Vec<u64>) {
    let mut at = 0;
    while at < code.len() {
        let byte = code[at];
        if is_word_byte(byte) {
            let length = code[at..].iter().take_while(|&&byte| is_word_byte(byte)).count();
            if length >= MIN_NAME && !byte.is_ascii_digit() {
                hashes.push(hash(&code[at..at + length]));
            }
            at += length;
        } else if matches!(byte, b'"' | b'\'' | b'`') {
            let length = string_length(&code[at..]);
            let inside = &code[at + 1..at + length.max(2) - 1];
            if !inside.contains(&b' ') {
                collect_names(inside, hashes);
            }
            at += length;
        } else {
            at += 1;
        }
    }
}

/// The length of the string that starts with a quote here, or 1 where it does not end on its line.
fn string_length(code: &[u8]) -> usize {
    let quote = code[0];
    let inside = code[1..].iter().take_while(|&&byte| byte != quote && byte != b'\n').count();
    if code.get(inside + 1) == Some(&quote) { inside + 2 } else { 1 }
}

fn is_word(token: &[u8]) -> bool {
    token.first().is_some_and(|&byte| is_word_byte(byte))
}

fn is_word_byte(byte: u8) -> bool {
    WORD_BYTES[usize::from(byte)]
}

/// Every byte of every file is asked for here.
static WORD_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'$' | 0x80..);
        byte += 1;
    }
    table
};

/// Calls `each` with the place of every word and every other visible byte outside the comments.
fn for_each_token(
    text: &[u8],
    range: Range<usize>,
    comments: &[Range<usize>],
    mut each: impl FnMut(usize, &[u8]),
) {
    let mut at = range.start;
    let mut next = comments.partition_point(|comment| comment.end <= range.start);
    while at < range.end {
        if let Some(comment) = comments.get(next)
            && at >= comment.start
        {
            at = at.max(comment.end);
            next += 1;
            continue;
        }
        let stop = comments.get(next).map_or(range.end, |comment| comment.start.min(range.end));
        let byte = text[at];
        if is_word_byte(byte) {
            let length = text[at..stop].iter().take_while(|&&byte| is_word_byte(byte)).count();
            each(at, &text[at..at + length]);
            at += length;
        } else {
            if byte.is_ascii_graphic() {
                each(at, &text[at..=at]);
            }
            at += 1;
        }
    }
}

/// How many times longer one list is than the other for its entries to be looked up instead of gone through.
const FAR_LONGER: usize = 16;

pub(crate) fn count_common(a: &[u64], b: &[u64]) -> usize {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if many.len() / FAR_LONGER > few.len() { look_up(few, many) } else { go_through(a, b) }
}

/// A short list in a long one: thousands of tests are looked for in one comment that holds them all.
fn look_up(few: &[u64], mut many: &[u64]) -> usize {
    let mut common = 0;
    for entry in few {
        many = &many[many.partition_point(|other| other < entry)..];
        if many.first() == Some(entry) {
            common += 1;
            many = &many[1..];
        }
    }
    common
}

fn go_through(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    common
}

/// Eight bytes at a time: words are short and many. The same on every machine.
pub fn hash(bytes: &[u8]) -> u64 {
    let mut chunks = bytes.chunks_exact(8);
    let mut hash = bytes.len() as u64;
    for chunk in &mut chunks {
        hash = fold(hash, u64::from_le_bytes(chunk.try_into().unwrap_or_default()));
    }
    fold(hash, little_endian(chunks.remainder()))
}

/// Fewer than eight bytes as a number. Most words are so short that to copy them would cost more than the rest.
fn little_endian(bytes: &[u8]) -> u64 {
    match *bytes {
        [] => 0,
        [a] => u64::from(a),
        [a, .., b] if bytes.len() < 4 => {
            let (middle, end) = (bytes.len() / 2, bytes.len() - 1);
            u64::from(a) | u64::from(bytes[middle]) << (8 * middle) | u64::from(b) << (8 * end)
        }
        // Two halves that may overlap: where they do, they say the same.
        [a, b, c, d, ..] => {
            let at = bytes.len() - 4;
            let half = |bytes: [u8; 4]| u64::from(u32::from_le_bytes(bytes));
            let end = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            half([a, b, c, d]) | half(end) << (8 * at)
        }
        _ => bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    }
}

/// Mixes one more part into a hash; the high bits of the product are folded back into the low ones.
fn fold(hash: u64, part: u64) -> u64 {
    let product = u128::from(hash ^ part ^ 0xcbf2_9ce4_8422_2325) * 0x9e37_79b9_7f4a_7c15_u128;
    (product as u64) ^ ((product >> 64) as u64)
}

fn mix(window: [u64; 3]) -> u64 {
    window.iter().fold(0, |sum: u64, &hash| (sum.rotate_left(23) ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Body {
        Body::of(text.as_bytes(), 0..text.len(), &[])
    }

    #[test]
    fn a_few_bytes_are_the_number_that_they_spell() {
        for length in 0..8 {
            let bytes = &[3_u8, 250, 7, 129, 64, 255, 1][..length];
            let spelled = bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
            assert_eq!(little_endian(bytes), spelled);
        }
    }

    #[test]
    fn white_space_does_not_count() {
        assert_eq!(body("assert  total( 1,2 )").similarity(&body("assert total(1, 2)")), 1.0);
    }

    #[test]
    fn comments_do_not_count() {
        let text = b"a /* b */ c /**/";
        assert_eq!(Body::of(text, 0..text.len(), &[2..9, 12..16]), body("a c"));
    }

    #[test]
    fn other_code_is_unlike() {
        assert!(body("assert total(1, 2) == 3").similarity(&body("let x = parse(y)?")) < 0.2);
    }

    #[test]
    fn words_of_strings_count() {
        let text = b"call('--dry-run')";
        assert!(Words::of(text, 0..text.len(), &[]).contains("dry"));
    }

    #[test]
    fn names_leave_out_prose() {
        let text = b"option('verbose'); fail('must be positive'); // gone /**/";
        let names = Words::names(text, &[45..53, 53..57]);
        assert!(names.contains("option") && names.contains("verbose"));
        assert!(!names.contains("positive") && !names.contains("gone"));
    }

    #[test]
    fn looking_up_counts_what_going_through_counts() {
        let many: Vec<u64> = (0..1000).flat_map(|number| [number * 3, number * 3]).collect();
        for few in [vec![], vec![0, 0, 0, 1, 6, 9, 9], vec![2997, 2997, 4000], vec![5]] {
            assert_eq!(count_common(&few, &many), go_through(&few, &many));
            assert_eq!(count_common(&many, &few), go_through(&few, &many));
        }
    }

    #[test]
    fn part_is_contained_in_whole() {
        assert!(
            body("x = f(1)\nassert x == 2").containment(&body("y = 3\nx = f(1)\nassert x == 2\nz()")) > 0.99
        );
    }
}
