//! Rigid members: each is a rigid body whose nodes are those of the member.

use std::sync::Arc;

use super::Checker;
use crate::checked::{Behaviour, Body, Checked, Member, MemberLine, Properties, Rigid, Source};
use crate::mesh::Mesh;
use crate::model::file;
use crate::numerics::gauss;

/// Parts of an axis over which its moments are integrated, with [`POINTS`] each: an arc is then exact to rounding.
const PARTS: usize = 32;
const POINTS: usize = 5;

impl file::Member {
    /// Makes a member that is written as rigid the rigid body that it is.
    pub(super) fn make_rigid(
        &self, check: &mut Checker<'_>, model: &mut Checked, member: &mut Member,
    ) {
        let properties = member.properties.take();
        let weighed = check.weighed([&self.mass, &self.inertia]);
        let (centre, [mass, inertia]) = weight(member, properties.as_ref());
        let [mass, inertia] = weighed.unwrap_or([mass, inertia]);
        member.rigid = Some(model.bodies.len());
        model.bodies.push(Body {
            name: member.name.clone(),
            member: Some(model.members.len()),
            mesh: Arc::new(Mesh { order: 1, ..Mesh::default() }),
            source: Source::Model,
            behaviour: Behaviour::Rigid(Rigid {
                mass,
                inertia,
                centre,
                matter: None,
                points: vec![member.from, member.to],
            }),
            points: Vec::new(),
        });
    }
}

/// Centre of the axis in the initial configuration (m), and the mass (kg) and moment of inertia about it (kg·m²) of a member with these properties:
///
/// ```text
/// m = ∫ ρA ds,    J = ∫ ρ (A |x − x̄|² + I) ds
/// ```
///
/// with I where the inertia of the section's rotation counts.
fn weight(member: &Member, properties: Option<&Properties>) -> ([f64; 2], [f64; 2]) {
    let MemberLine::Axis(axis) = &member.line else {
        return ([0.0; 2], [0.0; 2]);
    };
    let rule = gauss::legendre(POINTS);
    let part = 1.0 / PARTS as f64;
    let places: Vec<([f64; 2], f64)> = (0..PARTS)
        .flat_map(|k| rule.iter().map(move |&(x, w)| (k, x, w)))
        .map(|(k, x, w)| {
            let share = part * (k as f64 + 0.5 * (1.0 + x));
            (axis.at(share).position, 0.5 * part * w)
        })
        .collect();
    let centre = [0, 1].map(|i| places.iter().map(|(x, w)| w * x[i]).sum::<f64>());
    let about = |x: &[f64; 2]| (x[0] - centre[0]).powi(2) + (x[1] - centre[1]).powi(2);
    let spread: f64 = places.iter().map(|(x, w)| w * about(x)).sum();
    let Some(properties) = properties else {
        return (centre, [0.0; 2]);
    };
    let turning = if properties.rotary_inertia { properties.second_moment } else { 0.0 };
    let by_volume = properties.density * axis.length();
    let weight = [properties.area, properties.area * spread + turning].map(|x| by_volume * x);
    let added = properties.added_mass * axis.length();
    (centre, [weight[0] + added, weight[1] + added * spread])
}
