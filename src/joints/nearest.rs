//! The place of a path that is nearest to a slider that has left it.
//!
//! It is where the perpendicular meets the path, (Ŷ − Y)·Y′ = 0, a corner between two elements, or an end. From the
//! place before it is followed downhill, along f(s) = ½ |Ŷ − Y(s)|², with f′ = −c·Y′ and
//! f″ = |Y′|² − c·Y″. A slider in the air may come nearer to another part of the path than the one it
//! has left, so whatever can be nearer is looked at, too.

use super::path::Path;
use super::slider::Kinematics;
use crate::numerics::hypot::hypot;
use crate::numerics::plane::dot;
use crate::numerics::positions::Positions;

/// The nearest place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    pub s: f64,
    /// Whether it has followed the slider smoothly from the place before: not where it is at a corner or an end
    /// or has jumped to another part of the path.
    pub smooth: bool,
}

/// Steps downhill; some five do.
const MAX_STEPS: usize = 60;

/// Looks at an element of a smooth path, and at one wavelength of a rough one.
const LOOKS: usize = 8;

/// Looks at one element at the most.
const MAX_LOOKS: usize = 256;

/// Share by which distances differ by rounding.
const SAME: f64 = 8.0 * f64::EPSILON;

/// Another part of the path must be nearer by this share, so that the nearest place does not flutter.
const NEARER: f64 = 1.0 - 1e-9;

/// The place of `path` nearest to the slider at the unknowns `slider` of `q`, from the place `from`
/// before, in whose lap it is on a closed one. A `prolonged` path goes on beyond its ends.
pub fn nearest(
    path: &Path, q: &Positions, slider: &[usize], from: f64, prolonged: bool,
) -> Nearest {
    let search = Search { path, q, slider, prolonged };
    let near = search.downhill(path.element_at(from), from);
    let Some((element, mut s)) = search.elsewhere(near.distance) else {
        return near.place;
    };
    if path.is_closed() {
        s += path.length() * ((near.place.s - s) / path.length()).round();
    }
    let other = search.downhill(element, s);
    if other.distance < NEARER * near.distance {
        Nearest {
            s: other.place.s,
            smooth: (other.place.s - near.place.s).abs() <= 1e-9 * path.length(),
        }
    } else {
        near.place
    }
}

struct Search<'a> {
    path: &'a Path,
    q: &'a Positions,
    slider: &'a [usize],
    prolonged: bool,
}

struct Minimum {
    place: Nearest,
    distance: f64,
}

impl Search<'_> {
    fn at(&self, element: usize, s: f64) -> Kinematics {
        let point = self.path.point_on(element, s);
        Kinematics::at(self.path, point, self.q, self.slider)
    }

    /// The s of an element in the lap of `s`; those at the ends of a prolonged path have no end there.
    fn range(&self, element: usize, s: f64) -> [f64; 2] {
        let start = self.path.start_near(element, s);
        let goes_on = |forward| self.prolonged && self.path.next(element, forward).is_none();
        [
            if goes_on(false) { f64::NEG_INFINITY } else { start },
            if goes_on(true) {
                f64::INFINITY
            } else {
                start + self.path.elements()[element].length
            },
        ]
    }

    /// The minimum of the distance that lies downhill from `s`.
    fn downhill(&self, mut element: usize, mut s: f64) -> Minimum {
        let rest = 1e-15 * self.path.length().max(s.abs());
        let [low, high] = self.range(element, s);
        s = s.max(low).min(high);
        let mut k = self.at(element, s);
        let mut smooth = true;
        for _ in 0..MAX_STEPS {
            let [low, high] = self.range(element, s);
            let [slope, curvature] = slopes(&k);
            let step = -slope / curvature;
            let target = (s + step).max(low).min(high);
            if (target - s).abs() <= rest {
                if target == s + step || step == 0.0 {
                    break;
                }
                // At the border: on into the next element, unless it leads back.
                let next = self.path.next(element, step > 0.0);
                let across = next.map(|next| (next, self.at(next, s)));
                let on = across.filter(|(_, k)| slopes(k)[0] * step < 0.0);
                let Some(on) = on else {
                    smooth = false;
                    break;
                };
                (element, k) = on;
                continue;
            }
            // Where the step is too long for a wavy surface it is halved.
            let (mut share, before) = (1.0, distance(&k));
            // Near the minimum distances of places 1e-8 apart are the same: there the slope says which is better.
            let worse = |there: &Kinematics| {
                let [now, then] = [&k, there].map(|k| slopes(k)[0].abs());
                let distance = distance(there);
                distance > before && (distance > before * (1.0 + SAME) || then >= now)
            };
            let (mut place, mut there) = (target, self.at(element, target));
            while worse(&there) && share > 1e-6 {
                share *= 0.5;
                place = s + share * (target - s);
                there = self.at(element, place);
            }
            if worse(&there) {
                // Nothing but rounding is left.
                break;
            }
            (s, k) = (place, there);
        }
        Minimum { place: Nearest { s, smooth }, distance: distance(&k) }
    }

    /// The nearest of the places looked at that are nearer than `least`.
    fn elsewhere(&self, mut least: f64) -> Option<(usize, f64)> {
        let mut best = None;
        let wavelength = self.path.roughness().map(|profile| profile.shortest());
        for (element, e) in self.path.elements().iter().enumerate() {
            let middle = e.start + 0.5 * e.length;
            let k = self.at(element, middle);
            if distance(&k) > least + 0.75 * e.length {
                continue;
            }
            let (mut low, mut high, mut looks) = (e.start, e.start + e.length, LOOKS);
            if let Some(wavelength) = wavelength.filter(|w| w.is_finite() && *w > 0.0) {
                let [slope, _] = slopes(&k);
                let square = dot(k.tangent, k.tangent);
                let below = middle - slope / square;
                let reach = 1.2 * least + wavelength;
                (low, high) = (low.max(below - reach), high.min(below + reach));
                let waves = (high - low) / wavelength;
                looks = ((waves * LOOKS as f64).ceil().max(1.0) as usize).min(MAX_LOOKS);
            }
            if low > high {
                continue;
            }
            for i in 0..=looks {
                let s = low + (high - low) * (i as f64 / looks as f64);
                let distance = distance(&self.at(element, s));
                if distance < least {
                    least = distance;
                    best = Some((element, s));
                }
            }
        }
        best
    }
}

/// f′ and f″, the latter kept positive so that every step leads downhill.
fn slopes(k: &Kinematics) -> [f64; 2] {
    let gap = [k.gap[0], k.gap[1]];
    let square = dot(k.tangent, k.tangent);
    let curvature = square - dot(gap, k.bend);
    [-dot(gap, k.tangent), curvature.max(0.1 * square).max(f64::MIN_POSITIVE)]
}

fn distance(k: &Kinematics) -> f64 {
    hypot(k.gap[0], k.gap[1])
}
