//! Derivatives by differences, where nothing better exists.

use super::report::Refusal;

/// Each step is smaller than the one before by this factor.
const RATIO: f64 = 1.6;
/// Number of steps.
const ROW: i32 = 7;

/// Where `f` is not defined a step away, steps are tried that are smaller by these factors.
const SHORTER: [f64; 3] = [1.0, 0.1, 0.01];

/// df/de at e = 0 of each value of `f`, with steps of `largest` and below: central differences,
/// or one-sided ones where `f` is defined on one side only.
///
/// # Errors
/// The refusal of `f` where it is defined on neither side.
pub(super) fn derivative_at_zero(
    f: impl Fn(f64) -> Result<Vec<f64>, Refusal>,
    largest: f64,
) -> Result<Vec<f64>, Refusal> {
    let defined = |e: f64| f(e).is_ok();
    let steps = SHORTER.map(|factor| factor * largest);
    let central = steps.into_iter().find(|&e| defined(e) && defined(-e));
    let (step, other, order) = match central {
        Some(e) => (e, -1.0, 2),
        None => {
            let mut sides = steps.into_iter().flat_map(|e| [e, -e]);
            (sides.find(|&e| defined(e)).unwrap_or(largest), 0.0, 1)
        }
    };
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for n in 0..ROW {
        let e = step / RATIO.powi(n);
        let (here, there) = (f(e)?, f(other * e)?);
        rows.resize(here.len(), Vec::new());
        for (row, (here, there)) in rows.iter_mut().zip(here.iter().zip(there)) {
            row.push((here - there) / (e - other * e));
        }
    }
    Ok(rows
        .into_iter()
        .map(|row| extrapolated(row, order))
        .collect())
}

/// The limit of differences over steps that fall by [`RATIO`], with errors that fall with powers
/// of the step that are multiples of `order`: the entry of Neville's scheme that agrees best with
/// its neighbours (Ridders 1982).
fn extrapolated(mut row: Vec<f64>, order: i32) -> f64 {
    let (mut best, mut least) = (row[0], f64::INFINITY);
    let mut factor = 1.0;
    while row.len() > 1 {
        factor *= RATIO.powi(order);
        let better: Vec<f64> = row
            .windows(2)
            .map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0))
            .collect();
        for (pair, value) in row.windows(2).zip(&better) {
            let spread = (value - pair[0]).abs().max((value - pair[1]).abs());
            if spread < least {
                (best, least) = (*value, spread);
            }
        }
        row = better;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_known_functions_to_ten_digits() {
        let f = |e: f64| Ok(vec![(3.0 + e).sin(), 2.0 * e, 7.0, (1.0 + e).powi(5)]);
        let found = derivative_at_zero(f, 1e-2).expect("defined on both sides");
        for (found, exact) in found.iter().zip([3_f64.cos(), 2.0, 0.0, 5.0]) {
            assert!((found - exact).abs() < 1e-10, "{found} {exact}");
        }
    }

    #[test]
    fn one_sided_where_the_other_side_is_refused() {
        for side in [1.0, -1.0] {
            let f = |e: f64| {
                if side * e < 0.0 {
                    return Err(Refusal::error("below 0"));
                }
                Ok(vec![(3.0 + e).sin()])
            };
            let found = derivative_at_zero(f, 1e-2).expect("defined on one side");
            assert!((found[0] - 3_f64.cos()).abs() < 1e-8, "{}", found[0]);
        }
    }

    #[test]
    fn central_with_shorter_steps_near_the_end_of_what_is_allowed() {
        let f = |e: f64| {
            if e.abs() > 3e-3 {
                return Err(Refusal::error("too far"));
            }
            Ok(vec![(3.0 + e).sin()])
        };
        let found = derivative_at_zero(f, 1e-2).expect("defined nearby");
        assert!((found[0] - 3_f64.cos()).abs() < 1e-10, "{}", found[0]);
    }

    #[test]
    fn refused_with_the_reason_where_nothing_is_defined() {
        let refused = derivative_at_zero(|_| Err(Refusal::error("why")), 1e-2);
        assert_eq!(refused, Err(Refusal::error("why")));
    }
}
