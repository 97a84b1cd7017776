//! Whether elements of a running mechanism are bent so far that their polynomials do not follow.

use serde::{Deserialize, Serialize};

use super::report::{Category, Log, Status};
use crate::message::rounded;
use crate::system::{Bending, State, System};

/// What an instance has seen of its members.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct BendWatch {
    /// Members that were reported.
    pub reported: Vec<bool>,
}

impl BendWatch {
    /// Nothing of so many members yet.
    pub(super) fn new(members: usize) -> BendWatch {
        BendWatch { reported: vec![false; members] }
    }

    /// Looks at `state` at the host's `time` (s) and warns of each member once.
    pub(super) fn look(&mut self, log: &Log, system: &System, state: &State, time: f64) {
        for (id, reported) in
            self.reported.iter_mut().enumerate().filter(|(_, reported)| !**reported)
        {
            let when = || format!("at t = {} s", rounded(time, 9));
            if let Some(text) = Bending::of(system, id).warning(state, when) {
                *reported = true;
                log.send(Status::Warning, Category::Warning, &text);
            }
        }
    }
}
