//! Outputs along members: what is at equally spaced places from end to end, as arrays.

use super::member::{OfSection, kinds, of_member};
use super::{List, Source};
use crate::checked::{Direction, MemberId, Subject};
use crate::numerics::lagrange::shape;
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What is at a [station](crate::checked::Checked::stations) of a member.
    pub enum OfStation of (_model, _station = (MemberId, usize)) {}
    PlaceX => at_positions("x", Length, "Position along x of").place(),
    PlaceY => at_positions("y", Length, "Position along y of").place(),
    Rotation => at_positions("rotations", Angle, "Rotation from the initial direction of"),
    Normal => at_positions("normal_forces", Force, "Normal force of"),
    Shear => at_positions("shear_forces", Force, "Shear force of"),
    Moment => at_positions("moments", Moment, "Bending moment of"),
    /// |N|/A + |M| e/I, as in [`OfSection`].
    Stress => at_positions("stresses", Pressure, "Largest fibre stress of").never_negative(),
}

/// How many of them, the first ones, are known of every member; the others are those of its sections.
const PLACED: usize = OfStation::ALL.len() - OfSection::ALL.len();

/// The stations of all members, an array for each output.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, member) in model.members.iter().enumerate() {
        let inside = member.properties.is_some() && member.rigid.is_none();
        let count = PLACED + if inside { kinds(model, id) } else { 0 };
        let (path, name) = (format!("members.{}", member.name), format!("member {}", member.name));
        for of in &OfStation::ALL[..count] {
            list.add_stations(&path, &name, |at| of.of(Subject::Station(id, at)));
        }
    }
}

impl OfStation {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, (member, at): (MemberId, usize),
    ) -> N::Number {
        let model = &system.model;
        let at = model.station(at) * model.length_of(member);
        let direction = match self {
            OfStation::PlaceX => Direction::X,
            OfStation::PlaceY => Direction::Y,
            OfStation::Rotation => Direction::Rotation,
            _ => {
                let of = OfSection::ALL[self as usize - PLACED];
                return of.on_member(system, state, member, at);
            }
        };
        let order = model.members[member].order;
        let (element, xi) = model.place_on_member(member, at);
        let nodes = &system.nodes.of_member(member)[element * order..=(element + 1) * order];
        let weights = shape(order, xi).value;
        state.get(|s| {
            let each = nodes.iter().zip(&weights);
            each.map(|(node, w)| w * s.q[node.unknown(direction)]).sum()
        })
    }

    pub(super) fn sources(self, system: &System, (member, _): (MemberId, usize)) -> Vec<Source> {
        of_member(system, member)
    }
}
