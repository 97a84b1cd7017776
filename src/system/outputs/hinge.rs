//! Outputs of hinges.

use super::{Connector, List, Source};
use crate::checked::{HingeForce, MemberId, Part, Subject};
use crate::joints::regime::End;
use crate::system::numbers::{Numbers, size};
use crate::system::{MemberForces, State, System};

items! {
    /// [Force of a hinge](HingeForce) on what it connects its parts with, N. It follows from the equations of motion of the ends
    /// of members (`MemberForces`), of a rigid body from the multipliers that tie it to the point.
    pub enum OfHinge of (_model, _hinge = usize) {}
    ForceX => at_forces("fx", Force, "Force along x of"),
    ForceY => at_forces("fy", Force, "Force along y of"),
    Size => at_forces("force", Force, "Size of the force of").never_negative(),
}

/// The outputs of all hinges whose force is known.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, HingeForce { name, point, parts }) in model.hinge_forces.iter().enumerate() {
        let parts: Vec<String> = parts.iter().map(|&part| part.name(model)).collect();
        let (parts, point) = (parts.join(" and "), &model.points[*point].name);
        for of in OfHinge::ALL {
            let words = format!("{parts} on the rest of the mechanism at point {point}");
            list.add(&format!("joints.{name}"), &words, of.of(Subject::Hinge(id)));
        }
    }
}

impl OfHinge {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, hinge: usize,
    ) -> N::Number {
        let hinge = &system.model.hinge_forces[hinge];
        let along = |component: usize| {
            let force = hinge.parts.iter().map(|&part| match part {
                Part::Member(member) => -on_ends(system, state, hinge, member, component),
                Part::Body(_) => pin(system, hinge, part)
                    .map_or(N::Number::from(0.0), |pin| state.get(|s| s.pins[pin][component])),
            });
            force.fold(N::Number::from(0.0), |sum, force| sum + force)
        };
        match self {
            OfHinge::ForceX => along(0),
            OfHinge::ForceY => along(1),
            OfHinge::Size => size([along(0), along(1)]),
        }
    }

    pub(super) fn sources(self, system: &System, hinge: usize) -> Vec<Source> {
        let hinge = &system.model.hinge_forces[hinge];
        let of_part = |&part: &Part| match part {
            Part::Member(member) => {
                let nodes = system.nodes.of_member(member).iter();
                let unknowns = nodes.flat_map(|node| node.unknowns());
                unknowns.flat_map(|u| [Source::Unknown(u), Source::Force(u)]).collect::<Vec<_>>()
            }
            Part::Body(_) => {
                let pin = pin(system, hinge, part);
                pin.into_iter().map(|pin| Source::Of(Connector::Pin, pin)).collect()
            }
        };
        hinge.parts.iter().flat_map(of_part).collect()
    }
}

/// Force of the rest of the mechanism on the ends of a member at a hinge, along x (0) or y (1).
fn on_ends<N: Numbers<State>>(
    system: &System, state: &N, hinge: &HingeForce, member: MemberId, component: usize,
) -> N::Number {
    let described = &system.model.members[member];
    let ends = [(End::First, described.from), (End::Last, described.to)];
    let here = ends.into_iter().filter(|(_, point)| *point == hinge.point);
    let forces = MemberForces::of(system, member);
    here.fold(N::Number::from(0.0), |sum, (end, _)| sum + forces.on_end(state, end, component))
}

/// Place of what ties a rigid body to the point of a hinge among the pins.
fn pin(system: &System, hinge: &HingeForce, body: Part) -> Option<usize> {
    system.pins.list.iter().position(|pin| pin.ties == Some((body, hinge.point)))
}
