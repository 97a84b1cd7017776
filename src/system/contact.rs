//! Contacts that can open: 0 ≤ gap ⊥ λ ≥ 0.
//!
//! A contact is closed, c(q, s) = 0 with a force that presses, or open, λ = 0 with a gap. With the
//! side σ = ±1 that the slider stands on,
//!
//! ```text
//! gap g = σ n·(Ŷ − Y(s)) at the nearest place s,      pull p = σ λ·n,      g ≥ 0,  p ≤ 0,  g p = 0
//! ```
//!
//! While it is open nothing depends on s: it is found when everything else is known.
//!
//! Beyond an end with a stop, or one at which it leaves, there is no path: the nearest place is the end, the gap the distance from there, below 0 below
//! the path's tangent. What gets there has passed the path, and does not meet it until its gap is above 0 again.

use super::{Constraint, Iterate, State, System, Workspace};
use crate::checked::OFF_PATH;
use crate::checked::{Analysis, SliderKind};
use crate::joints::nearest::{Nearest, nearest};
use crate::joints::regime::{End, Regime};
use crate::joints::slider::Kinematics;
use crate::numerics::positions::Positions;

/// Share of the largest acting force below which a pull is rounding.
const NO_PULL: f64 = 1e-10;

/// Share of the mechanism's size by which an open contact may be too deep.
pub(crate) const NO_GAP: f64 = 1e-9;

/// Share of the mechanism's size by which a slider that meets the end of its path may miss it.
const MISSED: f64 = 1e-6;

impl System {
    /// Pull of a closed contact, N; below 0 it presses.
    pub(crate) fn pull(&self, j: usize, q: &Positions, multipliers: &[f64; 3]) -> f64 {
        let Some(side) = self.sliders[j].side else {
            return f64::NEG_INFINITY;
        };
        side.sign() * self.kinematics(j, q, None).signed_normal_force(multipliers)
    }

    /// λ·n of slider `j`, N: positive where it pushes its path to the left of growing s.
    pub fn signed_normal_force(&self, state: &State, j: usize) -> f64 {
        let k = self.kinematics(j, &state.q, None);
        k.signed_normal_force(&state.multipliers[j])
    }

    /// How many multipliers of constraints act: those of pins, of contacts that are not open and of friction that is spread along
    /// edges. Each makes one more negative eigenvalue of the whole matrix.
    pub(crate) fn acting_multipliers(&self, at: &Iterate) -> usize {
        let both = self.sliders.iter().zip(&at.sliders);
        let closed = both.filter(|(_, own)| own.constraint != Constraint::Open);
        let of_sliders: usize = (closed.map(|(slider, _)| {
            if slider.carries_friction_of_edge() {
                self.constraints_of_edge(slider, at)
            } else {
                slider.unknowns.len()
            }
        }))
        .sum();
        of_sliders + self.pins.rows()
    }

    /// The gap of a contact with its s at the nearest place, m; below 0 the slider is on the wrong
    /// side.
    pub(crate) fn gap(&self, j: usize, q: &Positions) -> f64 {
        let slider = &self.sliders[j];
        let side = slider.side.map_or(1.0, |side| side.sign());
        let k = self.kinematics(j, q, None);
        // Seen from a corner or an end the gap has no normal; at a corner its sign is that of both sides together.
        let height = match self.before_corner(j, &k, q) {
            Some(before) => k.height() + before.height(),
            None if self.is_past(j, &k) => k.height(),
            None => return side * k.height(),
        };
        (side * height).signum() * k.gap[0].hypot(k.gap[1])
    }

    /// Kinematics of this place on the element before, where `k` is at its border.
    fn before_corner(&self, j: usize, k: &Kinematics, q: &Positions) -> Option<Kinematics> {
        let slider = &self.sliders[j];
        let element = k.point.element;
        let start = slider.path.start_near(element, k.point.s);
        let there = (k.point.s - start).abs() <= 1e-12 * slider.path.length();
        let before = slider.path.next(element, false).filter(|_| there)?;
        Some(self.kinematics(j, q, Some(before)))
    }

