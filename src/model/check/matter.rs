//! What bodies are made of: a material with a thickness, or the mass and the inertia of a rigid body as they are given.

use super::Checker;
use super::material::Material;
use crate::checked::Matter;
use crate::elements::plane::density::{Density, State};
use crate::model::de::Scalar;
use crate::model::file;

/// What a body weighs, and how it answers to forces.
pub(super) enum Made {
    Elastic(Density, Matter),
    Rigid(Matter),
    /// A rigid body of a given mass (kg) and moment of inertia about its centre (kg·m²).
    Weighed([f64; 2]),
}

impl Checker<'_> {
    /// What a body is made of, one of `materials`.
    pub(super) fn made(
        &mut self, given: &file::Body, materials: &[Option<Material>],
    ) -> Option<Made> {
        let weighed = self.weighed([&given.mass, &given.inertia]);
        let state = state_of_body(given);
        if given.mass.is_some() || given.inertia.is_some() {
            return weighed.map(Made::Weighed);
        }
        let thickness = (given.thickness.as_ref()).map(|thickness| self.number(thickness));
        let material = given.material.as_ref()?;
        let found = self.find(material, "materials", &self.file.materials);
        let Material { elasticity, density } = materials.get(found?).copied()??;
        let matter = Matter { thickness: thickness?, density };
        match state {
            None => Some(Made::Rigid(matter)),
            Some(state) => {
                let energy = self.energy_of(material, elasticity, state)?;
                Some(Made::Elastic(energy, matter))
            }
        }
    }

    /// Mass and inertia of a rigid body or member that has both as such.
    pub(super) fn weighed(&mut self, given: [&Option<Scalar>; 2]) -> Option<[f64; 2]> {
        let [mass, inertia] = given.map(|number| number.as_ref().map(|n| self.number(n)));
        Some([mass?, inertia?])
    }
}

/// What is zero across the plane; nothing is of a rigid body.
fn state_of_body(given: &file::Body) -> Option<State> {
    given.state.map(|state| match state {
        file::PlaneState::PlaneStress => State::PlaneStress,
        file::PlaneState::PlaneStrain => State::PlaneStrain,
    })
}
