//! `modelDescription.xml`, written from the variable table.

use std::borrow::Cow;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::dependencies::Dependencies;
use super::interface::{Interface, Kind, Role, Variable};
use crate::checked::Checked;
use crate::checked::{InputVariable, Reconstruction};
use crate::system::System;

/// Units, with the display units that engineers use; the same in every description.
pub(super) const UNITS: &str = include_str!("../../modelDescription/units.xml");
/// One type per physical quantity.
pub(super) const TYPES: &str = include_str!("../../modelDescription/types.xml");
pub(super) const LOG_CATEGORIES: &str = include_str!("../../modelDescription/log_categories.xml");

/// The tool that writes descriptions, with its version.
pub const TOOL: &str = concat!("coulisse ", env!("CARGO_PKG_VERSION"));

/// The model description of a mechanism with the file's own values.
///
/// `guid` comes from [`super::guid()`]; `generated_at` is the time of generation as
/// `YYYY-MM-DDThh:mm:ssZ`, left out where the same model must give the same bytes.
///
/// # Errors
/// Never in practice: memory does not refuse bytes.
pub fn model_description(
    system: &System, interface: &Interface, guid: &str, generated_at: Option<&str>,
) -> io::Result<String> {
    let model = system.model();
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut root = vec![("fmiVersion", "2.0"), ("modelName", model.name.as_str()), ("guid", guid)];
    let said = said_of(model);
    root.extend(said.iter().map(|(key, text)| (*key, &**text)));
    root.push(("generationTool", TOOL));
    if let Some(date) = generated_at {
        root.push(("generationDateAndTime", date));
    }
    root.push(("variableNamingConvention", "structured"));
    root.push(("numberOfEventIndicators", "0"));
    xml.create_element("fmiModelDescription").with_attributes(root).write_inner_content(|xml| {
        model_exchange(xml, &model.name)?;
        co_simulation(xml, &model.name)?;
        for fragment in [UNITS, TYPES, LOG_CATEGORIES] {
            // The writer indents what comes next, not what is inserted behind its back.
            write!(xml.get_mut(), "\n  {}", fragment.trim_end())?;
        }
        default_experiment(xml, model)?;
        annotations(xml, model)?;
        xml.create_element("ModelVariables").write_inner_content(|xml| {
            let mut variables = interface.variables().iter();
            variables.try_for_each(|v| scalar_variable(xml, v))
        })?;
        structure(xml, interface, system)
    })?;
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// What the file says of its model: attributes of the description, as far as they are there.
pub(super) fn said_of(model: &Checked) -> Vec<(&'static str, Cow<'_, str>)> {
    let about = &model.about;
    let description = Some(&model.description).filter(|text| !printable(text).is_empty());
    let said = [
        ("description", description),
        ("author", about.author.as_ref()),
        ("version", about.version.as_ref()),
        ("copyright", about.copyright.as_ref()),
        ("license", about.license.as_ref()),
    ];
    said.into_iter().filter_map(|(key, text)| Some((key, printable(text?)))).collect()
}

/// As a sampled block: no states, so no derivatives of them.
fn model_exchange(xml: &mut Writer<Vec<u8>>, name: &str) -> io::Result<()> {
    xml.create_element("ModelExchange")
        .with_attributes([
            ("modelIdentifier", name),
            ("needsExecutionTool", "false"),
            ("completedIntegratorStepNotNeeded", "true"),
            ("canBeInstantiatedOnlyOncePerProcess", "false"),
            ("canNotUseMemoryManagementFunctions", "true"),
            ("canGetAndSetFMUstate", "true"),
            ("canSerializeFMUstate", "true"),
            ("providesDirectionalDerivative", "false"),
        ])
        .write_empty()
        .map(drop)
}

fn co_simulation(xml: &mut Writer<Vec<u8>>, name: &str) -> io::Result<()> {
    xml.create_element("CoSimulation")
        .with_attributes([
            ("modelIdentifier", name),
            ("needsExecutionTool", "false"),
            ("canHandleVariableCommunicationStepSize", "true"),
            ("canInterpolateInputs", "true"),
            ("maxOutputDerivativeOrder", "2"),
            ("canRunAsynchronuously", "false"),
            ("canBeInstantiatedOnlyOncePerProcess", "false"),
            ("canNotUseMemoryManagementFunctions", "true"),
            ("canGetAndSetFMUstate", "true"),
            ("canSerializeFMUstate", "true"),
            ("providesDirectionalDerivative", "true"),
        ])
        .write_empty()
        .map(drop)
}

/// The default run. Hosts take `tolerance` as that of an integration, so it is there only where steps follow `solver.tolerance`.
pub(super) fn default_experiment(xml: &mut Writer<Vec<u8>>, model: &Checked) -> io::Result<()> {
    let stop = number(model.experiment.stop_time);
    let step = number(model.experiment.communication_step);
    let tolerance = model.solver.tolerance.map(number);
    let mut attributes = vec![("startTime", "0.0"), ("stopTime", stop.as_str())];
    attributes.extend(tolerance.as_deref().map(|tolerance| ("tolerance", tolerance)));
    attributes.push(("stepSize", step.as_str()));
    xml.create_element("DefaultExperiment").with_attributes(attributes).write_empty().map(drop)
}

/// What the standard has no attribute for: the communication step to prefer and the substep inside,
/// and what the inputs do during a step. Not beside the inputs themselves, where the standard has
/// room too: there are hosts that stop at annotations of a variable.
fn annotations(xml: &mut Writer<Vec<u8>>, model: &Checked) -> io::Result<()> {
    xml.create_element("VendorAnnotations")
        .write_inner_content(|xml| {
            xml.create_element("Tool")
                .with_attribute(("name", "coulisse"))
                .write_inner_content(|xml| communication_step(xml, model))
                .map(drop)
        })
        .map(drop)
}

/// One element, with all that we have to say inside it: the schema of FMI 2.0 takes no second.
pub(super) fn communication_step(xml: &mut Writer<Vec<u8>>, model: &Checked) -> io::Result<()> {
    let preferred = number(model.experiment.communication_step);
    let longest = number(model.solver.step);
    let step = xml.create_element("CommunicationStep").with_attributes([
        ("preferred", preferred.as_str()),
        ("longestSubstep", longest.as_str()),
        ("unit", "s"),
    ]);
    let inputs = &model.inputs;
    if inputs.is_empty() {
        return step.write_empty().map(drop);
    }
    step.write_inner_content(|xml| inputs.iter().try_for_each(|input| reconstruction(xml, input)))
        .map(drop)
}

fn scalar_variable(xml: &mut Writer<Vec<u8>>, v: &Variable) -> io::Result<()> {
    let reference = v.reference.to_string();
    let description = printable(&v.description);
    let mut attributes = vec![("name", v.name.as_str()), ("valueReference", &reference)];
    if !description.is_empty() {
        attributes.push(("description", &description));
    }
    attributes.push(("causality", v.role.causality()));
    attributes.push(("variability", v.variability.name()));
    if let Some(initial) = v.initial() {
        attributes.push(("initial", initial));
    }
    xml.create_element("ScalarVariable")
        .with_attributes(attributes)
        .write_inner_content(|xml| {
            let values = v.values();
            let quantity = format!("{:?}", v.quantity);
            let attributes = v.typed(&quantity).into_iter();
            let attributes =
                attributes.chain(values.iter().map(|(key, text)| (*key, text.as_str())));
            xml.create_element(v.kind.name()).with_attributes(attributes).write_empty().map(drop)
        })
        .map(drop)
}

impl Variable {
    /// Range, nominal value and start, as far as there are any.
    pub(super) fn values(&self) -> Vec<(&'static str, String)> {
        let values = [
            ("min", self.range[0]),
            ("max", self.range[1]),
            ("nominal", self.nominal),
            ("start", self.start),
        ];
        { values.into_iter() }
            .filter_map(|(key, value)| Some((key, self.kind.text(value?))))
            .collect()
    }

    /// The type, named as its `quantity`, and the unit.
    pub(super) fn typed<'a>(&self, quantity: &'a str) -> Vec<(&'static str, &'a str)> {
        let mut attributes = Vec::new();
        if self.has_unit() || self.kind == Kind::Enumeration {
            attributes.push(("declaredType", quantity));
            // Inherited from the type, but not every host looks there.
            if !self.quantity.unit().is_empty() {
                attributes.push(("unit", self.quantity.unit()));
            }
        }
        attributes
    }
}

