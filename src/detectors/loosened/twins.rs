//! Calls and words whose lenient twin stands in their place: `check_call` became `call`, `orElseThrow` became `orElse`,
//! `exit(1)` became `exit(0)`.

use super::reading::{Page, Part, Told, count};
use crate::detectors::functions::plain;
use crate::detectors::gaps::Gap;
use crate::text::{clipped, contains, one_line};

/// Names that insist, and those that do the same without.
struct Twin {
    strict: &'static [&'static str],
    lenient: &'static [&'static str],
    /// What must stand in the old line as well, for names that many things bear.
    near: &'static [&'static str],
    part: Part,
}

const NAMES: &[Twin] = &[
    errors(&["check_call"], &["call", "Popen"], &["subprocess", "check_call"]),
    errors(&["check_output"], &["getoutput", "getstatusoutput"], &[]),
    errors(&["orElseThrow"], &["orElse", "orElseGet"], &[]),
    errors(&["getOrThrow"], &["getOrNull", "getOrDefault", "getOrElse"], &[]),
    errors(&["from_utf8"], &["from_utf8_lossy"], &["?"]),
    errors(&["write_all"], &["write"], &["?"]),
    errors(&["read_exact"], &["read"], &["?"]),
    errors(&["ReadFull"], &["Read"], &[]),
    errors(&["parse", "parseAsync"], &["safeParse", "safeParseAsync"], &[]),
    errors(&["FAILURE", "EXIT_FAILURE"], &["SUCCESS", "EXIT_SUCCESS"], &["xit", "EXIT"]),
    checks(&["fullmatch"], &["match", "search"], &[]),
    checks(&["matches"], &["find", "lookingAt"], &["atcher"]),
    checks(&["verify", "verifyAsync"], &["decode"], &["jwt", "JWT", "jsonwebtoken"]),
    checks(
        &["checked_add", "checked_sub", "checked_mul", "checked_pow"],
        &[
            "wrapping_add",
            "wrapping_sub",
            "wrapping_mul",
            "wrapping_pow",
            "unchecked_add",
            "unchecked_sub",
            "unchecked_mul",
        ],
        &["?", "ok_or", "expect"],
    ),
    checks(&["addExact", "multiplyExact", "subtractExact", "toIntExact"], &["intValue"], &[]),
    checks(&["safe_load", "safe_load_all", "SafeLoader"], &["load", "load_all", "Loader"], &["yaml"]),
    checks(&["authenticated", "hasRole", "hasAuthority", "denyAll"], &["permitAll"], &[]),
    checks(
        &["string", "number", "boolean", "object", "enum", "literal", "union", "date", "record"],
        &["any", "unknown"],
        &["z.", "Joi.", "joi.", "t.", "yup."],
    ),
    checks(&["Strict", "strict", "Lax", "lax"], &["None", "none"], &["ameSite", "amesite"]),
    checks(&["LITERAL", "STRICT"], &["LENIENT"], &[]),
    checks(
        &["RequireAndVerifyClientCert"],
        &["NoClientCert", "RequestClientCert", "VerifyClientCertIfGiven"],
        &[],
    ),
    checks(&["CERT_REQUIRED"], &["CERT_NONE", "CERT_OPTIONAL"], &[]),
    checks(&["enable"], &["disable"], &["FAIL_ON", "STRICT"]),
];

const fn errors(
    strict: &'static [&'static str],
    lenient: &'static [&'static str],
    near: &'static [&'static str],
) -> Twin {
    Twin { strict, lenient, near, part: Part::Errors }
}

const fn checks(
    strict: &'static [&'static str],
    lenient: &'static [&'static str],
    near: &'static [&'static str],
) -> Twin {
    Twin { strict, lenient, near, part: Part::Checks }
}

/// Ends of a line that are replaced as they are, white space taken out and all quotes alike.
const PHRASES: &[(&str, &str, Part)] = &[
    ("exit(1)", "exit(0)", Part::Errors),
    ("Exit(1)", "Exit(0)", Part::Errors),
    ("exitCode=1", "exitCode=0", Part::Errors),
    ("extra='forbid'", "extra='ignore'", Part::Checks),
    ("extra='forbid'", "extra='allow'", Part::Checks),
    ("Extra.forbid", "Extra.ignore", Part::Checks),
    ("Extra.forbid", "Extra.allow", Part::Checks),
    ("unknown=RAISE", "unknown=EXCLUDE", Part::Checks),
    ("unknown=RAISE", "unknown=INCLUDE", Part::Checks),
    ("_PROPERTIES,true", "_PROPERTIES,false", Part::Checks),
    ("additionalProperties:false", "additionalProperties:true", Part::Checks),
    ("'additionalProperties':False", "'additionalProperties':True", Part::Checks),
    ("ALLOWED_HOSTS=[", "ALLOWED_HOSTS=['*'", Part::Checks),
];

