//! The model file as written: its sections, keys and defaults.
//!
//! Numbers are [`Scalar`]s (literals or expressions) and names are [`Name`]s; both know their
//! place in the file. What they mean is decided by [`super::check`].

mod contact;
mod curve;
mod damping;
mod initial;
mod load;
mod record;
mod release;
mod roughness;
mod statics;

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer};

use super::de::{Name, Number, Reader, Scalar, in_file_order};
use super::fault::{did_you_mean, excerpt, suggestion};
use crate::laws::friction;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use contact::{Contact, Side};
pub use curve::Arc;
pub use damping::Damping;
pub use initial::{Initial, InitialBody, InitialPoint, Velocities};
pub use load::Load;
pub use record::Record;
pub use release::Release;
pub use roughness::Roughness;
pub use statics::{Branch, Control, Held, Static};

/// A named entry of a section.
#[derive(Debug, Clone)]
pub struct Entry<T> {
    pub name: Name,
    /// `None` if the entry has faults of its own, which are on record.
    pub value: Option<T>,
}

/// All sections, entries in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct File {
    pub name: Option<Name>,
    pub description: Option<Name>,
    pub author: Option<Name>,
    pub version: Option<Name>,
    pub copyright: Option<Name>,
    pub license: Option<Name>,
    pub parameters: Vec<Entry<Scalar>>,
    pub experiment: Option<Experiment>,
    pub solver: Option<Solver>,
    pub points: Vec<Entry<[Scalar; 2]>>,
    pub materials: Vec<Entry<Material>>,
    pub sections: Vec<Entry<Section>>,
    pub members: Vec<Entry<Member>>,
    pub joints: Vec<Entry<Joint>>,
    pub damping: Vec<Entry<Damping>>,
    pub masses: Vec<Entry<Mass>>,
    pub supports: Vec<Entry<Support>>,
    pub motions: Vec<Entry<Motion>>,
    pub loads: Vec<Entry<Load>>,
    pub gravity: Option<Gravity>,
    pub initial: Option<Initial>,
    pub initial_points: Vec<Entry<InitialPoint>>,
    pub initial_bodies: Vec<Entry<InitialBody>>,
    pub probes: Vec<Entry<Probe>>,
    pub statics: Option<Static>,
    pub interface: Option<Interface>,
    /// Sections whose content could not be read, for want of a table or by a misspelt name.
    pub unreadable: BTreeSet<String>,
}

