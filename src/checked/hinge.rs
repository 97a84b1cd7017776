//! Forces of hinges.

use super::{Checked, MemberId, MemberLine, Part, PointId, Turns};

/// The force of a hinge: what some parts that end at its point exert there on all the rest, loads, masses and supports of
/// the point included.
#[derive(Debug, Clone)]
pub struct HingeForce {
    /// The hinge.
    pub name: String,
    pub point: PointId,
    /// Members that end at the point and stay rigidly connected with each other, or one rigid body.
    pub parts: Vec<Part>,
}

impl Checked {
    /// The forces of the hinges, in the order of the file: each of the first group that turns on its own and whose forces at
    /// the point are known, of one with friction that of what is released. A hinge without such a group has none.
    pub(crate) fn forces_of_hinges(&self) -> Vec<HingeForce> {
        let mut forces: Vec<HingeForce> = Vec::new();
        for hinge in &self.hinges {
            let mut groups = hinge.released.iter();
            let known = |group: &&Vec<MemberId>| group.iter().all(|&m| self.has_end_forces(m));
            forces.extend(groups.find(known).map(|group| HingeForce {
                name: hinge.name.clone(),
                point: hinge.point,
                parts: group.iter().map(|&member| Part::Member(member)).collect(),
            }));
        }
        forces.extend(self.friction_hinges.iter().filter_map(|hinge| match hinge.sides[1] {
            Turns::Body(body) => Some(HingeForce {
                name: self.sliders[hinge.slider].name.clone(),
                point: hinge.point,
                parts: vec![Part::Body(body)],
            }),
            // Listed above.
            Turns::Member(_) | Turns::Ground => None,
        }));
        forces
    }

    /// Whether the forces on the ends of a member are known: it has a material or is rigid, and nothing but its two ends
    /// connects it with the rest, neither an edge of a body that it follows nor a surface in contact with it.
    pub fn has_end_forces(&self, member: MemberId) -> bool {
        let described = &self.members[member];
        let on_edge = matches!(described.line, MemberLine::Edge(_));
        let touches = |part: Part| part == Part::Member(member);
        (described.properties.is_some() || described.rigid.is_some())
            && !on_edge
            && !self.contacts.iter().any(|contact| contact.parts().any(touches))
    }
}
