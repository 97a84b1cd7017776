//! What may follow from what: the dependencies that a model description states.
//!
//! The mechanism falls into *parts*: free unknowns that elements and sliding joints connect. What is
//! fixed or driven separates parts. An input acts on the parts it touches; an output follows from all
//! inputs that touch its part. This is the structure of the equations, not their numbers: a
//! dependency that is stated may be zero, one that is not stated is zero always.

use std::collections::BTreeSet;

use super::interface::Role;
use crate::checked::{
    Analysis, Direction, Energy, Input, MemberId, OfBushing, OfContact, OfCoupling, OfMass,
    OfRigidContact, OfSpring, Output, ProbeKind, Reach,
};
use crate::joints::regime::End;
use crate::nodes::Node;
use crate::numerics::disjoint::DisjointSets;
use crate::system::{Lever, PRESCRIBED, System};

/// What an output reads, or a known value acts on.
#[derive(Debug, Default)]
struct Touch {
    everything: bool,
    /// Places that stay as they were initially.
    drawn: bool,
    parts: BTreeSet<usize>,
    motions: BTreeSet<usize>,
    /// Fixed and driven unknowns whose own equation it enters.
    direct: BTreeSet<usize>,
}

impl Touch {
    fn is_nothing(&self) -> bool {
        !self.everything
            && !self.drawn
            && self.parts.is_empty()
            && self.motions.is_empty()
            && self.direct.is_empty()
    }

    fn meets(&self, other: &Touch) -> bool {
        if self.everything || other.everything {
            return !self.is_nothing() && !other.is_nothing();
        }
        !self.parts.is_disjoint(&other.parts)
            || !self.motions.is_disjoint(&other.motions)
            || !self.direct.is_disjoint(&other.direct)
    }
}

/// The parts of a mechanism.
#[derive(Debug)]
pub struct Dependencies<'a> {
    system: &'a System,
    /// Representative of each unknown, then of each element, then of each slider, pin, contact and spring.
    part: Vec<usize>,
    /// Elements, sliders, pins, contacts and springs, as in `part`, that each unknown belongs to.
    around: Vec<Vec<usize>>,
    /// The motion that drives each unknown.
    driver: Vec<Option<usize>>,
}

