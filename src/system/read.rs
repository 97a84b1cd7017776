//! From a state to the values that a host reads.

use num_dual::DualStruct;

use super::numbers::{Course, Number, Numbers, Placed, Varied};
use super::{Group, State, System};
use crate::checked::{
    Analysis, Counter, Direction, Energy, Member, MemberId, Output, ProbeKind, Support, Target,
};
use crate::joints::slider::Kinematics;
use crate::laws::friction::Equivalent;
use crate::numerics::lagrange::shape;
use crate::numerics::positions::Positions;
use crate::surfaces::layer::PointMemory;

/// The force of a support on a node along x (`axis` 0) or y (1), with an arm from another node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lever {
    /// Y₁, Y₂ of the node.
    pub node: [usize; 2],
    /// Y₁, Y₂ of the node that the moment is about.
    pub from: [usize; 2],
    pub axis: usize,
}

/// How well the energy balance of a state closes, J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct EnergyError {
    /// What nothing explains: above 0 what has disappeared.
    pub error: f64,
    /// The part of it that the time integration has made.
    pub made: f64,
    /// The largest so far of the kinetic and the strain energy and of what came and went.
    pub largest: f64,
    /// What the time integration has taken.
    pub dissipation: f64,
    /// Rounding of its largest term.
    pub rounding: f64,
}

impl System {
    /// The value of an output in `state`. Booleans are 0 or 1, counters whole numbers.
    pub fn read(&self, state: &State, output: Output) -> f64 {
        // An empty sum is −0; a reader expects 0.
        self.value(state, output) + 0.0
    }

    /// Change of an output by the change `by` of `state`; 0 for what jumps.
    pub fn output_change(&self, state: &State, by: &State, output: Output) -> f64 {
        self.value(&Varied { now: state, by }, output).eps
    }

    /// First and second time derivative of an output, as far as they are known.
    pub fn output_rates(&self, course: &Course, output: Output) -> [Option<f64>; 2] {
        let value = self.value(course, output);
        [value.v1, value.v2].map(|rate| (!rate.is_nan()).then_some(rate))
    }

