//! Rows of the complementarity problem of an instant: contacts, stops and friction of sliders.
//!
//! What is unilateral or set-valued at an instant, in an impact or where accelerations start afresh, is a row of the problem of
//! [impulses](crate::linear::impulses). The rows are off the equations S, which keep the joints that hold; a unit force in each row and
//! the answer of S to it make the matrix G. Friction of a joint that holds is bounded by what presses in it, a force of S: it
//! follows the forces of the rows by a row of its own.

use crate::checked::Side;
use crate::joints::regime::End;
use crate::joints::slider::Kinematics;
use crate::laws::friction::Contact;
use crate::linear::Singular;
use crate::linear::impulses::{Kernel, Law};
use crate::linear::mlcp::Coulomb;
use crate::solve::tolerances::{FRICTION_ROUNDS, ROWS_SETTLED, SET_TIME};
use crate::system::{Constraint, Iterate, Slider, State, System};

/// One row of the problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub slider: usize,
    pub kind: Kind,
    /// Force along s per force of the row.
    pub along: f64,
    /// Where its slider is.
    pub place: Kinematics,
    /// Its force or impulse.
    pub force: f64,
    /// Whether it is friction that has reached its limit.
    slides: bool,
    /// Whether it is friction of what has slid up to this instant.
    pub arrives: bool,
    /// What its joint carries without the forces of rows, where it presses.
    pub carried: Carried,
    /// ∂F_N by N, M and F_f with which it was written last.
    slopes: [f64; 3],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Normal force of a contact that touches and is open in S.
    Normal,
    /// Opening of a contact that is closed in S.
    Opening,
    Stop(End),
    Friction,
    /// F_N of a joint of S, linear in the row's N and M and in friction.
    Pressing,
}

/// What the joint of a row carries: N and M of its multipliers, N and N·m.
pub(super) type Carried = [f64; 2];

/// The rows of an instant and room for their forces.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub kernel: Kernel,
    pub list: Vec<Row>,
    /// Forces of contacts that are rows, as multipliers.
    pub multipliers: Vec<[f64; 3]>,
    /// Change of all unknowns by the last response of S.
    pub jump: Vec<f64>,
    /// Velocities of all unknowns before an impact.
    pub before: Vec<f64>,
    /// What the joints of pressing rows carry by a unit force in each row, by rows.
    pub carried_by: Vec<Carried>,
    /// What joints carry of an impulse that has come before, as multipliers: of motions that jump.
    pub imposed: Vec<[f64; 3]>,
}

impl Rows {
    pub fn new(system: &System) -> Rows {
        let most = system.sliders.iter().map(Slider::most_rows).sum();
        Rows {
            kernel: Kernel::new(most),
            list: Vec::with_capacity(most),
            multipliers: vec![[0.0; 3]; system.sliders.len()],
            jump: vec![0.0; system.initial.len()],
            before: vec![0.0; system.initial.len()],
            carried_by: Vec::with_capacity(most * most),
            imposed: vec![[0.0; 3]; system.sliders.len()],
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.list.clear();
        self.kernel.clear();
    }

    /// Gives room to G and b of the rows that have been added.
    pub fn open(&mut self) {
        self.kernel.open();
        let rows = self.list.len();
        self.carried_by.clear();
        self.carried_by.resize(rows * rows, [0.0; 2]);
    }

    /// Adds a row of a slider at `place`; returns its number.
    fn add(&mut self, slider: usize, place: Kinematics, kind: Kind, along: f64) -> usize {
        self.list.push(Row {
            slider,
            kind,
            along,
            place,
            force: 0.0,
            slides: false,
            arrives: false,
            carried: [0.0; 2],
            slopes: [0.0; 3],
        });
        self.kernel.add(match kind {
            Kind::Normal | Kind::Stop(_) => Law::Unilateral,
            Kind::Opening => Law::Opening,
            Kind::Pressing => Law::Bilateral,
            Kind::Friction => unbounded(self.list.len() - 2),
        })
    }

    /// Adds the rows of slider `j`: a stop, its contact with the force of friction along s per normal force where it slides, and where it
    /// has friction that of the contact that is open in S, or of the joint that is closed there; it may arrive by sliding.
    pub fn add_slider(
        &mut self, j: usize, place: Kinematics, stop: Option<End>, contact: Option<(Kind, f64)>,
        (friction, arrives): (bool, bool),
    ) {
        if let Some(end) = stop {
            self.add(j, place, Kind::Stop(end), -end.outward());
        }
        if let Some((kind, along)) = contact {
            self.add(j, place, kind, along);
        }
        if friction {
            if !contact.is_some_and(|(kind, _)| kind == Kind::Normal) {
                self.add(j, place, Kind::Pressing, 0.0);
            }
            let r = self.add(j, place, Kind::Friction, place.stretch);
            self.list[r].arrives = arrives;
        }
    }
}

/// Friction that follows the row `normal`, before it has a limit.
fn unbounded(normal: usize) -> Law {
    let coefficient = 0.0;
    Law::Friction(Coulomb { normal, coefficient })
}

impl Row {
    /// What it measures of ċ at constant s, or of multipliers.
    pub fn measure(&self, system: &System, of: [f64; 3]) -> f64 {
        let direction = self.direction(system);
        direction.iter().zip(of).map(|(d, c)| d * c).sum()
    }

