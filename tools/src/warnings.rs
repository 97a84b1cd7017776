//! What may go wrong in a model without faults: what a person who looks at it would ask about.

use coulisse::fmu::Blueprint;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Carrier, MemberId, PathPart, PointId, StartVelocities};
use coulisse::model::history::MotionLaw;

use crate::number::short;

/// Young's moduli below this (Pa) are those of foams: they are rather meant in GPa or MPa.
const SOFTEST: f64 = 1e5;

/// Solids lighter than this (kg/m³) are foams, too.
const LIGHTEST: f64 = 20.0;

/// Share of a member's length up to which a point lies on it, and from which on it is not its end.
const ON: f64 = 1e-6;

/// So many times too stiff in bending is worth a word.
const TOO_STIFF: f64 = 1.02;

/// All of a model, in sentences.
pub fn of(blueprint: &Blueprint) -> Vec<String> {
    let model = blueprint.checked();
    [
        units(model),
        points_on_members(model),
        stiff_in_bending(model),
        jerks(model),
        flutter(model),
    ]
    .concat()
}

/// Moduli and densities that look as if they were in other units.
fn units(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for member in &model.members {
        let Some(properties) = &member.properties else {
            continue;
        };
        let (modulus, density) = (properties.young_modulus, properties.density);
        if modulus < SOFTEST {
            let (unit, factor) = if modulus < 1e3 {
                ("GPa", 1e9)
            } else {
                ("MPa", 1e6)
            };
            lines.push(format!(
                "members.{}: its material has Young's modulus {} Pa, softer than foam; if that is in {unit}, write {} (Pa)",
                member.name,
                short(modulus),
                short(modulus * factor)
            ));
        }
        if density > 0.0 && density < LIGHTEST {
            let (unit, factor) = match density < 1e-3 {
                true => ("t/mm³", 1e12),
                false => ("g/cm³ or t/m³", 1e3),
            };
            lines.push(format!(
                "members.{}: its material has the density {} kg/m³, lighter than foam; if that is in {unit}, write {} (kg/m³)",
                member.name,
                short(density),
                short(density * factor)
            ));
        }
    }
    lines
}

/// Points that lie on a member without being connected with it.
fn points_on_members(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (point, described) in model.points.iter().enumerate() {
        if described.is_nameless() || !is_loaded(model, point) {
            continue;
        }
        let beside = (0..model.members.len()).filter(|&m| lies_inside(model, point, m));
        for member in beside.filter(|&m| !slides_on(model, point, m)) {
            lines.push(format!(
                "point `{}` lies on member `{member}` and is not connected with it: a member is divided where two end. Let one end there and another \
                 begin, or say with a joint that it slides",
                described.name,
                member = model.members[member].name,
            ));
        }
    }
    lines
}

/// Whether a point carries something that a member beside it would be missed for.
fn is_loaded(model: &Checked, point: PointId) -> bool {
    let on_body = model.bodies_at(point).next().is_some();
    let sprung = model
        .springs
        .iter()
        .any(|s| s.between.moving().any(|p| p == point));
    !on_body
        && (model.masses.iter().any(|m| m.point == point)
            || model.loads.iter().any(|l| l.point == point)
            || sprung
            || !model.members_at(point).is_empty())
}

/// Whether a point is on a member and none of its ends.
fn lies_inside(model: &Checked, point: PointId, member: MemberId) -> bool {
    let described = &model.members[member];
    if described.properties.is_none() || model.members_at(point).contains(&member) {
        return false;
    }
    let part = PathPart {
        carrier: Carrier::Member(member),
        reversed: false,
    };
    let (place, length) = (model.points[point].position, model.length_of(member));
    let nearest = model.nearest_on_part(part, place);
    let inside = ON * length..(1.0 - ON) * length;
    nearest.distance <= ON * length && inside.contains(&nearest.along)
}

/// Whether a point slides on a path with a member in it.
fn slides_on(model: &Checked, point: PointId, member: MemberId) -> bool {
    let has = |path: &[PathPart]| {
        path.iter()
            .any(|part| part.carrier == Carrier::Member(member))
    };
    model
        .sliders
        .iter()
        .any(|s| s.point == point && has(&s.path))
}

/// Members of order 1, whose elements bend as straight pieces under shear: about 1 + G A h²/(12 E I) times too stiff.
fn stiff_in_bending(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, member) in model.members.iter().enumerate() {
        let Some(p) = member.properties.as_ref().filter(|_| member.order == 1) else {
            continue;
        };
        let h = model.length_of(id) / member.elements as f64;
        let factor =
            1.0 + p.shear_modulus * p.area * h * h / (12.0 * p.young_modulus * p.second_moment);
        if factor > TOO_STIFF {
            lines.push(format!(
                "members.{} has elements of order 1, about {} times too stiff in bending; leave `order` out for 3",
                member.name,
                rounded(factor, 3)
            ));
        }
    }
    lines
}

/// Motions that begin with a velocity while everything else is at rest.
fn jerks(model: &Checked) -> Vec<String> {
    let dynamic = model.solver.analysis == Analysis::Dynamic;
    if !dynamic || model.start.velocities != StartVelocities::Rest {
        return Vec::new();
    }
    let elastic = model.members.iter().any(|m| m.properties.is_some()) || !model.bodies.is_empty();
    let motions = model.motions.iter().filter_map(|motion| match motion.law {
        MotionLaw::Rate(rate) if rate != 0.0 && elastic => Some(format!(
            "motions.{} moves from the first instant on, and what it drives starts at rest: an impact that rings. [initial] velocities = \
             \"rigid_mechanism\" starts all of it in motion; a `history.ramp` starts it gently",
            motion.name
        )),
        _ => None,
    });
    motions.collect()
}

/// Friction of surfaces without any damping.
fn flutter(model: &Checked) -> Vec<String> {
    let lines = model.may_flutter().into_iter().map(|(contact, part)| {
        format!(
            "contacts.{name} rubs with a coefficient of {} on {}, which nothing damps: friction makes the stiffness \
             unsymmetric, and steady sliding may swing itself up (flutter). `coulisse modes --sliding --contact {name} --time T` tells whether \
             it does under the loads of T; a [damping.NAME] with a stiffness_coefficient of 1e-5 to 1e-4 s often ends it",
            rounded(contact.friction.largest_coefficient(), 3),
            part.quoted(model),
            name = contact.name,
        )
    });
    lines.collect()
}
