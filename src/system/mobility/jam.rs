//! Sliders that stick while motions go on: with them at rest, only strain lets the mechanism move.

use super::drives::{CLOSED, STILL};
use super::{MOST_COLUMNS, RigidMotions};
use crate::joints::regime::Regime;
use crate::message::rounded;
use crate::system::{State, System};

impl System {
    /// Sliders that stick in a `state` and a motion that goes on and that they lock, in words; `None` where there are none.
    pub(crate) fn jam(&self, state: &State) -> Option<String> {
        let sticks =
            |j: &usize| state.sliders[*j].regime == Regime::Stick && self.sliders[*j].friction.acts;
        let stuck: Vec<usize> = (0..self.sliders.len()).filter(sticks).collect();
        let own = RigidMotions::driven(self, &[], None);
        if stuck.is_empty() || own.columns() > MOST_COLUMNS {
            return None;
        }
        let there = own.at(state.q.clone());
        let moves = |motion: usize, stuck: &[usize]| {
            let held = there.with_stuck(stuck);
            let rates = held.rates(&held.free_to(CLOSED, CLOSED));
            rates.iter().any(|rates| rates[motion].abs() > STILL)
        };
        let goes_on = |m: &usize| !state.motions[*m].released && state.motions[*m].rate != 0.0;
        let mut motions = (0..self.motions.len()).filter(goes_on);
        let motion = motions.find(|&m| moves(m, &[]) && !moves(m, &stuck))?;
        let alone = |j: &usize| {
            let others: Vec<usize> = stuck.iter().copied().filter(|other| other != j).collect();
            moves(motion, &others)
        };
        let locking: Vec<usize> = stuck.iter().copied().filter(alone).collect();
        let locking = if locking.is_empty() { stuck.clone() } else { locking };
        let named = locking.iter().map(|&j| {
            let [normal, ..] = self.sliders[j].normal_force_of(state);
            format!(
                "{} sticks (friction force {} N, normal force {} N)",
                self.model.path_of_slider(j),
                rounded(state.sliders[j].friction, 3),
                rounded(normal, 3)
            )
        });
        let named: Vec<String> = named.collect();
        Some(format!(
            "it jams: {} while motions.{} goes on, which then only deforms its parts",
            named.join(" and "),
            self.motions[motion].name
        ))
    }
}
