//! A section as fibres: heights η over the axis with areas.
//!
//! A straight element needs of its section the moments A, I and J₄ only. In a curved one the fibres
//! have different lengths, and sums over them stand for the integrals over the section: Gauss rules
//! where the shape is known, and otherwise three fibres that have exactly the moments given.

use std::f64::consts::PI;

use super::properties::{Properties, SectionShape};
use crate::numerics::gauss;

/// Fibres of a section whose shape is known.
const COUNT: usize = 16;

/// A height over the axis, m, and the area there, m².
pub type Fibre = (f64, f64);

/// Fibres with the moments of the section.
pub fn fibres(section: &Properties) -> Vec<Fibre> {
    let (area, second, fourth) = (section.area, section.second_moment, section.fourth_moment);
    let half = half_height(section);
    match section.shape {
        SectionShape::Rectangle => {
            gauss::legendre(COUNT).into_iter().map(|(x, w)| (half * x, 0.5 * w * area)).collect()
        }
        SectionShape::Ring => {
            // A + B and A − B of the outer and inner circle, areas π r².
            let inner = (half * half - area / PI).max(0.0).sqrt();
            let mut fibres = disc(half);
            fibres.extend(disc(inner).into_iter().map(|(eta, a)| (eta, -a)));
            fibres
        }
        SectionShape::Moments { .. } => {
            // One fibre on the axis, one on either side; none is negative because J₄ ≥ I²/A.
            let eta = (fourth / second).sqrt();
            let side = 0.5 * second * second / fourth;
            vec![(-eta, side), (0.0, area - 2.0 * side), (eta, side)]
        }
    }
}

/// Distance of the outermost fibre from the axis, m; `None` of a section that is known by its moments alone.
pub fn outermost_fibre(section: &Properties) -> Option<f64> {
    let (area, second) = (section.area, section.second_moment);
    match section.shape {
        SectionShape::Rectangle => Some((3.0 * second / area).sqrt()),
        // r² + r_i² = 4 I/A, r² − r_i² = A/π.
        SectionShape::Ring => Some((2.0 * second / area + 0.5 * area / PI).sqrt()),
        SectionShape::Moments { outermost } => outermost,
    }
}

/// Half of the height, m; where the shape is not known, that of the rectangle with the same J₄/I.
pub fn half_height(section: &Properties) -> f64 {
    let of_rectangle = || (5.0 / 3.0 * section.fourth_moment / section.second_moment).sqrt();
    outermost_fibre(section).unwrap_or_else(of_rectangle)
}

/// Gauss-Chebyshev rule of the second kind.
fn disc(radius: f64) -> Vec<Fibre> {
    (1..=COUNT)
        .map(|k| {
            let (sin, cos) = (PI * k as f64 / (COUNT + 1) as f64).sin_cos();
            let share = 2.0 * sin * sin / (COUNT + 1) as f64;
            (radius * cos, share * PI * radius * radius)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOMENTS: SectionShape = SectionShape::Moments { outermost: None };

    fn properties(shape: SectionShape, [area, second, fourth]: [f64; 3]) -> Properties {
        Properties {
            young_modulus: 1.0,
            shear_modulus: 1.0,
            density: 1.0,
            area,
            shear_area: area,
            second_moment: second,
            fourth_moment: fourth,
            shape,
            added_mass: 0.0,
            rotary_inertia: false,
        }
    }

    #[test]
    fn fibres_have_the_moments_of_their_section() {
        let (h, b, r, i) = (0.3_f64, 0.1, 0.2_f64, 0.15_f64);
        let ring = |r: f64| [PI * r.powi(2), PI * r.powi(4) / 4.0, PI * r.powi(6) / 8.0];
        let rectangle = [b * h, b * h.powi(3) / 12.0, b * h.powi(5) / 80.0];
        let (outer, inner) = (ring(r), ring(i));
        let tube = [0, 1, 2].map(|k| outer[k] - inner[k]);
        let edge = [2.0, 0.5, 0.125];
        for (shape, moments, half) in [
            (SectionShape::Rectangle, rectangle, h / 2.0),
            (SectionShape::Ring, outer, r),
            (SectionShape::Ring, tube, r),
            (MOMENTS, rectangle, h / 2.0),
            (MOMENTS, edge, (5.0_f64 / 12.0).sqrt()),
        ] {
            let section = properties(shape, moments);
            assert!((half_height(&section) - half).abs() < 1e-12);
            for power in 0..6 {
                let sum: f64 = (fibres(&section).iter()).map(|(y, a)| a * y.powi(power)).sum();
                let exact = match power {
                    0 | 2 | 4 => moments[power as usize / 2],
                    _ => 0.0,
                };
                assert!((sum - exact).abs() < 1e-13 * moments[0], "{shape:?} {power}");
            }
        }
    }

    #[test]
    fn three_fibres_bend_like_the_rectangle_with_their_moments() {
        // EI of a bar of strong curvature without normal force: c − b²/a, with the moments of 1/g.
        let stiffness = |shape: SectionShape, curvature: f64| {
            let section = properties(shape, [1.0, 1.0 / 12.0, 1.0 / 80.0]);
            let sum = |power: i32| -> f64 {
                let fibres = fibres(&section).into_iter();
                fibres.map(|(y, a)| a * y.powi(power) / (1.0 - y * curvature)).sum()
            };
            sum(2) - sum(1) * sum(1) / sum(0)
        };
        for curvature in [0.1_f64, 0.3, 1.0] {
            let exact = stiffness(SectionShape::Rectangle, curvature);
            let error = 1.0 - stiffness(MOMENTS, curvature) / exact;
            assert!((0.0..0.006).contains(&(error / curvature.powi(4))), "{error}");
        }
    }
}
