//! A communication step between its beginning and its end.

use super::step_log::StepLog;
use crate::solve::CommunicationStep;

/// A communication step under way, or the part of one from an input that was set in a call back.
#[derive(Debug)]
pub(super) struct Stepping {
    /// `None` where the end was reached at once.
    pub current: Option<CommunicationStep>,
    /// End on the host's clock, s, and that of the host's communication step.
    pub end: f64,
    pub whole: f64,
    /// Steps of the solver before.
    pub steps: u64,
    pub begun: StepLog,
    /// Whether the host was called back since the last step of the solver.
    pub paused: bool,
    /// Whether it has set an input then, or another end.
    pub changed: bool,
}
