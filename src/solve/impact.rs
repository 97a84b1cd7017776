//! Impacts: a slider meets its end stop, a kink of its path, or its path itself.
//!
//! The step that contains an impact closes the joint by a force of one step. Its end velocity is
//! not the one after the impact: it oscillates about it while the α method forgets the force, and
//! a slider that meets another kink or leaves its stop on the way takes energy from nowhere. So
//! the velocities after such a step are those that an inelastic impact leaves,
//!
//! ```text
//! M (q̇⁺ − q̇⁻) + (∂c/∂q)ᵀ Λ = 0,    ċ(q̇⁺, ṡ⁺) = 0
//! ```
//!
//! with q̇⁻ from the beginning of the step, and the accelerations start afresh. The energy balance takes
//! the forces of the beginning of the step and the impulses, not the force that closed the joint:
//! what that one did depends on where in the step the obstacle stood. Contacts that can open do so
//! where an impulse would have to pull; see `contact.rs`.

use super::stepper::Stepper;
use crate::joints::element::KINK;
use crate::laws::friction::Contact;
use crate::linear::Singular;
use crate::model::checked::{Analysis, Output};
use crate::system::{Along, Constraint, SliderState, State, System, add_contact};

/// What closes the velocities of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// An impact: joints and stops; contacts that touch open where they would have to pull.
    Impact,
    /// The paths of contacts that have slid on them until now; no stop acts on these.
    OnPaths,
    /// Friction: joints and stops, and what sticks exactly stands still.
    Caught,
}

impl Stepper {
    /// Whether the iterate has taken a slider from `state` into a stop or over a kink, in an analysis
    /// in which that is an impact.
    pub(super) fn meets_obstacle(&self, system: &System, state: &State) -> bool {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        dynamic
            && system.sliders.iter().enumerate().any(|(j, slider)| {
                let (was, now) = (state.sliders[j].regime, self.at.sliders[j].constraint);
                if now == Constraint::Open {
                    return false;
                }
                if was.is_open() {
                    return true;
                }
                let stops = matches!(now, Constraint::Stop(_)) && !was.is_stopped();
                let (before, now) = (state.q[slider.coordinate], self.at.q[slider.coordinate]);
                let (from, to) = (slider.path.element_at(before), slider.path.element_at(now));
                let mut crossed = from.min(to)..from.max(to);
                stops || crossed.any(|e| system.kink(j, e, &self.at.q) > KINK)
            })
    }

    /// Keeps the velocities with which the step from `state` would end without an impact, and puts
    /// the forces of its beginning in place of those that closed the joint.
    pub(super) fn keep_approach(&mut self, system: &System, state: &State, h: f64) {
        for ((v, before), a) in (self.approach.iter_mut())
            .zip(&state.velocity)
            .zip(&state.algorithmic)
        {
            *v = before + h * a;
        }
        for j in 0..system.sliders.len() {
            self.keep_friction(system, state, j, h);
        }
        for (_, u) in system.driven(state) {
            self.work.residual[u] = state.reactions[u];
        }
        for u in 0..system.nodal {
            let q = self.at.q[u];
            self.at.flow.give(u, q, self.approach[u]);
        }
    }

    /// Friction of slider `j` over the step as if it were pressed as at its beginning: not at all where
    /// it touches down.
    fn keep_friction(&mut self, system: &System, state: &State, j: usize, h: f64) {
        let slider = &system.sliders[j];
        let (before, found) = (&state.sliders[j], &mut self.work.sliders[j]);
        let now = &mut found.state;
        if now.regime.is_open() {
            return;
        }
        let slid = self.at.q[slider.coordinate] - state.q[slider.coordinate];
        now.friction = before.friction;
        if !slider.friction.remembers {
            return;
        }
        let response = (state.tuning.friction(j)).respond(&Contact {
            velocity: slid / h,
            normal_force: system.read(state, Output::NormalForce(j)),
            step: h,
            memory: before.memory,
            ..Contact::default()
        });
        now.friction = response.force;
        found.work = response.work;
        if self.at.sliders[j].constraint == Constraint::Path {
            now.memory = response.memory;
            found.stored = response.stored;
        }
    }

    /// Gives `state`, at the end of a step of length `h`, the velocities after the impact and
    /// consistent accelerations.
    pub(super) fn leave_impact(&mut self, system: &System, state: &mut State, h: f64) {
        for &u in &system.unknown {
            if self.at.driven[u].is_none() {
                state.velocity[u] = self.approach[u];
            }
        }
        self.note_touching(system, state);
        let meets =
            |(touches, slider): (&bool, &SliderState)| *touches && slider.regime.is_stopped();
        if self.touching.iter().zip(&state.sliders).any(meets) {
            // The time integration leaves the path by its error, which is no impulse of the contact.
            self.close_velocities(system, state, h, Closing::OnPaths);
        }
        self.close_velocities(system, state, h, Closing::Impact);
        // Where the short step does not converge, rest is the better guess than the impact.
        if self.set_regimes(system, state).is_err() {
            self.go_on_from_rest(state);
        }
    }

