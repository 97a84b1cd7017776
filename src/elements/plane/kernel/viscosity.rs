//! Viscosity of triangles: S_v = C₀ Ė, the moduli C₀ = ∂S/∂E without strain.
//!
//! With E = ½ (FᵀF − 1)
//!
//! ```text
//! Ė = ½ (FᵀḞ + ḞᵀF),    force t ∫ F S_v ∂φ_l/∂X dA
//! A_ajbk = F_ai C_ijkn G_bn + δ_ab S_v,jk,    G = f F + Ḟ
//! ```
//!
//! in the tangent of [`super`], where velocities follow positions with a factor f.

use fearless_simd::dispatch;
use num_dual::DualNum;

use super::super::super::kernel::{Half, Viscous};
use super::super::density::{Tangent, of_any_law};
use super::{Law, MAX_POINTS, Moduli, PlaneKernel, QuadraturePoint, set_tangent};
use crate::numerics::lanes::level;

impl<const NODES: usize> PlaneKernel<NODES> {
    /// ∂S/∂E without strain.
    #[inline(always)]
    fn initial_moduli(&self) -> Tangent {
        of_any_law!(&self.properties.energy, law => law.response([0.0; 3]).1)
    }
}

/// F and Ḟ at a point, and S_v times the volume.
struct Flow<D> {
    gradient: [[D; 2]; 2],
    rate: [[D; 2]; 2],
    stress: [D; 3],
}

impl<const NODES: usize> QuadraturePoint<NODES> {
    #[inline(always)]
    fn flow<D: DualNum<Primitive = f64> + Copy>(
        &self, scale: f64, c: &Tangent, displacements: &[[D; NODES]; 2],
        velocities: &[[D; NODES]; 2],
    ) -> Flow<D> {
        let by_place = |numbers: &[[D; NODES]; 2]| {
            [0, 1].map(|i| {
                [0, 1].map(|j| {
                    let pairs = numbers[i].iter().zip(&self.slope[j]);
                    pairs.fold(D::zero(), |sum, (u, s)| sum + *u * *s)
                })
            })
        };
        let (mut f, g) = (by_place(displacements), by_place(velocities));
        for (i, row) in f.iter_mut().enumerate() {
            row[i] += 1.0;
        }
        let rates = [
            f[0][0] * g[0][0] + f[1][0] * g[1][0],
            f[0][1] * g[0][1] + f[1][1] * g[1][1],
            f[0][0] * g[0][1] + f[0][1] * g[0][0] + f[1][0] * g[1][1] + f[1][1] * g[1][0],
        ];
        let volume = scale * self.volume;
        let stress =
            c.map(|row| (rates[0] * row[0] + rates[1] * row[1] + rates[2] * row[2]) * volume);
        Flow { gradient: f, rate: g, stress }
    }

    #[inline(always)]
    fn add_force<D: DualNum<Primitive = f64> + Copy, const N: usize>(
        &self, flow: &Flow<D>, force: &mut [D; N],
    ) {
        let [xx, yy, xy] = flow.stress;
        let pull = flow.gradient.map(|[a, b]| [a * xx + b * xy, a * xy + b * yy]);
        for l in 0..NODES {
            for (i, pull) in pull.iter().enumerate() {
                force[2 * l + i] += pull[0] * self.slope[0][l] + pull[1] * self.slope[1][l];
            }
        }
    }
}

