//! Statics of contacts of surfaces by continuation in their friction and the stiffness of their contact layers.
//!
//! From rest Newton's method does not find which of many points with stiff contact layers touch, stick and slip: it goes to and fro. With
//! soft contact layers a slider sinks in evenly, and with much friction all that touches sticks, or without any all slides. From there
//!
//! ```text
//! k → k f_k^(1−λ),    μ → μ f_μ^(1−λ)  (λ μ where f_μ = 0),    λ = 0 … 1
//! ```
//!
//! leads to the contact as it is, by steps of λ that are halved where they are too long. What the points remember stays that of the
//! beginning on the whole way, so that its end is a solution like any other.

use crate::newton::{Failure, Newton};
use crate::numerics::positions::Positions;
use crate::system::{ContinuationFactors, Iterate, System};

/// The ways in, of what finds itself what sticks and slips: much friction, much friction and soft contact layers, soft contact layers, much friction
/// and stiff contact layers.
pub(super) const TO_STICK: [ContinuationFactors; 4] = [
    ContinuationFactors { stiffness: 1.0, friction: 1e3 },
    ContinuationFactors { stiffness: 1e-3, friction: 1e3 },
    ContinuationFactors { stiffness: 1e-3, friction: 1.0 },
    ContinuationFactors { stiffness: 1e3, friction: 1e3 },
];

/// Without friction.
pub(crate) const SMOOTH: ContinuationFactors =
    ContinuationFactors { stiffness: 1.0, friction: 0.0 };

/// Continuation factors towards steady sliding in one sense.
pub(crate) const TO_SLIDE: [ContinuationFactors; 3] = [
    SMOOTH,
    ContinuationFactors { stiffness: 1e-3, friction: 0.0 },
    ContinuationFactors { stiffness: 1e-3, friction: 1.0 },
];

/// The first step of λ, and the shortest.
const FIRST: f64 = 0.25;
const SHORTEST: f64 = 1.0 / 1024.0;

/// Largest number of solutions of one continuation.
const MAX_SOLUTIONS: usize = 200;

impl ContinuationFactors {
    /// That at λ on the way from here to a contact as it is.
    fn towards(self, lambda: f64) -> ContinuationFactors {
        let of = |factor: f64| match factor {
            0.0 => lambda,
            _ => factor.powf(1.0 - lambda),
        };
        ContinuationFactors { stiffness: of(self.stiffness), friction: of(self.friction) }
    }

    /// Whether the continuation from here leads to a solution, `from` somewhere; `solve` is that of [`solve_by`].
    pub(crate) fn leads(
        self, newton: &mut Newton, from: Option<&Positions>,
        solve: &mut impl FnMut(
            &mut Newton,
            ContinuationFactors,
            Option<&Positions>,
        ) -> Result<(), Failure>,
    ) -> bool {
        if solve(newton, self, from).is_err() {
            return false;
        }
        let mut known = newton.at.q.clone();
        let (mut lambda, mut by) = (0.0_f64, FIRST);
        for _ in 0..MAX_SOLUTIONS {
            let next = (lambda + by).min(1.0);
            if solve(newton, self.towards(next), Some(&known)).is_err() {
                by *= 0.5;
                if by < SHORTEST {
                    return false;
                }
                continue;
            }
            if next == 1.0 {
                return true;
            }
            known.copy_from(&newton.at.q);
            (lambda, by) = (next, 2.0 * by);
        }
        false
    }
}

impl Iterate {
    /// Puts the iterate on a continuation, and where a solution is `known` there, at that.
    pub(crate) fn begin_with(&mut self, factors: ContinuationFactors, known: Option<&Positions>) {
        self.factors = factors;
        if let Some(q) = known {
            self.q.copy_from(q);
        }
    }
}

/// A solution directly or else by one of the `ways`; it is then in the iterate. `solve` finds one from where the iterate
/// begins, with continuation factors and perhaps positions to begin at.
///
/// # Errors
/// The failure without a continuation.
pub(crate) fn solve_by(
    system: &System, newton: &mut Newton, ways: &[ContinuationFactors],
    mut solve: impl FnMut(&mut Newton, ContinuationFactors, Option<&Positions>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let direct = solve(newton, ContinuationFactors::default(), None);
    if direct.is_ok() || system.surfaces.contacts.is_empty() {
        return direct;
    }
    match ways.iter().any(|way| way.leads(newton, None, &mut solve)) {
        true => Ok(()),
        false => direct,
    }
}
