//! `modelDescription.xml` of a linear model.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::{Channel, Role, StateSpace};
use crate::fmu::description::{LOG_CATEGORIES, TOOL, UNITS, number};
use crate::fmu::report::Refusal;

type Xml = Writer<Vec<u8>>;

impl StateSpace {
    /// Text of `modelDescription.xml`, with the date of generation where one is wanted.
    ///
    /// # Errors
    /// Never in practice: memory does not refuse bytes.
    pub fn model_description(&self, generated_at: Option<&str>) -> Result<String, Refusal> {
        self.written(generated_at).map_err(|fault| Refusal::error(fault.to_string()))
    }

    fn written(&self, generated_at: Option<&str>) -> io::Result<String> {
        let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let mut root = vec![
            ("fmiVersion", "2.0"),
            ("modelName", self.name.as_str()),
            ("guid", self.guid.as_str()),
            ("description", self.description.as_str()),
            ("generationTool", TOOL),
        ];
        root.extend(generated_at.map(|date| ("generationDateAndTime", date)));
        root.push(("variableNamingConvention", "structured"));
        root.push(("numberOfEventIndicators", "0"));
        xml.create_element("fmiModelDescription").with_attributes(root).write_inner_content(
            |xml| {
                self.uses(xml)?;
                for fragment in [UNITS, LOG_CATEGORIES] {
                    write!(xml.get_mut(), "\n  {}", fragment.trim_end())?;
                }
                let [stop, step] = self.experiment.map(number);
                let experiment = [
                    ("startTime", "0.0"),
                    ("stopTime", stop.as_str()),
                    ("stepSize", step.as_str()),
                ];
                xml.create_element("DefaultExperiment")
                    .with_attributes(experiment)
                    .write_empty()?;
                xml.create_element("ModelVariables").write_inner_content(|xml| {
                    (0..self.variables()).try_for_each(|place| self.variable(xml, place))
                })?;
                self.structure(xml)
            },
        )?;
        let mut bytes = xml.into_inner();
        bytes.push(b'\n');
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    fn uses(&self, xml: &mut Xml) -> io::Result<()> {
        let shared = [
            ("canBeInstantiatedOnlyOncePerProcess", "false"),
            ("canNotUseMemoryManagementFunctions", "true"),
            ("canGetAndSetFMUstate", "true"),
            ("canSerializeFMUstate", "true"),
            ("providesDirectionalDerivative", "true"),
        ];
        let first = [("modelIdentifier", self.name.as_str()), ("needsExecutionTool", "false")];
        xml.create_element("ModelExchange")
            .with_attributes(first)
            .with_attribute(("completedIntegratorStepNotNeeded", "true"))
            .with_attributes(shared)
            .write_empty()?;
        xml.create_element("CoSimulation")
            .with_attributes(first)
            .with_attributes([
                ("canHandleVariableCommunicationStepSize", "true"),
                ("canInterpolateInputs", "true"),
                ("maxOutputDerivativeOrder", "1"),
                ("canRunAsynchronuously", "false"),
            ])
            .with_attributes(shared)
            .write_empty()
            .map(drop)
    }

    fn variable(&self, xml: &mut Xml, place: usize) -> io::Result<()> {
        let reference = place.to_string();
        let Some(role) = u32::try_from(place).ok().and_then(|place| self.role(place)) else {
            return Ok(());
        };
        let name = self.label(role);
        let (description, causality, initial) = match role {
            Role::Input(k) => (self.said(&self.inputs[k]), "input", None),
            Role::Output(k) => (self.said(&self.outputs[k]), "output", Some("calculated")),
            Role::State(k) => (self.states[k].clone(), "local", Some("exact")),
            Role::Derivative(_) => (String::new(), "local", Some("calculated")),
        };
        let mut attributes = vec![("name", name.as_str()), ("valueReference", &reference)];
        if !description.is_empty() {
            attributes.push(("description", &description));
        }
        attributes.push(("causality", causality));
        attributes.push(("variability", "continuous"));
        attributes.extend(initial.map(|initial| ("initial", initial)));
        let (start, of);
        let mut own: Vec<(&str, &str)> = Vec::new();
        match role {
            Role::Input(k) => {
                own.extend(unit(&self.inputs[k]));
                start = number(self.inputs[k].value);
                own.push(("start", &start));
            }
            Role::Output(k) => own.extend(unit(&self.outputs[k])),
            Role::State(_) => own.push(("start", "0.0")),
            Role::Derivative(_) => {
                of = (place - self.states.len() + 1).to_string();
                own.push(("derivative", &of));
            }
        }
        xml.create_element("ScalarVariable")
            .with_attributes(attributes)
            .write_inner_content(|xml| {
                xml.create_element("Real").with_attributes(own).write_empty().map(drop)
            })
            .map(drop)
    }

    /// What the description says of an input or output.
    fn said(&self, channel: &Channel) -> String {
        let unit = if channel.unit.is_empty() { "" } else { " " };
        format!("linear about {}{unit}{}", number(channel.value), channel.unit)
    }

    /// Outputs, derivatives and their start, with what they follow from: the entries of the matrices that are not 0.
    fn structure(&self, xml: &mut Xml) -> io::Result<()> {
        let roles = || {
            let all = (1_u32..).take(self.variables());
            all.filter_map(|index| Some((index, self.role(index - 1)?)))
        };
        xml.create_element("ModelStructure")
            .write_inner_content(|xml| {
                for list in ["Outputs", "Derivatives", "InitialUnknowns"] {
                    let listed = |role: Role| match role {
                        Role::Output(_) => list != "Derivatives",
                        Role::Derivative(_) => list != "Outputs",
                        Role::Input(_) | Role::State(_) => false,
                    };
                    if !roles().any(|(_, role)| listed(role)) {
                        continue;
                    }
                    xml.create_element(list).write_inner_content(|xml| {
                        roles().filter(|(_, role)| listed(*role)).try_for_each(|(index, role)| {
                            let known = roles().filter(|(_, known)| {
                                self.slope(role, *known).is_some_and(|slope| slope != 0.0)
                            });
                            let known: Vec<String> = known.map(|(k, _)| k.to_string()).collect();
                            xml.create_element("Unknown")
                                .with_attribute(("index", index.to_string().as_str()))
                                .with_attribute(("dependencies", known.join(" ").as_str()))
                                .write_empty()
                                .map(drop)
                        })
                    })?;
                }
                Ok(())
            })
            .map(drop)
    }
}

/// The unit, where the list of units has it.
fn unit(channel: &Channel) -> Option<(&'static str, &str)> {
    let listed = UNITS.contains(&format!("<Unit name=\"{}\">", channel.unit));
    listed.then_some(("unit", channel.unit.as_str()))
}
