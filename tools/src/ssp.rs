//! `coulisse pack --ssp`: an FMU within a system of its own, after System Structure and Parameterization 1.0
//! (Modelica Association, 2019) or, with FMI 3.0, 2.0 (2024), for tools that begin with systems, as OMEdit and OMSimulator do.

use anyhow::{Context, Result};
use quick_xml::se::Serializer;
use serde::{Deserialize, Serialize};

use crate::archive::{self, Standard};
use crate::description::{Description, Kind, Variable};

/// The bytes of an SSP with this FMU in it. Connectors are the inputs, outputs and parameters of the
/// FMU, enumerations apart, with their types and units; the values of parameters and inputs are those of
/// the model file.
///
/// # Errors
/// When the FMU's description cannot be read; not in practice.
pub fn pack(name: &str, fmu: &[u8], xml: &str) -> Result<Vec<u8>> {
    let structure = structure(name, xml)?;
    archive::zip(&[
        ("SystemStructure.ssd".to_owned(), structure.as_bytes()),
        (format!("resources/{name}.fmu"), fmu),
    ])
}

/// The text of `SystemStructure.ssd`.
fn structure(name: &str, xml: &str) -> Result<String> {
    let description = Description::read(xml)?;
    let version = match description.standard {
        Standard::Fmi2 => "1.0",
        Standard::Fmi3 => "2.0",
    };
    let definitions: Definitions = quick_xml::de::from_str(xml).context("units of the FMU")?;
    let connectors = description.variables.iter();
    let connectors = connectors.filter_map(|v| connector(v, description.standard)).collect();
    let values = description.variables.iter();
    let values = values.filter_map(|v| parameter(v, description.standard)).collect();
    let root = Root {
        ssc: "http://ssp-standard.org/SSP1/SystemStructureCommon",
        ssd: "http://ssp-standard.org/SSP1/SystemStructureDescription",
        ssv: "http://ssp-standard.org/SSP1/SystemStructureParameterValues",
        version,
        name,
        generation_tool: &description.generation_tool,
        system: System {
            name,
            elements: Elements {
                component: Component {
                    name,
                    description: &description.text,
                    kind: "application/x-fmu-sharedlibrary",
                    source: format!("resources/{name}.fmu"),
                    implementation: "CoSimulation",
                    connectors: Connectors { connectors },
                    bindings: Bindings::of(values, version),
                },
            },
        },
        units: definitions.units,
        experiment: Experiment { start_time: 0.0, stop_time: description.stop_time },
    };
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let mut serializer = Serializer::with_root(&mut text, Some("ssd:SystemStructureDescription"))?;
    serializer.indent(' ', 2);
    root.serialize(serializer)?;
    Ok(text + "\n")
}

fn connector(variable: &Variable, standard: Standard) -> Option<Connector<'_>> {
    let kind = match variable.causality.as_str() {
        "input" | "output" | "parameter" | "calculatedParameter" => &variable.causality,
        _ => return None,
    };
    // Libcosim ends the process with a connector that is an enumeration or has no type. An element of an array is no variable of the FMU.
    (!variable.is_enumeration && variable.element.is_none()).then_some(Connector {
        name: &variable.name,
        description: &variable.description,
        kind,
        kind_of_value: Type::of(variable, standard, None),
    })
}

/// The value of a parameter or input as the file has it.
fn parameter(variable: &Variable, standard: Standard) -> Option<Parameter<'_>> {
    let is_set = ["parameter", "input"].contains(&variable.causality.as_str());
    let start = variable.start.as_deref().filter(|_| is_set)?;
    Some(Parameter { name: &variable.name, value: Type::of(variable, standard, Some(start)) })
}

