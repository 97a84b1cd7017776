//! Steady sliding of a surface in its guide, with its acceleration as an unknown.
//!
//! What slides on a straight path moves as a whole with q̈ = a φ while it is strained by its loads and its own inertia:
//!
//! ```text
//! F_int(q) + M φ a + F_contact(q) = F_ext,    every point slips the same way,    q_k = its place
//! ```
//!
//! Nothing but inertia resists along φ, so that one unknown q_k is kept and its reaction has to vanish, which a decides. Where a is
//! against the sense of sliding the friction of sliding would be more than what drives it: it stays where it is, it jams. (What
//! Zhang & Wang, Sec. 2.2.4, reach by iterating on the kinetic force.)

use super::drawn::as_drawn_in_place;
use super::equilibrium::Acting;
use super::failure::fault;
use super::newton::{Failure, Kinetics};
use super::stepper::Stepper;
use crate::joints::regime::Sense;
use crate::numerics::disjoint::DisjointSets;
use crate::numerics::positions::Positions;
use crate::numerics::root::Bracket;
use crate::system::{Iterate, MassFactor, PRESCRIBED, State, System, SystemFault};

/// How a surface slides in its guide.
#[derive(Debug, Clone)]
pub struct Sliding {
    /// a along growing s, m/s².
    pub acceleration: f64,
    /// The mechanism as it slides.
    pub state: State,
}

impl Sliding {
    /// Whether it would be slowed down by its friction while it slides with this sense: nothing brings it to slide.
    pub fn jams(&self, sense: Sense) -> bool {
        self.acceleration * sense.sign() <= 0.0
    }
}

/// Trials of the acceleration; where no point begins or ceases to touch, the third is right.
const MOST_TRIALS: usize = 200;

/// Share of the forces in play that may be left of the reaction.
const ENOUGH: f64 = 1e-9;

/// Change of an acceleration that is rounding.
const ROUNDING: f64 = 1e-11;

/// Steps in which the loads are put on at the most, where they are not borne at once.
const MOST_PARTS: usize = 1 << 12;

/// Steps in which what slides comes to a face at the most, and the shortest of them by the solver's.
const MOST_STEPS: usize = 60;
const SHORTEST: f64 = 1e-6;

/// Way of a step, relative to the mechanism, of what has come to rest.
const AT_REST: f64 = 1e-12;

/// Attempts with parts of the loads.
const MOST_ATTEMPTS: usize = 40;

/// Ends of the interval of the acceleration that are tried, each four times as far as the one before.
const MOST_ENDS: usize = 20;

/// What has gone farther than its own size, or that of the mechanism, finds no face.
const FARTHEST: f64 = 1.0;

/// Times the play, and share of the length of its surface, by which a point may move across its guide.
const MOST_PLAYS: f64 = 4.0;
const MOST_STRAIN: f64 = 0.05;

/// What moves when a contact slides.
pub(super) struct Moving {
    /// φ of every nodal unknown.
    pub shape: Vec<f64>,
    /// Sense of each contact, of those that move along, when a is along φ, the tangent of the path of the contact asked for.
    pub senses: Vec<Sense>,
    /// The unknown whose place is kept.
    pub kept: usize,
}

/// Steady sliding of `contact` with `sense` under the loads of `time` (s), friction that of speeds near rest. The mechanism is as drawn,
/// its motions where they begin.
///
/// # Errors
/// When what would slide is held by something else, its path is not straight, or no solution is found.
pub fn sliding(
    system: &System,
    inputs: &[f64],
    contact: usize,
    sense: Sense,
    time: f64,
) -> Result<Sliding, SystemFault> {
    let mut stepper = Stepper::new(system);
    let (found, _) = stepper.slide_steadily(system, inputs, contact, sense, time)?;
    Ok(found)
}

impl Stepper {
    /// [`sliding`], with what moves; the solution is then in the iterate.
    pub(super) fn slide_steadily(
        &mut self,
        system: &System,
        inputs: &[f64],
        contact: usize,
        sense: Sense,
        time: f64,
    ) -> Result<(Sliding, Moving), SystemFault> {
        (self.corrections.to_rounding, self.corrections.halves) = (true, true);
        let mut state = as_drawn_in_place(system, inputs, self)?;
        let moving = system.moving_with(contact, &state)?;
        let loads = Acting::at(system, time, |i| state.reached[i][0]);
        let (mut share, mut part, mut acceleration) = (0.0_f64, 1.0_f64, 0.0);
        let mut attempts = 0;
        while share < 1.0 {
            let next = (share + part).min(1.0);
            attempts += 1;
            match self.slide(system, &state, &moving, sense, (&loads, next), acceleration) {
                Ok(found) => {
                    self.keep_slid(system, &mut state);
                    (share, acceleration) = (next, found);
                    part *= 2.0;
                }
                Err(_) if attempts < MOST_ATTEMPTS && part > 1.0 / MOST_PARTS as f64 => part *= 0.5,
                Err(failure) => return Err(fault(system, "has no steady sliding", &failure)),
            }
        }
        let found = Sliding {
            acceleration,
            state,
        };
        Ok((found, moving))
    }

