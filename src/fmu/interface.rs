//! The one table of variables that a host sees.

use std::collections::HashMap;

use crate::checked::{
    Checked, Direction, Energy, Field, Moved, OfMass, OfSection, Output, ProbeKind, Target,
};
use crate::numerics::plane;
use crate::quantity::Quantity;

/// FMI type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Boolean,
    /// Read by the functions for Integer.
    Enumeration,
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
            Kind::Enumeration => "Enumeration",
            Kind::Text => "String",
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

/// What a variable stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// Index in [`Checked::parameters`].
    Parameter(usize),
    /// Index in [`Checked::inputs`].
    Input(usize),
    Output(Output),
    /// Follows from the parameters alone.
    Calculated(Output),
}

impl Role {
    /// Causality as FMI spells it.
    pub fn causality(self) -> &'static str {
        match self {
            Role::Parameter(_) => "parameter",
            Role::Input(_) => "input",
            Role::Output(_) => "output",
            Role::Calculated(_) => "calculatedParameter",
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
}

impl Variable {
    /// Whether the host may set it before initialization ends.
    pub fn is_parameter(&self) -> bool {
        matches!(self.role, Role::Parameter(_))
    }

    /// Whether it is a quantity with derivatives, and no whole number, truth or state that is shown as Real.
    pub fn is_measured(&self) -> bool {
        self.kind == Kind::Real && !self.quantity.is_discrete()
    }

    /// How the initial value comes about, as FMI spells it; `None` where FMI forbids to say so.
    pub fn initial(&self) -> Option<&'static str> {
        match self.role {
            Role::Input(_) => None,
            Role::Parameter(_) => Some("exact"),
            Role::Output(_) | Role::Calculated(_) => Some("calculated"),
        }
    }
}

/// All variables: parameters, inputs and outputs in the order of the model. The value reference of
/// a variable is its place in this table.
///
/// The independent variable is not among them: no host needs it, and the library that many hosts
/// read descriptions with took it for an error until 2024 that it has no start value, which the
/// standard forbids it to have.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    variables: Vec<Variable>,
}

