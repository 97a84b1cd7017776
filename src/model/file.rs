//! The model file as written: its sections, keys and defaults.
//!
//! Numbers are [`Scalar`]s (literals or expressions) and names are [`Name`]s; both know their
//! place in the file. What they mean is decided by [`super::check`].

mod body;
mod contact;
mod coupling;
mod curve;
mod damping;
mod friction;
mod initial;
mod joint;
mod load;
mod member;
mod motion;
mod probe;
mod record;
mod release;
mod roughness;
mod settings;
mod spring;
mod statics;
mod surface_contact;
mod switches;

use std::collections::BTreeSet;

use super::de::{Name, Reader, Scalar, in_file_order};
use super::form::{Form, Key, Written, key};
use crate::message::excerpt;
use crate::message::{did_you_mean, suggestion};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use body::{Body, Drawing, Edge, MeshFile, Outline, Patch, PlaneState};
pub use contact::Contact;
pub use coupling::{Coordinate, Coupling};
pub use curve::Arc;
pub use damping::{Axes, Damping};
pub use friction::{Friction, Given};
pub use initial::{Initial, InitialBody, InitialPoint, Velocities};
pub use joint::{
    Ends, Equivalent, Hinge, Joint, JointKind, Pin, PinNodes, SliderBearing, Sliding, SlidingEdge,
    SlidingNodes,
};
pub use load::Load;
pub use member::{Mass, Material, Member, Section, Support};
pub use motion::{Beyond, History, Motion};
pub use probe::Probe;
pub use record::Record;
pub use release::Release;
pub use roughness::Roughness;
pub use settings::{Analysis, DiscreteOutputs, Experiment, Gravity, Interface, Method, Solver};
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

/// What a key or section of the top level reads; of named entries with what one of them is called.
macro_rules! form {
    (entries $given:ty, $what:literal) => {
        Form::Entries($what, Box::new(<$given>::form()))
    };
    (one $given:ty,) => {
        <$given>::form()
    };
    (initial $given:ty,) => {
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
/// of them is read, what is said of it, and [`Top`], over which everything that treats sections one by one is matched.
macro_rules! top {
    ($(
        $(#[doc = $text:literal])+
        $kind:ident $field:ident $key:literal $($what:literal)? $Top:ident: $given:ty [$($facts:tt)*];
    )*) => {
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
                form: form!($kind $given, $($what)?),
                ..key!([$($text)+] [] $key, bool, Top::$Top.is_required(), [. $($facts)*])
            },)*];
            Form::Table(keys, Vec::new())
        }

        fn names_of(file: &File, top: Top) -> Vec<&Name> {
            match top {
                $(Top::$Top => names!($kind file.$field),)*
            }
        }
    };
}

top! {
    /// name of the model, also within the FMU, whose file is named like the model file
    one name "name" Name: Name [acts(Acts::Later)];
    /// one line about it
    one description "description" Description: Name [acts(Acts::Later)];
    /// of the model; written into the FMU's description
    one author "author" Author: Name [acts(Acts::Later)];
    /// of the model; written into the FMU's description
    one version "version" Version: Name [acts(Acts::Later)];
    /// of the model; written into the FMU's description
    one copyright "copyright" Copyright: Name [acts(Acts::Later)];
    /// of the model; written into the FMU's description
    one license "license" License: Name [acts(Acts::Later)];
    /// `NAME = number`: values that expressions use. One may depend on others, in any order, but not on itself. Each that is written as a
    /// number is a parameter of the FMU
    entries parameters "parameters" "parameter" Parameters: Scalar [acts(Acts::OnPositions)];
    /// What a host does when nobody says otherwise
    one experiment "experiment" Experiment: Experiment [acts(Acts::Later)];
    /// Time integration and tolerances
    one solver "solver" Solver: Solver [acts(Acts::OnPositions)];
    /// `NAME = [x, y]` in the initial configuration. A point that nothing is attached to only marks a place
    entries points "points" "point" Points: [Scalar; 2] [
        number(&[Length], FINITE).named(&["Initial {axis}"]).acts(Acts::OnPositions)
    ];
    /// What members and bodies are made of: `young_modulus` with one of `shear_modulus` and `poisson_ratio`, or a law of large strains
    entries materials "materials" "material" Materials: Material [acts(Acts::OnPositions)];
    /// Exactly one shape. Height is measured in the plane of the mechanism, width across it
    entries sections "sections" "section" Sections: Section [acts(Acts::OnPositions)];
    /// A member of frame elements: straight, unless it has `arc` or `spline`. Or one that follows an edge of a body
    entries members "members" "member" Members: Member [acts(Acts::OnPositions)];
    /// A plane body of triangles of order 1 to 4 under finite strain, or a rigid one
    entries bodies "bodies" "body" Bodies: Body [acts(Acts::OnPositions)];
    /// A joint of exactly one kind
    entries joints "joints" "joint" Joints: Joint [acts(Acts::OnPositions)];
    /// A surface that touches the faces of a guide, point by point, with pressure and friction of its own at each
    entries contacts "contacts" "contact" Contacts: SurfaceContact [acts(Acts::AsLoad)];
    /// A spring, a damper, stops, a slip element and an actuator between two points, or some of these; their forces are added. Or a
    /// bushing
    entries springs "springs" "spring" Springs: Spring [acts(Acts::AsLoad)];
    /// Gears, racks and pinions, differentials, cams, belts, steering, motors in joints: a coordinate that follows others exactly,
    /// without stiffness
    entries couplings "couplings" "coupling" Couplings: Coupling [acts(Acts::OnPositions)];
    /// Structural (Rayleigh) damping D = c_m M + c_k K of some members and bodies
    entries damping "damping" "damping" Damping: Damping [acts(Acts::OnForces)];
    /// A mass at a point
    entries masses "masses" "mass" Masses: Mass [acts(Acts::OnPositions)];
    /// What keeps its initial position
    entries supports "supports" "support" Supports: Support [acts(Acts::OnPositions)];
    /// An imposed displacement or rotation from the initial configuration; with `supports`, ground motion
    entries motions "motions" "motion" Motions: Motion [acts(Acts::OnPositions)];
    /// A load at a point, along a member or an edge, in one section, or through a body
    entries loads "loads" "load" Loads: Load [acts(Acts::AsLoad)];
    /// Gravity pulls at all masses but those of `weightless`
    one gravity "gravity" Gravity: Gravity [acts(Acts::AsLoad)];
    /// Velocities at the start, and whether it is an equilibrium
    initial initial "initial" Initial: Initial [acts(Acts::OnVelocities)];
    /// Quantities to look at, exactly one of these
    entries probes "probes" "probe" Probes: Probe [acts(Acts::OnPositions)];
    /// The path of equilibria that `coulisse static MODEL.toml` follows: what grows, how it is prescribed, and how far
    one statics "static" Static: Static [acts(Acts::OnPositions)];
    /// `NAME = [PATH, …]`: outputs of one quantity, as the regimes of all wheels, that a host reads as one array, `arrays.NAME`: in FMI 2.0 and
    /// elsewhere as `arrays.NAME[1]` and so on. A path that is an array of [`stations`](interface.md) stands for all its elements, and one
    /// that ends in `.*` for all below it
    entries arrays "arrays" "array" Arrays: Vec<Name> [acts(Acts::Later)];
    /// Lists of paths: what a host sets and reads. A path that ends in `.*` stands for all below it
    one interface "interface" Interface: Interface [acts(Acts::Later)];
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
    !["points", "parameters", "arrays"].contains(&section)
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
