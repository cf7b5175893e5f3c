//! Examples in documentation that the tools of a language run as tests, and those that they pass over.

/// An example, or a line of one, that is not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrun {
    pub line: u32,
    /// The first line of what it would run.
    pub code: String,
    /// What keeps it from running, as written.
    pub mark: String,
}

/// The examples of a text: how many run, and those that do not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Examples {
    pub run: usize,
    pub unrun: Vec<Unrun>,
}

/// Words behind the fence of an example that runs all the same.
const RUN: &[&str] = &["rust", "should_panic", "standalone_crate", "test_harness"];

/// Words that keep an example from running, or from being looked at.
const UNRUN: &[&str] = &["ignore", "no_run", "text", "txt", "compile_fail", "notrust", "plain"];

pub fn doc_examples(language: &str, text: &[u8]) -> Examples {
    match language {
        "rust" => of_rust(&String::from_utf8_lossy(text)),
        "python" => of_python(&String::from_utf8_lossy(text)),
        _ => Examples::default(),
    }
}

/// The content of a line of a documentation comment.
fn documented(line: &str) -> Option<&str> {
    let text = line.trim_start();
    ["///", "//!", "* ", "/**"].iter().find_map(|mark| text.strip_prefix(mark)).map(str::trim)
}

fn of_rust(text: &str) -> Examples {
    let mut found = Examples::default();
    let mut open: Option<(u32, String, bool)> = None;
    for (line, number) in text.lines().zip(1..) {
        let Some(content) = documented(line) else {
            open = open.filter(|_| !line.trim().is_empty() && line.trim_start().starts_with('*'));
            continue;
        };
        let fence = content.strip_prefix("```").or_else(|| content.strip_prefix("~~~"));
        match (&mut open, fence) {
            (Some(_), Some(_)) => open = None,
            (None, Some(info)) => {
                let words: Vec<&str> =
                    info.split([',', ' ', '{', '}']).filter(|word| !word.is_empty()).collect();
                let runs = words.iter().all(|word| RUN.contains(word) || word.starts_with("edition"));
                let is_off = words.iter().any(|word| UNRUN.contains(word) || word.starts_with("ignore-"));
                found.run += usize::from(runs);
                open = Some((number, content.to_owned(), is_off));
            }
            (Some((at, mark, is_off)), None) if *is_off && !content.is_empty() => {
                found.unrun.push(Unrun { line: *at, code: content.to_owned(), mark: std::mem::take(mark) });
                *is_off = false;
            }
            _ => {}
        }
    }
    found
}

fn of_python(text: &str) -> Examples {
    let mut found = Examples::default();
    for (line, number) in text.lines().zip(1..) {
        let Some(code) = line.trim_start().strip_prefix(">>>") else { continue };
        match code.split_once("# doctest:") {
            Some((code, options)) if options.contains("+SKIP") => {
                let mark = format!("# doctest:{options}");
                found.unrun.push(Unrun { line: number, code: code.trim().to_owned(), mark });
            }
            _ => found.run += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_that_run_are_told_from_others() {
        let rust = "//! ```\n//! a();\n//! ```\n/// ```ignore\n/// b();\n/// ```\nfn f() {}\n/// ```toml\n/// x\n/// ```\n";
        let found = doc_examples("rust", rust.as_bytes());
        assert_eq!((found.run, found.unrun.len()), (1, 1));
        assert_eq!((found.unrun[0].line, found.unrun[0].code.as_str()), (4, "b();"));
        let python = "    >>> a()\n    >>> b()  # doctest: +SKIP\n";
        let found = doc_examples("python", python.as_bytes());
        assert_eq!((found.run, found.unrun.len()), (1, 1));
        assert_eq!(found.unrun[0].code, "b()");
    }
}
