//! Whether a step is short enough for the motion: its energy says.
//!
//! What the time integration takes is known ([`System::inertia_work`]) and exact for what is linear. What is left
//! of the balance of a step,
//!
//! ```text
//! ΔE = W_in − W_damping − W_friction − Δ max(W_numerical, 0) − Δ(T + U + V)
//! ```
//!
//! is its error in large motions, of third order in its length, and costs one look at the strain energy. What the time integration gives
//! beyond what it has taken no work explains: it belongs to the error. A step
//! that leaves more than a share of what the balance may still be off by,
//!
//! ```text
//! |ΔE| ≤ ε max(¾ϑ E_max − |E|, ¾ϑ E_max/100)
//! ```
//!
//! is taken in parts, as one for which no solution is found, as long as shorter ones are better. Linings can be struck and left within the shortest of them, whatever that is:
//! such a part is one of implicit Euler, which takes energy where generalized-α would give it. E is the error of the balance before, E_max the largest
//! energy so far and ϑ the tolerance: while steps can be divided |E| does not get there, however many there are.

use super::energy::Entries;
use super::newton::Failure;
use super::scheme::Scheme;
use super::stepper::{Rejected, Stepper};
use crate::model::checked::Analysis;
use crate::system::{State, System};

/// ϑ, the error of the balance as a share of the largest energy, where the model states none.
const TOLERANCE: f64 = 1e-3;

/// ε, the share of what is left of it that a step may use, and the least that is taken for left.
const SHARE: f64 = 0.1;
const LEAST: f64 = 0.01;

/// Share of the tolerance that is aimed at, as what does not divide further goes on adding to it.
const AIM: f64 = 0.75;

/// Into so many parts a step is divided at most, and where linings may be struck in it: these need another scheme, not
/// shorter parts.
const PARTS: u64 = 64;
const PARTS_ON_LININGS: u64 = 16;

/// By how much the error of a step falls with half its length.
const FALL: f64 = 8.0;

/// Share of the largest energy from which on what a part of a step leaves unexplained is reason for any division, and that
/// with which no part is taken.
const GROSS: f64 = 0.01;
const WRONG: f64 = 0.1;

/// Shorter parts of a step, one after the other, that are no better and so end its division.
const IN_VAIN: u32 = 2;

/// Roundings of the largest term of the balance that its terms gather.
const ROUNDINGS: f64 = 1e6;

impl Stepper {
    /// Refuses the solved step from `state` where its energy says that it is too long.
    pub(super) fn check_energy(
        &mut self,
        system: &System,
        state: &State,
        entries: &Entries,
    ) -> Result<(), Rejected> {
        let solver = &system.model.solver;
        if solver.analysis == Analysis::QuasiStatic {
            return Ok(());
        }
        let tolerance = solver.energy_tolerance.unwrap_or(TOLERANCE);
        let balance = entries.balance(state);
        // What has no mass, no stiffness and no load has no energy that could be off.
        if balance.largest == 0.0 {
            return Ok(());
        }
        let most = AIM * tolerance * balance.largest;
        let left = most - state.astray(state.energy.mechanical).abs();
        let astray = entries.astray(state, &balance);
        let allowed = SHARE * left.max(LEAST * most);
        let mut share = astray.abs() / allowed;
        // Above it in the rule is what the equations are solved to.
        if share > 1.0 / FALL {
            let unsolved = solver.position_tolerance * system.size * self.work.force_scale;
            let rounding = ROUNDINGS * entries.rounding(&balance);
            let noise = unsolved.max(rounding).max(self.noise(system));
            share = astray.abs() / allowed.max(noise);
        }
        self.share = self.share.max(share);
        if share <= 1.0 {
            return Ok(());
        }
        if self.divisible {
            return Err(Rejected::Coarse(share));
        }
        // Generalized-α gives energy where a lining is struck within a step.
        if system.is_on_linings() && self.scheme == Scheme::Alpha {
            return Err(Rejected::Struck);
        }
        let largest = balance.largest;
        if astray.abs() > GROSS * largest && self.halvable {
            return Err(Rejected::Coarse(share));
        }
        // What the time integration makes is told and no reason to end a run: a start whose accelerations no part resolves makes it in
        // parts of any length.
        let Entries { unexplained, .. } = *entries;
        if unexplained.abs() > WRONG * largest {
            let failure = Failure::Energy {
                unexplained,
                largest,
            };
            return Err(Rejected::Retry(failure));
        }
        Ok(())
    }

    /// Whether a step twice as long as the last one may do for its energy.
    pub(super) fn may_grow(&self) -> bool {
        self.share <= 1.0 / FALL
    }
}

impl System {
    fn is_on_linings(&self) -> bool {
        !self.contacts.is_empty() && !self.has_events()
    }

    /// Length, in parts of a step that has `parts`, from which on a step is not divided for its energy.
    pub(super) fn shortest(&self, parts: u64) -> u64 {
        let most = match self.is_on_linings() {
            true => PARTS_ON_LININGS,
            false => PARTS,
        };
        (parts / most).max(1)
    }
}

/// Parts from one instant that were refused for their energy, each shorter than the one before.
///
/// A vibration that no part resolves, as that of a stiff node which a load strikes, leaves as much unexplained in a shorter part, and is
/// not better for it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vain {
    longest: u64,
    share: f64,
    times: u32,
}

impl Vain {
    /// Whether shorter parts are known to be no better.
    pub(super) fn is_known(&self) -> bool {
        self.times >= IN_VAIN
    }

    /// A part of `size` has left `share` times the energy unexplained that it may; the length of the longest one of them, where
    /// shorter ones were no better.
    pub(super) fn longest(&mut self, size: u64, share: f64) -> Option<u64> {
        if self.is_known() {
            return None;
        }
        if self.longest == 0 {
            self.longest = size;
        } else if share >= self.share {
            self.times += 1;
        } else {
            *self = Vain {
                longest: size,
                ..Vain::default()
            };
        }
        self.share = share;
        self.is_known().then_some(self.longest)
    }
}

/// Length, in parts of a step of which none is divided from `shortest` on, that does for a step of `size` that leaves `share`
/// times the energy unexplained that it may.
pub(super) fn divided(size: u64, shortest: u64, share: f64) -> u64 {
    let (mut size, mut share) = (size / 2, share / FALL);
    while share > FALL && size > shortest {
        (size, share) = (size / 2, share / FALL);
    }
    size
}
