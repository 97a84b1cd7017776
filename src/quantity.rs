//! Physical quantities of the model's numbers and the ranges these may have; names and units of the
//! FMU variables come from here.

/// What a number measures. All numbers are in the SI unit of their quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantity {
    Dimensionless,
    Length,
    Velocity,
    Acceleration,
    Angle,
    AngularVelocity,
    AngularAcceleration,
    Time,
    Frequency,
    Mass,
    MomentOfInertia,
    Force,
    Moment,
    Energy,
    Pressure,
    Density,
    Area,
    SecondMoment,
    FourthMoment,
    /// N·s/m.
    ViscousCoefficient,
    /// Boolean.
    Truth,
    /// Integer.
    Count,
}

impl Quantity {
    /// Unit as FMI and the messages write it; empty for numbers without one.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Dimensionless | Quantity::Truth | Quantity::Count => "",
            Quantity::Length => "m",
            Quantity::Velocity => "m/s",
            Quantity::Acceleration => "m/s2",
            Quantity::Angle => "rad",
            Quantity::AngularVelocity => "rad/s",
            Quantity::AngularAcceleration => "rad/s2",
            Quantity::Time => "s",
            Quantity::Frequency => "Hz",
            Quantity::Mass => "kg",
            Quantity::MomentOfInertia => "kg.m2",
            Quantity::Force => "N",
            Quantity::Moment => "N.m",
            Quantity::Energy => "J",
            Quantity::Pressure => "Pa",
            Quantity::Density => "kg/m3",
            Quantity::Area => "m2",
            Quantity::SecondMoment => "m4",
            Quantity::FourthMoment => "m6",
            Quantity::ViscousCoefficient => "N.s/m",
        }
    }
}

/// A condition on a number and its wording.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    pub holds: fn(f64) -> bool,
    /// What is allowed.
    pub text: &'static str,
}

pub const FINITE: Limit = Limit {
    holds: |_| true,
    text: "a finite number",
};
pub const POSITIVE: Limit = Limit {
    holds: |v| v > 0.0,
    text: "above 0",
};
pub const NOT_NEGATIVE: Limit = Limit {
    holds: |v| v >= 0.0,
    text: "0 or above",
};
