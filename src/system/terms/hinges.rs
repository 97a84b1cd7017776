//! Friction of hinges.
//!
//! Its slider has two unknowns of its own: w, how far the sides of the hinge have slipped at its radius, and n, which stays where it is,
//!
//! ```text
//! w = r (φ − φ₀),    s = w,    n = 0,    λ_n = F = |λ|
//! ```
//!
//! with the forces λ of the pin that ties the rigid body, or the end of the member, that turns on the rest to the point of the
//! hinge. That end has a node of its own, so that what loads the member there is no load of the point. To all else it is a slider on a straight
//! path that nothing carries, along which w leads and across which λ_n presses; the first condition is a coupling, whose
//! multiplier times r is the moment of friction.
//!
//! A rigid stop of a spring is such a slider, too, led by what the spring measures and pressed by nothing, whose path has stops at
//! its ends: a gap that closes, its impact and its force are those of every path that ends.

use super::Term;
use super::pins::Pins;
use crate::checked::Checked;
use crate::nodes::Nodes;
use crate::numerics::hypot::hypot;
use crate::system::equations::Equations;
use crate::system::numbers::{Numbers, size};
use crate::system::{Iterate, Workspace};

/// What presses all hinges with friction.
#[derive(Debug, Clone)]
pub(crate) struct HingePressures {
    list: Vec<Presses>,
}

/// What presses a hinge with friction.
#[derive(Debug, Clone, Copy)]
struct Presses {
    /// n.
    unknown: usize,
    /// The slider of the hinge.
    slider: usize,
    /// The pin whose force it is, and the place of its first multiplier in the border.
    pin: usize,
    border: usize,
}

impl HingePressures {
    /// Of a model with these `pins`, which get to know that they press.
    pub fn of(model: &Checked, nodes: &Nodes, pins: &mut Pins) -> HingePressures {
        let hinges = model.friction_hinges.iter().enumerate();
        let list = hinges.filter_map(|(id, hinge)| {
            let own = Some((hinge.presses, hinge.point));
            let [_, unknown] = nodes.of_travel(id);
            let place = pins.list.iter().position(|pin| pin.ties == own)?;
            let pin = &mut pins.list[place];
            pin.presses = true;
            Some(Presses { unknown, slider: hinge.slider, pin: place, border: pin.border })
        });
        HingePressures { list: list.collect() }
    }

    /// Whether no hinge has friction.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What lacks in λ_n = |λ| at an iterate, N, with n of each hinge.
    pub fn lacks<'a>(&'a self, at: &'a Iterate) -> impl Iterator<Item = (usize, f64)> + 'a {
        self.list.iter().map(|press| {
            let [x, y] = at.pins[press.pin];
            (press.unknown, hypot(x, y) - at.sliders[press.slider].multipliers[1])
        })
    }

    /// Sliders of hinges, each with the pin that presses it.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.list.iter().map(|press| (press.slider, press.pin))
    }
}

impl Term for HingePressures {
    fn each_force<N: Numbers<Iterate>>(&self, at: &N, mut add: impl FnMut(usize, N::Number)) {
        for press in &self.list {
            // No force has no direction, and presses no more for a small change.
            let force = [0, 1].map(|i| at.get(|at| at.pins[press.pin][i]));
            add(press.unknown, -size(force));
        }
    }

    /// The forces that press are those of pins, which count them.
    fn evaluate(
        &self, equations: &Equations, at: &Iterate, work: &mut Workspace, tangent: bool,
    ) -> f64 {
        self.each_force(at, |u, force| work.residual[u] += force);
        for press in self.list.iter().filter(|_| tangent) {
            let Some(e) = equations.of(press.unknown) else {
                continue;
            };
            for (i, share) in direction(at.pins[press.pin]).into_iter().enumerate() {
                work.matrix.add_column(e, press.border + i, -share);
            }
        }
        0.0
    }
}

/// λ/|λ|; of no force none.
fn direction([x, y]: [f64; 2]) -> [f64; 2] {
    let size = hypot(x, y);
    if size > 0.0 { [x / size, y / size] } else { [0.0; 2] }
}
