//! Down the energy to an equilibrium.
//!
//! What loads alone hold, such as a pendulum, has no stiffness to begin with, and behind a limit point none is near. Then the mechanism moves
//! down the energy,
//!
//! ```text
//! q ← arg min Π(q') + ½ h (q' − q)ᵀ H (q' − q)
//! ```
//!
//! (proximal-point iteration, as at the start) until it rests, with h as small as every step allows: Newton's method finds a stationary point,
//! which has to be a minimum, and not farther away than [`LONGEST_STEP`].

use crate::message::rounded;
use crate::newton::kinetics::{Affine, Kinetics, Static};
use crate::newton::{Failure, Newton, balanced};
use crate::numerics::positions::Positions;
use crate::solve::tolerances::{
    AT_REST, CLIMBS, FAINTEST, FARTHEST, FIRM, FIRMEST, LONGEST_STEP, MOST_ON_SURFACES, MOST_RESTS,
    MOST_STEPS, NEUTRAL,
};
use crate::surfaces::layer::{PointMemory, bearing_share};
use crate::system::{ContinuationFactors, State, System, SystemFault};

impl Newton {
    /// Equilibrium from the iterate.
    pub(crate) fn solve_static(&mut self, system: &System) -> Result<(), Failure> {
        self.solve(system, &mut Static).map(|_| ())
    }

    /// Equilibrium from the iterate, to which the loads in it lead from rest in `state`.
    pub(crate) fn solve_static_from(
        &mut self, system: &System, state: &State,
    ) -> Result<(), Failure> {
        self.solve_static(system)?;
        match self.climbs_from(system, state) {
            true => Err(Failure::Diverged { iterations: 0 }),
            false => Ok(()),
        }
    }

    /// Whether more is stored in the iterate than its loads can give on the way from rest in `state`, of which friction only takes:
    ///
    /// ```text
    /// Π(q) − Π(q₀) > Σ ½ k_T (s₀ − s_a)²,    Π = what members, springs and contact layers store − Fᵀ q
    /// ```
    ///
    /// Corrections may jump over the top to another equilibrium, where a surface is turned over and wedged in its guide. With loads that
    /// turn, or contact layers that are not as they are, it is not known.
    pub(crate) fn climbs_from(&self, system: &System, state: &State) -> bool {
        let turn = system.loads.lines.turn(&self.at.follower_loads);
        if system.surfaces.contacts.is_empty()
            || turn
            || self.at.factors != ContinuationFactors::default()
        {
            return false;
        }
        let stored = |q: &Positions, points: &[PointMemory]| {
            let moment = |j: usize| self.at.sliders[j].multipliers[2];
            let setting = |i: usize| self.at.springs[i].setting;
            system.energy().strain_at(q, moment, points)
                + system.springs.energy(q, setting)
                + system.springs.energy_of_actuators(q, setting)
        };
        let work: f64 = (self.at.external.iter().enumerate())
            .map(|(u, force)| force * self.at.q.way(u, &state.q))
            .sum();
        let found_points = system.surfaces.kinematics_of_points(&state.q, &state.points);
        let held = state.points.iter().enumerate().map(|(i, memory)| {
            let off =
                found_points[i].s - if memory.touch.touches() { memory.anchor } else { memory.s };
            0.5 * system.surfaces.points[i].layer.tangential * off * off
        });
        let before = stored(&state.q, &state.points);
        let after = stored(&self.at.q, &self.at.points);
        let largest = before.abs() + after.abs() + work.abs();
        after - before - work
            > held.sum::<f64>() + CLIMBS * largest + self.energy_of_tolerance(system, None)
    }

