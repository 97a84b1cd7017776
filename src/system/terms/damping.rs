//! Structural damping: D = c_m M + c_k K of the damped members and bodies.
//!
//! M is their mass and what is lumped at the ends of members and at the nodes of bodies. Where one motion shakes all supports along an
//! axis, c_m M multiplies velocities relative to the ground, as in equations of relative displacements: D has entries in the column of one
//! unknown that moves with the ground, c_m M (q̇ − r v_g) = c_m (M q̇ − (M r) v_g). K is either their initial tangent, constant
//! in time, or it turns with them: Bᵀ C₀ B of the rates of their own strains where they are, see [`Viscous`]. The force
//! D q̇ stands in the equations of motion, so q̇ has to be known at every iterate: it follows the
//! positions through the time integration, q̇ = factor (q − origin).
//!
//! [`Viscous`]: crate::elements::kernel::Viscous

use fearless_simd::dispatch;
use nalgebra_sparse::coo::CooMatrix;
use nalgebra_sparse::csr::CsrMatrix;

use super::Term;
use crate::checked::{Axes, Checked, Direction, Ground};
use crate::elements::group::{TangentRoom, Tangents};
use crate::elements::kernel::Half;
use crate::laws::rayleigh::Rayleigh;
use crate::linear::{Constant, Layout};
use crate::nodes::Nodes;
use crate::numerics::lanes::{larger, level};
use crate::numerics::positions::Positions;
use crate::system::equations::Equations;
use crate::system::numbers::{Number, Numbers, Varied, flow_velocity};
use crate::system::sparse::{on_free, set_scaled};
use crate::system::{Circling, Group, Iterate, State, System, Workspace};

/// The damping of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct Damping {
    /// Coefficients of each entry of [`Checked::damping`].
    laws: Vec<Rayleigh>,
    /// What of D is constant, on the nodal unknowns.
    matrix: Constant,
    /// The same on the free unknowns, in their matrix.
    free: Vec<f64>,
    /// What turns with the elements.
    turning: Vec<Turning>,
    /// An unknown that moves with the ground along x and y, where it is shaken.
    ground: [Option<usize>; 2],
}

/// A group of elements whose damping turns with them.
#[derive(Debug, Clone, Copy)]
struct Turning {
    group: usize,
    /// c_k, s.
    coefficient: f64,
}

impl Damping {
    /// With one of `laws` for each entry of the model's damping; `None` where nothing is damped.
    pub fn of(
        model: &Checked, laws: &[Rayleigh], nodes: &Nodes, groups: &[Group],
        (equation, layout): (&Equations, &Layout),
    ) -> Option<Damping> {
        if model.damping.is_empty() {
            return None;
        }
        let mut coo = CooMatrix::new(nodes.initial.len(), nodes.initial.len());
        let mut lumped = vec![false; model.masses.len()];
        let ground = ground_unknowns(model, nodes);
        let mut along = vec![None; nodes.initial.len()];
        for position in nodes.positions() {
            for (unknown, ground) in position.into_iter().zip(ground) {
                along[unknown] = ground;
            }
        }
        let mut add = |u: usize, w: usize, mass: f64| {
            coo.push(u, w, mass);
            if let Some(ground) = along[w].filter(|_| mass != 0.0) {
                coo.push(u, ground, -mass);
            }
        };
        for (entry, law) in model.damping.iter().zip(laws) {
            for &part in &entry.parts {
                let own = groups.iter().find(|g| g.owner.is_among(&[part]));
                if let Some(group) = own {
                    group.elements.masses(law.mass, &mut add);
                }
                let ends = model.points_of(part);
                let at_end = model
                    .masses
                    .iter()
                    .zip(&mut lumped)
                    .filter(|(mass, done)| ends.contains(&mass.point) && !**done);
                // Where parts of two entries meet, it belongs to the first.
                for (mass, done) in at_end {
                    *done = true;
                    let parts = [mass.mass, mass.mass, mass.rotary_inertia];
                    let directions = [Direction::X, Direction::Y, Direction::Rotation];
                    for (direction, part) in directions.into_iter().zip(parts) {
                        let unknown = nodes.of_point(mass.point, mass.member, direction);
                        if let Some(u) = unknown.filter(|_| part > 0.0) {
                            add(u, u, law.mass * part);
                        }
                    }
                }
            }
        }
        let (mut turning, mut room) = (Vec::new(), TangentRoom::default());
        for (group, Group { owner, elements }) in groups.iter().enumerate() {
            let entry = (model.damping.iter()).position(|d| owner.is_among(&d.parts));
            let Some(entry) = entry.filter(|&entry| laws[entry].stiffness > 0.0) else {
                continue;
            };
            let coefficient = laws[entry].stiffness;
            match model.damping[entry].axes {
                Axes::Turning => turning.push(Turning { group, coefficient }),
                Axes::Initial => {
                    let initial = &nodes.initial[..];
                    elements.tangents(initial, Tangents::All, &mut room, |found| {
                        found.entries(|u, w, stiffness| coo.push(u, w, coefficient * stiffness));
                    });
                }
            }
        }
        let matrix = CsrMatrix::from(&coo);
        let free = on_free(&matrix, equation, layout);
        Some(Damping { laws: laws.to_vec(), matrix: matrix.into(), free, turning, ground })
    }

