//! `modelDescription.xml` of a linear model.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::{Channel, Role, StateSpace};
use crate::fmu::description::{LOG_CATEGORIES, TOOL, UNITS, number};
use crate::fmu::report::Refusal;

type Xml = Writer<Vec<u8>>;

/// The standard of a description. In FMI 3.0 variables have no element inside, and the structure names them by their value references.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standard {
    Fmi2,
    Fmi3,
}

impl StateSpace {
    /// Text of `modelDescription.xml`, with the date of generation where one is wanted.
    ///
    /// # Errors
    /// Never in practice: memory does not refuse bytes.
    pub fn model_description(&self, generated_at: Option<&str>) -> Result<String, Refusal> {
        self.written(Standard::Fmi2, generated_at)
            .map_err(|fault| Refusal::error(fault.to_string()))
    }

    /// Text of `modelDescription.xml` of FMI 3.0; see [`StateSpace::model_description`].
    ///
    /// # Errors
    /// Never in practice: memory does not refuse bytes.
    pub fn model_description_3(&self, generated_at: Option<&str>) -> Result<String, Refusal> {
        self.written(Standard::Fmi3, generated_at)
            .map_err(|fault| Refusal::error(fault.to_string()))
    }

    fn written(&self, standard: Standard, generated_at: Option<&str>) -> io::Result<String> {
        let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let (version, token) = match standard {
            Standard::Fmi2 => ("2.0", "guid"),
            Standard::Fmi3 => ("3.0", "instantiationToken"),
        };
        let mut root = vec![
            ("fmiVersion", version),
            ("modelName", self.name.as_str()),
            (token, self.guid.as_str()),
            ("description", self.description.as_str()),
            ("generationTool", TOOL),
        ];
        root.extend(generated_at.map(|date| ("generationDateAndTime", date)));
        root.push(("variableNamingConvention", "structured"));
        root.extend((standard == Standard::Fmi2).then_some(("numberOfEventIndicators", "0")));
        xml.create_element("fmiModelDescription").with_attributes(root).write_inner_content(
            |xml| {
                self.uses(xml, standard)?;
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
                    self.roles(standard).try_for_each(|(reference, role)| {
                        self.variable(xml, standard, reference, role)
                    })
                })?;
                self.structure(xml, standard)
            },
        )?;
        let mut bytes = xml.into_inner();
        bytes.push(b'\n');
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    /// Value references with what they stand for.
    fn roles(&self, standard: Standard) -> impl Iterator<Item = (u32, Role)> + '_ {
        (0_u32..).map_while(move |reference| {
            Some((reference, self.role(reference, standard == Standard::Fmi3)?))
        })
    }

    fn uses(&self, xml: &mut Xml, standard: Standard) -> io::Result<()> {
        let identifier = ("modelIdentifier", self.name.as_str());
        let (shared, of_equations, of_steps): (&[_], &[_], &[_]) = match standard {
            Standard::Fmi2 => (
                &[
                    ("needsExecutionTool", "false"),
                    ("canBeInstantiatedOnlyOncePerProcess", "false"),
                    ("canNotUseMemoryManagementFunctions", "true"),
                    ("canGetAndSetFMUstate", "true"),
                    ("canSerializeFMUstate", "true"),
                    ("providesDirectionalDerivative", "true"),
                ],
                &[("completedIntegratorStepNotNeeded", "true")],
                &[
                    ("canHandleVariableCommunicationStepSize", "true"),
                    ("canInterpolateInputs", "true"),
                    ("maxOutputDerivativeOrder", "1"),
                    ("canRunAsynchronuously", "false"),
                ],
            ),
            Standard::Fmi3 => (
                &[
                    ("canGetAndSetFMUState", "true"),
                    ("canSerializeFMUState", "true"),
                    ("providesDirectionalDerivatives", "true"),
                    ("providesAdjointDerivatives", "true"),
                ],
                &[],
                &[
                    ("canHandleVariableCommunicationStepSize", "true"),
                    ("maxOutputDerivativeOrder", "1"),
                ],
            ),
        };
        for (element, own) in [("ModelExchange", of_equations), ("CoSimulation", of_steps)] {
            xml.create_element(element)
                .with_attribute(identifier)
                .with_attributes(shared.iter().chain(own).copied())
                .write_empty()?;
        }
        Ok(())
    }

    fn variable(
        &self, xml: &mut Xml, standard: Standard, reference: u32, role: Role,
    ) -> io::Result<()> {
        let name = self.label(role);
        let (description, causality, initial) = match role {
            Role::Input(k) => (self.said(&self.inputs[k]), "input", None),
            Role::Output(k) => (self.said(&self.outputs[k]), "output", Some("calculated")),
            Role::State(k) => (self.states[k].clone(), "local", Some("exact")),
            Role::Derivative(_) => (String::new(), "local", Some("calculated")),
            Role::Time => ("Time".to_owned(), "independent", None),
        };
        let text = reference.to_string();
        let mut attributes = vec![("name", name.as_str()), ("valueReference", text.as_str())];
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
                let states = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
                of = key(standard, reference - states);
                own.push(("derivative", &of));
            }
            Role::Time => own.push(("unit", "s")),
        }
        match standard {
            Standard::Fmi2 => xml
                .create_element("ScalarVariable")
                .with_attributes(attributes)
                .write_inner_content(|xml| {
                    xml.create_element("Real").with_attributes(own).write_empty().map(drop)
                })
                .map(drop),
            Standard::Fmi3 => xml
                .create_element("Float64")
                .with_attributes(attributes)
                .with_attributes(own)
                .write_empty()
                .map(drop),
        }
    }

    /// What the description says of an input or output.
    fn said(&self, channel: &Channel) -> String {
        let unit = if channel.unit.is_empty() { "" } else { " " };
        format!("linear about {}{unit}{}", number(channel.value), channel.unit)
    }

    /// Outputs, derivatives and their start, with what they follow from: the entries of the matrices that are not 0.
    fn structure(&self, xml: &mut Xml, standard: Standard) -> io::Result<()> {
        let lists = [
            ("Outputs", "Output", [true, false]),
            ("Derivatives", "ContinuousStateDerivative", [false, true]),
            ("InitialUnknowns", "InitialUnknown", [true, true]),
        ];
        let listed = |role: Role, [outputs, derivatives]: [bool; 2]| match role {
            Role::Output(_) => outputs,
            Role::Derivative(_) => derivatives,
            Role::Input(_) | Role::State(_) | Role::Time => false,
        };
        xml.create_element("ModelStructure")
            .write_inner_content(|xml| {
                for (list, entry, which) in lists {
                    let mut roles =
                        self.roles(standard).filter(|(_, role)| listed(*role, which)).peekable();
                    match standard {
                        Standard::Fmi3 => {
                            roles.try_for_each(|role| self.unknown(xml, standard, entry, role))?;
                        }
                        Standard::Fmi2 if roles.peek().is_some() => {
                            xml.create_element(list).write_inner_content(|xml| {
                                roles.try_for_each(|role| {
                                    self.unknown(xml, standard, "Unknown", role)
                                })
                            })?;
                        }
                        Standard::Fmi2 => {}
                    }
                }
                Ok(())
            })
            .map(drop)
    }

    fn unknown(
        &self, xml: &mut Xml, standard: Standard, element: &str, (reference, role): (u32, Role),
    ) -> io::Result<()> {
        let known = self
            .roles(standard)
            .filter(|(_, known)| self.slope(role, *known).is_some_and(|slope| slope != 0.0));
        let known: Vec<String> = known.map(|(reference, _)| key(standard, reference)).collect();
        let name = match standard {
            Standard::Fmi2 => "index",
            Standard::Fmi3 => "valueReference",
        };
        xml.create_element(element)
            .with_attribute((name, key(standard, reference).as_str()))
            .with_attribute(("dependencies", known.join(" ").as_str()))
            .write_empty()
            .map(drop)
    }
}

/// What names a variable in the structure: its number from 1 on in FMI 2.0.
fn key(standard: Standard, reference: u32) -> String {
    match standard {
        Standard::Fmi2 => u64::from(reference) + 1,
        Standard::Fmi3 => u64::from(reference),
    }
    .to_string()
}

/// The unit, where the list of units has it.
fn unit(channel: &Channel) -> Option<(&'static str, &str)> {
    let listed = UNITS.contains(&format!("<Unit name=\"{}\">", channel.unit));
    listed.then_some(("unit", channel.unit.as_str()))
}
