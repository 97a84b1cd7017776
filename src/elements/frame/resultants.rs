//! Normal force, shear force and bending moment along an element.
//!
//! The section force **n** = w_P **a** + w_Q **d** and the moment M = w_κ (see [`super`])
//! enter the internal forces only under an integral: with any virtual displacement **v** and virtual
//! rotation v that the element's polynomials of order p can take,
//!
//! ```text
//! ∫ v′·n dξ = Σ v_l·f_l,     ∫ (v′ M − v (Y′ × n)) dξ = Σ v_l m_l        (′ = d/dξ)
//! ```
//!
//! so that the nodal forces f_l and moments m_l determine exactly the best fit of **n** and M by
//! polynomials of order p − 1, and nothing of higher order. That fit is what is read: it is in
//! equilibrium with the nodal forces, and free of the oscillations that strains of equally
//! interpolated positions and rotations have between the Gauss points. Lengths cancel.

use num_dual::DualNum;

use super::MAX_DOFS;
use crate::numerics::lagrange::{MAX_NODES, shape};
use crate::numerics::{gauss, legendre};

/// Distance in ξ within which two places of an element are one: far above the rounding of lengths, and nobody sees the difference.
pub const SAME_PLACE: f64 = 1e-9;

/// Whether what acts at ξ does so inside the element, and not at a node at its ends.
pub fn is_inside(xi: f64) -> bool {
    xi.abs() < 1.0 - SAME_PLACE
}

/// What the part of a member beyond a section exerts on the part before it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SectionForces<D = f64> {
    /// Along the section's axis, N; positive in tension.
    pub normal: D,
    /// Along the section's height, N; positive to the left of the axis.
    pub shear: D,
    /// N·m; positive where the axis bends to the left.
    pub moment: D,
}

/// **n** in the global directions and M as sums of Legendre polynomials of ξ, plain numbers or ones with derivatives.
#[derive(Debug, Clone, Copy)]
pub struct Resultants<D = f64> {
    order: usize,
    /// N, N, N·m; the coefficient of L_k at place k.
    coefficients: [[D; 3]; MAX_NODES - 1],
}

impl<D: DualNum<Primitive = f64> + Copy> Resultants<D> {
    /// From the local unknowns `q` of an element of `order` and its internal forces.
    pub fn of(order: usize, q: &[D; MAX_DOFS], force: &[D; MAX_DOFS]) -> Resultants<D> {
        let mut found = Resultants { order, coefficients: [[D::zero(); 3]; MAX_NODES - 1] };
        for k in 0..order {
            let weight = 0.5 * (2 * k + 1) as f64;
            for l in 0..=order {
                let v = integral(k, -1.0 + 2.0 * l as f64 / order as f64);
                for i in 0..3 {
                    found.coefficients[k][i] += force[3 * l + i] * (weight * v);
                }
            }
        }
        // v Y′ × n has the degree 3p − 2, which p + 2 points integrate for p up to 4.
        for &(xi, gauss_weight) in gauss::rule(order + 2) {
            let slope = shape(order, xi).first;
            let along = |i: usize| (0..=order).map(|l| q[3 * l + i] * slope[l]).sum::<D>();
            let [x, y, _] = found.at(xi);
            let turning = along(0) * y - along(1) * x;
            for k in 0..order {
                let weight = 0.5 * (2 * k + 1) as f64 * gauss_weight;
                found.coefficients[k][2] += turning * (weight * integral(k, xi));
            }
        }
        found
    }

    /// n_x, n_y (N) and M (N·m) at ξ.
    pub fn at(&self, xi: f64) -> [D; 3] {
        let mut sum = [D::zero(); 3];
        for (k, coefficients) in self.coefficients[..self.order].iter().enumerate() {
            let value = legendre::value(k, xi);
            for (s, c) in sum.iter_mut().zip(coefficients) {
                *s += *c * value;
            }
        }
        sum
    }
}

impl<D: DualNum<Primitive = f64> + Copy> SectionForces<D> {
    /// Of n_x, n_y (N) and M (N·m) on a section whose axis has the angle `axis`, rad.
    pub fn of([x, y, moment]: [D; 3], axis: D) -> SectionForces<D> {
        let (sin, cos) = axis.sin_cos();
        SectionForces { normal: x * cos + y * sin, shear: y * cos - x * sin, moment }
    }
}

/// The integral of L_k that vanishes at both ends, or ξ for k = 0.
fn integral(k: usize, xi: f64) -> f64 {
    match k {
        0 => xi,
        _ => legendre::integral(k, xi),
    }
}
