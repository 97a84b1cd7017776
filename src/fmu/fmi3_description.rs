//! `modelDescription.xml` of FMI 3.0, written from the same table of variables as that of FMI 2.0.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_xml::events::{BytesDecl, Event};
use quick_xml::{Reader, Writer, XmlVersion};

use super::description::{
    LOG_CATEGORIES, TOOL, TYPES, UNITS, communication_step, default_experiment, printable, said_of,
    unknowns,
};
use super::interface::{Interface, Kind, Own, Role, Variability, Variable};
use crate::system::System;

type Xml = Writer<Vec<u8>>;

/// The model description of a mechanism with the file's own values, for FMI 3.0; arguments as for [`super::model_description`].
///
/// # Errors
/// Never in practice: memory does not refuse bytes.
pub fn model_description_3(
    system: &System, interface: &Interface, guid: &str, generated_at: Option<&str>,
) -> io::Result<String> {
    let model = system.model();
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let name = model.name.as_str();
    let mut root = vec![("fmiVersion", "3.0"), ("modelName", name), ("instantiationToken", guid)];
    let said = said_of(model);
    root.extend(said.iter().map(|(key, text)| (*key, &**text)));
    root.push(("generationTool", TOOL));
    root.extend(generated_at.map(|date| ("generationDateAndTime", date)));
    root.push(("variableNamingConvention", "structured"));
    xml.create_element("fmiModelDescription").with_attributes(root).write_inner_content(|xml| {
        interface_types(xml, name)?;
        write!(xml.get_mut(), "\n  {}", UNITS.trim_end())?;
        types(xml)?;
        write!(xml.get_mut(), "\n  {}", LOG_CATEGORIES.trim_end())?;
        default_experiment(xml, model)?;
        variables(xml, interface)?;
        structure(xml, interface, system)?;
        xml.create_element("Annotations")
            .write_inner_content(|xml| {
                xml.create_element("Annotation")
                    .with_attribute(("type", "coulisse"))
                    .write_inner_content(|xml| communication_step(xml, model))
                    .map(drop)
            })
            .map(drop)
    })?;
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Model Exchange as a sampled block, and co-simulation with events.
fn interface_types(xml: &mut Xml, name: &str) -> io::Result<()> {
    let shared = [
        ("modelIdentifier", name),
        ("canGetAndSetFMUState", "true"),
        ("canSerializeFMUState", "true"),
    ];
    xml.create_element("ModelExchange").with_attributes(shared).write_empty()?;
    xml.create_element("CoSimulation")
        .with_attributes(shared)
        .with_attributes([
            ("providesDirectionalDerivatives", "true"),
            ("providesAdjointDerivatives", "true"),
            ("canHandleVariableCommunicationStepSize", "true"),
            ("maxOutputDerivativeOrder", "2"),
            ("providesIntermediateUpdate", "true"),
            ("mightReturnEarlyFromDoStep", "true"),
            ("canReturnEarlyAfterIntermediateUpdate", "true"),
            ("hasEventMode", "true"),
        ])
        .write_empty()
        .map(drop)
}

type Attributes = Vec<(String, String)>;

/// A type as FMI 3.0 writes it.
#[derive(Default)]
struct Type {
    element: &'static str,
    attributes: Attributes,
    /// Of an enumeration.
    items: Vec<Attributes>,
}

/// The types in the description of FMI 2.0, where what a type says of its values is an element of its own inside it.
fn types_of_fmi2() -> io::Result<Vec<Type>> {
    let mut types: Vec<Type> = Vec::new();
    let mut reader = Reader::from_str(TYPES);
    loop {
        let event = reader.read_event().map_err(io::Error::other)?;
        let tag = match &event {
            Event::Start(tag) | Event::Empty(tag) => tag,
            Event::Eof => return Ok(types),
            _ => continue,
        };
        let attributes = tag.attributes().map(|attribute| {
            let attribute = attribute.map_err(io::Error::other)?;
            let value = attribute.normalized_value(XmlVersion::default());
            let value = value.map_err(io::Error::other)?.into_owned();
            Ok((attribute.key.as_ref().to_owned(), value))
        });
        let attributes = attributes.collect::<io::Result<Attributes>>()?;
        match (tag.name().as_ref(), types.last_mut()) {
            ("SimpleType", _) => types.push(Type { attributes, ..Type::default() }),
            ("Item", Some(last)) => last.items.push(attributes),
            (values, Some(last)) => {
                last.element = match values {
                    "Enumeration" => "EnumerationType",
                    _ => "Float64Type",
                };
                last.attributes.extend(attributes);
            }
            (_, None) => {}
        }
    }
}

fn types(xml: &mut Xml) -> io::Result<()> {
    let types = types_of_fmi2()?;
    xml.create_element("TypeDefinitions")
        .write_inner_content(|xml| {
            types.iter().try_for_each(|of| {
                let element = xml.create_element(of.element).with_attributes(pairs(&of.attributes));
                if of.items.is_empty() {
                    return element.write_empty().map(drop);
                }
                element
                    .write_inner_content(|xml| {
                        of.items.iter().try_for_each(|item| {
                            let element = xml.create_element("Item");
                            element.with_attributes(pairs(item)).write_empty().map(drop)
                        })
                    })
                    .map(drop)
            })
        })
        .map(drop)
}

fn pairs(attributes: &Attributes) -> impl Iterator<Item = (&str, &str)> {
    attributes.iter().map(|(key, text)| (key.as_str(), text.as_str()))
}

impl Kind {
    /// Name of the type in FMI 3.0.
    fn name_3(self) -> &'static str {
        match self {
            Kind::Real => "Float64",
            Kind::Integer => "Int32",
            Kind::Boolean => "Boolean",
            Kind::Enumeration => "Enumeration",
            Kind::Text | Kind::Other => "String",
            Kind::Size => "UInt64",
        }
    }
}