    /// Its direction among the components of a gap.
    pub fn direction(&self, system: &System) -> [f64; 3] {
        let k = &self.place;
        let side = system.sliders[self.slider].side.map_or(1.0, Side::sign);
        match self.kind {
            Kind::Normal => k.normal().map(|n| side * n),
            Kind::Pressing => k.normal(),
            Kind::Opening => k.normal().map(|n| -side * n),
            Kind::Stop(_) | Kind::Friction => tangential(k, self.along),
        }
    }

    /// Force on the slider per force of the row.
    pub fn on_slider(&self, system: &System) -> [f64; 3] {
        let mut force = self.direction(system);
        if self.kind == Kind::Normal {
            let friction = tangential(&self.place, self.along);
            (force.iter_mut().zip(friction)).for_each(|(force, friction)| *force += friction);
        }
        force
    }

    /// Whether it acts in the row of s of S, and is measured there, when the contact is `closed` in S.
    pub fn is_in_s(&self, closed: bool) -> bool {
        closed && matches!(self.kind, Kind::Stop(_) | Kind::Friction)
    }

    /// What it measures of velocities before an impact; of what acts in the row of s that comes with the joints.
    pub fn velocity_before(&self, system: &System, at: &Iterate, state: &State) -> f64 {
        let slider = &system.sliders[self.slider];
        if at.sliders[self.slider].constraint != Constraint::Open {
            return 0.0;
        }
        self.measure(system, self.place.gap_of(&slider.path, &state.velocity, &slider.unknowns))
    }

    /// What it measures without accelerations, in τ² times that.
    pub fn at_first(&self, system: &System, at: &Iterate, state: &State) -> f64 {
        let j = self.slider;
        let own = &at.sliders[j];
        let tau = state.short();
        // What leaves has left over a short time, whatever accelerates it.
        let leaves = |speed: f64| 2.0 * speed / (SET_TIME * state.step());
        let accelerated =
            || self.measure(system, system.sliders[j].gap_acceleration(at, &state.velocity));
        let in_s = self.is_in_s(own.constraint != Constraint::Open);
        match self.kind {
            Kind::Pressing | Kind::Opening => self.measure(system, own.multipliers),
            Kind::Normal => {
                let speed = system.sliders[j].leaving(&state.q, &state.velocity);
                tau * tau * (accelerated() + leaves(speed.max(0.0)))
            }
            Kind::Stop(end) => {
                let speed = -end.outward() * state.velocity[system.sliders[j].coordinate];
                let along = if in_s { 0.0 } else { accelerated() };
                tau * tau * (along + leaves(speed))
            }
            Kind::Friction if in_s => 0.0,
            Kind::Friction => tau * tau * accelerated(),
        }
    }

