//! Finds parts that nothing holds.
//!
//! Straight members that are rigidly connected form a body that can move without strain. The rigid
//! motions (X, Y, Θ of every body, ds of every slider) that supports, imposed motions, hinges and
//! sliding joints leave are the null space of a small matrix of pure geometry: whether something
//! is loose can be told from it without doubt, which the pivots of a stiff structure, blurred by
//! rounding, do not allow.

use nalgebra::{DMatrix, SymmetricEigen};

use super::{PRESCRIBED, System, SystemFault};
use crate::model::checked::{Analysis, PointId};

/// Mechanisms with more rigid motions than this are left to Newton's method.
const MOST_COLUMNS: usize = 900;

/// A body: its members, or a point that no member ends at.
pub(super) struct Body {
    pub members: Vec<usize>,
    /// The point that X and Y belong to.
    pub origin: PointId,
}

/// Coefficients of a linear condition on the rigid motions, by column.
type Row = Vec<(usize, f64)>;

pub(super) struct RigidMotions<'a> {
    pub system: &'a System,
    pub bodies: Vec<Body>,
    /// Bodies at each point.
    at_point: Vec<Vec<usize>>,
}

impl System {
    /// Refuses a mechanism with a rigid motion that neither a joint nor (in dynamics) a mass
    /// resists.
    ///
    /// # Errors
    /// Says which part moves, and how.
    pub(crate) fn holds_together(&self) -> Result<(), SystemFault> {
        let motions = RigidMotions::of(self);
        if motions.columns() > MOST_COLUMNS {
            return Ok(());
        }
        let free = motions.free();
        let (loose, what, help) = match self.model.solver.analysis {
            Analysis::QuasiStatic => (
                free.into_iter().next(),
                "the mechanism has no static equilibrium",
                "hold it by a support, a joint or a motion",
            ),
            Analysis::Dynamic => (
                motions.without_mass(&free),
                "the mechanism cannot start",
                "give it a mass or a density, or hold it by a support, a joint or a motion",
            ),
        };
        match loose {
            None => Ok(()),
            Some(motion) => Err(SystemFault(format!(
                "{what}: nothing resists when {}; {help}",
                motions.describe(&motion)
            ))),
        }
    }
}

impl System {
    /// A motion of rigid members that only loads can resist, in words.
    pub(crate) fn loose_in_statics(&self) -> Option<String> {
        let motions = RigidMotions::of(self);
        if motions.columns() > MOST_COLUMNS {
            return None;
        }
        let free = motions.free();
        free.first().map(|motion| motions.describe(motion))
    }
}

