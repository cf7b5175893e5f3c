//! Settings that are read no more: a literal stands where an option, a setting or the environment was asked.

use super::reading::{Page, Part, Told};
use crate::detectors::functions::plain;
use crate::detectors::gaps::Gap;
use crate::detectors::switch_names::words;
use crate::text::{clipped, contains, one_line};

/// Names of what holds settings.
const HOLDS: &[&str] = &[
    "options",
    "option",
    "opts",
    "opt",
    "config",
    "conf",
    "cfg",
    "settings",
    "setting",
    "env",
    "environ",
    "flags",
    "preferences",
    "prefs",
];

pub fn may(gone: &[u8], _: &[u8]) -> bool {
    const HINTS: &[&[u8]] = &[
        b"ption", b"opts", b"onfig", b"conf", b"cfg", b"etting", b"env", b"lags", b"refs", b"app.get", b"OPT",
    ];
    HINTS.iter().any(|hint| contains(gone, hint))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    if gap.gone.len() != gap.fresh.len() {
        return None;
    }
    page.pairs(gap).into_iter().find_map(|((old, was), (new, is))| {
        let (asked, literal) = replaced(&plain(&was), &plain(&is))?;
        // A literal that was the fallback all along, or what other lines still ask for, tells of tidying up.
        let last = asked
            .trim_matches(['(', ')', '\''])
            .rsplit(['.', '\'', '(', '['])
            .find(|part| !part.is_empty())?;
        let still = page.after.code().iter().any(|line| plain(&line.code).contains(asked.as_str()));
        (!still).then(|| Told {
            part: Part::Features,
            message: format!(
                "`{}` is fixed to `{literal}` where it could be set",
                clipped(&one_line(&asked), 60)
            ),
            old: Some(old),
            new: Some(new),
            detail: last.to_owned(),
        })
    })
}

/// What a line asked for, and the literal that another one, otherwise the same, has in its place.
fn replaced(was: &str, is: &str) -> Option<(String, String)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let same = was.chars().zip(is.chars()).take_while(|(one, other)| one == other);
    let head: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    let head = was[..head].trim_end_matches(is_part).trim_end_matches('\'').len();
    let (was, is) = (&was[head..], &is[head..]);
    let tail = was.chars().rev().zip(is.chars().rev()).take_while(|(one, other)| one == other);
    let tail: usize = tail.map(|(letter, _)| letter.len_utf8()).sum();
    let tail = tail.min(is.len()).min(was.len());
    let rest = is[is.len() - tail..].trim_start_matches(|c: char| !matches!(c, ',' | ';' | '}' | ')'));
    // The bracket that closes what was asked belongs to it.
    let asked = &was[..was.len() - rest.len()];
    let (asked, rest) = match asked.matches('(').count() > asked.matches(')').count() {
        true => (was.get(..asked.len() + 1)?, rest.get(1..)?),
        false => (asked, rest),
    };
    let literal = is.strip_suffix(rest)?;
    (is_literal(literal) && asks(asked)).then(|| (asked.to_owned(), literal.to_owned()))
}

fn is_literal(text: &str) -> bool {
    let quoted =
        text.len() > 1 && text.starts_with('\'') && text.ends_with('\'') && text.matches('\'').count() == 2;
    quoted || text.parse::<f64>().is_ok()
}

/// Whether something is a path from what holds settings, or a question to it.
fn asks(text: &str) -> bool {
    let path = text.split(['(', '[']).next().unwrap_or_default();
    let is_path =
        !path.is_empty() && path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '?'));
    let parts: Vec<&str> = path.split('.').collect();
    let holds = |part: &&str| words(part).last().is_some_and(|word| HOLDS.contains(&word.as_str()));
    let of_holder = parts.len() > 1 && parts[..parts.len() - 1].iter().any(holds);
    let of_app = path.ends_with("app.get") || path.ends_with("app.set") || path.ends_with("getenv");
    is_path && (of_holder || of_app || holds(&path) && text.contains('['))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_in_the_place_of_settings_are_known() {
        for (was, is, asked) in [
            ("path:this.app.get('root')};", "path:'/'};", "this.app.get('root')"),
            ("timeout=self.config.timeout,", "timeout=30,", "self.config.timeout"),
            ("connect(opts.host,port)", "connect('localhost',port)", "opts.host"),
            ("level=os.environ['LEVEL']", "level='info'", "os.environ['LEVEL']"),
        ] {
            assert_eq!(replaced(was, is).map(|found| found.0).as_deref(), Some(asked), "{was}");
        }
        for (was, is) in [
            ("timeout=30,", "timeout=self.config.timeout,"),
            ("f(user.name)", "f('x')"),
            ("timeout=config.timeout", "timeout=config.limit"),
        ] {
            assert_eq!(replaced(was, is), None, "{was}");
        }
    }

    #[test]
    fn no_two_lines_are_too_odd() {
        let lines =
            ["", "(", "f(", "é(opts.a", "opts.a(", "x=opts.a(1),", "'", "opts['é']", "f(opts.é)", "30", ")"];
        for was in lines {
            for is in lines {
                let _ = replaced(was, is);
            }
        }
    }
}