    /// Gives `state` the velocities that an inelastic impact over a time `h` leaves of its own: what is `closing`
    /// does not move any more. No other friction acts. At a stop a contact may open, too: the stop goes on acting.
    pub(super) fn close_velocities(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        closing: Closing,
    ) {
        self.edges.fill(None);
        for round in 0..=system.most_rounds() {
            if self.impulses(system, state, h, closing).is_err() {
                return;
            }
            let (x, y) = self.corrections.room();
            x.fill(0.0);
            y.fill(0.0);
            for (j, slider) in system.sliders.iter().enumerate() {
                if self.at.sliders[j].constraint != Constraint::Open {
                    let k = system.kinematics(j, &state.q, None);
                    let gap = k.gap_of(&slider.path, &state.velocity, &slider.unknowns);
                    for i in 0..slider.unknowns.len() {
                        y[slider.border + 1 + i] = -gap[i];
                    }
                }
            }
            self.work.matrix.solve(x, y);
            let last = closing != Closing::Impact || round == system.most_rounds();
            if last || !self.contacts_resist(system, state, round) {
                break;
            }
        }
        let (x, y) = self.corrections.room();
        let approach = system.kinetic_energy(state);
        for (dv, &u) in x.iter().zip(&system.unknown) {
            state.velocity[u] += dv;
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            state.velocity[slider.coordinate] = if state.sliders[j].regime.is_open() {
                system.foot_rate(j, &state.q, &state.velocity)
            } else {
                y[slider.border]
            };
        }
        let work = self.impulse_work(system, state, h);
        state.energy.input_work += work;
        state.energy.impact_loss += approach + work - system.kinetic_energy(state);
    }

    /// Closes the joints of `state` by displacements in the ratio of those that impulses over a time
    /// `h` would leave.
    pub(super) fn close_positions(&mut self, system: &System, state: &mut State, h: f64) {
        self.edges.fill(None);
        if self.impulses(system, state, h, Closing::Impact).is_err() {
            return;
        }
        let (x, y) = self.corrections.room();
        x.fill(0.0);
        y.fill(0.0);
        for (j, slider) in system.sliders.iter().enumerate() {
            if !state.sliders[j].regime.is_open() {
                let k = system.kinematics(j, &state.q, None);
                for i in 0..slider.unknowns.len() {
                    y[slider.border + 1 + i] = -k.gap[i];
                }
            }
        }
        self.work.matrix.solve(x, y);
        for (dq, &u) in x.iter().zip(&system.unknown) {
            state.q[u] += dq;
        }
        for slider in &system.sliders {
            state.q[slider.coordinate] += y[slider.border];
        }
    }

    /// Factors the equations of an impact over a time `h`.
    fn impulses(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
        closing: Closing,
    ) -> Result<(), Singular> {
        self.load_state(system, state, h);
        for (j, own) in self.at.sliders.iter_mut().enumerate() {
            own.multipliers = [0.0; 3];
            if closing != Closing::Caught || own.along != Along::Stick {
                own.along = Along::Free;
            }
            own.constraint = match own.constraint {
                Constraint::Stop(_) if closing == Closing::OnPaths && self.touching[j] => {
                    Constraint::Path
                }
                Constraint::Open if self.edges[j].is_some() => Constraint::Edge,
                same => same,
            };
        }
        // As at the start, K Δt² stands for the mass of unknowns that have none.
        system.residual_and_tangent(&self.at, &mut self.work, Some(1.0 / (h * h)));
        self.work.matrix.factor()
    }

    /// Work of the impulses with which the motions keep up their velocities, J: what the jump of
    /// the other velocities, which [`Stepper::close_velocities`] has just solved for, leaves in the
    /// rows of the unknowns that they prescribe.
    fn impulse_work(&mut self, system: &System, state: &State, h: f64) -> f64 {
        let (jump, contact) = self.corrections.room();
        self.approach.fill(0.0);
        for (dv, &u) in jump.iter().zip(&system.unknown) {
            self.approach[u] = *dv;
        }
        // Both sides of the equations over Δt², as they were solved.
        let rows = &mut self.work.residual;
        system.tangent_times(&state.q, &self.approach, 1.0 / (h * h), rows);
        let (q, jump) = (&state.q, &self.approach);
        system.add_follower_change(q, jump, &self.at.follower_loads, None, rows);
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &contact[slider.border + 1..][..slider.unknowns.len()];
            let mut multipliers = [0.0; 3];
            multipliers[..own.len()].copy_from_slice(own);
            let k = system.kinematics(j, &state.q, None);
            add_contact(slider, &k, &multipliers, rows);
        }
        let driven = system.driven(state);
        let power: f64 = driven.map(|(_, u)| rows[u] * state.velocity[u]).sum();
        h * h * power
    }
}

impl System {
    /// Angle between the ends of path elements `element` and the next where two members meet, rad;
    /// elements of one member may meet at an angle, but the real member has no kink there.
    fn kink(&self, j: usize, element: usize, q: &[f64]) -> f64 {
        let slider = &self.sliders[j];
        if !slider.path.elements()[element].ends_member {
            return 0.0;
        }
        let s = slider.path.elements()[element + 1].start;
        let [a, b] = [element, element + 1].map(|e| {
            let point = slider.path.point_on(e, s);
            crate::joints::slider::Kinematics::at(&slider.path, point, q, &slider.unknowns).tangent
        });
        let (sin, cos) = (a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
        sin.atan2(cos).abs()
    }
}
