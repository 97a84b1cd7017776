//! `modelDescription.xml` as far as a host needs it.

mod fmi3;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::checked::Reconstruction;
use coulisse::fmu::description::{TOOL, printable};
use coulisse::fmu::{self, Blueprint};
use coulisse::message::{did_you_mean, excerpt, suggestion};
use quick_xml::de::from_str;
use serde::Deserialize;

use crate::archive::Standard;

/// Name of the file in an FMU.
pub const FILE: &str = "modelDescription.xml";
/// Largest that is read, bytes: some hundred thousand variables.
pub const LARGEST: u64 = 64 << 20;

/// What an FMU says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    pub standard: Standard,
    pub model_name: String,
    /// Name of the library file, without its ending.
    pub model_identifier: String,
    /// Whether its state can be saved and restored.
    pub saves_states: bool,
    pub guid: String,
    pub text: String,
    pub generation_tool: String,
    /// End of the default run, s.
    pub stop_time: Option<f64>,
    /// Default communication step, s.
    pub step_size: Option<f64>,
    pub variables: Vec<Variable>,
}

/// One scalar variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    pub reference: u32,
    pub kind: Kind,
    /// Whether the whole number is one of the items of an enumeration.
    pub is_enumeration: bool,
    pub causality: String,
    pub start: Option<String>,
    pub unit: String,
    pub description: String,
    /// Whether the value to set before a step is that of the step's end: in FMUs of ours, inputs
    /// that run from one communication point to the next on a line or cubic.
    pub set_ahead: bool,
    /// Of FMI 3.0: where it stands in an array, whose value reference it has.
    pub element: Option<Element>,
}

/// Where a number stands in an array of FMI 3.0, of which the command makes variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// Counted from 0, the last index of the array first.
    pub at: usize,
    /// Elements of the array.
    pub of: usize,
}

/// FMI type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    /// Of FMI 3.0: 64 bits, as enumerations are read there.
    Long,
    Boolean,
    Text,
    /// Of FMI 3.0: a structural parameter, a whole number that is set in Configuration Mode.
    Size,
    /// Of FMI 3.0: arrays that are no outputs, clocks and types that this command does not read.
    Other,
}

impl Kind {
    /// Whether its values are numbers here.
    pub fn is_number(self) -> bool {
        !matches!(self, Kind::Text | Kind::Other)
    }
}

impl Description {
    /// Reads the text of `modelDescription.xml`.
    ///
    /// # Errors
    /// When it is no description of a co-simulation unit of FMI 2.0 or 3.0.
    pub fn read(xml: &str) -> Result<Description> {
        // Descriptions of other versions have other elements, so the version comes first.
        const UNREADABLE: &str = "modelDescription.xml cannot be read";
        let version = from_str::<Version>(xml).context(UNREADABLE)?.fmi_version;
        if version == "3.0" || version.starts_with("3.0.") {
            return fmi3::read(xml).context(UNREADABLE);
        }
        if version != "2.0" {
            bail!("an FMU of FMI version {version}; this command knows FMI 2.0 and 3.0");
        }
        let root: Root = from_str(xml).context(UNREADABLE)?;
        let cosimulation = root
            .co_simulation
            .ok_or_else(|| anyhow!("the FMU offers Model Exchange only; allowed: Co-Simulation"))?;
        let types = root.type_definitions.types;
        let variables = root.model_variables.variables;
        let experiment = root.default_experiment.unwrap_or_default();
        let annotations = root.annotations;
        Ok(Description {
            standard: Standard::Fmi2,
            model_name: root.model_name,
            model_identifier: cosimulation.model_identifier,
            saves_states: cosimulation.saves_states,
            guid: root.guid,
            text: root.description,
            generation_tool: root.generation_tool,
            stop_time: experiment.stop_time,
            step_size: experiment.step_size,
            variables: variables
                .into_iter()
                .map(|v| v.variable(&types, &annotations))
                .collect::<Result<_>>()?,
        })
    }

    /// What the description of a model would read as, without its text.
    pub fn of(blueprint: &Blueprint) -> Description {
        let model = blueprint.checked();
        let ahead = model.inputs.iter().filter(|i| i.reconstruction != Reconstruction::Hold);
        let ahead: Vec<&str> = ahead.map(|input| input.path.as_str()).collect();
        let variable = |v: &fmu::Variable| Variable {
            name: v.name.clone(),
            reference: v.reference,
            kind: match v.kind.called() {
                fmu::Kind::Integer | fmu::Kind::Enumeration => Kind::Integer,
                fmu::Kind::Boolean => Kind::Boolean,
                fmu::Kind::Real => Kind::Real,
                fmu::Kind::Text | fmu::Kind::Size | fmu::Kind::Other => Kind::Text,
            },
            is_enumeration: v.kind == fmu::Kind::Enumeration,
            causality: v.role.causality().to_owned(),
            start: v.start.map(|start| v.kind.text(start)),
            unit: if v.has_unit() { v.quantity.unit() } else { "" }.to_owned(),
            description: printable(&v.description).into_owned(),
            set_ahead: ahead.contains(&v.name.as_str()),
            element: None,
        };
        Description {
            standard: Standard::Fmi2,
            model_name: model.name.clone(),
            model_identifier: model.name.clone(),
            saves_states: true,
            guid: blueprint.guid().to_owned(),
            text: printable(&model.description).into_owned(),
            generation_tool: TOOL.to_owned(),
            stop_time: Some(model.experiment.stop_time),
            step_size: Some(model.experiment.communication_step),
            variables: blueprint.interface().variables().iter().map(variable).collect(),
        }
    }