    /// The acceleration under a share of the loads from `state`; the solution is then in the iterate.
    fn slide(
        &mut self,
        system: &System,
        state: &State,
        moving: &Moving,
        sense: Sense,
        (loads, share): (&Acting, f64),
        guess: f64,
    ) -> Result<f64, Failure> {
        let put = |stepper: &mut Stepper, state: &State, acceleration: f64| {
            stepper.prepare(system, state, None, loads, share);
            for (u, shape) in moving.shape.iter().enumerate() {
                stepper.at.acceleration[u] = acceleration * shape;
            }
            for (slips, own) in stepper.at.slips.iter_mut().zip(&moving.senses) {
                *slips = Sense::of(own.sign() * sense.sign());
            }
            stepper.at.driven[moving.kept] = Some(acceleration * moving.shape[moving.kept]);
        };
        // Each trial begins where the one before has ended: what has come to a face need not come there again.
        let mut found = state.clone();
        let mut left = |stepper: &mut Stepper, acceleration: f64| -> Result<f64, Failure> {
            put(stepper, &found, acceleration);
            let inside = |stepper: &Stepper| moving.stays_in_its_guides(system, stepper);
            if stepper.solve_static(system).is_err() || !inside(stepper) {
                // What stands off both faces is held by nothing until it has come to one.
                let put = |stepper: &mut Stepper, at: &State| put(stepper, at, acceleration);
                let from = (found.clone(), &moving.shape[..], acceleration);
                stepper.approach(system, from, put, inside)?;
            }
            stepper.keep_slid(system, &mut found);
            Ok(stepper.work.residual[moving.kept])
        };
        let enough = |stepper: &Stepper, left: f64| left.abs() <= ENOUGH * stepper.work.force_scale;
        let first = left(self, guess)?;
        if enough(self, first) {
            return Ok(guess);
        }
        // More acceleration asks for more force: the other end lies that way.
        let (mut way, mut low, mut ends) = (-first.signum(), [guess, first], 0);
        let mut high = loop {
            let trial = guess + way;
            let found = left(self, trial)?;
            if found * first <= 0.0 {
                break [trial, found];
            }
            (low, way) = ([trial, found], 4.0 * way);
            ends += 1;
            if ends > MOST_ENDS {
                return Err(Failure::Diverged { iterations: ends });
            }
        };
        if low[0] > high[0] {
            std::mem::swap(&mut low, &mut high);
        }
        let mut bracket = Bracket::new(low, high);
        for _ in 0..MOST_TRIALS {
            let trial = bracket.trial();
            let found = left(self, trial)?;
            if enough(self, found) || bracket.width() <= ROUNDING * trial.abs().max(1.0) {
                return Ok(trial);
            }
            bracket.narrow(trial, found);
        }
        Err(Failure::Diverged {
            iterations: MOST_TRIALS,
        })
    }

    /// Lets what slides come to the faces of its guide, by steps of the implicit Euler method from rest with its own masses, as long as
    /// it is `inside`; the equilibrium is then in the iterate.
    pub(super) fn approach(
        &mut self,
        system: &System,
        (mut state, shape, acceleration): (State, &[f64], f64),
        put: impl Fn(&mut Stepper, &State),
        inside: impl Fn(&Stepper) -> bool,
    ) -> Result<(), Failure> {
        let mut h = system.model.solver.step;
        let mut last = Failure::Diverged { iterations: 0 };
        for _ in 0..MOST_STEPS {
            put(self, &state);
            self.origin.copy_from(&self.at.q);
            let kinetics = Led {
                factor: 1.0 / (h * h),
                origin: &self.origin,
                shape,
                acceleration,
            };
            let solved = (self.corrections).solve(system, &kinetics, &mut self.at, &mut self.work);
            let left = || Failure::Diverged { iterations: 0 };
            let solved = solved.and_then(|_| inside(self).then_some(()).ok_or_else(left));
            if let Err(failure) = solved {
                (h, last) = (0.25 * h, failure);
                if h < SHORTEST * system.model.solver.step {
                    break;
                }
                continue;
            }
            let moved = system.largest_move(&self.at.q, &state.q);
            if moved <= AT_REST && h >= system.model.solver.step {
                // Nothing presses it anywhere: it is free to stand across its guide, and stays where it is. (In a step that is
                // shorter nothing gets far.)
                return Ok(());
            }
            self.keep_slid(system, &mut state);
            if system.largest_move(&state.q, &system.initial) > FARTHEST {
                break;
            }
            put(self, &state);
            match self.solve_static(system) {
                Ok(()) if inside(self) => return Ok(()),
                Ok(()) => (h, last) = (2.0 * h, left()),
                Err(failure) => (h, last) = (2.0 * h, failure),
            }
        }
        Err(last)
    }

