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
    let whole = true;
    const write = (event) => {
      try {
        fs.appendFileSync(file, JSON.stringify(event()) + '\n');
      } catch {
        // The run goes on; a report without its end tells that something is missing.
        whole = false;
      }
    };
    const passed = new Set();
    const named = (runnable) => {
      const titles = runnable.titlePath();
      return { file: runnable.file, suite: titles.slice(0, -1), name: titles[titles.length - 1] };
    };
    const test = (runnable, outcome, error) => ({
      event: 'test',
      ...named(runnable),
      outcome,
      duration_ms: runnable.duration,
      failure: outcome === 'failed' ? failure(error) : undefined,
    });

    runner.on('pass', (runnable) => {
      passed.add(runnable);
      write(() => test(runnable, 'passed'));
    });
    runner.on('pending', (runnable) => write(() => test(runnable, 'skipped')));
    runner.on('fail', (runnable, error) => {
      // A hook, or a test that failed after it had passed.
      const outside = runnable.type === 'hook' || passed.has(runnable);
      const problem = () => ({ event: 'problem', ...named(runnable), failure: failure(error) });
      write(outside ? problem : () => test(runnable, 'failed', error));
    });
    runner.once('end', () => whole && write(() => ({ event: 'end' })));
    write(() => ({ event: 'start' }));
  }
};
