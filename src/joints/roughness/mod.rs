//! Roughness along a path: the height h(s) of its surface over the axis, with two derivatives.
//!
//! A profile belongs to a joint and is a function of the arc length s of the initial path alone:
//! it does not know of the elements that carry it. Where it acts is in [`super::slider`].

mod sampled;
mod spectrum;
mod wheel;

use std::f64::consts::TAU;

pub use spectrum::{IsoClass, Spectrum};
pub use wheel::{MAX_SAMPLES, samples};

use crate::numerics::spline::{Jet, Spline};

/// a cos(κ s − φ).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wave {
    /// a, m.
    pub amplitude: f64,
    /// κ, rad/m.
    pub wavenumber: f64,
    /// φ, rad.
    pub phase: f64,
}

impl Wave {
    /// From the wavelength in m.
    pub fn of_length(amplitude: f64, wavelength: f64, phase: f64) -> Wave {
        Wave { amplitude, wavenumber: TAU / wavelength, phase }
    }
}

/// h(s).
#[derive(Debug, Clone, PartialEq)]
pub enum Profile {
    /// A sum of waves, for every s.
    Waves(Vec<Wave>),
    /// A face at the same height everywhere, m.
    Level(f64),
    /// A C² cubic through given heights; beyond them a straight line.
    Table(Spline),
}

impl Profile {
    /// [h, dh/ds, d²h/ds²] in m, 1, 1/m.
    pub fn at(&self, s: f64) -> Jet {
        match self {
            Profile::Waves(waves) => {
                let mut jet = [0.0; 3];
                for wave in waves {
                    let k = wave.wavenumber;
                    let (sin, cos) = (k * s - wave.phase).sin_cos();
                    jet[0] += wave.amplitude * cos;
                    jet[1] -= wave.amplitude * k * sin;
                    jet[2] -= wave.amplitude * k * k * cos;
                }
                jet
            }
            Profile::Level(height) => [*height, 0.0, 0.0],
            Profile::Table(spline) => spline.at(s),
        }
    }

    /// The length over which the profile changes: its shortest wavelength, or four distances of
    /// its closest stations, m.
    pub fn shortest(&self) -> f64 {
        match self {
            Profile::Level(_) => f64::INFINITY,
            Profile::Waves(waves) => {
                TAU / (waves.iter()).fold(0.0_f64, |most, wave| most.max(wave.wavenumber.abs()))
            }
            Profile::Table(spline) => {
                let gaps = spline.knots().windows(2).map(|w| w[1] - w[0]);
                4.0 * gaps.fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// The roughness of a path as one joint feels it.
#[derive(Debug, Clone, PartialEq)]
pub struct Roughness {
    pub profile: Profile,
    /// Spectrum that the profile was made of.
    pub spectrum: Option<Spectrum>,
    /// Radius of a wheel that bridges what is narrower than it, m.
    pub wheel_radius: Option<f64>,
}

impl Roughness {
    /// What the slider follows on a path of the given length.
    pub fn over(&self, length: f64) -> Profile {
        let follow = |radius| wheel::envelope(&self.profile, radius, length);
        let envelope = self.wheel_radius.and_then(follow);
        envelope.map_or_else(|| self.profile.clone(), Profile::Table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_a_profile_are_those_of_its_heights() {
        let waves = Profile::Waves(vec![
            Wave::of_length(0.02, 1.7, 0.3),
            Wave::of_length(-0.005, 0.4, 1.0),
        ]);
        let rolled = Roughness { profile: waves.clone(), spectrum: None, wheel_radius: Some(0.3) };
        for profile in [waves, rolled.over(4.0)] {
            let e = 1e-5;
            for s in [-0.3, 0.11, 1.234, 3.9] {
                let [_, slope, curvature] = profile.at(s);
                let (low, high) = (profile.at(s - e), profile.at(s + e));
                assert!((slope - (high[0] - low[0]) / (2.0 * e)).abs() < 1e-7);
                assert!((curvature - (high[1] - low[1]) / (2.0 * e)).abs() < 1e-2);
            }
        }
    }
}
