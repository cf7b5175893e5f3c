//! Means by which existing code kept itself safe, and which are gone while the code around them stays: `O_EXCL`,
//! `httpOnly`, a folder that nobody else can know, a comparison that takes the same time for all.
//!
//! Part of the rule about guards. What stands in for a means is one of the same kind.

use crate::comparison::{Comparison, FileSide};
use crate::detectors::functions::{Changed, plain};
use crate::detectors::hunks::{Hunk, hunks};
use crate::detectors::subject::names_of_any_length;
use crate::facts::Span;

/// A kind of safeguard: its names, what else stands in for them, and what tells that it is missed.
struct Kind {
    names: &'static [&'static str],
    /// Names that serve as well.
    others: &'static [&'static str],
    /// One of these must be in the new function; none where the loss says enough.
    missed: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind { names: &["SO_EXCLUSIVEADDRUSE"], others: &[], missed: &[] },
    Kind {
        names: &["O_EXCL", "O_NOFOLLOW", "create_new", "CREATE_NEW"],
        others: &["mkstemp", "tempfile", "NamedTemporaryFile", "replace", "rename"],
        missed: &["O_CREAT", "O_CREATE", "O_WRONLY", "create", "open", "CREATE"],
    },
    Kind {
        names: &[
            "mkdtemp",
            "mkstemp",
            "mkdtempSync",
            "createTempDirectory",
            "createTempFile",
            "MkdirTemp",
            "TempDir",
        ],
        others: &[
            "TemporaryDirectory",
            "NamedTemporaryFile",
            "tempdir",
            "Builder",
            "CreateTemp",
            "randomUUID",
            "uuid4",
        ],
        missed: &[
            "gettempdir",
            "tmpdir",
            "tmpDir",
            "temp_dir",
            "TempDir",
            "tmp",
            "getTempDirectory",
            "tempdir",
        ],
    },
    Kind {
        names: &["checkServerIdentity", "CERT_REQUIRED", "check_hostname"],
        others: &["CERT_NONE"],
        missed: &[],
    },
    Kind {
        names: &[
            "compare_digest",
            "timingSafeEqual",
            "ConstantTimeCompare",
            "constant_time_compare",
            "ct_eq",
        ],
        others: &["safeCompare", "verify", "isEqual", "Equal"],
        missed: &[],
    },
    Kind {
        names: &["safe_load", "SafeLoader", "safeLoad"],
        others: &["YAML", "parse"],
        missed: &["load", "Loader", "full_load", "unsafe_load"],
    },
    Kind {
        names: &["DOMPurify", "sanitizeHtml", "secure_filename", "escapeHtml", "shlex"],
        others: &["escape", "sanitize", "purify", "quote", "basename"],
        missed: &[],
    },
    Kind {
        names: &[
            "DisallowUnknownFields",
            "MaxBytesReader",
            "LimitReader",
            "FEATURE_SECURE_PROCESSING",
            "defusedxml",
        ],
        others: &["UnmarshalStrict", "MaxBytesHandler", "LimitedReader", "Limit"],
        missed: &[],
    },
    Kind {
        names: &[
            "SecureRandom",
            "randomBytes",
            "token_hex",
            "token_urlsafe",
            "SystemRandom",
            "getRandomValues",
        ],
        others: &["randomUUID", "uuid4", "nanoid", "secrets", "webcrypto", "crypto", "randomFillSync"],
        missed: &["random", "Random", "randint", "choice", "randrange"],
    },
];

/// Options that keep a cookie from others, in any writing.
const COOKIE: &[&str] = &["httponly", "secure", "samesite"];

/// Places of more lines were written anew.
const LARGE: u32 = 8;

/// So much of the function must have been there before.
const KEPT: f64 = 0.5;

/// A safeguard that is gone.
pub struct Unguarded {
    pub line: u32,
    pub new_line: u32,
    pub name: String,
}

pub fn unguarded(comparison: &Comparison, change: &Changed<'_>) -> Option<Unguarded> {
    let before = change.old_text();
    let may = |name: &str| {
        KINDS.iter().any(|kind| kind.names.contains(&name)) || COOKIE.contains(&name.to_lowercase().as_str())
    };
    if !names_of_any_length(&before).any(may) || change.kept() < KEPT {
        return None;
    }
    let after = change.new_text();
    let name = of_kind(&before, &after).or_else(|| of_cookie(&before, &after))?;
    let is_small = |hunk: &Hunk| hunk.old.end - hunk.old.start <= LARGE;
    // What was switched off guarded nothing.
    let is_off = |line: &str| plain(line).contains(&format!("{name}=False"));
    let loses = |line: &str| names_of_any_length(line).any(|word| word == name) && !is_off(line);
    let (line, new_line) = hunks(change).into_iter().filter(is_small).find_map(|hunk| {
        let span = Span { start: hunk.old.start, end: hunk.old.end.saturating_sub(1) };
        let at = change.old_side.lines(span).position(|line| loses(&line))?;
        Some((hunk.old.start + at as u32, hunk.new.start.clamp(change.new.span.start, change.new.span.end)))
    })?;
    moved_elsewhere(comparison, &name).then_some(()).is_none().then_some(Unguarded { line, new_line, name })
}

fn count(text: &str, name: &str) -> usize {
    names_of_any_length(text).filter(|word| *word == name).count()
}

fn of_kind(before: &str, after: &str) -> Option<String> {
    KINDS.iter().find_map(|kind| {
        let total = |text: &str| kind.names.iter().map(|name| count(text, name)).sum::<usize>();
        let gains = |names: &[&str]| names.iter().any(|name| count(after, name) > count(before, name));
        let missed = kind.missed.is_empty() || kind.missed.iter().any(|name| count(after, name) > 0);
        if total(before) == 0 || total(after) >= total(before) || gains(kind.others) || !missed {
            return None;
        }
        let lost = kind.names.iter().find(|name| count(after, name) < count(before, name));
        lost.map(|name| (*name).to_owned())
    })
}

/// `secure: true` that a cookie no longer has.
fn of_cookie(before: &str, after: &str) -> Option<String> {
    if !after.to_lowercase().contains("cookie") {
        return None;
    }
    let on = |text: &str, option: &str| {
        let set = |line: &str| {
            let lower = line.to_lowercase();
            lower.contains(option) && ["true", "strict", "lax"].iter().any(|value| lower.contains(value))
        };
        text.lines().any(set)
    };
    let option =
        COOKIE.iter().find(|option| on(before, option) && !after.to_lowercase().contains(**option))?;
    names_of_any_length(before).find(|name| name.to_lowercase() == *option).map(str::to_owned)
}

/// Whether the change as a whole names the safeguard as often as before.
fn moved_elsewhere(comparison: &Comparison, name: &str) -> bool {
    let of =
        |side: Option<&FileSide>| side.map_or(0, |side| count(&String::from_utf8_lossy(&side.text), name));
    let changed = || comparison.files.iter().filter(|file| file.class == crate::paths::PathClass::Production);
    let before: usize = changed().map(|file| of(file.before.as_ref())).sum();
    let after: usize = changed().map(|file| of(file.after.as_ref())).sum();
    after >= before
}
