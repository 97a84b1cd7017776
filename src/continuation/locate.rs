//! Limit and bifurcation points between two points of a path.

use super::corrector::{Corrector, NotConnected, Place};
use super::gauge::{Gauge, Tangent};
use super::trace::Station;
use crate::system::System;

/// Share of a step to which a special point is found. Nearer to a bifurcation rounding errors of
/// the forces, divided by a stiffness that vanishes, would lead off the path.
const SHARPNESS: f64 = 1e-9;

/// Special points in one step that are located separately.
const MAX_SPECIAL_POINTS: usize = 20;

/// In a part of a step a path moves by less than the square root of that part, as it does at a bifurcation, times the farthest move
/// of a step, times this.
const CONNECTED: f64 = 2.0;

/// Share of the scaled forces that pushes a motion where it is more than rounding.
const PUSHED: f64 = 1e-4;

/// First part of the way to the other branch, as a share of the largest step, and the factor by
/// which it shrinks where Newton's method does not follow.
const ASIDE: f64 = 0.1;
const SHRINK: f64 = 0.25;
const MAX_TRIES: usize = 12;

/// A special point.
pub(super) struct Special {
    pub station: Station,
    /// Just before and just behind it.
    pub before: Place,
    pub behind: Place,
}

impl Corrector<'_> {
    /// The special points between two places, in order, where the gauge is `values` at them; `far` is the farthest move of a step
    /// (as [`System::largest_move`] measures).
    ///
    /// # Errors
    /// When the places do not lie on one path: Newton's method has come to another one, as beyond the bend of an imperfect column.
    pub fn specials(
        &mut self, gauge: &Gauge<'_>, low: &Place, high: &Place, values: [f64; 2], far: f64,
    ) -> Result<Vec<Special>, NotConnected> {
        let mut found = Vec::new();
        let (mut from, mut start) = (low.clone(), values[0]);
        while from.state.unstable_modes != high.state.unstable_modes
            && found.len() < MAX_SPECIAL_POINTS
        {
            let (mut below, mut above) = (from.clone(), high.clone());
            let (mut a, mut b) = (start, values[1]);
            while (b - a).abs() > SHARPNESS * (values[1] - values[0]).abs() {
                let Some((share, middle)) = self.between(gauge, &below, &above, [a, b]) else {
                    break;
                };
                let value = a + share * (b - a);
                if middle.state.unstable_modes == from.state.unstable_modes {
                    (below, a) = (middle, value);
                } else {
                    (above, b) = (middle, value);
                }
            }
            let part = (b - a) / (values[1] - values[0]);
            let apart = self.system.largest_move(&above.state.q, &below.state.q);
            if apart > CONNECTED * part.abs().sqrt() * far {
                return Err(NotConnected);
            }
            let [n, m] = [&below, &above].map(|place| place.state.unstable_modes);
            (from, start) = (above.clone(), b);
            found.push(Special {
                station: Station::Bifurcation { motions: n.abs_diff(m) },
                before: below,
                behind: above,
            });
        }
        let turns = low.rises() != high.rises();
        match found.as_mut_slice() {
            [] => {}
            [only] => only.station = if turns { Station::Limit } else { only.station },
            several => {
                for special in several {
                    self.put(&special.behind.state, special.behind.factor);
                    if self.place(None, &special.behind.state).is_ok() && self.is_pushed() {
                        special.station = Station::Limit;
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether the scaled forces do work in the motion of least stiffness about the place whose
    /// matrix is factored, as they do at a limit point and not at a bifurcation.
    fn is_pushed(&mut self) -> bool {
        let softest = self.softest();
        let (work, size) = self.work_by_factor(&softest);
        work.abs() > PUSHED * size
    }

    /// A place somewhere in the middle of two.
    fn between(
        &mut self, gauge: &Gauge<'_>, low: &Place, high: &Place, [a, b]: [f64; 2],
    ) -> Option<(f64, Place)> {
        // Exactly at a special point there is no tangent.
        [0.5, 0.4, 0.6].into_iter().find_map(|share| {
            self.put_between(low, high, share);
            self.correct(gauge, a + share * (b - a)).ok()?;
            let place = self.place(Some(&low.tangent), &low.state).ok()?;
            Some((share, place))
        })
    }

    /// The first place on the branch that crosses the path at a bifurcation, on its side `side`
    /// (1 or −1; `path` is the tangent of the path somewhat away from it), about `far` away (as [`System::largest_move`] measures).
    pub fn other_branch(
        &mut self, at: &Special, path: &Tangent, side: f64, far: f64,
    ) -> Option<(f64, Place)> {
        let start = &at.behind;
        self.put(&start.state, start.factor);
        let start = self.place(Some(&start.tangent), &start.state).ok()?;
        let mut aside = self.softest();
        let along = self.metric.product(&aside, path);
        for (a, t) in aside.q.iter_mut().zip(&path.q) {
            *a -= along * t;
        }
        aside.factor = -along * path.factor;
        let length = self.metric.product(&aside, &aside).sqrt();
        aside.scale(side / length);
        let mut length = ASIDE * far / self.system.size_of(&aside);
        for _ in 0..MAX_TRIES {
            let metric = self.metric.clone();
            let gauge = Gauge::Along {
                direction: &aside,
                origin: &start.state.q,
                factor: start.factor,
                metric: &metric,
            };
            self.put(&start.state, start.factor);
            self.move_along(&aside, length);
            if self.correct(&gauge, length).is_ok()
                && let Ok(place) = self.place(Some(&aside), &start.state)
                && self.system.largest_move(&place.state.q, &start.state.q) <= far
            {
                return Some((length, place));
            }
            length *= SHRINK;
        }
        None
    }
}

impl System {
    /// Largest change of a place or rotation in a tangent of the path.
    pub(super) fn size_of(&self, tangent: &Tangent) -> f64 {
        let kinds = self.is_rotation.iter().chain(std::iter::repeat(&false));
        (tangent.q.iter().zip(kinds)).fold(0.0, |far: f64, (q, &rotates)| {
            far.max(q.abs() / if rotates { 1.0 } else { self.size })
        })
    }
}
