//! What acts on a mechanism, and how it starts.

use super::statics::HeldSliders;
use super::{Checked, Direction, EdgeId, MemberId, PointId, Target};
use crate::model::history::{History, MotionLaw, Release};
use crate::model::quantity::Quantity;

/// An imposed motion.
#[derive(Debug, Clone)]
pub struct Motion {
    pub name: String,
    pub moved: Moved,
    pub direction: Direction,
    /// Displacement (m) or rotation (rad) from the initial configuration.
    pub law: MotionLaw,
    /// When it lets go; `None`: never.
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

/// A load on a member or an edge, along it or in one section, multiplied by `history` of time.
#[derive(Debug, Clone)]
pub struct LineLoad {
    pub name: String,
    pub carrier: Carrier,
    /// Along the fixed axes x and y, then along normal and tangent of the deformed axis, N/m or, in one section, N; then the
    /// moment on a section of a member, N·m. The tangent leads from `from` to `to`, along an edge so that the body is to its left;
    /// the normal stands to its left.
    pub components: [f64; 5],
    pub extent: Extent,
    pub history: History,
}

/// Where a load on a member or an edge acts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// Per reference length. At the share x ∈ [0, 1] of the loaded part it is (1 − x) `variation`\[0\] + x `variation`\[1\]
    /// times its components.
    Along {
        /// Reference arc lengths from the first node between which it acts, m.
        between: [f64; 2],
        variation: [f64; 2],
    },
    /// In the section at this reference arc length, m.
    At(f64),
}

impl LineLoad {
    /// Keys of the components of a load along something in the model file.
    pub const ALONG: [&str; 4] = ["qx", "qy", "normal", "tangential"];
    /// Those of a load in one section; the moment acts on members only.
    pub const AT: [&str; 5] = ["fx", "fy", "normal", "tangential", "moment"];

    /// Keys of its components in the model file.
    pub fn keys(&self) -> &'static [&'static str] {
        match (self.extent, self.carrier) {
            (Extent::Along { .. }, _) => &LineLoad::ALONG,
            (Extent::At(_), Carrier::Member(_)) => &LineLoad::AT,
            (Extent::At(_), Carrier::Edge(_)) => &LineLoad::AT[..4],
        }
    }

    /// What a component measures.
    pub fn quantity(&self, component: usize) -> Quantity {
        match self.extent {
            Extent::Along { .. } => Quantity::LineLoad,
            Extent::At(_) if component == 4 => Quantity::Moment,
            Extent::At(_) => Quantity::Force,
        }
    }

    /// Whether some of it turns with what it acts on, unless an input gives it.
    pub fn follows(&self) -> bool {
        self.components[2..4].iter().any(|q| *q != 0.0)
    }
}

/// A load at a point; its components are multiplied by `history` of time.
#[derive(Debug, Clone)]
pub struct Load {
    pub name: String,
    pub point: PointId,
    /// Whose end carries the moment, where several members turn on their own.
    pub member: Option<MemberId>,
    /// (F_x, F_y, M): N, N, N·m.
    pub components: [f64; 3],
    pub history: History,
}

/// Place and velocities at t = 0.
#[derive(Debug, Clone)]
pub struct Start {
    pub velocities: StartVelocities,
    /// Whether the place is the static equilibrium, and which sliders are held while it is found.
    pub equilibrium: Option<HeldSliders>,
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
