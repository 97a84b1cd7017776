//! Units as people write them, and their size in SI units.

use crate::quantity::Quantity;

/// Exponents of m, kg, s and rad.
type Dimension = [i8; 4];

/// A unit that a heading, a key or an option names.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// As it is written.
    pub name: String,
    /// Size of the unit in SI units.
    pub factor: f64,
    dimension: Dimension,
}

const NONE: Dimension = [0, 0, 0, 0];
const LENGTH: Dimension = [1, 0, 0, 0];
const MASS: Dimension = [0, 1, 0, 0];
const TIME: Dimension = [0, 0, 1, 0];
const ANGLE: Dimension = [0, 0, 0, 1];
const VELOCITY: Dimension = [1, 0, -1, 0];
const ACCELERATION: Dimension = [1, 0, -2, 0];
const FORCE: Dimension = [1, 1, -2, 0];
const MOMENT: Dimension = [2, 1, -2, 0];
const PRESSURE: Dimension = [-1, 1, -2, 0];
const POWER: Dimension = [2, 1, -3, 0];
const FREQUENCY: Dimension = [0, 0, -1, 0];
const SPEED_OF_ROTATION: Dimension = [0, 0, -1, 1];

const TURN: f64 = std::f64::consts::TAU;
/// Standard acceleration of gravity (3rd CGPM, 1901).
const GRAVITY: f64 = 9.80665;
/// International pound-force (1959).
const POUND: f64 = 0.453_592_37 * GRAVITY;
const INCH: f64 = 0.0254;

/// What units are made of, with the words for each. Where capitals are mixed up, as in headers of records, the only one with these letters is meant.
const SYMBOLS: &[(&str, f64, Dimension)] = &[
    ("1", 1.0, NONE),
    ("% percent", 1e-2, NONE),
    ("m metre metres meter meters", 1.0, LENGTH),
    ("km", 1e3, LENGTH),
    ("dm", 1e-1, LENGTH),
    ("cm", 1e-2, LENGTH),
    ("mm", 1e-3, LENGTH),
    ("um", 1e-6, LENGTH),
    ("in inch inches", INCH, LENGTH),
    ("ft", 12.0 * INCH, LENGTH),
    ("kg", 1.0, MASS),
    ("t", 1e3, MASS),
    ("s sec secs second seconds", 1.0, TIME),
    ("ms msec", 1e-3, TIME),
    ("us", 1e-6, TIME),
    ("min", 60.0, TIME),
    ("h hr", 3600.0, TIME),
    ("rad radians", 1.0, ANGLE),
    ("mrad", 1e-3, ANGLE),
    ("deg degree degrees", TURN / 360.0, ANGLE),
    ("rev turn turns", TURN, ANGLE),
    ("rpm", TURN / 60.0, SPEED_OF_ROTATION),
    ("Hz", 1.0, FREQUENCY),
    ("kHz", 1e3, FREQUENCY),
    ("kmh kph", 1.0 / 3.6, VELOCITY),
    ("mph", 5280.0 * 12.0 * INCH / 3600.0, VELOCITY),
    ("g", GRAVITY, ACCELERATION),
    ("gal", 1e-2, ACCELERATION),
    ("N newton newtons", 1.0, FORCE),
    ("mN", 1e-3, FORCE),
    ("kN", 1e3, FORCE),
    ("MN", 1e6, FORCE),
    ("kgf", GRAVITY, FORCE),
    ("lbf", POUND, FORCE),
    ("kip kips", 1e3 * POUND, FORCE),
    ("Nm", 1.0, MOMENT),
    ("Nmm", 1e-3, MOMENT),
    ("kNm", 1e3, MOMENT),
    ("MNm", 1e6, MOMENT),
    ("J", 1.0, MOMENT),
    ("mJ", 1e-3, MOMENT),
    ("kJ", 1e3, MOMENT),
    ("MJ", 1e6, MOMENT),
    ("W", 1.0, POWER),
    ("kW", 1e3, POWER),
    ("Pa", 1.0, PRESSURE),
    ("kPa", 1e3, PRESSURE),
    ("MPa", 1e6, PRESSURE),
    ("GPa", 1e9, PRESSURE),
    ("bar", 1e5, PRESSURE),
    ("psi", POUND / (INCH * INCH), PRESSURE),
    ("ksi", 1e3 * POUND / (INCH * INCH), PRESSURE),
    ("Ns", 1.0, [1, 1, -1, 0]),
    ("kNs", 1e3, [1, 1, -1, 0]),
];

/// Longest unit, bytes.
const LONGEST: usize = 40;

impl Unit {
    /// The unit that is written as `text`: `mm`, `kN/m`, `N*s/m`, `CM/SEC/SEC`, `m s^-2`, `°`.
    pub fn named(text: &str) -> Option<Unit> {
        let name = text.trim().trim_end_matches('.');
        let mut plain = name.to_string();
        for (written, meant) in [
            (" per ", "/"),
            ("**", "^"),
            ("⁻", "-"),
            ("¹", "1"),
            ("²", "2"),
            ("³", "3"),
            ("⁴", "4"),
            ("−", "-"),
            ("µ", "u"),
            ("μ", "u"),
            ("°", "deg"),
            ("·", "*"),
            ("⋅", "*"),
            (".", "*"),
        ] {
            plain = plain.replace(written, meant);
        }
        if plain.is_empty() || plain.len() > LONGEST || !plain.is_ascii() {
            return None;
        }
        let (factor, dimension) = match plain.as_str() {
            "-" | "--" => (1.0, NONE),
            _ => {
                let mut rest = plain.as_str();
                let found = product(&mut rest)?;
                rest.is_empty().then_some(found)?
            }
        };
        Some(Unit { name: name.to_string(), factor, dimension })
    }

