//! Surfaces that bear on the faces of guides: their points, forces and tangent.
//!
//! A point with the forces N across and T along its path adds, with the depth π = σ d − W and the place s of its foot,
//!
//! ```text
//! f_i = N σ ∂d/∂z_i + (T + ½ k (⟨π + α⟩² − α²) χ′) ∂s/∂z_i
//! ```
//!
//! to the equations of all unknowns z that it and its foot hang on. Their tangent is complete; what makes it unsymmetric is that T follows
//! N where the point slides.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{FoundPoint, Iterate, PRESCRIBED, State, System, Workspace};
use crate::joints::path::Path;
use crate::joints::regime::Sense;
use crate::laws::friction::Kind;
use crate::linear::Passing;
use crate::nodes::Node;
use crate::numerics::positions::Positions;
use crate::surfaces::foot::Foot;
use crate::surfaces::lining::{Lining, PointMemory, Pressed, Rubbed, Touch, bearing_share};
use crate::surfaces::local::{Locals, MOST};
use crate::surfaces::point::{Placed, SurfacePoint};

/// Rounding of a distance from a path, relative to itself.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A contact in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceContact {
    pub path: Path,
    /// Its points among all of them.
    pub points: std::ops::Range<usize>,
    /// Whether what carries its path moves.
    pub moves: bool,
    /// W, m.
    pub offset: f64,
    /// Width around an end of the path over which what leaves it lets go, m; none of a closed path.
    pub fade: Option<f64>,
    /// How deep a point may be pressed in, m; none where its lining gives way as it does.
    pub deepest: Option<f64>,
    pub friction: Kind,
    /// Length of its surface as drawn, m.
    pub length: f64,
}

/// A point of a contact.
#[derive(Debug, Clone)]
pub(crate) struct ContactPoint {
    pub contact: usize,
    pub surface: SurfacePoint,
    pub facing: Facing,
    pub lining: Lining,
    /// s of its foot as drawn, m.
    pub drawn: f64,
    /// Thickness of its body, m; none of a member.
    pub thickness: Option<f64>,
}

/// Which face of the guide a point bears on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Facing {
    /// That on this side of the path, 1 to the left.
    Side(f64),
    /// The nearer one of a guide that it stands in.
    Nearer,
}

impl SurfaceContact {
    /// Direction of the path at `s` where the unknowns are `drawn`.
    pub fn direction_at(&self, s: f64, drawn: &[f64]) -> [f64; 2] {
        let q = Positions::from(drawn);
        let origin = Placed::origin();
        Foot::at(&self.path, &q, &origin, s).tangent
    }
}

impl Facing {
    /// σ of a point at the distance d.
    fn side(self, distance: f64) -> f64 {
        match self {
            Facing::Side(side) => side,
            Facing::Nearer if distance < 0.0 => -1.0,
            Facing::Nearer => 1.0,
        }
    }
}

/// Where a point stands and what presses on it.
pub(crate) struct Standing {
    pub placed: Placed,
    pub foot: Foot,
    /// σ.
    pub side: f64,
    /// π, m.
    pub depth: f64,
    /// χ.
    pub beside: f64,
    pub pressed: Pressed,
}

impl Standing {
    /// What rounding of d and of W (m) makes of the normal force, N.
    fn rounding(&self, offset: f64) -> f64 {
        0.5 * f64::EPSILON * (self.foot.distance.abs() + offset) * self.pressed.by_depth
    }
}

impl System {
    /// Where point `i` stands, followed from what it remembers.
    pub(crate) fn standing(&self, i: usize, q: &Positions, memory: &PointMemory) -> Standing {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let placed = point.surface.at(q);
        let foot = Foot::of(&contact.path, q, &placed, memory.s);
        let side = point.facing.side(foot.distance);
        let depth = side * foot.distance - contact.offset;
        let share = match contact.fade {
            Some(width) => bearing_share(foot.s(), contact.path.length(), width),
            _ => [1.0, 0.0, 0.0],
        };
        let rounding = ROUNDING * (foot.distance.abs() + contact.offset);
        Standing {
            pressed: point.lining.press(depth, memory.advance, share, rounding),
            placed,
            foot,
            side,
            depth,
            beside: share[0],
        }
    }

    /// Where point `i` stands in an iterate.
    pub(super) fn standing_in(&self, i: usize, at: &Iterate) -> Standing {
        let mut standing = self.standing(i, &at.q, &at.points[i]);
        standing.pressed.soften(at.ease.stiffness);
        standing
    }

    /// The unknowns that a point hangs on, with ∂d/∂z and ∂s/∂z.
    pub(crate) fn locals_of(
        &self,
        i: usize,
        standing: &Standing,
        locals: &mut Locals,
        firsts: &mut [[f64; 2]; MOST],
    ) {
        let point = &self.points[i];
        locals.clear();
        point.surface.add_locals(&standing.placed, locals);
        let path = &self.contacts[point.contact].path;
        standing.foot.add_locals(path, locals);
        for (first, local) in firsts.iter_mut().zip(locals.as_slice()) {
            *first = standing.foot.first(local);
        }
    }

