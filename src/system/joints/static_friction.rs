//! Static friction that is more than sliding friction: what has come to rest stays until it has to go.

use super::SliderJoints;
use crate::joints::regime::Sense;
use crate::joints::slider::Kinematics;
use crate::system::{Along, Constraint, Iterate, State, StaticFriction, Workspace};

impl SliderJoints {
    /// Finds whether each slider is at rest as a step from `state` begins, in which what is slower than `still` (m/s) rests, and whether static
    /// friction holds it.
    pub fn find_static_friction(&self, state: &State, still: f64, at: &mut Iterate) {
        for (j, slider) in self.iter().enumerate() {
            let (v, regime) = (state.velocity[slider.coordinate], state.sliders[j].regime);
            let own = &mut at.sliders[j];
            own.decided.at_rest = regime.sticks() || v.abs() <= still;
            own.decided.static_friction =
                if own.along != Along::Law || regime.is_open() || !slider.friction.keeps_rest {
                    StaticFriction::Fails
                } else if own.decided.at_rest {
                    StaticFriction::Holds
                } else {
                    StaticFriction::Moving(Sense::of(v))
                };
        }
    }

    /// Looks whether a solution agrees with what static friction holds on it, and changes that
    /// where it does not; whether it has changed any, so that there is another solution.
    pub fn change_static_friction(&self, at: &mut Iterate, work: &Workspace) -> bool {
        let mut any = false;
        for (j, slider) in self.iter().enumerate() {
            let own = &at.sliders[j];
            let before = own.decided.static_friction;
            if before == StaticFriction::Fails
                || own.along != Along::Law
                || own.constraint != Constraint::Path
            {
                continue;
            }
            let k = self.place_in(j, at);
            let (_, response) = slider.sliding(&k, at, &work.inertia_forces);
            let (seen, _) = slider.contact(&k, at, &work.inertia_forces);
            let needed = seen.tangential_force + self.relative_inertia_force(j, &k, at);
            let friction = at.tuning.friction(j);
            let next = match before {
                StaticFriction::Holds if friction.breaks_away(needed, &seen) => {
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

    /// m times the slider's acceleration along the surface of its path, as seen from the path. With the contact
    /// force it makes what friction needs to hold it; a slider that has just been caught still
    /// shakes about its place for some steps, which is no force on the contact.
    fn relative_inertia_force(&self, j: usize, k: &Kinematics, at: &Iterate) -> f64 {
        let slider = &self[j];
        if slider.carries_friction_of_edge() {
            let nodes = slider.shares.iter().map(|&(node, _)| {
                let k = self[node].kinematics_in(at);
                self.relative_inertia_force(node, &k, at)
            });
            return nodes.sum();
        }
        let [x, y, _] = k.gap_of(&slider.path, &at.acceleration, &slider.unknowns);
        slider.mass * (x * k.tangent[0] + y * k.tangent[1]) / k.stretch
    }
}