/// Writes of which instant a host sets an input before it asks for a step.
fn reconstruction(xml: &mut Writer<Vec<u8>>, input: &InputVariable) -> io::Result<()> {
    let (name, instant) = match input.reconstruction {
        Reconstruction::Hold => ("hold", "start of the step"),
        Reconstruction::Linear => ("linear", "end of the step"),
        Reconstruction::Cubic => ("cubic", "end of the step"),
    };
    xml.create_element("Input")
        .with_attributes([
            ("name", input.path.as_str()),
            ("reconstruction", name),
            ("valueOf", instant),
        ])
        .write_empty()
        .map(drop)
}

/// A variable that follows from others, by its place in the table, with the places of those; `None` where that may be all.
pub(super) type Unknown = (usize, Option<Vec<usize>>);

/// Outputs after a step, or `at_start` the initial unknowns, which are the outputs and the calculated parameters, with what they follow from.
/// With switches that depends on what is on: each may then follow from all, which is what no list says.
pub(super) fn unknowns(interface: &Interface, system: &System, at_start: bool) -> Vec<Unknown> {
    let model = system.model();
    let dependencies = model.switches.is_empty().then(|| Dependencies::of(system));
    let variables = || interface.variables().iter().enumerate();
    // What only follows is nothing that others follow from.
    let knowns = variables().filter(|(_, v)| matches!(v.role, Role::Parameter(_) | Role::Input(_)));
    let knowns: Vec<(usize, Role)> = knowns.map(|(place, v)| (place, v.role)).collect();
    let follows = variables().filter_map(|(place, v)| match v.role {
        Role::Output(k) => Some((place, model.outputs[k].output)),
        Role::Calculated(k) if at_start => Some((place, model.calculated[k].output)),
        _ => None,
    });
    let with_knowns = follows.map(|(place, output)| {
        let known = dependencies.as_ref().map(|dependencies| {
            let known = knowns.iter().filter(|(_, role)| match at_start {
                false => dependencies.in_a_step(output, *role),
                true => dependencies.at_the_start(output, *role),
            });
            known.map(|(place, _)| *place).collect()
        });
        (place, known)
    });
    with_knowns.collect()
}