    /// Whether it is a force of S.
    pub fn presses(&self) -> bool {
        self.kind == Kind::Pressing
    }
}

/// The force on a slider whose part along s is `by`.
fn tangential(k: &Kinematics, by: f64) -> [f64; 3] {
    let square = k.tangent[0] * k.tangent[0] + k.tangent[1] * k.tangent[1];
    [by * k.tangent[0] / square, by * k.tangent[1] / square, 0.0]
}

/// The largest force of friction per force that presses on slider `j` where `state` is: of rest, or of sliding with `speed` (m/s).
pub(super) fn friction_limit(
    (system, state): (&System, &State), j: usize, pressing: f64, speed: f64, slides: bool,
) -> f64 {
    let law = state.tuning.friction(j);
    let seen = |normal_force| Contact {
        velocity: speed,
        normal_force,
        position: state.q[system.sliders[j].coordinate],
        time: state.time,
        ..Contact::default()
    };
    if !slides {
        return law.static_force(&seen(pressing)) / pressing;
    }
    let force = |normal_force| law.slide(&seen(normal_force), 1.0).force;
    (force(pressing) - force(0.0)) / pressing
}

impl Slider {
    /// Rows that it may have: a stop, and a contact that can open or what presses in a joint with its friction.
    fn most_rows(&self) -> usize {
        let friction = usize::from(self.friction.acts);
        let stop = usize::from(self.ends.stops());
        let contact = usize::from(self.side.is_some());
        stop + contact + 2 * friction
    }
}

impl Rows {
    /// Gives friction the limits that go with the forces; whether that changes any.
    pub fn bound_friction(
        &mut self, system: &System, coefficient: impl Fn(usize, f64, bool) -> f64,
    ) -> bool {
        let mut any = false;
        for r in 0..self.list.len() {
            let Law::Friction(before) = self.kernel.law(r) else {
                continue;
            };
            let (slider, normal) = (self.list[r].slider, before.normal);
            let pressing = if self.list[normal].presses() {
                let (pressing, changed) = self.linearise(normal, r, system);
                any |= changed;
                pressing
            } else {
                self.list[normal].force.max(0.0)
            };
            let now =
                Coulomb { normal, coefficient: coefficient(slider, pressing, self.list[r].slides) };
            any |= (now.coefficient - before.coefficient).abs() > ROWS_SETTLED * now.coefficient;
            self.kernel.set_law(r, Law::Friction(now));
        }
        any
    }

    /// Whether all friction in the rows can hold at rest; the forces are then those. Where friction presses itself there may be other
    /// solutions, in which it drives; what can stay at rest does.
    pub fn stays_at_rest(
        &mut self, system: &System, coefficient: impl Fn(usize, f64, bool) -> f64,
    ) -> bool {
        let rows = self.list.len();
        let frictions = (0..rows).filter(|r| self.list[*r].kind == Kind::Friction);
        // What presses stands before the friction of a joint.
        let pressed = |r: usize| self.list[r - 1].presses();
        if frictions.clone().count() == 0 || !frictions.clone().all(pressed) {
            return false;
        }
        let set = |rows: &mut Rows, law: fn(usize) -> Law| {
            let frictions = rows.list.iter().enumerate();
            for (r, _) in frictions.filter(|(_, row)| row.kind == Kind::Friction) {
                rows.kernel.set_law(r, law(r));
            }
        };
        set(self, |_| Law::Bilateral);
        let found = self.kernel.share();
        let solved = found.is_ok();
        if let Ok(forces) = found {
            (self.list.iter_mut().zip(forces)).for_each(|(row, force)| row.force = *force);
        }
        set(self, |r| unbounded(r - 1));
        if solved {
            self.bound_friction(system, coefficient);
        }
        solved && (0..rows).all(|r| self.bears(r, system))
    }

    /// Whether friction in row `r` is within what its joint bears with the present forces.
    fn bears(&self, r: usize, system: &System) -> bool {
        let Law::Friction(coulomb) = self.kernel.law(r) else {
            return true;
        };
        let [normal, moment] = self.carries(coulomb.normal);
        let bearing = &system.sliders[self.list[r].slider].bearing;
        let force = self.list[r].force;
        let pressing = bearing.press_with(normal, moment, -force).force;
        force.abs() <= coulomb.coefficient * pressing
    }

    /// What the joint of the pressing row `r` carries with the present forces.
    pub fn carries(&self, r: usize) -> Carried {
        let rows = self.list.len();
        let mut carried = self.list[r].carried;
        for (by, row) in self.carried_by[r * rows..][..rows].iter().zip(&self.list) {
            (0..2).for_each(|i| carried[i] += by[i] * row.force);
        }
        carried
    }

