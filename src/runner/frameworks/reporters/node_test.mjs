// Writes each test of `node:test` as one line of JSON. Prints nothing: another reporter does that.
import fs from 'node:fs';
import path from 'node:path';
import util from 'node:util';

const LONGEST = 16384;
// Several processes may report in one run. What they start themselves is not part of it.
const report = process.env.AIWG_GATE_REPORT;
const file = report && `${report}.${process.pid}`;

const options = process.env.AIWG_GATE_NODE_OPTIONS;
if (options !== undefined) process.env.NODE_OPTIONS = options;
delete process.env.AIWG_GATE_REPORT;

function write(event) {
  if (file) fs.appendFileSync(file, JSON.stringify(event) + '\n');
}

function shown(value) {
  const text = typeof value === 'string' ? value : util.inspect(value, { depth: 4 });
  return text.slice(0, LONGEST);
}

function failure(wrapper) {
  const error = wrapper?.cause ?? wrapper;
  if (!error || typeof error !== 'object') {
    const ending = wrapper?.signal ?? (wrapper?.exitCode ? `exit code ${wrapper.exitCode}` : undefined);
    return { kind: ending ? String(ending) : '', message: ending ? `${shown(error)} (${ending})` : shown(error) };
  }
  const compared = 'expected' in error || 'actual' in error;
  return {
    kind: String(error.name ?? ''),
    message: shown(error.message ?? ''),
    stack: error.stack ? String(error.stack).slice(0, 4 * LONGEST) : undefined,
    expected: compared ? shown(error.expected) : undefined,
    actual: compared ? shown(error.actual) : undefined,
  };
}

const CANCELLED = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure']);

// Older versions report what a pattern or `--test-only` leaves out as skipped, newer ones not at all.
const LEFT_OUT = /^(test name does not match pattern|test name matches skip pattern|'only' option not set)/;

function outcome(passed, data) {
  if (data.skip !== undefined && data.skip !== false) return 'skipped';
  if (data.todo !== undefined && data.todo !== false) return 'skipped';
  if (passed) return 'passed';
  const type = data.details?.error?.failureType;
  return type === 'hookFailed' || CANCELLED.has(type) ? 'errored' : 'failed';
}

// A file that runs as a whole is reported like a test that is called as its path.
function isFile(data) {
  const first = data.nesting === 0 && data.line === 1 && data.column === 1;
  return first && (data.file === data.name || data.file?.endsWith(path.sep + data.name));
}

function take(passed, data, suite) {
  if (typeof data.skip === 'string' && LEFT_OUT.test(data.skip)) return;
  const result = outcome(passed, data);
  const failed = result === 'failed' || result === 'errored';
  const named = { file: data.file, suite, name: data.name };
  const told = failed ? failure(data.details?.error) : undefined;
  if (data.details?.type === 'suite' || isFile(data)) {
    const own = data.details?.error?.failureType !== 'subtestsFailed';
    if (failed && own) write({ event: 'problem', ...named, failure: told });
    return;
  }
  const duration_ms = data.details?.duration_ms;
  write({ event: 'test', ...named, line: data.line, outcome: result, duration_ms, failure: told });
}

export default async function* (source) {
  const open = [];
  let whole = true;
  write({ event: 'start' });
  for await (const { type, data } of source) {
    try {
      if (type === 'test:start') {
        open.length = data.nesting;
        open[data.nesting] = data.name;
      } else if (type === 'test:pass' || type === 'test:fail') {
        take(type === 'test:pass', data, open.slice(0, data.nesting));
      }
    } catch {
      // The run goes on; a report without its end tells that something is missing.
      whole = false;
    }
  }
  if (whole) write({ event: 'end' });
}
