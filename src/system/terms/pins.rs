//! All pins of a mechanism: their forces in the equations of motion and their conditions in the border.

mod coupling;
mod pin;

pub(crate) use coupling::PlacedCoupling;
pub(crate) use pin::{Pin, Weighed};

use super::Term;
use super::measure::{Side, displacements_in, ways};
use crate::checked::{Checked, turning};
use crate::linear::Bordered;
use crate::nodes::Nodes;
use crate::numerics::positions::Positions;
use crate::system::constraints::Moving;
use crate::system::equations::Equations;
use crate::system::numbers::{Number, Numbers};
use crate::system::sparse::largest;
use crate::system::{Iterate, Workspace};

/// All pins of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct Pins {
    /// In the order of their multipliers; what leads rigid stops and the couplings of the model are the last ones.
    pub list: Vec<Pin>,
    /// How many rigid stops and couplings there are.
    stops: usize,
    couplings: usize,
}

impl Pins {
    /// The pins of a model, whose multipliers begin at `border`.
    pub fn of(model: &Checked, nodes: &Nodes, border: usize) -> Pins {
        Pins {
            list: Pin::all(model, nodes, border),
            stops: model.rigid_stops.len(),
            couplings: model.couplings.len(),
        }
    }

    /// How many multipliers they have.
    pub fn rows(&self) -> usize {
        self.list.iter().map(Pin::rows).sum()
    }

    /// Coupling `i` with its place among the pins.
    pub fn coupling(&self, i: usize) -> Option<(usize, &PlacedCoupling)> {
        let place = self.place_of_coupling(i);
        Some((place, self.list.get(place)?.coupled()?))
    }

    /// The place of what leads the slider of rigid stop `i` among the pins.
    pub fn place_of_stop(&self, i: usize) -> usize {
        self.place_of_coupling(0) - self.stops + i
    }

    /// The place of coupling `i` among the pins.
    pub fn place_of_coupling(&self, i: usize) -> usize {
        self.list.len() - self.couplings + i
    }

    /// The pins' part of a solution of the border.
    pub fn of_border<'a>(&'a self, border: &'a [f64]) -> impl Iterator<Item = [f64; 2]> + 'a {
        self.list.iter().map(|pin| match pin.rows() {
            1 => [border[pin.border], 0.0],
            _ => [border[pin.border], border[pin.border + 1]],
        })
    }

    /// Adds the forces of the pins at the positions `q`, each with its multipliers, to `rows`.
    pub fn add_forces(
        &self, q: &Positions, multipliers: impl Iterator<Item = [f64; 2]>, rows: &mut [f64],
    ) {
        self.each_force_at(q, multipliers, |u, force| rows[u] += force);
    }

    /// Hands these forces to `add`.
    pub fn each_force_at(
        &self, q: &Positions, multipliers: impl Iterator<Item = [f64; 2]>,
        add: impl FnMut(usize, f64),
    ) {
        self.each_force_of(ways(q), |u| q[u], multipliers, add);
    }

    /// Hands the forces of the pins to `add`, where the `way` from one side to another and the `angle` of each rotation are known.
    fn each_force_of<D: Number>(
        &self, way: impl Fn([Side; 2]) -> D + Copy, angle: impl Fn(usize) -> D,
        multipliers: impl Iterator<Item = [D; 2]>, mut add: impl FnMut(usize, D),
    ) {
        for (pin, multipliers) in self.list.iter().zip(multipliers) {
            if let Some(coupling) = pin.coupled() {
                coupling.each_slope(way, |u, slope| add(u, multipliers[0] * slope));
            }
            for term in pin.terms() {
                for (row, multiplier) in turning(term.weight).iter().zip(multipliers) {
                    for (u, weight) in term.point.node.iter().zip(row) {
                        add(*u, multiplier * *weight);
                    }
                }
                if let Some(arm) = &term.point.arm {
                    let lever = term.weighed(arm.lever(angle(arm.rotation)));
                    add(arm.rotation, dot(multipliers, lever));
                }
            }
        }
    }

    /// Writes `sign` times the pins' gaps into the border.
    pub fn gaps(&self, q: &Positions, sign: f64, border: &mut [f64]) {
        for pin in &self.list {
            let rows = &mut border[pin.border..][..pin.rows()];
            for (row, gap) in rows.iter_mut().zip(pin.gap(q)) {
                *row = sign * gap;
            }
        }
    }

    /// Writes `sign` times the rates of the pins' gaps into the border.
    pub fn rates(&self, q: &Positions, rates: &[f64], sign: f64, border: &mut [f64]) {
        for pin in &self.list {
            let rows = &mut border[pin.border..][..pin.rows()];
            for (row, rate) in rows.iter_mut().zip(pin.rate(q, rates)) {
                *row = sign * rate;
            }
        }
    }

