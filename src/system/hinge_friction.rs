//! Friction of hinges.
//!
//! Its slider has two unknowns of its own: w, how far the sides of the hinge have slipped at its radius, and n, which stays where it is,
//!
//! ```text
//! w = r (φ − φ₀),    s = w,    n = 0,    λ_n = F = |λ|
//! ```
//!
//! with the forces λ of the pin that ties the rigid body, or the end of the elastic member, that turns on the rest to the point of the
//! hinge. To all else it is a slider on a straight
//! path that nothing carries, along which w leads and across which λ_n presses; the first condition is a coupling, whose
//! multiplier times r is the moment of friction.
//!
//! A rigid stop of a spring is such a slider, too, led by what the spring measures and pressed by nothing, whose path has stops at
//! its ends: a gap that closes, its impact and its force are those of every path that ends.

use super::pin::Pin;
use super::{Slider, System};
use crate::checked::Checked;
use crate::joints::path::PathPoint;
use crate::joints::slider::Kinematics;
use crate::linear::Bordered;
use crate::nodes::Nodes;
use crate::numerics::positions::Positions;

/// What presses a hinge with friction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Presses {
    /// n.
    unknown: usize,
    /// The pin whose force it is.
    pub pin: usize,
}

impl Presses {
    /// Those of a model.
    pub(super) fn all(model: &Checked, nodes: &Nodes, pins: &[Pin]) -> Vec<Presses> {
        let hinges = model.friction_hinges.iter().enumerate();
        let presses = hinges.filter_map(|(id, hinge)| {
            let own = Some((hinge.presses, hinge.point));
            let [_, unknown] = nodes.of_way(id);
            let pin = pins.iter().position(|pin| pin.ties == own)?;
            Some(Presses { unknown, pin })
        });
        presses.collect()
    }
}

/// λ/|λ|; of no force none.
fn direction([x, y]: [f64; 2]) -> [f64; 2] {
    let size = x.hypot(y);
    if size > 0.0 { [x / size, y / size] } else { [0.0; 2] }
}

impl System {
    /// A slider that nothing carries: its path is a line that nothing moves.
    pub(super) fn kinematics_of_way(&self, slider: &Slider, q: &Positions) -> Kinematics {
        let [way, across] = [0, 1].map(|i| q.get(slider.unknowns[i]));
        let s = q.get(slider.coordinate);
        let mut k = Kinematics::along_line(PathPoint::without_nodes(s.rounded), way.way_from(s));
        k.gap[1] = across.rounded;
        k
    }

    /// Sliders of hinges, each with the pin that presses it.
    pub(crate) fn pressed_by(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let hinges = self.model.friction_hinges.iter();
        hinges.zip(&self.presses).map(|(hinge, press)| (hinge.slider, press.pin))
    }

    /// Presses on n.
    pub(super) fn add_pressing(&self, pins: &[[f64; 2]], rows: &mut [f64]) {
        for press in &self.presses {
            let [x, y] = pins[press.pin];
            rows[press.unknown] -= x.hypot(y);
        }
    }

    /// The change of that by the change `by` of the multipliers.
    pub(super) fn add_pressing_change(&self, pins: &[[f64; 2]], by: &[[f64; 2]], rows: &mut [f64]) {
        for press in &self.presses {
            let ([x, y], [dx, dy]) = (direction(pins[press.pin]), by[press.pin]);
            rows[press.unknown] -= x * dx + y * dy;
        }
    }

    /// Whether a pin presses a hinge, so that its rows are not its columns transposed.
    pub(super) fn presses(&self, pin: usize) -> bool {
        self.presses.iter().any(|press| press.pin == pin)
    }

    /// Adds the change by the multipliers to the matrix.
    pub(super) fn add_pressing_tangent(&self, pins: &[[f64; 2]], matrix: &mut Bordered) {
        for press in &self.presses {
            let Some(e) = self.equation.of(press.unknown) else {
                continue;
            };
            let border = self.pins[press.pin].border;
            for (i, share) in direction(pins[press.pin]).into_iter().enumerate() {
                matrix.add_column(e, border + i, -share);
            }
        }
    }
}
