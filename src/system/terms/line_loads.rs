//! Loads along members and edges, in sections of them and through bodies: their nodal forces, tangent and work.

mod body;
mod carrying;
mod inside;
mod rigid_edge;
mod volume;

use num_dual::{Dual64, DualNum};

use super::Term;
use crate::checked::history::Factors;
use crate::checked::{self, Carrier, Checked, Extent};
use crate::elements::line_load::{LoadedPart, NodeForces};
use crate::linear::{Bordered, Layout};
use crate::nodes::Nodes;
use crate::numerics::lagrange::MAX_NODES;
use crate::system::equations::Equations;
use crate::system::numbers::{Acting, Number, Numbers};
use crate::system::{FollowerLoad, Instant, Iterate, State, Workspace};
pub(crate) use body::BodyLoad;
use carrying::{Carrying, loaded};

/// All loads along members and edges, in sections of them and through bodies.
#[derive(Debug, Clone)]
pub(crate) struct LineLoads {
    /// In the order of the model.
    pub list: Vec<LineLoad>,
}

/// A load on a member, an edge or a body in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct LineLoad {
    /// None where it acts on a rigid body.
    parts: Vec<Loaded>,
    body: Option<BodyLoad>,
    /// Shares in a dead load along x (on x unknowns) and y, and in the moment on a section (on rotations); m along something, m³
    /// through a body, a number in one section.
    dead: [Vec<(usize, f64)>; 3],
    extent: Extent,
    /// What it acts along; none of a load through a body.
    carrier: Option<Carrier>,
    /// Its components as written, the indices of the inputs that give them, and how they change with time.
    components: [f64; 5],
    inputs: [Option<usize>; 5],
    factors: Factors<5>,
}

/// The components that keep their direction, in the order of their shares.
const DEAD: [usize; 3] = [0, 1, 4];

