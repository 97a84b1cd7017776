//! Inputs between two communication points.
//!
//! A host sets an input at a communication point and then asks for a step. What the input does
//! during the step is a polynomial of the time τ since the communication point,
//!
//! ```text
//! u(τ) = c₀ + c₁ τ + c₂ τ² + c₃ τ³
//! ```
//!
//! Where the host told derivatives (`fmi2SetRealInputDerivatives`), it is their Taylor
//! polynomial. Else the model file chooses: *hold* the new value; run on a straight line
//! (*linear*) from the value reached to the new one, which is then that of the step's end; or do
//! so without a jump of the slope (*cubic*).

use serde::{Deserialize, Serialize};

use super::State;
use crate::checked::{InputVariable, Reconstruction};
use crate::system::Instant;

/// One input over one communication step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Signal {
    coefficients: [f64; 4],
}

impl Signal {
    /// A signal of one value at all times.
    pub fn constant(value: f64) -> Signal {
        Signal { coefficients: [value, 0.0, 0.0, 0.0] }
    }

    /// From one value to another between two τ.
    fn straight(from: [f64; 2], to: [f64; 2]) -> Signal {
        let slope = (to[1] - from[1]) / (to[0] - from[0]);
        Signal { coefficients: [from[1] - slope * from[0], slope, 0.0, 0.0] }
    }

    /// Value, first and second derivative at τ.
    pub fn at(&self, tau: f64) -> [f64; 3] {
        let [a, b, c, d] = self.coefficients;
        [
            a + tau * (b + tau * (c + tau * d)),
            b + tau * (2.0 * c + tau * 3.0 * d),
            2.0 * c + 6.0 * d * tau,
        ]
    }

    /// ∫ u dτ from 0 to τ.
    pub fn integral(&self, tau: f64) -> f64 {
        let [a, b, c, d] = self.coefficients;
        tau * (a + tau * (b / 2.0 + tau * (c / 3.0 + tau * d / 4.0)))
    }

    /// ∫ ∫ u dτ dτ, both from 0 to τ.
    pub fn double_integral(&self, tau: f64) -> f64 {
        let [a, b, c, d] = self.coefficients;
        tau * tau * (a / 2.0 + tau * (b / 6.0 + tau * (c / 12.0 + tau * d / 20.0)))
    }
}

/// Time derivatives of an input at a communication point, as the host told them.
///
/// Not an `Option`: a saved state has the same number of bytes with and without them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Rates {
    /// Whether the host told any; one that it did not tell is then 0.
    pub given: bool,
    /// u̇, unit of the input per s.
    pub first: f64,
    /// ü, unit of the input per s².
    pub second: f64,
}

/// What is known of an input at a communication point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostInput {
    /// What the host has set.
    pub value: f64,
    /// u̇ and ü at the communication point, where the host has set them.
    pub rates: Rates,
    /// Value and slope that the last step ended with.
    pub reached: [f64; 2],
}

impl HostInput {
    /// The signal over the next communication step of length `h`.
    ///
    /// Linear in all that was told: the derivative by the value is `signal` of the value 1 with
    /// the rest 0.
    pub fn signal(&self, reconstruction: Reconstruction, h: f64) -> Signal {
        let HostInput { value, rates, reached: [from, slope] } = *self;
        let change = (value - from) / h;
        let coefficients = match (rates.given, reconstruction) {
            (true, _) => [value, rates.first, 0.5 * rates.second, 0.0],
            (false, Reconstruction::Hold) => [value, 0.0, 0.0, 0.0],
            (false, Reconstruction::Linear) => [from, change, 0.0, 0.0],
            // Hermite's cubic with the mean slope of the step at its end.
            (false, Reconstruction::Cubic) => {
                let bend = (change - slope) / h;
                [from, slope, 2.0 * bend, -bend / h]
            }
        };
        Signal { coefficients }
    }
}

impl State {
    /// Sets what the inputs do over the communication step of length `h` that begins.
    pub(crate) fn begin_signals(&mut self, inputs: &[InputVariable], h: f64) {
        for (i, variable) in inputs.iter().enumerate() {
            let input = HostInput {
                value: self.inputs[i],
                rates: self.input_rates[i],
                reached: self.reached[i],
            };
            self.signals[i] = input.signal(variable.reconstruction, h);
        }
    }

    /// Keeps where the inputs stand, τ after the communication point.
    pub(crate) fn keep_signals(&mut self, tau: f64) {
        for (reached, signal) in self.reached.iter_mut().zip(&self.signals) {
            let [value, slope, _] = signal.at(tau);
            *reached = [value, slope];
        }
    }

    /// Whether an input has jumped where a communication step begins.
    pub(crate) fn inputs_jump(&self) -> bool {
        let mut inputs = self.signals.iter().zip(&self.reached);
        inputs.any(|(signal, [reached, _])| signal.at(0.0)[0] != *reached)
    }

    /// Lets inputs that jump at the beginning of a step to `end` run on straight lines over it instead; whether any does.
    pub(crate) fn bridge_jumps(&mut self, end: Instant) -> bool {
        let mut any = false;
        for (signal, [reached, _]) in self.signals.iter_mut().zip(&self.reached) {
            if signal.at(end.elapsed_before)[0] != *reached {
                let last = signal.at(end.elapsed)[0];
                *signal = Signal::straight([end.elapsed_before, *reached], [end.elapsed, last]);
                any = true;
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 0.25;
    const INPUT: HostInput = HostInput {
        value: 3.0,
        rates: Rates { given: false, first: 0.0, second: 0.0 },
        reached: [1.0, -2.0],
    };

    #[test]
    fn a_line_and_a_cubic_run_from_what_was_reached_to_the_new_value() {
        for reconstruction in [Reconstruction::Linear, Reconstruction::Cubic] {
            let signal = INPUT.signal(reconstruction, H);
            assert_eq!(signal.at(0.0)[0], 1.0);
            assert!((signal.at(H)[0] - 3.0).abs() < 1e-15);
        }
        let cubic = INPUT.signal(Reconstruction::Cubic, H);
        assert_eq!(cubic.at(0.0)[1], -2.0, "no jump of the slope");
        assert!((cubic.at(H)[1] - 8.0).abs() < 1e-14, "mean slope at the end");
    }

    #[test]
    fn derivatives_of_the_host_make_a_taylor_polynomial() {
        let input = HostInput { rates: Rates { given: true, first: 4.0, second: 6.0 }, ..INPUT };
        for &reconstruction in Reconstruction::ALL {
            let signal = input.signal(reconstruction, H);
            assert_eq!(signal.at(0.0), [3.0, 4.0, 6.0]);
            assert_eq!(signal.at(2.0)[0], 3.0 + 8.0 + 12.0);
        }
    }

    #[test]
    fn slope_bend_and_integral_belong_to_the_value() {
        let signal = INPUT.signal(Reconstruction::Cubic, H);
        let (t, d) = (0.13, 1e-5);
        let at = |t: f64| signal.at(t);
        let slope = (at(t + d)[0] - at(t - d)[0]) / (2.0 * d);
        let bend = (at(t + d)[1] - at(t - d)[1]) / (2.0 * d);
        let value = (signal.integral(t + d) - signal.integral(t - d)) / (2.0 * d);
        let once = (signal.double_integral(t + d) - signal.double_integral(t - d)) / (2.0 * d);
        assert!((once - signal.integral(t)).abs() < 1e-7);
        assert!((slope - at(t)[1]).abs() < 1e-7);
        assert!((bend - at(t)[2]).abs() < 1e-6);
        assert!((value - at(t)[0]).abs() < 1e-7);
    }
}
