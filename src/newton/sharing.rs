//! Forces of redundant constraints that what sticks can bear.
//!
//! Of the forces of redundant constraints only the sum is determined, and regularised ones divide it as equal springs would. Where that loads a
//! sticking slider beyond its static friction although others could carry the rest, nothing slides: rest is a solution as long as any distribution
//! within the limits carries the loads. A shift δ of the multipliers λ₀ from which the springs begin changes the multipliers by
//!
//! ```text
//! Δλ = P δ,    P = ε (G S⁻¹ Gᵀ + ε)⁻¹
//! ```
//!
//! which tends to the projection onto the forces that balance each other, and moves nothing. The [least](LeastChange) δ with
//!
//! ```text
//! |F_f| ≤ (1 − margin) F_s(F_N)    of each slider that sticks,    p ≥ 0    of each contact that may open
//! ```
//!
//! is found with these conditions linearised: the springs yield at their limits. Where there is none the forces stay as they are.

use super::Corrections;
use super::tolerances::{COUPLED, MARGIN, PROJECTIONS, SHARINGS};
use crate::joints::regime::Regime;
use crate::linear::LeastChange;
use crate::system::{Along, Constraint, Iterate, System, Workspace};

/// Room for sharing the forces of redundant constraints.
#[derive(Debug, Clone)]
pub struct Sharing {
    /// Sliders whose constraints may be redundant.
    all: Vec<Share>,
    /// Places in `all` of those whose forces balance each other.
    members: Vec<usize>,
    /// Multipliers of members that are shifted.
    columns: Vec<Column>,
    /// Change of the multipliers of all by a unit in each column.
    responses: Vec<[f64; 3]>,
    least: LeastChange,
    /// Multipliers of pins before.
    pins: Vec<[f64; 2]>,
}

/// A slider whose constraints may be redundant.
#[derive(Debug, Clone, Default)]
struct Share {
    slider: usize,
    /// Whether it belongs to forces that have been looked at.
    seen: bool,
    /// δ.
    shift: [f64; 3],
    /// λ and λ₀ before.
    before: [[f64; 3]; 2],
}

/// A multiplier that is shifted.
#[derive(Debug, Clone, Copy)]
struct Column {
    /// Place of its slider in the list.
    place: usize,
    component: usize,
    /// The multiplier per force, 1 or m.
    unit: f64,
}

impl Corrections {
    /// Shares the forces of the solution in the iterate anew where a slider that sticks carries more than it bears and others can carry the rest;
    /// whether any have changed. The matrix factored last is that of the iterate.
    pub fn share(&mut self, system: &System, at: &mut Iterate, work: &mut Workspace) -> bool {
        let Corrections { sharing, interior, border, .. } = self;
        let mut any = false;
        sharing.all.iter_mut().for_each(|share| share.seen = false);
        for first in 0..sharing.all.len() {
            let Share { slider, seen, .. } = sharing.all[first];
            let gives = !seen && at.sliders[slider].compliance != [0.0; 3];
            if gives && excess(system, slider, at, work) > 0.0 {
                let mut group = Group { sharing, system, at, work, room: (interior, border) };
                any |= group.find(first) && group.share();
            }
        }
        if any {
            system.evaluate_joints(at, work, None);
        }
        any
    }
}

impl Sharing {
    /// Room for the sliders of `system`.
    pub fn new(system: &System) -> Sharing {
        let sliders = system.sliders.iter().filter(|slider| {
            !slider.carries_friction_of_edge() && (slider.cuts || slider.side.is_some())
        });
        let share = |slider| Share { slider, ..Share::default() };
        let mut all: Vec<Share> = sliders.map(|slider| share(slider.index)).collect();
        if all.len() < 2 {
            all.clear();
        }
        let n = all.len();
        Sharing {
            all,
            members: Vec::with_capacity(n),
            columns: Vec::with_capacity(3 * n),
            responses: Vec::with_capacity(3 * n * n),
            least: LeastChange::new(3 * n),
            pins: Vec::with_capacity(system.pins.list.len()),
        }
    }
}

