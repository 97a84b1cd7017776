//! What the equations S answer to the forces of the [rows](super::rows).

use super::rows::Kind;
use crate::linear::Singular;
use crate::solve::stepper::Stepper;
use crate::system::{Constraint, System};

impl Stepper {
    /// Puts the forces of the rows on the right-hand side of S; other forces may be added before [`Stepper::respond`].
    pub(super) fn load_rows(&mut self, system: &System) {
        let residual = &mut self.work.residual;
        residual.fill(0.0);
        let (_, y) = self.corrections.room();
        y.fill(0.0);
        self.search.rows.multipliers.fill([0.0; 3]);
        for row in &self.search.rows.list {
            let (slider, force) = (&system.sliders[row.slider], row.force);
            if force == 0.0 || row.presses() {
                continue;
            }
            let closed = self.at.sliders[row.slider].constraint != Constraint::Open;
            if row.is_in_s(closed) {
                y[slider.border] += row.along * force;
                continue;
            }
            if row.kind == Kind::Opening {
                let opens = row.direction(system).map(|d| -d * force);
                let rows = y[slider.border + 1..][..2].iter_mut().zip(opens);
                rows.for_each(|(y, opens)| *y += opens);
                continue;
            }
            let force = row.on_slider(system).map(|d| -d * force);
            let own = &mut self.search.rows.multipliers[row.slider];
            (own.iter_mut().zip(force)).for_each(|(own, force)| *own += force);
            slider.add_forces(&row.place, &force, residual);
        }
        (self.corrections).load_nodal(system, &self.at, residual);
    }

    /// Solves the factored S for the [jump](Rows::jump) that its right-hand side makes.
    pub(super) fn respond(&mut self, system: &System) -> Result<(), Singular> {
        let (x, y) = self.corrections.room();
        self.work.matrix.solve(x, y)?;
        self.search.rows.jump.fill(0.0);
        for (dv, &u) in x.iter().zip(&system.unknown) {
            self.search.rows.jump[u] = *dv;
        }
        Ok(())
    }

    /// What row `r` measures of the last response.
    fn measure_row(&mut self, r: usize, system: &System) -> f64 {
        let row = &self.search.rows.list[r];
        let slider = &system.sliders[row.slider];
        let (_, y) = self.corrections.room();
        if row.is_in_s(self.at.sliders[row.slider].constraint != Constraint::Open) {
            return row.along * y[slider.border];
        }
        let measured = match row.kind {
            Kind::Pressing | Kind::Opening => {
                let own = &y[slider.border + 1..][..slider.conditions()];
                let mut multipliers = [0.0; 3];
                multipliers[..own.len()].copy_from_slice(own);
                multipliers
            }
            _ => (row.place).gap_of(&slider.path, &self.search.rows.jump, &slider.unknowns),
        };
        row.measure(system, measured)
    }

    /// M that the joint of row `r` carries by the last response.
    fn measure_moment(&mut self, r: usize, system: &System) -> f64 {
        let slider = &system.sliders[self.search.rows.list[r].slider];
        let (_, y) = self.corrections.room();
        let turns = slider.unknowns.len() == 3;
        if turns { y[slider.border + 3] } else { 0.0 }
    }

    /// Finds b of the rows, for which `value` takes its row and what that measures of the last response, and G.
    pub(super) fn set_rows(
        &mut self, system: &System, value: impl Fn(&Stepper, usize, f64) -> f64,
    ) -> Result<(), Singular> {
        for r in 0..self.search.rows.list.len() {
            let change = self.measure_row(r, system);
            let value = value(self, r, change);
            self.search.rows.kernel.set_velocity(r, value);
            if self.search.rows.list[r].presses() {
                let moment = self.measure_moment(r, system);
                let row = &mut self.search.rows.list[r];
                row.carried = [value, self.at.sliders[row.slider].multipliers[2] + moment];
            }
        }
        self.find_compliances(system)
    }

    /// Finds G of the rows, the answers of the factored S to a unit force in each.
    fn find_compliances(&mut self, system: &System) -> Result<(), Singular> {
        let rows = self.search.rows.list.len();
        let mut largest = 0.0_f64;
        for by in 0..rows {
            if self.search.rows.list[by].presses() {
                continue;
            }
            for (r, row) in self.search.rows.list.iter_mut().enumerate() {
                row.force = f64::from(u8::from(r == by));
            }
            self.load_rows(system);
            self.respond(system)?;
            for of in 0..rows {
                let value = self.measure_row(of, system);
                if self.search.rows.list[of].presses() {
                    let carried = [value, self.measure_moment(of, system)];
                    self.search.rows.set_carried_by(of, by, carried);
                } else {
                    self.search.rows.kernel.set_compliance(of, by, value);
                }
            }
            if self.search.rows.list[by].kind != Kind::Opening {
                largest = largest.max(self.search.rows.kernel.compliance(by));
            }
        }
        for r in (0..rows).filter(|r| self.search.rows.list[*r].presses()) {
            self.search.rows.kernel.set_compliance(r, r, largest);
        }
        Ok(())
    }
}
