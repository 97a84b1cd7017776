//! Small changes of the residual.
//!
//! A change of a state is itself written as a [`State`](super::State), that of an iterate as an [`Iterate`]:
//! every number stands for the change of the number in its place.

use fearless_simd::dispatch;

use super::joints::found::Found;
use super::{Group, Iterate, System, Term};
use crate::elements::group::{TangentRoom, Tangents};
use crate::numerics::lanes::level;

/// Room for the change of a residual.
#[derive(Debug, Clone)]
pub(crate) struct Residual {
    /// Change of the equations of the nodal unknowns; on prescribed ones the change of the reaction.
    pub nodal: Vec<f64>,
    pub border: Vec<f64>,
    /// The change of M q̈.
    pub(super) change: Vec<f64>,
}

impl Residual {
    pub fn new(system: &System) -> Residual {
        Residual {
            nodal: vec![0.0; system.nodal],
            border: vec![0.0; system.border],
            change: vec![0.0; system.nodal],
        }
    }
}

/// The residual to first order about an iterate: what all changes there have in common.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    /// M q̈.
    pub inertia_forces: Vec<f64>,
    /// Tangents of all elements.
    tangents: Vec<f64>,
    /// What is found of the sliders; nothing of those off their path.
    pub(super) sliders: Vec<Option<Found>>,
    room: TangentRoom,
}

impl Linear {
    pub fn new(system: &System) -> Linear {
        Linear {
            inertia_forces: vec![0.0; system.nodal],
            tangents: Vec::new(),
            sliders: Vec::with_capacity(system.sliders.len()),
            room: TangentRoom::default(),
        }
    }

    /// About the iterate `at`.
    pub fn at(system: &System, at: &Iterate) -> Linear {
        let mut linear = Linear::new(system);
        system.linearise(at, &mut linear);
        linear
    }
}

impl System {
    /// Finds what changes of the residual at `at` have in common.
    pub(crate) fn linearise(&self, at: &Iterate, out: &mut Linear) {
        self.mass.forces(&at.acceleration, &mut out.inertia_forces);
        out.tangents.clear();
        for Group { elements, .. } in self.groups.iter() {
            elements.tangents(&at.q, Tangents::All, &mut out.room, |found| {
                found.keep_tangent(&mut out.tangents);
            });
        }
        self.sliders.find_all(at, &out.inertia_forces, &mut out.sliders);
    }

    /// Changes of the forces of members and bodies by the change `by` of positions.
    pub(crate) fn elastic_change(&self, about: &Linear, by: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        dispatch!(level(), _ => {
            let mut kept = &about.tangents[..];
            for Group { elements, .. } in self.groups.iter() {
                kept = elements.add_products(kept, by, out);
            }
        });
    }

    /// Change of the residual at `at`, about which it is [linearised](System::linearise), by the change `by` of positions, sliding coordinates,
    /// multipliers, accelerations, velocities, loads and of s and the laws' memory at the beginning of the step,
    /// and by the changes `friction[law]` of the numbers of the friction laws, those of the sliders and then of the contacts.
    pub(crate) fn residual_change(
        &self, (at, about): (&Iterate, &Linear), by: &Iterate, friction: &[Vec<f64>],
        out: &mut Residual,
    ) {
        self.mass.forces(&by.acceleration, &mut out.change);
        self.elastic_change(about, &by.q, &mut out.nodal);
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
        self.sliders.add_changes((at, about), by, friction, out);
    }

    /// Writes the changes of the constraints alone into their rows of the border.
    pub(crate) fn constraints_change(
        &self, (at, about): (&Iterate, &Linear), by: &Iterate, border: &mut [f64],
    ) {
        self.pins.rates(&at.q, &by.q, 1.0, border);
        self.sliders.change_constraints((at, about), by, border);
    }
}
