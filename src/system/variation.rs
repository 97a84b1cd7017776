//! Small changes of the residual.
//!
//! A change of a state is itself written as a [`State`], that of an iterate as an [`Iterate`]:
//! every number stands for the change of the number in its place.

use num_dual::Dual64;

use super::assembly::each_contact_force;
use super::numbers::{Numbers, Varied};
use super::{Along, Constraint, Iterate, System, Term};
use crate::joints::blend::Weights;
use crate::joints::path::TurnedBy;
use crate::laws::friction::{Contact, Response};

/// Room for the change of a residual.
#[derive(Debug, Clone)]
pub(crate) struct Residual {
    /// Change of the equations of the nodal unknowns; on prescribed ones the change of the reaction.
    pub nodal: Vec<f64>,
    pub border: Vec<f64>,
    /// M q̈ where the residual was varied last.
    pub inertia_forces: Vec<f64>,
    change: Vec<f64>,
}

impl Residual {
    pub fn new(system: &System) -> Residual {
        Residual {
            nodal: vec![0.0; system.nodal],
            border: vec![0.0; system.border],
            inertia_forces: vec![0.0; system.nodal],
            change: vec![0.0; system.nodal],
        }
    }
}

impl System {
    /// Change of the residual at `at` by the change `by` of positions, sliding coordinates,
    /// multipliers, accelerations, velocities, loads and of s and the laws' memory at the beginning of the step,
    /// and by the changes `friction[law]` of the numbers of the friction laws, those of the sliders and then of the contacts.
    pub(crate) fn residual_change(
        &self, at: &Iterate, by: &Iterate, friction: &[Vec<f64>], out: &mut Residual,
    ) {
        self.inertia_forces(&at.acceleration, &mut out.inertia_forces);
        self.inertia_forces(&by.acceleration, &mut out.change);
        self.tangent_times(&at.q, &by.q, 0.0, &mut out.nodal);
        self.line_loads.add_change(at, by, &mut out.nodal);
        for ((r, m), f) in (out.nodal.iter_mut().zip(&out.change)).zip(&by.external) {
            *r += m - f;
        }
        if let Some(damped) = self.damped(at.flow.factor) {
            damped.add_change(at, by, &mut out.nodal);
        }
        self.surfaces.add_change(at, by, friction, &mut out.nodal);
        self.springs.add_change(at, by, &mut out.nodal);
        self.pins.add_change(at, by, &mut out.nodal);
        self.hinges.add_change(at, by, &mut out.nodal);
        self.pins.rates(&at.q, &by.q, 1.0, &mut out.border);
        for (j, slider) in self.sliders.iter().enumerate() {
            let (own, change_of) = (&at.sliders[j], &by.sliders[j]);
            if own.constraint == Constraint::Open {
                // No force; s follows the others, see `nearest_rate`.
                out.border[slider.border..=slider.border + slider.conditions()].fill(0.0);
                continue;
            }
            let (k, row, response) = self.sliding(j, at, &out.inertia_forces);
            let (path, change) = (&slider.path, &change_of.multipliers);
            let ds = by.q[slider.coordinate];
            let shifted = k.gap_of(path, &by.q, &slider.unknowns);
            let turned = k.tangent_of(path, &by.q, &slider.unknowns);
            let spun = k.spin_of(path, &by.q);
            let slopes = k.slopes(&own.multipliers);
            let given = [0.0, 0.0, k.flexibility[0] * change[2]];
            let shared: [f64; 3] = std::array::from_fn(|i| own.compliance[i] * change[i]);
            let mut sliding = row.by_s * ds
                + row.by_origin * change_of.velocity.origin.rounded
                + row.by_spin * spun;
            for (i, turned) in turned.iter().enumerate() {
                sliding += row.by_tangent[i] * turned;
                if slider.friction.feels_inertia {
                    sliding += row.by_resultant * out.change[slider.unknowns[i]] * k.tangent[i];
                }
            }
            if own.constraint == Constraint::Path && own.along != Along::Free {
                let (seen, _) = self.contact(j, &k, at, &out.inertia_forces);
                let remembered = Contact { memory: change_of.memory, ..Contact::default() };
                let change =
                    (at.tuning.friction(j)).change(&seen, &response, &remembered, &friction[j]);
                sliding += row.by_added * change.force;
            }
            for i in 0..slider.conditions() {
                sliding += row.by_multipliers[i] * change[i];
                out.border[slider.border + 1 + i] =
                    shifted[i] - slopes[i] * ds - given[i] - shared[i];
            }
            out.border[slider.border] = sliding;
            if slider.carries_friction_of_edge() {
                let ways = slider
                    .shares
                    .iter()
                    .map(|&(k, share)| share * by.q[self.sliders[k].coordinate]);
                out.border[slider.border + 1] += ways.sum::<f64>();
                self.add_change_of_edge(j, &Varied { now: at, by }, &mut out.border);
                continue;
            }
            let multipliers = [0, 1, 2].map(|i| Dual64::new(own.multipliers[i], change[i]));
            let weight =
                |weights: &[Weights], l: usize| Dual64::new(weights[0][l], weights[1][l] * ds);
            let arm = k.arm.unwrap_or_default();
            let lever = k.arm.map(|arm| {
                let [turn, _] = k.turns(path, &arm, &by.q);
                let change = |i: usize| arm.swing[i] * ds - arm.turned[i] * turn;
                [0, 1].map(|i| Dual64::new(arm.lever[i], change(i)))
            });
            let axis = k.axis_tangent_of(path, &by.q);
            let turn = |unknown: TurnedBy| {
                let [turn, bend] = arm.turning.by(&k.point, unknown);
                Dual64::new(turn, bend * ds + arm.turning.change(&k.point, unknown, axis))
            };
            each_contact_force(slider, &k, &multipliers, weight, lever, turn, |u, force| {
                out.nodal[u] += force.eps;
            });
        }
    }

