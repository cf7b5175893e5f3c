//! Watches one child from its start to its end: output, time limit, interrupts.

use std::io::{PipeReader, Read};
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};

use super::capture::Capture;
use super::group::{Ask, Group};
use super::interrupt::Interrupts;
use super::launch::Launch;
use super::lines::Lines;

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signal(i32),
    Timeout,
    /// By Ctrl-C, SIGTERM or SIGHUP to this program.
    Interrupted,
    /// Why, in words for a person.
    NotStarted(String),
}

pub struct Ended {
    pub end: End,
    pub started: SystemTime,
    pub duration: Duration,
    /// Both streams as they came; where that is too much, cut in the middle with a line that says so.
    pub output: Vec<u8>,
    /// SHA-256 over all output, also over what was cut.
    pub output_digest: String,
    pub truncated: bool,
}

/// Sees the output while it comes.
pub trait Watcher: Send {
    /// One line without its end, cut if it is huge.
    fn line(&mut self, line: &str);

    /// A moment to print and to draw: several times a second, and once at the end.
    fn pause(&mut self) {}
}

/// Runs a command to its end. An error is a failure of this program; whatever the command does is an [`End`].
pub fn run(launch: &Launch<'_>, watcher: &mut dyn Watcher) -> Result<Ended> {
    let interrupts = Interrupts::watch()?;
    let started = SystemTime::now();
    let clock = Instant::now();
    let mut output = Output { capture: Capture::new(), lines: Lines::default(), watcher };
    let end = match start(launch, &interrupts) {
        Err(end) => end,
        Ok((mut group, reader)) => {
            let deadline = clock.checked_add(launch.timeout);
            Supervision { group: &mut group, interrupts: &interrupts, deadline, asked: None }
                .until_the_end(&chunks_of(reader), &mut output)?
        }
    };
    let duration = clock.elapsed();
    let captured = output.finish();
    std::fs::write(launch.capture, &captured.bytes)
        .with_context(|| format!("cannot write the output to {}", launch.capture.display()))?;
    Ok(Ended {
        end,
        started,
        duration,
        output: captured.bytes,
        output_digest: captured.digest,
        truncated: captured.truncated,
    })
}

fn start(launch: &Launch<'_>, interrupts: &Interrupts) -> Result<(Group, PipeReader), End> {
    if interrupts.count() > 0 {
        return Err(End::Interrupted);
    }
    let command = launch.prepare().map_err(End::NotStarted)?;
    let program = crate::text::one_line(&command.get_program().to_string_lossy());
    Group::start(command).map_err(|error| End::NotStarted(format!("`{program}` cannot be started: {error}")))
}

struct Output<'w> {
    capture: Capture,
    lines: Lines,
    watcher: &'w mut dyn Watcher,
}

impl Output<'_> {
    fn take(&mut self, bytes: &[u8]) {
        self.capture.add(bytes);
        self.lines.feed(bytes, |line| self.watcher.line(line));
    }

    fn finish(mut self) -> super::capture::Captured {
        self.lines.finish(|line| self.watcher.line(line));
        self.watcher.pause();
        self.capture.finish()
    }
}

const CHUNK: usize = 64 * 1024;
/// Few: a child that prints faster than it is read has to wait, as on any pipe.
const CHUNKS: usize = 4;

/// The output as it comes; the channel closes at its end. The thread is never waited for, because a daemon that the
/// child left behind can hold the pipe open for ever.
fn chunks_of(mut reader: PipeReader) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(CHUNKS);
    std::thread::spawn(move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) if sender.send(buffer[..length].to_vec()).is_err() => return,
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
    receiver
}

/// How often the child, the clock and the signals are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long a group gets to end by itself after each signal.
const GRACE: Duration = Duration::from_secs(2);
/// How long output is still read after the child has ended, while something else holds the pipe.
const DRAIN: Duration = Duration::from_millis(500);
/// How often the watcher hears of a pause.
const PAUSE: Duration = Duration::from_millis(100);

