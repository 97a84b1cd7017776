//! Conditions that a step breaks: how far sliders are beyond them, and which are met together.

use crate::joints::regime::Regime;
use crate::solve::tolerances::{TOGETHER, TOGETHER_IF_SHARP};
use crate::system::{Kink, NO_GAP, System};

/// A condition of a slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// What sticks bears its force; what slides does not turn back.
    Friction,
    /// A closed contact presses, an open one has a gap.
    Contact,
    /// A slider is between its stops, or between the ends at which it leaves its path; what a stop holds presses on it.
    Stop,
    /// It is before the next kink of its path.
    Kink,
}

impl Condition {
    pub const ALL: [Condition; 4] = [
        Condition::Friction,
        Condition::Contact,
        Condition::Stop,
        Condition::Kink,
    ];
}

/// Room for the search of the first condition that a step breaks; its lists hold a number for each
/// condition and slider.
#[derive(Debug, Clone)]
pub(crate) struct Crossing {
    sliders: usize,
    /// A gap that is none, m.
    gap_rounding: f64,
    /// How far each is beyond at the end of the part of the step that is tried: above 0 where it is broken.
    pub over: Vec<f64>,
    /// At its beginning.
    pub before: Vec<f64>,
    /// Where the search stands.
    pub now: Vec<f64>,
    /// Whether its instant must be found exactly: where there is an impact, or a force ends at once.
    pub sharp: Vec<bool>,
    /// Regimes before.
    pub regimes: Vec<Regime>,
    /// How deep an open contact may be, m.
    pub depths: Vec<f64>,
    /// Whether it is in the air beyond an end of its path at the beginning.
    pub outside: Vec<bool>,
    /// Force along the path, N: which way a slider breaks away.
    pub pull: Vec<f64>,
    /// The kink that a slider passes in the step.
    pub kinks: Vec<Option<Kink>>,
}

impl Crossing {
    pub fn new(system: &System) -> Crossing {
        let sliders = system.sliders.len();
        let none = vec![-1.0; Condition::ALL.len() * sliders];
        Crossing {
            sliders,
            gap_rounding: NO_GAP * system.size,
            over: none.clone(),
            before: none.clone(),
            sharp: vec![false; none.len()],
            now: none,
            regimes: vec![Regime::default(); sliders],
            depths: vec![0.0; sliders],
            outside: vec![false; sliders],
            pull: vec![0.0; sliders],
            kinks: vec![None; sliders],
        }
    }

    pub fn place(&self, condition: Condition, j: usize) -> usize {
        condition as usize * self.sliders + j
    }

    /// Whether any condition is broken at the end of the step.
    pub fn any(&self) -> bool {
        self.over.iter().any(|over| *over > 0.0)
    }

    /// Leaves out what is not sharp.
    pub fn keep_sharp(&mut self) {
        let both = self.over.iter_mut().zip(&self.sharp);
        both.filter(|(_, sharp)| !**sharp)
            .for_each(|(over, _)| *over = -1.0);
    }

    /// Whether any of those is sharp.
    pub fn any_sharp(&self) -> bool {
        (self.over.iter().zip(&self.sharp)).any(|(over, sharp)| *over > 0.0 && *sharp)
    }

    /// Whether the search has ended at a condition of slider `j`. What it has ended beyond is there, however rough the forces of
    /// a short part are, and with an impact what is nearly there: of corners that strike together, none strikes first by rounding.
    pub fn is_there(&self, condition: Condition, j: usize) -> bool {
        let i = self.place(condition, j);
        let together = if self.sharp[i] {
            TOGETHER_IF_SHARP
        } else {
            TOGETHER
        };
        let (now, first) = (self.now[i], self.largest(&self.now, false));
        let near = if self.sharp[i] {
            now >= -self.gap_rounding && self.largest(&self.now, true) >= first - together
        } else {
            now > 0.0
        };
        self.over[i] > 0.0 && (near || now / self.over[i] >= first - together)
    }

    /// Whether the search has ended where friction changes and nothing else does.
    pub fn is_friction(&self) -> bool {
        let there = |condition| (0..self.sliders).any(|j| self.is_there(condition, j));
        let others = Condition::ALL
            .into_iter()
            .filter(|c| *c != Condition::Friction);
        there(Condition::Friction) && !others.into_iter().any(there)
    }

    /// Whether the search has ended at an impact.
    pub fn is_impact(&self, system: &System) -> bool {
        let mut all = Condition::ALL
            .into_iter()
            .flat_map(|condition| (0..self.sliders).map(move |j| (condition, j)));
        all.any(|(condition, j)| {
            let leaves = condition == Condition::Stop && system.sliders[j].leaves();
            !leaves && self.sharp[self.place(condition, j)] && self.is_there(condition, j)
        })
    }

    /// The largest of `beyond` over the conditions that the step breaks, or only over the `sharp` among them, relative to its end.
    pub fn largest(&self, beyond: &[f64], sharp: bool) -> f64 {
        (beyond.iter().zip(&self.over).zip(&self.sharp))
            .filter(|((_, over), exact)| **over > 0.0 && (!sharp || **exact))
            .map(|((beyond, over), _)| beyond / over)
            .fold(f64::NEG_INFINITY, f64::max)
    }
}
