//! Loads along members and edges, in sections of them and through bodies: their nodal forces, tangent and work.

mod carrying;
mod rigid_edge;
mod volume;

use num_dual::{Dual64, DualNum};

use super::body_load::BodyLoad;
use super::equations::Equations;
use super::numbers::{Number, Numbers};
use super::{FollowerLoad, Instant, State, System, Workspace};
use crate::checked::{self, Carrier, Checked, Extent};
use crate::elements::line_load::{LoadedPart, NodeForces};
use crate::linear::Layout;
use crate::nodes::Nodes;
use crate::numerics::lagrange::MAX_NODES;
use carrying::loaded;

/// A load on a member, an edge or a body in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct LineLoad {
    /// None where it acts on a rigid body.
    parts: Vec<Loaded>,
    body: Option<BodyLoad>,
    /// Shares in a dead load along x (on x unknowns) and y, and in the moment on a section (on rotations); m along something, m³
    /// through a body, a number in one section.
    dead: [Vec<(usize, f64)>; 3],
    /// Indices of the inputs that give its components.
    inputs: [Option<usize>; 5],
}

/// The components that keep their direction, in the order of their shares.
const DEAD: [usize; 3] = [0, 1, 4];

/// A loaded element.
#[derive(Debug, Clone)]
struct Loaded {
    part: LoadedPart,
    /// Y₁, Y₂ of its nodes.
    nodes: Vec<[usize; 2]>,
    /// Entries of the tangent between free unknowns.
    couplings: Vec<Coupling>,
}

/// An entry pair of the tangent: nodes l, m and components i, j.
#[derive(Debug, Clone, Copy)]
struct Coupling {
    entry: [usize; 2],
    other: [usize; 2],
    equations: [usize; 2],
    /// Position of the pair in the matrix.
    position: usize,
}

impl LineLoad {
    /// Unknowns that a component acts on.
    pub fn unknowns(&self, component: usize) -> impl Iterator<Item = usize> + '_ {
        let dead = DEAD.into_iter().zip(&self.dead);
        let turns = matches!(component, 2 | 3);
        dead.filter(move |(own, _)| component == *own || turns && *own < 2)
            .flat_map(|(_, shares)| shares.iter().map(|(u, _)| *u))
            .chain(self.body.iter().map(|body| body.node.rotation))
    }

    pub fn new(
        model: &Checked, load: &checked::LineLoad, inputs: [Option<usize>; 5], nodes: &Nodes,
    ) -> LineLoad {
        let mut parts = Vec::new();
        let mut dead = [const { Vec::new() }; 3];
        let rigid = model.rigid_body_of(load);
        let mut body = rigid.and_then(|id| nodes.of_rigid_body(id)).map(BodyLoad::new);
        if let Some(body) = &mut body {
            rigid_edge::add(body, model, load.extent);
        }
        let carriers = match rigid {
            Some(_) => Vec::new(),
            None => loaded(model, load, nodes),
        };
        for carrying in carriers {
            let Some(part) = carrying.part(load.extent) else {
                continue;
            };
            for (l, &position) in carrying.nodes.iter().enumerate() {
                let unknowns = position.into_iter().chain(carrying.rotations.get(l).copied());
                for (shares, u) in dead.iter_mut().zip(unknowns) {
                    shares.push((u, part.share(l)));
                }
            }
            parts.push(Loaded { part, nodes: carrying.nodes, couplings: Vec::new() });
        }
        if let Extent::Through { body: id, gradient } = load.extent {
            if let (Some(body), Some(id)) = (&mut body, rigid) {
                let (share, lever) = volume::resultant(&model.bodies[id], gradient);
                body.add_place(share, lever);
            } else {
                let shares = volume::shares(&model.bodies[id], gradient);
                for (node, share) in shares.into_iter().enumerate() {
                    let unknowns = nodes.of_body(id)[node];
                    (dead.iter_mut().zip(unknowns)).for_each(|(shares, u)| shares.push((u, share)));
                }
            }
        }
        if let Some(body) = &body {
            let [x, y] = body.dead().map(|share| vec![share]);
            dead = [x, y, Vec::new()];
        }
        LineLoad { parts, body, dead, inputs }
    }

    /// The unknowns of each of its parts.
    pub fn cliques(&self) -> impl Iterator<Item = Vec<usize>> {
        let parts = self.parts.iter();
        parts.map(|part| part.nodes.iter().flatten().copied().collect())
    }

    /// Finds the places of its tangent where it may ever turn with the axis; returns how many entries are beside the symmetric part.
    pub fn connect(
        &mut self, load: &checked::LineLoad, equation: &Equations, layout: &Layout,
    ) -> usize {
        let follows = (2..4).any(|c| load.components[c] != 0.0 || self.inputs[c].is_some());
        let body = self.body.as_mut();
        let mut count = body.map_or(0, |body| body.connect(follows, equation, layout));
        for loaded in self.parts.iter_mut().filter(|_| follows) {
            let places: Vec<[usize; 2]> =
                (0..loaded.nodes.len()).flat_map(|l| [[l, 0], [l, 1]]).collect();
            let free = |[l, i]: [usize; 2]| equation.of(loaded.nodes[l][i]);
            for (k, &entry) in places.iter().enumerate() {
                for &other in &places[..=k] {
                    if let (Some(a), Some(b)) = (free(entry), free(other)) {
                        loaded.couplings.push(Coupling {
                            entry,
                            other,
                            equations: [a, b],
                            position: layout.position(a, b),
                        });
                    }
                }
            }
            count += 2 * loaded.couplings.len();
        }
        count
    }
}

