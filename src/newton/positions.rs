//! Corrections of positions onto the constraints.

use fearless_simd::dispatch;

use super::kinetics::{Kinetics, Motion};
use super::tolerances::CLOSED;
use super::{Corrections, Failure, largest_change};
use crate::numerics::lanes::level;
use crate::system::{Iterate, System, Workspace};

impl Corrections {
    /// Whether a stage begins with its constraints closed, or lets them be. Else its own matrix corrects the positions, so that the correction is a
    /// function of this stage alone.
    pub(super) fn closed(
        &mut self, system: &System, kinetics: &mut impl Kinetics, at: &Iterate, work: &Workspace,
    ) -> bool {
        match kinetics.stabilised() {
            Some(motion) => self.find_open(system, motion, at, work) <= CLOSED,
            None => true,
        }
    }

    /// Finds what positions lack of the constraints, but for what velocities lack: that moves positions, too, once accelerations make up for
    /// it. Puts the border with the rates of the constraints in their place into the room; returns the largest lack as a share of the tolerance.
    fn find_open(
        &mut self, system: &System, motion: &mut Motion, at: &Iterate, work: &Workspace,
    ) -> f64 {
        motion.find_velocities(system, at);
        let scale = 1.0 / motion.stage.rate();
        self.open.copy_from_slice(&work.border);
        self.border.copy_from_slice(&work.border);
        system.constraint_rates(at, &work.placed, &motion.velocity, scale, &mut self.border);
        let rates = self.open.iter_mut().zip(&self.border);
        rates.for_each(|(open, rate)| *open -= rate);
        let largest = self.open.iter().fold(0.0_f64, |most, open| most.max(open.abs()));
        largest / (system.model.solver.position_tolerance * system.size)
    }

    /// Moves the positions onto the constraints, at the same velocities and accelerations, and puts the rates of the constraints in their place in the
    /// border; returns how far it moves, relative to the mechanism's size.
    pub(super) fn correct_positions(
        &mut self, system: &System, motion: &mut Motion, at: &mut Iterate, work: &mut Workspace,
    ) -> Result<f64, Failure> {
        let open = self.find_open(system, motion, at, work);
        work.border.copy_from_slice(&self.border);
        if open <= CLOSED {
            return Ok(0.0);
        }
        self.interior.fill(0.0);
        let (x, y) = (&mut self.interior, &mut self.border);
        (y.iter_mut().zip(&self.open)).for_each(|(y, open)| *y = -open);
        (work.matrix.solve(x, y)).map_err(|_| Failure::singular(work))?;
        self.leave_out_rounding(system, work);
        if let Some(trail) = &mut self.trail {
            let size = largest_change(system, &self.interior, &self.border);
            trail.add((&self.interior, &self.border), work.matrix.version(), size);
        }
        if !system.surfaces.contacts.is_empty() {
            let farthest = largest_change(system, &self.interior, &self.border);
            let by = system.correction(&self.interior, farthest);
            system.surfaces.shift_points(at, work, &by);
        }
        let mut size = 0.0_f64;
        self.shift.fill(0.0);
        for &u in at.driven.unknowns() {
            if let Some(equation) = system.equation.of(u) {
                self.interior[equation] = 0.0;
            }
        }
        dispatch!(level(), _ => for run in system.equation.runs() {
            let ways = &self.interior[run.equations()];
            motion.shift(run.unknowns(), at, ways);
            self.shift[run.unknowns()].copy_from_slice(ways);
        });
        size = size.max(system.largest_change(&self.interior));
        for (j, slider) in system.sliders.iter().enumerate() {
            let way = self.border[slider.border];
            if system.sliders[j].kept_place(at).is_none() {
                let s = slider.coordinate;
                motion.shift(s..s + 1, at, &[way]);
                at.sliders[j].velocity.shift(way);
                size = size.max(way.abs() / system.size);
            }
        }
        at.add_forces(system, 1.0, &self.border);
        // With these forces the stiffness is balanced, and what is left of S δ is that of inertia, which δ does not feel.
        system.mass.forces(&self.shift, &mut self.carried);
        let factor = motion.stage.mass_factor();
        let rows = work.residual.iter_mut().zip(&self.carried);
        rows.for_each(|(row, carried)| *row -= factor * carried);
        Ok(size)
    }
}
