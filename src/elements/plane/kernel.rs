//! The positional triangle.
//!
//! Siqueira & Coda 2022, Sec. 5.1: the nodal unknowns are the positions (Y₁, Y₂), interpolated by the same
//! polynomials φ_l of order p as the initial ones X. The formulation is total Lagrangian:
//!
//! ```text
//! F = 1 + Σ_l (Y_l − X_l) ⊗ ∂φ_l/∂X,   E = ½ (FᵀF − 1),   U = t ∫ u(E) dA
//! ∂U/∂Y_l = t ∫ F S ∂φ_l/∂X dA
//! ∂²U/∂Y_la ∂Y_mb = t ∫ ∂φ_l/∂X_j A_ajbk ∂φ_m/∂X_k dA,   A_ajbk = F_ai C_ijkn F_bn + δ_ab S_jk
//! ```
//!
//! in the initial configuration with the thickness t. Displacements in place of positions in F leave an element as
//! without any force in the initial configuration and small strains all their digits.

mod viscosity;

use fearless_simd::dispatch;
use num_dual::DualNum;

use super::super::kernel::Kernel;
use super::density::{Law, Tangent, of_any_law};
use super::properties::PlaneProperties;
use super::stress::{Deformed, green, least_stretch};
use crate::numerics::lanes::level;
use crate::numerics::triangle::order_of;
use crate::numerics::triangle_map::Map;
use crate::numerics::triangle_rule::{MAX_POINTS, Weighted, collapsed, symmetric};

/// Error of the stiffness of a bent triangle by its quadrature, as a share: a tenth of the least error of a mesh that matters, and what one or two
/// rules more reach in triangles that are not nearly turned over.
const QUADRATURE: f64 = 1e-5;

/// Highest degree of a rule for a bent triangle: 256 points.
const HIGHEST_DEGREE: usize = 30;

/// A triangle with `NODES` nodes: 3, 6, 10 or 15.
#[derive(Debug, Clone)]
pub struct PlaneKernel<const NODES: usize> {
    map: Map<NODES>,
    /// X of each node from the first one, component by component, m.
    from_first: [[f64; NODES]; 2],
    points: Box<[QuadraturePoint<NODES>]>,
    properties: PlaneProperties,
}

#[derive(Debug, Clone, Copy)]
struct QuadraturePoint<const NODES: usize> {
    /// ∂φ/∂X₁ and ∂φ/∂X₂, 1/m.
    slope: [[f64; NODES]; 2],
    /// Volume that the point stands for, m³.
    volume: f64,
}

/// A_ajbk times volume, where 1 to 4 stand for the components (1, 1), (1, 2), (2, 1), (2, 2) of F.
#[derive(Debug, Clone, Copy, Default)]
struct Moduli {
    /// (11, 12, 22) of both in the first row of F.
    xx: [f64; 3],
    /// Both in the second.
    yy: [f64; 3],
    /// The former in the first and the latter in the second, row by row.
    xy: [[f64; 2]; 2],
}

impl<const NODES: usize> PlaneKernel<NODES> {
    /// An element in the initial configuration by `map`.
    ///
    /// # Errors
    /// A place in space where the element is turned over or has no area.
    pub fn new(
        map: Map<NODES>, properties: &PlaneProperties,
    ) -> Result<PlaneKernel<NODES>, [f64; 2]> {
        if let Some((place, _)) = map.turned_over() {
            return Err(place);
        }
        let point = |p: Weighted| {
            let local = map.at(p.place);
            QuadraturePoint {
                slope: local.slope,
                volume: properties.thickness * p.weight * local.jacobian,
            }
        };
        let points = full_rule(&map).into_iter().map(point);
        let initial = map.nodes();
        Ok(PlaneKernel {
            from_first: [0, 1].map(|i| std::array::from_fn(|l| initial[l][i] - initial[0][i])),
            points: points.collect(),
            map,
            properties: *properties,
        })
    }