impl Loaded {
    fn place<D: Number>(&self, of: impl Fn(usize) -> D) -> NodeForces<D> {
        let mut place = [[D::zero(); 2]; MAX_NODES];
        for (here, node) in place.iter_mut().zip(&self.nodes) {
            *here = node.map(&of);
        }
        place
    }
}

impl System {
    /// Component of a line load, where `input(i)` is the value of input i.
    fn line_component<D: Number>(
        &self, id: usize, component: usize, input: impl Fn(usize) -> D,
    ) -> D {
        let written = self.model.line_loads[id].components[component];
        self.line_loads[id].inputs[component].map_or_else(|| D::from(written), input)
    }

    /// Hands the dead line loads at `time` to `add`.
    pub(super) fn each_dead_load<D: Number>(
        &self, time: f64, input: impl Fn(usize) -> D, mut add: impl FnMut(usize, D),
    ) {
        for (id, (load, described)) in
            (self.line_loads.iter().zip(&self.model.line_loads)).enumerate()
        {
            for (component, shares) in DEAD.into_iter().zip(&load.dead) {
                let factor = described.factors.at(component, time);
                let q = self.line_component(id, component, &input) * factor;
                shares.iter().for_each(|&(u, share)| add(u, q * share));
            }
        }
    }

    /// The follower loads at `time`.
    pub(crate) fn follower_loads(
        &self, time: f64, input: impl Fn(usize) -> f64, out: &mut [FollowerLoad],
    ) {
        for (id, out) in out.iter_mut().enumerate() {
            *out = self.follower_load(id, time, &input);
        }
    }

    /// Change of the follower loads by the changes `input(i)` of the inputs.
    pub(crate) fn follower_change(
        &self, time: f64, input: impl Fn(usize) -> f64, out: &mut [FollowerLoad],
    ) {
        for (id, out) in out.iter_mut().enumerate() {
            let change = |i: usize| Dual64::new(0.0, input(i));
            *out = self.follower_load(id, time, change).map(|q| q.eps);
        }
    }

    fn follower_load<D: Number>(&self, id: usize, time: f64, input: impl Fn(usize) -> D) -> [D; 4] {
        let factors = &self.model.line_loads[id].factors;
        [0, 1, 2, 3].map(|c| self.line_component(id, c, &input) * factors.at(c, time))
    }

    /// Adds `factor` times a line load, its history left out: its dead forces to `external`, what
    /// turns with the axis to `follower_loads`.
    pub(crate) fn add_line_load(
        &self, id: usize, factor: f64, input: impl Fn(usize) -> f64, external: &mut [f64],
        follower_loads: &mut [FollowerLoad],
    ) {
        let component = |c: usize| factor * self.line_component(id, c, &input);
        for (own, shares) in DEAD.into_iter().zip(&self.line_loads[id].dead) {
            let q = component(own);
            shares.iter().for_each(|&(u, share)| external[u] += share * q);
        }
        for (axis, q) in follower_loads[id].iter_mut().enumerate() {
            *q += component(axis);
        }
    }

