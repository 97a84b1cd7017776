//! The model file as written: its sections, keys and defaults.
//!
//! Numbers are [`Scalar`]s (literals or expressions) and names are [`Name`]s; both know their
//! place in the file. What they mean is decided by [`super::check`].

mod body;
mod contact;
mod coupling;
mod curve;
mod damping;
mod initial;
mod joint;
mod load;
mod record;
mod release;
mod roughness;
mod spring;
mod statics;
mod surface_contact;

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer};

use super::de::form::{self, Form, Key};
use super::de::{DataFile, Name, Reader, Scalar, in_file_order};
use super::history::Interpolation;
use crate::laws::friction;
use crate::message::excerpt;
use crate::message::{did_you_mean, suggestion};
use crate::nodes::Direction;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use body::{Body, Drawing, Edge, MeshFile, Outline, Patch, PlaneState};
pub use contact::Contact;
pub use coupling::{Coordinate, Coupling};
pub use curve::Arc;
pub use damping::{Axes, Damping};
pub use initial::{Initial, InitialBody, InitialPoint, Velocities};
pub use joint::{
    Ends, Equivalent, Hinge, Joint, JointKind, Pin, PinNodes, SliderBearing, Sliding, SlidingEdge,
    SlidingNodes,
};
pub use load::Load;
pub use record::Record;
pub use release::Release;
pub use roughness::Roughness;
pub use spring::{Bushing, BushingFrame, DamperTable, Spring, SpringDirection, SpringTable, Stop};
pub use statics::Static;
pub use surface_contact::SurfaceContact;

/// A named entry of a section.
#[derive(Debug, Clone)]
pub struct Entry<T> {
    pub name: Name,
    /// `None` if nothing can be made of it. What of it has a fault is left out or unknown; see
    /// [`Reader::faulty`].
    pub value: Option<T>,
}

/// The type of a key or section of the top level: a section of named entries is a list.
macro_rules! stored {
    (entries $given:ty) => { Vec<Entry<$given>> };
    ($other:ident $given:ty) => { Option<$given> };
}

/// How a key or section of the top level is read.
macro_rules! read {
    (entries $file:ident.$field:ident, $reader:ident, $value:ident, $key:literal) => {
        $file.$field = section($reader, $value, $key)
    };
    (one $file:ident.$field:ident, $reader:ident, $value:ident, $key:literal) => {
        $file.$field = $reader.entry($value, $key)
    };
    (initial $file:ident.$field:ident, $reader:ident, $value:ident, $key:literal) => {
        $file.read_initial($reader, $value)
    };
}

/// What a key or section of the top level reads.
macro_rules! form {
    (entries $given:ty) => {
        Form::Entries(Box::new(form::of::<$given>()))
    };
    (one $given:ty) => {
        form::of::<$given>()
    };
    (initial $given:ty) => {
        initial::form()
    };
}

/// The names of what is in a section; none in what has no named entries.
macro_rules! names {
    (entries $file:ident.$field:ident) => {
        $file.$field.iter().map(|e| &e.name).collect()
    };
    ($other:ident $file:ident.$field:ident) => {
        Vec::new()
    };
}

/// The top level of the file. From this one list follow its type, the keys that are allowed, how each
/// of them is read, and [`Top`], over which everything that treats sections one by one is matched.
macro_rules! top {
    ($($kind:ident $field:ident $key:literal $Top:ident: $given:ty;)*) => {
        /// All sections, entries in the order of the file.
        #[derive(Debug, Clone, Default)]
        pub struct File {
            $(pub $field: stored!($kind $given),)*
            pub initial_points: Vec<Entry<InitialPoint>>,
            pub initial_bodies: Vec<Entry<InitialBody>>,
            /// Sections whose content could not be read, for want of a table or by a misspelt name.
            pub unreadable: BTreeSet<String>,
        }

        /// A key or section of the file's top level.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Top {
            $($Top,)*
        }

        impl Top {
            /// All of them.
            pub const ALL: &'static [Top] = &[$(Top::$Top,)*];

            /// Its key.
            pub fn key(self) -> &'static str {
                match self {
                    $(Top::$Top => $key,)*
                }
            }
        }

        fn read_top(file: &mut File, top: Top, reader: &Reader<'_>, value: &Spanned<DeValue<'_>>) {
            match top {
                $(Top::$Top => read!($kind file.$field, reader, value, $key),)*
            }
        }

        /// The form of the whole file, as the reader takes it.
        pub fn form() -> Form {
            let keys = vec![$(Key {
                word: $key,
                required: Top::$Top.is_required(),
                form: form!($kind $given),
            },)*];
            Form::Table(keys)
        }

        fn names_of(file: &File, top: Top) -> Vec<&Name> {
            match top {
                $(Top::$Top => names!($kind file.$field),)*
            }
        }
    };
}

