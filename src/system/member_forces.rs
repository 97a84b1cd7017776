//! Forces inside members, and those on their ends.
//!
//! The section forces are the fit of [`Resultants`](crate::elements::frame::resultants::Resultants) to the nodal forces of the elements, with what acts
//! [inside them](inside). On an end of a member the rest of the
//! mechanism (a hinge, a support, other members) exerts what is left of the equations of motion of its node when everything
//! that acts on the member in between is taken away:
//!
//! ```text
//! R = F_int + M q̈ + D q̇ − F_weight − F_line load + (∂c/∂q)ᵀ λ       of the member's own M, D, loads and sliders on it
//! ```
//!
//! In equilibrium that is the exact reaction however coarse the mesh is, and at a hinge the forces of all members on it, of
//! point masses and of loads are in balance to the tolerance of the solver.

mod inside;

pub(crate) use inside::Beside;

use super::numbers::{Acting, Numbers, Placed};
use super::{State, System};
use crate::checked::{Analysis, Axes, Carrier, Direction, Member, MemberId, Part};
use crate::elements::frame::{FrameKernel, MAX_DOFS};
use crate::elements::group::{Block, Elements};
use crate::elements::kernel::Kernel;
use crate::joints::regime::End;
use crate::nodes::FrameNode;
use crate::numerics::lagrange::shape;

/// The forces inside and on the ends of a member.
#[derive(Clone, Copy)]
pub(crate) struct MemberForces<'a> {
    system: &'a System,
    id: MemberId,
    member: &'a Member,
    /// Its nodes from the one end to the other.
    nodes: &'a [FrameNode],
    /// Its elements; none without material.
    frames: Option<&'a Block<FrameKernel, MAX_DOFS>>,
}