    /// The value of an output in numbers of any kind. What jumps is a number without derivatives.
    fn value<N: Numbers<State>>(&self, state: &N, output: Output) -> N::Number {
        let now = state.now();
        let sliding = |j: usize| self.sliders[j].coordinate;
        let whole = |value: f64| N::Number::from(value);
        match output {
            Output::SliderPosition(j) => state.get(|s| s.q[sliding(j)]),
            Output::SliderVelocity(j) => state.get(|s| s.velocity[sliding(j)]),
            Output::NormalForce(j) => self.normal_force_of(state, j)[0],
            Output::Gap(j) => self.gap_in(state, j),
            Output::FrictionForce(j) => state.get(|s| s.sliders[j].friction),
            Output::MicroDisplacement(j) => state.get(|s| s.sliders[j].memory[0]),
            Output::Sticking(j) => whole(f64::from(u8::from(now.sliders[j].regime.sticks()))),
            Output::Moment(j) => state.get(|s| s.multipliers[j][2]),
            Output::EndForce { slider, front } => {
                let [_, normal, moment] = self.normal_force_of(state, slider);
                let forces = self.sliders[slider].bearing.end_forces(normal, moment);
                forces[usize::from(!front)]
            }
            Output::ContactLength(j) => {
                let [_, normal, moment] = self.normal_force_of(state, j);
                self.sliders[j].bearing.contact_length(normal, moment)
            }
            Output::LinePressure(j) => {
                let [_, normal, moment] = self.normal_force_of(state, j);
                self.sliders[j].bearing.line_pressure(normal, moment)
            }
            Output::Regime(j) => whole(now.sliders[j].regime.number()),
            Output::FrictionPower(j) => {
                state.get(|s| s.sliders[j].friction) * state.get(|s| s.velocity[sliding(j)])
            }
            Output::DissipatedEnergy(j) => state.get(|s| s.journal[j].work - s.journal[j].stored),
            Output::Transitions(j) => whole(now.journal[j].transitions as f64),
            Output::TransitionTime(j) => whole(now.journal[j].transition_time),
            Output::PointPosition { point, direction } => {
                state.get(|s| self.of_point(&s.q, point, direction))
            }
            Output::PointVelocity { point, direction } => {
                state.get(|s| self.of_point(&s.velocity, point, direction))
            }
            Output::PointAcceleration { point, direction } => {
                state.get(|s| self.of_point(&s.acceleration, point, direction))
            }
            Output::EdgePosition(edge) => state.get(|s| self.middle_of(edge, |j| s.q[sliding(j)])),
            Output::EdgeVelocity(edge) => {
                state.get(|s| self.middle_of(edge, |j| s.velocity[sliding(j)]))
            }
            Output::EdgeForce { edge, component } => self.edge_force(
                edge,
                component,
                |u| state.get(|s| s.q[u]),
                |j, i| state.get(|s| s.multipliers[j][i]),
            ),
            Output::PinForce { pin, component } => state.get(|s| s.pins[pin][component]),
            Output::Contact { contact, of } => self.value_of_contact(state, contact, of),
            Output::RigidContact { contact, of } => self.value_of_rigid_contact(state, contact, of),
            Output::Spring { spring, of } => self.value_of_spring(state, spring, of),
            Output::Bushing { bushing, of } => self.value_of_bushing(state, bushing, of),
            Output::Coupling { coupling, driver, of } => {
                self.value_of_coupling(state, (coupling, driver), of)
            }
            Output::SliderForce { slider, component } => {
                state.get(|s| s.multipliers[slider][component])
            }
            Output::EdgeLength { edge, node } => whole(self.edge_length(edge, node)),
            Output::EdgePressure { edge, node } => {
                let slider = self.model.sliding_edges[edge].sliders.start + node;
                let [normal, _] = self.pressing(slider, None, state);
                normal * self.pressure_by_force(edge, node)
            }
            Output::PointField { point, field } => {
                self.field_at_point(point, field, |u| state.get(|s| s.q[u]))
            }
            Output::PlacePosition { place, axis } => {
                state.get(|s| self.at_place(place, axis, |u| s.q[u]))
            }
            Output::PlaceVelocity { place, axis } => {
                state.get(|s| self.at_place(place, axis, |u| s.velocity[u]))
            }
            Output::PlaceAcceleration { place, axis } => {
                state.get(|s| self.at_place(place, axis, |u| s.acceleration[u]))
            }
            Output::PlaceField { place, field } => {
                self.field_at_place(place, field, |u| state.get(|s| s.q[u]))
            }
            Output::Probe(id) => self.probe(self.model.probes[id].kind, |u| state.get(|s| s.q[u])),
            Output::Section { cut, of } => self.in_section(state, cut, of),
            Output::Largest { member, of } => self.largest_in_member(state, member, of),
            Output::MemberEnd { member, end, component } => {
                self.force_on_end(state, member, end, component)
            }
            Output::Mass { part, of } => self.of_mass(state, part, of),
            Output::SupportReaction { support, direction } => {
                let place = |u: usize| state.get(|s| s.q[u]);
                let force = |u: usize| state.get(|s| s.reactions[u]);
                self.support_reaction(support, direction, place, force)
            }
            Output::MotionReaction(m) => state.get(|s| self.motion_reaction(s, m)),
            Output::MotionPosition(m) => state.get(|s| s.motions[m].value),
            Output::Energy(energy) => self.energy(state, energy),
            Output::EquivalentDamping(j) => whole(self.equivalent(now, j).damping),
            Output::EquivalentStiffness(j) => whole(self.equivalent(now, j).stiffness),
            Output::Counter(Counter::Steps) => whole(now.counters.steps as f64),
            Output::Counter(Counter::Iterations) => whole(now.counters.iterations as f64),
            Output::Counter(Counter::Rejections) => whole(now.counters.rejections as f64),
            Output::Counter(Counter::UnstableModes) => whole(f64::from(now.unstable_modes)),
        }
    }

    /// The gap of slider `j` in a state.
    pub(super) fn gap_in<N: Numbers<State>>(&self, state: &N, j: usize) -> N::Number {
        let now = state.now();
        let gap = self.gap_of_state(j, now);
        state.with(gap, |by| self.gap_rate(j, now, &by.q))
    }