    /// Variables of one causality, in their order.
    pub fn with_causality(&self, causality: &str) -> impl Iterator<Item = &Variable> + Clone {
        self.variables.iter().filter(move |v| v.causality == causality)
    }

    /// Whether there is a variable of this name.
    pub fn is_variable(&self, name: &str) -> bool {
        self.variables.iter().any(|v| v.name == name)
    }

    /// The variable of this name that a user may set.
    ///
    /// # Errors
    /// When there is none, with the name that was probably meant.
    pub fn settable(&self, name: &str) -> Result<&Variable> {
        let settable = || {
            let parameters = self.with_causality("parameter");
            parameters.chain(self.with_causality("input"))
        };
        if let Some(variable) = settable().find(|v| v.name == name) {
            return Ok(variable);
        }
        if let Some(variable) = self.variables.iter().find(|v| v.name == name) {
            bail!(
                "`{name}` is {} and cannot be set; allowed: parameters and inputs, \
                 `coulisse describe` lists them",
                match variable.causality.as_str() {
                    "output" => "an output",
                    "calculatedParameter" => "calculated from parameters",
                    "independent" => "the independent variable",
                    _ => "an inner variable",
                }
            );
        }
        match suggestion(name, settable().map(|v| v.name.as_str())) {
            Some(meant) => bail!("no variable `{name}`; did you mean `{meant}`?"),
            None => bail!(
                "no variable `{name}`; allowed: {}",
                match settable().map(|v| v.name.as_str()).collect::<Vec<_>>() {
                    names if names.is_empty() => "none, this model has no parameters and inputs \
                        (its `[interface]` names them)"
                        .to_owned(),
                    names => names.join(", "),
                }
            ),
        }
    }
}

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "@fmiVersion")]
    fmi_version: String,
}

#[derive(Deserialize)]
struct Root {
    #[serde(rename = "@modelName")]
    model_name: String,
    #[serde(rename = "@guid")]
    guid: String,
    #[serde(rename = "@description", default)]
    description: String,
    #[serde(rename = "@generationTool", default)]
    generation_tool: String,
    #[serde(rename = "CoSimulation")]
    co_simulation: Option<CoSimulation>,
    #[serde(rename = "TypeDefinitions", default)]
    type_definitions: TypeDefinitions,
    #[serde(rename = "DefaultExperiment")]
    default_experiment: Option<DefaultExperiment>,
    #[serde(rename = "VendorAnnotations", default)]
    annotations: Annotations,
    #[serde(rename = "ModelVariables")]
    model_variables: ModelVariables,
}

#[derive(Deserialize)]
struct CoSimulation {
    #[serde(rename = "@modelIdentifier")]
    model_identifier: String,
    #[serde(rename = "@canGetAndSetFMUstate", default)]
    saves_states: bool,
}

#[derive(Deserialize, Default)]
pub(crate) struct DefaultExperiment {
    #[serde(rename = "@stopTime")]
    pub stop_time: Option<f64>,
    #[serde(rename = "@stepSize")]
    pub step_size: Option<f64>,
}

#[derive(Deserialize, Default)]
struct TypeDefinitions {
    #[serde(rename = "SimpleType", default)]
    types: Vec<SimpleType>,
}

#[derive(Deserialize)]
struct SimpleType {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "Real")]
    real: Option<TypeAttributes>,
}

#[derive(Deserialize, Default)]
struct ModelVariables {
    #[serde(rename = "ScalarVariable", default)]
    variables: Vec<ScalarVariable>,
}

#[derive(Deserialize)]
struct ScalarVariable {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "@valueReference")]
    reference: u32,
    #[serde(rename = "@causality")]
    causality: Option<String>,
    #[serde(rename = "@description", default)]
    description: String,
    #[serde(rename = "Real")]
    real: Option<TypeAttributes>,
    #[serde(rename = "Integer")]
    integer: Option<TypeAttributes>,
    #[serde(rename = "Enumeration")]
    enumeration: Option<TypeAttributes>,
    #[serde(rename = "Boolean")]
    boolean: Option<TypeAttributes>,
    #[serde(rename = "String")]
    string: Option<TypeAttributes>,
}

