//! What can be read of members, of sections of them, and of the motion of parts.

use crate::joints::regime::End;
use crate::model::checked::{
    Analysis, Checked, Course, Member, OfMass, OfSection, Output, OutputVariable, Part,
};
use crate::model::quantity::Quantity;

/// Forces in sections that are looked at, the largest in each member and those on the ends of members.
pub(super) fn member_outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = Vec::new();
    for (id, cut) in model.cuts.iter().enumerate() {
        let place = format!("member {} at {} m", model.members[cut.member].name, cut.at);
        for &of in OfSection::ALL {
            let (key, quantity, what) = described(of);
            all.push(OutputVariable {
                path: format!("probes.{}.{key}", cut.name),
                output: Output::Section { cut: id, of },
                quantity,
                description: format!("{what} of {place}"),
            });
        }
    }
    let known =
        |(_, member): &(usize, &Member)| member.properties.is_some() || member.rigid.is_some();
    for (id, member) in model.members.iter().enumerate().filter(known) {
        let in_sections: &[OfSection] = match member.rigid {
            None => OfSection::ALL,
            Some(_) => &[],
        };
        for &of in in_sections {
            let (key, quantity, what) = described(of);
            let what = match of {
                OfSection::Stress => what,
                _ => &format!("Size of the {}", what.to_lowercase()),
            };
            all.push(OutputVariable {
                path: format!("members.{}.largest_{key}", member.name),
                output: Output::Largest { member: id, of },
                quantity,
                description: format!("{what} where it is largest in member {}", member.name),
            });
        }
        if shares_nodes(model, id) {
            continue;
        }
        for (end, word, point) in [(End::First, "from", member.from), (End::Last, "to", member.to)]
        {
            // A rigid member has one rotation: the moments on its ends cannot be told apart.
            let components = if member.rigid.is_some() { 2 } else { 3 };
            let keys = ["fx", "fy", "moment"].into_iter().enumerate();
            for (component, key) in keys.take(components) {
                let (quantity, what) = match component {
                    2 => (Quantity::Moment, "Moment".to_string()),
                    _ => (Quantity::Force, format!("Force along {}", ["x", "y"][component])),
                };
                all.push(OutputVariable {
                    path: format!("members.{}.{word}.{key}", member.name),
                    output: Output::MemberEnd { member: id, end, component },
                    quantity,
                    description: format!(
                        "{what} of the rest of the mechanism on member {} at point {}",
                        member.name, model.points[point].name
                    ),
                });
            }
        }
    }
    all
}

/// Whether more than its two ends connects a member with others: it follows an edge of a body, or a surface in contact with it
/// presses on its nodes.
fn shares_nodes(model: &Checked, member: usize) -> bool {
    let on_edge = matches!(model.members[member].course, Course::Edge(_));
    on_edge || model.contacts.iter().any(|c| c.parts().any(|part| part == Part::Member(member)))
}

/// Centre of mass and momentum of members, of bodies and of the whole mechanism.
pub(super) fn mass_outputs(model: &Checked) -> Vec<OutputVariable> {
    let heavy = |member: &Member| member.properties.is_some_and(|p| p.density > 0.0);
    let members = model.members.iter().enumerate();
    let members = members.filter(|(_, member)| heavy(member)).map(|(id, member)| {
        let name = &member.name;
        (Some(Part::Member(id)), format!("members.{name}"), format!("member {name}"))
    });
    let bodies = model.bodies.iter().enumerate();
    let bodies = bodies.filter(|(_, body)| body.weight()[0] > 0.0).map(|(id, body)| {
        let (name, noun) = (&body.name, body.noun());
        let section = if body.member.is_some() { "members" } else { "bodies" };
        (Some(Part::Body(id)), format!("{section}.{name}"), format!("{noun} {name}"))
    });
    let mut parts: Vec<(Option<Part>, String, String)> = members.chain(bodies).collect();
    if !parts.is_empty() || model.masses.iter().any(|mass| mass.mass > 0.0) {
        parts.push((None, "mechanism".to_string(), "the whole mechanism".to_string()));
    }
    let mut all = Vec::new();
    for (part, path, name) in parts {
        for &of in OfMass::ALL {
            let (key, quantity, what) = match of {
                OfMass::CentreX => ("centre_x", Quantity::Length, "Centre of mass x"),
                OfMass::CentreY => ("centre_y", Quantity::Length, "Centre of mass y"),
                // Nothing has a velocity.
                _ if model.solver.analysis == Analysis::QuasiStatic => continue,
                OfMass::MomentumX => ("momentum_x", Quantity::Momentum, "Momentum along x"),
                OfMass::MomentumY => ("momentum_y", Quantity::Momentum, "Momentum along y"),
                OfMass::AngularMomentum => (
                    "angular_momentum",
                    Quantity::AngularMomentum,
                    "Angular momentum about the origin",
                ),
            };
            all.push(OutputVariable {
                path: format!("{path}.{key}"),
                output: Output::Mass { part, of },
                quantity,
                description: format!("{what} of {name}"),
            });
        }
    }
    all
}

/// Key, quantity and description of what a section carries.
fn described(of: OfSection) -> (&'static str, Quantity, &'static str) {
    match of {
        OfSection::Normal => ("normal", Quantity::Force, "Normal force"),
        OfSection::Shear => ("shear", Quantity::Force, "Shear force"),
        OfSection::Moment => ("moment", Quantity::Moment, "Bending moment"),
        OfSection::Stress => ("stress", Quantity::Pressure, "Largest fibre stress"),
    }
}
