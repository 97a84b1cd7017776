//! Bearings that are clamps without a word of it.

use coulisse::model::Checked;
use coulisse::model::checked::{Direction, MemberId, Target};

/// Supported points at which an elastic member is rigidly connected to one whose rotation is fixed, as a girder to the road beside it.
pub fn clamped(model: &Checked) -> Vec<String> {
    let still = |id: MemberId| {
        let mut supports = model.supports.iter();
        supports.find(|own| {
            own.target == Target::Member(id) && own.fixed.contains(&Direction::Rotation)
        })
    };
    let of_support = model.supports.iter().filter_map(|support| {
        let Target::Point { point, .. } = support.target else {
            return None;
        };
        let turns = !support.fixed.contains(&Direction::Rotation);
        let hinged = model.hinges.iter().any(|hinge| hinge.point == point);
        if !turns || hinged {
            return None;
        }
        let members = model.members_at(point);
        let (fixed, by) = members.iter().find_map(|&id| Some((id, still(id)?)))?;
        let bent = members.iter().find(|&&id| model.members[id].bending().is_some())?;
        let [bent, fixed] = [*bent, fixed].map(|id| &model.members[id].name);
        let point = &model.points[point].name;
        Some(format!(
            "supports.{}: members.{bent} is clamped at `{point}`, because members.{fixed}, which supports.{} fixes in rotation, ends there, too, and nothing \
             releases the one from the other; where members.{bent} is to turn on its support, write [joints.NAME] with \
             `hinge = {{ point = \"{point}\" }}`",
            support.name, by.name
        ))
    });
    of_support.collect()
}
