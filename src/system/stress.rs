//! Stress and strain at the points of bodies.

use super::numbers::Number;
use super::{Group, Owner, System};
use crate::elements::plane::body::Within;
use crate::elements::plane::stress::{Deformed, Stress};
use crate::model::checked::{BodyId, Checked, Field, PointId};
use crate::numerics::triangle::lattice;

/// The triangles around a point, each with the place that the point has in it.
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
    /// Stress (Pa) or strain at a point of a body: the mean of what the triangles around it have there,
    /// each of which has its own. Invariants are those of the mean stress.
    pub(crate) fn field_at<D: Number>(
        &self,
        point: PointId,
        field: Field,
        place: impl Fn(usize) -> D,
    ) -> D {
        let Around(around) = &self.around[point];
        let there: Vec<Deformed<D>> = (around.iter())
            .filter_map(|&(group, within)| self.groups[group].elements.deformed(within, &place))
            .collect();
        let mean = |of: &dyn Fn(&Deformed<D>) -> D| {
            let sum = there.iter().fold(D::zero(), |sum, d| sum + of(d));
            sum / there.len().max(1) as f64
        };
        match field {
            Field::StrainXx => return mean(&|d| d.strain[0]),
            Field::StrainYy => return mean(&|d| d.strain[1]),
            Field::StrainXy => return mean(&|d| d.strain[2] * 0.5),
            _ => {}
        }
        let stress = Stress {
            xx: mean(&|d| d.stress.xx),
            yy: mean(&|d| d.stress.yy),
            xy: mean(&|d| d.stress.xy),
            zz: mean(&|d| d.stress.zz),
        };
        match field {
            Field::StressXx => stress.xx,
            Field::StressYy => stress.yy,
            Field::StressXy => stress.xy,
            Field::VonMises => stress.von_mises(),
            Field::FirstPrincipal => stress.principal()[0],
            _ => stress.principal()[1],
        }
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
    pub(crate) fn unknowns_around(&self, point: PointId) -> Vec<usize> {
        let Around(around) = &self.around[point];
        let each = around.iter().flat_map(|(group, within)| {
            let mut elements = self.groups[*group].elements.unknowns();
            elements.nth(within.element).unwrap_or_default().to_vec()
        });
        each.collect()
    }
}