impl<'a> Dependencies<'a> {
    /// The structure of a mechanism.
    pub fn of(system: &'a System) -> Dependencies<'a> {
        let (nodal, elements) = (system.nodal, system.element_count());
        let mut around = vec![Vec::new(); nodal];
        for (e, unknowns) in system.unknowns_of_elements().enumerate() {
            for &u in unknowns {
                around[u].push(nodal + e);
            }
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            let path = 0..slider.path.elements().len();
            let path = path.flat_map(|e| slider.path.nodes(e).iter().flat_map(Node::unknowns));
            for u in slider.unknowns.iter().copied().chain(path) {
                around[u].push(nodal + elements + j);
            }
        }
        let first = nodal + elements + system.sliders.len();
        for (p, pin) in system.pins.iter().enumerate() {
            pin.unknowns().for_each(|u| around[u].push(first + p));
        }
        let contacts = first + system.pins.len();
        for (c, contact) in system.contacts.iter().enumerate() {
            let elements = 0..contact.path.elements().len();
            let path = elements.flat_map(|e| contact.path.carriers(e));
            let points = system.points[contact.points.clone()].iter();
            let surface = points.flat_map(|point| &point.surface.nodes);
            for u in path.chain(surface).flat_map(Node::unknowns) {
                if !around[u].contains(&(contacts + c)) {
                    around[u].push(contacts + c);
                }
            }
        }
        let springs = contacts + system.contacts.len();
        for (i, spring) in system.springs.iter().enumerate() {
            let unknowns = spring.measure.unknowns();
            unknowns.for_each(|u| around[u].push(springs + i));
        }
        let mut parts = DisjointSets::new(springs + system.springs.len());
        let slider = |j: usize| nodal + elements + j;
        for (j, friction) in system.sliders.iter().enumerate() {
            for (k, _) in &friction.shares {
                parts.join(slider(j), slider(*k));
            }
        }
        for (j, pin) in system.pressed_by() {
            parts.join(slider(j), first + pin);
        }
        for (u, owners) in around.iter().enumerate() {
            if system.equation[u] != PRESCRIBED {
                owners.iter().for_each(|&owner| parts.join(u, owner));
            }
        }
        let mut driver = vec![None; nodal];
        for (m, motion) in system.motions.iter().enumerate() {
            motion.unknowns.iter().for_each(|&u| driver[u] = Some(m));
        }
        Dependencies { system, part: parts.numbers(), around, driver }
    }

    /// Whether `output` at the end of a communication step may follow from an input over
    /// that step.
    pub fn in_a_step(&self, output: Output, known: Role) -> bool {
        let acts = match known {
            Role::Input(i) => self.of_input(self.system.model.inputs[i].input),
            Role::Parameter(_) | Role::Output(_) | Role::Calculated(_) => return false,
        };
        self.of_output(output).meets(&acts)
    }

    /// Whether `output` of the consistent start may follow from a parameter or an input. The start
    /// is always that of t = 0.
    pub fn at_the_start(&self, output: Output, known: Role) -> bool {
        let model = &self.system.model;
        if let Output::EquivalentDamping(j) | Output::EquivalentStiffness(j) = output {
            return self.is_of_law(j, known);
        }
        let (acts, reach) = match known {
            Role::Input(i) => {
                let input = model.inputs[i].input;
                let reach = input.reach(model.start.equilibrium.is_some());
                (self.of_input(input), reach)
            }
            Role::Parameter(k) => (self.of_parameter(k), model.parameters[k].reach),
            Role::Output(_) | Role::Calculated(_) => return false,
        };
        let springs = &self.system.springs;
        // Springs are strained, and their slip elements bent, by their own numbers.
        let sprung = match output {
            Output::Energy(Energy::Strain) => !springs.is_empty(),
            Output::Energy(Energy::FrictionWork | Energy::FrictionStored) => {
                springs.iter().any(|spring| spring.law.slip.is_some())
            }
            _ => false,
        };
        let known_from = if sprung { Some(Reach::Forces) } else { level(output) };
        let Some(level) = known_from else {
            return false;
        };
        let in_time = match model.solver.analysis {
            // Equilibrium: positions follow from all forces.
            Analysis::QuasiStatic => reach != Reach::Nowhere,
            Analysis::Dynamic => reach <= level,
        };
        in_time && self.of_output(output).meets(&acts)
    }

    /// Whether linearised friction of slider `j` may follow from a parameter: from the law's numbers,
    /// from those of the motion, and from what either is written in terms of.
    fn is_of_law(&self, j: usize, known: Role) -> bool {
        let Role::Parameter(k) = known else {
            return false;
        };
        let parameter = &self.system.model.parameters[k];
        let own = format!("joints.{}.equivalent.", self.system.model.sliders[j].name);
        match &parameter.tunable {
            Some(tunable) => tunable.laws.contains(&j),
            None => parameter.path.starts_with("parameters.") || parameter.path.starts_with(&own),
        }
    }

    fn of_output(&self, output: Output) -> Touch {
        let system = self.system;
        let nodes = &system.nodes;
        let mut touch = Touch::default();
        match output {
            Output::SliderPosition(j)
            | Output::SliderVelocity(j)
            | Output::NormalForce(j)
            | Output::FrictionForce(j)
            | Output::MicroDisplacement(j)
            | Output::Gap(j)
            | Output::Sticking(j)
            | Output::Moment(j)
            | Output::EndForce { slider: j, .. }
            | Output::ContactLength(j)
            | Output::LinePressure(j)
            | Output::SliderForce { slider: j, .. }
            | Output::Regime(j)
            | Output::FrictionPower(j)
            | Output::DissipatedEnergy(j)
            | Output::Transitions(j)
            | Output::TransitionTime(j) => {
                touch.parts.insert(self.of_slider(j));
            }
            Output::PointPosition { point, direction } => {
                let unknown = nodes.of_point(point, None, direction);
                unknown.iter().for_each(|&u| self.read(u, &mut touch));
            }
            Output::PointVelocity { point, direction }
            | Output::PointAcceleration { point, direction } => {
                let unknown = nodes.of_point(point, None, direction);
                let moves = |u: &usize| !self.is_fixed(*u);
                unknown.filter(moves).iter().for_each(|&u| self.read(u, &mut touch));
            }
            Output::EdgePosition(edge)
            | Output::EdgeVelocity(edge)
            | Output::EdgeForce { edge, .. } => {
                for j in system.model.sliding_edges[edge].sliders.clone() {
                    touch.parts.insert(self.of_slider(j));
                }
            }
            Output::RigidContact { contact, .. } => {
                for j in system.model.rigid_contacts[contact].corners.clone() {
                    touch.parts.insert(self.of_slider(j));
                }
            }
            Output::PinForce { pin, .. } => {
                touch.parts.insert(self.of_slider(system.sliders.len() + pin));
            }
            Output::Contact { contact, .. } => {
                let before = system.sliders.len() + system.pins.len();
                touch.parts.insert(self.of_slider(before + contact));
            }
            Output::Spring { spring, .. } => {
                touch.parts.insert(self.of_spring(spring));
                for u in system.springs[spring].measure.unknowns() {
                    self.read(u, &mut touch);
                }
            }
            Output::Bushing { bushing, .. } => {
                for spring in system.model.bushings[bushing].springs.clone() {
                    touch.parts.insert(self.of_spring(spring));
                    for u in system.springs[spring].measure.unknowns() {
                        self.read(u, &mut touch);
                    }
                }
            }
            Output::Coupling { coupling, .. } => {
                let pin = system.place_of_coupling(coupling);
                touch.parts.insert(self.of_slider(system.sliders.len() + pin));
                for u in system.pins[pin].unknowns() {
                    self.read(u, &mut touch);
                    self.push(u, &mut touch);
                }
            }
            Output::EdgePressure { edge, node } => {
                let j = system.model.sliding_edges[edge].sliders.start + node;
                touch.parts.insert(self.of_slider(j));
            }
            Output::EdgeLength { .. } => touch.drawn = true,
            Output::PointField { point, .. } => {
                for u in system.unknowns_around_point(point) {
                    self.read(u, &mut touch);
                }
            }
            Output::PlacePosition { place, .. } | Output::PlaceField { place, .. } => {
                for u in system.unknowns_around_place(place) {
                    self.read(u, &mut touch);
                }
            }
            Output::PlaceVelocity { place, .. } | Output::PlaceAcceleration { place, .. } => {
                let unknowns = system.unknowns_around_place(place).into_iter();
                unknowns.filter(|u| !self.is_fixed(*u)).for_each(|u| self.read(u, &mut touch));
            }
            Output::Probe(id) => {
                for u in self.probed(system.model.probes[id].kind) {
                    self.read(u, &mut touch);
                }
            }
            Output::Section { cut, .. } => {
                let member = system.model.cuts[cut].member;
                self.read_member(member, &mut touch);
            }
            Output::Largest { member, .. } => self.read_member(member, &mut touch),
            Output::MemberEnd { member, end, .. } => {
                self.read_member(member, &mut touch);
                let node = match end {
                    End::First => nodes.of_member(member).first(),
                    End::Last => nodes.of_member(member).last(),
                };
                for u in node.into_iter().flat_map(|node| node.unknowns()) {
                    self.push(u, &mut touch);
                }
            }
            Output::Mass { part: None, .. } => touch.everything = true,
            Output::Mass { part: Some(part), .. } => {
                for u in system.unknowns_of_part(part) {
                    self.read(u, &mut touch);
                }
            }
            Output::SupportReaction { support, direction } => {
                let support = &system.model.supports[support];
                for u in nodes.of_target(support.target, direction) {
                    self.push(u, &mut touch);
                }
                for Lever { node, from, axis } in system.levers(support, direction) {
                    self.push(node[axis], &mut touch);
                    self.read(node[1 - axis], &mut touch);
                    self.read(from[1 - axis], &mut touch);
                }
            }
            Output::MotionReaction(m) => {
                touch.motions.insert(m);
                for &u in &system.motions[m].unknowns {
                    self.push(u, &mut touch);
                }
            }
            Output::MotionPosition(m) => {
                touch.motions.insert(m);
            }
            Output::Energy(_) | Output::Counter(_) => touch.everything = true,
            Output::EquivalentDamping(_) | Output::EquivalentStiffness(_) => {}
        }
        touch
    }

    fn of_input(&self, input: Input) -> Touch {
        let mut touch = Touch::default();
        match input {
            Input::Load { load, component } => {
                let unknown = self.system.loads[load].unknowns[component];
                unknown.iter().for_each(|&u| self.act(u, &mut touch));
            }
            Input::LineLoad { load, component } => {
                let unknowns = self.system.line_loads[load].unknowns(component);
                unknowns.for_each(|u| self.act(u, &mut touch));
            }
            Input::Gravity { component } => {
                let weight = self.system.weight[component].iter();
                weight.for_each(|&(u, _)| self.act(u, &mut touch));
            }
            Input::Spring { spring, .. } => {
                touch.parts.insert(self.of_spring(spring));
                for u in self.system.springs[spring].measure.unknowns() {
                    self.act(u, &mut touch);
                }
            }
            Input::Bushing { bushing, .. } => {
                for spring in self.system.model.bushings[bushing].springs.clone() {
                    touch.parts.insert(self.of_spring(spring));
                    for u in self.system.springs[spring].measure.unknowns() {
                        self.act(u, &mut touch);
                    }
                }
            }
            Input::MotionPosition { motion }
            | Input::MotionRate { motion }
            | Input::MotionAcceleration { motion } => {
                self.drive(motion, &mut touch);
            }
        }
        touch
    }

    fn of_parameter(&self, parameter: usize) -> Touch {
        let mut touch = Touch::default();
        match &self.system.model.parameters[parameter].tunable {
            Some(tunable) => {
                let sliders = self.system.sliders.len();
                for law in tunable.laws.clone() {
                    let owner = match law {
                        contact if contact >= sliders => contact + self.system.pins.len(),
                        slider => slider,
                    };
                    touch.parts.insert(self.of_slider(owner));
                }
            }
            None => touch.everything = true,
        }
        touch
    }

    fn of_slider(&self, slider: usize) -> usize {
        self.part[self.system.nodal + self.system.element_count() + slider]
    }

    fn of_spring(&self, spring: usize) -> usize {
        let system = self.system;
        self.of_slider(system.sliders.len() + system.pins.len() + system.contacts.len() + spring)
    }

    fn is_fixed(&self, unknown: usize) -> bool {
        self.system.equation[unknown] == PRESCRIBED && self.driver[unknown].is_none()
    }

    /// Adds what the value of an unknown follows from.
    fn read(&self, unknown: usize, touch: &mut Touch) {
        if self.system.equation[unknown] != PRESCRIBED {
            touch.parts.insert(self.part[unknown]);
        }
        if let Some(motion) = self.driver[unknown] {
            touch.motions.insert(motion);
        } else if self.is_fixed(unknown) {
            touch.drawn = true;
        }
    }

    /// Adds what the values of all unknowns of a member follow from.
    fn read_member(&self, member: MemberId, touch: &mut Touch) {
        for node in self.system.nodes.of_member(member) {
            let unknowns = node.unknowns().into_iter();
            unknowns.for_each(|u| self.read(u, touch));
        }
    }

    /// Adds what the force on a prescribed unknown follows from.
    fn push(&self, unknown: usize, touch: &mut Touch) {
        touch.direct.insert(unknown);
        if self.system.equation[unknown] != PRESCRIBED {
            touch.parts.insert(self.part[unknown]);
        }
        let around = self.around[unknown].iter().map(|&owner| self.part[owner]);
        touch.parts.extend(around);
    }

    /// Adds what a force on an unknown acts on.
    fn act(&self, unknown: usize, touch: &mut Touch) {
        if self.system.equation[unknown] == PRESCRIBED {
            touch.direct.insert(unknown);
        } else {
            touch.parts.insert(self.part[unknown]);
        }
    }

    /// Adds what a motion acts on.
    fn drive(&self, motion: usize, touch: &mut Touch) {
        touch.motions.insert(motion);
        for &u in &self.system.motions[motion].unknowns {
            self.push(u, touch);
        }
    }

    /// Unknowns that a probe reads.
    fn probed(&self, kind: ProbeKind) -> Vec<usize> {
        let nodes = &self.system.nodes;
        match kind {
            ProbeKind::Deflection { point, from, member } => {
                let places = nodes.of_place(point).into_iter();
                let places = places.chain(nodes.of_place(from));
                places.chain(nodes.rotation(from, member)).collect()
            }
            ProbeKind::Rotation { point, member } => {
                nodes.rotation(point, member).into_iter().collect()
            }
            ProbeKind::Distance { point, from } => {
                let places = nodes.of_place(point).into_iter();
                places.chain(nodes.of_place(from)).collect()
            }
            ProbeKind::Drift { point, from, direction } => {
                let axis = usize::from(direction != Direction::X);
                vec![nodes.of_place(point)[axis], nodes.of_place(from)[axis]]
            }
            ProbeKind::Chord { member, .. } => {
                let nodes = nodes.of_member(member).iter();
                nodes.flat_map(|node| node.position).collect()
            }
            ProbeKind::Displacement { member, direction, .. } => {
                let nodes = nodes.of_member(member).iter();
                nodes.map(|node| node.unknown(direction)).collect()
            }
        }
    }
}

/// Where in the start an output is known; `None` for what begins with 0.
fn level(output: Output) -> Option<Reach> {
    match output {
        Output::SliderPosition(_)
        | Output::EdgePosition(_)
        | Output::EdgeLength { .. }
        | Output::PointPosition { .. }
        | Output::PointField { .. }
        | Output::PlacePosition { .. }
        | Output::PlaceField { .. }
        | Output::Probe(_)
        | Output::Section { .. }
        | Output::Largest { .. }
        | Output::Mass { of: OfMass::CentreX | OfMass::CentreY, .. }
        | Output::MotionPosition(_)
        | Output::Gap(_)
        | Output::Contact { of: OfContact::Gap | OfContact::Position, .. }
        | Output::RigidContact { of: OfRigidContact::Gap | OfRigidContact::Position, .. }
        | Output::Spring { of: OfSpring::Measure, .. }
        | Output::Bushing { of: OfBushing::X | OfBushing::Y | OfBushing::Angle, .. }
        | Output::Coupling { of: OfCoupling::Way | OfCoupling::DriverWay, .. }
        | Output::Energy(Energy::Strain) => Some(Reach::Positions),
        Output::SliderVelocity(_)
        | Output::EdgeVelocity(_)
        | Output::PointVelocity { .. }
        | Output::PlaceVelocity { .. }
        | Output::Mass { .. }
        | Output::Spring { of: OfSpring::Rate, .. }
        | Output::Bushing { of: OfBushing::Vx | OfBushing::Vy | OfBushing::Rate, .. }
        | Output::Coupling { of: OfCoupling::Rate, .. }
        | Output::Energy(Energy::Kinetic) => Some(Reach::Velocities),
        Output::Contact { of: OfContact::DissipatedEnergy, .. }
        | Output::RigidContact { of: OfRigidContact::DissipatedEnergy, .. }
        | Output::Spring { of: OfSpring::DissipatedEnergy, .. }
        | Output::Bushing { of: OfBushing::DissipatedEnergy, .. } => None,
        Output::PointAcceleration { .. }
        | Output::PlaceAcceleration { .. }
        | Output::NormalForce(_)
        | Output::EdgeForce { .. }
        | Output::PinForce { .. }
        | Output::EdgePressure { .. }
        | Output::SliderForce { .. }
        | Output::Contact { .. }
        | Output::RigidContact { .. }
        | Output::Spring { .. }
        | Output::Bushing { .. }
        | Output::Coupling { .. }
        | Output::FrictionForce(_)
        | Output::MicroDisplacement(_)
        | Output::Sticking(_)
        | Output::Moment(_)
        | Output::EndForce { .. }
        | Output::ContactLength(_)
        | Output::LinePressure(_)
        | Output::Regime(_)
        | Output::FrictionPower(_)
        | Output::SupportReaction { .. }
        | Output::MemberEnd { .. }
        | Output::MotionReaction(_)
        | Output::Energy(Energy::Potential) => Some(Reach::Forces),
        Output::Energy(
            Energy::InputWork
            | Energy::FrictionWork
            | Energy::FrictionStored
            | Energy::DampingWork
            | Energy::NumericalDissipation
            | Energy::ImpactLoss
            | Energy::Balance,
        )
        | Output::DissipatedEnergy(_)
        | Output::Transitions(_)
        | Output::TransitionTime(_)
        | Output::EquivalentDamping(_)
        | Output::EquivalentStiffness(_)
        | Output::Counter(_) => None,
    }
}
