//! The variables that a host sees, by dotted path.

use std::collections::{BTreeMap, BTreeSet};

use super::bushing_outputs::{bushing_inputs, bushing_outputs};
use super::contact_outputs::contact_outputs;
use super::coupling_outputs::coupling_outputs;
use super::equivalent::calculated;
use super::joint_outputs::{is_shown, joint_outputs};
use super::member_outputs::{mass_outputs, member_outputs};
use super::point_outputs::point_outputs;
use super::spring_outputs::{spring_inputs, spring_outputs};
use super::wording::reach_of;
use super::{Checker, KnownNumber, wording};
use crate::message::excerpt;
use crate::model::checked::{
    Analysis, Checked, Counter, Direction, Energy, Input, InputVariable, Output, OutputVariable,
    Parameter, Reconstruction, Tunable,
};
use crate::model::de::{Name, Scalar};
use crate::model::fault::{did_you_mean, listed};
use crate::model::file::{DiscreteOutputs, Entry, Top};
use crate::model::history::MotionLaw;
use crate::model::quantity::Quantity;

/// The number of a friction law behind a path, if it is one.
fn tunable(model: &Checked, path: &str) -> Option<Tunable> {
    let sliders = model.sliders.iter().enumerate();
    let sliders = sliders.map(|(j, s)| ("joints", &s.name, &s.friction, j..j + 1));
    // Each of its ends has the law of the joint, or one behind the nodes has.
    let edges = model.sliding_edges.iter().filter(|edge| edge.friction.is_none());
    let edges = edges.map(|edge| {
        let law = &model.sliders[edge.sliders.start].friction;
        ("joints", &edge.name, law, edge.sliders.clone())
    });
    let corners = model.rigid_contacts.iter().map(|contact| {
        let law = &model.sliders[contact.corners.start].friction;
        ("contacts", &contact.name, law, contact.corners.clone())
    });
    let contacts = model.contacts.iter().zip(model.sliders.len()..);
    let contacts = contacts.map(|(c, law)| ("contacts", &c.name, &c.friction, law..law + 1));
    let mut owners = sliders.chain(edges).chain(corners).chain(contacts);
    owners.find_map(|(section, owner, friction, laws)| {
        let own = format!("{section}.{owner}.friction.{}.", friction.name());
        let name = path.strip_prefix(&own)?;
        let numbers = friction.numbers();
        let number = numbers.iter().position(|(n, _)| n == name)?;
        Some(Tunable { laws, number })
    })
}

/// What a model shows that shows nothing else: FMI knows no description without a variable.
const ALWAYS: &str = "solver.steps";

