//! Communication steps of a rounding's length.
//!
//! Hosts take them: a remainder of 1e-17 s before the end, the instant of another unit. In a step of length h, what rounding and tolerances leave
//! of velocities would be joint forces and accelerations when divided by h. So such a step is extrapolated with constant accelerations,
//!
//! ```text
//! q(t + h) = q + h q̇ + ½ h² q̈,    q̇(t + h) = q̇ + h q̈
//! ```
//!
//! with all forces as they are. The next step that is long enough goes back to where the state ran ahead from, and takes the time on board, with its
//! own inputs. Longer steps are steps of their own, however short they are compared with the solver's: inputs act for as long as the host says.

use super::tolerances::UNRESOLVED;
use crate::system::{State, System};

impl State {
    /// Whether a step of `length` (s) from here is too short to be solved for.
    pub(crate) fn is_unresolved(&self, system: &System, length: f64) -> bool {
        system.is_dynamic() && self.extrapolated + length < UNRESOLVED * self.step()
    }

    /// Goes back to where this state ran ahead from; returns the step from there that ends with the step of `length` (s) from `start` (s).
    pub(crate) fn go_back(&mut self, start: f64, length: f64) -> (f64, f64) {
        let ahead = self.extrapolated;
        self.extrapolate_by(-ahead);
        (start - ahead, length + ahead)
    }

    /// Runs ahead by `h` (s), or back where it is negative; the one undoes the other but for rounding.
    pub(super) fn extrapolate_by(&mut self, h: f64) {
        if h == 0.0 {
            return;
        }
        for (u, (v, a)) in self.velocity.iter_mut().zip(&self.acceleration).enumerate() {
            self.q.add(u, h * (*v + 0.5 * h * a));
            *v += h * a;
        }
        for motion in self.motions.iter_mut().filter(|motion| !motion.released) {
            motion.value += h * (motion.rate + 0.5 * h * motion.acceleration);
            motion.rate += h * motion.acceleration;
        }
        self.extrapolated += h;
        self.time += h;
    }
}
