//! Change of the stages of a step.

use super::Change;
use super::carry::Carried;
use super::common::{Stage, StageRoom, Turn};
use crate::checked::Analysis;
use crate::linear::Singular;
use crate::newton::kinetics::{Base, Before};
use crate::newton::{Newton, Trail};
use crate::numerics::positions::Position;
use crate::solve::guess::Guess;
use crate::solve::integrator::Integrator;
use crate::system::{
    Constraint, Iterate, Linear, Numbers, SlidingVelocity, Span, State, System, Varied,
};

/// A correction below this share of the largest need not be found.
const SETTLED: f64 = 1e-12;

/// Share below which corrections that hardly get smaller are rounding, which stiff members make large.
const NEAR: f64 = 1e-6;

/// Share of the one before to which a correction gets smaller at least.
const SHRINKS: f64 = 0.1;

/// Corrections that a stage takes at most. The matrix leaves out how rates of constraints follow positions, a share of the order of the step.
const MAX_CORRECTIONS: usize = 60;

/// The first guess of a stage that ends `h` after `state`, s; no time where it does not depend on the length of the step before.
struct First<'a> {
    guess: Guess<'a>,
    state: &'a State,
    h: f64,
}

impl First<'_> {
    /// Change of the guess by the length of the step before, as a share of what has changed over that step.
    fn share_change(&self, by: &State) -> f64 {
        self.state.equal.share_change(self.h, &by.equal)
    }

    /// Change of the acceleration of unknown `u` by the change `by` of the state.
    fn acceleration_change(&self, by: &State, u: usize) -> f64 {
        let over = self.state.acceleration[u] - self.state.earlier.acceleration[u];
        self.guess.acceleration(by, u) + self.share_change(by) * over
    }

    /// Changes of the forces of joints: `first` has those of the state.
    fn change_forces(&self, by: &State, first: &mut Iterate) {
        let (state, share) = (self.state, self.share_change(by));
        self.guess.find_forces(by, first);
        let earlier = &state.earlier;
        let sliders = state.multipliers.iter().zip(&earlier.multipliers);
        for (own, (now, earlier)) in first.sliders.iter_mut().zip(sliders) {
            if own.constraint != Constraint::Open {
                for (x, over) in own.multipliers.iter_mut().zip(now.iter().zip(earlier)) {
                    *x += share * (over.0 - over.1);
                }
            }
        }
        let pins = state.pins.iter().zip(&earlier.pins);
        for (own, (now, earlier)) in first.pins.iter_mut().zip(pins) {
            for (x, over) in own.iter_mut().zip(now.iter().zip(earlier)) {
                *x += share * (over.0 - over.1);
            }
        }
    }
}

