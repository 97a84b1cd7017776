//! A matrix in its envelope, factored with its border beside it.

use super::dense::Dense;
use super::entries::Entries;
use super::envelope::{LANES, Profile, Raised, dot};

/// L D Lᵀ = K, with L⁻¹B and L⁻¹Cᵀ. L takes the place of K.
#[derive(Debug, Clone)]
pub struct Block {
    profile: Profile,
    /// Border unknowns.
    width: usize,
    /// Border unknowns plus room for raised pivots.
    room: usize,
    /// Raised pivots for which there is room at any rate.
    spare: usize,
    /// What the border couples each row with.
    beside: Vec<f64>,
    raised: Vec<Raised>,
    /// 1/D of the factorisation.
    inverse: Vec<f64>,
    /// L⁻¹B and L⁻¹Cᵀ, `stride` numbers for each interior row: columns that begin further up stand further left.
    block: Vec<f64>,
    stride: usize,
    /// How many numbers of each row of the block the columns that have begun take; none above row `from`.
    begun: Vec<usize>,
    from: usize,
    /// First row of each column of the block, and the column of B or, from `room` on, of Cᵀ that it comes from.
    begins: Vec<(usize, usize)>,
    /// Where columns b of B and of Cᵀ stand in the block.
    column_slot: Vec<usize>,
    row_slot: Vec<usize>,
    /// The products of the block's columns, below the diagonal.
    products: Vec<f64>,
    /// A number for each column of the block.
    slots: Vec<f64>,
}

impl Block {
    /// Room for a border of `width` and `spare` raised pivots.
    pub fn new(profile: Profile, width: usize, spare: usize) -> Block {
        let n = profile.order();
        let most_raised = most_raised(width, spare);
        let room = width + most_raised;
        let stride = (2 * room).next_multiple_of(LANES);
        Block {
            profile,
            width,
            room,
            spare,
            beside: vec![0.0; n],
            raised: Vec::with_capacity(most_raised),
            inverse: vec![0.0; n],
            block: vec![0.0; n * stride],
            stride,
            begun: vec![0; n],
            from: n,
            begins: Vec::with_capacity(2 * room),
            column_slot: vec![0; room],
            row_slot: vec![0; room],
            products: vec![0.0; stride * stride],
            slots: vec![0.0; stride],
        }
    }

    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Border unknowns plus room for raised pivots.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Factors K, whose entries are `values`, with a border of `width`, and leaves S in the dense matrix.
    pub fn factor(
        &mut self,
        values: &mut [f64],
        border: &mut Entries,
        width: usize,
        dense: &mut Dense,
    ) {
        self.width = width;
        self.raised.clear();
        let diagonal = |i: usize| values[self.profile.diagonal(i)].abs();
        border.set_beside(0..self.width, diagonal, &mut self.beside);
        let beside = (&self.beside[..], self.spare);
        (self.profile).factor(values, &mut self.inverse, &mut self.raised, beside);
        let width = self.width + self.raised.len();
        // K x = (K + Σ βeeᵀ) x − Σ βe z with z = eᵀx: one more unknown for each raised pivot. What is left of the pivot would be
        // lost between −1 and β/(β + left), which its own row makes of that.
        for (k, raised) in self.raised.iter().enumerate() {
            let b = self.width + k;
            border.clear_unknown(b);
            border.give_own_row(b);
            border.add_column(raised.row, b, -raised.boost);
            border.add_row(b, raised.row, 1.0);
            border.add_corner(b, b, -raised.left * self.inverse[raised.row]);
        }
        dense.order = width;
        self.reduce_border(values, border, width);
        self.form_schur(border, dense);
    }

