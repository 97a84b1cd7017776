//! Forces inside members, and those on their ends.
//!
//! The section forces are the fit of [`Resultants`] to the nodal forces of the elements. On an end of a member the rest of the
//! mechanism (a hinge, a support, other members) exerts what is left of the equations of motion of its node when everything
//! that acts on the member in between is taken away:
//!
//! ```text
//! R = F_int + M q̈ + D q̇ − F_weight − F_line load + (∂c/∂q)ᵀ λ       of the member's own M, D, loads and sliders on it
//! ```
//!
//! In equilibrium that is the exact reaction however coarse the mesh is, and at a hinge the forces of all members on it, of
//! point masses and of loads are in balance to the tolerance of the solver.

use super::assembly::each_contact_force;
use super::numbers::Numbers;
use super::{Group, Owner, State, System};
use crate::checked::{Analysis, Axes, Carrier, Direction, MemberId, Part};
use crate::elements::frame::resultants::Resultants;
use crate::elements::frame::{FrameKernel, MAX_DOFS};
use crate::elements::group::Block;
use crate::elements::kernel::Kernel;
use crate::joints::blend::Weights;
use crate::joints::path::TurnedBy;
use crate::joints::regime::End;
use crate::nodes::FrameNode;
use crate::numerics::lagrange::shape;

impl System {
    fn frames_of(&self, member: MemberId) -> Option<&Block<FrameKernel, MAX_DOFS>> {
        let own = |group: &&Group| group.owner == Owner::Member(member);
        self.groups.iter().find(own)?.elements.frames()
    }

    /// The fit to the forces of an element; `None` in a member without material.
    pub(super) fn resultants_of<N: Numbers<State>>(
        &self, state: &N, member: MemberId, element: usize,
    ) -> Option<Resultants<N::Number>> {
        let frames = self.frames_of(member)?;
        let (_, local) = frames.element(element, &state.now().q);
        let unknowns = frames.unknowns_of(element);
        let place = std::array::from_fn(|i| {
            let unknown = unknowns.get(i).copied();
            state.with(local[i], |by| unknown.map_or(0.0, |u| by.q[u]))
        });
        let force = self.element_force(state, frames, element);
        Some(Resultants::of(self.model.members[member].order, &place, &force))
    }

    /// Nodal forces of an element.
    fn element_force<N: Numbers<State>>(
        &self, state: &N, frames: &Block<FrameKernel, MAX_DOFS>, element: usize,
    ) -> [N::Number; MAX_DOFS] {
        let (kernel, local) = frames.element(element, &state.now().q);
        let (mut force, mut tangent) = ([0.0; MAX_DOFS], [[0.0; MAX_DOFS]; MAX_DOFS]);
        kernel.force_and_tangent(&local, &mut force, &mut tangent);
        let unknowns = frames.unknowns_of(element);
        std::array::from_fn(|i| {
            let row = |j: usize| tangent[i.max(j)][i.min(j)];
            let change = |by: &State| {
                let columns = unknowns.iter().enumerate();
                columns.map(|(j, &u)| row(j) * by.q[u]).sum()
            };
            match i < unknowns.len() {
                true => state.with(force[i], change),
                false => N::Number::from(0.0),
            }
        })
    }

    /// Angle of the section's axis, rad.
    pub(super) fn axis_angle<N: Numbers<State>>(
        &self, state: &N, member: MemberId, element: usize, xi: f64,
    ) -> N::Number {
        let order = self.model.members[member].order;
        let nodes = &self.nodes.of_member(member)[element * order..=(element + 1) * order];
        let shape = shape(order, xi);
        let slope = [Direction::X, Direction::Y].map(|direction| {
            let each = nodes.iter().zip(&shape.first);
            let along = each.map(|(node, w)| w * self.initial[node.unknown(direction)]);
            along.sum::<f64>()
        });
        let turned = state.get(|s| {
            let each = nodes.iter().zip(&shape.value);
            each.map(|(node, w)| w * s.q[node.rotation]).sum()
        });
        turned + slope[1].atan2(slope[0])
    }

