//! One plane body by itself: supports, equilibrium and vibrations of a mesh, without a model file.

use coulisse::axis::Axis;
use coulisse::elements::group::{Elements, TangentRoom, Tangents};
use coulisse::elements::plane::density::{Density, SaintVenantKirchhoff, State};
use coulisse::elements::plane::properties::PlaneProperties;
use coulisse::linear::{Bordered, Interior, Layout};
use coulisse::mesh::{Mesh, Patch};
use coulisse::numerics::gauss::legendre;
use coulisse::numerics::lagrange::shape;
use coulisse::numerics::triangle_map::Within;
use nalgebra::{DMatrix, SymmetricEigen};

/// Unknowns 2k and 2k + 1 are the positions of node k.
pub struct Body {
    pub mesh: Mesh,
    pub elements: Elements,
    pub q: Vec<f64>,
    held: Vec<bool>,
    matrix: Bordered,
}

/// Young's modulus, Poisson's ratio and state of a body of unit thickness and density.
pub fn properties(young: f64, nu: f64, state: State) -> PlaneProperties {
    PlaneProperties {
        energy: Density::SaintVenantKirchhoff(SaintVenantKirchhoff::new(young, nu, state)),
        thickness: 1.0,
        density: 1.0,
    }
}

/// A patch with straight sides between four corners.
pub fn patch(order: usize, cells: [usize; 2], corners: [[f64; 2]; 4]) -> Mesh {
    let side = |i: usize| Axis::Straight { from: corners[i], to: corners[(i + 1) % 4] };
    let patch = Patch {
        order,
        cells,
        sides: std::array::from_fn(side),
        names: ["bottom", "right", "top", "left"].map(String::from),
        corners: [const { None }; 4],
    };
    patch.mesh().expect("a mesh")
}

/// A rectangle from the origin.
pub fn rectangle(order: usize, cells: [usize; 2], [x, y]: [f64; 2]) -> Mesh {
    patch(order, cells, [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]])
}

impl Body {
    /// In the initial configuration, with the nodes at which `hold` says so held in x or y.
    pub fn new(
        mesh: Mesh, properties: &PlaneProperties, hold: impl Fn([f64; 2]) -> [bool; 2],
    ) -> Body {
        let unknowns = |node: usize| [2 * node, 2 * node + 1];
        let mut elements =
            Elements::plane(mesh.order, &mesh.nodes, &mesh.triangles, unknowns, properties)
                .expect("no inverted element");
        let held: Vec<bool> = mesh.nodes.iter().flat_map(|&x| hold(x)).collect();
        let equations = |unknowns: &[usize]| unknowns.iter().map(|&u| u as u32).collect();
        let cliques = elements.unknowns().map(equations).collect();
        let layout = Layout::of(held.len(), cliques);
        elements.connect(|u, w| (!held[u] && !held[w]).then(|| layout.find(u, w)).flatten());
        Body {
            q: mesh.nodes.concat(),
            mesh,
            elements,
            held,
            matrix: Bordered::new(layout, [0, 0], Vec::new(), Vec::new()),
        }
    }

    /// The nodes of a side of the patch.
    pub fn edge(&self, name: &str) -> &[usize] {
        let edge = self.mesh.edges.iter().find(|edge| edge.name == name);
        &edge.expect("an edge").nodes
    }

