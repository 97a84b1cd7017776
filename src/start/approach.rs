//! Surfaces that come to the faces of their guides before anything supports them across.

use crate::joints::regime::Sense;
use crate::newton::kinetics::Affine;
use crate::newton::{Failure, Newton};
use crate::numerics::disjoint::DisjointSets;
use crate::numerics::hypot::hypot;
use crate::numerics::positions::Positions;
use crate::surfaces::layer::PointMemory;
use crate::system::{ContactPoint, Iterate, State, System, SystemFault};

/// Steps in which what slides comes to a face at the most, and the shortest of them by the solver's.
const MAX_STEPS: usize = 60;
const SHORTEST: f64 = 1e-6;

/// Way of a step, relative to the mechanism, of what has come to rest.
const AT_REST: f64 = 1e-12;

/// What has gone farther than its own size, or that of the mechanism, finds no face.
const FARTHEST: f64 = 1.0;

/// Times the clearance, and share of the length of its surface, by which a point may move across its guide.
const MAX_CLEARANCES: f64 = 4.0;
const MAX_STRAIN: f64 = 0.05;

/// What moves when a contact slides.
#[derive(Debug, Clone)]
pub(crate) struct Moving {
    /// φ of every nodal unknown.
    pub shape: Vec<f64>,
    /// Sense of each contact, of those that move along, when a is along φ, the tangent of the path of the contact asked for.
    pub senses: Vec<Sense>,
    /// Its extent in the initial configuration, m.
    pub extent: f64,
    /// The unknown whose place is kept.
    pub kept: usize,
}

/// Lets surfaces come to the faces of their guides, by steps of the implicit Euler method from rest, without the way along which
/// something is `moving`, until `solve` finds the equilibrium from there; it is then in the iterate.
pub(crate) fn approach(
    system: &System, newton: &mut Newton, mut state: State, moving: Option<&Moving>,
    put: impl Fn(&mut Newton, &State),
    mut solve: impl FnMut(&mut Newton, &State) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut h = system.model.solver.step;
    let mut last = Failure::Diverged { iterations: 0 };
    for _ in 0..MAX_STEPS {
        put(newton, &state);
        let mut origin = newton.at.q.clone();
        if let Some(moving) = moving {
            moving.go_along(system, newton, h, &mut origin);
        }
        let mut kinetics = Affine { factor: 1.0 / (h * h), origin: &origin };
        let solved = newton.solve(system, &mut kinetics);
        let left = || Failure::Diverged { iterations: 0 };
        let inside = moving.is_none_or(|moving| moving.stays_in_its_guides(system, newton));
        let solved = solved.and_then(|_| inside.then_some(()).ok_or_else(left));
        if let Err(failure) = solved {
            (h, last) = (0.25 * h, failure);
            if h < SHORTEST * system.model.solver.step {
                break;
            }
            continue;
        }
        let moved = system.largest_move(&newton.at.q, &state.q);
        if moved <= AT_REST && moving.is_none() && h >= system.model.solver.step {
            // Nothing presses it anywhere: it is free to stand across its guide, and stays where it is. (In a step that is
            // shorter nothing gets far.)
            return Ok(());
        }
        newton.keep(system, &mut state);
        if system.largest_move(&state.q, &system.initial) > FARTHEST {
            break;
        }
        match solve(newton, &state) {
            Ok(()) => return Ok(()),
            Err(failure) => (h, last) = (2.0 * h, failure),
        }
        if moved <= AT_REST && h >= system.model.solver.step {
            break;
        }
    }
    Err(last)
}

impl Moving {
    /// Gives an iterate the accelerations a φ, a = `acceleration`.
    pub fn accelerate(&self, at: &mut Iterate, acceleration: f64) {
        for (own, shape) in at.acceleration.iter_mut().zip(&self.shape) {
            *own = acceleration * shape;
        }
    }

    /// φᵀ f.
    pub(crate) fn along(&self, forces: &[f64]) -> f64 {
        self.shape.iter().zip(forces).map(|(a, b)| a * b).sum()
    }

    /// Whether no point of what slides stands farther off or deeper in its guide than clearance and strains allow: what turns over in it finds
    /// an equilibrium, too, and does not slide.
    pub fn stays_in_its_guides(&self, system: &System, newton: &Newton) -> bool {
        let (at, initial) = (&newton.at, Positions::from(&system.initial[..]));
        let open = |point: &ContactPoint| PointMemory::open(point.initial);
        let open: Vec<PointMemory> = system.surfaces.points.iter().map(open).collect();
        let initial = system.surfaces.kinematics_of_points(&initial, &open);
        let found_points = system.surfaces.kinematics_of_points(&at.q, &at.points);
        let slides = |i: &usize| self.senses[system.surfaces.points[*i].contact] != Sense::Neither;
        (0..system.surfaces.points.len()).filter(slides).all(|i| {
            let point = &system.surfaces.points[i];
            let [initial, now] = [initial[i].depth, found_points[i].depth];
            let clearance = system.model.contacts[point.contact].guide.clearance.max(-initial);
            let length = system.surfaces.contacts[point.contact].length;
            (now - initial).abs() <= MAX_CLEARANCES * clearance + MAX_STRAIN * length
        })
    }

    /// Lets it go along its path with the acceleration that the forces in the iterate give it in a step of length `h` (s) from
    /// the `origin`, one place kept: nothing else resists a long step.
    fn go_along(&self, system: &System, newton: &mut Newton, h: f64, origin: &mut Positions) {
        let Newton { at, work, .. } = newton;
        system.residual(at, work);
        let mut inertia = vec![0.0; system.nodal];
        system.mass.forces(&self.shape, &mut inertia);
        let acceleration = -self.along(&work.residual) / self.along(&inertia);
        for (u, along) in self.shape.iter().enumerate() {
            origin.add(u, -h * h * acceleration * along);
        }
        at.driven.drive(self.kept, acceleration * self.shape[self.kept]);
    }
}

impl System {
    /// What slides with a contact, and along which direction.
    ///
    /// # Errors
    /// Where it is held, or its path is not straight.
    pub(crate) fn moving_with(&self, contact: usize, state: &State) -> Result<Moving, SystemFault> {
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
        Ok(Moving { shape, senses, extent: hypot(width, height), kept })
    }
}