/// The lists of unknowns; the schema wants at least one entry in each.
fn structure(xml: &mut Writer<Vec<u8>>, interface: &Interface, system: &System) -> io::Result<()> {
    let lists = [("Outputs", false), ("InitialUnknowns", true)];
    let index = |place: usize| (place + 1).to_string();
    xml.create_element("ModelStructure")
        .write_inner_content(|xml| {
            for (list, at_start) in lists {
                let unknowns = unknowns(interface, system, at_start);
                if unknowns.is_empty() {
                    continue;
                }
                xml.create_element(list).write_inner_content(|xml| {
                    unknowns.iter().try_for_each(|(place, known)| {
                        let known = known.as_ref().map(|known| {
                            known.iter().map(|k| index(*k)).collect::<Vec<_>>().join(" ")
                        });
                        let known = known.as_deref().map(|known| ("dependencies", known));
                        xml.create_element("Unknown")
                            .with_attribute(("index", index(*place).as_str()))
                            .with_attributes(known)
                            .write_empty()
                            .map(drop)
                    })
                })?;
            }
            Ok(())
        })
        .map(drop)
}

impl Kind {
    /// A value as the description writes it.
    pub fn text(self, value: f64) -> String {
        match self {
            Kind::Boolean => (value != 0.0).to_string(),
            Kind::Integer | Kind::Enumeration | Kind::Size => format!("{value:.0}"),
            Kind::Real | Kind::Text | Kind::Other => number(value),
        }
    }
}

/// The shortest text that reads back as the same number.
pub(super) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// A text without what XML 1.0 cannot write: control characters and the two that are none.
pub fn printable(text: &str) -> Cow<'_, str> {
    let foreign = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    if text.contains(foreign) {
        Cow::Owned(text.replace(foreign, " "))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::regime::Regime;
    use crate::quantity::Quantity;

    #[test]
    fn every_quantity_has_its_type_and_its_unit() {
        for quantity in Quantity::ALL {
            let unit = match quantity.unit() {
                "" => String::new(),
                unit => {
                    assert!(UNITS.contains(&format!("<Unit name=\"{unit}\">")), "{unit}");
                    format!(" unit=\"{unit}\"")
                }
            };
            assert!(TYPES.contains(&format!("<SimpleType name=\"{quantity:?}\"")));
            assert!(TYPES.contains(&format!("<Real quantity=\"{quantity:?}\"{unit}/>")));
        }
    }

    #[test]
    fn every_regime_has_its_item() {
        let described: Vec<&str> =
            TYPES.lines().filter(|l| l.trim().starts_with("<Item ")).collect();
        assert_eq!(described.len(), Regime::KINDS.len());
        for (regime, line) in Regime::KINDS.into_iter().zip(described) {
            let (name, number) = (regime.name(), regime.number());
            let item = format!("<Item name=\"{name}\" value=\"{number}\" ");
            assert!(line.contains(&item), "{line}");
        }
    }

    #[test]
    fn numbers_read_back_as_the_same_bits() {
        for value in [0.1, 1e300, -5e-324, 47.04e9, -0.0] {
            let back: f64 = number(value).parse().expect("a number");
            assert_eq!(back.to_bits(), value.to_bits());
        }
    }
}
