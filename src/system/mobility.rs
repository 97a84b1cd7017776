//! Mobility: rigid motions that nothing resists.
//!
//! Elements that are rigidly connected form a [body](super::bodies) that can move without strain. The rigid
//! motions (X, Y, Θ of every body, ds of every slider) that supports, imposed motions, hinges and
//! sliding joints leave are the null space of a small matrix of pure geometry: whether something
//! can move can be told from it without doubt, which the pivots of a stiff structure, blurred by
//! rounding, do not allow.

mod drives;
mod frozen;
mod jam;

pub use drives::{Cure, Locked, Mobility};

use nalgebra::{DMatrix, SymmetricEigen};

use super::bodies::Bodies;
use super::terms::measure::ways;
use super::terms::pins::{PlacedCoupling, Weighed};
use super::{System, SystemFault};
use crate::checked::{Analysis, PointId, turning};
use crate::numerics::positions::Positions;

/// Mechanisms with more rigid motions than this are left to Newton's method.
const MOST_COLUMNS: usize = 900;

/// Coefficients of a linear condition on the rigid motions, by column.
type Row = Vec<(usize, f64)>;

/// Rigid motions of the bodies of a mechanism and of its sliders.
pub(crate) struct RigidMotions<'a> {
    pub(super) system: &'a System,
    pub(super) bodies: Bodies,
    /// The initial configuration.
    initial: Positions,
    /// Where the conditions are written: there, or a little beside.
    place: Positions,
    /// What holds beside supports and joints.
    holding: Holding,
    /// The slider whose angle to its path is left free although it is prismatic.
    turning: Option<usize>,
    /// Points at which no rigid body is clamped to another.
    hinged: Vec<PointId>,
    /// Sliders that friction locks along their paths, whatever else holds.
    stuck: Vec<usize>,
    /// Contacts of rigid surfaces whose corners do not leave their faces.
    guides: Vec<usize>,
}

/// What holds a mechanism beside its supports and joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holding {
    /// Motions at rest, and friction.
    MotionsAndFriction,
    /// Nothing: the rates of the motions are unknowns of their own, and friction is left out.
    Nothing,
}

