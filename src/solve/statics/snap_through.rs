//! Equilibria that jump.
//!
//! Where the loads of a quasi-static analysis pass a limit point, or a slider with friction that falls with speed breaks away, there is no
//! equilibrium near the last one. The mechanism snaps through: inertia, of which statics knows nothing, carries it to another. What
//! is taken for that one is where Newton's method goes, or else where the last one leads down the energy.
//!
//! A path of equilibria that goes on moves less in a shorter step, and one that jumps as far in any. So a step is halved, always the half
//! that moves farther, until that half moves much less than the whole step did, or has no length any more. That is done only where the end
//! of a step does not explain its move: where the tangent there, K⁻¹ times what loads and motions have changed, is much shorter.

use crate::newton::{Newton, largest_change};
use crate::solve::events::{Reason, SnapThrough};
use crate::solve::stepper::{Jump, Rejected, StepFault, Stepper, Watch};
use crate::solve::tolerances::{GOES_ON, SNAP_HALVINGS, UNEXPLAINED_MOVE, UNSEEN_MOVE};
use crate::system::{Span, State, System};

impl Stepper {
    /// Looks whether the equilibrium has jumped in a step over `span` that has led to `state`, and counts the jump.
    pub(crate) fn look_for_snap_through(&mut self, system: &System, state: &mut State, span: Span) {
        let moved = Displacement { system, between: [&self.begun.q, &state.q] }.largest();
        // What is unstable may go anywhere, and has been reported.
        let stable = self.begun.unstable_modes == 0;
        if stable
            && moved > UNSEEN_MOVE
            && moved > UNEXPLAINED_MOVE * self.integrator.newton.explained(system, &self.begun)
        {
            // The search takes parts of the step once more, whose events are no others.
            let events = self.events.clone();
            let found = self.find_snap_through(system, state, span);
            self.events = events;
            if let Some(snap_through) = found {
                self.events.jumped(snap_through);
                state.counters.snap_throughs += 1;
            }
        }
    }

    /// The jump in a step over `span` to `after`, if it is one.
    fn find_snap_through(
        &mut self, system: &System, after: &State, span: Span,
    ) -> Option<SnapThrough> {
        let (mut low, mut high) = (self.begun.clone(), after.clone());
        let mut trial = low.clone();
        if low.bridge_jumps(span.end) && self.reaches(system, &low, &mut trial, span) {
            high.copy_from(&trial);
        }
        let whole = Displacement { system, between: [&low.q, &high.q] }.largest();
        let [mut from, mut to] = [0.0, 1.0];
        for _ in 0..SNAP_HALVINGS {
            let middle = 0.5 * (from + to);
            if !self.reaches(system, &low, &mut trial, span.part([from, middle])) {
                to = middle;
                continue;
            }
            let below = Displacement { system, between: [&low.q, &trial.q] }.largest();
            let above = Displacement { system, between: [&trial.q, &high.q] }.largest();
            if below.max(above) < GOES_ON * whole {
                return None;
            }
            if below > above {
                to = middle;
                high.copy_from(&trial);
            } else {
                from = middle;
                low.copy_from(&trial);
            }
        }
        let unknown = Displacement { system, between: [&low.q, &high.q] }.of_node();
        let near = self.reaches(system, &low, &mut trial, span.part([from, to]))
            && Displacement { system, between: [&low.q, &trial.q] }.largest() < GOES_ON * whole;
        let sticks = |state: &State, j: usize| state.sliders[j].regime.sticks();
        let breaks_away = |j: &usize| sticks(&self.begun, *j) && !sticks(&high, *j);
        let reason = match (0..system.sliders.len()).find(breaks_away) {
            _ if near => Reason::StepTooLong,
            Some(slider) => Reason::BreaksAway { slider },
            None => Reason::LimitPoint,
        };
        let between = span.part([from, to]);
        Some(SnapThrough {
            between: [between.end.time - between.length, between.end.time],
            unknown,
            by: high.q[unknown] - low.q[unknown],
            reason,
        })
    }

    /// Takes a `part` of the step from `low` to `trial`; whether there is such a step.
    fn reaches(&mut self, system: &System, low: &State, trial: &mut State, part: Span) -> bool {
        trial.copy_from(low);
        self.take_parts(system, trial, part, &mut |_, _, _| {}).is_ok()
    }

