//! Viscosity of every kind of element: rigid motions, the initial tangent, power, and its own tangent against dual numbers.

use num_dual::Dual64;

use crate::axis::{Arc, Axis};
use crate::elements::bar::BarKernel;
use crate::elements::frame::properties::{Properties, SectionShape};
use crate::elements::frame::{FrameKernel, MAX_DOFS};
use crate::elements::initial::InitialAxis;
use crate::elements::kernel::{Half, Viscous};
use crate::elements::plane::density::{Density, SaintVenantKirchhoff, State};
use crate::elements::plane::kernel::PlaneKernel;
use crate::elements::plane::properties::PlaneProperties;
use crate::numerics::triangle::{lattice_of, order_of};
use crate::numerics::triangle_map::Map;

/// κ of the time integration, s².
const CIRCLING: f64 = 1e-6;

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// What is to hold for a kernel.
trait Claim {
    /// `initial` are the local unknowns in the initial configuration, `dofs` how many of a node, of which the third, if any, is a rotation.
    fn of<K: Viscous<N>, const N: usize>(&mut self, kernel: &K, initial: &[f64; N], dofs: usize);
}

fn each_kind(claim: &mut impl Claim) {
    let section = Properties {
        young_modulus: 2.1e5,
        shear_modulus: 0.8e5,
        density: 1.0,
        area: 0.05,
        shear_area: 0.04,
        second_moment: 4e-4,
        fourth_moment: 6e-6,
        shape: SectionShape::Rectangle,
        added_mass: 0.0,
        rotary_inertia: false,
    };
    let straight = Axis::Straight { from: [0.0; 2], to: [0.7, -0.4] };
    let arc = Axis::Arc(Arc::new([0.0; 2], [0.7, -0.4], 0.9));
    for (order, axis) in (1..=4).flat_map(|order| [(order, &straight), (order, &arc)]) {
        let curve = InitialAxis::new(&axis.places(order));
        let mut initial = [0.0; MAX_DOFS];
        for (l, node) in curve.nodes().iter().enumerate() {
            initial[3 * l..3 * l + 2].copy_from_slice(&node.position);
        }
        let kernel = match axis {
            Axis::Straight { .. } => {
                FrameKernel::new(order, 0.7_f64.hypot(0.4), (-0.4_f64).atan2(0.7), &section)
            }
            _ => FrameKernel::curved(&curve, axis.length(), &section),
        };
        claim.of(&kernel, &initial, 3);
    }
    triangle::<3, 6>(claim);
    triangle::<6, 12>(claim);
    triangle::<10, 20>(claim);
    triangle::<15, 30>(claim);
    let bar = BarKernel { stiffness: 3e4, length: 0.5, density: 1.0 };
    claim.of(&bar, &[0.1, 0.2, 0.4, 0.6], 2);
}

fn triangle<const NODES: usize, const N: usize>(claim: &mut impl Claim) {
    let mut seed = NODES as u64;
    let bend = if NODES == 3 { 0.0 } else { 0.02 };
    let map: Map<NODES> = Map::new(lattice_of().map(|[_, i, j]| {
        let [x, y] = [i, j].map(|k| k as f64 / order_of(NODES) as f64);
        [1.3 * x + 0.4 * y, 0.9 * y - 0.2 * x].map(|x| x + bend * noise(&mut seed))
    }));
    let first = map.nodes()[0];
    let mut initial = [0.0; N];
    for (q, [x, y]) in initial.chunks_exact_mut(2).zip(map.nodes()) {
        (q[0], q[1]) = (x - first[0], y - first[1]);
    }
    for state in [State::PlaneStress, State::PlaneStrain] {
        let energy = Density::SaintVenantKirchhoff(SaintVenantKirchhoff::new(2e5, 0.3, state));
        let properties = PlaneProperties { energy, thickness: 0.1, density: 1.0 };
        let kernel = PlaneKernel::new(map, &properties).expect("a triangle");
        claim.of::<_, N>(&kernel, &initial, 2);
    }
}

/// How many of the local unknowns there are, and their initial tangent.
fn tangent_initially<K: Viscous<N>, const N: usize>(
    kernel: &K, initial: &[f64; N],
) -> [[f64; N]; N] {
    let (mut force, mut tangent) = ([0.0; N], [[0.0; N]; N]);
    kernel.force_and_tangent(initial, &mut force, &mut tangent);
    std::array::from_fn(|i| std::array::from_fn(|j| tangent[i.max(j)][i.min(j)]))
}

/// Numbers where the tangent has some.
fn random<const N: usize>(tangent: &[[f64; N]; N], size: f64, seed: &mut u64) -> [f64; N] {
    std::array::from_fn(|i| match tangent[i][i] > 0.0 {
        true => size * noise(seed),
        false => 0.0,
    })
}

fn largest<const N: usize>(values: &[f64; N]) -> f64 {
    values.iter().fold(0.0, |most, v| most.max(v.abs()))
}

struct RigidMotions;

