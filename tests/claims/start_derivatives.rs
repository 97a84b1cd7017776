//! Derivatives of the start of bundled models, each by each, against differences with other steps.

use std::path::Path;
use std::sync::Arc;

use crate::common::mechanism::Mechanism;
use crate::common::rig::Silence;
use crate::common::{self, tier};
use coulisse::fmu::{Blueprint, Instance, Kind, Log, Role, Status};
use coulisse::model::Model;
use coulisse::model::checked::{Output, Subject};
use coulisse::start;
use coulisse::system::Tuning;
use coulisse::system::outputs::OfSlider;

/// A model at its start with what can be asked of it.
struct Started {
    blueprint: Arc<Blueprint>,
    instance: Instance,
}

impl Started {
    fn of(file: &Path) -> Started {
        Started::at(Model::load(file).unwrap_or_else(|faults| panic!("{faults}")))
    }

    fn at(model: Model) -> Started {
        let blueprint = Arc::new(Blueprint::of(model).unwrap_or_else(|r| panic!("{r:?}")));
        let log = Log::new(Box::new(Silence), false);
        let mut instance = Instance::new(Arc::clone(&blueprint), log);
        instance.enter_initialization().expect("the first call");
        Started { blueprint, instance }
    }

    /// Value references and roles of all numbers that are `wanted`.
    fn all(&self, wanted: impl Fn(Role) -> bool) -> Vec<(u32, Role)> {
        let variables = self.blueprint.interface().variables();
        (0..)
            .zip(variables)
            .filter(|(_, v)| v.kind == Kind::Real && wanted(v.role))
            .map(|(reference, v)| (reference, v.role))
            .collect()
    }

    fn name(&self, reference: u32) -> &str {
        let variable = self.blueprint.interface().get(reference);
        variable.map_or("?", |v| &v.name)
    }

    /// The file's own value.
    fn value(&self, known: Role) -> f64 {
        let built = self.blueprint.built().expect("a mechanism");
        match known {
            Role::Input(i) => built.inputs[i],
            Role::Parameter(k) => built.parameters[k],
            _ => f64::NAN,
        }
    }

    /// The outputs at the start where `known` has another value.
    fn with(&self, known: Role, value: f64, outputs: &[Output]) -> Option<Vec<f64>> {
        let built = self.blueprint.built().expect("a mechanism");
        let mut inputs = built.inputs.clone();
        let mut parameters = vec![None; built.parameters.len()];
        match known {
            Role::Input(i) => inputs[i] = value,
            Role::Parameter(k) => parameters[k] = Some(value),
            _ => return None,
        }
        let built = self.blueprint.built_with(&parameters).ok()?;
        let tuning = self.blueprint.tuning(&built, &parameters).ok()?;
        let system = &built.system;
        let state = start::start_to_rounding(system, &inputs, tuning).ok()?;
        Some(outputs.iter().map(|&output| system.read(&state, output)).collect())
    }

    /// What differences say of each output, with their errors: those of extrapolation and those that
    /// the rounding of the start leaves.
    fn differences(&self, known: Role, outputs: &[Output]) -> Vec<(f64, f64)> {
        let value = self.value(known);
        let rounding = self.rounding(outputs);
        let mut best = vec![(f64::NAN, f64::INFINITY); outputs.len()];
        for base in BASES {
            let mut rows = vec![Vec::new(); outputs.len()];
            let e = |n: i32| base * size(value) / RATIO.powi(n);
            for n in 0..ROW {
                let ends = [value + e(n), value - e(n)];
                let [Some(high), Some(low)] = ends.map(|at| self.with(known, at, outputs)) else {
                    break;
                };
                for (row, (high, low)) in rows.iter_mut().zip(high.iter().zip(&low)) {
                    row.push((high - low) / (ends[0] - ends[1]));
                }
            }
            let rows = rows.iter().zip(&rounding).zip(&mut best);
            for ((row, rounding), best) in rows.filter(|((row, _), _)| row.len() > 3) {
                let (found, error) = extrapolated(row);
                let error = error + 2.0 * rounding / e(ROW);
                if error < best.1 {
                    *best = (found, error);
                }
            }
        }
        best
    }

