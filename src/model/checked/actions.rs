//! What acts on a mechanism, and how it starts.

use super::statics::HeldSliders;
use super::{Checked, Direction, EdgeId, MemberId, PointId, Target};
use crate::model::history::{History, MotionLaw, Release};

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

/// A load along a member or an edge, per reference length, multiplied by `history` of time.
///
/// At the share x ∈ [0, 1] of the loaded part it is (1 − x) `variation`\[0\] + x `variation`\[1\] times
/// its components.
#[derive(Debug, Clone)]
pub struct LineLoad {
    pub name: String,
    pub carrier: Carrier,
    /// q_x and q_y along the fixed axes, then q_n and q_t along normal and tangent of the deformed axis,
    /// N/m. The tangent leads from `from` to `to`, along an edge so that the body is to its left; the
    /// normal stands to its left.
    pub components: [f64; 4],
    /// Reference arc lengths from the first node between which it acts, m.
    pub between: [f64; 2],
    pub variation: [f64; 2],
    pub history: History,
}

impl LineLoad {
    /// Keys of the components in the model file.
    pub const KEYS: [&str; 4] = ["qx", "qy", "normal", "tangential"];
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
