//! Contacts with friction, against a dense solver.

use nalgebra::{DMatrix, DVector};

use crate::linear::frontal::tests::case::Noise;
use crate::linear::{Bordered, Layout, Singular};

/// A matrix, and the same as a dense one where that is wanted.
struct Both {
    matrix: Bordered,
    dense: Option<DMatrix<f64>>,
}

impl Both {
    fn new(layout: Layout, width: usize, entries: usize, dense: bool) -> Both {
        let all = layout.order() + width;
        Both {
            matrix: Bordered::new(layout, [width, 4], Vec::new(), Vec::new()).with_beside(entries),
            dense: dense.then(|| DMatrix::zeros(all, all)),
        }
    }

    /// Adds `value` to K at (i, j), once for both triangles.
    fn add(&mut self, i: u32, j: u32, value: f64) {
        let (i, j) = (i as usize, j as usize);
        if i >= j {
            let at = self.matrix.interior.layout.position(i, j);
            self.matrix.interior.values[at] += value;
        }
        if let Some(dense) = &mut self.dense {
            dense[(i, j)] += value;
        }
    }

    /// A contact of the stiffness k between `unknowns`, whose gap is n x: k n nᵀ in K and μ k t nᵀ beside it.
    fn add_friction(
        &mut self, unknowns: &[u32], [n, t]: [&[f64]; 2], stiffness: f64, friction: f64,
    ) {
        for (a, &i) in unknowns.iter().enumerate() {
            for (b, &j) in unknowns.iter().enumerate() {
                self.add(i, j, stiffness * n[a] * n[b]);
                let value = friction * stiffness * t[a] * n[b];
                self.matrix.add_beside(i as usize, j as usize, value);
                if let Some(dense) = &mut self.dense {
                    dense[(i as usize, j as usize)] += value;
                }
            }
        }
    }

    fn couple(&mut self, i: usize, b: usize, value: f64) {
        self.matrix.add_column(i, b, value);
        if let Some(dense) = &mut self.dense {
            let b = self.matrix.interior.layout.order() + b;
            dense[(i, b)] += value;
            dense[(b, i)] += value;
        }
    }
}

/// A chain of random elements with contacts between nodes of it, up to `hardest` times as stiff, and a border.
fn chain(seed: u64, hardest: f64) -> Both {
    let mut noise = Noise(seed);
    let (nodes, width) = (4 + noise.below(30), noise.below(4));
    let order = 2 * nodes;
    let element = |k: usize| (2 * k as u32..2 * k as u32 + 4).collect::<Vec<u32>>();
    let mut cliques: Vec<Vec<u32>> = (0..nodes - 1).map(element).collect();
    let contacts = 1 + noise.below(nodes);
    for _ in 0..contacts {
        let (a, b) = (noise.below(nodes - 1), noise.below(nodes - 1));
        let mut clique = [element(a), element(b)].concat();
        clique.sort_unstable();
        clique.dedup();
        cliques.push(clique);
    }
    let mut both = Both::new(Layout::of(order, cliques.clone()), width, 64 * contacts, true);
    for clique in &cliques[..nodes - 1] {
        let factor = DMatrix::from_fn(4, 4, |_, _| noise.next());
        let stiffness = factor.transpose() * factor;
        for (a, &i) in clique.iter().enumerate() {
            for (b, &j) in clique.iter().enumerate() {
                let own = if a == b { 0.1 } else { 0.0 };
                both.add(i, j, stiffness[(a, b)] + own);
            }
        }
    }
    for clique in &cliques[nodes - 1..] {
        let mut direction = || -> Vec<f64> { clique.iter().map(|_| noise.next()).collect() };
        let (n, t) = (direction(), direction());
        let stiffness = hardest.powf(0.5 + 0.5 * noise.next());
        both.add_friction(clique, [&n, &t], stiffness, 3.0 * noise.next());
    }
    for b in 0..width {
        for i in 0..order {
            if noise.chance(0.3) {
                both.couple(i, b, noise.next());
            }
        }
        both.couple(b, b, 1.0);
    }
    both
}

#[test]
fn contacts_with_friction_are_solved_for_as_by_a_dense_solver() {
    let mut regular = 0;
    for seed in 0..1000 {
        let Both { mut matrix, dense } = chain(seed, 1e3);
        let dense = dense.expect("asked for");
        let values = dense.clone().singular_values();
        let condition = values.max() / values.min();
        if condition > 1e7 {
            continue;
        }
        regular += 1;
        let mut noise = Noise(seed + 1_000_000);
        let right = DVector::from_fn(dense.nrows(), |_, _| noise.next());
        let exact = dense.lu().solve(&right).expect("regular");
        let order = matrix.interior.layout.order();
        let mut x = right.as_slice().to_vec();
        let mut y = x.split_off(order);
        matrix.factor().expect("regular");
        let solved = matrix.solve(&mut x, &mut y);
        assert_eq!(solved, Ok(()), "{seed}: {condition:.1e}");
        let all = x.iter().chain(&y).zip(exact.iter());
        let off = all.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(
            off < 1e-12 * condition.max(1e3) * exact.amax(),
            "{seed}: {off:.1e} of {:.1e}, condition {condition:.1e}",
            exact.amax()
        );
    }
    assert!(regular > 500, "{regular}");
}