/// A loaded element.
#[derive(Debug, Clone)]
struct Loaded {
    part: LoadedPart,
    /// Where it is.
    piece: Carrying,
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
            parts.push(Loaded { part, piece: carrying, couplings: Vec::new() });
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
        let carrier = load.carrier();
        let (components, factors) = (load.components, load.factors.clone());
        LineLoad { parts, body, dead, extent: load.extent, carrier, components, inputs, factors }
    }

    /// The unknowns of each of its parts.
    pub fn cliques(&self) -> impl Iterator<Item = Vec<usize>> {
        let parts = self.parts.iter();
        parts.map(|part| part.piece.nodes.iter().flatten().copied().collect())
    }

    /// Finds the places of its tangent where it may ever turn with the axis; returns how many entries are beside the symmetric part.
    pub fn connect(&mut self, equation: &Equations, layout: &Layout) -> usize {
        let follows = (2..4).any(|c| self.components[c] != 0.0 || self.inputs[c].is_some());
        let body = self.body.as_mut();
        let mut count = body.map_or(0, |body| body.connect(follows, equation, layout));
        for loaded in self.parts.iter_mut().filter(|_| follows) {
            let places: Vec<[usize; 2]> =
                (0..loaded.piece.nodes.len()).flat_map(|l| [[l, 0], [l, 1]]).collect();
            let free = |[l, i]: [usize; 2]| equation.of(loaded.piece.nodes[l][i]);
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

    /// A component without its history, where `input(i)` is the value of input i.
    fn component<D: Number>(&self, component: usize, input: impl Fn(usize) -> D) -> D {
        let written = self.components[component];
        self.inputs[component].map_or_else(|| D::from(written), input)
    }

    /// A component at `time`.
    fn component_at<D: Number>(&self, c: usize, time: f64, input: impl Fn(usize) -> D) -> D {
        self.component(c, input) * self.factors.at(c, time)
    }

    /// A component of it, load number `id`, in a state.
    fn component_in<S: Acting, N: Numbers<S>>(&self, id: usize, c: usize, state: &N) -> N::Number {
        let input = |i: usize| state.get(|s| s.input(i));
        let now = state.now();
        match now.scaling().of_line(id) {
            Some(factor) => self.component(c, input) * factor,
            None => self.component_at(c, now.time(), input),
        }
    }

    /// Its components that turn with what carries it, at `time`.
    fn following<D: Number>(&self, time: f64, input: impl Fn(usize) -> D) -> [D; 4] {
        [0, 1, 2, 3].map(|c| self.component_at(c, time, &input))
    }
}

impl Loaded {
    fn place<D: Number>(&self, of: impl Fn(usize) -> D) -> NodeForces<D> {
        let mut place = [[D::zero(); 2]; MAX_NODES];
        for (here, node) in place.iter_mut().zip(&self.piece.nodes) {
            *here = node.map(&of);
        }
        place
    }
}

impl LineLoads {
    /// The loads of a model, where `inputs` give components.
    pub fn of(model: &Checked, nodes: &Nodes, inputs: &[[Option<usize>; 5]]) -> LineLoads {
        let described = model.line_loads.iter().zip(inputs);
        let list = described.map(|(load, &inputs)| LineLoad::new(model, load, inputs, nodes));
        LineLoads { list: list.collect() }
    }

    /// Hands the dead line loads at `time` to `add`.
    pub fn each_dead_load<D: Number>(
        &self, time: f64, input: impl Fn(usize) -> D, mut add: impl FnMut(usize, D),
    ) {
        for load in &self.list {
            for (component, shares) in DEAD.into_iter().zip(&load.dead) {
                let q = load.component_at(component, time, &input);
                shares.iter().for_each(|&(u, share)| add(u, q * share));
            }
        }
    }

    /// The follower loads at `time`.
    pub fn follower_loads(
        &self, time: f64, input: impl Fn(usize) -> f64, out: &mut [FollowerLoad],
    ) {
        for (load, out) in self.list.iter().zip(out) {
            *out = load.following(time, &input);
        }
    }

    /// Change of the follower loads by the changes `input(i)` of the inputs.
    pub fn follower_change(
        &self, time: f64, input: impl Fn(usize) -> f64, out: &mut [FollowerLoad],
    ) {
        for (load, out) in self.list.iter().zip(out) {
            *out = load.following(time, |i| Dual64::new(0.0, input(i))).map(|q| q.eps);
        }
    }

    /// Adds `factor` times a line load, its history left out: its dead forces to `external`, what
    /// turns with the axis to `follower_loads`.
    pub fn add(
        &self, id: usize, factor: f64, input: impl Fn(usize) -> f64, external: &mut [f64],
        follower_loads: &mut [FollowerLoad],
    ) {
        let load = &self.list[id];
        let component = |c: usize| factor * load.component(c, &input);
        for (own, shares) in DEAD.into_iter().zip(&load.dead) {
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
        (self.list.iter().zip(follower_loads))
            .map(|(load, &[_, _, normal, tangential])| (load, [normal, tangential]))
            .filter(|(_, q)| *q != [0.0; 2])
            .flat_map(|(load, q)| load.parts.iter().map(move |loaded| (loaded, q)))
    }

    /// Rigid bodies under loads along their edges.
    fn loaded_bodies<'a>(
        &'a self, loads: &'a [FollowerLoad],
    ) -> impl Iterator<Item = (&'a BodyLoad, &'a FollowerLoad)> {
        let both = self.list.iter().zip(loads);
        both.filter_map(|(load, q)| Some((load.body.as_ref()?, q)))
    }

    /// Whether any of these loads depends on how the mechanism stands.
    pub fn turn(&self, follower_loads: &[FollowerLoad]) -> bool {
        let mut on_bodies = self.loaded_bodies(follower_loads);
        on_bodies.any(|(_, q)| *q != FollowerLoad::default())
            || self.under_follower_loads(follower_loads).next().is_some()
    }

    /// Force of the loads along a member on one of its unknowns.
    pub fn on<N: Numbers<State>>(&self, state: &N, carrier: Carrier, unknown: usize) -> N::Number {
        let mut sum = N::Number::from(0.0);
        for (id, load) in self.list.iter().enumerate() {
            if load.carrier != Some(carrier) {
                continue;
            }
            let component = |c: usize| load.component_in(id, c, state);
            for (own, shares) in DEAD.into_iter().zip(&load.dead) {
                for (_, share) in shares.iter().filter(|(u, _)| *u == unknown) {
                    sum += component(own) * *share;
                }
            }
            let intensity = [component(2), component(3)];
            for loaded in &load.parts {
                let here = loaded.piece.nodes.iter().enumerate();
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

    /// Hands the forces of follower loads to `add`, where unknowns are at their `place` and the components of each load are known.
    fn each_force_of<D: Number>(
        &self, place: impl Fn(usize) -> D, components: impl Fn(usize) -> [D; 4],
        mut add: impl FnMut(usize, D),
    ) {
        for (id, load) in self.list.iter().enumerate() {
            let components = components(id);
            if let Some(body) = &load.body {
                let forces = body.forces(place(body.node.rotation), components);
                (body.node.unknowns().into_iter().zip(forces)).for_each(|(u, f)| add(u, f));
            }
            let intensity = [components[2], components[3]];
            if D::NDERIV == 0 && intensity == [D::zero(); 2] {
                continue;
            }
            for loaded in &load.parts {
                let forces = loaded.part.follower_forces(&loaded.place(&place), intensity);
                for (node, force) in loaded.piece.nodes.iter().zip(&forces) {
                    (0..2).for_each(|axis| add(node[axis], force[axis]));
                }
            }
        }
    }

    /// Takes from `out` the change of these follower loads by the change `by` of the positions `q`.
    pub fn add_product(
        &self, q: &[f64], by: &[f64], follower_loads: &[FollowerLoad], out: &mut [f64],
    ) {
        let place = |u: usize| Dual64::new(q[u], by[u]);
        let components = |id: usize| follower_loads[id].map(Dual64::from);
        self.each_force_of(place, components, |u, force| out[u] -= force.eps);
    }

    fn add_tangent(&self, at: &Iterate, matrix: &mut Bordered) {
        for (body, &load) in self.loaded_bodies(&at.follower_loads) {
            body.add_tangent(at.q[body.node.rotation], load, matrix);
        }
        for (loaded, intensity) in self.under_follower_loads(&at.follower_loads) {
            let place = loaded.place(|u| at.q[u]);
            let mut local = [[[[0.0; 2]; MAX_NODES]; 2]; MAX_NODES];
            (loaded.part).follower_tangent(&place, intensity, |l, i, m, j, value| {
                local[l][i][m][j] -= value;
            });
            for coupling in &loaded.couplings {
                let ([l, i], [m, j]) = (coupling.entry, coupling.other);
                let (here, there) = (local[l][i][m][j], local[m][j][l][i]);
                matrix.interior.values[coupling.position] += 0.5 * (here + there);
                let [a, b] = coupling.equations;
                if a != b {
                    let half = 0.5 * (here - there);
                    matrix.add_beside(a, b, half);
                    matrix.add_beside(b, a, -half);
                }
            }
        }
    }

    /// Work ½ (f₀ + f₁)·(q₁ − q₀) of the line loads from `state` to the positions `q` at `end`, J.
    pub fn work<N: Numbers<State>>(
        &self, state: &N, end: Instant, q: impl Fn(usize) -> N::Number,
    ) -> N::Number {
        let before = |u: usize| state.get(|s| s.q[u]);
        let moved = |u: usize| q(u) - before(u);
        let ends = [(state.now().time, end.elapsed_before), (end.time, end.elapsed)];
        let mut work = N::Number::from(0.0);
        for load in &self.list {
            let all: [[N::Number; 5]; 2] = ends.map(|(time, tau)| {
                let input = |i: usize| state.get(|s| s.signals[i].at(tau)[0]);
                std::array::from_fn(|c| load.component_at(c, time, input))
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
                    for (node, force) in loaded.piece.nodes.iter().zip(forces) {
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

impl Term for LineLoads {
    fn each_force<N: Numbers<Iterate>>(&self, at: &N, mut add: impl FnMut(usize, N::Number)) {
        let components = |id: usize| [0, 1, 2, 3].map(|c| at.get(|at| at.follower_loads[id][c]));
        self.each_force_of(|u| at.get(|at| at.q[u]), components, |u, force| add(u, -force));
    }

    /// The symmetric half of the tangent goes into the matrix, the other beside it.
    fn evaluate(&self, _: &Equations, at: &Iterate, work: &mut Workspace, tangent: bool) -> f64 {
        let mut largest = 0.0_f64;
        self.each_force(at, |u, force| {
            work.residual[u] += force;
            largest = largest.max(force.abs());
        });
        if tangent {
            self.add_tangent(at, &mut work.matrix);
        }
        largest
    }
}
