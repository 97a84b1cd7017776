//! The one table of variables that a host sees.

use std::collections::HashMap;
use std::ops::Range;

use crate::checked::{Checked, Output, OutputVariable};
use crate::numerics::plane;
use crate::quantity::Quantity;
use crate::system::outputs;

/// FMI type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Boolean,
    /// Read by the functions for Integer.
    Enumeration,
    /// No variable of a model has it; the calls for it exist.
    Text,
    /// A structural parameter in FMI 3.0; it is an Integer in FMI 2.0.
    Size,
    /// One of FMI 3.0 that no variable has.
    Other,
}

impl Kind {
    /// Name as in the FMI functions and the model description.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Real => "Real",
            Kind::Integer => "Integer",
            Kind::Boolean => "Boolean",
            Kind::Enumeration => "Enumeration",
            Kind::Text => "String",
            Kind::Size => "UInt64",
            Kind::Other => "another",
        }
    }

    /// The type whose FMI functions read and set it.
    pub fn called(self) -> Kind {
        match self {
            Kind::Enumeration => Kind::Integer,
            kind => kind,
        }
    }

    fn of(quantity: Quantity) -> Kind {
        match quantity {
            Quantity::Truth => Kind::Boolean,
            Quantity::Count => Kind::Integer,
            Quantity::JointRegime => Kind::Enumeration,
            _ => Kind::Real,
        }
    }
}

/// A variable that no model names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// The host's time: the independent variable, which FMI 3.0 asks for.
    Time,
    /// Events since the start.
    Count,
    /// Time of the last ones.
    Instant,
    /// What they were.
    What,
}

impl Own {
    /// All of them, in the order of their value references, which follow those of the model's variables.
    pub const ALL: [Own; 4] = [Own::Time, Own::Count, Own::Instant, Own::What];
}

/// What a variable stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// Index in [`Checked::parameters`].
    Parameter(usize),
    /// Index in [`Checked::inputs`].
    Input(usize),
    /// Index in [`Checked::outputs`].
    Output(usize),
    /// Index in [`Checked::calculated`], what follows from the parameters alone.
    Calculated(usize),
    /// Of FMI 3.0 alone.
    Own(Own),
}

impl Role {
    /// Causality as FMI spells it.
    pub fn causality(self) -> &'static str {
        match self {
            Role::Parameter(_) => "parameter",
            Role::Input(_) => "input",
            Role::Output(_) => "output",
            Role::Calculated(_) => "calculatedParameter",
            Role::Own(Own::Time) => "independent",
            Role::Own(_) => "output",
        }
    }
}

/// When a variable may change its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variability {
    /// Until initialization ends.
    Fixed,
    /// Between communication steps, by the host.
    Tunable,
    /// From communication point to communication point, in jumps.
    Discrete,
    Continuous,
}

impl Variability {
    /// Variability as FMI spells it.
    pub fn name(self) -> &'static str {
        match self {
            Variability::Fixed => "fixed",
            Variability::Tunable => "tunable",
            Variability::Discrete => "discrete",
            Variability::Continuous => "continuous",
        }
    }
}

/// One variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Dotted path, the same as in the model file.
    pub name: String,
    /// Value reference: place in the table, of the first one where several names are one quantity.
    pub reference: u32,
    pub role: Role,
    pub kind: Kind,
    pub quantity: Quantity,
    pub variability: Variability,
    pub description: String,
    /// Value in the file, for parameters and inputs.
    pub start: Option<f64>,
    /// Smallest and largest value, where there is one.
    pub range: [Option<f64>; 2],
    /// Usual size of the value, above 0, where the model tells.
    pub nominal: Option<f64>,
    /// Whether it is a difference of two places or angles: display units with an offset would leave that out.
    pub relative: bool,
    /// Whether setting it changes the size of the plan: a structural parameter in FMI 3.0.
    pub structural: bool,
    /// Where it stands in an array of FMI 3.0, if it does.
    pub element: Option<ArrayElement>,
}

/// Where a variable stands in an array, all elements of which follow one another in the table.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayElement {
    /// Counted from 0.
    pub at: u32,
    /// Elements of the array.
    pub of: u32,
    /// What the array is.
    pub text: String,
}

impl Variable {
    /// Whether the host may set it before initialization ends.
    pub fn is_parameter(&self) -> bool {
        matches!(self.role, Role::Parameter(_))
    }

    /// Whether it is an entry of `[parameters]` that may be in any unit: no number of the model is nothing but this parameter, and its
    /// comment names no unit.
    pub fn has_any_unit(&self) -> bool {
        let is_named = self.is_parameter() && self.name.starts_with("parameters.");
        is_named && self.quantity == Quantity::Dimensionless
    }

    /// Name of the array that it is in, or its own.
    pub fn array_name(&self) -> &str {
        let whole = self.element.as_ref().and_then(|_| self.name.rsplit_once('['));
        whole.map_or(self.name.as_str(), |(array, _)| array)
    }

    /// Value reference of the array that it is in, that of its first element, or its own.
    pub fn array_reference(&self) -> u32 {
        self.reference - self.element.as_ref().map_or(0, |element| element.at)
    }

    /// Whether it is in an array and not the first one there: FMI 3.0 knows no variable of its own.
    pub fn is_inside_array(&self) -> bool {
        self.element.as_ref().is_some_and(|element| element.at > 0)
    }

    /// Whether it is a quantity with derivatives, and no whole number, truth or state that is shown as Real.
    pub fn is_measured(&self) -> bool {
        self.kind == Kind::Real && !self.quantity.is_discrete()
    }

    /// Whether the description states the unit of its quantity.
    pub fn has_unit(&self) -> bool {
        self.is_measured() && !self.has_any_unit()
    }