#[test]
fn a_matrix_that_what_is_beside_it_makes_singular_is_reported_with_what_moves() {
    let mut reported = 0;
    for seed in 0..300 {
        let Both { mut matrix, dense } = chain(seed, 1e3);
        let mut dense = dense.expect("asked for");
        let (order, all) = (matrix.interior.layout.order(), dense.nrows());
        // −A z in one column, over that entry of a z, takes z to nothing: A z − (A z) z_j/z_j.
        let mut noise = Noise(seed + 2_000_000);
        let mut z = DVector::from_fn(all, |_, _| noise.next());
        z.rows_mut(order, all - order).fill(0.0);
        // Rows of the border are not reached: z is one of what they allow.
        let rows = dense.rows(order, all - order).transpose();
        if all > order {
            let short = rows.clone().pseudo_inverse(1e-12).expect("a threshold");
            z -= rows * (short * z.clone());
            z.rows_mut(order, all - order).fill(0.0);
        }
        let forces = &dense * &z;
        let j = z.icamax();
        for i in 0..order {
            matrix.add_beside(i, j, -forces[i] / z[j]);
            dense[(i, j)] -= forces[i] / z[j];
        }
        let values = dense.clone().singular_values();
        let mut sorted: Vec<f64> = values.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted[0] < 1e-12 * values.max(), "{seed}: {sorted:?}");
        if sorted[1] < 1e-5 * values.max() {
            continue;
        }
        reported += 1;
        let mut x: Vec<f64> = (0..order).map(|_| noise.next()).collect();
        let mut y = vec![0.0; all - order];
        matrix.factor().expect("M is regular");
        assert_eq!(matrix.solve(&mut x, &mut y), Err(Singular), "{seed}");
        let motion = matrix.free_motion().interior;
        let scale = motion[z.icamax()] / z.amax().copysign(z[z.icamax()]);
        for (ours, theirs) in motion.iter().zip(z.iter()) {
            let off = (ours - scale * theirs).abs();
            assert!(off < 1e-5, "{seed}: {ours} {}", scale * theirs);
        }
    }
    assert!(reported > 150, "{reported}");
}

#[test]
fn hard_contacts_are_not_taken_for_a_singular_matrix_and_take_no_more_solutions() {
    for hardest in [1.0, 1e3, 1e6, 1e9] {
        let (mut regular, mut most) = (0, 0);
        for seed in 0..300 {
            let Both { mut matrix, dense } = chain(seed, hardest);
            let dense = dense.expect("asked for");
            let order = matrix.interior.layout.order();
            // What N makes of a force: its size says how near M + N is to a singular matrix, however hard the contacts are.
            let mut beside = DMatrix::zeros(dense.nrows(), dense.ncols());
            let (mut unit, mut column) = (vec![0.0; order], vec![0.0; order]);
            for j in 0..order {
                unit.fill(0.0);
                unit[j] = 1.0;
                matrix.beside.times(&unit, &mut column);
                beside.view_mut((0, j), (order, 1)).copy_from_slice(&column);
            }
            let response = (&dense - &beside).try_inverse().expect("M is regular");
            let whole = DMatrix::identity(dense.nrows(), dense.ncols()) + beside * response;
            if whole.singular_values().min() < 1e-6 {
                continue;
            }
            regular += 1;
            let mut noise = Noise(seed + 1_000_000);
            let mut x: Vec<f64> = (0..order).map(|_| noise.next()).collect();
            let mut y = vec![0.0; dense.nrows() - order];
            matrix.factor().expect("M is regular");
            let solved = matrix.solve(&mut x, &mut y);
            assert_eq!(solved, Ok(()), "{seed}: {hardest:e}");
            most = most.max(matrix.beside.solutions());
        }
        println!("contacts up to {hardest:e} times as stiff: at most {most} solutions");
        assert!(regular > 290 && most <= 35, "{hardest:e}: {regular} {most}");
    }
}

/// Squares of a block in plane stress that is pressed on a line: columns and rows.
#[derive(Debug, Clone, Copy)]
struct Block {
    columns: usize,
    rows: usize,
}

impl Block {
    fn node(self, column: usize, row: usize) -> u32 {
        2 * (row * (self.columns + 1) + column) as u32
    }