top! {
    one name "name" Name: Name;
    one description "description" Description: Name;
    one author "author" Author: Name;
    one version "version" Version: Name;
    one copyright "copyright" Copyright: Name;
    one license "license" License: Name;
    entries parameters "parameters" Parameters: Scalar;
    one experiment "experiment" Experiment: Experiment;
    one solver "solver" Solver: Solver;
    entries points "points" Points: [Scalar; 2];
    entries materials "materials" Materials: Material;
    entries sections "sections" Sections: Section;
    entries members "members" Members: Member;
    entries bodies "bodies" Bodies: Body;
    entries joints "joints" Joints: Joint;
    entries contacts "contacts" Contacts: SurfaceContact;
    entries springs "springs" Springs: Spring;
    entries couplings "couplings" Couplings: Coupling;
    entries damping "damping" Damping: Damping;
    entries masses "masses" Masses: Mass;
    entries supports "supports" Supports: Support;
    entries motions "motions" Motions: Motion;
    entries loads "loads" Loads: Load;
    one gravity "gravity" Gravity: Gravity;
    initial initial "initial" Initial: Initial;
    entries probes "probes" Probes: Probe;
    one statics "static" Static: Static;
    one interface "interface" Interface: Interface;
}

impl Top {
    /// The one of this key.
    pub fn of(key: &str) -> Option<Top> {
        Top::ALL.iter().copied().find(|top| top.key() == key)
    }

    /// Whether no model is without it.
    pub fn is_required(self) -> bool {
        self == Top::Name
    }
}

#[derive(Debug, Clone, Deserialize, Default)]
pub struct Experiment {
    pub stop_time: Option<Scalar>,
    pub communication_step: Option<Scalar>,
    pub extrapolation_order: Option<Scalar>,
}

#[derive(Debug, Clone, Deserialize, Default)]
pub struct Solver {
    #[serde(default)]
    pub analysis: Analysis,
    #[serde(default)]
    pub method: Method,
    pub step: Option<Scalar>,
    pub tolerance: Option<Scalar>,
    pub spectral_radius: Option<Scalar>,
    pub max_iterations: Option<Scalar>,
    pub position_tolerance: Option<Scalar>,
    pub force_tolerance: Option<Scalar>,
    pub max_halvings: Option<Scalar>,
    pub energy_tolerance: Option<Scalar>,
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
    #[serde(rename = "index3_generalized_alpha")]
    Index3GeneralizedAlpha,
    Newmark,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Material {
    pub young_modulus: Option<Scalar>,
    pub shear_modulus: Option<Scalar>,
    pub poisson_ratio: Option<Scalar>,
    pub neo_hooke: Option<NeoHooke>,
    pub mooney_rivlin: Option<MooneyRivlin>,
    pub yeoh: Option<Yeoh>,
    pub density: Scalar,
}

#[derive(Debug, Clone, Deserialize)]
pub struct NeoHooke {
    pub shear_modulus: Scalar,
    pub bulk_modulus: Scalar,
}

#[derive(Debug, Clone, Deserialize)]
pub struct MooneyRivlin {
    pub c10: Scalar,
    pub c01: Scalar,
    pub bulk_modulus: Scalar,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Yeoh {
    pub c10: Scalar,
    pub c20: Scalar,
    pub c30: Scalar,
    pub bulk_modulus: Scalar,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    Rectangle { height: Scalar, width: Scalar },
    Circle { diameter: Scalar },
    Tube { outer_diameter: Scalar, thickness: Scalar },
    Properties { area: Scalar, second_moment: Scalar, fourth_moment: Option<Scalar> },
}

#[derive(Debug, Clone, Deserialize)]
pub struct Member {
    pub from: Option<Name>,
    pub to: Option<Name>,
    pub elements: Option<Scalar>,
    /// The edge of a body, `BODY.EDGE`, that it follows.
    pub edge: Option<Name>,
    pub order: Option<Scalar>,
    pub arc: Option<Arc>,
    pub spline: Option<Vec<[Scalar; 2]>>,
    pub material: Option<Name>,
    pub section: Option<Name>,
    #[serde(default)]
    pub rotary_inertia: bool,
    #[serde(default)]
    pub rigid: bool,
    /// Of a rigid member.
    pub mass: Option<Scalar>,
    pub inertia: Option<Scalar>,
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
    type Text = Option<DataFile>;
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
    pub edge: Option<Name>,
    pub fix: Vec<Direction>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Motion {
    pub point: Option<Name>,
    pub member: Option<Name>,
    pub edge: Option<Name>,
    /// The coupling that it drives.
    pub coupling: Option<Name>,
    /// Supports that move as one.
    pub supports: Option<Vec<Name>>,
    pub direction: Option<Direction>,
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
    /// A function of t.
    Expression(Scalar),
    Table {
        times: Option<Vec<Scalar>>,
        values: Option<Vec<Scalar>>,
        file: Option<DataFile>,
        /// What follows the last value.
        #[serde(default)]
        beyond: Beyond,
        interpolation: Option<Interpolation>,
    },
}

/// How a table goes on before its first and after its last value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// As a straight line.
    #[default]
    Straight,
    /// With that value, which the curve reaches without a slope.
    Hold,
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
    /// A section of a member.
    Section {
        member: Name,
        at: Scalar,
    },
    /// The deflection of a member from the line through its ends.
    Chord {
        member: Name,
        at: Scalar,
    },
    /// A place inside a body.
    Place {
        body: Name,
        at: [Scalar; 2],
    },
    /// A place on an edge of a body, at a share of its length.
    EdgePlace {
        edge: Name,
        fraction: Scalar,
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
    #[serde(default)]
    pub discrete_outputs: DiscreteOutputs,
}

/// How outputs that are whole numbers, truths or states are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum DiscreteOutputs {
    /// With their own types: Integer, Boolean, Enumeration.
    #[default]
    Typed,
    /// As Real.
    Real,
    /// Not at all.
    None,
}

impl File {
    /// The names of the entries of a section; none of what has no entries.
    pub fn entries_of(&self, top: Top) -> Vec<&Name> {
        names_of(self, top)
    }

