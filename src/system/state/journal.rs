//! What each sliding joint has done since the start.

use serde::{Deserialize, Serialize};

use super::State;
use super::field::of_fields;
use crate::joints::regime::Regime;

of_fields! {
    /// Friction of one slider since the start.
    #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
    pub struct Journal {
        /// Work of friction, J.
        pub work: f64,
        /// The part of it that the bristles of a law with memory hold, J.
        pub stored: f64,
        /// Changes between sticking, sliding and being off the path; a fixed number of bytes, as for the counters.
        #[serde(with = "postcard::fixint::le")]
        pub transitions: u64,
        /// Time of the last one, s; 0 before the first.
        pub transition_time: f64,
        /// What it did at the last look.
        regime: Regime,
    }
}

of_fields! {
/// Friction of one contact of surfaces since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactJournal {
    /// Work of friction, J.
    pub work: f64,
    /// The part of it that the contact layer holds along the faces, J.
    pub stored: f64,
    /// Where the beginning and the end of the path are below the surface.
    pub ends: [Option<PathEnd>; 2],
}
}

/// Where an end of a path is below a surface.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct PathEnd {
    /// Counted along the surface, m.
    pub place: f64,
    /// Derivative of what contact layers store by this, N.
    pub force: f64,
}

of_fields! {
    /// What a spring remembers, and what it has done since the start.
    #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
    pub struct SpringState {
        /// Where the friction of its slip element stands, m or rad.
        pub anchor: f64,
        /// Work of its slip element, J.
        pub friction_work: f64,
        /// The part of it that the slip element holds, J.
        pub stored: f64,
        /// Work of its damper, J.
        pub damping_work: f64,
    }
}

/// Mean over a step of `values` at its two ends, which belong to the friction forces `ends` of a
/// slider that slid this way. Where it has turned back, friction of the beginning drives it: what the mechanism feels of both
/// counts as far as it takes energy. Where that of the end drives it, too, that of the end counts alone.
pub(crate) fn mean_friction(ends: [f64; 2], slid: f64, values: [f64; 2]) -> f64 {
    match ends.map(|force| force * slid) {
        [first, last] if first < 0.0 && last < 0.0 => values[1],
        [first, last] if first < 0.0 && first + last < 0.0 => 0.0,
        _ => 0.5 * (values[0] + values[1]),
    }
}

impl State {
    /// Begins the journal of every slider. What the start has bent its bristles by is energy that the
    /// mechanism has from the beginning.
    pub(crate) fn begin_journal(&mut self) {
        for (journal, slider) in self.journal.iter_mut().zip(&self.sliders) {
            *journal = Journal {
                work: journal.stored,
                stored: journal.stored,
                regime: slider.regime,
                ..Journal::default()
            };
        }
        for journal in &mut self.contacts {
            journal.work = journal.stored;
        }
        for spring in &mut self.springs {
            spring.friction_work = spring.stored;
            spring.damping_work = 0.0;
        }
    }

    /// Counts the sliders that have begun to stick or to slide, lifted off or touched down since the last look, at `time` (s).
    pub(crate) fn keep_journal(&mut self, time: f64) {
        for (journal, slider) in self.journal.iter_mut().zip(&self.sliders) {
            let before = std::mem::replace(&mut journal.regime, slider.regime);
            let seen = |regime: Regime| (regime.sticks(), regime.is_open());
            if seen(before) != seen(slider.regime) {
                journal.transitions += 1;
                journal.transition_time = time;
            }
        }
    }

    /// Work of friction in all sliders, contacts and springs, J.
    pub(crate) fn friction_work(&self) -> f64 {
        let contacts = self.contacts.iter().map(|journal| journal.work);
        let sliders = self.journal.iter().map(|journal| journal.work);
        let springs = self.springs.iter().map(|spring| spring.friction_work);
        sliders.chain(contacts).chain(springs).sum()
    }

    /// What nothing explains where the kinetic, strain and potential energy is `mechanical`, J: what the balance leaves open, and what the
    /// time integration has made. Above 0 what has disappeared.
    pub(crate) fn energy_error(&self, mechanical: f64) -> f64 {
        self.unexplained(mechanical) - self.energy.made()
    }

    /// What the energy balance leaves open where the kinetic, strain and potential energy is `mechanical`, J.
    fn unexplained(&self, mechanical: f64) -> f64 {
        let balance = &self.energy;
        balance.start + balance.input_work
            - self.friction_work()
            - balance.damping_work
            - balance.numerical_dissipation
            - balance.impact_loss
            - mechanical
    }

    /// The part of it that bristles and contact layers hold, J.
    pub(crate) fn friction_stored(&self) -> f64 {
        let contacts = self.contacts.iter().map(|journal| journal.stored);
        let sliders = self.journal.iter().map(|journal| journal.stored);
        let springs = self.springs.iter().map(|spring| spring.stored);
        sliders.chain(contacts).chain(springs).sum()
    }
}
