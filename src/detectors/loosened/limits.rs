//! Limits that moved out of reach: a largest size that is many times as large, a least length that is half as long.
//!
//! Only limits that something is refused by count: a condition of the file that fails, or a reader that stops.

use super::reading::{Page, Part, Told, count};
use crate::comparison::FileSide;
use crate::detectors::gaps::Gap;
use crate::detectors::switch_names::words;
use crate::text::{clipped, contains, one_line};

/// A limit that is moved by less may follow from what the code is for.
const FAR: f64 = 8.0;

/// What stops at a limit that it is given.
const STOPS: &[&str] = &[
    "MaxBytesReader",
    "LimitReader",
    "LimitedReader",
    "MaxBytesHandler",
    "DefaultBodyLimit",
    "maxBodyLength",
    "bodyParser",
    "express.json",
    "multer",
    "bodyLimit",
    "max_length",
    "maxLength",
    "RequestBodyLimitLayer",
];

/// Words of numbers that refuse nothing when they are reached.
const OTHER: &[&str] = &[
    "retry",
    "retries",
    "attempt",
    "attempts",
    "timeout",
    "wait",
    "delay",
    "backoff",
    "interval",
    "ttl",
    "age",
    "cache",
    "pool",
    "workers",
    "threads",
    "concurrency",
    "width",
    "height",
    "line",
    "columns",
    "log",
    "logs",
    "version",
    "buffer",
    "queue",
    "batch",
];

pub fn may(gone: &[u8], fresh: &[u8]) -> bool {
    const HINTS: &[&[u8]] =
        &[b"max", b"MAX", b"Max", b"limit", b"LIMIT", b"Limit", b"MIN", b"min_", b"Min", b"minL"];
    HINTS.iter().any(|hint| contains(gone, hint) && contains(fresh, hint))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    page.pairs(gap).into_iter().find_map(|((old, was), (new, is))| {
        let ((name, from), (other, to)) = (setting(&was)?, setting(&is)?);
        let words = words(&name);
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let out_of_reach = match () {
            () if has(OTHER) || name != other => false,
            () if has(&["max", "maximum", "limit", "limits"]) => from > 0.0 && to >= FAR * from,
            () if has(&["min", "minimum"]) => from > 1.0 && 2.0 * to <= from,
            () => false,
        };
        (out_of_reach && refuses_by(page.after, &name)).then(|| Told {
            part: Part::Checks,
            message: format!("`{name}` hardly refuses anything now: `{}`", clipped(&one_line(&is), 80)),
            old: Some(old),
            new: Some(new),
            detail: name,
        })
    })
}

/// Whether the file refuses something by a limit of this name.
fn refuses_by(side: &FileSide, name: &str) -> bool {
    let functions = side.facts.functions.iter();
    let mut exits = functions.flat_map(|function| &function.exits);
    let in_condition = exits.any(|exit| exit.kind.refuses() && count(&exit.condition, name) > 0);
    let stops = |line: &crate::comparison::CodeLine| {
        line.code.contains(name) && STOPS.iter().any(|stop| line.code.contains(stop))
    };
    in_condition || side.code().iter().any(stops)
}

/// The name and the number of a line that sets one: `MAX_SIZE = 5 * 1024`, `limit: '100kb'`.
fn setting(line: &str) -> Option<(String, f64)> {
    let line = line.trim_end_matches([',', ';', ')', '}', ' ']);
    let at = line.rfind('=').or_else(|| line.find(": "))?;
    let (target, value) = (&line[..at], line[at + 1..].trim());
    if target.ends_with(['=', '!', '<', '>', '+', '-', '*']) || value.starts_with('>') {
        return None;
    }
    let number = number(value.split(", ").next()?.trim())?;
    // A type may stand before the name, or behind it.
    let mut names =
        target.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
    let is_limit = |name: &&str| {
        let words = words(name);
        words
            .iter()
            .any(|word| matches!(word.as_str(), "max" | "maximum" | "limit" | "limits" | "min" | "minimum"))
    };
    Some((names.find(is_limit)?.to_owned(), number))
}

/// Words for no limit at all.
const ENDLESS: &[&str] = &[
    "Infinity",
    "Number.MAX_SAFE_INTEGER",
    "usize::MAX",
    "u64::MAX",
    "u32::MAX",
    "sys.maxsize",
    "math.inf",
    "float('inf')",
    "float(\"inf\")",
    "math.MaxInt",
    "math.MaxInt64",
    "math.MaxInt32",
    "Integer.MAX_VALUE",
    "Long.MAX_VALUE",
    "Number.MAX_VALUE",
];

/// `5 * 1024 * 1024`, `1 << 20`, `16_384`, `"100kb"`.
fn number(value: &str) -> Option<f64> {
    if ENDLESS.contains(&value) {
        return Some(f64::INFINITY);
    }
    if let Some((base, by)) = value.split_once("<<") {
        return Some(number(base.trim())? * by.trim().parse::<i32>().ok().map(|by| 2f64.powi(by.min(100)))?);
    }
    let mut factors = value.split('*').map(|part| {
        let part = part.trim().trim_matches(['"', '\'']).replace('_', "").to_lowercase();
        let end = part.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(part.len());
        let unit = match &part[end..] {
            "" | "b" | "l" | "u" | "usize" | "u32" | "u64" | "i32" | "i64" => 1.0,
            "k" | "kb" | "kib" => 1024.0,
            "m" | "mb" | "mib" => 1024.0 * 1024.0,
            "g" | "gb" | "gib" => 1024.0 * 1024.0 * 1024.0,
            _ => return None,
        };
        part[..end].parse::<f64>().ok().map(|number| number * unit)
    });
    factors.try_fold(1.0, |all, factor| Some(all * factor?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (line, name, value) in [
            ("MAX_UPLOAD_SIZE = 5 * 1024", "MAX_UPLOAD_SIZE", 5120.0),
            ("const MAX_FRAME: usize = 16_384;", "MAX_FRAME", 16384.0),
            ("const maxBody = 1 << 20", "maxBody", 1_048_576.0),
            ("limit: '100kb',", "limit", 102_400.0),
            ("private static final int MAX_DEPTH = 50;", "MAX_DEPTH", 50.0),
            ("const MAX: usize = usize::MAX;", "MAX", f64::INFINITY),
        ] {
            assert_eq!(setting(line), Some((name.to_owned(), value)), "{line}");
        }
        for line in ["if size >= MAX_SIZE", "max = other.max", "MAX_SIZE == 5", "let max = f(3)"] {
            assert_eq!(setting(line), None, "{line}");
        }
    }
}
