//! Kinks of paths.

use super::{Slider, SliderJoints};
use crate::joints::element::KINK;
use crate::joints::path::Path;
use crate::joints::slider::Kinematics;
use crate::numerics::positions::Positions;
use crate::system::{Constraint, Iterate};

/// Roundings of s by which a place of a closed path may be before the border that it stands for.
const MOST_ROUNDINGS: usize = 8;

/// A kink that a slider passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Kink {
    /// Element of the path on which a slider comes to it.
    element: usize,
    /// Where the other begins, m.
    place: f64,
    /// The first s behind it, m.
    behind: f64,
    /// Whether it is passed towards growing s.
    forward: bool,
}

impl Kink {
    /// How far `s` is behind it, m.
    pub fn beyond(&self, s: f64) -> f64 {
        if self.forward { s - self.place } else { self.place - s }
    }

    /// The first s behind it, m.
    pub fn behind(&self) -> f64 {
        self.behind
    }
}

impl Slider {
    /// The first kink on its way through a step that passes none, to where the iterate is.
    pub fn kink_passed(&self, at: &Iterate) -> Option<Kink> {
        let own = &at.sliders[self.index];
        let s = at.q[self.coordinate];
        let (path, mut here, to) = (&self.path, own.from?, self.path.element_at(s));
        if own.constraint == Constraint::Open {
            return None;
        }
        let count = path.elements().len();
        // The shorter way round a closed path.
        let forward =
            if path.is_closed() { 2 * ((to + count - here) % count) <= count } else { here < to };
        while here != to {
            let next = path.next(here, forward)?;
            let [before, behind] = if forward { [here, next] } else { [next, here] };
            if self.kink([before, behind], &at.q) > KINK {
                let place = path.start_near(behind, s);
                return Some(Kink {
                    element: here,
                    place,
                    behind: first_behind(path, place, next, forward),
                    forward,
                });
            }
            here = next;
        }
        None
    }

    /// Angle between path elements `before` and `behind`, which follow each other, where two members meet, rad;
    /// elements of one member may meet at an angle, but the real member has no kink there.
    fn kink(&self, [before, behind]: [usize; 2], q: &Positions) -> f64 {
        if !self.path.elements()[before].ends_member {
            return 0.0;
        }
        let s = self.path.elements()[behind].start;
        let [a, b] = [before, behind].map(|e| {
            let point = self.path.point_on(e, s);
            Kinematics::at(&self.path, point, q, &self.unknowns).tangent
        });
        let (sin, cos) = (a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
        sin.atan2(cos).abs()
    }
}

impl SliderJoints {
    /// Keeps sliders that pass a kink in a step on the element before it, prolonged: so the kink exerts no force,
    /// and the instant at which it is reached can be looked for.
    pub fn stay_before_kinks(&self, at: &mut Iterate) {
        for (j, slider) in self.iter().enumerate() {
            if at.sliders[j].from.is_some() {
                let kink = slider.kink_passed(at);
                at.sliders[j].decided.element = kink.map(|kink| kink.element);
            }
        }
    }
}

/// The first s on the element `next` behind a border at `place`. The laps of a closed path take their rounding.
fn first_behind(path: &Path, place: f64, next: usize, forward: bool) -> f64 {
    let ulp = f64::EPSILON * path.length().max(place.abs());
    let (mut s, further) = if forward { (place, ulp) } else { (place.next_down(), -ulp) };
    for _ in 0..MOST_ROUNDINGS {
        if path.element_at(s) == next {
            break;
        }
        s += further;
    }
    s
}
