//! Contacts of surfaces whose points may be pressed in so far only.
//!
//! ```text
//! N = k χ ⟨π + α⟩,    α ← ⟨α + π⟩  until  |π| ≤ the depth that is allowed, where N > 0
//! ```
//!
//! The method of the augmented Lagrangian by Uzawa's steps (Simo & Laursen 1992, Table 1): k α is the multiplier of the condition π = 0, and
//! the lining's k only says how fast it is found. With the compliance C of what bears at a point each step leaves about 1/(1 + k C) of
//! the depth.

use super::surface_stands::Standing;
use super::{Ease, Iterate, System};

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
        let mut worst = None::<Off>;
        for (contact, described) in self.contacts.iter().enumerate() {
            let Some(allowed) = described.deepest else {
                continue;
            };
            let stands = self.look(contact, &at.q, &at.points);
            for standing in stands.points.iter().filter(|standing| standing.bears()) {
                let by = standing.depth.abs();
                let worse = |worst: &Off| by / allowed > worst.by / worst.allowed;
                if worst.as_ref().is_none_or(worse) {
                    worst = Some(Off {
                        contact,
                        by,
                        allowed,
                    });
                }
            }
        }
        let worst = worst.filter(|off| off.by > off.allowed)?;
        for (contact, described) in self.contacts.iter().enumerate() {
            if described.deepest.is_some() {
                let stands = self.look(contact, &at.q, &at.points);
                for (i, standing) in described.points.clone().zip(&stands.points) {
                    if standing.bears() {
                        at.points[i].advance += standing.depth;
                    }
                }
            }
        }
        Some(worst)
    }

    /// The same of a change `by` of the iterate, to which faces come by the change of π.
    pub(crate) fn augment_change(&self, at: &Iterate, by: &mut Iterate) {
        for (contact, described) in self.contacts.iter().enumerate() {
            if described.deepest.is_some() {
                let mut came = Vec::new();
                self.each_look_at(contact, (&at.q, &at.points), |look| {
                    if look.standing.bears() {
                        let [distance, _] = look.moved(&by.q);
                        came.push((look.i, look.standing.side * distance));
                    }
                });
                for (i, depth) in came {
                    by.points[i].advance += depth;
                }
            }
        }
    }
}

impl Standing {
    /// Whether all of its lining presses.
    fn bears(&self) -> bool {
        self.pressed.touches && self.beside == 1.0
    }
}
