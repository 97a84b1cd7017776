//! Viscosity of frame elements, in the directions of the rotated section.
//!
//! With Y′ and its rate split along the axis **a** and across it, ∂**a**/∂r = **d** and ∂**d**/∂r = −**a** give
//!
//! ```text
//! Ṗ = Ẏ′·a + Q ṙ,    Q̇ = Ẏ′·d − P ṙ,    κ̇ = ṙ′
//! [σ_P]   [W_PP   0    W_Pκ] [Ṗ]
//! [σ_Q] = [ 0    W_QQ   0  ] [Q̇]        in the initial configuration, where W_PQ = W_Qκ = 0
//! [σ_κ]   [W_Pκ   0    W_κκ] [κ̇]
//! ```
//!
//! and the force σ_P **a** + σ_Q **d** on Y′, σ_P Q − σ_Q P on r, σ_κ on κ. In its tangent, where velocities follow positions with a
//! factor f, the rates change by (κ of the time integration left out, with which ω = ṙ + κ ṙ³ stands for ṙ and f ∂ω/∂ṙ for f beside δr)
//!
//! ```text
//! δṖ = f (a·δY′ + Q δr) + ṙ d·δY′ + Q̇ δr
//! δQ̇ = f (d·δY′ − P δr) − ṙ a·δY′ − Ṗ δr,    δκ̇ = f δκ
//! ```

use fearless_simd::dispatch;
use num_dual::DualNum;

use super::super::kernel::{Half, Viscous};
use super::density::Density;
use super::{
    Elasticity, FrameKernel, Hessian, LocalMatrix, LocalVector, MAX_DOFS, QuadraturePoint,
    set_tangent,
};
use crate::numerics::lagrange::MAX_NODES;
use crate::numerics::lanes::level;

/// W_PP, W_QQ, W_Pκ and W_κκ of the initial configuration.
#[derive(Debug, Clone, Copy, Default)]
struct Moduli {
    pp: f64,
    qq: f64,
    pk: f64,
    kk: f64,
}

/// Strains, their rates and the stresses that resist them, at a Gauss point.
#[derive(Debug, Clone, Copy)]
struct Flow<D> {
    axis: [D; 2],
    section: [D; 2],
    p: D,
    q: D,
    /// Ṗ, Q̇ and the rate ω at which positions turn with the section.
    rates: [D; 3],
    /// ∂ω/∂ṙ.
    faster: D,
    /// σ_P, σ_Q and σ_κ.
    stress: [D; 3],
}

impl FrameKernel {
    /// Times `scale` and the weight of Gauss point `i`.
    #[inline(always)]
    fn moduli(&self, i: usize, scale: f64) -> Moduli {
        fn of(density: &impl Density, weight: f64) -> Moduli {
            let [p, q, k] = density.rest();
            let w = density.derivatives(weight, p, q, k);
            Moduli { pp: w.pp, qq: w.qq, pk: w.pk, kk: w.kk }
        }
        let weight = scale * self.points[i].weight;
        match &self.elasticity {
            Elasticity::Straight(section) => of(section, weight),
            Elasticity::Curved(sections) => of(&sections[i], weight),
        }
    }

    #[inline(always)]
    fn force_of_flow<const N: usize, D: DualNum<Primitive = f64> + Copy>(
        &self, q: &[D; MAX_DOFS], v: &[D; MAX_DOFS], circling: f64,
    ) -> [D; MAX_DOFS] {
        let mut force = [D::zero(); MAX_DOFS];
        for (i, point) in self.points.iter().enumerate() {
            let flow = flow::<N, D>(point, &self.moduli(i, 1.0), [q, v], circling);
            add_force::<N, D>(point, &flow, &mut force);
        }
        force
    }

    #[inline(always)]
    fn tangent_of_flow<const N: usize>(
        &self, [q, v]: [&LocalVector; 2], [coefficient, factor, circling]: [f64; 3], half: Half,
        tangent: &mut LocalMatrix,
    ) -> LocalVector {
        let mut force = [0.0; MAX_DOFS];
        let mut matrices = [[[0.0; 4]; 4]; MAX_NODES];
        for (i, (point, matrix)) in self.points.iter().zip(&mut matrices).enumerate() {
            let moduli = self.moduli(i, coefficient);
            let flow = flow::<N, f64>(point, &moduli, [q, v], circling);
            add_force::<N, f64>(point, &flow, &mut force);
            *matrix = flow.tangent(&moduli, factor);
        }
        match half {
            Half::Symmetric => {
                let hessians = matrices.map(|t| Hessian {
                    xx: t[0][0],
                    xy: 0.5 * (t[0][1] + t[1][0]),
                    yy: t[1][1],
                    xr: 0.5 * (t[0][2] + t[2][0]),
                    yr: 0.5 * (t[1][2] + t[2][1]),
                    rr: t[2][2],
                    xk: 0.5 * (t[0][3] + t[3][0]),
                    yk: 0.5 * (t[1][3] + t[3][1]),
                    rk: 0.5 * (t[2][3] + t[3][2]),
                    kk: t[3][3],
                });
                set_tangent::<f64, N>(&self.points, &hessians, tangent);
            }
            Half::Skew => set_skew::<N>(&self.points, &matrices, tangent),
        }
        force
    }
}

