//! The numbers of a mechanism that may change between steps.

use std::sync::Arc;

use crate::checked::{Checked, Tunable};
use crate::laws::friction::Friction;

/// The numbers that may be tuned between steps: those of the friction laws. Neither geometry nor
/// mass nor the pattern of the equations depends on them, so they stand beside the [`System`](super::System), in
/// every [`State`](super::State); clones share them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tuning {
    /// Those of the sliders, then of the contacts.
    friction: Arc<[Friction]>,
    /// Above which coefficient each slider would wedge across its guide.
    wedging: Arc<[f64]>,
}

impl Tuning {
    /// The numbers of the model file.
    pub fn of(model: &Checked) -> Tuning {
        let sliders = model.sliders.iter();
        let laws = sliders.map(|slider| &slider.friction);
        let laws = laws.chain(model.contacts.iter().map(|contact| &contact.friction));
        let laws = laws.cloned();
        let wedging = model.sliders.iter().map(|s| s.bearing.wedging());
        let wedging = wedging.chain(model.contacts.iter().map(|_| f64::INFINITY));
        Tuning { friction: laws.collect(), wedging: wedging.collect() }
    }

    /// The friction law of a slider or, behind them, of a contact.
    pub fn friction(&self, law: usize) -> &Friction {
        &self.friction[law]
    }

    /// The same laws with other values of some numbers; `None` where one is out of range or some do
    /// not go together.
    pub fn with_numbers(&self, numbers: impl Iterator<Item = (Tunable, f64)>) -> Option<Tuning> {
        let mut tuning = self.clone();
        let laws = Arc::make_mut(&mut tuning.friction);
        for (tunable, value) in numbers {
            for law in &mut laws[tunable.laws] {
                *law = law.with_number(tunable.number, value);
            }
        }
        for (law, wedging) in laws.iter_mut().zip(&*self.wedging) {
            *law = law.admitted()?;
            if wedging.is_finite() && law.largest_coefficient() >= *wedging {
                return None;
            }
        }
        Some(tuning)
    }

    /// The same laws where each number has changed by `share` times its change.
    pub(crate) fn moved(&self, changes: &[Vec<f64>], share: f64) -> Tuning {
        let mut tuning = self.clone();
        if changes.iter().flatten().all(|change| *change == 0.0) {
            return tuning;
        }
        for (law, changes) in Arc::make_mut(&mut tuning.friction).iter_mut().zip(changes) {
            for (number, change) in changes.iter().enumerate() {
                *law = law.with_number(number, law.numbers()[number].1 + share * change);
            }
        }
        tuning
    }

    /// The numbers `before` of laws without memory, whose forces jump with them, and these of laws with memory, which act from the step that
    /// follows on: its end decides on what they remember and on their force together.
    pub(crate) fn jump_from(&self, before: &Tuning) -> Tuning {
        let mut tuning = self.clone();
        for (law, old) in Arc::make_mut(&mut tuning.friction).iter_mut().zip(&*before.friction) {
            if !law.kind().remembers {
                law.clone_from(old);
            }
        }
        tuning
    }

    /// Whether `other` has numbers for as many laws.
    pub(super) fn has_as_many_laws(&self, other: &Tuning) -> bool {
        self.friction.len() == other.friction.len()
    }
}
