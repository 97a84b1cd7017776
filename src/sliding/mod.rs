//! Steady sliding of a surface in its guide, with its acceleration as an unknown.
//!
//! What slides on a straight path moves as a whole with q̈ = a φ while it is strained by its loads and its own inertia:
//!
//! ```text
//! F_int(q) + M φ a + F_contact(q) = F_ext,    every point slips the same way,    q_k = its place
//! ```
//!
//! Nothing but inertia resists along φ, so that one unknown q_k is kept and its reaction has to vanish, which a decides: one more unknown of
//! Newton's method (`steady.rs`). Where a is
//! against the sense of sliding the friction of sliding would be more than what drives it: it stays where it is, it jams. (What
//! Zhang & Wang, Sec. 2.2.4, reach by iterating on the kinetic force.)

pub mod growth;
mod steady;

use self::steady::{Moving, Room};
use crate::joints::regime::Sense;
use crate::newton::kinetics::Affine;
use crate::newton::{Failure, fault};
use crate::numerics::disjoint::DisjointSets;
use crate::numerics::positions::Positions;
use crate::solve::stepper::Stepper;
use crate::start::drawn::initial_in_place;
use crate::start::easing::{SMOOTH, TO_SLIDE};
use crate::start::equilibrium::Acting;
use crate::surfaces::layer::PointMemory;
use crate::system::{ContactPoint, ContinuationFactors, State, System, SystemFault};

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

/// Steps in which the loads are put on at the most, where they are not borne at once.
const MAX_PARTS: usize = 1 << 12;

/// Steps in which what slides comes to a face at the most, and the shortest of them by the solver's.
const MAX_STEPS: usize = 60;
const SHORTEST: f64 = 1e-6;

/// Way of a step, relative to the mechanism, of what has come to rest.
const AT_REST: f64 = 1e-12;

/// Attempts with parts of the loads.
const MAX_ATTEMPTS: usize = 40;

/// What has gone farther than its own size, or that of the mechanism, finds no face.
const FARTHEST: f64 = 1.0;

/// Times the clearance, and share of the length of its surface, by which a point may move across its guide.
const MAX_CLEARANCES: f64 = 4.0;
const MAX_STRAIN: f64 = 0.05;

/// Steady sliding of `contact` with `sense` under the loads of `time` (s), friction that of speeds near rest. The mechanism is in the initial configuration,
/// its motions where they begin.
///
/// # Errors
/// When what would slide is held by something else, its path is not straight, or no solution is found.
pub fn sliding(
    system: &System, inputs: &[f64], contact: usize, sense: Sense, time: f64,
) -> Result<Sliding, SystemFault> {
    let mut stepper = Stepper::new(system);
    let (found, _) = stepper.slide_steadily(system, inputs, contact, sense, time)?;
    Ok(found)
}

impl Stepper {
    /// [`sliding`], with what moves; the solution is then in the iterate.
    pub(crate) fn slide_steadily(
        &mut self, system: &System, inputs: &[f64], contact: usize, sense: Sense, time: f64,
    ) -> Result<(Sliding, Moving), SystemFault> {
        self.corrections.to_rounding = true;
        let mut state = initial_in_place(system, inputs, self)?;
        let (moving, mut room) = (system.moving_with(contact, &state)?, Room::new(system));
        let loads = Acting::at(system, time, |i| state.reached[i][0]);
        let (mut share, mut part, mut acceleration) = (0.0_f64, 1.0_f64, 0.0);
        let mut attempts = 0;
        while share < 1.0 {
            let next = (share + part).min(1.0);
            attempts += 1;
            let along = (&moving, &mut room);
            match self.slide(system, &state, along, sense, (&loads, next), acceleration) {
                Ok(found) => {
                    self.keep_slid(system, &mut state);
                    (share, acceleration) = (next, found);
                    part *= 2.0;
                }
                Err(_) if attempts < MAX_ATTEMPTS && part > 1.0 / MAX_PARTS as f64 => part *= 0.5,
                Err(failure) => return Err(fault(system, "has no steady sliding", &failure)),
            }
        }
        system.surfaces.forces_are_known(&self.work)?;
        let found = Sliding { acceleration, state };
        Ok((found, moving))
    }