impl Claim for RigidMotions {
    fn of<K: Viscous<N>, const N: usize>(&mut self, kernel: &K, initial: &[f64; N], dofs: usize) {
        let tangent = tangent_initially(kernel, initial);
        let mut seed = 7;
        for _ in 0..20 {
            let [angle, x, y, rate, vx, vy] =
                [40.0, 5.0, 5.0, 300.0, 20.0, 20.0].map(|a| a * noise(&mut seed));
            let (sin, cos) = angle.sin_cos();
            let (mut q, mut v) = ([0.0; N], [0.0; N]);
            let nodes = q.chunks_exact_mut(dofs).zip(v.chunks_exact_mut(dofs));
            for (n, (q, v)) in nodes.enumerate() {
                let [a, b] = [initial[dofs * n], initial[dofs * n + 1]];
                let arm = [cos * a - sin * b, sin * a + cos * b];
                (q[0], q[1]) = (x + arm[0], y + arm[1]);
                let turns = rate + CIRCLING * rate.powi(3);
                (v[0], v[1]) = (vx - turns * arm[1], vy + turns * arm[0]);
                if dofs == 3 {
                    (q[2], v[2]) = (angle, rate);
                }
            }
            let force = kernel.viscous_force(&q, &v, CIRCLING);
            // The same rates as a strain.
            let pulled: [f64; N] = std::array::from_fn(|i| {
                tangent[i].iter().zip(&v).map(|(k, v)| (k * v).abs()).sum()
            });
            let share = largest(&force) / largest(&pulled);
            assert!(share < 1e-13, "{share}");
        }
    }
}

#[test]
fn a_rigid_motion_however_fast_and_wherever_meets_no_viscosity() {
    each_kind(&mut RigidMotions);
}

struct Initially;

impl Claim for Initially {
    fn of<K: Viscous<N>, const N: usize>(&mut self, kernel: &K, initial: &[f64; N], _: usize) {
        let (tangent, mut seed) = (tangent_initially(kernel, initial), 3);
        let v = random(&tangent, 1.0, &mut seed);
        let force = kernel.viscous_force(initial, &v, 0.0);
        let mut own = [[0.0; N]; N];
        let by = kernel.viscous_tangent(
            [initial, &[0.0; N]],
            [0.3, 50.0, 0.0],
            Half::Symmetric,
            &mut own,
        );
        assert_eq!(largest(&by), 0.0);
        let stiffest = tangent.iter().map(largest).fold(0.0, f64::max);
        for (i, row) in tangent.iter().enumerate() {
            let expected: f64 = row.iter().zip(&v).map(|(k, v)| k * v).sum();
            assert!((force[i] - expected).abs() < 1e-12 * stiffest, "{i}: {} {expected}", force[i]);
            for j in 0..=i {
                assert!((own[i][j] - 15.0 * row[j]).abs() < 1e-11 * stiffest);
            }
        }
    }
}

#[test]
fn without_strain_the_force_is_that_of_the_tangent() {
    each_kind(&mut Initially);
}

struct Takes(f64);

impl Claim for Takes {
    fn of<K: Viscous<N>, const N: usize>(&mut self, kernel: &K, initial: &[f64; N], _: usize) {
        let (tangent, mut seed) = (tangent_initially(kernel, initial), 5);
        for _ in 0..200 {
            let moved = random(&tangent, 0.3, &mut seed);
            let q: [f64; N] = std::array::from_fn(|i| initial[i] + moved[i]);
            let v = random(&tangent, 10.0, &mut seed);
            let terms =
                kernel.viscous_force(&q, &v, CIRCLING).into_iter().zip(v).map(|(f, v)| f * v);
            let (power, size) = terms.fold((0.0, 0.0), |(sum, size), p| (sum + p, size + p.abs()));
            assert!(power > -1e-13 * size, "{power} of {size}");
            self.0 = self.0.max(power / size);
        }
    }
}

#[test]
fn viscosity_never_gives_energy_whatever_the_place_and_the_velocity() {
    let mut most = Takes(0.0);
    each_kind(&mut most);
    assert!(most.0 > 0.1);
}

struct Halves;

impl Claim for Halves {
    fn of<K: Viscous<N>, const N: usize>(&mut self, kernel: &K, initial: &[f64; N], _: usize) {
        let (tangent, mut seed) = (tangent_initially(kernel, initial), 11);
        let [coefficient, factor] = [0.2, 30.0];
        for _ in 0..5 {
            let moved = random(&tangent, 0.2, &mut seed);
            let q: [f64; N] = std::array::from_fn(|i| initial[i] + moved[i]);
            let v = random(&tangent, 40.0, &mut seed);
            let (mut even, mut odd) = ([[0.0; N]; N], [[0.0; N]; N]);
            let by = [coefficient, factor, CIRCLING];
            let force = kernel.viscous_tangent([&q, &v], by, Half::Symmetric, &mut even);
            assert_eq!(force, kernel.viscous_tangent([&q, &v], by, Half::Skew, &mut odd));
            let stiffest = (0..N).fold(0.0, |most: f64, i| most.max(even[i][i].abs()));
            let mut turns = 0.0_f64;
            for j in (0..N).filter(|&j| tangent[j][j] > 0.0) {
                let along = |value: &[f64; N], rate: f64| -> [Dual64; N] {
                    std::array::from_fn(|i| Dual64::new(value[i], if i == j { rate } else { 0.0 }))
                };
                let column = kernel.viscous_force(&along(&q, 1.0), &along(&v, factor), CIRCLING);
                for i in (0..N).filter(|&i| tangent[i][i] > 0.0) {
                    let (a, b) = (i.max(j), i.min(j));
                    let sign = if i > j { 1.0 } else { -1.0 };
                    let seen = even[a][b] + sign * odd[a][b] * f64::from(u8::from(a != b));
                    let exact = coefficient * column[i].eps;
                    assert!((seen - exact).abs() < 1e-12 * stiffest, "{i} {j}: {seen} {exact}");
                    assert!((force[i] - coefficient * column[i].re).abs() < 1e-12 * stiffest);
                    turns = turns.max(odd[a][b].abs());
                }
                assert!(odd[j][j].abs() < 1e-12 * stiffest);
            }
            assert!(turns > 1e-3 * stiffest);
        }
    }
}

#[test]
fn the_halves_of_the_tangent_are_those_of_the_derivative() {
    each_kind(&mut Halves);
}