/// Forces that balance each other, with the solution that they belong to.
struct Group<'a> {
    sharing: &'a mut Sharing,
    system: &'a System,
    at: &'a mut Iterate,
    work: &'a mut Workspace,
    /// Right-hand side and solution of a linear system.
    room: (&'a mut [f64], &'a mut [f64]),
}

impl Group<'_> {
    /// Finds the sliders whose forces balance each other with those of the one at place `first`, and what their multipliers answer to shifts; whether
    /// there are any.
    fn find(&mut self, first: usize) -> bool {
        let system = self.system;
        self.sharing.members.clear();
        self.sharing.columns.clear();
        self.sharing.responses.clear();
        self.add(first);
        let mut next = 0;
        while let Some(&place) = self.sharing.members.get(next) {
            let slider = &system.sliders[self.sharing.all[place].slider];
            let conditions = if slider.path.is_free() { 1 } else { slider.conditions() };
            for component in 0..conditions {
                let unit = if component == 2 { system.size } else { 1.0 };
                self.clear_shifts();
                self.sharing.all[place].shift[component] = unit;
                if !self.respond() {
                    return false;
                }
                self.sharing.columns.push(Column { place, component, unit });
                for other in 0..self.sharing.all.len() {
                    let change = self.answer(other);
                    let [x, y, turn] = change;
                    self.sharing.responses.push(change);
                    if x.abs().max(y.abs()).max(turn.abs() / system.size) > COUPLED {
                        self.add(other);
                    }
                }
            }
            next += 1;
        }
        self.sharing.members.len() > 1
    }

    /// Makes the slider at `place` a member.
    fn add(&mut self, place: usize) {
        self.sharing.all[place].seen = true;
        if !self.sharing.members.contains(&place) {
            self.sharing.members.push(place);
        }
    }

    fn clear_shifts(&mut self) {
        self.sharing.all.iter_mut().for_each(|share| share.shift = [0.0; 3]);
    }

    /// Solves for what the shifts change; whether there is an answer.
    fn respond(&mut self) -> bool {
        let (x, y) = (&mut *self.room.0, &mut *self.room.1);
        x.fill(0.0);
        y.fill(0.0);
        for share in &self.sharing.all {
            let slider = &self.system.sliders[share.slider];
            let rows = y[slider.border + 1..][..slider.conditions()].iter_mut();
            let compliance = self.at.sliders[share.slider].compliance;
            rows.zip(compliance.iter().zip(share.shift))
                .for_each(|(row, (compliance, shift))| *row = -compliance * shift);
        }
        let solved = self.work.matrix.solve(x, y).is_ok();
        solved && y.iter().all(|force| force.is_finite())
    }

    /// Change of the regularised multipliers of the slider at `place` by the last response.
    fn answer(&self, place: usize) -> [f64; 3] {
        let j = self.sharing.all[place].slider;
        let slider = &self.system.sliders[j];
        let mut change = [0.0; 3];
        if self.at.sliders[j].compliance != [0.0; 3] {
            let own = &self.room.1[slider.border + 1..][..slider.conditions()];
            change[..own.len()].copy_from_slice(own);
        }
        change
    }

    /// Shares the forces; whether all members then bear what they carry. Otherwise forces are what they were.
    fn share(&mut self) -> bool {
        self.keep();
        for _ in 0..SHARINGS {
            self.write_limits();
            self.clear_shifts();
            let Sharing { all, columns, least, .. } = &mut *self.sharing;
            let Ok(change) = least.solve() else { break };
            for (column, d) in columns.iter().zip(change) {
                all[column.place].shift[column.component] = column.unit * d;
            }
            if !self.take_shifts() {
                break;
            }
            if self.bears() {
                return true;
            }
        }
        self.go_back();
        false
    }

    /// Shifts λ₀, and with it the multipliers.
    fn take_shifts(&mut self) -> bool {
        for _ in 1..PROJECTIONS {
            if !self.respond() {
                return false;
            }
            for place in 0..self.sharing.all.len() {
                self.sharing.all[place].shift = self.answer(place);
            }
        }
        if !self.respond() {
            return false;
        }
        for share in &self.sharing.all {
            let reference = &mut self.at.sliders[share.slider].reference;
            (reference.iter_mut().zip(share.shift)).for_each(|(own, shift)| *own += shift);
        }
        self.at.add_forces(self.system, 1.0, self.room.1);
        self.at.press_hinges(self.system);
        true
    }

    fn keep(&mut self) {
        for share in &mut self.sharing.all {
            let own = &self.at.sliders[share.slider];
            share.before = [own.multipliers, own.reference];
        }
        self.sharing.pins.clear();
        self.sharing.pins.extend_from_slice(&self.at.pins);
    }

    fn go_back(&mut self) {
        for share in &self.sharing.all {
            let own = &mut self.at.sliders[share.slider];
            [own.multipliers, own.reference] = share.before;
        }
        self.at.pins.copy_from_slice(&self.sharing.pins);
    }

    /// Whether every member bears what it carries, and no contact pulls.
    fn bears(&self) -> bool {
        self.sharing.members.iter().all(|&place| {
            let j = self.sharing.all[place].slider;
            excess(self.system, j, self.at, self.work) <= 0.0 && self.pull(j) <= 0.0
        })
    }

    /// The force by which slider `j` would have to hold its contact together, N; below 0 it presses.
    fn pull(&self, j: usize) -> f64 {
        let side = self.system.sliders[j].side.map_or(0.0, |side| side.sign());
        side * self.work.placed[j].signed_normal_force(&self.at.sliders[j].multipliers)
    }

    /// Writes what the members bear, linearised at their multipliers, as shares of it.
    fn write_limits(&mut self) {
        let Group { sharing, system, at, work, .. } = self;
        let Sharing { all, members, columns, responses, least, .. } = &mut **sharing;
        least.begin(columns.len());
        for &place in &*members {
            let j = all[place].slider;
            let (slider, k) = (&system.sliders[j], &work.placed[j]);
            let change = |by: [f64; 3], column: usize| {
                let [x, y, turn] = responses[column * all.len() + place];
                by[0] * x + by[1] * y + by[2] * turn
            };
            let own = &at.sliders[j];
            if own.constraint != Constraint::Open
                && let Some(side) = slider.side
            {
                let pull = k.normal().map(|n| side.sign() * n);
                let slack = -side.sign() * k.signed_normal_force(&own.multipliers);
                let size = slack.abs().max(f64::MIN_POSITIVE);
                least.add(slack / size, |column| change(pull, column) / size);
            }
            if sticks(system, j, at, work) {
                let load = slider.static_load(at, k);
                let bears = (1.0 - MARGIN) * load.bears;
                let size = bears.max(load.force.abs()).max(f64::MIN_POSITIVE);
                for sign in [1.0, -1.0] {
                    let by = [0, 1, 2]
                        .map(|i| sign * load.force_by[i] - (1.0 - MARGIN) * load.bears_by[i]);
                    let slack = bears - sign * load.force;
                    least.add(slack / size, |column| change(by, column) / size);
                }
            }
        }
    }
}

/// Whether slider `j` sticks in the solution in the iterate.
fn sticks(system: &System, j: usize, at: &Iterate, work: &Workspace) -> bool {
    let (slider, own) = (&system.sliders[j], &at.sliders[j]);
    let holds = match own.along {
        Along::Stick => true,
        Along::Law => slider.cuts && work.sliders[j].branch.regime == Regime::Stick,
        Along::Free | Along::Slip(_) | Along::Driven(_) => false,
    };
    holds && slider.friction.acts && own.constraint == Constraint::Path
}

/// How far slider `j` is beyond what it bears at rest, as a share of that; above 0 where it is.
fn excess(system: &System, j: usize, at: &Iterate, work: &Workspace) -> f64 {
    match sticks(system, j, at, work) {
        true => system.sliders[j].static_load(at, &work.placed[j]).overload(),
        false => -1.0,
    }
}
