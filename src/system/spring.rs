//! Springs between points: what they measure, and their forces in the equations of motion.
//!
//! A spring with the force F along its measure m(q) adds F ∂m/∂q to the equations, with the tangent
//!
//! ```text
//! (∂F/∂m + ∂F/∂ṁ c) g gᵀ + F H + ∂F/∂ṁ g (H q̇)ᵀ,    g = ∂m/∂q,  H = ∂²m/∂q²,  c = ∂q̇/∂q
//! ```
//!
//! A bushing is several of them: its stiffness and its damping are sums of squares of what they measure.

use super::measure::{MOST, Measure, Measured};
use super::{Given, Iterate, System, Workspace};
use crate::checked::Checked;
use crate::laws::spring::{Answer, Begun, Elastic, Setting, Spring};
use crate::linear::Bordered;
use crate::nodes::Nodes;
use crate::numerics::positions::Positions;

/// A spring in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct PlacedSpring {
    pub measure: Measure,
    pub law: Spring,
    /// Inputs that give m₀, k, c and F_a.
    pub inputs: [Option<usize>; 4],
    /// What these are multiplied by.
    unit: [f64; 4],
    /// Inputs that move m₀, with how far it follows and their values in the file.
    moved: Vec<(usize, f64, f64)>,
}

impl PlacedSpring {
    /// The springs of a model.
    pub(super) fn all(model: &Checked, nodes: &Nodes, given: &Given) -> Vec<PlacedSpring> {
        let springs = model.springs.iter().zip(&given.springs).zip(&given.frees);
        let placed = springs.filter_map(|((spring, &inputs), moved)| {
            Some(PlacedSpring {
                measure: Measure::of(&spring.between, model, nodes)?,
                law: spring.law.clone(),
                inputs,
                unit: spring.unit,
                moved: moved.clone(),
            })
        });
        placed.collect()
    }

    /// Whether it resists a motion along its measure, in statics, too.
    pub fn holds(&self) -> bool {
        self.law.setting.stiffness > 0.0
            || self.law.elastic != Elastic::Linear
            || self.law.slip.is_some()
    }

    /// At rest where the unknowns are `drawn`, with the numbers of the file.
    pub fn initial(&self, drawn: &Positions) -> Begun {
        Begun { anchor: self.measure.at(drawn).value, setting: self.law.setting }
    }

    /// Without a force where the unknowns are `drawn`: the linear spring that it is about there.
    pub fn relaxed(&self, drawn: &[f64]) -> PlacedSpring {
        let begun = self.initial(&Positions::from(drawn));
        let slope = self.law.answer(begun.anchor, 0.0, &begun).by_measure;
        PlacedSpring {
            measure: self.measure,
            law: Spring::linear(begun.anchor, slope.max(0.0)),
            inputs: [None; 4],
            unit: self.unit,
            moved: Vec::new(),
        }
    }

    /// Most entries of its tangent beside the symmetric part: those of a damper along a line that turns.
    pub fn beside(&self) -> usize {
        match self.measure.bends() && self.damps() {
            true => MOST * MOST,
            false => 0,
        }
    }

    /// Whether its force follows from velocities.
    pub fn damps(&self) -> bool {
        self.law.damps(self.inputs[2].is_some())
    }

    /// Its numbers where `input(i)` is the value of input i.
    pub fn setting(&self, input: impl Fn(usize) -> f64) -> Setting {
        let own = &self.law.setting;
        let [free, stiffness, damping, force] = [own.free, own.stiffness, own.damping, own.force];
        let given = |k: usize, i: usize| self.unit[k] * input(i);
        let of = |k: usize, written: f64| self.inputs[k].map_or(written, |i| given(k, i));
        let moved = self.moved.iter();
        let moved = moved.map(|&(i, share, written)| share * (input(i) - written));
        Setting {
            free: of(0, free) + moved.sum::<f64>(),
            // Between two values that are allowed a signal may overshoot.
            stiffness: of(1, stiffness).max(0.0),
            damping: of(2, damping).max(0.0),
            force: of(3, force),
        }
    }

