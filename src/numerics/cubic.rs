//! What passes from the beginning of a step, x = 0, to its end, x = 1, as the cubic with its values and rates there (Hermite).

use super::root::Bracket;

/// Width to which a root is found.
const SHARP: f64 = 1e-3;

/// The cubic.
#[derive(Debug, Clone, Copy)]
pub struct Cubic {
    /// Values at both ends.
    pub ends: [f64; 2],
    /// Rates there, by x.
    pub rates: [f64; 2],
}

impl Cubic {
    /// Value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        let ([begin, end], [falls, rises]) = (self.ends, self.rates);
        let y = 1.0 - x;
        begin * y * y * (1.0 + 2.0 * x) + falls * x * y * y + end * x * x * (3.0 - 2.0 * x)
            - rises * x * x * y
    }

    /// Where it is lowest between the ends, and how low, if it falls at first and rises at last.
    pub fn lowest(&self) -> Option<(f64, f64)> {
        let ([begin, end], [falls, rises]) = (self.ends, self.rates);
        if !(falls < 0.0 && rises > 0.0) {
            return None;
        }
        // The derivative a x² + b x + c, which is below 0 at 0 and above at 1.
        let a = 6.0 * (begin - end) + 3.0 * (falls + rises);
        let b = 6.0 * (end - begin) - 4.0 * falls - 2.0 * rises;
        let root = (b * b - 4.0 * a * falls).sqrt();
        let x = -2.0 * falls / (b + root);
        (x > 0.0 && x < 1.0).then(|| (x, self.at(x)))
    }

    /// The first x above `from` where it changes its sign, and has not done so up to there.
    pub fn first_root(&self, from: f64) -> Option<f64> {
        let [begin, slope] = [self.ends[0], self.rates[0]];
        let sign = if begin == 0.0 { slope } else { begin }.signum();
        let above =
            Cubic { ends: self.ends.map(|v| sign * v), rates: self.rates.map(|v| sign * v) };
        let to = if above.ends[1] < 0.0 { 1.0 } else { above.lowest()?.0 };
        let ends = [from, to].map(|x| [x, -above.at(x)]);
        let [low, high] = ends;
        if to <= from || low[1] >= 0.0 || high[1] <= 0.0 {
            return None;
        }
        let mut bracket = Bracket::new(low, high);
        while bracket.width() > SHARP {
            let x = bracket.trial();
            bracket.narrow(x, -above.at(x));
        }
        Some(bracket.high[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_root_is_where_the_sign_changes() {
        // x³ − x²/2 − x/10 + 1/25 = (x − 0.2) (…), twice across 0 before the end.
        let value = |x: f64| (x - 0.2) * (x - 0.7) * (x + 1.0);
        let rate = |x: f64| (x - 0.7) * (x + 1.0) + (x - 0.2) * (x + 1.0) + (x - 0.2) * (x - 0.7);
        for sign in [-1.0, 1.0] {
            let ends = [0.0, 1.0];
            let cubic =
                Cubic { ends: ends.map(|x| sign * value(x)), rates: ends.map(|x| sign * rate(x)) };
            assert!((cubic.at(0.4) - sign * value(0.4)).abs() < 1e-15);
            let root = cubic.first_root(0.02).expect("a root");
            assert!((root - 0.2).abs() < 2.0 * SHARP, "{root}");
            assert_eq!(cubic.first_root(0.3), None, "it has been passed");
        }
        let upwards = Cubic { ends: [0.1, 0.2], rates: [-0.1, 0.3] };
        assert_eq!(upwards.first_root(0.02), None);
    }
}
