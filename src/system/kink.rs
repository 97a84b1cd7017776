//! Kinks of paths.

use super::{Constraint, Iterate, System};
use crate::joints::element::KINK;
use crate::joints::slider::Kinematics;

/// A kink that a slider passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Kink {
    /// Element of the path before it, in the order of growing s.
    element: usize,
    /// Where the other begins, m.
    place: f64,
    /// Whether it is passed towards growing s.
    forward: bool,
}

impl Kink {
    /// How far `s` is behind it, m.
    pub fn beyond(&self, s: f64) -> f64 {
        if self.forward {
            s - self.place
        } else {
            self.place - s
        }
    }

    /// The first s behind it, m.
    pub fn behind(&self) -> f64 {
        if self.forward {
            self.place
        } else {
            self.place.next_down()
        }
    }
}

impl System {
    /// The first kink on the way of slider `j` through a step that passes none, to where the iterate is.
    pub(crate) fn kink_passed(&self, j: usize, at: &Iterate) -> Option<Kink> {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        let from = own.from?;
        let to = slider.path.element_at(at.q[slider.coordinate]);
        if from == to || own.constraint == Constraint::Open {
            return None;
        }
        let forward = from < to;
        let is_kink = |e: &usize| self.kink(j, *e, &at.q) > KINK;
        let element = if forward {
            (from..to).find(is_kink)
        } else {
            (to..from).rev().find(is_kink)
        }?;
        Some(Kink {
            element,
            place: slider.path.elements()[element + 1].start,
            forward,
        })
    }

    /// Keeps sliders that pass a kink in a step on the element before it, prolonged: so the kink exerts no force,
    /// and the instant at which it is reached can be looked for.
    pub(crate) fn stay_before_kinks(&self, at: &mut Iterate) {
        for j in 0..self.sliders.len() {
            if at.sliders[j].from.is_some() {
                let kink = self.kink_passed(j, at);
                at.sliders[j].decided.element =
                    kink.map(|kink| kink.element + usize::from(!kink.forward));
            }
        }
    }

    /// Angle between the ends of path elements `element` and the next where two members meet, rad;
    /// elements of one member may meet at an angle, but the real member has no kink there.
    fn kink(&self, j: usize, element: usize, q: &[f64]) -> f64 {
        let slider = &self.sliders[j];
        if !slider.path.elements()[element].ends_member {
            return 0.0;
        }
        let s = slider.path.elements()[element + 1].start;
        let [a, b] = [element, element + 1].map(|e| {
            let point = slider.path.point_on(e, s);
            Kinematics::at(&slider.path, point, q, &slider.unknowns).tangent
        });
        let (sin, cos) = (a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
        sin.atan2(cos).abs()
    }
}