impl<'a> MemberForces<'a> {
    pub fn of(system: &'a System, id: MemberId) -> MemberForces<'a> {
        MemberForces {
            system,
            id,
            member: &system.model.members[id],
            nodes: system.nodes.of_member(id),
            frames: system.groups.of(Part::Member(id)).and_then(Elements::frames),
        }
    }

    /// Nodal forces of an element.
    fn element_force<S: Acting, N: Numbers<S>>(
        &self, state: &N, frames: &Block<FrameKernel, MAX_DOFS>, element: usize,
    ) -> [N::Number; MAX_DOFS] {
        let (kernel, local) = frames.element(element, state.now().places());
        let (mut force, mut tangent) = ([0.0; MAX_DOFS], [[0.0; MAX_DOFS]; MAX_DOFS]);
        kernel.force_and_tangent(&local, &mut force, &mut tangent);
        let unknowns = frames.unknowns_of(element);
        std::array::from_fn(|i| {
            let row = |j: usize| tangent[i.max(j)][i.min(j)];
            let change = |by: &S| {
                let columns = unknowns.iter().enumerate();
                columns.map(|(j, &u)| row(j) * by.places()[u]).sum()
            };
            if i < unknowns.len() { state.with(force[i], change) } else { N::Number::from(0.0) }
        })
    }

    /// Angle of the section's axis, rad.
    fn axis_angle<S: Placed, N: Numbers<S>>(
        &self, state: &N, element: usize, xi: f64,
    ) -> N::Number {
        let order = self.member.order;
        let nodes = &self.nodes[element * order..=(element + 1) * order];
        let shape = shape(order, xi);
        let slope = [Direction::X, Direction::Y].map(|direction| {
            let each = nodes.iter().zip(&shape.first);
            let along = each.map(|(node, w)| w * self.system.initial[node.unknown(direction)]);
            along.sum::<f64>()
        });
        let turned = state.get(|s| {
            let each = nodes.iter().zip(&shape.value);
            each.map(|(node, w)| w * s.places()[node.rotation]).sum()
        });
        turned + slope[1].atan2(slope[0])
    }

    /// Force along x (0) or y (1) or moment (2) of the rest of the mechanism on an end.
    pub fn on_end<N: Numbers<State>>(&self, state: &N, end: End, component: usize) -> N::Number {
        let zero = N::Number::from(0.0);
        let MemberForces { system, id, member: described, nodes: list, .. } = *self;
        let (element, first, place, point) = match end {
            End::First => (0, 0, 0, described.from),
            End::Last => {
                let (element, first) = (described.elements - 1, 3 * described.order);
                (element, first, list.len() - 1, described.to)
            }
        };
        let unknown = list[place].unknowns()[component];
        if let Some(body) = described.rigid {
            // What its body exerts on the node, whose multipliers act with −1 on it.
            let own = Some((Part::Body(body), point));
            let pin = system.pins.list.iter().position(|pin| pin.ties == own);
            let held = pin.map_or(zero, |pin| state.get(|s| s.pins[pin][component]));
            let loads = system.loads.lines.on(state, Carrier::Member(id), unknown);
            return -held - loads + self.sliders_on(state, unknown);
        }
        let Some(frames) = self.frames else {
            return zero;
        };
        let mut sum = self.element_force(state, frames, element)[first + component];
        let unknowns = frames.unknowns_of(element);
        let mass = frames.kernel(element).mass(1.0)[first + component];
        if system.model.solver.analysis == Analysis::Dynamic {
            let row = unknowns.iter().zip(mass);
            sum += state.get(|s| row.clone().map(|(&u, m)| m * s.acceleration[u]).sum());
            sum += self.damping_on_end(state, (element, first + component), &mass);
        }
        if component < 2 && !system.model.weightless.contains(&Part::Member(id)) {
            let gravity = system.loads.gravity.at(|i| state.get(|s| s.reached[i][0]));
            let own = mass.iter().skip(component).step_by(3).sum::<f64>();
            let own = own * state.now().scaling.of_gravity();
            sum -= gravity[component] * own;
        }
        sum -= system.loads.lines.on(state, Carrier::Member(id), unknown);
        sum + self.sliders_on(state, unknown)
    }

    /// What its structural damping has in a row of one of its elements.
    fn damping_on_end<N: Numbers<State>>(
        &self, state: &N, (element, row): (usize, usize), mass: &[f64; MAX_DOFS],
    ) -> N::Number {
        let (system, part) = (self.system, Part::Member(self.id));
        let entry = (system.model.damping.iter()).position(|d| d.parts.contains(&part));
        let law = entry.and_then(|entry| system.rayleigh(entry));
        let (Some(law), Some(frames)) = (law, self.frames) else {
            return N::Number::from(0.0);
        };
        let unknowns = frames.unknowns_of(element);
        let by_mass: N::Number = (unknowns.iter().zip(mass).enumerate())
            .map(|(j, (&u, m))| system.velocity_on_ground(state, u, j % 3) * (law.mass * m))
            .sum();
        if entry.is_some_and(|entry| system.model.damping[entry].axes == Axes::Turning) {
            let force = frames.viscous_force(
                element,
                (&state.now().q, state.now().circling.0),
                |u, value| state.with(value, |by| by.q[u]),
                |u| state.get(|s| s.velocity[u]),
            );
            return by_mass + force[row] * law.stiffness;
        }
        let (kernel, local) = frames.element(element, &system.initial[..]);
        let (mut force, mut tangent) = ([0.0; MAX_DOFS], [[0.0; MAX_DOFS]; MAX_DOFS]);
        kernel.force_and_tangent(&local, &mut force, &mut tangent);
        let by_stiffness: N::Number = state.get(|s| {
            let each = unknowns.iter().enumerate();
            each.map(|(j, &u)| law.stiffness * tangent[row.max(j)][row.min(j)] * s.velocity[u])
                .sum()
        });
        by_mass + by_stiffness
    }

    /// Forces (∂c/∂q)ᵀ λ of what slides on it on one of its unknowns.
    fn sliders_on<N: Numbers<State>>(&self, state: &N, unknown: usize) -> N::Number {
        let now = state.now();
        let mut sum = N::Number::from(0.0);
        for slider in &self.system.sliders {
            let open = now.sliders[slider.index].regime.is_open();
            if open || slider.carries_friction_of_edge() {
                continue;
            }
            let s = now.q.get(slider.coordinate);
            let here = &slider.path.elements()[slider.path.element_at(s.rounded)];
            let own =
                |position: [usize; 2]| self.nodes.iter().any(|node| node.position == position);
            if !here.nodes.iter().all(|node| own(node.position)) {
                continue;
            }
            let k = slider.kinematics(&now.q, None);
            let carried = |u: usize| u == unknown && !slider.unknowns.contains(&u);
            slider.each_force_in(&k, state, |u, force| {
                if carried(u) {
                    sum += force;
                }
            });
        }
        sum
    }
}
