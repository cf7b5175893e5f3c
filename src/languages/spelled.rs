//! How skips are spelled: words by which code keeps tests from running, wherever they stand.
//!
//! Packs tell which test a skip belongs to. In helpers, tables, aliases and hooks it belongs to no single one, and is
//! known by its spelling alone.

use crate::text::contains;

/// Spellings by language, in code without white space and strings. One that starts with a letter starts a word.
const SPELLINGS: &[(&[&str], &[&str])] = &[
    (
        &["python"],
        &[
            "pytest.skip(",
            "pytest.xfail(",
            "mark.skip",
            "mark.xfail",
            "importorskip(",
            "unittest.skip",
            "skipTest(",
            "SkipTest",
            "skipif(",
            "skipIf(",
            "skipUnless(",
            "skip_if",
            "skip_unless",
            "expectedFailure",
            "self.xfail(",
            "self.skip(",
            "@skip",
            "@ignore",
            "@xfail",
            "@XFAIL",
            "@expectedFailure",
            ".skip=",
            "__test__=False",
        ],
    ),
    (
        &["javascript", "typescript"],
        &[
            "describe.skip",
            "it.skip",
            "test.skip",
            "suite.skip",
            "context.skip",
            "xit(",
            "xdescribe(",
            "xtest(",
            "xcontext(",
            "this.skip(",
            "t.skip(",
            "ctx.skip(",
            ".skipIf(",
            ".runIf(",
            ".fixme(",
            "it.todo",
            "test.todo",
            "it.fails",
            "test.fails",
            "it.failing",
            "test.failing",
            "describe.only",
            "it.only",
            "test.only",
        ],
    ),
    (
        &["go"],
        &[
            "PIt(",
            "XIt(",
            "PDescribe(",
            "XDescribe(",
            "PContext(",
            "XContext(",
            "PWhen(",
            "XWhen(",
            "XEntry(",
            "PEntry(",
        ],
    ),
    (&["rust"], &["#[ignore", ",ignore)]", ",ignore="]),
    (
        // Tests of languages that nobody reads are mostly written for the same frameworks.
        &["java", ""],
        &[
            "@Disabled",
            "@Ignore",
            "@EnabledIf",
            "@EnabledOn",
            "@EnabledFor",
            "assumeTrue(",
            "assumeFalse(",
            "assumeThat(",
            "assumeNotNull(",
            "assumeNoException(",
            "assumingThat(",
            "SkipException",
            "TestAbortedException",
            "Assumptions.abort(",
        ],
    ),
];

/// What each spelling of a language has a part of.
const PARTS: &[(&[&str], &[&str])] = &[
    (&["python"], &["kip", "gnore", "fail", "Fail", "FAIL", "__test__"]),
    (
        &["javascript", "typescript"],
        &["kip", "xit", "xdesc", "xtest", "xcontext", "fixme", "todo", "fail", "runIf", "only"],
    ),
    (&["go"], &["kip", "xfail", "PIt", "XIt", "Describe", "Context", "When", "Entry"]),
    (&["rust"], &["kip", "xfail", "gnore"]),
    (&["java", ""], &["kip", "xfail", "gnore", "abled", "ssum", "bort"]),
];

/// Whether code of a language can keep tests from running at all: a cheap question to ask first.
pub fn may_spell_skip(language: &str, code: &[u8]) -> bool {
    let own = PARTS.iter().filter(|(languages, _)| languages.contains(&language));
    own.flat_map(|(_, parts)| *parts).any(|part| contains(code, part.as_bytes()))
}

/// How often a line of bare code keeps tests from running, or from failing.
pub fn skips_spelled(language: &str, bare: &str) -> usize {
    // Most lines have not even a part of one.
    if !may_spell_skip(language, bare.as_bytes()) {
        return 0;
    }
    let code = close(bare);
    if is_import(&code) {
        return 0;
    }
    let own = SPELLINGS.iter().filter(|(languages, _)| languages.contains(&language));
    let most = own.flat_map(|(_, spellings)| *spellings).map(|spelling| times(&code, spelling)).max();
    let by_start = language == "python" && (code.starts_with("skip(") || code.starts_with("skip=\""));
    let by_receiver = language == "go" && skips_in_go(&code);
    most.unwrap_or(0).max(usize::from(by_start || by_receiver || skips_by_name(&code)))
}

