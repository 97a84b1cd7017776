//! Quadrature on the triangle (0, 0), (1, 0), (0, 1).

use super::gauss;

/// A place (ξ, η) of the triangle and its weight; the weights add up to the area, ½.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighted {
    pub place: [f64; 2],
    pub weight: f64,
}

/// Most points of a [`symmetric`] rule.
pub const MAX_POINTS: usize = 12;

/// Places that a rule treats alike.
enum Orbit {
    /// L₁ = L₂ = L₃, with its weight.
    Centre(f64),
    /// Two of L₁, L₂, L₃ alike, with its weight.
    Median(f64, f64),
    /// All different, two of them, with its weight.
    General([f64; 2], f64),
}

/// The rule that is exact to twice the degree of the gradients of elements of `order` p, 2(p − 1), or 1 for p = 1,
/// with positive weights and all points inside: 1, 3, 6, 12 points.
///
/// Under a homogeneous deformation straight elements have their exact tangent by it, and curved ones their exact
/// force, so that no motion is without stiffness; curved ones take as many points as their tangent needs. Under others the energy of Saint-Venant and Kirchhoff has
/// twice that degree; what the rule leaves of it is less than the error of the mesh: orders p + 1 in displacement and p in
/// stress hold under finite strain, and rods that bend far keep the force of an independent solver
/// (`tests/claims/plane/convergence.rs`, `tests/claims/bodies/rods.rs`).
///
/// Strang & Fix 1973 for degree 2; Dunavant 1985 for 4 and 6, digits of Witherden & Vincent 2015.
pub fn symmetric(order: usize) -> Vec<Weighted> {
    let orbits: &[Orbit] = match order {
        1 => &[Orbit::Centre(1.0)],
        2 => &[Orbit::Median(1.0 / 6.0, 1.0 / 3.0)],
        3 => &[
            Orbit::Median(0.445_948_490_915_964_9, 0.223_381_589_678_011_47),
            Orbit::Median(0.091_576_213_509_770_74, 0.109_951_743_655_321_87),
        ],
        _ => &[
            Orbit::Median(0.063_089_014_491_502_23, 0.050_844_906_370_206_82),
            Orbit::Median(0.249_286_745_170_910_42, 0.116_786_275_726_379_37),
            Orbit::General(
                [0.053_145_049_844_816_947, 0.310_352_451_033_784_4],
                0.082_851_075_618_373_57,
            ),
        ],
    };
    let places = |orbit: &Orbit| match *orbit {
        Orbit::Centre(weight) => (vec![[1.0 / 3.0; 2]], weight),
        Orbit::Median(a, weight) => {
            let b = 1.0 - 2.0 * a;
            (vec![[a, a], [b, a], [a, b]], weight)
        }
        Orbit::General([a, b], weight) => {
            let c = 1.0 - a - b;
            let all = vec![[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]];
            (all, weight)
        }
    };
    let weighted = |orbit: &Orbit| {
        let (places, weight) = places(orbit);
        places.into_iter().map(move |place| Weighted { place, weight: 0.5 * weight })
    };
    orbits.iter().flat_map(weighted).collect()
}

/// A rule that is exact to any `degree`: Gauss's on a square of which one side is drawn together to a
/// corner, ξ = u, η = (1 − u) v.
pub fn collapsed(degree: usize) -> Vec<Weighted> {
    // 1 − u raises the degree by one.
    let line = gauss::legendre((degree + 3) / 2);
    let rule = line.iter().flat_map(|&(u, a)| {
        line.iter().map(move |&(v, b)| {
            let [u, v] = [u, v].map(|x| 0.5 * (1.0 + x));
            Weighted { place: [u, (1.0 - u) * v], weight: 0.25 * a * b * (1.0 - u) }
        })
    });
    rule.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest error of a rule for ξᵐ ηⁿ up to a degree: ∫ ξᵐ ηⁿ = m! n!/(m + n + 2)!.
    fn error(rule: &[Weighted], degree: i32) -> f64 {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        let monomials = (0..=degree).flat_map(|m| (0..=degree - m).map(move |n| (m, n)));
        let errors = monomials.map(|(m, n)| {
            let at = |p: &Weighted| p.weight * p.place[0].powi(m) * p.place[1].powi(n);
            let exact = factorial(m) * factorial(n) / factorial(m + n + 2);
            (rule.iter().map(at).sum::<f64>() - exact).abs()
        });
        errors.fold(0.0, f64::max)
    }

    #[test]
    fn symmetric_rules_are_exact_to_their_degree_and_no_further() {
        for (order, degree) in [(1, 1), (2, 2), (3, 4), (4, 6)] {
            let rule = symmetric(order);
            assert!(error(&rule, degree) < 1e-15, "{order}");
            assert!(error(&rule, degree + 1) > 1e-6, "{order}");
            let inside = |p: &Weighted| {
                let [x, y] = p.place;
                x.min(y).min(1.0 - x - y) > 0.0 && p.weight > 0.0
            };
            assert!(rule.len() <= MAX_POINTS && rule.iter().all(inside));
        }
    }

    #[test]
    fn collapsed_rules_are_exact_to_any_degree() {
        for degree in 0..16 {
            assert!(error(&collapsed(degree as usize), degree) < 1e-15, "{degree}");
        }
    }
}