    /// L⁻¹B and L⁻¹Cᵀ, side by side in one block of rows: all columns share each entry of L.
    fn reduce_border(&mut self, values: &[f64], border: &Entries, width: usize) {
        let n = self.profile.order();
        self.begins.clear();
        for b in 0..width {
            let entries = border.column(b).iter().chain(border.row(b));
            let first = entries.map(|&(row, _)| row).min().unwrap_or(n);
            self.begins.push((first, b));
            if border.has_own_row(b) {
                self.begins.push((first, self.room + b));
            }
        }
        self.begins.sort_unstable();
        self.from = self.begins.first().map_or(n, |(first, _)| *first);
        let stride = self.begins.len().next_multiple_of(LANES);
        self.stride = stride;
        let mut slots = 0;
        for (row, begun) in self.begun.iter_mut().enumerate() {
            slots += (self.begins[slots..].iter())
                .take_while(|(first, _)| *first <= row)
                .count();
            *begun = slots.next_multiple_of(LANES);
        }
        let block = &mut self.block[..n * stride];
        // No further than one of the rows that are taken together has begun.
        for row in self.from..n {
            let begun = self.begun[(row + TOGETHER - 1).min(n - 1)];
            block[row * stride..][..begun].fill(0.0);
        }
        for (slot, &(_, vector)) in self.begins.iter().enumerate() {
            let entries = match vector.checked_sub(self.room) {
                None => {
                    self.column_slot[vector] = slot;
                    if !border.has_own_row(vector) {
                        self.row_slot[vector] = slot;
                    }
                    border.column(vector)
                }
                Some(b) => {
                    self.row_slot[b] = slot;
                    border.row(b)
                }
            };
            for &(i, value) in entries {
                block[i * stride + slot] += value;
            }
        }
        (self.profile).solve_lower_block(values, block, stride, &self.begun);
    }

    /// Schur complement S = D − (L⁻¹Cᵀ)ᵀ D⁻¹ (L⁻¹B).
    fn form_schur(&mut self, border: &Entries, dense: &mut Dense) {
        let stride = self.stride;
        let products = &mut self.products[..stride * stride];
        products.fill(0.0);
        let rows = self.block[self.from * stride..].chunks((TOGETHER * stride).max(1));
        let begun = self.begun[self.from..].chunks(TOGETHER);
        let pivots = self.inverse[self.from..].chunks(TOGETHER);
        for ((rows, begun), pivots) in rows.zip(begun).zip(pivots) {
            // Rows that began later are zero as far as the last one has.
            let last = begun[begun.len() - 1];
            match pivots.try_into() {
                Ok(pivots) => add_products::<TOGETHER>(products, rows, [stride, last], pivots),
                Err(_) => {
                    for (row, pivot) in rows.chunks_exact(stride).zip(pivots) {
                        add_products::<1>(products, row, [stride, last], &[*pivot]);
                    }
                }
            }
        }
        // Of a raised pivot the first row is in its corner already, and all are that follow.
        for (k, raised) in self.raised.iter().enumerate() {
            let [a, b] = [&self.row_slot, &self.column_slot].map(|slots| slots[self.width + k]);
            let after = raised.row + 1 - self.from;
            let rows = reduced(&self.block, stride, &self.begun, self.from).skip(after);
            let terms = rows.zip(&self.inverse[raised.row + 1..]);
            let entry = |row: &[f64], slot: usize| row.get(slot).copied().unwrap_or(0.0);
            products[a.max(b) * stride + a.min(b)] = terms
                .map(|(row, pivot)| entry(row, a) * pivot * entry(row, b))
                .sum();
        }
        for b in 0..dense.order {
            let target = dense.row_mut(b);
            target.fill(0.0);
            for &(c, value) in border.corner(b) {
                target[c] += value;
            }
            let row = self.row_slot[b];
            for (left, &column) in target.iter_mut().zip(&self.column_slot) {
                let sum = products[row.max(column) * stride + row.min(column)];
                *left = difference(*left, sum);
            }
        }
    }

    /// The forward half of a solution: `x` becomes D⁻¹ L⁻¹ x, and what it makes of the border's right-hand side
    /// is taken from `right`.
    pub fn forward(&mut self, values: &[f64], x: &mut [f64], right: &mut [f64]) {
        self.profile.solve_lower(values, x);
        for (x, inverse) in x.iter_mut().zip(&self.inverse) {
            *x *= inverse;
        }
        self.slots.fill(0.0);
        let rows = reduced(&self.block, self.stride, &self.begun, self.from);
        for (row, x) in rows.zip(&x[self.from..]) {
            for (sum, value) in self.slots.iter_mut().zip(row) {
                *sum += value * x;
            }
        }
        for (right, &slot) in right.iter_mut().zip(&self.row_slot) {
            *right -= self.slots[slot];
        }
    }

    /// The backward half, where the border is `solution`.
    pub fn backward(&mut self, values: &[f64], x: &mut [f64], solution: &[f64]) {
        self.slots.fill(0.0);
        for (value, &slot) in solution.iter().zip(&self.column_slot) {
            self.slots[slot] = *value;
        }
        // x ← x − D⁻¹ (L⁻¹B) y.
        let rows = reduced(&self.block, self.stride, &self.begun, self.from);
        let left = x[self.from..].iter_mut().zip(&self.inverse[self.from..]);
        for (row, (x, pivot)) in rows.zip(left) {
            *x -= pivot * dot(row, &self.slots[..row.len()]);
        }
        self.profile.solve_upper(values, x);
    }

