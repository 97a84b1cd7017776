//! Contacts of surfaces whose points may be pressed in so far only.
//!
//! ```text
//! N = k χ ⟨π + α⟩,    α ← ⟨α + π⟩  until  |π| ≤ the depth that is allowed, where N > 0
//! ```
//!
//! The method of the augmented Lagrangian by Uzawa's steps (Simo & Laursen 1992, Table 1): k α is the multiplier of the condition π = 0, and
//! the lining's k only says how fast it is found. With the compliance C of what bears at a point each step leaves about 1/(1 + k C) of
//! the depth.

use super::surface_change::moved;
use super::surface_contact::Standing;
use super::{Ease, Iterate, System};
use crate::surfaces::local::{Locals, MOST};

/// A contact of which a point is farther off its face than it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Off {
    pub contact: usize,
    /// |π|, m.
    pub by: f64,
    /// m.
    pub allowed: f64,
}

impl System {
    /// Lets all faces come to where the points that bear on them press as hard without a depth, if one of these is farther off than it may
    /// be. Returns the one that was farthest off by what is allowed; none where no face has come.
    ///
    /// What is passing an end of its path keeps its α: its force fades. On the way of a continuation faces stay.
    pub(crate) fn augment(&self, at: &mut Iterate) -> Option<Off> {
        if at.ease != Ease::default() {
            return None;
        }
        let off = |i: usize| {
            let contact = self.points[i].contact;
            let allowed = self.contacts[contact].deepest?;
            let by = self.bearing(i, at)?.depth.abs();
            Some(Off {
                contact,
                by,
                allowed,
            })
        };
        let by_allowed = |off: &Off| off.by / off.allowed;
        let worst = (0..self.points.len()).filter_map(off);
        let worst = worst.max_by(|a, b| by_allowed(a).total_cmp(&by_allowed(b)));
        let worst = worst.filter(|off| off.by > off.allowed)?;
        for i in 0..self.points.len() {
            if let Some(standing) = self.bearing(i, at) {
                at.points[i].advance += standing.depth;
            }
        }
        Some(worst)
    }

    /// The same of a change `by` of the iterate, to which faces come by the change of π.
    pub(crate) fn augment_change(&self, at: &Iterate, by: &mut Iterate) {
        let (mut locals, mut firsts) = (Locals::default(), [[0.0; 2]; MOST]);
        for i in 0..self.points.len() {
            if let Some(standing) = self.bearing(i, at) {
                self.locals_of(i, &standing, &mut locals, &mut firsts);
                let [distance, _] = moved(&locals, &firsts, by);
                by.points[i].advance += standing.side * distance;
            }
        }
    }

    /// A point of a contact that limits its depth, where all of its lining presses.
    fn bearing(&self, i: usize, at: &Iterate) -> Option<Standing> {
        self.contacts[self.points[i].contact].deepest?;
        let standing = self.standing(i, &at.q, &at.points[i]);
        (standing.pressed.touches && standing.beside == 1.0).then_some(standing)
    }
}
