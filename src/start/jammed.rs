//! Sliders whose initial velocities leave no accelerations.

use crate::joints::regime::Regime;
use crate::message::{listed, rounded};
use crate::newton::disagreeing_sliders;
use crate::solve::stepper::Stepper;
use crate::system::{State, System};

/// Warnings of sliders that have jammed in the `start`, and of those whose friction agrees with nothing that presses them there.
pub fn jammed(system: &System, start: &State) -> Vec<String> {
    let mut slides = (system.sliders.iter().zip(&start.sliders))
        .map(|(slider, own)| slider.cuts && matches!(own.regime, Regime::Slip(_)));
    let lost = start.energy.impact_loss;
    let jams = (lost > 0.0).then(|| {
        format!(
            "the initial velocities jam: what presses a sliding joint grows with its friction so much that no acceleration exists, and an \
             impulse stops it at once; {} J of kinetic energy are lost (`energy.impact_loss`)",
            rounded(lost, 4)
        )
    });
    let unsolved = if system.is_dynamic() && slides.any(|slides| slides) {
        unsolved(system, start)
    } else {
        Vec::new()
    };
    let none = (!unsolved.is_empty()).then(|| {
        format!(
            "{} {} with the initial velocities, and no accelerations are found with which friction agrees with what presses there: the forces \
             and accelerations of the start are no solution. Take less friction, or other initial velocities",
            listed(unsolved.iter().map(String::as_str)),
            if unsolved.len() == 1 { "slides" } else { "slide" },
        )
    });
    jams.into_iter().chain(none).collect()
}

/// Sliders whose friction does not agree with what presses them in the forces that are reported of `start`.
fn unsolved(system: &System, start: &State) -> Vec<String> {
    let mut stepper = Stepper::new(system);
    stepper.integrator.report(system, &mut start.clone());
    let newton = &stepper.integrator.newton;
    let sliders = disagreeing_sliders(system, &newton.at, &newton.work);
    sliders.map(|j| system.model.path_of_slider(j)).collect()
}
