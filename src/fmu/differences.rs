//! Derivatives by differences, where nothing better exists.
//!
//! Nothing tells beforehand how small a step has to be: sliders break loose within millimetres per
//! second, a path moved by a millimetre brings another wave of its roughness under a wheel, and too
//! small a step shows rounding alone. So the steps are halved, the differences extrapolated to a step
//! of zero, and each output takes the extrapolation with the least error of
//!
//! - what three more steps and one more order change of it,
//! - half of what the slopes to the right and to the left differ by, extrapolated likewise: a kink,
//! - what rounding of the values makes of it.

use super::report::Refusal;

/// Largest step, relative to the value that changes.
pub(super) const LARGEST_CHANGE: f64 = 1.0 / 16.0;

/// Error of a derivative relative to its size beyond which it is none.
pub(super) const TOLERANCE: f64 = 1e-4;

/// Error that is none at all: a share of the largest output of the same quantity, for a change of
/// the known value by its own size.
pub(super) const NEGLIGIBLE: f64 = 1e-9;

/// Change of an output, in SI units, that counts as zero where all outputs of the same quantity are zero.
pub(super) const NOTHING: f64 = 1e-12;

/// A change of the known value by its own size that changes an output by less than so many of its
/// roundings does not change it, where it cannot be distinguished from none.
pub(super) const ROUNDINGS: f64 = 1e3;

/// Number of steps.
const STEPS: i32 = 24;

/// An error below this share of the [`TOLERANCE`] needs no smaller steps.
const ENOUGH: f64 = 0.01 * TOLERANCE;

/// Where the values are not defined on one side, and not at this number of ever smaller steps, the
/// other side counts alone.
const ONE_SIDE: i32 = 8;

/// Where so many smaller steps have not made an error below this share of the derivative smaller,
/// rounding has taken over.
const PATIENCE: (i32, f64) = (5, 1e-2);

/// A derivative with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub value: f64,
    pub error: f64,
}

/// Differences over halved steps, extrapolated to zero where their errors are series in the powers
/// `N` of the step (Neville's scheme; Ridders 1982).
#[derive(Debug, Clone)]
struct Extrapolation<const N: usize> {
    powers: [i32; N],
    /// Of each order, the last found.
    last: Vec<f64>,
    /// The last value with the change that it brought.
    found: Option<Estimate>,
}

impl<const N: usize> Extrapolation<N> {
    fn new(powers: [i32; N]) -> Self {
        Extrapolation { powers, last: Vec::new(), found: None }
    }

    /// Adds the difference over half the step of the last one.
    fn add(&mut self, difference: f64) {
        let mut row = vec![difference];
        for (power, before) in self.powers.iter().zip(&self.last) {
            let factor = 2_f64.powi(*power);
            let value = row[row.len() - 1];
            row.push((factor * value - before) / (factor - 1.0));
        }
        self.found = None;
        if row.len() > N && self.last.len() > N {
            let (value, lower, before) = (row[N], row[N - 1], self.last[N]);
            let error = (value - lower).abs().max((value - before).abs());
            self.found = Some(Estimate { value, error });
        }
        self.last = row;
    }
}

/// What is known of one derivative.
#[derive(Debug, Clone)]
struct Search {
    central: Extrapolation<2>,
    /// Half the difference of the slopes to both sides.
    kink: Extrapolation<2>,
    sides: [Extrapolation<3>; 2],
    best: Estimate,
    /// Steps since the best was found.
    since: i32,
}

impl Search {
    fn new() -> Search {
        Search {
            central: Extrapolation::new([2, 4]),
            kink: Extrapolation::new([1, 3]),
            sides: [(); 2].map(|()| Extrapolation::new([1, 2, 3])),
            best: Estimate { value: f64::NAN, error: f64::INFINITY },
            since: 0,
        }
    }

    /// Whether smaller steps are not needed or do not help.
    fn is_over(&self, negligible: f64) -> bool {
        let Estimate { value, error } = self.best;
        let (steps, share) = PATIENCE;
        error <= negligible.max(ENOUGH * value.abs())
            || (self.since >= steps && error <= share * value.abs())
    }

    fn offer(&mut self, value: f64, error: f64) {
        if error < self.best.error {
            self.best = Estimate { value, error };
            self.since = 0;
        }
    }

    /// Adds what the step `e` has found to the right and to the left of `here`.
    fn add(&mut self, e: f64, here: f64, there: [Option<f64>; 2], rounding: f64) {
        self.since += 1;
        let noise = 2.0 * rounding / e;
        let slopes = [1.0, -1.0].map(|side| side / e);
        for (side, (there, per)) in self.sides.iter_mut().zip(there.iter().zip(slopes)) {
            match there {
                Some(there) => side.add((there - here) * per),
                None => *side = Extrapolation::new(side.powers),
            }
        }
        let [Some(right), Some(left)] = there else {
            return;
        };
        self.central.add((right - left) / (2.0 * e));
        self.kink.add((right - 2.0 * here + left) / (2.0 * e));
        if let (Some(central), Some(kink)) = (self.central.found, self.kink.found) {
            let error = central.error.max(kink.value.abs()).max(noise);
            self.offer(central.value, error);
        }
    }

