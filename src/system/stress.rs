//! Stress and strain at points and places of bodies, and how these places move.

use super::numbers::Number;
use super::{Group, Owner};
use crate::checked::{BodyId, Checked, On, Place};
use crate::elements::plane::stress::{Deformed, Stress};
use crate::nodes::Nodes;
use crate::numerics::triangle::lattice;
use crate::numerics::triangle_map::Within;

/// What is around a point or a place of a body: what its stress and its motion follow from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Around {
    /// The triangles around it, each with where it lies in it.
    triangles: Vec<(usize, Within)>,
    /// Unknowns of a place that is a point.
    point: Option<[usize; 2]>,
}

impl Around {
    /// Of each point of the model; none of one that is no node of a body.
    pub fn points(model: &Checked, groups: &[Group]) -> Vec<Around> {
        let mut all = vec![Around::default(); model.points.len()];
        for (id, group) in groups.iter().enumerate() {
            if let Owner::Body(body) = group.owner {
                add_body(model, body, id, &mut all);
            }
        }
        all
    }

    /// Of each place of a body that is looked at.
    pub fn places(model: &Checked, groups: &[Group], nodes: &Nodes) -> Vec<Around> {
        let around = |place: &Place| {
            let own = |group: &Group| group.owner == Owner::Body(place.body);
            let group = groups.iter().position(own);
            match (&place.on, group) {
                (On::Point(point), _) => {
                    Around { point: Some(nodes.of_place(*point)), ..Around::default() }
                }
                (On::Triangles(within), Some(id)) => {
                    Around { triangles: within.iter().map(|&w| (id, w)).collect(), point: None }
                }
                (On::Triangles(_), None) => Around::default(),
            }
        };
        model.places.iter().map(around).collect()
    }

    /// Strain (e₁₁, e₂₂, e₁₂) and stress (Pa): the means of what the triangles around it have there, each of which has its own.
    pub fn mean<D: Number>(
        &self, groups: &[Group], of: impl Fn(usize) -> D,
    ) -> ([D; 3], Stress<D>) {
        let there = self
            .triangles
            .iter()
            .filter_map(|&(group, within)| groups[group].elements.deformed(within, &of));
        let mut mean = [D::zero(); 7];
        for Deformed { strain, stress, .. } in there {
            let [e11, e22, twice_e12] = strain;
            let parts = [e11, e22, twice_e12 * 0.5, stress.xx, stress.yy, stress.xy, stress.zz];
            for (mean, part) in mean.iter_mut().zip(parts) {
                *mean += part / self.triangles.len() as f64;
            }
        }
        let [e11, e22, e12, xx, yy, xy, zz] = mean;
        ([e11, e22, e12], Stress { xx, yy, xy, zz })
    }

    /// What it has along x (0) or y (1) where unknowns have the numbers `of` them: its position, its velocity.
    pub fn interpolated<D: Number>(
        &self, groups: &[Group], axis: usize, of: impl Fn(usize) -> D,
    ) -> D {
        if let Some(point) = self.point {
            return of(point[axis]);
        }
        let first = self
            .triangles
            .first()
            .and_then(|&(group, within)| groups[group].elements.interpolated(within, of));
        first.map_or_else(D::zero, |found| found[axis])
    }

    /// Unknowns that it follows.
    pub fn unknowns(&self, groups: &[Group]) -> Vec<usize> {
        let each = self.triangles.iter().flat_map(|(group, within)| {
            let mut elements = groups[*group].elements.unknowns();
            elements.nth(within.element).unwrap_or_default().to_vec()
        });
        self.point.into_iter().flatten().chain(each).collect()
    }
}

fn add_body(model: &Checked, body: BodyId, group: usize, all: &mut [Around]) {
    let body = &model.bodies[body];
    let places = lattice(body.mesh.order);
    for &(node, point) in &body.points {
        for (element, nodes) in body.mesh.triangles().enumerate() {
            if let Some(local) = nodes.iter().position(|&n| n == node) {
                let [_, second, third] = places[local].map(|k| k as f64 / body.mesh.order as f64);
                let at = [second, third];
                all[point].triangles.push((group, Within { element, at }));
            }
        }
    }
}