impl Carried<'_> {
    /// Carries the changes over the step of one stage from `state` over `span` whose solution is in the integrator, and stays there.
    ///
    /// # Errors
    /// Where the tangent is singular.
    pub(super) fn carry_solved(
        &mut self, integrator: &mut Integrator, system: &System, state: &State, span: Span,
    ) -> Result<(), Singular> {
        let (alpha, h) = (system.weights(), span.length);
        let mut stage = Stage::factor(integrator, system, &mut self.room)?;
        self.others = stage.trail.as_ref().map_or(0.0, |trail| trail.others).max(self.others);
        let carried = self.changes.iter_mut().try_for_each(|change| {
            change.begin(integrator, system, state, span, |_, before| alpha.base(h, before));
            let first = First { guess: Guess::of(state, h), state, h };
            change.solve_stage(integrator, system, first, &mut stage)
        });
        let Stage { room, trail, .. } = stage;
        integrator.newton.corrections.trail = trail;
        // What the step leaves is that of its solution.
        system.residual(&integrator.newton.at, &mut integrator.newton.work);
        if carried.is_ok() {
            self.accept((integrator, &room.about), system, state, span);
        }
        self.room = Some(room);
        carried
    }

    /// Carries the changes over the step from `state` over `span`, whose stages are solved once more.
    ///
    /// # Errors
    /// Where the tangent is singular.
    pub(super) fn carry_again(
        &mut self, integrator: &mut Integrator, system: &System, state: &State, span: Span,
    ) -> Result<(), Singular> {
        if !system.is_dynamic() {
            let Newton { at, work, .. } = &mut integrator.newton;
            system.factored_tangent(at, work, None)?;
            let about = Linear::at(system, at);
            self.changes.iter_mut().try_for_each(|change| {
                change.begin(integrator, system, state, span, |_, before| {
                    Base::euler(span.length, before)
                });
                change.solve_by_factored((&mut integrator.newton, &about), system, None)
            })?;
            self.accept((integrator, &about), system, state, span);
            return Ok(());
        }
        integrator.newton.corrections.trail = Some(Box::new(Trail::new(system)));
        if !integrator.has_stages() {
            integrator.attempt(system, state, span).map_err(|_| Singular)?;
            return self.carry_solved(integrator, system, state, span);
        }
        for i in 0..system.tableau().stages() {
            self.carry_stage(integrator, system, state, (span, i))?;
        }
        system.residual(&integrator.newton.at, &mut integrator.newton.work);
        let about = Linear::at(system, &integrator.newton.at);
        self.accept((integrator, &about), system, state, span);
        Ok(())
    }

    /// Solves stage `i` once more, and carries the changes over it.
    fn carry_stage(
        &mut self, integrator: &mut Integrator, system: &System, state: &State,
        (span, i): (Span, usize),
    ) -> Result<(), Singular> {
        let (tableau, h) = (system.tableau(), span.length);
        (integrator.take_stage(system, state, span, i)).map_err(|_| Singular)?;
        // What has closed the second derivatives of the constraints at the end of the stage.
        let closes = tableau.order > 2 && i + 1 < tableau.stages();
        let closed = closes.then(|| {
            let (x, y) = integrator.newton.corrections.room();
            (x.to_vec(), y.to_vec())
        });
        let part = span.stage(tableau.end(i));
        let mut stage = Stage::factor(integrator, system, &mut self.room)?;
        self.others = stage.trail.as_ref().map_or(0.0, |trail| trail.others).max(self.others);
        for change in &mut self.changes {
            let middle = std::mem::take(&mut change.middle);
            change.begin(integrator, system, state, part, |u, before| {
                tableau.base(i, h, before, |j| middle[j].unknowns[u])
            });
            let guess = Guess::of_stage(tableau, i, state, part.length, &middle);
            let h = if i == 0 { part.length } else { 0.0 };
            let solved =
                change.solve_stage(integrator, system, First { guess, state, h }, &mut stage);
            change.middle = middle;
            solved?;
        }
        let closing = closed.and_then(|(x, y)| {
            Turn::of(system, &integrator.newton, &integrator.newton.at, (&x, &y), 0.0)
        });
        let StageRoom { about, beside, .. } = &mut stage.room;
        if let Some(turn) = &closing {
            turn.linearise(system, beside);
        }
        for change in &mut self.changes {
            if closes {
                let (tau, along) = (integrator.motion.stage.by_velocity, change.at.clone());
                change.accelerate_by_factored(
                    (integrator, about),
                    system,
                    tau,
                    |change, newton| {
                        if let Some(turn) = &closing {
                            change.turn(newton, system, &along, (turn, beside));
                        }
                    },
                )?;
            }
            if let Some(end) = change.middle.get_mut(i) {
                for (u, rates) in end.unknowns.iter_mut().enumerate() {
                    *rates = [change.velocity[u], change.at.acceleration[u]];
                }
                end.keep_forces(&change.at);
            }
        }
        integrator.newton.corrections.trail = stage.trail;
        self.room = Some(stage.room);
        Ok(())
    }

    fn accept(
        &mut self, (integrator, about): (&Integrator, &Linear), system: &System, state: &State,
        span: Span,
    ) {
        for change in &mut self.changes {
            change.accept((integrator, about), system, state, span);
        }
    }
}

