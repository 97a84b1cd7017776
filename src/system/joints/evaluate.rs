//! Forces of sliders in the equations of motion, the equations of s and of the constraints in the border, and their tangent.

use super::{Slider, SliderJoints};
use crate::joints::blend::Weights;
use crate::joints::path::TurnedBy;
use crate::joints::regime::Sense;
use crate::joints::slider::{Kinematics, SlidingRow};
use crate::laws::friction::{Bounded, Response};
use crate::system::equations::Equations;
use crate::system::numbers::{Number, Numbers, Placed};
use crate::system::{Branch, Constraint, Iterate, Slid, SliderState, Term, Workspace};

/// What an evaluation finds of a slider on its path: where it is, and its linearised equation of s.
struct Found<'a> {
    k: &'a Kinematics,
    row: &'a SlidingRow,
}

/// What has a force of a slider.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bears {
    pub unknown: usize,
    /// The number of a node among the carriers of the path there, and Y₁ (0), Y₂ (1) or r (2) of it; `None` of the slider itself.
    pub carrier: Option<(usize, usize)>,
}

impl Slider {
    /// Its place on its path in an iterate.
    pub fn kinematics_in(&self, at: &Iterate) -> Kinematics {
        self.kinematics(&at.q, at.sliders[self.index].decided.element)
    }

    /// Hands (∂c/∂q)ᵀ λ to `add`, with what of the slider or of its path has it, where `weight(w, l)` is the share w of node l, what turns
    /// under the slider has the `lever` ∂Y/∂φ and `turn` is ∂φ by an unknown.
    fn each_force_of<D: Number>(
        &self, k: &Kinematics, multipliers: &[D; 3], weight: impl Fn(&[Weights], usize) -> D,
        lever: Option<[D; 2]>, turn: impl Fn(TurnedBy) -> D, mut add: impl FnMut(Bears, D),
    ) {
        for (&u, multiplier) in self.unknowns.iter().zip(multipliers) {
            add(Bears { unknown: u, carrier: None }, *multiplier);
        }
        let carrier = |unknown: usize, l: usize, i: usize| Bears { unknown, carrier: Some((l, i)) };
        let path_nodes = k.point.carriers(&self.path);
        for (l, node) in path_nodes.iter().enumerate() {
            let share = weight(&k.point.position, l);
            for (i, (u, multiplier)) in node.position.into_iter().zip(multipliers).enumerate() {
                add(carrier(u, l, i), -(share * *multiplier));
            }
            if let Some(u) = node.rotation {
                add(carrier(u, l, 2), -(weight(&k.point.rotation, l) * multipliers[2]));
            }
        }
        if let Some(lever) = lever {
            let moment = multipliers[0] * lever[0] + multipliers[1] * lever[1];
            for by in self.path.turned_by(k.point.element) {
                add(carrier(by.unknown, by.node, by.component), -(turn(by) * moment));
            }
        }
    }

    /// Hands (∂c/∂q)ᵀ λ at a place of its path to `add`, with the unknowns of the slider and of its path.
    pub fn each_force(
        &self, k: &Kinematics, multipliers: &[f64; 3], mut add: impl FnMut(usize, f64),
    ) {
        let arm = k.arm.unwrap_or_default();
        let lever = k.arm.map(|arm| arm.lever);
        let weight = |weights: &[Weights], l: usize| weights[0][l];
        let turn = |by: TurnedBy| arm.turning.by(&k.point, by)[0];
        self.each_force_of(k, multipliers, weight, lever, turn, |of, force| add(of.unknown, force));
    }

    /// Hands the same forces in numbers of any kind to `add`, where the slider is at `k` now.
    pub fn each_force_in<S: Placed, N: Numbers<S>>(
        &self, k: &Kinematics, at: &N, mut add: impl FnMut(usize, N::Number),
    ) {
        self.each_bearing_in(k, at, |of, force| add(of.unknown, force));
    }