    /// Most entries of its tangent beside the symmetric part.
    pub fn beside(&self, groups: &[Group]) -> usize {
        let of = |own: &Turning| -> usize {
            let unknowns = groups[own.group].elements.unknowns();
            unknowns.map(|list| list.len() * (list.len() - 1)).sum()
        };
        self.turning.iter().map(of).sum()
    }

    /// Adds the constant part of D times v to `out` and returns the largest of its entries.
    fn add_constant(&self, v: impl Fn(usize) -> f64, out: &mut [f64]) -> f64 {
        let mut largest = 0.0;
        if self.matrix.nnz() > 0 {
            dispatch!(level(), _ => self.matrix.product(0.0, v, |u, force| {
                out[u] += force;
                largest = larger(largest, force.abs());
            }));
        }
        largest
    }

    /// wᵀ D v of the constant part of D.
    fn constant_product<D: Number>(
        &self, velocity: impl Fn(usize) -> D, way: impl Fn(usize) -> D,
    ) -> D {
        let mut sum = D::zero();
        dispatch!(level(), _ => {
            (self.matrix).product(D::zero(), velocity, |u, force| sum += force * way(u));
        });
        sum
    }
}

/// An unknown that moves with the ground along x and y, where one motion shakes all that is supported along this axis.
fn ground_unknowns(model: &Checked, nodes: &Nodes) -> [Option<usize>; 2] {
    [Direction::X, Direction::Y].map(|direction| match model.ground(direction) {
        Ground::Shaken(motion) => model.prescribed_by(motion, nodes).first().copied(),
        Ground::Fixed | Ground::Several => None,
    })
}

/// The damping of a mechanism with its elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Damped<'a> {
    damping: &'a Damping,
    groups: &'a [Group],
}

impl System {
    /// Coefficients of entry `id` of the model's damping.
    pub fn rayleigh(&self, id: usize) -> Option<Rayleigh> {
        self.damping.as_ref()?.laws.get(id).copied()
    }

    /// Velocity of unknown `u`, x, y or rotation by its `component`, that mass-proportional damping acts on: along a shaken ground relative to it.
    pub(crate) fn velocity_on_ground<N: Numbers<State>>(
        &self, state: &N, u: usize, component: usize,
    ) -> N::Number {
        let ground = self.damping.as_ref().and_then(|damping| *damping.ground.get(component)?);
        state.get(|s| s.velocity[u] - ground.map_or(0.0, |ground| s.velocity[ground]))
    }

    /// The damping, where there is any and velocities follow positions by the `factor` of a [flow](crate::system::Flow).
    pub(crate) fn damped(&self, factor: f64) -> Option<Damped<'_>> {
        let damping = self.damping.as_ref().filter(|_| factor != 0.0)?;
        Some(Damped { damping, groups: &self.groups })
    }

    /// Sets the entries of a tangent to the change of D q̇ by the positions as far as D is constant.
    pub(crate) fn set_constant_damping(&self, at: &Iterate, values: &mut [f64]) {
        match &self.damping {
            Some(damping) => set_scaled(values, at.flow.factor, &damping.free),
            None => values.fill(0.0),
        }
    }
}

