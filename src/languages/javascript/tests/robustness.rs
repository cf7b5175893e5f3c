//! No input makes the pack panic, and broken parts leave the rest alone.

use super::*;

const SAMPLE: &str = r#"
import { describe, it as spec, expect } from 'vitest'
const { skip } = require("./helpers"), rows = [[1, 2], ...more]
const itWin = process.platform === 'win32' ? it : it.skip
/* über */ describe.each`a | b
  ${1} | ${2}`('suite $a', function () {
  before(function () { if (!db) this.skip() })
  itWin.only(`title ${x}`, { skip: 'why', only: true }, async ({ skip, t }) => {
    return; await expect(f(<T,>(a) => a)).to.be.true
    request(app).get('/').expect(200, done).should.equal(1)
  })
  for (const n of rows) { (n ? xit : fit)('é' + n, inject(() => { t.test('sub', () => pending('x')) })) }
  test.skip(({ page }) => page, 'reason'); it.each(rows)("a", fn); it('pending')
})
class A { m() { super.m() } f = () => 1 }
Deno.test({ name: 'x', ignore: !0, fn() {} })
"#;

#[test]
fn no_prefix_panics() {
    for path in ["a.test.js", "a.test.ts", "a.test.tsx"] {
        for (end, _) in SAMPLE.char_indices() {
            facts(path, &SAMPLE[..end]);
        }
    }
}

#[test]
fn no_mutation_panics() {
    let mut seed = 7u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for round in 0..600 {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..=round % 5 {
            let at = random(bytes.len());
            match random(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = b"(){}[]'`,.;\xff"[random(12)],
                _ => {
                    let end = (at + random(40)).min(bytes.len());
                    drop(bytes.drain(at..end));
                }
            }
        }
        let path = ["a.test.js", "a.test.ts", "a.test.tsx"][round % 3];
        analyze(Source { path, text: &bytes });
    }
}

#[test]
fn depth_costs_no_stack() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
    for text in
        [deep("(", ")"), deep("it(", ")"), deep("[", "]"), format!("it{}('x', f)", ".skip".repeat(20_000))]
    {
        facts("a.test.js", &text);
    }
}

#[test]
fn an_empty_file_has_no_facts() {
    let facts = facts("a.test.ts", "");
    assert_eq!((facts.health, facts.tests.len(), facts.definitions.len()), (Health::Clean, 0, 0));
}

#[test]
fn broken_parts_leave_the_rest_alone() {
    let text = "// @flow
import type { Props } from './types'
describe('a', () => {
  it('typed', () => { const x: Props = ({}: any); expect(x).toBe(1) })
  it('plain', () => { expect(1).toBe(1) })
})
it('outside', () => {})";
    let facts = facts("a.test.js", text);
    assert_eq!(facts.health, Health::Partial);
    let names: Vec<&str> = facts.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["typed", "plain", "outside"]);
}
