//! Outputs of entries that are switched off.

use super::Source;
use crate::checked::{Output, Subject};
use crate::joints::regime::Regime;
use crate::quantity::Quantity;
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What can be read of what is not there.
    pub enum OfSwitchedOff of (_model, _of = ()) {}
    Zero => from_zero("", Dimensionless, ""),
    /// A joint that is not there holds nothing.
    Regime => from_zero("", JointRegime, ""),
}

impl OfSwitchedOff {
    /// What stands for an output that measures `quantity`.
    pub fn output(quantity: Quantity) -> Output {
        let of = match quantity {
            Quantity::JointRegime => OfSwitchedOff::Regime,
            _ => OfSwitchedOff::Zero,
        };
        of.of(Subject::SwitchedOff)
    }

    pub(super) fn value<N: Numbers<State>>(self, _: &System, _: &N, (): ()) -> N::Number {
        N::Number::from(match self {
            OfSwitchedOff::Zero => 0.0,
            OfSwitchedOff::Regime => Regime::Open.number(),
        })
    }

    pub(super) fn sources(self, _: &System, (): ()) -> Vec<Source> {
        Vec::new()
    }
}
