//! Constant sparse matrices that are multiplied often.

use std::collections::HashMap;
use std::ops::{AddAssign, Deref, Mul};

use nalgebra_sparse::csr::CsrMatrix;

/// A constant matrix. Rows with the same columns, as those of the inner nodes of an element, are multiplied together, so that each number
/// is looked up once for all of them; and so are two rows with the same entries one column apart, as those of mass along x and y.
#[derive(Debug, Clone)]
pub struct Constant {
    matrix: CsrMatrix<f64>,
    groups: Vec<Group>,
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// Column by column, with zeros where a group has fewer rows than are multiplied together.
    values: Vec<f64>,
}

/// Rows with the same columns. Of twins these are the first of two rows each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Group {
    rows: usize,
    columns: usize,
    twins: bool,
}

impl Group {
    /// How many rows are multiplied together.
    fn together(self) -> usize {
        if self.twins { self.rows } else { self.rows.next_multiple_of(2) }
    }
}

/// Most rows that are multiplied together.
const MAX_ROWS_AT_ONCE: usize = 6;

impl From<CsrMatrix<f64>> for Constant {
    fn from(matrix: CsrMatrix<f64>) -> Constant {
        let pattern = matrix.pattern();
        let entries = |u: usize| pattern.lane(u).iter().zip(matrix.row(u).values().to_vec());
        let has_twin = |u: usize| {
            let after = entries(u).map(|(&w, value)| (w + 1, value));
            u + 1 < matrix.nrows()
                && !pattern.lane(u).is_empty()
                && after.eq(entries(u + 1).map(|(&w, value)| (w, value)))
        };
        let mut found: HashMap<(&[usize], bool), usize> = HashMap::new();
        let mut lists: Vec<(bool, Vec<usize>)> = Vec::new();
        let mut u = 0;
        while u < matrix.nrows() {
            let twins = has_twin(u);
            let list = *found.entry((pattern.lane(u), twins)).or_insert(lists.len());
            if list == lists.len() {
                lists.push((twins, Vec::new()));
            }
            lists[list].1.push(u);
            u += 1 + usize::from(twins);
        }
        let (mut groups, mut rows) = (Vec::new(), Vec::new());
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for (twins, list) in &lists {
            for alike in list.chunks(if *twins { MAX_ROWS_AT_ONCE / 2 } else { MAX_ROWS_AT_ONCE }) {
                let lane = pattern.lane(alike[0]);
                let group = Group { rows: alike.len(), columns: lane.len(), twins: *twins };
                groups.push(group);
                rows.extend(alike.iter().map(|&u| u as u32));
                columns.extend(lane.iter().map(|&w| w as u32));
                for k in 0..lane.len() {
                    let end = values.len() + group.together();
                    values.extend(alike.iter().map(|&u| matrix.row(u).values()[k]));
                    values.resize(end, 0.0);
                }
            }
        }
        Constant { groups, rows, columns, values, matrix }
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
        &self, zero: D, v: impl Fn(usize) -> D, mut each: impl FnMut(usize, D),
    ) {
        let (mut rows, mut columns, mut values) =
            (&self.rows[..], &self.columns[..], &self.values[..]);
        for group in &self.groups {
            let (own, own_columns, own_values);
            (own, rows) = rows.split_at(group.rows);
            (own_columns, columns) = columns.split_at(group.columns);
            (own_values, values) = values.split_at(group.together() * group.columns);
            if group.twins {
                let v = |w: usize| [v(w), v(w + 1)];
                let mut sums = [[zero; 2]; MAX_ROWS_AT_ONCE / 2];
                match group.rows {
                    1 => add_products::<1, 2, D>(own_values, own_columns, v, &mut sums),
                    2 => add_products::<2, 2, D>(own_values, own_columns, v, &mut sums),
                    _ => add_products::<{ MAX_ROWS_AT_ONCE / 2 }, 2, D>(
                        own_values,
                        own_columns,
                        v,
                        &mut sums,
                    ),
                }
                for (&u, [first, second]) in own.iter().zip(sums) {
                    each(u as usize, first);
                    each(u as usize + 1, second);
                }
            } else {
                let v = |w: usize| [v(w)];
                let mut sums = [[zero]; MAX_ROWS_AT_ONCE];
                match group.together() {
                    2 => add_products::<2, 1, D>(own_values, own_columns, v, &mut sums),
                    4 => add_products::<4, 1, D>(own_values, own_columns, v, &mut sums),
                    _ => add_products::<MAX_ROWS_AT_ONCE, 1, D>(
                        own_values,
                        own_columns,
                        v,
                        &mut sums,
                    ),
                }
                for (&u, [sum]) in own.iter().zip(sums) {
                    each(u as usize, sum);
                }
            }
        }
    }
}

/// Adds the products of N rows, or of N times T twins, to `sums`.
#[inline(always)]
fn add_products<const N: usize, const T: usize, D: Copy + AddAssign + Mul<f64, Output = D>>(
    values: &[f64], columns: &[u32], v: impl Fn(usize) -> [D; T], sums: &mut [[D; T]],
) {
    let mut own: [[D; T]; N] = std::array::from_fn(|r| sums[r]);
    for (values, &column) in values.as_chunks::<N>().0.iter().zip(columns) {
        let v = v(column as usize);
        for (sums, value) in own.iter_mut().zip(values) {
            for (sum, v) in sums.iter_mut().zip(v) {
                *sum += v * *value;
            }
        }
    }
    sums[..N].copy_from_slice(&own);
}

#[cfg(test)]
mod tests {
    use super::Constant;
    use nalgebra_sparse::{coo::CooMatrix, csr::CsrMatrix};

    #[test]
    fn products_are_those_of_the_rows_one_by_one() {
        // Nodes of three unknowns in elements of two to four nodes, mass along x and y alike, some rotations without any.
        for nodes in 2..5 {
            let (elements, step) = (5, nodes - 1);
            let order = 3 * (elements * step + 1);
            let mut coo = CooMatrix::new(order, order);
            for element in 0..elements {
                for a in 0..nodes {
                    for b in 0..nodes {
                        let value = 1.0 + ((3 * a + 5 * b + element) % 7) as f64;
                        let [i, j] = [a, b].map(|node| 3 * (element * step + node));
                        (0..2).for_each(|k| coo.push(i + k, j + k, value));
                        if element % 2 == 0 {
                            coo.push(i + 2, j + 2, 0.5 * value);
                            coo.push(i + 2, j, -value);
                        }
                    }
                }
            }
            let matrix = CsrMatrix::from(&coo);
            let x: Vec<f64> = (0..order).map(|i| (1.0 + i as f64).sqrt()).collect();
            let constant = Constant::from(matrix.clone());
            let mut found = vec![f64::NAN; order];
            constant.product(0.0, |w| x[w], |u, product| found[u] = product);
            for (u, row) in matrix.row_iter().enumerate() {
                let entries = row.col_indices().iter().zip(row.values());
                let exact: f64 = entries.map(|(&w, value)| value * x[w]).sum();
                assert!((found[u] - exact).abs() <= 1e-13 * exact.abs(), "{nodes}: {u}");
            }
            assert!(constant.groups.iter().any(|group| group.twins));
        }
    }
}
