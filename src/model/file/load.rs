//! A load at a point, along a member or an edge, or through a body, as written.

use serde::Deserialize;

use super::History;
use crate::model::de::{Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
pub struct Load {
    pub point: Option<Name>,
    pub member: Option<Name>,
    pub edge: Option<Name>,
    pub body: Option<Name>,
    pub fx: Option<Scalar>,
    pub fy: Option<Scalar>,
    pub moment: Option<Scalar>,
    pub qx: Option<Scalar>,
    pub qy: Option<Scalar>,
    pub bx: Option<Scalar>,
    pub by: Option<Scalar>,
    pub normal: Option<Scalar>,
    pub tangential: Option<Scalar>,
    /// Place on the member or edge of a load in one section.
    pub at: Option<Scalar>,
    /// Part of the member or edge that carries a line load.
    pub between: Option<[Scalar; 2]>,
    /// Factors of a line load at both ends of that part.
    pub variation: Option<[Scalar; 2]>,
    /// How a load through a body changes along x and y.
    pub gradient: Option<[Scalar; 2]>,
    pub history: Option<History>,
}
