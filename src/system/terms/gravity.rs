//! Gravity: weights, their potential, and the work of a gravity that changes.

use crate::numerics::number::Number;
use crate::system::numbers::Numbers;
use crate::system::{Instant, State};

/// Gravity and what it acts on.
#[derive(Debug, Clone)]
pub(crate) struct Gravity {
    /// Components as written, m/s².
    pub written: [f64; 2],
    /// Inputs that give them.
    pub inputs: [Option<usize>; 2],
    /// M times a unit acceleration along x (on x unknowns) and y (on y unknowns).
    pub weight: [Vec<(usize, f64)>; 2],
    /// Initial places of the nodal unknowns.
    pub initial: Vec<f64>,
}

impl Gravity {
    /// Acceleration of gravity where `input(i)` is the value of input i, m/s².
    pub fn at<D: Number>(&self, input: impl Fn(usize) -> D) -> [D; 2] {
        let mut gravity = self.written.map(D::from);
        for (component, given_by) in gravity.iter_mut().zip(self.inputs) {
            *component = given_by.map_or(*component, &input);
        }
        gravity
    }

    /// Hands the weight of each unknown to `add`, where `input(i)` is the value of input i.
    pub fn each_force<D: Number>(&self, input: impl Fn(usize) -> D, mut add: impl FnMut(usize, D)) {
        for (weight, g) in self.weight.iter().zip(self.at(input)) {
            weight.iter().for_each(|&(u, mass)| add(u, g * mass));
        }
    }

    /// Potential energy of a state, J.
    pub fn potential<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let gravity = self.at(|i| state.get(|s| s.reached[i][0]));
        self.potential_at(gravity, |u| state.get(|s| s.q[u]))
    }

    /// Potential energy −g·Σ m (y − y₀) at these places under this gravity, J.
    pub fn potential_at<D: Number>(&self, gravity: [D; 2], place: impl Fn(usize) -> D) -> D {
        let moments = self.weight.iter().zip(gravity).map(|(weight, g)| {
            let moment: D = weight.iter().map(|&(u, m)| (place(u) - self.initial[u]) * m).sum();
            g * moment
        });
        -moments.sum::<D>()
    }

    /// Work of a gravity that jumps at the communication point where a step begins, J.
    pub fn jump<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let old = self.at(|i| state.get(|s| s.reached[i][0]));
        let new = self.at(|i| state.get(|s| s.signals[i].at(0.0)[0]));
        self.change(|u| state.get(|s| s.q[u]), old, new)
    }

    /// Work of a gravity that changes during a substep from `state` to the positions `q`, J.
    pub fn work<N: Numbers<State>>(
        &self, state: &N, end: Instant, q: impl Fn(usize) -> N::Number,
    ) -> N::Number {
        let [old, new] = [end.elapsed_before, end.elapsed]
            .map(|tau| self.at(|i| state.get(|s| s.signals[i].at(tau)[0])));
        let before = self.change(|u| state.get(|s| s.q[u]), old, new);
        (before + self.change(q, old, new)) * 0.5
    }

    /// Change of the potential energy at these places from the `old` gravity to the `new` one, J.
    fn change<D: Number>(&self, q: impl Fn(usize) -> D, old: [D; 2], new: [D; 2]) -> D {
        if D::NDERIV == 0 && old == new {
            return D::from(0.0);
        }
        self.potential_at(new, &q) - self.potential_at(old, &q)
    }
}
