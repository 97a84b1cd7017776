//! Joints, as written.

use serde::Deserialize;

use super::{Contact, Friction, Roughness};
use crate::joints::regime::Side;
use crate::model::de::{Group, Located, Name, Scalar};

/// The kinds of joints: each is a key of the joint, of which there must be exactly one.
macro_rules! kinds {
    ($($key:ident $Kind:ident($given:ty),)*) => {
        /// What a joint does, with the keys of its kind.
        #[derive(Debug, Clone)]
        pub enum JointKind {
            $($Kind($given),)*
        }

        impl JointKind {
            /// Their keys in the file.
            pub const KEYS: &'static [&'static str] = &[$(stringify!($key),)*];
        }

        /// The keys of a joint.
        #[derive(Deserialize)]
        struct Keys {
            $($key: Option<$given>,)*
            roughness: Option<Roughness>,
            wheel_radius: Option<Scalar>,
            friction: Option<Friction>,
            equivalent: Option<Equivalent>,
        }

        impl From<Keys> for Joint {
            fn from(keys: Keys) -> Joint {
                let kinds = [$(keys.$key.map(JointKind::$Kind),)*];
                Joint {
                    kinds: kinds.into_iter().flatten().collect(),
                    roughness: keys.roughness,
                    wheel_radius: keys.wheel_radius,
                    friction: keys.friction,
                    equivalent: keys.equivalent,
                }
            }
        }
    };
}

kinds! {
    hinge Hinge(Hinge),
    cylindrical Cylindrical(Sliding),
    prismatic Prismatic(Sliding),
    sliding Edge(SlidingEdge),
    pin Pin(Pin),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Keys")]
pub struct Joint {
    /// As many as are written; exactly one is right.
    pub kinds: Vec<JointKind>,
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
    /// What turns on its own, each a member or members that stay connected.
    pub release: Option<Vec<Group>>,
    /// Where friction acts.
    pub radius: Option<Scalar>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Sliding {
    pub slider: Name,
    pub path: Vec<Name>,
    pub start: Option<Name>,
    #[serde(default)]
    pub ends: Ends,
    pub restitution: Option<Scalar>,
    #[serde(default)]
    pub impact_friction: bool,
    pub smooth: Option<bool>,
    #[serde(default)]
    pub contact: Contact,
    pub side: Option<Side>,
    pub member: Option<Name>,
    pub length: Option<Scalar>,
    pub height: Option<Scalar>,
    pub bearing: Option<Located<SliderBearing>>,
    pub sliding_mass: Option<Scalar>,
}

/// What of a slider with a length bears on its path.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliderBearing {
    Ends,
    Layer,
}

/// An edge of a body that slides on a path.
#[derive(Debug, Clone, Deserialize)]
pub struct SlidingEdge {
    pub edge: Name,
    pub path: Vec<Name>,
    pub start: Option<Name>,
    #[serde(default)]
    pub nodes: SlidingNodes,
    #[serde(default)]
    pub ends: Ends,
    pub smooth: Option<bool>,
}

/// Which nodes of an edge are held on the path.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum SlidingNodes {
    /// Its first and its last one.
    #[default]
    Ends,
    /// Two mean places of all of them.
    Mean,
    All,
}

/// A hole of a body that turns on something.
#[derive(Debug, Clone, Deserialize)]
pub struct Pin {
    pub hole: Name,
    pub on: Name,
    #[serde(default)]
    pub nodes: PinNodes,
}

/// What of a hole is held.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum PinNodes {
    /// The mean place of its nodes.
    #[default]
    Mean,
    All,
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Ends {
    #[default]
    Error,
    Stop,
    Continue,
    Closed,
    Leave,
}
