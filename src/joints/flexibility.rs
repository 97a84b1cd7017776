//! How a beam yields under a moment at one place beyond what its elements do.
//!
//! A prismatic slider hands its moment λ₃ to the path at s. There the curvature of a beam jumps by λ₃/EI, which no polynomial of an
//! element can. So elements are too stiff against it: the path turns under the slider by f(s) λ₃ more than they say,
//!
//! ```text
//! f(s) = ∫ dt/EI − wᵀ C w,     C_ij = Σ (h/EI) Σ_k c_k φ_k(x_i) φ_k(x_j),     φ_k(x) = ∫₋₁ˣ P_k
//! ```
//!
//! The first term is the rotation at s under a moment 1 there, of a beam that is clamped where the elements that carry the place begin; the
//! second that of the elements, whose nodes x_l (in [−1, 1], 1 beyond) bear the shares w_l of the moment. Elements of order p bend by Legendre
//! polynomials P_k, as far as they need not shear for it:
//!
//! ```text
//! c_k = (2k + 1)/4 for k ≤ p − 2,     c_{p−1} = (2p − 1)/4 / (1 + GA h²/(4 (4p² − 1) EI))
//! ```
//!
//! f vanishes at the ends of elements. At a clamped end of a path nothing else yields to λ₃, and what rotation it has left there would store
//! ½ c₃²/f without bound, a wall that no step resolves. So near an end of the path f stands for √(f² + f₀²), where
//!
//! ```text
//! f₀ = 0.02 (h/EI) (1 − x²)²,     x = distance from the end over h
//! ```
//!
//! is what 2 % of the element's length would yield: it vanishes with finer elements. With the potential λ·c − ½ f λ₃² a straight beam
//! under small deflections bends under its slider as without elements, but for what the slider's force does within one.

use super::blend::Weights;
use super::element::PathElement;
use crate::numerics::hypot::hypot;
use crate::numerics::legendre::integral;

/// f₀ at an end of a path, as a share of h/EI of its element.
const LEAST: f64 = 0.02;

/// EI (N·m²) and GA (N) of the member that an element belongs to; `None` where the member is held as a whole.
pub type Stiffness = Option<[f64; 2]>;

/// f of a path.
#[derive(Debug, Clone)]
pub struct Flexibility {
    /// Of each element with those whose nodes carry its places, too.
    patches: Vec<Patch>,
    /// Length of the path, m.
    length: f64,
}

#[derive(Debug, Clone)]
struct Patch {
    /// s at which the patch's element begins, m.
    start: f64,
    /// ∫ dt/EI up to there, 1/(N·m).
    before: f64,
    /// 1/EI of the element, 1/(N·m²).
    rate: f64,
    /// Its length, m.
    reach: f64,
    /// Whether the path begins, and whether it ends, with the element.
    ends: [bool; 2],
    /// C, row by row.
    matrix: Vec<f64>,
    /// Carrying nodes.
    count: usize,
}

impl Flexibility {
    /// Of a path of these elements, each carried by as many neighbours before and behind as `joined` says.
    pub fn of(
        elements: &[PathElement], stiffness: &[Stiffness], joined: impl Fn(usize) -> [bool; 2],
        closed: bool,
    ) -> Flexibility {
        let patch = |k: usize| {
            let [before, after] = joined(k);
            // A closed path goes on over its seam.
            let first = elements.len() + k - usize::from(before);
            let range = first..elements.len() + k + 1 + usize::from(after);
            let range = range.map(|e| e % elements.len());
            let nodes: usize = range.clone().map(|e| elements[e].nodes.len() - 1).sum();
            let mut patch = Patch {
                start: elements[k].start,
                before: 0.0,
                rate: stiffness[k].map_or(0.0, |[bending, _]| 1.0 / bending),
                reach: elements[k].length,
                ends: [0, elements.len() - 1].map(|end| k == end && !closed),
                matrix: vec![0.0; (nodes + 1) * (nodes + 1)],
                count: nodes + 1,
            };
            let mut own = 0;
            for e in range {
                let (order, length) = (elements[e].nodes.len() - 1, elements[e].length);
                if let Some(stiffness) = stiffness[e] {
                    if before && own == 0 {
                        patch.before += length / stiffness[0];
                    }
                    patch.add(own, order, length, stiffness);
                }
                own += order;
            }
            patch
        };
        Flexibility {
            patches: (0..elements.len()).map(patch).collect(),
            length: elements.last().map_or(0.0, |e| e.start + e.length),
        }
    }

    /// f, f′ and f″ at `s` on `element`, 1/(N·m) per length, where its nodes have these weights.
    pub fn at(&self, element: usize, s: f64, [w, slope, bend]: &[Weights; 3]) -> [f64; 3] {
        let patch = &self.patches[element];
        if !(0.0..=self.length).contains(&s) {
            let least = match patch.ends[usize::from(s > 0.0)] {
                true => LEAST * patch.reach * patch.rate,
                false => 0.0,
            };
            return [least, 0.0, 0.0];
        }
        let along = patch.before + patch.rate * (s - patch.start);
        let found = [
            along - patch.product(w, w),
            patch.rate - 2.0 * patch.product(w, slope),
            -2.0 * (patch.product(slope, slope) + patch.product(w, bend)),
        ];
        let least = patch.least(s);
        if least[0] > 0.0 { root_of_squares(found, least) } else { found }
    }
}

/// √(a² + b²) with its first and second derivatives.
fn root_of_squares(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let root = hypot(a[0], b[0]);
    let slope = (a[0] * a[1] + b[0] * b[1]) / root;
    let squares = a[1] * a[1] + b[1] * b[1] - slope * slope;
    [root, slope, (squares + a[0] * a[2] + b[0] * b[2]) / root]
}

impl Patch {
    /// f₀, f₀′ and f₀″ at `s`.
    fn least(&self, s: f64) -> [f64; 3] {
        let h = self.reach;
        let x = (s - self.start) / h;
        let ends = [(x, 1.0), (1.0 - x, -1.0)].into_iter().zip(self.ends);
        let bumps = ends.filter(|(_, is_end)| *is_end).map(|((x, sign), _)| {
            let left = 1.0 - x * x;
            [left * left, -4.0 * sign * x * left / h, (8.0 * x * x - 4.0 * left) / (h * h)]
        });
        let sum =
            bumps.fold([0.0; 3], |sum: [f64; 3], bump| std::array::from_fn(|i| sum[i] + bump[i]));
        sum.map(|bump| LEAST * h * self.rate * bump)
    }

    /// Adds an element whose first node is that of number `own`.
    fn add(&mut self, own: usize, order: usize, length: f64, [bending, shear]: [f64; 2]) {
        let p = order as f64;
        let shears = shear * length * length / (4.0 * (4.0 * p * p - 1.0) * bending);
        for k in 0..order {
            let free = (2.0 * k as f64 + 1.0) / 4.0;
            let share = if k + 1 < order { free } else { free / (1.0 + shears) };
            let bent = |node: usize| match node.checked_sub(own) {
                None => 0.0,
                Some(i) => integral(k, 2.0 * i.min(order) as f64 / p - 1.0),
            };
            for i in own..self.count {
                for j in own..self.count {
                    self.matrix[i * self.count + j] += length / bending * share * bent(i) * bent(j);
                }
            }
        }
    }

    /// aᵀ C b.
    fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        let rows = self.matrix.chunks_exact(self.count).zip(a);
        rows.map(|(row, a)| a * row.iter().zip(b).map(|(c, b)| c * b).sum::<f64>()).sum()
    }
}
