//! Units of records.

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Acceleration,
    Velocity,
    Displacement,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Acceleration => "acceleration",
            Kind::Velocity => "velocity",
            Kind::Displacement => "displacement",
        }
    }

    /// SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Kind::Acceleration => "m/s2",
            Kind::Velocity => "m/s",
            Kind::Displacement => "m",
        }
    }
}

/// A unit of acceleration, velocity or displacement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    pub name: &'static str,
    pub kind: Kind,
    /// Size of the unit in SI units.
    pub factor: f64,
}

const fn unit(name: &'static str, kind: Kind, factor: f64) -> Unit {
    Unit { name, kind, factor }
}

/// g is the standard acceleration of gravity (3rd CGPM, 1901).
const UNITS: [Unit; 10] = [
    unit("g", Kind::Acceleration, 9.80665),
    unit("m/s2", Kind::Acceleration, 1.0),
    unit("cm/s2", Kind::Acceleration, 1e-2),
    unit("mm/s2", Kind::Acceleration, 1e-3),
    unit("m/s", Kind::Velocity, 1.0),
    unit("cm/s", Kind::Velocity, 1e-2),
    unit("mm/s", Kind::Velocity, 1e-3),
    unit("m", Kind::Displacement, 1.0),
    unit("cm", Kind::Displacement, 1e-2),
    unit("mm", Kind::Displacement, 1e-3),
];

impl Unit {
    /// The unit that a header or a key writes as `text`: `cm/s2`, `CM/SEC/SEC`, `cm/s^2`, `gal`.
    pub fn named(text: &str) -> Option<Unit> {
        let mut plain = text.trim().to_lowercase().replace(' ', "");
        for (written, meant) in [
            ("sec", "s"),
            ("/s/s", "/s2"),
            ("²", "2"),
            ("**2", "2"),
            ("^2", "2"),
        ] {
            plain = plain.replace(written, meant);
        }
        let plain = match plain.as_str() {
            "gal" => "cm/s2",
            other => other,
        };
        UNITS.into_iter().find(|unit| unit.name == plain)
    }

    /// All of them, for messages.
    pub fn names() -> String {
        UNITS.map(|unit| unit.name).join(", ")
    }
}
