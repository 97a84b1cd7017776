//! Terms of the energy balance.

use super::{List, Source};
use crate::checked::Subject;
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// Terms of the energy balance, J.
    pub enum OfEnergy of (model, _energy = ()) {
        // Springs are strained, and their slip elements bent, by their own numbers.
        let sprung = !model.springs.is_empty();
        let slips = model.springs.iter().any(|spring| spring.law.slip.is_some());
        let by_slip = if slips { at_forces } else { from_zero };
    }
    Kinetic => at_velocities("kinetic", Energy, "Kinetic energy"),
    Strain => match sprung {
        true => at_forces("strain", Energy, "Strain energy"),
        false => at_positions("strain", Energy, "Strain energy"),
    },
    Potential => at_forces("potential", Energy, "Potential energy of gravity"),
    InputWork => from_zero("input_work", Energy, "Work of loads and imposed motions"),
    FrictionWork => by_slip("friction_work", Energy, "Energy dissipated by friction"),
    FrictionStored => by_slip("friction_stored", Energy, "Part of the work of friction that bristles and contact layers store").never_negative(),
    DampingWork => from_zero("damping_work", Energy, "Energy dissipated by structural damping"),
    NumericalDissipation => from_zero("numerical_dissipation", Energy, "Energy taken by the time integration"),
    ImpactLoss => from_zero("impact_loss", Energy, "Energy taken by impacts"),
    Balance => from_zero("balance", Energy, "Error of the energy balance"),
}

pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    let stores = model.sliders.iter().any(|s| s.friction.kind().remembers)
        || model.contacts.iter().any(|c| c.friction.kind().sticks)
        || model.springs.iter().any(|s| s.law.slip.is_some());
    for of in OfEnergy::ALL.iter().filter(|of| **of != OfEnergy::FrictionStored || stores) {
        list.add("energy", "", of.of(Subject::Energy));
    }
}

impl OfEnergy {
    pub(super) fn value<N: Numbers<State>>(self, system: &System, state: &N, (): ()) -> N::Number {
        match self {
            OfEnergy::Kinetic => system.energy().kinetic(state),
            OfEnergy::Strain => system.energy().strain(state),
            OfEnergy::Potential => system.loads.gravity.potential(state),
            OfEnergy::InputWork => state.get(|s| s.energy.input_work),
            OfEnergy::FrictionWork => state.get(State::friction_work),
            OfEnergy::FrictionStored => state.get(State::friction_stored),
            OfEnergy::DampingWork => state.get(|s| s.energy.damping_work),
            OfEnergy::NumericalDissipation => state.get(|s| s.energy.numerical_dissipation),
            OfEnergy::ImpactLoss => state.get(|s| s.energy.impact_loss),
            OfEnergy::Balance => {
                let expected = state.get(|s| {
                    s.energy.start + s.energy.input_work
                        - s.friction_work()
                        - s.energy.damping_work
                        - s.energy.numerical_dissipation
                        - s.energy.impact_loss
                });
                expected - system.energy().mechanical(state)
            }
        }
    }

    pub(super) fn sources(self, _: &System, (): ()) -> Vec<Source> {
        vec![Source::Everything]
    }
}