    /// How many of `other` it is; none where they measure different things.
    pub fn per(&self, other: &Unit) -> Option<f64> {
        (self.dimension == other.dimension).then_some(self.factor / other.factor)
    }

    /// Whether both are of one size and of one kind of quantity, by whatever names: `gal` and `cm/s2`.
    pub fn is_same(&self, other: &Unit) -> bool {
        let rounding = 1e-12 * self.factor.abs();
        self.dimension == other.dimension && (self.factor - other.factor).abs() <= rounding
    }

    /// Whether it measures a quantity.
    pub fn measures(&self, quantity: Quantity) -> bool {
        self.dimension == dimension(quantity)
    }
}

fn dimension(quantity: Quantity) -> Dimension {
    Unit::named(quantity.unit()).map_or(NONE, |unit| unit.dimension)
}

/// A product of powers, in which every `/` divides by the one power behind it.
fn product(rest: &mut &str) -> Option<(f64, Dimension)> {
    let (mut factor, mut dimension) = (1.0, NONE);
    let mut divides = false;
    loop {
        *rest = rest.trim_start();
        let (size, exponents) = power(rest)?;
        let sign: i8 = if divides { -1 } else { 1 };
        factor *= size.powi(sign.into());
        for (sum, exponent) in dimension.iter_mut().zip(exponents) {
            *sum = sum.checked_add(sign * exponent)?;
        }
        *rest = rest.trim_start();
        match rest.chars().next() {
            None | Some(')') => return Some((factor, dimension)),
            Some(sign @ ('/' | '*' | '-')) => {
                divides = sign == '/';
                *rest = &rest[1..];
            }
            Some(_) => divides = false,
        }
    }
}

fn power(rest: &mut &str) -> Option<(f64, Dimension)> {
    let (factor, dimension) = if let Some(inside) = rest.strip_prefix('(') {
        *rest = inside;
        let found = product(rest)?;
        *rest = rest.strip_prefix(')')?;
        found
    } else {
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (word, behind) = rest.split_at(letters.max(rest.len().min(1)));
        *rest = behind;
        symbol(word)?
    };
    let exponent = rest.strip_prefix('^').unwrap_or(rest);
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, exponent),
    };
    let Some(size @ b'1'..=b'9') = digits.bytes().next() else {
        // `N-m` is a product, a hat without a number nothing.
        return (exponent.len() == rest.len()).then_some((factor, dimension));
    };
    *rest = &digits[1..];
    let exponent = sign * (size - b'0') as i8;
    let mut exponents = NONE;
    for (all, one) in exponents.iter_mut().zip(dimension) {
        *all = one.checked_mul(exponent)?;
    }
    Some((factor.powi(exponent.into()), exponents))
}

fn symbol(word: &str) -> Option<(f64, Dimension)> {
    let named = |is: &dyn Fn(&str) -> bool| -> Vec<(f64, Dimension)> {
        let found = SYMBOLS.iter().flat_map(|(names, factor, dimension)| {
            names.split(' ').filter(|name| is(name)).map(|_| (*factor, *dimension))
        });
        found.collect()
    };
    if let Some(exact) = named(&|name| name == word).first() {
        return Some(*exact);
    }
    // `Mm` is no millimetre.
    let letters = word.as_bytes();
    let one_case = letters.iter().all(u8::is_ascii_uppercase) || !word.contains(char::is_uppercase);
    if !one_case && word.len() < 3 {
        return None;
    }
    match named(&|name| name.eq_ignore_ascii_case(word))[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Units of a quantity, for messages.
pub fn known(quantity: Quantity) -> String {
    let names = match quantity {
        Quantity::Dimensionless => "1, %",
        Quantity::Length => "m, mm, cm, km, um, in, ft",
        Quantity::Time => "s, ms, us, min, h",
        Quantity::Angle => "rad, mrad, deg, rev",
        Quantity::Velocity => "m/s, cm/s, mm/s, km/h, in/s",
        Quantity::Acceleration => "g, m/s2, cm/s2, gal, mm/s2",
        Quantity::AngularVelocity => "rad/s, deg/s, rpm",
        Quantity::Force => "N, kN, MN, mN, kgf, lbf, kip",
        Quantity::Moment => "N.m, N.mm, kN.m, MN.m",
        Quantity::Stiffness | Quantity::LineLoad => "N/m, N/mm, kN/m, kN/mm, MN/m",
        Quantity::ViscousCoefficient => "N.s/m, N.s/mm, kN.s/m",
        Quantity::RotationalStiffness => "N.m/rad, N.m/deg, kN.m/rad",
        Quantity::Pressure => "Pa, kPa, MPa, GPa, bar, N/mm2",
        Quantity::Density => "kg/m3, t/m3, t/mm3",
        other => {
            return match other.unit() {
                "" => "1".to_string(),
                unit => format!("{unit} and the like, with mm, kN, MPa, ms, deg, …"),
            };
        }
    };
    names.to_string()
}
