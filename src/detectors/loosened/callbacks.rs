//! Errors that a place handed on and hands on no more: `cb(err)` became `cb(null)`, a list of results became a list of
//! those that worked.

use super::reading::{Page, Part, Told};
use crate::detectors::functions::plain;
use crate::detectors::gaps::Gap;
use crate::text::{clipped, contains, one_line};

/// What errors are called where they are handed on.
const ERRORS: &[&str] = &["err", "error", "e", "ex"];

pub fn may(gone: &[u8], fresh: &[u8]) -> bool {
    let says = |text: &[u8], words: &[&str]| words.iter().any(|word| contains(text, word.as_bytes()));
    says(gone, &["(err", "(e)", "(e,", "(ex"]) && says(fresh, &["(null", "()", "(undefined", "(nil"])
        || says(fresh, &["filter_map("]) && !says(gone, &["filter_map("])
        || says(gone, &["Close()", "Flush()", "Sync()"]) && says(fresh, &["defer "])
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    deferred(page, gap).or_else(|| in_line(page, gap))
}

/// `return file.Close()` in whose place `defer file.Close()` stands: what is written may be lost, and nobody is told.
fn deferred(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    let counted = |line: &str| -> Option<String> {
        let call = line
            .strip_prefix("return")
            .or_else(|| line.split_once("err:=").or(line.split_once("err=")).map(|it| it.1))?;
        let call = call.split(';').next().unwrap_or(call);
        let ends = ["Close()", "Flush()", "Sync()"].iter().any(|end| call.ends_with(end));
        (ends && !call.contains(',')).then(|| call.to_owned())
    };
    gap.gone.iter().find_map(|line| {
        let call = counted(&line.code)?;
        let function = page.function(page.before, line.number)?;
        let now = page.after.facts.functions.iter().find(|one| one.name == function.name)?;
        let inside = |side: &crate::comparison::FileSide,
                      span: crate::facts::Span,
                      is: &dyn Fn(&str) -> bool| {
            let lines = side.code().iter().filter(|one| span.start <= one.number && one.number <= span.end);
            lines.filter(|one| is(&one.code)).map(|one| one.number).collect::<Vec<u32>>()
        };
        let put_off = format!("defer{call}");
        let is_deferred = |code: &str| code == put_off;
        let counts = |code: &str| counted(code).as_ref() == Some(&call);
        let new = *inside(page.after, now.span, &is_deferred).first()?;
        let was_deferred = !inside(page.before, function.span, &is_deferred).is_empty();
        let still = !inside(page.after, now.span, &counts).is_empty();
        (!was_deferred && !still).then(|| Told {
            part: Part::Errors,
            message: format!("{} no longer looks at the error of `{call}`", function.name),
            old: Some(line.number),
            new: Some(new),
            detail: call,
        })
    })
}

fn in_line(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    page.pairs(gap).into_iter().find_map(|((old, was), (new, is))| {
        let (was, shown) = (plain(&was), is.as_str());
        let is = plain(&is);
        let is_lost = no_error(&was, &is) || only_what_worked(&was, &is, page.after.facts.language);
        (is_lost && !page.refuses_more(old, new)).then(|| Told {
            part: Part::Errors,
            message: format!("an error is no longer handed on: `{}`", clipped(&one_line(shown), 80)),
            old: Some(old),
            new: Some(new),
            detail: is.clone(),
        })
    })
}

/// Whether one line calls something with an error, and the other calls the same with none.
fn no_error(was: &str, is: &str) -> bool {
    let asks = was.contains("err") || was.contains("(e");
    asks && was.match_indices('(').any(|(at, _)| {
        let name = was[..at].rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))).next();
        let given = was[at + 1..].split([',', ')']).next().unwrap_or_default();
        let Some(name) = name.filter(|name| !name.is_empty() && ERRORS.contains(&given)) else {
            return false;
        };
        let name = name.strip_prefix("return").unwrap_or(name);
        let calls_back = ["cb", "callback", "next", "done", "fn", "reject", "onError"];
        let none = ["(null", "(undefined", "()", "(nil"];
        calls_back.contains(&name.rsplit('.').next().unwrap_or(name))
            && none.iter().any(|none| is.contains(&format!("{name}{none}")))
            && !is.contains(&format!("{name}({given}"))
    })
}

/// `map(|l| l.parse()).collect()` that became `filter_map(|l| l.parse().ok()).collect()`.
fn only_what_worked(was: &str, is: &str, language: &str) -> bool {
    let drops = |line: &str| {
        line.contains("filter_map(") && line.contains(".ok())") || line.contains("filter_map(Result::ok)")
    };
    language == "rust" && was.contains("map(") && drops(is) && !was.contains("filter_map(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_are_handed_on_are_missed() {
        assert!(no_error("if(err)returncb(err)", "if(err)returncb(null,{})"));
        assert!(no_error("if(err)returnnext(err);", "if(err)returnnext();"));
        assert!(!no_error("if(err)returncb(err)", "if(err)returncb(wrap(err))"));
        assert!(only_what_worked(
            "l.map(|l|l.parse()).collect()",
            "Ok(l.filter_map(|l|l.parse().ok()).collect())",
            "rust"
        ));
    }
}
