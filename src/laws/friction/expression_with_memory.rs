//! A force of friction that the model writes as an expression of a state that remembers, with the rate of that state.

use std::f64::consts::TAU;
use std::sync::Arc;

use num_dual::{Dual64, DualNum, HyperDual64};

use super::bristles::{PRESLIDING, mean};
use super::expression::divisible;
use super::law::{Surroundings, law};
use super::memory::{MemoryLaw, Outcome, Pass};
use super::number::{Contradiction, Formula, Named, Value};
use super::{Follows, SPEEDS};
use crate::message::figure;
use crate::numerics::expression::{Dependence, Expression as Program, Function, Operation};

law! {
    /// Your own law with a state z that remembers, as expressions: F_f = F(z, v, F_N, ż) with ż = f(z, v, F_N) from z = 0.
    ///
    /// z follows exactly where f is a straight line in z, as of LuGre; elsewhere by 23 exponential steps within each step.
    ExpressionWithMemory {
        formulas {
            /// ż as an expression in quotes of the state `z`, the velocity `v` (m/s, with its sign), the normal force `N` (N), the `numbers`
            /// and names of [parameters](parameters.md)
            state;
            /// F_f (N), likewise, and of the `rate` ż; above 0 it resists `v` above 0
            force;
        }
        named {
            /// numbers for both expressions, each under a name: `{ sigma0 = 1e5 }`
            numbers;
        }
    }
}

/// What the variables of the state's rate are called, in their order; the force has the last one, too. The names of the numbers follow.
pub const STATE_VARIABLES: [&str; 3] = ["z", "v", "N"];
pub const FORCE_VARIABLES: [&str; 4] = ["z", "v", "N", "rate"];

/// Size of z that its rate sees instead of 0: second derivatives of powers there are still numbers.
const LEAST_STATE: f64 = 1e-100;

/// Below it (e^y − 1)/y is its series.
const SMALL: f64 = 1e-5;

/// Parts of a step of which each doubles the time since the step has begun, up to a quarter of the step; they follow what settles in
/// 4e-6 of it. Parts of equal length follow them.
const DOUBLING: i32 = 16;
const EQUAL: i32 = 6;

/// z where the way of the step at its rate and normal force has begun, with how it goes on from there.
struct Evolution {
    z: Dual64,
    /// ż.
    rate: Dual64,
    /// ∂ż/∂z.
    by_z: Dual64,
}

impl Evolution {
    /// z after a time τ, s, by the rate with its derivative: exact where that does not change with z.
    fn after(&self, tau: f64) -> Dual64 {
        let y = self.by_z * tau;
        let share = match y.re.abs() < SMALL {
            true => (y / 3.0 + 1.0) * y / 2.0 + 1.0,
            false => y.exp_m1() / y,
        };
        self.z + self.rate * share * tau
    }
}

impl<N: Value> ExpressionWithMemory<N> {
    fn evolution(&self, z: Dual64, v: Dual64, normal_force: Dual64) -> Evolution {
        let plain = |x: Dual64| HyperDual64::new(x.re, 0.0, x.eps, 0.0);
        // At 0 powers have no slope; it is about to move as v does.
        let near = if z.re == 0.0 { LEAST_STATE.copysign(v.re) } else { z.re };
        let own = [HyperDual64::new(near, 1.0, z.eps, 0.0), plain(v), plain(normal_force)];
        let number = |i: usize| plain(self.numbers.0[i - own.len()].1.dual());
        let value = |i: usize| own.get(i).copied().unwrap_or_else(|| number(i));
        let rate = self.state.function.as_ref().map(|f| f.evaluate(value));
        let rate = rate.unwrap_or(HyperDual64::from(0.0));
        Evolution {
            z,
            rate: Dual64::new(rate.re, rate.eps2),
            by_z: Dual64::new(rate.eps1, rate.eps1eps2),
        }
    }

    fn force(&self, z: Dual64, v: Dual64, normal_force: Dual64, rate: Dual64) -> Dual64 {
        let own = [z, v, normal_force, rate];
        let number = |i: usize| self.numbers.0[i - own.len()].1.dual();
        let value = |i: usize| own.get(i).copied().unwrap_or_else(|| number(i));
        self.force.function.as_ref().map_or(Dual64::from_re(0.0), |f| f.evaluate(value))
    }

    fn is_affine(&self) -> bool {
        let state = self.state.function.as_ref();
        state.is_some_and(|state| state.dependence(0) <= Dependence::Affine)
    }

