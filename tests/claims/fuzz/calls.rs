//! The calls of hosts, in any order and with any number.

use std::sync::{Arc, Mutex};

use coulisse::fmu::{
    Blueprint, Call, Category, Instance, Kind, Log, Protocol, Sink, Snapshot, Status,
};

use super::fuzz;
use crate::common::bundled;
use crate::common::rig::{Rig, blueprint};
use crate::faults::damage::Chance;

/// Bundled models without data files that are small.
const MODELS: [&str; 8] = [
    "cam_and_spring",
    "rabinowicz",
    "incline",
    "compressor",
    "quarter_car",
    "belt_tensioner",
    "slider_crank_with_clearance",
    "telescope",
];

/// Numbers beside usual ones.
const NUMBERS: [f64; 18] = [
    0.0,
    -0.0,
    1e-300,
    f64::MIN_POSITIVE,
    1e3,
    -1e6,
    1e9,
    -1e12,
    1e20,
    1e50,
    -1e50,
    1e100,
    -1e200,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// A host that remembers what a defect said.
#[derive(Clone, Default)]
struct Defects(Arc<Mutex<Vec<String>>>);

impl Sink for Defects {
    fn message(&self, _: Status, _: Category, text: &str) {
        if text.contains("a defect of coulisse") {
            self.0.lock().expect("no panic inside").push(text.to_owned());
        }
    }
}

/// A script of calls, read byte by byte; zeros at its end.
struct Script<'a>(std::slice::Iter<'a, u8>);

impl Script<'_> {
    fn below(&mut self, n: usize) -> usize {
        let [high, low] = [(); 2].map(|()| usize::from(self.0.next().copied().unwrap_or(0)));
        (high * 256 + low) % n.max(1)
    }

    fn share(&mut self) -> f64 {
        self.below(1000) as f64 / 1000.0
    }

    fn number(&mut self, usual: f64) -> f64 {
        match self.below(3) {
            0 => NUMBERS[self.below(NUMBERS.len())],
            1 => usual * (2.0 * self.share() - 0.5),
            _ => (self.share() - 0.5) * 10_f64.powf(40.0 * self.share() - 20.0),
        }
    }
}

#[test]
fn hosts_may_call_anything_at_any_time() {
    let plans: Vec<Arc<Blueprint>> = MODELS.iter().map(|name| blueprint(&bundled(name))).collect();
    let make = |chance: &mut Chance| (0..300).map(|_| chance.below(256) as u8).collect();
    fuzz("calls", make, |bytes| {
        let mut script = Script(bytes.iter());
        let plan = &plans[script.below(plans.len())];
        let defects = Defects::default();
        let log = Log::new(Box::new(defects.clone()), true);
        let protocol = match script.below(4) {
            0 => Protocol::ModelExchange,
            _ => Protocol::CoSimulation,
        };
        let mut instance = Instance::of(protocol, Arc::clone(plan), log);
        let mut saved: Vec<Snapshot> = Vec::new();
        // Most begin as hosts do.
        if script.below(8) > 0 {
            instance.perform(Call::EnterInitializationMode, Instance::enter_initialization);
            instance.perform(Call::ExitInitializationMode, Instance::exit_initialization);
        }
        let mut steps = 0;
        for _ in 0..1 + script.below(30) {
            let status = call(&mut instance, plan, &mut script, &mut saved);
            steps += u32::from(status == Status::Ok);
        }
        let said = defects.0.lock().expect("no panic inside");
        assert!(said.is_empty(), "{said:?}");
        steps > 0
    });
}

