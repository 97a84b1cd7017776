//! Quadratic forms that are never below 0 as sums of squares.

/// A square w (l·u)² of a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Square {
    /// w, 0 or above.
    pub weight: f64,
    /// l: entry i is 1 in square i, those before it are 0.
    pub way: [f64; 3],
}

/// Share of an entry up to which it counts as 0 beside the diagonal: rounding of what is written with a dozen digits.
const ZERO_ENTRY: f64 = 1e-10;

/// The squares whose sum is uᵀ A u, by A = L D Lᵀ; units are kept, as no entries of different rows are compared but with what both
/// rows' diagonals allow. `None` where some u has uᵀ A u below 0.
pub fn squares(matrix: [[f64; 3]; 3]) -> Option<[Square; 3]> {
    let mut rest = matrix;
    let mut squares = [Square { weight: 0.0, way: [0.0; 3] }; 3];
    for (j, square) in squares.iter_mut().enumerate() {
        square.way[j] = 1.0;
        let (own, pivot) = (matrix[j][j], rest[j][j]);
        if own < 0.0 || pivot < -ZERO_ENTRY * own {
            return None;
        }
        if pivot <= ZERO_ENTRY * own {
            let allowed = |i: usize| ZERO_ENTRY.sqrt() * (own * matrix[i][i].max(0.0)).sqrt();
            if (j + 1..3).any(|i| rest[i][j].abs() > allowed(i)) {
                return None;
            }
            continue;
        }
        square.weight = pivot;
        let row = rest[j];
        for (way, entry) in square.way.iter_mut().zip(row).skip(j + 1) {
            *way = entry / pivot;
        }
        for (rest, way) in rest.iter_mut().zip(square.way).skip(j + 1) {
            for (rest, entry) in rest.iter_mut().zip(row).skip(j + 1) {
                *rest -= way * entry;
            }
        }
    }
    Some(squares)
}

/// Where the sums l·u have to be 0 so that the squares, ½ w (l·u − c)² each, have the slope `force` at u = 0; `None` where no
/// square can have it.
pub fn preloaded(squares: &[Square; 3], force: [f64; 3]) -> Option<[f64; 3]> {
    let mut rest = force;
    let mut free = [0.0; 3];
    for (j, square) in squares.iter().enumerate() {
        let own = rest[j];
        if own.abs() <= ZERO_ENTRY * force[j].abs() {
            continue;
        }
        if square.weight == 0.0 {
            return None;
        }
        free[j] = -own / square.weight;
        for (rest, way) in rest.iter_mut().zip(square.way) {
            *rest -= own * way;
        }
    }
    Some(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(squares: &[Square; 3]) -> [[f64; 3]; 3] {
        let entry =
            |i: usize, k: usize| squares.iter().map(|s| s.weight * s.way[i] * s.way[k]).sum();
        [0, 1, 2].map(|i| [0, 1, 2].map(|k| entry(i, k)))
    }

    #[test]
    fn squares_add_up_to_the_form_and_those_below_zero_are_refused() {
        let full = [[5e6, -2e5, 3e4], [-2e5, 2e6, 1e4], [3e4, 1e4, 900.0]];
        let found = squares(full).expect("positive");
        for (row, own) in sum(&found).iter().zip(full) {
            for (a, b) in row.iter().zip(own) {
                assert!((a - b).abs() < 1e-9 * b.abs(), "{a} {b}");
            }
        }
        // One square alone, (x + 2 y + 0.1 r)² times 7e5.
        let l = [1.0, 2.0, 0.1];
        let one = [0, 1, 2].map(|i| [0, 1, 2].map(|k| 7e5 * l[i] * l[k]));
        let found = squares(one).expect("no form below zero");
        assert!((found[0].weight - 7e5).abs() < 1e-6 && found[1].weight + found[2].weight < 1e-3);
        assert_eq!(squares([[0.0; 3]; 3]).map(|s| s[0].weight), Some(0.0));
        let mut wrong = full;
        (wrong[0][2], wrong[2][0]) = (7e4, 7e4);
        assert_eq!(squares(wrong), None);
        assert_eq!(squares([[0.0, 1.0, 0.0], [1.0, 5.0, 0.0], [0.0; 3]]), None);
        assert_eq!(squares([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0; 3]]), None);
    }

    #[test]
    fn squares_that_are_preloaded_have_the_force_as_slope() {
        let found = squares([[5e6, -2e5, 3e4], [-2e5, 2e6, 1e4], [3e4, 1e4, 900.0]]);
        let found = found.expect("positive");
        let force = [100.0, -30.0, 4.0];
        let free = preloaded(&found, force).expect("all are stiff");
        for (i, force) in force.iter().enumerate() {
            let slope: f64 = (found.iter().zip(free))
                .map(|(square, free)| -square.weight * square.way[i] * free)
                .sum();
            assert!((slope - force).abs() < 1e-10 * 100.0, "{slope} {force}");
        }
        let flat = squares([[1e3, 0.0, 0.0], [0.0; 3], [0.0; 3]]).expect("not negative");
        assert!(preloaded(&flat, [1.0, 0.0, 0.0]).is_some());
        assert_eq!(preloaded(&flat, [0.0, 1.0, 0.0]), None);
    }
}
