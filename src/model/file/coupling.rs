//! Couplings of coordinates, as written.

use serde::Deserialize;

use super::SpringDirection;
use crate::model::de::{DataFile, Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
pub struct Coupling {
    /// What follows.
    pub driven: Coordinate,
    /// What it follows; a motion drives it, too, or alone.
    #[serde(default)]
    pub drivers: Vec<Coordinate>,
}

impl Coupling {
    /// Whether it is of the rotation of a point.
    pub fn turns(&self, point: &str) -> bool {
        let mut all = std::iter::once(&self.driven).chain(&self.drivers);
        all.any(|one| {
            let direction = one.direction.unwrap_or(SpringDirection::Rotation);
            let named = |name: &Name| name.value == point;
            let turns = one.along.is_none() && direction == SpringDirection::Rotation;
            turns && (named(&one.to) || one.from.as_ref().is_some_and(named))
        })
    }
}

/// A rotation or a displacement, counted from where it is drawn.
#[derive(Debug, Clone, Deserialize)]
pub struct Coordinate {
    pub from: Option<Name>,
    /// A place of the drawing that stays where it is, instead of `from`.
    pub ground: Option<Name>,
    pub to: Name,
    /// A rotation unless given.
    pub direction: Option<SpringDirection>,
    /// Instead of `direction`: a direction that stays.
    pub along: Option<[Scalar; 2]>,
    /// Whose rotation, where several members turn on their own.
    pub from_member: Option<Name>,
    pub to_member: Option<Name>,
    /// Of a driver: how far what is driven moves for each unit of it.
    pub ratio: Option<Scalar>,
    pub table: Option<TransmissionTable>,
}

/// How far what is driven has moved where its driver has.
#[derive(Debug, Clone, Deserialize)]
pub struct TransmissionTable {
    pub driver: Option<Vec<Scalar>>,
    pub driven: Option<Vec<Scalar>>,
    pub file: Option<DataFile>,
}