    /// The element in the initial configuration.
    pub fn map(&self) -> &Map<NODES> {
        &self.map
    }

    /// Σ φ_l(ξ, η) y_l of numbers at the nodes.
    pub fn interpolated<D: DualNum<Primitive = f64> + Copy>(
        &self, numbers: &[[D; 2]; NODES], at: [f64; 2],
    ) -> [D; 2] {
        let weights = self.map.at(at).value;
        [0, 1].map(|i| numbers.iter().zip(weights).map(|(y, w)| y[i] * w).sum())
    }

    /// Strain and stress at the place `at` (ξ, η), with the nodes at `places`.
    pub fn deformed<D: DualNum<Primitive = f64> + Copy>(
        &self, places: &[[D; 2]; NODES], at: [f64; 2],
    ) -> Deformed<D> {
        let slope = self.map.at(at).slope;
        let mut h = [[D::from(0.0); 2]; 2];
        for (l, (place, initial)) in places.iter().zip(self.map.nodes()).enumerate() {
            for (i, row) in h.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    *entry += (place[i] - initial[i]) * slope[j][l];
                }
            }
        }
        of_any_law!(&self.properties.energy, law => Deformed::new(law, h))
    }

    /// Y − X without that of the first node, component by component, of places from the first node.
    #[inline(always)]
    fn displacements<const N: usize>(&self, q: &[f64; N]) -> [[f64; NODES]; 2] {
        const { assert!(N == 2 * NODES) };
        [0, 1].map(|i| std::array::from_fn(|l| q[2 * l + i] - self.from_first[i][l]))
    }

    #[inline(always)]
    fn integrate<L: Law, const N: usize>(
        &self, law: &L, q: &[f64; N], force: &mut [f64; N], tangent: Option<&mut [[f64; N]; N]>,
    ) -> f64 {
        let displacements = self.displacements(q);
        let mut least = f64::INFINITY;
        let mut forces = [[0.0; NODES]; 2];
        let mut tangent = tangent;
        for (chunk, points) in self.points.chunks(MAX_POINTS).enumerate() {
            let mut moduli = [Moduli::default(); MAX_POINTS];
            for (point, moduli) in points.iter().zip(&mut moduli) {
                let h = point.gradient(&displacements);
                let f = [[1.0 + h[0][0], h[0][1]], [h[1][0], 1.0 + h[1][1]]];
                least = least.min(least_stretch(f) - L::LEAST_STRETCH);
                let strain = green(h);
                let stress = if tangent.is_some() {
                    let (stress, tangent) = law.response(strain);
                    *moduli = Moduli::new(point.volume, f, stress, &tangent);
                    stress
                } else {
                    law.stress(strain)
                };
                let [xx, yy, xy] = stress.map(|s| point.volume * s);
                for (forces, [a, b]) in forces.iter_mut().zip(f) {
                    let pull = [a * xx + b * xy, a * xy + b * yy];
                    let slopes = point.slope[0].iter().zip(&point.slope[1]);
                    for (force, (x, y)) in forces.iter_mut().zip(slopes) {
                        *force += pull[0] * x + pull[1] * y;
                    }
                }
            }
            if let Some(tangent) = &mut tangent {
                set_tangent((points, chunk > 0), &moduli, tangent);
            }
        }
        for l in 0..NODES {
            force[2 * l] = forces[0][l];
            force[2 * l + 1] = forces[1][l];
        }
        least
    }
}

impl<const NODES: usize> QuadraturePoint<NODES> {
    /// H = F − 1.
    #[inline(always)]
    fn gradient(&self, displacements: &[[f64; NODES]; 2]) -> [[f64; 2]; 2] {
        let mut h = [[0.0; 2]; 2];
        for (row, u) in h.iter_mut().zip(displacements) {
            for (entry, slope) in row.iter_mut().zip(&self.slope) {
                for (u, s) in u.iter().zip(slope) {
                    *entry += u * s;
                }
            }
        }
        h
    }
}

