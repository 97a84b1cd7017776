//! Accelerations and joint forces where they start afresh: at the start and after every event.
//!
//! Which contacts stay closed, which stops hold and what sticks comes from one
//! complementarity problem in the accelerations (see `rows.rs`), linear where it is without them:
//!
//! ```text
//! 0 ≤ g̈ ⟂ λ ≥ 0,    |F_f| ≤ F_s(F_N),   s̈ = 0  or  F_f = ∓F_s(F_N) against s̈
//! ```
//!
//! for the contacts that touch, the stops at which something stands, and friction of what is at rest. With these sets
//! accelerations and forces are then solved for, see `forces.rs`.

use super::impact::{Closing, Impulses};
use super::rows::{Kind, Rows, friction_limit};
use super::search::Search;
use crate::joints::regime::{Regime, Sense};
use crate::joints::slider::Kinematics;
use crate::linear::Singular;
use crate::newton::{Failure, Newton};
use crate::numerics::hypot::hypot;
use crate::solve::integrator::{Contents, Integrator};
use crate::solve::stepper::Stepper;
use crate::solve::tolerances::{HINGE_TURN, NO_MOTION, RELEASED, SET_ROUNDS};
use crate::system::{Along, Constraint, Slider, SliderState, State, System};

/// A state whose regimes, accelerations and forces start afresh.
pub(crate) struct Discontinuity<'a> {
    pub system: &'a System,
    pub integrator: &'a mut Integrator,
    pub search: &'a mut Search,
    pub rows: &'a mut Rows,
}

impl Stepper {
    /// What starts afresh at a state; the iterate is no solution any more.
    pub(crate) fn discontinuity<'a>(&'a mut self, system: &'a System) -> Discontinuity<'a> {
        let Stepper { integrator, search, rows, .. } = self;
        integrator.contents = Contents::Nothing;
        Discontinuity { system, integrator, search, rows }
    }
}

