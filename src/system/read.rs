//! From a state to the values that a host reads.

use num_dual::DualNum;

use super::{Group, State, System};
use crate::laws::friction::Equivalent;
use crate::model::checked::{
    Analysis, Counter, Direction, Energy, Output, ProbeKind, Support, Target,
};
use crate::numerics::lagrange::shape;

/// The force of a support on a node along x (`axis` 0) or y (1), with an arm from another node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lever {
    /// Y₁, Y₂ of the node.
    pub node: [usize; 2],
    /// Y₁, Y₂ of the node that the moment is about.
    pub from: [usize; 2],
    pub axis: usize,
}

impl System {
    /// The value of an output in `state`. Booleans are 0 or 1, counters whole numbers.
    pub fn read(&self, state: &State, output: Output) -> f64 {
        // An empty sum is −0; a reader expects 0.
        self.value(state, output) + 0.0
    }

    fn value(&self, state: &State, output: Output) -> f64 {
        match output {
            Output::SliderPosition(j) => state.q[self.sliders[j].coordinate],
            Output::SliderVelocity(j) => state.velocity[self.sliders[j].coordinate],
            Output::NormalForce(j) => {
                let k = self.kinematics(j, &state.q, None);
                k.pressing(&state.multipliers[j], self.sliders[j].leverage)
                    .force
            }
            Output::Gap(j) => self.gap_of_state(j, state),
            Output::FrictionForce(j) => state.sliders[j].friction,
            Output::MicroDisplacement(j) => state.sliders[j].memory[0],
            Output::Sticking(j) => f64::from(u8::from(state.sliders[j].regime.sticks())),
            Output::Moment(j) => state.multipliers[j][2],
            Output::EndForce { slider, front } => {
                let k = self.kinematics(slider, &state.q, None);
                let normal = k.signed_normal_force(&state.multipliers[slider]);
                let levered = self.sliders[slider].leverage * state.multipliers[slider][2];
                0.5 * (normal + if front { levered } else { -levered })
            }
            Output::Regime(j) => state.sliders[j].regime.number(),
            Output::FrictionPower(j) => {
                state.sliders[j].friction * state.velocity[self.sliders[j].coordinate]
            }
            Output::DissipatedEnergy(j) => state.journal[j].work - state.journal[j].stored,
            Output::Transitions(j) => state.journal[j].transitions as f64,
            Output::TransitionTime(j) => state.journal[j].transition_time,
            Output::PointPosition { point, direction } => self.of_point(&state.q, point, direction),
            Output::PointVelocity { point, direction } => {
                self.of_point(&state.velocity, point, direction)
            }
            Output::PointAcceleration { point, direction } => {
                self.of_point(&state.acceleration, point, direction)
            }
            Output::Probe(id) => self.probe(self.model.probes[id].kind, |u| state.q[u]),
            Output::SupportReaction { support, direction } => {
                self.support_reaction(support, direction, |u| state.q[u], |u| state.reactions[u])
            }
            Output::MotionReaction(m) => self.motion_reaction(state, m),
            Output::MotionPosition(m) => state.motions[m].value,
            Output::Energy(energy) => self.energy(state, energy),
            Output::EquivalentDamping(j) => self.equivalent(state, j).damping,
            Output::EquivalentStiffness(j) => self.equivalent(state, j).stiffness,
            Output::Counter(Counter::Steps) => state.counters.steps as f64,
            Output::Counter(Counter::Iterations) => state.counters.iterations as f64,
            Output::Counter(Counter::Rejections) => state.counters.rejections as f64,
            Output::Counter(Counter::UnstableModes) => f64::from(state.unstable_modes),
        }
    }

    /// The damper and the spring that a slider's friction amounts to in the motion that its file states.
    fn equivalent(&self, state: &State, slider: usize) -> Equivalent {
        let motion = self.model.sliders[slider].equivalent;
        motion.map_or_else(Equivalent::default, |motion| {
            let omega = std::f64::consts::TAU * motion.frequency;
            (state.tuning.friction(slider)).equivalent(motion.amplitude, omega, motion.normal_force)
        })
    }

    fn of_point(&self, values: &[f64], point: usize, direction: Direction) -> f64 {
        self.nodes
            .of_point(point, None, direction)
            .map_or(0.0, |u| values[u])
    }

    /// Force that a support exerts in a direction, summed over its nodes. The moment on a whole
    /// member is that about its `from`, where it is now: Σ (M + Δx F_y − Δy F_x), of the forces
    /// those that this support exerts.
    pub(super) fn support_reaction<D: DualNum<Primitive = f64> + Copy>(
        &self,
        support: usize,
        direction: Direction,
        place: impl Fn(usize) -> D,
        force: impl Fn(usize) -> D,
    ) -> D {
        let support = &self.model.supports[support];
        let own = self.nodes.of_target(support.target, direction);
        let mut sum = own.fold(D::zero(), |sum, u| sum + force(u));
        for Lever { node, from, axis } in self.levers(support, direction) {
            let turn = (place(node[1 - axis]) - place(from[1 - axis])) * force(node[axis]);
            sum += if axis == 1 { turn } else { -turn };
        }
        sum
    }