    /// The end at `s` of a path of slider `j` that breaks off there.
    fn end_at(&self, j: usize, s: f64) -> Option<End> {
        let slider = &self.sliders[j];
        match s {
            _ if !slider.ends.breaks_off() => None,
            s if s <= 0.0 => Some(End::First),
            s if s >= slider.path.length() => Some(End::Last),
            _ => None,
        }
    }

    /// Whether slider `j` is beyond the end of its path that is its nearest place.
    fn is_past(&self, j: usize, k: &Kinematics) -> bool {
        let along = k.gap[0] * k.tangent[0] + k.gap[1] * k.tangent[1];
        (self.end_at(j, k.point.s)).is_some_and(|end| end.outward() * along > 0.0)
    }

    /// Whether slider `j` is in the air beyond an end at which its path breaks off.
    pub(crate) fn is_beyond_an_end(&self, j: usize, q: &Positions) -> bool {
        let s = q[self.sliders[j].coordinate];
        self.end_at(j, s).is_some() && self.is_past(j, &self.kinematics(j, q, None))
    }

    /// Whether a slider that is level with its path has missed it.
    pub(crate) fn has_missed(&self, j: usize, q: &Positions) -> bool {
        let k = self.kinematics(j, q, None);
        k.gap[0].hypot(k.gap[1]) > MISSED * self.size && self.sliders[j].ends.breaks_off()
    }

    /// The regime of slider `j` in the air, which has perhaps `passed` an end before. What cannot lift off is in the air because
    /// it has left its path, to which it does not come back.
    pub(crate) fn regime_in_air(&self, j: usize, q: &Positions, passed: bool) -> Regime {
        let beyond = || passed || self.is_beyond_an_end(j, q);
        if self.sliders[j].side.is_none() || beyond() && self.gap(j, q) < 0.0 {
            Regime::Passed
        } else {
            Regime::Open
        }
    }

    /// How far a contact is beyond where it opens (N) or closes (m): above 0 where it is.
    pub(crate) fn beyond_contact(&self, j: usize, at: &Iterate, scale: f64) -> f64 {
        if self.sliders[j].side.is_none() {
            -1.0
        } else if at.sliders[j].constraint == Constraint::Open {
            match self.regime_in_air(j, &at.q, at.sliders[j].passed) {
                Regime::Passed => -1.0,
                _ => -self.gap(j, &at.q) - NO_GAP * self.size,
            }
        } else {
            self.pull(j, &at.q, &at.sliders[j].multipliers) - NO_PULL * scale
        }
    }

    /// Puts the s of open contacts at the nearest place of their paths.
    pub(crate) fn place_feet(&self, at: &mut Iterate) {
        for (j, slider) in self.sliders.iter().enumerate() {
            if at.sliders[j].constraint == Constraint::Open {
                let nearest = self.nearest_place(j, &at.q);
                at.q.set(slider.coordinate, nearest.s);
                at.sliders[j].strayed = !nearest.smooth;
            }
        }
    }

    /// Puts the s of slider `j` at the nearest place of its path; returns the gap.
    pub(crate) fn place_nearest(&self, j: usize, q: &mut Positions) -> f64 {
        q.set(self.sliders[j].coordinate, self.nearest_place(j, q).s);
        self.gap(j, q)
    }

    fn nearest_place(&self, j: usize, q: &Positions) -> Nearest {
        let slider = &self.sliders[j];
        let prolonged = !slider.ends.breaks_off();
        let s = q[slider.coordinate];
        nearest(&slider.path, q, &slider.unknowns, s, prolonged)
    }

    /// Where everything is drawn.
    pub(super) fn drawn(&self) -> Positions {
        Positions::from(&self.initial[..])
    }

    /// How far off its path (m) slider `j` may be drawn and is meant to be on it. Of corners their clearance says where they are.
    pub(crate) fn reach_of_drawing(&self, j: usize) -> f64 {
        let share = match self.model.sliders[j].kind {
            SliderKind::Corner => NO_GAP,
            _ => OFF_PATH,
        };
        share * self.sliders[j].path.length()
    }

    /// Whether slider `j` is drawn on the axis of its path, and so meant to be on its surface.
    pub(crate) fn is_drawn_on_axis(&self, j: usize) -> bool {
        if self.model.sliders[j].kind == SliderKind::Corner {
            return false;
        }
        let near = self.reach_of_drawing(j);
        let k = self.kinematics(j, &self.drawn(), None);
        let height = k.arm.map_or([0.0; 2], |arm| arm.height);
        (k.gap[0] + height[0]).hypot(k.gap[1] + height[1]) <= near
    }

