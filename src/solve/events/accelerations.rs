//! Accelerations and joint forces where they start afresh: at the start and after every event.
//!
//! They are those for which a short step of constant acceleration ends in equilibrium with the joints closed; unknowns
//! without mass follow algebraically. Which contacts stay closed, which stops hold and what sticks comes from one
//! complementarity problem in the ends of this step (see `rows.rs`), linear where it is without them:
//!
//! ```text
//! S = ∂R/∂q,    0 ≤ Δg ⟂ λ ≥ 0,    |F_f| ≤ F_s(F_N),   Δs = 0  or  F_f = ∓F_s(F_N) against Δs
//! ```
//!
//! for the contacts that touch, the stops at which something stands, and friction of what is at rest. With these sets the
//! short step is then solved; where that fails its first correction has to do.

use super::impact::Closing;
use super::rows::{Kind, friction_limit};
use crate::joints::regime::{Regime, Sense};
use crate::linear::Singular;
use crate::linear::mlcp::Bound;
use crate::solve::newton::{Failure, Kinetics};
use crate::solve::stepper::{Affine, Stepper};
use crate::system::{Along, Constraint, Slider, SliderState, State, System};

/// Length of the short step as a share of the solver's.
const SHORT: f64 = 0.25;

/// Share of the mechanism's size that is no motion over a short step.
const STILL: f64 = 1e-13;

/// Rounds after which sets that never fit together are taken as they are.
const ROUNDS: usize = 4;

impl System {
    pub(super) fn short_step(&self) -> f64 {
        SHORT * self.model.solver.step
    }
}