impl Checker<'_> {
    /// Resolves `[interface]`; a path that ends in `.*` stands for all below it.
    pub(super) fn interface(&mut self, model: &mut Checked) {
        let file = self.file;
        let given = file.interface.clone().unwrap_or_default();
        let possible_inputs = inputs(model);
        let known = Known::of(possible_inputs.iter().map(|input| &input.path));
        let mut there = BTreeSet::new();
        for name in &given.inputs {
            if self.follows_time(&name.value) {
                let message = format!(
                    "{}: `{}` is a function of the time, and no input; a number there, with the function as \
                     `history.expression`, can be one",
                    name.path, name.value
                );
                self.report_entry(name, message);
                continue;
            }
            for i in self.matching(name, "input", &known) {
                let input = possible_inputs[i].clone();
                if there.insert(input.path.clone()) {
                    model.inputs.push(input);
                } else {
                    self.twice(name, &input.path);
                }
            }
        }
        self.reconstructions(model);
        let mut numbers: Vec<(String, KnownNumber)> =
            self.numbers.iter().map(|(path, known)| (path.clone(), known.clone())).collect();
        let names = Top::ALL.iter().flat_map(|&top| file.entries_of(top));
        let places = names.map(|name| (name.path.as_str(), name.span.start)).collect();
        numbers.sort_by_cached_key(|(path, _)| (place_of(&places, path), path.clone()));
        // Named parameters are there to be changed; what follows from others changes with them.
        let mut chosen: Vec<usize> = (0..numbers.len())
            .filter(|&i| numbers[i].0.starts_with("parameters."))
            .filter(|&i| numbers[i].1.names.is_empty())
            .collect();
        let known = Known::of(numbers.iter().map(|(path, _)| path));
        let mut is_chosen = vec![false; numbers.len()];
        chosen.iter().for_each(|&i| is_chosen[i] = true);
        for name in &given.parameters {
            for i in self.matching(name, "parameter", &known) {
                let follows = &numbers[i].1.names;
                if !follows.is_empty() {
                    if !name.value.ends_with(".*") {
                        let from = follows.iter().filter(|n| self.parameters.contains_key(*n));
                        let from = from.map(|n| format!("parameters.{n}"));
                        let from: Vec<String> = from.collect();
                        let message = format!(
                            "{}: `{}` is an expression and changes with what it is made of; \
                             allowed: {}",
                            name.path,
                            numbers[i].0,
                            listed(from.iter().map(String::as_str))
                        );
                        self.report_entry(name, message);
                    }
                } else if there.contains(&numbers[i].0) {
                    let message = format!(
                        "{}: `{}` is an input already; allowed: one of both",
                        name.path, numbers[i].0
                    );
                    self.report_entry(name, message);
                } else if !std::mem::replace(&mut is_chosen[i], true) {
                    chosen.push(i);
                } else if !numbers[i].0.starts_with("parameters.") {
                    self.twice(name, &numbers[i].0);
                }
            }
        }
        let uses = self.uses();
        let entries = self.file.parameters.iter();
        let entries: BTreeMap<&str, &Entry<Scalar>> =
            entries.map(|e| (e.name.value.as_str(), e)).rev().collect();
        for i in chosen {
            let (path, known) = &numbers[i];
            let description = self.describe(model, path, &entries);
            model.parameters.push(Parameter {
                path: path.clone(),
                value: known.value,
                quantity: known.quantity,
                range: [known.limit.min, known.limit.max],
                reach: reach_of(&uses, &self.keys, model, path),
                description,
                tunable: tunable(model, path),
            });
        }
        model.calculated = calculated(model);
        let possible = outputs(model);
        model.outputs = possible.iter().filter(|o| is_shown(model, o)).cloned().collect();
        let known = Known::of(possible.iter().map(|output| &output.path));
        let mut there: BTreeSet<String> = model.outputs.iter().map(|o| o.path.clone()).collect();
        for name in &given.outputs {
            for i in self.matching(name, "output", &known) {
                let output = possible[i].clone();
                if there.insert(output.path.clone()) {
                    model.outputs.push(output);
                } else if !is_shown(model, &output) {
                    self.twice(name, &output.path);
                }
            }
        }
        match given.discrete_outputs {
            DiscreteOutputs::Typed => {}
            DiscreteOutputs::Real => model.discrete_as_real = true,
            DiscreteOutputs::None => {
                (model.outputs).retain(|output| !output.quantity.is_discrete())
            }
        }
        let empty = model.outputs.is_empty() && model.calculated.is_empty();
        if empty && model.parameters.is_empty() && model.inputs.is_empty() {
            model.outputs = possible;
            model.outputs.retain(|output| output.path == ALWAYS);
        }
    }

    /// How the inputs run between communication points.
    fn reconstructions(&mut self, model: &mut Checked) {
        let given = self.file.interface.clone().unwrap_or_default();
        let paths: Vec<String> = model.inputs.iter().map(|i| i.path.clone()).collect();
        let known = Known::of(paths.iter());
        let mut chosen = vec![false; paths.len()];
        for (names, reconstruction) in [
            (&given.hold, Reconstruction::Hold),
            (&given.linear, Reconstruction::Linear),
            (&given.cubic, Reconstruction::Cubic),
        ] {
            for name in names {
                for i in self.matching(name, "input", &known) {
                    let input = &model.inputs[i];
                    let jumps = model.jumps_if_held(input.input);
                    let input = &mut model.inputs[i];
                    if std::mem::replace(&mut chosen[i], true) {
                        self.twice(name, &paths[i]);
                    } else if let (Some(what), Reconstruction::Hold) = (jumps, reconstruction) {
                        let message = format!(
                            "{}: `{}` is {what}, which would jump at every communication \
                             point; allowed: `linear` (the default) or `cubic`",
                            name.path, paths[i]
                        );
                        self.report_entry(name, message);
                    } else {
                        input.reconstruction = reconstruction;
                    }
                }
            }
        }
    }

    fn twice(&mut self, name: &Name, path: &str) {
        let message = format!("{}: `{path}` is listed twice", name.path);
        self.report_entry(name, message);
    }

    fn matching(&mut self, name: &Name, what: &str, known: &Known) -> Vec<usize> {
        let wanted = name.value.as_str();
        let found = known.matching(wanted);
        let unread = self.is_unread(&name.path);
        if found.is_empty() && !unread && !self.may_be_missing(wanted) {
            let hint = match did_you_mean(wanted, known.paths()) {
                _ if what == "output" && self.is_of_layer(wanted) => {
                    "; that is of a contact layer, and the contact is rigid: its corners bear at points, which have a force and no pressure, no \
                     length and hold no energy"
                        .to_string()
                }
                _ if wanted == "*" => {
                    "; a `*` stands for all below a path, like `points.tip.*`".to_string()
                }
                hint if hint.is_empty() && what == "input" => {
                    format!("; there are: {}", listed(known.paths()))
                }
                hint if hint.is_empty() => {
                    // The same thing with another last word, or the same last word of something else.
                    let below = wanted.rsplit_once('.').map(|(of, _)| format!("{of}."));
                    let of_same = |k: &&str| below.as_ref().is_some_and(|of| k.starts_with(of));
                    let ending = format!(".{wanted}");
                    let there: Vec<&str> = known.paths.iter().copied().filter(of_same).collect();
                    let longer = known.paths.iter().find(|k| k.ends_with(&ending));
                    match longer {
                        Some(meant) => format!("; did you mean `{meant}`?"),
                        None if there.is_empty() => "; `coulisse describe` lists them".to_string(),
                        None => format!("; there are: {}", listed(there.into_iter())),
                    }
                }
                hint => hint,
            };
            let message =
                format!("{}: `{}` is no {what} of this model{hint}", name.path, excerpt(wanted));
            self.reader.report(&name.span, message);
        }
        found
    }
}

