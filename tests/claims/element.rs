//! The frame element against an independent energy: Eqs. 1-6 and 14 of Siqueira & Coda 2023
//! integrated over the section by quadrature, differentiated by hyper-dual numbers.

use coulisse::axis::{Arc, Axis, Place};
use coulisse::elements::frame::{FrameKernel, LocalMatrix, LocalVector, MAX_DOFS};
use coulisse::elements::initial::InitialAxis;
use coulisse::elements::kernel::Kernel;
use coulisse::model::checked::{Properties, SectionShape};
use coulisse::numerics::gauss::legendre;
use coulisse::numerics::lagrange::shape;
use nalgebra::SVector;
use num_dual::{Dual2SVec64, DualNum, hessian};

const HEIGHT: f64 = 0.31;
const WIDTH: f64 = 0.17;
const YOUNG: f64 = 2.1e5;
const SHEAR: f64 = 0.8e5;

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

fn straight(length: f64, angle: f64) -> Axis {
    Axis::Straight { from: [0.0; 2], to: [length * angle.cos(), length * angle.sin()] }
}

/// U = ∫ u dV with the mapping of Eqs. 1-2, A = A¹(A⁰)⁻¹, E = ½(AᵀA − 1) and ν = 0 in Eq. 14.
/// `points` along the axis.
fn energy<D: DualNum<Primitive = f64> + Copy>(points: usize, initial: &[Place], q: &[D]) -> D {
    let order = initial.len() - 1;
    let half = HEIGHT / 2.0;
    let mut total = D::from(0.0);
    for (xi, wx) in legendre(points) {
        let s = shape(order, xi);
        let (mut c, mut n, mut angle, mut turn) = (0.0, 0.0, 0.0, 0.0);
        for (l, node) in initial.iter().enumerate() {
            c += node.position[0] * s.first[l];
            n += node.position[1] * s.first[l];
            angle += node.angle * s.value[l];
            turn += node.angle * s.first[l];
        }
        let theta0 = angle + std::f64::consts::FRAC_PI_2;
        let (d0x, d0y) = (theta0.cos(), theta0.sin());
        for (eta, we) in legendre(20) {
            let (mut y1, mut y2, mut r, mut dr) =
                (D::from(0.0), D::from(0.0), D::from(0.0), D::from(0.0));
            for l in 0..=order {
                y1 += q[3 * l] * s.first[l];
                y2 += q[3 * l + 1] * s.first[l];
                r += q[3 * l + 2] * s.value[l];
                dr += q[3 * l + 2] * s.first[l];
            }
            dr += turn;
            let theta = r + theta0;
            let (sin, cos) = (theta.sin(), theta.cos());
            // Columns by ξ and η.
            let now = [
                [y1 - dr * sin * (half * eta), cos * half],
                [y2 + dr * cos * (half * eta), sin * half],
            ];
            let before = [
                [c - turn * d0y * half * eta, half * d0x],
                [n + turn * d0x * half * eta, half * d0y],
            ];
            let det = before[0][0] * before[1][1] - before[0][1] * before[1][0];
            let inverse = [
                [before[1][1] / det, -before[0][1] / det],
                [-before[1][0] / det, before[0][0] / det],
            ];
            let mut a = [[D::from(0.0); 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    a[i][j] = now[i][0] * inverse[0][j] + now[i][1] * inverse[1][j];
                }
            }
            // Components of E along the initial axis and section direction.
            let basis = [[angle.cos(), angle.sin()], [d0x, d0y]];
            let pushed =
                basis.map(|b| [a[0][0] * b[0] + a[0][1] * b[1], a[1][0] * b[0] + a[1][1] * b[1]]);
            let inner = |u: [D; 2], v: [D; 2]| u[0] * v[0] + u[1] * v[1];
            let e11 = (inner(pushed[0], pushed[0]) - 1.0) * 0.5;
            let e12 = inner(pushed[0], pushed[1]) * 0.5;
            let e22 = (inner(pushed[1], pushed[1]) - 1.0) * 0.5;
            let u = (e11 * e11 + e22 * e22) * (YOUNG / 2.0) + e12 * e12 * (2.0 * SHEAR);
            total += u * (wx * we * det * WIDTH);
        }
    }
    total
}

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A large random deformation after a large rigid turn.
fn deformed(initial: &[Place], size: f64, seed: &mut u64) -> Vec<f64> {
    let turn = 3.0 * noise(seed);
    let (sin, cos) = turn.sin_cos();
    (initial.iter())
        .flat_map(|node| {
            let [x, y] = node.position;
            [
                5.0 + cos * x - sin * y + size * noise(seed),
                -3.0 + sin * x + cos * y + size * noise(seed),
                turn + size * noise(seed),
            ]
        })
        .collect()
}

/// An axis of some length, straight or an arc of up to a radian.
fn some_axis(curved: bool, seed: &mut u64) -> Axis {
    let (length, angle) = (1.0 + 0.5 * noise(seed), 3.0 * noise(seed));
    let axis = straight(length, angle);
    match axis {
        Axis::Straight { from, to } if curved => Axis::Arc(Arc::new(from, to, noise(seed))),
        _ => axis,
    }
}

