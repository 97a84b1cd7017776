//! One triangle by itself.

use nalgebra::SVector;
use num_dual::{Dual2SVec64, Dual64, DualNum, hessian};

use super::density::{Density, Law, SaintVenantKirchhoff, State, of_any_law};
use super::kernel::{PlaneKernel, full_rule};
use super::properties::PlaneProperties;
use super::stress::Stress;
use crate::elements::kernel::Kernel;
use crate::numerics::triangle::{lattice_of, order_of};
use crate::numerics::triangle_map::Map;
use crate::numerics::triangle_rule::{Weighted, collapsed, symmetric};

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A triangle with curved sides.
fn drawn<const NODES: usize>(seed: &mut u64) -> Map<NODES> {
    let bend = if NODES == 3 { 0.0 } else { 0.03 };
    Map::new(lattice_of().map(|[_, i, j]| {
        let [x, y] = [i, j].map(|k| k as f64 / order_of(NODES) as f64);
        let place = [1.3 * x + 0.4 * y - 2.0, 0.9 * y - 0.2 * x + 1.0];
        place.map(|x| x + bend * noise(seed))
    }))
}

fn properties(energy: Density) -> PlaneProperties {
    PlaneProperties { energy, thickness: 0.7, density: 1.3 }
}

/// The map turned by `angle` and pushed, each node by up to `size`.
fn moved<const NODES: usize, const N: usize>(
    map: &Map<NODES>, angle: f64, size: f64, seed: &mut u64,
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
    map: &Map<NODES>, p: &PlaneProperties, q: &[D],
) -> D {
    energy_by(&full_rule(map), map, p, q)
}

fn energy_by<const NODES: usize, D: DualNum<Primitive = f64> + Copy>(
    rule: &[Weighted], map: &Map<NODES>, p: &PlaneProperties, q: &[D],
) -> D {
    let at = |point: &Weighted| {
        let local = map.at(point.place);
        let f = [0, 1].map(|i| {
            [0, 1].map(|j| (0..NODES).map(|l| q[2 * l + i] * local.slope[j][l]).sum::<D>())
        });
        let [[a, b], [c, d]] = f;
        let strain = [(a * a + c * c - 1.0) * 0.5, (b * b + d * d - 1.0) * 0.5, a * b + c * d];
        let u = of_any_law!(&p.energy, law => law.energy(strain));
        u * (point.weight * local.jacobian * p.thickness)
    };
    rule.iter().map(at).sum()
}

/// The largest share by which the energy of a small displacement is off the exact integral, by the kernel and by the rule of straight triangles.
fn quadrature_errors<const NODES: usize, const N: usize>(bend: f64) -> [f64; 2] {
    let mut seed = 77 * NODES as u64;
    let p = properties(Density::samples()[0]);
    let mut worst = [0.0_f64; 2];
    for _ in 0..20 {
        let map: Map<NODES> = Map::new(lattice_of().map(|[_, i, j]| {
            let [x, y] = [i, j].map(|k| k as f64 / order_of(NODES) as f64);
            [1.3 * x + 0.4 * y, 0.9 * y - 0.2 * x].map(|x| x + bend * noise(&mut seed))
        }));
        if map.turned_over().is_some() {
            continue;
        }
        let q = moved::<NODES, N>(&map, 0.0, 1e-5, &mut seed);
        let exact = energy_by(&collapsed(80), &map, &p, &q);
        let kernel = PlaneKernel::new(map, &p).expect("not inverted");
        let straight = energy_by(&symmetric(order_of(NODES)), &map, &p, &q);
        for (worst, found) in worst.iter_mut().zip([kernel.energy(&q), straight]) {
            *worst = worst.max((found / exact - 1.0).abs());
        }
    }
    worst
}

