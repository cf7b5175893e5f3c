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

// What each file printed as an error, up to a length: a file that breaks as a whole says there why.
const printed = new Map();

function keep(data) {
  const before = printed.get(data.file) ?? '';
  if (data.file && before.length < LONGEST) printed.set(data.file, before + data.message);
}

function thrown(file) {
  const stack = printed.get(file);
  const line = stack?.split('\n').find((line) => /^(Uncaught )?\w*(Error|Exception)\b.*: /.test(line));
  if (!line) return undefined;
  const at = line.indexOf(': ');
  return { kind: line.slice(0, at).split(' ')[0], message: line.slice(at + 2), stack };
}

function failure(wrapper, file) {
  const error = wrapper?.cause ?? wrapper;
  if (!error || typeof error !== 'object') {
    const ending = wrapper?.signal ?? (wrapper?.exitCode ? `exit code ${wrapper.exitCode}` : undefined);
    const why = ending && thrown(file);
    if (why) return { ...why, message: `${why.message} (${ending})` };
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
  const told = failed ? failure(data.details?.error, isFile(data) && data.file) : undefined;
  if (data.details?.type === 'suite' || isFile(data)) {
    const own = data.details?.error?.failureType !== 'subtestsFailed';
    if (failed && own) write({ event: 'problem', ...named, failure: told });
    return;
  }
  const duration_ms = data.details?.duration_ms;
  write({ event: 'test', ...named, line: data.line, outcome: result, duration_ms, failure: told });
}

// Tests that began. A file that exits, even with success, leaves them without an end.
const begun = [];
const paths = new Map();

function begin(data) {
  if (isFile(data)) return;
  const path = (paths.get(data.file) ?? []).slice(0, data.nesting);
  begun.push({ data, suite: path });
  paths.set(data.file, [...path, data.name]);
}

function end(data) {
  const same = (other) =>
    ['file', 'nesting', 'name', 'line', 'column'].every((key) => other.data[key] === data[key]);
  const at = begun.findIndex(same);
  if (at >= 0) begun.splice(at, 1);
}

function unended() {
  const holds = ({ data }) =>
    begun.some((other) => other.data.file === data.file && other.suite[data.nesting] === data.name);
  const failure = { kind: 'unfinished', message: 'the test did not end: its file exited before' };
  for (const { data, suite } of begun.filter((test) => !holds(test))) {
    write({ event: 'test', file: data.file, suite, name: data.name, line: data.line, outcome: 'errored', failure });
  }
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
      } else if (type === 'test:stderr') {
        keep(data);
      } else if (type === 'test:dequeue') {
        begin(data);
      } else if (type === 'test:pass' || type === 'test:fail') {
        end(data);
        take(type === 'test:pass', data, open.slice(0, data.nesting));
      }
    } catch {
      // The run goes on; a report without its end tells that something is missing.
      whole = false;
    }
  }
  unended();
  if (whole) write({ event: 'end' });
}
