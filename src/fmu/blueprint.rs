//! What all instances of one model have in common.

use std::path::Path;
use std::sync::Arc;

use super::guid::guid;
use super::interface::Interface;
use super::report::Refusal;
use super::{MODEL_FILE, model_description};
use crate::model::history::{History, MotionLaw};
use crate::model::{Checked, Model};
use crate::system::System;

/// A model read from its file, its variables, and the mechanism with the file's own values.
#[derive(Debug)]
pub struct Blueprint {
    model: Model,
    interface: Interface,
    guid: String,
    checked: Checked,
    built: Arc<Built>,
}

/// The mechanism for one set of parameter values.
#[derive(Debug)]
pub struct Built {
    pub system: System,
    /// Value of each parameter; one may follow from another through an expression of the file.
    pub parameters: Vec<f64>,
    /// Value of each input as long as the host sets none.
    pub inputs: Vec<f64>,
    /// Longest substep of the solver, s.
    pub step: f64,
}

impl Blueprint {
    /// Reads `model.toml` in an FMU's `resources` folder.
    ///
    /// # Errors
    /// The faults of the model, in the words of `coulisse check`.
    pub fn load(folder: &Path) -> Result<Blueprint, Refusal> {
        let file = folder.join(MODEL_FILE);
        let model = Model::load(&file).map_err(|faults| refused(&faults))?;
        Blueprint::of(model)
    }

    /// Checks a model and builds its mechanism.
    ///
    /// # Errors
    /// The faults of the model, in the words of `coulisse check`.
    pub fn of(model: Model) -> Result<Blueprint, Refusal> {
        let checked = model.check().map_err(|faults| refused(&faults))?;
        let interface = Interface::of(&checked);
        let guid = guid(model.text(), model.data_files());
        let built = Arc::new(Built::new(&checked)?);
        Ok(Blueprint {
            model,
            interface,
            guid,
            checked,
            built,
        })
    }

    /// The table of variables.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// Identifier of this model; see [`super::guid()`].
    pub fn guid(&self) -> &str {
        &self.guid
    }

    /// Text of `modelDescription.xml`; see [`model_description`].
    ///
    /// # Errors
    /// Never in practice: memory does not refuse bytes.
    pub fn description(&self, generated_at: Option<&str>) -> std::io::Result<String> {
        model_description(
            &self.built.system,
            &self.interface,
            &self.guid,
            generated_at,
        )
    }

    /// The model with the file's own values.
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The model as written.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The mechanism with the file's own values.
    pub fn built(&self) -> &Arc<Built> {
        &self.built
    }

    /// Whether a load or motion follows a function of time: it then matters when the clock starts.
    pub fn depends_on_time(&self) -> bool {
        let loads = self.checked.loads.iter().map(|load| &load.history);
        let motions = (self.checked.motions.iter()).filter_map(|motion| match &motion.law {
            MotionLaw::Scaled { history, .. } => Some(history),
            MotionLaw::Held(_)
            | MotionLaw::Rate(_)
            | MotionLaw::Acceleration(_)
            | MotionLaw::Record { .. } => None,
        });
        let line_loads = self.checked.line_loads.iter().map(|load| &load.history);
        let recorded = (self.checked.motions.iter())
            .any(|motion| matches!(motion.law, MotionLaw::Record { .. }));
        recorded
            || loads
                .chain(line_loads)
                .chain(motions)
                .any(|h| *h != History::Constant)
    }

    /// The mechanism with some parameters replaced, `None` keeping the file's value.
    ///
    /// # Errors
    /// The faults of the model with these values.
    pub fn with_parameters(&self, values: &[Option<f64>]) -> Result<Built, Refusal> {
        let mut model = self.model.clone();
        let paths = self
            .interface
            .variables()
            .iter()
            .filter(|v| v.is_parameter());
        for (variable, value) in paths.zip(values) {
            if let Some(value) = value {
                model = model
                    .with_value(&variable.name, *value)
                    .map_err(|fault| refused(&fault))?;
            }
        }
        Built::new(&model.check().map_err(|faults| refused(&faults))?)
    }
}

impl Built {
    fn new(checked: &Checked) -> Result<Built, Refusal> {
        Ok(Built {
            system: System::build(checked).map_err(|fault| refused(&fault))?,
            parameters: checked.parameters.iter().map(|p| p.value).collect(),
            inputs: checked.inputs.iter().map(|i| i.start).collect(),
            step: checked.solver.step,
        })
    }
}

fn refused(fault: &dyn std::fmt::Display) -> Refusal {
    Refusal::error(fault.to_string().trim_end())
}