    /// F_N, N and M′ of slider `j` in a state.
    pub(super) fn normal_force_of<N: Numbers<State>>(&self, state: &N, j: usize) -> [N::Number; 3] {
        let friction = state.get(|s| s.sliders[j].friction);
        let [normal, moment] = self.pressing(j, None, state);
        let bearing = &self.sliders[j].bearing;
        let force = bearing.normal_force(normal, moment, friction);
        let own = bearing.moment_at_faces(normal, moment, friction, force);
        [force, normal, own]
    }

    /// λ·n, with n normal to the current path, in N and λ₃ of slider `j` in N·m.
    pub(super) fn pressing<S: Placed, N: Numbers<S>>(
        &self, j: usize, kept: Option<usize>, at: &N,
    ) -> [N::Number; 2] {
        let ([x, y], _) = self.path_slope(j, kept, at);
        let force = |i: usize| at.get(|s| s.multipliers_of(j)[i]);
        let stretch = x.hypot(y);
        let normal = if stretch.re() > 0.0 {
            (force(1) * x - force(0) * y) / stretch
        } else {
            N::Number::from(0.0)
        };
        [normal, force(2)]
    }

    /// Y′ and r′ + ½ f′ λ₃ of the current path under slider `j`.
    pub(super) fn path_slope<S: Placed, N: Numbers<S>>(
        &self, j: usize, kept: Option<usize>, at: &N,
    ) -> ([N::Number; 2], N::Number) {
        let slider = &self.sliders[j];
        let k = self.kinematics(j, at.now().places(), kept);
        let slid = |by: &S| by.places()[slider.coordinate];
        let tangent = [0, 1].map(|i| {
            at.with(k.tangent[i], |by| {
                let turned = k.tangent_of(&slider.path, by.places(), &slider.unknowns);
                k.bend[i] * slid(by) + turned[i]
            })
        });
        let [_, rate, growth] = k.flexibility.map(|f| 0.5 * f);
        let moment = |at: &S| at.multipliers_of(j)[2];
        let now = moment(at.now());
        let spin = at.with(k.spin[0] + rate * now, |by| {
            (k.spin[1] + growth * now) * slid(by)
                + rate * moment(by)
                + k.spin_of(&slider.path, by.places())
        });
        (tangent, spin)
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
        self.nodes.of_point(point, None, direction).map_or(0.0, |u| values[u])
    }

    /// Force that a support exerts in a direction, summed over its nodes. The moment on a whole
    /// member is that about its `from`, where it is now: Σ (M + Δx F_y − Δy F_x), of the forces
    /// those that this support exerts.
    pub(super) fn support_reaction<D: Number>(
        &self, support: usize, direction: Direction, place: impl Fn(usize) -> D,
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

    /// The forces on a wholly fixed member that enter the moment about its `from`.
    pub(crate) fn levers(
        &self, support: &Support, direction: Direction,
    ) -> impl Iterator<Item = Lever> + '_ {
        let nodes = match (support.target, direction) {
            (Target::Member(member), Direction::Rotation) => self.nodes.of_member(member),
            _ => &[],
        };
        let fixed = [Direction::X, Direction::Y].map(|d| support.fixed.contains(&d));
        nodes.iter().flat_map(move |node| {
            let [node, from] = [node.position, nodes[0].position];
            let axes = [0, 1].into_iter().filter(move |&axis| fixed[axis]);
            axes.map(move |axis| Lever { node, from, axis })
        })
    }

    /// Force or moment of the drive, summed over the unknowns it moves.
    pub(crate) fn motion_reaction(&self, state: &State, motion: usize) -> f64 {
        let unknowns = &self.motions[motion].unknowns;
        unknowns.iter().map(|&u| state.reactions[u]).sum()
    }

