// Shows what mocha's own `spec` shows, and writes each test as one line of JSON beside it.
'use strict';

const fs = require('fs');
const path = require('path');
const util = require('util');
const { createRequire } = require('module');

const LONGEST = 16384;

// This file stands outside of the project, so mocha is looked for from where it was started.
function spec() {
  const program = fs.realpathSync(process.argv[1] || '.');
  const attempts = [
    () => createRequire(program)(path.join(path.dirname(program), '..')),
    () => createRequire(path.join(process.cwd(), 'package.json'))('mocha'),
  ];
  for (const attempt of attempts) {
    try {
      const mocha = attempt();
      const reporters = mocha.reporters || mocha.default.reporters;
      if (reporters.Spec) return reporters.Spec;
    } catch {
      // The next one may know.
    }
  }
  return class {};
}

function shown(value) {
  const text = typeof value === 'string' ? value : util.inspect(value, { depth: 4 });
  return text.slice(0, LONGEST);
}

function failure(error) {
  if (!error || typeof error !== 'object') return { message: shown(error) };
  const compared = 'expected' in error || 'actual' in error;
  return {
    kind: String(error.name || ''),
    message: shown(error.message || ''),
    stack: error.stack ? String(error.stack).slice(0, 4 * LONGEST) : undefined,
    expected: compared ? shown(error.expected) : undefined,
    actual: compared ? shown(error.actual) : undefined,
  };
}

module.exports = class extends spec() {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.AIWG_GATE_REPORT;
    const write = (event) => fs.appendFileSync(file, JSON.stringify(event) + '\n');
    const errors = new Map();
    const ended = new Set();
    const named = (runnable) => {
      const titles = runnable.titlePath();
      return { file: runnable.file, suite: titles.slice(0, -1), name: titles[titles.length - 1] };
    };

    runner.on('fail', (runnable, error) => {
      // A hook, or a test that failed after it had ended.
      if (runnable.type === 'hook' || ended.has(runnable)) {
        write({ event: 'problem', ...named(runnable), failure: failure(error) });
      } else {
        errors.set(runnable, error);
      }
    });
    runner.on('test end', (test) => {
      const failed = errors.has(test);
      const skipped = !failed && (test.isPending ? test.isPending() : test.pending);
      if (!failed && !skipped && test.state !== 'passed') return;
      ended.add(test);
      write({
        event: 'test',
        ...named(test),
        outcome: failed ? 'failed' : skipped ? 'skipped' : 'passed',
        duration_ms: test.duration,
        failure: failed ? failure(errors.get(test)) : undefined,
      });
    });
    runner.once('end', () => write({ event: 'end' }));
    write({ event: 'start' });
  }
};