    /// The forces on a wholly held member that enter the moment about its `from`.
    pub(crate) fn levers(
        &self,
        support: &Support,
        direction: Direction,
    ) -> impl Iterator<Item = Lever> + '_ {
        let nodes = match (support.target, direction) {
            (Target::Member(member), Direction::Rotation) => self.nodes.of_member(member),
            _ => &[],
        };
        let held = [Direction::X, Direction::Y].map(|d| support.fixed.contains(&d));
        nodes.iter().flat_map(move |node| {
            let [node, from] = [node.position, nodes[0].position];
            let axes = [0, 1].into_iter().filter(move |&axis| held[axis]);
            axes.map(move |axis| Lever { node, from, axis })
        })
    }

    /// Force or moment of the drive, summed over the unknowns it moves.
    pub(crate) fn motion_reaction(&self, state: &State, motion: usize) -> f64 {
        let unknowns = &self.motions[motion].unknowns;
        unknowns.iter().map(|&u| state.reactions[u]).sum()
    }

    /// A probe where `place(u)` is the unknown u, a number or one with its derivatives.
    pub(crate) fn probe<D: DualNum<Primitive = f64> + Copy>(
        &self,
        kind: ProbeKind,
        place: impl Fn(usize) -> D,
    ) -> D {
        let nodes = &self.nodes;
        let turn = |point: usize, member: Option<usize>| {
            let unknown = nodes.of_point(point, member, Direction::Rotation);
            unknown.map_or_else(D::zero, &place)
        };
        let between = |point: usize, from: usize| {
            let ([a, b], [c, d]) = (nodes.of_place(point), nodes.of_place(from));
            [place(a) - place(c), place(b) - place(d)]
        };
        match kind {
            ProbeKind::Deflection {
                point,
                from,
                member,
            } => {
                let (sin, cos) = turn(from, member).sin_cos();
                // The line through `from` as it was drawn, turned with the section.
                let [a, b] = [from, point].map(|p| self.model.points[p].position);
                let line = [b[0] - a[0], b[1] - a[1]];
                let length = line[0].hypot(line[1]);
                let [x, y] = between(point, from);
                let along = cos * line[0] - sin * line[1];
                let across = sin * line[0] + cos * line[1];
                (along * y - across * x) / length
            }
            ProbeKind::Rotation { point, member } => turn(point, member),
            ProbeKind::Distance { point, from } => {
                let [x, y] = between(point, from);
                (x * x + y * y).sqrt()
            }
            ProbeKind::Drift {
                point,
                from,
                direction,
            } => {
                let axis = usize::from(direction != Direction::X);
                let moved = |point: usize| {
                    let u = nodes.of_place(point)[axis];
                    place(u) - self.initial[u]
                };
                moved(point) - moved(from)
            }
            ProbeKind::Displacement {
                member,
                at,
                direction,
            } => self.displacement(member, at, direction, place),
        }
    }

    /// Displacement or rotation of a member's material point.
    fn displacement<D: DualNum<Primitive = f64> + Copy>(
        &self,
        member: usize,
        at: f64,
        direction: Direction,
        place: impl Fn(usize) -> D,
    ) -> D {
        let described = &self.model.members[member];
        let length = self.model.length_of(member) / described.elements as f64;
        let element = ((at / length) as usize).min(described.elements - 1);
        let xi = 2.0 * (at / length - element as f64) - 1.0;
        let first = element * described.order;
        let nodes = &self.nodes.of_member(member)[first..=first + described.order];
        let weights = shape(described.order, xi).value;
        nodes.iter().zip(weights).fold(D::zero(), |sum, (node, w)| {
            let u = node.unknown(direction);
            sum + (place(u) - self.initial[u]) * w
        })
    }

    fn energy(&self, state: &State, energy: Energy) -> f64 {
        match energy {
            Energy::Kinetic => self.kinetic_energy(state),
            Energy::Strain => self.strain_energy(state),
            Energy::Potential => self.potential_energy(state),
            Energy::InputWork => state.books.input_work,
            Energy::FrictionWork => state.friction_work(),
            Energy::FrictionStored => state.friction_stored(),
            Energy::DampingWork => state.books.damping_work,
            Energy::NumericalDissipation => state.books.numerical_dissipation,
            Energy::ImpactLoss => state.books.impact_loss,
            Energy::Balance => {
                state.books.start + state.books.input_work
                    - state.friction_work()
                    - state.books.damping_work
                    - state.books.numerical_dissipation
                    - state.books.impact_loss
                    - self.mechanical_energy(state)
            }
        }
    }

    /// Kinetic + strain + potential energy, J.
    pub(crate) fn mechanical_energy(&self, state: &State) -> f64 {
        self.kinetic_energy(state) + self.strain_energy(state) + self.potential_energy(state)
    }

    /// ½ q̇ᵀ M q̇; none where inertia does not count.
    pub(crate) fn kinetic_energy(&self, state: &State) -> f64 {
        if self.model.solver.analysis == Analysis::QuasiStatic {
            return 0.0;
        }
        let doubled: f64 = self
            .mass
            .triplet_iter()
            .map(|(i, j, m)| m * state.velocity[i] * state.velocity[j])
            .sum();
        0.5 * doubled
    }

    fn strain_energy(&self, state: &State) -> f64 {
        let mut sum = 0.0;
        for Group { elements, .. } in &self.groups {
            elements.energies(&state.q, |energy| sum += energy);
        }
        sum
    }

    /// −g·Σ m y, from the initial configuration.
    fn potential_energy(&self, state: &State) -> f64 {
        self.potential(&state.q, self.gravity(|i| state.reached[i][0]))
    }

    /// −g·Σ m (y − y₀) at the positions `q`, J.
    pub(crate) fn potential(&self, q: &[f64], gravity: [f64; 2]) -> f64 {
        self.lift(gravity, |u| q[u] - self.initial[u])
    }

    /// −g·Σ m d for the displacements d.
    pub(crate) fn lift(&self, gravity: [f64; 2], displacement: impl Fn(usize) -> f64) -> f64 {
        let moments = self.weight.iter().zip(gravity).map(|(weight, g)| {
            let moment: f64 = weight.iter().map(|&(u, m)| m * displacement(u)).sum();
            g * moment
        });
        -moments.sum::<f64>()
    }
}
