//! Physical quantities of the model's numbers and the ranges these may have; names and units of the
//! FMU variables come from here.

/// The table of all quantities: numbers with their units, and what is discrete.
macro_rules! quantities {
    (numbers { $($(#[$doc:meta])* $Number:ident $unit:literal;)* } discrete { $($(#[$of:meta])* $Discrete:ident;)* }) => {
        /// What a number measures. All numbers are in the SI unit of their quantity.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Quantity {
            $($(#[$doc])* $Number,)*
            $($(#[$of])* $Discrete,)*
        }

        impl Quantity {
            /// Each of them that is a number with a unit or without one: all but truths, counts and regimes.
            pub const ALL: [Quantity; [$(stringify!($Number)),*].len()] = [$(Quantity::$Number),*];

            /// Unit as FMI and the messages write it; empty for numbers without one.
            pub fn unit(self) -> &'static str {
                match self {
                    $(Quantity::$Number => $unit,)*
                    $(Quantity::$Discrete => "",)*
                }
            }
        }
    };
}

quantities! {
    numbers {
        Dimensionless "";
        Length "m";
        Velocity "m/s";
        Acceleration "m/s2";
        Angle "rad";
        AngularVelocity "rad/s";
        AngularAcceleration "rad/s2";
        Time "s";
        Frequency "Hz";
        /// Change per second, such as that of a decay.
        Rate "1/s";
        Mass "kg";
        MassPerLength "kg/m";
        MomentOfInertia "kg.m2";
        Force "N";
        Moment "N.m";
        Momentum "kg.m/s";
        AngularMomentum "kg.m2/s";
        Energy "J";
        Power "W";
        Pressure "Pa";
        Density "kg/m3";
        Area "m2";
        SecondMoment "m4";
        FourthMoment "m6";
        ViscousCoefficient "N.s/m";
        Stiffness "N/m";
        RotationalStiffness "N.m/rad";
        RotationalDamping "N.m.s/rad";
        /// Force for each angle, and moment for each length.
        ForcePerAngle "N/rad";
        ForcePerAngularVelocity "N.s/rad";
        /// Way for each angle.
        LengthPerAngle "m/rad";
        AnglePerLength "rad/m";
        /// Force per length.
        LineLoad "N/m";
        /// Force per volume.
        VolumeLoad "N/m3";
        /// Cycles per metre.
        SpatialFrequency "1/m";
        /// Power spectral density of a height, m² per cycle/m.
        HeightSpectrum "m3";
    }
    discrete {
        /// Boolean.
        Truth;
        /// Integer.
        Count;
        /// Enumeration.
        JointRegime;
    }
}

impl Quantity {
    /// Whether it is a whole number, a truth or a state.
    pub fn is_discrete(self) -> bool {
        matches!(self, Quantity::Truth | Quantity::Count | Quantity::JointRegime)
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