#[derive(Debug, Clone, Deserialize, Default)]
pub struct Experiment {
    pub stop_time: Option<Scalar>,
    pub communication_step: Option<Scalar>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Solver {
    #[serde(default)]
    pub analysis: Analysis,
    #[serde(default)]
    pub method: Method,
    pub step: Scalar,
    pub spectral_radius: Option<Scalar>,
    pub max_iterations: Option<Scalar>,
    pub position_tolerance: Option<Scalar>,
    pub force_tolerance: Option<Scalar>,
    pub max_halvings: Option<Scalar>,
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Analysis {
    #[default]
    Dynamic,
    QuasiStatic,
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    #[default]
    GeneralizedAlpha,
    Newmark,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Material {
    pub young_modulus: Scalar,
    pub shear_modulus: Option<Scalar>,
    pub poisson_ratio: Option<Scalar>,
    pub density: Scalar,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    Rectangle {
        height: Scalar,
        width: Scalar,
    },
    Circle {
        diameter: Scalar,
    },
    Tube {
        outer_diameter: Scalar,
        thickness: Scalar,
    },
    Properties {
        area: Scalar,
        second_moment: Scalar,
        fourth_moment: Option<Scalar>,
    },
}

#[derive(Debug, Clone, Deserialize)]
pub struct Member {
    pub from: Name,
    pub to: Name,
    pub elements: Scalar,
    pub order: Option<Scalar>,
    pub arc: Option<Arc>,
    pub spline: Option<Vec<[Scalar; 2]>>,
    pub material: Option<Name>,
    pub section: Option<Name>,
    #[serde(default)]
    pub rotary_inertia: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Joint {
    pub hinge: Option<Hinge>,
    pub cylindrical: Option<Sliding>,
    pub prismatic: Option<Sliding>,
    pub roughness: Option<Roughness>,
    pub wheel_radius: Option<Scalar>,
    pub friction: Option<Friction>,
    pub equivalent: Option<Equivalent>,
}

/// The harmonic motion for which friction is linearised.
#[derive(Debug, Clone, Deserialize)]
pub struct Equivalent {
    pub amplitude: Scalar,
    pub frequency: Scalar,
    pub normal_force: Scalar,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Hinge {
    pub point: Name,
    pub release: Option<Vec<Name>>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Sliding {
    pub slider: Name,
    pub path: Vec<Name>,
    pub start: Option<Name>,
    #[serde(default)]
    pub ends: Ends,
    pub smooth: Option<bool>,
    #[serde(default)]
    pub contact: Contact,
    pub side: Option<Side>,
    pub member: Option<Name>,
    pub length: Option<Scalar>,
    pub sliding_mass: Option<Scalar>,
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Ends {
    #[default]
    Error,
    Stop,
    Continue,
}

/// A friction law as written; the laws themselves know their keys.
pub type Friction = friction::Friction<Given>;

/// A number of a friction law.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Given {
    /// Left out, for the law's default.
    #[default]
    LeftOut,
    Written(Scalar),
    /// From the data file of this name.
    Measured(f64, Name),
}

impl friction::Number for Given {
    type Text = Option<Name>;
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Given, D::Error> {
        Scalar::deserialize(deserializer).map(Given::Written)
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct Mass {
    pub point: Name,
    pub mass: Scalar,
    pub rotary_inertia: Option<Scalar>,
    pub member: Option<Name>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Support {
    pub point: Option<Name>,
    pub member: Option<Name>,
    pub fix: Vec<Direction>,
}

#[derive(Debug, Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    X,
    Y,
    Rotation,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Motion {
    pub point: Option<Name>,
    pub member: Option<Name>,
    /// Supports that move as one.
    pub supports: Option<Vec<Name>>,
    pub direction: Direction,
    pub angle: Option<Scalar>,
    pub displacement: Option<Scalar>,
    pub rate: Option<Scalar>,
    pub velocity: Option<Scalar>,
    pub acceleration: Option<Scalar>,
    pub amplitude: Option<Scalar>,
    pub history: Option<History>,
    pub record: Option<Record>,
    pub release: Option<Release>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum History {
    Ramp {
        start: Option<Scalar>,
        duration: Scalar,
        smooth: Option<bool>,
    },
    Sine {
        frequency: Scalar,
        phase: Option<Scalar>,
    },
    Table {
        times: Option<Vec<Scalar>>,
        values: Option<Vec<Scalar>>,
        file: Option<Name>,
    },
}

#[derive(Debug, Clone, Deserialize, Default)]
pub struct Gravity {
    pub x: Option<Scalar>,
    pub y: Option<Scalar>,
    /// Members whose own weight is left out.
    #[serde(default)]
    pub weightless: Vec<Name>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    Deflection {
        point: Name,
        from: Name,
        member: Option<Name>,
    },
    Rotation {
        point: Name,
        member: Option<Name>,
    },
    Distance {
        point: Name,
        from: Name,
    },
    Displacement {
        member: Name,
        at: Scalar,
        direction: Direction,
    },
    Drift {
        point: Name,
        from: Name,
        direction: Direction,
    },
}

#[derive(Debug, Clone, Deserialize, Default)]
pub struct Interface {
    #[serde(default)]
    pub parameters: Vec<Name>,
    #[serde(default)]
    pub inputs: Vec<Name>,
    /// Inputs that keep their value between communication points.
    #[serde(default)]
    pub hold: Vec<Name>,
    /// Inputs that run on a straight line between communication points.
    #[serde(default)]
    pub linear: Vec<Name>,
    /// Inputs that run without a jump of their slope.
    #[serde(default)]
    pub cubic: Vec<Name>,
    #[serde(default)]
    pub outputs: Vec<Name>,
}

/// Keys of the file's top level.
const TOP: [&str; 24] = [
    "name",
    "description",
    "author",
    "version",
    "copyright",
    "license",
    "parameters",
    "experiment",
    "solver",
    "points",
    "materials",
    "sections",
    "members",
    "joints",
    "damping",
    "masses",
    "supports",
    "motions",
    "loads",
    "gravity",
    "initial",
    "probes",
    "static",
    "interface",
];

impl File {
    /// Reads every section; faults are left in `reader`.
    pub fn read(reader: &Reader<'_>, root: &Spanned<DeTable<'_>>) -> File {
        let mut file = File::default();
        for (key, value) in in_file_order(root.get_ref()) {
            let key_text = key.get_ref().as_ref();
            match key_text {
                "name" => file.name = reader.entry(value, "name"),
                "description" => file.description = reader.entry(value, "description"),
                "author" => file.author = reader.entry(value, key_text),
                "version" => file.version = reader.entry(value, key_text),
                "copyright" => file.copyright = reader.entry(value, key_text),
                "license" => file.license = reader.entry(value, key_text),
                "parameters" => file.parameters = section(reader, value, key_text),
                "experiment" => file.experiment = reader.entry(value, key_text),
                "solver" => file.solver = reader.entry(value, key_text),
                "points" => file.points = section(reader, value, key_text),
                "materials" => file.materials = section(reader, value, key_text),
                "sections" => file.sections = section(reader, value, key_text),
                "members" => file.members = section(reader, value, key_text),
                "joints" => file.joints = section(reader, value, key_text),
                "damping" => file.damping = section(reader, value, key_text),
                "masses" => file.masses = section(reader, value, key_text),
                "supports" => file.supports = section(reader, value, key_text),
                "motions" => file.motions = section(reader, value, key_text),
                "loads" => file.loads = section(reader, value, key_text),
                "gravity" => file.gravity = reader.entry(value, key_text),
                "initial" => file.read_initial(reader, value),
                "probes" => file.probes = section(reader, value, key_text),
                "static" => file.statics = reader.entry(value, key_text),
                "interface" => file.interface = reader.entry(value, key_text),
                other => {
                    let meant = suggestion(other, TOP.into_iter());
                    file.unreadable.extend(meant.map(str::to_string));
                    reader.report(
                        &key.span(),
                        format!(
                            "unknown section or key `{}`; allowed: {}{}",
                            excerpt(other),
                            TOP.join(", "),
                            did_you_mean(other, TOP.into_iter())
                        ),
                    );
                }
            }
            if !matches!(value.get_ref(), DeValue::Table(_)) {
                file.unreadable.insert(key_text.to_string());
            }
        }
        file
    }
}

fn section<T: serde::de::DeserializeOwned>(
    reader: &Reader<'_>,
    value: &Spanned<DeValue<'_>>,
    path: &str,
) -> Vec<Entry<T>> {
    let DeValue::Table(table) = value.get_ref() else {
        reader.report(
            &value.span(),
            format!("{path} must be a table of named entries, like [{path}.NAME]"),
        );
        return Vec::new();
    };
    in_file_order(table)
        .into_iter()
        .map(|(key, value)| {
            let path = format!("{path}.{}", key.get_ref());
            Entry {
                name: Name {
                    value: key.get_ref().to_string(),
                    span: key.span(),
                    path: path.clone(),
                },
                value: reader.entry(value, &path),
            }
        })
        .collect()
}

impl Scalar {
    /// The literal value, if it is one.
    pub fn literal(&self) -> Option<f64> {
        match self.value {
            Number::Literal(value) => Some(value),
            Number::Expression(_) => None,
        }
    }
}
