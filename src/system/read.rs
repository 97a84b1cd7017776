//! From a state to the values that a host reads.

use super::{State, System};
use crate::elements::frame::{LocalVector, MAX_DOFS};
use crate::elements::lagrange::shape;
use crate::model::checked::{Counter, Direction, Energy, Output, ProbeKind};

impl System {
    /// The value of an output in `state`. Booleans are 0 or 1, counters whole numbers.
    pub fn read(&self, state: &State, output: Output) -> f64 {
        match output {
            Output::SliderPosition(j) => state.q[self.sliders[j].coordinate],
            Output::SliderVelocity(j) => state.velocity[self.sliders[j].coordinate],
            Output::NormalForce(j) => self
                .kinematics(j, &state.q, None)
                .signed_normal_force(&state.multipliers[j])
                .abs(),
            Output::FrictionForce(j) => state.sliders[j].friction,
            Output::Sticking(j) => f64::from(u8::from(state.sliders[j].sticking)),
            Output::PointPosition { point, direction } => self.of_point(&state.q, point, direction),
            Output::PointVelocity { point, direction } => {
                self.of_point(&state.velocity, point, direction)
            }
            Output::PointAcceleration { point, direction } => {
                self.of_point(&state.acceleration, point, direction)
            }
            Output::Probe(id) => self.probe(state, self.model.probes[id].kind),
            Output::SupportReaction { support, direction } => {
                let target = self.model.supports[support].target;
                let unknowns = self.nodes.of_target(target, direction);
                unknowns.map(|u| state.reactions[u]).sum()
            }
            Output::MotionReaction(m) => self.motion_reaction(state, m),
            Output::MotionPosition(m) => state.motions[m].value,
            Output::Energy(energy) => self.energy(state, energy),
            Output::Counter(Counter::Steps) => state.counters.steps as f64,
            Output::Counter(Counter::Iterations) => state.counters.iterations as f64,
            Output::Counter(Counter::Rejections) => state.counters.rejections as f64,
        }
    }

    fn of_point(&self, values: &[f64], point: usize, direction: Direction) -> f64 {
        self.nodes
            .of_point(point, None, direction)
            .map_or(0.0, |u| values[u])
    }

    /// Force or moment of the drive, summed over the unknowns it moves.
    pub(crate) fn motion_reaction(&self, state: &State, motion: usize) -> f64 {
        let unknowns = &self.motions[motion].unknowns;
        unknowns.iter().map(|&u| state.reactions[u]).sum()
    }

    fn probe(&self, state: &State, kind: ProbeKind) -> f64 {
        let at =
            |point: usize| [Direction::X, Direction::Y].map(|d| self.of_point(&state.q, point, d));
        match kind {
            ProbeKind::Deflection {
                point,
                from,
                member,
            } => {
                let rotation = self.nodes.of_point(from, member, Direction::Rotation);
                let turn = rotation.map_or(0.0, |u| state.q[u]);
                let (a, b) = (
                    self.model.points[from].position,
                    self.model.points[point].position,
                );
                let (p, o) = (at(point), at(from));
                let (sin, cos) = turn.sin_cos();
                // The line through `from` as it was drawn, turned with the section.
                let line = [b[0] - a[0], b[1] - a[1]];
                let length = line[0].hypot(line[1]);
                let now = [p[0] - o[0], p[1] - o[1]];
                let axis = [cos * line[0] - sin * line[1], sin * line[0] + cos * line[1]];
                (axis[0] * now[1] - axis[1] * now[0]) / length
            }
            ProbeKind::Rotation { point, member } => self
                .nodes
                .of_point(point, member, Direction::Rotation)
                .map_or(0.0, |u| state.q[u]),
            ProbeKind::Distance { point, from } => {
                let (p, o) = (at(point), at(from));
                (p[0] - o[0]).hypot(p[1] - o[1])
            }
            ProbeKind::Displacement {
                member,
                at,
                direction,
            } => self.displacement(state, member, at, direction as usize),
        }
    }

    /// Displacement or rotation of a member's material point.
    fn displacement(&self, state: &State, member: usize, at: f64, direction: usize) -> f64 {
        let described = &self.model.members[member];
        let length = self.model.length_of(member) / described.elements as f64;
        let element = ((at / length) as usize).min(described.elements - 1);
        let xi = 2.0 * (at / length - element as f64) - 1.0;
        let first = element * described.order;
        let nodes = &self.nodes.of_member(member)[first..=first + described.order];
        let weights = shape(described.order, xi).value;
        nodes
            .iter()
            .zip(weights)
            .map(|(node, w)| w * (state.q[node[direction]] - self.initial[node[direction]]))
            .sum()
    }

    fn energy(&self, state: &State, energy: Energy) -> f64 {
        match energy {
            Energy::Kinetic => self.kinetic_energy(state),
            Energy::Strain => self.strain_energy(state),
            Energy::Potential => self.potential_energy(state),
            Energy::InputWork => state.books.input_work,
            Energy::FrictionWork => state.books.friction_work,
            Energy::DampingWork => state.books.damping_work,
            Energy::Balance => {
                state.books.start + state.books.input_work
                    - state.books.friction_work
                    - state.books.damping_work
                    - self.mechanical_energy(state)
            }
        }
    }

    /// Kinetic + strain + potential energy, J.
    pub(crate) fn mechanical_energy(&self, state: &State) -> f64 {
        self.kinetic_energy(state) + self.strain_energy(state) + self.potential_energy(state)
    }

    /// ½ q̇ᵀ M q̇.
    fn kinetic_energy(&self, state: &State) -> f64 {
        let doubled: f64 = self
            .mass
            .triplet_iter()
            .map(|(i, j, m)| m * state.velocity[i] * state.velocity[j])
            .sum();
        0.5 * doubled
    }

    fn strain_energy(&self, state: &State) -> f64 {
        self.elements
            .iter()
            .map(|element| {
                let mut q: LocalVector = [0.0; MAX_DOFS];
                for (value, &u) in q.iter_mut().zip(&element.unknowns) {
                    *value = state.q[u];
                }
                self.kernels[element.kernel].energy(&q)
            })
            .sum()
    }

    /// −g·Σ m y, from the initial configuration.
    fn potential_energy(&self, state: &State) -> f64 {
        self.potential(&state.q, self.gravity(|i| state.reached[i][0]))
    }

    /// The potential of a given gravity at the positions `q`, J.
    pub(crate) fn potential(&self, q: &[f64], gravity: [f64; 2]) -> f64 {
        -(0..2)
            .map(|i| {
                let moment: f64 = self.weight[i]
                    .iter()
                    .map(|&(u, m)| m * (q[u] - self.initial[u]))
                    .sum();
                gravity[i] * moment
            })
            .sum::<f64>()
    }
}