impl Moduli {
    /// With ∂E/∂F_a1 = (F_a1, 0, F_a2) and ∂E/∂F_a2 = (0, F_a2, F_a1).
    #[inline(always)]
    fn new(volume: f64, f: [[f64; 2]; 2], stress: [f64; 3], c: &Tangent) -> Moduli {
        let rises = |[a, b]: [f64; 2]| [[a, 0.0, b], [0.0, b, a]];
        let [x, y] = f.map(rises);
        let times = |rise: [f64; 3]| {
            [0, 1, 2].map(|i| volume * (c[i][0] * rise[0] + c[i][1] * rise[1] + c[i][2] * rise[2]))
        };
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (cx, cy) = (x.map(times), y.map(times));
        let [s11, s22, s12] = stress.map(|s| volume * s);
        let with_stress = |r: [[f64; 3]; 2], c: [[f64; 3]; 2]| {
            [dot(r[0], c[0]) + s11, dot(r[0], c[1]) + s12, dot(r[1], c[1]) + s22]
        };
        Moduli {
            xx: with_stress(x, cx),
            yy: with_stress(y, cy),
            xy: x.map(|rise| cy.map(|c| dot(rise, c))),
        }
    }
}

/// The first rule of rising degree for a triangle in the initial configuration by `map` whose integrals of ∂φ_l/∂X_i ∂φ_l/∂X_j, the stiffness of a body
/// without strain, the next rule changes by less than [`QUADRATURE`]. Of a straight triangle that is the rule of the degree 2(p − 1) of these
/// integrands; those of a bent one are no polynomials.
pub(super) fn full_rule<const NODES: usize>(map: &Map<NODES>) -> Vec<Weighted> {
    let order = order_of(NODES);
    let further = (4..=HIGHEST_DEGREE / 2).map(|half| collapsed(2 * half));
    let mut rules = (order + 1..=4).map(symmetric).chain(further);
    let mut rule = symmetric(order);
    let mut integrals = squares(map, &rule);
    // The slopes of linear shapes are constant.
    while let Some(next) = rules.next().filter(|_| order > 1) {
        let finer = squares(map, &next);
        let both = integrals.as_flattened().iter().zip(finer.as_flattened());
        let [change, largest] = both.fold([0.0_f64; 2], |[change, largest], (a, b)| {
            [change.max((a - b).abs()), largest.max(b.abs())]
        });
        if change <= QUADRATURE * largest {
            break;
        }
        (rule, integrals) = (next, finer);
    }
    rule
}

/// ∫ of (∂φ_l/∂X₁)², (∂φ_l/∂X₂)² and their product of each node.
fn squares<const NODES: usize>(map: &Map<NODES>, rule: &[Weighted]) -> [[f64; 3]; NODES] {
    let mut sums = [[0.0; 3]; NODES];
    for point in rule {
        let local = map.at(point.place);
        for (l, sum) in sums.iter_mut().enumerate() {
            let [x, y] = [local.slope[0][l], local.slope[1][l]];
            for (sum, square) in sum.iter_mut().zip([x * x, y * y, x * y]) {
                *sum += point.weight * local.jacobian * square;
            }
        }
    }
    sums
}

/// Node by node against many others at once: the sums of a node's rows stay in registers. Where `more`, they are added to `tangent`.
#[inline(always)]
fn set_tangent<const NODES: usize, const N: usize>(
    (points, more): (&[QuadraturePoint<NODES>], bool), moduli: &[Moduli; MAX_POINTS],
    tangent: &mut [[f64; N]; N],
) {
    for l in 0..NODES {
        // More than ten sums of a kind leave the registers.
        if NODES > 10 {
            set_rows::<8, NODES, N>((points, more), moduli, [l, 0], tangent);
            set_rows::<7, NODES, N>((points, more), moduli, [l, 8], tangent);
        } else {
            set_rows::<NODES, NODES, N>((points, more), moduli, [l, 0], tangent);
        }
    }
}