impl Stepper {
    /// The regimes that the velocities of a start or of an impact ask for, and the accelerations.
    ///
    /// # Errors
    /// Where no accelerations exist; `state` then stands still, which is what an event goes on from.
    pub(crate) fn set_regimes(
        &mut self,
        system: &System,
        state: &mut State,
    ) -> Result<(), Failure> {
        let fastest = state.velocity.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        for (j, slider) in system.sliders.iter().enumerate() {
            let (regime, v) = (
                state.sliders[j].regime,
                &mut state.velocity[slider.coordinate],
            );
            if !slider.cuts || regime.is_open() {
                continue;
            }
            if v.abs() <= system.still().max(1e-9 * fastest) {
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
        for _ in 0..ROUNDS {
            outcome = match self.find_sets(system, state) {
                Ok(true) => {
                    self.take_sets(system, state);
                    self.set_accelerations(system, state)
                }
                Ok(false) => self.set_accelerations(system, state),
                Err(Singular) => Err(Failure::Singular {
                    motion: self.work.matrix.free_motion(),
                }),
            };
            if outcome.is_err() || !self.some_pull(system, state) {
                break;
            }
        }
        if outcome.is_err() {
            state.acceleration.fill(0.0);
            state.algorithmic.fill(0.0);
            state.unbalanced.fill(0.0);
        }
        outcome
    }

    /// Whether a closed contact would have to pull: where it was open in S its friction was only an estimate.
    fn some_pull(&self, system: &System, state: &State) -> bool {
        let scale = self.work.force_scale;
        let mut touching = (0..state.sliders.len()).filter(|j| self.touching[*j]);
        touching.any(|j| {
            !state.sliders[j].regime.is_open() && system.beyond_contact(j, &self.at, scale) > 0.0
        })
    }

    /// Solves for the sets, where there is anything to decide: `true`, and the solution is in the rows.
    fn find_sets(&mut self, system: &System, state: &State) -> Result<bool, Singular> {
        let h = system.short_step();
        self.begin_short(system, state, h);
        for (j, slider) in system.sliders.iter().enumerate() {
            let (own, regime) = (&mut self.at.sliders[j], state.sliders[j].regime);
            if regime.is_stopped() {
                own.constraint = Constraint::Path;
            }
            if slider.cuts && own.along != Along::Driven && state.velocity[slider.coordinate] == 0.0
            {
                own.along = Along::Free;
            }
        }
        system.place_feet(&mut self.at);
        self.press_what_slides(system);
        self.rows.clear();
        for j in 0..system.sliders.len() {
            self.add_rows(system, state, j);
        }
        if self.rows.list.is_empty() {
            return Ok(false);
        }
        self.solve_short(system, h)?;
        self.rows.open(system, &self.at.q);
        for r in 0..self.rows.list.len() {
            let at_first = self.row_at_first(r, system, state);
            let change = self.measure_row(r, system);
            self.rows.kernel.set_velocity(r, at_first + change);
            if self.rows.list[r].presses() {
                let [_, moment] = self.measure_carried(r, system);
                let (j, _) = self.rows.list[r].of();
                let before = self.at.sliders[j].multipliers[2];
                self.rows
                    .set_carried(r, [at_first + change, before + moment]);
            }
        }
        self.find_compliances(system)?;
        let least = f64::MIN_POSITIVE.max(STILL * self.work.force_scale);
        self.find_forces(system, |j, pressing, slides| {
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
            let Some(side) = slider.side.filter(|_| slider.friction.rubs) else {
                continue;
            };
            let pull = system.pull(j, &self.at.q, &own.multipliers);
            if own.constraint == Constraint::Open || own.along == Along::Free || pull < 0.0 {
                continue;
            }
            let normal = system.kinematics(j, &self.at.q, None).normal();
            let force = if pull > 0.0 { pull } else { scale };
            let [x, y, _] = normal.map(|n| -side.sign() * force * n);
            self.at.sliders[j].multipliers[..2].copy_from_slice(&[x, y]);
        }
    }

    /// The rows of slider `j`.
    fn add_rows(&mut self, system: &System, state: &State, j: usize) {
        let (slider, regime, own) = (
            &system.sliders[j],
            state.sliders[j].regime,
            &self.at.sliders[j],
        );
        if regime.is_open() && !self.touching[j] {
            return;
        }
        if let Some(end) = self.stops[j] {
            self.rows.add_stop(j, end);
        }
        let rests = own.along == Along::Free && slider.cuts;
        let normal = regime.is_open().then(|| {
            let friction = if rests {
                0.0
            } else {
                self.friction_per_force(system, state, j)
            };
            self.rows.add_normal(j, friction)
        });
        if slider.side.is_some() && !regime.is_open() {
            self.rows.add_opening(j);
        }
        if rests {
            self.rows.add_friction(j, normal);
        }
    }

    /// Force of friction along s per normal force of a contact that slides.
    fn friction_per_force(&self, system: &System, state: &State, j: usize) -> f64 {
        let slider = &system.sliders[j];
        let v = state.velocity[slider.coordinate];
        let pressing = -system.pull(j, &state.q, &state.multipliers[j]);
        if slider.cuts {
            let pressing = if pressing > 0.0 {
                pressing
            } else {
                self.work.force_scale
            };
            -v.signum() * friction_limit(state.tuning.friction(j), pressing, v.abs(), true)
        } else if pressing > 0.0 {
            -state.sliders[j].friction / pressing
        } else {
            0.0
        }
    }

    /// What row `r` measures where the short step begins to be solved.
    fn row_at_first(&self, r: usize, system: &System, state: &State) -> f64 {
        let (j, kind) = self.rows.list[r].of();
        let s = system.sliders[j].coordinate;
        let slid = self.at.q.way(s, &state.q);
        match kind {
            // What is left of a flight is not closed by a pull.
            Kind::Normal => system.gap(j, &self.at.q) - system.gap(j, &state.q).min(0.0),
            Kind::Stop(end) => -end.outward() * slid,
            Kind::Friction => slid,
            Kind::Pressing | Kind::Opening => {
                let k = system.kinematics(j, &self.at.q, None);
                let by = self.rows.list[r].direction(system, &k);
                let own = self.at.sliders[j].multipliers;
                by.iter().zip(own).map(|(by, own)| by * own).sum()
            }
        }
    }

    /// Gives sliders the regimes of the solution for the sets.
    fn take_sets(&mut self, system: &System, state: &mut State) {
        let still = STILL * system.size;
        let mut closes = false;
        for r in 0..self.rows.list.len() {
            let (j, kind) = self.rows.list[r].of();
            let (force, moves) = (self.rows.forces[r], self.rows.kernel.velocity(r));
            // What is left too slowly to be off it at the end of the short step is not left at all.
            let presses = force * self.rows.kernel.compliance(r) > still;
            let v = state.velocity[system.sliders[j].coordinate];
            let own = &mut state.sliders[j];
            match kind {
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
                    let [x, y, _] = self.rows.places[r].normal();
                    state.multipliers[j] = [normal * x, normal * y, moment];
                }
                Kind::Friction if !own.regime.is_stopped() => {
                    let slides = self.rows.kernel.bound(r) != Bound::Neither && moves != 0.0;
                    own.regime = if slides {
                        Regime::Slip(Sense::of(moves))
                    } else {
                        Regime::Stick
                    };
                }
                _ => {}
            }
        }
        if closes {
            let h = system.model.solver.step;
            self.close_positions(system, state, h);
            self.close_velocities(system, state, h, Closing::Caught);
        }
    }

    /// Accelerations and joint forces with the sets of `state`.
    ///
    /// # Errors
    /// Where the equations are singular.
    pub(crate) fn set_accelerations(
        &mut self,
        system: &System,
        state: &mut State,
    ) -> Result<(), Failure> {
        self.begin_anew(system, state);
        let h = system.short_step();
        self.begin_short(system, state, h);
        let kinetics = Affine::short(h, &self.origin);
        let solved = self
            .corrections
            .solve(system, &kinetics, &mut self.at, &mut self.work);
        if solved.is_err() {
            self.begin_short(system, state, h);
            let kinetics = Affine::short(h, &self.origin);
            self.corrections
                .correct_once(system, &kinetics, &mut self.at, &mut self.work)?;
        }
        for u in 0..state.q.len() {
            let a = 2.0 * (self.at.q.way(u, &state.q) - h * state.velocity[u]) / (h * h);
            state.acceleration[u] = a;
            state.algorithmic[u] = a;
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            if state.sliders[j].regime.is_open() {
                // Its foot may be at a corner.
                state.acceleration[slider.coordinate] = 0.0;
                state.algorithmic[slider.coordinate] = 0.0;
            }
        }
        system.rest_fixed(state);
        system.follow_motions(state);
        self.keep_forces(system, state);
        self.keep_unbalanced(system, state);
        Ok(())
    }

    /// The iterate as a short step of length `h` and constant acceleration begins, where its velocities lead.
    fn begin_short(&mut self, system: &System, state: &State, h: f64) {
        self.load_state(system, state, h);
        for (u, v) in state.velocity.iter().enumerate() {
            self.at.q.add(u, h * v);
        }
        self.origin.copy_from(&self.at.q);
        // Of a constant acceleration: q̇ = q̇₀ + (2/h) (q − origin).
        self.at.flow.factor = 2.0 / h;
        for u in 0..system.nodal {
            let q = self.at.q.get(u);
            self.at.flow.give(u, q, state.velocity[u]);
        }
        system.hold_prescribed(&mut self.at);
        for m in 0..system.motions.len() {
            system.move_prescribed(&mut self.at, m, state.motions[m].after(h));
        }
        Affine::short(h, &self.origin).update(system, &mut self.at);
    }

    /// Solves the linear equations of the short step of length `h` for the change of the iterate.
    fn solve_short(&mut self, system: &System, h: f64) -> Result<(), Singular> {
        system.factored_tangent(&mut self.at, &mut self.work, Some(2.0 / (h * h)))?;
        let (x, y) = self.corrections.room();
        for (x, &u) in x.iter_mut().zip(&system.unknown) {
            *x = if self.at.driven[u].is_some() {
                0.0
            } else {
                -self.work.residual[u]
            };
        }
        for (y, r) in y.iter_mut().zip(&self.work.border) {
            *y = -r;
        }
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
            Sense::Neither => Regime::Stick,
            sense => Regime::Slip(sense),
        };
        let regime = if slider.cuts {
            regime
        } else {
            Regime::default()
        };
        SliderState {
            regime,
            ..SliderState::default()
        }
    }
}
