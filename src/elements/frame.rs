//! The positional plane-frame element.
//!
//! Siqueira & Coda 2023, Eqs. 1-6 and 14 with ν = 0 except in G: the nodal unknowns are the
//! positions (Y₁, Y₂) of the reference line and the section rotation r from the initial
//! direction; all are interpolated by the same Lagrange polynomials (Reissner kinematics).
//!
//! A straight element has a constant initial direction, so that with the reference arc length S,
//! the axis direction **a**(α₀ + r) and the section direction **d** ⟂ **a**
//!
//! ```text
//! P = Y′·a,   Q = Y′·d,   κ = r′                         (′ = d/dS)
//! E₁₁ = e₀ + η e₁ + η² e₂,   e₀ = ½(P² + Q² − 1),  e₁ = −κP,  e₂ = ½κ²
//! E₁₂ = ½ Q,   E₂₂ = 0
//! ```
//!
//! and the integral of u = (E/2) E₁₁² + 2 G E₁₂² over the section closes analytically:
//!
//! ```text
//! W(P, Q, κ) = (E/2) [A e₀² + I κ² (P² + e₀) + J₄ κ⁴/4] + (G A/2) Q²
//! ```
//!
//! with A, I, J₄ the zeroth, second and fourth moment of the section. Only the axis needs
//! quadrature; p + 1 Gauss points are used for order p. Initially curved elements differ in W, in
//! their initial direction and in the number of points, see [`curved`]; all else is the same.

pub mod curved;
pub mod density;
pub mod properties;
pub mod resultants;
pub mod section;
pub mod straight;
mod turns;
mod viscosity;

use fearless_simd::{Simd, dispatch};

use super::initial::InitialAxis;
use super::kernel::Kernel;
use crate::numerics::gauss;
use crate::numerics::lagrange::{MAX_NODES, shape};
use crate::numerics::lanes::{LANES, Real, level, load};
use curved::CurvedSection;
use density::Density;
use properties::Properties;
use section::fibres;
use straight::StraightSection;
use turns::{NOT_TURNED, Turn, Turning, turns};

/// Axial stretch P below which a straight element yields: ∂²W/∂P² = ½ E A (3 P² − 1) vanishes
/// at 1/√3, and shorter elements push back less the more they are crushed, down to nothing at
/// P = 0 and to a second rest, turned over, at P = −1. None of that is what a member does.
const LEAST_STRETCH: f64 = 0.577_350_269_189_625_8;

/// Most nodal unknowns of an element.
pub const MAX_DOFS: usize = 3 * MAX_NODES;

/// Forces conjugate to the local unknowns (Y₁, Y₂, r of node 0, then node 1, …): N, N, N·m.
pub type LocalVector<T = f64> = [T; MAX_DOFS];

/// Lower triangle of the local tangent; entries above the diagonal are not used.
pub type LocalMatrix<T = f64> = [[T; MAX_DOFS]; MAX_DOFS];

/// What all elements of one straight member share; one curved element.
#[derive(Debug, Clone)]
pub struct FrameKernel {
    order: usize,
    elasticity: Elasticity,
    points: Vec<QuadraturePoint>,
    inertia: Inertia,
}

/// What gives the mass.
#[derive(Debug, Clone, Copy)]
struct Inertia {
    /// kg/m³.
    density: f64,
    /// m².
    area: f64,
    /// Beside that of density and area, kg/m.
    added_mass: f64,
    /// m⁴; 0 where the rotation of sections has no mass.
    second_moment: f64,
    /// Consistent mass between each two nodes for a mass per length of 1, m.
    shares: [[f64; MAX_NODES]; MAX_NODES],
}

impl Inertia {
    fn of(section: &Properties, order: usize, length: f64) -> Inertia {
        Inertia {
            shares: consistent_mass(order, length),
            density: section.density,
            area: section.area,
            added_mass: section.added_mass,
            second_moment: if section.rotary_inertia { section.second_moment } else { 0.0 },
        }
    }
}

