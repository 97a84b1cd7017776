//! Physical quantities of the model's numbers; names and units of the FMU variables come from here.

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
    /// Each of them that has a type of its own in FMI: all numbers that are not whole.
    pub const ALL: [Quantity; 20] = [
        Quantity::Dimensionless,
        Quantity::Length,
        Quantity::Velocity,
        Quantity::Acceleration,
        Quantity::Angle,
        Quantity::AngularVelocity,
        Quantity::AngularAcceleration,
        Quantity::Time,
        Quantity::Frequency,
        Quantity::Mass,
        Quantity::MomentOfInertia,
        Quantity::Force,
        Quantity::Moment,
        Quantity::Energy,
        Quantity::Pressure,
        Quantity::Density,
        Quantity::Area,
        Quantity::SecondMoment,
        Quantity::FourthMoment,
        Quantity::ViscousCoefficient,
    ];

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
