//! Equilibria as written: that of the start and the path of `[static]`.

use serde::Deserialize;

use crate::checked::statics::{Branch, Control, HeldSliders};
use crate::model::de::{Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
pub struct Static {
    pub scale: Option<Vec<Name>>,
    #[serde(default)]
    pub control: Control,
    pub quantity: Option<Name>,
    pub to: Scalar,
    pub first_step: Option<Scalar>,
    pub largest_move: Option<Scalar>,
    pub points: Option<Scalar>,
    pub switch: Option<Branch>,
    #[serde(default)]
    pub held_sliders: HeldSliders,
}