impl Change {
    /// Changes that are known before the solution of a stage: loads, prescribed unknowns, the beginning.
    fn begin(
        &mut self, integrator: &Integrator, system: &System, state: &State, span: Span,
        base: impl Fn(usize, &Before) -> Base,
    ) {
        let Span { length: h, end, .. } = span;
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        let stage = integrator.motion.stage;
        let (by, at) = (&self.by, &mut self.at);
        at.acceleration.fill(0.0);
        at.flow.factor = integrator.newton.at.flow.factor;
        at.flow.origin.fill(0.0);
        at.pins.fill([0.0; 2]);
        at.points.copy_from_slice(&by.points);
        for (begun, spring) in at.springs.iter_mut().zip(&by.springs) {
            begun.anchor = spring.anchor;
        }
        for u in 0..by.q.len() {
            let Base { velocity, travel } = base(u, &Before::of(by, u));
            let origin = by.q[u] + travel;
            (self.origin[u], self.base[u], self.velocity[u]) = (origin, velocity, velocity);
            at.q.set(u, if dynamic { origin } else { 0.0 });
            if u < system.nodal {
                at.flow.regularisation(u, Position::from(origin), velocity);
            }
        }
        for u in 0..system.nodal {
            if system.equation.of(u).is_none() || integrator.newton.at.driven[u].is_some() {
                at.q.set(u, 0.0);
                self.velocity[u] = 0.0;
            }
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            let s = slider.coordinate;
            let (own, now) = (&mut at.sliders[j], &integrator.newton.at.sliders[j]);
            let slides = dynamic && slider.slides(now.along);
            let unmoved = (Position::from(self.origin[s]), self.base[s]);
            own.multipliers = [0.0; 3];
            own.velocity = SlidingVelocity::over(&stage, h, slides, by.q.get(s), unmoved);
            own.memory = by.sliders[j].memory;
            if dynamic && now.keeps_place() && now.constraint != Constraint::Open {
                // What keeps its place has no velocity, and the place of the beginning or that of a stop.
                let place = match now.constraint {
                    Constraint::Path => by.q[s],
                    _ => 0.0,
                };
                self.origin[s] = place + self.base[s] / stage.rate();
                at.q.set(s, place);
            }
        }
        let input = |i: usize| by.signals[i].at(end.elapsed)[0];
        system.loads.change(end.time, input, &mut at.external);
        system.loads.lines.follower_change(end.time, input, &mut at.follower_loads);
        let varied = Varied { now: state, by };
        let input = |i: usize| varied.get(|s| s.signals[i].at(end.elapsed)[0]);
        system.springs.set_change(input, &mut at.springs);
        for (m, u) in system.motions.driven(state) {
            let change = system.motions.change_at(m, (state, by), end);
            at.q.set(u, change.value);
            at.acceleration[u] = change.acceleration;
            at.flow.regularisation(u, change.value.into(), change.rate);
            self.velocity[u] = change.rate;
        }
    }

    /// Completes the change of a stage, of which the known part is there, by its matrices.
    fn solve_stage(
        &mut self, integrator: &mut Integrator, system: &System, first: First, stage: &mut Stage,
    ) -> Result<(), Singular> {
        let factor = stage.factor;
        if !integrator.motion.stabilised {
            for &u in &system.unknown {
                if integrator.newton.at.driven[u].is_none() {
                    self.at.acceleration[u] = self.acceleration(u, integrator);
                }
            }
            let about = &stage.room.about;
            self.solve_by_factored((&mut integrator.newton, about), system, factor)?;
            self.find_velocities(integrator, system);
            return Ok(());
        }
        self.turn_corrections(integrator, system, &first, stage)?;
        self.converge(integrator, system, stage)?;
        for _ in 0..integrator.newton.at.augmented {
            system.surfaces.augment_change(&integrator.newton.at, &mut self.at);
            self.converge(integrator, system, stage)?;
        }
        self.follow_closest_points(system, &integrator.newton.at);
        self.find_velocities(integrator, system);
        let about = (&integrator.newton.at, &stage.room.about);
        system.residual_change(about, &self.at, &self.friction, &mut self.residual);
        Ok(())
    }

    /// Begins with the change of the corrections of positions as their matrix S changes:
    ///
    /// ```text
    /// S [δ; η] = [0; ·], S [Δδ; Δη] = −ΔS [δ; η]
    /// ```
    ///
    /// ΔS is that along the change of the first guess.
    fn turn_corrections(
        &mut self, integrator: &mut Integrator, system: &System, guess: &First, stage: &mut Stage,
    ) -> Result<(), Singular> {
        let Stage { room, turn: Some(turn), trail: Some(trail), .. } = stage else {
            return Ok(());
        };
        let Integrator { newton, motion, .. } = integrator;
        let by_position = motion.stage.by_position;
        let mut first = self.at.clone();
        for (own, kept) in first.sliders.iter_mut().zip(&self.by.multipliers) {
            own.multipliers = *kept;
        }
        first.pins.copy_from_slice(&self.by.pins);
        guess.change_forces(&self.by, &mut first);
        for u in 0..self.origin.len() {
            let x = guess.acceleration_change(&self.by, u);
            let nodal = u < system.nodal;
            if !nodal || (system.equation.of(u).is_some() && newton.at.driven[u].is_none()) {
                first.q.set(u, self.origin[u] + by_position * x);
                first.acceleration[u] = x;
            }
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            if trail.at.sliders[j].keeps_place() {
                first.q.set(slider.coordinate, self.at.q[slider.coordinate]);
            }
        }
        self.interior.fill(0.0);
        self.border.fill(0.0);
        self.turn(newton, system, &first, (turn, &room.beside));
        room.matrix.solve(&mut self.interior, &mut self.border)?;
        self.shift(newton, system);
        Ok(())
    }

