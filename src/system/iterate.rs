//! Where the equations of a step are evaluated.

use super::{Flow, Footing, System, Tuning};
use crate::laws::friction::Memory;

/// Where the equations are evaluated.
#[derive(Debug, Clone)]
pub struct Iterate {
    pub q: Vec<f64>,
    /// Numbers of the friction laws.
    pub tuning: Tuning,
    pub multipliers: Vec<[f64; 3]>,
    /// q̈ of all unknowns; zero in statics.
    pub acceleration: Vec<f64>,
    /// q̇ of the nodal unknowns, for damping.
    pub flow: Flow,
    /// External force on each nodal unknown.
    pub external: Vec<f64>,
    /// Line loads that follow the axis.
    pub following: Vec<Following>,
    /// q̈ of the nodal unknowns that have an equation and that a motion still drives: it will let
    /// them go. Their equations are pinned, their residual is the reaction.
    pub driven: Vec<Option<f64>>,
    /// Sliding coordinates at the beginning of the step.
    pub sliding_before: Vec<f64>,
    /// What laws with memory remember from the beginning of the step.
    pub memory: Vec<Memory>,
    /// Velocities of sliding as the friction laws see them.
    pub glides: Vec<Glide>,
    /// Length of the step, for the velocity in the friction law.
    pub step: f64,
    /// Sliders held by an end stop.
    pub stops: Vec<i8>,
    /// Sliders that are off their paths.
    pub open: Vec<bool>,
    /// Open sliders that have not followed their foot from the place before: it is at a corner
    /// of the path or has jumped.
    pub strayed: Vec<bool>,
    /// Whether the solution decides which contacts are open; otherwise they stay as they are.
    pub complementary: bool,
    /// Path element that a slider is kept on, whatever its s.
    pub kept: Vec<Option<usize>>,
    /// Sliders whose friction is taken as sticking, whatever its force.
    pub held: Vec<bool>,
    /// What holds each slider along its path.
    pub grips: Vec<Grip>,
    /// Whether static friction holds a slider, where that is more than sliding friction.
    pub footing: Vec<Footing>,
    /// Which way bounded bristles slip: −1, 1, or 0 where they hold.
    pub slips: Vec<i8>,
    /// Whether the forces of bounded bristles are being looked for together.
    pub together: bool,
    /// Leaves friction out, where only the geometry is solved for.
    pub frictionless: bool,
}

/// The velocity of a slider in terms of its s at the end of a step, v = factor (s − origin).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Glide {
    pub origin: f64,
    /// 1/s.
    pub factor: f64,
    pub phase: Phase,
}

impl Glide {
    pub fn velocity(&self, s: f64) -> f64 {
        self.factor * (s - self.origin)
    }
}

/// What holds a slider along its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grip {
    /// The friction law of the joint.
    #[default]
    Law,
    /// Nothing: statics without friction.
    Free,
    /// Whatever it needs: it stays at its s from before.
    Held,
}

/// Who decides whether a slider sticks in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Phase {
    /// The friction law, from what it sees at the end of the step.
    #[default]
    Law,
    /// The slider sticks: s does not change.
    Sticks,
    /// The slider slides with this sign of ds/dt.
    Slides(f64),
}

/// ∂q̈/∂q of the time integration, 1/s²; `None` in statics.
pub type Inertia = Option<f64>;

/// Normal and tangential components of a line load, N/m, with its history.
pub type Following = [f64; 2];

impl Iterate {
    /// Room for an iterate of `system`.
    pub fn new(system: &System) -> Iterate {
        let unknowns = system.initial.len();
        let sliders = system.sliders.len();
        Iterate {
            q: system.initial.clone(),
            tuning: Tuning::of(&system.model),
            multipliers: vec![[0.0; 3]; sliders],
            acceleration: vec![0.0; unknowns],
            flow: Flow {
                origin: vec![0.0; system.nodal],
                factor: 0.0,
            },
            external: vec![0.0; system.nodal],
            following: vec![[0.0; 2]; system.line_loads.len()],
            driven: vec![None; system.nodal],
            sliding_before: vec![0.0; sliders],
            memory: vec![Memory::default(); sliders],
            glides: vec![Glide::default(); sliders],
            step: 1.0,
            stops: vec![0; sliders],
            open: vec![false; sliders],
            strayed: vec![false; sliders],
            complementary: false,
            kept: vec![None; sliders],
            held: vec![false; sliders],
            grips: vec![Grip::Law; sliders],
            footing: vec![Footing::Lost; sliders],
            slips: vec![0; sliders],
            together: false,
            frictionless: false,
        }
    }
}