    /// Takes what the one side says where there is no other.
    fn take_side(&mut self, e: f64, rounding: f64) {
        for side in 0..2 {
            if let Some(found) = self.sides[side].found
                && self.sides[1 - side].last.is_empty()
            {
                self.offer(found.value, found.error.max(4.0 * rounding / e));
            }
        }
    }
}

/// df/de at e = 0 of each value of `f`, which are `here` at e = 0 to within `rounding`, with steps of
/// `largest` and below until the errors are small or `negligible`: by central differences, or
/// one-sided ones where `f` is defined on one side only.
///
/// # Errors
/// The refusal of `f` where it is defined on neither side.
pub(super) fn derivatives_at_zero(
    f: impl Fn(f64) -> Result<Vec<f64>, Refusal>, here: &[f64], rounding: &[f64],
    negligible: &[f64], largest: f64,
) -> Result<Vec<Estimate>, Refusal> {
    let mut all = vec![Search::new(); here.len()];
    let mut refusal = None;
    // A power of two adds to a number of few digits without rounding.
    let largest = 2_f64.powi(largest.log2().floor() as i32);
    for n in 0..STEPS {
        let e = largest * 0.5_f64.powi(n);
        let mut at = |e: f64| f(e).map_err(|fault| refusal = Some(fault)).ok();
        let there = [at(e), at(-e)];
        for (i, search) in all.iter_mut().enumerate() {
            let of = |values: &Option<Vec<f64>>| values.as_ref().map(|values| values[i]);
            search.add(e, here[i], [of(&there[0]), of(&there[1])], rounding[i]);
            if n >= ONE_SIDE {
                search.take_side(e, rounding[i]);
            }
        }
        let mut all = all.iter().zip(negligible);
        if all.all(|(search, negligible)| search.is_over(*negligible)) {
            break;
        }
    }
    match refusal {
        Some(refusal) if all.iter().all(|search| search.best.value.is_nan()) => Err(refusal),
        _ => Ok(all.iter().map(|search| search.best).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(f: impl Fn(f64) -> Option<f64>, largest: f64) -> Result<Estimate, Refusal> {
        let values = |e: f64| match f(e) {
            Some(value) => Ok(vec![value]),
            None => Err(Refusal::error("why")),
        };
        let here = f(0.0).expect("defined at 0");
        let found = derivatives_at_zero(values, &[here], &[1e-16], &[0.0], largest)?;
        Ok(found[0])
    }

    fn settles(f: impl Fn(f64) -> Option<f64>, exact: f64) {
        let found = found(f, 1e-2).expect("defined");
        let off = (found.value - exact).abs();
        assert!(off <= found.error && found.error <= 1e-4 * exact.abs(), "{found:?} {exact}");
    }

    #[test]
    fn derivatives_of_known_functions_lie_within_their_errors() {
        settles(|e| Some((3.0 + e).sin()), 3_f64.cos());
        settles(|e| Some((1.0 + e).powi(5)), 5.0);
        settles(|e| Some(2.0 * e + 30.0 * (40.0 * e).sin()), 1202.0);
    }

    #[test]
    fn steps_shrink_into_the_range_between_two_kinks() {
        settles(|e| Some((-5e4 * e).clamp(-1.0, 2.0)), -5e4);
    }

    #[test]
    fn a_kink_and_a_jump_have_no_derivative() {
        for f in [|e: f64| e.abs(), |e: f64| e + (e > 0.0) as u8 as f64, |e: f64| e.max(2.0 * e)] {
            let found = found(|e| Some(f(e)), 1e-2).expect("defined");
            assert!(found.error > 1e-2 * found.value.abs(), "{found:?}");
        }
    }

    #[test]
    fn what_rounding_hides_is_not_settled() {
        // Ten digits, of which the derivative is the last.
        let f = |e: f64| Some(((1.0 + 1e-11 * e) * 1e10).round() * 1e-10);
        let found = found(f, 1e-2).expect("defined");
        assert!(found.value.abs() <= found.error, "{found:?}");
    }

    #[test]
    fn one_sided_where_the_other_side_is_refused() {
        for side in [1.0, -1.0] {
            settles(|e| (side * e >= 0.0).then(|| (3.0 + e).sin()), 3_f64.cos());
        }
    }

    #[test]
    fn central_with_shorter_steps_near_the_end_of_what_is_allowed() {
        settles(|e| (e.abs() < 3e-3).then(|| (3.0 + e).sin()), 3_f64.cos());
    }

    #[test]
    fn refused_with_the_reason_where_nothing_is_defined() {
        let refused = found(|e| (e == 0.0).then_some(1.0), 1e-2);
        assert_eq!(refused, Err(Refusal::error("why")));
    }
}