    /// Takes the `rest` of a step of a quasi-static analysis for which there is no equilibrium near `state`, to the next one
    /// that lies lower; whether there is one.
    ///
    /// # Errors
    /// When a slider then leaves a path whose ends are an error.
    pub(crate) fn snap_through(
        &mut self, system: &System, state: &mut State, rest: Span, watch: &mut Watch<'_>,
    ) -> Result<bool, StepFault> {
        if system.is_dynamic() {
            return Ok(false);
        }
        self.begun.copy_from(state);
        self.integrator.predict(system, state, rest);
        let begun = self.integrator.newton.at.clone();
        let put = |newton: &mut Newton, place: &State| {
            let at = &mut newton.at;
            at.clone_from(&begun);
            at.acceleration.fill(0.0);
            for &u in &system.unknown {
                at.q.set(u, place.q.get(u));
            }
            for (j, slider) in system.sliders.iter().enumerate() {
                let s = slider.coordinate;
                at.q.set(s, place.q.get(s));
                at.sliders[j].multipliers = place.multipliers[j];
            }
            at.pins.copy_from_slice(&place.pins);
        };
        if self.integrator.newton.descend(system, &mut state.clone(), put).is_err() {
            return Ok(false);
        }
        match self.integrator.finish(system, state, rest, Jump::None, watch) {
            // Newton's method may also have failed where the path goes on.
            Ok(_) => self.look_for_snap_through(system, state, rest),
            Err(Rejected::Final(fault)) => return Err(fault),
            Err(_) => return Ok(false),
        }
        Ok(true)
    }
}

impl Newton {
    /// How far the change of loads and motions in a step from `before` that has been taken would have moved the mechanism with the tangent at its end.
    fn explained(&mut self, system: &System, before: &State) -> f64 {
        system.residual(&self.at, &mut self.work);
        let (x, y) = self.corrections.room();
        for (x, &u) in x.iter_mut().zip(&system.unknown) {
            *x = self.work.residual[u];
        }
        y.copy_from_slice(&self.work.border);
        // Not what their signals begin with: inputs may have jumped.
        system.load_inputs(&mut self.at, before.time, |i| before.reached[i][0]);
        for m in 0..system.motions.len() {
            system.motions.move_prescribed(&mut self.at, m, before.motions[m]);
        }
        system.residual(&self.at, &mut self.work);
        for (x, &u) in x.iter_mut().zip(&system.unknown) {
            *x -= self.work.residual[u];
        }
        (y.iter_mut().zip(&self.work.border)).for_each(|(y, r)| *y -= r);
        if self.work.matrix.solve(x, y).is_err() {
            // Where the tangent ends, nothing is explained by it.
            return 0.0;
        }
        largest_change(system, x, y)
    }
}

/// The way from one position of a mechanism to another.
#[derive(Clone, Copy)]
struct Displacement<'a> {
    system: &'a System,
    between: [&'a [f64]; 2],
}

impl Displacement<'_> {
    /// Of the unknowns that no motion prescribes and the sliding coordinates that which moves most, and by how much: relative to the
    /// mechanism's size, or rad.
    fn farthest(&self) -> (usize, f64) {
        let (system, [from, to]) = (self.system, self.between);
        let sliding = system.sliders.iter().map(|slider| slider.coordinate);
        let moves = (system.unknown.iter().copied().chain(sliding))
            .map(|u| (u, (to[u] - from[u]).abs() / system.scale(u)));
        moves.fold((0, 0.0), |far, one| if one.1 > far.1 { one } else { far })
    }

    /// How much that moves which moves most.
    fn largest(&self) -> f64 {
        self.farthest().1
    }

    /// The coordinate of a node that moves most, or what does where none moves a quarter as much.
    fn of_node(&self) -> usize {
        let (system, [from, to]) = (self.system, self.between);
        let (any, most) = self.farthest();
        let coordinates = (system.unknown.iter()).filter(|&&u| !system.is_rotation[u]);
        let moves = coordinates.map(|&u| (u, (to[u] - from[u]).abs() / system.size));
        let (place, by) = moves.fold((any, 0.0), |far, one| if one.1 > far.1 { one } else { far });
        if by > 0.25 * most { place } else { any }
    }
}
