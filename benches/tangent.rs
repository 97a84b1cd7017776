//! Cost of an element's tangent as it is written out and by hyper-dual numbers: `cargo bench --bench tangent`.
//!
//! A straight element of every order with its W(P, Q, κ) of a rectangle, whose second derivatives either come from
//! the kernel or from the same energy in numbers that carry gradient and Hessian. Both are compared first.
//! Then force and tangent of plane triangles, and the force alone.

use std::hint::black_box;
use std::time::Instant;

use coulisse::elements::frame::{FrameKernel, MAX_DOFS};
use coulisse::elements::kernel::Kernel;
use coulisse::elements::plane::density::{Density, SaintVenantKirchhoff, State};
use coulisse::elements::plane::kernel::PlaneKernel;
use coulisse::elements::plane::properties::PlaneProperties;
use coulisse::model::checked::{Properties, SectionShape};
use coulisse::numerics::gauss::legendre;
use coulisse::numerics::lagrange::shape;
use coulisse::numerics::triangle::{lattice_of, order_of};
use coulisse::numerics::triangle_map::Map;
use nalgebra::SVector;
use num_dual::{Dual2SVec64, DualNum, hessian};

const LENGTH: f64 = 0.7;
const YOUNG: f64 = 2.1e5;
const SHEAR: f64 = 0.8e5;
const HEIGHT: f64 = 0.2;
const WIDTH: f64 = 0.1;
const EVALUATIONS: usize = 2000;
const ROUNDS: usize = 20;

fn section() -> Properties {
    Properties {
        young_modulus: YOUNG,
        shear_modulus: SHEAR,
        density: 1.0,
        area: WIDTH * HEIGHT,
        shear_area: WIDTH * HEIGHT,
        second_moment: WIDTH * HEIGHT.powi(3) / 12.0,
        fourth_moment: WIDTH * HEIGHT.powi(5) / 80.0,
        shape: SectionShape::Rectangle,
        added_mass: 0.0,
        rotary_inertia: false,
    }
}

/// U of an element along x.
fn energy<D: DualNum<Primitive = f64> + Copy>(order: usize, q: &[D]) -> D {
    let s = section();
    let mut total = D::from(0.0);
    for (xi, weight) in legendre(order + 1) {
        let shape = shape(order, xi);
        let [mut x, mut y, mut r, mut k] = [D::from(0.0); 4];
        for l in 0..=order {
            let slope = shape.first[l] * 2.0 / LENGTH;
            x += q[3 * l] * slope;
            y += q[3 * l + 1] * slope;
            r += q[3 * l + 2] * shape.value[l];
            k += q[3 * l + 2] * slope;
        }
        let (sin, cos) = r.sin_cos();
        let (p, t) = (x * cos + y * sin, y * cos - x * sin);
        let e0 = (p * p + t * t - 1.0) * 0.5;
        let kk = k * k;
        let bent = kk * (p * p + e0) * s.second_moment + kk * kk * (0.25 * s.fourth_moment);
        let w = (e0 * e0 * s.area + bent) * (0.5 * YOUNG) + t * t * (0.5 * SHEAR * s.area);
        total += w * (0.5 * LENGTH * weight);
    }
    total
}

/// Shortest time of all rounds, s per evaluation.
fn least(mut evaluate: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let clock = Instant::now();
        (0..EVALUATIONS).for_each(|_| evaluate());
        least = least.min(clock.elapsed().as_secs_f64() / EVALUATIONS as f64);
    }
    least
}

/// One line of the table for elements of an order with `N` unknowns.
fn compare<const N: usize>(order: usize) {
    let kernel = FrameKernel::new(order, LENGTH, 0.0, &section());
    let mut q = [0.0; MAX_DOFS];
    for l in 0..=order {
        let x = LENGTH * l as f64 / order as f64;
        q[3 * l..3 * l + 3].copy_from_slice(&[1.1 * x, 0.3 * x * x, 0.4 * x]);
    }
    let mut own = [0.0; N];
    own.copy_from_slice(&q[..N]);
    let own = SVector::from(own);
    let by_numbers = |q: SVector<f64, N>| {
        hessian(|q: SVector<Dual2SVec64<N>, N>| energy(order, q.as_slice()), &q)
    };
    let (mut force, mut tangent) = ([0.0; MAX_DOFS], [[0.0; MAX_DOFS]; MAX_DOFS]);
    kernel.force_and_tangent(&q, &mut force, &mut tangent);
    let (_, gradient, second) = by_numbers(own);
    for i in 0..N {
        assert!((force[i] - gradient[i]).abs() < 1e-10 * gradient.amax());
        assert!((0..=i).all(|j| (tangent[i][j] - second[(i, j)]).abs() < 1e-10 * second.amax()));
    }
    let written = least(|| {
        tangent = [[0.0; MAX_DOFS]; MAX_DOFS];
        kernel.force_and_tangent(black_box(&q), &mut force, &mut tangent);
        black_box(&tangent);
    });
    let numbers = least(|| {
        black_box(by_numbers(black_box(own)));
    });
    println!(
        "{order:>5} {N:>8} {:>15.0} {:>19.0} {:>8.1}",
        1e9 * written,
        1e9 * numbers,
        numbers / written
    );
}

/// One line of the table for triangles with `NODES` nodes and `N` unknowns.
fn triangle<const NODES: usize, const N: usize>() {
    let law = SaintVenantKirchhoff::new(YOUNG, 0.3, State::PlaneStrain);
    let properties = PlaneProperties {
        energy: Density::SaintVenantKirchhoff(law),
        thickness: WIDTH,
        density: 1.0,
    };
    let order = order_of(NODES);
    let nodes = lattice_of::<NODES>().map(|[_, i, j]| [i, j].map(|k| k as f64 / order as f64));
    let kernel = PlaneKernel::new(Map::new(nodes), &properties).expect("not inverted");
    let mut q = [0.0; N];
    for (q, [x, y]) in q.chunks_exact_mut(2).zip(nodes) {
        q.copy_from_slice(&[1.1 * x + 0.2 * y * y, 0.9 * y + 0.1 * x * y]);
    }
    let (mut force, mut tangent) = ([0.0; N], [[0.0; N]; N]);
    let both = least(|| {
        kernel.force_and_tangent(black_box(&q), &mut force, &mut tangent);
        black_box(&tangent);
    });
    let alone = least(|| {
        kernel.force(black_box(&q), &mut force);
        black_box(&force);
    });
    println!("{order:>5} {N:>8} {:>21.2} {:>15.2}", 1e6 * both, 1e6 * alone);
}

fn main() {
    println!("order unknowns written out, ns hyper-dual numbers, ns    ratio");
    compare::<6>(1);
    compare::<9>(2);
    compare::<12>(3);
    compare::<15>(4);
    println!("\nplane triangles\norder unknowns force and tangent, µs force alone, µs");
    triangle::<3, 6>();
    triangle::<6, 12>();
    triangle::<10, 20>();
    triangle::<15, 30>();
}
