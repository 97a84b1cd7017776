//! The ground that a mechanism stands on, and whether a motion shakes it.

use super::{Checked, Direction, Motion, Moved};
use crate::checked::history::MotionLaw;

/// How the ground moves along an axis.
#[derive(Debug, Clone, Copy)]
pub enum Ground<'a> {
    /// It is fixed in space.
    Fixed,
    /// Everything that is supported along the axis moves with it.
    Shaken(&'a Motion),
    /// Supports move differently, or some of them not at all.
    Several,
}

impl Checked {
    /// The ground along x or y. Motions of `supports` shake it, and so do records that move a point, a member or an edge.
    pub fn ground(&self, direction: Direction) -> Ground<'_> {
        let shakes = |motion: &&Motion| match motion.moved {
            Moved::Supports(_) => true,
            Moved::Target(_) => matches!(motion.law, MotionLaw::Record { .. }),
            Moved::Coupling(_) => false,
        };
        let along = |motion: &&Motion| motion.direction == direction;
        let mut shaking = self.motions.iter().filter(along).filter(shakes);
        let Some(motion) = shaking.next() else {
            return Ground::Fixed;
        };
        let moved = match &motion.moved {
            Moved::Supports(list) => &list[..],
            _ => &[],
        };
        let stays = |(id, support): (usize, &super::Support)| {
            support.fixed.contains(&direction) && !moved.contains(&id)
        };
        let several = shaking.next().is_some() || self.supports.iter().enumerate().any(stays);
        if several || motion.release.is_some() { Ground::Several } else { Ground::Shaken(motion) }
    }
}
