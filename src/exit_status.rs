//! The exit codes, in one place. They never depend on the output format.

use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Nothing stands against the change, warnings included.
    Pass,
    Blocked,
    /// Usage, environment or a fault of the tool itself.
    Error,
    /// By Ctrl-C or a like signal.
    Interrupted,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Pass => Self::from(0),
            ExitStatus::Blocked => Self::from(1),
            ExitStatus::Error => Self::from(2),
            ExitStatus::Interrupted => Self::from(130),
        }
    }
}
