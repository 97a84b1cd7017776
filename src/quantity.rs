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
    /// Change per second, such as that of a decay.
    Rate,
    Mass,
    /// kg/m.
    MassPerLength,
    MomentOfInertia,
    Force,
    Moment,
    /// kg·m/s.
    Momentum,
    /// kg·m²/s.
    AngularMomentum,
    Energy,
    Power,
    Pressure,
    Density,
    Area,
    SecondMoment,
    FourthMoment,
    /// N·s/m.
    ViscousCoefficient,
    /// N/m.
    Stiffness,
    /// N·m/rad.
    RotationalStiffness,
    /// N·m·s/rad.
    RotationalDamping,
    /// Force for each angle, and moment for each length, N/rad.
    ForcePerAngle,
    /// N·s/rad.
    ForcePerAngularVelocity,
    /// Way for each angle, m/rad.
    LengthPerAngle,
    /// rad/m.
    AnglePerLength,
    /// Force per length, N/m.
    LineLoad,
    /// Force per volume, N/m³.
    VolumeLoad,
    /// Cycles per metre.
    SpatialFrequency,
    /// Power spectral density of a height, m² per cycle/m.
    HeightSpectrum,
    /// Boolean.
    Truth,
    /// Integer.
    Count,
    /// Enumeration.
    JointRegime,
}

impl Quantity {
    /// Whether it is a whole number, a truth or a state.
    pub fn is_discrete(self) -> bool {
        matches!(self, Quantity::Truth | Quantity::Count | Quantity::JointRegime)
    }

    /// Each of them that is a number with a unit or without one: all but truths, counts and regimes.
    pub const ALL: [Quantity; 36] = [
        Quantity::Dimensionless,
        Quantity::Length,
        Quantity::Velocity,
        Quantity::Acceleration,
        Quantity::Angle,
        Quantity::AngularVelocity,
        Quantity::AngularAcceleration,
        Quantity::Time,
        Quantity::Frequency,
        Quantity::Rate,
        Quantity::Mass,
        Quantity::MassPerLength,
        Quantity::MomentOfInertia,
        Quantity::Force,
        Quantity::Moment,
        Quantity::Momentum,
        Quantity::AngularMomentum,
        Quantity::Energy,
        Quantity::Power,
        Quantity::Pressure,
        Quantity::Density,
        Quantity::Area,
        Quantity::SecondMoment,
        Quantity::FourthMoment,
        Quantity::ViscousCoefficient,
        Quantity::Stiffness,
        Quantity::RotationalStiffness,
        Quantity::RotationalDamping,
        Quantity::ForcePerAngle,
        Quantity::ForcePerAngularVelocity,
        Quantity::LengthPerAngle,
        Quantity::AnglePerLength,
        Quantity::LineLoad,
        Quantity::VolumeLoad,
        Quantity::SpatialFrequency,
        Quantity::HeightSpectrum,
    ];

    /// Unit as FMI and the messages write it; empty for numbers without one.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Dimensionless | Quantity::Truth | Quantity::Count | Quantity::JointRegime => {
                ""
            }
            Quantity::Length => "m",
            Quantity::Velocity => "m/s",
            Quantity::Acceleration => "m/s2",
            Quantity::Angle => "rad",
            Quantity::AngularVelocity => "rad/s",
            Quantity::AngularAcceleration => "rad/s2",
            Quantity::Time => "s",
            Quantity::Frequency => "Hz",
            Quantity::Rate => "1/s",
            Quantity::Mass => "kg",
            Quantity::MassPerLength => "kg/m",
            Quantity::MomentOfInertia => "kg.m2",
            Quantity::Force => "N",
            Quantity::Moment => "N.m",
            Quantity::Momentum => "kg.m/s",
            Quantity::AngularMomentum => "kg.m2/s",
            Quantity::Energy => "J",
            Quantity::Power => "W",
            Quantity::Pressure => "Pa",
            Quantity::Density => "kg/m3",
            Quantity::Area => "m2",
            Quantity::SecondMoment => "m4",
            Quantity::FourthMoment => "m6",
            Quantity::ViscousCoefficient => "N.s/m",
            Quantity::Stiffness | Quantity::LineLoad => "N/m",
            Quantity::RotationalStiffness => "N.m/rad",
            Quantity::RotationalDamping => "N.m.s/rad",
            Quantity::ForcePerAngle => "N/rad",
            Quantity::ForcePerAngularVelocity => "N.s/rad",
            Quantity::LengthPerAngle => "m/rad",
            Quantity::AnglePerLength => "rad/m",
            Quantity::VolumeLoad => "N/m3",
            Quantity::SpatialFrequency => "1/m",
            Quantity::HeightSpectrum => "m3",
        }
    }
}

/// The range of a number, ends included, and its wording.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    pub min: f64,
    pub max: f64,
    /// What is allowed.
    pub text: &'static str,
}

impl Limit {
    /// The number that a `value` in range stands for: what is smaller than [`SMALLEST`] counts as 0.
    /// `None` for one that is out of range.
    pub fn admit(&self, value: f64) -> Option<f64> {
        let size = if value.abs() < SMALLEST { 0.0 } else { 1.0 };
        (self.min..=self.max).contains(&value).then_some(size * value)
    }
}

/// Smallest size of a number that is not 0: products and powers of a few such numbers stay within
/// what a computer number holds.
pub const SMALLEST: f64 = 1e-50;
/// Largest size of a number, for the same reason.
pub const LARGEST: f64 = 1e50;
/// The sizes in words.
pub const SIZES: &str = "0 or a size from 1e-50 to 1e50";

pub const FINITE: Limit = Limit { min: -LARGEST, max: LARGEST, text: "a finite number" };
/// Of an angle that is drawn: degrees are not taken for radians.
pub const UP_TO_A_TURN: Limit = Limit { min: -6.3, max: 6.3, text: "from -6.3 to 6.3 rad, a turn" };
pub const POSITIVE: Limit = Limit { min: SMALLEST, max: LARGEST, text: "above 0" };
pub const NOT_NEGATIVE: Limit = Limit { min: 0.0, max: LARGEST, text: "0 or above" };