/// What gives the energy per length.
#[derive(Debug, Clone)]
enum Elasticity {
    Straight(StraightSection),
    /// One at each Gauss point.
    Curved(Vec<CurvedSection>),
}

/// Shape functions and their derivatives by S at a Gauss point, and weight times dS/dξ.
#[derive(Debug, Clone, Copy)]
struct QuadraturePoint {
    value: [f64; MAX_NODES],
    slope: [f64; MAX_NODES],
    weight: f64,
    /// Initial direction normal to the section (cos α₀, sin α₀).
    axis: [f64; 2],
}

/// Strains at a Gauss point with the rotated directions.
struct Strain<T> {
    axis: [T; 2],
    section: [T; 2],
    p: T,
    q: T,
    curvature: T,
}

impl FrameKernel {
    /// A kernel for elements of `order` and initial `length` (m) along the direction `axis_angle`.
    pub fn new(order: usize, length: f64, axis_angle: f64, section: &Properties) -> FrameKernel {
        let points = gauss::legendre(order + 1)
            .into_iter()
            .map(|(xi, weight)| {
                let s = shape(order, xi);
                QuadraturePoint {
                    value: s.value,
                    slope: s.first.map(|d| d * 2.0 / length),
                    weight: weight * length / 2.0,
                    axis: [axis_angle.cos(), axis_angle.sin()],
                }
            })
            .collect();
        FrameKernel {
            order,
            elasticity: Elasticity::Straight(StraightSection::new(section)),
            points,
            inertia: Inertia::of(section, order, length),
        }
    }

    /// The kernel of one curved element; its nodes are equally spaced in `length` (m) of the initial
    /// curve.
    pub fn curved(axis: &InitialAxis, length: f64, section: &Properties) -> FrameKernel {
        let mut initial: LocalVector = [0.0; MAX_DOFS];
        let [x, y] = axis.nodes()[0].position;
        for (l, node) in axis.nodes().iter().enumerate() {
            let place = [node.position[0] - x, node.position[1] - y];
            initial[3 * l..3 * l + 2].copy_from_slice(&place);
        }
        let fibres = fibres(section);
        let (points, sections) = gauss::legendre(axis.order())
            .into_iter()
            .map(|(xi, weight)| {
                let at = axis.at(xi);
                let point = QuadraturePoint {
                    value: at.shape.value,
                    slope: at.shape.first.map(|d| d / at.stretch),
                    weight: weight * at.stretch,
                    axis: [at.angle.cos(), at.angle.sin()],
                };
                // As for the strains later, to the last bit: without deformation there is no force.
                let rest = strain(&point, NOT_TURNED, &split(&initial), axis.order() + 1);
                let turn = at.turn / at.stretch;
                (point, CurvedSection::new([rest.p, rest.q, turn], section, &fibres))
            })
            .unzip();
        FrameKernel {
            order: axis.order(),
            elasticity: Elasticity::Curved(sections),
            points,
            inertia: Inertia::of(section, axis.order(), length),
        }
    }

    /// Nodes of an element.
    pub fn nodes(&self) -> usize {
        self.order + 1
    }

    /// The force, the tangent where there is room for it, and the least stretch of an element with `N` nodes, or of several.
    #[inline(always)]
    fn evaluate<S: Simd, T: Turning<S>, const N: usize>(
        &self, simd: S, q: &LocalVector<T>, force: &mut LocalVector<T::Stored>,
        tangent: Option<&mut LocalMatrix<T::Stored>>,
    ) -> T {
        let points = &self.points[..];
        match &self.elasticity {
            Elasticity::Straight(section) => {
                integrate::<S, T, N, _>(simd, points, |_| section, q, force, tangent)
            }
            Elasticity::Curved(sections) => {
                integrate::<S, T, N, _>(simd, points, |i| &sections[i], q, force, tangent)
            }
        }
    }

