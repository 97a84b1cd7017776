//! Structural damping: D = c_m M + c_k K₀ of the damped members and bodies, constant in time.
//!
//! M is their mass and what is lumped at the ends of members and at the nodes of bodies, K₀ their tangent as drawn. The force
//! D q̇ stands in the equations of motion, so q̇ has to be known at every iterate: it follows the
//! positions through the time integration, q̇ = factor (q − origin).

use nalgebra_sparse::coo::CooMatrix;
use nalgebra_sparse::csr::CsrMatrix;

use super::sparse::{add_scaled, larger, on_free, product};
use super::{Group, Iterate, State, System, Workspace};
use crate::elements::group::Tangents;
use crate::laws::rayleigh::Rayleigh;
use crate::linear::Layout;
use crate::model::checked::{Checked, Direction};
use crate::nodes::Nodes;

/// The damping of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct Damping {
    /// Coefficients of each entry of [`Checked::damping`].
    laws: Vec<Rayleigh>,
    /// D on the nodal unknowns.
    matrix: CsrMatrix<f64>,
    /// D on the free unknowns, in their envelope.
    free: Vec<f64>,
}

impl Damping {
    /// With one of `laws` for each entry of the model's damping; `None` where nothing is damped.
    pub fn of(
        model: &Checked,
        laws: &[Rayleigh],
        nodes: &Nodes,
        groups: &[Group],
        (equation, layout): (&[u32], &Layout),
    ) -> Option<Damping> {
        if model.damping.is_empty() {
            return None;
        }
        let mut coo = CooMatrix::new(nodes.initial.len(), nodes.initial.len());
        let mut lumped = vec![false; model.masses.len()];
        for (entry, law) in model.damping.iter().zip(laws) {
            for &part in &entry.parts {
                let own = groups.iter().find(|g| g.owner.is_among(&[part]));
                if let Some(group) = own {
                    group.add_mass(law.mass, &mut coo);
                }
                let ends = model.points_of(part);
                let at_end = model
                    .masses
                    .iter()
                    .zip(&mut lumped)
                    .filter(|(mass, done)| ends.contains(&mass.point) && !**done);
                // Where parts of two entries meet, it belongs to the first.
                for (mass, done) in at_end {
                    *done = true;
                    let parts = [mass.mass, mass.mass, mass.rotary_inertia];
                    let directions = [Direction::X, Direction::Y, Direction::Rotation];
                    for (direction, part) in directions.into_iter().zip(parts) {
                        let unknown = nodes.of_point(mass.point, mass.member, direction);
                        if let Some(u) = unknown.filter(|_| part > 0.0) {
                            coo.push(u, u, law.mass * part);
                        }
                    }
                }
            }
        }
        for Group { owner, elements } in groups {
            let entry = (model.damping.iter()).position(|d| owner.is_among(&d.parts));
            let Some(factor) = entry.map(|entry| laws[entry].stiffness) else {
                continue;
            };
            elements.tangents(&nodes.initial[..], Tangents::All, |found| {
                found.entries(|u, w, stiffness| coo.push(u, w, factor * stiffness));
            });
        }
        let matrix = CsrMatrix::from(&coo);
        let free = on_free(&matrix, equation, layout);
        Some(Damping {
            laws: laws.to_vec(),
            matrix,
            free,
        })
    }

    /// aᵀ D b, where `a` and `b` give the values of nodal unknowns.
    fn product(&self, a: impl Fn(usize) -> f64, b: impl Fn(usize) -> f64) -> f64 {
        let mut sum = 0.0;
        product(&self.matrix, b, |u, force| sum += a(u) * force);
        sum
    }

    /// Adds D v to `out` and returns the largest of its entries.
    fn add_force(&self, v: impl Fn(usize) -> f64, out: &mut [f64]) -> f64 {
        let mut largest = 0.0;
        product(&self.matrix, v, |u, force| {
            out[u] += force;
            largest = larger(largest, force.abs());
        });
        largest
    }
}

impl System {
    /// Coefficients of entry `id` of the model's damping.
    pub fn rayleigh(&self, id: usize) -> Option<Rayleigh> {
        self.damping.as_ref()?.laws.get(id).copied()
    }

    /// Adds D q̇ to the residual of an iterate and returns the largest of its entries.
    pub(super) fn add_damping(&self, at: &Iterate, work: &mut Workspace) -> f64 {
        match &self.damping {
            Some(damping) if at.flow.factor != 0.0 => {
                let velocity = &mut work.velocity;
                for (u, velocity) in velocity.iter_mut().enumerate() {
                    *velocity = at.flow.velocity(u, at.q.get(u));
                }
                damping.add_force(|u| velocity[u], &mut work.residual)
            }
            _ => 0.0,
        }
    }

    /// Adds D ∂q̇/∂q to the tangent.
    pub(super) fn add_damping_tangent(&self, at: &Iterate, work: &mut Workspace) {
        if let Some(damping) = &self.damping
            && at.flow.factor != 0.0
        {
            let values = &mut work.matrix.interior.values;
            add_scaled(values, at.flow.factor, &damping.free);
        }
    }

    /// Change of the forces of damping and of contacts by the change `by` of the iterate `at`.
    pub(crate) fn add_flow_change(
        &self,
        at: &Iterate,
        by: &Iterate,
        numbers: &[Vec<f64>],
        out: &mut [f64],
    ) {
        self.add_damping_change(at, by, out);
        self.add_contacts_change(at, by, numbers, out);
    }

    /// Change of D q̇ by the change `by` of the iterate `at`.
    pub(super) fn add_damping_change(&self, at: &Iterate, by: &Iterate, out: &mut [f64]) {
        if let Some(damping) = &self.damping
            && at.flow.factor != 0.0
        {
            let change = |u: usize| at.flow.factor * (by.q.way(u, &by.flow.origin));
            damping.add_force(change, out);
        }
    }

    /// ∫ q̇ᵀ D q̇ dt over a step from `state` to `at` by the trapezoidal rule for D q̇, or with that of its end, J.
    pub(crate) fn damping_work(&self, state: &State, at: &Iterate, trapezoidal: bool) -> f64 {
        let mean = |u: usize| {
            let last = at.flow.velocity(u, at.q.get(u));
            match trapezoidal {
                true => 0.5 * (state.velocity[u] + last),
                false => last,
            }
        };
        let way = |u: usize| at.q.way(u, &state.q);
        match &self.damping {
            Some(damping) if at.flow.factor != 0.0 => damping.product(mean, way),
            _ => 0.0,
        }
    }

    /// Change of that work by the changes `by` of the state and `by_at` of the iterate.
    pub(crate) fn damping_work_change(
        &self,
        (state, by): (&State, &State),
        (at, by_at): (&Iterate, &Iterate),
    ) -> f64 {
        let Some(damping) = self.damping.as_ref().filter(|_| at.flow.factor != 0.0) else {
            return 0.0;
        };
        let mean = |u: usize| 0.5 * (state.velocity[u] + at.flow.velocity(u, at.q.get(u)));
        let change = |u: usize| at.flow.factor * (by_at.q.way(u, &by_at.flow.origin));
        let by_mean = |u: usize| 0.5 * (by.velocity[u] + change(u));
        damping.product(by_mean, |u| at.q.way(u, &state.q))
            + damping.product(mean, |u| by_at.q.way(u, &by.q))
    }

    /// φᵀ D φ of nodal unknowns.
    pub(crate) fn damping_product(&self, shape: &[f64]) -> f64 {
        let product = |damping: &Damping| damping.product(|u| shape[u], |u| shape[u]);
        self.damping.as_ref().map_or(0.0, product)
    }
}
