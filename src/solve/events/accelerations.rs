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

use super::impact::Closing;
use super::rows::{Kind, friction_limit};
use crate::joints::regime::{Regime, Sense};
use crate::linear::Singular;
use crate::newton::Failure;
use crate::solve::stepper::Stepper;
use crate::solve::tolerances::{INSTANT_SOLUTIONS, NO_MOTION, SET_ROUNDS, SET_TIME};
use crate::system::{Along, Constraint, EqualSteps, Slider, SliderState, State, System};

impl State {
    /// τ with which the sets are found, s: a short time t = √2 τ, over which accelerations of what the step does not resolve are those that K lets
    /// through. What moves by rounding within it rests, and what leaves within it has left.
    fn short(&self) -> f64 {
        SET_TIME * self.step() * std::f64::consts::FRAC_1_SQRT_2
    }
}

impl Stepper {
    /// The regimes that the velocities of a start or of an impact ask for, and the accelerations.
    ///
    /// # Errors
    /// Where no accelerations exist; `state` then stands still, which is what an event goes on from.
    pub(crate) fn set_regimes(
        &mut self, system: &System, state: &mut State,
    ) -> Result<(), Failure> {
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
        self.agree(system, state)
    }

    /// Decides which contacts stay closed, which stops hold and what at rest sticks; gives `state` the accelerations and
    /// joint forces that follow.
    ///
    /// # Errors
    /// Where there are none; `state` then stands still, which is what an event goes on from.
    pub(super) fn agree(&mut self, system: &System, state: &mut State) -> Result<(), Failure> {
        let mut outcome = Ok(());
        for _ in 0..SET_ROUNDS {
            outcome = match self.find_sets(system, state) {
                Ok(decides) => {
                    if decides {
                        self.take_sets(system, state);
                    }
                    self.smooth_accelerations(system, state)
                }
                Err(Singular) => Err(Failure::singular(&mut self.work)),
            };
            if outcome.is_err() || !self.some_pull(system, state) {
                break;
            }
        }
        outcome = outcome.and_then(|()| self.exact_accelerations(system, state));
        if outcome.is_err() {
            state.acceleration.fill(0.0);
            state.algorithmic.fill(0.0);
            state.unbalanced.fill(0.0);
            state.keep_earlier();
        }
        outcome
    }

    /// Whether a closed contact would have to pull: where it was open in S its friction was only an estimate.
    fn some_pull(&self, system: &System, state: &State) -> bool {
        let scale = self.work.force_scale;
        let mut touching = (0..state.sliders.len()).filter(|j| self.search.sliders[*j].touching);
        touching.any(|j| {
            !state.sliders[j].regime.is_open()
                && system.sliders[j].beyond_contact(&self.at, scale) > 0.0
        })
    }

    /// Solves for the sets, where there is anything to decide: `true`, and the solution is in the rows.
    fn find_sets(&mut self, system: &System, state: &State) -> Result<bool, Singular> {
        self.load_instant(system, state, state.short());
        for (j, slider) in system.sliders.iter().enumerate() {
            let (own, regime) = (&mut self.at.sliders[j], state.sliders[j].regime);
            if regime.is_stopped() {
                own.constraint = Constraint::Path;
            }
            let driven = matches!(own.along, Along::Driven(_));
            if slider.cuts && !driven && state.velocity[slider.coordinate] == 0.0 {
                own.along = Along::Free;
            }
        }
        self.press_what_slides(system);
        self.search.rows.clear();
        for j in 0..system.sliders.len() {
            self.add_rows(system, state, j);
        }
        if self.search.rows.list.is_empty() {
            return Ok(false);
        }
        self.factor_instant(system, state.short()).map_err(|_| Singular)?;
        self.solve_for_rows(system)?;
        self.search.rows.open();
        self.set_rows(system, |stepper, r, change| {
            stepper.row_at_first(r, system, state) + change
        })?;
        let least = f64::MIN_POSITIVE.max(NO_MOTION * self.work.force_scale);
        let scale = self.work.force_scale;
        (self.search.rows).find_forces(system, scale, |j, pressing, slides| {
            friction_limit(state.tuning.friction(j), pressing.max(least), 0.0, slides)
        })?;
        Ok(true)
    }

