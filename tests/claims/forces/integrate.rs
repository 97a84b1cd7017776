//! Reference motion of the free coordinates: Dormand and Prince's pair of orders 5 and 4 (1980).

use super::truth::{Instant, Truth};

/// Error of a step relative to 1 plus the size of each entry.
const TOLERANCE: f64 = 1e-11;

const NODES: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const STAGES: [[f64; 6]; 7] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Weights of order 5 less those of order 4.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// A motion of the truth, at one instant.
pub struct Reference<'a> {
    pub truth: &'a Truth,
    pub time: f64,
    /// Values and rates of the free coordinates.
    pub free: Vec<f64>,
    step: f64,
}

impl<'a> Reference<'a> {
    pub fn new(truth: &'a Truth) -> Reference<'a> {
        Reference::from(truth, 0.0, truth.start())
    }

    pub fn from(truth: &'a Truth, time: f64, free: Vec<f64>) -> Reference<'a> {
        Reference { truth, time, free, step: 1e-4 }
    }

    pub fn now(&self) -> Instant {
        self.truth.instant(self.time, &self.free)
    }

    fn rates(&self, t: f64, free: &[f64]) -> Vec<f64> {
        let count = free.len() / 2;
        let mut rates = free[count..].to_vec();
        rates.extend(self.truth.instant(t, free).accelerations);
        rates
    }

    /// One step of `h` by Heun's method, of second order.
    pub fn coarse_step(&mut self, h: f64) {
        let first = self.rates(self.time, &self.free);
        let moved = |k: &[f64], c: f64| -> Vec<f64> {
            self.free.iter().zip(k).map(|(y, k)| y + c * k).collect()
        };
        let second = self.rates(self.time + h, &moved(&first, h));
        let mean: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a + b).collect();
        self.free = moved(&mean, 0.5 * h);
        self.time += h;
    }

    /// Goes on, or back, to `end`.
    pub fn advance(&mut self, end: f64) {
        if self.free.is_empty() {
            self.time = end;
        }
        while self.time != end {
            let left = end - self.time;
            let h = self.step.min(left.abs()).copysign(left);
            let mut slopes: Vec<Vec<f64>> = Vec::with_capacity(7);
            let mut to = self.free.clone();
            for (node, row) in NODES.iter().zip(&STAGES) {
                for (i, value) in to.iter_mut().enumerate() {
                    let sum: f64 = slopes.iter().zip(row).map(|(k, a)| a * k[i]).sum();
                    *value = self.free[i] + h * sum;
                }
                slopes.push(self.rates(self.time + node * h, &to));
            }
            let error = (0..to.len()).fold(0.0_f64, |most, i| {
                let sum: f64 = slopes.iter().zip(ERROR).map(|(k, e)| e * k[i]).sum();
                most.max((h * sum).abs() / (TOLERANCE * (1.0 + to[i].abs())))
            });
            if error <= 1.0 {
                self.time = if h == left { end } else { self.time + h };
                self.free = to;
            }
            let factor = 0.9 * error.max(1e-9).powf(-0.2);
            // A step that was cut short to meet the end says little about the next.
            if error > 1.0 || h.abs() >= self.step {
                self.step = h.abs() * factor.clamp(0.2, 5.0);
            }
        }
    }
}