impl Damped<'_> {
    /// Calls `visit` with the unknowns of each element whose damping turns with it and its force: at `q` with its κ, of which `place(u, value)`
    /// makes the number of an unknown with its derivatives, with its `velocity(u)`.
    fn turning_forces<D: Number>(
        &self, (q, circling): (&Positions, Circling), place: impl Fn(usize, f64) -> D,
        velocity: impl Fn(usize) -> D, mut visit: impl FnMut(usize, D),
    ) {
        for &Turning { group, coefficient } in &self.damping.turning {
            let elements = &self.groups[group].elements;
            elements.viscous_forces((q, circling.0), &place, &velocity, |unknowns, force| {
                for (&u, force) in unknowns.iter().zip(force) {
                    visit(u, *force * coefficient);
                }
            });
        }
    }

    /// wᵀ D v of what turns with the elements, at `q`, as [`Damped::turning_forces`].
    fn turning_product<D: Number>(
        &self, at: (&Positions, Circling), place: impl Fn(usize, f64) -> D,
        velocity: impl Fn(usize) -> D, way: impl Fn(usize) -> D,
    ) -> D {
        let mut sum = D::zero();
        self.turning_forces(at, place, velocity, |u, force| sum += force * way(u));
        sum
    }

    /// Adds the skew half of the change of D q̇ by the positions beside the tangent.
    pub fn add_skew_tangent(&self, equations: &Equations, at: &Iterate, work: &mut Workspace) {
        let free = |u: usize| equations.of(u).filter(|_| at.driven[u].is_none());
        for &Turning { group, coefficient } in &self.damping.turning {
            let (elements, by) =
                (&self.groups[group].elements, [coefficient, at.flow.factor, at.flow.circling.0]);
            let velocity = |u: usize| at.flow.velocity(u, at.q.get(u));
            elements.viscous_tangents(&at.q, velocity, by, Half::Skew, |found| {
                found.skew_entries(|u, w, value| {
                    if let (Some(row), Some(column)) = (free(u), free(w)) {
                        work.matrix.add_beside(row, column, value);
                    }
                });
            });
        }
    }

    /// ∫ q̇ᵀ D q̇ dt over a step from `state` to `at`, where unknowns have the velocity that `rate` says, by the trapezoidal rule for D q̇, or with that
    /// of its end, J.
    pub fn work<N: Numbers<State>>(
        &self, state: &N, at: &impl Numbers<Iterate, Number = N::Number>,
        rate: impl Fn(usize) -> N::Number + Copy, trapezoidal: bool,
    ) -> N::Number {
        let (before, end) = (state.now(), at.now());
        let way = |u: usize| {
            let moved = at.with(end.q.way(u, &before.q), |by| by.q[u]);
            moved - state.with(0.0, |by| by.q[u])
        };
        let place = |u: usize, value: f64| at.with(value, |by| by.q[u]);
        let last = self.turning_product((&end.q, end.flow.circling), place, rate, way);
        if !trapezoidal {
            return self.damping.constant_product(rate, way) + last;
        }
        let rate_before = |u: usize| state.get(|state| state.velocity[u]);
        let mean = |u: usize| (rate_before(u) + rate(u)) * 0.5;
        let constant = self.damping.constant_product(mean, way);
        let place_before = |u: usize, value: f64| state.with(value, |by| by.q[u]);
        let first =
            self.turning_product((&before.q, before.circling), place_before, rate_before, way);
        constant + (first + last) * 0.5
    }

    /// φᵀ D φ of nodal unknowns at `q`.
    pub fn product(&self, q: &Positions, shape: &[f64]) -> f64 {
        let own = |u: usize| shape[u];
        self.damping.constant_product(own, own)
            + self.turning_product((q, Circling::default()), |_, value| value, own, own)
    }
}

impl Term for Damped<'_> {
    fn each_force<N: Numbers<Iterate>>(&self, at: &N, mut add: impl FnMut(usize, N::Number)) {
        let velocity = |u: usize| flow_velocity(at, u);
        if self.damping.matrix.nnz() > 0 {
            dispatch!(level(), _ => {
                self.damping.matrix.product(N::Number::from(0.0), velocity, &mut add);
            });
        }
        let place = |u: usize, value: f64| at.with(value, |by| by.q[u]);
        let now = at.now();
        self.turning_forces((&now.q, now.flow.circling), place, velocity, add);
    }

    fn add_change(&self, at: &Iterate, by: &Iterate, out: &mut [f64]) {
        let varied = Varied { now: at, by };
        self.damping.add_constant(|u| flow_velocity(&varied, u).eps, out);
        let place = |u: usize, value: f64| varied.with(value, |by| by.q[u]);
        let velocity = |u: usize| flow_velocity(&varied, u);
        self.turning_forces((&at.q, at.flow.circling), place, velocity, |u, force| {
            out[u] += force.eps;
        });
    }

    /// The tangent is the symmetric half, but for what is [constant](System::set_constant_damping).
    fn evaluate(&self, _: &Equations, at: &Iterate, work: &mut Workspace, tangent: bool) -> f64 {
        let Workspace { velocity, residual, .. } = work;
        for (u, velocity) in velocity.iter_mut().enumerate() {
            *velocity = at.flow.velocity(u, at.q.get(u));
        }
        let velocity = |u: usize| velocity[u];
        let mut largest = self.damping.add_constant(velocity, residual);
        if !tangent {
            let place = |_: usize, value: f64| value;
            self.turning_forces((&at.q, at.flow.circling), place, velocity, |u, force| {
                residual[u] += force;
                largest = larger(largest, force.abs());
            });
            return largest;
        }
        let values = &mut work.matrix.interior.values;
        for &Turning { group, coefficient } in &self.damping.turning {
            let (elements, by) =
                (&self.groups[group].elements, [coefficient, at.flow.factor, at.flow.circling.0]);
            elements.viscous_tangents(&at.q, velocity, by, Half::Symmetric, |found| {
                found.add_tangent(values);
                found.add_force(residual);
                largest = (found.force.iter()).fold(largest, |most, f| larger(most, f.abs()));
            });
        }
        largest
    }
}