    /// Nodal forces of a dead `traction`, N/m², along an edge, at places of the drawing.
    pub fn load(&self, edge: &str, traction: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<f64> {
        let (p, mut load) = (self.mesh.order, vec![0.0; self.q.len()]);
        for piece in self.edge(edge).windows(p + 1).step_by(p) {
            for (xi, weight) in legendre(p + 2) {
                let shape = shape(p, xi);
                let sum = |weights: &[f64], i: usize| -> f64 {
                    let nodes = piece.iter().map(|&node| self.mesh.nodes[node][i]);
                    nodes.zip(weights).map(|(x, w)| x * w).sum()
                };
                let length = sum(&shape.first, 0).hypot(sum(&shape.first, 1));
                let pull = traction([0, 1].map(|i| sum(&shape.value, i)));
                for (&node, value) in piece.iter().zip(shape.value) {
                    for (i, pull) in pull.into_iter().enumerate() {
                        load[2 * node + i] += weight * length * value * pull;
                    }
                }
            }
        }
        load
    }

    /// Internal nodal forces at `q`.
    pub fn forces(&self, q: &[f64]) -> Vec<f64> {
        let mut forces = vec![0.0; q.len()];
        self.elements.forces(q, |c| c.add_force(&mut forces));
        forces
    }

    /// Factors the tangent at `q` plus `shift` times the mass.
    fn factor(&mut self, shift: f64) {
        self.matrix.restart().fill(0.0);
        let Interior { layout, values } = &mut self.matrix.interior;
        let room = &mut TangentRoom::default();
        self.elements.tangents(&self.q[..], Tangents::All, room, |c| c.add_tangent(values));
        if shift != 0.0 {
            self.elements.masses(shift, |u, w, mass| {
                if u >= w && !self.held[u] && !self.held[w] {
                    values[layout.position(u, w)] += mass;
                }
            });
        }
        for (u, _) in self.held.iter().enumerate().filter(|(_, held)| **held) {
            values[layout.position(u, u)] = 1.0;
        }
        self.matrix.factor().expect("a regular matrix");
    }

    fn solve(&mut self, mut x: Vec<f64>) -> Vec<f64> {
        for (x, held) in x.iter_mut().zip(&self.held) {
            *x = if *held { 0.0 } else { *x };
        }
        (self.matrix.solve(&mut x, &mut [])).expect("a regular matrix");
        x
    }

    /// Moves `q` by what the tangent at rest gives under the nodal forces `load`.
    pub fn settle_linearly(&mut self, load: &[f64]) {
        self.factor(0.0);
        let step = self.solve(load.to_vec());
        self.q.iter_mut().zip(&step).for_each(|(q, d)| *q += d);
    }

    /// One correction of Newton's method towards the equilibrium with `load`; returns its largest entry.
    fn correct(&mut self, load: &[f64]) -> f64 {
        let internal = self.forces(&self.q);
        self.factor(0.0);
        let step = self.solve(load.iter().zip(internal).map(|(f, i)| f - i).collect());
        self.q.iter_mut().zip(&step).for_each(|(q, d)| *q += d);
        step.iter().fold(0.0, |a, d| a.max(d.abs()))
    }

    /// Moves `q` to the equilibrium with `load`, in `steps` equal parts.
    pub fn settle(&mut self, load: &[f64], steps: usize) {
        for k in 1..=steps {
            let part = k as f64 / steps as f64;
            let load: Vec<f64> = load.iter().map(|f| part * f).collect();
            let mut corrections = (0..30).map(|_| self.correct(&load));
            assert!(corrections.any(|step| step < 1e-12), "no equilibrium");
        }
    }

    /// The `count` lowest circular frequencies at `q`, rad/s, by subspace iteration.
    pub fn frequencies(&mut self, count: usize) -> Vec<f64> {
        // Below all of them, so that rigid motions are no trouble; zero ones come out below rounding.
        let shift = 0.1;
        self.factor(shift);
        let n = self.q.len();
        let mut mass: Vec<(usize, usize, f64)> = Vec::new();
        let held = &self.held;
        self.elements.masses(1.0, |u, w, m| {
            if !held[u] && !held[w] {
                mass.push((u, w, m));
            }
        });
        let times_mass = |x: &[f64]| {
            let mut out = vec![0.0; n];
            mass.iter().for_each(|&(u, w, m)| out[u] += m * x[w]);
            out
        };
        let size = 2 * count + 4;
        let start = |k: usize| (0..n).map(move |i| (1.0 + (7 * k + 1) as f64 * i as f64).sin());
        let mut basis: Vec<Vec<f64>> = (0..size).map(|k| start(k).collect()).collect();
        let mut found = vec![0.0; size];
        for _ in 0..40 {
            let images: Vec<Vec<f64>> = basis.iter().map(|x| times_mass(x)).collect();
            let next: Vec<Vec<f64>> = images.iter().map(|x| self.solve(x.clone())).collect();
            let moved: Vec<Vec<f64>> = next.iter().map(|x| times_mass(x)).collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let gram =
                |right: &[Vec<f64>]| DMatrix::from_fn(size, size, |i, j| dot(&next[i], &right[j]));
            // (K + shift M) next = images.
            let (stiffness, weight) = (gram(&images), gram(&moved));
            let lower = weight.cholesky().expect("independent vectors").l();
            let inverse = lower.try_inverse().expect("regular");
            let reduced = &inverse * stiffness * inverse.transpose();
            let eigen = SymmetricEigen::new(0.5 * (&reduced + reduced.transpose()));
            let vectors = inverse.transpose() * &eigen.eigenvectors;
            let mut order: Vec<usize> = (0..size).collect();
            order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
            found = order.iter().map(|&i| eigen.eigenvalues[i] - shift).collect();
            let combined = |&k: &usize| {
                let mut sum = vec![0.0; n];
                for (i, x) in next.iter().enumerate() {
                    sum.iter_mut().zip(x).for_each(|(s, x)| *s += vectors[(i, k)] * x);
                }
                sum
            };
            basis = order.iter().map(combined).collect();
        }
        found.truncate(count);
        found.iter().map(|square| square.max(0.0).sqrt()).collect()
    }

    /// Where a place of the drawing is now.
    pub fn position(&self, place: [f64; 2]) -> [f64; 2] {
        let within = self.within(place);
        let found = self.elements.interpolated(within, |u| self.q[u]);
        found.expect("triangles")
    }

    /// The element that holds a place of the drawing.
    pub fn within(&self, place: [f64; 2]) -> Within {
        self.mesh.locate(place)[0]
    }
}