    /// By how much the start differs from one that is solved down to rounding.
    fn rounding(&self, outputs: &[Output]) -> Vec<f64> {
        let built = self.blueprint.built().expect("a mechanism");
        let system = &built.system;
        let tuning = Tuning::of(system.model());
        let state = start::start(system, &built.inputs).expect("a start");
        let sharp = start::start_to_rounding(system, &built.inputs, tuning).expect("a start");
        let difference = |&output: &Output| {
            let value = system.read(&sharp, output);
            (system.read(&state, output) - value).abs() + f64::EPSILON * value.abs()
        };
        outputs.iter().map(difference).collect()
    }

    fn rests(&self, slider: usize) -> bool {
        let built = self.blueprint.built().expect("a mechanism");
        let state = start::start(&built.system, &built.inputs).expect("a start");
        let velocity = built.system.read(&state, OfSlider::Velocity.of(Subject::Slider(slider)));
        velocity.abs() < 1e-12
    }

    /// An error that is none: 1e-9 of the largest output of the same quantity, for a change of the
    /// known value by its own size.
    fn negligible(&self, known: Role, output: Output) -> f64 {
        let built = self.blueprint.built().expect("a mechanism");
        let state = start::start(&built.system, &built.inputs).expect("a start");
        let outputs = &self.blueprint.checked().outputs;
        let own = outputs.iter().find(|o| o.output == output);
        let alike = outputs.iter().filter(|o| own.is_some_and(|own| own.quantity == o.quantity));
        let largest = alike
            .fold(0.0_f64, |largest, o| largest.max(built.system.read(&state, o.output).abs()));
        (1e-9 * largest).max(1e-12) / size(self.value(known))
    }

    /// The derivatives of outputs by one known value that are answered; the others are left out, one
    /// for each time that the call is discarded.
    fn answered(&mut self, unknown: &[(u32, Output)], known: u32) -> Vec<(u32, Output, f64)> {
        let mut left = unknown.to_vec();
        while !left.is_empty() {
            let references: Vec<u32> = left.iter().map(|(reference, _)| *reference).collect();
            let mut found = vec![f64::NAN; left.len()];
            let answer = self.instance.directional_derivative(
                &references,
                &[known],
                |_| 1.0,
                |i, change| found[i] = change,
            );
            let Err(refusal) = answer else {
                let all = left.into_iter().zip(found);
                return all.map(|((r, output), found)| (r, output, found)).collect();
            };
            assert_eq!(refusal.status, Status::Discard, "{}", refusal.message);
            let named = |(r, _): &(u32, Output)| {
                refusal.message.starts_with(&format!("{} has no derivative", self.name(*r)))
            };
            let place = left.iter().position(named);
            left.remove(place.unwrap_or_else(|| panic!("{}", refusal.message)));
        }
        Vec::new()
    }

    fn outputs(&self) -> Vec<(u32, Output)> {
        let all = self.all(|role| matches!(role, Role::Output(_)));
        all.into_iter()
            .filter_map(|(reference, role)| match role {
                Role::Output(k) => Some((reference, self.blueprint.checked().outputs[k].output)),
                _ => None,
            })
            .collect()
    }
}

/// Largest steps relative to the known value, none of them a power of two.
const BASES: [f64; 4] = [3e-2, 1.3e-3, 1.7e-4, 1.1e-5];
const RATIO: f64 = 1.6;
const ROW: i32 = 5;

fn size(value: f64) -> f64 {
    if value == 0.0 { 1.0 } else { value.abs() }
}

