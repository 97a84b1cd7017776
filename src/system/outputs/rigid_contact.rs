//! Outputs of contacts of rigid surfaces: sums over their corners, each of which is a slider.

use num_dual::DualStruct;

use super::contact::names_of;
use super::{Connector, List, OfContact, Source, slider};
use crate::checked::Subject;
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What a contact of a rigid surface does.
    pub enum OfRigidContact of (model, contact = usize) {}
    NormalForce => OfContact::NormalForce.item(model, contact),
    ForceX => OfContact::ForceX.item(model, contact),
    ForceY => OfContact::ForceY.item(model, contact),
    /// About the mean place of its corners.
    Moment => at_forces("moment", Moment, "Moment about the mean position of the corners of {}, exerted on the path"),
    FrictionForce => OfContact::FrictionForce.item(model, contact),
    Centre => at_forces("centre", Length, "Position along the path of the mean normal force of {}; the mean of its corners where nothing touches"),
    /// Share of the corners that touch.
    Sticking => at_forces("sticking", Dimensionless, "Fraction of the corners of {} in contact that stick"),
    Gap => at_positions("gap", Length, "Least distance of the corners of {} from the faces of their guide; 0 where one touches"),
    /// Integer.
    Sides => OfContact::Sides.item(model, contact),
    Position => at_positions("position", Length, "Mean position of the corners of {} along the path"),
    DissipatedEnergy => OfContact::DissipatedEnergy.item(model, contact),
}

/// The outputs of all contacts of rigid surfaces, each with those of its corners, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, contact) in model.rigid_contacts.iter().enumerate() {
        let surface = names_of(model, &contact.surface);
        for of in OfRigidContact::ALL {
            let path = format!("contacts.{}", contact.name);
            list.add(&path, &surface, of.of(Subject::RigidContact(id)));
        }
        contact.corners.clone().for_each(|j| slider::list(list, j));
    }
}

impl OfRigidContact {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, contact: usize,
    ) -> N::Number {
        let now = state.now();
        let corners = || system.model.rigid_contacts[contact].corners.clone();
        let sum = |of: &dyn Fn(usize) -> N::Number| {
            corners().fold(N::Number::from(0.0), |sum, j| sum + of(j))
        };
        let mean = |of: &dyn Fn(usize) -> N::Number| sum(of) / corners().len() as f64;
        // Corners count along their faces, which a bend makes longer or shorter than the path.
        let slid = |j: usize| {
            let of_face = state.get(|s| s.q[system.sliders[j].coordinate]);
            let [along, rate] = system.sliders[j].path.along_axis(of_face.re());
            (of_face - of_face.re()) * rate + along
        };
        let pressed = |j: usize| system.sliders[j].normal_force_of(state)[0];
        let force = |j: usize, i: usize| state.get(|s| s.multipliers[j][i]);
        let touches = |j: &usize| !now.sliders[*j].regime.is_open();
        let whole = |count: usize| N::Number::from(count as f64);
        match self {
            OfRigidContact::NormalForce => sum(&pressed),
            OfRigidContact::ForceX => sum(&|j| force(j, 0)),
            OfRigidContact::ForceY => sum(&|j| force(j, 1)),
            OfRigidContact::Moment => {
                let at = |j: usize, i: usize| state.get(|s| s.q[system.sliders[j].unknowns[i]]);
                let middle = [0, 1].map(|i| mean(&|j| at(j, i)));
                sum(&|j| {
                    let [x, y] = [0, 1].map(|i| at(j, i) - middle[i]);
                    x * force(j, 1) - y * force(j, 0)
                })
            }
            OfRigidContact::FrictionForce => sum(&|j| system.sliders.friction_force(j, state)),
            OfRigidContact::Centre => {
                let whole = sum(&pressed);
                if whole.re() > 0.0 { sum(&|j| pressed(j) * slid(j)) / whole } else { mean(&slid) }
            }
            OfRigidContact::Sticking => {
                let sticking = corners().filter(|&j| now.sliders[j].regime.sticks());
                whole(sticking.count()) / (corners().filter(touches).count().max(1) as f64)
            }
            OfRigidContact::Gap => {
                let gap = |j: &usize| system.sliders[*j].gap_of_state(now);
                let least = corners().min_by(|a, b| gap(a).total_cmp(&gap(b)));
                least.map_or_else(|| N::Number::from(0.0), |j| system.sliders[j].gap_in(state))
            }
            OfRigidContact::Sides => {
                let on = |left: bool| {
                    let of_face = |j: &usize| {
                        let side = system.sliders[*j].side;
                        side.is_some_and(|side| (side.sign() > 0.0) == left)
                    };
                    corners().filter(touches).any(|j| of_face(&j))
                };
                whole([true, false].into_iter().filter(|&left| on(left)).count())
            }
            OfRigidContact::Position => mean(&slid),
            OfRigidContact::DissipatedEnergy => {
                sum(&|j| state.get(|s| s.journal[j].work - s.journal[j].stored))
            }
        }
    }

    pub(super) fn sources(self, system: &System, contact: usize) -> Vec<Source> {
        let corners = system.model.rigid_contacts[contact].corners.clone();
        corners.map(|j| Source::Of(Connector::Slider, j)).collect()
    }
}
