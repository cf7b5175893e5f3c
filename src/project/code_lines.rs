//! The lines of a configuration file, what runs apart from what is a comment, whatever the format.

/// One line that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectLine {
    pub number: u32,
    /// What counts, without white space around it.
    pub code: String,
    /// What stands in a comment, without its marks.
    pub comment: String,
}

/// How comments are written.
#[derive(Clone, Copy)]
struct Marks {
    line: Option<&'static str>,
    block: Option<(&'static str, &'static str)>,
}

fn marks_of(path: &str) -> Marks {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let braces = Marks { line: Some("//"), block: Some(("/*", "*/")) };
    match ending {
        // No comments are allowed there.
        "json" if name.starts_with("package") => Marks { line: None, block: None },
        "xml" => Marks { line: None, block: Some(("<!--", "-->")) },
        "js" | "cjs" | "mjs" | "ts" | "cts" | "mts" | "json" | "jsonc" | "json5" | "gradle" | "kts"
        | "groovy" => braces,
        _ if name.contains("Jenkinsfile") => braces,
        _ => Marks { line: Some("#"), block: None },
    }
}

/// The lines of a text; of a path only the name counts.
pub fn code_lines(path: &str, text: &str) -> Vec<ProjectLine> {
    let marks = marks_of(path);
    let mut found = Vec::new();
    let mut in_block = false;
    for (line, number) in text.lines().zip(1..) {
        let (mut code, mut comment) = (String::new(), String::new());
        let mut rest = line;
        loop {
            if in_block {
                let close = marks.block.map_or("", |(_, close)| close);
                let (inside, after) = rest.split_once(close).map_or((rest, None), |(a, b)| (a, Some(b)));
                comment.push_str(inside);
                in_block = after.is_none();
                let Some(after) = after else { break };
                rest = after;
            }
            match comment_in(rest, marks) {
                Some((at, length, true)) => {
                    code.push_str(&rest[..at]);
                    rest = &rest[at + length..];
                    in_block = true;
                }
                Some((at, length, false)) => {
                    code.push_str(&rest[..at]);
                    comment.push_str(&rest[at + length..]);
                    break;
                }
                None => {
                    code.push_str(rest);
                    break;
                }
            }
        }
        let line =
            ProjectLine { number, code: code.trim().to_owned(), comment: bare(&comment, marks).to_owned() };
        if !line.code.is_empty() || !line.comment.is_empty() {
            found.push(line);
        }
    }
    found
}

/// Where the first comment of a line begins, how long its mark is, and whether it may go over lines. A mark in quotes
/// begins none, nor does one for the rest of a line inside of a word.
fn comment_in(line: &str, marks: Marks) -> Option<(usize, usize, bool)> {
    let mut quote = None;
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        let rest = &line[at..];
        match quote {
            Some(open) => quote = Some(open).filter(|open| *open != c),
            None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
            None => {
                if let Some((open, _)) = marks.block.filter(|(open, _)| rest.starts_with(open)) {
                    return Some((at, open.len(), true));
                }
                let begins = last.is_whitespace() || ",;{}[]()".contains(last);
                if let Some(mark) = marks.line.filter(|mark| begins && rest.starts_with(mark)) {
                    return Some((at, mark.len(), false));
                }
            }
        }
        last = c;
    }
    None
}

fn bare(comment: &str, marks: Marks) -> &str {
    let sign = marks.line.and_then(|mark| mark.chars().next()).unwrap_or('#');
    comment.trim().trim_start_matches(sign).trim()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(path: &str, text: &str) -> String {
        let show = |line: &ProjectLine| format!("{}:{}|{}", line.number, line.code, line.comment);
        code_lines(path, text).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_are_told_by_the_format() {
        for (path, text, expected) in [
            (".travis.yml", "a: b # c\n# - d\n", "1:a: b|c 2:|- d"),
            ("ci.yml", "run: echo '#x' a#b", "1:run: echo '#x' a#b|"),
            ("Jenkinsfile", "a()\n/* b()\nc() */ d() // e", "1:a()| 2:|b() 3:d()|c()  e"),
            ("pom.xml", "<a/><!-- <b/>\n<c/> -->", "1:<a/>|<b/> 2:|<c/>"),
            ("a.config.js", "files: ['**/*.js'], // b", "1:files: ['**/*.js'],|b"),
            ("x.json", "{ \"u\": \"http://a\" }", "1:{ \"u\": \"http://a\" }|"),
        ] {
            assert_eq!(shown(path, text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a #/*<!>'"\n\-é]{0,50}"#, name in "x.yml|x.js|x.xml") {
            code_lines(&name, &text);
        }
    }
}