    /// Hands the same forces with what has them to `add`.
    pub fn each_bearing_in<S: Placed, N: Numbers<S>>(
        &self, k: &Kinematics, at: &N, add: impl FnMut(Bears, N::Number),
    ) {
        let path = &self.path;
        let slid = |by: &S| by.places()[self.coordinate];
        let multipliers = [0, 1, 2].map(|i| at.get(|at| at.multipliers_of(self.index)[i]));
        let weight =
            |weights: &[Weights], l: usize| at.with(weights[0][l], |by| weights[1][l] * slid(by));
        let arm = k.arm.unwrap_or_default();
        let lever = k.arm.map(|arm| {
            [0, 1].map(|i| {
                at.with(arm.lever[i], |by| {
                    let [turn, _] = k.turns(path, &arm, by.places());
                    arm.swing[i] * slid(by) - arm.turned[i] * turn
                })
            })
        });
        let turn = |with: TurnedBy| {
            let [turn, bend] = arm.turning.by(&k.point, with);
            at.with(turn, |by| {
                let axis = k.axis_tangent_of(path, by.places());
                bend * slid(by) + arm.turning.change(&k.point, with, axis)
            })
        };
        self.each_force_of(k, &multipliers, weight, lever, turn, add);
    }

    /// Adds (∂c/∂q)ᵀ λ at a place of its path to the equations of the slider and of its path.
    pub fn add_forces(&self, k: &Kinematics, multipliers: &[f64; 3], residual: &mut [f64]) {
        self.each_force(k, multipliers, |u, force| residual[u] += force);
    }

    /// Keeps its state and its branch after an evaluation whose friction is `response`.
    fn keep(&self, k: &Kinematics, response: &Response, at: &Iterate, work: &mut Workspace) {
        let own = &at.sliders[self.index];
        let (slips, holds) = match response.bristles {
            Some(_) => (own.decided.bristles, own.decided.bristles == Sense::Neither),
            None => (Sense::of(response.force), response.sticking),
        };
        work.placed[self.index] = *k;
        work.sliders[self.index] = Slid {
            state: SliderState {
                regime: own.regime(Sense::of(response.force), response.sticking),
                friction: k.stretch * response.force,
                memory: response.memory,
            },
            work: response.work,
            stored: response.stored,
            branch: Branch {
                element: k.point.element,
                regime: own.regime(slips, holds),
                constraint: own.constraint,
                along: own.along,
            },
            bristles: response
                .bristles
                .map_or_else(Bounded::default, |b| b.by_coordinate(k.stretch)),
        };
    }

    /// Writes its equation of s and its constraints into the border.
    fn write_border(&self, found: &Found, at: &Iterate, border: &mut [f64]) {
        let own = &at.sliders[self.index];
        border[self.border] = found.row.residual;
        // 0 ≤ gap ⊥ λ ≥ 0: either the gap is closed or there is no force.
        let mut closed = match own.constraint {
            Constraint::Open => own.multipliers,
            _ => found.k.constraint(&own.multipliers),
        };
        (closed.iter_mut().zip(own.regularised())).for_each(|(c, gives)| *c -= gives);
        let count = self.conditions();
        border[self.border + 1..][..count].copy_from_slice(&closed[..count]);
    }