/// Paths that may be named, with their places in a list.
struct Known<'a> {
    paths: Vec<&'a str>,
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Known<'a> {
    fn of(paths: impl Iterator<Item = &'a String>) -> Known<'a> {
        let paths: Vec<&str> = paths.map(String::as_str).collect();
        let places = paths.iter().enumerate().map(|(i, path)| (*path, i));
        Known { places: places.collect(), paths }
    }

    fn paths(&self) -> impl Iterator<Item = &'a str> {
        self.paths.iter().copied()
    }

    /// Places of the path `wanted`, or of all below one that ends in `.*`, in the order of the list.
    fn matching(&self, wanted: &str) -> Vec<usize> {
        let Some(prefix) = wanted.strip_suffix('*').filter(|p| p.ends_with('.')) else {
            return self.places.get(wanted).copied().into_iter().collect();
        };
        let below = self.places.range(prefix..);
        let below = below.map(|(path, i)| (path.strip_prefix(prefix), *i));
        let below = below.map_while(|(rest, i)| Some((rest?, i)));
        let below = below.filter(|(rest, _)| !is_of_node(prefix, rest));
        let mut found: Vec<usize> = below.map(|(_, i)| i).collect();
        found.sort_unstable();
        found
    }
}

impl Checker<'_> {
    /// Whether a path is an output of contacts that one of a rigid surface has not.
    fn is_of_layer(&self, path: &str) -> bool {
        let path = path.strip_prefix("contacts.").unwrap_or_default();
        let (name, key) = path.split_once('.').unwrap_or_default();
        let mut contacts = self.file.contacts.iter();
        let rigid = contacts.any(|entry| {
            entry.name.value == name && entry.value.as_ref().is_some_and(|contact| contact.rigid)
        });
        rigid && ["line_pressure", "pressure", "contact_length", "stored_energy"].contains(&key)
    }
}