    /// Keeps the solution in the iterate as where the next part of the loads begins.
    fn keep_slid(&self, system: &System, state: &mut State) {
        state.q.copy_from(&self.at.q);
        self.keep_forces(system, state);
        self.keep_memory(system, state);
    }
}

impl Moving {
    /// Whether no point of what slides stands farther off or deeper in its guide than play and strains allow: what turns over in it finds
    /// an equilibrium, too, and does not slide.
    fn stays_in_its_guides(&self, system: &System, stepper: &Stepper) -> bool {
        let (at, as_drawn) = (&stepper.at, Positions::from(&system.initial[..]));
        let slides = |i: &usize| self.senses[system.points[*i].contact] != Sense::Neither;
        (0..system.points.len()).filter(slides).all(|i| {
            let point = &system.points[i];
            let drawn = system.standing(i, &as_drawn, point.drawn).depth;
            let now = system.standing(i, &at.q, at.points[i].s).depth;
            let play = system.model.contacts[point.contact].play.max(-drawn);
            let length = system.contacts[point.contact].length;
            (now - drawn).abs() <= MOST_PLAYS * play + MOST_STRAIN * length
        })
    }
}

/// q̈ of a step of the implicit Euler method from rest, beside that of the sliding.
struct Led<'a> {
    factor: f64,
    origin: &'a Positions,
    shape: &'a [f64],
    acceleration: f64,
}

impl Kinetics for Led<'_> {
    fn mass_factor(&self) -> MassFactor {
        Some(self.factor)
    }

    fn update(&self, system: &System, at: &mut Iterate) {
        for &u in &system.unknown {
            let slides = self.acceleration * self.shape[u];
            at.acceleration[u] =
                at.driven[u].unwrap_or(slides + self.factor * at.q.way(u, self.origin));
        }
    }
}

impl System {
    /// What slides with a contact, and along which direction.
    ///
    /// # Errors
    /// Where it is held, or its path is not straight.
    fn moving_with(&self, contact: usize, state: &State) -> Result<Moving, SystemFault> {
        let name = &self.model.contacts[contact].name;
        let mut parts = DisjointSets::new(self.nodal);
        let mut join = |unknowns: &[usize]| {
            for pair in unknowns.windows(2) {
                parts.join(pair[0], pair[1]);
            }
        };
        self.unknowns_of_elements().for_each(&mut join);
        for id in 0..self.model.bodies.len() {
            if let Some(node) = self.nodes.of_rigid_body(id) {
                join(&node.unknowns());
            }
        }
        for pin in &self.pins {
            join(&pin.unknowns().collect::<Vec<_>>());
        }
        for position in self.nodes.positions() {
            join(&position);
        }
        let parts = parts.numbers();
        let own = parts[self.points[self.contacts[contact].points.start]
            .surface
            .nodes[0]
            .position[0]];
        let direction = |i: usize| {
            let point = &self.points[i];
            let foot = self.standing(i, &state.q, state.points[i].s).foot;
            (
                parts[point.surface.nodes[0].position[0]] == own,
                foot.tangent,
            )
        };
        let (_, [x, y]) = direction(self.contacts[contact].points.start);
        let mut senses = vec![Sense::Neither; self.contacts.len()];
        for i in 0..self.points.len() {
            let (moves, tangent) = direction(i);
            if !moves {
                continue;
            }
            let along = x * tangent[0] + y * tangent[1];
            if along.abs() < 1.0 - 1e-9 {
                return Err(SystemFault(format!(
                    "contacts.{name}: what slides in it is led along other directions, too, by contacts.{} or a path \
                     that is not straight; steady sliding is known along one straight line",
                    self.model.contacts[self.points[i].contact].name
                )));
            }
            senses[self.points[i].contact] = Sense::of(along);
        }
        let mut shape = vec![0.0; self.nodal];
        for position in self.nodes.positions() {
            for (u, along) in position.into_iter().zip([x, y]) {
                if parts[u] != own || along == 0.0 {
                    continue;
                }
                if self.equation[u] == PRESCRIBED {
                    return Err(SystemFault(format!(
                        "contacts.{name}: what slides in it is held by a support or led by a motion; steady sliding needs \
                         it free along its path"
                    )));
                }
                shape[u] = along;
            }
        }
        let most = |best: usize, u: usize| {
            if shape[u].abs() > shape[best].abs() {
                u
            } else {
                best
            }
        };
        let kept = (0..self.nodal).fold(0, most);
        Ok(Moving {
            shape,
            senses,
            kept,
        })
    }
}
