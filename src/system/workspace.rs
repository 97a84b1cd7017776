//! What an evaluation of the equations leaves.

use super::{ElementId, SliderState, System};
use crate::laws::friction::Bounded;
use crate::linear::{Bordered, Layout};

/// Results of an evaluation and the matrix of the linear system.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Residual of the nodal unknowns; on prescribed and driven ones it is the reaction.
    pub residual: Vec<f64>,
    /// Residual of sliding coordinates and constraints.
    pub border: Vec<f64>,
    pub matrix: Bordered,
    /// Diagonal of the tangent, per equation: what a rounding error of a position does to a force.
    pub stiffness: Vec<f64>,
    /// Largest force in play, N.
    pub force_scale: f64,
    pub sliders: Vec<SliderState>,
    /// Work that each slider's friction takes over the step, J.
    pub friction_work: Vec<f64>,
    /// Energy in each slider's friction at the end of the step, J.
    pub friction_stored: Vec<f64>,
    pub regimes: Vec<Regime>,
    /// Bounded bristles; zeros at other sliders.
    pub bristles: Vec<Bounded<f64>>,
    /// The most crushed element, where one is below the
    /// [least stretch](crate::elements::kernel::Kernel::LEAST_STRETCH) of its kind.
    pub crushed: Option<ElementId>,
    /// M q̈.
    pub(super) inertia: Vec<f64>,
    /// q̇, where there is damping.
    pub(super) velocity: Vec<f64>,
}

/// What decides which branch of its equations a slider is on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Regime {
    /// Path element.
    pub element: usize,
    pub stop: i8,
    pub open: bool,
    pub sticking: bool,
    /// Whether the friction force is positive.
    pub forward: bool,
}

impl Workspace {
    /// Room for the equations of `system`.
    pub fn new(system: &System) -> Workspace {
        let layout: Layout = system.layout.clone();
        Workspace {
            residual: vec![0.0; system.nodal],
            border: vec![0.0; system.border],
            matrix: Bordered::new(layout, system.border, system.floating).with_skew(system.skew),
            stiffness: vec![0.0; system.equations()],
            force_scale: 0.0,
            sliders: vec![SliderState::default(); system.sliders.len()],
            friction_work: vec![0.0; system.sliders.len()],
            friction_stored: vec![0.0; system.sliders.len()],
            regimes: vec![Regime::default(); system.sliders.len()],
            bristles: vec![Bounded::default(); system.sliders.len()],
            crushed: None,
            inertia: vec![0.0; system.nodal],
            velocity: vec![0.0; system.nodal],
        }
    }
}