    /// Adds the forces of all contacts, and their tangent where it is asked for; returns the largest force.
    pub(super) fn add_surface_contacts(
        &self,
        at: &Iterate,
        work: &mut Workspace,
        tangent: bool,
    ) -> f64 {
        let mut largest = 0.0_f64;
        let mut locals = std::mem::take(&mut work.locals);
        for i in 0..self.points.len() {
            largest = largest.max(self.add_point(i, at, work, tangent, &mut locals));
        }
        work.locals = locals;
        largest
    }

    fn add_point(
        &self,
        i: usize,
        at: &Iterate,
        work: &mut Workspace,
        tangent: bool,
        locals: &mut Locals,
    ) -> f64 {
        let mut standing = self.standing_in(i, at);
        let (s, normal) = (standing.foot.s(), standing.pressed.force);
        if !standing.pressed.touches {
            work.points[i] = FoundPoint {
                memory: PointMemory::open(s),
                ..FoundPoint::default()
            };
            return 0.0;
        }
        let mut firsts = [[0.0; 2]; MOST];
        self.locals_of(i, &standing, locals, &mut firsts);
        let list = locals.as_slice();
        let rubbed = self.rubbed_at(i, at, locals, &firsts, &standing);
        work.points[i] = FoundPoint {
            memory: PointMemory {
                advance: at.points[i].advance,
                ..rubbed.memory
            },
            normal,
            rounding: standing.rounding(self.contacts[self.points[i].contact].offset),
            stored: standing.pressed.stored,
            rubbed: rubbed.stored,
            dissipated: rubbed.dissipated,
            dissipated_at_end: rubbed.dissipated_at_end,
        };
        let across = standing.side * normal;
        let along = rubbed.force + standing.pressed.along[0];
        for (local, [by_distance, by_s]) in list.iter().zip(&firsts) {
            work.residual[local.unknown] += across * by_distance + along * by_s;
        }
        if tangent {
            let contact = &self.contacts[self.points[i].contact];
            standing
                .foot
                .look_up_third(&contact.path, &at.q, &standing.placed);
            self.add_point_tangent(
                at,
                work,
                &standing,
                &rubbed,
                (locals, &firsts, contact.moves),
            );
        }
        normal.max(along.abs())
    }

    /// v of the point that hangs on these unknowns, m/s.
    pub(super) fn velocity_of(
        &self,
        at: &Iterate,
        locals: &Locals,
        firsts: &[[f64; 2]; MOST],
    ) -> f64 {
        if at.flow.factor == 0.0 {
            return 0.0;
        }
        let pairs = locals.as_slice().iter().zip(firsts);
        let rates = pairs.map(|(local, [_, by_s])| {
            by_s * at.flow.velocity(local.unknown, at.q.get(local.unknown))
        });
        rates.sum()
    }

    /// Friction of point `i`, which stands so and hangs on these unknowns.
    pub(super) fn rubbed_at(
        &self,
        i: usize,
        at: &Iterate,
        locals: &Locals,
        firsts: &[[f64; 2]; MOST],
        standing: &Standing,
    ) -> Rubbed {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let law = at.tuning.friction(self.sliders.len() + point.contact);
        let lining = point.lining.softened(at.ease.stiffness);
        // Friction grows with the normal force.
        let (normal, s) = (at.ease.friction * standing.pressed.force, standing.foot.s());
        let slips = at.slips[point.contact];
        let mut rubbed = match slips {
            Sense::Neither if at.turns_back[i] => lining.hold(&at.points[i], s),
            Sense::Neither => {
                let v = self.velocity_of(at, locals, firsts);
                lining.rub(law, contact.friction, &at.points[i], normal, s, v)
            }
            _ => lining.slide(law, normal, s, slips),
        };
        rubbed.by_normal *= at.ease.friction;
        rubbed
    }

