//! Whether contacts and joints are where the initial configuration has them.

use crate::checked::Side;
use crate::joints::regime::Regime;
use crate::message::rounded;
use crate::model::wrong_side;
use crate::numerics::hypot::hypot;
use crate::numerics::positions::Positions;
use crate::system::{SliderState, State, System, SystemFault};

/// Share of the mechanism's size by which any point may move where joints are closed.
const NEAR: f64 = 0.02;

/// So many times √(g/L) of it more, for a gap g.
const STRETCHES: f64 = 4.0;

/// The placement of a mechanism where its motions begin.
#[derive(Clone, Copy)]
pub(super) struct Placement<'a> {
    system: &'a System,
}

impl<'a> Placement<'a> {
    pub fn of(system: &'a System) -> Placement<'a> {
        Placement { system }
    }

    /// Which of the contacts that can open are open at the start: those that have a gap in the initial configuration.
    ///
    /// # Errors
    /// When a slider is on the wrong side of its path.
    pub fn open_contacts(&self, state: &mut State) -> Result<(), SystemFault> {
        let initial = Positions::from(&self.system.initial[..]);
        for (j, slider) in self.system.sliders.iter().enumerate() {
            let Some(side) = slider.side else { continue };
            // Initially on the axis or on the surface of a rough path: both mean on the path.
            let near = self.system.sliders[j].initial_reach();
            if slider.starts_on_axis(&initial) {
                continue;
            }
            let gap = self.system.sliders[j].move_to_closest_point(&mut state.q);
            let regime = self.system.sliders[j].regime_in_air(&state.q, false);
            if gap > near || (regime == Regime::Passed && gap < -near) {
                state.sliders[j] = SliderState { regime, ..SliderState::lifted() };
            } else if gap < -near {
                let s = state.q[slider.coordinate];
                return Err(self.wrong_side(j, -gap, s, side));
            }
        }
        Ok(())
    }

    /// Looks whether open contacts are on their side of their paths where the motions have put them.
    ///
    /// # Errors
    /// When one is not.
    pub fn keeps_sides(&self, state: &mut State) -> Result<(), SystemFault> {
        for (j, slider) in self.system.sliders.iter().enumerate() {
            if let (Some(side), true) = (slider.side, state.sliders[j].regime.is_open()) {
                let gap = self.system.sliders[j].move_to_closest_point(&mut state.q);
                let regime = self.system.sliders[j].regime_in_air(&state.q, false);
                state.sliders[j].regime = regime;
                if regime == Regime::Open && gap < -self.system.sliders[j].initial_reach() {
                    return Err(self.wrong_side(j, -gap, state.q[slider.coordinate], side));
                }
            }
        }
        Ok(())
    }

    fn wrong_side(&self, j: usize, depth: f64, s: f64, side: Side) -> SystemFault {
        let model = &self.system.model;
        let described = &model.sliders[j];
        SystemFault(wrong_side(
            &model.path_of_slider(j),
            &model.points[described.point].name,
            depth,
            s,
            side,
        ))
    }

    /// Whether the mechanism is where it was initially, in `initial`, as far as its gaps tell: a gap g moves what is near a dead centre of the size L by
    /// about √(g L), and what it moves farther has found another place, behind the hills of a rough path, say. Where motions lead it is not asked.
    ///
    /// # Errors
    /// Says which point is elsewhere.
    pub fn is_near(&self, placed: &State, initial: &State) -> Result<(), SystemFault> {
        if initial.motions.iter().any(|motion| motion.value != 0.0) {
            return Ok(());
        }
        let system = self.system;
        let gap = self.largest_gap(initial);
        let allowed = system.size * (NEAR + STRETCHES * (gap / system.size).sqrt());
        let moved = |[x, y]: [usize; 2]| {
            let way = |u: usize| placed.q.way(u, &initial.q);
            hypot(way(x), way(y))
        };
        let positions = system.nodes.positions();
        let farthest = positions.max_by(|a, b| moved(*a).total_cmp(&moved(*b)));
        let Some(position) = farthest.filter(|position| moved(*position) > allowed) else {
            return Ok(());
        };
        Err(SystemFault(format!(
            "the mechanism cannot be assembled at t = 0 near the initial configuration: its joints are open by up to {} m and close only with {} moved by \
             {} m (allowed: {} m); place its points so that they are closed, or leave one of them out where one part cannot \
             be on the paths of all (a rigid bar on three wheels, one of them on a rough path)",
            rounded(gap, 3),
            system.name_of(position[0]),
            rounded(moved(position), 3),
            rounded(allowed, 2),
        )))
    }

    /// How far the joints of `state` are open, m.
    pub fn largest_gap(&self, state: &State) -> f64 {
        let gap = (0..self.system.sliders.len()).fold(0.0, |far: f64, j| {
            if state.sliders[j].regime.is_open() {
                return far;
            }
            let k = self.system.sliders[j].kinematics(&state.q, None);
            far.max(k.gap[0].abs()).max(k.gap[1].abs())
        });
        (self.system.pins.list.iter()).fold(gap, |far, pin| {
            let [x, y] = pin.gap(&state.q);
            far.max(x.abs()).max(y.abs())
        })
    }
}
