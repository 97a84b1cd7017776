//! The settled loop of a law with memory under harmonic motion, and the damper and spring that act
//! like it in the mean (Půst, Pešek & Radolfová 2011, Eqs. 44-51).

use std::f64::consts::PI;

use super::equivalent::Equivalent;
use super::memory::{Memory, MemoryLaw, respond};
use super::{Contact, Response};
use crate::numerics::gauss::integral;
use crate::numerics::root::Bracket;

/// Parts of half a cycle. Over each of them the law follows a motion of constant rate, which for laws
/// that feel no rate is exact whatever the number; for others the error falls with its first power.
const PARTS: usize = 256;

/// Half cycles after which the deflection has settled, or is looked for.
const HALVES: usize = 64;

/// Trials of the deflection at the turning point.
const TRIALS: u32 = 60;

/// x = a cos ωt over and over, until the bristles repeat themselves. Of the loops in which nothing slips,
/// which can lie anywhere within the limits, it is the one about z = 0.
pub struct Hysteresis<'a> {
    law: &'a dyn MemoryLaw,
    amplitude: f64,
    frequency: f64,
    normal_force: f64,
    /// What is remembered at the ends of equal parts of the way from x = a to x = −a.
    memory: Vec<Memory>,
}

impl<'a> Hysteresis<'a> {
    /// The loop of `amplitude` a (m) at the circular `frequency` ω (rad/s) under `normal_force` (N),
    /// all above 0.
    pub fn of(
        law: &'a dyn MemoryLaw, amplitude: f64, frequency: f64, normal_force: f64,
    ) -> Hysteresis<'a> {
        Hysteresis::in_parts(law, amplitude, frequency, normal_force, PARTS)
    }

    fn in_parts(
        law: &'a dyn MemoryLaw, amplitude: f64, frequency: f64, normal_force: f64, parts: usize,
    ) -> Hysteresis<'a> {
        let mut settled = Hysteresis {
            law,
            amplitude,
            frequency,
            normal_force,
            memory: vec![Memory::default(); parts + 1],
        };
        settled.settle();
        settled
    }

    /// Finds what is remembered where the loop turns: over half a cycle z changes its sign. What is
    /// remembered besides may take very many cycles: where it goes in steps that fall by a constant
    /// ratio, their sum is taken at once (Aitken).
    fn settle(&mut self) {
        let mut last = 0.0;
        for half in 0..HALVES {
            let [z, other] = self.half();
            let before = std::mem::replace(&mut self.memory[0], [-z, other]);
            if before == self.memory[0] {
                return;
            }
            let step = other - before[1];
            let ratio = if last == 0.0 { 0.0 } else { step / last };
            last = step;
            if half % 4 == 3 && ratio > 0.0 && ratio < 1.0 {
                self.memory[0][1] += step * ratio / (1.0 - ratio);
                last = 0.0;
            }
        }
        // The end of the half cycle grows with its beginning: one zero, in between.
        let amplitude = self.amplitude;
        let mut miss = |z: f64| {
            self.memory[0][0] = z;
            z + self.half()[0]
        };
        let (at_none, at_most) = (miss(0.0), miss(amplitude));
        if !(at_none < 0.0 && at_most > 0.0) {
            return;
        }
        let mut bracket = Bracket::new([0.0, at_none], [amplitude, at_most]);
        for _ in 0..TRIALS {
            let z = bracket.trial();
            let f = miss(z);
            bracket.narrow(z, f);
            if f.abs() <= 1e-15 * amplitude {
                break;
            }
        }
    }

    /// Goes from x = a to x = −a; the memory there.
    fn half(&mut self) -> Memory {
        let parts = self.parts();
        for part in 0..parts {
            self.memory[part + 1] = self.at(part, self.instant(part + 1)).0.memory;
        }
        self.memory[parts]
    }

    /// The law at the instant τ within or at the end of a part, and the velocity that it feels.
    fn at(&self, part: usize, tau: f64) -> (Response, f64) {
        let begin = self.instant(part);
        let step = ((tau - begin) / self.frequency).max(f64::MIN_POSITIVE);
        // a (cos τ − cos τ₀), without the difference.
        let slid =
            -2.0 * self.amplitude * (0.5 * (tau + begin)).sin() * (0.5 * (tau - begin)).sin();
        let contact = Contact {
            velocity: slid / step,
            normal_force: self.normal_force,
            step,
            memory: self.memory[part],
            ..Contact::default()
        };
        (respond(self.law, &contact), contact.velocity)
    }

    /// The force without the viscous part, which is exact without quadrature.
    fn dry(&self, part: usize, tau: f64) -> f64 {
        let (response, velocity) = self.at(part, tau);
        response.force - self.law.viscous().re * velocity
    }

    /// F over x around the loop, and back to where it begins.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let down = (0..self.parts()).map(|part| {
            let (sin, cos) = self.instant(part + 1).sin_cos();
            let viscous = -self.law.viscous().re * self.amplitude * self.frequency * sin;
            (self.amplitude * cos, self.dry(part, self.instant(part + 1)) + viscous)
        });
        let down: Vec<(f64, f64)> = down.collect();
        let up = down.iter().map(|(x, force)| (-x, -force));
        let mut all: Vec<(f64, f64)> = down.iter().copied().chain(up).collect();
        all.extend(down.first());
        all
    }

    /// b_e and k_e by quadrature (Eqs. 46 and 50), extrapolated to infinitely many parts.
    pub fn equivalent(&self) -> Equivalent {
        let (a, omega, normal_force) = (self.amplitude, self.frequency, self.normal_force);
        let twice = Hysteresis::in_parts(self.law, a, omega, normal_force, 2 * self.parts());
        let (coarse, fine) = (self.sums(), twice.sums());
        Equivalent {
            damping: 2.0 * fine.damping - coarse.damping,
            stiffness: 2.0 * fine.stiffness - coarse.stiffness,
        }
    }

    fn sums(&self) -> Equivalent {
        let (a, omega) = (self.amplitude, self.frequency);
        let over = |weight: fn(f64) -> f64| -> f64 {
            let part = |part: usize| {
                let integrand = |tau: f64| self.dry(part, tau) * weight(tau);
                integral(&integrand, self.instant(part), self.instant(part + 1))
            };
            (0..self.parts()).map(part).sum()
        };
        Equivalent {
            damping: self.law.viscous().re - 2.0 / (PI * a * omega) * over(f64::sin),
            stiffness: 2.0 / (PI * a) * over(f64::cos),
        }
    }

    fn parts(&self) -> usize {
        self.memory.len() - 1
    }

    /// τ at the beginning of a part.
    fn instant(&self, part: usize) -> f64 {
        PI * part as f64 / self.parts() as f64
    }
}
