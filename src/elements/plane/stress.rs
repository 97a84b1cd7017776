//! Strain and stress at a place of a body.

use num_dual::DualNum;

use super::density::{Across, Law};

/// Thickness by initial thickness is not taken for less than this: a law that is linear in E gives none at
/// all under strains that no body bears.
const LEAST_THICKNESS: f64 = 1e-3;

/// Deformation and stress at a place of a plane body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deformed<D> {
    /// F = ∂Y/∂X, row by row.
    pub gradient: [[D; 2]; 2],
    /// Green strain (E₁₁, E₂₂, 2 E₁₂).
    pub strain: [D; 3],
    pub stress: Stress<D>,
}

/// Cauchy stress, Pa.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stress<D> {
    pub xx: D,
    pub yy: D,
    pub xy: D,
    /// Across the plane; 0 in plane stress.
    pub zz: D,
}

impl<D: DualNum<Primitive = f64> + Copy> Deformed<D> {
    /// From H = F − 1.
    pub(super) fn new(law: &impl Law, h: [[D; 2]; 2]) -> Deformed<D> {
        let strain = green(h);
        let gradient = [[h[0][0] + 1.0, h[0][1]], [h[1][0], h[1][1] + 1.0]];
        let [[a, b], [c, d]] = gradient;
        let [xx, yy, xy] = law.stress(strain);
        let Across { stretch_squared: squared, stress: zz } = law.across(strain);
        let thin = squared.re() < LEAST_THICKNESS * LEAST_THICKNESS;
        let thickness = if thin { D::from(LEAST_THICKNESS) } else { squared.sqrt() };
        let by = ((a * d - b * c) * thickness).recip();
        // (F S Fᵀ)_ij.
        let pushed =
            |[u, v]: [D; 2], [w, z]: [D; 2]| (u * w * xx + v * z * yy + (u * z + v * w) * xy) * by;
        Deformed {
            gradient,
            strain,
            stress: Stress {
                xx: pushed([a, b], [a, b]),
                yy: pushed([c, d], [c, d]),
                xy: pushed([a, b], [c, d]),
                zz: thickness * thickness * zz * by,
            },
        }
    }
}

/// E = ½ (H + Hᵀ + HᵀH) as (E₁₁, E₂₂, 2 E₁₂): small strains keep all their digits.
#[inline(always)]
pub(super) fn green<D: DualNum<Primitive = f64> + Copy>([[a, b], [c, d]]: [[D; 2]; 2]) -> [D; 3] {
    [a + (a * a + c * c) * 0.5, d + (b * b + d * d) * 0.5, b + c + a * b + c * d]
}

/// The smaller principal stretch of F, negative where det F is.
#[inline(always)]
pub(super) fn least_stretch([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    // Sum and difference of both.
    let size = |x: f64, y: f64| (x * x + y * y).sqrt();
    0.5 * (size(a + d, c - b) - size(a - d, b + c))
}

impl<D: DualNum<Primitive = f64> + Copy> Stress<D> {
    /// σ_v, Pa: √(½ ((σ_xx − σ_yy)² + (σ_yy − σ_zz)² + (σ_zz − σ_xx)²) + 3 σ_xy²).
    pub fn von_mises(&self) -> D {
        let [a, b, c] = [self.xx - self.yy, self.yy - self.zz, self.zz - self.xx];
        root((a * a + b * b + c * c) * 0.5 + self.xy * self.xy * 3.0)
    }

    /// The two principal stresses in the plane, Pa, the larger one first.
    pub fn principal(&self) -> [D; 2] {
        let mean = (self.xx + self.yy) * 0.5;
        let half = (self.xx - self.yy) * 0.5;
        let radius = root(half * half + self.xy * self.xy);
        [mean + radius, mean - radius]
    }
}

/// The square root, without derivative at 0, where it has none.
fn root<D: DualNum<Primitive = f64> + Copy>(square: D) -> D {
    if square.re() > 0.0 { square.sqrt() } else { D::from(0.0) }
}
