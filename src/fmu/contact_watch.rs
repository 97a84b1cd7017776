//! Whether the forces of contacts are known in a running mechanism: contact layers can be so stiff that rounding of positions hides how deep
//! surfaces are pressed in.

use serde::{Deserialize, Serialize};

use super::report::{Category, Log, Status};
use crate::message::rounded;
use crate::solve::stepper::Stepper;
use crate::system::{System, why_lost};

/// Loads that are so many times the largest before still come.
const GROWS: f64 = 1.01;

/// What an instance has seen of its contacts.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct ContactWatch {
    /// The largest force of loads and springs so far, N.
    loads: f64,
    reported: bool,
}

impl ContactWatch {
    /// Looks at the last step of `stepper`, which ends at `time` (s) of the host, and warns where its contacts are not known: once.
    pub(super) fn look(&mut self, log: &Log, system: &System, stepper: &Stepper, time: f64) {
        let (before, now) = (self.loads, stepper.integrator.newton.work.load_scale);
        self.loads = before.max(now);
        // What begins at nothing is soon more.
        if self.reported || now > GROWS * before {
            return;
        }
        if let Some(by) = stepper.integrator.newton.work.lost_in_rounding(self.loads) {
            self.reported = true;
            let text = format!(
                "at t = {} s the forces of {} are not known: {}",
                rounded(time, 9),
                system.surfaces.roundest(&stepper.integrator.newton.work),
                why_lost(by, self.loads)
            );
            log.send(Status::Warning, Category::Warning, &text);
        }
    }
}
