//! What all instances of one model have in common.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::guid::guid;
use super::interface::Interface;
use super::report::Refusal;
use super::{MODEL_FILE, model_description, model_description_3};
use crate::checked::history::{History, MotionLaw};
use crate::model::{Checked, Faults, Model};
use crate::modes::proposal::Proposal;
use crate::system::{System, Tuning};

/// A model read from its file, its variables, and the mechanism with the file's own values, which
/// is built when it is first needed.
#[derive(Debug)]
pub struct Blueprint {
    model: Model,
    interface: Interface,
    guid: String,
    checked: Checked,
    proposal: Option<Proposal>,
    built: OnceLock<Result<Arc<Built>, Faults>>,
}

/// The mechanism for one set of fixed parameters. Tunable ones stand beside it, see [`Tuning`].
#[derive(Debug)]
pub struct Built {
    pub system: System,
    /// Value of each parameter; one may follow from another through an expression of the file.
    pub parameters: Vec<f64>,
    /// Value of each input that the file gives with these parameters.
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
        Ok(Model::load(&file).and_then(Blueprint::of)?)
    }

    /// Checks a model, and gives it a step where the file has none.
    ///
    /// # Errors
    /// The faults of the model, in the words of `coulisse check`.
    pub fn of(mut model: Model) -> Result<Blueprint, Faults> {
        let mut checked = model.check()?;
        let proposal = (!checked.solver.step_is_given).then(|| Proposal::of(&checked));
        if let Some(proposal) = &proposal {
            model = model.with_values([("solver.step", proposal.step)].into_iter());
            checked = model.check()?;
        }
        let interface = Interface::of(&checked);
        let guid = guid(model.text(), model.data_files());
        Ok(Blueprint { model, interface, guid, checked, proposal, built: OnceLock::new() })
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
    /// The fault of a mechanism that cannot be built.
    pub fn description(&self, generated_at: Option<&str>) -> Result<String, Refusal> {
        let system = &self.built()?.system;
        model_description(system, &self.interface, &self.guid, generated_at)
            .map_err(|fault| Refusal::error(fault.to_string()))
    }

    /// Text of `modelDescription.xml` of FMI 3.0; see [`model_description_3`].
    ///
    /// # Errors
    /// The fault of a mechanism that cannot be built.
    pub fn description_3(&self, generated_at: Option<&str>) -> Result<String, Refusal> {
        let system = &self.built()?.system;
        model_description_3(system, &self.interface, &self.guid, generated_at)
            .map_err(|fault| Refusal::error(fault.to_string()))
    }

    /// The model with the file's own values.
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The step where the file gives none, and why it is this.
    pub fn proposal(&self) -> Option<&Proposal> {
        self.proposal.as_ref()
    }

    /// The model as written, with a step.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The mechanism with the file's own values, built once.
    ///
    /// # Errors
    /// When friction acts on a slider without mass, or damping refers to modes that are not there.
    pub fn built(&self) -> Result<&Arc<Built>, Faults> {
        let build = || self.build(&self.checked);
        self.built.get_or_init(build).as_ref().map_err(Faults::clone)
    }

    fn build(&self, checked: &Checked) -> Result<Arc<Built>, Faults> {
        let system = System::build(checked).map_err(|fault| self.model.faults(&fault))?;
        Ok(Arc::new(Built {
            system,
            parameters: checked.parameters.iter().map(|p| p.value).collect(),
            inputs: checked.inputs.iter().map(|i| i.start).collect(),
            step: checked.solver.step,
        }))
    }

    /// Whether a load or motion follows a function of time: it then matters when the clock starts.
    pub fn depends_on_time(&self) -> bool {
        let motions = (self.checked.motions.iter()).filter_map(|motion| match &motion.law {
            MotionLaw::Scaled { history, .. } => Some(history),
            MotionLaw::Position(_)
            | MotionLaw::Rate(_)
            | MotionLaw::Acceleration(_)
            | MotionLaw::Record { .. } => None,
        });
        let mut loads = self.checked.loads.iter().map(|load| &load.factors);
        let mut line_loads = self.checked.line_loads.iter().map(|load| &load.factors);
        let recorded = (self.checked.motions.iter())
            .any(|motion| matches!(motion.law, MotionLaw::Record { .. }));
        recorded
            || loads.any(|factors| !factors.are_constant())
            || line_loads.any(|factors| !factors.are_constant())
            || { motions }.any(|h| *h != History::Constant)
    }

    /// The mechanism with some parameters replaced, `None` keeping the file's value: the file's own
    /// where all that are replaced are tunable.
    ///
    /// # Errors
    /// The faults of the model with these values.
    pub fn built_with(&self, values: &[Option<f64>]) -> Result<Arc<Built>, Refusal> {
        let parameters = self.checked.parameters.iter().zip(values);
        if { parameters }.all(|(own, value)| value.is_none() || own.tunable.is_some()) {
            return Ok(Arc::clone(self.built()?));
        }
        Ok(self.build(&self.checked_with(values)?)?)
    }

    /// Value of a parameter that is not set: one that is tunable follows from no other, and may have
    /// been set when `built` was.
    pub fn parameter(&self, built: &Built, index: usize) -> f64 {
        let parameter = &self.checked.parameters[index];
        let tunable = parameter.tunable.is_some();
        if tunable { parameter.value } else { built.parameters[index] }
    }

    /// The numbers beside the mechanism `built`, which was built for the fixed ones of `values`.
    ///
    /// # Errors
    /// The faults of the model with these values.
    pub fn tuning(&self, built: &Built, values: &[Option<f64>]) -> Result<Tuning, Refusal> {
        let own = Tuning::of(built.system.model());
        self.tuned(built, &own, values, |k, value| value != built.parameters[k])
    }

    /// `own`, numbers of the mechanism `built`, with those tunable ones among `values` that `differs(place, value)` says are others.
    ///
    /// # Errors
    /// The faults of the model with these values.
    pub fn tuned(
        &self, built: &Built, own: &Tuning, values: &[Option<f64>],
        differs: impl Fn(usize, f64) -> bool,
    ) -> Result<Tuning, Refusal> {
        let numbers = built.system.model().parameters.iter();
        let parameters = self.checked.parameters.iter().zip(numbers).zip(values).enumerate();
        let others = parameters.filter_map(|(k, ((parameter, number), value))| {
            let value = value.unwrap_or(parameter.value);
            Some((number.tunable.clone()?, value)).filter(|_| differs(k, value))
        });
        match own.with_numbers(others) {
            Some(tuning) => Ok(tuning),
            // The checker says why not, in its words and with the place in the file.
            None => Ok(Tuning::of(&self.checked_with(values)?)),
        }
    }

    /// Checks the structural parameters among these values, which others that are still to be set may not fit yet.
    ///
    /// # Errors
    /// The faults of the model with them.
    pub fn check_structure(&self, values: &[Option<f64>]) -> Result<(), Faults> {
        let parameters = self.checked.parameters.iter().zip(values);
        let structural = parameters.map(|(own, value)| value.filter(|_| own.structural));
        self.checked_with(&structural.collect::<Vec<_>>()).map(drop)
    }

    /// The model with some parameters replaced.
    fn checked_with(&self, values: &[Option<f64>]) -> Result<Checked, Faults> {
        let parameters = self.checked.parameters.iter().zip(values);
        let set = parameters.filter_map(|(own, value)| Some((own.path.as_str(), (*value)?)));
        self.model.with_values(set).check()
    }
}