    /// Four nodes of two unknowns each for each square, but for the held ones at the top.
    fn squares(self) -> Vec<Vec<u32>> {
        let cells = (0..self.rows).flat_map(|j| (0..self.columns).map(move |i| (i, j)));
        let corners = |(i, j)| [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
        let of = |cell| {
            let nodes = corners(cell).map(|(i, j)| self.node(i, j));
            nodes.iter().flat_map(|&u| [u, u + 1]).collect()
        };
        cells.map(of).collect()
    }

    /// The block with Young's modulus and thickness of 1, Poisson's ratio 0.3, held at its top, with two points on each
    /// square's side that press and slide.
    fn pressed(self, stiffness: f64, friction: f64) -> Bordered {
        let squares = self.squares();
        let order = 2 * (self.columns + 1) * (self.rows + 1);
        let entries = 2 * 16 * self.columns;
        let mut both = Both::new(Layout::of(order, squares.clone()), 0, entries, false);
        let element = square(0.3);
        for square in &squares {
            for (a, &i) in square.iter().enumerate() {
                for (b, &j) in square.iter().enumerate() {
                    both.add(i, j, element[(a, b)]);
                }
            }
        }
        for column in 0..=self.columns {
            let top = self.node(column, self.rows);
            [top, top + 1].iter().for_each(|&u| both.add(u, u, 1e4));
        }
        for column in 0..self.columns {
            let nodes = [self.node(column, 0), self.node(column + 1, 0)];
            let unknowns = nodes.map(|u| [u, u + 1]).concat();
            for weight in [0.5 - 0.5 / 3_f64.sqrt(), 0.5 + 0.5 / 3_f64.sqrt()] {
                let [a, b] = [weight, 1.0 - weight];
                let (n, t) = ([0.0, a, 0.0, b], [a, 0.0, b, 0.0]);
                // Each stands for half a side.
                both.add_friction(&unknowns, [&n, &t], 0.5 * stiffness, friction);
            }
        }
        both.matrix
    }
}

/// The stiffness of a square of four nodes in plane stress.
fn square(poisson: f64) -> DMatrix<f64> {
    let material = DMatrix::from_row_slice(
        3,
        3,
        &[1.0, poisson, 0.0, poisson, 1.0, 0.0, 0.0, 0.0, 0.5 * (1.0 - poisson)],
    ) / (1.0 - poisson * poisson);
    let mut stiffness = DMatrix::zeros(8, 8);
    let gauss = 1.0 / 3_f64.sqrt();
    for (x, y) in [(-gauss, -gauss), (gauss, -gauss), (gauss, gauss), (-gauss, gauss)] {
        let mut strain = DMatrix::zeros(3, 8);
        let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        for (k, (i, j)) in signs.into_iter().enumerate() {
            let slope = [0.5 * i * (1.0 + j * y), 0.5 * j * (1.0 + i * x)];
            strain[(0, 2 * k)] = slope[0];
            strain[(1, 2 * k + 1)] = slope[1];
            strain[(2, 2 * k)] = slope[1];
            strain[(2, 2 * k + 1)] = slope[0];
        }
        stiffness += strain.transpose() * &material * strain / 4.0;
    }
    stiffness
}

#[test]
fn solutions_for_a_block_that_slides_grow_with_friction_but_neither_with_points_nor_with_hardness()
{
    for (friction, most) in [(0.1, 14), (0.3, 18), (1.0, 28), (2.0, 45)] {
        for (columns, rows) in [(5, 5), (25, 25), (250, 20)] {
            let block = Block { columns, rows };
            let took = [1e-2, 1.0, 1e2, 1e4].map(|stiffness| {
                let mut matrix = block.pressed(stiffness, friction);
                let mut x = vec![0.0; matrix.interior.layout.order()];
                for column in 0..=columns {
                    x[block.node(column, rows) as usize + 1] = -1.0;
                }
                let given = DVector::from_column_slice(&x);
                let whole = matrix.clone();
                matrix.factor().expect("regular");
                assert_eq!(matrix.solve(&mut x, &mut []), Ok(()));
                assert!((times(&whole, &x) - given).amax() < 1e-10);
                matrix.beside.solutions()
            });
            println!("{:4} points, μ = {friction}: {took:?} solutions", 2 * columns);
            assert!(took.iter().all(|n| *n <= most), "{took:?}");
        }
    }
}

/// (K + N) x.
fn times(matrix: &Bordered, x: &[f64]) -> DVector<f64> {
    let mut forces = vec![0.0; x.len()];
    matrix.beside.times(x, &mut forces);
    for (i, j, at) in matrix.interior.layout.entries() {
        let value = matrix.interior.values[at];
        forces[i] += value * x[j];
        if i != j {
            forces[j] += value * x[i];
        }
    }
    DVector::from_vec(forces)
}