impl Interface {
    /// The table of a model.
    pub fn of(model: &Checked) -> Interface {
        let mut table = Interface { variables: Vec::new() };
        for (i, p) in model.parameters.iter().enumerate() {
            let added = table.add(&p.path, Role::Parameter(i), p.quantity, &p.description);
            if p.tunable.is_some() {
                added.variability = Variability::Tunable;
            }
            added.start = Some(p.value);
            // Whole numbers have none in FMI.
            added.nominal = size(p.value).filter(|_| added.kind == Kind::Real);
            added.range = p.range.map(Some);
        }
        for c in &model.calculated {
            table.add(&c.path, Role::Calculated(c.output), c.quantity, &c.description);
        }
        for (i, input) in model.inputs.iter().enumerate() {
            let role = Role::Input(i);
            let added = table.add(&input.path, role, input.quantity, &input.description);
            added.start = Some(input.start);
            added.nominal = size(input.start);
            added.range[0] = input.least.is_finite().then_some(input.least);
        }
        let extent = extent(model);
        // By what is written of them: not all are numbers, and what holds numbers has no order.
        let mut firsts: HashMap<String, u32> = HashMap::new();
        for o in &model.outputs {
            let nature = Nature::of(model, o.output);
            let added = table.add(&o.path, Role::Output(o.output), o.quantity, &o.description);
            let first = firsts.entry(format!("{:?}", nature.same));
            added.reference = *first.or_insert(added.reference);
            if model.discrete_as_real {
                added.kind = Kind::Real;
            }
            added.nominal = extent.filter(|_| nature.place);
            if nature.jumps {
                added.variability = Variability::Discrete;
            }
            if nature.never_negative {
                added.range[0] = Some(0.0);
            }
        }
        table
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

/// What is known of an output before it is read.
struct Nature {
    /// The first of the outputs that always read the same number.
    same: Output,
    /// Whether it is a place in the mechanism, as large as the mechanism itself.
    place: bool,
    /// Whether it is 0 or above, also in the last bit.
    never_negative: bool,
    /// Whether it changes in jumps although it is no whole number.
    jumps: bool,
}

impl Nature {
    fn of(model: &Checked, output: Output) -> Nature {
        let plain = Nature { same: output, place: false, never_negative: false, jumps: false };
        let place = |place: bool| Nature { place, ..plain };
        let never_negative = Nature { never_negative: true, ..plain };
        let rotation = |point: usize| Nature {
            same: Output::PointPosition { point, direction: Direction::Rotation },
            ..plain
        };
        match output {
            Output::SliderPosition(_) | Output::EdgePosition(_) => place(true),
            Output::PointPosition { direction, .. } => place(direction != Direction::Rotation),
            Output::NormalForce(_)
            | Output::EdgeLength { .. }
            | Output::Transitions(_)
            | Output::Counter(_) => never_negative,
            Output::Energy(energy) => match energy {
                Energy::FrictionStored => never_negative,
                Energy::Kinetic
                | Energy::Strain
                | Energy::Potential
                | Energy::InputWork
                | Energy::FrictionWork
                | Energy::DampingWork
                | Energy::NumericalDissipation
                | Energy::ImpactLoss
                | Energy::Balance => plain,
            },
            Output::PlacePosition { .. }
            | Output::Mass { of: OfMass::CentreX | OfMass::CentreY, .. } => place(true),
            Output::Largest { .. } | Output::Section { of: OfSection::Stress, .. } => {
                never_negative
            }
            Output::PointField { field, .. } | Output::PlaceField { field, .. } => {
                Nature { never_negative: field == Field::VonMises, ..plain }
            }
            Output::TransitionTime(_) => Nature { jumps: true, ..plain },
            Output::Probe(id) => match model.probes[id].kind {
                ProbeKind::Rotation { point, .. } if model.rotations_at(point) == 1 => {
                    rotation(point)
                }
                kind => {
                    let first = model.probes.iter().position(|p| p.kind == kind);
                    let distance = matches!(kind, ProbeKind::Distance { .. });
                    Nature {
                        same: Output::Probe(first.unwrap_or(id)),
                        place: distance,
                        never_negative: distance,
                        jumps: false,
                    }
                }
            },
            Output::MotionPosition(id) => {
                let motion = &model.motions[id];
                match (motion.direction, &motion.moved) {
                    (Direction::Rotation, &Moved::Target(Target::Point { point, .. }))
                        if model.rotations_at(point) == 1 && motion.release.is_none() =>
                    {
                        rotation(point)
                    }
                    _ => plain,
                }
            }
            Output::SliderVelocity(_)
            | Output::EdgeVelocity(_)
            | Output::EdgeForce { .. }
            | Output::PinForce { .. }
            | Output::Contact { .. }
            | Output::RigidContact { .. }
            | Output::Spring { .. }
            | Output::Bushing { .. }
            | Output::Section { .. }
            | Output::MemberEnd { .. }
            | Output::Mass { .. }
            | Output::Coupling { .. }
            | Output::EdgePressure { .. }
            | Output::SliderForce { .. }
            | Output::FrictionForce(_)
            | Output::MicroDisplacement(_)
            | Output::Gap(_)
            | Output::Sticking(_)
            | Output::Moment(_)
            | Output::EndForce { .. }
            | Output::ContactLength(_)
            | Output::LinePressure(_)
            | Output::Regime(_)
            | Output::FrictionPower(_)
            | Output::DissipatedEnergy(_)
            | Output::PointVelocity { .. }
            | Output::PointAcceleration { .. }
            | Output::PlaceVelocity { .. }
            | Output::PlaceAcceleration { .. }
            | Output::SupportReaction { .. }
            | Output::MotionReaction(_)
            | Output::EquivalentDamping(_)
            | Output::EquivalentStiffness(_) => plain,
        }
    }
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
