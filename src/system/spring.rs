//! Springs between points: what they measure, and their forces in the equations of motion.
//!
//! A spring with the force F along its measure m(q) adds F ∂m/∂q to the equations, with the tangent
//!
//! ```text
//! (∂F/∂m + ∂F/∂ṁ c) g gᵀ + F H + ∂F/∂ṁ g (H q̇)ᵀ,    g = ∂m/∂q,  H = ∂²m/∂q²,  c = ∂q̇/∂q
//! ```
//!
//! A distance has H = τ τᵀ/m, with τ the unit vector across it; what is counted along a fixed direction or as an angle has none.

use super::{Given, Iterate, System, Workspace};
use crate::laws::spring::{Answer, Begun, Elastic, Setting, Spring};
use crate::linear::Bordered;
use crate::model::checked::{Between, Checked, Direction, SpringEnd};
use crate::nodes::Nodes;
use crate::numerics::positions::{Position, Positions};

/// Most unknowns that a measure hangs on.
const MOST: usize = 4;

/// A spring in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct PlacedSpring {
    pub measure: Measure,
    pub law: Spring,
    /// Inputs that give m₀, k, c and F_a.
    pub inputs: [Option<usize>; 4],
}

/// What a spring measures.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Measure {
    /// The distance between two places, m.
    Distance { from: [Side; 2], to: [usize; 2] },
    /// The difference of two unknowns, m or rad.
    Difference { from: Side, to: usize },
    /// How far one place is from another along a direction, m.
    Along {
        direction: [f64; 2],
        from: [Side; 2],
        to: [usize; 2],
    },
}

/// One coordinate of where a spring ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Side {
    Unknown(usize),
    /// On the ground.
    Ground(f64),
}

impl Side {
    fn unknown(self) -> Option<usize> {
        match self {
            Side::Unknown(u) => Some(u),
            Side::Ground(_) => None,
        }
    }

    fn at(self, q: &Positions) -> Position {
        match self {
            Side::Unknown(u) => q.get(u),
            Side::Ground(place) => place.into(),
        }
    }
}

/// A measure at some positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    /// m, m or rad.
    pub value: f64,
    unknowns: [usize; MOST],
    count: usize,
    /// g.
    first: [f64; MOST],
    /// τ.
    across: [f64; MOST],
    /// H = τ τᵀ times this, 1/m.
    pub bend: f64,
}

impl Measured {
    /// The unknowns with their entries of g and τ.
    pub fn entries(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        (0..self.count).map(|i| (self.unknowns[i], self.first[i], self.across[i]))
    }

    /// g·v.
    pub fn along(&self, v: impl Fn(usize) -> f64) -> f64 {
        self.entries().map(|(u, g, _)| g * v(u)).sum()
    }

    /// τ·v.
    pub fn across(&self, v: impl Fn(usize) -> f64) -> f64 {
        self.entries().map(|(u, _, t)| t * v(u)).sum()
    }

    fn push(&mut self, unknown: Option<usize>, first: f64, across: f64) {
        if let Some(u) = unknown {
            (self.unknowns[self.count], self.first[self.count]) = (u, first);
            self.across[self.count] = across;
            self.count += 1;
        }
    }
}

impl Measure {
    pub fn of(between: &Between, model: &Checked, nodes: &Nodes) -> Option<Measure> {
        let coordinate = |end: SpringEnd, axis: usize| match end {
            SpringEnd::Point(point) => Side::Unknown(nodes.of_place(point)[axis]),
            SpringEnd::Ground(point) => Side::Ground(model.points[point].position[axis]),
        };
        Some(match *between {
            Between::Line { from, to } => Measure::Distance {
                from: [0, 1].map(|axis| coordinate(from, axis)),
                to: nodes.of_place(to),
            },
            Between::Axis { axis, from, to } => Measure::Difference {
                from: coordinate(from, axis),
                to: nodes.of_place(to)[axis],
            },
            Between::Along {
                direction,
                from,
                to,
            } => Measure::Along {
                direction,
                from: [0, 1].map(|axis| coordinate(from, axis)),
                to: nodes.of_place(to),
            },
            Between::Sections { from, to } => {
                let turn = |(point, member)| nodes.of_point(point, member, Direction::Rotation);
                Measure::Difference {
                    from: match from {
                        Some(section) => Side::Unknown(turn(section)?),
                        None => Side::Ground(0.0),
                    },
                    to: turn(to)?,
                }
            }
        })
    }