impl<'a> RigidMotions<'a> {
    /// The rigid motions of a mechanism.
    pub fn of(system: &'a System) -> RigidMotions<'a> {
        let initial = Positions::from(&system.initial[..]);
        RigidMotions {
            system,
            bodies: Bodies::of(system),
            place: initial.clone(),
            initial,
            holding: Holding::MotionsAndFriction,
            turning: None,
            hinged: Vec::new(),
            stuck: Vec::new(),
            guides: Vec::new(),
        }
    }

    /// Refuses a mechanism with a rigid motion that neither a joint nor (in dynamics) a mass
    /// resists.
    ///
    /// # Errors
    /// Says which part moves, and how.
    pub fn are_resisted(&self) -> Result<(), SystemFault> {
        if self.columns() > MOST_COLUMNS {
            return Ok(());
        }
        let free = self.free();
        let (mobility, what, help) = match self.system.model.solver.analysis {
            Analysis::QuasiStatic => {
                (free.into_iter().next(), "the mechanism has no static equilibrium", "support it")
            }
            Analysis::Dynamic => (
                self.without_mass(&free),
                "the mechanism cannot start",
                "give it a mass or a density, or support it",
            ),
        };
        match mobility {
            None => Ok(()),
            Some(motion) => {
                let support = self.support_against(&motion);
                let support = support.map_or(String::new(), |how| format!(", {how}"));
                Err(SystemFault(format!(
                    "{what}: it has a rigid-body mode, in which {}; {help}{support}, or connect it by a joint, a spring or a motion",
                    self.describe(&motion)
                )))
            }
        }
    }

    /// A motion of rigid members that only loads can resist, in words.
    pub fn in_statics(&self) -> Option<String> {
        if self.columns() > MOST_COLUMNS {
            return None;
        }
        let free = self.free();
        free.first().map(|motion| self.describe(motion))
    }

    /// A motion of rigid members that turns one of them and that nothing resists, in words.
    pub fn rotation(&self) -> Option<String> {
        if self.columns() > MOST_COLUMNS {
            return None;
        }
        let turns = |motion: &&Vec<f64>| {
            (0..self.bodies.list.len()).any(|body| motion[3 * body + 2] != 0.0)
        };
        self.free().iter().find(turns).map(|motion| self.describe(motion))
    }

    fn columns(&self) -> usize {
        let rates = if self.holding == Holding::Nothing { self.system.motions.len() } else { 0 };
        self.rate_column(0) + rates
    }

    /// Column of the rate of a motion, where these are unknowns.
    fn rate_column(&self, motion: usize) -> usize {
        3 * self.bodies.list.len() + self.system.sliders.len() + motion
    }

    /// Displacement of a body at `place` along x (0) or y (1); Θ is measured as the displacement
    /// at the distance of the mechanism's size.
    fn displacement(&self, body: usize, place: [f64; 2], direction: usize) -> Row {
        let origin = self.bodies.list[body].origin;
        let size = self.system.size;
        let arm = match direction {
            0 => -(place[1] - origin[1]) / size,
            _ => (place[0] - origin[0]) / size,
        };
        vec![(3 * body + direction, 1.0), (3 * body + 2, arm)]
    }

    /// `factor` times the displacement or rotation of a nodal unknown.
    fn moved(&self, unknown: usize, factor: f64) -> Row {
        let system = self.system;
        let Some(&body) = self.bodies.with(unknown).first() else {
            return Row::new();
        };
        if system.is_rotation[unknown] {
            return vec![(3 * body + 2, factor / system.size)];
        }
        let mut positions = system.nodes.positions();
        let Some(position) = positions.find(|position| position.contains(&unknown)) else {
            return Row::new();
        };
        let place = position.map(|u| self.place[u]);
        let row = self.displacement(body, place, usize::from(position[1] == unknown));
        row.into_iter().map(|(column, value)| (column, factor * value)).collect()
    }

    /// All conditions on the rigid motions.
    fn conditions(&self) -> Vec<Row> {
        let (system, bodies) = (self.system, &self.bodies);
        let friction_locks = self.holding == Holding::MotionsAndFriction;
        let mut rows = self.conditions_of_motions();
        let moved_by_a_motion = |u: usize| {
            self.holding == Holding::Nothing
                && system.motions.iter().any(|m| m.unknowns.contains(&u))
        };
        let prescribed = |u: usize| !system.equation.has(u) && !moved_by_a_motion(u);
        for position in system.nodes.positions() {
            let place = position.map(|u| self.place[u]);
            let Some((&here, others)) = bodies.with(position[0]).split_first() else {
                continue;
            };
            for (direction, &unknown) in position.iter().enumerate() {
                let first = self.displacement(here, place, direction);
                for &other in others {
                    let other = self.displacement(other, place, direction);
                    rows.push(difference(&first, &other));
                }
                if prescribed(unknown) {
                    rows.push(first);
                }
            }
        }
        for (id, body) in bodies.list.iter().enumerate() {
            // A point that has no rotation turns nothing.
            let turns = body.positions.len() > 1 || !body.rotations.is_empty();
            if !turns || body.rotations.iter().any(|&r| prescribed(r)) {
                rows.push(vec![(3 * id + 2, 1.0)]);
            }
        }
        for point in &system.surfaces.points {
            let contact = &system.surfaces.contacts[point.contact];
            let path = contact.path.carriers(contact.path.element_at(point.initial));
            let here = bodies.with(point.surface.nodes[0].position[0]);
            let guide = bodies.with(path[0].position[0]);
            let direction = contact.direction_at(point.initial, &system.initial);
            let normal = [-direction[1], direction[0]];
            let ways = if contact.friction.acts && friction_locks { 2 } else { 1 };
            for way in [normal, direction].into_iter().take(ways) {
                let along = |body: usize| -> Row {
                    let [x, y] = [0, 1].map(|i| self.displacement(body, point.surface.initial, i));
                    let scaled = |row: Row, c: f64| row.into_iter().map(move |(k, v)| (k, c * v));
                    scaled(x, way[0]).chain(scaled(y, way[1])).collect()
                };
                let own = here.first().map(|&body| along(body)).unwrap_or_default();
                let guide = guide.first().map(|&body| along(body)).unwrap_or_default();
                rows.push(difference(&own, &guide));
            }
        }
        for spring in system.springs.list.iter().filter(|spring| spring.holds() && friction_locks) {
            let measured = spring.measure.at(&self.place);
            rows.push((measured.entries()).flat_map(|(u, g)| self.moved(u, g)).collect());
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            if !self.is_constrained(j) {
                rows.push(vec![(3 * bodies.list.len() + j, 1.0)]);
                continue;
            }
            if slider.carries_friction_of_edge() {
                // s̄ alone, which the nodes' s follow.
                let first = 3 * bodies.list.len();
                let mut row: Row =
                    (slider.shares.iter()).map(|&(k, share)| (first + k, share)).collect();
                row.push((first + j, -1.0));
                rows.push(row);
                if self.sticks(j) {
                    rows.push(vec![(first + j, 1.0)]);
                }
                continue;
            }
            if slider.path.is_free() {
                // Its friction locks the hinge, by the row of its coupling; a rigid stop lets all move.
                rows.push(vec![(3 * bodies.list.len() + j, 1.0)]);
                continue;
            }
            let k = slider.kinematics(&self.place, None);
            let Some(path) = bodies.with_nodes(slider.path.nodes(k.point.element)) else {
                continue;
            };
            let place = [slider.unknowns[0], slider.unknowns[1]].map(|u| self.place[u]);
            let sliding = 3 * self.bodies.list.len() + j;
            for direction in 0..2 {
                let own = self.moved(slider.unknowns[direction], 1.0);
                let mut row = difference(&own, &self.displacement(path, place, direction));
                row.push((sliding, -k.tangent[direction]));
                rows.push(row);
            }
            let rotation = slider.unknowns.get(2).filter(|_| self.turning != Some(j));
            if let Some(&rotation) = rotation {
                // What turns need not be what has the position: a body that a pin holds at the point.
                let mut row = self.moved(rotation, system.size);
                row.extend([(3 * path + 2, -1.0), (sliding, -k.spin[0] * system.size)]);
                rows.push(row);
            }
            if self.sticks(j) {
                rows.push(vec![(sliding, 1.0)]);
            }
        }
        for pin in &system.pins.list {
            let holds_nothing = |coupling: &PlacedCoupling| {
                let only_friction = coupling.slips.is_some_and(|slider| !self.sticks(slider));
                let hinged = coupling.clamps.is_some_and(|point| self.hinged.contains(&point));
                coupling.leads || only_friction || hinged
            };
            if pin.coupled().is_some_and(holds_nothing) {
                continue;
            }
            if let Some(coupling) = pin.coupled() {
                let mut row = Row::new();
                coupling.each_slope(ways(&self.place), |u, slope| row.extend(self.moved(u, slope)));
                rows.push(row);
                continue;
            }
            for direction in 0..2 {
                let mut row = Row::new();
                for &Weighed { point, weight } in pin.terms() {
                    let place = point.place(&self.place);
                    let Some(&body) = bodies.with(point.node[0]).first() else {
                        continue;
                    };
                    for (axis, weight) in turning(weight)[direction].into_iter().enumerate() {
                        let moved = self.displacement(body, place, axis).into_iter();
                        row.extend(moved.map(|(column, value)| (column, weight * value)));
                    }
                }
                rows.push(row);
            }
        }
        rows
    }

    /// Whether friction locks a slider along its path.
    fn sticks(&self, slider: usize) -> bool {
        let holds = self.holding == Holding::MotionsAndFriction || self.stuck.contains(&slider);
        holds && self.system.sliders[slider].friction.acts
    }

    /// Whether slider `j` constrains something that nothing else does: a contact that can open may do so in equilibrium only, from where it is
    /// closed initially, and between the faces of its guide.
    fn is_constrained(&self, j: usize) -> bool {
        let slider = &self.system.sliders[j];
        let closed = || {
            slider.starts_on_axis(&self.initial)
                || slider.gap(&self.initial) <= slider.initial_reach()
        };
        let model = &self.system.model;
        let statics =
            model.solver.analysis == Analysis::QuasiStatic || model.start.equilibrium.is_some();
        let mut guides = self.guides.iter().map(|&id| &model.rigid_contacts[id].corners);
        slider.side.is_none() || (statics && closed()) || guides.any(|own| own.contains(&j))
    }

    /// A basis of the rigid motions that satisfy all conditions.
    fn free(&self) -> Vec<Vec<f64>> {
        self.free_to(1e-9, 0.0)
    }

    /// A basis of the rigid motions that satisfy all conditions but those that follow from others up to the share
    /// `tolerance` of their largest entry or up to `least` (Gauss-Jordan elimination).
    fn free_to(&self, tolerance: f64, least: f64) -> Vec<Vec<f64>> {
        let n = self.columns();
        let mut basis: Vec<(usize, Vec<f64>)> = Vec::new();
        for sparse in self.conditions() {
            let mut row = vec![0.0; n];
            for (column, value) in sparse {
                row[column] += value;
            }
            let before = row.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            for (pivot, other) in &basis {
                let factor = row[*pivot];
                subtract(&mut row, factor, other);
            }
            let mut best = 0;
            for column in 1..n {
                if row[column].abs() > row[best].abs() {
                    best = column;
                }
            }
            let pivot = row[best];
            if pivot.abs() <= least.max(tolerance * before) {
                continue;
            }
            row.iter_mut().for_each(|v| *v /= pivot);
            for (_, other) in &mut basis {
                let factor = other[best];
                subtract(other, factor, &row);
            }
            basis.push((best, row));
        }
        let is_pivot = |column: usize| basis.iter().any(|(pivot, _)| *pivot == column);
        (0..n)
            .filter(|&column| !is_pivot(column))
            .map(|column| {
                let mut motion = vec![0.0; n];
                motion[column] = 1.0;
                for (pivot, row) in &basis {
                    motion[*pivot] = -row[column];
                }
                motion
            })
            .collect()
    }

    /// A combination of `motions` with no kinetic energy.
    fn without_mass(&self, motions: &[Vec<f64>]) -> Option<Vec<f64>> {
        let first = motions.first()?;
        let nodal: Vec<Vec<f64>> = motions.iter().map(|m| self.nodal(m)).collect();
        let mut momentum = vec![0.0; self.system.nodal];
        let mut mass = DMatrix::<f64>::zeros(motions.len(), motions.len());
        for i in 0..motions.len() {
            self.system.mass.forces(&nodal[i], &mut momentum);
            for j in 0..motions.len() {
                let product = momentum.iter().zip(&nodal[j]).map(|(p, v)| p * v);
                mass[(i, j)] = product.sum();
            }
        }
        let eigen = SymmetricEigen::new(mass);
        let largest = eigen.eigenvalues.amax();
        let light = (0..motions.len()).find(|&i| eigen.eigenvalues[i].abs() <= 1e-14 * largest)?;
        let mut motion = vec![0.0; first.len()];
        for (weight, one) in eigen.eigenvectors.column(light).iter().zip(motions) {
            subtract(&mut motion, -weight, one);
        }
        Some(motion)
    }

    /// Velocities of all nodal unknowns in a rigid motion.
    fn nodal(&self, motion: &[f64]) -> Vec<f64> {
        let system = self.system;
        let mut out = vec![0.0; system.nodal];
        let at = |body: usize, place: [f64; 2], direction: usize| -> f64 {
            let row = self.displacement(body, place, direction);
            row.iter().map(|&(column, v)| v * motion[column]).sum()
        };
        for (body, described) in self.bodies.list.iter().enumerate() {
            let turn = motion[3 * body + 2] / system.size;
            for &[x, y] in &described.positions {
                let place = [x, y].map(|u| system.initial[u]);
                out[x] = at(body, place, 0);
                out[y] = at(body, place, 1);
            }
            described.rotations.iter().for_each(|&r| out[r] = turn);
        }
        out
    }
}

fn difference(a: &Row, b: &Row) -> Row {
    let negative = b.iter().map(|&(column, value)| (column, -value));
    a.iter().copied().chain(negative).collect()
}

/// `row` − `factor` · `other`.
fn subtract(row: &mut [f64], factor: f64, other: &[f64]) {
    if factor != 0.0 {
        for (r, o) in row.iter_mut().zip(other) {
            *r -= factor * o;
        }
    }
}