impl Discontinuity<'_> {
    /// The impulses there.
    pub fn impulses(&mut self) -> Impulses<'_> {
        let Discontinuity { system, integrator, search, rows } = self;
        Impulses { system, newton: &mut integrator.newton, search, rows }
    }

    /// The regimes that the velocities of a start or of an impact ask for, and the accelerations.
    ///
    /// # Errors
    /// Where no accelerations exist; `state` then has no accelerations, with which it goes on from an event.
    pub(crate) fn set_regimes(&mut self, state: &mut State) -> Result<(), Failure> {
        let system = self.system;
        let fastest = state.velocity.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        for (j, slider) in system.sliders.iter().enumerate() {
            let regime = state.sliders[j].regime;
            let v = &mut state.velocity[slider.coordinate];
            if !slider.cuts || regime.is_open() {
                continue;
            }
            if v.abs() <= system.rest_speed().max(1e-9 * fastest) {
                *v = 0.0;
            }
            state.sliders[j].regime = match regime {
                Regime::AtStop(_) => regime,
                _ if *v == 0.0 => Regime::Stick,
                _ => Regime::Slip(Sense::of(*v)),
            };
        }
        self.agree(state)
    }

    /// Decides which contacts stay closed, which stops hold and what at rest sticks; gives `state` the accelerations and
    /// joint forces that follow. What is at rest and closed stays so where it can, and where it cannot, what carries more than it bears may slide.
    ///
    /// # Errors
    /// Where there are none; `state` then has no accelerations, with which it goes on from an event.
    pub(super) fn agree(&mut self, state: &mut State) -> Result<(), Failure> {
        let system = self.system;
        for (tried, own) in self.search.sliders.iter_mut().zip(&state.sliders) {
            tried.holds = own.regime.sticks() && tried.stop.is_none() && !tried.arrives;
        }
        let mut outcome = self.try_sets(state);
        if outcome.is_err() {
            self.let_all_slide();
            outcome = self.try_sets(state);
        }
        let mut pulls = 0;
        while outcome.is_ok() {
            // Friction comes last: what sticks may carry too much only as long as another contact pulls.
            let again = match self.any_contact_pulls(state) {
                true => {
                    self.let_all_slide();
                    pulls += 1;
                    pulls <= SET_ROUNDS
                }
                false => self.let_slide(state),
            };
            if !again {
                break;
            }
            outcome = self.try_sets(state);
        }
        outcome = outcome.and_then(|()| self.integrator.set_exact_accelerations(system, state));
        if outcome.is_err() {
            state.acceleration.fill(0.0);
            state.algorithmic.fill(0.0);
            state.unbalanced.fill(0.0);
            state.keep_earlier();
        }
        outcome
    }

    /// Gives `state` sets and the accelerations that follow from them.
    fn try_sets(&mut self, state: &mut State) -> Result<(), Failure> {
        match self.find_sets(state) {
            Ok(decides) => {
                if decides {
                    self.take_sets(state);
                }
                self.integrator.set_smooth_accelerations(self.system, state)
            }
            Err(Singular) => Err(Failure::singular(&mut self.integrator.newton.work)),
        }
    }

    /// Whether a closed contact would have to pull: where it was open in S its friction was only an estimate.
    fn any_contact_pulls(&self, state: &State) -> bool {
        let Newton { at, work, .. } = &self.integrator.newton;
        let tried = |j: usize| &self.search.sliders[j];
        let mut looked = (0..state.sliders.len()).filter(|j| tried(*j).touching || tried(*j).holds);
        looked.any(|j| {
            let beyond = || self.system.sliders[j].beyond_contact(at, work.force_scale);
            !state.sliders[j].regime.is_open() && beyond() > 0.0
        })
    }

    /// Lets those slide that hold, where what sticks carries more than it bears, however they share it; whether there are any. The most overloaded go first:
    /// what slides relieves others, and what can stay at rest does. Where the rows share what sticks otherwise than those that hold, all may slide.
    fn let_slide(&mut self, state: &mut State) -> bool {
        let (system, newton) = (self.system, &mut self.integrator.newton);
        let Newton { at, work, corrections } = &mut *newton;
        if corrections.share(system, at, work) {
            newton.keep_multipliers(system, state);
        }
        let Newton { at, work, .. } = &self.integrator.newton;
        let overload = |j: usize| match state.sliders[j].regime.sticks() {
            true => system.sliders[j].beyond(at, || work.placed[j], 0.0),
            false => 0.0,
        };
        let worst = (0..state.sliders.len()).fold(0.0, |worst, j| f64::max(worst, overload(j)));
        let tried = &mut self.search.sliders;
        let held = tried.iter().filter(|tried| tried.holds).count();
        if worst == 0.0 || held == 0 {
            return false;
        }
        for (j, tried) in tried.iter_mut().enumerate() {
            tried.holds &= overload(j) < RELEASED * worst;
        }
        let closed =
            |(slider, own): (&Slider, &SliderState)| slider.side.is_some() && !own.regime.is_open();
        let same = held == tried.iter().filter(|tried| tried.holds).count();
        if same || system.sliders.iter().zip(&state.sliders).any(closed) {
            self.let_all_slide();
        }
        true
    }

    /// Lets everything slide that friction does not hold: what may open and what may slide are decided together.
    fn let_all_slide(&mut self) {
        self.search.sliders.iter_mut().for_each(|tried| tried.holds = false);
    }

    /// Solves for the sets, where there is anything to decide: `true`, and the solution is in the rows.
    fn find_sets(&mut self, state: &State) -> Result<bool, Singular> {
        let system = self.system;
        self.integrator.load_instant(system, state, state.short());
        for (j, slider) in system.sliders.iter().enumerate() {
            let (own, regime) =
                (&mut self.integrator.newton.at.sliders[j], state.sliders[j].regime);
            if regime.is_stopped() {
                own.constraint = Constraint::Path;
            }
            let driven = matches!(own.along, Along::Driven(_));
            let tried = &self.search.sliders[j];
            let rests = state.velocity[slider.coordinate] == 0.0 || tried.arrives;
            if slider.cuts && !driven && rests {
                own.along = if tried.holds { Along::Stick } else { Along::Free };
            }
        }
        self.press_sliding_contacts();
        self.rows.clear();
        for j in 0..system.sliders.len() {
            self.add_rows(state, j);
        }
        if self.rows.list.is_empty() {
            return Ok(false);
        }
        for _ in 0..SET_ROUNDS {
            self.integrator.factor_instant(system, state.short()).map_err(|_| Singular)?;
            self.solve_for_rows()?;
            if !self.turn_hinge_forces() {
                break;
            }
        }
        let newton = &mut self.integrator.newton;
        self.rows.open();
        self.rows
            .set(system, newton, |row, at, change| row.at_first(system, at, state) + change)?;
        let scale = newton.work.force_scale;
        let least = f64::MIN_POSITIVE.max(NO_MOTION * scale);
        self.rows.find_forces(system, scale, |j, pressing, slides| {
            friction_limit((system, state), j, pressing.max(least), 0.0, slides)
        })?;
        Ok(true)
    }

    /// Gives the iterate the forces of the last solution where that turns the force of a hinge with friction, as at the start, where none is known:
    /// what presses there, its size, is linear about its direction only. Whether it does.
    fn turn_hinge_forces(&mut self) -> bool {
        let system = self.system;
        let Newton { at, corrections, .. } = &mut self.integrator.newton;
        let (_, border) = corrections.room();
        let mut pins = system.hinges.pairs().map(|(_, pin)| {
            let row = system.pins.list[pin].border;
            [at.pins[pin], [0, 1].map(|i| at.pins[pin][i] + border[row + i])]
        });
        let turns = pins.any(|[[x, y], [new_x, new_y]]| {
            let (turned, along) = (x * new_y - y * new_x, x * new_x + y * new_y);
            let size = hypot(new_x, new_y);
            size > 0.0 && (along <= 0.0 || turned.abs() > HINGE_TURN * along)
        });
        if turns {
            at.add_forces(system, 1.0, border);
        }
        turns
    }

    /// Puts the multipliers of closed contacts that slide to where they press. Friction is that of the force that presses, F = μ N for
    /// N > 0, also where S makes a pull of it: that decides which contacts open. Of a pull its sign would be that of a force that presses.
    fn press_sliding_contacts(&mut self) {
        let system = self.system;
        let Newton { at, work, .. } = &mut self.integrator.newton;
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &at.sliders[j];
            let Some(side) = slider.side.filter(|_| slider.friction.acts) else {
                continue;
            };
            let pull = system.sliders[j].opening_force(&at.q, &own.multipliers);
            if own.constraint == Constraint::Open || own.along == Along::Free || pull < 0.0 {
                continue;
            }
            let normal = system.sliders[j].kinematics(&at.q, None).normal();
            let force = if pull > 0.0 { pull } else { work.force_scale };
            let [x, y, _] = normal.map(|n| -side.sign() * force * n);
            at.sliders[j].multipliers[..2].copy_from_slice(&[x, y]);
        }
    }

    /// The rows of slider `j`, whose contact may open unless it holds.
    fn add_rows(&mut self, state: &State, j: usize) {
        let system = self.system;
        let (slider, own) = (&system.sliders[j], &self.integrator.newton.at.sliders[j]);
        let open = state.sliders[j].regime.is_open();
        if open && !self.search.sliders[j].touching {
            return;
        }
        let rests = own.along == Along::Free && slider.cuts;
        let place = system.sliders.place(j, &self.integrator.newton.at.q);
        let contact = match open {
            true if rests => Some((Kind::Normal, 0.0)),
            true => Some((Kind::Normal, self.friction_per_force(state, j, &place))),
            false => {
                slider.side.filter(|_| !self.search.sliders[j].holds).map(|_| (Kind::Opening, 0.0))
            }
        };
        let stop = self.search.sliders[j].stop;
        let arrives = self.search.sliders[j].arrives;
        self.rows.add_slider(j, place, stop, contact, (rests, arrives));
    }

    /// Force of friction along s per normal force of a contact that slides.
    fn friction_per_force(&self, state: &State, j: usize, place: &Kinematics) -> f64 {
        let system = self.system;
        let slider = &system.sliders[j];
        let v = state.velocity[slider.coordinate];
        let pressing = -system.sliders[j].opening_force(&state.q, &state.multipliers[j]);
        match (slider.cuts, pressing > 0.0) {
            (true, presses) => {
                let pressing =
                    if presses { pressing } else { self.integrator.newton.work.force_scale };
                let speed = place.stretch * v.abs();
                let limit = friction_limit((system, state), j, pressing, speed, true);
                -place.stretch * v.signum() * limit
            }
            (false, true) => -state.sliders[j].friction / pressing,
            (false, false) => 0.0,
        }
    }

    /// Gives sliders the regimes of the solution for the sets.
    fn take_sets(&mut self, state: &mut State) {
        let system = self.system;
        let still = NO_MOTION * system.size;
        let (mut closes, mut catches) = (false, false);
        for r in 0..self.rows.list.len() {
            let row = &self.rows.list[r];
            let j = row.slider;
            let (force, moves) = (row.force, self.rows.kernel.velocity(r));
            // What is left too slowly to be off it at the end of the short step is not left at all.
            let presses = force * self.rows.kernel.compliance(r) > still;
            let v = state.velocity[system.sliders[j].coordinate];
            let own = &mut state.sliders[j];
            match row.kind {
                Kind::Normal if presses => {
                    closes = true;
                    *own = SliderState::closed(&system.sliders[j], v);
                }
                Kind::Opening if force > still => {
                    *own = SliderState::lifted();
                    state.multipliers[j] = [0.0; 3];
                }
                _ if own.regime.is_open() => {}
                Kind::Stop(end) if presses => {
                    closes |= !own.regime.is_stopped();
                    own.regime = Regime::AtStop(end);
                }
                Kind::Stop(_) if own.regime.is_stopped() && moves > still => {
                    own.regime = Regime::default();
                }
                // |M| presses: from a moment of the other sign Newton's method finds the friction that drives.
                Kind::Pressing => {
                    let [normal, moment] = self.rows.carries(r);
                    let [x, y, _] = row.place.normal();
                    state.multipliers[j] = [normal * x, normal * y, moment];
                }
                Kind::Friction if self.search.sliders[j].breaks_away => {}
                Kind::Friction if !own.regime.is_stopped() => {
                    let slides = self.rows.kernel.slides(r);
                    // At the border of a step what arrives is not quite at rest, nor are the nodes then.
                    if row.arrives && !slides {
                        state.velocity[system.sliders[j].coordinate] = 0.0;
                        catches = true;
                    }
                    own.regime =
                        if slides { Regime::Slip(Sense::of(moves)) } else { Regime::Stick };
                }
                _ => {}
            }
        }
        if closes {
            self.impulses().close_positions(state);
        }
        if closes || catches {
            self.impulses().close_velocities(state, Closing::Caught);
        }
    }

    /// Solves the factored equations for what the accelerations of the iterate lack.
    fn solve_for_rows(&mut self) -> Result<(), Singular> {
        let (system, newton) = (self.system, &mut self.integrator.newton);
        let Newton { at, work, corrections } = &mut *newton;
        corrections.load(system, at, work);
        let (_, y) = corrections.room();
        // What the state leaves open within the tolerance of positions is no acceleration, nor a force of what is redundant.
        for (slider, own) in system.sliders.iter().zip(&at.sliders) {
            if own.constraint != Constraint::Open {
                let open = &mut y[slider.border + 1..][..slider.conditions()];
                (open.iter_mut().zip(own.left)).for_each(|(y, left)| *y += left);
            }
        }
        self.rows.respond(system, newton)
    }
}

impl SliderState {
    /// On its path, where a contact closes with the velocity `v` (m/s) of s.
    fn closed(slider: &Slider, v: f64) -> SliderState {
        let regime = match Sense::of(v) {
            _ if !slider.cuts => Regime::default(),
            Sense::Neither => Regime::Stick,
            sense => Regime::Slip(sense),
        };
        SliderState { regime, ..SliderState::default() }
    }
}