/// What a helper of the project says that it skips for.
const FOR: &[&str] = &["if", "unless", "on", "when", "without", "test", "tests", "not", "short"];

/// A call by a name that says so, where that is all a line does: `skipIfNoDocker(t)`, `testenv.SkipUnlessLinux(t)`.
fn skips_by_name(code: &str) -> bool {
    let end = code.find('(').unwrap_or(0);
    let name = code[..end].rsplit(['.', ':']).next().unwrap_or_default();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    if !code[..end].chars().all(is_path) {
        return false;
    }
    let rest = ["skip", "Skip", "xfail"].iter().find_map(|head| name.strip_prefix(head)).unwrap_or_default();
    let starts_word = rest.starts_with(|c: char| c == '_' || c.is_uppercase());
    let rest = rest.trim_start_matches('_').to_lowercase();
    starts_word && FOR.iter().any(|word| rest.starts_with(word)) && code.trim_end_matches(';').ends_with(')')
}

/// Code without white space, but for what keeps two words apart: `raise SkipTest(` has a word that `raiseSkipTest(` has not.
fn close(bare: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut code = String::with_capacity(bare.len());
    for word in bare.split_whitespace() {
        if code.ends_with(is_part) && word.starts_with(is_part) {
            code.push(' ');
        }
        code.push_str(word);
    }
    code
}

/// `t.Skip(`, `suite.T().Skipf(`; other things skip, too.
fn skips_in_go(code: &str) -> bool {
    let calls = [".Skip(", ".Skipf(", ".SkipNow("].into_iter().flat_map(|call| code.match_indices(call));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    calls.into_iter().any(|(at, _)| {
        let head = &code[..at];
        let name = head.rsplit(|c| !is_part(c)).next().unwrap_or_default();
        head.ends_with("T()")
            || matches!(name, "t" | "tb" | "b" | "f" | "tt" | "c" | "s" | "ts" | "T" | "suite")
    })
}

/// What is only taken from elsewhere skips nothing yet.
fn is_import(code: &str) -> bool {
    // A handler only tells what others raise.
    ["import", "from", "use", "require(", "except", "catch", "}catch"]
        .iter()
        .any(|start| code.starts_with(start))
}

fn times(code: &str, spelling: &str) -> usize {
    let starts_word = spelling.starts_with(|c: char| c.is_alphabetic());
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let begins = |at: usize| !starts_word || !code[..at].chars().next_back().is_some_and(is_part);
    code.match_indices(spelling).filter(|(at, _)| begins(*at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spelling_has_one_of_the_parts() {
        for (languages, spellings) in SPELLINGS {
            for (language, spelling) in
                languages.iter().flat_map(|one| spellings.iter().map(move |it| (one, it)))
            {
                assert!(may_spell_skip(language, spelling.as_bytes()), "{language}: {spelling}");
            }
        }
    }

    #[test]
    fn spellings_are_told_from_other_words() {
        for (language, code, expected) in [
            ("python", "    pytest.skip(\"\")", true),
            ("python", "@unittest.skipIf(x, \"\")", true),
            ("python", "from pytest import skip", false),
            ("python", "iterator.skip(3)", false),
            ("python", "    raise SkipTest(\"\")", true),
            ("python", "    raise pytest.skip(\"\")", true),
            ("python", "except SkipTest:", false),
            ("java", "throw new SkipException(\"\");", true),
            ("javascript", "const d = a ? describe.skip : describe;", true),
            ("javascript", "process.exit(1)", false),
            ("typescript", "  it.skip(browser === '', '')", true),
            ("go", "t.Skipf(\"\", x)", true),
            ("go", "testenv.SkipUnlessLinux(t)", true),
            ("javascript", "skipIfNoDocker(this);", true),
            ("javascript", "skipWhitespace(parser);", false),
            ("go", "func skipIfShort(t *testing.T) {", false),
            ("rust", "#[cfg_attr(target_os = \"\", ignore)]", true),
            ("rust", "ignore(x)", false),
            ("java", "Assumptions.assumeTrue(a)", true),
            ("", "@Ignore", true),
        ] {
            assert_eq!(skips_spelled(language, code) > 0, expected, "{code}");
        }
    }
}
