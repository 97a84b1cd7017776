//! What a friction law is, whatever its numbers.

use super::{Contact, Friction, Rest, Transition};

/// What of a friction law does not depend on its numbers: it stays while they are tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kind {
    /// Whether there is friction.
    pub acts: bool,
    /// Whether it acts on a slider's mass: how it holds depends on it.
    pub sticks: bool,
    /// Whether a joint that came to rest stays at rest from step to step, until it
    /// [breaks away](Friction::breaks_away).
    pub keeps_rest: bool,
    /// Whether the resultant F_R includes the slider's inertia force.
    pub feels_inertia: bool,
    /// Whether the steps are cut where the slider begins to stick or to slide.
    pub set_valued: bool,
    /// Whether it is a law with memory.
    pub remembers: bool,
    /// Whether it is a law of [bounded](Friction::bounded) bristles.
    pub bounded: bool,
}

impl Friction {
    /// What it is, whatever its numbers.
    pub fn kind(&self) -> Kind {
        let law = self.law();
        let transition = law.and_then(|law| match law.rest() {
            Rest::Holds(transition) => Some(transition),
            Rest::Creeps => None,
        });
        let keeps_rest = law.is_some_and(|law| law.keeps_rest());
        Kind {
            acts: *self != Friction::None,
            sticks: transition.is_some(),
            keeps_rest: keeps_rest && transition.is_some_and(|t| t != Transition::SiqueiraCoda2023),
            feels_inertia: transition == Some(Transition::SiqueiraCoda2023),
            set_valued: transition == Some(Transition::SetValued),
            remembers: self.memory_law().is_some(),
            bounded: self.bounded(&Contact::default(), 0.0).is_some(),
        }
    }
}
