//! What the equations S answer to the forces of the [rows](super::rows).

use super::rows::{Kind, Row, Rows};
use crate::linear::Singular;
use crate::newton::Newton;
use crate::system::{Constraint, Iterate, System};

impl Rows {
    /// Puts the forces of the rows on the right-hand side of S; other forces may be added before [`Rows::respond`].
    pub(super) fn load(&mut self, system: &System, newton: &mut Newton) {
        let Newton { at, work, corrections } = newton;
        let residual = &mut work.residual;
        residual.fill(0.0);
        let (_, y) = corrections.room();
        y.fill(0.0);
        self.multipliers.fill([0.0; 3]);
        for row in &self.list {
            let (slider, force) = (&system.sliders[row.slider], row.force);
            if force == 0.0 || row.presses() {
                continue;
            }
            let closed = at.sliders[row.slider].constraint != Constraint::Open;
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
            let own = &mut self.multipliers[row.slider];
            (own.iter_mut().zip(force)).for_each(|(own, force)| *own += force);
            slider.add_forces(&row.place, &force, residual);
        }
        corrections.load_nodal(system, at, residual);
    }

    /// Solves the factored S for the [jump](Rows::jump) that its right-hand side makes.
    pub(super) fn respond(&mut self, system: &System, newton: &mut Newton) -> Result<(), Singular> {
        let (x, y) = newton.corrections.room();
        newton.work.matrix.solve(x, y)?;
        self.jump.fill(0.0);
        for (dv, &u) in x.iter().zip(&system.unknown) {
            self.jump[u] = *dv;
        }
        Ok(())
    }

    /// What row `r` measures of the last response.
    fn measure(&self, r: usize, system: &System, newton: &mut Newton) -> f64 {
        let row = &self.list[r];
        let slider = &system.sliders[row.slider];
        let (_, y) = newton.corrections.room();
        if row.is_in_s(newton.at.sliders[row.slider].constraint != Constraint::Open) {
            return row.along * y[slider.border];
        }
        let measured = match row.kind {
            Kind::Pressing | Kind::Opening => {
                let own = &y[slider.border + 1..][..slider.conditions()];
                let mut multipliers = [0.0; 3];
                multipliers[..own.len()].copy_from_slice(own);
                multipliers
            }
            _ => (row.place).gap_of(&slider.path, &self.jump, &slider.unknowns),
        };
        row.measure(system, measured)
    }

    /// M that the joint of row `r` carries by the last response.
    fn measure_moment(&self, r: usize, system: &System, newton: &mut Newton) -> f64 {
        let slider = &system.sliders[self.list[r].slider];
        let (_, y) = newton.corrections.room();
        let turns = slider.unknowns.len() == 3;
        if turns { y[slider.border + 3] } else { 0.0 }
    }

    /// Finds b of the rows, for which `value` takes its row and what that measures of the last response, and G.
    pub(super) fn set(
        &mut self, system: &System, newton: &mut Newton, value: impl Fn(&Row, &Iterate, f64) -> f64,
    ) -> Result<(), Singular> {
        for r in 0..self.list.len() {
            let change = self.measure(r, system, newton);
            let value = value(&self.list[r], &newton.at, change);
            self.kernel.set_velocity(r, value);
            if self.list[r].presses() {
                let moment = self.measure_moment(r, system, newton);
                let row = &mut self.list[r];
                row.carried = [value, newton.at.sliders[row.slider].multipliers[2] + moment];
            }
        }
        self.find_compliances(system, newton)
    }

    /// Finds G of the rows, the answers of the factored S to a unit force in each.
    fn find_compliances(&mut self, system: &System, newton: &mut Newton) -> Result<(), Singular> {
        let rows = self.list.len();
        let mut largest = 0.0_f64;
        for by in 0..rows {
            if self.list[by].presses() {
                continue;
            }
            for (r, row) in self.list.iter_mut().enumerate() {
                row.force = f64::from(u8::from(r == by));
            }
            self.load(system, newton);
            self.respond(system, newton)?;
            for of in 0..rows {
                let value = self.measure(of, system, newton);
                if self.list[of].presses() {
                    self.carried_by[of * rows + by] =
                        [value, self.measure_moment(of, system, newton)];
                } else {
                    self.kernel.set_compliance(of, by, value);
                }
            }
            if self.list[by].kind != Kind::Opening {
                largest = largest.max(self.kernel.compliance(by));
            }
        }
        for r in (0..rows).filter(|r| self.list[*r].presses()) {
            self.kernel.set_compliance(r, r, largest);
        }
        Ok(())
    }
}