    /// z at the end of a step, and the mean over it of the force without ż.
    fn follow(&self, pass: &Pass, v: Dual64, mut each: impl FnMut(&Evolution, f64)) -> Dual64 {
        let n = divisible(pass.normal_force);
        if self.is_affine() {
            let evolution = self.evolution(pass.before[0], v, n);
            each(&evolution, pass.step);
            return evolution.after(pass.step);
        }
        let first = 0.25 * pass.step * 0.5_f64.powi(DOUBLING);
        let doubling = (0..DOUBLING).map(|k| first * 2_f64.powi(k));
        let equal = (0..EQUAL).map(|_| 0.125 * pass.step);
        let parts = [first].into_iter().chain(doubling).chain(equal);
        parts.fold(pass.before[0], |z, tau| {
            let evolution = self.evolution(z, v, n);
            each(&evolution, tau);
            evolution.after(tau)
        })
    }
}

impl<N: Value> MemoryLaw for ExpressionWithMemory<N> {
    /// What it stores is not known; all of its work counts as dissipated.
    fn stiffness(&self) -> Dual64 {
        Dual64::from_re(0.0)
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        let (v, n) = (pass.slid / pass.step, divisible(pass.normal_force));
        let affine = self.is_affine();
        let mut work = Dual64::from_re(0.0);
        let z = self.follow(pass, v, |evolution, tau| {
            let force = |share: f64| {
                let z = evolution.after(share * tau);
                let rate = evolution.rate + evolution.by_z * (z - evolution.z);
                self.force(z, v, n, rate)
            };
            work += if affine { mean(force) } else { force(0.5) } * v * tau;
        });
        // As v is the mean of ds/dt over the step, so is ż.
        let rate = (z - pass.before[0]) / pass.step;
        let still = self.evolution(Dual64::from_re(0.0), v, n).rate.re;
        let left = self.evolution(z, v, n).rate.re;
        Outcome {
            force: self.force(z, v, n, rate),
            memory: [z, pass.before[1]],
            dissipated: work,
            presliding: left * still.signum() >= (1.0 - PRESLIDING) * still.abs(),
        }
    }

    fn steady(&self, speed: Dual64, at: &Surroundings) -> Dual64 {
        let n = divisible(Dual64::from_re(at.normal_force.re));
        let (mut z, mut way) = (Dual64::from_re(0.0), WAY);
        for _ in 0..ROUNDS {
            let step = way / speed.re.max(f64::MIN_POSITIVE);
            let before = [z, Dual64::from_re(0.0)];
            let pass = Pass { slid: speed * step, step, normal_force: n, before };
            z = self.follow(&pass, speed, |_, _| ());
            if (z.re - before[0].re).abs() <= SETTLED * z.re.abs() {
                break;
            }
            way *= 4.0;
        }
        self.force(z, speed, n, Dual64::from_re(0.0)) / n
    }

    fn follows(&self) -> Follows {
        Follows { normal_force: true, ..Follows::default() }
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let functions = [("state", &self.state), ("force", &self.force)];
        if functions.iter().any(|(_, formula)| formula.function.is_none()) {
            return None;
        }
        let signed = SPEEDS.into_iter().flat_map(|speed| [speed, -speed]);
        let all = signed.flat_map(|v| self.follows().places().map(move |at| (v, at.normal_force)));
        all.into_iter().find_map(|(v, n)| {
            let (z, moving) = (Dual64::from_re(0.0), Dual64::new(v, 1.0));
            let evolution = self.evolution(z, moving, n);
            let force = self.force(Dual64::new(0.0, 1.0), moving, n, evolution.rate);
            let state = [evolution.rate.re, evolution.rate.eps, evolution.by_z.re];
            let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
            let place = match (finite(&state), finite(&[force.re, force.eps])) {
                (false, _) => "state",
                (true, false) => "force",
                (true, true) => return None,
            };
            Some(Contradiction {
                place: place.to_owned(),
                text: format!(
                    "or its slope is no finite number at z = 0, v = {} m/s and N = {} N; allowed: finite numbers; look for a division by zero or \
                     a root or logarithm of a negative number",
                    figure(v),
                    figure(n.re)
                ),
            })
        })
    }
}

/// Steady is what no longer changes by this share over a way that is four times as long as the one before; the first is so long, m.
const WAY: f64 = 0.1;
const SETTLED: f64 = 1e-12;
const ROUNDS: u32 = 10;

