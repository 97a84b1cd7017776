//! Dahl's law (Dahl 1968).

use num_dual::{Dual64, DualNum};

use super::bristles::{Bent, PRESLIDING, SHORT, STIFFNESS, decayed, mean};
use super::law::{Surroundings, law};
use super::memory::{MemoryLaw, Outcome, Pass};
use super::number::Value;
use crate::quantity::{Limit, NOT_NEGATIVE};

const EXPONENT: Limit = Limit { min: 0.0, max: 4.0, text: "from 0 to 4" };

law! {
    /// The stress-strain curve of a ductile material: F_f = k z and
    /// dz/ds = (1 − z sgn(ds)/z_c)ⁿ with z_c = f F_N/k (Dahl 1968). Creeps a little with every small
    /// swing of the load. n = 0 is `spring_friction`.
    ///
    /// Never drives: with u = 1 − z sgn(ds)/z_c in [0, 2] slip takes k z dw = k z_c²(1 − u)(1 − uⁿ) dξ ≥ 0,
    /// and z goes towards z_c sgn(ds) without passing it, so that F₁ Δs ≥ ∫ F ds or U falls.
    Dahl {
        required {
            /// k: stiffness of the contact along the path, at rest
            stiffness: Stiffness, STIFFNESS;
            /// f: coefficient of sliding
            coefficient: Dimensionless, NOT_NEGATIVE;
        }
        defaults {
            /// n: 1 approaches sliding exponentially, below 1 it gets there, above 1 it is slower
            exponent = 1.0: Dimensionless, EXPONENT;
        }
    }
}

/// Ways of so many z_c are sliding.
const SATURATED: f64 = 1e15;

/// u below which its powers are those of this value.
const SMALLEST: f64 = 1e-150;

/// Below it a function is its series.
const SMALL: f64 = 1e-5;

/// uⁿ.
fn power(u: Dual64, n: Dual64) -> Dual64 {
    let mut u = u;
    u.re = u.re.max(SMALLEST);
    (u.ln() * n).exp()
}

/// ln(1 + e a)/e, and its limit a for e = 0; `None` from where 1 + e a vanishes.
fn logarithm(e: Dual64, a: Dual64) -> Option<Dual64> {
    let y = e * a;
    if y.re.abs() < SMALL {
        return Some(a * (((y * -0.25 + 1.0 / 3.0) * y - 0.5) * y + 1.0));
    }
    (y.re > -1.0).then(|| y.ln_1p() / e)
}

/// (1 − e^(−p l))/p, and its limit l for p = 0.
fn decay(p: Dual64, l: Dual64) -> Dual64 {
    let y = p * l;
    if y.re.abs() < SMALL {
        return l * (((y * (-1.0 / 24.0) + 1.0 / 6.0) * y - 0.5) * y + 1.0);
    }
    -(-y).exp_m1() / p
}

/// The way ξ from r = `begin`, in units of z_c: du/dξ = −uⁿ for u = 1 − r, so that u₁ = u₀ e^(−l) with
/// l = ln(1 + (n − 1) u₀ⁿ⁻¹ ξ)/(n − 1).
fn bend(n: Dual64, begin: Dual64, travel: Dual64) -> Bent {
    let u = -begin + 1.0;
    let rate = power(u, n - 1.0);
    let log = |part: f64| logarithm(n - 1.0, rate * travel * part);
    let Some(l) = log(1.0) else {
        // Slides: ∫ u dξ = u₀²⁻ⁿ/(2 − n).
        let area = power(u, -n + 2.0) / (-n + 2.0);
        return Bent { by: u, slid: travel - area - u * (begin + 1.0) * 0.5 };
    };
    let by = |l: Dual64| u * decayed(l);
    let by_end = by(l);
    let slid = if l.re < SHORT && begin.re < 0.5 {
        travel
            * mean(|part| {
                let r = begin + log(part).map_or(by_end, by);
                // r (1 − uⁿ), without taking 1 from what is nearly 1.
                r * -((-r).ln_1p() * n).exp_m1()
            })
    } else {
        // ∫ u dξ = u₀²⁻ⁿ (1 − e^(−(2 − n) l))/(2 − n).
        let area = power(u, -n + 2.0) * decay(-n + 2.0, l);
        travel - area - by_end * (begin + by_end * 0.5)
    };
    Bent { by: by_end, slid }
}

impl<N: Value> MemoryLaw for Dahl<N> {
    fn stiffness(&self) -> Dual64 {
        self.stiffness.dual()
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        let (k, n) = (self.stiffness(), self.exponent.dual());
        let limit = self.coefficient.dual() * pass.normal_force;
        let largest = limit / k;
        let direction = pass.direction();
        let (limited, released) = pass.limited(k, largest);
        let travel = pass.travel() / largest;
        let Bent { by, slid } = if travel.re < SATURATED {
            let Bent { by, slid } = bend(n, limited * direction / largest, travel);
            Bent { by: by * largest * direction, slid: slid * largest * largest }
        } else {
            Bent { by: largest * direction - limited, slid: largest * pass.travel() }
        };
        let z = limited + by;
        Outcome {
            force: k * z,
            memory: [z, pass.before[1]],
            dissipated: released + k * slid,
            presliding: z.re.abs() < PRESLIDING * largest.re,
        }
    }

    fn steady(&self, _speed: Dual64, _: &Surroundings) -> Dual64 {
        self.coefficient.dual()
    }
}

impl Dahl {
    pub(super) fn samples() -> Vec<Dahl> {
        let law = Dahl { stiffness: 3e5, coefficient: 0.5, ..Dahl::blank() };
        let with = |exponent| Dahl { exponent, ..law.clone() };
        vec![
            law.clone(),
            with(0.5),
            with(2.0),
            Dahl {
                stiffness: 2e3,
                exponent: 1.5,
                viscous_coefficient: 3.0,
                normal_forces: vec![1.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law
            },
        ]
    }
}
