//! Bodies at rest: homogeneous deformations, Cook's membrane, a cantilever.

use coulisse::elements::plane::density::State;
use coulisse::numerics::triangle_map::Within;

use super::body::{Body, patch, properties, rectangle};

const STATES: [State; 2] = [State::PlaneStress, State::PlaneStrain];

#[test]
fn a_homogeneous_deformation_is_an_equilibrium_of_curved_triangles() {
    let f = [[1.2, 0.3], [-0.1, 0.9]];
    for (order, state) in (1..=4).flat_map(|p| STATES.map(|state| (p, state))) {
        let mut mesh = rectangle(order, [3, 3], [1.0, 1.0]);
        let outer = |x: [f64; 2]| x.iter().any(|x| *x == 0.0 || *x == 1.0);
        for (k, x) in mesh.nodes.iter_mut().enumerate().filter(|(_, x)| !outer(**x)) {
            let way = 0.06 / (order * order) as f64;
            x[0] += way * (1.0 + 3.0 * k as f64).sin();
            x[1] += way * (2.0 + 5.0 * k as f64).sin();
        }
        let mut body = Body::new(mesh, &properties(3.0, 0.3, state), |_| [false; 2]);
        let nodes = body.mesh.nodes.clone();
        let image = |x: &[f64; 2]| f.map(|row| row[0] * x[0] + row[1] * x[1]);
        body.q = nodes.iter().flat_map(image).collect();
        let forces = body.forces(&body.q);
        // E by thickness and side.
        let largest = 3.0;
        for (x, force) in nodes.iter().zip(forces.chunks(2)).filter(|(x, _)| !outer(**x)) {
            assert!(force.iter().all(|f| f.abs() < 1e-14 * largest), "{order} {x:?} {force:?}");
        }
        let stress = |element: usize, at| {
            let deformed = body.elements.deformed(Within { element, at }, |u| body.q[u]);
            let stress = deformed.expect("triangles").stress;
            [stress.xx, stress.yy, stress.xy, stress.zz]
        };
        let one = stress(0, [0.2, 0.3]);
        for element in 0..18 {
            for (a, b) in stress(element, [0.6, 0.1]).into_iter().zip(one) {
                assert!((a - b).abs() < 1e-13, "{order} {element} {a} {b}");
            }
        }
    }
}

/// Cook's membrane: a tapered panel under a unit load across its right end; u_y in the middle of it.
fn cook(order: usize, cells: usize) -> f64 {
    let corners = [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]];
    let mesh = patch(order, [cells; 2], corners);
    let material = properties(1.0, 1.0 / 3.0, State::PlaneStress);
    let mut body = Body::new(mesh, &material, |[x, _]| [x == 0.0; 2]);
    let load = body.load("right", |_| [0.0, 1.0 / 16.0]);
    body.settle_linearly(&load);
    body.position([48.0, 52.0])[1] - 52.0
}

#[test]
fn cooks_membrane_is_that_of_an_independent_solution_on_the_same_meshes() {
    for (order, cells, reference) in [
        (1, 32, 23.8155),
        (1, 64, 23.9240),
        (2, 16, 23.9510),
        (2, 32, 23.9614),
        (3, 8, 23.9504),
        (3, 16, 23.9615),
        (4, 16, 23.9646),
    ] {
        let found = cook(order, cells);
        println!("order {order}, {cells} × {cells}: {found:.4} for {reference:.4}");
        // The figure of a mesh, to what its inner nodes may differ.
        assert!((found - reference).abs() < 1e-4 * reference, "{order} {cells}: {found}");
    }
}

#[test]
fn a_short_cantilever_is_timoshenkos_and_that_of_an_independent_solution() {
    for (cells, reference) in [([10, 1], 0.0402392), ([20, 2], 0.0402402)] {
        let material = properties(1e5, 0.0, State::PlaneStress);
        let mesh = rectangle(3, cells, [10.0, 1.0]);
        let mut body = Body::new(mesh, &material, |[x, _]| [x == 0.0; 2]);
        let load = body.load("right", |[_, y]| [0.0, 6.0 * y * (1.0 - y)]);
        body.settle_linearly(&load);
        let tip = body.position([10.0, 0.5])[1] - 0.5;
        println!("{cells:?}: {tip:.8} for {reference:.7}");
        assert!((tip - reference).abs() < 1e-4 * reference, "{tip} {reference}");
        // P L³/3EI + 6/5 P L/GA; its clamp lets sections warp.
        assert!((tip - 0.04024).abs() < 3e-5 * 0.04024, "{tip}");
    }
}
