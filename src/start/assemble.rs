//! Where the mechanism stands at t = 0.
//!
//! Among the places that the motions and joints allow it takes one with the least strain energy,
//! and where parts are free to move without strain it moves them little. Faint springs H that pull
//! towards the places before keep the equations solvable for free parts, but they strain what
//! follows a motion. So the pull is repeated from where it has led until nothing moves,
//!
//! ```text
//! q ← arg min U(q') + ½ h (q' − q)ᵀ H (q' − q)        (proximal-point iteration)
//! ```
//!
//! which leaves the least of U alone, whatever h is.
//!
//! A rough path lifts its slider off the drawing. How far along the path is then left to the joints and members, not to springs, of which the faintest would
//! draw a free slider to where it keeps its length: the sliders find their places without springs, and what hangs on springs follows.

use nalgebra_sparse::csr::CsrMatrix;

use super::placement::Placement;
use super::velocities::Velocities;
use crate::message::{in_degrees, rounded};
use crate::newton::kinetics::Affine;
use crate::newton::{Failure, Newton, fault};
use crate::system::{
    Along, Iterate, Mass, Motion, Prescribed, State, System, SystemFault, Workspace,
};

/// Largest displacement of a motion, relative to the mechanism's size, or rotation (rad) by which
/// the assembly goes on at a time.
const LARGEST_MOVE: f64 = 0.02;

/// Sizes of the mechanism, or rad, from its initial configuration to the beginning of a motion beyond which nobody means it: a
/// thousand moves.
const FARTHEST_BEGINNING: f64 = 20.0;

/// Moves beside those of the whole way before the assembly is given up: where it follows in small ones only, it does not get far.
const MAX_OTHER_MOVES: usize = 500;

/// Where the assembly does not follow, its moves are halved down to this share of the first.
const SMALLEST_SHARE: f64 = 1e-3;

/// Shares of its own stiffness with which the assembly holds a node where it was: the least that
/// is above the rounding of the tangent, and the most. Rounding of the forces of stiff parts moves what is free by ε/h of the mechanism,
/// which the most brings below the tolerance of positions.
const FAINTEST: f64 = 1e-13;
const FIRMEST: f64 = 1e-4;

/// Displacement relative to the mechanism's size, or rotation, that ends the assembly.
const AT_REST: f64 = 1e-13;

/// Assemblies that creep on after so many returns hang on members too soft to strain anything.
const MAX_RETURNS: usize = 100;

/// Whether sliders on rough paths find their places along them, or keep those that they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rough {
    Free,
    Kept,
}

/// Moves a mechanism to where its motions begin.
pub(super) struct Assembly<'a> {
    pub system: &'a System,
    pub newton: &'a mut Newton,
}

