//! Contacts of surfaces with paths, as written.

use serde::Deserialize;

use super::Friction;
use crate::model::de::{Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
pub struct SurfaceContact {
    /// Edges `BODY.EDGE` and faces `MEMBER.left`, `MEMBER.right`.
    pub surface: Vec<Name>,
    pub path: Vec<Name>,
    pub start: Option<Name>,
    #[serde(default)]
    pub closed: bool,
    pub width: Option<Scalar>,
    pub clearance: Option<Scalar>,
    /// Whether nothing gives way and corners strike.
    #[serde(default)]
    pub rigid: bool,
    pub restitution: Option<Scalar>,
    #[serde(default)]
    pub impact_friction: bool,
    /// By length of the surface: a number, or the word `penalty`.
    pub stiffness: Option<Scalar>,
    pub node_stiffness: Option<Scalar>,
    pub tangential_ratio: Option<Scalar>,
    /// The most that a point is pressed in, as a share of `clearance`.
    pub penetration: Option<Scalar>,
    pub friction: Option<Friction>,
}
