//! Options that insisted and are gone from a call that stays: `check=True`, `strict=True`, `throwOnError: true`.

use super::reading::{Page, Part, Told, count_in};
use crate::detectors::functions::plain;
use crate::detectors::gaps::Gap;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::text::{clipped, contains, one_line};

/// Beginnings of the names of such options, as bytes.
const HINTS: &[&[u8]] =
    &[b"trict", b"heck", b"hrow", b"aise", b"ail", b"isallow", b"orbid", b"nforce", b"alidat", b"erif"];

pub fn may(gone: &[u8], _: &[u8]) -> bool {
    (contains(gone, b"True") || contains(gone, b"true")) && HINTS.iter().any(|hint| contains(gone, hint))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    let fresh: Vec<String> = gap.fresh.iter().map(|line| plain(&line.code)).collect();
    gap.gone.iter().find_map(|line| {
        let code = plain(&line.code);
        let (name, part) = insists(&code)?;
        let around = code.replacen(&format!("{name}=True"), "", 1).replacen(&format!("{name}:true"), "", 1);
        // The call stays: on the line itself, or around a line that had nothing but the option.
        let stays = match around.contains(char::is_alphanumeric) {
            true => fresh.iter().any(|line| same_call(&around, line)),
            false => gap.gone.len() == 1 && gap.fresh.is_empty(),
        };
        let fewer = count_in(page.after, &name) < count_in(page.before, &name);
        let new = gap.fresh.first().map_or(gap.next, |line| line.number);
        (stays && fewer && !page.refuses_more(line.number, new)).then(|| Told {
            part,
            message: format!("`{name}` no longer insists: `{}`", clipped(&one_line(&line.code), 80)),
            old: Some(line.number),
            new: Some(new),
            detail: name,
        })
    })
}

/// The option of a line that insists, and what on.
fn insists(code: &str) -> Option<(String, Part)> {
    names_of_any_length(code).find_map(|name| {
        let on = code.contains(&format!("{name}=True")) || code.contains(&format!("{name}:true"));
        let part = on.then(|| part(name)).flatten()?;
        Some((name.to_owned(), part))
    })
}

fn part(name: &str) -> Option<Part> {
    let words = words(name);
    let first = words.first().map_or("", String::as_str);
    match first {
        "strict" | "forbid" | "disallow" | "enforce" | "validate" | "verify" => Some(Part::Checks),
        "check" if words.len() == 1 => Some(Part::Errors),
        "throw" | "raise" | "fail" | "throws" | "raises" => Some(Part::Errors),
        _ => None,
    }
}

/// Whether two lines are the same but for commas and brackets that an option leaves behind.
fn same_call(one: &str, other: &str) -> bool {
    let bare = |text: &str| text.replace([',', '(', ')', '{', '}'], "");
    bare(one) == bare(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_insist_are_known() {
        let name = |code: &str| insists(code).map(|(name, _)| name);
        assert_eq!(name("subprocess.run(cmd,check=True)").as_deref(), Some("check"));
        assert_eq!(name("f({throwOnError:true})").as_deref(), Some("throwOnError"));
        assert_eq!(name("f(check_same_thread=True)"), None);
        assert_eq!(name("f(strict=False)"), None);
        assert!(same_call("dict(zip(a,b,))", "dict(zip(a,b))"));
    }
}
