//! Contacts that can open: 0 ≤ gap ⊥ λ ≥ 0.
//!
//! A contact is closed, c(q, s) = 0 with a force that presses, or open, λ = 0 with a gap. With the
//! side σ = ±1 that the slider stands on,
//!
//! ```text
//! gap g = σ n·(Ŷ − Y(s)) at the closest point s,      opening force p = σ λ·n,      g ≥ 0,  p ≤ 0,  g p = 0
//! ```
//!
//! While it is open nothing depends on s: it is found when everything else is known.
//!
//! Beyond an end with a stop, or one at which it leaves, there is no path: the closest point is the end, the gap the distance from there, below 0 below
//! the path's tangent. What gets there has passed the path, and does not meet it until its gap is above 0 again.

use super::{Slider, SliderJoints};
use crate::checked::{OFF_PATH, SliderKind};
use crate::joints::nearest::{Nearest, nearest};
use crate::joints::regime::{End, Regime};
use crate::joints::slider::Kinematics;
use crate::numerics::hypot::hypot;
use crate::numerics::positions::Positions;
use crate::system::{Constraint, Iterate, State, Workspace};

/// Share of the largest acting force below which an opening force is rounding.
const NO_FORCE: f64 = 1e-10;

/// Share of the mechanism's size by which an open contact may be too deep.
pub(crate) const NO_GAP: f64 = 1e-9;

/// Share of the mechanism's size by which a slider that meets the end of its path may miss it.
const MISSED: f64 = 1e-6;

impl Slider {
    /// The force by which a closed contact would have to hold together, N; below 0 it presses.
    pub(crate) fn opening_force(&self, q: &Positions, multipliers: &[f64; 3]) -> f64 {
        let Some(side) = self.side else {
            return f64::NEG_INFINITY;
        };
        side.sign() * self.kinematics(q, None).signed_normal_force(multipliers)
    }

    /// The gap of a contact with its s at the closest point, m; below 0 the slider is on the wrong
    /// side.
    pub(crate) fn gap(&self, q: &Positions) -> f64 {
        let side = self.side.map_or(1.0, |side| side.sign());
        let k = self.kinematics(q, None);
        // Seen from a corner or an end the gap has no normal; at a corner its sign is that of both sides together.
        let height = match self.before_corner(&k, q) {
            Some(before) => k.height() + before.height(),
            None if self.is_past(&k) => k.height(),
            None => return side * k.height(),
        };
        (side * height).signum() * hypot(k.gap[0], k.gap[1])
    }

    /// Kinematics of this place on the element before, where `k` is at its border.
    fn before_corner(&self, k: &Kinematics, q: &Positions) -> Option<Kinematics> {
        let element = k.point.element;
        let start = self.path.start_near(element, k.point.s);
        let there = (k.point.s - start).abs() <= 1e-12 * self.path.length();
        let before = self.path.next(element, false).filter(|_| there)?;
        Some(self.kinematics(q, Some(before)))
    }

    /// The end at `s` of a path that breaks off there.
    fn end_at(&self, s: f64) -> Option<End> {
        match s {
            _ if !self.ends.breaks_off() => None,
            s if s <= 0.0 => Some(End::First),
            s if s >= self.path.length() => Some(End::Last),
            _ => None,
        }
    }

    /// Whether it is beyond the end of its path that is its closest point.
    fn is_past(&self, k: &Kinematics) -> bool {
        let along = k.gap[0] * k.tangent[0] + k.gap[1] * k.tangent[1];
        (self.end_at(k.point.s)).is_some_and(|end| end.outward() * along > 0.0)
    }

    /// Whether it is in the air beyond an end at which its path breaks off.
    pub(crate) fn is_beyond_an_end(&self, q: &Positions) -> bool {
        let s = q[self.coordinate];
        self.end_at(s).is_some() && self.is_past(&self.kinematics(q, None))
    }

    /// Whether a slider that is level with its path has missed it.
    pub(crate) fn has_missed(&self, q: &Positions) -> bool {
        let k = self.kinematics(q, None);
        hypot(k.gap[0], k.gap[1]) > MISSED * self.size && self.ends.breaks_off()
    }

    /// Its regime in the air, where it has perhaps `passed` an end before. What cannot lift off is in the air because
    /// it has left its path, to which it does not come back.
    pub(crate) fn regime_in_air(&self, q: &Positions, passed: bool) -> Regime {
        let beyond = || passed || self.is_beyond_an_end(q);
        if self.side.is_none() || beyond() && self.gap(q) < 0.0 {
            Regime::Passed
        } else {
            Regime::Open
        }
    }

    /// How far a contact is beyond where it opens (N) or closes (m): above 0 where it is.
    pub(crate) fn beyond_contact(&self, at: &Iterate, scale: f64) -> f64 {
        if self.side.is_none() {
            -1.0
        } else if at.sliders[self.index].constraint == Constraint::Open {
            match self.regime_in_air(&at.q, at.sliders[self.index].passed) {
                Regime::Passed => -1.0,
                _ => -self.gap(&at.q) - NO_GAP * self.size,
            }
        } else {
            self.opening_force(&at.q, &at.sliders[self.index].multipliers) - NO_FORCE * scale
        }
    }