    /// Adds the tangent of a slider whose contact is not open and that is a node on a path.
    fn add_tangent(
        &self, equations: &Equations, found: &Found, at: &Iterate, work: &mut Workspace,
    ) {
        let Found { k, row } = *found;
        let own = &at.sliders[self.index];
        let multipliers = &own.multipliers;
        let sliding = self.border;
        let matrix = &mut work.matrix;
        let slopes = k.slopes(multipliers);
        for (i, &u) in self.unknowns.iter().enumerate() {
            let constraint = sliding + 1 + i;
            if let Some(e) = equations.of(u) {
                matrix.add_column(e, constraint, 1.0);
            }
            matrix.add_corner(constraint, sliding, -slopes[i]);
            matrix.add_corner(constraint, constraint, -own.compliance[i]);
            matrix.add_corner(sliding, constraint, row.by_multipliers[i]);
        }
        if self.unknowns.len() == 3 {
            matrix.add_corner(sliding + 3, sliding + 3, -k.flexibility[0]);
        }
        let own_row = self.has_own_row(own);
        let path_nodes = k.point.carriers(&self.path);
        let forces = &multipliers[..self.unknowns.len()];
        for (l, node) in path_nodes.iter().enumerate() {
            for (i, multiplier) in forces.iter().enumerate() {
                let Some(e) = node.unknown(i).and_then(|u| equations.of(u)) else {
                    continue;
                };
                let (weights, by_slope) = if i < 2 {
                    (&k.point.position[..], row.by_tangent[i])
                } else {
                    (&k.point.rotation[..], row.by_spin)
                };
                matrix.add_column(e, sliding + 1 + i, -weights[0][l]);
                matrix.add_column(e, sliding, -weights[1][l] * multiplier);
                if own_row {
                    matrix.add_row(sliding, e, weights[1][l] * by_slope);
                }
            }
        }
        self.add_roughness_tangent(equations, k, row, at, matrix);
        // F_R contains the slider's inertia force, which follows q through the integration.
        let factor = work.mass_factor;
        if row.by_resultant == 0.0 || factor == 0.0 {
            return;
        }
        for (entries, tangent) in self.inertia.iter().zip(k.tangent) {
            for &(u, mass) in entries {
                if let Some(e) = equations.of(u) {
                    matrix.add_row(sliding, e, row.by_resultant * factor * mass * tangent);
                }
            }
        }
    }
}

impl SliderJoints {
    fn add_tangent(
        &self, slider: &Slider, equations: &Equations, found: &Found, at: &Iterate,
        work: &mut Workspace,
    ) {
        let own = &at.sliders[slider.index];
        let (sliding, matrix) = (slider.border, &mut work.matrix);
        if own.constraint == Constraint::Open {
            (0..=slider.unknowns.len())
                .for_each(|i| matrix.add_corner(sliding + i, sliding + i, 1.0));
            return;
        }
        // Without friction and stop the equation of s is its column transposed.
        if slider.has_own_row(own) {
            matrix.give_own_row(sliding);
        }
        let row = found.row;
        matrix.add_corner(sliding, sliding, row.by_s);
        if slider.carries_friction_of_edge() {
            (0..2).for_each(|i| matrix.add_corner(sliding, sliding + 1 + i, row.by_multipliers[i]));
            self.add_friction_of_edge_tangent(slider, equations, row, at, matrix);
            return;
        }
        slider.add_tangent(equations, found, at, work);
    }
}

impl Term for SliderJoints {
    fn each_force<N: Numbers<Iterate>>(&self, at: &N, mut add: impl FnMut(usize, N::Number)) {
        let now = at.now();
        for slider in self.iter() {
            let own = &now.sliders[slider.index];
            if own.constraint != Constraint::Open {
                let k = slider.kinematics_in(now);
                slider.each_force_in(&k, at, &mut add);
            }
        }
    }

    /// It writes their equations into the border, too.
    fn evaluate(
        &self, equations: &Equations, at: &Iterate, work: &mut Workspace, tangent: bool,
    ) -> f64 {
        let mut largest = 0.0_f64;
        for slider in self.iter() {
            let multipliers = &at.sliders[slider.index].multipliers;
            let mut k = slider.kinematics_in(at);
            if slider.carries_friction_of_edge() {
                k.stretch = slider.mean_stretch(|k| work.placed[k].stretch);
            }
            let (row, response) = slider.sliding(&k, at, &work.inertia_forces);
            slider.keep(&k, &response, at, work);
            slider.add_forces(&k, multipliers, &mut work.residual);
            let found = Found { k: &k, row: &row };
            slider.write_border(&found, at, &mut work.border);
            if slider.carries_friction_of_edge() {
                self.add_friction_of_edge(slider, at, &mut work.border);
            }
            if tangent {
                self.add_tangent(slider, equations, &found, at, work);
            }
            largest = largest.max(multipliers[0].abs()).max(multipliers[1].abs());
        }
        largest
    }
}
