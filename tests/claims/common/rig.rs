//! One instance under test, with every variable of it as bits.

use std::sync::Arc;

use coulisse::fmu::{Blueprint, Call, Category, Instance, Kind, Log, Sink, Snapshot, Status};
use coulisse::model::Model;

/// Every variable after a communication point, and how the step to it ended.
pub type Bits = (Status, Vec<u64>);

/// A variable's dotted path and its value.
pub type Value = (&'static str, f64);

/// A host that hears nothing.
pub struct Silence;

impl Sink for Silence {
    fn message(&self, _: Status, _: Category, _: &str) {}
}

/// One communication step: its length, s, and the value of each input.
#[derive(Debug, Clone)]
pub struct Step {
    pub length: f64,
    pub inputs: Vec<f64>,
}

pub struct Rig(pub Instance);

/// A model as a host has it after unpacking: read anew, sharing nothing.
pub fn blueprint(text: &str) -> Arc<Blueprint> {
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(text, "model.toml", &none).unwrap_or_else(|f| panic!("{f}\n{text}"));
    Arc::new(Blueprint::of(model).unwrap_or_else(|f| panic!("{f}\n{text}")))
}

impl Rig {
    pub fn new(blueprint: &Arc<Blueprint>) -> Rig {
        let log = Log::new(Box::new(Silence), false);
        Rig(Instance::new(Arc::clone(blueprint), log))
    }

    /// With parameters set and initialized; `false` where the start failed.
    pub fn started(blueprint: &Arc<Blueprint>, parameters: &[Value]) -> (Rig, bool) {
        let mut rig = Rig::new(blueprint);
        rig.set(parameters);
        rig.enter();
        let exit = (rig.0).perform(Call::ExitInitializationMode, Instance::exit_initialization);
        (rig, exit == Status::Ok)
    }

    pub fn enter(&mut self) {
        let call = Call::EnterInitializationMode;
        assert_eq!(self.0.perform(call, Instance::enter_initialization), Status::Ok);
    }

    pub fn set(&mut self, values: &[Value]) {
        for (name, value) in values {
            let interface = self.0.blueprint().interface();
            let reference = interface.find(name).unwrap_or_else(|| panic!("no {name}"));
            self.set_one(reference, *value);
        }
    }

    fn set_one(&mut self, reference: u32, value: f64) {
        let set = |i: &mut Instance| i.set(Kind::Real, &[reference], |_| value);
        assert_eq!(self.0.perform(Call::SetReal, set), Status::Ok);
    }

    fn set_inputs(&mut self, values: &[f64]) {
        let variables = self.0.blueprint().interface().variables();
        let inputs: Vec<u32> = (0..)
            .zip(variables)
            .filter(|(_, v)| v.role.causality() == "input")
            .map(|(reference, _)| reference)
            .collect();
        for (reference, value) in inputs.into_iter().zip(values) {
            self.set_one(reference, *value);
        }
    }

    pub fn step(&mut self, step: &Step) -> Bits {
        if self.0.mode() == coulisse::fmu::Mode::StepComplete {
            self.set_inputs(&step.inputs);
        }
        let now = self.0.time();
        let status = (self.0).perform(Call::DoStep, |i| i.do_step(now, step.length));
        (status, self.bits())
    }

    pub fn run(&mut self, steps: &[Step]) -> Vec<Bits> {
        steps.iter().map(|step| self.step(step)).collect()
    }

    pub fn bits(&mut self) -> Vec<u64> {
        let kinds: Vec<Kind> =
            (self.0.blueprint().interface().variables().iter()).map(|v| v.kind).collect();
        let mut bits = Vec::new();
        for (reference, kind) in (0_u32..).zip(kinds) {
            // A value that cannot be read has to stay so.
            let mut value = f64::NAN;
            let get = |i: &mut Instance| i.get(kind, &[reference], |_, x| value = x);
            self.0.perform(Call::GetReal, get);
            bits.push(value.to_bits());
        }
        bits
    }

    /// Value references of the outputs of each type.
    #[allow(dead_code)] // of the benchmarks
    pub fn outputs(&self) -> [(Kind, Vec<u32>); 3] {
        [Kind::Real, Kind::Integer, Kind::Boolean].map(|kind| {
            let all = (0..).zip(self.0.blueprint().interface().variables());
            let wanted = all.filter(|(_, v)| v.role.causality() == "output" && v.kind == kind);
            (kind, wanted.map(|(reference, _)| reference).collect())
        })
    }

    pub fn save(&mut self) -> Snapshot {
        self.0.save()
    }

    pub fn restore(&mut self, snapshot: &Snapshot) {
        let status = (self.0).perform(Call::SetFMUstate, |i| i.restore(snapshot));
        assert_eq!(status, Status::Ok);
    }

    pub fn restore_bytes(&mut self, bytes: &[u8]) {
        let snapshot = self.0.read_snapshot(bytes).unwrap_or_else(|r| panic!("{r}"));
        self.restore(&snapshot);
    }
}
