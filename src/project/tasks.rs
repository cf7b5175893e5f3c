//! Build scripts in a language of their own: `Makefile.js`, gulp, grunt, invoke. Which tasks a task of checks calls, what
//! the commands in their strings demand, and which tests their lists of files leave out.

use super::options;
use super::scripts::strings;
use super::words::{class_of_name, is_other, words_of};
use crate::facts::{About, Check, CheckClass, Circumstances, Force, ProjectFacts, Setting, SettingValue};
use crate::paths::{PathClass, class_by_name, is_source};

/// Longer lines are data.
const MAX_LINE: usize = 2_000;

/// What the name of a new task stands behind.
const TASKS: &[&str] = &["gulp.task(", "grunt.registerTask(", "task("];

/// Calls whose strings are tasks that are run.
const LISTS: &[&str] = &["gulp.task(", "grunt.registerTask(", "series(", "parallel(", "runSequence("];

pub fn read(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts::default();
    let mut task = String::new();
    // Brackets of a list of tasks that are still open.
    let mut open = 0_i32;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.len() <= MAX_LINE) {
        let (content, number) = (line.trim(), index as u32 + 1);
        let (code, is_comment) = match content.strip_prefix("//").or_else(|| content.strip_prefix('#')) {
            Some(comment) => (comment.trim(), true),
            None => (content, false),
        };
        if !is_comment && let Some(name) = named(code) {
            task = name;
        }
        let in_list = open > 0 || LISTS.iter().any(|call| code.contains(call));
        let called = called(code).into_iter().chain(in_list.then(|| strings(code)).into_iter().flatten());
        let found = called.filter(|name| *name != task).filter_map(|name| check(&task, &name, number));
        if is_comment {
            facts.commented.extend(found);
            continue;
        }
        facts.checks.extend(found);
        if in_list {
            open = (open + balance(code)).max(0);
        }
        facts.settings.extend(demanded(code, number));
        facts.settings.extend(left_out(code, number));
        facts.settings.extend(gone_through(code, &task, number));
        facts.settings.extend(insisted(code, number));
    }
    facts
}

/// `target.test = function`, `gulp.task('test', ...)`
fn named(code: &str) -> Option<String> {
    let assigned = ["target.", "exports."].iter().find_map(|start| {
        let (name, rest) = code.strip_prefix(start)?.split_once([' ', '='])?;
        let is_value = rest.trim_start_matches([' ', '=']) != rest || rest.starts_with("= ");
        (is_value && is_word(name)).then(|| name.to_owned())
    });
    assigned.or_else(|| {
        let call = TASKS.iter().find_map(|call| Some(code.split_once(call)?.1))?;
        strings(call).into_iter().next().filter(|_| call.starts_with(['\'', '"']))
    })
}

/// `target.lint();`
fn called(code: &str) -> Option<String> {
    let (name, rest) = code.strip_prefix("target.")?.split_once('(')?;
    (is_word(name) && rest.contains(')')).then(|| name.to_owned())
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-:".contains(c))
}

fn balance(code: &str) -> i32 {
    code.chars().map(|c| i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'))).sum()
}

/// A task that a task of checks calls. Where its own name says nothing it is of the same kind.
fn check(task: &str, name: &str, line: u32) -> Option<Check> {
    let whole = class_of_name(task).filter(|class| *class != CheckClass::Coverage)?;
    if !is_word(name) || is_other(&words_of(name)) {
        return None;
    }
    Some(Check {
        class: class_of_name(name).unwrap_or(whole),
        signature: format!("make {name}"),
        place: task.to_owned(),
        text: format!("{task}: {name}"),
        line,
        force: Force::Blocks,
        shown: None,
        bypasses: Vec::new(),
        around: Circumstances::default(),
        settings: Vec::new(),
    })
}

/// What commands in the strings of a line demand of coverage.
fn demanded(line: &str, number: u32) -> Vec<Setting> {
    let command = strings(line).join(" ");
    if !command.contains("--") {
        return Vec::new();
    }
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let found = options::settings("command", &words, number);
    found.into_iter().filter(|setting| setting.about == About::Coverage).collect()
}

/// `gulp.src(['test/**/*.js'])`: the tests that a task goes through.
fn gone_through(line: &str, task: &str, number: u32) -> Vec<Setting> {
    let runs_tests = matches!(class_of_name(task), None | Some(CheckClass::Test));
    if !runs_tests || !["src(", "src:", "specs:", "files:"].iter().any(|list| line.contains(list)) {
        return Vec::new();
    }
    let words = |path: &String| {
        words_of(path).iter().any(|word| matches!(word.as_str(), "test" | "tests" | "spec" | "specs"))
    };
    let paths = strings(line).into_iter().filter(|path| path.contains('/') && !path.starts_with('!'));
    let setting = |path: String| Setting {
        about: About::Tests,
        key: format!("{task} files"),
        line: number,
        value: SettingValue::Selects(path),
    };
    paths.filter(words).map(setting).collect()
}

/// `.pipe(eslint.failAfterError())`: what a stream of files fails with.
fn insisted(line: &str, number: u32) -> Option<Setting> {
    const FAILS: &[&str] = &["failAfterError(", "failOnError(", "reporter('fail')", "reporter(\"fail\")"];
    let what = FAILS.iter().find(|call| line.contains(**call))?;
    Some(Setting {
        about: About::Lint,
        key: what.trim_end_matches('(').to_owned(),
        line: number,
        value: SettingValue::Insists((*what).to_owned()),
    })
}

/// `'!./test/scale.time.tests.js'`: one file with tests that a list of files passes over.
fn left_out(line: &str, number: u32) -> Vec<Setting> {
    let negated = strings(line).into_iter().filter_map(|text| Some(text.strip_prefix('!')?.to_owned()));
    let is_test = |path: &String| {
        let path = path.trim_start_matches("./");
        !path.contains('*') && is_source(path) && class_by_name(path) == PathClass::Test
    };
    let setting = |path: String| Setting {
        about: About::Tests,
        key: "files !".to_owned(),
        line: number,
        value: SettingValue::LeavesOut(path),
    };
    negated.filter(is_test).map(setting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(checks: &[Check]) -> String {
        checks.iter().map(|check| check.text.as_str()).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn tasks_of_checks_call_others() {
        for (text, checks, commented) in [
            (
                "target.test = function() {\n    target.lint();\n    target.build();\n    // target.wdio(); // off\n};",
                "test: lint",
                "test: wdio",
            ),
            ("gulp.task('test', ['jshint', 'unit']);", "test: jshint, test: unit", ""),
            (
                "gulp.task('test', gulp.series(\n  'clean',\n  'unit',\n  // 'e2e'\n));",
                "test: unit",
                "test: e2e",
            ),
            ("grunt.registerTask('default', ['build', 'test']);", "", ""),
            ("target.build = function() {\n    target.minify();\n};", "", ""),
        ] {
            let facts = read(text);
            assert_eq!(
                (shown(&facts.checks), shown(&facts.commented)),
                (checks.into(), commented.into()),
                "{text}"
            );
        }
    }

    #[test]
    fn only_single_tests_that_are_passed_over_count() {
        let text = "var files = [\n'./test/*.js',\n'!./test/time.test.js',\n'!./test/**',\n'!src/a.js'\n];";
        assert_eq!(read(text).settings.len(), 1);
    }
}
