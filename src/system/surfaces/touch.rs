//! How a contact touches: as a whole, and along its surface.

use num_dual::DualStruct;

use super::SurfaceContacts;
use crate::numerics::lagrange::shape;
use crate::surfaces::layer::Touch;
use crate::system::State;
use crate::system::numbers::Numbers;

/// How the surface of a contact touches its guide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LayerTouch {
    /// Least distance from the faces, of what is within the path's length, of all of it where nothing is, m; below 0 how deep it is
    /// pressed in.
    pub gap: f64,
    /// Whether a point touches.
    pub touches: bool,
    /// How far the contact layer is compressed at most, what a multiplier stands for included, m.
    pub pressed: f64,
    /// Whether friction locks each point that touches.
    pub all_held: bool,
    /// Whether friction locks none of them.
    pub none_held: bool,
    pub has_friction: bool,
}

impl SurfaceContacts {
    /// How a contact touches in a state.
    pub(crate) fn touch_of(&self, contact: usize, state: &State) -> LayerTouch {
        let [mut within, mut beyond, mut pressed] = [f64::NEG_INFINITY; 3];
        let [mut touches, mut some_held, mut some_slip] = [false; 3];
        self.each_point(contact, state.into(), None, |point| {
            let depth = point.depth().re;
            let deepest = if point.kinematics.bearing > 0.0 { &mut within } else { &mut beyond };
            *deepest = deepest.max(depth);
            let memory = &state.points[point.i];
            if memory.touch.touches() {
                touches = true;
                pressed = pressed.max(depth + memory.advance);
                let held = memory.touch == Touch::Sticks;
                some_held |= held;
                some_slip |= !held;
            }
        });
        LayerTouch {
            gap: -if within > f64::NEG_INFINITY { within } else { beyond },
            touches,
            pressed,
            all_held: !some_slip,
            none_held: !some_held,
            has_friction: self.contacts[contact].friction.acts,
        }
    }

    /// A point at the place that is `end` (m) from the beginning of the surface of a contact, and the normal force by length there, N/m. On
    /// rigid parts the compression runs on as their outline does; elsewhere it is the mean of the point to whose part of the surface the
    /// place belongs.
    pub(crate) fn pressure_at<N: Numbers<State>>(
        &self, contact: usize, end: f64, state: &N,
    ) -> (usize, N::Number) {
        let described = &self.contacts[contact];
        let mut begin = 0.0;
        if let Some(last) = described.strips.last() {
            let found = described.strips.iter().find(|strip| {
                let holds = end <= begin + strip.length;
                begin += if holds { 0.0 } else { strip.length };
                holds
            });
            let (strip, along) = found.map_or((last, 1.0), |s| (s, (end - begin) / s.length));
            let weights = shape(strip.points.len() - 1, 2.0 * along - 1.0).value;
            // From face to face where its ends touch different ones, as a strip has it.
            let height = self.sum_over(contact, state, |point| {
                let place = strip.points.iter().position(|i| *i == point.i);
                place.map_or(0.0.into(), |place| {
                    let side = point.kinematics.side;
                    (point.compression() + described.offset) * (side * weights[place])
                })
            });
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            self.each_point(contact, state.now().into(), None, |point| {
                if strip.points.contains(&point.i) {
                    let side = point.kinematics.side;
                    (least, most) = (least.min(side), most.max(side));
                }
            });
            let side = if least == most { least } else { height.re().signum() };
            let compressed = height * side - described.offset;
            let pressure = match compressed.re() > 0.0 {
                true => compressed * (strip.stiffness / strip.length),
                false => N::Number::from(0.0),
            };
            return (strip.points[0], pressure);
        }
        let points = &self.points[described.points.clone()];
        let found = points.iter().position(|point| {
            begin += point.surface.length;
            begin >= end
        });
        let i = described.points.start + found.unwrap_or(points.len() - 1);
        let pressure = self.sum_over(contact, state, |point| match point.i == i {
            true => point.line_pressure(),
            false => 0.0.into(),
        });
        (i, pressure)
    }
}
