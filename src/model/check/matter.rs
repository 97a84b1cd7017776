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

impl file::Body {
    /// What a body is made of, one of `materials`.
    pub(super) fn matter(
        &self, check: &mut Checker<'_>, materials: &[Option<Material>],
    ) -> Option<Made> {
        let weighed = check.weighed([&self.mass, &self.inertia]);
        let state = state_of_body(self);
        if self.mass.is_some() || self.inertia.is_some() {
            return weighed.map(Made::Weighed);
        }
        let thickness = (self.thickness.as_ref()).map(|thickness| check.number(thickness));
        let material = self.material.as_ref()?;
        let found = check.find(material, "materials", &check.file.materials);
        let Material { elasticity, density } = materials.get(found?).copied()??;
        let matter = Matter { thickness: thickness?, density };
        match state {
            None => Some(Made::Rigid(matter)),
            Some(state) => {
                let energy = elasticity.energy(check, material, state)?;
                Some(Made::Elastic(energy, matter))
            }
        }
    }
}

impl Checker<'_> {
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