/// Whether `rest` leads from the path of a point, `prefix`, to a node of the body of that name.
fn is_of_node(prefix: &str, rest: &str) -> bool {
    let point = prefix.strip_prefix("points.");
    point.is_some_and(|point| !point.is_empty()) && rest.contains('[')
}

/// Where the entry stands in the file that the number at `path` belongs to; what has no entry of its
/// own comes last.
fn place_of(places: &BTreeMap<&str, usize>, path: &str) -> usize {
    let mut ends = path.match_indices(['.', '[']).map(|(i, _)| i);
    let _section = ends.next();
    let entry = &path[..ends.next().unwrap_or(path.len())];
    places.get(entry).copied().unwrap_or(usize::MAX)
}

/// Everything that can be an input.
fn inputs(model: &Checked) -> Vec<InputVariable> {
    let mut all = Vec::new();
    for (id, load) in model.loads.iter().enumerate() {
        for (component, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
            let quantity = if component < 2 {
                Quantity::Force
            } else if model.has_one_rotation(load.point, load.member) {
                Quantity::Moment
            } else {
                continue;
            };
            if load.factors.own[component].is_some() {
                continue;
            }
            all.push(InputVariable {
                path: format!("loads.{}.{key}", load.name),
                input: Input::Load { load: id, component },
                start: load.components[component],
                reconstruction: Reconstruction::Hold,
                least: f64::NEG_INFINITY,
                quantity,
                description: wording::component(key, &model.points[load.point].name),
            });
        }
    }
    for (id, load) in model.line_loads.iter().enumerate() {
        let keys = load.keys().iter().enumerate();
        for (component, key) in keys.filter(|(c, _)| load.factors.own[*c].is_none()) {
            all.push(InputVariable {
                path: format!("loads.{}.{key}", load.name),
                input: Input::LineLoad { load: id, component },
                start: load.components[component],
                reconstruction: Reconstruction::Hold,
                least: f64::NEG_INFINITY,
                quantity: load.quantity(component),
                description: wording::line_load(load, component, model),
            });
        }
    }
    for (id, motion) in model.motions.iter().enumerate() {
        let turning = motion.direction == Direction::Rotation;
        let (key, input, start, quantity) = match (&motion.law, turning) {
            (MotionLaw::Position(v), true) => {
                ("angle", Input::MotionPosition { motion: id }, *v, Quantity::Angle)
            }
            (MotionLaw::Position(v), false) => {
                ("displacement", Input::MotionPosition { motion: id }, *v, Quantity::Length)
            }
            (MotionLaw::Rate(v), true) => {
                ("rate", Input::MotionRate { motion: id }, *v, Quantity::AngularVelocity)
            }
            (MotionLaw::Rate(v), false) => {
                ("velocity", Input::MotionRate { motion: id }, *v, Quantity::Velocity)
            }
            (MotionLaw::Acceleration(v), _) => (
                "acceleration",
                Input::MotionAcceleration { motion: id },
                *v,
                if turning { Quantity::AngularAcceleration } else { Quantity::Acceleration },
            ),
            (MotionLaw::Scaled { .. } | MotionLaw::Record { .. }, _) => continue,
        };
        all.push(InputVariable {
            path: format!("motions.{}.{key}", motion.name),
            input,
            start,
            reconstruction: match (model.jumps_if_held(input), input) {
                (Some(_), _) | (None, Input::MotionAcceleration { .. }) => Reconstruction::Linear,
                _ => Reconstruction::Hold,
            },
            least: f64::NEG_INFINITY,
            quantity,
            description: format!("Imposed {key} of motion {}", motion.name),
        });
    }
    all.extend(spring_inputs(model));
    all.extend(bushing_inputs(model));
    for (component, key) in ["x", "y"].into_iter().enumerate() {
        all.push(InputVariable {
            path: format!("gravity.{key}"),
            input: Input::Gravity { component },
            start: model.gravity[component],
            reconstruction: Reconstruction::Hold,
            least: f64::NEG_INFINITY,
            quantity: Quantity::Acceleration,
            description: wording::gravity(key),
        });
    }
    all
}