struct Supervision<'s> {
    group: &'s mut Group,
    interrupts: &'s Interrupts,
    /// `None` where the limit is beyond all clocks.
    deadline: Option<Instant>,
    asked: Option<Asked>,
}

/// The group was asked to end.
struct Asked {
    why: End,
    how: Ask,
    at: Instant,
}

impl Supervision<'_> {
    fn until_the_end(mut self, chunks: &Receiver<Vec<u8>>, output: &mut Output<'_>) -> Result<End> {
        let status = self.until_exit(chunks, output)?;
        let grace = match &self.asked {
            None => DRAIN,
            Some(Asked { how: Ask::Kill, .. }) => Duration::ZERO,
            Some(_) => GRACE,
        };
        drain(chunks, output, DRAIN);
        self.group.end_rest(grace);
        // What a process of the rest printed when it was ended.
        drain(chunks, output, TICK);
        Ok(self.asked.map_or_else(|| end_of(status), |asked| asked.why))
    }

    fn until_exit(&mut self, chunks: &Receiver<Vec<u8>>, output: &mut Output<'_>) -> Result<ExitStatus> {
        let mut looked = Instant::now();
        let mut paused = looked;
        loop {
            let quiet = match chunks.recv_timeout(TICK) {
                Ok(chunk) => {
                    output.take(&chunk);
                    false
                }
                Err(RecvTimeoutError::Timeout) => true,
                // It closed its streams, and mostly it is about to end.
                Err(RecvTimeoutError::Disconnected) => {
                    std::thread::sleep(Duration::from_millis(2));
                    true
                }
            };
            if !quiet && looked.elapsed() < TICK {
                continue;
            }
            looked = Instant::now();
            if let Some(status) = self.group.ended().context("cannot wait for the command")? {
                return Ok(status);
            }
            self.press();
            if paused.elapsed() >= PAUSE {
                paused = Instant::now();
                output.watcher.pause();
            }
        }
    }

    /// Asks the group to end where it is time to, harder each time.
    fn press(&mut self) {
        let now = Instant::now();
        let signals = self.interrupts.count();
        let next = match &self.asked {
            None if signals > 0 => Some((End::Interrupted, Ask::Interrupt)),
            None => self.deadline.filter(|&deadline| now >= deadline).map(|_| (End::Timeout, Ask::Terminate)),
            Some(Asked { how: Ask::Kill, .. }) => None,
            // A second Ctrl-C, or one after the time limit, means: at once.
            Some(asked) if signals > usize::from(asked.why == End::Interrupted) => {
                Some((asked.why.clone(), Ask::Kill))
            }
            Some(asked) if now.duration_since(asked.at) < GRACE => None,
            Some(Asked { why, how: Ask::Interrupt, .. }) => Some((why.clone(), Ask::Terminate)),
            Some(asked) => Some((asked.why.clone(), Ask::Kill)),
        };
        if let Some((why, how)) = next {
            self.group.ask(how);
            self.asked = Some(Asked { why, how, at: now });
        }
    }
}

/// What the largest pipe and the channel can hold.
const BACKLOG: usize = 1024 * 1024 + (CHUNKS + 1) * CHUNK;

/// Reads what is still in the pipe, to its end or for some time; however slow the watcher is, all that the child
/// itself had written.
fn drain(chunks: &Receiver<Vec<u8>>, output: &mut Output<'_>, limit: Duration) {
    let deadline = Instant::now() + limit;
    let mut taken = 0;
    while taken < BACKLOG || Instant::now() < deadline {
        match chunks.recv_timeout(limit.min(deadline.saturating_duration_since(Instant::now()).max(TICK))) {
            Ok(chunk) => {
                taken += chunk.len();
                output.take(&chunk);
            }
            Err(_) => return,
        }
    }
}

#[cfg(unix)]
fn end_of(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, Some(signal)) => End::Signal(signal),
        (None, None) => End::Exited(-1),
    }
}

#[cfg(not(unix))]
fn end_of(status: ExitStatus) -> End {
    End::Exited(status.code().unwrap_or(-1))
}