    /// [`FrameKernel::evaluate`] for elements of its order.
    #[inline(always)]
    fn evaluate_any<S: Simd, T: Turning<S>>(
        &self, simd: S, q: &LocalVector<T>, force: &mut LocalVector<T::Stored>,
        tangent: Option<&mut LocalMatrix<T::Stored>>,
    ) -> T {
        match self.order {
            1 => self.evaluate::<S, T, 2>(simd, q, force, tangent),
            2 => self.evaluate::<S, T, 3>(simd, q, force, tangent),
            3 => self.evaluate::<S, T, 4>(simd, q, force, tangent),
            _ => self.evaluate::<S, T, 5>(simd, q, force, tangent),
        }
    }
}

impl FrameKernel {
    /// ∫ W ds of an element with `N` nodes, or of several, J.
    #[inline(always)]
    fn strain_energy<S: Simd, T: Turning<S>, const N: usize>(
        &self, simd: S, q: &LocalVector<T>,
    ) -> T {
        let place = split(q);
        let turns = turns::<S, T, N>(simd, &self.points, &place);
        let mut sum = q[0].all(0.0);
        for (i, point) in self.points.iter().enumerate() {
            let s = strain(point, turns[i], &place, N);
            let energy = match &self.elasticity {
                Elasticity::Straight(section) => section.energy(s.p, s.q, s.curvature),
                Elasticity::Curved(sections) => sections[i].energy(s.p, s.q, s.curvature),
            };
            sum += energy * point.weight;
        }
        sum
    }

    /// [`FrameKernel::strain_energy`] for elements of its order.
    #[inline(always)]
    fn strain_energy_any<S: Simd, T: Turning<S>>(&self, simd: S, q: &LocalVector<T>) -> T {
        match self.order {
            1 => self.strain_energy::<S, T, 2>(simd, q),
            2 => self.strain_energy::<S, T, 3>(simd, q),
            3 => self.strain_energy::<S, T, 4>(simd, q),
            _ => self.strain_energy::<S, T, 5>(simd, q),
        }
    }
}

impl Kernel<MAX_DOFS> for FrameKernel {
    const LEAST_STRETCH: f64 = LEAST_STRETCH;
    const FROM_FIRST_NODE: Option<usize> = Some(3);

    fn crushed() -> String {
        format!(
            "is crushed to less than {:.0} % of its length or turned over",
            100.0 * LEAST_STRETCH
        )
    }

    fn energy(&self, q: &LocalVector) -> f64 {
        dispatch!(level(), simd => self.strain_energy_any(simd, q))
    }

    fn energies(&self, q: &[[f64; LANES]; MAX_DOFS]) -> [f64; LANES] {
        dispatch!(level(), simd => self.strain_energy_any(simd, &load(simd, q)).store())
    }

    fn force(&self, q: &LocalVector, force: &mut LocalVector) -> f64 {
        dispatch!(level(), simd => self.evaluate_any(simd, q, force, None))
    }

    fn force_and_tangent(
        &self, q: &LocalVector, force: &mut LocalVector, tangent: &mut LocalMatrix,
    ) -> f64 {
        dispatch!(level(), simd => self.evaluate_any(simd, q, force, Some(tangent)))
    }

    fn forces(
        &self, q: &[[f64; LANES]; MAX_DOFS], forces: &mut [[f64; LANES]; MAX_DOFS],
        tangents: Option<&mut [[[f64; LANES]; MAX_DOFS]; MAX_DOFS]>,
    ) -> [f64; LANES] {
        dispatch!(level(), simd => {
            self.evaluate_any(simd, &load(simd, q), forces, tangents).store()
        })
    }

    fn mass(&self, factor: f64) -> LocalMatrix {
        let Inertia { density, area, added_mass, second_moment, shares } = self.inertia;
        let linear = factor * density * area + factor * added_mass;
        let rotary = factor * density * second_moment;
        let mut mass = [[0.0; MAX_DOFS]; MAX_DOFS];
        for (l, shares) in shares.iter().enumerate() {
            for (m, share) in shares.iter().enumerate() {
                for (i, density) in [linear, linear, rotary].into_iter().enumerate() {
                    mass[3 * l + i][3 * m + i] = density * share;
                }
            }
        }
        mass
    }
}