    /// The acceleration under a share of the loads from `state`; the solution is then in the iterate.
    fn slide(
        &mut self, system: &System, state: &State, (moving, room): (&Moving, &mut Room),
        sense: Sense, (loads, share): (&Acting, f64), guess: f64,
    ) -> Result<f64, Failure> {
        let put = |stepper: &mut Stepper, state: &State| {
            stepper.prepare(system, state, None, loads, share);
            for (slips, own) in stepper.at.slips.iter_mut().zip(&moving.senses) {
                *slips = Sense::of(own.sign() * sense.sign());
            }
        };
        let mut found = guess;
        let mut solve =
            |stepper: &mut Stepper, factors: ContinuationFactors, q: Option<&Positions>| {
                put(stepper, state);
                stepper.begin_with(factors, q);
                found = stepper.steady(system, moving, room, found)?;
                match moving.stays_in_its_guides(system, stepper) {
                    true => Ok(()),
                    false => Err(Failure::Diverged { iterations: 0 }),
                }
            };
        let Err(failure) = self.solve_easing(system, &TO_SLIDE, &mut solve) else {
            return Ok(found);
        };
        // What stands off both faces is held by nothing until it has come to one; which, friction may decide.
        for way in [SMOOTH, ContinuationFactors::default()] {
            let eased = |stepper: &mut Stepper, at: &State| {
                put(stepper, at);
                stepper.at.factors = way;
            };
            let come = |stepper: &mut Stepper, at: &State| match stepper.follows(
                way,
                Some(&at.q),
                &mut solve,
            ) {
                true => Ok(()),
                false => Err(failure.clone()),
            };
            let came = self.approach(system, state.clone(), Some(moving), eased, come);
            if came.is_ok() {
                return Ok(found);
            }
        }
        Err(failure)
    }

    /// Lets surfaces come to the faces of their guides, by steps of the implicit Euler method from rest, without the way along which
    /// something is `moving`, until `solve` finds the equilibrium from there; it is then in the iterate.
    pub(super) fn approach(
        &mut self, system: &System, mut state: State, moving: Option<&Moving>,
        put: impl Fn(&mut Stepper, &State),
        mut solve: impl FnMut(&mut Stepper, &State) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut h = system.model.solver.step;
        let mut last = Failure::Diverged { iterations: 0 };
        for _ in 0..MAX_STEPS {
            put(self, &state);
            self.origin.copy_from(&self.at.q);
            if let Some(moving) = moving {
                self.go_along(system, moving, h);
            }
            let mut kinetics = Affine { factor: 1.0 / (h * h), origin: &self.origin };
            let solved =
                (self.corrections).solve(system, &mut kinetics, &mut self.at, &mut self.work);
            let left = || Failure::Diverged { iterations: 0 };
            let inside = moving.is_none_or(|moving| moving.stays_in_its_guides(system, self));
            let solved = solved.and_then(|_| inside.then_some(()).ok_or_else(left));
            if let Err(failure) = solved {
                (h, last) = (0.25 * h, failure);
                if h < SHORTEST * system.model.solver.step {
                    break;
                }
                continue;
            }
            let moved = system.largest_move(&self.at.q, &state.q);
            if moved <= AT_REST && moving.is_none() && h >= system.model.solver.step {
                // Nothing presses it anywhere: it is free to stand across its guide, and stays where it is. (In a step that is
                // shorter nothing gets far.)
                return Ok(());
            }
            self.keep_slid(system, &mut state);
            if system.largest_move(&state.q, &system.initial) > FARTHEST {
                break;
            }
            match solve(self, &state) {
                Ok(()) => return Ok(()),
                Err(failure) => (h, last) = (2.0 * h, failure),
            }
            if moved <= AT_REST && h >= system.model.solver.step {
                break;
            }
        }
        Err(last)
    }

    /// Lets what moves go along its path with the acceleration that the forces in the iterate give it in a step of length `h` (s) from
    /// the origin, one place kept: nothing else resists a long step.
    fn go_along(&mut self, system: &System, moving: &Moving, h: f64) {
        system.residual(&self.at, &mut self.work);
        let mut inertia = vec![0.0; system.nodal];
        system.mass.forces(&moving.shape, &mut inertia);
        let acceleration = -moving.along(&self.work.residual) / moving.along(&inertia);
        for (u, along) in moving.shape.iter().enumerate() {
            self.origin.add(u, -h * h * acceleration * along);
        }
        self.at.driven[moving.kept] = Some(acceleration * moving.shape[moving.kept]);
    }

    /// Keeps the solution in the iterate as where the next part of the loads begins.
    fn keep_slid(&self, system: &System, state: &mut State) {
        state.q.copy_from(&self.at.q);
        self.keep_forces(system, state);
        self.keep_memory(system, state);
    }
}

