//! A model in this process, without C.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use coulisse::fmu::{self, Blueprint, Built, Call, Category, Instance, Log, Sink, Status};
use coulisse::model::Model;
use coulisse::system::State;

use super::{Journal, Slave};
use crate::description::Kind;

/// An instance of a model.
pub struct InProcess {
    instance: Instance,
    journal: Journal,
}

struct Listener(Journal);

impl Sink for Listener {
    fn message(&self, status: Status, _: Category, text: &str) {
        self.0.add(status, text.to_owned());
    }
}

impl InProcess {
    /// A mechanism before its initialization.
    pub fn new(blueprint: Arc<Blueprint>) -> InProcess {
        let journal = Journal::default();
        let mut log = Log::new(Box::new(Listener(journal.clone())), false);
        // The journal keeps warnings.
        let _ = log.switch(true, &[Category::Warning.name()]);
        InProcess { instance: Instance::new(blueprint, log), journal }
    }

    fn perform<R: Into<Status>>(
        &mut self, call: Call, action: impl FnOnce(&mut Instance) -> Result<R, fmu::Refusal>,
    ) -> Result<()> {
        let mut faults = None;
        let noted = |instance: &mut Instance| {
            action(instance).inspect_err(|refusal| faults = refusal.faults.clone())
        };
        let status = self.instance.perform(call, noted);
        let answer = self.journal.answer(call.name(), status);
        // The name of the call says nothing to who runs a model file.
        answer.map_err(|error| match faults {
            Some(faults) => (*faults).into(),
            None => {
                let text = error.to_string();
                let named = format!("{}: ", call.name());
                anyhow!(text.strip_prefix(&named).unwrap_or(&text).to_owned())
            }
        })
    }
}

impl Slave for InProcess {
    fn set(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<()> {
        let (kind, call) = match kind {
            Kind::Real => (fmu::Kind::Real, Call::SetReal),
            Kind::Integer | Kind::Long | Kind::Size => (fmu::Kind::Integer, Call::SetInteger),
            Kind::Boolean => (fmu::Kind::Boolean, Call::SetBoolean),
            Kind::Text | Kind::Other => (fmu::Kind::Text, Call::SetString),
        };
        self.perform(call, |i| i.set(kind, references, |k| values[k]))
    }

    fn get(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<()> {
        let (kind, call) = match kind {
            Kind::Real => (fmu::Kind::Real, Call::GetReal),
            Kind::Integer | Kind::Long | Kind::Size => (fmu::Kind::Integer, Call::GetInteger),
            Kind::Boolean => (fmu::Kind::Boolean, Call::GetBoolean),
            Kind::Text | Kind::Other => (fmu::Kind::Text, Call::GetString),
        };
        self.perform(call, |i| i.get(kind, references, |k, value| values[k] = value))
    }

    fn begin(&mut self, stop: f64) -> Result<()> {
        self.perform(Call::SetupExperiment, |i| i.setup_experiment(0.0, Some(stop)))?;
        self.perform(Call::EnterInitializationMode, |i| {
            i.enter_initialization()?;
            i.derive_inputs()
        })
    }

    fn start(&mut self) -> Result<()> {
        self.perform(Call::ExitInitializationMode, |i| i.exit_initialization())
    }

    fn step(&mut self, time: f64, length: f64) -> Result<()> {
        self.perform(Call::DoStep, |i| i.do_step(time, length))
    }

    fn terminate(&mut self) -> Result<()> {
        self.perform(Call::Terminate, |i| i.terminate())
    }

    fn time(&self) -> f64 {
        self.instance.time()
    }

    fn mechanism(&self) -> Option<(&Arc<Built>, &State)> {
        self.instance.mechanism()
    }

    fn model(&self) -> Option<&Model> {
        Some(self.instance.blueprint().model())
    }

    fn warnings(&mut self) -> Vec<String> {
        self.journal.warnings()
    }
}