    /// Whether slider `j` holds something that nothing else holds: a contact that can open may do so
    /// in equilibrium only, from where it is drawn closed.
    pub(super) fn holds_at_first(&self, j: usize) -> bool {
        let slider = &self.sliders[j];
        let closed =
            || self.is_drawn_on_axis(j) || self.gap(j, &self.drawn()) <= self.reach_of_drawing(j);
        let model = &self.model;
        let statics =
            model.solver.analysis == Analysis::QuasiStatic || model.start.equilibrium.is_some();
        slider.side.is_none() || (statics && closed())
    }

    /// Opens the contacts that pull in a solution and closes those that have passed their paths;
    /// whether there are any, so that there is another solution.
    pub(crate) fn change_contacts(&self, at: &mut Iterate, work: &Workspace) -> bool {
        if !at.complementary {
            return false;
        }
        let mut any = false;
        for j in 0..self.sliders.len() {
            if self.beyond_contact(j, at, work.force_scale) > 0.0 {
                let own = &mut at.sliders[j];
                own.constraint = match own.constraint {
                    Constraint::Open => Constraint::Path,
                    _ => Constraint::Open,
                };
                own.multipliers = [0.0; 3];
                any = true;
            }
        }
        any
    }

    /// The rate of s of an open contact when the unknowns move with the velocities `rates`: the
    /// derivative of (Ŷ − Y)·Y′ = 0.
    pub(crate) fn nearest_rate(&self, j: usize, q: &Positions, rates: &[f64]) -> f64 {
        let slider = &self.sliders[j];
        let k = self.kinematics(j, q, None);
        if self.before_corner(j, &k, q).is_some() || self.is_past(j, &k) {
            return 0.0;
        }
        let along = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let [x, y, _] = k.gap_of(&slider.path, rates, &slider.unknowns);
        let turned = k.tangent_of(&slider.path, rates, &slider.unknowns);
        let gap = [k.gap[0], k.gap[1]];
        let square = along(k.tangent, k.tangent);
        let curvature = square - along(gap, k.bend);
        if curvature > 1e-6 * square {
            (along([x, y], k.tangent) + along(gap, turned)) / curvature
        } else {
            0.0
        }
    }

    /// The gap of slider `j` in `state`, m; 0 while it touches.
    pub(super) fn gap_of_state(&self, j: usize, state: &State) -> f64 {
        match state.sliders[j].regime {
            Regime::Open => self.gap(j, &state.q).max(0.0),
            Regime::Passed => -self.gap(j, &state.q),
            _ => 0.0,
        }
    }

    /// Rate of the gap, m/s, when the unknowns move with the velocities `rates`; that of s does not matter at the
    /// nearest place.
    pub(crate) fn gap_rate(&self, j: usize, state: &State, rates: &[f64]) -> f64 {
        let slider = &self.sliders[j];
        let sign = match state.sliders[j].regime {
            Regime::Open => self.gap(j, &state.q).signum(),
            Regime::Passed => 1.0,
            _ => return 0.0,
        };
        let k = self.kinematics(j, &state.q, None);
        let [x, y, _] = k.gap_of(&slider.path, rates, &slider.unknowns);
        let distance = k.gap[0].hypot(k.gap[1]);
        if distance > NO_GAP * self.size {
            sign * (x * k.gap[0] + y * k.gap[1]) / distance
        } else {
            self.leaving(j, &state.q, rates)
        }
    }

    /// σ n·ċ, m/s: how fast slider `j` leaves its path.
    pub(crate) fn leaving(&self, j: usize, q: &Positions, rates: &[f64]) -> f64 {
        let slider = &self.sliders[j];
        let k = self.kinematics(j, q, None);
        let [x, y, _] = k.gap_of(&slider.path, rates, &slider.unknowns);
        let stretch = k.tangent[0].hypot(k.tangent[1]).max(f64::MIN_POSITIVE);
        let side = slider.side.map_or(1.0, |side| side.sign());
        side * (y * k.tangent[0] - x * k.tangent[1]) / stretch
    }
}