#[test]
fn bent_triangles_have_the_stiffness_of_their_exact_integral() {
    for errors in [0.01, 0.02].map(|bend| {
        [
            quadrature_errors::<6, 12>(bend),
            quadrature_errors::<10, 20>(bend),
            quadrature_errors::<15, 30>(bend),
        ]
    }) {
        println!("{errors:?}");
        for [kernel, straight] in errors {
            // 1e-5 of the largest integral of a node, of which an energy is a sum of several.
            assert!(kernel < 5e-5 && straight > 1e-4, "{kernel:e} {straight:e}");
        }
    }
    let straight = Map::<10>::new(lattice_of().map(|[_, i, j]| [i, j].map(|k| k as f64 / 3.0)));
    assert_eq!(full_rule(&straight), symmetric(3));
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
                // Rounding, where a point of a strongly bent triangle is nearly turned over.
                assert!(error < 1e-11 * second.amax(), "{i} {j} {error:e}");
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

/// Young's modulus 3.
fn material(state: State) -> PlaneProperties {
    let law = SaintVenantKirchhoff::new(3.0, 0.3, state);
    properties(Density::SaintVenantKirchhoff(law))
}

fn least_stretch_of<L: Law>(_: &L) -> f64 {
    L::LEAST_STRETCH
}

fn rigid_motion<const NODES: usize, const N: usize>() {
    let mut seed = 3 + NODES as u64;
    let map = drawn::<NODES>(&mut seed);
    for density in Density::samples() {
        let kernel = PlaneKernel::new(map, &properties(density)).expect("not inverted");
        let mut force = [1.0; N];
        // Places are measured from the first node.
        let first = map.nodes()[0];
        let drawn = std::array::from_fn(|u| map.nodes()[u / 2][u % 2] - first[u % 2]);
        let bears = of_any_law!(&density, law => least_stretch_of(law));
        assert_eq!(kernel.force(&drawn, &mut force), 1.0 - bears);
        assert_eq!(force, [0.0; N]);
        let moved = moved::<NODES, N>(&map, 1.1, 0.0, &mut seed);
        let moved = std::array::from_fn(|u| moved[u] - moved[u % 2]);
        kernel.force(&moved, &mut force);
        let (_, tangent) = of_any_law!(&density, law => law.response([0.0; 3]));
        // Relative to the largest modulus, 3 to 50.
        let largest = force.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
        assert!(largest < 1e-14 * tangent[0][0].max(1.0), "{density:?} {largest:e}");
    }
}

#[test]
fn an_element_without_strain_has_no_force_to_the_last_bit_and_a_rigid_motion_gives_none() {
    rigid_motion::<3, 6>();
    rigid_motion::<6, 12>();
    rigid_motion::<10, 20>();
    rigid_motion::<15, 30>();
}

fn mass<const NODES: usize, const N: usize>() {
    let mut seed = 7 + NODES as u64;
    let (map, p) = (drawn::<NODES>(&mut seed), material(State::PlaneStress));
    let mass: [[f64; N]; N] = PlaneKernel::new(map, &p).expect("not inverted").mass(2.0);
    // ∫ ρ t v·v with v = (X₂, 1 + X₁), by a rule of a far higher degree.
    let velocity = |[x, y]: [f64; 2]| [y, 1.0 + x];
    let v: Vec<f64> = map.nodes().iter().flat_map(|&x| velocity(x)).collect();
    let pairs = (0..N).flat_map(|i| (0..N).map(move |j| (i, j)));
    let twice: f64 = pairs.map(|(i, j)| v[i] * mass[i][j] * v[j]).sum();
    let at = |point: Weighted| {
        let [a, b] = velocity(map.place(point.place));
        point.weight * map.at(point.place).jacobian * (a * a + b * b)
    };
    let exact = 2.0 * p.thickness * p.density * collapsed(24).into_iter().map(at).sum::<f64>();
    assert!((twice - exact).abs() < 1e-13 * exact, "{twice} {exact}");
}

#[test]
fn the_mass_is_exact_also_with_curved_sides() {
    mass::<3, 6>();
    mass::<6, 12>();
    mass::<10, 20>();
    mass::<15, 30>();
}

#[test]
fn stress_is_found_in_axes_that_turn_with_the_body() {
    let mut seed = 9;
    let map = drawn::<10>(&mut seed);
    let (stretch, angle) = ([1.3_f64, 0.8], 0.7_f64);
    let (sin, cos) = angle.sin_cos();
    let places = map.nodes().map(|[x, y]| {
        let [x, y] = [stretch[0] * x, stretch[1] * y];
        [cos * x - sin * y, sin * x + cos * y]
    });
    for state in [State::PlaneStress, State::PlaneStrain] {
        let kernel = PlaneKernel::new(map, &material(state)).expect("not inverted");
        let stress = kernel.deformed(&places, [0.2, 0.5]).stress;
        // σ_i = λ_i² S_i/(λ₁ λ₂ λ₃) with S of Hooke's law in space.
        let [x, y] = stretch.map(|l| 0.5 * (l * l - 1.0));
        let (lambda, twice_shear) = (3.0 * 0.3 / (1.3 * 0.4), 3.0 / 1.3);
        let z = match state {
            State::PlaneStress => -0.3 / 0.7 * (x + y),
            State::PlaneStrain => 0.0,
        };
        let thick = (1.0 + 2.0 * z).sqrt();
        let cauchy =
            |l: f64, e: f64| l * l * (lambda * (x + y + z) + twice_shear * e) / (1.3 * 0.8 * thick);
        let [a, b, c] = [cauchy(1.3, x), cauchy(0.8, y), cauchy(thick, z)];
        let near = |seen: f64, exact: f64| assert!((seen - exact).abs() < 1e-13, "{seen} {exact}");
        near(stress.principal()[0], a);
        near(stress.principal()[1], b);
        near(stress.zz, c);
        near(stress.xx, a * cos * cos + b * sin * sin);
        near(stress.xy, (a - b) * sin * cos);
        near(
            stress.von_mises(),
            (0.5 * ((a - b).powi(2) + (b - c).powi(2) + (c - a).powi(2))).sqrt(),
        );
    }
}

#[test]
fn without_stress_its_size_has_a_derivative_that_is_a_number() {
    let zero = Dual64::new(0.0, 1.0);
    let stress = Stress { xx: zero, yy: zero, xy: zero, zz: zero };
    assert!(stress.von_mises().eps.is_finite());
    assert!(stress.principal().iter().all(|s| s.eps.is_finite()));
}

#[test]
fn a_place_is_found_in_a_curved_element_and_not_beside_it() {
    let mut seed = 21;
    let map = drawn::<15>(&mut seed);
    for at in [[0.0, 0.0], [0.3, 0.2], [0.5, 0.5], [0.0, 0.9], [0.98, 0.01]] {
        let found = map.find(map.place(at), 1e-9).expect("inside");
        assert!((found[0] - at[0]).hypot(found[1] - at[1]) < 1e-12, "{found:?} {at:?}");
    }
    for at in [[-0.01, 0.4], [0.6, 0.45], [3.0, -2.0]] {
        assert_eq!(map.find(map.place(at), 1e-9), None);
    }
    assert_eq!(map.find([100.0, 7.0], 1e-9), None);
}

#[test]
fn an_element_that_is_turned_over_anywhere_is_refused_with_the_place() {
    let straight = lattice_of::<6>().map(|[_, i, j]| [0.5 * i as f64, 0.5 * j as f64]);
    let p = material(State::PlaneStress);
    assert!(PlaneKernel::new(Map::new(straight), &p).is_ok());
    // A node of a side beyond a quarter of it: ∂X/∂ξ vanishes at the corner.
    let mut folded = straight;
    folded[3][0] = 0.2;
    let place = PlaneKernel::new(Map::new(folded), &p).expect_err("inverted");
    assert!(place[0] < 0.1 && place[1].abs() < 1e-9, "{place:?}");
    let clockwise = straight.map(|[x, y]| [y, x]);
    assert!(PlaneKernel::new(Map::new(clockwise), &p).is_err());
    let lost = straight.map(|[x, y]| [f64::NAN * x, y]);
    assert!(PlaneKernel::new(Map::new(lost), &p).is_err());
}

#[test]
fn an_element_that_turns_over_between_the_places_of_a_fine_lattice_is_refused() {
    let mut seed = 5;
    let (mut refused, mut hidden) = (0, 0);
    for _ in 0..20_000 {
        // Inner nodes of sides moved until some elements just turn over.
        let map = Map::new(lattice_of::<6>().map(|[i, j, k]| {
            let corner = i == 2 || j == 2 || k == 2;
            let moved = if corner { 0.0 } else { 0.35 };
            [j, k].map(|n| 0.5 * n as f64 + moved * noise(&mut seed))
        }));
        let sampled = |fine: usize| {
            let lines = (0..=fine).flat_map(|j| (0..=fine - j).map(move |k| [j, k]));
            let places = lines.map(|at| at.map(|n| n as f64 / fine as f64));
            places.map(|at| map.at(at).jacobian).fold(f64::INFINITY, f64::min)
        };
        match map.turned_over() {
            None => assert!(sampled(40) > 0.0),
            Some((_, jacobian)) => {
                assert!(jacobian < 1e-6, "{jacobian}");
                refused += 1;
                hidden += usize::from(sampled(8) > 0.0);
            }
        }
    }
    println!("{refused} elements turn over, {hidden} of them only between the places of a lattice");
    assert!(refused > 1000 && hidden > 10, "{refused} {hidden}");
}
