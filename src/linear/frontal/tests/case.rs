//! Random sparse matrices with followers.

use nalgebra::DMatrix;

use crate::linear::frontal::Follower;
use crate::linear::{Bordered, Layout};

/// Reproducible numbers.
pub struct Noise(pub u64);

impl Noise {
    /// In (−1, 1).
    pub fn next(&mut self) -> f64 {
        let seed = self.0.wrapping_mul(6364136223846793005);
        self.0 = seed.wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * end as f64) as usize % end
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.next() < 2.0 * share - 1.0
    }
}

/// What happens to a follower.
#[derive(Clone, Copy, PartialEq)]
pub enum Fate {
    Slides,
    SlidesWithFriction,
    /// Its s is given.
    Kept,
    Open,
    /// Its first coordinate is.
    Pinned,
}

/// A random sparse matrix with followers, and the same as one dense matrix.
pub struct Case {
    pub matrix: Bordered,
    pub dense: DMatrix<f64>,
    pub order: usize,
    pub width: usize,
}

/// What a case is made of.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The second strip is held by nothing but its followers.
    pub floats: bool,
    /// All followers slide, without friction.
    pub symmetric: bool,
    /// Some elements are so many times as stiff, and only springs that are not at each strip's first node hold it.
    pub contrast: Option<f64>,
}

