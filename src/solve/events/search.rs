//! Conditions that a step breaks: how far sliders are beyond them, and which are met together.

use crate::joints::regime::{End, Regime, Sense};
use crate::solve::tolerances::{TOGETHER, TOGETHER_IF_SHARP};
use crate::system::{Kink, NO_GAP, State, System};

/// A condition of a slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// What sticks bears its force; what slides does not turn back.
    Friction,
    /// A closed contact presses, an open one has a gap.
    Contact,
    /// A slider is between its stops, or between the ends at which it leaves its path; what is at a stop presses on it.
    Stop,
    /// It is before the next kink of its path.
    Kink,
}

impl Condition {
    pub const ALL: [Condition; 4] =
        [Condition::Friction, Condition::Contact, Condition::Stop, Condition::Kink];
}

/// How far a slider is beyond a condition in the part of a step that is tried: above 0 where it is broken.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Excess {
    /// At the end of the part.
    pub over: f64,
    /// Where the search stands.
    pub now: f64,
    /// Whether its instant must be found exactly: where there is an impact, or a force ends at once.
    pub sharp: bool,
}

/// A slider in the part of a step that is tried, and in the event at its end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tried {
    /// Of its conditions, in their order.
    pub excess: [Excess; 4],
    /// Its regime before.
    pub regime: Regime,
    /// How deep an open contact may be, m.
    pub depth: f64,
    /// Whether it is in the air beyond an end of its path at the beginning.
    pub outside: bool,
    /// Force along the path, N: which way it breaks away.
    pub pull: f64,
    /// The kink that it passes.
    pub kink: Option<Kink>,
    /// Whether it meets a stop, a kink or its path.
    pub meets: bool,
    /// Whether its contact has hardly been open: it does not bounce.
    pub hardly: bool,
    /// Whether its contact is closed and may open in the event, or closes in it.
    pub touching: bool,
    /// The stop at which it stands.
    pub stop: Option<End>,
    /// Whether static friction locks it after the event, as far as that is known.
    pub holds: bool,
    /// Whether it slides from the event on, see [`Search::breaks_away`].
    pub breaks_away: bool,
    /// Whether it has slid up to the event and has no velocity there.
    pub arrives: bool,
}

/// The search of the first condition that a step breaks.
#[derive(Debug, Clone)]
pub(crate) struct Search {
    /// A gap that is none, m.
    gap_rounding: f64,
    /// Whether what reaches the limit of its friction slides from there on, although the limit is found to a sharpness only, on either
    /// side of which it may lie: where a host learns that it does.
    pub breaks_away: bool,
    /// Whether a condition was nearly broken, or hardly, in any part that has been tried since this was last set: see [`NEARLY`].
    pub nearly: bool,
    pub sliders: Vec<Tried>,
}

/// Share of its change over a step within which a condition is nearly broken: a derivative holds as far as other numbers break it or not.
pub(super) const NEARLY: f64 = 1e-3;

impl Search {
    pub fn new(system: &System) -> Search {
        Search {
            gap_rounding: NO_GAP * system.size,
            breaks_away: false,
            nearly: false,
            sliders: vec![Tried::default(); system.sliders.len()],
        }
    }

    fn all(&self) -> impl Iterator<Item = &Excess> {
        self.sliders.iter().flat_map(|own| &own.excess)
    }

    /// What sliders exceed.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Excess> {
        self.sliders.iter_mut().flat_map(|own| &mut own.excess)
    }

    /// Whether any condition is broken at the end of the step.
    pub fn any(&self) -> bool {
        self.all().any(|one| one.over > 0.0)
    }

    /// Whether any of those is sharp.
    pub fn any_sharp(&self) -> bool {
        self.all().any(|one| one.over > 0.0 && one.sharp)
    }

    /// Whether the search has ended at a condition of slider `j`. What it has ended beyond is there, however rough the forces of
    /// a short part are, and with an impact what is nearly there: of corners that strike together, none strikes first by rounding.
    pub fn is_there(&self, condition: Condition, j: usize) -> bool {
        let Excess { over, now, sharp } = self.sliders[j].excess[condition as usize];
        let first = self.largest(false);
        let together = if sharp { TOGETHER_IF_SHARP } else { TOGETHER };
        let near = match sharp {
            true => now >= -self.gap_rounding && self.largest(true) >= first - together,
            false => now > 0.0,
        };
        over > 0.0 && (near || now / over >= first - together)
    }

    /// The conditions at which the search has ended.
    fn there(&self) -> impl Iterator<Item = (Condition, usize)> {
        let sliders = 0..self.sliders.len();
        let all = sliders.flat_map(|j| Condition::ALL.map(|condition| (condition, j)));
        all.filter(|&(condition, j)| self.is_there(condition, j))
    }

    /// Whether the search has ended where friction changes and nothing else does.
    pub fn is_friction(&self) -> bool {
        let mut others = self.there().map(|(what, _)| what != Condition::Friction);
        others.next() == Some(false) && !others.any(|other| other)
    }

    /// Whether the search has ended at an impact.
    pub fn is_impact(&self, system: &System) -> bool {
        self.there().any(|(condition, j)| {
            let leaves = condition == Condition::Stop && system.sliders[j].leaves();
            !leaves && self.sliders[j].excess[condition as usize].sharp
        })
    }

    /// The largest excess where the search stands over the conditions that the step breaks, or only over the `sharp` among them, relative to
    /// its end.
    pub fn largest(&self, sharp: bool) -> f64 {
        let all = self.all().filter(|one| !sharp || one.sharp);
        let broken = all.filter(|one| one.over > 0.0).map(|one| one.now / one.over);
        broken.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Lets those slide in `state` that stick and carry more than they bear at the end of the step; whether there are any, and no
    /// other condition is broken.
    pub fn break_away(&self, state: &mut State) -> bool {
        let mut any = false;
        for (tried, own) in self.sliders.iter().zip(&mut state.sliders) {
            let [friction, others @ ..] = tried.excess.map(|excess| excess.over > 0.0);
            if others.contains(&true) || friction && !own.regime.sticks() {
                return false;
            }
            if friction {
                own.regime = Regime::Slip(Sense::pushed(tried.pull));
                any = true;
            }
        }
        any
    }
}
