//! `modelDescription.xml` of FMI 3.0 as far as a host needs it.

use anyhow::{Result, anyhow};
use quick_xml::de::from_str;
use serde::Deserialize;

use super::{CommunicationStep, DefaultExperiment, Description, Kind, Variable};
use crate::archive::Standard;

/// Reads the text.
///
/// # Errors
/// When it is no description of a co-simulation unit of FMI 3.0.
pub fn read(xml: &str) -> Result<Description> {
    let root: Root = from_str(xml)?;
    let unit = root
        .co_simulation
        .ok_or_else(|| anyhow!("the FMU offers no Co-Simulation; allowed: Co-Simulation"))?;
    let experiment = root.default_experiment.unwrap_or_default();
    let units: Vec<(String, String)> = { root.types.list.into_iter() }
        .filter_map(|of| match of {
            Type::Float64Type(of) => Some((of.name, of.unit?)),
            Type::Other => None,
        })
        .collect();
    let ours = root.annotations.list.into_iter().filter(|annotation| annotation.kind == "coulisse");
    let steps: Vec<CommunicationStep> = ours.filter_map(|annotation| annotation.step).collect();
    let ahead = |name: &str| steps.iter().any(|step| step.set_ahead(name));
    let mut variables: Vec<Variable> = Vec::new();
    for element in root.variables.list {
        let (kind, is_enumeration, own) = element.parts();
        let declared = own.declared_type.as_ref();
        let declared = declared.and_then(|name| units.iter().find(|(of, _)| of == name));
        let unit = own.unit.or_else(|| declared.map(|(_, unit)| unit.clone())).unwrap_or_default();
        let first = Variable {
            set_ahead: ahead(&own.name),
            name: own.name,
            reference: own.reference,
            kind: if own.dimensions.is_empty() { kind } else { Kind::Other },
            is_enumeration,
            causality: own.causality.unwrap_or_else(|| "local".to_owned()),
            start: own.start,
            unit,
            description: own.description,
        };
        let others = own.aliases.into_iter().map(|alias| Variable {
            name: alias.name,
            description: alias.description,
            ..first.clone()
        });
        let others: Vec<Variable> = others.collect();
        variables.push(first);
        variables.extend(others);
    }
    Ok(Description {
        standard: Standard::Fmi3,
        model_name: root.model_name,
        model_identifier: unit.model_identifier,
        saves_states: unit.saves_states,
        guid: root.token,
        text: root.description,
        generation_tool: root.generation_tool,
        stop_time: experiment.stop_time,
        step_size: experiment.step_size,
        variables,
    })
}

#[derive(Deserialize)]
struct Root {
    #[serde(rename = "@modelName")]
    model_name: String,
    #[serde(rename = "@instantiationToken")]
    token: String,
    #[serde(rename = "@description", default)]
    description: String,
    #[serde(rename = "@generationTool", default)]
    generation_tool: String,
    #[serde(rename = "CoSimulation")]
    co_simulation: Option<CoSimulation>,
    #[serde(rename = "TypeDefinitions", default)]
    types: Types,
    #[serde(rename = "DefaultExperiment")]
    default_experiment: Option<DefaultExperiment>,
    #[serde(rename = "ModelVariables")]
    variables: Variables,
    #[serde(rename = "Annotations", default)]
    annotations: Annotations,
}

#[derive(Deserialize)]
struct CoSimulation {
    #[serde(rename = "@modelIdentifier")]
    model_identifier: String,
    #[serde(rename = "@canGetAndSetFMUState", default)]
    saves_states: bool,
}

#[derive(Deserialize, Default)]
struct Types {
    #[serde(rename = "$value", default)]
    list: Vec<Type>,
}

#[derive(Deserialize)]
enum Type {
    Float64Type(Float64Type),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Float64Type {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "@unit")]
    unit: Option<String>,
}

#[derive(Deserialize, Default)]
struct Annotations {
    #[serde(rename = "Annotation", default)]
    list: Vec<Annotation>,
}

#[derive(Deserialize)]
struct Annotation {
    #[serde(rename = "@type")]
    kind: String,
    #[serde(rename = "CommunicationStep")]
    step: Option<CommunicationStep>,
}

#[derive(Deserialize)]
struct Variables {
    #[serde(rename = "$value", default)]
    list: Vec<Element>,
}

/// A variable, by the name of its type.
#[derive(Deserialize)]
enum Element {
    Float64(Own),
    Int32(Own),
    Int64(Own),
    Enumeration(Own),
    Boolean(Own),
    String(Own),
    Float32(Own),
    Int8(Own),
    UInt8(Own),
    Int16(Own),
    UInt16(Own),
    UInt32(Own),
    UInt64(Own),
    Binary(Own),
    Clock(Own),
}

impl Element {
    /// The kind, whether it is an enumeration, and what the element says.
    fn parts(self) -> (Kind, bool, Own) {
        match self {
            Element::Float64(own) => (Kind::Real, false, own),
            Element::Int32(own) => (Kind::Integer, false, own),
            Element::Int64(own) => (Kind::Long, false, own),
            Element::Enumeration(own) => (Kind::Long, true, own),
            Element::Boolean(own) => (Kind::Boolean, false, own),
            Element::String(own) => (Kind::Text, false, own),
            Element::Float32(own)
            | Element::Int8(own)
            | Element::UInt8(own)
            | Element::Int16(own)
            | Element::UInt16(own)
            | Element::UInt32(own)
            | Element::UInt64(own)
            | Element::Binary(own)
            | Element::Clock(own) => (Kind::Other, false, own),
        }
    }
}

#[derive(Deserialize)]
struct Own {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "@valueReference")]
    reference: u32,
    #[serde(rename = "@causality")]
    causality: Option<String>,
    #[serde(rename = "@description", default)]
    description: String,
    #[serde(rename = "@declaredType")]
    declared_type: Option<String>,
    #[serde(rename = "@unit")]
    unit: Option<String>,
    #[serde(rename = "@start")]
    start: Option<String>,
    #[serde(rename = "Dimension", default)]
    dimensions: Vec<Dimension>,
    #[serde(rename = "Alias", default)]
    aliases: Vec<Alias>,
}

#[derive(Deserialize)]
struct Dimension {}

#[derive(Deserialize)]
struct Alias {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "@description", default)]
    description: String,
}
