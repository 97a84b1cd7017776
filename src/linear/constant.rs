//! Constant sparse matrices that are multiplied often.

use std::collections::HashMap;
use std::ops::{AddAssign, Deref, Mul};

use nalgebra_sparse::csr::CsrMatrix;

/// A constant matrix. Rows with the same columns, as those of the inner nodes of an element, are multiplied together, so that each number
/// is looked up once for all of them.
#[derive(Debug, Clone)]
pub struct Constant {
    matrix: CsrMatrix<f64>,
    groups: Vec<Group>,
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// Column by column, filled up with zeros to an even number of rows.
    values: Vec<f64>,
}

/// How many rows have how many columns.
#[derive(Debug, Clone, Copy)]
struct Group {
    rows: usize,
    columns: usize,
}

/// Most rows that are multiplied together.
const MOST: usize = 6;

impl From<CsrMatrix<f64>> for Constant {
    fn from(matrix: CsrMatrix<f64>) -> Constant {
        let pattern = matrix.pattern();
        let mut found: HashMap<&[usize], usize> = HashMap::new();
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for u in 0..matrix.nrows() {
            let list = *found.entry(pattern.lane(u)).or_insert(lists.len());
            if list == lists.len() {
                lists.push(Vec::new());
            }
            lists[list].push(u);
        }
        let (mut groups, mut rows) = (Vec::new(), Vec::new());
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for alike in lists.iter().flat_map(|list| list.chunks(MOST)) {
            let lane = pattern.lane(alike[0]);
            groups.push(Group {
                rows: alike.len(),
                columns: lane.len(),
            });
            rows.extend(alike.iter().map(|&u| u as u32));
            columns.extend(lane.iter().map(|&w| w as u32));
            for k in 0..lane.len() {
                values.extend(alike.iter().map(|&u| matrix.row(u).values()[k]));
                values.resize(values.len().next_multiple_of(2), 0.0);
            }
        }
        Constant {
            groups,
            rows,
            columns,
            values,
            matrix,
        }
    }
}

impl Deref for Constant {
    type Target = CsrMatrix<f64>;

    fn deref(&self) -> &CsrMatrix<f64> {
        &self.matrix
    }
}

impl Constant {
    /// Calls `each` with every row and its product with the vector of entries `v(column)`, rows with the same columns one after the other.
    #[inline(always)]
    pub fn product<D: Copy + AddAssign + Mul<f64, Output = D>>(
        &self,
        zero: D,
        v: impl Fn(usize) -> D,
        mut each: impl FnMut(usize, D),
    ) {
        let (mut rows, mut columns, mut values) =
            (&self.rows[..], &self.columns[..], &self.values[..]);
        for group in &self.groups {
            let (own, own_columns, own_values);
            (own, rows) = rows.split_at(group.rows);
            (own_columns, columns) = columns.split_at(group.columns);
            (own_values, values) = values.split_at(group.rows.next_multiple_of(2) * group.columns);
            let mut sums = [zero; MOST];
            match group.rows.div_ceil(2) {
                1 => add_products::<2, D>(own_values, own_columns, &v, &mut sums),
                2 => add_products::<4, D>(own_values, own_columns, &v, &mut sums),
                _ => add_products::<MOST, D>(own_values, own_columns, &v, &mut sums),
            }
            for (&u, sum) in own.iter().zip(sums) {
                each(u as usize, sum);
            }
        }
    }
}

/// Adds the products of N rows to `sums`.
#[inline(always)]
fn add_products<const N: usize, D: Copy + AddAssign + Mul<f64, Output = D>>(
    values: &[f64],
    columns: &[u32],
    v: &impl Fn(usize) -> D,
    sums: &mut [D; MOST],
) {
    let mut own: [D; N] = std::array::from_fn(|r| sums[r]);
    for (values, &column) in values.as_chunks::<N>().0.iter().zip(columns) {
        let v = v(column as usize);
        for (sum, value) in own.iter_mut().zip(values) {
            *sum += v * *value;
        }
    }
    sums[..N].copy_from_slice(&own);
}