fn kernel_of(order: usize, axis: &Axis) -> FrameKernel {
    match axis {
        Axis::Straight { .. } => {
            FrameKernel::new(order, axis.length(), axis.at(0.0).angle, &section())
        }
        _ => FrameKernel::curved(&InitialAxis::new(&axis.places(order)), axis.length(), &section()),
    }
}

fn evaluate(kernel: &FrameKernel, q: &[f64]) -> (LocalVector, LocalMatrix) {
    let mut local = [0.0; MAX_DOFS];
    local[..q.len()].copy_from_slice(q);
    let (mut force, mut tangent) = ([0.0; MAX_DOFS], [[0.0; MAX_DOFS]; MAX_DOFS]);
    kernel.force_and_tangent(&local, &mut force, &mut tangent);
    (force, tangent)
}

/// Largest difference of energy, force and tangent from the independent energy, relative.
fn difference(order: usize, axis: &Axis, seed: &mut u64) -> f64 {
    let initial = axis.places(order);
    let kernel = kernel_of(order, axis);
    // Curved elements have one Gauss point fewer.
    let points = order + usize::from(axis.is_straight());
    let q = deformed(&initial, 0.2, seed);
    let (force, tangent) = evaluate(&kernel, &q);
    let mut local = [0.0; MAX_DOFS];
    local[..q.len()].copy_from_slice(&q);
    let (value, gradient, second) = hessian(
        |x: SVector<Dual2SVec64<MAX_DOFS>, MAX_DOFS>| energy(points, &initial, x.as_slice()),
        &SVector::from(local),
    );
    let mut worst = (kernel.energy(&local) - value).abs() / value;
    for i in 0..q.len() {
        worst = worst.max((force[i] - gradient[i]).abs() / gradient.amax());
        for j in 0..=i {
            worst = worst.max((tangent[i][j] - second[(i, j)]).abs() / second.amax());
        }
    }
    worst
}

#[test]
fn force_and_tangent_are_the_derivatives_of_the_independent_energy() {
    let mut seed = 1;
    for curved in [false, true] {
        let mut worst = 0.0_f64;
        for order in 1..=4 {
            for _ in 0..20 {
                let axis = some_axis(curved, &mut seed);
                worst = worst.max(difference(order, &axis, &mut seed));
            }
        }
        println!("curved {curved}: largest relative difference {worst:.1e}");
        assert!(worst < 1e-8);
    }
}

#[test]
fn a_curved_element_without_strain_has_no_force_to_the_last_bit() {
    let mut seed = 4;
    for order in 1..=4 {
        let axis = some_axis(true, &mut seed);
        let initial = axis.places(order);
        let at = initial.iter().flat_map(|n| [n.position[0], n.position[1], 0.0]);
        let q: Vec<f64> = at.collect();
        let (force, _) = evaluate(&kernel_of(order, &axis), &q);
        assert_eq!(force, [0.0; MAX_DOFS]);
    }
}

#[test]
fn rigid_motion_costs_no_energy_and_no_force() {
    let mut seed = 5;
    for order in 1..=4 {
        for round in 0..40 {
            let axis = some_axis(round % 2 == 1, &mut seed);
            let kernel = kernel_of(order, &axis);
            let q = deformed(&axis.places(order), 0.0, &mut seed);
            let (force, _) = evaluate(&kernel, &q);
            // Rounding of positions of size 10 m on a member of stiffness EA.
            let limit = 1e-14 * 10.0 * YOUNG * WIDTH * HEIGHT / axis.length() * 10.0;
            assert!(force.iter().all(|f| f.abs() < limit), "order {order}: {force:?}");
        }
    }
}

#[test]
fn force_is_invariant_under_a_rigid_turn_of_a_deformed_element() {
    let mut seed = 11;
    for (order, curved) in [1, 2, 3, 4].into_iter().flat_map(|o| [(o, false), (o, true)]) {
        let axis = some_axis(curved, &mut seed);
        let kernel = kernel_of(order, &axis);
        let q = deformed(&axis.places(order), 0.2, &mut seed);
        let (force, _) = evaluate(&kernel, &q);
        let (sin, cos) = 1.1_f64.sin_cos();
        let turned: Vec<f64> = q
            .chunks(3)
            .flat_map(|n| [cos * n[0] - sin * n[1], sin * n[0] + cos * n[1], n[2] + 1.1])
            .collect();
        let (after, _) = evaluate(&kernel, &turned);
        let size = force.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        for l in 0..=order {
            let (fx, fy) = (force[3 * l], force[3 * l + 1]);
            assert!((after[3 * l] - (cos * fx - sin * fy)).abs() < 1e-12 * size);
            assert!((after[3 * l + 1] - (sin * fx + cos * fy)).abs() < 1e-12 * size);
            assert!((after[3 * l + 2] - force[3 * l + 2]).abs() < 1e-12 * size);
        }
    }
}