    fn add_point_tangent(
        &self,
        at: &Iterate,
        work: &mut Workspace,
        standing: &Standing,
        rubbed: &Rubbed,
        (locals, firsts, moves): (&Locals, &[[f64; 2]; MOST], bool),
    ) {
        let list = locals.as_slice();
        let (pressed, side) = (&standing.pressed, standing.side);
        let across = side * pressed.force;
        let along = rubbed.force + pressed.along[0];
        // The unknowns that have an equation, by their places in the list.
        let (mut free, mut equations, mut count) = ([0; MOST], [0; MOST], 0);
        for (i, local) in list.iter().enumerate() {
            if self.equation[local.unknown] != PRESCRIBED {
                (free[count], equations[count]) = (i, self.equation[local.unknown]);
                count += 1;
            }
        }
        let (free, equations) = (&free[..count], &equations[..count]);
        if moves {
            work.matrix.couple(equations);
        }
        for (b, &j) in free.iter().enumerate() {
            let [d_j, s_j] = firsts[j];
            // ∂N/∂z_j, and what of ∂v/∂z_j is that of a foot whose derivatives stay.
            let normal_j = pressed.by_depth * side * d_j + pressed.along[1] * s_j;
            let stored_j = pressed.along[1] * side * d_j + pressed.along[2] * s_j;
            let held_j = (rubbed.by_way + rubbed.by_velocity * at.flow.factor) * s_j;
            let mut rubs_j = rubbed.by_normal * normal_j;
            if rubbed.by_velocity * at.flow.factor != 0.0 {
                for (k, c) in list.iter().enumerate() {
                    let [_, s_kj] = standing.foot.second(locals, k, j, [firsts[k], firsts[j]]);
                    let rate = at.flow.velocity(c.unknown, at.q.get(c.unknown));
                    rubs_j += rubbed.by_velocity * s_kj * rate;
                }
            }
            for (a, &i) in free.iter().enumerate() {
                let [d_i, s_i] = firsts[i];
                let [row, column] = [equations[a], equations[b]].map(|e| e as usize);
                // T ∂s/∂z_i grows with N, without a counterpart in the rows of N.
                if s_i * rubs_j != 0.0 {
                    work.matrix.add_beside(row, column, s_i * rubs_j);
                }
                if a > b {
                    continue;
                }
                let [d_ij, s_ij] = standing.foot.second(locals, i, j, [firsts[i], firsts[j]]);
                let symmetric = side * d_i * normal_j
                    + s_i * (stored_j + held_j)
                    + across * d_ij
                    + along * s_ij;
                if moves {
                    work.matrix.add_coupled(a, b, symmetric);
                } else {
                    let place = work.matrix.interior.layout.position(row, column);
                    work.matrix.interior.values[place] += symmetric;
                }
            }
        }
    }

    /// Energy across the linings of all contacts at `q`, J, of `points` that remember this.
    pub(super) fn stored_across(&self, q: &Positions, points: &[PointMemory]) -> f64 {
        let stored = |(i, memory)| self.standing(i, q, memory).pressed.stored;
        points.iter().enumerate().map(stored).sum()
    }

    /// Its change by the change `by` of the state.
    pub(super) fn stored_change(&self, state: &State, by: &State) -> f64 {
        let (mut locals, mut firsts) = (Locals::default(), [[0.0; 2]; MOST]);
        let mut sum = 0.0;
        for (i, memory) in state.points.iter().enumerate() {
            let standing = self.standing(i, &state.q, memory);
            let Pressed { force, along, .. } = standing.pressed;
            if force == 0.0 {
                continue;
            }
            self.locals_of(i, &standing, &mut locals, &mut firsts);
            sum += standing.pressed.by_advance[1] * by.points[i].advance;
            for (local, [by_distance, by_s]) in locals.as_slice().iter().zip(&firsts) {
                let slope = standing.side * force * by_distance + along[0] * by_s;
                sum += slope * by.q[local.unknown];
            }
        }
        sum
    }
}

impl FoundPoint {
    /// What friction takes in a step from `before`, with what it stores, J.
    pub fn work(&self, before: &PointMemory, system: &System, i: usize) -> f64 {
        self.dissipated + self.rubbed - system.rubbed_before(before, i)
    }

    /// The same by the forces of the step's end.
    pub fn work_at_end(&self, before: &PointMemory, system: &System, i: usize) -> f64 {
        self.dissipated_at_end + self.rubbed - system.rubbed_before(before, i)
    }
}

impl System {
    /// What friction of point `i` had stored along its lining, J.
    pub(crate) fn rubbed_before(&self, before: &PointMemory, i: usize) -> f64 {
        let kind = self.contacts[self.points[i].contact].friction;
        match kind.holds && before.touch != Touch::Open {
            true => 0.5 * before.friction * before.friction / self.points[i].lining.tangential,
            false => 0.0,
        }
    }

    /// The same for a matrix that is factored front by front, in equations: what passes along a path that moves.
    pub(super) fn passing(&self) -> Vec<Passing> {
        let equations = |nodes: &[Node]| {
            let unknowns = nodes.iter().flat_map(Node::unknowns);
            let mut all: Vec<u32> = (unknowns.filter_map(|u| self.equation_of(u)))
                .map(|e| e as u32)
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut list: Vec<Passing> = Vec::new();
        for contact in self.contacts.iter().filter(|contact| contact.moves) {
            let elements = 0..contact.path.elements().len();
            let carriers = elements.map(|element| equations(contact.path.carriers(element)));
            let carriers: Vec<Vec<u32>> = carriers.collect();
            let longest = carriers.iter().map(Vec::len).max().unwrap_or(0);
            let mut reach = carriers.concat();
            reach.sort_unstable();
            reach.dedup();
            let reach: Arc<[u32]> = reach.into();
            let first = list.len();
            for point in &self.points[contact.points.clone()] {
                let own = equations(&point.surface.nodes);
                match list[first..].last_mut().filter(|last| last.own == own) {
                    Some(last) => last.most += 1,
                    None => list.push(Passing {
                        size: own.len() + longest,
                        own,
                        reach: reach.clone(),
                        most: 1,
                    }),
                }
            }
        }
        list
    }
}
