//! The one table of variables that a host sees.

use crate::model::checked::{Checked, Output};
use crate::model::quantity::Quantity;

/// FMI type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Boolean,
    /// No variable has it; the calls for it exist.
    Text,
}

impl Kind {
    /// Name as in the FMI functions and the model description.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Real => "Real",
            Kind::Integer => "Integer",
            Kind::Boolean => "Boolean",
            Kind::Text => "String",
        }
    }

    fn of(quantity: Quantity) -> Kind {
        match quantity {
            Quantity::Truth => Kind::Boolean,
            Quantity::Count => Kind::Integer,
            _ => Kind::Real,
        }
    }
}

/// What a variable stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// The independent variable.
    Time,
    /// Index in [`Checked::parameters`].
    Parameter(usize),
    /// Index in [`Checked::inputs`].
    Input(usize),
    Output(Output),
}

impl Role {
    /// Causality as FMI spells it.
    pub fn causality(self) -> &'static str {
        match self {
            Role::Time => "independent",
            Role::Parameter(_) => "parameter",
            Role::Input(_) => "input",
            Role::Output(_) => "output",
        }
    }
}

/// One variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Dotted path, the same as in the model file.
    pub name: String,
    pub role: Role,
    pub kind: Kind,
    pub quantity: Quantity,
    pub description: String,
    /// Whether this parameter may be set between communication steps too.
    pub tunable: bool,
    /// Value in the file, for parameters and inputs.
    pub start: Option<f64>,
}

impl Variable {
    /// Whether the host may set it before initialization ends.
    pub fn is_parameter(&self) -> bool {
        matches!(self.role, Role::Parameter(_))
    }

    /// Variability as FMI spells it.
    pub fn variability(&self) -> &'static str {
        match (self.role, self.kind) {
            (Role::Parameter(_), _) if self.tunable => "tunable",
            (Role::Parameter(_), _) => "fixed",
            (_, Kind::Real) => "continuous",
            (_, _) => "discrete",
        }
    }

    /// How the initial value comes about, as FMI spells it; `None` where FMI forbids to say so.
    pub fn initial(&self) -> Option<&'static str> {
        match self.role {
            Role::Time | Role::Input(_) => None,
            Role::Parameter(_) => Some("exact"),
            Role::Output(_) => Some("calculated"),
        }
    }
}

/// All variables: time, then parameters, inputs and outputs in the order of the model. The value
/// reference of a variable is its place in this table.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    variables: Vec<Variable>,
}

impl Interface {
    /// The table of a model.
    pub fn of(model: &Checked) -> Interface {
        let time = Variable {
            name: "time".to_owned(),
            role: Role::Time,
            kind: Kind::Real,
            quantity: Quantity::Time,
            description: "Simulation time".to_owned(),
            tunable: false,
            start: None,
        };
        let parameters = model.parameters.iter().enumerate().map(|(i, p)| Variable {
            name: p.path.clone(),
            role: Role::Parameter(i),
            kind: Kind::of(p.quantity),
            quantity: p.quantity,
            description: p.description.clone(),
            tunable: p.tunable.is_some(),
            start: Some(p.value),
        });
        let inputs = model.inputs.iter().enumerate().map(|(i, input)| Variable {
            name: input.path.clone(),
            role: Role::Input(i),
            kind: Kind::of(input.quantity),
            quantity: input.quantity,
            description: input.description.clone(),
            tunable: false,
            start: Some(input.start),
        });
        let outputs = model.outputs.iter().map(|o| Variable {
            name: o.path.clone(),
            role: Role::Output(o.output),
            kind: Kind::of(o.quantity),
            quantity: o.quantity,
            description: o.description.clone(),
            tunable: false,
            start: None,
        });
        Interface {
            variables: std::iter::once(time)
                .chain(parameters)
                .chain(inputs)
                .chain(outputs)
                .collect(),
        }
    }

    /// The variables in the order of their value references 0, 1, 2, …
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The variable with a value reference.
    pub fn get(&self, reference: u32) -> Option<&Variable> {
        self.variables.get(usize::try_from(reference).ok()?)
    }

    /// Value reference of the variable with this dotted path.
    pub fn find(&self, name: &str) -> Option<u32> {
        let place = self.variables.iter().position(|v| v.name == name)?;
        u32::try_from(place).ok()
    }
}
