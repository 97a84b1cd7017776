//! Static friction that is more than sliding friction: what has come to rest stays until it has to go.

use super::{Slider, SliderJoints};
use crate::joints::regime::Sense;
use crate::joints::slider::Kinematics;
use crate::laws::friction::{AT_LIMIT, Contact};
use crate::system::{Along, Constraint, Iterate, State, StaticFriction, Tuning, Workspace};

/// Share of a normal force by which the slope of its static friction is found.
const SMALL_CHANGE: f64 = 1e-6;

/// What a slider carries along its path and what its static friction bears, with their derivatives by its multipliers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StaticLoad {
    /// Q_s/|Y′|, N.
    pub force: f64,
    pub force_by: [f64; 3],
    /// F_s(F_N), N.
    pub bears: f64,
    pub bears_by: [f64; 3],
}

impl StaticLoad {
    /// How far what it carries is beyond what it bears, as a share of that: above 0 where static friction fails. Where nothing can hold it, any
    /// force is too much.
    pub fn overload(&self) -> f64 {
        // Without a normal force there is no friction, and none is needed.
        if self.force == 0.0 && self.bears == 0.0 {
            return 0.0;
        }
        self.force.abs() / self.bears.max(f64::MIN_POSITIVE) - (1.0 + AT_LIMIT)
    }
}

impl Slider {
    /// What it carries at rest where it stands as `k` says.
    pub fn static_load(&self, at: &Iterate, k: &Kinematics) -> StaticLoad {
        let multipliers = &at.sliders[self.index].multipliers;
        self.load_at_rest(multipliers, &at.tuning, at.q[self.coordinate], at.time, k)
    }

    /// The same with `multipliers` at the position `s` (m) and a time (s).
    pub fn load_at_rest(
        &self, multipliers: &[f64; 3], tuning: &Tuning, s: f64, time: f64, k: &Kinematics,
    ) -> StaticLoad {
        let force = k.force_along_surface(multipliers);
        let [x, y] = k.direction;
        let force_by = [x, y, k.slopes(multipliers)[2] / k.stretch];
        let normal = k.signed_normal_force(multipliers);
        let pressing = self.bearing.press_with(normal, multipliers[2], force);
        let friction = tuning.friction(self.index);
        let bears = |normal_force| {
            friction.static_force(&Contact {
                normal_force,
                position: s,
                time,
                ..Contact::default()
            })
        };
        // Laws are linear in F_N but for a factor that hardly changes over so little of it.
        let more = (pressing.force * SMALL_CHANGE).max(f64::MIN_POSITIVE.sqrt());
        let slope = (bears(pressing.force + more) - bears(pressing.force)) / more;
        let [nx, ny, _] = k.normal();
        let pressed_by = [pressing.by_normal * nx, pressing.by_normal * ny, pressing.by_moment];
        let bears_by =
            std::array::from_fn(|i| slope * (pressed_by[i] + pressing.by_friction * force_by[i]));
        StaticLoad { force, force_by, bears: bears(pressing.force), bears_by }
    }
}

impl SliderJoints {
    /// Finds whether each slider is at rest as a step from `state` begins, in which what is slower than `still` (m/s) rests, and whether static
    /// friction locks it.
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

    /// Looks whether a solution agrees with what static friction locks on it, and changes that
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
