//! A rigid wheel on a rough surface: the envelope that its centre follows.
//!
//! ```text
//! z(s) = max over |ξ| ≤ R of  h(s + ξ) + √(R² − ξ²) − R
//! ```
//!
//! z is sampled once, [`PER_WAVE`] times per shortest wavelength, over the path and a margin on
//! both sides, and a natural C² cubic runs through the samples. Where the wheel changes from one
//! point of contact to another z has a corner, which that cubic rounds over one sample.

use super::Profile;
use crate::spline::Spline;

/// Samples per shortest wavelength.
const PER_WAVE: f64 = 32.0;

/// Samples beyond each end of the path.
const MARGIN: usize = 64;

/// The most samples of an envelope: what a wheel on a long path may cost.
pub const MOST_SAMPLES: f64 = 5e5;

/// How many samples a path of the given length needs.
pub fn samples(profile: &Profile, length: f64) -> f64 {
    (length * PER_WAVE / profile.shortest()).ceil() + 2.0 * MARGIN as f64
}

/// z(s) for a path of the given length; `None` where that takes more than [`MOST_SAMPLES`].
pub(super) fn envelope(profile: &Profile, radius: f64, length: f64) -> Option<Spline> {
    let count = samples(profile, length);
    if !(count <= MOST_SAMPLES && radius > 0.0) {
        return None;
    }
    let spans = count as usize - 2 * MARGIN;
    let step = length / spans as f64;
    let first = -(MARGIN as f64) * step;
    let stations: Vec<f64> = (0..=spans + 2 * MARGIN)
        .map(|i| first + i as f64 * step)
        .collect();
    let heights: Vec<f64> = stations.iter().map(|&s| profile.at(s)[0]).collect();
    let (low, high) = (heights.iter()).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| {
        (l.min(v), h.max(v))
    });
    // Farther out the wheel's rim stands higher than the surface rises.
    let rise = (high - low).min(radius);
    let reach = (rise * (2.0 * radius - rise)).sqrt();
    let reach = ((reach / step) as usize).min(stations.len());
    let rim = |xi: f64| (radius * radius - xi * xi).sqrt() - radius;
    let values = (0..stations.len())
        .map(|i| {
            let (from, to) = (i.saturating_sub(reach), (i + reach).min(heights.len() - 1));
            let touch = |j: usize| {
                let xi = stations[j] - stations[i];
                (xi, heights[j] + rim(xi))
            };
            let best = (from..=to)
                .map(touch)
                .filter(|(_, height)| height.is_finite())
                .fold((0.0, heights[i]), |a, b| if b.1 > a.1 { b } else { a });
            settle(profile, radius, stations[i], best)
        })
        .collect();
    Spline::natural(stations, values)
}

/// Height of the wheel at `s` after Newton's method has found the point of contact near `xi`.
fn settle(profile: &Profile, radius: f64, s: f64, (mut xi, mut height): (f64, f64)) -> f64 {
    for _ in 0..4 {
        let [_, slope, curvature] = profile.at(s + xi);
        let depth = (radius * radius - xi * xi).sqrt();
        let (first, second) = (
            slope - xi / depth,
            curvature - radius * radius / (depth * depth * depth),
        );
        let next = xi - first / second;
        if second >= 0.0 || next.is_nan() || next.abs() >= radius {
            break;
        }
        let there = profile.at(s + next)[0] + (radius * radius - next * next).sqrt() - radius;
        if there <= height {
            break;
        }
        (xi, height) = (next, there);
    }
    height
}

#[cfg(test)]
mod tests {
    use super::super::Wave;
    use super::*;

    #[test]
    fn the_envelope_is_the_highest_rim_that_brute_force_finds() {
        let profile = Profile::Waves(vec![
            Wave::of_length(0.01, 1.0, 0.0),
            Wave::of_length(0.004, 0.13, 0.7),
        ]);
        let (radius, length) = (0.3, 3.0);
        let envelope = envelope(&profile, radius, length).expect("few samples");
        for i in 0..=300 {
            let s = 0.01 * f64::from(i);
            let brute = (-3000..=3000)
                .map(|k| radius * f64::from(k) / 3000.0)
                .map(|xi| profile.at(s + xi)[0] + (radius * radius - xi * xi).sqrt() - radius)
                .fold(f64::NEG_INFINITY, f64::max);
            // At corners a cubic cuts over one sample of 4 mm.
            assert!((envelope.at(s)[0] - brute).abs() < 1e-4, "{s}");
        }
    }

    #[test]
    fn a_small_wheel_follows_and_a_large_one_rolls_from_crest_to_crest() {
        let wave = Profile::Waves(vec![Wave::of_length(0.01, 0.5, 0.0)]);
        let small = envelope(&wave, 1e-3, 2.0).expect("few samples");
        let large = envelope(&wave, 50.0, 2.0).expect("few samples");
        for i in 0..40 {
            let s = 0.05 * f64::from(i);
            // Up to h′² R/2.
            assert!((small.at(s)[0] - wave.at(s)[0]).abs() < 1e-5);
            // A rim between crests 0.5 m apart sinks by 0.25²/(2 R).
            assert!(large.at(s)[0] > 0.01 - 6.4e-4, "{}", large.at(s)[0]);
        }
        assert!((large.at(0.25)[0] - (0.01 - 6.25e-4)).abs() < 2e-5);
    }
}
