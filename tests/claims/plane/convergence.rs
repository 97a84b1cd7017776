//! Orders of convergence under finite strains.

use coulisse::elements::plane::density::State;
use coulisse::mesh::Mesh;
use coulisse::numerics::triangle_map::{Map, Within};
use coulisse::numerics::triangle_rule::collapsed;

use super::body::{Body, properties, rectangle};

const YOUNG: f64 = 2.0;
const NU: f64 = 0.3;

type Matrix = [[f64; 2]; 2];

/// Where a place of the square goes, and F.
fn deformation([x, y]: [f64; 2]) -> ([f64; 2], Matrix) {
    let (sx, cx) = (2.0 * x).sin_cos();
    let (sy, cy) = (1.5 * y + 0.3).sin_cos();
    let place = [x + 0.15 * sx * sy, y + 0.1 * cx * cy + 0.2 * x * x];
    let f =
        [[1.0 + 0.3 * cx * sy, 0.225 * sx * cy], [-0.2 * sx * cy + 0.4 * x, 1.0 - 0.15 * cx * sy]];
    (place, f)
}

/// S of Hooke's law in plane strain, λ tr(E) 1 + 2 G E, and det F.
fn stress(f: &Matrix) -> (Matrix, f64) {
    let lambda = YOUNG * NU / ((1.0 + NU) * (1.0 - 2.0 * NU));
    let shear = 0.5 * YOUNG / (1.0 + NU);
    let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
    let green = |i: usize, j: usize| 0.5 * (f[0][i] * f[0][j] + f[1][i] * f[1][j] - unit(i, j));
    let trace = green(0, 0) + green(1, 1);
    let entry = |i, j| lambda * trace * unit(i, j) + 2.0 * shear * green(i, j);
    let s = [0, 1].map(|i| [0, 1].map(|j| entry(i, j)));
    (s, f[0][0] * f[1][1] - f[0][1] * f[1][0])
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1].map(|j| row[0] * b[0][j] + row[1] * b[1][j]))
}

/// A square with curved triangles.
fn mesh(order: usize, cells: usize) -> Mesh {
    let mut mesh = rectangle(order, [cells; 2], [1.0, 1.0]);
    for x in mesh.nodes.iter_mut().filter(|_| order > 1) {
        let bend = 0.08 * (3.0 * x[0]).sin() * (4.0 * x[1]).sin();
        *x = [x[0] + bend, x[1] - 0.7 * bend];
    }
    mesh
}

/// Calls `visit` with element, place (ξ, η), map and weight of a fine rule.
fn each<const NODES: usize>(mesh: &Mesh, mut visit: impl FnMut(usize, [f64; 2], &Map<NODES>, f64)) {
    for (element, nodes) in mesh.triangles().enumerate() {
        let map = Map::new(std::array::from_fn(|l| mesh.nodes[nodes[l]]));
        for point in collapsed(12) {
            let weight = point.weight * map.at(point.place).jacobian;
            visit(element, point.place, &map, weight);
        }
    }
}

/// Errors of positions and of Cauchy stress in the mean square over the square, under the forces
/// ∫ P ∂φ/∂X dA that hold the deformation.
fn errors<const NODES: usize>(order: usize, cells: usize) -> [f64; 2] {
    let mesh = mesh(order, cells);
    let material = properties(YOUNG, NU, State::PlaneStrain);
    let mut load = vec![0.0; 2 * mesh.nodes.len()];
    each::<NODES>(&mesh, |element, at, map, weight| {
        let (local, (_, f)) = (map.at(at), deformation(map.place(at)));
        let p = product(&f, &stress(&f).0);
        let nodes = &mesh.triangles[NODES * element..][..NODES];
        for (l, node) in nodes.iter().enumerate() {
            for i in 0..2 {
                let along = p[i][0] * local.slope[0][l] + p[i][1] * local.slope[1][l];
                load[2 * node + i] += weight * along;
            }
        }
    });
    let mut body = Body::new(mesh, &material, |[x, _]| [x == 0.0; 2]);
    for (x, q) in body.mesh.nodes.iter().zip(body.q.chunks_exact_mut(2)) {
        q.copy_from_slice(&deformation(*x).0);
    }
    body.settle(&load, 1);
    let mut squares = [0.0; 2];
    each::<NODES>(&body.mesh, |element, at, map, weight| {
        let (place, f) = deformation(map.place(at));
        let within = Within { element, at };
        let seen = body.elements.interpolated(within, |u| body.q[u]);
        for (seen, exact) in seen.expect("triangles").into_iter().zip(place) {
            squares[0] += weight * (seen - exact).powi(2);
        }
        let (s, volume) = stress(&f);
        let transposed = [[f[0][0], f[1][0]], [f[0][1], f[1][1]]];
        let cauchy = product(&product(&f, &s), &transposed);
        let deformed = body.elements.deformed(within, |u| body.q[u]);
        let seen = deformed.expect("triangles").stress;
        for (seen, exact) in
            [(seen.xx, cauchy[0][0]), (seen.yy, cauchy[1][1]), (seen.xy, cauchy[0][1])]
        {
            squares[1] += weight * (seen - exact / volume).powi(2);
        }
    });
    squares.map(f64::sqrt)
}

fn converges<const NODES: usize>(order: usize, cells: usize) {
    let [coarse, fine] = [cells, 2 * cells].map(|cells| errors::<NODES>(order, cells));
    let orders = [0, 1].map(|i| (coarse[i] / fine[i]).log2());
    println!("order {order}: errors {:.1e} {:.1e}, orders {orders:.2?}", fine[0], fine[1]);
    for (seen, expected) in orders.into_iter().zip([order as f64 + 1.0, order as f64]) {
        assert!(seen > expected - 0.15, "{order}: {seen} for {expected}");
    }
}

#[test]
fn positions_converge_with_order_p_plus_one_and_stresses_with_p() {
    converges::<3>(1, 16);
    converges::<6>(2, 8);
    converges::<10>(3, 8);
    converges::<15>(4, 6);
}