    /// Their changes where `change(i)` is that of input i.
    pub fn setting_change(&self, change: impl Fn(usize) -> f64) -> Setting {
        let of = |k: usize| self.inputs[k].map_or(0.0, |i| self.unit[k] * change(i));
        let moved = self.moved.iter().map(|&(i, share, _)| share * change(i));
        Setting { free: of(0) + moved.sum::<f64>(), stiffness: of(1), damping: of(2), force: of(3) }
    }
}

impl System {
    /// Gives all springs of an iterate their numbers, where `input(i)` is the value of input i.
    pub(crate) fn set_springs(&self, input: impl Fn(usize) -> f64, springs: &mut [Begun]) {
        for (spring, begun) in self.springs.iter().zip(springs) {
            begun.setting = spring.setting(&input);
        }
    }

    /// Spring `i` of an iterate.
    pub(super) fn spring_at(&self, i: usize, at: &Iterate) -> (Measured, Answer) {
        let spring = &self.springs[i];
        let measured = spring.measure.at(&at.q);
        let rate = match at.flow.factor {
            0.0 => 0.0,
            _ => measured.along(|u| at.flow.velocity(u, at.q.get(u))),
        };
        let answer = spring.law.answer(measured.value, rate, &at.springs[i]);
        (measured, answer)
    }

    /// Adds the forces of all springs, and their tangent where it is asked for; returns the largest force.
    pub(super) fn add_springs(&self, at: &Iterate, work: &mut Workspace, tangent: bool) -> f64 {
        let mut largest = 0.0_f64;
        for i in 0..self.springs.len() {
            let (measured, answer) = self.spring_at(i, at);
            work.springs[i] = answer;
            for (u, g) in measured.entries() {
                work.residual[u] += answer.force * g;
            }
            let parts = [answer.elastic, answer.damper, answer.friction, answer.force];
            largest = parts.into_iter().fold(largest, |most, f| most.max(f.abs()));
            if tangent {
                self.add_spring_tangent(&measured, &answer, at, work);
            }
        }
        largest
    }

    fn add_spring_tangent(
        &self, measured: &Measured, answer: &Answer, at: &Iterate, work: &mut Workspace,
    ) {
        let along = answer.by_measure + answer.by_rate * at.flow.factor;
        if measured.bends && answer.by_rate * at.flow.factor != 0.0 {
            let v = |u: usize| at.flow.velocity(u, at.q.get(u));
            for (u, _, turning) in measured.turned(v) {
                self.add_turning(measured, (u, answer.by_rate * turning), &mut work.matrix);
            }
        }
        self.add_symmetric(measured, [along, answer.force], &mut work.matrix);
    }

    /// Adds g times `turning` in the column of unknown `v` to the matrix.
    fn add_turning(&self, measured: &Measured, (v, turning): (usize, f64), matrix: &mut Bordered) {
        let Some(column) = self.equation.of(v) else {
            return;
        };
        for (u, g) in measured.entries() {
            if let Some(row) = self.equation.of(u)
                && turning * g != 0.0
            {
                matrix.add_beside(row, column, turning * g);
            }
        }
    }

    /// Adds `along` g gᵀ + `across` H to the matrix.
    pub(super) fn add_symmetric(
        &self, measured: &Measured, [along, across]: [f64; 2], matrix: &mut Bordered,
    ) {
        for (u, v, square, bend) in measured.pairs() {
            if let (Some(row), Some(column)) = (self.equation.of(u), self.equation.of(v))
                && row <= column
            {
                let place = matrix.interior.layout.position(row, column);
                matrix.interior.values[place] += along * square + across * bend;
            }
        }
    }

    /// φᵀ D φ of the dampers of all springs at `at`.
    pub(crate) fn springs_damping(&self, at: &Iterate, shape: &[f64]) -> f64 {
        let one = |i: usize| {
            let (measured, answer) = self.spring_at(i, at);
            answer.by_rate * measured.along(|u| shape[u]).powi(2)
        };
        (0..self.springs.len()).map(one).sum()
    }

    /// Adds the tangent of all springs at `at` without their dampers times `v` to `out`.
    pub(crate) fn add_springs_product(&self, at: &Iterate, v: &[f64], out: &mut [f64]) {
        for i in 0..self.springs.len() {
            let (measured, answer) = self.spring_at(i, at);
            let along = answer.by_measure * measured.along(|u| v[u]);
            for (u, g, turned) in measured.turned(|u| v[u]) {
                out[u] += along * g + answer.force * turned;
            }
        }
    }
}
