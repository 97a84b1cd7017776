//! Couplings that come and go, and friction beside them.

use std::sync::Arc;

use coulisse::linear::{Bordered, Layout, Passing};

use crate::counting::requests;

/// A block of squares of two unknowns at each node that slides on a longer one, both on springs.
struct Blocks {
    columns: usize,
    longer: usize,
    rows: usize,
    cliques: Vec<Vec<u32>>,
    unknowns: Vec<u32>,
}

impl Blocks {
    fn new(columns: usize, longer: usize, rows: usize) -> Blocks {
        let mut blocks =
            Blocks { columns, longer, rows, cliques: Vec::new(), unknowns: Vec::with_capacity(8) };
        for (columns, lower) in [(columns, false), (longer, true)] {
            for (i, j) in (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))) {
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                let nodes = corners.map(|(i, j)| blocks.node(i, j, lower));
                blocks.cliques.push(nodes.iter().flat_map(|&u| [u, u + 1]).collect());
            }
        }
        blocks
    }

    fn node(&self, column: usize, row: usize, lower: bool) -> u32 {
        let upper = (self.columns + 1) * (self.rows + 1);
        let node = match lower {
            false => row * (self.columns + 1) + column,
            true => upper + row * (self.longer + 1) + column,
        };
        2 * node as u32
    }

    /// The unknowns of a side where the blocks meet.
    fn side(&self, column: usize, lower: bool) -> [u32; 4] {
        let [a, b] = [column, column + 1].map(|c| self.node(c, 0, lower));
        [a, a + 1, b, b + 1]
    }

    fn matrix(&self) -> Bordered {
        let order = 2 * (self.columns + self.longer + 2) * (self.rows + 1);
        let below = self.node(0, 0, true)..=self.node(self.longer, 0, true) + 1;
        let reach: Arc<[u32]> = below.collect();
        let passing = (0..self.columns).map(|column| Passing {
            own: self.side(column, false).to_vec(),
            reach: reach.clone(),
            most: 2,
            size: 8,
        });
        let layout = Layout::of(order, self.cliques.clone());
        Bordered::new(layout, [0, 4], Vec::new(), passing.collect())
            .with_beside(2 * 64 * self.columns)
    }

    /// Assembles with couplings of two points of each side with what is so many sides further below, off by up to `scatter`; of
    /// each so many `share` touch and slide.
    fn assemble(&mut self, matrix: &mut Bordered, shift: f64, scatter: f64, noise: &mut Noise) {
        matrix.restart().fill(0.0);
        for clique in &self.cliques {
            for (a, &i) in clique.iter().enumerate() {
                for &j in &clique[..=a] {
                    let at = matrix.interior.layout.position(i as usize, j as usize);
                    matrix.interior.values[at] += if i == j { 8.0 } else { -1.0 };
                }
            }
        }
        let share = noise.next();
        for column in 0..self.columns {
            for point in [0.2, 0.8] {
                let below = column as f64 + point + shift + scatter * (noise.next() - 0.5);
                if below < 0.0 || below as usize >= self.longer || noise.next() > share {
                    continue;
                }
                self.unknowns.clear();
                self.unknowns.extend(self.side(column, false));
                self.unknowns.extend(self.side(below as usize, true));
                matrix.couple(&self.unknowns);
                let normal = [0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, -1.0];
                matrix.add_coupled(|a, b| normal[a] * normal[b]);
                for (a, i) in self.unknowns.iter().enumerate() {
                    for (b, j) in self.unknowns.iter().enumerate() {
                        let along = normal[a ^ 1];
                        matrix.add_beside(*i as usize, *j as usize, 0.3 * along * normal[b]);
                    }
                }
            }
        }
    }
}

/// Reproducible numbers from 0 to 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005);
        self.0 = self.0.wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[test]
fn couplings_that_come_and_go_allocate_nothing() {
    let mut noise = Noise(1);
    for _ in 0..40 {
        let [columns, more, rows] =
            [20.0, 30.0, 10.0].map(|most| 2 + (most * noise.next()) as usize);
        let mut blocks = Blocks::new(columns, columns + more, rows);
        let mut matrix = blocks.matrix();
        let mut x = vec![0.0; matrix.interior.layout.order()];
        let mut solve = |noise: &mut Noise, far: f64, scatter: f64| {
            blocks.assemble(&mut matrix, far, scatter, noise);
            matrix.factor().expect("regular");
            x.fill(1.0);
            matrix.solve(&mut x, &mut []).expect("regular");
        };
        solve(&mut noise, 0.0, 0.0);
        let count = requests(|| {
            for turn in 0..30 {
                let far = noise.next() * more as f64;
                solve(&mut noise, far, (turn % 6) as f64);
            }
        });
        assert_eq!(count, 0, "{columns} on {}, {rows} high", columns + more);
    }
}