    /// How the initial value comes about, as FMI spells it; `None` where FMI forbids to say so.
    pub fn initial(&self) -> Option<&'static str> {
        match self.role {
            Role::Input(_) | Role::Own(Own::Time) => None,
            Role::Parameter(_) => Some("exact"),
            Role::Output(_) | Role::Calculated(_) | Role::Own(_) => Some("calculated"),
        }
    }
}

/// All variables: parameters, inputs and outputs in the order of the model. The value reference of
/// a variable is its place in this table.
///
/// The independent variable is not among them: no host of FMI 2.0 needs it, and the library that many hosts
/// read descriptions with took it for an error until 2024 that it has no start value, which the
/// standard forbids it to have. FMI 3.0 has it among [its own](Interface::own_variables).
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    variables: Vec<Variable>,
}

impl Interface {
    /// The table of a model. It does not depend on what is switched on.
    pub fn of(model: &Checked) -> Interface {
        let model = model.complete();
        let mut table = Interface { variables: Vec::new() };
        for (i, p) in model.parameters.iter().enumerate() {
            let added = table.add(&p.path, Role::Parameter(i), p.quantity, &p.description);
            if p.tunable.is_some() {
                added.variability = Variability::Tunable;
            }
            added.structural = p.structural;
            added.start = Some(p.value);
            // Whole numbers have none in FMI.
            added.nominal = size(p.value).filter(|_| added.kind == Kind::Real);
            if added.kind != Kind::Boolean {
                added.range = p.range.map(Some);
            }
        }
        for (i, c) in model.calculated.iter().enumerate() {
            table.add(&c.path, Role::Calculated(i), c.quantity, &c.description);
        }
        for (i, input) in model.inputs.iter().enumerate() {
            let role = Role::Input(i);
            let added = table.add(&input.path, role, input.quantity, &input.description);
            added.start = Some(input.start);
            added.nominal = size(input.start);
            added.range[0] = input.least.is_finite().then_some(input.least);
        }
        let extent = extent(model);
        let mut firsts: HashMap<Output, u32> = HashMap::new();
        for (i, o) in model.outputs.iter().enumerate() {
            let item = outputs::item(model, o.output);
            let added = table.add(&o.path, Role::Output(i), o.quantity, &o.description);
            added.element = element(&model.outputs, i);
            // The elements of an array follow one another, whatever they are else.
            if added.element.is_none() {
                let first = firsts.entry(item.same.unwrap_or(o.output));
                added.reference = *first.or_insert(added.reference);
            }
            if model.discrete_as_real {
                added.kind = Kind::Real;
            }
            added.nominal = extent.filter(|_| item.place);
            added.relative =
                matches!(o.quantity, Quantity::Length | Quantity::Angle) && !item.place;
            if item.jumps {
                added.variability = Variability::Discrete;
            }
            if item.never_negative {
                added.range[0] = Some(0.0);
            }
        }
        table
    }

    /// The variables of FMI 2.0 that a value reference of FMI 3.0 stands for: one, or all elements of an array; `None` for an element
    /// behind the first one, which has none.
    pub fn span(&self, reference: u32) -> Option<Range<u32>> {
        match self.get(reference).and_then(|v| v.element.as_ref()) {
            None => Some(reference..reference.saturating_add(1)),
            Some(element) if element.at == 0 => Some(reference..reference + element.of),
            Some(_) => None,
        }
    }

    fn add(&mut self, name: &str, role: Role, quantity: Quantity, text: &str) -> &mut Variable {
        let kind = Kind::of(quantity);
        let place = self.variables.len();
        self.variables.push(Variable {
            name: name.to_owned(),
            // No file that can be read names so many.
            reference: u32::try_from(place).unwrap_or(u32::MAX),
            role,
            kind,
            quantity,
            variability: match (role, kind) {
                (Role::Parameter(_), _) => Variability::Fixed,
                // The numbers of the law can change between steps.
                (Role::Calculated(_), _) => Variability::Tunable,
                (_, Kind::Real) => Variability::Continuous,
                (_, _) => Variability::Discrete,
            },
            description: text.to_owned(),
            start: None,
            range: [None; 2],
            nominal: None,
            relative: false,
            structural: false,
            element: None,
        });
        &mut self.variables[place]
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
        let found = self.variables.iter().find(|v| v.name == name)?;
        Some(found.reference)
    }
}

/// Where output `i` stands in an array; `None` where not all of the array is in the list, in its order.
fn element(outputs: &[OutputVariable], i: usize) -> Option<ArrayElement> {
    let own = outputs[i].element.as_ref()?;
    let first = i.checked_sub(own.at)?;
    let all = outputs.get(first..first + own.of)?;
    let same = |(at, other): (usize, &OutputVariable)| {
        other.element.as_ref().is_some_and(|other| other.at == at && other.array == own.array)
    };
    let whole = all.iter().enumerate().all(same);
    let short = |number: usize| u32::try_from(number).ok();
    let (at, of) = (short(own.at)?, short(own.of)?);
    whole.then(|| ArrayElement { at, of, text: own.array.clone() })
}

/// Size of a value as a nominal one.
fn size(value: f64) -> Option<f64> {
    (value != 0.0).then_some(value.abs())
}

/// Largest extent of the mechanism in the initial configuration, m.
fn extent(model: &Checked) -> Option<f64> {
    let extent = plane::extent(model.points.iter().map(|p| p.position));
    if !(extent.is_finite() && extent > 0.0) {
        return None;
    }
    // A nominal value says how large, not how large exactly.
    format!("{extent:.0e}").parse().ok()
}