/// Y₁, Y₂ and r of all nodes.
type Place<T> = [[T; MAX_NODES]; 3];

#[inline(always)]
fn split<T: Real>(q: &LocalVector<T>) -> Place<T> {
    let mut place = [[q[0]; MAX_NODES]; 3];
    for l in 0..MAX_NODES {
        for (i, place) in place.iter_mut().enumerate() {
            place[l] = q[3 * l + i];
        }
    }
    place
}

#[inline(always)]
fn strain<T: Real>(
    point: &QuadraturePoint, [sin, cos]: Turn<T>, place: &Place<T>, nodes: usize,
) -> Strain<T> {
    let zero = sin.all(0.0);
    let (mut y1, mut y2, mut curvature) = (zero, zero, zero);
    let [x, y, r] = place;
    for (((slope, x), y), r) in point.slope.iter().zip(x).zip(y).zip(r).take(nodes) {
        y1 += *x * *slope;
        y2 += *y * *slope;
        curvature += *r * *slope;
    }
    let axis =
        [cos * point.axis[0] - sin * point.axis[1], cos * point.axis[1] + sin * point.axis[0]];
    let section = [-axis[1], axis[0]];
    Strain {
        axis,
        section,
        p: y1 * axis[0] + y2 * axis[1],
        q: y1 * section[0] + y2 * section[1],
        curvature,
    }
}

/// Second derivatives of W by Y₁′, Y₂′ (x, y), r and r′ (k).
#[derive(Clone, Copy)]
struct Hessian<T> {
    xx: T,
    xy: T,
    yy: T,
    xr: T,
    yr: T,
    rr: T,
    xk: T,
    yk: T,
    rk: T,
    kk: T,
}

impl<T: Copy> Hessian<T> {
    fn of(all: T) -> Hessian<T> {
        let [xx, xy, yy, xr, yr, rr, xk, yk, rk, kk] = [all; 10];
        Hessian { xx, xy, yy, xr, yr, rr, xk, yk, rk, kk }
    }
}

/// One pass over the Gauss points. With W the energy per length and (Y′, r, κ) its arguments:
/// ∂P/∂r = Q, ∂Q/∂r = −P, which gives the gradients and the Hessian below. Returns the least stretch.
#[inline(always)]
fn integrate<'a, S: Simd, T: Turning<S>, const N: usize, D: Density + 'a>(
    simd: S, points: &[QuadraturePoint], density: impl Fn(usize) -> &'a D, q: &LocalVector<T>,
    force: &mut LocalVector<T::Stored>, tangent: Option<&mut LocalMatrix<T::Stored>>,
) -> T {
    let zero = q[0].all(0.0);
    let mut least = zero.all(f64::INFINITY);
    let place = split(q);
    let turns = turns::<S, T, N>(simd, points, &place);
    let mut forces = [[zero; N]; 3];
    let mut hessians = [Hessian::of(zero); MAX_NODES];
    for (i, (point, h)) in points.iter().zip(&mut hessians).enumerate() {
        let density = density(i);
        let s = strain(point, turns[i], &place, N);
        least = least.smaller(density.stretch(s.p));
        let (a, d, p, qs) = (s.axis, s.section, s.p, s.q);
        let w = density.derivatives(point.weight, p, qs, s.curvature);

        let g = [w.p * a[0] + w.q * d[0], w.p * a[1] + w.q * d[1]];
        let g_r = w.p * qs - w.q * p;
        let [by_x, by_y, by_r] = &mut forces;
        for (l, ((x, y), r)) in by_x.iter_mut().zip(by_y).zip(by_r).enumerate() {
            let (value, slope) = (point.value[l], point.slope[l]);
            *x += g[0] * slope;
            *y += g[1] * slope;
            *r += g_r * value + w.k * slope;
        }

        if tangent.is_none() {
            continue;
        }
        let (along, across) = (w.pp * qs - w.pq * p - w.q, w.pq * qs - w.qq * p + w.p);
        *h = Hessian {
            xx: w.pp * a[0] * a[0] + w.pq * 2.0 * a[0] * d[0] + w.qq * d[0] * d[0],
            xy: w.pp * a[0] * a[1] + w.pq * (a[0] * d[1] + a[1] * d[0]) + w.qq * d[0] * d[1],
            yy: w.pp * a[1] * a[1] + w.pq * 2.0 * a[1] * d[1] + w.qq * d[1] * d[1],
            xr: along * a[0] + across * d[0],
            yr: along * a[1] + across * d[1],
            rr: along * qs - across * p,
            xk: w.pk * a[0] + w.qk * d[0],
            yk: w.pk * a[1] + w.qk * d[1],
            rk: w.pk * qs - w.qk * p,
            kk: w.kk,
        };
    }
    *force = [T::Stored::default(); MAX_DOFS];
    for l in 0..N {
        for (i, forces) in forces.iter().enumerate() {
            force[3 * l + i] = forces[l].store();
        }
    }
    if let Some(tangent) = tangent {
        set_tangent::<T, N>(points, &hessians, tangent);
    }
    least
}