    /// Moves `state` down the energy until it rests in an equilibrium on its paths; `put` puts the iterate, with what acts
    /// on it, at a state.
    ///
    /// # Errors
    /// When it finds none; with the path beyond whose end it found one, or went.
    pub(crate) fn descend(
        &mut self, system: &System, state: &mut State, put: impl Fn(&mut Newton, &State),
    ) -> Result<(), Option<SystemFault>> {
        let initial = state.clone();
        put(self, state);
        let springs = system.with_springs(&self.at, &mut self.work);
        let mut lower = state.clone();
        let known = system.model.solver.position_tolerance;
        let (mut hold, mut beyond) = (FIRM, None);
        // Steps at rest since one with a smaller hold has failed.
        let mut rests = None;
        let most = match system.surfaces.contacts.is_empty() {
            true => MOST_STEPS,
            false => MOST_ON_SURFACES,
        };
        for _ in 0..most {
            put(self, state);
            let Some(moved) = self.step_down(&springs, hold, state, &mut lower) else {
                rests = rests.or(Some(0));
                hold *= 8.0;
                if hold > FIRMEST {
                    return Err(beyond);
                }
                continue;
            };
            match &mut rests {
                Some(rests) if moved <= AT_REST && *rests < MOST_RESTS => *rests += 1,
                Some(_) if moved <= AT_REST => return Err(beyond),
                _ => rests = None,
            }
            std::mem::swap(state, &mut lower);
            if let Err(fault) = system.stands_on_its_paths(&state.q, &state.points) {
                beyond.get_or_insert(fault);
            }
            if system.largest_move(&state.q, &system.initial) > FARTHEST {
                return Err(beyond);
            }
            if moved <= AT_REST.max(hold) {
                put(self, state);
                if self.solve_static_from(system, &initial).is_ok()
                    && system.largest_move(&self.at.q, &state.q) <= moved.max(known)
                    && (moved <= AT_REST || self.is_stable(system))
                {
                    match system.stands_on_its_paths(&self.at.q, &self.at.points) {
                        Ok(()) => {
                            self.keep(system, state);
                            return Ok(());
                        }
                        Err(fault) => beyond = Some(fault),
                    }
                }
                // Something is free to stand anywhere, and stays where it is.
                if moved <= AT_REST && hold <= NEUTRAL {
                    put(self, state);
                    system.residual(&self.at, &mut self.work);
                    if balanced(system, &self.at, &self.work) {
                        return Ok(());
                    }
                }
            }
            hold = (0.25 * hold).max(FAINTEST);
        }
        Err(beyond)
    }

    /// Whether the equilibrium in the iterate, which stays there, is stable.
    fn is_stable(&mut self, system: &System) -> bool {
        let found = self.at.clone();
        let stable = self.unstable_modes(system) == 0;
        self.at.clone_from(&found);
        system.residual(&self.at, &mut self.work);
        stable
    }

    /// A step down the energy from `state`, at which the iterate is, to `lower`: to the minimum of Π + ½ `hold` (q' − q)ᵀ H (q' − q) with the
    /// `springs` H instead of masses. Returns its largest displacement relative to the mechanism's size, or rotation in rad; nothing where
    /// Newton's method finds no minimum within [`LONGEST_STEP`].
    fn step_down(
        &mut self, springs: &System, hold: f64, state: &State, lower: &mut State,
    ) -> Option<f64> {
        let origin = self.at.q.clone();
        let mut kinetics = Affine { factor: hold, origin: &origin };
        self.solve(springs, &mut kinetics).ok()?;
        let moved = springs.largest_move(&self.at.q, &state.q);
        if moved > LONGEST_STEP {
            return None;
        }
        lower.copy_from(state);
        self.keep(springs, lower);
        let descends = self.negative_modes(springs, kinetics.mass_factor()) == 0;
        descends.then_some(moved)
    }
}

impl System {
    /// # Errors
    /// When a slider stands beyond the ends of its path where these are an error.
    pub(crate) fn stands_on_its_paths(
        &self, q: &Positions, points: &[PointMemory],
    ) -> Result<(), SystemFault> {
        for (j, slider) in self.sliders.iter().enumerate() {
            let (s, length) = (q[slider.coordinate], slider.path.length());
            if slider.rests_between_its_ends() && slider.is_beyond_its_path(s) {
                return Err(SystemFault(format!(
                    "the mechanism has no static equilibrium at t = 0 with {} on its path: \
                     free to slide it would go to s = {} m, outside [0, {}] m; give it friction or fix the sliders (`fixed_sliders = \"all\"`)",
                    self.model.path_of_slider(j),
                    rounded(s, 6),
                    rounded(length, 6)
                )));
            }
        }
        let found_points = self.surfaces.kinematics_of_points(q, points);
        for (contact, described) in self.surfaces.contacts.iter().zip(&self.model.contacts) {
            let Some(width) = contact.fade else { continue };
            let length = contact.path.length();
            let bears = |s: f64| bearing_share(s, length, width)[0] == 1.0;
            let left = contact.points.clone().find(|&i| {
                let at_point = &found_points[i];
                bears(self.surfaces.points[i].initial)
                    && at_point.pressed.touches
                    && !bears(at_point.s)
            });
            if left.is_some() {
                return Err(SystemFault(format!(
                    "the mechanism has no static equilibrium at t = 0 with contacts.{} within the ends of its path: its \
                     surface slides out of its guide; give it more friction or fix it (`coulisse sliding` shows how it slides)",
                    described.name
                )));
            }
        }
        Ok(())
    }

    /// Largest difference of two places: of positions relative to the mechanism's size, of rotations in rad.
    pub(crate) fn largest_move(&self, to: &[f64], from: &[f64]) -> f64 {
        let pairs = to.iter().zip(from).enumerate();
        pairs.fold(0.0, |far: f64, (u, (to, from))| far.max((to - from).abs() / self.scale(u)))
    }
}