    /// Whether a `solution` of the dense system pushes any row, beyond rounding.
    pub fn pushes(&self, border: &Entries, solution: &[f64]) -> bool {
        let mut sums = vec![Sum::default(); self.profile.order()];
        for (b, value) in solution.iter().enumerate() {
            for &(row, entry) in border.column(b) {
                sums[row].add(entry * value);
            }
        }
        sums.iter().any(Sum::counts)
    }

    /// Negative pivots.
    pub fn negative(&self) -> usize {
        self.inverse.iter().filter(|d| **d < 0.0).count()
    }

    /// The pivots that were raised; their unknowns follow those of the border.
    pub fn raised(&self) -> &[Raised] {
        &self.raised
    }
}

/// Most pivots that are raised, those of what vanishes beside its border included.
pub fn most_raised(width: usize, spare: usize) -> usize {
    spare + width.min(SOFT_BESIDE)
}

/// Pivots that may be raised because the border couples their rows with far larger ones.
const SOFT_BESIDE: usize = 60;

/// A sum and the size of its terms.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum {
    pub value: f64,
    size: f64,
}

impl Sum {
    pub fn add(&mut self, term: f64) {
        self.value += term;
        self.size += term.abs();
    }

    /// The sum in other units.
    pub fn by(&self, factor: f64) -> Sum {
        Sum {
            value: factor * self.value,
            size: factor * self.size,
        }
    }

    /// The larger value of two, with the larger size.
    pub fn larger(self, other: Sum) -> Sum {
        Sum {
            value: self.value.abs().max(other.value.abs()),
            size: self.size.max(other.size),
        }
    }

    /// Whether it is more than rounding.
    pub fn counts(&self) -> bool {
        self.beyond(1e-9) != 0.0
    }

    /// The value, or zero where it is below this share of its terms.
    pub fn beyond(&self, share: f64) -> f64 {
        match self.value.abs() > share * self.size {
            true => self.value,
            false => 0.0,
        }
    }
}

/// Rows of the block whose products are taken together.
const TOGETHER: usize = 4;

/// Adds the products of the first `begun` numbers of N rows with each other, over their `pivots`, one row after the other: each
/// sum below the diagonal is loaded once for all, and some above it that nobody looks at.
#[inline(always)]
fn add_products<const N: usize>(
    products: &mut [f64],
    rows: &[f64],
    [stride, begun]: [usize; 2],
    pivots: &[f64; N],
) {
    let rows: [&[f64]; N] = std::array::from_fn(|r| &rows[r * stride..][..begun]);
    for (slot, sums) in products.chunks_exact_mut(stride).take(begun).enumerate() {
        let scaled: [f64; N] = std::array::from_fn(|r| rows[r][slot] * pivots[r]);
        let sums = &mut sums[..(slot + 1).next_multiple_of(LANES)];
        for (k, sums) in sums.chunks_exact_mut(LANES).enumerate() {
            let mut own: [f64; LANES] = std::array::from_fn(|l| sums[l]);
            for (row, scaled) in rows.iter().zip(scaled) {
                for (sum, value) in own.iter_mut().zip(&row[k * LANES..][..LANES]) {
                    *sum += scaled * value;
                }
            }
            sums.copy_from_slice(&own);
        }
    }
}

/// Rows of the `block` from row `from` on, each as far as columns have `begun`.
fn reduced<'a>(
    block: &'a [f64],
    stride: usize,
    begun: &'a [usize],
    from: usize,
) -> impl Iterator<Item = &'a [f64]> {
    let rows = block[from * stride..].chunks_exact(stride.max(1));
    (rows.zip(&begun[from..])).map(|(row, &begun)| &row[..begun])
}

/// `a` − `b`, or zero where what is left is rounding.
#[inline(always)]
pub fn difference(a: f64, b: f64) -> f64 {
    let left = a - b;
    if left.abs() <= CANCELLATION * a.abs().max(b.abs()) {
        0.0
    } else {
        left
    }
}

/// What is left of a difference below this share of its terms is rounding: a motion that neither
/// K nor the border holds shows as an exact zero.
const CANCELLATION: f64 = 1e-11;
