//! Times that a host gives: which fit.

use super::report::Refusal;
use crate::message::figure;

/// Rounding of a host that adds up its steps, relative to the time since the start.
const SUM_TOLERANCE: f64 = 1e-9;

/// Rounding of a single time, relative to it: a few units in the last place. No sum lies between
/// the end of a step and the beginning of the next one.
pub(super) const TIME_TOLERANCE: f64 = 8.0 * f64::EPSILON;

/// Share of a communication step that may be lost between two of them unnoticed.
pub(super) const GAP_TOLERANCE: f64 = 1e-6;

/// Where an instance stands in the host's time, s.
pub(super) struct Clock {
    pub start: f64,
    pub time: f64,
    /// Time beyond which the host has promised not to go.
    pub stop: Option<f64>,
}

/// The stop time of an experiment; an infinite one is none.
///
/// # Errors
/// When `start` is not finite, or `stop` no number or before it.
pub(super) fn check_experiment(start: f64, stop: Option<f64>) -> Result<Option<f64>, Refusal> {
    if !start.is_finite() {
        return Err(Refusal::error(format!(
            "start time {} s; allowed: a finite number",
            figure(start)
        )));
    }
    let stop = stop.filter(|&stop| stop != f64::INFINITY);
    if let Some(stop) = stop
        && !(stop.is_finite() && stop >= start)
    {
        return Err(Refusal::error(format!(
            "stop time {} s with start time {} s; \
             allowed: a number not below the start time",
            figure(stop),
            figure(start)
        )));
    }
    Ok(stop)
}

impl Clock {
    /// Whether a communication step from `current` of this `length` follows the last one.
    ///
    /// # Errors
    /// When it does not, has no length, or ends after the stop time.
    pub fn check_step(&self, current: f64, length: f64) -> Result<(), Refusal> {
        if !(length.is_finite() && length > 0.0) {
            return Err(Refusal::error(format!(
                "communication step {} s; allowed: a finite number above 0",
                figure(length)
            )));
        }
        let gap = (current - self.time).abs();
        let allowed = TIME_TOLERANCE * self.time.abs() + GAP_TOLERANCE * length;
        if gap.is_nan() || gap > allowed {
            return Err(Refusal::error(format!(
                "communication point {} s, but this instance is at {} s; \
                 the next step has to begin where the last one ended",
                figure(current),
                figure(self.time)
            )));
        }
        let end = current + length;
        let rounding = TIME_TOLERANCE * end.abs() + SUM_TOLERANCE * (end - self.start).max(length);
        if let Some(stop) = self.stop
            && end > stop + rounding
        {
            return Err(Refusal::error(format!(
                "the step ends at {} s, beyond the stop time {} s given to fmi2SetupExperiment",
                figure(end),
                figure(stop)
            )));
        }
        if end <= current {
            return Err(Refusal::error(format!(
                "communication step {} s vanishes compared with the time {} s; \
                 allowed: steps that change the time",
                figure(length),
                figure(current)
            )));
        }
        Ok(())
    }
}
