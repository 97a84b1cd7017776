//! Static friction that is more than sliding friction: what has come to rest stays until it has to go.

use super::{Along, Constraint, Iterate, State, StaticFriction, System, Workspace};
use crate::joints::regime::Sense;
use crate::joints::slider::Kinematics;

impl System {
    /// Finds whether static friction holds each slider as a step of length `h` from `state` begins.
    pub(crate) fn find_static_friction(&self, state: &State, h: f64, at: &mut Iterate) {
        // What moves less in a step than a position is sure to does not move.
        let still = self.model.solver.position_tolerance * self.size / h;
        for (j, slider) in self.sliders.iter().enumerate() {
            let (v, regime) = (state.velocity[slider.coordinate], state.sliders[j].regime);
            let own = &mut at.sliders[j];
            own.decided.static_friction =
                if own.along != Along::Law || regime.is_open() || !slider.friction.keeps_rest {
                    StaticFriction::Fails
                } else if regime.sticks() || v.abs() <= still {
                    StaticFriction::Holds
                } else {
                    StaticFriction::Moving(Sense::of(v))
                };
        }
    }

    /// Looks whether a solution agrees with what static friction holds on it, and changes that
    /// where it does not; whether it has changed any, so that there is another solution.
    pub(crate) fn change_static_friction(&self, at: &mut Iterate, work: &Workspace) -> bool {
        let mut any = false;
        for j in 0..self.sliders.len() {
            let own = &at.sliders[j];
            let before = own.decided.static_friction;
            if before == StaticFriction::Fails
                || own.along != Along::Law
                || own.constraint != Constraint::Path
            {
                continue;
            }
            let (k, _, response) = self.sliding(j, at, &work.inertia_forces);
            let (seen, _) = self.contact(j, &k, at, &work.inertia_forces);
            let needed = seen.tangential_force + self.relative_inertia_force(j, &k, at);
            let friction = at.tuning.friction(j);
            let next = match before {
                StaticFriction::Holds if friction.breaks_away(needed, seen.normal_force) => {
                    StaticFriction::Fails
                }
                // Where it turns back it stood still for an instant, and static friction had it.
                StaticFriction::Moving(sense)
                    if !response.sticking && sense.sign() * seen.velocity < 0.0 =>
                {
                    StaticFriction::Holds
                }
                same => same,
            };
            any |= next != before;
            at.sliders[j].decided.static_friction = next;
        }
        any
    }

    /// m times the slider's acceleration along its path, as seen from the path. With the contact
    /// force it makes what friction needs to hold it; a slider that has just been caught still
    /// shakes about its place for some steps, which is no force on the contact.
    fn relative_inertia_force(&self, j: usize, k: &Kinematics, at: &Iterate) -> f64 {
        let slider = &self.sliders[j];
        if slider.carries_friction_of_edge() {
            let nodes = slider.shares.iter().map(|&(node, _)| {
                let k = self.kinematics(node, &at.q, at.sliders[node].decided.element);
                self.relative_inertia_force(node, &k, at)
            });
            return nodes.sum();
        }
        let [x, y, _] = k.gap_of(&slider.path, &at.acceleration, &slider.unknowns);
        slider.mass * (x * k.tangent[0] + y * k.tangent[1])
    }
}