/// The variables, each with the other names of its quantity inside it, arrays as one.
fn variables(xml: &mut Xml, interface: &Interface) -> io::Result<()> {
    let mut aliases: BTreeMap<u32, Vec<&Variable>> = BTreeMap::new();
    let mut firsts = Vec::new();
    let table = (0_u32..).zip(interface.variables());
    for (place, v) in table.filter(|(_, v)| !v.is_inside_array()) {
        match v.reference == place {
            true => firsts.push(v),
            false => aliases.entry(v.reference).or_default().push(v),
        }
    }
    let own: Vec<Variable> = interface.own_variables().collect();
    xml.create_element("ModelVariables")
        .write_inner_content(|xml| {
            firsts.into_iter().chain(&own).try_for_each(|v| {
                variable(xml, v, aliases.get(&v.reference).map_or(&[], Vec::as_slice))
            })
        })
        .map(drop)
}

fn variable(xml: &mut Xml, v: &Variable, aliases: &[&Variable]) -> io::Result<()> {
    let reference = v.reference.to_string();
    let quantity = format!("{:?}", v.quantity);
    let values = v.values();
    let description = printable(v.element.as_ref().map_or(&v.description, |array| &array.text));
    let mut attributes = vec![("name", v.array_name()), ("valueReference", &reference)];
    if !description.is_empty() {
        attributes.push(("description", &description));
    }
    let causality = if v.structural { "structuralParameter" } else { v.role.causality() };
    attributes.push(("causality", causality));
    attributes.push(("variability", v.variability.name()));
    attributes.extend(v.initial().map(|initial| ("initial", initial)));
    let continuous = v.variability == Variability::Continuous;
    if continuous && matches!(v.role, Role::Input(_) | Role::Output(_)) {
        attributes.push(("intermediateUpdate", "true"));
    }
    if v.kind != Kind::Text && v.role != Role::Own(Own::Count) && !v.structural {
        attributes.extend(v.typed(&quantity));
    }
    if v.relative {
        attributes.push(("relativeQuantity", "true"));
    }
    attributes.extend(values.iter().map(|(key, text)| (*key, text.as_str())));
    let kind = if v.structural { Kind::Size } else { v.kind };
    let element = xml.create_element(kind.name_3()).with_attributes(attributes);
    let size = v.element.as_ref().map(|array| array.of.to_string());
    if aliases.is_empty() && size.is_none() {
        return element.write_empty().map(drop);
    }
    element
        .write_inner_content(|xml| {
            if let Some(size) = &size {
                let dimension = xml.create_element("Dimension");
                dimension.with_attribute(("start", size.as_str())).write_empty()?;
            }
            aliases.iter().try_for_each(|alias| {
                let description = printable(&alias.description);
                let said =
                    Some(("description", &*description)).filter(|(_, text)| !text.is_empty());
                xml.create_element("Alias")
                    .with_attribute(("name", alias.name.as_str()))
                    .with_attributes(said)
                    .write_empty()
                    .map(drop)
            })
        })
        .map(drop)
}

/// Outputs and initial unknowns with what they follow from; events may follow from everything.
fn structure(xml: &mut Xml, interface: &Interface, system: &System) -> io::Result<()> {
    let table = interface.variables();
    xml.create_element("ModelStructure")
        .write_inner_content(|xml| {
            for (element, at_start) in [("Output", false), ("InitialUnknown", true)] {
                for (place, known) in unknowns(interface, system, at_start) {
                    // Another name of a quantity is no variable here, and all elements of an array follow from the same.
                    if table[place].reference as usize != place || table[place].is_inside_array() {
                        continue;
                    }
                    let known = known.map(|known| {
                        let known = known.iter().filter(|k| !table[**k].structural);
                        let references = known.map(|k| table[*k].reference.to_string());
                        references.collect::<Vec<_>>().join(" ")
                    });
                    let known = known.as_deref().map(|known| ("dependencies", known));
                    xml.create_element(element)
                        .with_attribute(("valueReference", place.to_string().as_str()))
                        .with_attributes(known)
                        .write_empty()?;
                }
                let own = interface.own_variables().filter(|v| v.role.causality() == "output");
                for v in own {
                    xml.create_element(element)
                        .with_attribute(("valueReference", v.reference.to_string().as_str()))
                        .write_empty()?;
                }
            }
            Ok(())
        })
        .map(drop)
}