/// A motion that begins at rest with z = 0 and in which a law has given more energy than it has taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// m.
    pub amplitude: f64,
    /// Hz.
    pub frequency: f64,
    /// F_N, N.
    pub normal_force: f64,
    /// The largest energy that it has given in all, J.
    pub energy: f64,
}

impl ExpressionWithMemory {
    /// The first of harmonic motions of many sizes in which it gives energy; what z stores is taken before.
    pub fn gain(&self) -> Option<Gain> {
        let amplitudes = (1..=6).map(|k| 10_f64.powi(-k));
        let motions = amplitudes.flat_map(|a| [0.1, 10.0].map(|frequency| (a, frequency)));
        motions.into_iter().find_map(|(amplitude, frequency)| {
            let normal_force = 100.0;
            let step = 1.0 / (frequency * f64::from(PARTS));
            let place = |i: i32| amplitude * (TAU * f64::from(i) / f64::from(PARTS)).sin();
            let mut before = [Dual64::from_re(0.0); 2];
            let (mut taken, mut least, mut largest) = (0.0, 0.0_f64, 0.0_f64);
            for i in 0..CYCLES * PARTS {
                let slid = Dual64::from_re(place(i + 1) - place(i));
                let pass = Pass { slid, step, normal_force: Dual64::from_re(normal_force), before };
                let outcome = self.pass(&pass);
                before = outcome.memory;
                taken += outcome.dissipated.re;
                (least, largest) = (least.min(taken), largest.max(taken.abs()));
            }
            let gains = least < -ROUGH * largest;
            gains.then_some(Gain { amplitude, frequency, normal_force, energy: -least })
        })
    }

    /// LuGre's law as printed and Bouc's and Wen's with the power 2.
    pub(super) fn samples() -> Vec<ExpressionWithMemory> {
        use Operation::{Add, Call, Divide, Multiply, Negate, Number, Raise, Subtract, Variable};
        let [z, v, n, rate] = [0, 1, 2, 3].map(Variable);
        let abs = Call(Function::Abs);
        let program = |(text, operations): (&str, Vec<Operation>)| Formula {
            written: None,
            function: Some(Arc::new(Program { text: text.to_owned(), operations, kink: None })),
        };
        let law = |state: (&str, Vec<Operation>),
                   force: (&str, Vec<Operation>),
                   numbers: &[(&str, f64)]| {
            let named = numbers.iter().map(|&(name, value)| (name.into(), value));
            ExpressionWithMemory {
                state: program(state),
                force: program(force),
                numbers: Named(named.collect()),
                ..ExpressionWithMemory::blank()
            }
        };
        let sigma = Variable(3);
        let mut lugre = vec![v, v, abs, z, Multiply, sigma, Multiply, n, Number(0.4), Number(0.2)];
        lugre.extend([v, Number(0.01), Divide, Number(2.0), Raise, Negate, Call(Function::Exp)]);
        lugre.extend([Multiply, Add, Multiply, Divide, Subtract]);
        let [own, of_rate] = [4, 5].map(Variable);
        let bristles = vec![own, z, Multiply, of_rate, rate, Multiply, Add];
        let mut wen =
            vec![v, Number(0.6), v, abs, Multiply, z, abs, Multiply, z, Multiply, Subtract];
        wen.extend([Number(0.4), v, Multiply, z, Number(2.0), Raise, Multiply, Subtract]);
        wen.extend([sigma, Multiply]);
        let of_wen = vec![of_rate, n, Multiply, z, Multiply];
        vec![
            law(
                ("v - abs(v)*z*sigma0/(N*(0.4 + 0.2*exp(-(v/0.01)^2)))", lugre),
                ("sigma0*z + sigma1*rate", bristles),
                &[("sigma0", 3e5), ("sigma1", 300.0)],
            ),
            ExpressionWithMemory {
                viscous_coefficient: 3.0,
                ..law(
                    ("(v - 0.6*abs(v)*abs(z)*z - 0.4*v*z^2)*k", wen),
                    ("mu*N*z", of_wen),
                    &[("k", 1e4), ("mu", 0.5)],
                )
            },
        ]
    }
}

/// Parts of a cycle, and cycles, of the motions that are looked at for a gain of energy.
const PARTS: i32 = 64;
const CYCLES: i32 = 2;

/// Share of the energy that a motion moves up to which a gain is an error of the parts.
const ROUGH: f64 = 1e-3;
