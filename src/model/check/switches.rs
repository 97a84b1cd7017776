//! Entries that are switched on and off, and the variables of a model with some of them off.

use std::collections::{BTreeMap, HashMap};

use super::Checker;
use super::inputs::inputs;
use super::interface::tunable;
use crate::checked::{
    Checked, Input, InputVariable, Output, OutputVariable, Parameter, Switch, Tunable,
};
use crate::message::figure;
use crate::model::de::Scalar;
use crate::system::outputs::{self, OfSwitchedOff};

/// A number of a friction law that is switched off.
const OF_NO_LAW: Tunable = Tunable { laws: 0..0, number: 0 };

impl Checker<'_> {
    /// Whether each entry with the key `enabled` is on; one whose switch has a fault is.
    pub(super) fn switches(&mut self) -> Vec<Switch> {
        let file = self.file;
        let written = file.switches().into_iter();
        let switch = written.map(|(name, written)| {
            let (value, span, path) = (&written.value.0, &written.span, &written.path);
            let scalar = Scalar { value: value.clone(), span: span.clone(), path: path.clone() };
            let value = self.number(&scalar);
            if value.fract() != 0.0 {
                let allowed = self.declared(path).limit.text;
                let message = format!("{path} is {}; allowed: {allowed}", figure(value));
                self.report(&scalar, message);
            }
            Switch { path: name.path.clone(), on: value != 0.0 }
        });
        switch.collect()
    }

    /// Whether an entry of a section is switched off.
    pub(super) fn is_off(&self, section: &str, name: &str) -> bool {
        self.off.contains(&format!("{section}.{name}"))
    }
}

/// Gives `model` the parameters, inputs and outputs of the `complete` one, in the same order: what is switched off has them, too, does
/// nothing with them and reads 0.
pub(super) fn take_variables(check: &Checker<'_>, model: &mut Checked, complete: Checked) {
    let own: BTreeMap<String, Input> =
        inputs(check, model).into_iter().map(|own| (own.path, own.input)).collect();
    let input = |all: &InputVariable| {
        let input = own.get(&all.path).copied().unwrap_or(Input::SwitchedOff);
        InputVariable { input, ..all.clone() }
    };
    model.inputs = complete.inputs.iter().map(input).collect();
    let parameter = |all: &Parameter| {
        let own = |_: &Tunable| tunable(model, &all.path).unwrap_or(OF_NO_LAW);
        Parameter { tunable: all.tunable.as_ref().map(own), ..all.clone() }
    };
    model.parameters = complete.parameters.iter().map(parameter).collect();
    model.stations = complete.stations;
    model.calculated = taken(&complete.calculated, &outputs::calculated(model));
    model.outputs = taken(&named(&complete), &outputs::all(model));
    // Those of arrays have names of their own.
    for (own, all) in model.outputs.iter_mut().zip(&complete.outputs) {
        own.path.clone_from(&all.path);
    }
    model.discrete_as_real = complete.discrete_as_real;
    model.complete_with(complete);
}

/// The outputs of a `complete` model, each by the path of what it reads: elements of arrays are others once more.
fn named(complete: &Checked) -> Vec<OutputVariable> {
    let all = outputs::all(complete);
    let paths: HashMap<Output, &str> =
        all.iter().map(|output| (output.output, output.path.as_str())).collect();
    let named = complete.outputs.iter().map(|output| {
        let path = paths.get(&output.output).map_or(output.path.as_str(), |path| path);
        OutputVariable { path: path.to_string(), ..output.clone() }
    });
    named.collect()
}

/// `all` outputs, each as one of a model's `own`.
fn taken(all: &[OutputVariable], own: &[OutputVariable]) -> Vec<OutputVariable> {
    let own: BTreeMap<&str, &OutputVariable> =
        own.iter().map(|output| (output.path.as_str(), output)).collect();
    let output = |all: &OutputVariable| {
        let own = own.get(all.path.as_str());
        let output = own.map_or_else(|| OfSwitchedOff::output(all.quantity), |own| own.output);
        OutputVariable { output, ..all.clone() }
    };
    all.iter().map(output).collect()
}