    /// Calls `row` with each row of the border that is a constraint.
    pub fn each_constraint(&self, mut row: impl FnMut(usize)) {
        for pin in &self.list {
            (0..pin.rows()).for_each(|i| row(pin.border + i));
        }
    }

    /// Writes `scale` times the first or second derivatives of the constraints into their rows of the `border`.
    pub fn write_constraints(&self, q: &Positions, moving: Moving, scale: f64, border: &mut [f64]) {
        for pin in &self.list {
            let rate = pin.rate(q, moving.highest());
            let bent = match moving.acceleration {
                Some(_) => pin.curvature(q, [moving.velocity; 2]),
                None => [0.0; 2],
            };
            let rows = &mut border[pin.border..][..pin.rows()];
            for (row, (rate, bent)) in rows.iter_mut().zip(rate.into_iter().zip(bent)) {
                *row = scale * (rate + bent);
            }
        }
    }

    /// Adds `scale` times the second derivatives of the constraints along two changes of the unknowns to their rows of the `border`.
    pub fn add_curvature(&self, q: &Positions, along: [&[f64]; 2], scale: f64, border: &mut [f64]) {
        for pin in &self.list {
            let bent = pin.curvature(q, along);
            let rows = border[pin.border..][..pin.rows()].iter_mut();
            rows.zip(bent).for_each(|(row, bent)| *row += scale * bent);
        }
    }

    /// Adds the change of their work by the trapezoidal rule, J, by changes of the positions `q` and of the multipliers at one end of a step, where the
    /// unknowns go these `ways` over it, and their change.
    pub fn add_work_change(
        &self, (q, by): (&Positions, &[f64]), (pins, changes): (&[[f64; 2]], &[[f64; 2]]),
        ways: [&[f64]; 2], sum: &mut f64,
    ) {
        for (pin, (multipliers, changes)) in self.list.iter().zip(pins.iter().zip(changes)) {
            let [gap, moved] = ways.map(|way| pin.rate(q, way));
            let bent = pin.curvature(q, [by, ways[0]]);
            for i in 0..pin.rows() {
                *sum += 0.5 * (changes[i] * gap[i] + multipliers[i] * (moved[i] + bent[i]));
            }
        }
    }

    /// Adds the pins' columns to the matrix, and how their arms turn.
    fn add_tangent(&self, equations: &Equations, at: &Iterate, matrix: &mut Bordered) {
        for (pin, &multipliers) in self.list.iter().zip(&at.pins) {
            // The forces of what presses a hinge stand in another column, too.
            let add = |matrix: &mut Bordered, e: usize, b: usize, value: f64| {
                matrix.add_column(e, b, value);
                if pin.presses {
                    matrix.add_row(b, e, value);
                }
            };
            if pin.presses {
                (0..pin.rows()).for_each(|i| matrix.give_own_row(pin.border + i));
            }
            if let Some(coupling) = pin.coupled() {
                coupling.add_tangent(equations, (pin.border, multipliers[0]), &at.q, matrix);
            }
            for term in pin.terms() {
                for (i, row) in turning(term.weight).iter().enumerate() {
                    let entries = term.point.node.iter().zip(row);
                    for (&u, weight) in entries.filter(|(_, weight)| **weight != 0.0) {
                        if let Some(e) = equations.of(u) {
                            add(matrix, e, pin.border + i, *weight);
                        }
                    }
                }
                let Some(arm) = &term.point.arm else {
                    continue;
                };
                if let Some(e) = equations.of(arm.rotation) {
                    let angle = at.q[arm.rotation];
                    let lever = term.weighed(arm.lever(angle));
                    for (i, lever) in lever.into_iter().enumerate() {
                        add(matrix, e, pin.border + i, lever);
                    }
                    let place = matrix.interior.layout.position(e, e);
                    matrix.interior.values[place] -=
                        dot(multipliers, term.weighed(arm.turned(angle)));
                }
            }
        }
    }
}

impl Term for Pins {
    fn each_force<N: Numbers<Iterate>>(&self, at: &N, add: impl FnMut(usize, N::Number)) {
        let multiplier = |p: usize, i: usize| at.get(|at| at.pins[p][i]);
        let multipliers = (0..self.list.len()).map(|p| [0, 1].map(|i| multiplier(p, i)));
        self.each_force_of(displacements_in(at), |u| at.get(|at| at.q[u]), multipliers, add);
    }

    fn evaluate(
        &self, equations: &Equations, at: &Iterate, work: &mut Workspace, tangent: bool,
    ) -> f64 {
        self.add_forces(&at.q, at.pins.iter().copied(), &mut work.residual);
        if tangent {
            self.add_tangent(equations, at, &mut work.matrix);
        }
        largest(at.pins.as_flattened())
    }
}

fn dot<D: Number>(a: [D; 2], b: [D; 2]) -> D {
    a[0] * b[0] + a[1] * b[1]
}
