//! A child in a process group of its own, and how the whole group is ended.

use std::io::{self, PipeReader};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

pub struct Group(Box<dyn ChildWrapper>);

/// How hard a group is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// As Ctrl-C does: many runners still write their report.
    Interrupt,
    Terminate,
    Kill,
}

impl Group {
    /// Starts the command with both streams in one pipe, so that they stay in the order in which they were written.
    pub fn start(mut command: Command) -> io::Result<(Self, PipeReader)> {
        let (reader, writer) = io::pipe()?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut wrapped = CommandWrap::from(command);
        #[cfg(unix)]
        wrapped.wrap(process_wrap::std::ProcessGroup::leader());
        // The command holds our ends of the pipe; it goes here, and the reader sees the end when the child ends.
        Ok((Self(wrapped.spawn()?), reader))
    }

    /// How the first process of the group ended; `None` while it runs. The rest of the group may outlive it.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.0.inner_mut().try_wait()
    }

    /// Asks all of the group. Whether anybody was there to hear it.
    #[cfg(unix)]
    pub fn ask(&mut self, ask: Ask) -> bool {
        let number = match ask {
            Ask::Interrupt => 2,
            Ask::Terminate => 15,
            Ask::Kill => 9,
        };
        let heard = self.0.signal(number).is_ok();
        // A stopped process hears nothing but this.
        heard && self.0.signal(CONTINUE).is_ok()
    }

    #[cfg(not(unix))]
    pub fn ask(&mut self, _ask: Ask) -> bool {
        self.0.start_kill().is_ok()
    }

    /// Ends what is left of the group after its first process has ended.
    pub fn end_rest(&mut self, grace: Duration) {
        let deadline = Instant::now() + grace;
        if !self.ask(Ask::Terminate) {
            return;
        }
        while Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
            if !self.is_alive() {
                return;
            }
        }
        self.ask(Ask::Kill);
    }

    #[cfg(unix)]
    fn is_alive(&self) -> bool {
        self.0.signal(CONTINUE).is_ok()
    }

    #[cfg(not(unix))]
    fn is_alive(&self) -> bool {
        false
    }
}

/// Harmless to a process that runs, and so a way to ask whether there is one.
#[cfg(any(target_os = "linux", target_os = "android"))]
const CONTINUE: i32 = 18;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
const CONTINUE: i32 = 19;
