//! Sliders that motions and supports move along their paths.

use super::{Slider, SliderJoints};
use crate::joints::regime::Sense;
use crate::numerics::positions::Positions;
use crate::system::equations::Equations;
use crate::system::{Along, Driven, Iterate, State};

/// Slope of a path against the direction of a motion up to which the one says nothing of the other.
const ACROSS: f64 = 1e-6;

/// Rounding of a rate relative to those of the path that it is the difference to.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Which nodal unknowns motions and supports prescribe: supports those without an equation, motions those that are driven.
#[derive(Clone, Copy)]
pub(crate) struct Prescribed<'a> {
    pub equations: &'a Equations,
    pub driven: &'a [Option<f64>],
}

impl Prescribed<'_> {
    fn has(&self, unknown: usize) -> bool {
        !self.equations.has(unknown) || self.driven[unknown].is_some()
    }
}

impl Slider {
    /// Whether motions and supports move it and its path so that the s of what is no edge is known.
    fn is_moved_along(&self, q: &Positions, prescribed: Prescribed) -> bool {
        let moves = |axis: usize| prescribed.has(self.unknowns[axis]);
        if !(moves(0) || moves(1)) {
            return false;
        }
        let [x, y] = self.kinematics(q, None).tangent;
        let along =
            moves(0) && x.abs() > ACROSS * y.abs() || moves(1) && y.abs() > ACROSS * x.abs();
        let mut elements = 0..self.path.elements().len();
        along
            && elements.all(|e| {
                let mut nodes = self.path.carriers(e).iter();
                nodes.all(|node| node.position.into_iter().all(|u| prescribed.has(u)))
            })
    }

    /// The sense in which motions move it along its path, where the unknowns have these `rates`.
    fn sense_of(&self, q: &Positions, prescribed: Prescribed, rates: &[f64]) -> Sense {
        let k = self.kinematics(q, None);
        let rate = k.gap_of(&self.path, rates, &self.unknowns);
        let axis = usize::from(k.tangent[0].abs() < k.tangent[1].abs());
        let known = [0, 1].map(|axis| prescribed.has(self.unknowns[axis]));
        let axis = if known[axis] { axis } else { 1 - axis };
        let path = self.path.carriers(k.point.element).iter();
        let speeds = path.flat_map(|node| {
            let turning = node.rotation.map(|u| self.size * rates[u].abs());
            node.position.into_iter().map(|u| rates[u].abs()).chain(turning)
        });
        let fastest = speeds.fold(0.0, f64::max);
        Sense::of(match rate[axis].abs() > ROUNDING * fastest {
            true => rate[axis] * k.tangent[axis].signum(),
            false => 0.0,
        })
    }
}

impl SliderJoints {
    /// Whether motions and supports say where slider `j` is on its path.
    pub fn is_moved_along(&self, j: usize, q: &Positions, prescribed: Prescribed) -> bool {
        let slider = &self[j];
        match slider.carries_friction_of_edge() {
            true => slider.shares.iter().all(|(k, _)| self[*k].is_moved_along(q, prescribed)),
            false => slider.is_moved_along(q, prescribed),
        }
    }

    /// Whether motions and supports say where slider `j` is on its path, so that friction cannot hold it there.
    pub fn is_driven_along(&self, j: usize, q: &Positions, prescribed: Prescribed) -> bool {
        self[j].friction.set_valued && self.is_moved_along(j, q, prescribed)
    }

    /// Fixes what has left its path at `state` and carries nothing but loads: it stays where it is, as what motions have `driven`.
    pub fn fix_left(&self, state: &State, driven: &mut Driven) {
        for (slider, own) in self.iter().zip(&state.sliders) {
            if slider.bare && own.regime.is_open() {
                for &u in &slider.unknowns {
                    driven.hold(u);
                }
            }
        }
    }

    /// Finds in which sense motions move the sliders that they drive, whose unknowns have these `rates`.
    pub fn find_senses(&self, equations: &Equations, at: &mut Iterate, rates: &[f64]) {
        for (j, slider) in self.iter().enumerate() {
            if !matches!(at.sliders[j].along, Along::Driven(_)) {
                continue;
            }
            // The node of an edge with the friction of all moves as they do.
            let of = match slider.shares.first() {
                Some(&(node, _)) => &self[node],
                None => slider,
            };
            let prescribed = Prescribed { equations, driven: &at.driven };
            at.sliders[j].along = Along::Driven(of.sense_of(&at.q, prescribed, rates));
        }
    }
}
