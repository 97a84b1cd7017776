//! Whether forces of a running mechanism are known. Reported ones belong to the instant, those of the step to its rule: where both differ by much, the step does not
//! resolve what they carry.

use serde::{Deserialize, Serialize};

use super::report::{Category, Log, Status};
use crate::checked::Analysis;
use crate::message::rounded;
use crate::newton::rounding_of_forces;
use crate::numerics::hypot::hypot;
use crate::solve::stepper::Stepper;
use crate::system::{State, System};

/// Share of the largest force so far above which a difference of both values is warned about: a rigid crank in six steps per turn, whose energy is off by
/// a third, stays below it, in five it does not.
const DIFFERS: f64 = 0.3;

/// Forces that are so many times the largest before still come.
const GROWS: f64 = 1.01;

/// What a force belongs to.
#[derive(Clone, Copy)]
enum Of {
    Slider(usize),
    Pin(usize),
    /// What holds or drives this unknown.
    Support(usize),
}

/// What an instance has seen of the forces of joints and supports.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct ForceWatch {
    /// The largest so far, N.
    largest: f64,
    warned_of_difference: bool,
    warned_of_ringing: bool,
}

impl ForceWatch {
    /// Looks at `state` at the host's `time` (s) and warns, once of each: where a step has changed its length under a method that rings then, and where
    /// forces of the step differ from those at the instant.
    pub(super) fn look(
        &mut self, log: &Log, system: &System, state: &State, stepper: &Stepper, time: f64,
    ) {
        if system.model().solver.analysis == Analysis::Dynamic {
            self.look_at_lengths(log, system, state, time);
            if !self.warned_of_difference {
                self.look_at_forces(log, system, state, stepper, time);
            }
        }
    }

    fn look_at_lengths(&mut self, log: &Log, system: &System, state: &State, time: f64) {
        let rings = !system.model().solver.method.is_stabilised();
        if self.warned_of_ringing || !rings || !state.equal.have_changed() {
            return;
        }
        self.warned_of_ringing = true;
        let text = format!(
            "until t = {} s `solver.step` has been divided or cut: with the printed forms of `solver.method` forces and accelerations ring after \
             that; use \"generalized_alpha\", or a step that needs no division and divides the communication step",
            rounded(time, 9)
        );
        log.send(Status::Warning, Category::Warning, &text);
    }

    fn look_at_forces(
        &mut self, log: &Log, system: &System, state: &State, stepper: &Stepper, time: f64,
    ) {
        let stepped = &state.stepped;
        let sliders = (state.multipliers.iter().zip(&stepped.multipliers)).enumerate();
        let sliders =
            sliders.map(|(j, (now, step))| (Of::Slider(j), [now[0], now[1]], [step[0], step[1]]));
        let pins = (state.pins.iter().zip(&stepped.pins)).enumerate();
        let pins = pins.map(|(p, (now, step))| (Of::Pin(p), *now, *step));
        let held = (0..state.reactions.len()).filter(|u| !system.is_rotation[*u]);
        let held =
            held.map(|u| (Of::Support(u), [state.reactions[u], 0.0], [stepped.reactions[u], 0.0]));
        let before = self.largest;
        let (mut worst, mut most) = (None, 0.0);
        for (of, now, step) in sliders.chain(pins).chain(held) {
            self.largest = self.largest.max(hypot(now[0], now[1]));
            let off = hypot(now[0] - step[0], now[1] - step[1]);
            if off > most {
                (worst, most) = (Some((of, now, step)), off);
            }
        }
        let Some((of, now, step)) = worst.filter(|_| {
            most > (DIFFERS * self.largest)
                .max(rounding_of_forces(system, &stepper.integrator.newton.work))
        }) else {
            return;
        };
        // Behind an event the step's own values still settle, and what begins at nothing is soon more.
        let grows = self.largest > GROWS * before;
        if grows || !state.equal.are_settled() {
            return;
        }
        self.warned_of_difference = true;
        let text = format!(
            "at t = {} s the force of {} is {} N at the instant and {} N over the step: `solver.step` does not resolve what moves there; a \
             shorter one brings both together",
            rounded(time, 9),
            match of {
                Of::Slider(j) => system.model().path_of_slider(j),
                Of::Pin(p) => system.pins.list[p].name.to_string(),
                Of::Support(u) => format!("the support of {}", system.name_of(u)),
            },
            rounded(hypot(now[0], now[1]), 4),
            rounded(hypot(step[0], step[1]), 4),
        );
        log.send(Status::Warning, Category::Warning, &text);
    }
}