/// The rows of node `l` against the `COUNT` nodes that begin with `first`.
#[inline(always)]
fn set_rows<const COUNT: usize, const NODES: usize, const N: usize>(
    (points, more): (&[QuadraturePoint<NODES>], bool), moduli: &[Moduli; MAX_POINTS],
    [l, first]: [usize; 2], tangent: &mut [[f64; N]; N],
) {
    let [mut xx, mut xy, mut yy] = [[0.0; COUNT]; 3];
    for (point, a) in points.iter().zip(moduli) {
        let [x, y] = [point.slope[0][l], point.slope[1][l]];
        let by_xx = [x * a.xx[0] + y * a.xx[1], x * a.xx[1] + y * a.xx[2]];
        let by_yy = [x * a.yy[0] + y * a.yy[1], x * a.yy[1] + y * a.yy[2]];
        let by_xy = [0, 1].map(|k| x * a.xy[0][k] + y * a.xy[1][k]);
        let [xs, ys] = [0, 1].map(|i| &point.slope[i][first..first + COUNT]);
        for m in 0..COUNT {
            let [x, y] = [xs[m], ys[m]];
            xx[m] += by_xx[0] * x + by_xx[1] * y;
            xy[m] += by_xy[0] * x + by_xy[1] * y;
            yy[m] += by_yy[0] * x + by_yy[1] * y;
        }
    }
    let mut put = |row: usize, column: usize, value: f64| {
        let entry = &mut tangent[row][column];
        *entry = if more { *entry + value } else { value };
    };
    for k in 0..COUNT {
        let m = first + k;
        if m <= l {
            put(2 * l, 2 * m, xx[k]);
            put(2 * l, 2 * m + 1, xy[k]);
            put(2 * l + 1, 2 * m + 1, yy[k]);
        }
        if m >= l {
            put(2 * m + 1, 2 * l, xy[k]);
        }
    }
}

impl<const NODES: usize, const N: usize> Kernel<N> for PlaneKernel<NODES> {
    /// Counted from that of the law.
    const LEAST_STRETCH: f64 = 0.0;
    const FROM_FIRST_NODE: Option<usize> = Some(2);

    fn crushed() -> String {
        "is compressed beyond the range of its material law, or turned inside out".to_string()
    }

    fn energy(&self, q: &[f64; N]) -> f64 {
        let displacements = self.displacements(q);
        dispatch!(level(), _ => of_any_law!(&self.properties.energy, law => {
            let at = |point: &QuadraturePoint<NODES>| {
                point.volume * law.energy(green(point.gradient(&displacements)))
            };
            self.points.iter().map(at).sum()
        }))
    }

    fn force(&self, q: &[f64; N], force: &mut [f64; N]) -> f64 {
        dispatch!(level(), _ => {
            of_any_law!(&self.properties.energy, law => self.integrate(law, q, force, None))
        })
    }

    fn force_and_tangent(
        &self, q: &[f64; N], force: &mut [f64; N], tangent: &mut [[f64; N]; N],
    ) -> f64 {
        dispatch!(level(), _ => {
            of_any_law!(&self.properties.energy, law => self.integrate(law, q, force, Some(tangent)))
        })
    }

    /// t ρ ∫ φ_l φ_m dA, exact also where sides are curved.
    fn mass(&self, factor: f64) -> [[f64; N]; N] {
        let order = order_of(NODES);
        let scale = factor * self.properties.thickness * self.properties.density;
        let mut mass = [[0.0; N]; N];
        for point in collapsed(2 * order + 2 * (order - 1)) {
            let local = self.map.at(point.place);
            let weight = scale * point.weight * local.jacobian;
            for l in 0..NODES {
                for m in 0..NODES {
                    let share = weight * local.value[l] * local.value[m];
                    mass[2 * l][2 * m] += share;
                    mass[2 * l + 1][2 * m + 1] += share;
                }
            }
        }
        mass
    }
}