    /// Force along x (0) or y (1) or moment (2) of the rest of the mechanism on an end of a member.
    pub(super) fn force_on_end<N: Numbers<State>>(
        &self, state: &N, member: MemberId, end: End, component: usize,
    ) -> N::Number {
        let zero = N::Number::from(0.0);
        let described = &self.model.members[member];
        let list = self.nodes.of_member(member);
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
            let pin = self.pins.list.iter().position(|pin| pin.ties == own);
            let held = pin.map_or(zero, |pin| state.get(|s| s.pins[pin][component]));
            let loads = self.line_loads.on(state, Carrier::Member(member), unknown);
            return -held - loads + self.sliders_on(state, list, unknown);
        }
        let Some(frames) = self.frames_of(member) else {
            return zero;
        };
        let mut sum = self.element_force(state, frames, element)[first + component];
        let unknowns = frames.unknowns_of(element);
        let mass = frames.kernel(element).mass(1.0)[first + component];
        if self.model.solver.analysis == Analysis::Dynamic {
            let row = unknowns.iter().zip(mass);
            sum += state.get(|s| row.clone().map(|(&u, m)| m * s.acceleration[u]).sum());
            sum += self.damping_on_end(state, member, (element, first + component), &mass);
        }
        if component < 2 && !self.model.weightless.contains(&Part::Member(member)) {
            let gravity = self.gravity.at(|i| state.get(|s| s.reached[i][0]));
            let own = mass.iter().skip(component).step_by(3).sum::<f64>();
            sum -= gravity[component] * own;
        }
        sum -= self.line_loads.on(state, Carrier::Member(member), unknown);
        sum + self.sliders_on(state, list, unknown)
    }

    /// What the structural damping of a member has in a row of one of its elements.
    fn damping_on_end<N: Numbers<State>>(
        &self, state: &N, member: MemberId, (element, row): (usize, usize), mass: &[f64; MAX_DOFS],
    ) -> N::Number {
        let part = Part::Member(member);
        let entry = (self.model.damping.iter()).position(|d| d.parts.contains(&part));
        let law = entry.and_then(|entry| self.rayleigh(entry));
        let (Some(law), Some(frames)) = (law, self.frames_of(member)) else {
            return N::Number::from(0.0);
        };
        let unknowns = frames.unknowns_of(element);
        if entry.is_some_and(|entry| self.model.damping[entry].axes == Axes::Turning) {
            let by_mass: N::Number = state.get(|s| {
                let each = unknowns.iter().zip(mass);
                each.map(|(&u, m)| law.mass * m * s.velocity[u]).sum()
            });
            let force = frames.viscous_force(
                element,
                &state.now().q,
                |u, value| state.with(value, |by| by.q[u]),
                |u| state.get(|s| s.velocity[u]),
            );
            return by_mass + force[row] * law.stiffness;
        }
        let (kernel, local) = frames.element(element, &self.initial[..]);
        let (mut force, mut tangent) = ([0.0; MAX_DOFS], [[0.0; MAX_DOFS]; MAX_DOFS]);
        kernel.force_and_tangent(&local, &mut force, &mut tangent);
        state.get(|s| {
            let each = unknowns.iter().enumerate().map(|(j, &u)| {
                let stiffness = tangent[row.max(j)][row.min(j)];
                (law.mass * mass[j] + law.stiffness * stiffness) * s.velocity[u]
            });
            each.sum()
        })
    }

    /// Forces (∂c/∂q)ᵀ λ of what slides on the member with these nodes on one of its unknowns.
    fn sliders_on<N: Numbers<State>>(
        &self, state: &N, list: &[FrameNode], unknown: usize,
    ) -> N::Number {
        let now = state.now();
        let mut sum = N::Number::from(0.0);
        for (j, slider) in self.sliders.iter().enumerate() {
            let open = now.sliders[j].regime.is_open();
            if open || slider.carries_friction_of_edge() {
                continue;
            }
            let s = now.q.get(slider.coordinate);
            let here = &slider.path.elements()[slider.path.element_at(s.rounded)];
            let own = |position: [usize; 2]| list.iter().any(|node| node.position == position);
            if !here.nodes.iter().all(|node| own(node.position)) {
                continue;
            }
            let k = self.kinematics(j, &now.q, None);
            let slid = |by: &State| by.q[slider.coordinate];
            let multipliers = [0, 1, 2].map(|i| state.get(|s| s.multipliers[j][i]));
            let weight = |weights: &[Weights], l: usize| {
                state.with(weights[0][l], |by| weights[1][l] * slid(by))
            };
            let arm = k.arm.unwrap_or_default();
            let lever = k.arm.map(|arm| {
                [0, 1].map(|i| {
                    state.with(arm.lever[i], |by| {
                        let [turn, _] = k.turns(&slider.path, &arm, &by.q);
                        arm.swing[i] * slid(by) - arm.turned[i] * turn
                    })
                })
            });
            let turn = |with: TurnedBy| {
                let [turn, bend] = arm.turning.by(&k.point, with);
                state.with(turn, |by| {
                    let axis = k.axis_tangent_of(&slider.path, &by.q);
                    bend * slid(by) + arm.turning.change(&k.point, with, axis)
                })
            };
            let carried = |u: usize| u == unknown && !slider.unknowns.contains(&u);
            each_contact_force(slider, &k, &multipliers, weight, lever, turn, |u, force| {
                if carried(u) {
                    sum += force;
                }
            });
        }
        sum
    }
}
