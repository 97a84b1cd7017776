//! The section of an initially curved element.
//!
//! The initial mapping f⁰ = x⁰ + η d⁰ and the current one f = Y + η d of Siqueira & Coda 2023, Eqs.
//! 1-6, have in the directions **a**, **d** of the section, initial and current, the gradients
//!
//! ```text
//! A⁰ = [ P⁰ − ηκ⁰  0 ]      A¹ = [ P − ηκ  0 ]      A = A¹ (A⁰)⁻¹ = [ (P − ηκ)/g    0 ]
//!      [ Q⁰        1 ]           [ Q       1 ]                      [ (Q − Q⁰)/g    1 ],   g = P⁰ − ηκ⁰
//! ```
//!
//! where κ⁰ = dα⁰/dS, κ = κ⁰ + r′, and P⁰, Q⁰ say how the interpolated axis stands to the interpolated
//! sections (1 and 0 in the limit). With t = Q − Q⁰ the Green strains E = ½ (AᵀA − 1) are
//!
//! ```text
//! E₁₁ = (c₀ + η c₁ + η² c₂)/g²,   E₁₂ = t/(2 g),   E₂₂ = 0
//! c₀ = ½ (P² + t² − P⁰²),   c₁ = −(Pκ − P⁰κ⁰),   c₂ = ½ (κ² − κ⁰²)
//! ```
//!
//! so that the integral of u = (E/2) E₁₁² + 2 G E₁₂² over the volume g dA dS needs of the section the
//! constants K_n = ∫ ηⁿ/g³ dA and A_s = ∫ 1/g dA of the initial configuration only:
//!
//! ```text
//! W = (E/2) [K₀ c₀² + 2 K₁ c₀ c₁ + K₂ (c₁² + 2 c₀ c₂) + 2 K₃ c₁ c₂ + K₄ c₂²] + (G/2) A_s t²
//! ```
//!
//! With κ⁰ = 0 they are A, 0, I, 0, J₄ and A: the section of a straight member.
//!
//! p Gauss points are used for order p, one fewer than in straight members: bending of a curved bar
//! leaves its length, but polynomials that bend stretch a little. With p points they need not, and no
//! motion but the rigid ones is free of strain: 3p strains, 3(p + 1) − 3 unknowns.

use super::density::{Density, Derivatives};
use super::properties::Properties;
use super::section::Fibre;
use crate::numerics::lanes::Real;

/// A section at one Gauss point of a curved element.
#[derive(Debug, Clone, Copy)]
pub struct CurvedSection {
    /// P⁰, Q⁰ and κ⁰.
    rest: [f64; 3],
    /// E K₀ … E K₄.
    axial: [f64; 5],
    /// G A_s.
    shear: f64,
}

impl CurvedSection {
    /// With P⁰, Q⁰, κ⁰ in `rest`; P⁰ > |ηκ⁰| in all `fibres`.
    pub fn new(rest: [f64; 3], section: &Properties, fibres: &[Fibre]) -> CurvedSection {
        let [p, _, k] = rest;
        let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            let fibres = fibres.iter();
            fibres.map(|&(eta, area)| area * term(eta, p - eta * k)).sum()
        };
        let moment = |n: i32| section.young_modulus * sum(&|eta, g| eta.powi(n) / (g * g * g));
        CurvedSection {
            rest,
            axial: [0, 1, 2, 3, 4].map(moment),
            shear: section.shear_modulus
                * (section.shear_area / section.area)
                * sum(&|_, g| 1.0 / g),
        }
    }

    /// c₀, c₁, c₂, with t and the whole curvature κ.
    #[inline(always)]
    fn strain<T: Real>(&self, p: T, q: T, k: T) -> ([T; 3], T, T) {
        let [p0, q0, k0] = self.rest;
        let (t, k) = (q - q0, k + k0);
        let c = [(p * p + t * t - p0 * p0) * 0.5, -(p * k - p0 * k0), (k * k - k0 * k0) * 0.5];
        (c, t, k)
    }

    /// Σ_j K_{i+j} x_j for i = 0, 1, 2.
    #[inline(always)]
    fn times<T: Real>(&self, x: [T; 3]) -> [T; 3] {
        let k = &self.axial;
        let row = |i: usize| x[0] * k[i] + x[1] * k[i + 1] + x[2] * k[i + 2];
        [row(0), row(1), row(2)]
    }
}

impl Density for CurvedSection {
    #[inline(always)]
    fn energy<T: Real>(&self, p: T, q: T, k: T) -> T {
        let (c, t, _) = self.strain(p, q, k);
        let n = self.times(c);
        (n[0] * c[0] + n[1] * c[1] + n[2] * c[2] + t * self.shear * t) * 0.5
    }

    #[inline(always)]
    fn derivatives<T: Real>(&self, weight: f64, p: T, q: T, k: T) -> Derivatives<T> {
        let (c, t, k) = self.strain(p, q, k);
        let weighed = |[a, b, c]: [T; 3]| [a * weight, b * weight, c * weight];
        let zero = p.all(0.0);
        let n = weighed(self.times(c));
        let shear = weight * self.shear;
        // Changes of n by P, t and κ, whose changes of c are (p, −κ, 0), (t, 0, 0), (0, −p, κ).
        let by_p = weighed(self.times([p, -k, zero]));
        let by_t = weighed(self.times([t, zero, zero]));
        let by_k = weighed(self.times([zero, -p, k]));
        Derivatives {
            p: p * n[0] - k * n[1],
            q: t * (n[0] + shear),
            k: k * n[2] - p * n[1],
            pp: n[0] + p * by_p[0] - k * by_p[1],
            pq: p * by_t[0] - k * by_t[1],
            qq: n[0] + shear + t * by_t[0],
            pk: p * by_k[0] - n[1] - k * by_k[1],
            qk: t * by_k[0],
            kk: n[2] + k * by_k[2] - p * by_k[1],
        }
    }

    #[inline(always)]
    fn rest(&self) -> [f64; 3] {
        let [p, q, _] = self.rest;
        [p, q, 0.0]
    }

    #[inline(always)]
    fn stretch<T: Real>(&self, p: T) -> T {
        p / self.rest[0]
    }
}
