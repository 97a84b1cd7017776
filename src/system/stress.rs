//! Stress and strain at points and places of bodies, and how these places move.

use super::numbers::Number;
use super::{Group, Owner, System};
use crate::checked::{BodyId, Checked, On, Place, PlaceId, PointId};
use crate::elements::plane::stress::{Deformed, Stress};
use crate::numerics::triangle::lattice;
use crate::numerics::triangle_map::Within;

/// The triangles around a place, each with where it lies in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Around(Vec<(usize, Within)>);

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
    pub fn places(model: &Checked, groups: &[Group]) -> Vec<Around> {
        let around = |place: &Place| {
            let own = |group: &Group| group.owner == Owner::Body(place.body);
            let group = groups.iter().position(own);
            let (Some(id), On::Triangles(within)) = (group, &place.on) else {
                return Around::default();
            };
            Around(within.iter().map(|&w| (id, w)).collect())
        };
        model.places.iter().map(around).collect()
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
                all[point].0.push((group, Within { element, at }));
            }
        }
    }
}

impl System {
    /// Strain (e₁₁, e₂₂, e₁₂) and stress (Pa) at a place of a body: the means of what the triangles around it have there, each of
    /// which has its own.
    pub(super) fn mean_at<D: Number>(
        &self, Around(around): &Around, of: impl Fn(usize) -> D,
    ) -> ([D; 3], Stress<D>) {
        let there = around
            .iter()
            .filter_map(|&(group, within)| self.groups[group].elements.deformed(within, &of));
        let mut mean = [D::zero(); 7];
        for Deformed { strain, stress, .. } in there {
            let [e11, e22, twice_e12] = strain;
            let parts = [e11, e22, twice_e12 * 0.5, stress.xx, stress.yy, stress.xy, stress.zz];
            for (mean, part) in mean.iter_mut().zip(parts) {
                *mean += part / around.len() as f64;
            }
        }
        let [e11, e22, e12, xx, yy, xy, zz] = mean;
        ([e11, e22, e12], Stress { xx, yy, xy, zz })
    }

    /// What a place has along x (0) or y (1) where unknowns have the numbers `of` them: its position, its velocity.
    pub(crate) fn at_place<D: Number>(
        &self, place: PlaceId, axis: usize, of: impl Fn(usize) -> D,
    ) -> D {
        if let On::Point(point) = self.model.places[place].on {
            return of(self.nodes.of_place(point)[axis]);
        }
        let Around(around) = &self.places[place];
        let first = around
            .first()
            .and_then(|&(group, within)| self.groups[group].elements.interpolated(within, of));
        first.map_or_else(D::zero, |found| found[axis])
    }

    /// Stress at every node of a body at the positions `q`, Pa: the mean of what the triangles around it have there.
    pub fn stress_of_body(&self, body: BodyId, q: &[f64]) -> Vec<Stress<f64>> {
        let mesh = &self.model.bodies[body].mesh;
        let mut sums = vec![([0.0; 4], 0.0); mesh.nodes.len()];
        let own = |group: &&Group| group.owner == Owner::Body(body);
        let places = lattice(mesh.order);
        if let Some(group) = self.groups.iter().find(own) {
            for (element, nodes) in mesh.triangles().enumerate() {
                for (&node, place) in nodes.iter().zip(&places) {
                    let at = [1, 2].map(|i| place[i] as f64 / mesh.order as f64);
                    let within = Within { element, at };
                    let Some(Deformed { stress, .. }) = group.elements.deformed(within, |u| q[u])
                    else {
                        continue;
                    };
                    let (sum, count) = &mut sums[node];
                    let parts = [stress.xx, stress.yy, stress.xy, stress.zz];
                    sum.iter_mut().zip(parts).for_each(|(s, part)| *s += part);
                    *count += 1.0;
                }
            }
        }
        let mean = |(sum, count): ([f64; 4], f64)| {
            let [xx, yy, xy, zz] = sum.map(|s| s / f64::max(count, 1.0));
            Stress { xx, yy, xy, zz }
        };
        sums.into_iter().map(mean).collect()
    }

    /// Unknowns of the triangles around a point.
    pub(crate) fn unknowns_around_point(&self, point: PointId) -> Vec<usize> {
        self.unknowns_around(&self.around[point])
    }

    /// Unknowns of the triangles around a place.
    pub(crate) fn unknowns_around_place(&self, place: PlaceId) -> Vec<usize> {
        match self.model.places[place].on {
            On::Point(point) => self.nodes.of_place(point).to_vec(),
            On::Triangles(_) => self.unknowns_around(&self.places[place]),
        }
    }

    fn unknowns_around(&self, Around(around): &Around) -> Vec<usize> {
        let each = around.iter().flat_map(|(group, within)| {
            let mut elements = self.groups[*group].elements.unknowns();
            elements.nth(within.element).unwrap_or_default().to_vec()
        });
        each.collect()
    }
}