impl<'a> RigidMotions<'a> {
    fn of(system: &'a System) -> RigidMotions<'a> {
        let model = &system.model;
        let mut body_of: Vec<Option<usize>> = vec![None; model.members.len()];
        let mut bodies: Vec<Body> = Vec::new();
        for member in 0..model.members.len() {
            if body_of[member].is_some() {
                continue;
            }
            let mut members = vec![member];
            body_of[member] = Some(bodies.len());
            let mut next = 0;
            while next < members.len() {
                let m = &model.members[members[next]];
                next += 1;
                for point in [m.from, m.to] {
                    let groups = model.rotation_groups(point);
                    let own = groups.iter().find(|g| g.contains(&members[next - 1]));
                    for &other in own.into_iter().flatten() {
                        if body_of[other].is_none() {
                            body_of[other] = Some(bodies.len());
                            members.push(other);
                        }
                    }
                }
            }
            bodies.push(Body {
                origin: model.members[member].from,
                members,
            });
        }
        let mut at_point = vec![Vec::new(); model.points.len()];
        for (point, here) in at_point.iter_mut().enumerate() {
            here.extend(model.members_at(point).iter().filter_map(|&m| body_of[m]));
            here.sort_unstable();
            here.dedup();
            if here.is_empty() {
                here.push(bodies.len());
                bodies.push(Body {
                    origin: point,
                    members: Vec::new(),
                });
            }
        }
        RigidMotions {
            system,
            bodies,
            at_point,
        }
    }

    fn columns(&self) -> usize {
        3 * self.bodies.len() + self.system.sliders.len()
    }

    pub fn position(&self, point: PointId) -> [f64; 2] {
        self.system.model.points[point].position
    }

    /// Displacement of a body at `place` along x (0) or y (1); Θ is measured as the displacement
    /// at the distance of the mechanism's size.
    fn displacement(&self, body: usize, place: [f64; 2], direction: usize) -> Row {
        let origin = self.position(self.bodies[body].origin);
        let size = self.system.size;
        let arm = match direction {
            0 => -(place[1] - origin[1]) / size,
            _ => (place[0] - origin[0]) / size,
        };
        vec![(3 * body + direction, 1.0), (3 * body + 2, arm)]
    }

    /// All conditions on the rigid motions.
    fn conditions(&self) -> Vec<Row> {
        let (system, model) = (self.system, &self.system.model);
        let held = |u: usize| system.equation[u] == PRESCRIBED;
        let mut rows = Vec::new();
        for (point, here) in self.at_point.iter().enumerate() {
            let place = self.position(point);
            for direction in 0..2 {
                let first = self.displacement(here[0], place, direction);
                for &other in &here[1..] {
                    let other = self.displacement(other, place, direction);
                    rows.push(difference(&first, &other));
                }
                if held(system.nodes.of_place(point)[direction]) {
                    rows.push(first);
                }
            }
            let rotations = system.nodes.rotations_of(point);
            for (rotation, members) in rotations {
                let body = self.body_at(point, members.first().copied());
                if held(*rotation) {
                    rows.push(vec![(3 * body + 2, 1.0)]);
                }
            }
            if rotations.is_empty() {
                rows.push(vec![(3 * here[0] + 2, 1.0)]);
            }
        }
        for (j, (slider, described)) in system.sliders.iter().zip(&model.sliders).enumerate() {
            if !system.holds_at_first(j) {
                rows.push(vec![(3 * self.bodies.len() + j, 1.0)]);
                continue;
            }
            let k = system.kinematics(j, &system.initial, None);
            let mut element = k.point.element;
            let mut parts = described.path.iter();
            let carrier = parts.find_map(|part| {
                let count = model.members[part.member].elements;
                let here = element < count;
                element = element.saturating_sub(count);
                here.then_some(part.member)
            });
            let Some(carrier) = carrier else { continue };
            let path = self.body_at(model.members[carrier].from, Some(carrier));
            let place = self.position(described.point);
            let own = self.body_at(described.point, described.member);
            let sliding = 3 * self.bodies.len() + j;
            for direction in 0..2 {
                let slider = self.displacement(own, place, direction);
                let mut row = difference(&slider, &self.displacement(path, place, direction));
                row.push((sliding, -k.tangent[direction]));
                rows.push(row);
            }
            if slider.unknowns.len() == 3 {
                let turn = -k.spin[0] * system.size;
                rows.push(vec![
                    (3 * own + 2, 1.0),
                    (3 * path + 2, -1.0),
                    (sliding, turn),
                ]);
            }
            if slider.friction.rubs {
                rows.push(vec![(sliding, 1.0)]);
            }
        }
        rows
    }

    /// The body that `member` belongs to, or the first one at the point.
    fn body_at(&self, point: PointId, member: Option<usize>) -> usize {
        let here = &self.at_point[point];
        let own = |&&b: &&usize| member.is_none_or(|m| self.bodies[b].members.contains(&m));
        here.iter().find(own).copied().unwrap_or(here[0])
    }

    /// A basis of the rigid motions that satisfy all conditions (Gauss-Jordan elimination).
    fn free(&self) -> Vec<Vec<f64>> {
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
            if pivot.abs() <= 1e-9 * before {
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
            self.system.inertia_forces(&nodal[i], &mut momentum);
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
        for (body, described) in self.bodies.iter().enumerate() {
            let turn = motion[3 * body + 2] / system.size;
            let members = described.members.iter();
            let [x, y] = system.nodes.of_place(described.origin);
            out[x] = motion[3 * body];
            out[y] = motion[3 * body + 1];
            if described.members.is_empty() {
                for (rotation, _) in system.nodes.rotations_of(described.origin) {
                    out[*rotation] = turn;
                }
            }
            for node in members.flat_map(|&m| system.nodes.of_member(m)) {
                let [x, y, r] = node.unknowns();
                let place = [system.initial[x], system.initial[y]];
                out[x] = at(body, place, 0);
                out[y] = at(body, place, 1);
                out[r] = turn;
            }
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
