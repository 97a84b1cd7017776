//! The Saint-Venant-Kirchhoff law: Hooke's law between S and E.
//!
//! ```text
//! u = ½ a (E₁₁² + E₂₂²) + b E₁₁ E₂₂ + ½ G (2 E₁₂)²,   G = E/(2 (1 + ν))
//!
//! plane stress   a = E/(1 − ν²),                    b = ν a,          E₃₃ = −ν/(1 − ν) (E₁₁ + E₂₂)
//! plane strain   a = E (1 − ν)/((1 + ν)(1 − 2ν)),   b = ν/(1 − ν) a,  S₃₃ = b (E₁₁ + E₂₂)
//! ```

use num_dual::DualNum;

use super::State;
use super::law::{Across, Law, Strain, Tangent};
use crate::message::rounded;

/// The law with its moduli, Pa.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SaintVenantKirchhoff {
    state: State,
    young_modulus: f64,
    poisson_ratio: f64,
    /// a.
    normal: f64,
    /// b.
    cross: f64,
    /// G.
    shear: f64,
    /// E₃₃ and S₃₃ by E₁₁ + E₂₂.
    across: [f64; 2],
}

impl SaintVenantKirchhoff {
    /// From Young's modulus (Pa, above 0) and Poisson's ratio (above −1 and below ½).
    pub fn new(young_modulus: f64, poisson_ratio: f64, state: State) -> SaintVenantKirchhoff {
        let (e, nu) = (young_modulus, poisson_ratio);
        let share = nu / (1.0 - nu);
        let (normal, cross, across) = match state {
            State::PlaneStress => {
                let normal = e / (1.0 - nu * nu);
                (normal, nu * normal, [-share, 0.0])
            }
            State::PlaneStrain => {
                let normal = e * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
                let cross = share * normal;
                (normal, cross, [0.0, cross])
            }
        };
        SaintVenantKirchhoff {
            state,
            young_modulus,
            poisson_ratio,
            normal,
            cross,
            shear: 0.5 * e / (1.0 + nu),
            across,
        }
    }

    /// Some for the tests that every law must pass.
    #[cfg(test)]
    pub fn samples() -> Vec<SaintVenantKirchhoff> {
        let states = [State::PlaneStress, State::PlaneStrain];
        let ratios = [-0.9, 0.0, 0.3, 0.49];
        let of = |state| ratios.map(|nu| SaintVenantKirchhoff::new(3.0, nu, state));
        states.into_iter().flat_map(of).collect()
    }
}

impl Law for SaintVenantKirchhoff {
    /// 1/√3: along one axis λ S = ½ a λ (λ² − 1), whose slope ½ a (3 λ² − 1) changes its sign there.
    const LEAST_STRETCH: f64 = 0.577_350_269_189_625_8;

    fn summary(&self) -> String {
        let SaintVenantKirchhoff { state, young_modulus, poisson_ratio, .. } = *self;
        format!(
            "Saint-Venant-Kirchhoff, {}, E = {} Pa, ν = {}",
            state.name(),
            rounded(young_modulus, 6),
            rounded(poisson_ratio, 6)
        )
    }

    #[inline(always)]
    fn energy<D: DualNum<Primitive = f64> + Copy>(&self, [x, y, xy]: Strain<D>) -> D {
        let direct = (x * x + y * y) * self.normal + xy * xy * self.shear;
        direct * 0.5 + x * y * self.cross
    }

    #[inline(always)]
    fn stress<D: DualNum<Primitive = f64> + Copy>(&self, [x, y, xy]: Strain<D>) -> [D; 3] {
        [x * self.normal + y * self.cross, y * self.normal + x * self.cross, xy * self.shear]
    }

    fn across<D: DualNum<Primitive = f64> + Copy>(&self, [x, y, _]: Strain<D>) -> Across<D> {
        let [strain, stress] = self.across.map(|modulus| (x + y) * modulus);
        Across { stretch_squared: strain * 2.0 + 1.0, stress }
    }

    #[inline(always)]
    fn response(&self, strain: Strain<f64>) -> ([f64; 3], Tangent) {
        let [a, b, shear] = [self.normal, self.cross, self.shear];
        let tangent = [[a, b, 0.0], [b, a, 0.0], [0.0, 0.0, shear]];
        (self.stress(strain), tangent)
    }
}
