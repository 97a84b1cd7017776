//! Springs between points, as written.

use serde::Deserialize;

use crate::model::de::{DataFile, Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
pub struct Spring {
    pub from: Option<Name>,
    /// A place of the drawing that stays where it is, instead of `from`.
    pub ground: Option<Name>,
    pub to: Name,
    #[serde(default)]
    pub direction: SpringDirection,
    /// Whose rotation, where several members turn on their own.
    pub from_member: Option<Name>,
    pub to_member: Option<Name>,
    pub stiffness: Option<Scalar>,
    pub table: Option<SpringTable>,
    pub free_length: Option<Scalar>,
    pub free_angle: Option<Scalar>,
    pub preload: Option<Scalar>,
    pub damping: Option<Scalar>,
    pub damper: Option<DamperTable>,
    pub stop: Option<Stop>,
    pub friction: Option<SlipElement>,
    /// Force of an actuator.
    pub actuator: Option<Scalar>,
    /// Instead of all that acts along one direction.
    pub bushing: Option<Bushing>,
}

impl Spring {
    /// Whether it acts on the rotation of a point.
    pub fn turns(&self, point: &str) -> bool {
        let named = |name: &Name| name.value == point;
        let turns = self.bushing.is_some() || self.direction == SpringDirection::Rotation;
        turns && (named(&self.to) || self.from.as_ref().is_some_and(named))
    }
}

/// What acts between two sections along x and y of a frame and on their rotations.
#[derive(Debug, Clone, Deserialize)]
pub struct Bushing {
    #[serde(default)]
    pub frame: BushingFrame,
    pub angle: Option<Scalar>,
    /// K_xx, K_yy, K_rr.
    pub stiffness: Option<[Scalar; 3]>,
    /// K_xy, K_xr, K_yr.
    pub coupling: Option<[Scalar; 3]>,
    pub free: Option<[Scalar; 3]>,
    pub preload: Option<[Scalar; 3]>,
    /// C_xx, C_yy, C_rr.
    pub damping: Option<[Scalar; 3]>,
    /// C_xy, C_xr, C_yr.
    pub damping_coupling: Option<[Scalar; 3]>,
    pub stiffness_scale: Option<Scalar>,
    pub damping_scale: Option<Scalar>,
    /// Forces of an actuator.
    pub fx: Option<Scalar>,
    pub fy: Option<Scalar>,
    pub moment: Option<Scalar>,
}

/// Whose rotation turns the frame of a bushing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum BushingFrame {
    #[default]
    From,
    To,
}

/// Along what a spring acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum SpringDirection {
    /// The line between its points.
    #[default]
    Line,
    X,
    Y,
    Rotation,
}

/// Forces by the elongation beyond the free length.
#[derive(Debug, Clone, Deserialize)]
pub struct SpringTable {
    pub elongations: Option<Vec<Scalar>>,
    pub forces: Option<Vec<Scalar>>,
    pub file: Option<DataFile>,
}

/// Forces by the rate.
#[derive(Debug, Clone, Deserialize)]
pub struct DamperTable {
    pub rates: Option<Vec<Scalar>>,
    pub forces: Option<Vec<Scalar>>,
    pub file: Option<DataFile>,
}

/// Stops: elastic ones, or rigid ones.
#[derive(Debug, Clone, Deserialize)]
pub struct Stop {
    pub least: Option<Scalar>,
    pub most: Option<Scalar>,
    pub stiffness: Option<Scalar>,
    pub damping: Option<Scalar>,
    #[serde(default)]
    pub rigid: bool,
    pub restitution: Option<Scalar>,
}

/// Dry friction in series with a spring.
#[derive(Debug, Clone, Deserialize)]
pub struct SlipElement {
    pub force: Scalar,
    pub stiffness: Scalar,
}
