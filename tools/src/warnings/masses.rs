//! Masses so heavy that they look like grams.

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Direction, MemberId, PointId, Target};

use super::units;
use crate::number::short;

/// Deflection of a cantilever under a mass, by its length and by the linear theory, from which on nobody built it like this.
const BENT: f64 = 5.0;

/// Point masses at the free ends of clamped members that bend these many times their length under gravity.
pub fn of_cantilevers(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for mass in &model.masses {
        let carriers = model.members_at(mass.point);
        let [member] = carriers[..] else {
            continue;
        };
        let Some((clamp, deflection)) = deflection(model, member, mass.point, mass.mass) else {
            continue;
        };
        if deflection > BENT && is_clamped(model, clamp, member) && is_free(model, mass.point) {
            lines.push(format!(
                "masses.{} is {} kg: member `{}`, which carries it, would bend by {} times its length under gravity (linear theory); if that is in \
                 g, write {} (kg)",
                mass.name,
                short(mass.mass),
                model.members[member].name,
                rounded(deflection, 2),
                short(1e-3 * mass.mass),
            ));
        }
    }
    lines
}

/// The other end of a straight member with a mass at `end`, and its deflection m g L²/(3 E I) across gravity, by its length.
fn deflection(model: &Checked, id: MemberId, end: PointId, mass: f64) -> Option<(PointId, f64)> {
    let member = &model.members[id];
    let elastic = member.properties.as_ref().filter(|_| member.rigid.is_none());
    // What is softer than rubber has a question of its own.
    let p = elastic.filter(|p| p.young_modulus > units::SOFTEST)?;
    let other = if member.from == end { member.to } else { member.from };
    let [a, b] = [other, end].map(|point| model.points[point].position);
    let along = [b[0] - a[0], b[1] - a[1]];
    let [gx, gy] = model.gravity;
    // |g × L| L, for a member that hangs is not bent.
    let across = (gx * along[1] - gy * along[0]).abs();
    let length = along[0].hypot(along[1]);
    let bending = 3.0 * p.young_modulus * p.second_moment;
    Some((other, mass * across * length / bending))
}

/// Whether a support fixes the rotation of a member at a point.
fn is_clamped(model: &Checked, point: PointId, member: MemberId) -> bool {
    model.supports.iter().any(|support| {
        let own = match support.target {
            Target::Point { point: own, member: of } => {
                own == point && of.is_none_or(|of| of == member)
            }
            _ => false,
        };
        own && support.fixed.contains(&Direction::Rotation)
    })
}

/// Whether nothing but the member carries what is at a point.
fn is_free(model: &Checked, point: PointId) -> bool {
    let held = model.is_among(point, model.supports.iter().map(|support| support.target));
    let slides = model.sliders_of_joints().any(|(_, slider)| slider.point == point);
    let alone = model.springs.is_empty() && model.couplings.is_empty() && model.pins.is_empty();
    !held && !slides && alone && model.bodies_at(point).next().is_none()
}
