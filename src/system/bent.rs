//! Elements of members that are bent so far that their polynomials do not follow.

use super::{State, System};
use crate::checked::MemberId;
use crate::message::rounded;

/// So many times too stiff in bending is worth a word.
const TOO_STIFF: f64 = 1.05;

/// Turn (rad) of an element of order 3 or more from which on its deflections are about 2 % too small.
const TURNED: f64 = 1.5;

/// How far the elements of a member are bent.
#[derive(Clone, Copy)]
pub struct Bending<'a> {
    system: &'a System,
    id: MemberId,
}

impl<'a> Bending<'a> {
    /// That of a member of a `system`.
    pub fn of(system: &'a System, id: MemberId) -> Bending<'a> {
        Bending { system, id }
    }

    /// A warning where they are bent too far in a state, that `when` names.
    ///
    /// A straight one of order 2 cannot bend to an arc without being stretched: with the turn φ from end to end, its length h and the radius of inertia r
    /// of its section it is 1 + φ² (h/r)²/360 times too stiff. One of order 3 bent to an arc is 0.4 % too stiff at 1 rad, 2 % at 1.5 rad and 4 %
    /// at 2 rad, one of order 4 less than 0.2 % at 1.5 rad and 2 % at 3 rad, whatever its section.
    pub fn warning(&self, state: &State, when: impl FnOnce() -> String) -> Option<String> {
        let Bending { system, id } = *self;
        let member = &system.model.members[id];
        let p = member.bending()?;
        let nodes = system.nodes.of_member(id);
        let order = member.order;
        let turned = |node: usize| {
            let rotation = nodes[node].rotation;
            state.q[rotation] - system.initial[rotation]
        };
        let turns = (0..member.elements).map(|e| turned(order * (e + 1)) - turned(order * e));
        let turn = turns.fold(0.0, |most: f64, turn| most.max(turn.abs()));
        let name = &member.name;
        if order > 2 && turn > TURNED * f64::from(order as u8 - 2) {
            return Some(format!(
                "members.{name}: an element of order {order} turns by {}° from end to end {}, which makes deflections 2 % too small or more; \
                 write `elements = {}` or more",
                rounded(turn.to_degrees(), 3),
                when(),
                2 * member.elements,
            ));
        }
        if order > 2 || !member.line.is_straight() {
            return None;
        }
        let h = system.model.length_of(id) / member.elements as f64;
        let factor = 1.0 + (turn * h).powi(2) * p.area / (360.0 * p.second_moment);
        (factor > TOO_STIFF).then(|| {
            format!(
                "members.{name} has elements of order 2, and one turns by {}° from end to end {}: bent so far it is about {} times too stiff; \
                 leave `order` out for 3",
                rounded(turn.to_degrees(), 2),
                when(),
                rounded(factor, 3),
            )
        })
    }
}