#[derive(Serialize)]
struct Root<'a> {
    #[serde(rename = "@xmlns:ssc")]
    ssc: &'a str,
    #[serde(rename = "@xmlns:ssd")]
    ssd: &'a str,
    #[serde(rename = "@xmlns:ssv")]
    ssv: &'a str,
    #[serde(rename = "@version")]
    version: &'a str,
    #[serde(rename = "@name")]
    name: &'a str,
    #[serde(rename = "@generationTool")]
    generation_tool: &'a str,
    #[serde(rename = "ssd:System")]
    system: System<'a>,
    #[serde(rename = "ssd:Units")]
    units: UnitDefinitions,
    #[serde(rename = "ssd:DefaultExperiment")]
    experiment: Experiment,
}

#[derive(Serialize)]
struct Experiment {
    #[serde(rename = "@startTime")]
    start_time: f64,
    #[serde(rename = "@stopTime", skip_serializing_if = "Option::is_none")]
    stop_time: Option<f64>,
}

#[derive(Serialize)]
struct System<'a> {
    #[serde(rename = "@name")]
    name: &'a str,
    #[serde(rename = "ssd:Elements")]
    elements: Elements<'a>,
}

#[derive(Serialize)]
struct Elements<'a> {
    #[serde(rename = "ssd:Component")]
    component: Component<'a>,
}

#[derive(Serialize)]
struct Component<'a> {
    #[serde(rename = "@name")]
    name: &'a str,
    #[serde(rename = "@description")]
    description: &'a str,
    #[serde(rename = "@type")]
    kind: &'a str,
    #[serde(rename = "@source")]
    source: String,
    #[serde(rename = "@implementation")]
    implementation: &'a str,
    #[serde(rename = "ssd:Connectors", skip_serializing_if = "Connectors::is_empty")]
    connectors: Connectors<'a>,
    #[serde(rename = "ssd:ParameterBindings", skip_serializing_if = "Option::is_none")]
    bindings: Option<Bindings<'a>>,
}

#[derive(Serialize)]
struct Connectors<'a> {
    #[serde(rename = "ssd:Connector")]
    connectors: Vec<Connector<'a>>,
}

impl Connectors<'_> {
    fn is_empty(&self) -> bool {
        self.connectors.is_empty()
    }
}

#[derive(Serialize)]
struct Connector<'a> {
    #[serde(rename = "@name")]
    name: &'a str,
    #[serde(rename = "@description")]
    description: &'a str,
    #[serde(rename = "@kind")]
    kind: &'a str,
    #[serde(rename = "$value")]
    kind_of_value: Type<'a>,
}

