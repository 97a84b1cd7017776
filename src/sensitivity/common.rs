//! What all changes of a stage have in common: its matrices, its residual to first order, and how the matrix of the corrections of positions changes.

use crate::linear::{Bordered, Singular};
use crate::newton::{Newton, Trail};
use crate::solve::integrator::Integrator;
use crate::system::{Iterate, Linear, MassFactor, System};

/// Largest part of a difference, relative to the mechanism's size and the acting forces.
const SMALL: f64 = 1e-5;

/// Largest part of a difference, relative to the velocity of a slider: what its friction sees of it is smooth over so much.
const SLOW: f64 = 1e-3;

/// Smallest part of a vector along which a difference is taken: below it the residual's changes are rounding.
const LEAST_STEP: f64 = 1e-5;

/// Largest part of the corrections of positions, relative to the mechanism's size and the acting forces, whose matrix need not be turned: rounding.
const UNCORRECTED: f64 = 1e-13;

/// Room for what a stage is carried with, kept from one to the next.
#[derive(Debug)]
pub(super) struct StageRoom {
    pub matrix: Bordered,
    pub about: Linear,
    /// About the displaced iterates of a [turn](Turn).
    pub beside: [Linear; 2],
}

impl StageRoom {
    fn new(system: &System, matrix: &Bordered) -> StageRoom {
        let [about, more, less] = [(); 3].map(|()| Linear::new(system));
        StageRoom { matrix: matrix.clone(), about, beside: [more, less] }
    }
}

/// What all changes of a stage have in common: its matrices, factored once, of which that of its solution is in the integrator.
pub(super) struct Stage {
    /// S where the corrections of positions were found, and the residual to first order about the solution.
    pub room: StageRoom,
    /// The change of S times those corrections.
    pub turn: Option<Turn>,
    pub trail: Option<Box<Trail>>,
    pub factor: MassFactor,
}

/// How a matrix S times a vector, both of an iterate, changes with the iterate: a difference of the residual's changes at iterates that are displaced by
/// the vector, as second derivatives do not depend on their order.
pub(super) struct Turn {
    /// The displaced iterates, with the weights of the difference.
    pub sides: [(Iterate, f64); 2],
}

impl Stage {
    /// Factors the matrices of the stage that is in the iterate, and linearises its residual there, in the `room`.
    pub fn factor(
        integrator: &mut Integrator, system: &System, room: &mut Option<StageRoom>,
    ) -> Result<Stage, Singular> {
        let Integrator { newton, motion, .. } = integrator;
        motion.find_velocities(system, &newton.at);
        let factor = Some(motion.stage.mass_factor());
        let trail = newton.corrections.trail.take();
        let Newton { at, work, .. } = newton;
        if let Some(trail) = &trail
            && trail.version != Some(work.matrix.version())
        {
            system.residual_and_tangent(&trail.at, work, factor);
            work.matrix.factor()?;
        }
        let mut room = room.take().unwrap_or_else(|| StageRoom::new(system, &work.matrix));
        std::mem::swap(&mut room.matrix, &mut work.matrix);
        system.factored_tangent(at, work, factor)?;
        system.linearise(at, &mut room.about);
        let turn = trail.as_ref().and_then(|trail| {
            let solved = (&trail.interior[..], &trail.border[..]);
            Turn::of(system, newton, &trail.at, solved, UNCORRECTED)
        });
        if let Some(turn) = &turn {
            turn.linearise(system, &mut room.beside);
        }
        Ok(Stage { room, turn, trail, factor })
    }
}

impl Turn {
    /// Of the matrix of the iterate `at` times [x; y]; none where that is no more than `least` of the mechanism's size and of the acting forces.
    pub fn of(
        system: &System, newton: &Newton, at: &Iterate, (x, y): (&[f64], &[f64]), least: f64,
    ) -> Option<Turn> {
        // The vector as a change.
        let mut by = Iterate::unchanged(system);
        by.flow.factor = at.flow.factor;
        for (x, &u) in x.iter().zip(&system.unknown) {
            by.q.set(u, *x);
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &mut by.sliders[j];
            own.velocity.origin = 0.0.into();
            by.q.set(slider.coordinate, y[slider.border]);
            own.multipliers = [0.0; 3];
        }
        by.pins.fill([0.0; 2]);
        by.add_forces(system, 1.0, y);
        let largest = |of: &[f64]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let moved = largest(&by.q) / system.size;
        let forces = by.sliders.iter().flat_map(|own| own.multipliers);
        let forces = forces.chain(by.pins.iter().flatten().copied());
        let pushed = forces.fold(0.0_f64, |most, f| most.max(f.abs())) / newton.work.force_scale;
        let share = moved.max(if pushed.is_finite() { pushed } else { 0.0 });
        (share > least).then(|| {
            // Rounding asks for no longer difference than the vector itself.
            let step = (SMALL / share).min(1.0).min(smooth_share(system, at, &by)).max(LEAST_STEP);
            let side = |sign: f64| {
                let mut there = at.moved(&by, sign * step);
                system.sliders.keep_elements(at, &mut there);
                (there, -sign * 0.5 / step)
            };
            Turn { sides: [side(1.0), side(-1.0)] }
        })
    }

    /// Linearises the residual about the displaced iterates.
    pub fn linearise(&self, system: &System, beside: &mut [Linear; 2]) {
        for ((there, _), linear) in self.sides.iter().zip(beside) {
            system.linearise(there, linear);
        }
    }
}

/// The share of the change `by` of an iterate over which the friction of its sliders is smooth: by positions alone it changes velocities, too.
fn smooth_share(system: &System, at: &Iterate, by: &Iterate) -> f64 {
    let acting = system.sliders.iter().filter(|slider| slider.friction.acts);
    let shares = acting.map(|slider| {
        let velocity = at.sliders[slider.index].velocity;
        let reach = velocity.factor * by.q[slider.coordinate];
        SLOW * (velocity.at(at.q.get(slider.coordinate)) / reach).abs()
    });
    shares.filter(|share| share.is_finite()).fold(f64::INFINITY, f64::min)
}