    /// Puts its s at the closest point of its path; returns the gap.
    pub(crate) fn move_to_closest_point(&self, q: &mut Positions) -> f64 {
        q.set(self.coordinate, self.closest_point(q).s);
        self.gap(q)
    }

    fn closest_point(&self, q: &Positions) -> Nearest {
        let prolonged = !self.ends.breaks_off();
        let s = q[self.coordinate];
        nearest(&self.path, q, &self.unknowns, s, prolonged)
    }

    /// How far off its path (m) it may be in the initial configuration and is meant to be on it. Of corners their clearance says where they are.
    pub(crate) fn initial_reach(&self) -> f64 {
        let share = match self.kind {
            SliderKind::Corner => NO_GAP,
            _ => OFF_PATH,
        };
        share * self.path.length()
    }

    /// Whether it is on the axis of its path in the `initial` configuration, and so meant to be on its surface.
    pub(crate) fn starts_on_axis(&self, initial: &Positions) -> bool {
        if self.kind == SliderKind::Corner {
            return false;
        }
        let near = self.initial_reach();
        let k = self.kinematics(initial, None);
        let height = k.arm.map_or([0.0; 2], |arm| arm.height);
        hypot(k.gap[0] + height[0], k.gap[1] + height[1]) <= near
    }

    /// The rate of s of an open contact when the unknowns move with the velocities `rates`: the
    /// derivative of (Ŷ − Y)·Y′ = 0.
    pub(crate) fn closest_point_rate(&self, q: &Positions, rates: &[f64]) -> f64 {
        let k = self.kinematics(q, None);
        if self.before_corner(&k, q).is_some() || self.is_past(&k) {
            return 0.0;
        }
        let along = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let [x, y, _] = k.gap_of(&self.path, rates, &self.unknowns);
        let turned = k.tangent_of(&self.path, rates, &self.unknowns);
        let gap = [k.gap[0], k.gap[1]];
        let square = along(k.tangent, k.tangent);
        let curvature = square - along(gap, k.bend);
        if curvature > 1e-6 * square {
            (along([x, y], k.tangent) + along(gap, turned)) / curvature
        } else {
            0.0
        }
    }

    /// The gap in `state`, m; 0 while it touches.
    pub fn gap_of_state(&self, state: &State) -> f64 {
        match state.sliders[self.index].regime {
            Regime::Open => self.gap(&state.q).max(0.0),
            Regime::Passed => -self.gap(&state.q),
            _ => 0.0,
        }
    }

    /// Rate of the gap, m/s, when the unknowns move with the velocities `rates`; that of s does not matter at the
    /// closest point.
    pub(crate) fn gap_rate(&self, state: &State, rates: &[f64]) -> f64 {
        let sign = match state.sliders[self.index].regime {
            Regime::Open => self.gap(&state.q).signum(),
            Regime::Passed => 1.0,
            _ => return 0.0,
        };
        let k = self.kinematics(&state.q, None);
        let [x, y, _] = k.gap_of(&self.path, rates, &self.unknowns);
        let distance = hypot(k.gap[0], k.gap[1]);
        if distance > NO_GAP * self.size {
            sign * (x * k.gap[0] + y * k.gap[1]) / distance
        } else {
            self.leaving(&state.q, rates)
        }
    }

    /// σ n·ċ, m/s: how fast it leaves its path.
    pub(crate) fn leaving(&self, q: &Positions, rates: &[f64]) -> f64 {
        let k = self.kinematics(q, None);
        let [x, y, _] = k.gap_of(&self.path, rates, &self.unknowns);
        let stretch = hypot(k.tangent[0], k.tangent[1]).max(f64::MIN_POSITIVE);
        let side = self.side.map_or(1.0, |side| side.sign());
        side * (y * k.tangent[0] - x * k.tangent[1]) / stretch
    }
}

impl SliderJoints {
    /// How many multipliers act: those of contacts that are not open and of friction that is spread along edges.
    pub(crate) fn acting_multipliers(&self, at: &Iterate) -> usize {
        let both = self.iter().zip(&at.sliders);
        let closed = both.filter(|(_, own)| own.constraint != Constraint::Open);
        let of_each = closed.map(|(slider, _)| match slider.carries_friction_of_edge() {
            true => slider.constraints_of_edge(at),
            false => slider.unknowns.len(),
        });
        of_each.sum()
    }

    /// Puts the s of open contacts at the closest points of their paths.
    pub(crate) fn find_closest_points(&self, at: &mut Iterate) {
        for (j, slider) in self.iter().enumerate() {
            if at.sliders[j].constraint == Constraint::Open {
                let closest = slider.closest_point(&at.q);
                at.q.set(slider.coordinate, closest.s);
                at.sliders[j].strayed = !closest.smooth;
            }
        }
    }

    /// Opens the contacts that pull in a solution and closes those that have passed their paths;
    /// whether there are any, so that there is another solution.
    pub(crate) fn change_contacts(&self, at: &mut Iterate, work: &Workspace) -> bool {
        if !at.complementary {
            return false;
        }
        let mut any = false;
        for (j, slider) in self.iter().enumerate() {
            if slider.beyond_contact(at, work.force_scale) > 0.0 {
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
}