    /// Writes the pressing row `r`, which row `friction` follows, as F_N = Φ_N N + Φ_M M + Φ_F F_f, exact at the
    /// present forces as F_N grows with all three; returns F_N and whether the row has changed.
    fn linearise(&mut self, r: usize, friction: usize, system: &System) -> (f64, bool) {
        let rows = self.list.len();
        let [mut normal, moment] = self.carries(r);
        let carried_by = &self.carried_by[r * rows..][..rows];
        let slider = &system.sliders[self.list[r].slider];
        // What a one-sided contact carries presses in one direction only: one that is about to open carries rounding, and would press
        // with either sign of it.
        if let Some(side) = slider.side
            && -side.sign() * normal <= 0.0
        {
            normal = -side.sign() * f64::MIN_POSITIVE;
        }
        let bearing = &slider.bearing;
        let found = bearing.press_with(normal, moment, -self.list[friction].force);
        let slopes = [found.by_normal, found.by_moment, found.by_friction];
        let changed = (slopes.iter().zip(&self.list[r].slopes))
            .any(|(now, before)| (now - before).abs() > ROWS_SETTLED * now.abs());
        if changed {
            self.list[r].slopes = slopes;
            let presses = |[n, m]: Carried| found.by_normal * n + found.by_moment * m;
            // p − (b + C f) = 0, in the size of the others.
            let size = -self.kernel.compliance(r);
            for (by, carried) in carried_by.iter().enumerate().filter(|(by, _)| *by != r) {
                let by_friction = if by == friction { found.by_friction } else { 0.0 };
                let value = presses(*carried) - by_friction;
                self.kernel.set_compliance(r, by, size * value);
            }
            self.kernel.set_velocity(r, size * presses(self.list[r].carried));
        }
        (found.force, changed)
    }

    /// Lets joints press with the impulse that has come before, too.
    pub fn press_imposed(&mut self, system: &System) {
        for row in self.list.iter_mut().filter(|row| row.presses()) {
            let before = self.imposed[row.slider];
            row.carried[0] += row.measure(system, before);
            row.carried[1] += before[2];
        }
    }

    /// Marks friction that has reached its limit as that of sliding; whether there is any more than before.
    pub fn let_slide(&mut self) -> bool {
        let mut any = false;
        for (r, row) in self.list.iter_mut().enumerate() {
            let now = row.kind == Kind::Friction && self.kernel.slides(r);
            any |= now && !row.slides;
            row.slides |= now;
        }
        any
    }

    /// Finds the forces of the rows, where friction of slider `j` is bounded by `coefficient(j, F, slides)` times what
    /// presses, F: that of static friction until it does not suffice. What touches is first taken for pressed by `normal` (N).
    pub fn find_forces(
        &mut self, system: &System, normal: f64, coefficient: impl Fn(usize, f64, bool) -> f64,
    ) -> Result<(), Singular> {
        // What was at rest stays so where it can. What arrives goes through where it can: where the mechanism moves on, as at a dead centre, holding it would
        // take an impulse, whose normal force would bear any friction.
        let arrives = self.list.iter().any(|row| row.arrives);
        if !arrives && self.stays_at_rest(system, &coefficient) {
            return Ok(());
        }
        self.follow_limits(system, normal, &coefficient)?;
        // What has come to rest shares its forces as what was.
        let slides = (0..self.list.len())
            .any(|r| self.list[r].kind == Kind::Friction && self.kernel.slides(r));
        if arrives && !slides && !self.stays_at_rest(system, &coefficient) {
            self.follow_limits(system, normal, &coefficient)?;
        }
        Ok(())
    }

    /// Finds the forces of the rows again and again until the limits of friction follow them.
    fn follow_limits(
        &mut self, system: &System, normal: f64, coefficient: impl Fn(usize, f64, bool) -> f64,
    ) -> Result<(), Singular> {
        for row in &mut self.list {
            row.force = match row.kind {
                Kind::Normal => normal,
                _ => 0.0,
            };
        }
        for round in 0..FRICTION_ROUNDS {
            let changes = self.bound_friction(system, &coefficient);
            if round > 0 && !changes {
                if !self.let_slide() {
                    break;
                }
                self.bound_friction(system, &coefficient);
            }
            let forces = self.kernel.solve().map_err(|_| Singular)?;
            (self.list.iter_mut().zip(forces)).for_each(|(row, force)| row.force = *force);
        }
        Ok(())
    }
}
