//! Outputs of supports.

use super::{List, Source};
use crate::checked::{Direction, Subject, Target};
use crate::system::material_point::Arm;
use crate::system::numbers::{Numbers, size};
use crate::system::{MaterialPoint, State, System};

items! {
    /// Reaction that a support exerts on the structure, summed over its nodes. The moment on a whole member is that about its
    /// `from`, where it is now: Σ (M + Δx F_y − Δy F_x), of the forces those that this support exerts.
    pub enum OfSupport of (_model, _support = usize) {}
    ForceX => at_forces("fx", Force, "Reaction of support {} on the structure"),
    ForceY => at_forces("fy", Force, "Reaction of support {} on the structure"),
    Moment => at_forces("moment", Moment, "Reaction of support {} on the structure"),
    Size => at_forces("force", Force, "Size of the reaction force of support {} on the structure").never_negative(),
}

/// The outputs of all supports, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    for (id, support) in list.model.supports.iter().enumerate() {
        let mut add = |of: OfSupport| {
            let path = format!("supports.{}", support.name);
            list.add(&path, &support.name, of.of(Subject::Support(id)));
        };
        for &direction in &support.fixed {
            add(OfSupport::ALL[direction as usize]);
        }
        if support.fixed.iter().any(|&direction| direction != Direction::Rotation) {
            add(OfSupport::Size);
        }
    }
}

/// The force of a support on a node along x (`axis` 0) or y (1), with an arm from another node.
struct Lever {
    /// Y₁, Y₂ of the node.
    node: [usize; 2],
    /// Y₁, Y₂ of the node that the moment is about.
    from: [usize; 2],
    axis: usize,
}

impl OfSupport {
    /// The directions of the reactions that it is made of.
    fn directions(self) -> &'static [Direction] {
        match self {
            OfSupport::ForceX => &[Direction::X],
            OfSupport::ForceY => &[Direction::Y],
            OfSupport::Moment => &[Direction::Rotation],
            OfSupport::Size => &[Direction::X, Direction::Y],
        }
    }

    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, support: usize,
    ) -> N::Number {
        let place = |u: usize| state.get(|s| s.q[u]);
        let force = |u: usize| state.get(|s| s.reactions[u]);
        let along = |direction: Direction| {
            let own = unknowns(system, support, direction);
            own.fold(N::Number::from(0.0), |sum, u| sum + force(u))
        };
        match self {
            OfSupport::ForceX => along(Direction::X),
            OfSupport::ForceY => along(Direction::Y),
            OfSupport::Size => size([along(Direction::X), along(Direction::Y)]),
            OfSupport::Moment => {
                let mut sum = along(Direction::Rotation);
                for Lever { node, from, axis } in self.levers(system, support) {
                    let turn = (place(node[1 - axis]) - place(from[1 - axis])) * force(node[axis]);
                    sum += if axis == 1 { turn } else { -turn };
                }
                if let Some((node, arm)) = self.arm(system, support) {
                    let [x, y] = arm.turned(place(arm.rotation));
                    for (axis, lever) in [(1, -x), (0, y)] {
                        if system.motions.bearers[node[axis]] == Some(support) {
                            sum += lever * force(node[axis]);
                        }
                    }
                }
                sum
            }
        }
    }

    /// The forces on a wholly fixed member that enter the moment about its `from`.
    fn levers(self, system: &System, id: usize) -> impl Iterator<Item = Lever> {
        let support = &system.model.supports[id];
        let nodes = match (support.target, self) {
            (Target::Member(member), OfSupport::Moment) => system.nodes.of_member(member),
            _ => &[],
        };
        let bears = move |u: usize| system.motions.bearers[u] == Some(id);
        nodes.iter().flat_map(move |node| {
            let [node, from] = [node.position, nodes[0].position];
            let axes = [0, 1].into_iter().filter(move |&axis| bears(node[axis]));
            axes.map(move |axis| Lever { node, from, axis })
        })
    }

    /// Of a moment on a rigid member: Y₁, Y₂ of its centre of mass, and the arm from there to its `from`.
    fn arm(self, system: &System, id: usize) -> Option<([usize; 2], Arm)> {
        let member = match system.model.supports[id].target {
            Target::Member(member) => member,
            // A rigid member is a body.
            Target::Body(body) => system.model.bodies[body].member?,
            _ => return None,
        };
        let member = &system.model.members[member];
        let body = member.rigid.filter(|_| self == OfSupport::Moment)?;
        let from = system.model.points[member.from].position;
        let point = MaterialPoint::on_body(&system.model, &system.nodes, body, from)?;
        Some((point.node, point.arm?))
    }

    pub(super) fn sources(self, system: &System, support: usize) -> Vec<Source> {
        let own = self.directions().iter();
        let own = own.flat_map(|&direction| unknowns(system, support, direction));
        let arms = self.levers(system, support).flat_map(|Lever { node, from, axis }| {
            let places = [node, from].map(|place| Source::Unknown(place[1 - axis]));
            [Source::Force(node[axis]), places[0], places[1]]
        });
        let of_rigid = self.arm(system, support).into_iter().flat_map(|(node, arm)| {
            [Source::Unknown(arm.rotation), Source::Force(node[0]), Source::Force(node[1])]
        });
        own.map(Source::Force).chain(arms).chain(of_rigid).collect()
    }
}

/// The unknowns in a direction whose reaction is that of support `id`.
fn unknowns(system: &System, id: usize, direction: Direction) -> impl Iterator<Item = usize> {
    let support = &system.model.supports[id];
    let fixed = support.fixed.contains(&direction);
    let all = fixed.then(|| system.nodes.of_target(support.target, direction));
    let bears = move |u: &usize| system.motions.bearers[*u] == Some(id);
    all.into_iter().flatten().filter(bears)
}
