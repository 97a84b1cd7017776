//! Sliders that an equilibrium locks with more than their friction bears.

use crate::system::{State, System};

/// Share by which a force is beyond the limit of friction before that is more than the tolerance of an equilibrium.
const BEYOND: f64 = 1e-6;

/// A joint that is locked in an equilibrium by more than its static friction.
#[derive(Debug, Clone, PartialEq)]
pub struct Overloaded {
    /// Its name.
    pub joint: String,
    /// Force along its path that locks it, N.
    pub needed: f64,
    /// The largest force of its static friction there, N.
    pub bears: f64,
}

/// Joints whose friction sticks, and which the equilibrium `state` holds with more than that friction bears: with friction it is no equilibrium.
pub fn locked_beyond_friction(system: &System, state: &State) -> Vec<Overloaded> {
    let forces = state.multipliers.iter().flat_map(|[x, y, _]| [x.abs(), y.abs()]);
    let rounding = BEYOND * forces.fold(0.0, f64::max);
    let sticking = system.model.sliders_of_joints().filter(|(id, _)| {
        let friction = &system.sliders[*id].friction;
        friction.sticks && !friction.remembers
    });
    sticking
        .filter_map(|(id, described)| {
            let slider = &system.sliders[id];
            let (s, k) = (state.q[slider.coordinate], system.sliders.place(id, &state.q));
            let multipliers = &state.multipliers[id];
            let load = slider.load_at_rest(multipliers, &state.tuning, s, state.time, &k);
            let (needed, bears) = (load.force.abs(), load.bears);
            (needed > (1.0 + BEYOND) * bears + rounding).then(|| Overloaded {
                joint: described.name.clone(),
                needed,
                bears,
            })
        })
        .collect()
}