impl Flow<f64> {
    /// One half of A_ajbk times the volume; of the skew one the entries (12) of xx and yy count, and (11) and (22) are zero.
    #[inline(always)]
    fn moduli(&self, volume: f64, c: &Tangent, factor: f64, half: Half) -> Moduli {
        let rises = |[a, b]: [f64; 2]| [[a, 0.0, b], [0.0, b, a]];
        let times = |rise: [f64; 3]| {
            c.map(|row| volume * (row[0] * rise[0] + row[1] * rise[1] + row[2] * rise[2]))
        };
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let moving = [0, 1].map(|i| [0, 1].map(|j| factor * self.gradient[i][j] + self.rate[i][j]));
        let f = self.gradient.map(rises);
        let g = moving.map(|row| rises(row).map(times));
        // A_ajbk.
        let whole = |a: usize, j: usize, b: usize, k: usize| dot(f[a][j], g[b][k]);
        let sign = match half {
            Half::Symmetric => 1.0,
            Half::Skew => -1.0,
        };
        let of = |a: usize, j: usize, b: usize, k: usize| {
            0.5 * (whole(a, j, b, k) + sign * whole(b, k, a, j))
        };
        let [s11, s22, s12] = match half {
            Half::Symmetric => self.stress,
            Half::Skew => [0.0; 3],
        };
        let same = |a: usize| [of(a, 0, a, 0) + s11, of(a, 0, a, 1) + s12, of(a, 1, a, 1) + s22];
        Moduli { xx: same(0), yy: same(1), xy: [0, 1].map(|j| [0, 1].map(|k| of(0, j, 1, k))) }
    }
}

fn set_skew<const NODES: usize, const N: usize>(
    (points, more): (&[QuadraturePoint<NODES>], bool), moduli: &[Moduli; MAX_POINTS],
    tangent: &mut [[f64; N]; N],
) {
    if !more {
        tangent.as_flattened_mut().fill(0.0);
    }
    for (point, a) in points.iter().zip(moduli) {
        for (l, m) in (0..NODES).flat_map(|l| (0..=l).map(move |m| (l, m))) {
            let [of_l, of_m] = [l, m].map(|n| [point.slope[0][n], point.slope[1][n]]);
            let turned = of_l[0] * of_m[1] - of_l[1] * of_m[0];
            let across = |first: [f64; 2], second: [f64; 2]| {
                let row = |j: usize| a.xy[j][0] * second[0] + a.xy[j][1] * second[1];
                first[0] * row(0) + first[1] * row(1)
            };
            tangent[2 * l][2 * m] += a.xx[1] * turned;
            tangent[2 * l + 1][2 * m + 1] += a.yy[1] * turned;
            tangent[2 * l][2 * m + 1] += across(of_l, of_m);
            tangent[2 * l + 1][2 * m] -= across(of_m, of_l);
        }
    }
}

impl<const NODES: usize, const N: usize> Viscous<N> for PlaneKernel<NODES> {
    fn viscous_force<D: DualNum<Primitive = f64> + Copy>(
        &self, q: &[D; N], v: &[D; N], _: f64,
    ) -> [D; N] {
        let moduli = self.initial_moduli();
        let displacements =
            [0, 1].map(|i| std::array::from_fn(|l| q[2 * l + i] - self.from_first[i][l]));
        let velocities = [0, 1].map(|i| std::array::from_fn(|l| v[2 * l + i]));
        let mut force = [D::zero(); N];
        dispatch!(level(), _ => for point in &self.points {
            let flow = point.flow(1.0, &moduli, &displacements, &velocities);
            point.add_force(&flow, &mut force);
        });
        force
    }

    fn viscous_tangent(
        &self, [q, v]: [&[f64; N]; 2], [coefficient, factor, _]: [f64; 3], half: Half,
        tangent: &mut [[f64; N]; N],
    ) -> [f64; N] {
        let initial = self.initial_moduli();
        let displacements = self.displacements(q);
        let velocities = [0, 1].map(|i| std::array::from_fn(|l| v[2 * l + i]));
        let mut force = [0.0; N];
        dispatch!(level(), _ => for (chunk, points) in self.points.chunks(MAX_POINTS).enumerate() {
            let mut moduli = [Moduli::default(); MAX_POINTS];
            for (point, moduli) in points.iter().zip(&mut moduli) {
                let flow = point.flow(coefficient, &initial, &displacements, &velocities);
                point.add_force(&flow, &mut force);
                *moduli = flow.moduli(coefficient * point.volume, &initial, factor, half);
            }
            match half {
                Half::Symmetric => set_tangent((points, chunk > 0), &moduli, tangent),
                Half::Skew => set_skew((points, chunk > 0), &moduli, tangent),
            }
        });
        force
    }
}
