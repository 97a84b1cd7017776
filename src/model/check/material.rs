//! Materials: a density, and Hooke's law or a law of large strains.

use super::Checker;
use crate::elements::plane::density::{
    Coefficients, Density, Form, Polynomial, SaintVenantKirchhoff, State,
};
use crate::message::{excerpt, figure, rounded};
use crate::model::de::{Name, Scalar};
use crate::model::file;

/// A material as checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Material {
    pub elasticity: Elasticity,
    /// kg/m³.
    pub density: f64,
}

/// How a material answers to strain.
#[derive(Debug, Clone, Copy)]
pub(super) enum Elasticity {
    /// By Hooke's law with these moduli, E and G, Pa.
    Hooke([f64; 2]),
    /// By a law of large strains, which bodies have.
    Large(Coefficients),
}

impl Checker<'_> {
    /// The material `name`.
    pub(super) fn material(&mut self, given: &file::Material, name: &Name) -> Material {
        let elasticity = match self.large_strains(given, name) {
            Some(law) => Elasticity::Large(law),
            None => Elasticity::Hooke(self.hooke(given)),
        };
        let density = self.number(&given.density);
        Material { elasticity, density }
    }

    /// E and G, Pa.
    fn hooke(&mut self, given: &file::Material) -> [f64; 2] {
        let Some(young) = &given.young_modulus else {
            return [1.0; 2];
        };
        let young = self.number(young);
        let shear = match (&given.shear_modulus, &given.poisson_ratio) {
            (Some(shear), _) => self.number(shear),
            (None, Some(ratio)) => young / (2.0 * (1.0 + self.number(ratio))),
            (None, None) => 1.0,
        };
        [young, shear]
    }

    /// The law of large strains, if it has one.
    fn large_strains(&mut self, given: &file::Material, name: &Name) -> Option<Coefficients> {
        let (form, [c10, c01, c20, c30], bulk) = match (
            &given.neo_hooke,
            &given.mooney_rivlin,
            &given.yeoh,
        ) {
            (Some(law), _, _) => {
                let shear = self.number(&law.shear_modulus);
                (Form::NeoHooke, [0.5 * shear, 0.0, 0.0, 0.0], &law.bulk_modulus)
            }
            (_, Some(law), _) => {
                let [c10, c01] = [&law.c10, &law.c01].map(|c| self.coefficient(c));
                let given = [&law.c10, &law.c01];
                if c10 + c01 <= 0.0 && self.are_known(given) {
                    let message = format!(
                        "{}.mooney_rivlin: c10 + c01 = {} Pa, half the shear modulus of small strains; allowed: above 0",
                        name.path,
                        figure(c10 + c01)
                    );
                    self.report(given[0], message);
                }
                (Form::MooneyRivlin, [c10, c01, 0.0, 0.0], &law.bulk_modulus)
            }
            (_, _, Some(law)) => {
                let c10 = self.number(&law.c10);
                let [c20, c30] = [&law.c20, &law.c30].map(|c| self.coefficient(c));
                (Form::Yeoh, [c10, 0.0, c20, c30], &law.bulk_modulus)
            }
            _ => return None,
        };
        let bulk = self.number(bulk);
        Some(Coefficients { form, c10, c01, c20, c30, bulk })
    }

    /// A coefficient of a law, Pa, of either sign.
    fn coefficient(&mut self, given: &Scalar) -> f64 {
        self.number(given)
    }

    /// The strain energy per volume of a body of `material` in a `state`.
    pub(super) fn energy_of(
        &mut self, material: &Name, elasticity: Elasticity, state: State,
    ) -> Option<Density> {
        match elasticity {
            Elasticity::Large(law) => Some(Density::Polynomial(Polynomial::new(law, state))),
            Elasticity::Hooke([young, shear]) => {
                let poisson = young / (2.0 * shear) - 1.0;
                if poisson > -1.0 && poisson < 0.5 {
                    let law = SaintVenantKirchhoff::new(young, poisson, state);
                    return Some(Density::SaintVenantKirchhoff(law));
                }
                let message = format!(
                    "{}: material `{}` has Poisson's ratio {}; allowed in a body: above -1, below 0.5",
                    material.path,
                    excerpt(&material.value),
                    rounded(poisson, 6)
                );
                self.report(material, message);
                None
            }
        }
    }

    /// E and G of a member of `material`, Pa. Where it is `rigid` only its density counts.
    pub(super) fn moduli_of(
        &mut self, material: &Name, elasticity: Elasticity, rigid: bool,
    ) -> Option<[f64; 2]> {
        match elasticity {
            Elasticity::Hooke(moduli) => Some(moduli),
            Elasticity::Large(law) if rigid => Some([law.young_modulus(), law.shear_modulus()]),
            Elasticity::Large(law) => {
                let message = format!(
                    "{}: material `{}` has a law of large strains, which bodies have; members need a material with `young_modulus`, \
                     here about {} Pa, and `poisson_ratio`",
                    material.path,
                    excerpt(&material.value),
                    rounded(law.young_modulus(), 4)
                );
                self.report(material, message);
                None
            }
        }
    }
}