#[derive(Deserialize, Default)]
struct Annotations {
    #[serde(rename = "Tool", default)]
    tools: Vec<Tool>,
}

/// What a tool says of the model; of other tools than ours nothing is known.
#[derive(Deserialize)]
struct Tool {
    #[serde(rename = "@name", default)]
    name: String,
    #[serde(rename = "CommunicationStep", default)]
    step: CommunicationStep,
}

#[derive(Deserialize, Default)]
pub(crate) struct CommunicationStep {
    #[serde(rename = "Input", default)]
    inputs: Vec<Input>,
}

#[derive(Deserialize)]
struct Input {
    #[serde(rename = "@name", default)]
    name: String,
    #[serde(rename = "@reconstruction", default)]
    reconstruction: String,
}

impl Annotations {
    fn set_ahead(&self, variable: &str) -> bool {
        let mut ours = self.tools.iter().filter(|tool| tool.name == "coulisse");
        ours.any(|tool| tool.step.set_ahead(variable))
    }
}

impl CommunicationStep {
    /// Whether an input runs to the value that is set.
    pub(crate) fn set_ahead(&self, variable: &str) -> bool {
        { self.inputs.iter() }
            .filter(|input| input.name == variable)
            .any(|input| ["linear", "cubic"].contains(&input.reconstruction.as_str()))
    }
}

#[derive(Deserialize)]
struct TypeAttributes {
    #[serde(rename = "@declaredType")]
    declared_type: Option<String>,
    #[serde(rename = "@start")]
    start: Option<String>,
    #[serde(rename = "@unit")]
    unit: Option<String>,
}

impl ScalarVariable {
    fn variable(self, types: &[SimpleType], annotations: &Annotations) -> Result<Variable> {
        let is_enumeration = self.enumeration.is_some();
        let found = [
            (Kind::Real, self.real),
            (Kind::Integer, self.integer.or(self.enumeration)),
            (Kind::Boolean, self.boolean),
            (Kind::Text, self.string),
        ];
        let (kind, attributes) = found
            .into_iter()
            .find_map(|(kind, attributes)| Some((kind, attributes?)))
            .ok_or_else(|| anyhow!("modelDescription.xml: `{}` has no type", self.name))?;
        let declared = attributes
            .declared_type
            .and_then(|name| types.iter().find(|t| t.name == name))
            .and_then(|t| t.real.as_ref()?.unit.clone());
        Ok(Variable {
            set_ahead: annotations.set_ahead(&self.name),
            element: None,
            name: self.name,
            reference: self.reference,
            kind,
            is_enumeration,
            causality: self.causality.unwrap_or_else(|| "local".to_owned()),
            start: attributes.start,
            unit: attributes.unit.or(declared).unwrap_or_default(),
            description: self.description,
        })
    }
}

/// Whether `name` is that of `output`, or ends in `*` and begins as it does.
pub fn stands_for(name: &str, output: &str) -> bool {
    match name.strip_suffix('*') {
        Some(begin) => output.starts_with(begin),
        None => name == output,
    }
}

/// The places of the names in a list; all where there are none.
///
/// # Errors
/// For a name that stands for none.
pub fn chosen(option: &str, what: &str, names: &[String], all: &[&str]) -> Result<Vec<usize>> {
    if names.is_empty() {
        return Ok((0..all.len()).collect());
    }
    let mut places = Vec::new();
    for name in names {
        let before = places.len();
        let own = (0..all.len()).filter(|&k| stands_for(name, all[k]));
        places.extend(own);
        if places.len() == before {
            bail!(
                "{option}: `{}` is no {what} of this model{}; `coulisse describe` lists them{}",
                excerpt(name),
                did_you_mean(name, all.iter().copied()),
                match what {
                    "input" => ", and `inputs` of [interface] makes inputs of loads and motions",
                    _ => "",
                }
            );
        }
    }
    let mut seen = std::collections::HashSet::new();
    places.retain(|place| seen.insert(*place));
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;

    #[test]
    fn a_model_is_described_as_its_model_description_reads() {
        for name in bundled::names() {
            let blueprint = Blueprint::of(bundled::model(name).unwrap()).unwrap();
            let xml = blueprint.description(None).unwrap();
            let described = Description::of(&blueprint);
            assert_eq!(described, Description::read(&xml).unwrap(), "{name}");
            let other = Description::read(&blueprint.description_3(None).unwrap()).unwrap();
            let (own, shared) = other.variables.split_at(described.variables.len());
            assert_eq!(shared.len(), 4, "{name}: the time, and the outputs of events");
            for a in &described.variables {
                let kind = if a.is_enumeration { Kind::Long } else { a.kind };
                // Other names of a quantity follow its first one.
                let b = own.iter().find(|b| b.name == a.name);
                assert_eq!(b, Some(&Variable { kind, ..a.clone() }), "{name}");
            }
        }
    }
}