impl Moving {
    /// Whether no point of what slides stands farther off or deeper in its guide than clearance and strains allow: what turns over in it finds
    /// an equilibrium, too, and does not slide.
    fn stays_in_its_guides(&self, system: &System, stepper: &Stepper) -> bool {
        let (at, initial) = (&stepper.at, Positions::from(&system.initial[..]));
        let open = |point: &ContactPoint| PointMemory::open(point.drawn);
        let open: Vec<PointMemory> = system.surfaces.points.iter().map(open).collect();
        let drawn = system.surfaces.kinematics_of_points(&initial, &open);
        let found_points = system.surfaces.kinematics_of_points(&at.q, &at.points);
        let slides = |i: &usize| self.senses[system.surfaces.points[*i].contact] != Sense::Neither;
        (0..system.surfaces.points.len()).filter(slides).all(|i| {
            let point = &system.surfaces.points[i];
            let [drawn, now] = [drawn[i].depth, found_points[i].depth];
            let clearance = system.model.contacts[point.contact].guide.clearance.max(-drawn);
            let length = system.surfaces.contacts[point.contact].length;
            (now - drawn).abs() <= MAX_CLEARANCES * clearance + MAX_STRAIN * length
        })
    }
}

impl System {
    /// What slides with a contact, and along which direction.
    ///
    /// # Errors
    /// Where it is held, or its path is not straight.
    pub(super) fn moving_with(&self, contact: usize, state: &State) -> Result<Moving, SystemFault> {
        let name = &self.model.contacts[contact].name;
        let mut parts = DisjointSets::new(self.nodal);
        let mut join = |unknowns: &[usize]| {
            for pair in unknowns.windows(2) {
                parts.join(pair[0], pair[1]);
            }
        };
        self.groups.unknowns().for_each(&mut join);
        for id in 0..self.model.bodies.len() {
            if let Some(node) = self.nodes.of_rigid_body(id) {
                join(&node.unknowns());
            }
        }
        for pin in &self.pins.list {
            join(&pin.unknowns().collect::<Vec<_>>());
        }
        for position in self.nodes.positions() {
            join(&position);
        }
        let parts = parts.numbers();
        let own = parts[self.surfaces.points[self.surfaces.contacts[contact].points.start]
            .surface
            .nodes[0]
            .position[0]];
        let direction = |i: usize| {
            let point = &self.surfaces.points[i];
            let (_, closest) = self.surfaces.closest_point(i, &state.q, state.points[i].s);
            (parts[point.surface.nodes[0].position[0]] == own, closest.tangent)
        };
        let (_, [x, y]) = direction(self.surfaces.contacts[contact].points.start);
        let mut senses = vec![Sense::Neither; self.surfaces.contacts.len()];
        for i in 0..self.surfaces.points.len() {
            let (moves, tangent) = direction(i);
            if !moves {
                continue;
            }
            let along = x * tangent[0] + y * tangent[1];
            if along.abs() < 1.0 - 1e-9 {
                return Err(SystemFault(format!(
                    "contacts.{name}: what slides in it is led along other directions, too, by contacts.{} or a path \
                     that is not straight; steady sliding is known along one straight line",
                    self.model.contacts[self.surfaces.points[i].contact].name
                )));
            }
            senses[self.surfaces.points[i].contact] = Sense::of(along);
        }
        let mut shape = vec![0.0; self.nodal];
        let mut box_of = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for position in self.nodes.positions() {
            for (u, [low, high]) in position.into_iter().zip(&mut box_of) {
                if parts[u] == own {
                    (*low, *high) = (low.min(self.initial[u]), high.max(self.initial[u]));
                }
            }
            for (u, along) in position.into_iter().zip([x, y]) {
                if parts[u] != own || along == 0.0 {
                    continue;
                }
                if !self.equation.has(u) {
                    return Err(SystemFault(format!(
                        "contacts.{name}: a support or a motion prescribes the slider; steady sliding needs \
                         it free along its path"
                    )));
                }
                shape[u] = along;
            }
        }
        let most = |best: usize, u: usize| {
            if shape[u].abs() > shape[best].abs() { u } else { best }
        };
        let kept = (0..self.nodal).fold(0, most);
        let [width, height] = box_of.map(|[low, high]| high - low);
        Ok(Moving { shape, senses, extent: width.hypot(height), kept })
    }
}
