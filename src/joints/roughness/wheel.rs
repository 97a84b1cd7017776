//! A rigid wheel on a rough surface: the envelope that its centre follows.
//!
//! ```text
//! z(s) = max over |ξ| ≤ R of  h(s + ξ) + √(R² − ξ²) − R
//! ```
//!
//! z is sampled once, [`PER_WAVE`] times per shortest wavelength, over the path and a margin on
//! both sides, and a natural C² cubic runs through the samples. In a valley of the curvature κ that
//! of z is κ/(1 − R κ), and the point of contact u moves on faster than the centre: there are samples
//! between, of the parallel curve
//!
//! ```text
//! s = u − R sin θ,    z = h(u) + R (cos θ − 1),    tan θ = h′(u)
//! ```
//!
//! Where the wheel changes from one point of contact to another z has a corner, which the cubic rounds
//! over one sample.

use super::Profile;
use super::sampled::Sampled;
use crate::numerics::spline::Spline;

/// Samples per shortest wavelength.
const PER_WAVE: f64 = 32.0;

/// Samples beyond each end of the path.
const MARGIN: usize = 64;

/// Most parts into which the way of the point of contact between two samples is divided: beyond them R κ is within 1/100 of 1.
const MOST_BETWEEN: f64 = 400.0;

/// Least distance of two samples as a share of the usual one: rounding of heights makes no curvature.
const LEAST_BETWEEN: f64 = 1e-4;

/// The most samples of an envelope: what a wheel on a long path may cost.
pub const MAX_SAMPLES: f64 = 5e5;

/// How many samples a path of the given length needs.
pub fn samples(profile: &Profile, length: f64) -> f64 {
    (length * PER_WAVE / profile.shortest()).ceil().max(1.0) + 2.0 * MARGIN as f64
}

/// z(s) for a path of the given length; `None` where that takes more than [`MAX_SAMPLES`].
pub(super) fn envelope(profile: &Profile, radius: f64, length: f64) -> Option<Spline> {
    let count = samples(profile, length);
    if count.is_nan() || count > MAX_SAMPLES {
        return None;
    }
    let spans = count as usize - 2 * MARGIN;
    let step = length / spans as f64;
    let first = -(MARGIN as f64) * step;
    let stations: Vec<f64> = (0..=spans + 2 * MARGIN).map(|i| first + i as f64 * step).collect();
    let surface = Sampled::new(profile, first, step, stations.len());
    let heights: Vec<f64> = stations.iter().map(|&s| surface.height(s)).collect();
    let (low, high) = (heights.iter())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    // Farther out the wheel's rim stands higher than the surface rises.
    let rise = (high - low).min(radius);
    let reach = (rise * (2.0 * radius - rise)).sqrt().min(length) / step;
    let touching = contacts(&heights, reach as usize, |steps| rim(radius, steps * step));
    let (mut knots, mut values) = (Vec::new(), Vec::new());
    let mut before: Option<Touch> = None;
    for (i, (&s, j)) in stations.iter().zip(touching).enumerate() {
        let xi = stations[j] - s;
        let height = (heights[j] + rim(radius, xi)).max(heights[i]);
        let touch = settle(&surface, radius, s, if j == i { 0.0 } else { xi }, height);
        if let Some(before) = before {
            for (s, height) in between(&surface, radius, step, [before, touch]) {
                knots.push(s);
                values.push(height);
            }
        }
        knots.push(s);
        values.push(touch.height);
        before = Some(touch);
    }
    Spline::natural(knots, values)
}

/// The wheel at one place.
#[derive(Debug, Clone, Copy)]
struct Touch {
    /// s of its centre and of the point that it touches, and its height.
    centre: f64,
    point: f64,
    height: f64,
}

/// Places and heights of the wheel between two samples a `step` apart, where its point of contact goes farther than that from one to the
/// other, a quarter of a step of it apart. None where it jumps: the parallel curve then turns back in between.
fn between(
    surface: &Sampled<'_>, radius: f64, step: f64, [from, to]: [Touch; 2],
) -> Vec<(f64, f64)> {
    let way = to.point - from.point;
    let parts = (4.0 * way / step).floor() - 3.0;
    if !(2.0..=MOST_BETWEEN).contains(&parts) {
        return Vec::new();
    }
    let on_curve = |k: usize| {
        let u = from.point + way * k as f64 / parts;
        let [height, slope, _] = surface.at(u);
        let secant = (1.0 + slope * slope).sqrt();
        (u - radius * slope / secant, height - radius * (slope * slope / (secant * (1.0 + secant))))
    };
    let found: Vec<(f64, f64)> = (1..parts as usize).map(on_curve).collect();
    let places = || found.iter().map(|(s, _)| *s);
    let ends = [from.centre, to.centre];
    let all: Vec<f64> = [ends[0]].into_iter().chain(places()).chain([ends[1]]).collect();
    let rises = all.windows(2).all(|pair| pair[1] - pair[0] > LEAST_BETWEEN * step);
    if rises { found } else { Vec::new() }
}