impl Assembly<'_> {
    /// Moves the mechanism from where it was initially to where the motions want it at t = 0, and
    /// closes gaps of the drawing.
    pub fn assemble(&mut self, state: &mut State) -> Result<(), SystemFault> {
        let system = self.system;
        let mut begins = system.motions.iter().zip(&state.motions);
        begins.try_for_each(|(motion, now)| motion.begins_in_reach(now.value, system.size))?;
        let farthest = self.farthest_beginning(state);
        let gap = Placement::of(system).largest_gap(state);
        if farthest == 0.0 && gap <= 1e-14 * system.size {
            return Ok(());
        }
        let mut sprung = system.with_springs(&self.newton.at, &mut self.newton.work);
        // In the initial configuration springs are in balance with loads that are left out here.
        for spring in &mut sprung.springs.list {
            *spring = spring.relaxed(&system.initial);
        }
        if farthest == 0.0 && system.model.sliders.iter().any(|slider| slider.roughness.is_some()) {
            let mut without = sprung.clone();
            without.springs.list.clear();
            self.close(&without, state, Rough::Free)?;
            let mut kept = state.clone();
            // Where joints hold a slider along its path, too, nothing is to be kept.
            if self.close(&sprung, &mut kept, Rough::Kept).is_ok() {
                *state = kept;
                return Ok(());
            }
        }
        self.close(&sprung, state, Rough::Free)
    }

    /// How far from the initial configuration the farthest motion begins, in sizes of the mechanism or rad.
    fn farthest_beginning(&self, state: &State) -> f64 {
        let begins = self.system.motions.iter().zip(&state.motions);
        let beginnings = begins.map(|(motion, now)| motion.beginning(now.value, self.system.size));
        beginnings.fold(0.0, f64::max)
    }

    /// Moves the mechanism `sprung` to where the motions want it, to the least of its strain energy.
    fn close(
        &mut self, sprung: &System, state: &mut State, rough: Rough,
    ) -> Result<(), SystemFault> {
        let (system, farthest) = (self.system, self.farthest_beginning(state));
        let (mut share, mut by, mut hold) = (0.0, (LARGEST_MOVE / farthest).min(1.0), FAINTEST);
        let (whole, least) = (by, by * SMALLEST_SHARE);
        let broken = |f: Failure| fault(system, "cannot be assembled at t = 0", &f);
        let mut left = (1.0 / by) as usize + MAX_OTHER_MOVES;
        while share < 1.0 {
            let next = (share + by).min(1.0);
            match self.proximal_step(sprung, state, next, hold, rough) {
                Ok(_) => share = next,
                // Where nothing moves but a gap is closed, a smaller share of the way is no easier.
                Err(_) if farthest == 0.0 && hold < FIRMEST => hold *= 10.0,
                Err(Failure::Singular { .. }) if hold < FIRMEST => hold *= 10.0,
                Err(_) if by > least => by *= 0.5,
                Err(_) if hold < FIRMEST => (by, hold) = (whole, 10.0 * hold),
                Err(failure) => return Err(broken(failure)),
            }
            left = left.saturating_sub(1);
            if left == 0 {
                return Err(SystemFault(format!(
                    "the mechanism cannot be assembled at t = 0: it follows its motions to {} of their displacement only; place \
                     the initial configuration where they begin",
                    rounded(share, 2)
                )));
            }
        }
        for _ in 0..MAX_RETURNS {
            match self.proximal_step(sprung, state, 1.0, hold, rough) {
                Ok(moved) if moved <= AT_REST => break,
                Ok(_) => {}
                Err(_) if hold < FIRMEST => hold *= 10.0,
                Err(failure) => return Err(broken(failure)),
            }
        }
        Ok(())
    }

    /// Puts the motions at `share` of their way, closes the joints and moves the rest to the
    /// least of U(q) + ½ h (q − q₀)ᵀ H (q − q₀), with h = `hold`, q₀ where the motions take
    /// `state` along to first order, and the springs H of `system`; returns the largest
    /// displacement relative to the mechanism's size, or rotation.
    fn proximal_step(
        &mut self, system: &System, state: &mut State, share: f64, hold: f64, rough: Rough,
    ) -> Result<f64, Failure> {
        self.newton.load_state(system, state, system.model.solver.step);
        self.newton.at.external.fill(0.0);
        self.newton.at.follower_loads.fill([0.0; 4]);
        let mut moved = vec![0.0; state.q.len()];
        for (motion, value) in system.motions.iter().zip(&state.motions) {
            for &u in &motion.unknowns {
                moved[u] = system.initial[u] + share * value.value - state.q[u];
            }
        }
        // Without this guess the first elements would be crushed before the rest follows.
        let mut velocities = Velocities { system, newton: self.newton };
        if velocities.follow(Some(hold), &mut moved, &[]).is_ok() {
            (moved.iter().enumerate()).for_each(|(u, way)| self.newton.at.q.add(u, *way));
        }
        self.newton.at.leave_friction_out();
        if rough == Rough::Kept {
            self.keep_on_rough_paths(system);
        }
        system.motions.fix_prescribed(&mut self.newton.at);
        for m in 0..system.motions.len() {
            let mut motion = state.motions[m];
            motion.value *= share;
            motion.acceleration = 0.0;
            system.motions.move_prescribed(&mut self.newton.at, m, motion);
        }
        let origin = self.newton.at.q.clone();
        self.newton.solve(system, &mut Affine { factor: hold, origin: &origin })?;
        let moved = system.largest_move(&self.newton.at.q, &state.q);
        state.q.copy_from(&self.newton.at.q);
        Ok(moved)
    }

    /// Lets sliders on rough paths stay where they are along them, but for those that motions and supports hold there.
    fn keep_on_rough_paths(&mut self, system: &System) {
        let Iterate { sliders, q, driven, .. } = &mut self.newton.at;
        let prescribed = Prescribed { equations: &system.equation, driven };
        for (j, described) in system.model.sliders.iter().enumerate() {
            if described.roughness.is_some() && !system.sliders.is_moved_along(j, q, prescribed) {
                sliders[j].along = Along::Stick;
            }
        }
    }
}

impl Motion {
    /// How far from the initial configuration it begins where its displacement or rotation is `value`, in sizes of the mechanism or rad.
    fn beginning(&self, value: f64, size: f64) -> f64 {
        value.abs() / if self.turns { 1.0 } else { size }
    }

    /// # Errors
    /// Where it begins farther away than the mechanism can be followed to.
    fn begins_in_reach(&self, value: f64, size: f64) -> Result<(), SystemFault> {
        let begins = self.beginning(value, size);
        if begins <= FARTHEST_BEGINNING {
            return Ok(());
        }
        let (name, times) = (&self.name, rounded(begins, 3));
        Err(SystemFault(match self.turns {
            true => format!(
                "motions.{name} begins {} rad from the initial configuration; allowed: at most {FARTHEST_BEGINNING} rad; place \
                 the initial configuration where the motions begin, or, {}",
                rounded(value, 6),
                in_degrees(value)
            ),
            false => format!(
                "motions.{name} begins {} m from the initial configuration, {times} times its size; allowed: at most \
                 {FARTHEST_BEGINNING} times; place the initial configuration where the motions begin",
                rounded(value, 6)
            ),
        }))
    }
}

impl System {
    /// This mechanism with springs to the places before instead of masses. Each node gets the
    /// stiffness that its members give it anyway, so that stiff members do not pull soft ones; it
    /// is the same along x and y. Nodes without members get the smallest of the others'.
    pub(crate) fn with_springs(&self, at: &Iterate, work: &mut Workspace) -> System {
        self.residual_and_tangent(at, work, None);
        let mut springs = vec![0.0; self.nodal];
        for (&u, stiffness) in self.unknown.iter().zip(&work.stiffness) {
            springs[u] = *stiffness;
        }
        for [x, y] in self.nodes.positions() {
            let larger = springs[x].max(springs[y]);
            (springs[x], springs[y]) = (larger, larger);
        }
        let smallest = (springs.iter().zip(&self.is_rotation))
            .filter(|(spring, rotates)| **spring > 0.0 && !**rotates)
            .fold(f64::INFINITY, |a, (spring, _)| a.min(*spring));
        let instead = if smallest.is_finite() { smallest } else { 1.0 };
        for spring in springs.iter_mut().filter(|spring| **spring == 0.0) {
            *spring = instead;
        }
        let mut sprung = self.clone();
        let mut mass = CsrMatrix::identity(self.nodal);
        mass.values_mut().copy_from_slice(&springs);
        sprung.sliders.iter_mut().for_each(|slider| slider.take_inertia(&mass));
        sprung.mass = Mass::of(mass, &self.equation, &self.layout);
        sprung
    }
}