    /// Adds −ΔS [x; y] to the right-hand side, where the matrix S of a [turn](Turn) changes `along` a change of its iterate.
    pub(super) fn turn(
        &mut self, newton: &Newton, system: &System, along: &Iterate,
        (turn, beside): (&Turn, &[Linear; 2]),
    ) {
        for ((there, weight), about) in turn.sides.iter().zip(beside) {
            system.residual_change((there, about), along, &self.friction, &mut self.residual);
            for (sum, &u) in self.interior.iter_mut().zip(&system.unknown) {
                if newton.at.driven[u].is_none() {
                    *sum += weight * self.residual.nodal[u];
                }
            }
            let border = self.border.iter_mut().zip(&self.residual.border);
            border.for_each(|(sum, row)| *sum += weight * row);
        }
    }

    /// Corrects positions, then accelerations and forces, as the stage was solved, until nothing changes.
    fn converge(
        &mut self, integrator: &mut Integrator, system: &System, stage: &mut Stage,
    ) -> Result<(), Singular> {
        let Stage { room: StageRoom { matrix, about, .. }, factor, .. } = stage;
        let (scale, mut last) = (1.0 / integrator.motion.stage.rate(), f64::INFINITY);
        for _ in 0..MAX_CORRECTIONS {
            let Integrator { newton: Newton { at, work, .. }, motion, .. } = &mut *integrator;
            let open = &mut self.residual.border;
            system.constraints_change((at, about), &self.at, open);
            self.rates.copy_from_slice(open);
            let (placed, faster) = (&work.placed, (&self.at, &self.velocity[..]));
            let rates = &mut self.rates;
            system.constraint_rates_change(at, placed, &motion.velocity, faster, scale, rates);
            rates.iter_mut().zip(open).for_each(|(rate, open)| *rate -= *open);
            self.border.fill(0.0);
            system.take_constraints(at, &self.rates, &mut self.border);
            let mut shifted = 0.0;
            if self.border.iter().any(|open| *open != 0.0) {
                self.interior.fill(0.0);
                matrix.solve(&mut self.interior, &mut self.border)?;
                shifted = self.shift(&integrator.newton, system);
                self.find_velocities(integrator, system);
            }
            let Integrator { newton: Newton { at, work, .. }, motion, .. } = &mut *integrator;
            system.residual_change((at, about), &self.at, &self.friction, &mut self.residual);
            let (placed, faster) = (&work.placed, (&self.at, &self.velocity[..]));
            let border = &mut self.residual.border;
            system.constraint_rates_change(at, placed, &motion.velocity, faster, scale, border);
            let corrected = self.correct_by(system, at, work, *factor)?.max(shifted);
            let largest = self.at.q.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
            self.find_velocities(integrator, system);
            // The next correction would be smaller by as much again.
            let next = if last.is_finite() { corrected * (corrected / last) } else { corrected };
            if next <= SETTLED * largest
                || corrected >= SHRINKS * last && corrected <= NEAR * largest
            {
                break;
            }
            last = last.min(corrected);
        }
        Ok(())
    }

    /// Applies the correction of positions in the room; returns its largest part.
    fn shift(&mut self, newton: &Newton, system: &System) -> f64 {
        let mut largest = 0.0_f64;
        for (way, &u) in self.interior.iter().zip(&system.unknown) {
            if newton.at.driven[u].is_none() {
                self.at.q.add(u, *way);
                self.origin[u] += way;
                self.at.flow.origin.add(u, *way);
                largest = largest.max(way.abs());
            }
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            let (s, way) = (slider.coordinate, self.border[slider.border]);
            if !newton.at.sliders[j].keeps_place() {
                self.at.q.add(s, way);
                self.origin[s] += way;
                self.at.sliders[j].velocity.shift(way);
                largest = largest.max(way.abs());
            }
        }
        largest
    }

    /// Change of q̈ of unknown `u` in the stage.
    fn acceleration(&self, u: usize, integrator: &Integrator) -> f64 {
        (self.at.q[u] - self.origin[u]) / integrator.motion.stage.by_position
    }

    /// Finds the changes of q̈ and q̇.
    fn find_velocities(&mut self, integrator: &Integrator, system: &System) {
        let stage = integrator.motion.stage;
        let free =
            (system.unknown.iter().copied()).filter(|&u| integrator.newton.at.driven[u].is_none());
        for u in free.chain(system.sliders.iter().map(|slider| slider.coordinate)) {
            let x = (self.at.q[u] - self.origin[u]) / stage.by_position;
            self.at.acceleration[u] = x;
            self.velocity[u] = self.base[u] + stage.by_velocity * x;
        }
    }
}
