//! Rayleigh damping: a part of it in proportion to the mass, the other to the stiffness.

use crate::message::{figure, rounded};
use std::f64::consts::TAU;

/// D = c_m M + c_k K.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rayleigh {
    /// c_m, 1/s.
    pub mass: f64,
    /// c_k, s.
    pub stiffness: f64,
}

/// Ratios further apart than their frequencies: other vibrations would be driven.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "no Rayleigh damping has the ratios {} at {} Hz and {} at {} Hz without driving other vibrations; with {} \
     at the first frequency, allowed at the second: from {} to {}",
    figure(ratios[0]), rounded(frequencies[0], 6), figure(ratios[1]), rounded(frequencies[1], 6), figure(ratios[0]),
    rounded(ratios[0] * span(*frequencies), 4), rounded(ratios[0] / span(*frequencies), 4)
)]
pub struct TooFarApart {
    pub ratios: [f64; 2],
    /// Hz.
    pub frequencies: [f64; 2],
}

/// The smaller by the larger.
fn span([a, b]: [f64; 2]) -> f64 {
    (a / b).min(b / a)
}

impl Rayleigh {
    /// The coefficients that give the damping ratios ξ_i, ξ_j at the angular frequencies ω_i ≠ ω_j
    /// (rad/s, above 0), from ξ = (c_m/ω + c_k ω)/2 twice:
    ///
    /// ```text
    /// [c_m]     2 ω_i ω_j   [   ω_j    −ω_i ] [ξ_i]
    /// [c_k] =  ───────────  [ −1/ω_j  1/ω_i ] [ξ_j]
    ///          ω_j² − ω_i²
    /// ```
    ///
    /// (Siqueira & Coda 2022, Eq. 55, with the signs that the print has lost).
    ///
    /// # Errors
    /// [`TooFarApart`] where one of them would be negative.
    pub fn through(ratios: [f64; 2], omegas: [f64; 2]) -> Result<Rayleigh, TooFarApart> {
        let ([xi, xj], [wi, wj]) = (ratios, omegas);
        let common = 2.0 * wi * wj / ((wj - wi) * (wj + wi));
        // Ratios as far apart as the frequencies leave one of them 0, and rounding its sign.
        let least = |value: f64, parts: f64| {
            if value.abs() < 1e-12 * parts { 0.0 } else { value }
        };
        let law = Rayleigh {
            mass: common * least(wj * xi - wi * xj, wj * xi),
            stiffness: common * least(xj / wi - xi / wj, xj / wi),
        };
        if law.mass >= 0.0 && law.stiffness >= 0.0 {
            Ok(law)
        } else {
            Err(TooFarApart { ratios, frequencies: omegas.map(|omega| omega / TAU) })
        }
    }

    /// ξ = (c_m/ω + c_k ω)/2.
    pub fn ratio(&self, omega: f64) -> f64 {
        0.5 * (self.mass / omega + self.stiffness * omega)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratios_asked_for_come_out_at_their_frequencies() {
        for (ratios, omegas) in [
            ([0.05, 0.05], [8.56, 133.98]),
            ([0.02, 0.03], [6.44, 32.6]),
            ([0.03, 0.02], [32.6, 6.44]),
            // Stiffness alone, mass alone.
            ([0.01, 0.07], [0.3, 2.1]),
            ([0.07, 0.01], [0.3, 2.1]),
        ] {
            let law = Rayleigh::through(ratios, omegas).expect("it damps");
            for (ratio, omega) in ratios.into_iter().zip(omegas) {
                assert!((law.ratio(omega) - ratio).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn ratios_further_apart_than_the_frequencies_are_refused() {
        for ratios in [[0.01, 0.021], [0.021, 0.01]] {
            let refused = Rayleigh::through(ratios, [1.0, 2.0]).expect_err("it drives");
            assert!(refused.to_string().contains("allowed at the second: from "), "{refused}");
        }
    }
}
