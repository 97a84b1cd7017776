//! `modelDescription.xml` of FMI 3.0 as far as a host needs it.

use std::collections::HashMap;

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
    let parts: Vec<(Kind, bool, Own)> =
        root.variables.list.into_iter().map(Element::parts).collect();
    // What sizes of arrays may be.
    let whole = parts.iter().filter_map(|(kind, _, own)| {
        let size = own.start.as_ref().filter(|_| *kind == Kind::Size)?.trim().parse().ok()?;
        Some((own.reference, size))
    });
    let sizes: HashMap<u32, usize> = whole.collect();
    let mut variables: Vec<Variable> = Vec::new();
    for (kind, is_enumeration, own) in parts {
        let is_output = own.causality.as_deref() == Some("output");
        let sizes = own.sizes(&sizes).filter(|_| is_output || own.dimensions.is_empty());
        let is_parameter = own.causality.as_deref() == Some("structuralParameter");
        let kind = match kind {
            // Others are read by no one.
            Kind::Size if !is_parameter => Kind::Other,
            kind => kind,
        };
        let declared = own.declared_type.as_ref();
        let declared = declared.and_then(|name| units.iter().find(|(of, _)| of == name));
        let unit = own.unit.or_else(|| declared.map(|(_, unit)| unit.clone())).unwrap_or_default();
        let first = Variable {
            set_ahead: ahead(&own.name),
            name: own.name,
            reference: own.reference,
            kind: if sizes.is_some() { kind } else { Kind::Other },
            is_enumeration,
            causality: match is_parameter {
                true => "parameter".to_owned(),
                false => own.causality.unwrap_or_else(|| "local".to_owned()),
            },
            element: None,
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
        let named = [first].into_iter().chain(others);
        match sizes.filter(|sizes| !sizes.is_empty()) {
            None => variables.extend(named),
            Some(sizes) => variables.extend(named.flat_map(|array| elements_of(array, &sizes))),
        }
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

/// Most elements of an array that the command makes variables of.
const MOST_ELEMENTS: usize = 1_000_000;

/// The elements of an array with these sizes, the last index first: `name[1,1]`, `name[1,2]`, …
fn elements_of(array: Variable, sizes: &[usize]) -> Vec<Variable> {
    let of: usize = sizes.iter().product();
    let element = |at: usize| {
        let mut rest = at;
        let indices = sizes.iter().rev().map(|size| {
            let index = rest % size + 1;
            rest /= size;
            index.to_string()
        });
        let mut indices: Vec<String> = indices.collect();
        indices.reverse();
        let name = format!("{}[{}]", array.name, indices.join(","));
        Variable { name, element: Some(super::Element { at, of }), ..array.clone() }
    };
    (0..of).map(element).collect()
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
            Element::UInt64(own) => (Kind::Size, false, own),
            Element::Float32(own)
            | Element::Int8(own)
            | Element::UInt8(own)
            | Element::Int16(own)
            | Element::UInt16(own)
            | Element::UInt32(own)
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

impl Own {
    /// The sizes of an array at the start, none of a scalar; `None` where they are not known, 0 or too many.
    fn sizes(&self, known: &HashMap<u32, usize>) -> Option<Vec<usize>> {
        let size = |dimension: &Dimension| match (dimension.start, dimension.reference) {
            (Some(size), None) => Some(size),
            (None, Some(reference)) => known.get(&reference).copied(),
            _ => None,
        };
        let sizes: Vec<usize> = self.dimensions.iter().map(size).collect::<Option<_>>()?;
        let of = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size))?;
        (1..=MOST_ELEMENTS).contains(&of).then_some(sizes)
    }
}

#[derive(Deserialize)]
struct Dimension {
    #[serde(rename = "@start")]
    start: Option<usize>,
    #[serde(rename = "@valueReference")]
    reference: Option<u32>,
}

#[derive(Deserialize)]
struct Alias {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "@description", default)]
    description: String,
}
