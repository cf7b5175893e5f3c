//! What a person sees of a suite while it runs: its lines, and on a terminal a line below them that tells how long it
//! takes and how many tests have ended.

use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::runner::Watcher;
use crate::text::{one_line, only_colours, plural};

/// How many lines `-q` shows of a suite that failed.
const LAST: usize = 50;
/// Lines are printed together up to here, so that the progress line is not drawn for each of them.
const BATCH: usize = 16 * 1024;

/// How one suite is shown.
pub struct Shown<'s> {
    pub suite: &'s str,
    pub quiet: bool,
    /// Standard output is kept for a report: lines go to standard error.
    pub machine: bool,
    /// How many tests a line tells to have ended.
    pub ended_in: Option<fn(&str) -> u64>,
    /// Turns a line into what a person wants to see of it.
    pub show: Option<fn(&str) -> Option<String>>,
}

pub struct RunDisplay<'s> {
    shown: Shown<'s>,
    bar: ProgressBar,
    clock: Instant,
    tests: u64,
    waiting: String,
    /// Under `-q`, in case it fails.
    last: VecDeque<String>,
    /// The reader of our output went away.
    closed: bool,
}

impl<'s> RunDisplay<'s> {
    pub fn new(shown: Shown<'s>) -> Self {
        // Hides itself where standard error is no terminal.
        let target = if shown.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        let (waiting, last) = (String::new(), VecDeque::new());
        Self { shown, bar, clock: Instant::now(), tests: 0, waiting, last, closed: false }
    }

    /// Takes the progress line away; under `-q`, shows the end of what a suite that failed has printed.
    pub fn finish(mut self, failed: bool) {
        if failed && self.shown.quiet {
            self.waiting = self.last.iter().fold(String::new(), |text, line| text + line + "\n");
        }
        self.flush();
        self.bar.finish_and_clear();
    }

    fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.waiting);
        if !self.closed {
            let machine = self.shown.machine;
            self.closed = self.bar.suspend(|| write(&text, machine)).is_err();
        }
    }
}

impl Watcher for RunDisplay<'_> {
    fn line(&mut self, line: &str) {
        self.tests += self.shown.ended_in.map_or(0, |ended_in| ended_in(line));
        let shown = match self.shown.show {
            Some(show) => show(line),
            None => Some(line.to_owned()),
        };
        let Some(line) = shown else { return };
        for line in line.lines().map(only_colours).chain(line.is_empty().then(String::new)) {
            if self.shown.quiet {
                if self.last.len() == LAST {
                    self.last.pop_front();
                }
                self.last.push_back(line);
            } else {
                self.waiting.push_str(&line);
                self.waiting.push('\n');
            }
        }
        if self.waiting.len() > BATCH {
            self.flush();
        }
    }

    fn pause(&mut self) {
        self.flush();
        self.bar.set_message(progress(self.shown.suite, self.clock.elapsed().as_secs_f64(), self.tests));
    }
}

/// `unit: 12.3 s, 45 tests`
fn progress(suite: &str, seconds: f64, tests: u64) -> String {
    let suite = one_line(suite);
    match tests {
        0 => format!("{suite}: {seconds:.1} s"),
        tests => format!(
            "{suite}: {seconds:.1} s, {}",
            plural(usize::try_from(tests).unwrap_or(usize::MAX), "test")
        ),
    }
}

/// An error where nobody reads any more; any other is as hopeless.
fn write(text: &str, machine: bool) -> std::io::Result<()> {
    let written = if machine {
        anstream::stderr().lock().write_all(text.as_bytes())
    } else {
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    };
    match written {
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(quiet: bool) -> Shown<'static> {
        Shown { suite: "unit", quiet, machine: true, ended_in: None, show: None }
    }

    #[test]
    fn the_progress_line_counts() {
        assert_eq!(progress("unit", 12.34, 0), "unit: 12.3 s");
        assert_eq!(progress("unit", 0.04, 1), "unit: 0.0 s, 1 test");
        assert_eq!(progress("a\x1b[2Jb", 100.0, 45), "a [2Jb: 100.0 s, 45 tests");
    }

    #[test]
    fn quiet_keeps_the_last_lines_only() {
        let mut display = RunDisplay::new(shown(true));
        (0..200).for_each(|number| display.line(&format!("line {number}")));
        display.pause();
        assert_eq!(display.last.len(), LAST);
        assert_eq!(display.last.front().unwrap(), "line 150");
        assert!(display.waiting.is_empty());
    }

    #[test]
    fn lines_are_shown_as_the_adapter_wants_them_and_tests_are_counted() {
        let mut settings = shown(false);
        settings.ended_in = Some(|line| u64::from(line.starts_with("ok")));
        settings.show = Some(|line| (!line.starts_with("ok")).then(|| format!("{line}!\n{line}?")));
        let mut display = RunDisplay::new(settings);
        for line in ["ok 1", "\x1b[2Jno", "ok 2"] {
            display.line(line);
        }
        assert_eq!(display.tests, 2);
        assert_eq!(display.waiting, "no!\nno?\n");
    }

    #[test]
    fn an_empty_line_stays_one() {
        let mut display = RunDisplay::new(shown(false));
        ["a", "", "b"].iter().for_each(|line| display.line(line));
        assert_eq!(display.waiting, "a\n\nb\n");
    }
}
