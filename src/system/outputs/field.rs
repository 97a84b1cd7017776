//! Stress and strain at points and places of bodies.

use super::Source;
use crate::checked::{PlaceId, PointId};
use crate::system::numbers::Numbers;
use crate::system::{State, System};

/// A point or a place of a body.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of {
    Point(PointId),
    Place(PlaceId),
}

items! {
    /// What is known inside a body: Cauchy stress, Pa, and Green strain.
    pub enum Field of (_model, _of = Of) {}
    StressXx => at_positions("stress_xx", Pressure, "Cauchy stress along x at"),
    StressYy => at_positions("stress_yy", Pressure, "Cauchy stress along y at"),
    StressXy => at_positions("stress_xy", Pressure, "Cauchy shear stress at"),
    VonMises => at_positions("von_mises", Pressure, "Von Mises stress at").never_negative(),
    FirstPrincipal => at_positions("principal_1", Pressure, "Larger principal stress in the plane at"),
    SecondPrincipal => at_positions("principal_2", Pressure, "Smaller principal stress in the plane at"),
    StrainXx => at_positions("strain_xx", Dimensionless, "Green strain E11 at"),
    StrainYy => at_positions("strain_yy", Dimensionless, "Green strain E22 at"),
    StrainXy => at_positions("strain_xy", Dimensionless, "Green strain E12 at"),
}

impl Field {
    pub(super) fn value<N: Numbers<State>>(self, system: &System, state: &N, of: Of) -> N::Number {
        let around = match of {
            Of::Point(point) => &system.around[point],
            Of::Place(place) => &system.places[place],
        };
        let ([e11, e22, e12], stress) = around.mean(&system.groups, |u| state.get(|s| s.q[u]));
        match self {
            Field::StressXx => stress.xx,
            Field::StressYy => stress.yy,
            Field::StressXy => stress.xy,
            Field::VonMises => stress.von_mises(),
            Field::FirstPrincipal => stress.principal()[0],
            Field::SecondPrincipal => stress.principal()[1],
            Field::StrainXx => e11,
            Field::StrainYy => e22,
            Field::StrainXy => e12,
        }
    }

    pub(super) fn sources(self, system: &System, of: Of) -> Vec<Source> {
        let unknowns = match of {
            Of::Point(point) => system.around[point].unknowns(&system.groups),
            Of::Place(place) => system.places[place].unknowns(&system.groups),
        };
        unknowns.into_iter().map(Source::Unknown).collect()
    }
}