pub fn may(gone: &[u8], fresh: &[u8]) -> bool {
    let says = |text: &[u8], names: &[&str]| names.iter().any(|name| contains(text, name.as_bytes()));
    NAMES.iter().any(|twin| says(gone, twin.strict) && says(fresh, twin.lenient))
        || PHRASES.iter().any(|(was, is, _)| {
            let last =
                |phrase: &str| phrase.rsplit(['=', ':', ',', '(']).next().unwrap_or_default().to_owned();
            let end = last(is);
            contains(gone, head(was).as_bytes())
                && contains(fresh, end.trim_matches(['\'', ')', ']']).as_bytes())
        })
}

/// The first name of a phrase.
fn head(phrase: &str) -> &str {
    phrase.trim_start_matches('\'').split(['=', ':', ',', '(', '\'']).next().unwrap_or_default()
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    page.pairs(gap).into_iter().find_map(|((old, was), (new, is))| {
        let (part, from, to) = by_name(&was, &is).or_else(|| by_phrase(&was, &is))?;
        // The name may have been given up as a whole, or the loss made good for around it.
        let renamed = page.comparison.production.removed_definitions.contains(&from);
        (!renamed && !page.refuses_more(old, new)).then(|| Told {
            part,
            message: format!(
                "`{from}` gave way to `{to}`, which takes more: `{}`",
                clipped(&one_line(&is), 80)
            ),
            old: Some(old),
            new: Some(new),
            detail: to,
        })
    })
}

fn by_name(was: &str, is: &str) -> Option<(Part, String, String)> {
    NAMES.iter().find_map(|twin| {
        let fewer = twin.strict.iter().find(|name| count(was, name) > count(is, name))?;
        let more = twin.lenient.iter().find(|name| count(is, name) > count(was, name))?;
        let near = twin.near.is_empty() || twin.near.iter().any(|word| was.contains(word));
        near.then(|| (twin.part, (*fewer).to_owned(), (*more).to_owned()))
    })
}

fn by_phrase(was: &str, is: &str) -> Option<(Part, String, String)> {
    let (was, is) = (plain(was), plain(is));
    let replaced =
        |(from, to, _): &&(&str, &str, Part)| was.contains(from) && was.replacen(from, to, 1) == is;
    let hosts = |(from, to, _): &&(&str, &str, Part)| {
        from.ends_with('[') && was.starts_with(from) && is.starts_with(to) && !was.starts_with(to)
    };
    let found = PHRASES.iter().find(|phrase| replaced(phrase) || hosts(phrase))?;
    Some((found.2, found.0.to_owned(), found.1.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(was: &str, is: &str) -> Option<String> {
        by_name(was, is).or_else(|| by_phrase(was, is)).map(|(_, _, to)| to)
    }

    #[test]
    fn lenient_twins_are_known() {
        for (was, is, to) in [
            ("subprocess.check_call(cmd)", "subprocess.call(cmd)", "call"),
            ("return users.find(id).orElseThrow()", "return users.find(id).orElse(null)", "orElse"),
            ("let s = String::from_utf8(raw)?;", "let s = String::from_utf8_lossy(&raw);", "from_utf8_lossy"),
            ("sys.exit(1)", "sys.exit(0)", "exit(0)"),
            (
                "model_config = ConfigDict(extra=\"forbid\")",
                "model_config = ConfigDict(extra=\"ignore\")",
                "extra='ignore'",
            ),
            ("ALLOWED_HOSTS = [\"a.org\"]", "ALLOWED_HOSTS = [\"*\"]", "ALLOWED_HOSTS=['*'"),
        ] {
            assert_eq!(told(was, is).as_deref(), Some(to), "{was}");
        }
        for (was, is) in [
            ("subprocess.call(cmd)", "subprocess.check_call(cmd)"),
            ("let s = String::from_utf8(raw).unwrap();", "let s = String::from_utf8_lossy(&raw);"),
            ("sys.exit(0)", "sys.exit(1)"),
        ] {
            assert_eq!(told(was, is), None, "{was}");
        }
    }
}
