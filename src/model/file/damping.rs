//! Structural damping, as written.

use serde::Deserialize;

use crate::model::de::{Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
pub struct Damping {
    pub members: Option<Vec<Name>>,
    pub bodies: Option<Vec<Name>>,
    pub mass_coefficient: Option<Scalar>,
    pub stiffness_coefficient: Option<Scalar>,
    pub ratios: Option<[Scalar; 2]>,
    pub frequencies: Option<[Scalar; 2]>,
    pub modes: Option<[Scalar; 2]>,
}
