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
    #[serde(default)]
    pub axes: Axes,
}

/// The axes in which a stiffness is that of the elements in the initial configuration.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Axes {
    /// Those that turn with the elements.
    #[default]
    Turning,
    /// Those in which they are drawn.
    Drawn,
}
