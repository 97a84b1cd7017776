//! The numbers of a mechanism that may change between steps.

use std::sync::Arc;

use super::System;
use crate::laws::friction::Friction;
use crate::model::checked::Checked;

/// The numbers that may be tuned between steps: those of the friction laws. Neither geometry nor
/// mass nor the pattern of the equations depends on them, so they stand beside the [`System`], in
/// every [`State`](super::State). Clones share them until one is tuned.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tuning {
    friction: Arc<[Friction]>,
}

impl Tuning {
    /// The numbers of the model file.
    pub fn of(model: &Checked) -> Tuning {
        let laws = model.sliders.iter().map(|slider| slider.friction.clone());
        Tuning {
            friction: laws.collect(),
        }
    }

    /// The friction law of a slider.
    pub fn friction(&self, slider: usize) -> &Friction {
        &self.friction[slider]
    }

    /// Replaces the friction law of a slider by one of the same kind with other numbers.
    pub fn set_friction(&mut self, slider: usize, law: Friction) {
        Arc::make_mut(&mut self.friction)[slider] = law;
    }

    /// Whether they are numbers for the sliders of `system`.
    pub fn fits(&self, system: &System) -> bool {
        self.friction.len() == system.sliders.len()
    }
}