/// The end of Neville's scheme over central differences, and how far it is from that without the
/// smallest step.
fn extrapolated(differences: &[f64]) -> (f64, f64) {
    let ends = [differences, &differences[..differences.len() - 1]].map(|row| {
        let (mut row, mut factor) = (row.to_vec(), 1.0);
        while row.len() > 1 {
            factor *= RATIO * RATIO;
            let better = row.windows(2);
            row = better.map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0)).collect();
        }
        row[0]
    });
    (ends[0], (ends[0] - ends[1]).abs())
}

/// Models whose starts take their time; what is asked of the vehicle is below.
const LONG: [&str; 4] =
    ["isolated_building", "isolated_building_frame", "quick_return_solid", "vehicle_on_bridge"];

#[test]
fn a_slip_element_at_rest_holds_nothing_back_by_itself() {
    let text = Mechanism::new("slip")
        .step(1e-3)
        .points("o = [0.0, 0.0], p = [3.0, 0.0]")
        .mass("p", 2.0)
        .support("p", "point = 'p', fix = ['y']")
        .spring("s", "ground = 'o', to = 'p', direction = 'x'")
        .and("stiffness = 300.0, friction = { force = 50.0, stiffness = 500.0 }")
        .load("f", "point = 'p', fx = 10.0")
        .inputs("loads.f.fx")
        .outputs("points.p.ax")
        .text();
    let no_data = |_: &str| -> std::io::Result<Vec<u8>> { panic!("no file is named") };
    let model = Model::parse(&text, "slip", &no_data).unwrap_or_else(|faults| panic!("{faults}"));
    let mut started = Started::at(model);
    let unknown = started.outputs();
    let [(load, _)] = started.all(|role| matches!(role, Role::Input(_)))[..] else {
        panic!("one input")
    };
    let answers = started.answered(&unknown, load);
    let of = |(reference, ..): &&(u32, Output, f64)| started.name(*reference) == "points.p.ax";
    let (_, _, acceleration) = answers.iter().find(of).expect("an acceleration");
    assert!((acceleration - 0.5).abs() < 1e-8, "{acceleration}");
}

/// Slow: differences by every parameter and input of bundled models, each with several starts.
#[test]
fn what_is_answered_of_a_start_is_right_to_four_digits_and_the_rest_is_discarded() {
    let (mut sure, mut answered) = (0, 0);
    for file in tier::cases(common::bundled_files(), 6) {
        let name = file.file_stem().and_then(|name| name.to_str());
        if name.is_none_or(|name| LONG.contains(&name)) {
            continue;
        }
        let mut started = Started::of(&file);
        let unknown = started.outputs();
        for (by, role) in started.all(|role| matches!(role, Role::Parameter(_) | Role::Input(_))) {
            // Nothing follows a seed by degrees: it is a whole number.
            if started.name(by) == "parameters.seed" {
                continue;
            }
            let answers = started.answered(&unknown, by);
            answered += answers.len();
            let outputs: Vec<Output> = answers.iter().map(|(_, output, _)| *output).collect();
            let differences = started.differences(role, &outputs);
            for ((of, output, answer), (exact, error)) in answers.iter().zip(differences) {
                let negligible = started.negligible(role, *output);
                // Beyond the end of what is allowed there are no central differences.
                // The power of what is at rest is that of a force that may be rounding.
                let rests = matches!(output.of, Subject::Slider(j) if started.rests(j))
                    && *output == OfSlider::FrictionPower.of(output.of);
                // What is a rounding error of forces of meganewtons is no derivative.
                if error.is_infinite() || rests || exact.abs() < 1e-8 {
                    continue;
                }
                // The differences' own error is an estimate.
                let allowed = (1e-3 * exact.abs()).max(negligible) + 4.0 * error;
                assert!(
                    (answer - exact).abs() <= allowed,
                    "{name:?}: {} by {}: {answer:e}, by differences {exact:e} ± {error:.1e}",
                    started.name(*of),
                    started.name(by)
                );
                sure += usize::from(error <= negligible.max(1e-3 * exact.abs()));
            }
        }
    }
    println!("{answered} derivatives answered, of which {sure} have sure differences");
    assert!(sure > tier::share(400), "{sure}");
}
