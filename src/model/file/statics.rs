//! Equilibria as written: that of the start and the path of `[static]`.

use serde::Deserialize;

use crate::model::de::{Name, Scalar};

/// Which sliders stay where they are while an equilibrium is looked for.
#[derive(Debug, Clone, Copy, Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum HeldSliders {
    /// Those with friction.
    #[default]
    Friction,
    All,
    None,
}

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

#[derive(Debug, Clone, Copy, Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    #[default]
    Load,
    Displacement,
    ArcLength,
}

#[derive(Debug, Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    Plus,
    Minus,
}
