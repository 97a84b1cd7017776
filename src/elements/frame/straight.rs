//! The section of a straight element: W closes analytically, see [`super`].

use super::density::{Density, Derivatives};
use super::properties::Properties;
use crate::numerics::lanes::Real;

/// EA, EI, EJ₄ and GA.
#[derive(Debug, Clone, Copy)]
pub struct StraightSection {
    axial: f64,
    bending: f64,
    quartic: f64,
    shear: f64,
}

impl StraightSection {
    pub fn new(section: &Properties) -> StraightSection {
        StraightSection {
            axial: section.young_modulus * section.area,
            bending: section.young_modulus * section.second_moment,
            quartic: section.young_modulus * section.fourth_moment,
            shear: section.shear_modulus * section.shear_area,
        }
    }
}

impl Density for StraightSection {
    #[inline(always)]
    fn energy<T: Real>(&self, p: T, q: T, k: T) -> T {
        let e0 = (p * p + q * q - 1.0) * 0.5;
        let k2 = k * k;
        (e0 * self.axial * e0
            + k2 * self.bending * (p * p + e0)
            + k2 * self.quartic * k2 * 0.25
            + q * self.shear * q)
            * 0.5
    }

    #[inline(always)]
    fn derivatives<T: Real>(&self, weight: f64, p: T, q: T, k: T) -> Derivatives<T> {
        let (ea, ei, ej, ga) = (
            weight * self.axial,
            weight * self.bending,
            weight * self.quartic,
            weight * self.shear,
        );
        let e0 = (p * p + q * q - 1.0) * 0.5;
        let k2 = k * k;
        let membrane = e0 * ea;
        Derivatives {
            p: p * (membrane + k2 * (1.5 * ei)),
            q: q * (membrane + k2 * (0.5 * ei) + ga),
            k: k * ei * (p * p + e0) + k * (0.5 * ej) * k2,
            pp: membrane + k2 * (1.5 * ei) + p * ea * p,
            pq: p * ea * q,
            qq: membrane + k2 * (0.5 * ei) + ga + q * ea * q,
            pk: k * (3.0 * ei) * p,
            qk: k * ei * q,
            kk: (p * p + e0) * ei + k2 * (1.5 * ej),
        }
    }

    #[inline(always)]
    fn rest(&self) -> [f64; 3] {
        [1.0, 0.0, 0.0]
    }

    #[inline(always)]
    fn stretch<T: Real>(&self, p: T) -> T {
        p
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::SectionShape;
    use crate::elements::frame::curved::CurvedSection;
    use crate::elements::frame::section::fibres;

    #[test]
    fn a_section_without_curvature_is_that_of_a_straight_member() {
        let section = Properties {
            young_modulus: 3.0,
            shear_modulus: 1.3,
            density: 1.0,
            area: 0.5,
            shear_area: 0.4,
            second_moment: 0.02,
            fourth_moment: 0.003,
            shape: SectionShape::Moments { outermost: None },
            added_mass: 0.0,
            rotary_inertia: false,
        };
        let straight = StraightSection::new(&section);
        let curved = CurvedSection::new([1.0, 0.0, 0.0], &section, &fibres(&section));
        let (p, q, k) = (1.1, -0.2, 0.7);
        let energies = [straight.energy(p, q, k), curved.energy(p, q, k)];
        assert!((energies[0] - energies[1]).abs() < 1e-15);
        let all = |d: Derivatives| [d.p, d.q, d.k, d.pp, d.pq, d.qq, d.pk, d.qk, d.kk];
        let a = all(straight.derivatives(0.8, p, q, k));
        let b = all(curved.derivatives(0.8, p, q, k));
        for (a, b) in a.into_iter().zip(b) {
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }
}
