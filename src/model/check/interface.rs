//! The variables that a host sees, by dotted path.

use super::equivalent::calculated;
use super::joint_outputs::joint_outputs;
use super::{Checker, KnownNumber, wording};
use crate::model::checked::{
    Analysis, Checked, Counter, Direction, Energy, Input, InputVariable, LineLoad, Output,
    OutputVariable, Parameter, Reconstruction, Tunable,
};
use crate::model::de::Name;
use crate::model::fault::{did_you_mean, excerpt, listed};
use crate::model::history::MotionLaw;
use crate::model::quantity::Quantity;

/// The number of a friction law behind a path, if it is one.
fn tunable(model: &Checked, path: &str) -> Option<Tunable> {
    model.sliders.iter().enumerate().find_map(|(j, slider)| {
        let law = slider.friction.name();
        let name = path.strip_prefix(&format!("joints.{}.friction.{law}.", slider.name))?;
        let numbers = slider.friction.numbers();
        let number = numbers.iter().position(|(n, _)| n == name)?;
        Some(Tunable { slider: j, number })
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
        for name in &given.inputs {
            let known: Vec<&str> = possible_inputs.iter().map(|i| i.path.as_str()).collect();
            for i in self.matching(name, "input", &known) {
                let input = possible_inputs[i].clone();
                if model.inputs.iter().any(|other| other.path == input.path) {
                    self.twice(name, &input.path);
                } else {
                    model.inputs.push(input);
                }
            }
        }
        self.reconstructions(model);
        let mut numbers: Vec<(String, KnownNumber)> = self
            .numbers
            .iter()
            .map(|(path, known)| (path.clone(), known.clone()))
            .collect();
        numbers.sort_by_cached_key(|(path, _)| self.place_of(path));
        // Named parameters are there to be changed; what follows from others changes with them.
        let mut chosen: Vec<usize> = (0..numbers.len())
            .filter(|&i| numbers[i].0.starts_with("parameters."))
            .filter(|&i| numbers[i].1.names.is_empty())
            .collect();
        for name in &given.parameters {
            let known: Vec<&str> = numbers.iter().map(|(path, _)| path.as_str()).collect();
            for i in self.matching(name, "parameter", &known) {
                let follows = &numbers[i].1.names;
                if !follows.is_empty() {
                    if !name.value.ends_with(".*") {
                        let from = follows.iter().map(|n| format!("parameters.{n}"));
                        let from: Vec<String> = from.collect();
                        let message = format!(
                            "{}: `{}` is an expression and changes with what it is made of; \
                             allowed: {}",
                            name.path,
                            numbers[i].0,
                            listed(from.iter().map(String::as_str))
                        );
                        self.report(&name.span, message);
                    }
                } else if model.inputs.iter().any(|input| input.path == numbers[i].0) {
                    let message = format!(
                        "{}: `{}` is an input already; allowed: one of both",
                        name.path, numbers[i].0
                    );
                    self.report(&name.span, message);
                } else if !chosen.contains(&i) {
                    chosen.push(i);
                } else if !numbers[i].0.starts_with("parameters.") {
                    self.twice(name, &numbers[i].0);
                }
            }
        }
        for i in chosen {
            let (path, known) = &numbers[i];
            let description = self.describe(model, path);
            model.parameters.push(Parameter {
                path: path.clone(),
                value: known.value,
                quantity: known.quantity,
                range: [known.limit.min, known.limit.max],
                reach: self.reach(model, path),
                description,
                tunable: tunable(model, path),
            });
        }
        model.calculated = calculated(model);
        let possible = outputs(model);
        model.outputs = possible
            .iter()
            .filter(|o| o.path.starts_with("joints."))
            .cloned()
            .collect();
        for name in &given.outputs {
            let known: Vec<&str> = possible.iter().map(|o| o.path.as_str()).collect();
            for i in self.matching(name, "output", &known) {
                let output = possible[i].clone();
                if !model.outputs.iter().any(|other| other.path == output.path) {
                    model.outputs.push(output);
                } else if !output.path.starts_with("joints.") {
                    self.twice(name, &output.path);
                }
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
        let known: Vec<&str> = paths.iter().map(String::as_str).collect();
        let mut chosen = vec![false; known.len()];
        for (names, reconstruction) in [
            (&given.hold, Reconstruction::Hold),
            (&given.linear, Reconstruction::Linear),
            (&given.cubic, Reconstruction::Cubic),
        ] {
            for name in names {
                for i in self.matching(name, "input", &known) {
                    let input = &mut model.inputs[i];
                    let position = matches!(input.input, Input::MotionPosition { .. });
                    if std::mem::replace(&mut chosen[i], true) {
                        self.twice(name, &paths[i]);
                    } else if position && reconstruction == Reconstruction::Hold {
                        let message = format!(
                            "{}: `{}` is a position, which would jump at every communication \
                             point; allowed: `linear` (the default) or `cubic`",
                            name.path, paths[i]
                        );
                        self.report(&name.span, message);
                    } else {
                        input.reconstruction = reconstruction;
                    }
                }
            }
        }
    }

    fn twice(&mut self, name: &Name, path: &str) {
        let message = format!("{}: `{path}` is listed twice", name.path);
        self.report(&name.span, message);
    }

    fn matching(&mut self, name: &Name, what: &str, known: &[&str]) -> Vec<usize> {
        let wanted = name.value.as_str();
        let found: Vec<usize> = (0..known.len())
            .filter(|&i| match wanted.strip_suffix('*') {
                Some(prefix) if prefix.ends_with('.') => known[i].starts_with(prefix),
                _ => known[i] == wanted,
            })
            .collect();
        if found.is_empty() {
            let hint = match did_you_mean(wanted, known.iter().copied()) {
                _ if wanted == "*" => {
                    "; a `*` stands for all below a path, like `points.tip.*`".to_string()
                }
                hint if hint.is_empty() && what == "input" => {
                    let known = known.iter().copied();
                    format!("; there are: {}", listed(known))
                }
                hint if hint.is_empty() => "; `coulisse describe` lists them".to_string(),
                hint => hint,
            };
            let message = format!(
                "{}: `{}` is no {what} of this model{hint}",
                name.path,
                excerpt(wanted)
            );
            self.reader.report(&name.span, message);
        }
        found
    }

    /// Sections in the order of the file, then by path.
    fn place_of(&self, path: &str) -> (usize, String) {
        let file = self.file;
        let key = |n: &Name| {
            let inside = path.strip_prefix(n.path.as_str());
            inside.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let names = (file.parameters.iter().map(|e| &e.name))
            .chain(file.points.iter().map(|e| &e.name))
            .chain(file.materials.iter().map(|e| &e.name))
            .chain(file.sections.iter().map(|e| &e.name))
            .chain(file.members.iter().map(|e| &e.name))
            .chain(file.joints.iter().map(|e| &e.name))
            .chain(file.masses.iter().map(|e| &e.name))
            .chain(file.motions.iter().map(|e| &e.name))
            .chain(file.loads.iter().map(|e| &e.name));
        let place = names.filter(|n| key(n)).map(|n| n.span.start).next();
        (place.unwrap_or(usize::MAX), path.to_string())
    }
}

/// Everything that can be an input.
fn inputs(model: &Checked) -> Vec<InputVariable> {
    let mut all = Vec::new();
    for (id, load) in model.loads.iter().enumerate() {
        for (component, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
            let quantity = if component < 2 {
                Quantity::Force
            } else {
                Quantity::Moment
            };
            all.push(InputVariable {
                path: format!("loads.{}.{key}", load.name),
                input: Input::Load {
                    load: id,
                    component,
                },
                start: load.components[component],
                reconstruction: Reconstruction::Hold,
                quantity,
                description: wording::component(key, &model.points[load.point].name),
            });
        }
    }
    for (id, load) in model.line_loads.iter().enumerate() {
        for (component, key) in LineLoad::KEYS.into_iter().enumerate() {
            all.push(InputVariable {
                path: format!("loads.{}.{key}", load.name),
                input: Input::LineLoad {
                    load: id,
                    component,
                },
                start: load.components[component],
                reconstruction: Reconstruction::Hold,
                quantity: Quantity::LineLoad,
                description: wording::line_load(key, &model.members[load.member].name),
            });
        }
    }
    for (id, motion) in model.motions.iter().enumerate() {
        let turning = motion.direction == Direction::Rotation;
        let (key, input, start, quantity) = match (&motion.law, turning) {
            (MotionLaw::Held(v), true) => (
                "angle",
                Input::MotionPosition { motion: id },
                *v,
                Quantity::Angle,
            ),
            (MotionLaw::Held(v), false) => (
                "displacement",
                Input::MotionPosition { motion: id },
                *v,
                Quantity::Length,
            ),
            (MotionLaw::Rate(v), true) => (
                "rate",
                Input::MotionRate { motion: id },
                *v,
                Quantity::AngularVelocity,
            ),
            (MotionLaw::Rate(v), false) => (
                "velocity",
                Input::MotionRate { motion: id },
                *v,
                Quantity::Velocity,
            ),
            (MotionLaw::Acceleration(v), _) => (
                "acceleration",
                Input::MotionAcceleration { motion: id },
                *v,
                if turning {
                    Quantity::AngularAcceleration
                } else {
                    Quantity::Acceleration
                },
            ),
            (MotionLaw::Scaled { .. } | MotionLaw::Record { .. }, _) => continue,
        };
        all.push(InputVariable {
            path: format!("motions.{}.{key}", motion.name),
            input,
            start,
            reconstruction: match input {
                Input::MotionPosition { .. } | Input::MotionAcceleration { .. } => {
                    Reconstruction::Linear
                }
                _ => Reconstruction::Hold,
            },
            quantity,
            description: format!("Imposed {key} of motion {}", motion.name),
        });
    }
    for (component, key) in ["x", "y"].into_iter().enumerate() {
        all.push(InputVariable {
            path: format!("gravity.{key}"),
            input: Input::Gravity { component },
            start: model.gravity[component],
            reconstruction: Reconstruction::Hold,
            quantity: Quantity::Acceleration,
            description: wording::gravity(key),
        });
    }
    all
}

/// Everything that can be read.
fn outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = joint_outputs(model);
    let mut add = |path: String, output, quantity, description: String| {
        all.push(OutputVariable {
            path,
            output,
            quantity,
            description,
        });
    };
    for (point, p) in model.points.iter().enumerate() {
        for (key, direction, what) in [
            ("x", Direction::X, Quantity::Length),
            ("y", Direction::Y, Quantity::Length),
        ] {
            let path = |prefix: &str| format!("points.{}.{prefix}{key}", p.name);
            let of = format!("of point {}", p.name);
            add(
                path(""),
                Output::PointPosition { point, direction },
                what,
                format!("Position {key} {of}"),
            );
            add(
                path("v"),
                Output::PointVelocity { point, direction },
                Quantity::Velocity,
                format!("Velocity along {key} {of}"),
            );
            add(
                path("a"),
                Output::PointAcceleration { point, direction },
                Quantity::Acceleration,
                format!("Acceleration along {key} {of}"),
            );
        }
        if model.rotations_at(point) == 1 {
            let direction = Direction::Rotation;
            add(
                format!("points.{}.rotation", p.name),
                Output::PointPosition { point, direction },
                Quantity::Angle,
                format!("Rotation of point {} from its initial direction", p.name),
            );
            add(
                format!("points.{}.rotation_rate", p.name),
                Output::PointVelocity { point, direction },
                Quantity::AngularVelocity,
                format!("Rate of rotation of point {}", p.name),
            );
        }
    }
    for (id, probe) in model.probes.iter().enumerate() {
        let (quantity, what) = probe.kind.meaning(model);
        add(
            format!("probes.{}", probe.name),
            Output::Probe(id),
            quantity,
            what,
        );
    }
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
            format!(
                "What the drive of motion {} exerts on the structure",
                motion.name
            ),
        );
    }
    for (key, energy, what) in [
        ("kinetic", Energy::Kinetic, "Kinetic energy"),
        ("strain", Energy::Strain, "Strain energy"),
        (
            "potential",
            Energy::Potential,
            "Potential energy of gravity",
        ),
        (
            "input_work",
            Energy::InputWork,
            "Work of loads and imposed motions",
        ),
        (
            "friction_work",
            Energy::FrictionWork,
            "Energy dissipated by friction",
        ),
        (
            "friction_stored",
            Energy::FrictionStored,
            "Part of the work of friction that its bristles hold",
        ),
        (
            "damping_work",
            Energy::DampingWork,
            "Energy dissipated by structural damping",
        ),
        (
            "numerical_dissipation",
            Energy::NumericalDissipation,
            "Energy taken by the time integration",
        ),
        ("impact_loss", Energy::ImpactLoss, "Energy taken by impacts"),
        ("balance", Energy::Balance, "What the books do not explain"),
    ] {
        if energy == Energy::FrictionStored
            && !model.sliders.iter().any(|s| s.friction.kind().remembers)
        {
            continue;
        }
        add(
            format!("energy.{key}"),
            Output::Energy(energy),
            Quantity::Energy,
            what.into(),
        );
    }
    for (key, counter, what) in [
        ("steps", Counter::Steps, "Accepted substeps since the start"),
        (
            "iterations",
            Counter::Iterations,
            "Newton iterations since the start",
        ),
        (
            "rejections",
            Counter::Rejections,
            "Rejected substeps since the start",
        ),
        (
            "unstable_modes",
            Counter::UnstableModes,
            "Independent motions in which the equilibrium is unstable",
        ),
    ] {
        if counter == Counter::UnstableModes && model.solver.analysis == Analysis::Dynamic {
            continue;
        }
        add(
            format!("solver.{key}"),
            Output::Counter(counter),
            Quantity::Count,
            what.into(),
        );
    }
    all
}