/// Everything that can be read.
fn outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = joint_outputs(model);
    all.extend(contact_outputs(model));
    all.extend(spring_outputs(model));
    all.extend(bushing_outputs(model));
    all.extend(coupling_outputs(model));
    all.extend(point_outputs(model));
    all.extend(member_outputs(model));
    all.extend(mass_outputs(model));
    let mut add = |path: String, output, quantity, description: String| {
        all.push(OutputVariable { path, output, quantity, description });
    };
    for (support, s) in model.supports.iter().enumerate() {
        for &direction in &s.fixed {
            let (key, quantity) = match direction {
                Direction::X => ("fx", Quantity::Force),
                Direction::Y => ("fy", Quantity::Force),
                Direction::Rotation => ("moment", Quantity::Moment),
            };
            add(
                format!("supports.{}.{key}", s.name),
                Output::SupportReaction { support, direction },
                quantity,
                format!("Reaction of support {} on the structure", s.name),
            );
        }
    }
    for (id, motion) in model.motions.iter().enumerate() {
        let turning = motion.direction == Direction::Rotation;
        let (force, position) = if turning {
            (Quantity::Moment, Quantity::Angle)
        } else {
            (Quantity::Force, Quantity::Length)
        };
        add(
            format!("motions.{}.position", motion.name),
            Output::MotionPosition(id),
            position,
            format!("Imposed displacement or rotation of motion {}", motion.name),
        );
        add(
            format!("motions.{}.reaction", motion.name),
            Output::MotionReaction(id),
            force,
            format!("What the drive of motion {} exerts on the structure", motion.name),
        );
    }
    let bristles = model.sliders.iter().any(|s| s.friction.kind().remembers)
        || model.contacts.iter().any(|c| c.friction.kind().holds)
        || model.springs.iter().any(|s| s.law.slip.is_some());
    for &energy in Energy::ALL {
        let (key, what) = match energy {
            Energy::Kinetic => ("kinetic", "Kinetic energy"),
            Energy::Strain => ("strain", "Strain energy"),
            Energy::Potential => ("potential", "Potential energy of gravity"),
            Energy::InputWork => ("input_work", "Work of loads and imposed motions"),
            Energy::FrictionWork => ("friction_work", "Energy dissipated by friction"),
            Energy::FrictionStored if bristles => (
                "friction_stored",
                "Part of the work of friction that bristles and contact layers hold",
            ),
            Energy::FrictionStored => continue,
            Energy::DampingWork => ("damping_work", "Energy dissipated by structural damping"),
            Energy::NumericalDissipation => {
                ("numerical_dissipation", "Energy taken by the time integration")
            }
            Energy::ImpactLoss => ("impact_loss", "Energy taken by impacts"),
            Energy::Balance => ("balance", "Error of the energy balance"),
        };
        let path = format!("energy.{key}");
        add(path, Output::Energy(energy), Quantity::Energy, what.into());
    }
    let equilibria = model.solver.analysis == Analysis::QuasiStatic;
    for &counter in Counter::ALL {
        let (key, what) = match counter {
            Counter::Steps => ("steps", "Accepted substeps since the start"),
            Counter::Iterations => ("iterations", "Newton iterations since the start"),
            Counter::Rejections => ("rejections", "Rejected substeps since the start"),
            Counter::UnstableModes if equilibria => {
                ("unstable_modes", "Independent motions in which the equilibrium is unstable")
            }
            Counter::UnstableModes => continue,
        };
        let path = format!("solver.{key}");
        add(path, Output::Counter(counter), Quantity::Count, what.into());
    }
    all
}
