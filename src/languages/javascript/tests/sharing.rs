//! Functions that define tests for other files, and the calls of such functions.

use super::*;

/// One line a shared function: its names for others, `here` where the file calls it too.
fn functions(text: &str) -> Vec<String> {
    let facts = facts("test/shared.ts", text);
    let line = |function: &crate::facts::SharedFunction| {
        let here = if function.runs_here { " here" } else { "" };
        format!("{} as {:?}{here}", function.name, function.exports.join(","))
    };
    facts.shared_functions.iter().map(line).collect()
}

/// One line a use: suites, module and name there, and its skip.
fn uses(text: &str) -> Vec<String> {
    let facts = facts("test/user.ts", text);
    let line = |used: &crate::facts::SharedUse| {
        let module = used.module.as_deref().unwrap_or("here");
        let skip = used.skip.as_ref().map_or(String::new(), |skip| format!(" {:?}", skip.kind));
        format!("{}: {module}#{}{skip}", used.suite.join("::"), used.function)
    };
    facts.shared_uses.iter().map(line).collect()
}

#[test]
fn tests_of_an_exported_function_are_templates() {
    check(
        "test/shared.ts",
        "export const runTest = ({ skip }) => { describe('Common', () => { it('a', () => {}) }) }
         it('own', () => {})",
        &["Common::a, template", "own"],
    );
}

#[test]
fn all_ways_to_export_a_function_are_known() {
    let body = "{ it('a', () => {}) }";
    for (text, expected) in [
        ("export function run() BODY", "run as \"run\""),
        ("export async function run() BODY", "run as \"run\""),
        ("export const run = () => BODY", "run as \"run\""),
        ("export default function run() BODY", "run as \"default\""),
        ("export default function () BODY", "default as \"default\""),
        ("export default () => BODY", "default as \"default\""),
        ("const run = () => BODY; export default run", "run as \"default\""),
        ("function run() BODY; export { run }", "run as \"run\""),
        ("function run() BODY; export { run as common, run as default }", "run as \"common,default\""),
        ("module.exports = function () BODY", "exports as \"default\""),
        ("function run() BODY; module.exports = run", "run as \"default\""),
        ("function run() BODY; module.exports = { run }", "run as \"run\""),
        ("function run() BODY; module.exports = { common: run }", "run as \"common\""),
        ("module.exports = { run() BODY }", "run as \"run\""),
        ("module.exports = { run: function () BODY }", "run as \"run\""),
        ("exports.run = () => BODY", "run as \"run\""),
        ("function run() BODY; exports = module.exports = run", "run as \"default\""),
    ] {
        let text = text.replace("BODY", body);
        assert_eq!(functions(&text), [expected], "{text}");
        check("test/shared.js", &text, &["a, template"]);
    }
}

#[test]
fn quiet_about_functions_that_run_here_or_share_nothing() {
    let tests = "{ it('a', () => {}) }";
    for text in [
        format!("function run() {tests}; run()"),
        format!("export function run() {tests}; describe('x', () => {{ run() }})"),
        format!("export function run() {tests}; [1, 2].forEach(run)"),
        format!("export const version = 1; const suites = {{ run() {tests} }}; start(suites)"),
    ] {
        let found = inventory("test/shared.ts", &text);
        assert_eq!(found.lines().collect::<Vec<_>>(), ["a"], "{text}");
    }
    assert!(functions("export function helper() { expect(1).toBe(1) }; it('a', () => helper())").is_empty());
    assert!(functions("function run() { it('a', () => {}) }; run()").is_empty());
}

#[test]
fn a_function_that_only_a_template_calls_is_part_of_it() {
    let text = "function basics() { it('a', () => {}) }
                function more() { it('b', () => {}) }
                export function run() { describe('all', () => { basics() }) }
                more()";
    check("test/shared.ts", text, &["a, template", "b"]);
    assert_eq!(functions(text), ["basics as \"\"", "more as \"\" here", "run as \"run\""]);
    assert_eq!(uses(text), ["all: here#basics", ": here#more"]);
}

#[test]
fn calls_of_imported_functions_are_uses() {
    assert_eq!(
        uses(
            "import run, { other as renamed, plain } from '../common.case.test'
             import * as all from './all'
             const { taken } = require('./taken'), whole = require('./whole')
             describe('X', () => {
               run({ a: 1 })
               describe.skip('off', () => { renamed() })
               all.cases(() => {})
             })
             describe('Y', plain)
             describe('Z', () => taken())
             await whole()
             for (const one of [1, 2]) { whole.part(one) }"
        ),
        [
            "X: ../common.case.test#default",
            "X::off: ../common.case.test#other Unconditional",
            "X: ./all#cases",
            "Y: ../common.case.test#plain",
            "Z: ./taken#taken",
            ": ./whole#default",
            ": ./whole#part",
        ]
    );
}

#[test]
fn quiet_about_calls_that_define_no_tests() {
    let text = "import { make, reset, check, render, stop } from './helpers'
                import { run } from 'package'
                import { run as aliased } from '@/shared'
                const app = make()
                beforeEach(() => { reset() })
                afterAll(() => { stop() })
                run(); aliased()
                describe(render('title'), () => { it('a', () => { check() }) })";
    assert!(uses(text).is_empty(), "{:?}", uses(text));
}

#[test]
fn a_focused_test_leaves_out_what_calls_define() {
    let text = "import { run } from './shared'
                describe('A', () => { run() })
                describe.only('B', () => { run(); it('b', () => {}) })";
    assert_eq!(uses(text), ["A: ./shared#run Focus", "B: ./shared#run"]);
}