    /// A probe where `place(u)` is the unknown u, a number or one with its derivatives.
    pub(crate) fn probe<D: Number>(&self, kind: ProbeKind, place: impl Fn(usize) -> D) -> D {
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
            ProbeKind::Deflection { point, from, member } => {
                let (sin, cos) = turn(from, member).sin_cos();
                // The line through `from` as it was initially, turned with the section.
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
            ProbeKind::Drift { point, from, direction } => {
                let axis = usize::from(direction != Direction::X);
                let moved = |point: usize| {
                    let u = nodes.of_place(point)[axis];
                    place(u) - self.initial[u]
                };
                moved(point) - moved(from)
            }
            ProbeKind::Displacement { member, at, direction } => {
                self.displacement(member, at, direction, place)
            }
            ProbeKind::Chord { member, at } => {
                let Member { from, to, .. } = self.model.members[member];
                let moved = [Direction::X, Direction::Y]
                    .map(|direction| self.displacement(member, at, direction, &place));
                let drawn = self.drawn_on(member, at);
                let start = nodes.of_place(from);
                let [x, y] = [0, 1].map(|i| moved[i] + drawn[i] - place(start[i]));
                let [along, across] = between(to, from);
                let [a, b] = [from, to].map(|p| self.model.points[p].position);
                let line = [b[0] - a[0], b[1] - a[1]];
                let before = line[0] * (drawn[1] - a[1]) - line[1] * (drawn[0] - a[0]);
                let before = before / line[0].hypot(line[1]);
                (along * y - across * x) / along.hypot(across) - before
            }
        }
    }

    /// Where a member's material point was initially, m.
    fn drawn_on(&self, member: MemberId, at: f64) -> [f64; 2] {
        let (element, xi) = self.model.place_on_member(member, at);
        self.interpolate(member, element, xi, &self.initial).0
    }

    /// Displacement or rotation of a member's material point.
    fn displacement<D: Number>(
        &self, member: usize, at: f64, direction: Direction, place: impl Fn(usize) -> D,
    ) -> D {
        let described = &self.model.members[member];
        let (element, xi) = self.model.place_on_member(member, at);
        let first = element * described.order;
        let nodes = &self.nodes.of_member(member)[first..=first + described.order];
        let weights = shape(described.order, xi).value;
        nodes.iter().zip(weights).fold(D::zero(), |sum, (node, w)| {
            let u = node.unknown(direction);
            sum + (place(u) - self.initial[u]) * w
        })
    }

    fn energy<N: Numbers<State>>(&self, state: &N, energy: Energy) -> N::Number {
        match energy {
            Energy::Kinetic => self.kinetic(state),
            Energy::Strain => self.strain(state),
            Energy::Potential => self.potential_of(state),
            Energy::InputWork => state.get(|s| s.energy.input_work),
            Energy::FrictionWork => state.get(State::friction_work),
            Energy::FrictionStored => state.get(State::friction_stored),
            Energy::DampingWork => state.get(|s| s.energy.damping_work),
            Energy::NumericalDissipation => state.get(|s| s.energy.numerical_dissipation),
            Energy::ImpactLoss => state.get(|s| s.energy.impact_loss),
            Energy::Balance => {
                let expected = state.get(|s| {
                    s.energy.start + s.energy.input_work
                        - s.friction_work()
                        - s.energy.damping_work
                        - s.energy.numerical_dissipation
                        - s.energy.impact_loss
                });
                expected - self.mechanical(state)
            }
        }
    }

    /// How well the energy balance of `state` closes.
    pub(crate) fn energy_error(&self, state: &State) -> EnergyError {
        let read = |energy: Energy| self.energy(state, energy);
        let [kinetic, strain, potential] =
            [Energy::Kinetic, Energy::Strain, Energy::Potential].map(read);
        let balance = &state.energy;
        let traffic = balance.traffic(state.friction_work());
        let largest = traffic.max(kinetic).max(strain.abs());
        EnergyError {
            error: state.energy_error(kinetic + strain + potential),
            made: balance.made(),
            largest: largest.max(balance.largest),
            dissipation: balance.numerical_dissipation,
            rounding: f64::EPSILON * largest.max(potential.abs()).max(balance.start.abs()),
        }
    }

    /// Kinetic + strain + potential energy, J.
    pub(crate) fn mechanical_energy(&self, state: &State) -> f64 {
        self.mechanical(state)
    }

    fn mechanical<N: Numbers<State>>(&self, state: &N) -> N::Number {
        self.kinetic(state) + self.strain(state) + self.potential_of(state)
    }

    /// ½ q̇ᵀ M q̇; none where inertia does not count.
    pub(crate) fn kinetic_energy(&self, state: &State) -> f64 {
        self.kinetic(state)
    }