    /// Changes of what the law with memory of slider `j` remembers, of its work over the step and of
    /// what it stores, where `inertia_forces` is M q̈.
    pub(crate) fn memory_change(
        &self, j: usize, at: &Iterate, by: &Iterate, inertia_forces: &[f64], numbers: &[f64],
    ) -> Response {
        let (own, change_of) = (&at.sliders[j], &by.sliders[j]);
        if !self.sliders[j].friction.remembers || own.constraint != Constraint::Path {
            return Response::default();
        }
        let (k, _, response) = self.sliding(j, at, inertia_forces);
        let (seen, _) = self.contact(j, &k, at, inertia_forces);
        let slid = by.q[self.sliders[j].coordinate] - change_of.velocity.origin.rounded;
        let [normal, moment] = self.pressing(j, own.decided.element, &Varied { now: at, by });
        let friction = Dual64::new(response.force, self.friction_change(j, at, by));
        let normal_force = (self.sliders[j].bearing).normal_force(normal, moment, friction);
        let by_contact = Contact {
            velocity: own.velocity.factor * slid,
            normal_force: normal_force.eps,
            memory: change_of.memory,
            ..Contact::default()
        };
        (at.tuning.friction(j)).change(&seen, &response, &by_contact, numbers)
    }

    /// Change of F_f of slider `j` by a `change` of its multipliers alone, where `inertia_forces` is M q̈; what sticks bears all of it.
    pub(crate) fn friction_by_multipliers(
        &self, j: usize, at: &Iterate, inertia_forces: &[f64], change: &[f64; 3],
    ) -> f64 {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        if !slider.friction.acts || own.constraint != Constraint::Path {
            return 0.0;
        }
        // The row of s is F_f − Q_s, or nothing but a place.
        let (k, row, _) = self.sliding(j, at, inertia_forces);
        let slopes = k.slopes(&own.multipliers);
        (0..3).map(|i| (row.by_multipliers[i] + slopes[i]) * change[i]).sum()
    }

    /// Change of F_f of slider `j`: on the path and outside stops the row of s says F_f = Q_s.
    pub(crate) fn friction_change(&self, j: usize, at: &Iterate, by: &Iterate) -> f64 {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        if !slider.friction.acts || own.constraint != Constraint::Path {
            return 0.0;
        }
        let varied = Varied { now: at, by };
        let (tangent, spin) = self.path_slope(j, own.decided.element, &varied);
        let force = |i: usize| varied.get(|at| at.sliders[j].multipliers[i]);
        (force(0) * tangent[0] + force(1) * tangent[1] + force(2) * spin).eps
    }
}
