//! The numbers of a state or an iterate: alone, with their changes, or with their rates.
//!
//! What is computed from them is written once, over [`Numbers`]: plain numbers give its value, dual
//! numbers its derivative along a change or its rates in time.

use num_dual::{Dual2_64, Dual64};

use super::state::{Field, Scaling};
use super::{Iterate, State, System};
pub(crate) use crate::numerics::number::Number;
use crate::numerics::positions::Positions;

/// The numbers of an `S`.
pub(crate) trait Numbers<S> {
    type Number: Number;

    /// The numbers alone, and what has no derivative.
    fn now(&self) -> &S;

    /// A number with a known `value` whose derivatives are `linear` in those of the numbers.
    fn with(&self, value: f64, linear: impl Fn(&S) -> f64) -> Self::Number;

    /// The number that `pick` finds, or what is linear in some.
    fn get(&self, pick: impl Fn(&S) -> f64) -> Self::Number {
        self.with(pick(self.now()), pick)
    }
}

impl<S: Placed> Numbers<S> for S {
    type Number = f64;

    fn now(&self) -> &S {
        self
    }

    fn with(&self, value: f64, _: impl Fn(&S) -> f64) -> f64 {
        value
    }
}

/// q̇ of nodal unknown `u` as [damping](super::Flow) sees it, in numbers of any kind.
pub(crate) fn flow_velocity<N: Numbers<Iterate>>(at: &N, u: usize) -> N::Number {
    let Iterate { q, flow, .. } = at.now();
    at.with(flow.velocity(u, q.get(u)), |by| flow.factor * by.q.way(u, &by.flow.origin))
}

/// Size of a vector. The derivatives of a vector of no length, which has no direction, are 0.
pub(crate) fn size<D: Number>([x, y]: [D; 2]) -> D {
    let size = x.hypot(y);
    if size.re() > 0.0 { size } else { D::from(size.re()) }
}

/// What has positions and the forces of the joints.
pub(crate) trait Placed {
    /// All unknowns.
    fn places(&self) -> &Positions;
    /// λ of slider `j`.
    fn multipliers_of(&self, j: usize) -> &[f64; 3];
}

/// What has what acts on members, too.
pub(crate) trait Acting: Placed {
    /// s.
    fn time(&self) -> f64;
    /// The value of input `i`.
    fn input(&self, i: usize) -> f64;
    fn scaling(&self) -> &Scaling;
}

impl Placed for State {
    fn places(&self) -> &Positions {
        &self.q
    }

    fn multipliers_of(&self, j: usize) -> &[f64; 3] {
        &self.multipliers[j]
    }
}

impl Acting for State {
    fn time(&self) -> f64 {
        self.time
    }

    fn input(&self, i: usize) -> f64 {
        self.reached[i][0]
    }

    fn scaling(&self) -> &Scaling {
        &self.scaling
    }
}

impl Placed for Iterate {
    fn places(&self) -> &Positions {
        &self.q
    }

    fn multipliers_of(&self, j: usize) -> &[f64; 3] {
        &self.sliders[j].multipliers
    }
}

/// Numbers `now` with their changes, each in the place of what it changes.
#[derive(Debug)]
pub(crate) struct Varied<'a, S> {
    pub now: &'a S,
    pub by: &'a S,
}

impl<S> Numbers<S> for Varied<'_, S> {
    type Number = Dual64;

    fn now(&self) -> &S {
        self.now
    }

    fn with(&self, value: f64, linear: impl Fn(&S) -> f64) -> Dual64 {
        Dual64::new(value, linear(self.by))
    }
}

/// First and second time derivatives of the numbers of a state, each in the place of what it is the rate of. What the
/// state does not hold of them is NaN, and so is all that follows from it.
#[derive(Debug)]
pub struct TimeDerivatives {
    first: State,
    second: State,
}

/// A state with its first two time derivatives.
#[derive(Debug)]
pub struct StateWithRates<'a> {
    pub now: &'a State,
    pub by: &'a TimeDerivatives,
}

impl TimeDerivatives {
    /// Those of `state`, the end of a step of `system`.
    pub fn of(system: &System, state: &State) -> TimeDerivatives {
        let mut derivatives = TimeDerivatives { first: state.clone(), second: state.clone() };
        derivatives.find(system, state);
        derivatives
    }

    /// Becomes those of another `state` of the same system, without allocating.
    pub fn find(&mut self, system: &System, state: &State) {
        let TimeDerivatives { first, second } = self;
        for derivative in [&mut *first, &mut *second] {
            derivative.copy_from(state);
            derivative.forget();
        }
        first.q.put(&state.velocity);
        first.velocity.copy_from_slice(&state.acceleration);
        second.q.put(&state.acceleration);
        for (m, motion) in state.motions.iter().enumerate() {
            let going = if motion.released { 0.0 } else { 1.0 };
            first.motions[m].value = going * motion.rate;
            first.motions[m].rate = going * motion.acceleration;
            second.motions[m].value = going * motion.acceleration;
        }
        for (rate, reached) in first.reached.iter_mut().zip(&state.reached) {
            rate[0] = reached[1];
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            for derivative in [&mut *first, &mut *second] {
                derivative.journal[j].transition_time = 0.0;
            }
            if !slider.friction.remembers {
                let power = state.sliders[j].friction * state.velocity[slider.coordinate];
                (first.journal[j].work, first.journal[j].stored) = (power, 0.0);
            }
        }
    }
}

impl Numbers<State> for StateWithRates<'_> {
    type Number = Dual2_64;

    fn now(&self) -> &State {
        self.now
    }

    fn with(&self, value: f64, linear: impl Fn(&State) -> f64) -> Dual2_64 {
        Dual2_64::new(value, linear(&self.by.first), f64::NAN)
    }

    fn get(&self, pick: impl Fn(&State) -> f64) -> Dual2_64 {
        Dual2_64::new(pick(self.now), pick(&self.by.first), pick(&self.by.second))
    }
}
