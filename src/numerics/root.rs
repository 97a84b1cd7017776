//! The root of a function between two places where its signs differ.

/// A root between `low`, where the function is negative, and `high`, by regula falsi in the form of
/// Illinois: the value at an end that stays twice in a row counts half, so that both ends move.
///
/// The caller evaluates: a trial may be a whole step of the time integration, may fail, or may be good
/// enough for reasons of its own.
///
/// ```
/// use coulisse::numerics::root::Bracket;
///
/// let f = |x: f64| x * x - 2.0;
/// let mut bracket = Bracket::new([1.0, f(1.0)], [2.0, f(2.0)]);
/// while bracket.width() > 1e-12 && bracket.high[1] > 1e-15 {
///     let x = bracket.trial();
///     bracket.narrow(x, f(x));
/// }
/// assert!((bracket.high[0] - 2.0_f64.sqrt()).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bracket {
    /// Place and weighted value of the end where the function is not positive.
    pub low: [f64; 2],
    /// Place and weighted value of the other end.
    pub high: [f64; 2],
    /// Which end moved last.
    last_is_high: Option<bool>,
}

impl Bracket {
    /// From place and value at both ends.
    pub fn new(low: [f64; 2], high: [f64; 2]) -> Bracket {
        Bracket { low, high, last_is_high: None }
    }

    /// Distance of the ends.
    pub fn width(&self) -> f64 {
        self.high[0] - self.low[0]
    }

    /// Where to evaluate next: where the chord is zero, or halfway where rounding leads out of the bracket.
    pub fn trial(&self) -> f64 {
        let ([low, f_low], [high, f_high]) = (self.low, self.high);
        let at = (low * f_high - high * f_low) / (f_high - f_low);
        if at > low && at < high { at } else { 0.5 * (low + high) }
    }

    /// Takes the value `f` at a place between the ends.
    pub fn narrow(&mut self, at: f64, f: f64) {
        let is_high = f > 0.0;
        let (moved, stays) =
            if is_high { (&mut self.high, &mut self.low) } else { (&mut self.low, &mut self.high) };
        *moved = [at, f];
        if self.last_is_high == Some(is_high) {
            stays[1] *= 0.5;
        }
        self.last_is_high = Some(is_high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strongly_curved_functions_are_solved_where_plain_regula_falsi_creeps() {
        for power in [3, 9, 21] {
            let f = |x: f64| x.powi(power) - 1e-3;
            let mut bracket = Bracket::new([0.0, f(0.0)], [1.0, f(1.0)]);
            let root = 1e-3_f64.powf(1.0 / f64::from(power));
            let mut trials = 0;
            let mut x = 1.0;
            while f64::abs(x - root) > 1e-12 {
                x = bracket.trial();
                bracket.narrow(x, f(x));
                assert!(bracket.low[0] <= x && x <= bracket.high[0]);
                trials += 1;
                assert!(trials < 60, "x^{power}");
            }
        }
    }

    #[test]
    fn a_value_that_is_no_number_leaves_the_trial_inside() {
        let mut bracket = Bracket::new([0.0, -1.0], [1.0, 1.0]);
        bracket.narrow(0.5, f64::NAN);
        assert_eq!(bracket.trial(), 0.75);
    }
}