/// √(R² − ξ²) − R without its cancellation; −∞ beside the wheel.
fn rim(radius: f64, xi: f64) -> f64 {
    if xi.abs() > radius {
        return f64::NEG_INFINITY;
    }
    -xi * xi / (radius + ((radius - xi) * (radius + xi)).sqrt())
}

/// For each i the j at most `reach` away with the largest h_j + rim(j − i). The rim is concave, so
/// that j never falls as i grows: the places of a middle i bound those on both of its sides.
fn contacts(heights: &[f64], reach: usize, rim: impl Fn(f64) -> f64) -> Vec<usize> {
    let last = heights.len() - 1;
    let rims: Vec<f64> = (0..=reach.min(last)).map(|apart| rim(apart as f64)).collect();
    let mut best: Vec<usize> = (0..=last).collect();
    let mut open = vec![(0, heights.len(), 0, last)];
    while let Some((begin, end, low, high)) = open.pop() {
        if begin >= end {
            continue;
        }
        let middle = begin + (end - begin) / 2;
        let from = low.max(middle.saturating_sub(reach));
        let to = high.min(middle + reach);
        let height = |j: usize| heights[j] + rims[j.abs_diff(middle)];
        let highest = (from..=to).max_by(|&a, &b| height(a).total_cmp(&height(b)));
        let j = highest.unwrap_or(middle);
        best[middle] = j;
        open.push((begin, middle, low, j));
        open.push((middle + 1, end, j, high));
    }
    best
}

/// The wheel at `s` after Newton's method has found the point of contact near `xi`.
fn settle(surface: &Sampled<'_>, radius: f64, s: f64, mut xi: f64, mut height: f64) -> Touch {
    for _ in 0..4 {
        let [_, slope, curvature] = surface.at(s + xi);
        let depth = radius + rim(radius, xi);
        let (first, second) =
            (slope - xi / depth, curvature - radius * radius / (depth * depth * depth));
        let next = xi - first / second;
        if second >= 0.0 || next.is_nan() || next.abs() >= radius {
            break;
        }
        let there = surface.height(s + next) + rim(radius, next);
        if there <= height {
            break;
        }
        (xi, height) = (next, there);
    }
    Touch { centre: s, point: s + xi, height }
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
    fn in_a_valley_the_curvature_is_that_of_the_parallel_curve() {
        let (radius, wavelength) = (0.3, 0.6);
        let k = std::f64::consts::TAU / wavelength;
        for (share, within) in [(0.5, 5e-3), (0.8, 5e-3), (0.9, 5e-3), (0.97, 2e-2)] {
            // A valley is at 1.5 wavelengths, and the largest slope is farther off than any contact here.
            let curvature = share / radius;
            let profile =
                Profile::Waves(vec![Wave::of_length(curvature / (k * k), wavelength, 0.0)]);
            let envelope = envelope(&profile, radius, 4.0 * wavelength).expect("few samples");
            let exact = curvature / (1.0 - share);
            let [_, slope, found] = envelope.at(1.5 * wavelength);
            assert!(slope.abs() < 1e-9, "{share}: {slope}");
            assert!((found / exact - 1.0).abs() < within, "{share}: {found} instead of {exact}");
        }
    }

    #[test]
    fn a_wheel_of_any_size_on_a_long_road_takes_no_longer_than_reading_it() {
        let waves = super::super::IsoClass::B.spectrum([0.1, 20.0], 20, 1).waves();
        let profile = Profile::Waves(waves);
        let length = 150.0;
        for radius in [1e-3, 0.3, 1e6, 1e50] {
            let clock = std::time::Instant::now();
            let envelope = envelope(&profile, radius, length).expect("few samples");
            assert!(clock.elapsed().as_secs_f64() < 10.0);
            for i in 0..100 {
                let s = 1.5 * f64::from(i);
                let height = envelope.at(s)[0];
                assert!(height.is_finite() && height > profile.at(s)[0] - 1e-6);
            }
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
