//! Random profiles of a given power spectral density.
//!
//! ```text
//! h(s) = Σ √(2 G(n_i) Δn) cos(2π n_i s − φ_i),   n_i = from + (i − 1) Δn,   Δn = (to − from)/lines
//! G(n) = G₀ (n/n₀)^−w
//! ```
//!
//! (Siqueira & Coda 2022, Eq. 67-68, with the root and the minus sign that print has lost, and the
//! 2 by which the mean square of the lines is the area under G; ISO 8608). The phases φ_i are
//! uniform and follow from a seed.

use std::f64::consts::TAU;

use serde::Deserialize;

use super::Wave;

/// A one-sided spectrum of displacement, in m² per cycle/m, and the lines that stand for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spectrum {
    /// G₀, m³.
    pub reference: f64,
    /// n₀, cycle/m.
    pub reference_frequency: f64,
    /// w.
    pub exponent: f64,
    /// First and last frequency of the band, cycle/m.
    pub band: [f64; 2],
    pub lines: usize,
    pub seed: u64,
}

impl Spectrum {
    /// G(n), m³.
    pub fn density(&self, frequency: f64) -> f64 {
        self.reference * (frequency / self.reference_frequency).powf(-self.exponent)
    }

    /// The lines with their random phases.
    pub fn waves(&self) -> Vec<Wave> {
        let width = (self.band[1] - self.band[0]) / self.lines as f64;
        let mut phases = Phases(self.seed);
        (0..self.lines)
            .map(|line| {
                let frequency = self.band[0] + line as f64 * width;
                Wave {
                    amplitude: (2.0 * self.density(frequency) * width).sqrt(),
                    wavenumber: TAU * frequency,
                    phase: phases.draw(),
                }
            })
            .collect()
    }
}

/// Class of a road by ISO 8608; the geometric mean of its spectrum at 0.1 cycle/m is four times that
/// of the class before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum IsoClass {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl IsoClass {
    /// G(n) = 4^k · 16·10⁻⁶ m³ (n / 0.1 m⁻¹)⁻².
    pub fn spectrum(self, band: [f64; 2], lines: usize, seed: u64) -> Spectrum {
        Spectrum {
            reference: 16e-6 * 4.0_f64.powi(self as i32),
            reference_frequency: 0.1,
            exponent: 2.0,
            band,
            lines,
            seed,
        }
    }
}

/// Random angles: SplitMix64 (Steele, Lea & Flood 2014), in whole numbers, so that every machine
/// draws the same.
struct Phases(u64);

impl Phases {
    /// Uniform in [0, 2π).
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // The upper 53 bits are a fraction that is held exactly.
        TAU * ((z >> 11) as f64 / (1_u64 << 53) as f64)
    }
}
