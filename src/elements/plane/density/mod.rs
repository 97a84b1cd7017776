//! Strain energy per volume of a hyperelastic material in the plane.
//!
//! A law is one file here and one line in `laws!`. It is a function of the Green strain
//!
//! ```text
//! E = ½ (FᵀF − 1),   as (E₁₁, E₂₂, 2 E₁₂)
//! ```
//!
//! that gives u, the second Piola-Kirchhoff stress S = ∂u/∂E as (S₁₁, S₂₂, S₁₂) and the material tangent
//! ∂S/∂E, together with what happens across the plane.

mod law;
mod polynomial;
mod saint_venant_kirchhoff;
#[cfg(test)]
mod tests;

pub use law::{Across, Law, Strain, Tangent};
pub use polynomial::{Coefficients, Form, Polynomial};
pub use saint_venant_kirchhoff::SaintVenantKirchhoff;

/// What is zero across the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The stress: thin bodies that are free to become thicker or thinner.
    PlaneStress,
    /// The strain: a slice of a long body, or one between rigid walls.
    PlaneStrain,
}

impl State {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            State::PlaneStress => "plane stress",
            State::PlaneStrain => "plane strain",
        }
    }
}

/// The list of the laws.
macro_rules! laws {
    ($($module:ident::$law:ident,)*) => {
        /// The energy densities of plane bodies.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Density {
            $($law($module::$law),)*
        }

        /// Compiles `$do` for the [`Law`] in a density.
        macro_rules! of_any_law {
            ($density:expr, $bound:ident => $do:expr) => {
                match $density {
                    $($crate::elements::plane::density::Density::$law($bound) => $do,)*
                }
            };
        }
        pub(super) use of_any_law;

        impl Density {
            /// Name of the law, state and numbers, for people.
            pub fn summary(&self) -> String {
                of_any_law!(self, law => law.summary())
            }

            /// ∂S₁₁/∂E₁₁ without strain, Pa.
            pub fn stiffness(&self) -> f64 {
                let (_, tangent) = of_any_law!(self, law => law.response([0.0; 3]));
                tangent[0][0]
            }

            /// −ε₂₂ by ε₁₁ under stress along one axis alone, without strain: ν, in plane strain ν/(1 − ν).
            pub fn contraction(&self) -> f64 {
                let (_, tangent) = of_any_law!(self, law => law.response([0.0; 3]));
                tangent[0][1] / tangent[0][0]
            }

            /// Some of each kind, for the tests that every law must pass.
            #[cfg(test)]
            pub(super) fn samples() -> Vec<Density> {
                let mut all = Vec::new();
                $(all.extend($module::$law::samples().into_iter().map(Density::$law));)*
                all
            }
        }
    };
}

laws! {
    saint_venant_kirchhoff::SaintVenantKirchhoff,
    polynomial::Polynomial,
}
