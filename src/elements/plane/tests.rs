//! One triangle by itself.

use nalgebra::SVector;
use num_dual::{Dual2SVec64, DualNum, hessian};

use super::density::{Density, Law, of_any_law};
use super::kernel::PlaneKernel;
use super::map::Map;
use super::properties::PlaneProperties;
use super::quadrature::symmetric;
use super::triangle::{lattice, order_of};
use crate::elements::kernel::Kernel;

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A triangle with curved sides.
fn drawn<const NODES: usize>(seed: &mut u64) -> Map<NODES> {
    let bend = if NODES == 3 { 0.0 } else { 0.03 };
    Map::new(lattice().map(|[x, y]: [f64; 2]| {
        let place = [1.3 * x + 0.4 * y - 2.0, 0.9 * y - 0.2 * x + 1.0];
        place.map(|x| x + bend * noise(seed))
    }))
}

fn properties(energy: Density) -> PlaneProperties {
    PlaneProperties {
        energy,
        thickness: 0.7,
        density: 1.3,
    }
}

/// The map turned by `angle` and pushed, each node by up to `size`.
fn moved<const NODES: usize, const N: usize>(
    map: &Map<NODES>,
    angle: f64,
    size: f64,
    seed: &mut u64,
) -> [f64; N] {
    let (sin, cos) = angle.sin_cos();
    let mut q = [0.0; N];
    for (q, [x, y]) in q.chunks_exact_mut(2).zip(map.nodes()) {
        q[0] = cos * x - sin * y + 0.3 + size * noise(seed);
        q[1] = sin * x + cos * y - 0.8 + size * noise(seed);
    }
    q
}

/// U from positions, without the sums of the kernel.
fn energy<const NODES: usize, D: DualNum<Primitive = f64> + Copy>(
    map: &Map<NODES>,
    p: &PlaneProperties,
    q: &[D],
) -> D {
    let at = |point: super::quadrature::Weighted| {
        let local = map.at(point.place);
        let f = [0, 1].map(|i| {
            [0, 1].map(|j| {
                (0..NODES)
                    .map(|l| q[2 * l + i] * local.slope[j][l])
                    .sum::<D>()
            })
        });
        let [[a, b], [c, d]] = f;
        let strain = [
            (a * a + c * c - 1.0) * 0.5,
            (b * b + d * d - 1.0) * 0.5,
            a * b + c * d,
        ];
        let u = of_any_law!(&p.energy, law => law.energy(strain));
        u * (point.weight * local.jacobian * p.thickness)
    };
    symmetric(order_of(NODES)).into_iter().map(at).sum()
}

fn derivatives_agree<const NODES: usize, const N: usize>() {
    let mut seed = NODES as u64;
    for energy_density in Density::samples() {
        let (map, p) = (drawn::<NODES>(&mut seed), properties(energy_density));
        let kernel = PlaneKernel::new(map, &p).expect("not inverted");
        let q = moved::<NODES, N>(&map, 2.0, 0.05, &mut seed);
        let (mut force, mut alone, mut tangent) = ([0.0; N], [0.0; N], [[0.0; N]; N]);
        let least = kernel.force_and_tangent(&q, &mut force, &mut tangent);
        assert_eq!(least, kernel.force(&q, &mut alone));
        let (value, gradient, second) = hessian(
            |x: SVector<Dual2SVec64<N>, N>| energy(&map, &p, x.as_slice()),
            &SVector::from(q),
        );
        assert!((kernel.energy(&q) - value).abs() < 1e-12 * value.abs());
        for i in 0..N {
            for f in [force[i], alone[i]] {
                assert!((f - gradient[i]).abs() < 1e-11 * gradient.amax(), "{i}");
            }
            for j in 0..=i {
                let error = (tangent[i][j] - second[(i, j)]).abs();
                assert!(error < 1e-12 * second.amax(), "{i} {j} {error:e}");
            }
        }
    }
}

#[test]
fn force_and_tangent_are_the_derivatives_of_the_energy_of_every_law() {
    derivatives_agree::<3, 6>();
    derivatives_agree::<6, 12>();
    derivatives_agree::<10, 20>();
    derivatives_agree::<15, 30>();
}
