//! Materials: a density, and Hooke's law or a law of large strains.

use super::Checker;
use crate::elements::plane::density::{
    Coefficients, Density, Form, Polynomial, SaintVenantKirchhoff, State,
};
use crate::message::{excerpt, figure, rounded};
use crate::model::de::Name;
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

impl file::Material {
    /// The material `name`.
    pub(super) fn check(&self, check: &mut Checker<'_>, name: &Name) -> Material {
        let elasticity = match self.large_strains(check, name) {
            Some(law) => Elasticity::Large(law),
            None => Elasticity::Hooke(self.hooke(check)),
        };
        let density = check.number(&self.density);
        Material { elasticity, density }
    }

    /// E and G, Pa.
    fn hooke(&self, check: &mut Checker<'_>) -> [f64; 2] {
        let Some(young) = &self.young_modulus else {
            return [1.0; 2];
        };
        let young = check.number(young);
        let shear = match (&self.shear_modulus, &self.poisson_ratio) {
            (Some(shear), _) => check.number(shear),
            (None, Some(ratio)) => young / (2.0 * (1.0 + check.number(ratio))),
            (None, None) => 1.0,
        };
        [young, shear]
    }

    /// The law of large strains, if it has one.
    fn large_strains(&self, check: &mut Checker<'_>, name: &Name) -> Option<Coefficients> {
        let (form, [c10, c01, c20, c30], bulk) = match (
            &self.neo_hooke,
            &self.mooney_rivlin,
            &self.yeoh,
        ) {
            (Some(law), _, _) => {
                let shear = check.number(&law.shear_modulus);
                (Form::NeoHooke, [0.5 * shear, 0.0, 0.0, 0.0], &law.bulk_modulus)
            }
            (_, Some(law), _) => {
                let [c10, c01] = [&law.c10, &law.c01].map(|c| check.number(c));
                let written = [&law.c10, &law.c01];
                if c10 + c01 <= 0.0 && check.are_known(written) {
                    let message = format!(
                        "{}.mooney_rivlin: c10 + c01 = {} Pa, half the shear modulus of small strains; allowed: above 0",
                        name.path,
                        figure(c10 + c01)
                    );
                    check.report(written[0], message);
                }
                (Form::MooneyRivlin, [c10, c01, 0.0, 0.0], &law.bulk_modulus)
            }
            (_, _, Some(law)) => {
                let c10 = check.number(&law.c10);
                let [c20, c30] = [&law.c20, &law.c30].map(|c| check.number(c));
                (Form::Yeoh, [c10, 0.0, c20, c30], &law.bulk_modulus)
            }
            _ => return None,
        };
        let bulk = check.number(bulk);
        Some(Coefficients { form, c10, c01, c20, c30, bulk })
    }
}

impl Elasticity {
    /// The strain energy per volume of a body of `material` in a `state`.
    pub(super) fn energy(
        self, check: &mut Checker<'_>, material: &Name, state: State,
    ) -> Option<Density> {
        match self {
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
                check.refuse(material, message)
            }
        }
    }

    /// E and G of a member of `material`, Pa. Where it is `rigid` only its density counts.
    pub(super) fn moduli(
        self, check: &mut Checker<'_>, material: &Name, rigid: bool,
    ) -> Option<[f64; 2]> {
        match self {
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
                check.refuse(material, message)
            }
        }
    }
}
