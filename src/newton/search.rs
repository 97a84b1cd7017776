//! How far a correction goes while contacts of surfaces open and close.

use super::Corrections;
use super::kinetics::Kinetics;
use super::tolerances::{JUMP, LEAST_SHARE, LEAST_WAY, SLOPE_LEFT};
use crate::system::{Iterate, System, Workspace};

impl Corrections {
    /// Goes back on the way of the correction x in the room, whose residual is in the workspace, where points of surfaces have changed on it, until the forces do little work along it:
    ///
    /// ```text
    /// g(α) = r(q + α x)·x,    |g(α)| ≤ ½ |g(0)|
    /// ```
    ///
    /// Without friction g is the slope of a potential, and the pressure of layers makes it convex: with such steps Newton's method finds the minimum
    /// whichever points touch at first. With whole ones it can change for ever between two sets of them, or leave the contact.
    pub(super) fn search(
        &mut self,
        system: &System,
        kinetics: &mut impl Kinetics,
        at: &mut Iterate,
        work: &mut Workspace,
    ) {
        let first = self.slope;
        let (mut reached, mut short, mut beyond) = (1.0, [0.0, first], [1.0, f64::INFINITY]);
        loop {
            let slope = self.slope_of(system, at, work);
            let falls_short = slope < 0.0;
            let touches = work.points.iter().map(|point| &point.memory.touch);
            let same = self.touches.iter().eq(touches);
            let whole = reached == 1.0 && (falls_short || first >= 0.0 || same);
            let goes_on = slope.abs() > SLOPE_LEFT * first.abs();
            if whole || !goes_on {
                return;
            }
            *if falls_short { &mut short } else { &mut beyond } = [reached, slope.abs()];
            let width = beyond[0] - short[0];
            // Where a contact closes, g all but jumps; behind that the matrix knows of it.
            let jumps = width <= JUMP * beyond[0].max(LEAST_WAY);
            let next = match jumps {
                true => beyond[0],
                false => {
                    let share = short[1].abs() / (short[1].abs() + beyond[1]);
                    short[0] + width * share.clamp(LEAST_SHARE, 0.5)
                }
            };
            self.move_along(system, at, next - reached);
            kinetics.update(system, at);
            system.residual(at, work);
            if jumps {
                return;
            }
            reached = next;
        }
    }

    /// Work of the residual along the correction in the room.
    pub(super) fn slope_of(&self, system: &System, at: &Iterate, work: &Workspace) -> f64 {
        let each = self.interior.iter().zip(&system.unknown);
        let free = each.filter(|&(_, &u)| at.driven[u].is_none());
        free.map(|(x, &u)| x * work.residual[u]).sum()
    }

    /// Moves the iterate by a `share` of the correction in the room.
    pub(super) fn move_along(&self, system: &System, at: &mut Iterate, share: f64) {
        for (x, &u) in self.interior.iter().zip(&system.unknown) {
            at.q.add(u, share * x);
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            let s = slider.coordinate;
            match system.kept_place(j, at) {
                Some(place) => at.q.set(s, place),
                None => at.q.add(s, share * self.border[slider.border]),
            }
        }
        at.add_forces(system, share, &self.border);
    }
}
