//! What may follow from what: the dependencies that a model description states.
//!
//! The mechanism falls into *parts*: free unknowns that elements and sliding joints connect. What is
//! fixed or driven separates parts. An input acts on the parts it touches; an output follows from all
//! inputs that touch its part. This is the structure of the equations, not their numbers: a
//! dependency that is stated may be zero, one that is not stated is zero always.

use std::collections::BTreeSet;

use super::interface::Role;
use crate::checked::{Analysis, Input, Output, Reach, Subject};
use crate::numerics::disjoint::DisjointSets;
use crate::system::System;
use crate::system::outputs::{self, Connector, Source};

/// What an output reads, or a known value acts on.
#[derive(Debug, Default)]
struct Touch {
    everything: bool,
    /// Places that stay as they were initially.
    initial: bool,
    parts: BTreeSet<usize>,
    motions: BTreeSet<usize>,
    /// Fixed and driven unknowns whose own equation it enters.
    direct: BTreeSet<usize>,
}

impl Touch {
    fn is_nothing(&self) -> bool {
        !self.everything
            && !self.initial
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
    /// Representative of each unknown, then of each element, slider, pin, contact and spring.
    part: Vec<usize>,
    /// Place in `part` of the first [connector](Connector) of each kind.
    first: [usize; 4],
    /// Elements and connectors, as in `part`, that each unknown belongs to.
    around: Vec<Vec<usize>>,
    /// The motion that drives each unknown.
    driver: Vec<Option<usize>>,
}

impl<'a> Dependencies<'a> {
    /// The structure of a mechanism.
    pub fn of(system: &'a System) -> Dependencies<'a> {
        let nodal = system.nodal;
        let mut around = vec![Vec::new(); nodal];
        for (e, unknowns) in system.groups.unknowns().enumerate() {
            unknowns.iter().for_each(|&u| around[u].push(nodal + e));
        }
        let (mut first, mut next) = ([0; 4], nodal + system.groups.element_count());
        for (first, kind) in first.iter_mut().zip(&system.connected()) {
            *first = next;
            for unknowns in kind {
                unknowns.iter().for_each(|&u| around[u].push(next));
                next += 1;
            }
        }
        let mut parts = DisjointSets::new(next);
        let [sliders, pins, ..] = first;
        for (j, friction) in system.sliders.iter().enumerate() {
            for (k, _) in &friction.shares {
                parts.join(sliders + j, sliders + *k);
            }
        }
        for (j, pin) in system.hinges.pairs() {
            parts.join(sliders + j, pins + pin);
        }
        for (u, owners) in around.iter().enumerate() {
            if system.equation.has(u) {
                owners.iter().for_each(|&owner| parts.join(u, owner));
            }
        }
        let mut driver = vec![None; nodal];
        for (m, motion) in system.motions.iter().enumerate() {
            motion.unknowns.iter().for_each(|&u| driver[u] = Some(m));
        }
        Dependencies { system, part: parts.numbers(), first, around, driver }
    }

    /// Whether `output` at the end of a communication step may follow from an input over
    /// that step.
    pub fn in_a_step(&self, output: Output, known: Role) -> bool {
        let acts = match known {
            Role::Input(i) => self.of_input(self.system.model.inputs[i].input),
            _ => return false,
        };
        self.of_output(output).meets(&acts)
    }

    /// Whether `output` of the consistent start may follow from a parameter or an input. The start
    /// is always that of t = 0.
    pub fn at_the_start(&self, output: Output, known: Role) -> bool {
        let model = &self.system.model;
        if let Subject::Equivalent(j) = output.of {
            return self.is_of_law(j, known);
        }
        let (acts, reach) = match known {
            Role::Input(i) => {
                let input = model.inputs[i].input;
                let reach = input.reach(model.start.equilibrium.is_some());
                (self.of_input(input), reach)
            }
            Role::Parameter(k) => (self.of_parameter(k), model.parameters[k].reach),
            _ => return false,
        };
        let Some(level) = outputs::item(model, output).known else {
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
        let mut touch = Touch::default();
        for source in self.system.sources(output) {
            match source {
                Source::Everything => touch.everything = true,
                Source::Initial => touch.initial = true,
                Source::Of(kind, i) => {
                    touch.parts.insert(self.part_of(kind, i));
                }
                Source::Unknown(u) => self.read(u, &mut touch),
                Source::Rate(u) if self.is_fixed(u) => {}
                Source::Rate(u) => self.read(u, &mut touch),
                Source::Force(u) => self.push(u, &mut touch),
                Source::Motion(motion) => {
                    touch.motions.insert(motion);
                }
            }
        }
        touch
    }

    fn of_input(&self, input: Input) -> Touch {
        let mut touch = Touch::default();
        match input {
            Input::Load { load, component } => {
                let unknown = self.system.loads.points.list[load].unknowns[component];
                unknown.iter().for_each(|&u| self.act(u, &mut touch));
            }
            Input::LineLoad { load, component } => {
                let unknowns = self.system.loads.lines.list[load].unknowns(component);
                unknowns.for_each(|u| self.act(u, &mut touch));
            }
            Input::Gravity { component } => {
                let weight = self.system.loads.gravity.weight[component].iter();
                weight.for_each(|&(u, _)| self.act(u, &mut touch));
            }
            Input::Spring { spring, .. } => {
                touch.parts.insert(self.part_of(Connector::Spring, spring));
                for u in self.system.springs.list[spring].measure.unknowns() {
                    self.act(u, &mut touch);
                }
            }
            Input::Bushing { bushing, .. } => {
                for spring in self.system.model.bushings[bushing].springs.clone() {
                    touch.parts.insert(self.part_of(Connector::Spring, spring));
                    for u in self.system.springs.list[spring].measure.unknowns() {
                        self.act(u, &mut touch);
                    }
                }
            }
            Input::SwitchedOff => {}
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
                    touch.parts.insert(match law.checked_sub(sliders) {
                        Some(contact) => self.part_of(Connector::Contact, contact),
                        None => self.part_of(Connector::Slider, law),
                    });
                }
            }
            None => touch.everything = true,
        }
        touch
    }

    /// The part of a connector of some kind.
    fn part_of(&self, kind: Connector, i: usize) -> usize {
        self.part[self.first[kind as usize] + i]
    }

    fn is_fixed(&self, unknown: usize) -> bool {
        !self.system.equation.has(unknown) && self.driver[unknown].is_none()
    }

    /// Adds what the value of an unknown follows from.
    fn read(&self, unknown: usize, touch: &mut Touch) {
        if self.system.equation.has(unknown) {
            touch.parts.insert(self.part[unknown]);
        }
        if let Some(motion) = self.driver[unknown] {
            touch.motions.insert(motion);
        } else if self.is_fixed(unknown) {
            touch.initial = true;
        }
    }

    /// Adds what the force on a prescribed unknown follows from.
    fn push(&self, unknown: usize, touch: &mut Touch) {
        touch.direct.insert(unknown);
        if self.system.equation.has(unknown) {
            touch.parts.insert(self.part[unknown]);
        }
        let around = self.around[unknown].iter().map(|&owner| self.part[owner]);
        touch.parts.extend(around);
    }

    /// Adds what a force on an unknown acts on.
    fn act(&self, unknown: usize, touch: &mut Touch) {
        if !self.system.equation.has(unknown) {
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
}