/// Bᵀ H B, pair by pair of nodes: the sums of a pair stay in registers.
#[inline(always)]
fn set_tangent<T: Real, const N: usize>(
    points: &[QuadraturePoint], hessians: &[Hessian<T>; MAX_NODES],
    tangent: &mut LocalMatrix<T::Stored>,
) {
    let zero = hessians[0].xx.all(0.0);
    for l in 0..N {
        // The rows of node l of Bᵀ H at each point, of which those of x and y by the slopes of Y₁ and Y₂ are one.
        let mut rows = [[zero; 9]; MAX_NODES];
        for ((point, h), row) in points.iter().zip(hessians).zip(&mut rows) {
            let (value, slope) = (point.value[l], point.slope[l]);
            *row = [
                h.xx * slope,
                h.xy * slope,
                h.yy * slope,
                h.xr * slope,
                h.xk * slope,
                h.yr * slope,
                h.yk * slope,
                h.rr * value + h.rk * slope,
                h.rk * value + h.kk * slope,
            ];
        }
        for m in 0..N {
            let (mut xr, mut yr) = (zero, zero);
            for (point, row) in points.iter().zip(&rows) {
                let (value, slope) = (point.value[m], point.slope[m]);
                xr += row[3] * value + row[4] * slope;
                yr += row[5] * value + row[6] * slope;
            }
            if m >= l {
                tangent[3 * m + 2][3 * l] = xr.store();
                tangent[3 * m + 2][3 * l + 1] = yr.store();
            }
            if m > l {
                continue;
            }
            let (mut xx, mut xy, mut yy, mut rr) = (zero, zero, zero, zero);
            for (point, row) in points.iter().zip(&rows) {
                let (value, slope) = (point.value[m], point.slope[m]);
                xx += row[0] * slope;
                xy += row[1] * slope;
                yy += row[2] * slope;
                rr += row[7] * value + row[8] * slope;
            }
            tangent[3 * l][3 * m] = xx.store();
            tangent[3 * l][3 * m + 1] = xy.store();
            tangent[3 * l][3 * m + 2] = xr.store();
            tangent[3 * l + 1][3 * m] = xy.store();
            tangent[3 * l + 1][3 * m + 1] = yy.store();
            tangent[3 * l + 1][3 * m + 2] = yr.store();
            tangent[3 * l + 2][3 * m + 2] = rr.store();
        }
    }
}

/// Consistent mass ∫φ_l φ_m dS of one element per unit of linear density, m.
fn consistent_mass(order: usize, length: f64) -> [[f64; MAX_NODES]; MAX_NODES] {
    let mut mass = [[0.0; MAX_NODES]; MAX_NODES];
    for (xi, weight) in gauss::legendre(order + 1) {
        let phi = shape(order, xi).value;
        for l in 0..=order {
            for m in 0..=order {
                mass[l][m] += weight * length / 2.0 * phi[l] * phi[m];
            }
        }
    }
    mass
}
