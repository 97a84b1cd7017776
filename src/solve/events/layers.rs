//! Contact layers as a whole: when one closes, opens, slides or is held again.
//!
//! The force of a layer is continuous, so no step is cut for it. The instant at which one closes or opens is found afterwards: the zero of
//! the parabola through its gap at the ends of the last two parts of steps. It slides once friction locks none of its points, and is held
//! again once friction locks all that touch; what is between keeps it as it was, so that single points at the ends of a surface are no events.

use serde::{Deserialize, Serialize};

use super::crossing::zero_between;
use crate::system::{LayerTouch, State, System};

/// What a contact layer did when it was last looked at. In bytes it has always the same size.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Layer {
    /// Whether it has been looked at.
    known: bool,
    closed: bool,
    slides: bool,
    /// The last two times at which it was looked at, on the model's clock, s, and its gaps then, m.
    times: [f64; 2],
    gaps: [f64; 2],
}

/// What a layer does from an instant on (s, on the model's clock) that it did not do before.
#[derive(Debug, Default)]
pub(super) struct Change {
    /// Whether it is closed.
    pub closed: Option<(bool, f64)>,
    /// Whether it slides.
    pub slides: Option<(bool, f64)>,
}

impl Layer {
    /// Looks at contact number `contact` in `state` for the first time, if it is.
    pub(super) fn begin(&mut self, system: &System, state: &State, contact: usize) {
        if !self.known {
            let _ = self.look(system, state, contact);
        }
    }

    /// Looks at contact number `contact` in `state`: what it does that it did not do before, and since when (s).
    pub(super) fn look(&mut self, system: &System, state: &State, contact: usize) -> Change {
        let before = *self;
        let touch = system.surfaces.touch_of(contact, state);
        // What positions are solved for to is no gap and no contact.
        let least = system.model.solver.position_tolerance * system.size;
        let closed = match touch.touches {
            true if touch.pressed > least => true,
            false if touch.gap.abs() > least => false,
            _ => before.closed,
        };
        let slides = match touch {
            _ if !closed => false,
            LayerTouch { all_held: true, .. } => false,
            LayerTouch { none_held: true, .. } => true,
            LayerTouch { .. } => before.slides,
        };
        let seen_twice = before.known && state.time > before.times[1];
        *self = Layer {
            known: true,
            closed,
            slides,
            times: if seen_twice { [before.times[1], state.time] } else { [state.time; 2] },
            gaps: if seen_twice { [before.gaps[1], touch.gap] } else { [touch.gap; 2] },
        };
        if !before.known {
            return Change::default();
        }
        // What closes is no sooner held than it has touched.
        let stays = before.closed && closed && touch.has_friction;
        Change {
            closed: (closed != before.closed).then(|| (closed, self.zero(&before))),
            slides: (stays && slides != before.slides).then_some((slides, state.time)),
        }
    }

    /// Instant at which the gap was 0 since it was looked at `before`; that of now where it was not.
    fn zero(&self, before: &Layer) -> f64 {
        let ([t0, t1], [g0, g1], earlier) = (self.times, self.gaps, before.times[0]);
        let bend = match earlier < t0 && t0 < t1 {
            true => {
                let h = t1 - t0;
                let chord = (g1 - g0) / h;
                (chord - (g0 - before.gaps[0]) / (t0 - earlier)) / (t1 - earlier) * h * h
            }
            false => 0.0,
        };
        zero_between(self.times, self.gaps, bend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fall is a parabola, of which three values say all.
    #[test]
    fn the_end_of_a_fall_is_found_to_rounding() {
        let (height, g) = (1.0, 9.81);
        let gap = |t: f64| height - 0.5 * g * t * t;
        let at = |times: [f64; 2]| Layer { times, gaps: times.map(gap), ..Layer::default() };
        let end = f64::sqrt(2.0 * height / g);
        let [first, then, last] = [end - 0.017, end - 0.007, end + 0.003];
        let found = at([then, last]).zero(&at([first, then]));
        assert!((found - end).abs() < 1e-15, "{found} {end}");
        // With two values it is that of the chord.
        let chord = at([then, last]).zero(&at([then, then]));
        assert!((chord - end).abs() > 1e-6 && (chord - end).abs() < 1e-4, "{chord}");
    }

    #[test]
    fn a_gap_without_a_zero_ends_now() {
        let layer = Layer { times: [0.0, 1.0], gaps: [-0.1, -0.2], ..Layer::default() };
        assert_eq!(layer.zero(&layer), 1.0);
    }
}
