//! What acts on a mechanism, and how it starts.

use serde::Deserialize;

use super::{BodyId, Checked, Direction, EdgeId, MemberId, PointId, Target};
use crate::checked::history::{Factors, MotionLaw, Release};
use crate::quantity::Quantity;

/// Which sliders stay where they are while an equilibrium is looked for.
#[derive(Debug, Clone, Copy, Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum FixedSliders {
    /// Those with friction.
    #[default]
    Friction,
    All,
    None,
}

/// An imposed motion.
#[derive(Debug, Clone)]
pub struct Motion {
    pub name: String,
    pub moved: Moved,
    pub direction: Direction,
    /// Displacement (m) or rotation (rad) from the initial configuration.
    pub law: MotionLaw,
    /// When it ends; `None`: never.
    pub release: Option<Release>,
}

/// What a motion acts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    Target(Target),
    /// What these supports hold moves with them; indices in [`Checked::supports`](super::Checked::supports).
    Supports(Vec<usize>),
    /// What follows in this [coupling](super::Coupling); an index in [`Checked::couplings`](super::Checked::couplings).
    Coupling(usize),
}

/// What a load acts along or a slider slides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    Member(MemberId),
    Edge(EdgeId),
}

impl Carrier {
    /// "member `arm`" or "edge `plate.top`".
    pub fn quoted(self, model: &Checked) -> String {
        match self {
            Carrier::Member(id) => format!("member `{}`", model.members[id].name),
            Carrier::Edge(id) => format!("edge `{}`", model.name_of_edge(id)),
        }
    }

    /// "arm" or "plate.top".
    pub fn plain(self, model: &Checked) -> String {
        match self {
            Carrier::Member(id) => model.members[id].name.clone(),
            Carrier::Edge(id) => model.name_of_edge(id),
        }
    }

    /// "member arm" or "edge plate.top".
    pub fn name(self, model: &Checked) -> String {
        match self {
            Carrier::Member(id) => format!("member {}", model.members[id].name),
            Carrier::Edge(id) => format!("edge {}", model.name_of_edge(id)),
        }
    }
}

/// A load on a member or an edge, along it or in one section, or through a body, multiplied by its `factors` of time.
#[derive(Debug, Clone)]
pub struct LineLoad {
    pub name: String,
    pub extent: Extent,
    /// Along the fixed axes x and y, then along normal and tangent of the deformed axis, N/m or, in one section, N, or through a body, N/m³; then the
    /// moment on a section of a member, N·m. The tangent leads from `from` to `to`, along an edge so that the body is to its left;
    /// the normal stands to its left.
    pub components: [f64; 5],
    pub factors: Factors<5>,
}

/// Where a load on a member, an edge or a body acts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// Per reference length. At the share x ∈ [0, 1] of the loaded part it is (1 − x) `variation`\[0\] + x `variation`\[1\]
    /// times its components.
    Along {
        carrier: Carrier,
        /// Reference arc lengths from the first node between which it acts, m.
        between: [f64; 2],
        variation: [f64; 2],
    },
    /// In the section at this reference arc length, m.
    At { carrier: Carrier, place: f64 },
    /// Per volume in the initial configuration. At the initial place x it is 1 + `gradient`·(x − c) times its components, with the centroid c of the body.
    Through {
        body: BodyId,
        /// 1/m.
        gradient: [f64; 2],
    },
}

impl LineLoad {
    /// Keys of the components of a load along something in the model file.
    pub const ALONG: [&str; 4] = ["qx", "qy", "normal", "tangential"];
    /// Those of a load in one section; the moment acts on members only.
    pub const AT: [&str; 5] = ["fx", "fy", "normal", "tangential", "moment"];
    /// Those of a load through a body.
    pub const THROUGH: [&str; 2] = ["bx", "by"];

    /// The member or edge that it acts on.
    pub fn carrier(&self) -> Option<Carrier> {
        match self.extent {
            Extent::Along { carrier, .. } | Extent::At { carrier, .. } => Some(carrier),
            Extent::Through { .. } => None,
        }
    }

    /// Keys of its components in the model file.
    pub fn keys(&self) -> &'static [&'static str] {
        let member = |carrier| matches!(carrier, Carrier::Member(_));
        match self.extent {
            Extent::Along { .. } => &LineLoad::ALONG,
            Extent::At { carrier, .. } if member(carrier) => &LineLoad::AT,
            Extent::At { .. } => &LineLoad::AT[..4],
            Extent::Through { .. } => &LineLoad::THROUGH,
        }
    }

    /// What a component measures.
    pub fn quantity(&self, component: usize) -> Quantity {
        match self.extent {
            Extent::Along { .. } => Quantity::LineLoad,
            Extent::At { .. } if component == 4 => Quantity::Moment,
            Extent::At { .. } => Quantity::Force,
            Extent::Through { .. } => Quantity::VolumeLoad,
        }
    }

    /// Whether some of it turns with what it acts on, unless an input gives it.
    pub fn follows(&self) -> bool {
        self.components[2..4].iter().any(|q| *q != 0.0)
    }
}

/// A load at a point; its components are multiplied by `factors` of time.
#[derive(Debug, Clone)]
pub struct Load {
    pub name: String,
    pub point: PointId,
    /// Whose end carries the moment, where several members turn on their own.
    pub member: Option<MemberId>,
    /// (F_x, F_y, M): N, N, N·m.
    pub components: [f64; 3],
    pub factors: Factors<3>,
}

/// Place and velocities at t = 0.
#[derive(Debug, Clone)]
pub struct Start {
    pub velocities: StartVelocities,
    /// Whether the place is the static equilibrium, and which sliders are held while it is found.
    pub equilibrium: Option<FixedSliders>,
    /// Velocities given for points and, after them, for what is connected with points, in m/s or rad/s. The
    /// first that a node gets counts.
    pub given: Vec<(Target, Direction, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartVelocities {
    /// At rest but for what is given and for the impulse that the imposed motions ask for.
    Rest,
    /// As the mechanism would move if its members were rigid.
    RigidMechanism,
}
