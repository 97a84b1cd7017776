//! Outputs of motions.

use super::{List, OfPoint, Source};
use crate::checked::{Direction, Moved, Subject, Target};
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What a motion and its drive do.
    pub enum OfMotion of (model, id = usize) {
        let motion = &model.motions[id];
        let turning = motion.direction == Direction::Rotation;
    }
    /// Current displacement (m) or rotation (rad).
    Position => {
        let quantity = if turning { Angle } else { Length };
        let item = at_positions("position", quantity, "Imposed displacement or rotation of motion");
        match motion.moved {
            Moved::Target(Target::Point { point, .. })
                if turning && model.rotations_at(point) == 1 && motion.release.is_none() =>
            {
                item.same_as(OfPoint::Rotation.of(Subject::Point(point)))
            }
            _ => item,
        }
    },
    /// Force (N) or moment (N·m) that the drive exerts on the structure.
    Reaction => {
        let quantity = if turning { Moment } else { Force };
        at_forces("reaction", quantity, "What the drive of motion {} exerts on the structure")
    },
}

/// The outputs of all motions, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    for (id, motion) in list.model.motions.iter().enumerate() {
        for of in OfMotion::ALL {
            list.add(&format!("motions.{}", motion.name), &motion.name, of.of(Subject::Motion(id)));
        }
    }
}

impl OfMotion {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, motion: usize,
    ) -> N::Number {
        match self {
            OfMotion::Position => state.get(|s| s.motions[motion].value),
            OfMotion::Reaction => {
                let unknowns = &system.motions[motion].unknowns;
                state.get(|s| unknowns.iter().map(|&u| s.reactions[u]).sum())
            }
        }
    }

    pub(super) fn sources(self, system: &System, motion: usize) -> Vec<Source> {
        let own = [Source::Motion(motion)];
        match self {
            OfMotion::Position => own.to_vec(),
            OfMotion::Reaction => {
                let forces = system.motions[motion].unknowns.iter().map(|&u| Source::Force(u));
                forces.chain(own).collect()
            }
        }
    }
}
