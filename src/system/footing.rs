//! Static friction that is more than sliding friction: what has come to rest stays until it has to go.

use super::{Grip, Iterate, State, System, Workspace};
use crate::joints::slider::Kinematics;

/// Whether static friction holds a slider during a step. It changes between two solutions of
/// Newton's method, never within one, and never back: no iterate decides it in passing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Footing {
    /// The slider was at rest when the step began, or comes to rest in it.
    Rested,
    /// The slider was moving when the step began.
    Moving { forward: bool },
    /// Static friction did not suffice, or the law knows none.
    Lost,
}

impl System {
    /// The footing of each slider as a step of length `h` from `state` begins.
    pub(crate) fn find_footing(&self, state: &State, h: f64, footing: &mut [Footing]) {
        // What moves less in a step than a position is sure to does not move.
        let still = self.model.solver.position_tolerance * self.size / h;
        for (j, slider) in self.sliders.iter().enumerate() {
            let v = state.velocity[slider.coordinate];
            footing[j] = if slider.cuts || state.sliders[j].open || !slider.friction.keeps_rest {
                Footing::Lost
            } else if state.sliders[j].sticking || v.abs() <= still {
                Footing::Rested
            } else {
                Footing::Moving { forward: v > 0.0 }
            };
        }
    }

    /// Looks whether a solution agrees with the footing of each slider on it, and changes the
    /// footing where it does not; whether it has changed any, so that there is another solution.
    pub(crate) fn change_footing(&self, at: &mut Iterate, work: &Workspace) -> bool {
        let mut any = false;
        for j in 0..self.sliders.len() {
            if at.footing[j] == Footing::Lost
                || at.frictionless
                || at.grips[j] != Grip::Law
                || at.stops[j] != 0
                || at.open[j]
            {
                continue;
            }
            let (k, _, response) = self.sliding(j, at, &work.inertia);
            let (seen, _) = self.contact(j, &k, at, &work.inertia);
            let needed = seen.tangential_force + self.relative_inertia(j, &k, at);
            let friction = at.tuning.friction(j);
            let next = match at.footing[j] {
                Footing::Rested if friction.lets_go(needed, seen.normal_force) => Footing::Lost,
                // Where it turns back it stood still for an instant, and static friction had it.
                Footing::Moving { forward }
                    if !response.sticking
                        && seen.velocity != 0.0
                        && (seen.velocity > 0.0) != forward =>
                {
                    Footing::Rested
                }
                same => same,
            };
            any |= next != at.footing[j];
            at.footing[j] = next;
        }
        any
    }

    /// m times the slider's acceleration along its path, as seen from the path. With the contact
    /// force it makes what friction needs to hold it; a slider that has just been caught still
    /// shakes about its place for some steps, which is no force on the contact.
    fn relative_inertia(&self, j: usize, k: &Kinematics, at: &Iterate) -> f64 {
        let slider = &self.sliders[j];
        let [x, y, _] = k.gap_of(&slider.path, &at.acceleration, &slider.unknowns);
        slider.mass * (x * k.tangent[0] + y * k.tangent[1])
    }
}
