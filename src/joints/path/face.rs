//! A path that counts along a face at a level h beside its axis: with the angle α(ŝ) by which the axis has turned at its own arc
//! length ŝ, each element has
//!
//! ```text
//! s = ŝ − h [α(ŝ) − α(0)],    ds/dŝ = g = 1 − h α′
//! ```
//!
//! so that what slides on the face goes as far as it does there, and its friction is conjugate to that. ŝ(s) is found by Newton's
//! method; it has the derivatives 1/g, −g′/g³ and (3 g′²/g − g″)/g⁴.

#[cfg(test)]
mod tests;

use super::Path;
use crate::joints::blend::Weights;
use crate::joints::element::PathElement;
use crate::joints::roughness::Profile;

/// Steps of Newton's method; some three do.
const MAX_STEPS: usize = 30;

/// Step relative to the path's length at which they end.
const STEP_TOLERANCE: f64 = 2.0 * f64::EPSILON;

/// A place of the axis below one of the face.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnAxis {
    /// ŝ from the element's first node, m.
    pub(super) along: f64,
    /// Its first three derivatives by s.
    rates: [f64; 3],
}

impl Path {
    /// Lets it count along what stands at a `height` (m) all along.
    pub(super) fn count_along_face(&mut self, height: f64) {
        self.length = 0.0;
        for element in &mut self.elements {
            let turned = element.turned.last().zip(element.turned.first());
            element.start = self.length;
            element.length -= height * turned.map_or(0.0, |(last, first)| last - first);
            self.length += element.length;
        }
    }

    /// Where on the axis of an element the place `along` (m from its beginning) stands.
    pub(super) fn on_axis(&self, element: usize, along: f64) -> OnAxis {
        let height = match self.roughness {
            Some(Profile::Level(height)) if self.curved => height,
            _ => {
                let rates = [1.0, 0.0, 0.0];
                return OnAxis { along, rates };
            }
        };
        let (e, blend) = (&self.elements[element], &self.blends[element]);
        let length = e.length_of_axis();
        let look = |place: f64| {
            let weights: [Weights; 4] = blend.weights(&e.weights(place), place, length);
            let turned =
                |w: &Weights| -> f64 { w.iter().zip(blend.turned()).map(|(w, a)| w * a).sum() };
            let beside = weights.each_ref().map(|w| height * turned(w));
            let off = place - (beside[0] - height * e.turned[0]) - along;
            (off, [1.0 - beside[1], -beside[2], -beside[3]])
        };
        let mut place = along * length / e.length;
        let (mut off, mut g) = look(place);
        for _ in 0..MAX_STEPS {
            let step = off / g[0];
            place -= step;
            (off, g) = look(place);
            if step.abs() <= STEP_TOLERANCE * self.length {
                break;
            }
        }
        let [g, by, twice] = g;
        let rate = g.recip();
        let square = rate * rate;
        let third = (3.0 * by * by * rate - twice) * square * square;
        OnAxis { along: place, rates: [rate, -by * square * rate, third] }
    }

    /// Arc length of the axis below the place s, m, and its derivative by s.
    pub fn along_axis(&self, s: f64) -> [f64; 2] {
        let inside = match self.lap {
            Some(_) => s,
            None => s.clamp(0.0, self.length),
        };
        let element = self.element_at(inside);
        let laps = self.laps(element, inside);
        let along = inside - self.elements[element].start - self.length * laps;
        let place = self.on_axis(element, along);
        let lengths = || self.elements.iter().map(PathElement::length_of_axis);
        let start: f64 = lengths().take(element).sum();
        let lap: f64 = lengths().sum();
        let whole = start + place.along + laps * lap;
        [whole + (s - inside), place.rates[0]]
    }
}

impl OnAxis {
    /// Makes derivatives of weights by ŝ those by s.
    pub(super) fn by_face(&self, [_, slope, curve]: &mut [Weights; 3]) {
        let [rate, bend, _] = self.rates;
        // What counts along its axis is as it is.
        if [rate, bend] == [1.0, 0.0] {
            return;
        }
        for (slope, curve) in slope.iter_mut().zip(curve) {
            *curve = rate * rate * *curve + bend * *slope;
            *slope *= rate;
        }
    }

    /// Their third derivative by s.
    pub(super) fn third_by_face(&self, [_, slope, curve, third]: [Weights; 4]) -> Weights {
        let [rate, bend, jerk] = self.rates;
        std::array::from_fn(|l| {
            rate * (rate * rate * third[l] + 3.0 * bend * curve[l]) + jerk * slope[l]
        })
    }
}