/// One call.
fn call(
    instance: &mut Instance, plan: &Blueprint, script: &mut Script, saved: &mut Vec<Snapshot>,
) -> Status {
    let variables = plan.interface().variables();
    let any = script.below(variables.len() + 1) as u32;
    let inputs: Vec<u32> = (0_u32..)
        .zip(variables)
        .filter(|(_, v)| v.role.causality() == "input")
        .map(|(reference, _)| reference)
        .collect();
    let one = match inputs.is_empty() || script.below(8) == 0 {
        true => any,
        false => inputs[script.below(inputs.len())],
    };
    let known = variables.get(one as usize);
    let start = known.and_then(|v| v.start).filter(|x| *x != 0.0).unwrap_or(1.0);
    let kind = known.map_or(Kind::Real, |v| v.kind);
    let step = plan.checked().solver.step;
    match script.below(20) {
        0..=4 => {
            let value = script.number(start);
            instance.perform(Call::SetReal, |i| i.set(kind, &[one], |_| value))
        }
        5..=10 => {
            let length = match script.below(10) {
                0 => script.number(step).clamp(-1.0, 3.0 * step),
                _ => step * (0.02 + 2.0 * script.share()),
            };
            let time = match script.below(20) {
                0 => script.number(1.0),
                _ => instance.time(),
            };
            instance.perform(Call::DoStep, |i| i.do_step(time, length))
        }
        11 | 12 => {
            let (order, value) = (1 + script.below(2) as i32, script.number(start));
            instance.perform(Call::SetRealInputDerivatives, |i| {
                i.set_input_derivatives(&[one], |_| order, |_| value)
            })
        }
        13 => {
            let order = 1 + script.below(2) as i32;
            instance.perform(Call::GetRealOutputDerivatives, |i| {
                i.output_derivatives(&[any], |_| order, |_, value| assert!(value.is_finite()))
            })
        }
        14 => {
            let seed = script.number(1.0);
            instance.perform(Call::GetDirectionalDerivative, |i| {
                i.directional_derivative(
                    &[any],
                    &[one],
                    |_| seed,
                    |_, value| {
                        assert!(value.is_finite());
                    },
                )
            })
        }
        15 => {
            saved.push(instance.save());
            Status::Ok
        }
        16 => {
            let Some(snapshot) = saved.last() else {
                return Status::Ok;
            };
            instance.perform(Call::SetFMUstate, |i| i.restore(snapshot))
        }
        17 => match script.below(6) {
            0 => instance.perform(Call::Reset, Instance::reset),
            1 => instance.perform(Call::Terminate, Instance::terminate),
            2 => {
                let (start, stop) = (script.number(1.0), script.number(10.0));
                instance.perform(Call::SetupExperiment, |i| i.setup_experiment(start, Some(stop)))
            }
            3 => instance.perform(Call::EnterInitializationMode, Instance::enter_initialization),
            4 => instance.perform(Call::ExitInitializationMode, Instance::exit_initialization),
            _ => {
                let time = match script.below(2) {
                    0 => script.number(1.0),
                    _ => instance.time() + script.number(step),
                };
                instance.perform(Call::SetTime, |i| i.set_time(time))
            }
        },
        18 => match script.below(4) {
            0 => instance.perform(Call::EnterEventMode, Instance::enter_event_mode),
            1 => instance
                .perform(Call::EnterContinuousTimeMode, Instance::enter_continuous_time_mode),
            2 => instance.perform(Call::NewDiscreteStates, |i| i.new_discrete_states().map(drop)),
            _ => instance.perform(Call::CompletedIntegratorStep, |i| {
                i.completed_integrator_step().map(drop)
            }),
        },
        _ => {
            let all: Vec<u32> = (0..variables.len() as u32).collect();
            let real = all.into_iter().filter(|&r| variables[r as usize].kind == Kind::Real);
            let real: Vec<u32> = real.collect();
            instance.perform(Call::GetReal, |i| {
                i.get(Kind::Real, &real, |_, value| assert!(value.is_finite()))
            })
        }
    }
}

#[test]
fn numbers_that_no_mechanism_follows_are_refused_and_the_instance_goes_on() {
    for name in MODELS {
        let plan = blueprint(&bundled(name));
        let variables = (0_u32..).zip(plan.interface().variables());
        let inputs: Vec<u32> = variables
            .filter(|(_, v)| v.role.causality() == "input")
            .map(|(reference, _)| reference)
            .collect();
        let (mut rig, starts) = Rig::started(&plan, &[]);
        assert!(starts, "{name}");
        let step = plan.checked().solver.step;
        let refused = |rig: &mut Rig, value: f64| {
            let set = |i: &mut Instance| i.set(Kind::Real, &inputs, |_| value);
            let derivatives = |i: &mut Instance| i.set_input_derivatives(&inputs, |_| 1, |_| value);
            for status in [
                rig.0.perform(Call::SetReal, set),
                rig.0.perform(Call::SetRealInputDerivatives, derivatives),
            ] {
                assert_eq!(status == Status::Error, !inputs.is_empty(), "{name}: {value}");
            }
        };
        for value in [1e51, -1e100, 1e300, f64::MAX, f64::INFINITY, f64::NAN] {
            refused(&mut rig, value);
            let now = rig.0.time();
            let status = rig.0.perform(Call::DoStep, |i| i.do_step(now, step));
            assert_eq!(status, Status::Ok, "{name}: {value}");
        }
    }
}