    /// Puts the multipliers of closed contacts that slide to where they press. Friction is that of the force that presses, F = μ N for
    /// N > 0, also where S makes a pull of it: that decides which contacts open. Of a pull its sign would be that of a force that presses.
    fn press_what_slides(&mut self, system: &System) {
        let scale = self.work.force_scale;
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.at.sliders[j];
            let Some(side) = slider.side.filter(|_| slider.friction.acts) else {
                continue;
            };
            let pull = system.sliders[j].opening_force(&self.at.q, &own.multipliers);
            if own.constraint == Constraint::Open || own.along == Along::Free || pull < 0.0 {
                continue;
            }
            let normal = system.sliders[j].kinematics(&self.at.q, None).normal();
            let force = if pull > 0.0 { pull } else { scale };
            let [x, y, _] = normal.map(|n| -side.sign() * force * n);
            self.at.sliders[j].multipliers[..2].copy_from_slice(&[x, y]);
        }
    }

    /// The rows of slider `j`.
    fn add_rows(&mut self, system: &System, state: &State, j: usize) {
        let (slider, own) = (&system.sliders[j], &self.at.sliders[j]);
        let open = state.sliders[j].regime.is_open();
        if open && !self.search.sliders[j].touching {
            return;
        }
        let rests = own.along == Along::Free && slider.cuts;
        let contact = match open {
            true if rests => Some((Kind::Normal, 0.0)),
            true => Some((Kind::Normal, self.friction_per_force(system, state, j))),
            false => slider.side.map(|_| (Kind::Opening, 0.0)),
        };
        let place = system.sliders[j].kinematics(&self.at.q, None);
        let stop = self.search.sliders[j].stop;
        (self.search.rows).add_slider(j, place, stop, contact, rests);
    }

    /// Force of friction along s per normal force of a contact that slides.
    fn friction_per_force(&self, system: &System, state: &State, j: usize) -> f64 {
        let slider = &system.sliders[j];
        let v = state.velocity[slider.coordinate];
        let pressing = -system.sliders[j].opening_force(&state.q, &state.multipliers[j]);
        match (slider.cuts, pressing > 0.0) {
            (true, presses) => {
                let pressing = if presses { pressing } else { self.work.force_scale };
                -v.signum() * friction_limit(state.tuning.friction(j), pressing, v.abs(), true)
            }
            (false, true) => -state.sliders[j].friction / pressing,
            (false, false) => 0.0,
        }
    }

    /// What row `r` measures without accelerations, in τ² times that.
    fn row_at_first(&self, r: usize, system: &System, state: &State) -> f64 {
        let row = &self.search.rows.list[r];
        let j = row.slider;
        let own = &self.at.sliders[j];
        let tau = state.short();
        // What leaves has left over a short time, whatever accelerates it.
        let leaves = |speed: f64| 2.0 * speed / (SET_TIME * state.step());
        let accelerated = || {
            let c = system.sliders[j].gap_acceleration(&self.at, &state.velocity);
            row.measure(system, c)
        };
        let in_s = row.is_in_s(own.constraint != Constraint::Open);
        match row.kind {
            Kind::Pressing | Kind::Opening => row.measure(system, own.multipliers),
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

    /// Gives sliders the regimes of the solution for the sets.
    fn take_sets(&mut self, system: &System, state: &mut State) {
        let still = NO_MOTION * system.size;
        let mut closes = false;
        for r in 0..self.search.rows.list.len() {
            let row = &self.search.rows.list[r];
            let j = row.slider;
            let (force, moves) = (row.force, self.search.rows.kernel.velocity(r));
            // What is left too slowly to be off it at the end of the short step is not left at all.
            let presses = force * self.search.rows.kernel.compliance(r) > still;
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
                    let [normal, moment] = self.search.rows.carries(r);
                    let [x, y, _] = row.place.normal();
                    state.multipliers[j] = [normal * x, normal * y, moment];
                }
                Kind::Friction if !own.regime.is_stopped() => {
                    own.regime = if self.search.rows.kernel.slides(r) {
                        Regime::Slip(Sense::of(moves))
                    } else {
                        Regime::Stick
                    };
                }
                _ => {}
            }
        }
        if closes {
            self.close_positions(system, state);
            self.close_velocities(system, state, Closing::Caught);
        }
    }

    /// Accelerations and joint forces with the sets of `state`.
    pub(crate) fn set_accelerations(
        &mut self, system: &System, state: &mut State,
    ) -> Result<(), Failure> {
        self.smooth_accelerations(system, state)?;
        self.exact_accelerations(system, state)
    }

    /// Those that stiffness lets through over a short time: the first guess of the next step.
    fn smooth_accelerations(&mut self, system: &System, state: &mut State) -> Result<(), Failure> {
        self.find_accelerations(system, state, state.short())?;
        state.keep_earlier();
        Ok(())
    }

    /// Those of the instant, with which the next step begins.
    fn exact_accelerations(&mut self, system: &System, state: &mut State) -> Result<(), Failure> {
        self.find_accelerations(system, state, state.instant())?;
        for (u, left) in self.work.residual.iter().enumerate() {
            state.unbalanced[u] = left - state.reactions[u];
        }
        state.algorithmic.copy_from_slice(&state.acceleration);
        state.equal = EqualSteps::default();
        Ok(())
    }

    /// Those with τ = `tau` (s).
    fn find_accelerations(
        &mut self, system: &System, state: &mut State, tau: f64,
    ) -> Result<(), Failure> {
        self.load_instant(system, state, tau);
        self.solve_instant(system, tau, INSTANT_SOLUTIONS)?;
        self.keep_accelerations(system, state);
        self.keep_forces(system, state);
        system.motions.rest_fixed(state);
        system.motions.give_rates(state);
        Ok(())
    }

    /// Solves the factored equations for what the accelerations of the iterate lack.
    fn solve_for_rows(&mut self, system: &System) -> Result<(), Singular> {
        self.corrections.load(system, &self.at, &self.work);
        let (_, y) = self.corrections.room();
        // What the state leaves open within the tolerance of positions is no acceleration, nor a force of what is redundant.
        for (slider, own) in system.sliders.iter().zip(&self.at.sliders) {
            if own.constraint != Constraint::Open {
                let open = &mut y[slider.border + 1..][..slider.conditions()];
                (open.iter_mut().zip(own.left)).for_each(|(y, left)| *y += left);
            }
        }
        self.respond(system)
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