    fn kinetic<N: Numbers<State>>(&self, state: &N) -> N::Number {
        if self.model.solver.analysis == Analysis::QuasiStatic {
            return N::Number::from(0.0);
        }
        let velocity = |u: usize| state.get(|s| s.velocity[u]);
        let doubled: N::Number =
            self.mass.triplet_iter().map(|(i, j, m)| velocity(i) * *m * velocity(j)).sum();
        doubled * 0.5
    }

    fn strain<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let now = state.now();
        let energy = self.strain_at(&now.q, |j| now.multipliers[j][2], &now.points);
        let setting = |i: usize| self.springs[i].setting(|k| now.reached[k][0]);
        let energy = energy + self.energy_of_springs(&now.q, setting);
        state.with(energy, |by| self.strain_change(now, by))
    }

    /// Strain energy at the positions `q` with the `moment` λ₃ of each slider, J, of `points` of contacts that remember this.
    pub(crate) fn strain_at(
        &self, q: &Positions, moment: impl Fn(usize) -> f64, points: &[PointMemory],
    ) -> f64 {
        self.elastic_energy(q) + self.strain_of_contacts(q, moment, points)
    }

    /// The rest of [`System::strain_at`]: that of contact layers, and of paths that give way to moments beyond what their elements do.
    pub(crate) fn strain_of_contacts(
        &self, q: &Positions, moment: impl Fn(usize) -> f64, points: &[PointMemory],
    ) -> f64 {
        let sum = self.stored_across(q, points);
        let given = self.giving_way(q, moment);
        let given = given.map(|(_, k)| k.turn_energy());
        sum + given.sum::<f64>()
    }

    /// Sliders under whose moments their paths give way beyond what their elements do.
    fn giving_way(
        &self, q: &Positions, moment: impl Fn(usize) -> f64,
    ) -> impl Iterator<Item = (usize, Kinematics)> {
        let moments = (self.sliders.iter().enumerate())
            .filter(move |(j, slider)| slider.unknowns.len() == 3 && moment(*j) != 0.0);
        (moments.map(|(j, _)| (j, self.kinematics(j, q, None))))
            .filter(|(_, k)| k.flexibility[0] > 0.0)
    }

    /// F_int(q)·δq.
    fn strain_change(&self, state: &State, by: &State) -> f64 {
        let mut sum = self.stored_change(state, by);
        sum += self.springs_energy_change(state, by);
        for Group { elements, .. } in &self.groups {
            elements.forces(&state.q, |found| sum += found.work(&by.q));
        }
        // Of ½ c₃²/f. The moment λ₃ of a short step behind an event is none of the place.
        let moments = |j: usize| state.multipliers[j][2];
        let given = self.giving_way(&state.q, moments);
        sum + given.map(|(j, k)| self.turn_energy_change(j, &k, &by.q)).sum::<f64>()
    }

    /// Change of what the path of slider `j`, which gives way to its moment, stores of it, by the change `by` of the unknowns, J.
    pub(super) fn turn_energy_change(&self, j: usize, k: &Kinematics, by: &[f64]) -> f64 {
        let (slider, moment) = (&self.sliders[j], k.gap[2] / k.flexibility[0]);
        let [.., turned] = k.gap_of(&slider.path, by, &slider.unknowns);
        let slope = k.spin[0] + 0.5 * k.flexibility[1] * moment;
        moment * (turned - slope * by[slider.coordinate])
    }

    /// −g·Σ m (y − y₀).
    fn potential_of<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let gravity = self.gravity(|i| state.get(|s| s.reached[i][0]));
        self.potential_at(gravity, |u| state.get(|s| s.q[u]))
    }

    /// The same at these places under this gravity.
    pub(crate) fn potential_at<D: Number>(&self, gravity: [D; 2], place: impl Fn(usize) -> D) -> D {
        self.lift(gravity, |u| place(u) - self.initial[u])
    }

    /// −g·Σ m d for the displacements d.
    pub(crate) fn lift<D: Number>(&self, gravity: [D; 2], displacement: impl Fn(usize) -> D) -> D {
        let moments = self.weight.iter().zip(gravity).map(|(weight, g)| {
            let moment: D = weight.iter().map(|&(u, m)| displacement(u) * m).sum();
            g * moment
        });
        -moments.sum::<D>()
    }
}