    /// Reads every section; faults are left in `reader`.
    pub fn read(reader: &Reader<'_>, root: &Spanned<DeTable<'_>>) -> File {
        let mut file = File::default();
        for (key, value) in in_file_order(root.get_ref()) {
            let text = key.get_ref().as_ref();
            match Top::of(text) {
                Some(top) => read_top(&mut file, top, reader, value),
                None => {
                    let keys = || Top::ALL.iter().map(|top| top.key());
                    let meant = suggestion(text, keys());
                    file.unreadable.extend(meant.map(str::to_string));
                    let known: Vec<&str> = keys().collect();
                    let message = format!(
                        "unknown section or key `{}`; allowed: {}{}",
                        excerpt(text),
                        known.join(", "),
                        did_you_mean(text, keys())
                    );
                    reader.report_of(meant.unwrap_or(text), &key.span(), message);
                }
            }
            if !matches!(value.get_ref(), DeValue::Table(_)) {
                file.unreadable.insert(text.to_string());
            }
        }
        file
    }
}

/// Whether every entry of a section is a table.
fn names_tables(section: &str) -> bool {
    !["points", "parameters"].contains(&section)
}

fn section<T: serde::de::DeserializeOwned>(
    reader: &Reader<'_>, value: &Spanned<DeValue<'_>>, path: &str,
) -> Vec<Entry<T>> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = match value.get_ref() {
            _ if !names_tables(path) => {
                format!(
                    "{path} has no entries with names; write [{path}] and below it NAME = … for each"
                )
            }
            DeValue::Array(_) => {
                format!("{path} is a list; give each entry a name, as in [{path}.NAME]")
            }
            _ => format!("{path} has no entries with names; write them as in [{path}.NAME]"),
        };
        reader.report_of(path, &value.span(), message);
        return Vec::new();
    };
    let mut entries = in_file_order(table);
    // An entry whose name was forgotten: its keys stand in its place.
    let is_value = |value: &DeValue<'_>| !matches!(value, DeValue::Table(_) | DeValue::Array(_));
    let misplaced = (entries.iter()).find(|(_, value)| is_value(value.get_ref()));
    if let (true, Some((key, _))) = (names_tables(path), misplaced) {
        let message = format!(
            "[{path}] has the key `{}`, and its entries have names; write [{path}.NAME] above its keys",
            excerpt(key.get_ref())
        );
        reader.report_of(path, &key.span(), message);
        entries.retain(|(_, value)| matches!(value.get_ref(), DeValue::Table(_)));
    }
    entries
        .into_iter()
        .map(|(key, value)| {
            let path = format!("{path}.{}", key.get_ref());
            Entry {
                name: Name {
                    value: key.get_ref().to_string(),
                    span: key.span(),
                    path: path.clone(),
                },
                value: reader.entry(value, &path).or_else(|| {
                    reader.doubt(&path);
                    None
                }),
            }
        })
        .collect()
}
