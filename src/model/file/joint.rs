//! Joints, as written.

use serde::Deserialize;

use super::{Contact, Friction, Roughness};
use crate::joints::regime::Side;
use crate::model::de::{Group, Located, Name, Scalar, Switch};
use crate::model::form::{Form, Written, keys, words};

/// The kinds of joints: each is a key of the joint, of which there must be exactly one.
macro_rules! kinds {
    ($($(#[doc = $text:literal])+ $key:ident $Kind:ident($given:ty),)*) => {
        /// What a joint does, with the keys of its kind.
        #[derive(Debug, Clone)]
        pub enum JointKind {
            $($(#[doc = $text])+ $Kind($given),)*
        }

        keys! {
            /// The keys of a joint.
            Keys {
                $($(#[doc = $text])+ $key: Option<$given>;)*
                /// a rough surface over the path, [below](#roughness)
                roughness: Option<Roughness> [default("none")];
                /// of a rigid wheel that rolls over the roughness instead of a point
                wheel_radius: Option<Scalar> [
                    number(&[Length], POSITIVE).named(&["Radius of the wheel that rolls at {}"])
                ];
                /// the [law](#friction) of friction
                friction: Option<Friction> [default("none").acts(Acts::AsFriction)];
                /// a harmonic motion for which friction is [linearised](#equivalent)
                equivalent: Option<Equivalent> [default("none").acts(Acts::Later)];
                /// `false` or 0: the model is calculated as if this entry were not there. An expression, such as the name of a parameter, makes it a
                /// [switch](#switches)
                enabled: Option<Switch> [
                    number(&[Truth], ON_OFF).default("true").named(&["Whether {} is there"]).acts(Acts::OnPositions)
                ];
            }
            exactly_one(&[$(stringify!($key)),*]);
            needs("friction", &["cylindrical", "prismatic", "sliding", "hinge.radius"]);
            needs("hinge.radius", &["friction"]).because("it is where friction acts");
            needs("equivalent", &["friction"]).because("it linearises the friction");
            needs("wheel_radius", &["roughness"]).because("there is nothing else to roll over");
            excludes("hinge", &["equivalent", "roughness", "wheel_radius"]).because("they belong to sliding joints");
            excludes("pin", &["equivalent", "roughness", "wheel_radius"]).because("they belong to sliding joints");
            excludes("roughness", &["cylindrical.ends = \"closed\"", "prismatic.ends = \"closed\""]);
            excludes("cylindrical", &["cylindrical.length"]).because("a cylindrical slider turns and carries no moment");
            excludes("prismatic", &["prismatic.contact = \"unilateral\""])
                .because("a prismatic slider encloses its path, take `cylindrical`");
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
                    enabled: keys.enabled,
                }
            }
        }
    };
}

kinds! {
    /// lets members turn on their own
    hinge Hinge(Hinge),
    /// holds a point on a path
    cylindrical Cylindrical(Sliding),
    /// holds a point on a path, and its rotation against the path
    prismatic Prismatic(Sliding),
    /// lets an edge of a body slide on a path
    sliding Edge(SlidingEdge),
    /// lets a hole of a body turn on something
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
    pub enabled: Option<Switch>,
}

impl Written for Joint {
    fn form() -> Form {
        Keys::form()
    }
}

keys! {
    /// The harmonic motion for which friction is linearised.
    Equivalent {
        /// a
        amplitude: Scalar [
            number(&[Length], POSITIVE)
            .named(&["Amplitude of the motion for which the friction of {} is linearised"])
        ];
        /// of the motion
        frequency: Scalar [
            number(&[Frequency], POSITIVE)
            .named(&["Frequency of the motion for which the friction of {} is linearised"])
        ];
        /// of the slider on its path
        normal_force: Scalar [
            number(&[Force], POSITIVE)
            .named(&["Normal force for which the friction of {} is linearised"])
        ];
    }
}

keys! {
    /// A hinge.
    Hinge {
        /// where at least two members end, or one at a rigid body
        point: Name;
        /// list of what turns on its own: a member, or a list of members that stay rigidly connected with each other, `release = [["b1",
        /// "b2"]]` where two continuous arms cross in a pin. The rest stay rigidly connected
        release: Option<Vec<Group>> [default("all that end there, each on its own")];
        /// of the pin, at which [`friction`](#friction) acts
        radius: Option<Scalar> [
            number(&[Length], POSITIVE)
            .default("no friction")
            .named(&["Radius at which friction acts in the hinge {entry}"])
        ];
    }
}

keys! {
    /// A slider.
    Sliding {
        /// the point that slides; it lies on the path, and no member of the path ends at it. If its position is off the path by up to 1e-4
        /// of the path's length (rounded coordinates), it is moved onto it at the start; farther off it is refused
        slider: Name;
        /// members and edges of bodies (`"BODY.EDGE"`, for a cylindrical joint) that form a chain, in order. The sliding coordinate s is
        /// the arc length of the initial configuration
        path: Vec<Name>;
        /// the end of the path where s = 0: either end of the chain, in whichever direction its members are listed
        start: Option<Name> [
            default("the first member's end away from the second; for a single member its `from`")
        ];
        /// what happens at the ends of the path ([below](#ends-of-the-path)): `"error"`: the step is refused; `"stop"`: the slider stops;
        /// `"continue"`: the path is extended; `"closed"`: the path is a loop; `"leave"`: the slider leaves the path
        #[serde(default)]
        ends: Ends [default("error")];
        /// fraction of its velocity with which the slider returns from a stop (`ends = "stop"`) or from its path where it touches down
        /// (`contact = "unilateral"`). Flights that get shorter and shorter end in rest
        restitution: Option<Scalar> [
            number(&[Dimensionless], RESTITUTION)
            .default("0.0")
            .named(&["Share of its velocity with which the slider of {} comes back from an impact"])
            .acts(Acts::Later)
        ];
        /// `true`: friction acts in impacts, too, with the coefficient of its law (not for laws with memory): a slider that strikes its
        /// path at an angle, or a kink of it, loses speed along the path, and a joint with a contact impulse of an impact elsewhere may stick
        #[serde(default)]
        impact_friction: bool [default("false")];
        /// the path passes from element to element with the same slope and curvature, also into the next member where that goes on in
        /// the same direction (to 0.001 rad, without a hinge). `false`: the chain of elements with a small kink at every node, at which
        /// contact forces show spikes that grow as the step shrinks
        smooth: Option<bool> [default("true")];
        /// `"bilateral"`: the slider never leaves its path; `"unilateral"`: it may lift off, is never pulled, and touches down
        /// ([below](#contact-that-can-open)); cylindrical joints only
        #[serde(default)]
        contact: Contact [default("bilateral")];
        /// with `contact = "unilateral"`: the side of the path that the slider stands on, `"left"` or `"right"`, seen along growing s.
        /// Left is above a path that runs to +x. On edges of bodies alone the default is `"right"`, outside the body
        side: Option<Side> [default("left")];
        /// whose rotation a prismatic joint constrains, where several parts turn on their own at the slider: a member that ends there or a
        /// rigid body that carries the point
        member: Option<Name>;
        /// of a prismatic slider in contact with its path along this length: the moment that it carries then counts as normal force, and the joint
        /// can jam. See [sliders that jam](friction.md#sliders-that-jam)
        length: Option<Scalar> [
            number(&[Length], POSITIVE)
            .default("none")
            .named(&["Length of the slider of {} along its path"])
            .acts(Acts::AsFriction)
        ];
        /// with `length`, of the slider across its path. Friction then acts at its two faces instead of its axis. μ · height below
        /// `length` for every coefficient up to 10 m/s, also while it is tuned
        height: Option<Scalar> [
            number(&[Length], POSITIVE)
            .default("0")
            .named(&["Height of the slider of {}, at whose faces friction acts"])
            .acts(Acts::AsFriction)
        ];
        /// with `length`: `"ends"`, both ends are in contact; `"layer"`, a contact layer along the whole slider, with a linear pressure
        bearing: Option<Located<SliderBearing>> [default("ends")];
        /// the mass m by which the printed form of friction (`siqueira_coda_2023`) passes through rest. Other forms do not depend on it,
        /// and a slider without mass needs none
        sliding_mass: Option<Scalar> [
            number(&[Mass], POSITIVE)
            .default("the mass at the slider")
            .named(&["Mass that the friction law of {} counts with near rest"])
            .acts(Acts::AsFriction)
        ];
    }
    needs("restitution", &["ends = \"stop\"", "contact = \"unilateral\""]).because("without them the slider has no impact");
    needs("side", &["contact = \"unilateral\""]);
    needs("height", &["length"]);
    needs("bearing", &["length"]);
}

/// What of a slider with a length touches its path.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliderBearing {
    Ends,
    Layer,
}

keys! {
    /// An edge of a body that slides on a path.
    SlidingEdge {
        /// the edge, `"BODY.EDGE"`; it lies on the path
        edge: Name;
        /// as of a cylindrical joint
        path: Vec<Name>;
        /// as of a cylindrical joint
        start: Option<Name>;
        /// what of the edge is constrained to the path, with friction or without: `"ends"`: its first and last node; `"mean"`: two averaged
        /// positions of an edge with ends, at ±0.58 of its half length (Gauss points); `"all"`: every node, also of a closed edge. See
        /// [which nodes](#which-nodes)
        #[serde(default)]
        nodes: SlidingNodes [default("ends")];
        /// as of a cylindrical joint
        #[serde(default)]
        ends: Ends [default("error")];
        /// as of a cylindrical joint
        smooth: Option<bool> [default("true")];
    }
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

keys! {
    /// A hole of a body that turns on something.
    Pin {
        /// an edge of the body, `"BODY.EDGE"`, closed or not
        hole: Name;
        /// an edge of another body, or a point: of a member or another body, one that a support or a motion fixes, or one that nothing else fixes, which then follows the middle of the hole. Initially it is where the hole is, to 1e-4 of the hole's length
        on: Name;
        /// `"mean"`: the mean place of the hole, along its initial length, is that of `on`; `"all"`: every node of the hole slides on
        /// the closed edge `on`, the same as `sliding` with `nodes = "all"` and `ends = "closed"`, which also takes a path of members
        #[serde(default)]
        nodes: PinNodes [default("mean")];
    }
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

words!(SliderBearing, SlidingNodes, PinNodes, Ends);
