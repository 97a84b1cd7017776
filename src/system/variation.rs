//! Small changes of the residual.
//!
//! A change of a state is itself written as a [`State`](super::State), that of an iterate as an [`Iterate`]:
//! every number stands for the change of the number in its place.

use super::{Iterate, System, Term};
use crate::elements::group::TangentRoom;

/// Room for the change of a residual.
#[derive(Debug, Clone)]
pub(crate) struct Residual {
    /// Change of the equations of the nodal unknowns; on prescribed ones the change of the reaction.
    pub nodal: Vec<f64>,
    pub border: Vec<f64>,
    /// M q̈ where the residual was varied last.
    pub inertia_forces: Vec<f64>,
    /// The change of that.
    pub(super) change: Vec<f64>,
    tangents: TangentRoom,
}

impl Residual {
    pub fn new(system: &System) -> Residual {
        Residual {
            nodal: vec![0.0; system.nodal],
            border: vec![0.0; system.border],
            inertia_forces: vec![0.0; system.nodal],
            change: vec![0.0; system.nodal],
            tangents: TangentRoom::default(),
        }
    }
}

impl System {
    /// Change of the residual at `at` by the change `by` of positions, sliding coordinates,
    /// multipliers, accelerations, velocities, loads and of s and the laws' memory at the beginning of the step,
    /// and by the changes `friction[law]` of the numbers of the friction laws, those of the sliders and then of the contacts.
    pub(crate) fn residual_change(
        &self, at: &Iterate, by: &Iterate, friction: &[Vec<f64>], out: &mut Residual,
    ) {
        self.mass.forces(&at.acceleration, &mut out.inertia_forces);
        self.mass.forces(&by.acceleration, &mut out.change);
        self.tangent_times(&at.q, &by.q, 0.0, &mut out.nodal, &mut out.tangents);
        self.loads.lines.add_change(at, by, &mut out.nodal);
        for ((r, m), f) in (out.nodal.iter_mut().zip(&out.change)).zip(&by.external) {
            *r += m - f;
        }
        if let Some(damped) = self.damped(at.flow.factor) {
            damped.add_change(at, by, &mut out.nodal);
        }
        self.surfaces.add_change(at, by, friction, &mut out.nodal);
        self.springs.add_change(at, by, &mut out.nodal);
        self.pins.add_change(at, by, &mut out.nodal);
        self.hinges.add_change(at, by, &mut out.nodal);
        self.pins.rates(&at.q, &by.q, 1.0, &mut out.border);
        self.sliders.add_changes(at, by, friction, out);
    }
}