#[derive(Serialize)]
enum Type<'a> {
    #[serde(rename = "ssc:Real")]
    Real(Unit<'a>),
    #[serde(rename = "ssc:Float64")]
    Float64(Unit<'a>),
    #[serde(rename = "ssc:Integer")]
    Integer(Unit<'a>),
    #[serde(rename = "ssc:Int32")]
    Int32(Unit<'a>),
    #[serde(rename = "ssc:UInt64")]
    Size(Unit<'a>),
    #[serde(rename = "ssc:Boolean")]
    Boolean(Unit<'a>),
    #[serde(rename = "ssc:String")]
    Text(Unit<'a>),
    #[serde(rename = "ssv:Real")]
    RealValue(Unit<'a>),
    #[serde(rename = "ssv:Float64")]
    Float64Value(Unit<'a>),
    #[serde(rename = "ssv:Integer")]
    IntegerValue(Unit<'a>),
    #[serde(rename = "ssv:Int32")]
    Int32Value(Unit<'a>),
    #[serde(rename = "ssv:UInt64")]
    SizeValue(Unit<'a>),
    #[serde(rename = "ssv:Boolean")]
    BooleanValue(Unit<'a>),
    #[serde(rename = "ssv:String")]
    TextValue(Unit<'a>),
}

impl<'a> Type<'a> {
    /// The type of a variable, or its value where one is given. No parameter is an enumeration.
    fn of(variable: &'a Variable, standard: Standard, value: Option<&'a str>) -> Type<'a> {
        let unit = Some(variable.unit.as_str()).filter(|unit| !unit.is_empty());
        let unit = unit.filter(|_| variable.kind == Kind::Real);
        let make = match (variable.kind, standard, value) {
            (Kind::Real, Standard::Fmi2, None) => Type::Real,
            (Kind::Real, Standard::Fmi3, None) => Type::Float64,
            (Kind::Integer | Kind::Long, Standard::Fmi2, None) => Type::Integer,
            (Kind::Integer | Kind::Long, Standard::Fmi3, None) => Type::Int32,
            (Kind::Size, _, None) => Type::Size,
            (Kind::Size, _, Some(_)) => Type::SizeValue,
            (Kind::Boolean, _, None) => Type::Boolean,
            (Kind::Text | Kind::Other, _, None) => Type::Text,
            (Kind::Real, Standard::Fmi2, Some(_)) => Type::RealValue,
            (Kind::Real, Standard::Fmi3, Some(_)) => Type::Float64Value,
            (Kind::Integer | Kind::Long, Standard::Fmi2, Some(_)) => Type::IntegerValue,
            (Kind::Integer | Kind::Long, Standard::Fmi3, Some(_)) => Type::Int32Value,
            (Kind::Boolean, _, Some(_)) => Type::BooleanValue,
            (Kind::Text | Kind::Other, _, Some(_)) => Type::TextValue,
        };
        make(Unit { value, unit })
    }
}

#[derive(Serialize)]
struct Unit<'a> {
    #[serde(rename = "@value", skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    #[serde(rename = "@unit", skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
}

#[derive(Serialize)]
struct Bindings<'a> {
    #[serde(rename = "ssd:ParameterBinding")]
    binding: Binding<'a>,
}

#[derive(Serialize)]
struct Binding<'a> {
    #[serde(rename = "ssd:ParameterValues")]
    values: Values<'a>,
}

#[derive(Serialize)]
struct Values<'a> {
    #[serde(rename = "ssv:ParameterSet")]
    set: Set<'a>,
}

#[derive(Serialize)]
struct Set<'a> {
    #[serde(rename = "@version")]
    version: &'a str,
    #[serde(rename = "@name")]
    name: &'a str,
    #[serde(rename = "ssv:Parameters")]
    parameters: Parameters<'a>,
}

#[derive(Serialize)]
struct Parameters<'a> {
    #[serde(rename = "ssv:Parameter")]
    parameters: Vec<Parameter<'a>>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    #[serde(rename = "@name")]
    name: &'a str,
    #[serde(rename = "$value")]
    value: Type<'a>,
}

impl<'a> Bindings<'a> {
    fn of(parameters: Vec<Parameter<'a>>, version: &'a str) -> Option<Bindings<'a>> {
        let set = Set { version, name: "values", parameters: Parameters { parameters } };
        let is_empty = set.parameters.parameters.is_empty();
        let values = Values { set };
        let binding = Binding { values };
        (!is_empty).then_some(Bindings { binding })
    }
}

/// Units of an FMU's description, which an SSP writes in the same words.
#[derive(Deserialize)]
struct Definitions {
    #[serde(rename = "UnitDefinitions")]
    units: UnitDefinitions,
}

#[derive(Deserialize, Serialize)]
struct UnitDefinitions {
    #[serde(rename(deserialize = "Unit", serialize = "ssc:Unit"))]
    units: Vec<UnitDefinition>,
}

#[derive(Deserialize, Serialize)]
struct UnitDefinition {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename(deserialize = "BaseUnit", serialize = "ssc:BaseUnit"), default)]
    base: BaseUnit,
}

/// Exponents, which are 0 where they are not there.
#[derive(Deserialize, Serialize, Default)]
struct BaseUnit {
    #[serde(rename = "@kg", skip_serializing_if = "Option::is_none")]
    kg: Option<i32>,
    #[serde(rename = "@m", skip_serializing_if = "Option::is_none")]
    m: Option<i32>,
    #[serde(rename = "@s", skip_serializing_if = "Option::is_none")]
    s: Option<i32>,
    #[serde(rename = "@rad", skip_serializing_if = "Option::is_none")]
    rad: Option<i32>,
    #[serde(rename = "@factor", skip_serializing_if = "Option::is_none")]
    factor: Option<f64>,
}