    /// The unknowns that it hangs on.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> {
        let [from, to] = match *self {
            Measure::Distance { from, to } | Measure::Along { from, to, .. } => {
                [from.map(Side::unknown), to.map(Some)]
            }
            Measure::Difference { from, to } => [[from.unknown(), None], [Some(to), None]],
        };
        from.into_iter().chain(to).flatten()
    }

    /// Whether its direction changes.
    pub fn bends(&self) -> bool {
        matches!(self, Measure::Distance { .. })
    }

    /// Where the unknowns are `q`.
    pub fn at(&self, q: &Positions) -> Measured {
        let mut measured = Measured {
            value: 0.0,
            unknowns: [0; MOST],
            count: 0,
            first: [0.0; MOST],
            across: [0.0; MOST],
            bend: 0.0,
        };
        match *self {
            Measure::Difference { from, to } => {
                measured.value = q.get(to).way_from(from.at(q));
                measured.push(from.unknown(), -1.0, 0.0);
                measured.push(Some(to), 1.0, 0.0);
            }
            Measure::Along {
                direction,
                from,
                to,
            } => {
                for (axis, g) in direction.into_iter().enumerate() {
                    measured.value += g * q.get(to[axis]).way_from(from[axis].at(q));
                    measured.push(from[axis].unknown(), -g, 0.0);
                    measured.push(Some(to[axis]), g, 0.0);
                }
            }
            Measure::Distance { from, to } => {
                let way = [0, 1].map(|axis| q.get(to[axis]).way_from(from[axis].at(q)));
                let length = way[0].hypot(way[1]);
                // Without a direction it has no moment to turn by either.
                let [c, s] = if length > 0.0 {
                    measured.bend = 1.0 / length;
                    way.map(|x| x / length)
                } else {
                    [0.0; 2]
                };
                measured.value = length;
                for (axis, (g, t)) in [(c, -s), (s, c)].into_iter().enumerate() {
                    measured.push(from[axis].unknown(), -g, -t);
                    measured.push(Some(to[axis]), g, t);
                }
            }
        }
        measured
    }
}

impl PlacedSpring {
    /// The springs of a model.
    pub(super) fn all(model: &Checked, nodes: &Nodes, given: &Given) -> Vec<PlacedSpring> {
        let springs = model.springs.iter().zip(&given.springs);
        let placed = springs.filter_map(|(spring, &inputs)| {
            Some(PlacedSpring {
                measure: Measure::of(&spring.between, model, nodes)?,
                law: spring.law.clone(),
                inputs,
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
    pub fn as_drawn(&self, drawn: &Positions) -> Begun {
        Begun {
            anchor: self.measure.at(drawn).value,
            setting: self.law.setting,
        }
    }

    /// Without a force where the unknowns are `drawn`: the linear spring that it is about there.
    pub fn relaxed(&self, drawn: &[f64]) -> PlacedSpring {
        let begun = self.as_drawn(&Positions::from(drawn));
        let slope = self.law.answer(begun.anchor, 0.0, &begun).by_measure;
        PlacedSpring {
            measure: self.measure,
            law: Spring::linear(begun.anchor, slope.max(0.0)),
            inputs: [None; 4],
        }
    }

    /// Most entries of its tangent beside the symmetric part: those of a damper along a line that turns.
    pub fn beside(&self) -> usize {
        match self.measure {
            Measure::Distance { .. } if self.damps() => MOST * MOST,
            Measure::Distance { .. } | Measure::Difference { .. } | Measure::Along { .. } => 0,
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
        let of = |k: usize, written: f64| self.inputs[k].map_or(written, &input);
        Setting {
            free: of(0, free),
            // Between two values that are allowed a signal may overshoot.
            stiffness: of(1, stiffness).max(0.0),
            damping: of(2, damping).max(0.0),
            force: of(3, force),
        }
    }

    /// Their changes where `change(i)` is that of input i.
    pub fn setting_change(&self, change: impl Fn(usize) -> f64) -> Setting {
        let of = |k: usize| self.inputs[k].map_or(0.0, &change);
        Setting {
            free: of(0),
            stiffness: of(1),
            damping: of(2),
            force: of(3),
        }
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
            for (u, g, _) in measured.entries() {
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
        &self,
        measured: &Measured,
        answer: &Answer,
        at: &Iterate,
        work: &mut Workspace,
    ) {
        let along = answer.by_measure + answer.by_rate * at.flow.factor;
        let across = answer.force * measured.bend;
        let turning = match answer.by_rate * at.flow.factor * measured.bend {
            0.0 => 0.0,
            _ => {
                let v = |u: usize| at.flow.velocity(u, at.q.get(u));
                answer.by_rate * measured.bend * measured.across(v)
            }
        };
        if turning != 0.0 {
            self.add_turning(measured, turning, &mut work.matrix);
        }
        self.add_symmetric(measured, [along, across], &mut work.matrix);
    }

    /// Adds `turning` g τᵀ to the matrix.
    fn add_turning(&self, measured: &Measured, turning: f64, matrix: &mut Bordered) {
        for (u, g, _) in measured.entries() {
            for (v, _, s) in measured.entries() {
                if let (Some(row), Some(column)) = (self.equation_of(u), self.equation_of(v))
                    && turning * g * s != 0.0
                {
                    matrix.add_beside(row, column, turning * g * s);
                }
            }
        }
    }

    /// Adds `along` g gᵀ + `across` τ τᵀ to the matrix.
    pub(super) fn add_symmetric(
        &self,
        measured: &Measured,
        [along, across]: [f64; 2],
        matrix: &mut Bordered,
    ) {
        for (u, g, t) in measured.entries() {
            let Some(row) = self.equation_of(u) else {
                continue;
            };
            for (v, h, s) in measured.entries() {
                let Some(column) = self.equation_of(v) else {
                    continue;
                };
                if row <= column {
                    let place = matrix.interior.layout.position(row, column);
                    matrix.interior.values[place] += along * g * h + across * t * s;
                }
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
            let across = answer.force * measured.bend * measured.across(|u| v[u]);
            for (u, g, t) in measured.entries() {
                out[u] += along * g + across * t;
            }
        }
    }
}