#[inline(always)]
fn flow<const N: usize, D: DualNum<Primitive = f64> + Copy>(
    point: &QuadraturePoint, moduli: &Moduli, [q, v]: [&[D; MAX_DOFS]; 2], circling: f64,
) -> Flow<D> {
    let mut slope = [D::zero(); 2];
    let mut slope_rate = [D::zero(); 2];
    let (mut rotation, mut spin, mut bending) = (D::zero(), D::zero(), D::zero());
    for l in 0..N {
        let (value, by) = (point.value[l], point.slope[l]);
        for i in 0..2 {
            slope[i] += q[3 * l + i] * by;
            slope_rate[i] += v[3 * l + i] * by;
        }
        rotation += q[3 * l + 2] * value;
        spin += v[3 * l + 2] * value;
        bending += v[3 * l + 2] * by;
    }
    let lag = spin * spin * circling;
    let (spin, faster) = (spin * (lag + 1.0), lag * 3.0 + 1.0);
    let (sin, cos) = rotation.sin_cos();
    let [a, b] = point.axis;
    let axis = [cos * a - sin * b, cos * b + sin * a];
    let section = [-axis[1], axis[0]];
    let dot = |x: [D; 2], y: [D; 2]| x[0] * y[0] + x[1] * y[1];
    let (p, q) = (dot(slope, axis), dot(slope, section));
    let rates = [dot(slope_rate, axis) + q * spin, dot(slope_rate, section) - p * spin, spin];
    let [stretching, shearing, _] = rates;
    Flow {
        axis,
        section,
        p,
        q,
        rates,
        faster,
        stress: [
            stretching * moduli.pp + bending * moduli.pk,
            shearing * moduli.qq,
            stretching * moduli.pk + bending * moduli.kk,
        ],
    }
}

#[inline(always)]
fn add_force<const N: usize, D: DualNum<Primitive = f64> + Copy>(
    point: &QuadraturePoint, flow: &Flow<D>, force: &mut [D; MAX_DOFS],
) {
    let [along, across, bending] = flow.stress;
    let pull = [0, 1].map(|i| flow.axis[i] * along + flow.section[i] * across);
    let turning = along * flow.q - across * flow.p;
    for l in 0..N {
        let (value, slope) = (point.value[l], point.slope[l]);
        force[3 * l] += pull[0] * slope;
        force[3 * l + 1] += pull[1] * slope;
        force[3 * l + 2] += turning * value + bending * slope;
    }
}

impl Flow<f64> {
    /// Derivatives of the forces on Y₁′, Y₂′, r and κ by these, row by row.
    #[inline(always)]
    fn tangent(&self, moduli: &Moduli, factor: f64) -> [[f64; 4]; 4] {
        let Flow { p, q, .. } = *self;
        let ([stretching, shearing, spin], [along, across, _]) = (self.rates, self.stress);
        // Changes of the rates by Y′ along the axis and across it, r and κ, and of the stresses.
        let turning = factor * self.faster;
        let by_p = [factor, spin, turning * q + shearing, 0.0];
        let by_q = [-spin, factor, -turning * p - stretching, 0.0];
        let stress_p = by_p.map(|b| moduli.pp * b);
        let stress_q = by_q.map(|b| moduli.qq * b);
        let mut rows = [
            stress_p,
            stress_q,
            [0, 1, 2, 3].map(|j| q * stress_p[j] - p * stress_q[j]),
            by_p.map(|b| moduli.pk * b),
        ];
        let bent = moduli.pk * factor;
        rows[0][3] += bent;
        rows[2][3] += q * bent;
        rows[3][3] += moduli.kk * factor;
        // The stresses turn with the section.
        rows[0][2] -= across;
        rows[1][2] += along;
        rows[2][0] -= across;
        rows[2][1] += along;
        rows[2][2] -= across * q + along * p;
        let turned = |[n, t]: [f64; 2]| [0, 1].map(|i| self.axis[i] * n + self.section[i] * t);
        for row in &mut rows {
            [row[0], row[1]] = turned([row[0], row[1]]);
        }
        let [along, across, ..] = &mut rows;
        for (n, t) in along.iter_mut().zip(across) {
            [*n, *t] = turned([*n, *t]);
        }
        rows
    }
}

/// Bᵀ (T − Tᵀ)/2 B.
fn set_skew<const N: usize>(
    points: &[QuadraturePoint], matrices: &[[[f64; 4]; 4]; MAX_NODES], tangent: &mut LocalMatrix,
) {
    tangent.as_flattened_mut().fill(0.0);
    for (point, t) in points.iter().zip(matrices) {
        let skew = |i: usize, j: usize| 0.5 * (t[i][j] - t[j][i]);
        for (l, m) in (0..N).flat_map(|l| (0..=l).map(move |m| (l, m))) {
            let shapes =
                [l, m].map(|n| [point.slope[n], point.slope[n], point.value[n], point.slope[n]]);
            for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
                tangent[3 * l + i.min(2)][3 * m + j.min(2)] +=
                    shapes[0][i] * skew(i, j) * shapes[1][j];
            }
        }
    }
}

impl Viscous<MAX_DOFS> for FrameKernel {
    fn viscous_force<D: DualNum<Primitive = f64> + Copy>(
        &self, q: &[D; MAX_DOFS], v: &[D; MAX_DOFS], circling: f64,
    ) -> [D; MAX_DOFS] {
        dispatch!(level(), _ => match self.order {
            1 => self.force_of_flow::<2, D>(q, v, circling),
            2 => self.force_of_flow::<3, D>(q, v, circling),
            3 => self.force_of_flow::<4, D>(q, v, circling),
            _ => self.force_of_flow::<5, D>(q, v, circling),
        })
    }

    fn viscous_tangent(
        &self, at: [&LocalVector; 2], by: [f64; 3], half: Half, tangent: &mut LocalMatrix,
    ) -> LocalVector {
        dispatch!(level(), _ => match self.order {
            1 => self.tangent_of_flow::<2>(at, by, half, tangent),
            2 => self.tangent_of_flow::<3>(at, by, half, tangent),
            3 => self.tangent_of_flow::<4>(at, by, half, tangent),
            _ => self.tangent_of_flow::<5>(at, by, half, tangent),
        })
    }
}
