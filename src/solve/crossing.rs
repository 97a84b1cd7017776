//! How far the sliders of a step are beyond their transitions.

use crate::joints::regime::Regime;
use crate::system::System;

/// Transitions closer together than this share of what is passed in the step are one.
const TOGETHER: f64 = 1e-3;

/// Room for the search of transitions: for each slider how far it is beyond sticking or sliding, then
/// for each slider how far its contact is beyond opening or closing.
#[derive(Debug, Clone)]
pub(super) struct Crossing {
    /// At the end of the part of the step that is tried.
    pub over: Vec<f64>,
    /// Regimes before a transition.
    pub regimes: Vec<Regime>,
    /// Force along the path there, N: which way a slider breaks away.
    pub pull: Vec<f64>,
    /// At its beginning.
    pub before: Vec<f64>,
    /// Where the search stands.
    pub now: Vec<f64>,
}

impl Crossing {
    pub fn new(system: &System) -> Crossing {
        let sliders = system.sliders.len();
        let none = vec![-1.0; 2 * sliders];
        Crossing {
            over: none.clone(),
            regimes: vec![Regime::default(); sliders],
            pull: vec![0.0; sliders],
            before: none.clone(),
            now: none,
        }
    }

    /// Whether transition `j` is where the search has ended.
    pub fn is_there(&self, j: usize) -> bool {
        self.over[j] > 0.0 && self.now[j] / self.over[j] >= self.largest(&self.now) - TOGETHER
    }

    /// Contacts that pass a transition in the step, by slider.
    pub fn contacts(&self) -> impl Iterator<Item = usize> + '_ {
        let sliders = self.pull.len();
        (0..sliders).filter(move |&j| self.over[sliders + j] > 0.0)
    }

    /// The largest of `beyond` over those that pass a transition in the step, relative to its end.
    pub fn largest(&self, beyond: &[f64]) -> f64 {
        (beyond.iter().zip(&self.over))
            .filter(|(_, over)| **over > 0.0)
            .map(|(beyond, over)| beyond / over)
            .fold(f64::NEG_INFINITY, f64::max)
    }
}
