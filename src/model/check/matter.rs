//! What bodies are made of: a material with a thickness, or the mass and the inertia of a rigid body as they are given.

use super::Checker;
use super::material::Material;
use crate::checked::Matter;
use crate::elements::plane::density::{Density, State};
use crate::model::de::{Name, Scalar};
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
        &mut self, name: &Name, given: &file::Body, materials: &[Option<Material>],
    ) -> Option<Made> {
        let of_matter = given.material.is_some() || given.thickness.is_some();
        let keys = "`material` and `thickness`";
        let weighed = self.weighed(
            name,
            [&given.mass, &given.inertia],
            given.rigid,
            of_matter.then_some(keys),
        );
        let state = self.state_of_body(name, given);
        if given.mass.is_some() || given.inertia.is_some() {
            return weighed.map(Made::Weighed);
        }
        let missing: Vec<&str> =
            [("`material`", given.material.is_none()), ("`thickness`", given.thickness.is_none())]
                .into_iter()
                .filter_map(|(key, missing)| missing.then_some(key))
                .collect();
        if !missing.is_empty() {
            let instead = if given.rigid {
                "; a rigid body may have `mass` and `inertia` instead"
            } else {
                ""
            };
            let message = format!("{} needs {}{instead}", name.path, missing.join(" and "));
            self.report_entry(name, message);
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

    /// What is zero across the plane; nothing is of a rigid body.
    fn state_of_body(&mut self, name: &Name, given: &file::Body) -> Option<State> {
        match (given.state, given.rigid) {
            (Some(_), true) => {
                let message = format!(
                    "{} is rigid, which has no stress; leave `state` out, or `rigid`",
                    name.path
                );
                self.report_entry(name, message);
            }
            (None, false) => {
                let message = format!(
                    "{} needs `state`: \"plane_stress\" or \"plane_strain\"; or write rigid = true",
                    name.path
                );
                self.report_entry(name, message);
            }
            _ => {}
        }
        given.state.map(|state| match state {
            file::PlaneState::PlaneStress => State::PlaneStress,
            file::PlaneState::PlaneStrain => State::PlaneStrain,
        })
    }

    /// Mass and inertia of a `rigid` body or member that has them as such, and not what it is made `of`.
    pub(super) fn weighed(
        &mut self, name: &Name, [mass, inertia]: [&Option<Scalar>; 2], rigid: bool,
        of: Option<&str>,
    ) -> Option<[f64; 2]> {
        let mass = (mass.as_ref()).map(|mass| self.number(mass));
        let inertia = (inertia.as_ref()).map(|inertia| self.number(inertia));
        let fault = match (mass, inertia, of) {
            (None, None, _) => return None,
            _ if !rigid => {
                "`mass` and `inertia` belong to what is rigid; write rigid = true, or leave them out"
                    .to_string()
            }
            (Some(_), None, _) => "it has a `mass`, but no `inertia`; give both, or none".to_string(),
            (None, Some(_), _) => "it has an `inertia`, but no `mass`; give both, or none".to_string(),
            (_, _, Some(keys)) => format!(
                "`mass` and `inertia` say what it weighs; leave {keys} out, or both of these"
            ),
            (Some(mass), Some(inertia), None) => return Some([mass, inertia]),
        };
        self.report_entry(name, format!("{}: {fault}", name.path));
        None
    }
}
