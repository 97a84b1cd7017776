//! A profile at many places at the same distance, and near them, for little more than one sum of
//! waves each.
//!
//! ```text
//! h(s_m + t Δ) = Σₙ c_mn tⁿ,   c_mn = Σᵢ aᵢ (κᵢ Δ)ⁿ/n! cos⁽ⁿ⁾(κᵢ s_m − φᵢ),   |t| ≤ ½
//! ```
//!
//! The sine and cosine of a wave are turned by κᵢ Δ from one place to the next, and computed anew
//! after [`RESTART`] places. With 32 places per shortest wavelength κ Δ ≤ π/16, and the first
//! [`TERMS`] terms leave out less than 3·10⁻¹⁷ of a wave's amplitude; the turns add up to less than
//! 10⁻¹⁴ of it.

use super::{Profile, Wave};
use crate::numerics::spline::Jet;

/// Terms of the series about each place.
const TERMS: usize = 10;

/// Places between two sines and cosines that are computed anew.
const RESTART: usize = 32;

/// The places first + m·step of a profile.
pub(super) struct Sampled<'a> {
    profile: &'a Profile,
    first: f64,
    step: f64,
    /// c_mn of a sum of waves, by place.
    series: Vec<[f64; TERMS]>,
}

impl<'a> Sampled<'a> {
    /// `count` places; 2π/κ of the shortest wave is at least 32 steps.
    pub fn new(profile: &'a Profile, first: f64, step: f64, count: usize) -> Sampled<'a> {
        let series = match profile {
            Profile::Waves(waves) => series(waves, first, step, count),
            Profile::Level(_) | Profile::Table(_) => Vec::new(),
        };
        Sampled { profile, first, step, series }
    }

    /// h(s).
    pub fn height(&self, s: f64) -> f64 {
        self.near(s).map_or_else(|| self.profile.at(s)[0], |(c, t)| series_at(c, t)[0])
    }

    /// [h, dh/ds, d²h/ds²].
    pub fn at(&self, s: f64) -> Jet {
        let Some((c, t)) = self.near(s) else {
            return self.profile.at(s);
        };
        let [value, slope, curvature] = series_at(c, t);
        [value, slope / self.step, curvature / (self.step * self.step)]
    }

    /// The series about the place nearest to `s`, and t.
    fn near(&self, s: f64) -> Option<(&[f64; TERMS], f64)> {
        let places = (s - self.first) / self.step;
        let nearest = places.round();
        // What is negative becomes 0 and may be far from it.
        let series = self.series.get(nearest as usize)?;
        (nearest >= 0.0).then_some((series, places - nearest))
    }
}

fn series(waves: &[Wave], first: f64, step: f64, count: usize) -> Vec<[f64; TERMS]> {
    let factors: Vec<[f64; TERMS]> = waves
        .iter()
        .map(|wave| {
            let mut factor = wave.amplitude;
            std::array::from_fn(|n| {
                if n > 0 {
                    factor *= wave.wavenumber * step / n as f64;
                }
                // cos, −sin, −cos, sin.
                if n % 4 == 1 || n % 4 == 2 { -factor } else { factor }
            })
        })
        .collect();
    let turns = waves.iter().map(|wave| (wave.wavenumber * step).sin_cos());
    let turns: Vec<(f64, f64)> = turns.collect();
    let mut series = vec![[0.0; TERMS]; count];
    for (block, places) in series.chunks_mut(RESTART).enumerate() {
        let s = first + (block * RESTART) as f64 * step;
        for ((wave, factors), &(turn_sin, turn_cos)) in waves.iter().zip(&factors).zip(&turns) {
            let (mut sin, mut cos) = (wave.wavenumber * s - wave.phase).sin_cos();
            for place in &mut *places {
                for (c, f) in place.chunks_exact_mut(2).zip(factors.chunks_exact(2)) {
                    c[0] += f[0] * cos;
                    c[1] += f[1] * sin;
                }
                (sin, cos) = (sin * turn_cos + cos * turn_sin, cos * turn_cos - sin * turn_sin);
            }
        }
    }
    series
}

/// Value and two derivatives by t.
fn series_at(c: &[f64; TERMS], t: f64) -> Jet {
    let mut jet = [0.0; 3];
    for (n, c) in c.iter().enumerate().rev() {
        let n = n as f64;
        jet[0] = jet[0] * t + c;
        if n >= 1.0 {
            jet[1] = jet[1] * t + n * c;
        }
        if n >= 2.0 {
            jet[2] = jet[2] * t + n * (n - 1.0) * c;
        }
    }
    jet
}

#[cfg(test)]
mod tests {
    use super::super::IsoClass;
    use super::*;

    #[test]
    fn places_near_the_samples_have_the_height_of_the_sum_of_waves() {
        let waves = IsoClass::B.spectrum([0.1, 10.0], 40, 3).waves();
        let sizes = [0, 1, 2].map(|n| {
            let sizes = waves.iter().map(|w| w.amplitude * w.wavenumber.powi(n));
            sizes.sum::<f64>()
        });
        let profile = Profile::Waves(waves);
        let step = profile.shortest() / 32.0;
        let sampled = Sampled::new(&profile, -1.0, step, 60_000);
        for i in 0..20_000 {
            let s = -1.0 + 9.123e-3 * f64::from(i);
            let (near, sum) = (sampled.at(s), profile.at(s));
            // The phase κ s of the sum is itself rounded, to 2⁻⁵³ of it.
            let phase = 2.0 * std::f64::consts::PI * 10.0 * s.abs() * 1.2e-16;
            // The curvature has two terms less: (π/32)⁸/8!.
            for (n, cut) in [1e-14, 1e-14, 3e-13].into_iter().enumerate() {
                let error = (near[n] - sum[n]).abs();
                assert!(error < (cut + phase) * sizes[n], "{n} at {s}: {error:e}");
            }
        }
    }
}
