//! Sliders that leave their initial positions for the equilibrium at the start.

use crate::checked::Analysis;
use crate::checked::statics::FixedSliders;
use crate::message::rounded;
use crate::system::{State, System};

/// Share of its path by which a slider may slide to the equilibrium before that is worth a word.
const FAR: f64 = 0.05;

/// Warnings of sliders without friction that slide far along their paths to the static equilibrium in which a run begins.
pub fn slid(system: &System, start: &State) -> Vec<String> {
    let model = &system.model;
    let free = model.solver.analysis == Analysis::Dynamic
        && model.start.equilibrium == Some(FixedSliders::Friction);
    let sliders =
        model.sliders_of_joints().filter(|(id, _)| free && !system.sliders[*id].friction.sticks);
    sliders
        .filter_map(|(id, slider)| {
            let own = &system.sliders[id];
            let way = (start.q[own.coordinate] - system.initial[own.coordinate]).abs();
            (!slider.path.is_empty() && way > FAR * own.path.length()).then(|| {
                format!(
                    "joints.{} slides {} m along its path to the equilibrium in which the run begins; to keep the position it is given write \
                     fixed_sliders = \"all\" in [initial]",
                    slider.name,
                    rounded(way, 3),
                )
            })
        })
        .collect()
}