/// Elements of `cells` nodes of two unknowns each along two strips; a node of one may follow the other, or a node that
/// follows itself.
pub fn case(seed: u64, kind: Kind) -> Case {
    let mut noise = Noise(seed);
    let strips = [3 + noise.below(12), 2 + noise.below(8)];
    let order: usize = 2 * strips.iter().sum::<usize>();
    let (mut elements, mut first) = (Vec::new(), 0);
    for nodes in strips {
        for node in first..first + nodes - 1 {
            let mut list: Vec<u32> = (2 * node as u32..2 * node as u32 + 4).collect();
            if node + 2 < first + nodes && noise.chance(0.5) {
                list.extend([2 * node as u32 + 4, 2 * node as u32 + 5]);
            }
            elements.push(list);
        }
        first += nodes;
    }
    // A coordinate that no follower has for itself is taken for none.
    let mut followers = Vec::new();
    let mut width = 0;
    for node in 0..order / 2 {
        let follows = node >= strips[0] && noise.chance(0.6) || noise.chance(0.1);
        if follows {
            let coordinates =
                vec![Some(2 * node), Some(2 * node + 1).filter(|_| !noise.chance(0.05))];
            followers.push(Follower {
                sliding: Some(width),
                multipliers: width + 1..width + 3,
                coordinates,
                // Its path may be any nodes.
                reach: (0..order as u32).collect(),
                around: Vec::new(),
            });
            width += 3;
        }
    }
    let layout = Layout::of(order, elements.clone());
    let mut matrix = Bordered::new(layout, [width, 20], followers.clone(), Vec::new());
    let mut dense = DMatrix::zeros(order + width, order + width);
    for (k, list) in elements.iter().enumerate() {
        let n = list.len();
        let factor = DMatrix::from_fn(n, n, |_, _| noise.next());
        // Forces of the second strip's elements balance: they do not hold it.
        let balanced = kind.contrast.is_some() || kind.floats && k >= strips[0] - 1;
        let factor = DMatrix::from_fn(n, n, |i, j| {
            let mean = (j % 2..n).step_by(2).map(|l| factor[(i, l)]).sum::<f64>() / (n / 2) as f64;
            factor[(i, j)] - if balanced { mean } else { 0.0 }
        });
        let mut stiffness = factor.transpose() * factor;
        if let Some(contrast) = kind.contrast.filter(|_| noise.chance(0.5)) {
            stiffness *= contrast;
        }
        for (i, &a) in list.iter().enumerate() {
            for (j, &b) in list.iter().enumerate() {
                let (a, b) = (a as usize, b as usize);
                dense[(a, b)] += stiffness[(i, j)];
                if a >= b {
                    let at = matrix.interior.layout.position(a, b);
                    matrix.interior.values[at] += stiffness[(i, j)];
                }
            }
        }
    }
    if kind.contrast.is_some() {
        let held = if kind.floats { 1 } else { 2 };
        for node in [0, strips[0]].into_iter().take(held) {
            for e in 2 * node..2 * node + 2 {
                dense[(e, e)] += 1.0;
                let at = matrix.interior.layout.diagonal(e);
                matrix.interior.values[at] += 1.0;
            }
        }
    }
    let mut pinned = Vec::new();
    for follower in &followers {
        let fate = match noise.below(8) {
            _ if kind.symmetric => Fate::Slides,
            0 => Fate::Open,
            1 => Fate::Pinned,
            2 => Fate::Kept,
            3 | 4 => Fate::SlidesWithFriction,
            _ => Fate::Slides,
        };
        let Some(s) = follower.sliding else { continue };
        let row = order + s;
        if fate == Fate::Open {
            for b in s..s + 3 {
                matrix.add_corner(b, b, 1.0);
                dense[(order + b, order + b)] = 1.0;
            }
            continue;
        }
        let own_row = matches!(fate, Fate::SlidesWithFriction | Fate::Kept);
        if own_row {
            matrix.give_own_row(s);
        }
        let by_s = if fate == Fate::Kept { 1.0 } else { 0.3 * noise.next() };
        matrix.add_corner(s, s, by_s);
        dense[(row, row)] = by_s;
        for i in 0..2 {
            let slope = noise.next();
            matrix.add_corner(s + 1 + i, s, -slope);
            dense[(row + 1 + i, row)] = -slope;
            let by_multiplier = match fate {
                Fate::Kept => 0.0,
                Fate::SlidesWithFriction => -slope + 0.3 * noise.next(),
                _ => -slope,
            };
            matrix.add_corner(s, s + 1 + i, by_multiplier);
            dense[(row, row + 1 + i)] = by_multiplier;
            if let Some(e) = follower.coordinates[i] {
                matrix.add_column(e, s + 1 + i, 1.0);
                dense[(e, row + 1 + i)] += 1.0;
                dense[(row + 1 + i, e)] += 1.0;
            }
        }
        // The path: two nodes of the other strip, or of its own.
        let node = follower.coordinates[0].unwrap_or(0) / 2;
        let (first, nodes) = if (node >= strips[0]) != noise.chance(0.1) {
            (0, strips[0])
        } else {
            (strips[0], strips[1])
        };
        let from = first + noise.below(nodes - 1);
        for l in (from..from + 2).filter(|&l| l != node) {
            let (weight, slope) = (noise.next(), 0.2 * noise.next());
            for i in 0..2 {
                let (e, b) = (2 * l + i, s + 1 + i);
                matrix.add_column(e, b, -weight);
                dense[(e, order + b)] -= weight;
                dense[(order + b, e)] -= weight;
                matrix.add_column(e, s, -slope);
                dense[(e, row)] -= slope;
                let by_path = match fate {
                    Fate::Kept => 0.0,
                    Fate::SlidesWithFriction => noise.next(),
                    _ => -slope,
                };
                if own_row && by_path != 0.0 {
                    matrix.add_row(s, e, by_path);
                }
                dense[(row, e)] += by_path;
            }
        }
        if fate == Fate::Pinned {
            pinned.extend(follower.coordinates[0]);
        }
    }
    for e in pinned {
        matrix.pin(e);
        dense.fill_row(e, 0.0);
        dense.fill_column(e, 0.0);
        dense[(e, e)] = matrix.interior.values[matrix.interior.layout.position(e, e)];
    }
    Case { matrix, dense, order, width }
}

/// Followers of any fate.
pub fn any(seed: u64) -> Kind {
    Kind { floats: (seed / 9).is_multiple_of(3), symmetric: false, contrast: None }
}

/// Followers that slide.
pub fn slides(seed: u64) -> Kind {
    Kind { symmetric: true, ..any(seed) }
}

/// Stiff elements beside soft ones.
pub fn stiff(seed: u64) -> Kind {
    Kind { contrast: Some(10_f64.powi((seed % 9) as i32)), ..slides(seed) }
}