    /// Elements under follower loads that are not zero.
    fn under_follower_loads<'a>(
        &'a self, follower_loads: &'a [FollowerLoad],
    ) -> impl Iterator<Item = (&'a Loaded, [f64; 2])> {
        (self.line_loads.iter().zip(follower_loads))
            .map(|(load, &[_, _, normal, tangential])| (load, [normal, tangential]))
            .filter(|(_, q)| *q != [0.0; 2])
            .flat_map(|(load, q)| load.parts.iter().map(move |loaded| (loaded, q)))
    }

    /// Rigid bodies under loads along their edges.
    fn loaded_bodies<'a, Q>(
        &'a self, loads: &'a [Q],
    ) -> impl Iterator<Item = (&'a BodyLoad, &'a Q)> {
        let both = self.line_loads.iter().zip(loads);
        both.filter_map(|(load, q)| Some((load.body.as_ref()?, q)))
    }

    /// Whether any of these loads depends on how the mechanism stands.
    pub(crate) fn loads_turn(&self, follower_loads: &[FollowerLoad]) -> bool {
        let mut on_bodies = self.loaded_bodies(follower_loads);
        on_bodies.any(|(_, q)| *q != FollowerLoad::default())
            || self.under_follower_loads(follower_loads).next().is_some()
    }

    /// Force of the loads along a member on one of its unknowns.
    pub(super) fn line_loads_on<N: Numbers<State>>(
        &self, state: &N, carrier: Carrier, unknown: usize,
    ) -> N::Number {
        let mut sum = N::Number::from(0.0);
        let own = |id: &usize| self.model.line_loads[*id].carrier() == Some(carrier);
        for id in (0..self.line_loads.len()).filter(own) {
            let load = &self.line_loads[id];
            let (factors, time) = (&self.model.line_loads[id].factors, state.now().time);
            let input = |i: usize| state.get(|s| s.reached[i][0]);
            let component = |c: usize| self.line_component(id, c, input) * factors.at(c, time);
            for (own, shares) in DEAD.into_iter().zip(&load.dead) {
                for (_, share) in shares.iter().filter(|(u, _)| *u == unknown) {
                    sum += component(own) * *share;
                }
            }
            let intensity = [component(2), component(3)];
            for loaded in &load.parts {
                let here = loaded.nodes.iter().enumerate();
                let here = here
                    .filter_map(|(l, node)| Some((l, node.iter().position(|&u| u == unknown)?)));
                for (l, axis) in here {
                    let place = loaded.place(|u| state.get(|s| s.q[u]));
                    sum += loaded.part.follower_forces(&place, intensity)[l][axis];
                }
            }
        }
        sum
    }

    /// Takes the follower loads from the residual, and their tangent from the matrix; returns the
    /// largest force. The symmetric half of the tangent goes into the matrix, the other beside it.
    pub(super) fn add_follower_loads(
        &self, q: &[f64], follower_loads: &[FollowerLoad], work: &mut Workspace, tangent: bool,
    ) -> f64 {
        let mut largest = 0.0_f64;
        for (body, &load) in self.loaded_bodies(follower_loads) {
            let angle = q[body.node.rotation];
            for (u, force) in body.node.unknowns().into_iter().zip(body.forces(angle, load)) {
                work.residual[u] -= force;
                largest = largest.max(force.abs());
            }
            if tangent {
                body.add_tangent(angle, load, &mut work.matrix);
            }
        }
        for (loaded, intensity) in self.under_follower_loads(follower_loads) {
            let place = loaded.place(|u| q[u]);
            let forces = loaded.part.follower_forces(&place, intensity);
            for (node, force) in loaded.nodes.iter().zip(&forces) {
                for axis in 0..2 {
                    work.residual[node[axis]] -= force[axis];
                    largest = largest.max(force[axis].abs());
                }
            }
            if !tangent {
                continue;
            }
            let mut local = [[[[0.0; 2]; MAX_NODES]; 2]; MAX_NODES];
            (loaded.part).follower_tangent(&place, intensity, |l, i, m, j, value| {
                local[l][i][m][j] -= value;
            });
            for coupling in &loaded.couplings {
                let ([l, i], [m, j]) = (coupling.entry, coupling.other);
                let (here, there) = (local[l][i][m][j], local[m][j][l][i]);
                work.matrix.interior.values[coupling.position] += 0.5 * (here + there);
                let [a, b] = coupling.equations;
                if a != b {
                    let half = 0.5 * (here - there);
                    work.matrix.add_beside(a, b, half);
                    work.matrix.add_beside(b, a, -half);
                }
            }
        }
        largest
    }

    /// Takes from `out` the change of the follower loads by the change `by` of the positions `q` and
    /// the change `change` of their components.
    pub(crate) fn add_follower_change(
        &self, q: &[f64], by: &[f64], follower_loads: &[FollowerLoad],
        change: Option<&[FollowerLoad]>, out: &mut [f64],
    ) {
        for (id, load) in self.line_loads.iter().enumerate() {
            let components: [Dual64; 4] = std::array::from_fn(|c| {
                let change = change.map_or(0.0, |change| change[id][c]);
                Dual64::new(follower_loads[id][c], change)
            });
            if let Some(body) = &load.body {
                let r = body.node.rotation;
                let forces = body.forces(Dual64::new(q[r], by[r]), components);
                for (u, force) in body.node.unknowns().into_iter().zip(forces) {
                    out[u] -= force.eps;
                }
            }
            let intensity = [components[2], components[3]];
            if intensity.iter().all(|q| q.re == 0.0 && q.eps == 0.0) {
                continue;
            }
            for loaded in &load.parts {
                let place = loaded.place(|u| Dual64::new(q[u], by[u]));
                let forces = loaded.part.follower_forces(&place, intensity);
                for (node, force) in loaded.nodes.iter().zip(&forces) {
                    for axis in 0..2 {
                        out[node[axis]] -= force[axis].eps;
                    }
                }
            }
        }
    }

    /// Work ½ (f₀ + f₁)·(q₁ − q₀) of the line loads from `state` to the positions `q` at `end`, J.
    pub(crate) fn line_work<N: Numbers<State>>(
        &self, state: &N, end: Instant, q: impl Fn(usize) -> N::Number,
    ) -> N::Number {
        let before = |u: usize| state.get(|s| s.q[u]);
        let moved = |u: usize| q(u) - before(u);
        let ends = [(state.now().time, end.elapsed_before), (end.time, end.elapsed)];
        let mut work = N::Number::from(0.0);
        for (id, load) in self.line_loads.iter().enumerate() {
            let factors = &self.model.line_loads[id].factors;
            let all: [[N::Number; 5]; 2] = ends.map(|(time, tau)| {
                let input = |i: usize| state.get(|s| s.signals[i].at(tau)[0]);
                std::array::from_fn(|c| self.line_component(id, c, input) * factors.at(c, time))
            });
            let [first, last] = all;
            for (c, shares) in DEAD.into_iter().zip(&load.dead) {
                let way: N::Number = shares.iter().map(|&(u, share)| moved(u) * share).sum();
                work += (first[c] + last[c]) * way * 0.5;
            }
            if let Some(body) = &load.body {
                let r = body.node.rotation;
                for (angle, [x, y, n, t, _]) in [(before(r), first), (q(r), last)] {
                    let forces = body.forces(angle, [x, y, n, t]);
                    for (u, force) in body.node.unknowns().into_iter().zip(forces) {
                        work += force * moved(u) * 0.5;
                    }
                }
            }
            let follows = [[first[2], first[3]], [last[2], last[3]]];
            if N::Number::NDERIV == 0
                && follows.iter().flatten().all(|q| *q == N::Number::from(0.0))
            {
                continue;
            }
            for loaded in &load.parts {
                let places = [loaded.place(before), loaded.place(&q)];
                for (place, intensity) in places.iter().zip(follows) {
                    let forces = loaded.part.follower_forces(place, intensity);
                    for (node, force) in loaded.nodes.iter().zip(forces) {
                        for axis in 0..2 {
                            work += force[axis] * moved(node[axis]) * 0.5;
                        }
                    }
                }
            }
        }
        work
    }
}
